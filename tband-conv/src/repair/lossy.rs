//! Changes that remove more than a check can restore: they are recognised, but not undone.

use std::cmp::Ordering;

use super::change::Change;

/// Bytes that a header has without its zeros.
const SHORTEST: usize = 8;
/// As many line ends of one kind without one of the other are hardly by chance: then all of them were translated.
const MANY_LINE_ENDS: usize = 8;

/// The magic number of a packet after such a change.
const MAGICS: [(&[u8], Change); 6] = [
    // The upper bit removed, or even, odd or mark parity in its place.
    (&[0x41, 0x1F, 0x7C, 0x41], Change::SevenBits),
    (&[0x41, 0x9F, 0xFC, 0x41], Change::SevenBits),
    (&[0xC1, 0x1F, 0x7C, 0xC1], Change::SevenBits),
    (&[0xC1, 0x9F, 0xFC, 0xC1], Change::SevenBits),
    // U+FFFD in UTF-8 in place of invalid bytes.
    (&[0xEF, 0xBF, 0xBD, 0x1F, 0xEF, 0xBF, 0xBD, 0xEF, 0xBF, 0xBD], Change::Replaced),
    (&[0x3F, 0x1F, 0x3F, 0x3F], Change::Replaced),
];

/// A packet began here that was changed like that.
pub fn recognise(raw: &[u8]) -> Option<Change> {
    let found = MAGICS.iter().find(|(magic, _)| raw.starts_with(magic));
    let &(magic, change) = found?;
    // The byte after the stream is the version in all of them.
    let version = if change == Change::Replaced && magic.len() > 4 {
        let stream = raw.get(magic.len()..)?;
        let len = if stream.starts_with(&[0xEF, 0xBF, 0xBD]) { 3 } else { 1 };
        stream.get(len)
    } else {
        raw.get(magic.len() + 1)
    };
    version.filter(|it| **it & 0x7F == 1)?;
    Some(change)
}

/// Which two bytes they begin with.
pub fn starts() -> impl Iterator<Item = [u8; 2]> {
    MAGICS.iter().filter_map(|(magic, _)| magic.first_chunk().copied())
}

/// Returns the change that these bytes show. They begin with a packet's header and are all that is left of it: they are shorter
/// or longer than the header requires, or have the same length but other bytes.
pub fn suspect(raw: &[u8], len: Ordering) -> Option<Change> {
    if raw.len() < SHORTEST {
        return None;
    }
    let count = |byte: u8| memchr::memchr_iter(byte, raw).count();
    let has = |byte: u8| memchr::memchr(byte, raw).is_some();
    let has_blanks = || memchr::memmem::find(raw, b"  ").is_some();
    match len {
        _ if !has(0) => Some(Change::ZerosRemoved),
        Ordering::Less if !has(b'\r') => Some(Change::CrRemoved),
        Ordering::Less if !has(0x11) && !has(0x13) => Some(Change::FlowControl),
        Ordering::Greater if !has(b'\t') && has_blanks() => Some(Change::Tabs),
        // The removed byte was one of the header's, whose length is read from the wrong place.
        Ordering::Greater if !has(0x11) && !has(0x13) => Some(Change::FlowControl),
        Ordering::Greater if !has(b'\r') => Some(Change::CrRemoved),
        Ordering::Equal if !has(b'\r') && count(b'\n') >= MANY_LINE_ENDS => Some(Change::LineEnds),
        Ordering::Equal if !has(b'\n') && count(b'\r') >= MANY_LINE_ENDS => Some(Change::LineEnds),
        _ => None,
    }
}
