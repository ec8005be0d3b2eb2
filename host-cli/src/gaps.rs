//! Where a recording may be cut, and how a gap in it is marked.

use tband_format::packet::{HEADER_LEN, Header, MAGIC};

/// Marks in a recording of frames where the source was away. Packets have sequence numbers for that.
pub const SOURCE_GAP: &[u8] = tband_conv::wire::gap::SOURCE_GAP;

/// Mark in a recording of frames where files are left out that were not to be kept.
pub const NOT_KEPT: &[u8] = tband_conv::wire::gap::NOT_KEPT;

/// Where packets begin in some bytes, as far as their headers are there.
pub fn packets(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let [first, ..] = MAGIC.to_le_bytes();
    let may = bytes.iter().enumerate().filter(move |(_, byte)| **byte == first);
    may.map(|(at, _)| at).filter(|at| {
        let header = bytes.get(*at..at.saturating_add(HEADER_LEN));
        header.is_some_and(|header| Header::read(header).is_ok())
    })
}
