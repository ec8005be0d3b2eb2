//! The firmware's side of the recorder: the shim's constant and the port functions that it defines.

use core::mem::size_of;

use tband_core::port::SystemInfo;
use tband_core::ring::{PacketSetup, Policy, Reader};
use tband_core::{CoreState, Port, Recorder};

use crate::packet_setup::{
    TBAND_POLICY_POST_MORTEM, TBAND_POLICY_SNAPSHOT, TBAND_POLICY_STREAM, tband_packet_setup,
};
use crate::setup::{tband_core_state, tband_setup};

unsafe extern "C" {
    /// The user's configuration; defined by the shim, whose symbol also contains this number and architecture.
    #[link_name = concat!("tband_shim_for_library_abi_3_", env!("TBAND_ARCHITECTURE"))]
    static shim_setup: tband_setup;

    /// The configuration of packets; defined by the shim. Not used if frames are recorded.
    static tband_shim_packets: tband_packet_setup;

    /// Sends `len` bytes, which are complete frames (`tband_portBACKEND_STREAM_DATA`). Returns true if they were
    /// dropped. Called inside the critical section, from any task or interrupt; with several cores also with the
    /// recorder's lock held.
    pub fn tband_lib_port_stream(data: *const u8, len: usize) -> bool;

    /// Passes one frame to the user's `tband_submit_to_backend`. Returns true if it was dropped. Context as
    /// `tband_lib_port_stream`.
    pub fn tband_lib_port_submit(data: *const u8, len: usize, is_metadata: bool) -> bool;

    /// Called when a snapshot buffer is full and recording has stopped
    /// (`tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK`). Called once, inside the critical section of the event that did
    /// not fit.
    pub fn tband_lib_port_snapshot_full();

    /// Returns the nanoseconds per timestamp tick (`tband_portTIMESTAMP_RESOLUTION_NS`), below 2^32. Called at the
    /// start of a recording, inside the critical section.
    pub fn tband_lib_port_ts_resolution_ns() -> u32;

    /// Returns the time now in ticks (`tband_portTIMESTAMP`). Packets only; inside the critical section.
    pub fn tband_lib_port_packet_timestamp() -> u64;

    /// Returns the numerator, in the lower half, and denominator of the timer's frequency in Hz; 0 if it is unknown, or
    /// must not be recorded. Packets, and the streaming backend.
    pub fn tband_lib_port_frequency() -> u64;

    /// Called when a packet was closed, inside the critical section, if `tband_packet_setup.hands_out` is 1.
    pub fn tband_lib_port_packet_closed();

    /// Takes the lock between cores: no effect with one core, otherwise `tband_lib_spin_lock` or `tband_portSPIN_LOCK`.
    /// Inside the critical section.
    pub fn tband_lib_port_lock();

    /// Releases the lock between cores.
    pub fn tband_lib_port_unlock();
}

#[cfg(target_has_atomic = "8")]
static LOCK: tband_core::lock::SpinLock = tband_core::lock::SpinLock::new();

/// Waits for a lock between cores and takes it. For `tband_lib_port_lock`; missing on chips without compare-and-swap.
#[cfg(target_has_atomic = "8")]
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_spin_lock() {
    LOCK.lock();
}

/// Releases what `tband_lib_spin_lock` took.
///
/// # Safety
/// The caller holds the lock.
#[cfg(target_has_atomic = "8")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_spin_unlock() {
    // SAFETY: the recorder releases only what it took.
    unsafe { LOCK.unlock() }
}

/// State of the consumer. It is here and not in the shim, so that firmware contains it only if it uses a function that
/// takes packets, or if the shim refers to it for debuggers, which it does not with snapshots.
#[unsafe(no_mangle)]
pub static tband_reader: Reader = Reader::new();

/// The firmware that this library is linked into. `KNOWN`: it records packets on one core, with this `TBAND_POLICY_*`;
/// or [`UNKNOWN`].
pub struct CPort<const KNOWN: u32 = UNKNOWN>;

/// The [`CPort`] that reads everything from the shim's constants.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// State of the recorder. C reads its first byte, `recording`, to skip everything else while
/// recording is off.
#[unsafe(no_mangle)]
pub static tband_recorder: Recorder<CPort> = Recorder::new(CPort);

/// Returns the recorder for a firmware with known properties.
#[inline(always)]
pub fn recorder_of<const KNOWN: u32>() -> &'static Recorder<CPort<KNOWN>> {
    const { assert!(size_of::<Recorder<CPort<KNOWN>>>() == size_of::<Recorder<CPort>>()) };
    // SAFETY: the layout is C's, and the ports have size 0.
    unsafe { &*(&raw const tband_recorder).cast() }
}

impl<const KNOWN: u32> CPort<KNOWN> {
    #[inline(always)]
    fn setup(&self) -> &'static tband_setup {
        // SAFETY: the shim defines the constant; it is never written.
        unsafe { &shim_setup }
    }
}

/// Returns the state that a pointer from the shim points to.
///
/// # Safety
/// `core` points into `tband_setup::cores`.
#[inline(always)]
pub unsafe fn core_state<'a>(core: *mut tband_core_state) -> &'a CoreState {
    // SAFETY: same size and alignment as the storage, all bit patterns valid, shared by atomics only.
    unsafe { &*core.cast() }
}

