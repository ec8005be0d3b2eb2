//! A ring keeps the newest entries, in slots of one size, and overwrites the oldest slot.
//!
//! A reader must be able to begin with any slot. So the definitions of a trace (head, items, words of enumerations,
//! members) are stored separately and never overwritten, and a slot begins with the entries that open the currently open
//! sequences, at their current times. A flush writes a separate file: definitions, the opening entries of the oldest
//! slot, its samples and those of all others, and the ends of the sequences that are still open.
//!
//! In memory: the part for definitions, each a length of two bytes and an entry; then slots. A slot is its front, the
//! opening entries, each a length of a byte and the entry, and the samples.

use crate::encoding::{BoundedMemory, entry};
use crate::error::Error;
use crate::handler::{Handler, hand_out};
use crate::items::Items;
use crate::sequences::{OPEN_LEN, Sequences};

/// Bytes in front of a slot: how far it is used, where its samples begin, which of its opening entries it is there for,
/// and how many entries it has. Each is a number of two bytes.
const FRONT: usize = 8;
/// The slot was not begun for an opening entry.
const NONE: usize = 0xFFFF;

/// A ring.
#[derive(Debug)]
pub struct Ring<'m> {
    kept: &'m mut [u8],
    kept_used: usize,
    slots: &'m mut [u8],
    slot_len: usize,
    slot_count: usize,
    /// The oldest slot, and how many are in use.
    first: usize,
    in_use: usize,
    /// The last slot ends with the last sample of all.
    has_last: bool,
}

/// The fields in front of a slot.
#[derive(Clone, Copy)]
struct Front {
    used: usize,
    samples: usize,
    opened: usize,
    entries: usize,
}

/// Returns the next entry of a sequence of entries, each with its length in front of it.
fn next<'b>(rest: &mut &'b [u8], bytes_of_len: usize) -> Option<&'b [u8]> {
    let mut len = 0;
    for (at, byte) in rest.get(..bytes_of_len)?.iter().enumerate() {
        len |= usize::from(*byte) << (8 * at);
    }
    let end = bytes_of_len.saturating_add(len);
    let found = rest.get(bytes_of_len..end)?;
    *rest = rest.get(end..)?;
    Some(found)
}

/// Returns the tag of an entry, and the item that it belongs to.
fn tag_and_item(bytes: &[u8]) -> Option<(u8, u32)> {
    let (tag, number) = (*bytes.get(1)?, bytes.get(2..)?);
    let mut item = 0;
    for (at, byte) in number.iter().take(3).enumerate() {
        item |= u32::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((tag, item));
        }
    }
    None
}

impl<'m> Ring<'m> {
    /// Creates a ring with `kept` bytes for definitions, and at least two slots of `slot_len` bytes.
    pub fn new(memory: &'m mut [u8], kept: usize, slot_len: usize) -> Option<Self> {
        if slot_len <= FRONT || slot_len >= NONE {
            return None;
        }
        let (kept, slots) = memory.split_at_mut_checked(kept)?;
        // A division of the size of an address, once.
        let slot_count = slots.len().checked_div(slot_len)?;
        (slot_count >= 2).then_some(Self {
            kept,
            kept_used: 0,
            slots,
            slot_len,
            slot_count,
            first: 0,
            in_use: 0,
            has_last: false,
        })
    }

    /// Returns the size of the longest sample that fits a slot with this number of sequences.
    pub const fn capacity(&self, sequences: usize) -> usize {
        // Limits the number, because a larger one does not fit a slot either, and a saturating operation needs a 64-bit
        // product.
        let sequences = if sequences < NONE { sequences } else { NONE };
        let fronts = FRONT.saturating_add(sequences.wrapping_mul(1 + OPEN_LEN));
        self.slot_len.saturating_sub(fronts)
    }

