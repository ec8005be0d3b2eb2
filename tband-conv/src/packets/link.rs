//! What came over the link, in numbers.

use crate::repair::change::Changes;

/// The packets of recordings: how many, how many did not arrive, what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Packets of cores that are whole.
    pub packets: u64,
    /// Packets of cores without a checksum, as the target has them in its memory.
    pub unchecked: u64,
    /// Packets of cores that did not arrive, or not whole, as far as others came after them.
    pub lost: u64,
    /// Events in the packets of cores.
    pub events: u64,
    /// Events that the target discarded.
    pub discarded: u64,
    /// Bytes outside of complete packets, without the beginnings of packets that a restart has cut off.
    pub damaged_bytes: u64,
    /// Bytes of packets of metadata.
    pub metadata_bytes: u64,
    /// Recordings without a packet of metadata, in inputs that have metadata of other recordings.
    pub without_metadata: u64,
    /// All bytes of recordings that are packets.
    pub bytes: u64,
    /// What has happened to the bytes on the way.
    pub changes: Changes,
}

impl Link {
    /// Adds what came over another link.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self {
            packets,
            unchecked,
            lost,
            events,
            discarded,
            damaged_bytes,
            metadata_bytes,
            without_metadata,
            bytes,
            changes,
        } = other;
        self.changes.add(changes);
        for (sum, more) in [
            (&mut self.packets, packets),
            (&mut self.unchecked, unchecked),
            (&mut self.lost, lost),
            (&mut self.events, events),
            (&mut self.discarded, discarded),
            (&mut self.damaged_bytes, damaged_bytes),
            (&mut self.metadata_bytes, metadata_bytes),
            (&mut self.without_metadata, without_metadata),
            (&mut self.bytes, bytes),
        ] {
            *sum = sum.saturating_add(*more);
        }
    }

    /// Bytes an event, all that came over the link counted; `None` without an event.
    #[must_use]
    pub fn bytes_per_event(&self) -> Option<f64> {
        (self.events > 0).then(|| self.bytes as f64 / self.events as f64)
    }
}
