//! Fields in fixed widths: the form of events that a program keeps in memory.
//!
//! It takes as many bytes as a frame, about, and less work to write and to read, because no field has to be examined to find the next
//! one. It is in no file: its layout may change with each version.

use crate::field::Str;
use crate::named::{
    CrashKind, Created, FaultFact, NotifyAction, QueueKind, StreamBufferKind, TimerCommand,
};
use crate::registry::Event;

/// Bytes that have to be readable where an event begins, and writable where one is written; no event's fields take more, without
/// the text that may follow them.
pub const FIXED_WINDOW: usize = 32;

/// A field in a fixed width.
pub(crate) trait FixedField<'a>: Sized {
    /// Its width in bytes; of a text that of its length.
    const WIDTH: usize;
    /// Its bytes follow the fields.
    const IS_TEXT: bool = false;

    /// Writes the field to its place, which has its width. `None`: it does not fit.
    fn write_fixed(self, place: &mut [u8]) -> Option<()>;

    /// Reads the field from its place. `bytes` begin with the event's fields, and a text is in them from `text_at` on.
    fn read_fixed(place: &[u8], bytes: &'a [u8], text_at: u8) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl<'a> FixedField<'a> for $type {
            const WIDTH: usize = size_of::<Self>();

            #[inline]
            fn write_fixed(self, place: &mut [u8]) -> Option<()> {
                *place.first_chunk_mut()? = self.to_le_bytes();
                Some(())
            }

            #[inline]
            fn read_fixed(place: &[u8], _: &'a [u8], _: u8) -> Option<Self> {
                Some(Self::from_le_bytes(*place.first_chunk()?))
            }
        }
    )* };
}

numbers!(u8, u32, u64, i64);

macro_rules! named {
    ($($type:ident),*) => { $(
        impl<'a> FixedField<'a> for $type {
            const WIDTH: usize = 1;

            #[inline]
            fn write_fixed(self, place: &mut [u8]) -> Option<()> {
                self.0.write_fixed(place)
            }

            #[inline]
            fn read_fixed(place: &[u8], bytes: &'a [u8], text_at: u8) -> Option<Self> {
                u8::read_fixed(place, bytes, text_at).map(Self)
            }
        }
    )* };
}

named!(Created, CrashKind, FaultFact, NotifyAction, QueueKind, StreamBufferKind, TimerCommand);

impl<'a> FixedField<'a> for Option<u32> {
    const WIDTH: usize = 1 + u32::WIDTH;

    #[inline]
    fn write_fixed(self, place: &mut [u8]) -> Option<()> {
        let (is_there, place) = place.split_first_mut()?;
        *is_there = self.is_some().into();
        self.unwrap_or(0).write_fixed(place)
    }

    #[inline]
    fn read_fixed(place: &[u8], bytes: &'a [u8], text_at: u8) -> Option<Self> {
        let (is_there, place) = place.split_first()?;
        let value = u32::read_fixed(place, bytes, text_at)?;
        Some((*is_there != 0).then_some(value))
    }
}

impl<'a> FixedField<'a> for Str<'a> {
    const WIDTH: usize = 1;
    const IS_TEXT: bool = true;

    #[inline]
    fn write_fixed(self, place: &mut [u8]) -> Option<()> {
        u8::try_from(self.0.len()).ok()?.write_fixed(place)
    }

    #[inline]
    fn read_fixed(place: &[u8], bytes: &'a [u8], text_at: u8) -> Option<Self> {
        let (start, len) = (usize::from(text_at), usize::from(*place.first()?));
        bytes.get(start..start + len).map(Self)
    }
}

impl Event<'_> {
    /// Returns the bytes of the fields of an event with this id, which are in fixed widths at the front of `bytes`, with its text.
    /// `None`: the registry does not have the event, or `bytes` end before.
    #[inline]
    #[must_use]
    pub fn fixed_len(id: u8, bytes: &[u8]) -> Option<usize> {
        let (width, has_text) = *Event::FIXED_WIDTHS.get(usize::from(id))?;
        let width = usize::from(width);
        let text = match has_text {
            // The length of the text is the last field.
            true => usize::from(*bytes.get(width.checked_sub(1)?)?),
            false => 0,
        };
        Some(width + text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Decoded, decode_payload};
    use crate::field::FieldKind;
    use crate::registry::EVENTS;
    use std::vec::Vec;

    /// A payload of the event with this id, whose fields are all as large as this.
    fn payload(id: u8, size: usize) -> Vec<u8> {
        let def = EVENTS.iter().find(|def| def.id == id).unwrap();
        let mut payload = std::vec![id];
        let number = |most: usize| {
            let len = size.clamp(1, most);
            let mut bytes = std::vec![0x81; len - 1];
            bytes.push(7);
            bytes
        };
        if !def.metadata {
            payload.extend(number(9));
        }
        for field in def.fields {
            match field.kind {
                FieldKind::U8 | FieldKind::Enum { .. } => payload.push(size as u8),
                FieldKind::U32 => payload.extend(number(5)),
                FieldKind::U64 | FieldKind::S64 => payload.extend(number(9)),
                FieldKind::Str => payload.extend(std::iter::repeat_n(b'x', size)),
                FieldKind::Optional(_) if size > 3 => payload.extend(number(5)),
                FieldKind::Optional(_) => {}
            }
        }
        payload
    }

    /// Of every kind, with short and long fields, with and without optional ones.
    #[test]
    fn each_event_is_read_as_it_was_written() {
        for def in EVENTS {
            for size in 0..12 {
                let payload = payload(def.id, size);
                let decoded = decode_payload(&payload).unwrap();
                let mut room = [0xAA; FIXED_WINDOW];
                let (width, text) = decoded.event.write_fixed(&mut room).unwrap();
                let kept = [&room[..width], text, &[0xBB; FIXED_WINDOW]].concat();
                let ts = decoded.ts.unwrap_or(99);
                let read = Event::from_fixed(def.id, ts, &kept);
                assert_eq!(read, Some(decoded), "{size}");
                let len = Event::fixed_len(def.id, &kept);
                assert_eq!(len, Some(width + text.len()), "{decoded:?}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_has_no_fixed_form() {
        let mut room = [0; FIXED_WINDOW];
        let text = [b'x'; 256];
        let mut written = |len| {
            let event = Event::Evtmarker { evtmarker_id: 1, msg: Str(&text[..len]) };
            event.write_fixed(&mut room).map(|(width, text)| width + text.len())
        };
        assert_eq!([0, 255, 256].map(&mut written), [Some(5), Some(5 + 255), None]);
        assert_eq!(Event::from_fixed(0xF8, 1, &[0; 64]), None::<Decoded<'_>>);
        assert_eq!(Event::from_fixed(4, 1, &[0; FIXED_WINDOW - 1]), None);
        assert_eq!(Event::fixed_len(7, &[1, 0, 0, 0]), None);
    }
}
