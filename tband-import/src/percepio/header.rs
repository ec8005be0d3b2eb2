//! The header of a stream, its description of the clock, and the entries of its table.

use super::codes::Codes;
use super::words::{Layout, until_zero};

/// Versions of the format that this importer reads: of the recorder 4.6 to 4.11.
pub const VERSIONS: std::ops::RangeInclusive<u16> = 0x0A..=0x0E;
/// The first version whose header has the recorder's version before the kernel's name, and the period before the frequency.
const NEW_ORDER: u16 = 0x0D;
/// What recordings of a target with words of 64 bits contradict, by the recorder's version.
const OF_4_7: &str = ": its words have 64 bits, but its header means 32, and the lengths of some events count words of 64 bits, those of \
                      others words of 32: record with TraceRecorder 4.8 or later, which states the size";
const OF_4_6: &str = ": its words have 64 bits, but its header means 32, and the lengths of its events count words of 32 bits: record \
                      with TraceRecorder 4.8 or later, which states the size";
/// Bytes up to the description of the clock.
const FIXED: usize = 32;
/// Cores of a recording: their numbers have 4 bits.
pub const MAX_CORES: u32 = 16;
/// Longest name in the table, in bytes.
const MAX_SYMBOL: usize = 512;
/// Most slots of the table.
const MAX_ENTRIES: u64 = 1 << 20;

/// The reason why bytes are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHeader {
    /// More bytes are needed.
    Short,
    /// They are something else.
    Other,
}

/// How the timestamp of an event is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// A counter of 32 bits that runs up.
    Up,
    /// One that runs down.
    Down,
    /// The timer of the kernel's tick, which runs up, and the tick count above it.
    TickUp,
    /// The same, with a timer that runs down.
    TickDown,
}

impl Counter {
    /// A timestamp as a number that rises, but for its wraparounds. `period`: that of the timer of the kernel's tick.
    pub const fn rising(self, raw: u32, period: u32) -> u32 {
        match self {
            Self::Up | Self::TickUp => raw,
            Self::Down => raw.wrapping_neg(),
            Self::TickDown => {
                let count = period.saturating_sub(1).saturating_sub(raw & 0x00FF_FFFF);
                raw & 0xFF00_0000 | count & 0x00FF_FFFF
            }
        }
    }
}

/// The header of a stream.
#[derive(Clone, Debug)]
pub struct Header {
    pub layout: Layout,
    pub version: u16,
    pub cores: u32,
    /// Each core has a stream, and the first one's has this header.
    pub is_split: bool,
    /// Interrupt priorities: the lower number is the more urgent one.
    pub is_low_urgent: bool,
    pub kernel: String,
    pub counter: Counter,
    pub period: u32,
    pub hz: u64,
    pub tick_hz: u32,
    /// Time of the last event, as far as the header knows.
    pub latest: u32,
    pub wraparounds: u32,
    pub tick_count: u32,
    /// Entries of the table that follow the header, in a ring also those that are free.
    pub entries: u64,
    /// States of an entry, in words; bytes of its name, and of all of it.
    pub states: usize,
    pub symbol_len: usize,
    pub entry_len: usize,
    /// Bytes of the header, up to the first entry.
    pub len: usize,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub handle: u64,
    pub state: u64,
    pub options: u32,
    pub name: &'a [u8],
}

/// Byte order of a header and its version, if these bytes begin with one.
pub fn find_begin(bytes: &[u8]) -> Option<(bool, u16)> {
    let is_big = match bytes.first_chunk::<4>()? {
        b"\0FSP" => false,
        b"PSF\0" => true,
        _ => return None,
    };
    let layout = Layout::new(is_big, false);
    Some((is_big, layout.u16(bytes, 4)?))
}

/// Why the events behind a header cannot be told apart, if its recorder is older than 4.8 and its target has words of 64 bits: such a
/// header does not state their size.
pub fn describe_unstated_words(bytes: &[u8]) -> Option<&'static str> {
    let (is_big, version) = find_begin(bytes)?;
    let narrow = Layout::new(is_big, false);
    let options = narrow.u32(bytes, 8)?;
    let is_old = VERSIONS.contains(&version) && version < NEW_ORDER && options & 8 == 0;
    if !is_old || !matches!(Header::read(bytes), Err(NoHeader::Other)) {
        return None;
    }
    // The clock's description is aligned to 8 bytes and has 40. The sizes of the table after it have 4 bytes each in a stream; in a
    // ring, whose header begins at offset 12, they are words.
    let is_table = |at: usize, word: usize| {
        let low = if is_big { word - 4 } else { 0 };
        let size = |index: usize| narrow.u32(bytes, at + low + word * index);
        let is_name = |len: u32| (4..=MAX_SYMBOL).contains(&(len as usize));
        size(1).is_some_and(is_name) && size(2).is_some_and(|states| (1..=16).contains(&states))
    };
    (is_table(FIXED + 40, 4) || is_table(FIXED + 44, 8)).then_some(if version == 0x0C {
        OF_4_7
    } else {
        OF_4_6
    })
}