/// Returns the setup of packets that a pointer from the shim points to.
///
/// # Safety
/// `setup` is the shim's constant.
#[inline(always)]
pub unsafe fn packet_setup<'a>(setup: *const tband_packet_setup) -> &'a PacketSetup {
    // SAFETY: the same layout; it is never written.
    unsafe { &*setup.cast() }
}

// SAFETY: the shim allocates every buffer statically with the sizes that it writes into the setup, and sizes the frame buffers
// with TBAND_FRAME_BUF_SIZE, which a test compares with `frame_buf_size`.
unsafe impl<const KNOWN: u32> Port for CPort<KNOWN> {
    const IS_ONE_CORE: bool = KNOWN != UNKNOWN;

    #[inline(always)]
    fn core_count(&self) -> u32 {
        if Self::IS_ONE_CORE { 1 } else { self.setup().core_count }
    }

    #[inline(always)]
    fn core(&self, index: u32) -> &CoreState {
        // SAFETY: callers keep `index` below `core_count`, which is the length of the array.
        unsafe { core_state(self.setup().cores.add(index as usize)) }
    }

    #[inline(always)]
    fn max_str_len(&self) -> u32 {
        self.setup().max_str_len
    }

    #[inline(always)]
    fn max_frame_len(&self) -> u32 {
        self.setup().frame_buf_size
    }

    #[inline(always)]
    fn drop_cnt_every(&self) -> u32 {
        self.setup().drop_cnt_every
    }

    fn metadata_buf(&self, index: u32) -> *mut u8 {
        nth(self.setup().metadata_bufs, self.setup().metadata_buf_size, index)
    }

    fn metadata_buf_size(&self) -> u32 {
        self.setup().metadata_buf_size
    }

    fn snapshot_buf(&self, index: u32) -> *mut u8 {
        nth(self.setup().event_bufs, self.setup().snapshot_buf_size, index)
    }

    fn snapshot_buf_size(&self) -> u32 {
        self.setup().snapshot_buf_size
    }

    fn frame_buf(&self, index: u32) -> *mut u8 {
        nth(self.setup().event_bufs, self.setup().frame_buf_size, index)
    }

    #[inline(always)]
    fn packets(&self) -> Option<&PacketSetup> {
        // SAFETY: the shim defines the constant.
        Some(unsafe { packet_setup(&raw const tband_shim_packets) })
    }

    #[inline(always)]
    fn policy(&self, setup: &PacketSetup) -> Policy {
        match KNOWN {
            TBAND_POLICY_STREAM => Policy::Stream,
            TBAND_POLICY_SNAPSHOT => Policy::Snapshot,
            TBAND_POLICY_POST_MORTEM => Policy::PostMortem,
            _ => setup.policy,
        }
    }

    /// Only one core's stream: the shim rejects other configurations.
    #[inline(always)]
    fn is_external(&self, setup: &PacketSetup) -> bool {
        KNOWN == TBAND_POLICY_STREAM && setup.hands_out != 0
    }

    /// If the policy is known not to be a snapshot, the setup has the pointer.
    #[inline(always)]
    fn reader<'a>(&self, setup: &'a PacketSetup) -> &'a Reader {
        match KNOWN {
            TBAND_POLICY_STREAM | TBAND_POLICY_POST_MORTEM => setup.reader(),
            _ => &tband_reader,
        }
    }

    fn timestamp(&self) -> u64 {
        // SAFETY: defined by the shim; returns a number.
        unsafe { tband_lib_port_packet_timestamp() }
    }

    fn frequency(&self) -> u64 {
        // SAFETY: as `timestamp`.
        unsafe { tband_lib_port_frequency() }
    }

    fn packet_closed(&self) {
        // SAFETY: defined by the shim.
        unsafe { tband_lib_port_packet_closed() }
    }

    fn system_info(&self) -> SystemInfo<'_> {
        let setup = self.setup();
        let count = setup.trace_info_count as usize;
        SystemInfo {
            // SAFETY: `count` is at most the length of the array: the shim sets 5, 3 or 0.
            trace_info: unsafe { setup.trace_info.get_unchecked(..count) },
            build_id: setup.build_id.cast(),
            program: setup.program.cast(),
        }
    }

    fn ts_resolution_ns(&self) -> u32 {
        // SAFETY: defined by the shim; returns a number.
        unsafe { tband_lib_port_ts_resolution_ns() }
    }

    fn stream(&self, data: *const u8, len: usize) -> bool {
        // SAFETY: defined by the shim; takes any readable bytes.
        unsafe { tband_lib_port_stream(data, len) }
    }

    fn submit(&self, data: *const u8, len: usize, is_metadata: bool) -> bool {
        // SAFETY: as `stream`.
        unsafe { tband_lib_port_submit(data, len, is_metadata) }
    }

    fn snapshot_full(&self) {
        // SAFETY: defined by the shim.
        unsafe { tband_lib_port_snapshot_full() }
    }

    fn lock(&self) {
        if Self::IS_ONE_CORE {
            return;
        }
        // SAFETY: defined by the shim.
        unsafe { tband_lib_port_lock() }
    }

    fn unlock(&self) {
        if Self::IS_ONE_CORE {
            return;
        }
        // SAFETY: defined by the shim.
        unsafe { tband_lib_port_unlock() }
    }
}

/// Returns the start of buffer `index` in an array of buffers of `size` bytes.
fn nth(buffers: *mut u8, size: u32, index: u32) -> *mut u8 {
    buffers.wrapping_add((size as usize).wrapping_mul(index as usize))
}
