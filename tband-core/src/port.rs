//! The recorder's interface to the firmware.

use tband_format::declaration::{DECLARATIONS, Declaration};

use crate::ring::{PacketSetup, Policy, Reader};
use crate::state::CoreState;

/// Facts about the firmware for the `trace_info` and `build_id` events.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo<'a> {
    /// Fields of `trace_info`; the optional ones may be omitted. If empty, a recording does not describe itself, and starts as one
    /// of Tonbandgerät does.
    pub trace_info: &'a [u32],
    /// NUL-terminated name of the build for `build_id`, or null.
    pub build_id: *const u8,
    /// NUL-terminated identity of the program for a second `build_id`, or null. If empty, it is not sent.
    pub program: *const u8,
}

/// Configuration, memory and transport that the firmware provides to the recorder.
///
/// The getters are called on the hot path and should be constants or single loads.
///
/// # Safety
/// An implementation must guarantee that
/// - `core_count` is at least 1 and at most 255, never changes, and is 1 if `IS_ONE_CORE` is true; `core(i)` is element `i` of one
///   array, the same every time;
/// - `packets` returns the same setup, or `None`, every time;
/// - each buffer returned for a core is valid for writes of the size that goes with it, for the whole
///   program, and used by nothing else;
/// - `frame_buf` has room for the longest frame, [`frame_buf_size`](crate::emit::frame_buf_size) bytes, if the
///   streaming or external backend is used.
pub unsafe trait Port {
    /// True if the number of cores is known to be 1 at compile time: `core_count` is 1, and no memory ordering between cores is
    /// needed.
    const IS_ONE_CORE: bool = false;
    /// Descriptions of the events outside of the base, which each recording begins with. Firmware uses those of the registry; a
    /// test may use others, so that it does not depend on the existing events.
    const DECLARATIONS: &'static [Declaration] = &DECLARATIONS;

    /// Returns the number of cores that record, at least 1.
    fn core_count(&self) -> u32;
    /// Returns the state of core `index`, which is below `core_count`.
    fn core(&self, index: u32) -> &CoreState;
    /// Returns the maximum number of bytes that are recorded of a string.
    fn max_str_len(&self) -> u32;
    /// Returns the size of the longest frame in bytes: [`frame_buf_size`](crate::emit::frame_buf_size) of `max_str_len`.
    fn max_frame_len(&self) -> u32;
    /// Returns the number of events of a core after which a `dropped_evt_cnt` is sent; 0: only when events were dropped.
    fn drop_cnt_every(&self) -> u32;
    /// Returns the metadata buffer of core `index`; unused if its size is 0.
    fn metadata_buf(&self, index: u32) -> *mut u8;
    /// Returns the size of each metadata buffer in bytes, at most 65535; 0 turns it off.
    fn metadata_buf_size(&self) -> u32;
    /// Returns the snapshot buffer of core `index`; used by the snapshot backend only.
    fn snapshot_buf(&self, index: u32) -> *mut u8;
    /// Returns the size of each snapshot buffer in bytes.
    fn snapshot_buf_size(&self) -> u32;
    /// Returns the buffer in which core `index` builds a frame; used by the streaming and external backends only.
    fn frame_buf(&self, index: u32) -> *mut u8;
    /// Returns the setup of packets; `None` for a recorder that only makes frames.
    fn packets(&self) -> Option<&PacketSetup> {
        None
    }
    /// Packets: returns the policy for a core without a free packet, as in the setup. A port that knows it at compile time returns
    /// a constant here, for smaller code.
    fn policy(&self, setup: &PacketSetup) -> Policy {
        setup.policy
    }
    /// Packets: returns whether the port takes each closed packet, as in the setup. See [`policy`](Self::policy).
    fn is_external(&self, setup: &PacketSetup) -> bool {
        setup.hands_out != 0
    }
    /// Packets: returns the state of the consumer, as in the setup. The setup may lack it if packets are a snapshot: then the port
    /// has it. See [`policy`](Self::policy).
    fn reader<'a>(&self, setup: &'a PacketSetup) -> &'a Reader {
        setup.reader()
    }
    /// Packets: returns the time now in ticks. The time of events is its lower half.
    fn timestamp(&self) -> u64 {
        0
    }
    /// Packets and streaming: returns the numerator, in the lower half, and denominator of the timer's frequency in Hz; 0 if it is
    /// unknown, or must not be recorded.
    fn frequency(&self) -> u64 {
        0
    }
    /// Packets: called when a packet was closed, if the port requests it. Inside the critical section.
    fn packet_closed(&self) {}
    /// Returns the description of the firmware for the recording.
    fn system_info(&self) -> SystemInfo<'_>;
    /// Nanoseconds per timestamp tick, rounded, at least 1. Called at the start of a recording.
    fn ts_resolution_ns(&self) -> u32;

    /// Sends `len` bytes, which are complete frames; returns `true` if they were dropped. Inside the critical section; with
    /// several cores also inside the recorder's lock.
    fn stream(&self, data: *const u8, len: usize) -> bool;
    /// Like [`stream`](Self::stream) for the external backend, one frame per call.
    fn submit(&self, data: *const u8, len: usize, is_metadata: bool) -> bool;
    /// Called when a snapshot buffer is full and recording has stopped. Inside the critical section.
    fn snapshot_full(&self);

    /// Takes the lock between cores; no effect with one core. Always inside the critical section, never nested. See `SpinLock`.
    fn lock(&self);
    /// Releases the lock between cores.
    fn unlock(&self);
}
