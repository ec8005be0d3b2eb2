//! Where a recording may be cut, and how a gap in it is marked.

use tband_format::packet::{HEADER_LEN, Header, MAGIC};

/// What no frame is: whoever reads frames takes it for damage, and forgets what it cannot know after it. Packets have
/// sequence numbers for that.
pub const GAP: [u8; 3] = [0, 0xFF, 0];

/// Where packets begin in some bytes, as far as their headers are there.
pub fn packets(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let [first, ..] = MAGIC.to_le_bytes();
    let may = bytes.iter().enumerate().filter(move |(_, byte)| **byte == first);
    may.map(|(at, _)| at).filter(|at| {
        let header = bytes.get(*at..at.saturating_add(HEADER_LEN));
        header.is_some_and(|header| Header::read(header).is_ok())
    })
}
