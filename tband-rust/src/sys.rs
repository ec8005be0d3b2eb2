//! The C functions after this crate: of the shim, the library and the FreeRTOS hooks.
//!
//! Called by the other modules. The prototypes are in `include/`; a test compares their types with those here.
//! Functions are `safe` if any argument is allowed. Functions that a program does not use need not exist:
//! everything that calls them is inlined into the program.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::AtomicU8;

/// First byte of the recorder's state.
#[repr(C)]
pub struct tband_recorder_head {
    /// 1 while recording.
    pub recording: AtomicU8,
}

/// An argument of a record: a number, or where its bytes are.
#[repr(C)]
#[derive(Clone, Copy)]
pub union tband_value {
    pub bits: u64,
    pub at: *const c_void,
}

/// An element of a record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tband_element {
    pub bits: u64,
    pub at: *const c_void,
    pub len: usize,
    pub letter: u32,
}

unsafe extern "C" {
    pub safe static tband_recorder: tband_recorder_head;

    // port/tband_shim.c
    /// Returns whether the caller may read the recorder's memory. Called before every read of it.
    pub safe fn tband_may_read() -> bool;
    /// Returns whether events of the caller are recorded now. Counts a refused call.
    pub safe fn tband_takes_events() -> bool;
    /// Returns whether the backend needs no start.
    pub safe fn tband_is_always_on() -> bool;
    pub safe fn tband_record_u32(id: u32, first: u32);
    pub safe fn tband_record_u32_s64(id: u32, first: u32, value: i64);
    /// `text` is null or readable to its NUL.
    pub fn tband_record_u32_str(id: u32, first: u32, text: *const c_char);
    /// `text` is null or readable to its NUL.
    pub fn tband_record_metadata(head: u32, first: u32, second: u32, text: *const c_char);
    pub safe fn tband_record_words(format: u32, count: u32, first: u32, second: u32);
    /// `values` has a value for each kind; texts are readable to their NUL, and memory has the stated length.
    pub fn tband_record_values(format: u32, kinds: u32, values: *const tband_value);
    /// `list` has `count` elements, whose texts and memory have the stated lengths.
    pub fn tband_record_element_list(type_: u32, list: *const tband_element, count: usize);
    /// The name is readable to its NUL.
    pub fn tband_name_symbol(at: *const c_void, name: *const c_char);
    /// The name is readable to its NUL.
    pub fn tband_name_constant(constant: u32, name: *const c_char);
    /// The format is readable to its NUL.
    #[cfg(any(feature = "record-dictionary", target_pointer_width = "64"))]
    pub fn tband_record_format(format: *const c_char);
    /// The name is readable to its NUL, or is NULL.
    pub fn tband_scheduler_task_create(task: u32, name: *const c_char, priority: u32);
    pub safe fn tband_scheduler_task_is_idle(task: u32, core: u32);
    pub safe fn tband_record_running(task: u32);
    pub safe fn tband_scheduler_block();
    pub safe fn tband_scheduler_block_on(object: u32);
    pub safe fn tband_scheduler_block_on_put(object: u32);
    pub safe fn tband_scheduler_task_set_priority(task: u32, priority: u32);
    /// The name is readable to its NUL.
    pub fn tband_scheduler_task_name(task: u32, name: *const c_char);
    pub safe fn tband_scheduler_task_end(task: u32);
    /// The name is readable to its NUL.
    pub fn tband_scheduler_object_create(object: u32, kind: u32, name: *const c_char, level: u32);
    pub safe fn tband_scheduler_object_put(object: u32, level: u32);
    pub safe fn tband_scheduler_object_take(object: u32, level: u32);
    #[cfg(feature = "embassy")]
    pub safe fn tband_scheduler_core() -> u32;
    pub safe fn tband_gather_system_metadata();
    pub safe fn tband_keep_time();
    pub safe fn tband_timestamp_frequency_changed();
    pub safe fn tband_start_streaming() -> c_int;
    pub safe fn tband_restart_streaming() -> c_int;
    pub safe fn tband_stop_streaming() -> c_int;
    pub safe fn tband_trigger_snapshot() -> c_int;
    pub safe fn tband_stop_snapshot() -> c_int;
    pub safe fn tband_reset_snapshot() -> c_int;

    // port/recorder/tband_packets.h and port/recorder/tband_post_mortem.h, with packets
    /// There is room for `len` bytes.
    pub fn tband_stream_read(buf: *mut u8, len: usize) -> usize;
    /// `len` is written.
    pub fn tband_packet_take(len: *mut usize) -> *const u8;
    pub safe fn tband_packet_done();
    /// Makes the caller the one reader of packets, unless there is one already.
    pub safe fn tband_packet_reader_take() -> bool;
    pub safe fn tband_packet_reader_give_back();
    pub safe fn tband_flush();
    // port/tband_filter_choose.h, with filters
    pub safe fn tband_filter_choose(what: u32, of: u32, on: bool, by: u32) -> c_int;
    /// The name is readable to its NUL.
    pub fn tband_filter_choose_by_name(kind: u32, name: *const c_char, on: bool, by: u32) -> c_int;
    // port/triggers/tband_trigger_arm.h, with triggers
    pub safe fn tband_trigger_arm(
        condition: u32,
        of: u32,
        value: i64,
        nth: u32,
        after: u32,
    ) -> c_int;
    pub safe fn tband_trigger_rearm(number: c_int) -> c_int;
    pub safe fn tband_trigger_disarm(number: c_int) -> c_int;
    pub safe fn tband_trigger_is_armed(number: c_int) -> bool;
    pub safe fn tband_trigger_count() -> u32;
    // port/tband_commands.c, compiled by programs that execute commands from the host
    /// `bytes` is readable for `len` bytes.
    pub fn tband_received(bytes: *const u8, len: usize) -> bool;
    pub safe fn tband_obey() -> bool;
    // port/recorder/tband_packets.h and port/recorder/tband_post_mortem.h
    pub safe fn tband_request_metadata();
    pub safe fn tband_start_post_mortem() -> c_int;
    pub safe fn tband_freeze() -> c_int;
    pub safe fn tband_freeze_after(packets: c_uint) -> c_int;
    pub safe fn tband_post_mortem_available() -> bool;
    pub safe fn tband_clear_post_mortem() -> c_int;

    // port/tband_fault_cortex_m.c or port/tband_fault_riscv.c, which a program compiles that records its crashes
    /// `text` is null or readable to its NUL.
    pub fn tband_fault_here(text: *const c_char, line: u32, kind: u32);

    // The library
    pub safe fn tband_lib_recorder_finished() -> bool;
    pub safe fn tband_lib_core_finished(core_id: c_uint) -> bool;
    pub safe fn tband_lib_recorder_dropped() -> u32;
    pub safe fn tband_lib_core_metadata(core_id: c_uint) -> *const u8;
    pub safe fn tband_lib_core_metadata_amount(core_id: c_uint) -> usize;
    pub safe fn tband_lib_core_metadata_dropped(core_id: c_uint) -> u32;
    pub safe fn tband_lib_core_snapshot(core_id: c_uint) -> *const u8;
    pub safe fn tband_lib_core_snapshot_amount(core_id: c_uint) -> usize;

    // freertos-hooks/tband_freertos.c
    pub safe fn tband_freertos_current_task_number() -> u32;
    /// `handle` is null or a queue, semaphore or mutex that exists.
    pub fn tband_freertos_queue_number(handle: *mut c_void) -> u32;
    /// `handle` is null or a stream or message buffer that exists.
    pub fn tband_freertos_stream_buffer_number(handle: *mut c_void) -> u32;
    /// `handle` is null or an event group that exists.
    pub fn tband_freertos_event_group_number(handle: *mut c_void) -> u32;
    /// `handle` is null or a software timer that exists.
    pub fn tband_freertos_timer_number(handle: *mut c_void) -> u32;
}
