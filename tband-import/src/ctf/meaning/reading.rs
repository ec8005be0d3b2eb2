//! The parts of one event.

use std::borrow::Cow;

use super::bind::{FieldScope, Rule};
use super::entry::FieldRole;
use crate::ctf::decode::{Decoder, bytes_of, signed};

/// An event that was read, with its rule.
#[derive(Clone, Copy)]
pub struct ReadEvent<'a> {
    pub rule: &'a Rule,
    pub decoder: &'a Decoder,
    pub bytes: &'a [u8],
}

impl<'a> ReadEvent<'a> {
    /// The number of a part.
    pub fn number(&self, part: FieldRole) -> Option<i128> {
        number(self.rule.place(part)?, self.decoder)
    }

    /// The number of a part that counts objects: the lower 32 bits of a handle.
    #[inline]
    pub fn id(&self, part: FieldRole) -> Option<u32> {
        Some(match *self.rule.place(part)? {
            FieldScope::Number { slot, .. } => self.decoder.get(slot) as u32,
            ref place => (number(place, self.decoder)? & 0xFFFF_FFFF) as u32,
        })
    }

    /// The text of a part, without what fills it up.
    pub fn text(&self, part: FieldRole) -> Option<Cow<'a, [u8]>> {
        match self.rule.place(part)? {
            FieldScope::Bytes(slot) => {
                let bytes = bytes_of(self.bytes, self.decoder.get(*slot));
                let len = memchr::memchr(0, bytes).unwrap_or(bytes.len());
                Some(bytes.get(..len).unwrap_or(bytes).into())
            }
            FieldScope::Text(text) => Some(text.as_bytes().into()),
            FieldScope::Number { slot, is_signed, labels } => {
                let value = signed(self.decoder.get(*slot), *is_signed);
                let text = match labels.as_ref().and_then(|it| it.of(value)) {
                    Some(label) => label.to_string(),
                    None => value.to_string(),
                };
                Some(text.into_bytes().into())
            }
            place => Some(number(place, self.decoder)?.to_string().into_bytes().into()),
        }
    }
}

/// The number at a place.
pub fn number(place: &FieldScope, decoder: &Decoder) -> Option<i128> {
    match *place {
        FieldScope::Number { slot, is_signed, .. } => Some(signed(decoder.get(slot), is_signed)),
        FieldScope::Float { slot, bits } => {
            let raw = decoder.get(slot);
            let value = match bits {
                64 => f64::from_bits(raw),
                32 => f32::from_bits(raw as u32).into(),
                _ => return None,
            };
            // The nearest whole number; beyond the range its end.
            Some(value.round() as i128)
        }
        FieldScope::Constant(number) => Some(number.into()),
        FieldScope::Bytes(_) | FieldScope::Text(_) => None,
    }
}
