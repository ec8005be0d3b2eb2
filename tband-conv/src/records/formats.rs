//! Formats of records by their addresses: the letters of the arguments' types, a mark, the text, and a byte that ends it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::mark::Mark;
use super::values::Type;

/// End of a format, in front of its NUL.
const END: u8 = 3;
/// Most arguments of a record.
pub(super) const MAX_ARGUMENTS: usize = 8;
/// Longest format, with the letters; longer ones are damage.
const MAX_FORMAT: usize = 4096;
/// Maximum bytes of all formats that are kept.
const MAX_KEPT: usize = 4 << 20;
/// Overhead of a piece of a format, in bytes.
const OVERHEAD: usize = 64;

/// A format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Format<'a> {
    pub(super) types: Vec<Type>,
    pub mark: Mark,
    pub text: Cow<'a, [u8]>,
}

impl<'a> Format<'a> {
    /// Parses a format from memory, without the NUL; `None` if it is not one.
    fn parse(bytes: Cow<'a, [u8]>) -> Option<Self> {
        let at = bytes.iter().take(MAX_ARGUMENTS + 1).position(|byte| Mark::of(*byte).is_some())?;
        let mark = Mark::of(*bytes.get(at)?)?;
        let types =
            bytes.get(..at)?.iter().map(|letter| Type::of(*letter)).collect::<Option<_>>()?;
        let end = bytes.len().checked_sub(1).filter(|end| bytes.get(*end) == Some(&END))?;
        let text = match bytes {
            Cow::Borrowed(bytes) => bytes.get(at + 1..end)?.into(),
            Cow::Owned(bytes) => bytes.get(at + 1..end)?.to_vec().into(),
        };
        Some(Self { types, mark, text })
    }
}

/// Known parts of the target's memory that hold formats, by address. Recordings have them in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    pieces: BTreeMap<u32, Box<[u8]>>,
    kept: usize,
}

impl Formats {
    /// Adds the memory at an address. A known piece stays, unless it is shorter.
    pub fn add(&mut self, at: u32, piece: &[u8]) {
        let known = self.pieces.get(&at).map_or(0, |known| known.len());
        if piece.len() > known && self.kept < MAX_KEPT {
            self.kept = self.kept.saturating_add(piece.len()).saturating_add(OVERHEAD);
            self.pieces.insert(at, piece.into());
        }
    }

    /// Returns the format at an address, if all of it is known.
    pub fn get(&self, at: u32) -> Option<Format<'_>> {
        let first = self.pieces.get(&at)?;
        if first.last() == Some(&END) {
            return Format::parse(Cow::Borrowed(first));
        }
        let mut whole = first.to_vec();
        while whole.last() != Some(&END) && whole.len() < MAX_FORMAT {
            let next = at.checked_add(u32::try_from(whole.len()).ok()?)?;
            whole.extend_from_slice(self.pieces.get(&next).filter(|it| !it.is_empty())?);
        }
        Format::parse(Cow::Owned(whole))
    }
}

/// Returns the formats in a section of a program that begins at an address: their addresses and bytes. Other content is
/// skipped.
#[must_use]
pub fn formats_of_section(address: u64, section: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = address;
    for text in section.split(|byte| *byte == 0) {
        let is_format = text.len() <= MAX_FORMAT && Format::parse(Cow::Borrowed(text)).is_some();
        if let (true, Ok(at)) = (is_format, u32::try_from(at)) {
            found.push((at, text.to_vec()));
        }
        at = at.saturating_add(text.len() as u64).saturating_add(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_taken_apart() {
        let section = b"\0iI:pos %d of %u\x03\0\0:hello\x03\0[x\x03\0no format\0q]%lld\x03";
        let found = formats_of_section(0, section);
        let at: Vec<u32> = found.iter().map(|(at, _)| *at).collect();
        // `[x` begins a span; a text without a mark, or without an end, is not a format.
        assert_eq!(at, [1, 19, 27, 41]);
        assert_eq!(found[0].1, b"iI:pos %d of %u\x03");
        assert!(formats_of_section(u64::MAX, section).is_empty());
        for bad in [&b"z:%d\x03"[..], b"iiiiiiiii:\x03", b"i:%d", b"\x03", b":", b"", &[0xFF; 5000]]
        {
            assert!(formats_of_section(0, bad).is_empty(), "{bad:?}");
        }
    }

    #[test]
    fn pieces_are_put_together() {
        let mut formats = Formats::default();
        for (at, piece) in [(104, &b" %d of "[..]), (100, b"i:ab"), (111, b"x\x03")] {
            assert_eq!(formats.get(100), None);
            formats.add(at, piece);
        }
        let format = formats.get(100).expect("whole");
        assert_eq!((format.mark, &*format.text), (Mark::Message, &b"ab %d of x"[..]));
        // The middle of a format is not a format.
        assert_eq!(formats.get(104), None);
        assert_eq!(formats.get(101), None);
        // Formats that never end, or loop.
        formats.add(u32::MAX - 1, b":x");
        assert_eq!(formats.get(u32::MAX - 1), None);
        for at in 0..MAX_FORMAT as u32 + 10 {
            formats.add(1000 + at, b":");
        }
        assert_eq!(formats.get(1000), None);
    }

    #[test]
    fn memory_use_is_bounded() {
        let mut formats = Formats::default();
        for at in 0..2_000_000 {
            formats.add(at, b"x");
        }
        assert!(formats.pieces.len() < 70_000, "{}", formats.pieces.len());
    }
}
