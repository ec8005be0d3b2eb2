//! Losses between the packets of each core: by their sequence numbers, and by the target's count of discarded events.

use tband_format::packet::{Header, METADATA_STREAM};

use crate::clock::wrap::wrap_range;
use crate::item::packet_loss::PacketLoss;

/// The last packet of each core.
#[derive(Clone, Debug, Default)]
pub struct Continuity {
    /// Of this recording.
    last: Vec<Header>,
    /// Headers of the recordings before: events discarded before these are not reported again, as long as the target runs.
    before: Vec<Header>,
}

impl Continuity {
    /// Whether a packet does not continue the core's last recording, but belongs to another one: fewer events were discarded,
    /// or neither time nor sequence continues. False if the core had none.
    #[must_use]
    pub fn is_new_start(&self, header: &Header) -> bool {
        self.last
            .iter()
            .any(|last| last.stream == header.stream && !is_same_recording(last, header))
    }

    /// A packet follows the last one of its stream.
    pub(crate) fn is_next(&self, header: &Header) -> bool {
        let follows = |last: &Header| {
            let is_its = last.stream == header.stream && is_same_recording(last, header);
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
    pub(crate) fn accept_next(&mut self, header: &Header) -> bool {
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

    /// Returns the losses before a packet, which follows the others in the stream.
    ///
    /// For the first packet of a recording, see [`is_new_start`](Self::is_new_start), only events discarded before it are
    /// reported; they count from the recording before if the target was not reset since. A repeated packet adds no loss. The
    /// loss of 2^15 or more packets in one piece, half of the range of sequence numbers, is not noticed.
    pub fn follow(&mut self, header: &Header) -> Option<PacketLoss> {
        let place = self.last.iter_mut().find(|last| last.stream == header.stream);
        let last = match place {
            Some(last) => Some(std::mem::replace(last, *header)),
            None => {
                self.last.push(*header);
                None
            }
        };
        let Header { stream, begin, discarded, sequence, .. } = *header;
        let Some(last) = last.filter(|last| is_same_recording(last, header)) else {
            let of_before =
                |last: &&Header| last.stream == stream && is_same_recording(last, header);
            let reported = self.before.iter().find(of_before).map_or(0, |last| last.discarded);
            let discarded = discarded.wrapping_sub(reported);
            let missing = PacketLoss {
                stream,
                from: begin,
                to: begin,
                packets: 0,
                first: sequence,
                discarded,
            };
            return (discarded != 0).then_some(missing);
        };
        let first = last.sequence.wrapping_add(1);
        let packets = missing_between(&last, header);
        let discarded = discarded.wrapping_sub(last.discarded);
        let (from, to) = (last.end, begin.max(last.end));
        let missing = PacketLoss { stream, from, to, packets, first, discarded };
        (packets != 0 || discarded != 0).then_some(missing)
    }
}

/// Packets between two of one recording.
fn missing_between(last: &Header, header: &Header) -> u16 {
    if header == last { 0 } else { header.sequence.wrapping_sub(last.sequence.wrapping_add(1)) }
}

/// A packet is of the same recording as the one before.
pub(super) fn is_same_recording(last: &Header, header: &Header) -> bool {
    let has_discarded = header.discarded.wrapping_sub(last.discarded) < 1 << 31;
    let missing = missing_between(last, header);
    let follows = match missing {
        0 => !is_going_back(last, header) || has_wrapped(last, header),
        missing => header.begin >= last.end && missing < 1 << 15,
    };
    has_discarded && follows
}

/// Whether the packet is before the last one of its core. The numbers of packets may continue after a reset, because a
/// post-mortem recording keeps them; time does not. Another core may have closed the last packet, by a clock that differs by a
/// tick. The metadata stream has no own time.
fn is_going_back(last: &Header, header: &Header) -> bool {
    let is_before = header.begin < last.begin || header.end < last.end;
    is_before && header != last && header.stream != METADATA_STREAM
}

/// The timer has wrapped between the two packets.
fn has_wrapped(last: &Header, header: &Header) -> bool {
    wrap_range(last.end, header.begin).is_some()
}
