//! A dump of the ring buffer: the structure as it is in memory, between two markers.

use super::event::MAX_EVENT;
use super::header::{Header, NoHeader};
use super::words::Layout;

/// The start of a ring buffer in memory.
pub const RING: [u8; 12] = [5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8];
/// Largest ring that is read, in bytes.
const MAX_SIZE: usize = 64 << 20;
/// Bytes of events of other cores that show that a core ends early.
const EARLY: usize = 16 * MAX_EVENT;
/// Words of 32 bits before the pointer to a core's buffer.
const FIELDS: usize = 10;

/// The structure at a marker.
#[derive(Debug)]
pub enum RingStructure {
    /// A ring of so many bytes, from the marker on.
    Ring(usize),
    /// More bytes are needed.
    Short,
    /// It is something else.
    Other,
}

/// How many bytes the ring has whose marker these bytes begin with.
pub fn size(bytes: &[u8]) -> RingStructure {
    let header = match Header::read(bytes.get(RING.len()..).unwrap_or_default()) {
        Ok(header) => header,
        Err(NoHeader::Short) => return RingStructure::Short,
        Err(NoHeader::Other) => return RingStructure::Other,
    };
    let table = usize::try_from(header.entries).unwrap_or(usize::MAX);
    let buffer_at = RING.len().saturating_add(header.len);
    let buffer_at = buffer_at.saturating_add(table.saturating_mul(header.entry_len));
    if buffer_at > MAX_SIZE {
        return RingStructure::Other;
    }
    let Some(size) = header.layout.size(bytes, buffer_at) else { return RingStructure::Short };
    let total = buffer_at.saturating_add(header.layout.word_len()).saturating_add(size);
    if total > MAX_SIZE { RingStructure::Other } else { RingStructure::Ring(total) }
}

/// The events of a ring, in the order of time.
#[derive(Debug, Default)]
pub struct Ring {
    pub events: Vec<u8>,
    /// Events that did not fit after the ring was full.
    pub dropped: u64,
    pub is_overwriting: bool,
    /// Cores whose part was full before the recording ended.
    pub full: Vec<FullPart>,
    /// Bytes of the ring.
    pub size: usize,
}

/// The header of a ring, and where its table begins.
pub fn header(bytes: &[u8]) -> Option<(Header, usize)> {
    let header = Header::read(bytes.get(RING.len()..)?).ok()?;
    let table = RING.len() + header.len;
    Some((header, table))
}

impl Ring {
    /// Reads the buffers of all cores. `bytes` begins with the marker.
    pub fn read(bytes: &[u8], header: &Header, table: usize) -> Self {
        let layout = header.layout;
        let entries = usize::try_from(header.entries).unwrap_or(0);
        let at = table.saturating_add(entries.saturating_mul(header.entry_len));
        let size = layout.size(bytes, at).unwrap_or(0);
        let buffer = bytes.get(at.saturating_add(layout.word_len())..).unwrap_or_default();
        let buffer = buffer.get(..size).unwrap_or(buffer);
        let cores = usize::try_from(header.cores).unwrap_or(1).max(1);
        let of_core = size / cores / layout.word_len() * layout.word_len();
        let mut ring = Self { size, ..Self::default() };
        let mut parts: Vec<Part> = Vec::new();
        for core in 0..cores {
            let from = core.saturating_mul(of_core);
            let part = buffer.get(from..).unwrap_or_default();
            let part = if cores == 1 { part } else { part.get(..of_core).unwrap_or(part) };
            parts.push(ring.part(layout, part).unwrap_or_default());
        }
        (ring.events, ring.full) = match parts.pop() {
            Some(only) if parts.is_empty() => (only.events, Vec::new()),
            last => {
                parts.extend(last);
                merged(header, &parts)
            }
        };
        ring
    }

    /// The events of a core, the oldest one first.
    fn part(&mut self, layout: Layout, part: &[u8]) -> Option<Part> {
        let field =
            |index: usize| layout.u32(part, index * 4).and_then(|it| usize::try_from(it).ok());
        let (head, tail, size, mode) = (field(0)?, field(1)?, field(2)?, field(3)?);
        let (dropped, slack) = (field(4)?, field(6)?);
        self.dropped = self.dropped.saturating_add(dropped as u64);
        self.is_overwriting |= mode == 1;
        let data = part.get(FIELDS * 4 + layout.word_len()..)?;
        let data = data.get(..size).unwrap_or(data);
        let piece = |from: usize, to: usize| {
            let to = to.min(data.len());
            data.get(from.min(to)..to).unwrap_or_default()
        };
        let events = if head >= tail {
            piece(tail, head).to_vec()
        } else {
            [piece(tail, size.saturating_sub(slack)), piece(0, head)].concat()
        };
        // The recorder does not count what did not fit.
        let is_full = mode == 0 && size.saturating_sub(head) < MAX_EVENT;
        Some(Part { events, is_full })
    }
}

/// A core whose part was full before the last event of others.
#[derive(Clone, Copy, Debug)]
pub struct FullPart {
    pub core: usize,
    /// Where it ends in the events.
    pub end: usize,
    /// So many events of others follow that some of this core are missing.
    pub is_early: bool,
}

/// The part of a core.
#[derive(Debug, Default)]
struct Part {
    /// Its events, the oldest one first.
    events: Vec<u8>,
    /// It has no room for a long event, and keeps the oldest ones.
    is_full: bool,
}

/// Events of several cores in the order of time, and which cores end before others because they are full.
fn merged(header: &Header, parts: &[Part]) -> (Vec<u8>, Vec<FullPart>) {
    let layout = header.layout;
    let rising = |raw| header.counter.rising(raw, header.period);
    let latest = rising(header.latest);
    let mut at = vec![0_usize; parts.len()];
    let total = parts.iter().map(|part| part.events.len()).sum();
    let (mut all, mut full) = (Vec::with_capacity(total), Vec::new());
    loop {
        let event = |core: usize| {
            let from = at.get(core).copied()?;
            let part = &parts.get(core)?.events;
            let len = 8 + usize::from(layout.u16(part, from)? >> 12) * layout.word_len();
            let age = latest.wrapping_sub(rising(layout.u32(part, from + 4)?));
            Some((age, core, from, (from + len).min(part.len())))
        };
        // The oldest one; of those the one of the lowest core.
        let next = (0..parts.len())
            .filter_map(event)
            .max_by_key(|(age, core, ..)| (*age, std::cmp::Reverse(*core)));
        let Some((_, core, from, to)) = next else { return (all, full) };
        let Some(part) = parts.get(core) else { return (all, full) };
        all.extend_from_slice(part.events.get(from..to).unwrap_or_default());
        if let Some(at) = at.get_mut(core) {
            *at = to;
        }
        let is_last = to == part.events.len();
        if is_last && part.is_full && total > all.len() {
            let (end, is_early) = (all.len(), total - all.len() > EARLY);
            full.push(FullPart { core, end, is_early });
        }
    }
}
