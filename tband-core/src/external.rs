//! The external backend: each frame always goes to the user's own function.

use crate::atomics::Ordering;

use crate::backend::Backend;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// Frames go to the user's own function, always.
#[derive(Debug)]
pub struct External;

impl Backend for External {
    #[inline(always)]
    fn is_live<P: Port>(_: &Recorder<P>) -> bool {
        true
    }

    #[inline(always)]
    fn count_event<P: Port>(recorder: &Recorder<P>, core: &CoreState) -> bool {
        start_external(recorder, core);
        core.count_event()
    }

    #[inline(always)]
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        ts: u64,
        _: usize,
    ) -> Option<*mut u8> {
        start_external(recorder, core);
        recorder.frame_buf_in_turn(
            core,
            ts,
            || true,
            |data, len| recorder.port.submit(data, len, false),
        )
    }

    fn abandon<P: Port>(recorder: &Recorder<P>) {
        recorder.end_turn();
    }

    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        is_metadata: bool,
    ) -> bool {
        // SAFETY: the caller's promise is what `pass_frame` asks for.
        unsafe {
            recorder.pass_frame(core, end, |data, len| recorder.port.submit(data, len, is_metadata))
        }
    }
}

/// The external backend has no start function: a core's first event starts it, whether metadata or not,
/// and stores a mark in the field that snapshots use for their limit. The buffer itself may be at
/// address 0.
#[inline(always)]
fn start_external<P: Port>(recorder: &Recorder<P>, core: &CoreState) {
    if core.limit.load(Ordering::Relaxed).is_null() {
        let started = recorder.first_frame_buf(core).wrapping_add(1);
        core.limit.store(started, Ordering::Relaxed);
        core.start_drop_cnt(recorder.port.drop_cnt_every());
    }
}
