//! Common part of backends that pass on each frame at once: a small buffer of each core in which the frame is
//! built, and the order in which cores send.
//!
//! Several cores share one stream. The lock keeps frames complete, and a `core_id` precedes a frame whenever its
//! core differs from the last one's.

use crate::atomics::Ordering;
use core::mem::MaybeUninit;

use crate::emit::{TIMED_U32_FRAME_LEN, begin_core_id};
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// Returns the number of bytes from `start` to `end`.
pub(crate) fn distance(start: *const u8, end: *const u8) -> usize {
    (end as usize).wrapping_sub(start as usize)
}

impl<P: Port> Recorder<P> {
    /// Returns the buffer in which `core` builds its frames.
    #[inline(always)]
    pub(crate) fn frame_buf(&self, core: &CoreState) -> *mut u8 {
        let buf = core.at.load(Ordering::Relaxed);
        if buf.is_null() { self.first_frame_buf(core) } else { buf }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn first_frame_buf(&self, core: &CoreState) -> *mut u8 {
        let buf = self.port.frame_buf(self.index_of(core));
        core.at.store(buf, Ordering::Relaxed);
        buf
    }

    /// Returns the buffer in which `core` builds its frames. If several cores share the stream, it is this core's
    /// turn from here to [`pass_frame`](Self::pass_frame): it holds the lock, and a `core_id`, which is never metadata,
    /// has preceded the frame if the last one was of another core. Returns `None`, without the lock, if that was
    /// refused (the event then counts as dropped), or if the frame must not be sent any more.
    #[inline(always)]
    pub(crate) fn frame_buf_in_turn(
        &self,
        core: &CoreState,
        ts: u64,
        is_live: impl Fn() -> bool,
        send: impl Fn(*const u8, usize) -> bool,
    ) -> Option<*mut u8> {
        if self.port.core_count() > 1 && !self.take_turn(core, ts, is_live, send) {
            return None;
        }
        Some(self.frame_buf(core))
    }

    #[inline(never)]
    fn take_turn(
        &self,
        core: &CoreState,
        ts: u64,
        is_live: impl Fn() -> bool,
        send: impl Fn(*const u8, usize) -> bool,
    ) -> bool {
        self.port.lock();
        if !is_live() {
            self.port.unlock();
            return false;
        }
        let index = self.index_of(core);
        let turn = index.wrapping_add(1) as u8;
        // 0 means "none yet", so the first frame always differs.
        if self.stream_core.load(Ordering::Relaxed) != turn {
            let mut frame = [const { MaybeUninit::<u8>::uninit() }; TIMED_U32_FRAME_LEN];
            let buf = frame.as_mut_ptr().cast();
            // SAFETY: the buffer has room for the longest `core_id` frame.
            let end = unsafe { begin_core_id(buf, ts, index).finish() };
            if send(buf, distance(buf, end)) {
                self.port.unlock();
                core.count_dropped(1);
                return false;
            }
            self.stream_core.store(turn, Ordering::Relaxed);
        }
        true
    }

    #[inline(always)]
    pub(crate) fn end_turn(&self) {
        if self.port.core_count() > 1 {
            self.port.unlock();
        }
    }

    /// Passes on one frame and ends the core's turn.
    ///
    /// # Safety
    /// A complete frame is in the core's frame buffer and ends at `end`.
    #[inline(never)]
    pub(crate) unsafe fn pass_frame(
        &self,
        core: &CoreState,
        end: *mut u8,
        send: impl Fn(*const u8, usize) -> bool,
    ) -> bool {
        let start = self.frame_buf(core);
        let dropped = send(start, distance(start, end));
        self.end_turn();
        if dropped {
            core.count_dropped(1);
        }
        !dropped
    }
}
