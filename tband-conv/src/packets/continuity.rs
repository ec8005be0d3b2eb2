//! What is missing between the packets of each core: by their sequence numbers, and by what the target discarded.

use std::fmt;

use tband_format::packet::Header;

use crate::diagnostics::Problem;

/// What is missing ahead of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Missing {
    /// What is missing; `ns` is from when to when, in nanoseconds, if that is known.
    #[must_use]
    pub fn text(&self, ns: Option<i64>) -> String {
        let Self { stream, from, to, packets, first, discarded } = *self;
        let packets = match packets {
            0 => String::new(),
            1 => format!(" packet {first} missing,"),
            more => {
                format!(" packets {first} to {} missing,", first.wrapping_add(more).wrapping_sub(1))
            }
        };
        let time = match ns {
            Some(ns) => Duration(ns).to_string(),
            None => format!("{} ticks", to.saturating_sub(from)),
        };
        let events = match discarded {
            0 => String::new(),
            1 => ", 1 event discarded by the target".to_owned(),
            more => format!(", {more} events discarded by the target"),
        };
        format!("core {stream}:{packets} {time}{events}")
    }
}

impl Missing {
    /// As bytes, while it waits for its turn.
    pub(crate) fn to_bytes(self) -> [u8; 25] {
        let Self { stream, from, to, packets, first, discarded } = self;
        let mut bytes = [0; 25];
        let parts: [&[u8]; 6] = [
            &from.to_le_bytes(),
            &to.to_le_bytes(),
            &packets.to_le_bytes(),
            &first.to_le_bytes(),
            &discarded.to_le_bytes(),
            &[stream],
        ];
        for (to, from) in bytes.iter_mut().zip(parts.into_iter().flatten()) {
            *to = *from;
        }
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) gave.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (from, rest) = bytes.split_first_chunk()?;
        let (to, rest) = rest.split_first_chunk()?;
        let (packets, rest) = rest.split_first_chunk()?;
        let (first, rest) = rest.split_first_chunk()?;
        let (discarded, rest) = rest.split_first_chunk()?;
        Some(Self {
            stream: *rest.first()?,
            from: u64::from_le_bytes(*from),
            to: u64::from_le_bytes(*to),
            packets: u16::from_le_bytes(*packets),
            first: u16::from_le_bytes(*first),
            discarded: u32::from_le_bytes(*discarded),
        })
    }

    /// What it is, and how much of it.
    pub(crate) const fn problem(&self) -> (Problem, u64) {
        match self.packets {
            0 => (Problem::EventsDiscarded, self.discarded as u64),
            packets => (Problem::PacketsLost, packets as u64),
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(None))
    }
}

/// Nanoseconds, in the unit in which they are read most easily.
struct Duration(i64);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "us")];
        match units.into_iter().find(|(ns, _)| self.0 >= *ns) {
            // In tenths, rounded down.
            Some((unit, name)) => {
                let tenths = self.0 / (unit / 10);
                write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
            }
            None => write!(f, "{} ns", self.0),
        }
    }
}

/// The last packet of each core.
#[derive(Clone, Debug, Default)]
pub struct Continuity {
    last: Vec<Header>,
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

    /// Another recording begins: of no core there was a packet.
    pub fn forget(&mut self) {
        self.last.clear();
    }

    /// What is missing ahead of a packet, which follows the others in the stream.
    ///
    /// Of the first packet of a recording, see [`starts_anew`](Self::starts_anew), only what was discarded ahead of it
    /// is told. The same packet once more is no news. The 2^15 packets of half a turn of the sequence that are lost in
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
fn goes_on(last: &Header, header: &Header) -> bool {
    let has_discarded = header.discarded.wrapping_sub(last.discarded) < 1 << 31;
    let missing = missing_between(last, header);
    has_discarded && (missing == 0 || header.begin >= last.end && missing < 1 << 15)
}
