//! What is open, and its times.

use crate::encoding::{Out, entry};
use crate::items::Items;

/// Bytes of a unit of time, such as `ns`.
const UNIT: usize = 7;

/// What a trace remembers of a sequence that is open. Memory of the caller; what is in it before does not matter.
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
    /// One that begins. The unit must have at most seven bytes.
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

    /// The time that it has come to.
    pub const fn last(&self) -> i64 {
        self.last
    }

    /// The entry that opens it at its present time.
    pub fn open(&self, out: &mut impl Out) {
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

    /// Those that are open.
    pub fn open(&self) -> impl Iterator<Item = &Sequence> {
        self.0.iter().filter(|it| it.is_open != 0)
    }

    /// A place for another one.
    pub fn free(&self) -> Option<usize> {
        self.0.iter().position(|it| it.is_open == 0)
    }

    /// The one that an item was opened by itself with.
    pub fn of(&self, item: u32) -> Option<usize> {
        self.0.iter().position(|it| it.is_open != 0 && it.item() == item)
    }

    /// The one that an item belongs to.
    #[inline(never)]
    pub fn around(&self, items: &Items<'_>, item: u32) -> Option<usize> {
        self.0.iter().position(|it| it.is_open != 0 && items.is_below(item, it.item()))
    }

    /// The one of a place.
    pub fn at(&self, place: usize) -> Option<&Sequence> {
        self.0.get(place)
    }

    /// Keeps one.
    pub fn set(&mut self, place: usize, sequence: Sequence) {
        if let Some(to) = self.0.get_mut(place) {
            *to = sequence;
        }
    }

    /// It has come to a time.
    pub fn advance(&mut self, place: usize, time: i64) {
        if let Some(sequence) = self.0.get_mut(place) {
            sequence.last = time;
        }
    }

    /// It has ended.
    pub fn end(&mut self, place: usize) {
        if let Some(sequence) = self.0.get_mut(place) {
            sequence.is_open = 0;
        }
    }
}
