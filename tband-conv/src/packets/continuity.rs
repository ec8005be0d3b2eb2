//! What is missing between the packets of each core: by their sequence numbers, and by what the target discarded.

use tband_format::packet::Header;

/// What is missing ahead of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// The core.
    pub stream: u8,
    /// Time in ticks of the last event before, and from when on events are there again.
    pub from: u64,
    /// See `from`.
    pub to: u64,
    /// Packets that did not arrive, modulo 2^16.
    pub packets: u16,
    /// Sequence number of the first of them, or of the packet itself.
    pub first: u16,
    /// Events that the target discarded meanwhile. Lost packets may have told of some of them.
    pub discarded: u32,
}

/// The last packet of each core.
#[derive(Clone, Debug, Default)]
pub struct Continuity {
    last: Vec<Header>,
}

impl Continuity {
    /// What is missing ahead of a packet, which follows the others in the stream. Events that were discarded before the
    /// first packet of a core count for it, from its begin on. A core that begins anew, with another sequence and at
    /// an earlier time, misses nothing: that is another recording.
    ///
    /// The 2^16 packets of a turn of the sequence that are lost in one piece are not noticed.
    pub fn follow(&mut self, header: &Header) -> Option<Missing> {
        let Some(last) = self.last.iter_mut().find(|last| last.stream == header.stream) else {
            self.last.push(*header);
            let Header { stream, begin, discarded, .. } = *header;
            let (packets, first) = (0, header.sequence);
            let missing = Missing { stream, from: begin, to: begin, packets, first, discarded };
            return (discarded != 0).then_some(missing);
        };
        let last = std::mem::replace(last, *header);
        if header.begin < last.end {
            return None;
        }
        let first = last.sequence.wrapping_add(1);
        let packets = header.sequence.wrapping_sub(first);
        let discarded = header.discarded.wrapping_sub(last.discarded);
        if packets == 0 && discarded == 0 {
            return None;
        }
        let (from, to) = (last.end, header.begin);
        Some(Missing { stream: header.stream, from, to, packets, first, discarded })
    }
}
