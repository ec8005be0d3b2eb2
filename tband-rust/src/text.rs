//! Texts that are built at run time, for the functions that take a C string.

use core::ffi::CStr;
use core::fmt;
use core::ops::Deref;

/// A C string of at most `N - 1` bytes, on the stack.
///
/// Literals do not need this: `c"text"` is a C string already. This type is for a `str`, or for
/// formatted text, which costs some kilobytes of flash for the formatting:
///
/// ```
/// use core::fmt::Write as _;
///
/// let mut text = tband::Text::<20>::new();
/// let _ = write!(text, "channel {}", 7); // never fails: what does not fit is cut off
/// assert_eq!(&*text, c"channel 7");
///
/// assert_eq!(&*tband::Text::<5>::from("temperature"), c"temp");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<const N: usize> {
    /// `len` bytes that are not zero, and zeros.
    bytes: [u8; N],
    /// Below `N`.
    len: usize,
    /// The text was truncated, so nothing may be appended.
    is_cut: bool,
}

impl<const N: usize> Text<N> {
    /// Returns an empty text.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N > 0, "a text needs a byte for the NUL") }
        Self { bytes: [0; N], len: 0, is_cut: false }
    }

    /// Appends the text as far as it fits, truncated between characters, and up to the first NUL.
    pub fn push(&mut self, text: &str) {
        for char in text.chars() {
            let mut encoded = [0; 4];
            let encoded = char.encode_utf8(&mut encoded).as_bytes();
            let end = self.len.saturating_add(encoded.len());
            // The last byte stays zero.
            if self.is_cut || char == '\0' || end >= N {
                self.is_cut = true;
                return;
            }
            for (room, byte) in self.bytes.iter_mut().skip(self.len).zip(encoded) {
                *room = *byte;
            }
            self.len = end;
        }
    }

    /// Returns the text as a C string.
    #[must_use]
    pub fn as_c_str(&self) -> &CStr {
        let with_nul = self.bytes.get(..=self.len).unwrap_or(b"\0");
        // SAFETY: a zero is after the text, and none in it: `push` stops there.
        unsafe { CStr::from_bytes_with_nul_unchecked(with_nul) }
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> From<&str> for Text<N> {
    fn from(text: &str) -> Self {
        let mut new = Self::new();
        new.push(text);
        new
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = CStr;

    fn deref(&self) -> &CStr {
        self.as_c_str()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_c_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::Write as _;

    use super::Text;

    #[test]
    fn as_long_as_there_is_room_for_the_nul() {
        assert_eq!(&*Text::<5>::from("abcd"), c"abcd");
        assert_eq!(&*Text::<5>::from("abcde"), c"abcd");
        assert_eq!(&*Text::<1>::from("a"), c"");
        assert_eq!(&*Text::<5>::new(), c"");
    }

    #[test]
    fn is_cut_between_characters() {
        assert_eq!(&*Text::<5>::from("aäöü"), c"aä");
        assert_eq!(&*Text::<4>::from("😀"), c"");
        assert_eq!(&*Text::<5>::from("😀"), c"😀");
    }

    #[test]
    fn nothing_follows_what_was_cut_off() {
        let mut text = Text::<4>::from("aüö");
        text.push("b");
        assert_eq!(&*text, c"aü");
        let mut text = Text::<9>::from("a\0b");
        text.push("c");
        assert_eq!(&*text, c"a");
    }

    #[test]
    fn formatting_never_fails() {
        let mut text = Text::<8>::new();
        assert!(write!(text, "{}-{}", 12, 345).is_ok());
        assert_eq!(&*text, c"12-345");
        assert!(write!(text, "{:9}", 6).is_ok());
        assert_eq!(&*text, c"12-345 ");
    }
}
