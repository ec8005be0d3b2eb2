//! The getters of `include/tband_api.h` under their names there, where they are inline functions: for debugger
//! scripts, and for languages that do not read C headers. The linker discards those that are not referenced.
//!
//! They jump to the functions that the inline ones call. If two functions had the same body, the compiler could
//! merge them and make one jump to the other, possibly in the wrong direction.

use core::ffi::c_uint;
use core::ptr;

use tband_core::Port as _;

use crate::control::{
    tband_lib_core_metadata, tband_lib_core_metadata_amount, tband_lib_core_metadata_dropped,
    tband_lib_recorder_dropped,
};
use crate::port::tband_recorder;
use crate::snapshot::{tband_lib_core_snapshot, tband_lib_core_snapshot_amount};

/// Like `tband_lib_core_metadata`.
#[unsafe(export_name = "tband_get_metadata_buf")]
pub extern "C" fn metadata_buf(core_id: c_uint) -> *const u8 {
    tband_lib_core_metadata(core_id)
}

/// Like `tband_lib_core_metadata_amount`.
#[unsafe(export_name = "tband_get_metadata_buf_amnt")]
pub extern "C" fn metadata_buf_amnt(core_id: c_uint) -> usize {
    tband_lib_core_metadata_amount(core_id)
}

/// Like `tband_lib_core_metadata_dropped`.
#[unsafe(export_name = "tband_get_metadata_dropped_cnt")]
pub extern "C" fn metadata_dropped_cnt(core_id: c_uint) -> u32 {
    tband_lib_core_metadata_dropped(core_id)
}

/// Like `tband_lib_recorder_dropped`.
#[unsafe(export_name = "tband_get_dropped_evt_cnt")]
pub extern "C" fn dropped_evt_cnt() -> u32 {
    tband_lib_recorder_dropped()
}

/// Like `tband_lib_core_snapshot`; NULL in other backends.
#[unsafe(export_name = "tband_get_core_snapshot_buf")]
pub extern "C" fn core_snapshot_buf(core_id: c_uint) -> *const u8 {
    if has_snapshots() { tband_lib_core_snapshot(core_id) } else { ptr::null() }
}

/// Like `tband_lib_core_snapshot_amount`; 0 in other backends.
#[unsafe(export_name = "tband_get_core_snapshot_buf_amnt")]
pub extern "C" fn core_snapshot_buf_amnt(core_id: c_uint) -> usize {
    if has_snapshots() { tband_lib_core_snapshot_amount(core_id) } else { 0 }
}

fn has_snapshots() -> bool {
    tband_recorder.port().snapshot_buf_size() != 0
}
