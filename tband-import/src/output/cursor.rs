//! Reads the entries of an output.

use tband_format::Event;
use tband_format::decode::Decoded;

use super::{AS_IT_IS, CORE, Content, Entry, HEAD, LONG, Output, Place};

/// A position in an output: before its first entry at first. It is valid while entries are appended, and until the output is cleared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    /// Where the next record begins.
    at: usize,
    /// The number of the next entry without a record.
    other: usize,
    /// The number of the next long length.
    long: usize,
    core: u32,
    last: Place,
}

/// An entry.
#[derive(Clone, Copy, Debug)]
pub enum Record<'o> {
    /// An event.
    Event(EventRecord<'o>),
    /// An event that has no record, or a break.
    Other(&'o Entry),
}

/// An event whose fields are in fixed widths.
#[derive(Clone, Copy, Debug)]
pub struct EventRecord<'o> {
    /// Its id in the registry.
    pub id: u8,
    /// Its time in ticks; of metadata that of the event before.
    pub ts: u64,
    /// The bytes from its fields on, for [`Event::from_fixed`].
    pub fields: &'o [u8],
    /// Its core.
    pub core: u32,
    /// As that of an [`Entry`].
    pub at: i64,
    /// As that of an [`Entry`].
    pub len: u32,
}

impl<'o> EventRecord<'o> {
    /// Returns the event, with its text.
    #[inline]
    #[must_use]
    pub fn decode(&self) -> Option<Decoded<'o>> {
        Event::from_fixed(self.id, self.ts, self.fields)
    }
}

impl<'o> Record<'o> {
    /// The event with its text, if it is one. `out` is the output that has the entry.
    #[must_use]
    pub fn decode(&self, out: &'o Output) -> Option<Decoded<'o>> {
        match self {
            Self::Event(event) => event.decode(),
            Self::Other(entry) => match &entry.content {
                Content::Event(decoded) => Some(out.event(entry, decoded)),
                Content::Break(_) | Content::Lost(_) => None,
            },
        }
    }

    /// Its core.
    #[must_use]
    pub const fn core(&self) -> u32 {
        match self {
            Self::Event(event) => event.core,
            Self::Other(entry) => entry.core,
        }
    }

    /// Its offset, as that of an [`Entry`].
    #[must_use]
    pub const fn at(&self) -> i64 {
        match self {
            Self::Event(event) => event.at,
            Self::Other(entry) => entry.at,
        }
    }
}

impl Cursor {
    /// The position after the last entry.
    #[must_use]
    pub const fn at_end(out: &Output) -> Self {
        let (other, long) = (out.others.len(), out.long.len());
        Self { at: out.used, other, long, core: out.core, last: out.last }
    }

    /// There is an entry after the position.
    #[inline]
    #[must_use]
    pub const fn has_next(&self, out: &Output) -> bool {
        self.at < out.used
    }

    /// Returns the next entry, and moves behind it.
    #[inline]
    pub fn next<'o>(&mut self, out: &'o Output) -> Option<Record<'o>> {
        if self.at >= out.used {
            return None;
        }
        match out.records.get(self.at..)? {
            [AS_IT_IS | CORE, ..] => {
                let (after, record) = self.special(out)?;
                *self = after;
                Some(record)
            }
            rest => self.event(rest, out).map(Record::Event),
        }
    }

    /// Reads the record of an event at the front of `rest`, which begins at the position.
    #[inline]
    fn event<'o>(&mut self, rest: &'o [u8], out: &'o Output) -> Option<EventRecord<'o>> {
        let (&[id, len, low, high, a, b, c, d], fields) = rest.split_first_chunk::<HEAD>()?;
        let Self { last, core, .. } = self;
        last.at = last.at.wrapping_add(u16::from_le_bytes([low, high]).into());
        last.ts = last.ts.wrapping_add(u32::from_le_bytes([a, b, c, d]).into());
        self.at += HEAD + Event::fixed_len(id, fields).unwrap_or(0);
        let len = if len == LONG { take_long(&mut self.long, out) } else { len.into() };
        Some(EventRecord { id, ts: last.ts, fields, core: *core, at: last.at, len })
    }

    /// Reads what follows here: another core, or an entry without a record. Returns the position after it. By value, so that a cursor
    /// can be in registers.
    #[cold]
    fn special<'o>(mut self, out: &'o Output) -> Option<(Self, Record<'o>)> {
        if let [CORE, core, ..] = out.records.get(self.at..)? {
            self.core = u32::from(*core);
            self.at += 2;
        }
        let rest = out.records.get(self.at..)?;
        let record = if let [AS_IT_IS, ..] = rest {
            let entry = out.others.get(self.other)?;
            self.at += 1;
            self.other += 1;
            self.last = self.last.after(entry);
            Record::Other(entry)
        } else {
            Record::Event(self.event(rest, out)?)
        };
        Some((self, record))
    }
}

/// Takes the next long length.
#[cold]
fn take_long(next: &mut usize, out: &Output) -> u32 {
    let len = out.long.get(*next).copied().unwrap_or(0);
    *next += 1;
    len
}
