//! Common interface of the backends: a place for a frame, and the handling of a finished one.
//!
//! A backend consists of one file of this crate, one header `port/recorder/tband_backend_*.h` and one row in
//! `xtask/header/src/backends.rs`. There are two kinds: `snapshot` fills a region of memory; `streaming` and `external` pass
//! on each frame at once, which `stream` does for them.

use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A receiver of complete frames of metadata: a backend, or a packet of metadata that is being written.
pub trait Frames {
    /// Owner of the frames: for a backend a core, which has a place for them.
    type Owner;

    /// See [`Backend::reserve`].
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        of: &Self::Owner,
        ts: u64,
        max_len: usize,
    ) -> Option<*mut u8>;

    /// See [`Backend::commit`].
    ///
    /// # Safety
    /// The same conditions as for that function.
    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        of: &Self::Owner,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool;
}

impl<B: Backend> Frames for B {
    type Owner = CoreState;

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

/// A destination for frames. Selected at compile time, so that firmware links only one.
pub trait Backend {
    /// Returns whether frames are needed: recording is on, or the backend is always on.
    fn is_live<P: Port>(recorder: &Recorder<P>) -> bool;

    /// Counts one event of `core`; `true` when a `dropped_evt_cnt` is due before it.
    #[inline(always)]
    fn count_event<P: Port>(_: &Recorder<P>, core: &CoreState) -> bool {
        core.count_event()
    }

    /// Returns a place for a frame of at most `max_len` bytes; `None` if the event must not be recorded. Each place must be
    /// [committed](Self::commit) or [abandoned](Self::abandon). `ts` is for a `core_id` that may precede the frame.
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        ts: u64,
        max_len: usize,
    ) -> Option<*mut u8>;

    /// Releases a reserved place without a frame in it.
    #[inline(always)]
    fn abandon<P: Port>(_: &Recorder<P>) {}

    /// Sends or stores the frame that was built in a reserved place and ends at `end`. Returns `false` if it was dropped; then
    /// it has been counted.
    ///
    /// # Safety
    /// The place came from the last [`reserve`](Self::reserve) for the same core, and contains a complete frame of at most the
    /// reserved length.
    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool;
}
