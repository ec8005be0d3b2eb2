//! The constant that passes a configuration to the library, and other memory of the shim.

use core::ffi::c_char;
use core::mem::{align_of, size_of};

/// Memory for the recorder's state of one core. All zero before the first use.
#[repr(C)]
pub struct tband_core_state {
    private_pointers: [*mut u8; 2],
    private_words: [u32; 6],
}

const _: () = assert!(
    size_of::<tband_core_state>() == size_of::<tband_core::CoreState>()
        && align_of::<tband_core_state>() >= align_of::<tband_core::CoreState>()
);

/// A metadata event (`TBAND_EVT_META_*`).
#[repr(C)]
pub struct tband_metadata {
    /// NUL-terminated string, at most `tband_configMAX_STR_LEN` bytes of which are read; NULL for none, or for an empty
    /// one.
    pub text: *const c_char,
    /// Numbers; the array has three elements.
    pub numbers: *mut u32,
    /// Id of the event; from bit 8 the count of its numbers, 1 to 3; flags `TBAND_META_*`; from bit 16 the maximum
    /// length in bytes of the string.
    pub head: u32,
    /// Position of the search in a metadata buffer for the entry that the event replaces.
    pub at: *mut u8,
    /// Belongs to `at`; `TBAND_META_START` for a buffer that must be searched.
    pub changes: u32,
}

/// The user's configuration for the library, a constant whose name consists of `tband_shim_for_library_abi_`, a number
/// and the CPU's architecture. The number rises whenever this struct or a function of the library changes, so that a
/// shim and a library that do not match do not link.
#[repr(C)]
pub struct tband_setup {
    /// State of each core: `core_count` elements.
    pub cores: *mut tband_core_state,
    /// Number of cores, 1 to 255 (`tband_portNUMBER_OF_CORES`).
    pub core_count: u32,
    /// Longest recorded string in bytes (`tband_configMAX_STR_LEN`).
    pub max_str_len: u32,
    /// Events between drop counter events; 0 turns them off (`tband_configTRACE_DROP_CNT_EVERY`).
    pub drop_cnt_every: u32,
    /// Bytes of each metadata buffer, at most 65535; 0 turns it off (`tband_configMETADATA_BUF_SIZE`).
    pub metadata_buf_size: u32,
    /// Metadata buffers: `core_count` times `metadata_buf_size` bytes.
    pub metadata_bufs: *mut u8,
    /// Snapshot buffers: `core_count` times `snapshot_buf_size` bytes. In other backends the buffers in which frames
    /// are built: `core_count` times `frame_buf_size` bytes.
    pub event_bufs: *mut u8,
    /// Bytes of each snapshot buffer (`tband_configBACKEND_SNAPSHOT_BUF_SIZE`); 0 in other backends.
    pub snapshot_buf_size: u32,
    /// Bytes of the longest frame and of each frame buffer, `TBAND_FRAME_BUF_SIZE(max_str_len)`.
    pub frame_buf_size: u32,
    /// NUL-terminated name of the firmware build (`tband_configBUILD_ID`), or null.
    pub build_id: *const c_char,
    /// Fields of the `trace_info` event: `TBAND_FORMAT_VERSION`, number of cores, flags (bit 0: kernel
    /// events of FreeRTOS are recorded), kernel version as major * 10000 + minor * 100 + patch, kernel
    /// ticks per second.
    pub trace_info: [u32; 5],
    /// Number of fields that are sent: 5, 3 without a kernel, 0 for none (`tband_configTRACE_INFO_ENABLE`).
    pub trace_info_count: u32,
    /// For debuggers: the timer's frequency in Hz and its divisor, or null if recordings do not begin with it. Both are
    /// 0 until the first start if the frequency is only known at run time.
    pub frequency: *const u32,
    /// NUL-terminated identity of the program, 12 characters that the link of the firmware defines
    /// (`cmake/TbandIdentity.cmake`); empty or null otherwise.
    pub program: *const c_char,
}

// SAFETY: the constant is never written, and the targets of its pointers are only used as documented in `Port`.
unsafe impl Sync for tband_setup {}
