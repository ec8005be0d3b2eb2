//! Fields in fixed widths: the form of events that a program keeps in memory.
//!
//! It takes as many bytes as a frame, about, and less work to write and to read, because no field has to be examined to find the next
//! one. It is in no file: its layout may change with each version.

use super::Str;

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
