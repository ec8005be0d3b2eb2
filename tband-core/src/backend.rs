//! What the backends have in common: a place for a frame, and what happens to a finished one.
//!
//! A backend is one file of this crate, one header `port/recorder/tband_backend_*.h` and one row in
//! `xtask/header/src/backends.rs`. There are two kinds: `snapshot` fills a region of memory, `streaming` and
//! `external` hand out each frame at once, which `stream` does for them.

use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// What takes whole frames of metadata: a backend, or a packet of metadata that is being written.
pub trait Frames {
    /// Whose frames they are: of a backend a core, which has a place for them.
    type Of;

    /// As [`Backend::reserve`].
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        of: &Self::Of,
        ts: u64,
        max_len: usize,
    ) -> Option<*mut u8>;

    /// As [`Backend::commit`].
    ///
    /// # Safety
    /// As of that.
    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        of: &Self::Of,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool;
}

impl<B: Backend> Frames for B {
    type Of = CoreState;

    #[inline(always)]
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        ts: u64,
        max_len: usize,
    ) -> Option<*mut u8> {
        <Self as Backend>::reserve(recorder, core, ts, max_len)
    }

    #[inline(always)]
    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe { <Self as Backend>::commit(recorder, core, end, is_metadata) }
    }
}

/// A way to dispose of frames. Chosen at compile time, so that firmware links one only.
pub trait Backend {
    /// Frames are to be made: recording is on, or the backend is always on.
    fn is_live<P: Port>(recorder: &Recorder<P>) -> bool;

    /// Counts one event of `core`; `true` when a `dropped_evt_cnt` is due before it.
    #[inline(always)]
    fn count_event<P: Port>(_: &Recorder<P>, core: &CoreState) -> bool {
        core.count_event()
    }

    /// A place for a frame of at most `max_len` bytes; `None` if the event is not to be recorded. Each
    /// place is [committed](Self::commit) or [abandoned](Self::abandon). `ts` is for a `core_id` that may go before the frame.
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        ts: u64,
        max_len: usize,
    ) -> Option<*mut u8>;

    /// Gives a reserved place back: there will be no frame in it.
    #[inline(always)]
    fn abandon<P: Port>(_: &Recorder<P>) {}

    /// Disposes of the frame that was built in a reserved place and ends at `end`. `false` if it was
    /// dropped; then it has been counted.
    ///
    /// # Safety
    /// The place came from the last [`reserve`](Self::reserve) for the same core, and a whole frame of
    /// at most the reserved length is there.
    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool;
}
