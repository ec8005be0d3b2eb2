//! The streaming backend: each frame goes to the port's stream while recording is on.

use crate::atomics::Ordering;

use crate::backend::Backend;
use crate::declared::WholeFrameReceiver;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;
use crate::stream::distance;

/// Frames go to the port's stream while recording is on.
#[derive(Debug)]
pub struct Streaming;

/// Why a stream was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// It is on already; nothing was changed.
    AlreadyActive,
    /// The port dropped part of the data that precede the events. Recording is off. The only remedy is to start again, which sends
    /// everything again.
    Dropped,
}

impl Backend for Streaming {
    #[inline(always)]
    fn is_live<P: Port>(recorder: &Recorder<P>) -> bool {
        recorder.is_recording()
    }

    #[inline(always)]
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        ts: u64,
        _: usize,
    ) -> Option<*mut u8> {
        if !recorder.is_recording() {
            return None;
        }
        // Checked again with the lock, which a stop also takes: nothing is sent after a stop.
        recorder.frame_buf_in_turn(
            core,
            ts,
            || recorder.is_recording(),
            |data, len| recorder.port.stream(data, len),
        )
    }

    fn abandon<P: Port>(recorder: &Recorder<P>) {
        recorder.end_turn();
    }

    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        _: bool,
    ) -> bool {
        // SAFETY: the caller's promise is what `pass_frame` asks for.
        unsafe { recorder.pass_frame(core, end, |data, len| recorder.port.stream(data, len)) }
    }
}

/// The data before the events of a stream: sent by the starting core, which holds the lock. Once the port has refused a part, the
/// rest is not sent.
struct Preamble;

impl Backend for Preamble {
    fn is_live<P: Port>(_: &Recorder<P>) -> bool {
        true
    }

    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        _: u64,
        _: usize,
    ) -> Option<*mut u8> {
        (!recorder.is_preamble_refused()).then(|| recorder.frame_buf(core))
    }

    unsafe fn commit<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        end: *mut u8,
        _: bool,
    ) -> bool {
        let start = recorder.frame_buf(core);
        recorder.send_preamble(start, distance(start, end))
    }
}

impl WholeFrameReceiver for Preamble {
    fn take<P: Port>(recorder: &Recorder<P>, _: &CoreState, _: u64, frame: &[u8]) -> bool {
        !recorder.is_preamble_refused() && recorder.send_preamble(frame.as_ptr(), frame.len())
    }
}

impl<P: Port> Recorder<P> {
    /// Starts the stream: the object table of every core, then `core_id` of the current core, then the recorder's information about
    /// the system including the timer's frequency, then events. Without `with_metadata` a stopped stream continues, and has that
    /// information already.
    ///
    /// `now` is in ticks. As the format requires, the first start uses timestamp 0 for its `core_id`s; later ones must not let time
    /// step back, so they use `now`.
    ///
    /// Context: the critical section of core `current`, task or interrupt. Sends the complete metadata of a core in one call to the
    /// port.
    ///
    /// # Errors
    /// [`StartError`]; recording is as it was. Without metadata it starts whatever the port refuses: that is
    /// counted as dropped.
    pub fn start_streaming(
        &self,
        now: u64,
        current: u32,
        with_metadata: bool,
    ) -> Result<(), StartError> {
        self.start(current, !with_metadata, |core| {
            let ts = if self.started.load(Ordering::Relaxed) == 0 { 0 } else { now };
            for (_, core) in self.cores() {
                core.start_drop_cnt(self.port.drop_cnt_every());
            }
            for (index, _) in self.cores() {
                self.send_stored_metadata(ts, core, index);
            }
            self.send_current_core(ts, core, current);
            if with_metadata {
                self.send_system_info::<Preamble>(ts, core);
                self.send_declarations::<Preamble>(ts, core);
                for (index, other) in self.cores() {
                    self.report_metadata_dropped::<Preamble>(ts, core, index, other);
                }
                self.send_frequency::<Preamble>(now, core);
            }
        })
    }

    /// Like [`start_streaming`](Self::start_streaming), byte for byte as Tonbandgerät starts a stream: none of the events
    /// that Tonbandgerät lacks, all `core_id`s at timestamp 0, nothing at all without metadata or without a metadata buffer, and
    /// drop counts where [`CoreState::pass`] leaves them. The only addition is a report of lost names, which Tonbandgerät omits.
    ///
    /// # Errors
    /// As `start_streaming`.
    pub fn start_plain_streaming(
        &self,
        current: u32,
        with_metadata: bool,
    ) -> Result<(), StartError> {
        self.start(current, false, |core| {
            for (_, core) in self.cores() {
                core.continue_drop_cnt(self.port.drop_cnt_every());
            }
            if with_metadata && self.port.metadata_buf_size() != 0 {
                for (index, _) in self.cores() {
                    self.send_stored_metadata(0, core, index);
                }
                self.send_current_core(0, core, current);
                for (index, other) in self.cores() {
                    self.report_metadata_dropped::<Preamble>(0, core, index, other);
                }
            }
        })
    }

    /// Starts the stream with the data that `preamble` sends, on the state of core `current`. If the port refuses any of that,
    /// recording stays off, unless it is to start `in_any_case`.
    fn start(
        &self,
        current: u32,
        in_any_case: bool,
        preamble: impl FnOnce(&CoreState),
    ) -> Result<(), StartError> {
        self.locked(|| {
            if self.is_recording() {
                return Err(StartError::AlreadyActive);
            }
            let core = self.port.core(current);
            self.preamble_refused.store(0, Ordering::Relaxed);
            preamble(core);
            if self.is_preamble_refused() {
                // Core ids that were sent must be sent again.
                self.stream_core.store(0, Ordering::Relaxed);
                if !in_any_case {
                    return Err(StartError::Dropped);
                }
                core.count_dropped(1);
            }
            self.started.store(1, Ordering::Relaxed);
            self.set_recording(true);
            Ok(())
        })
    }

    /// Stops the stream. Returns `false` if it was not on. After the return nothing reaches the port: with several cores the
    /// function waits for the lock, and so for a frame that another core may be sending.
    ///
    /// Context: the critical section, task or interrupt.
    pub fn stop_streaming(&self) -> bool {
        self.locked(|| {
            let was_on = self.is_recording();
            self.set_recording(false);
            was_on
        })
    }

    /// Sends `core_id` of the current core, which the first events belong to.
    fn send_current_core(&self, ts: u64, core: &CoreState, current: u32) {
        if self.send_core_id::<Preamble>(ts, core, current) {
            self.stream_core.store(current.wrapping_add(1) as u8, Ordering::Relaxed);
        }
    }

    /// Sends the metadata buffer of core `index`, with its `core_id`, unless the buffer is empty.
    fn send_stored_metadata(&self, ts: u64, core: &CoreState, index: u32) {
        self.close_all_gaps(index);
        let (metadata, len) = self.metadata(index);
        // Without its `core_id` it would count as another core's.
        if len != 0 && self.send_core_id::<Preamble>(ts, core, index) {
            self.send_preamble(metadata, len);
        }
    }

    /// Sends a part of the data before the events; returns `false` if the port refused it.
    fn send_preamble(&self, data: *const u8, len: usize) -> bool {
        let refused = self.port.stream(data, len);
        self.preamble_refused.store(refused.into(), Ordering::Relaxed);
        !refused
    }

    fn is_preamble_refused(&self) -> bool {
        self.preamble_refused.load(Ordering::Relaxed) != 0
    }
}