    /// Keeps a definition of at most `limit` bytes, unless there is the same already.
    pub fn define(
        &mut self,
        limit: usize,
        write: &mut dyn FnMut(&mut BoundedMemory<'_>),
    ) -> Result<(), Error> {
        let (old, free) = self.kept.split_at_mut_checked(self.kept_used).ok_or(Error::Argument)?;
        let Some((len_at, place)) = free.split_at_mut_checked(2) else { return Err(Error::Full) };
        let is_whole = place.len() >= limit;
        let end = limit.min(place.len());
        let mut room = BoundedMemory::new(place.get_mut(..end).unwrap_or_default());
        write(&mut room);
        let Some(len) = room.written() else {
            return Err(if is_whole { Error::TooLong } else { Error::Full });
        };
        let mut rest = &*old;
        let new = place.get(..len).unwrap_or_default();
        while let Some(known) = next(&mut rest, 2) {
            if known == new {
                return Ok(());
            }
        }
        for (to, from) in len_at.iter_mut().zip((len as u16).to_le_bytes()) {
            *to = from;
        }
        self.kept_used = self.kept_used.saturating_add(2 + len);
        Ok(())
    }

    /// Returns the slot `nth` places after the oldest one.
    fn slot(&self, nth: usize) -> usize {
        let slot = self.first.saturating_add(nth);
        if slot >= self.slot_count { slot.saturating_sub(self.slot_count) } else { slot }
    }

    fn slot_bytes(&self, slot: usize) -> &[u8] {
        let start = slot.wrapping_mul(self.slot_len);
        self.slots.get(start..start.saturating_add(self.slot_len)).unwrap_or_default()
    }

    fn slot_memory(&mut self, slot: usize) -> &mut [u8] {
        let start = slot.wrapping_mul(self.slot_len);
        self.slots.get_mut(start..start.saturating_add(self.slot_len)).unwrap_or_default()
    }

    fn front(&self, slot: usize) -> Front {
        let bytes = self.slot_bytes(slot);
        let number = |at: usize| match bytes.get(at..at.saturating_add(2)) {
            Some(&[low, high]) => usize::from(low) | usize::from(high) << 8,
            _ => 0,
        };
        Front { used: number(0), samples: number(2), opened: number(4), entries: number(6) }
    }

    fn set_front(&mut self, slot: usize, front: Front) {
        let numbers = [front.used, front.samples, front.opened, front.entries];
        for (number, place) in numbers.into_iter().zip(self.slot_memory(slot).chunks_mut(2)) {
            for (to, from) in place.iter_mut().zip((number as u16).to_le_bytes()) {
                *to = from;
            }
        }
    }

    /// Begins a slot with the open sequences, and returns how many entries the overwritten slot had. `opened` is the item
    /// whose sequence the slot is begun for, if any.
    pub fn begin(&mut self, sequences: &Sequences<'_>, opened: Option<u32>) -> u32 {
        let mut overwritten = 0;
        if self.in_use >= self.slot_count {
            overwritten = self.front(self.first).entries as u32;
            self.first = self.slot(1);
            self.in_use = self.in_use.saturating_sub(1);
        }
        let slot = self.slot(self.in_use);
        self.in_use = self.in_use.saturating_add(1);
        self.has_last = false;
        let mut at = FRONT;
        let mut its_own = NONE;
        let memory = self.slot_memory(slot);
        for sequence in sequences.open() {
            let Some((len_at, place)) = memory.get_mut(at..).and_then(<[u8]>::split_first_mut)
            else {
                break;
            };
            let mut room = BoundedMemory::new(place);
            sequence.open(&mut room);
            let Some(len) = room.written() else { break };
            *len_at = len as u8;
            if opened == Some(sequence.item()) {
                its_own = at;
            }
            at = at.saturating_add(1 + len);
        }
        self.set_front(slot, Front { used: at, samples: at, opened: its_own, entries: 0 });
        overwritten
    }

    /// Adds a sample or another entry that is not a definition to the newest slot; `Full` if it does not fit.
    pub fn attempt(
        &mut self,
        limit: usize,
        write: &mut dyn FnMut(&mut BoundedMemory<'_>),
    ) -> Result<(), Error> {
        let Some(newest) = self.in_use.checked_sub(1) else { return Err(Error::Full) };
        let slot = self.slot(newest);
        let front = self.front(slot);
        let free = self.slot_memory(slot).get_mut(front.used..).unwrap_or_default();
        let is_whole = free.len() >= limit;
        let end = limit.min(free.len());
        let mut room = BoundedMemory::new(free.get_mut(..end).unwrap_or_default());
        write(&mut room);
        let Some(len) = room.written() else {
            return Err(if is_whole { Error::TooLong } else { Error::Full });
        };
        let used = front.used.saturating_add(len);
        let entries = front.entries.saturating_add(1).min(NONE);
        self.set_front(slot, Front { used, entries, ..front });
        self.has_last = true;
        Ok(())
    }

    /// Returns whether the last sample is in the newest slot, so that additions to it can be written.
    pub const fn has_last(&self) -> bool {
        self.has_last
    }

    /// Passes everything on as a file, and empties the slots if the handler took all of it. Without samples nothing is
    /// passed on.
    pub fn hand_out(
        &mut self,
        handler: &mut dyn Handler,
        items: &Items<'_>,
        sequences: &Sequences<'_>,
    ) -> Result<(), Error> {
        if self.in_use == 0 {
            return Ok(());
        }
        if !self.hand_out_all(handler, items, sequences) {
            return Err(Error::Handler);
        }
        self.in_use = 0;
        self.has_last = false;
        Ok(())
    }

    fn hand_out_all(
        &self,
        handler: &mut dyn Handler,
        items: &Items<'_>,
        sequences: &Sequences<'_>,
    ) -> bool {
        let is_item = |bytes: &[u8]| tag_and_item(bytes).is_some_and(|(tag, _)| tag < entry::OPEN);
        if !self.kept_entries().filter(|it| is_item(it)).all(|it| hand_out(handler, it)) {
            return false;
        }
        for nth in 0..self.in_use {
            let slot = self.slot(nth);
            let front = self.front(slot);
            let bytes = self.slot_bytes(slot);
            let mut opening = bytes.get(FRONT..front.samples).unwrap_or_default();
            let whole = opening.len();
            loop {
                let at = FRONT.saturating_add(whole.saturating_sub(opening.len()));
                let Some(open) = next(&mut opening, 1) else { break };
                let is_new = nth == 0 || at == front.opened;
                if is_new && !self.opened(handler, items, open) {
                    return false;
                }
            }
            let samples = bytes.get(front.samples..front.used).unwrap_or_default();
            if !hand_out(handler, samples) {
                return false;
            }
        }
        sequences.open().all(|sequence| {
            let mut memory = [0; OPEN_LEN];
            let mut room = BoundedMemory::new(&mut memory);
            entry::close(&mut room, sequence.item(), sequence.last());
            let len = room.written().unwrap_or(0);
            hand_out(handler, memory.get(..len).unwrap_or_default())
        })
    }

    fn kept_entries(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.kept.get(..self.kept_used).unwrap_or_default();
        core::iter::from_fn(move || next(&mut rest, 2))
    }

    /// Passes on an opening entry, and then the words and members of its items, which must follow it.
    fn opened(&self, handler: &mut dyn Handler, items: &Items<'_>, open: &[u8]) -> bool {
        let Some((_, opened)) = tag_and_item(open) else { return false };
        let is_below = |bytes: &[u8]| {
            tag_and_item(bytes)
                .is_some_and(|(tag, item)| tag >= entry::OPEN && items.is_below(item, opened))
        };
        hand_out(handler, open)
            && self.kept_entries().filter(|it| is_below(it)).all(|it| hand_out(handler, it))
    }
}
