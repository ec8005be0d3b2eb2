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
    /// What is missing ahead of a packet, which follows the others in the stream.
    ///
    /// A core begins another recording if it has discarded fewer events than before, or if neither time nor sequence
    /// goes on. Of the first packet of a recording only what was discarded ahead of it is told. The same packet once
    /// more is no news. The 2^16 packets of a turn of the sequence that are lost in one piece are not noticed.
    pub fn follow(&mut self, header: &Header) -> Option<Missing> {
        let place = self.last.iter_mut().find(|last| last.stream == header.stream);
        let last = match place {
            Some(last) => Some(std::mem::replace(last, *header)),
            None => {
                self.last.push(*header);
                None
            }
        };
        let Header { stream, sequence, begin, discarded, .. } = *header;
        let Some(last) = last.filter(|last| goes_on(last, header)) else {
            let missing =
                Missing { stream, from: begin, to: begin, packets: 0, first: sequence, discarded };
            return (discarded != 0).then_some(missing);
        };
        let first = last.sequence.wrapping_add(1);
        let packets = if *header == last { 0 } else { sequence.wrapping_sub(first) };
        let discarded = discarded.wrapping_sub(last.discarded);
        let (from, to) = (last.end, begin.max(last.end));
        let missing = Missing { stream, from, to, packets, first, discarded };
        (packets != 0 || discarded != 0).then_some(missing)
    }
}

/// A packet is of the same recording as the one before.
fn goes_on(last: &Header, header: &Header) -> bool {
    let has_discarded = header.discarded.wrapping_sub(last.discarded) < 1 << 31;
    let next = header.sequence == last.sequence.wrapping_add(1);
    has_discarded && (header.begin >= last.end || next || header == last)
}
