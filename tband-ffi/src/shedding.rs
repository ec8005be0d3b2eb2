//! Shedding: classes of events that are not recorded when packets run out. The memory is the shim's, which has none where
//! shedding is not compiled in.

use core::mem::{align_of, offset_of, size_of};

use tband_core::{ShedOrder, Shedding};

use crate::filter::{tband_filter_state, write_fields};
use crate::packet_setup::tband_shed_order;

/// What hooks look at, and what is shed. All zero: everything is recorded.
#[repr(C)]
pub struct tband_shedding_state {
    /// The filter, whose bytes and words have what is shed too.
    pub filter: tband_filter_state,
    /// Steps of the order that are taken; 0: nothing is shed.
    pub level: u32,
    private_words: [u32; 25],
}

const _: () = {
    assert!(size_of::<tband_shedding_state>() == size_of::<Shedding>());
    assert!(align_of::<tband_shedding_state>() >= align_of::<Shedding>());
    assert!(offset_of!(tband_shedding_state, level) == size_of::<tband_filter_state>());
    assert!(size_of::<tband_shed_order>() == size_of::<ShedOrder>());
    assert!(offset_of!(tband_shed_order, last) == offset_of!(ShedOrder, last));
};

/// What the shim has.
///
/// # Safety
/// `state` points to it.
unsafe fn shedding<'a>(state: *const tband_shedding_state) -> &'a Shedding {
    // SAFETY: the same size and alignment, see above; everything in it is atomic.
    unsafe { &*state.cast() }
}

/// The shim's constant.
///
/// # Safety
/// `order` points to it.
unsafe fn order_of<'a>(order: *const tband_shed_order) -> &'a ShedOrder {
    // SAFETY: the same layout, see above.
    unsafe { &*order.cast() }
}

/// So many packets wait: takes steps of the order, or takes them back, and hooks follow. Returns whether anything has changed.
/// Inside the critical section, as all of these.
///
/// # Safety
/// `state` and `order` are the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_turn(
    state: *mut tband_shedding_state,
    order: *const tband_shed_order,
    waiting: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(state).turn(order_of(order), waiting) }
}

/// With so many packets that wait `tband_shedding_state_turn` would take a step back.
///
/// # Safety
/// `state` and `order` are the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_may_turn_back(
    state: *const tband_shedding_state,
    order: *const tband_shed_order,
    waiting: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(state).may_turn_back(order_of(order), waiting) }
}

/// The event of this id, whose first number is this one, is not recorded. If that is since it is shed alone, it is counted.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_leaves_out(
    state: *mut tband_shedding_state,
    id: u32,
    number: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { shedding(state) }.leaves_out(id as u8, number)
}

/// As `tband_filter_state_apply`, of both.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_apply(state: *mut tband_shedding_state) {
    // SAFETY: the caller's promise.
    unsafe { shedding(state) }.apply();
}

/// As `tband_filter_state_fact`, of both; there always is one.
///
/// # Safety
/// `state` is the shim's, and `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_fact(
    state: *const tband_shedding_state,
    at: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(state).fact(at), fields) }
}

/// Fields of the event that says how many events of a class were shed, of one for which that is not said. Returns false if
/// there is none.
///
/// # Safety
/// `state` is the shim's, and `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_unsaid(
    state: *const tband_shedding_state,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(shedding(state).unsaid(), fields) }
}

/// What `tband_shedding_state_unsaid` has given is said.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_said(state: *mut tband_shedding_state) {
    // SAFETY: the caller's promise.
    unsafe { shedding(state) }.said();
}

/// Nothing is shed, and nothing was: a recording starts.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_shedding_state_begin(state: *mut tband_shedding_state) {
    // SAFETY: the caller's promise.
    unsafe { shedding(state) }.begin();
}
