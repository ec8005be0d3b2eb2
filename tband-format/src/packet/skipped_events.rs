//! Passing over events in packets: what they say, and when they are, is of no interest.

use crate::field::FieldKind;
use crate::reader::nul_at;
use crate::registry::{EVENTS, EventDef};

/// The ids of the events to skip.
///
/// The two bits for the length of an event's time directly follow its id. So these ten bits determine where the
/// event's fields are. Most fields are bytes with a clear top bit; then skipping an event takes only the addition of
/// a length.
#[derive(Debug)]
pub struct SkippedEvents {
    /// By those ten bits: the positions of the fields' top bits, or [`LONG`].
    tops: [u64; 1 << 10],
    /// By those ten bits: the length of the event if none of the top bits is set.
    lens: [u8; 1 << 10],
    /// By id: the count of an event's numbers, with [`TEXT`] if a string follows; [`KEPT`] if the event is not
    /// skipped, or has other fields.
    fields: [u8; 256],
}

const TEXT: u8 = 0x80;
const KEPT: u8 = 0xFF;
/// Set if the layout alone does not determine the length. The fields of an event are below this bit.
const LONG: u64 = 1 << 63;
/// More bytes than an event with a layout has.
const WORD: u8 = 8;

impl SkippedEvents {
    /// Skips all events except those with these ids, and unknown ones.
    #[must_use]
    pub const fn all_except(kept: &[bool; 256]) -> Self {
        let (tops, lens) = ([LONG; 1 << 10], [0; 1 << 10]);
        let mut it = Self { tops, lens, fields: [KEPT; 256] };
        let mut index = 0;
        while index < EVENTS.len() {
            let event = &EVENTS[index];
            let id = event.id as usize;
            if !kept[id] {
                it.fields[id] = fields_of(event);
                let mut which = 0;
                while which < 4 {
                    let at = id | which << 8;
                    (it.tops[at], it.lens[at]) = layout_of(event, 1 << which);
                    which += 1;
                }
            }
            index += 1;
        }
        it
    }

    /// Returns the number of bytes at the front that are complete events to skip, and the number of these events. It
    /// may stop early.
    // Not inlined, so that all of its state is in registers.
    #[inline(never)]
    #[must_use]
    pub fn pass(&self, bytes: &[u8]) -> (usize, u64) {
        let mut events = 0;
        let taken = self.each(bytes, |_, _| events += 1);
        (taken, events)
    }

    /// Like [`pass`](Self::pass), and reports the id and the length in bytes of each event.
    #[inline]
    pub fn each(&self, bytes: &[u8], mut passed: impl FnMut(u8, usize)) -> usize {
        let mut rest = bytes;
        loop {
            rest = self.for_each_short(rest, &mut passed);
            let Some(after) = self.pass_long(rest) else { break };
            passed(rest.first().copied().unwrap_or_default(), rest.len() - after.len());
            rest = after;
        }
        bytes.len() - rest.len()
    }

    /// Returns the bytes after the events at the front whose length the layout determines.
    #[inline]
    fn for_each_short<'a>(&self, bytes: &'a [u8], passed: &mut impl FnMut(u8, usize)) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(word) = rest.first_chunk() {
            let word = u64::from_le_bytes(*word);
            let at = (word & 0x3FF) as usize;
            if self.tops[at] & (word | LONG) != 0 {
                break;
            }
            // The length is always below `WORD`; the remainder only avoids a bounds check.
            let len = usize::from(self.lens[at] % WORD);
            rest = rest.get(len..).unwrap_or_default();
            passed(word as u8, len);
        }
        rest
    }

    /// Returns the bytes after an event of any length that is skipped.
    fn pass_long<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let [id, time, ..] = *bytes else { return None };
        let fields = *self.fields.get(usize::from(id)).filter(|fields| **fields != KEPT)?;
        let mut rest = bytes.get(1 + (1 << (time & 3))..)?;
        for _ in 0..fields & !TEXT {
            let end = rest.iter().position(|byte| *byte < 0x80)?;
            rest = rest.get(end + 1..)?;
        }
        if fields & TEXT != 0 {
            rest = rest.get(nul_at(rest)? + 1..)?;
        }
        Some(rest)
    }
}

/// Returns the layout of an event with a time of this many bytes, and its length.
const fn layout_of(event: &EventDef, time_len: usize) -> (u64, u8) {
    let (mut layout, mut at, mut field) = (0, 1 + time_len, 0);
    while field < event.fields.len() {
        match event.fields[field].kind {
            FieldKind::Str => return (LONG, 0),
            // All of its bits count.
            FieldKind::U8 | FieldKind::Enum { .. } => {}
            _ if at < 7 => layout |= 0x80 << (8 * at),
            _ => {}
        }
        at += 1;
        field += 1;
    }
    if at >= WORD as usize { (LONG, 0) } else { (layout, at as u8) }
}

/// See [`SkippedEvents::fields`].
const fn fields_of(event: &EventDef) -> u8 {
    let (mut count, mut field) = (0, 0);
    while field < event.fields.len() {
        match event.fields[field].kind {
            // Nothing follows it.
            FieldKind::Str => return count | TEXT,
            FieldKind::U8 | FieldKind::Enum { .. } => return KEPT,
            _ => count += 1,
        }
        field += 1;
    }
    count
}
