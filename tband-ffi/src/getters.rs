//! The getters of `include/tband_api.h` under the names that they have there, where they are inline: for debugger
//! scripts, and for languages that do not read C's headers. The linker leaves out what nobody refers to.
//!
//! They jump to the functions that the inline ones call: two functions of one body may be made one that jumps to the
//! other, and then it could be that one.

use core::ffi::c_uint;
use core::ptr;

use tband_core::Port as _;

use crate::control::{
    tband_core_metadata, tband_core_metadata_amount, tband_core_metadata_dropped,
    tband_recorder_dropped,
};
use crate::port::tband_recorder;
use crate::snapshot::{tband_core_snapshot, tband_core_snapshot_amount};

/// As `tband_core_metadata`.
#[unsafe(export_name = "tband_get_metadata_buf")]
pub extern "C" fn metadata_buf(core_id: c_uint) -> *const u8 {
    tband_core_metadata(core_id)
}

/// As `tband_core_metadata_amount`.
#[unsafe(export_name = "tband_get_metadata_buf_amnt")]
pub extern "C" fn metadata_buf_amnt(core_id: c_uint) -> usize {
    tband_core_metadata_amount(core_id)
}

/// As `tband_core_metadata_dropped`.
#[unsafe(export_name = "tband_get_metadata_dropped_cnt")]
pub extern "C" fn metadata_dropped_cnt(core_id: c_uint) -> u32 {
    tband_core_metadata_dropped(core_id)
}

/// As `tband_recorder_dropped`.
#[unsafe(export_name = "tband_get_dropped_evt_cnt")]
pub extern "C" fn dropped_evt_cnt() -> u32 {
    tband_recorder_dropped()
}

/// As `tband_core_snapshot`; NULL in other backends.
#[unsafe(export_name = "tband_get_core_snapshot_buf")]
pub extern "C" fn core_snapshot_buf(core_id: c_uint) -> *const u8 {
    if has_snapshots() { tband_core_snapshot(core_id) } else { ptr::null() }
}

/// As `tband_core_snapshot_amount`; 0 in other backends.
#[unsafe(export_name = "tband_get_core_snapshot_buf_amnt")]
pub extern "C" fn core_snapshot_buf_amnt(core_id: c_uint) -> usize {
    if has_snapshots() { tband_core_snapshot_amount(core_id) } else { 0 }
}

fn has_snapshots() -> bool {
    tband_recorder.port().snapshot_buf_size() != 0
}
