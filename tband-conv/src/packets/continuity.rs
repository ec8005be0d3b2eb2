//! What is missing between the packets of each core: by their sequence numbers, and by what the target discarded.

use tband_format::packet::{Header, METADATA_STREAM};

use crate::clock::wrap::wrap_range;
use crate::item::missing::Missing;

/// The last packet of each core.
#[derive(Clone, Debug, Default)]
pub struct Continuity {
    /// Of this recording.
    last: Vec<Header>,
    /// Of those before: events that were discarded up to there are no news, as long as the target runs.
    before: Vec<Header>,
}

impl Continuity {
    /// A packet does not go on with the recording that the core had last, but is of another one: fewer events were
    /// discarded, or neither time nor sequence goes on. False if the core had none.
    #[must_use]
    pub fn starts_anew(&self, header: &Header) -> bool {
        self.last.iter().any(|last| last.stream == header.stream && !goes_on(last, header))
    }

    /// A packet follows the last one of its stream.
    pub(crate) fn is_next(&self, header: &Header) -> bool {
        let follows = |last: &Header| {
            let is_its = last.stream == header.stream && goes_on(last, header);
            is_its && last.sequence.wrapping_add(1) == header.sequence
        };
        self.last.iter().any(follows)
    }

    /// The number of a packet follows that of the last one of its core: a post-mortem recording continues them over a reset,
    /// and has the metadata of one run.
    #[must_use]
    pub(crate) fn has_next_number(&self, header: &Header) -> bool {
        let follows = |last: &Header| last.sequence.wrapping_add(1) == header.sequence;
        self.last.iter().any(|last| last.stream == header.stream && follows(last))
    }

    /// The core had packets, or this packet continues those of the recording before.
    pub(crate) fn has_before(&self, header: &Header) -> bool {
        let is_its = |last: &&Header| last.stream == header.stream;
        let continues = |last: &Header| last.sequence.wrapping_add(1) == header.sequence;
        self.last.iter().any(|last| is_its(&last))
            || self.before.iter().find(is_its).is_some_and(continues)
    }

    /// Takes a packet in that follows the last one of its stream, with nothing missing; false if it does not.
    pub(crate) fn goes_on(&mut self, header: &Header) -> bool {
        let last = self.last.iter_mut().find(|last| last.stream == header.stream);
        let Some(last) = last.filter(|last| {
            last.sequence.wrapping_add(1) == header.sequence
                && last.discarded == header.discarded
                && header.begin >= last.end
        }) else {
            return false;
        };
        *last = *header;
        true
    }

    /// Another recording begins: of no core there was a packet.
    pub fn forget(&mut self) {
        let Self { last, before } = self;
        before.retain(|before| !last.iter().any(|last| last.stream == before.stream));
        before.append(last);
    }

    /// What is missing before a packet, which follows the others in the stream.
    ///
    /// Of the first packet of a recording, see [`starts_anew`](Self::starts_anew), only what was discarded before it
    /// is reported, after the recording before if the target was not reset since. The same packet once more is no news. The 2^15 packets of half a turn of the sequence that are lost in
    /// one piece are not noticed.
    pub fn follow(&mut self, header: &Header) -> Option<Missing> {
        let place = self.last.iter_mut().find(|last| last.stream == header.stream);
        let last = match place {
            Some(last) => Some(std::mem::replace(last, *header)),
            None => {
                self.last.push(*header);
                None
            }
        };
        let Header { stream, begin, discarded, sequence, .. } = *header;
        let Some(last) = last.filter(|last| goes_on(last, header)) else {
            let of_before = |last: &&Header| last.stream == stream && goes_on(last, header);
            let reported = self.before.iter().find(of_before).map_or(0, |last| last.discarded);
            let discarded = discarded.wrapping_sub(reported);
            let missing =
                Missing { stream, from: begin, to: begin, packets: 0, first: sequence, discarded };
            return (discarded != 0).then_some(missing);
        };
        let first = last.sequence.wrapping_add(1);
        let packets = missing_between(&last, header);
        let discarded = discarded.wrapping_sub(last.discarded);
        let (from, to) = (last.end, begin.max(last.end));
        let missing = Missing { stream, from, to, packets, first, discarded };
        (packets != 0 || discarded != 0).then_some(missing)
    }
}

/// Packets between two of one recording.
fn missing_between(last: &Header, header: &Header) -> u16 {
    if header == last { 0 } else { header.sequence.wrapping_sub(last.sequence.wrapping_add(1)) }
}

/// A packet is of the same recording as the one before.
pub(super) fn goes_on(last: &Header, header: &Header) -> bool {
    let has_discarded = header.discarded.wrapping_sub(last.discarded) < 1 << 31;
    let missing = missing_between(last, header);
    let follows = match missing {
        0 => !goes_back(last, header) || wraps(last, header),
        missing => header.begin >= last.end && missing < 1 << 15,
    };
    has_discarded && follows
}

/// The packet lies before the last one of its core. The numbers of packets may continue after a reset, since a post-mortem
/// recording keeps them; time does not. Another core may have closed the last packet, by a clock that differs by a tick. The
/// metadata stream has no time of its own.
fn goes_back(last: &Header, header: &Header) -> bool {
    let is_before = header.begin < last.begin || header.end < last.end;
    is_before && header != last && header.stream != METADATA_STREAM
}

/// The timer has wrapped between the two packets.
fn wraps(last: &Header, header: &Header) -> bool {
    wrap_range(last.end, header.begin).is_some()
}
