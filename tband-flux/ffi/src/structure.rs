//! Structures: samples that have members.

use core::ffi::c_char;
use core::slice::from_raw_parts;

use tband_flux::Error;
use tband_flux::encoding::member::{self, Member, Value};

use crate::enter::{enter, text};
use crate::memory::tband_flux_trace;

/// Member: a text.
pub const TBAND_FLUX_MEMBER_TEXT: u8 = 1;
/// Member: a number of the item's values, above 0.
pub const TBAND_FLUX_MEMBER_EVENT: u8 = 2;
/// Member: an integer.
pub const TBAND_FLUX_MEMBER_INTEGER: u8 = 3;
/// Member: a float of 4 bytes.
pub const TBAND_FLUX_MEMBER_FLOAT: u8 = 4;
/// Member: bytes.
pub const TBAND_FLUX_MEMBER_BINARY: u8 = 6;
/// Member: a float of 8 bytes.
pub const TBAND_FLUX_MEMBER_DOUBLE: u8 = 12;

/// Bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tband_flux_bytes {
    /// Where they are.
    pub bytes: *const u8,
    /// Their number.
    pub len: usize,
}

/// The value of a member, by its type.
#[repr(C)]
#[derive(Clone, Copy)]
pub union tband_flux_value {
    /// Of TBAND_FLUX_MEMBER_INTEGER.
    pub integer: i64,
    /// Of TBAND_FLUX_MEMBER_DOUBLE.
    pub real: f64,
    /// Of TBAND_FLUX_MEMBER_FLOAT.
    pub single: f32,
    /// Of TBAND_FLUX_MEMBER_EVENT.
    pub event: u32,
    /// Of TBAND_FLUX_MEMBER_TEXT: UTF-8, NUL-terminated.
    pub text: *const c_char,
    /// Of TBAND_FLUX_MEMBER_BINARY.
    pub binary: tband_flux_bytes,
}

/// A member of a sample.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tband_flux_member {
    /// Its number.
    pub member: u32,
    /// Its type.
    pub kind: u8,
    /// Its value.
    pub value: tband_flux_value,
}

/// The format's number of a type of members.
pub const fn on_the_wire(kind: u8) -> Result<u8, Error> {
    Ok(match kind {
        TBAND_FLUX_MEMBER_TEXT => member::TEXT,
        TBAND_FLUX_MEMBER_EVENT => member::ENUMERATION,
        TBAND_FLUX_MEMBER_INTEGER => member::INTEGER,
        TBAND_FLUX_MEMBER_FLOAT | TBAND_FLUX_MEMBER_DOUBLE => member::FLOAT,
        TBAND_FLUX_MEMBER_BINARY => member::BINARY,
        _ => return Err(Error::Argument),
    })
}

/// A member as it is written; none if its type is not known.
///
/// # Safety
/// The value is of the type that the member has.
unsafe fn member(given: &tband_flux_member, max_entry: u16) -> Option<Member<'_>> {
    let value = &given.value;
    // SAFETY: the caller's promise.
    let value = unsafe {
        match given.kind {
            TBAND_FLUX_MEMBER_TEXT => Value::Text(text(value.text, max_entry)),
            TBAND_FLUX_MEMBER_EVENT if value.event > 0 => Value::Enumeration(value.event),
            TBAND_FLUX_MEMBER_INTEGER => Value::Integer(value.integer),
            TBAND_FLUX_MEMBER_FLOAT => Value::Float(value.single),
            TBAND_FLUX_MEMBER_DOUBLE => Value::Double(value.real),
            TBAND_FLUX_MEMBER_BINARY if value.binary.len == 0 => Value::Binary(&[]),
            TBAND_FLUX_MEMBER_BINARY if !value.binary.bytes.is_null() => {
                Value::Binary(from_raw_parts(value.binary.bytes, value.binary.len))
            }
            _ => return None,
        }
    };
    Some(Member { id: given.member, value })
}

/// Writes a sample of a signal of structures: `count` members, each defined by tband_flux_define_member(). Texts and
/// bytes must not change during the call.
///
/// Context and result as for tband_flux_event(); TBAND_FLUX_ARGUMENT also for a member of another type, an event 0, or
/// bytes that are NULL.
///
/// # Safety
/// `trace` is null or has the memory of a trace; `members` has `count` of them, each with a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_struct(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    members: *const tband_flux_member,
    count: usize,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let members = match (members.is_null(), count) {
                (_, 0) => &[],
                (true, _) => return Err(Error::Argument),
                (false, count) => from_raw_parts(members, count),
            };
            let most = trace.max_entry();
            if members.iter().any(|it| member(it, most).is_none()) {
                return Err(Error::Argument);
            }
            let nth = |at: usize| members.get(at).and_then(|it| member(it, most));
            trace.structure(buffer, (item, time), &nth)
        })
    }
}
