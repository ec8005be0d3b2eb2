//! Statistics of the link.

use crate::repair::change::Changes;

/// The packets of recordings: received, lost, and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Complete packets of cores.
    pub packets: u64,
    /// Packets of cores without a checksum, as the target has them in its memory.
    pub unchecked: u64,
    /// Packets of cores that did not arrive, or only in part, as far as later ones show it.
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
    /// Changes to the bytes on the way.
    pub changes: Changes,
}

impl Link {
    /// Adds the statistics of another link.
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

    /// Returns the bytes per event, over all bytes of the link; `None` without an event.
    #[must_use]
    pub fn bytes_per_event(&self) -> Option<f64> {
        (self.events > 0).then(|| self.bytes as f64 / self.events as f64)
    }
}
