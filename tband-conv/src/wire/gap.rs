//! Marks that a receiver writes into a recording of frames where something is missing. No frame has these bytes: the first of them
//! announces more bytes than follow. Packets need no marks, since they have sequence numbers.

/// The source was away: the bytes that it sent in that time are missing.
pub const SOURCE_GAP: &[u8] = b"\0\xFFGAP\0";

/// Files are left out here that the receiver was not to keep.
pub const NOT_KEPT: &[u8] = b"\0\xFFNOT KEPT\0";

/// The mark that a frame is.
pub(crate) fn read(frame: &[u8]) -> Option<Gap> {
    [(SOURCE_GAP, Gap::Source), (NOT_KEPT, Gap::NotKept)]
        .into_iter()
        .find(|(mark, _)| mark.get(1..mark.len() - 1) == Some(frame))
        .map(|(_, gap)| gap)
}

/// The kind of loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Data sent while the source was away.
    Source,
    /// Files that were not kept.
    NotKept,
}
