//! Passing over events in packets: what they say, and when they are, is of no interest.

use crate::field::FieldKind;
use crate::reader::nul_at;
use crate::registry::{EVENTS, EventDef};

/// Which events are passed over, by their ids.
///
/// The two bits that say how long an event's time is are right after its id. So these ten bits tell where the
/// event's fields lie, of which most are bytes without a top bit; then all there is to do is add a length.
#[derive(Debug)]
pub struct PassOver {
    /// By those ten bits: where the top bits of fields are, or [`LONG`].
    tops: [u64; 1 << 10],
    /// By those ten bits: the length of the event if none of these is set.
    lens: [u8; 1 << 10],
    /// By id: how many numbers an event has, with [`TEXT`] if a string follows; [`KEPT`] if it is not passed over, or
    /// has other fields.
    fields: [u8; 256],
}

const TEXT: u8 = 0x80;
const KEPT: u8 = 0xFF;
/// Set where the layout alone is not enough. The fields of an event lie below.
const LONG: u64 = 1 << 63;
/// More bytes than an event with a layout has.
const WORD: u8 = 8;

impl PassOver {
    /// All events but those with these ids, and those that do not exist.
    #[must_use]
    pub const fn all_but(kept: &[bool; 256]) -> Self {
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

    /// How many bytes in front are whole events that are passed over, and how many events that are. It may be fewer
    /// than there are.
    // On its own, so that all of it is in registers.
    #[inline(never)]
    #[must_use]
    pub fn pass(&self, bytes: &[u8]) -> (usize, u64) {
        let mut events = 0;
        let taken = self.each(bytes, |_, _| events += 1);
        (taken, events)
    }

    /// As [`pass`](Self::pass), and shows the id of each event and how many bytes it has.
    #[inline]
    pub fn each(&self, bytes: &[u8], mut passed: impl FnMut(u8, usize)) -> usize {
        let mut rest = bytes;
        loop {
            rest = self.each_short(rest, &mut passed);
            let Some(after) = self.pass_long(rest) else { break };
            passed(rest.first().copied().unwrap_or_default(), rest.len() - after.len());
            rest = after;
        }
        bytes.len() - rest.len()
    }

    /// The bytes after the events in front whose layout is enough.
    #[inline]
    fn each_short<'a>(&self, bytes: &'a [u8], passed: &mut impl FnMut(u8, usize)) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(word) = rest.first_chunk() {
            let word = u64::from_le_bytes(*word);
            let at = (word & 0x3FF) as usize;
            if self.tops[at] & (word | LONG) != 0 {
                break;
            }
            // Below it anyway; so there is no check.
            let len = usize::from(self.lens[at] % WORD);
            rest = rest.get(len..).unwrap_or_default();
            passed(word as u8, len);
        }
        rest
    }

    /// The bytes after an event of any length that is passed over.
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

/// The layout of an event with a time of this many bytes, and its length.
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

/// See [`PassOver::fields`].
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
