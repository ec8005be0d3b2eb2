//! The open sequences of a trace. Each belongs to an item, and to the items in it that have none of their own.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::domain::Domain;

/// A sequence that is open.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    pub domain: Domain,
    /// Time of its last sample, in the domain's unit.
    pub last: i64,
}

/// The open sequences, by their items; that of the item 0 is of all items.
#[derive(Debug, Default)]
pub struct Sequences {
    open: Vec<(u32, Sequence)>,
    /// Where the sequence of an item is among them.
    places: HashMap<u32, usize, FixedState>,
}

impl Sequences {
    /// Where the sequence of an item is. It is valid until a sequence opens or closes.
    pub fn place(&self, item: u32) -> Option<usize> {
        self.places.get(&item).copied()
    }

    /// The sequence at a place.
    #[inline]
    pub fn at_mut(&mut self, place: usize) -> Option<&mut Sequence> {
        self.open.get_mut(place).map(|(_, sequence)| sequence)
    }

    /// The sequence of an item begins. If it is open, it begins again.
    pub fn open(&mut self, item: u32, sequence: Sequence) {
        let place = *self.places.entry(item).or_insert(self.open.len());
        match self.open.get_mut(place) {
            Some(known) => *known = (item, sequence),
            None => self.open.push((item, sequence)),
        }
    }

    /// The sequence of an item ends. Returns it, if it was open.
    pub fn close(&mut self, item: u32) -> Option<Sequence> {
        let place = self.places.remove(&item)?;
        if place >= self.open.len() {
            return None;
        }
        let (_, closed) = self.open.swap_remove(place);
        if let Some((moved, _)) = self.open.get(place) {
            self.places.insert(*moved, place);
        }
        Some(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_has_its_sequence() {
        let mut sequences = Sequences::default();
        let sequence = |last| Sequence { domain: Domain::default(), last };
        for item in [0, 7, 9] {
            sequences.open(item, sequence(item.into()));
        }
        sequences.open(7, sequence(70));
        assert_eq!(sequences.close(0).map(|it| it.last), Some(0));
        let mut last = |item| {
            let place = sequences.place(item)?;
            sequences.at_mut(place).map(|it| it.last)
        };
        assert_eq!([0, 7, 9].map(&mut last), [None, Some(70), Some(9)]);
        assert!(sequences.close(0).is_none());
        assert_eq!([9, 7].map(|item| sequences.close(item).map(|it| it.last)), [Some(9), Some(70)]);
        assert!(sequences.open.is_empty() && sequences.places.is_empty());
    }
}
