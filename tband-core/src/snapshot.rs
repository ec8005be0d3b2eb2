//! The snapshot backend: record into one buffer per core until the first is full, then stop.

use crate::atomics::Ordering;

use crate::backend::Backend;
use crate::declared::{WholeFrameReceiver, copy};
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;
use crate::table::copy_entries;

/// The snapshot backend.
#[derive(Debug)]
pub struct Snapshot;

/// Recording did not start: it is on already, or a core is still inside an event of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotStarted;

impl Backend for Snapshot {
    fn is_live<P: Port>(recorder: &Recorder<P>) -> bool {
        recorder.is_recording()
    }

    #[inline(always)]
    fn reserve<P: Port>(
        recorder: &Recorder<P>,
        core: &CoreState,
        _: u64,
        max_len: usize,
    ) -> Option<*mut u8> {
        let at = core.at.load(Ordering::Relaxed);
        let room = (core.limit.load(Ordering::Relaxed) as usize).wrapping_sub(at as usize);
        // While recording is off `limit` is at or below `at`: one comparison shows both.
        if (room as isize) < max_len as isize {
            // The buffer is full and recording stops now, or it is off already. If the data before the events do
            // not fit at the start, recording is not on yet: the first event stops it.
            recorder.end_snapshot();
            return None;
        }
        Some(at)
    }

    #[inline(always)]
    unsafe fn commit<P: Port>(_: &Recorder<P>, core: &CoreState, end: *mut u8, _: bool) -> bool {
        core.at.store(end, Ordering::Relaxed);
        true
    }
}

/// Copies the object table of `core`, which is at `table`, into the core's snapshot buffer, because objects may be
/// deleted before the snapshot is read; unless it needs more than half of the room.
///
/// # Safety
/// They are the core's.
#[inline(never)]
unsafe fn copy_table(core: &CoreState, table: *mut u8) {
    let end = table.wrapping_add(core.own_metadata_used().into());
    let at = core.at.load(Ordering::Relaxed);
    let room = (core.limit.load(Ordering::Relaxed) as usize).wrapping_sub(at as usize);
    let half = at.wrapping_add(room >> 1);
    // SAFETY: entries are there, and the room is the buffer's.
    let copied = unsafe { copy_entries(table, end, at, half) };
    if copied <= half {
        core.at.store(copied, Ordering::Relaxed);
    }
}

impl WholeFrameReceiver for Snapshot {
    fn take<P: Port>(recorder: &Recorder<P>, core: &CoreState, ts: u64, frame: &[u8]) -> bool {
        copy::<Self, P>(recorder, core, ts, frame)
    }
}

impl<P: Port> Recorder<P> {
    /// Starts recording into the snapshot buffers, after what they hold, with what exists.
    ///
    /// Context: the critical section of core `current`, task or interrupt.
    ///
    /// # Errors
    /// [`NotStarted`] if recording is on or has not completely ended. With several cores also if one of them is
    /// testing whether recording is on: then [`finished`](Self::finished) is true, and the caller must try again.
    pub fn trigger_snapshot(&self, current: u32) -> Result<(), NotStarted> {
        self.trigger(|index, core, is_empty| {
            if is_empty {
                // Writes the buffer's owner, so that the buffers may be put into one file.
                if self.port.core_count() > 1 {
                    self.send_owner::<Snapshot>(core, index);
                }
                if index == current {
                    self.send_system_info::<Snapshot>(0, core);
                }
                // Each buffer may become a separate file.
                self.send_declarations::<Snapshot>(0, core);
            }
            // SAFETY: the buffers of that core.
            unsafe { copy_table(core, self.port.metadata_buf(index)) };
            self.report_metadata_dropped::<Snapshot>(0, core, index, core);
            core.start_drop_cnt(self.port.drop_cnt_every());
        })
    }

    /// Like [`trigger_snapshot`](Self::trigger_snapshot), byte for byte as Tonbandgerät starts one: nothing before
    /// the events except lost names, which Tonbandgerät omits, and drop counts where [`CoreState::pass`] leaves
    /// them.
    ///
    /// # Errors
    /// As `trigger_snapshot`.
    pub fn trigger_plain_snapshot(&self) -> Result<(), NotStarted> {
        self.trigger(|index, core, is_empty| {
            if is_empty {
                self.report_metadata_dropped::<Snapshot>(0, core, index, core);
            }
            core.continue_drop_cnt(self.port.drop_cnt_every());
        })
    }

    /// Starts recording; `opening` gets each core's index and state, and whether its buffer is empty.
    #[inline(always)]
    fn trigger(&self, opening: impl Fn(u32, &CoreState, bool)) -> Result<(), NotStarted> {
        self.locked(|| {
            if !self.is_idle() {
                return Err(NotStarted);
            }
            self.for_each_core(|index, core| {
                let start = self.port.snapshot_buf(index);
                let size = self.port.snapshot_buf_size() as usize;
                // Null before the first trigger and after a reset.
                let is_empty = core.at.load(Ordering::Relaxed).is_null();
                core.limit.store(start.wrapping_add(size), Ordering::Relaxed);
                if is_empty {
                    core.at.store(start, Ordering::Relaxed);
                }
                opening(index, core, is_empty);
            });
            self.set_recording(true);
            Ok(())
        })
    }

    /// Ends recording, if it is on, because a buffer is full.
    #[cold]
    #[inline(never)]
    fn end_snapshot(&self) {
        if self.is_recording() && self.stop_snapshot() {
            self.port.snapshot_full();
        }
    }

    /// Stops recording. `false` if it was not on. Other cores may still be inside an event: see
    /// [`finished`](Self::finished).
    ///
    /// Context: the critical section, task or interrupt.
    #[inline(always)]
    pub fn stop_snapshot(&self) -> bool {
        self.stop_all_cores() != 0
    }

    /// Returns the flag as it was: as a number it takes less code.
    #[inline(never)]
    fn stop_all_cores(&self) -> u8 {
        self.locked(|| {
            let was_on = self.recording();
            self.set_recording(false);
            self.for_each_core(|_, core| {
                // Nothing fits after `at`, and the owner only moves it up.
                core.limit.store(core.at.load(Ordering::Relaxed), Ordering::Relaxed);
            });
            was_on
        })
    }

    /// Empties the snapshot buffers. Returns `false`, and changes nothing, unless recording has finished; as for
    /// [`trigger_snapshot`](Self::trigger_snapshot), the caller may have to try again.
    ///
    /// Context: the critical section, task or interrupt.
    pub fn reset_snapshot(&self) -> bool {
        self.locked(|| {
            let finished = self.is_idle();
            if finished {
                for (_, core) in self.cores() {
                    core.at.store(core::ptr::null_mut(), Ordering::Relaxed);
                    core.limit.store(core::ptr::null_mut(), Ordering::Relaxed);
                }
            }
            finished
        })
    }

    /// Returns the snapshot buffer of core `index` and the number of bytes in it: 0 until the core has finished.
    pub fn snapshot(&self, index: u32) -> (*const u8, usize) {
        if index >= self.port.core_count() {
            return (core::ptr::null(), 0);
        }
        let start = self.port.snapshot_buf(index);
        if !self.core_finished(index) {
            return (start, 0);
        }
        // Read after the check, otherwise frames that were written in between would be omitted.
        let at = self.port.core(index).at.load(Ordering::Acquire);
        let amount = if at.is_null() { 0 } else { (at as usize).wrapping_sub(start as usize) };
        (start, amount)
    }
}