impl Header {
    /// Reads a header, with the beginning of the table.
    pub fn read(bytes: &[u8]) -> Result<Self, NoHeader> {
        let (is_big, version) = match find_begin(bytes) {
            Some(found) => found,
            None if bytes.len() < 6 => return Err(NoHeader::Short),
            None => return Err(NoHeader::Other),
        };
        if !VERSIONS.contains(&version) {
            return Err(NoHeader::Other);
        }
        Self::fields(bytes, is_big, version).unwrap_or(Err(NoHeader::Short))
    }

    fn fields(bytes: &[u8], is_big: bool, version: u16) -> Option<Result<Self, NoHeader>> {
        let narrow = Layout::new(is_big, false);
        let platform = narrow.u16(bytes, 6)?;
        let options = narrow.u32(bytes, 8)?;
        let layout = Layout { is_big, is_wide: options & 8 != 0, codes: Codes::of(platform) };
        let cores = narrow.u32(bytes, 12)?;
        let (cores, is_split) = (cores & 0xFF, cores >> 8 & 0xFF == 2);
        let is_new = version >= NEW_ORDER;
        let names = bytes.get(20..FIXED)?;
        // Beside the kernel's name is the version of the recorder's port, not that of the recorder.
        let kernel = if is_new { names.get(4..)? } else { names.get(..8)? };
        let kernel = String::from_utf8_lossy(until_zero(kernel)).trim().to_owned();

        let word = layout.word_len();
        let kind = narrow.u32(bytes, FIXED)?;
        // Words are aligned to their size.
        let (period_at, hz_at, rest) = match (is_new, layout.is_wide) {
            (true, _) => (FIXED + 4, FIXED + 8, FIXED + 8 + word),
            (false, false) => (FIXED + 8, FIXED + 4, FIXED + 12),
            (false, true) => (FIXED + 16, FIXED + 8, FIXED + 20),
        };
        let hz = layout.word(bytes, hz_at)?;
        let table = (rest + 16).next_multiple_of(word);
        let entries = layout.word(bytes, table)?;
        let symbol_len = layout.size(bytes, table + word)?;
        let states = layout.word(bytes, table + 2 * word)?;
        let counter = match kind {
            1 | 5 => Counter::Up,
            2 | 6 => Counter::Down,
            3 => Counter::TickUp,
            4 => Counter::TickDown,
            _ => return Some(Err(NoHeader::Other)),
        };
        let is_possible = (1..=MAX_CORES).contains(&cores)
            && (4..=MAX_SYMBOL).contains(&symbol_len)
            && (1..=16).contains(&states)
            && entries <= MAX_ENTRIES;
        if !is_possible {
            return Some(Err(NoHeader::Other));
        }
        let states = usize::try_from(states).unwrap_or(3);
        Some(Ok(Self {
            layout,
            version,
            cores,
            is_split,
            is_low_urgent: options & 1 == 0,
            kernel,
            counter,
            period: narrow.u32(bytes, period_at)?,
            hz,
            wraparounds: narrow.u32(bytes, rest)?,
            tick_hz: narrow.u32(bytes, rest + 4)?,
            latest: narrow.u32(bytes, rest + 8)?,
            tick_count: narrow.u32(bytes, rest + 12)?,
            entries,
            states,
            symbol_len,
            entry_len: (word * (1 + states) + 4 + symbol_len).next_multiple_of(word),
            len: table + 3 * word,
        }))
    }

    /// The entry at the start of these bytes.
    pub fn entry<'a>(&self, bytes: &'a [u8]) -> Option<Entry<'a>> {
        let (layout, word) = (self.layout, self.layout.word_len());
        let bytes = bytes.get(..self.entry_len)?;
        let options_at = word * (1 + self.states);
        Some(Entry {
            handle: layout.word(bytes, 0)?,
            state: layout.word(bytes, word)?,
            options: layout.u32(bytes, options_at)?,
            name: until_zero(bytes.get(options_at + 4..options_at + 4 + self.symbol_len)?),
        })
    }
}
