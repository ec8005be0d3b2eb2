//! What the recorder needs from the firmware around it.

use tband_format::{DECLARATIONS, Declaration};

use crate::ring::{PacketSetup, Policy, Reader};
use crate::state::CoreState;

/// Facts about the firmware for the `trace_info` and `build_id` events.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo<'a> {
    /// Fields of `trace_info`, of which the optional ones may be left out. Empty: a recording does not
    /// describe itself, and starts as Tonbandgerät's do.
    pub trace_info: &'a [u32],
    /// NUL-terminated name of the build for `build_id`, or null.
    pub build_id: *const u8,
    /// NUL-terminated identity of the program for a second `build_id`, or null. If empty, it is not sent.
    pub program: *const u8,
}

/// Configuration, memory and transport that the firmware gives to the recorder.
///
/// The getters are called on the hot path and should be constants or single loads.
///
/// # Safety
/// Whoever implements this promises that
/// - `core_count` is at least 1 and at most 255 and never changes, and is 1 if `IS_ONE_CORE` says so, and `core(i)` is element `i` of one
///   array, the same every time;
/// - `packets` gives the same setup, or none, every time;
/// - each buffer returned for a core is valid for writes of the size that goes with it, for the whole
///   program, and used by nothing else;
/// - `frame_buf` has room for the longest frame, [`frame_buf_size`](crate::frame_buf_size) bytes, if the
///   streaming or external backend is used.
pub unsafe trait Port {
    /// It is known when this is compiled that one core records: `core_count` is 1, and nothing has to be said about
    /// its order to another one.
    const IS_ONE_CORE: bool = false;
    /// Descriptions of the events outside of the base, which each recording begins with. Firmware has those of the
    /// registry; a test may have others, so that it does not depend on which events there are.
    const DECLARATIONS: &'static [Declaration] = &DECLARATIONS;

    /// Number of cores that record, at least 1.
    fn core_count(&self) -> u32;
    /// State of core `index`, which is below `core_count`.
    fn core(&self, index: u32) -> &CoreState;
    /// Longest string that is recorded, in bytes.
    fn max_str_len(&self) -> u32;
    /// Longest frame in bytes: [`frame_buf_size`](crate::frame_buf_size) of `max_str_len`.
    fn max_frame_len(&self) -> u32;
    /// Send a `dropped_evt_cnt` after this many events of a core; 0: only when events were dropped.
    fn drop_cnt_every(&self) -> u32;
    /// Metadata buffer of core `index`; unused if its size is 0.
    fn metadata_buf(&self, index: u32) -> *mut u8;
    /// Bytes of each metadata buffer, at most 65535; 0 turns it off.
    fn metadata_buf_size(&self) -> u32;
    /// Snapshot buffer of core `index`; used by the snapshot backend only.
    fn snapshot_buf(&self, index: u32) -> *mut u8;
    /// Bytes of each snapshot buffer.
    fn snapshot_buf_size(&self) -> u32;
    /// Buffer in which core `index` builds a frame; used by the streaming and external backends only.
    fn frame_buf(&self, index: u32) -> *mut u8;
    /// What packets need; `None` for a recorder that makes frames only.
    fn packets(&self) -> Option<&PacketSetup> {
        None
    }
    /// Packets: what happens when a core has no room, as the setup has it. A port that knows it when it is compiled says it
    /// here, for less code.
    fn policy(&self, setup: &PacketSetup) -> Policy {
        setup.policy
    }
    /// Packets: whether the port takes each one that is closed, as the setup has it. As [`policy`](Self::policy).
    fn hands_out(&self, setup: &PacketSetup) -> bool {
        setup.hands_out != 0
    }
    /// Packets: state of who takes them, as the setup has it, which may have none where packets are a snapshot: then the port
    /// has it. As [`policy`](Self::policy).
    fn reader<'a>(&self, setup: &'a PacketSetup) -> &'a Reader {
        setup.reader()
    }
    /// Packets: the time now in ticks, of which the time that events are given is the lower half.
    fn timestamp(&self) -> u64 {
        0
    }
    /// Packets and streaming: numerator, in the lower half, and denominator of the timer's frequency in Hz; 0 if it is
    /// not known, or recordings are not to say it.
    fn frequency(&self) -> u64 {
        0
    }
    /// Packets: one was closed, where the port wants to hear of that. Inside the critical section.
    fn packet_closed(&self) {}
    /// What the recording is to say about the firmware.
    fn system_info(&self) -> SystemInfo<'_>;
    /// Nanoseconds per timestamp tick, rounded, at least 1. Called at the start of a recording.
    fn ts_resolution_ns(&self) -> u32;

    /// Sends `len` bytes of whole frames; `true` means that they were dropped. Inside the critical
    /// section; with several cores also inside the recorder's lock.
    fn stream(&self, data: *const u8, len: usize) -> bool;
    /// As [`stream`](Self::stream) for the external backend, one frame a call.
    fn submit(&self, data: *const u8, len: usize, is_metadata: bool) -> bool;
    /// A snapshot buffer is full and recording has stopped. Inside the critical section.
    fn snapshot_full(&self);

    /// Takes the lock between cores; nothing to do with one core. Always inside the critical section,
    /// never twice. See `SpinLock`.
    fn lock(&self);
    /// Releases the lock between cores.
    fn unlock(&self);
}
