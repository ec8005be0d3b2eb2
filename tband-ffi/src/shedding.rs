//! Shedding: classes of events that are not recorded when packets run out. The memory belongs to the shim, which has none if
//! shedding is not compiled in.

use core::mem::{align_of, offset_of, size_of};

use tband_core::shedding::{Shed, ShedOrder, Shedding};

use crate::filter::write_fields;
use crate::packet_setup::{tband_shed_order, tband_shed_state, tband_shedding};

const _: () = {
    assert!(size_of::<tband_shed_state>() == size_of::<Shed>());
    assert!(align_of::<tband_shed_state>() >= align_of::<Shed>());
    assert!(size_of::<tband_shedding>() == size_of::<Shedding>());
    assert!(offset_of!(tband_shedding, order) == offset_of!(Shedding, order));
    assert!(offset_of!(tband_shed_order, last) == offset_of!(ShedOrder, last));
};

/// Returns the shim's constant.
///
/// # Safety
/// `of` points to it.
#[inline(always)]
pub unsafe fn shedding<'a>(of: *const tband_shedding) -> &'a Shedding {
    // SAFETY: the same layout, see above; the targets of its pointers have the expected sizes, and are atomic.
    unsafe { &*of.cast() }
}

/// Returns true if the event of this id and this first number, at this time, is not recorded on the core. If only
/// shedding is the reason, the event is counted. Inside the critical section of the core, like all functions here.
///
/// # Safety
/// `of` is the shim's, and has core `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_leaves_out(
    of: *const tband_shedding,
    index: u32,
    id: u32,
    number: u32,
    now: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.is_left_out(index, id as u8, number, now)
}

/// Returns true if the core sheds events of this id.
///
/// # Safety
/// See `tband_lib_shedding_leaves_out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_sheds(
    of: *const tband_shedding,
    index: u32,
    id: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.is_shedding_event(index, id as u8)
}

/// Like `tband_lib_filter_state_fact`, for the filter and the shed events of the core; at least one fact exists.
///
/// # Safety
/// See `tband_lib_shedding_leaves_out`; `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_fact(
    of: *const tband_shedding,
    index: u32,
    at: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(of).fact(index, at), fields) }
}

/// Writes the fields of the event that records how many events of a class were shed, for a class whose count is not
/// recorded yet. Returns false if there is none.
///
/// # Safety
/// See `tband_lib_shedding_leaves_out`; `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_next_count(
    of: *const tband_shedding,
    index: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(of).unrecorded(index), fields) }
}

/// Marks the count that `tband_lib_shedding_next_count` has returned as recorded.
///
/// # Safety
/// See `tband_lib_shedding_leaves_out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_mark_recorded(of: *const tband_shedding, index: u32) {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.mark_recorded(index);
}

/// Resets shedding and its counts on the only core, at the start of a recording.
///
/// # Safety
/// `of` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_shedding_begin(of: *const tband_shedding) {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.begin(0);
}
