//! Structures whose members are at fixed places, which are read without following them bit by bit.

use std::rc::Rc;

use super::class::Order;
use super::field::{Count, Field, FieldUse, FixedNumbers, Int, PlainKind, PlainMember};

/// A structure longer than this is read member by member, in bytes.
const MAX_LEN: u64 = 4096;

/// The places of members, if all are fixed, at whole bytes from the begin of a structure of this alignment.
pub fn of(align: u32, members: &[(Rc<str>, Field)]) -> Option<FixedNumbers> {
    if align < 8 && !members.is_empty() {
        return None;
    }
    let (mut bits, mut plain) = (0_u64, Vec::with_capacity(members.len()));
    for (_, field) in members {
        bits = bits.next_multiple_of(field.align().into());
        let offset = u32::try_from(bits / 8).ok()?;
        let (slot, kind, of, len) = match *field {
            Field::Int(Int { slot, bits, order, is_signed, is_variable: false, of, .. })
                if bits.is_multiple_of(8) =>
            {
                (slot, kind(bits, order, is_signed), of, u64::from(bits))
            }
            Field::Bytes { slot, count: Count::Fixed(len), is_text } if len <= MAX_LEN => {
                let bytes = PlainKind::Bytes { len: u32::try_from(len).ok()?, is_text };
                (slot, bytes, FieldUse::Value, len * 8)
            }
            _ => return None,
        };
        // Numbers of a byte and more that begin within one are rare.
        if !bits.is_multiple_of(8) {
            return None;
        }
        bits += len;
        plain.push(PlainMember { slot, offset, kind, of });
    }
    let len = bits / 8;
    (len <= MAX_LEN).then_some(FixedNumbers { len: usize::try_from(len).ok()?, members: plain })
}

const fn kind(bits: u8, order: Order, is_signed: bool) -> PlainKind {
    match (bits, order, is_signed) {
        (8, _, false) | (_, Order::Little, false) | (64, Order::Little, true) => {
            PlainKind::Little(bits)
        }
        _ => PlainKind::Other { bytes: bits / 8, order, is_signed },
    }
}
