//! Filters: the firmware selects at run time which events are recorded. The memory belongs to the shim, which has none if filters
//! are not compiled in.

use core::ffi::c_char;
use core::mem::{align_of, offset_of, size_of};

use tband_core::classes::filter::{
    BY_FIRMWARE, BY_HOST, CHOOSE_ALL, CHOOSE_CLASSES, CHOOSE_EVENT, CHOOSE_KIND, CHOOSE_OBJECT,
};
use tband_core::classes::objects::OBJECT_KINDS;
use tband_core::filter::{Choice, Filter};
use tband_core::named::number_of_name;

use crate::port::core_state;
use crate::setup::tband_core_state;

/// The table that hooks read, and the selection. All zero: everything is recorded.
#[repr(C)]
pub struct tband_filter_state {
    /// By the id of an event: 0 if the event is recorded for all objects. Otherwise the index, from the start of this
    /// struct, of the word that has a bit for the object's number modulo 32, counted down from the uppermost bit by
    /// rotation.
    pub of_event: [u8; 256],
    /// The words that `of_event` refers to.
    pub looks: [u32; 16],
    private_words: [u32; 31],
}

const _: () = {
    assert!(size_of::<tband_filter_state>() == size_of::<Filter>());
    assert!(align_of::<tband_filter_state>() >= align_of::<Filter>());
    assert!(offset_of!(tband_filter_state, looks) == 256);
};

/// Kind of selection for `tband_lib_filter_state_choose`: the event of id `of`.
pub const TBAND_FILTER_EVENT: u32 = 0;
/// Like `TBAND_FILTER_EVENT`: the classes whose bits are set in `of`, `TBAND_CLASS_*`.
pub const TBAND_FILTER_CLASSES: u32 = 1;
/// Like `TBAND_FILTER_EVENT`: everything.
pub const TBAND_FILTER_ALL: u32 = 2;
/// Like `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: the object of that kind with number `of`.
pub const TBAND_FILTER_OBJECT: u32 = 16;
/// Like `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: all objects of that kind.
pub const TBAND_FILTER_KIND: u32 = 32;

/// Value in `of_event` for events that are left out for all objects.
pub const TBAND_FILTER_NOTHING: u32 = 79;
const _: () = assert!(TBAND_FILTER_NOTHING == Filter::NOTHING as u32);

/// Author of a change of the filter: the firmware.
pub const TBAND_BY_FIRMWARE: u32 = 0;
/// Like `TBAND_BY_FIRMWARE`: a command of the host.
pub const TBAND_BY_HOST: u32 = 1;
const _: () = {
    assert!(TBAND_BY_FIRMWARE == BY_FIRMWARE && TBAND_BY_HOST == BY_HOST);
    assert!(TBAND_FILTER_EVENT == CHOOSE_EVENT && TBAND_FILTER_CLASSES == CHOOSE_CLASSES);
    assert!(TBAND_FILTER_ALL == CHOOSE_ALL && TBAND_FILTER_OBJECT == CHOOSE_OBJECT);
    assert!(TBAND_FILTER_KIND == CHOOSE_KIND);
};

/// Returns the shim's filter.
///
/// # Safety
/// `state` points to it.
unsafe fn filter<'a>(state: *const tband_filter_state) -> &'a Filter {
    // SAFETY: the same size and alignment, see above; everything in it is atomic.
    unsafe { &*state.cast() }
}

/// Changes the selection; it takes effect with `tband_lib_filter_state_apply`. Returns false, and changes nothing, if
/// there is no such event, class, kind or object, if it is always recorded, or if 16 objects are exceptions already.
/// Inside the critical section, one core at a time.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_filter_state_choose(
    state: *mut tband_filter_state,
    what: u32,
    of: u32,
    on: bool,
    by: u32,
) -> bool {
    let choice = match what {
        TBAND_FILTER_EVENT if of < 256 => Choice::Event(of as u8),
        TBAND_FILTER_CLASSES => Choice::Classes(of),
        // Everything can be switched off by switching off all classes.
        TBAND_FILTER_ALL if on => Choice::All,
        TBAND_FILTER_OBJECT..TBAND_FILTER_KIND => {
            Choice::Object(what.wrapping_sub(TBAND_FILTER_OBJECT), of)
        }
        _ if what >= TBAND_FILTER_KIND => Choice::Kind(what.wrapping_sub(TBAND_FILTER_KIND)),
        _ => return false,
    };
    // SAFETY: the caller's promise.
    unsafe { filter(state) }.choose(choice, on, by).is_ok()
}

/// Makes hooks follow the selection. With `asks` they evaluate every event exactly, whether it is left out or not.
/// Context as for `tband_lib_filter_state_choose`.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_filter_state_apply(state: *mut tband_filter_state, asks: bool) {
    // SAFETY: the caller's promise.
    unsafe { filter(state) }.apply(asks);
}

/// Returns true if the event of this id with this first number is not recorded. For hooks, if the bit in `looks` is
/// set.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_filter_state_is_off(
    state: *const tband_filter_state,
    id: u32,
    number: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { filter(state) }.is_off(id as u8, number)
}

/// Writes the fields of the event that records fact number `at` of the filter, from 0 on. Returns false after the last
/// one, and as long as the filter was never changed.
///
/// # Safety
/// `state` is the shim's, and `fields` has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_filter_state_fact(
    state: *const tband_filter_state,
    at: u32,
    fields: *mut u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { write_fields(filter(state).fact(at), fields) }
}

/// Returns a count that rises with each change of the filter, and is odd during a change. Facts belong to one filter if
/// the count is even before the first one and the same after the last. For several cores.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_filter_state_changes(state: *const tband_filter_state) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { filter(state) }.changes()
}

/// Writes the fields to the shim's memory; returns whether there are any.
///
/// # Safety
/// `to` has room for two.
pub(crate) unsafe fn write_fields(fields: Option<(u32, u32)>, to: *mut u32) -> bool {
    let Some((first, second)) = fields else { return false };
    // SAFETY: the caller's promise.
    unsafe {
        to.write(first);
        to.wrapping_add(1).write(second);
    }
    true
}

/// Events that name objects, by kind of object.
static NAMED_BY: [u8; OBJECT_KINDS.len()] = {
    let mut ids = [0; OBJECT_KINDS.len()];
    let mut kind = 0;
    while kind < ids.len() {
        ids[kind] = OBJECT_KINDS[kind].named_by;
        kind += 1;
    }
    ids
};

/// Looks up the number of the object of this kind, `TBAND_OBJECT_*`, and this name, in the metadata buffer `buf` of
/// core `of`. Returns false if there is none. Inside the critical section; with several cores with the lock.
///
/// # Safety
/// `of` points into `tband_setup.cores`, and `buf` is that core's. `name` is readable to its NUL or for `max_str_len`
/// bytes, and `number` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_metadata_number_of(
    of: *const tband_core_state,
    buf: *mut u8,
    kind: u32,
    name: *const c_char,
    max_str_len: u32,
    number: *mut u32,
) -> bool {
    let Some(id) = NAMED_BY.get(kind as usize) else { return false };
    // SAFETY: the caller's promise.
    unsafe {
        let found = number_of_name(core_state(of.cast_mut()), buf, *id, name.cast(), max_str_len);
        if let Some(found) = found {
            number.write(found);
        }
        found.is_some()
    }
}
