//! Describes the events outside of the base in the recording, for readers that do not know them. If no such events
//! exist, firmware contains none of this code.

use tband_format::declaration::Declaration;

use crate::backend::{Backend, Frames};
use crate::external::External;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A receiver of prebuilt frames, which may be longer than the frames that it has room to build.
pub trait WholeFrameReceiver: Frames {
    /// Sends or stores a complete frame. `ts` is for a `core_id` that may precede it. Returns `false` if the frame was
    /// dropped or did not fit.
    fn take<P: Port>(recorder: &Recorder<P>, of: &Self::Owner, ts: u64, frame: &[u8]) -> bool;
}

/// Like [`WholeFrameReceiver::take`], for receivers whose places have the requested size.
pub(crate) fn copy<B: Frames, P: Port>(
    recorder: &Recorder<P>,
    of: &B::Owner,
    ts: u64,
    frame: &[u8],
) -> bool {
    let Some(to) = B::reserve(recorder, of, ts, frame.len()) else { return false };
    let mut at = 0;
    for byte in frame {
        // SAFETY: the place has room for the frame. Byte by byte, so that no function of the C library is needed.
        unsafe { to.wrapping_add(at).write_volatile(*byte) };
        at += 1;
    }
    // SAFETY: the frame is there.
    unsafe { B::commit(recorder, of, to.wrapping_add(at), true) }
}

impl WholeFrameReceiver for External {
    fn take<P: Port>(recorder: &Recorder<P>, core: &CoreState, ts: u64, frame: &[u8]) -> bool {
        // Only the core's turn in the stream is needed, not the place.
        if <Self as Backend>::reserve(recorder, core, ts, 0).is_none() {
            return false;
        }
        let dropped = recorder.port.submit(frame.as_ptr(), frame.len(), true);
        recorder.end_turn();
        if dropped {
            core.count_dropped(1);
        }
        !dropped
    }
}

impl<P: Port> Recorder<P> {
    /// Describes all events outside of the base.
    ///
    /// Context: the critical section. Some ten instructions a byte.
    #[inline(always)]
    pub(crate) fn send_declarations<B: WholeFrameReceiver>(&self, ts: u64, of: &B::Owner) {
        if !P::DECLARATIONS.is_empty() {
            P::DECLARATIONS.iter().for_each(|it| {
                B::take(self, of, ts, Declaration::frame(it));
            });
        }
    }
}
