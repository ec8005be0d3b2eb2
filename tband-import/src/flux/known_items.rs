//! The scopes and signals of a trace by their ids.

use std::cell::Cell;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::role::Role;

/// Recorders count ids up from 1. Items with an id below this are looked up by their places in a list, without hashing.
const NEAR: u32 = 1024;

/// A scope or a signal.
#[derive(Debug)]
pub struct Item {
    pub parent: u32,
    pub name: Box<str>,
    /// The type of its data; none of a scope.
    pub kind: Option<u8>,
    pub role: Role,
    /// A span is open on it.
    pub is_open: bool,
    /// Its name, or that of its task, is in the recording.
    pub is_named: bool,
    /// Where the sequence is that samples of it belong to, and the state of the trace in which that was so.
    pub sequence: Cell<(u32, Option<usize>)>,
}

/// All items.
#[derive(Debug, Default)]
pub struct KnownItems {
    near: Vec<Option<Item>>,
    far: HashMap<u32, Item, FixedState>,
    count: usize,
}

impl KnownItems {
    /// Number of items.
    pub const fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn get(&self, id: u32) -> Option<&Item> {
        match self.near.get(id as usize) {
            Some(place) => place.as_ref(),
            None => self.far.get(&id),
        }
    }

    #[inline]
    pub fn get_mut(&mut self, id: u32) -> Option<&mut Item> {
        match self.near.get_mut(id as usize) {
            Some(place) => place.as_mut(),
            None => self.far.get_mut(&id),
        }
    }

    /// Adds an item, or replaces the one with this id.
    pub fn insert(&mut self, id: u32, item: Item) {
        let before = if id < NEAR {
            let least = id as usize + 1;
            if self.near.len() < least {
                self.near.resize_with(least, || None);
            }
            self.near.get_mut(id as usize).and_then(|place| place.replace(item))
        } else {
            self.far.insert(id, item)
        };
        self.count += usize::from(before.is_none());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> Item {
        Item {
            parent: 0,
            name: name.into(),
            kind: None,
            role: Role::Nothing,
            is_open: false,
            is_named: false,
            sequence: Cell::default(),
        }
    }

    #[test]
    fn items_of_any_id_are_found() {
        let mut items = KnownItems::default();
        let ids = [5, 1, NEAR - 1, NEAR, u32::MAX];
        for id in ids {
            items.insert(id, item("first"));
        }
        items.insert(1, item("second"));
        items.insert(NEAR, item("second"));
        assert_eq!(items.count(), ids.len());
        let name = |id| items.get(id).map(|item: &Item| &*item.name);
        assert_eq!(ids.map(name), ["first", "second", "first", "second", "first"].map(Some));
        assert_eq!([0, 2, NEAR + 1].map(name), [None; 3]);
        items.get_mut(u32::MAX).unwrap().is_open = true;
        assert!(items.get(u32::MAX).unwrap().is_open && items.get_mut(2).is_none());
    }
}
