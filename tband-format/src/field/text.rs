//! Texts of events: the only fields that borrow from the input, so code that keeps events stores their
//! texts separately.

use super::Str;

/// A field of an event whose text can be replaced.
pub(crate) trait ReplaceText<'a, 'b>: Copy {
    /// The field with the text of another.
    type WithText;

    /// Returns its text, if it is one.
    fn text(self) -> Option<&'a [u8]>;

    /// Returns the field with this text, if it is one.
    fn with_text(self, text: &'b [u8]) -> Self::WithText;
}

impl<'a, 'b> ReplaceText<'a, 'b> for Str<'a> {
    type WithText = Str<'b>;

    fn text(self) -> Option<&'a [u8]> {
        Some(self.0)
    }

    fn with_text(self, text: &'b [u8]) -> Str<'b> {
        Str(text)
    }
}

impl<'a, 'b, T: ReplaceText<'a, 'b>> ReplaceText<'a, 'b> for Option<T> {
    type WithText = Option<T::WithText>;

    fn text(self) -> Option<&'a [u8]> {
        self.and_then(T::text)
    }

    fn with_text(self, text: &'b [u8]) -> Self::WithText {
        self.map(|it| it.with_text(text))
    }
}

macro_rules! without_text {
    ($($type:ty),*) => { $(
        impl<'a, 'b> $crate::field::text::ReplaceText<'a, 'b> for $type {
            type WithText = Self;

            fn text(self) -> Option<&'a [u8]> {
                None
            }

            fn with_text(self, _: &'b [u8]) -> Self {
                self
            }
        }
    )* };
}

pub(crate) use without_text;

without_text!(u8, u32, u64, i64);
