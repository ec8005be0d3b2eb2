//! Shedding: classes of events that are not recorded when packets run out. The memory is the shim's, which has none where
//! shedding is not compiled in.

use core::mem::{align_of, offset_of, size_of};

use tband_core::{Shed, ShedOrder, Shedding};

use crate::filter::write_fields;
use crate::packet_setup::{tband_shed_order, tband_shed_state, tband_shedding};

const _: () = {
    assert!(size_of::<tband_shed_state>() == size_of::<Shed>());
    assert!(align_of::<tband_shed_state>() >= align_of::<Shed>());
    assert!(size_of::<tband_shedding>() == size_of::<Shedding>());
    assert!(offset_of!(tband_shedding, order) == offset_of!(Shedding, order));
    assert!(offset_of!(tband_shed_order, last) == offset_of!(ShedOrder, last));
};

/// The shim's constant.
///
/// # Safety
/// `of` points to it.
#[inline(always)]
pub unsafe fn shedding<'a>(of: *const tband_shedding) -> &'a Shedding {
    // SAFETY: the same layout, see above; what its pointers lead to has the size of what is wanted, and is atomic.
    unsafe { &*of.cast() }
}

/// The event of this id at this time, whose first number is this one, is not recorded on the core. If that is since it is shed alone, it
/// is counted. Inside the critical section of the core, as all of these.
///
/// # Safety
/// `of` is the shim's, and has core `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_leaves_out(
    of: *const tband_shedding,
    index: u32,
    id: u32,
    number: u32,
    now: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.leaves_out(index, id as u8, number, now)
}

/// The core sheds events of this id.
///
/// # Safety
/// As `tband_shedding_leaves_out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_sheds(
    of: *const tband_shedding,
    index: u32,
    id: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.sheds(index, id as u8)
}

/// As `tband_filter_state_fact`, of both, on the core; there always is one.
///
/// # Safety
/// As `tband_shedding_leaves_out`; `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_fact(
    of: *const tband_shedding,
    index: u32,
    at: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(of).fact(index, at), fields) }
}

/// Fields of the event that says how many events of a class were shed, of one for which that is not said. Returns false if
/// there is none.
///
/// # Safety
/// As `tband_shedding_leaves_out`; `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_unsaid(
    of: *const tband_shedding,
    index: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(of).unsaid(index), fields) }
}

/// What `tband_shedding_unsaid` has given is said.
///
/// # Safety
/// As `tband_shedding_leaves_out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_said(of: *const tband_shedding, index: u32) {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.said(index);
}

/// Nothing is shed on the only core, and nothing was: a recording starts.
///
/// # Safety
/// `of` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_begin(of: *const tband_shedding) {
    // SAFETY: the caller's promise.
    unsafe { shedding(of) }.begin(0);
}
