//! The open sequences, and their times.

use crate::encoding::{ByteSink, entry};
use crate::items::Items;

/// Bytes of a unit of time, such as `ns`.
const UNIT: usize = 7;

/// State of an open sequence. The caller provides the memory; its previous contents are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequence {
    last: i64,
    rate: u32,
    item: u16,
    is_open: u8,
    unit_len: u8,
    unit: [u8; 8],
}

impl Sequence {
    /// Creates a sequence. The unit must have at most seven bytes.
    pub fn of(item: u32, unit: &[u8], start: i64, rate: u32) -> Option<Self> {
        let mut copy = [0; 8];
        if unit.is_empty() || unit.len() > UNIT {
            return None;
        }
        copy.iter_mut().zip(unit).for_each(|(to, from)| *to = *from);
        let (item, unit_len) = (item as u16, unit.len() as u8);
        Some(Self { last: start, rate, item, is_open: 1, unit_len, unit: copy })
    }

    /// The item that was opened.
    pub fn item(&self) -> u32 {
        self.item.into()
    }

    /// Returns its current time.
    pub const fn last(&self) -> i64 {
        self.last
    }

    /// Writes the entry that opens it at its present time.
    pub fn open(&self, out: &mut impl ByteSink) {
        let unit = self.unit.get(..self.unit_len.into()).unwrap_or(&self.unit);
        entry::open(out, self.item(), unit, self.last, self.rate);
    }
}

/// Bytes of the entry that opens a sequence, at most: tag, item, unit, start and rate.
pub const OPEN_LEN: usize = 2 + 3 + 1 + UNIT + 1 + 8 + 5;

/// All that may be open at a time.
#[derive(Debug)]
pub struct Sequences<'m>(pub &'m mut [Sequence]);

impl Sequences<'_> {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.fill(Sequence::default());
    }

    /// Returns the open sequences.
    pub fn open(&self) -> impl Iterator<Item = &Sequence> {
        self.0.iter().filter(|it| it.is_open != 0)
    }

    /// Returns the place of an unused sequence.
    pub fn free(&self) -> Option<usize> {
        self.0.iter().position(|it| it.is_open == 0)
    }

    /// Returns the sequence that was opened with this item itself.
    pub fn of(&self, item: u32) -> Option<usize> {
        self.0.iter().position(|it| it.is_open != 0 && it.item() == item)
    }

    /// Returns the sequence that an item belongs to.
    #[inline(never)]
    pub fn around(&self, items: &Items<'_>, item: u32) -> Option<usize> {
        self.0.iter().position(|it| it.is_open != 0 && items.is_below(item, it.item()))
    }

    /// Returns the sequence at a place.
    pub fn at(&self, place: usize) -> Option<&Sequence> {
        self.0.get(place)
    }

    /// Keeps one.
    pub fn set(&mut self, place: usize, sequence: Sequence) {
        if let Some(to) = self.0.get_mut(place) {
            *to = sequence;
        }
    }

    /// Sets its current time.
    pub fn advance(&mut self, place: usize, time: i64) {
        if let Some(sequence) = self.0.get_mut(place) {
            sequence.last = time;
        }
    }

    /// Ends a sequence.
    pub fn end(&mut self, place: usize) {
        if let Some(sequence) = self.0.get_mut(place) {
            sequence.is_open = 0;
        }
    }
}
