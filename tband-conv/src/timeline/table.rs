//! Objects by the id that the target gave them, in the order in which they were first seen.
//!
//! Ids are usually small and dense, so small ones are looked up in a vector, others in a map. The
//! number of objects is bounded, so that damaged ids cannot fill the memory.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

/// Objects of one kind that are told apart.
pub const MAX_OBJECTS: usize = 1 << 16;

/// Keys below this are looked up directly.
const DENSE: usize = 4096;

/// Handle of an object in its [`Table`], stable for the whole conversion and dense from 0.
pub struct Ref<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    const fn new(index: u32) -> Self {
        Self { index, of: PhantomData }
    }

    /// Position in the order of first appearance, from 0: an index for a sink's own tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Ref<T> {}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// What objects are looked up by.
pub trait Key: Copy + Eq + Hash {
    /// A small number that stands for this key alone, if there is one.
    fn dense(self) -> Option<usize>;
}

impl Key for u32 {
    fn dense(self) -> Option<usize> {
        usize::try_from(self).ok().filter(|&key| key < DENSE)
    }
}

/// Objects of one kind.
#[derive(Clone, Debug)]
pub struct Table<K, T> {
    /// For each small key the position of its object plus one, or 0.
    dense: Vec<u32>,
    sparse: HashMap<K, u32>,
    /// First object of each key that has had several.
    replaced: HashMap<K, u32>,
    items: Vec<T>,
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: HashMap::new(),
            replaced: HashMap::new(),
            items: Vec::new(),
        }
    }
}

impl<K: Key, T> Table<K, T> {
    /// The object of this key.
    #[inline(always)]
    #[must_use]
    pub fn find(&self, key: K) -> Option<Ref<T>> {
        let slot = match key.dense() {
            Some(dense) => self.dense.get(dense).copied().unwrap_or(0),
            None => self.sparse.get(&key).copied().unwrap_or(0),
        };
        slot.checked_sub(1).map(Ref::new)
    }

    /// The object that had this key first, which another may have by now.
    #[must_use]
    pub fn first(&self, key: K) -> Option<Ref<T>> {
        let now = self.find(key)?;
        Some(self.replaced.get(&key).copied().map_or(now, Ref::new))
    }

    /// Adds an object under `key`, in place of one that has it; `None` if the table is full.
    #[inline(never)]
    pub fn insert(&mut self, key: K, item: T) -> Option<Ref<T>> {
        if self.items.len() >= MAX_OBJECTS {
            return None;
        }
        let index = u32::try_from(self.items.len()).ok()?;
        if let Some(old) = self.find(key) {
            self.replaced.entry(key).or_insert(old.index);
        }
        match key.dense() {
            Some(dense) => {
                if self.dense.len() <= dense {
                    self.dense.resize(dense + 1, 0);
                }
                *self.dense.get_mut(dense)? = index + 1;
            }
            None => {
                self.sparse.insert(key, index + 1);
            }
        }
        self.items.push(item);
        Some(Ref::new(index))
    }
}

impl<K, T> Table<K, T> {
    /// The object of a handle.
    #[inline]
    #[must_use]
    pub fn get(&self, of: Ref<T>) -> Option<&T> {
        self.items.get(of.index())
    }

    /// The object of a handle.
    #[inline]
    pub fn get_mut(&mut self, of: Ref<T>) -> Option<&mut T> {
        self.items.get_mut(of.index())
    }

    /// All objects in the order of first appearance, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Ref<T>, &mut T)> {
        (0_u32..).map(Ref::new).zip(&mut self.items)
    }

    /// All objects in the order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        (0_u32..).map(Ref::new).zip(&self.items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_keys_are_found() {
        let mut table = Table::default();
        for (position, key) in [7, 0, u32::MAX, 4095, 4096].into_iter().enumerate() {
            assert!(table.find(key).is_none());
            let new = table.insert(key, key).unwrap();
            assert_eq!(new.index(), position);
            assert_eq!(table.find(key), Some(new));
            assert_eq!(table.get(new), Some(&key));
        }
        let again = table.insert(7, 70).unwrap();
        assert_eq!(table.find(7), Some(again));
        assert_eq!(table.iter().count(), 6);
    }

    #[test]
    fn the_number_of_objects_is_bounded() {
        let mut table = Table::default();
        for key in 0..MAX_OBJECTS as u32 {
            assert!(table.insert(key * 17, ()).is_some());
        }
        assert!(table.insert(3, ()).is_none());
        assert!(table.find(3).is_none());
    }
}
