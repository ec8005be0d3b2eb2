//! Objects by the id that the target gave them, in the order in which they were first seen.
//!
//! Ids are usually small and dense, so small ones are looked up in a vector, others in a map. The
//! number of objects is bounded, so that damaged ids cannot fill the memory.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;

/// Objects of one kind that are distinguished.
pub const MAX_OBJECTS: usize = 1 << 16;

/// Keys with a number below this are looked up directly.
const DENSE: usize = 4096;

/// Handle of an object in its [`Table`], stable for the whole conversion and dense from 0.
pub struct Ref<T> {
    /// One more than the index, so that an optional handle is no larger.
    position: NonZeroU32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    const fn new(index: u32) -> Self {
        Self { position: NonZeroU32::MIN.saturating_add(index), of: PhantomData }
    }

    /// Position in the order of first appearance, from 0: an index for a sink's own tables.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.position.get() - 1) as usize
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
        self.position == other.position
    }
}

impl<T> Eq for Ref<T> {}

impl<T> Hash for Ref<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
    }
}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index())
    }
}

/// What objects are looked up by.
pub trait Key: Copy + Eq + Hash {
    /// A number that stands for this key alone, if there is one. Small ones are looked up directly.
    fn dense(self) -> Option<usize>;
}

impl Key for u32 {
    #[inline]
    fn dense(self) -> Option<usize> {
        Some(self as usize)
    }
}

/// Objects of one kind.
#[derive(Clone, Debug)]
pub struct Table<K, T> {
    /// The object of each small key.
    dense: Vec<Option<Ref<T>>>,
    sparse: HashMap<K, Ref<T>>,
    /// First object of each key that has had several.
    replaced: HashMap<K, Ref<T>>,
    /// Last object of each key that was passed on and has none now.
    released: HashMap<K, Ref<T>>,
    items: Vec<T>,
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: HashMap::new(),
            replaced: HashMap::new(),
            released: HashMap::new(),
            items: Vec::new(),
        }
    }
}

impl<K: Key, T> Table<K, T> {
    /// The object of this key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: K) -> Option<Ref<T>> {
        match key.dense().and_then(|dense| self.dense.get(dense)) {
            Some(slot) => *slot,
            None => self.find_sparse(key),
        }
    }

    #[inline(never)]
    fn find_sparse(&self, key: K) -> Option<Ref<T>> {
        self.sparse.get(&key).copied()
    }

    /// The object that had this key first, which another may have by now.
    #[must_use]
    pub fn first(&self, key: K) -> Option<Ref<T>> {
        self.replaced.get(&key).copied().or_else(|| self.find(key))
    }

    /// The object that had this key last, if it was passed on and none has it now.
    #[must_use]
    pub(crate) fn released(&self, key: K) -> Option<Ref<T>> {
        self.released.get(&key).copied()
    }

    /// No object has this key any more; the one that had it is known as the last.
    pub(crate) fn pass_on(&mut self, key: K) {
        if let Some(old) = self.find(key) {
            self.release(key);
            self.released.insert(key, old);
        }
    }

    /// The object that had this key last has it again. Where a table is full, an object of one run counts with that of the
    /// run before.
    pub(crate) fn revive(&mut self, key: K) -> Option<Ref<T>> {
        let old = self.released(key)?;
        self.bind(key, old);
        Some(old)
    }

    /// A key that none has is this object's again.
    pub(crate) fn bind(&mut self, key: K, old: Ref<T>) {
        self.released.remove(&key);
        match key.dense().and_then(|dense| self.dense.get_mut(dense)) {
            Some(slot) => *slot = Some(old),
            None => drop(self.sparse.insert(key, old)),
        }
    }

    /// No object has this key any more; those that had it keep their handles.
    pub(crate) fn release(&mut self, key: K) {
        let Some(old) = self.find(key) else { return };
        self.replaced.entry(key).or_insert(old);
        match key.dense().and_then(|dense| self.dense.get_mut(dense)) {
            Some(slot) => *slot = None,
            None => drop(self.sparse.remove(&key)),
        }
    }

    /// Adds an object under `key`, in place of one that has it; `None` if the table is full.
    #[inline(never)]
    pub fn insert(&mut self, key: K, item: T) -> Option<Ref<T>> {
        if self.items.len() >= MAX_OBJECTS {
            return None;
        }
        let new = Ref::new(u32::try_from(self.items.len()).ok()?);
        if let Some(old) = self.find(key) {
            self.replaced.entry(key).or_insert(old);
        }
        self.released.remove(&key);
        if let Some(dense) = key.dense().filter(|dense| *dense < DENSE) {
            if self.dense.len() <= dense {
                self.dense.resize(dense + 1, None);
            }
            *self.dense.get_mut(dense)? = Some(new);
        } else {
            self.sparse.insert(key, new);
        }
        self.items.push(item);
        Some(new)
    }
}

impl<K, T> Table<K, T> {
    /// Number of objects.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

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

    /// The objects of two handles that are not the same.
    #[inline]
    pub(crate) fn both_mut(&mut self, one: Ref<T>, other: Ref<T>) -> Option<[&mut T; 2]> {
        self.items.get_disjoint_mut([one.index(), other.index()]).ok()
    }

    /// All objects in the order of first appearance, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Ref<T>, &mut T)> {
        (0_u32..).map(Ref::new).zip(&mut self.items)
    }

    /// All objects in the order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        (0_u32..).map(Ref::new).zip(&self.items)
    }

    /// Those after the first so many, which takes no longer the more there are before.
    pub(crate) fn after(&self, count: usize) -> impl Iterator<Item = &T> {
        self.items.iter().skip(count)
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
    fn a_released_key_has_no_object() {
        let mut table = Table::default();
        for key in [7, 5000] {
            let old = table.insert(key, ()).unwrap();
            table.pass_on(key);
            assert_eq!((table.find(key), table.released(key)), (None, Some(old)));
            assert_eq!(table.first(key), Some(old));
            let new = table.insert(key, ()).unwrap();
            assert_eq!((table.find(key), table.released(key)), (Some(new), None));
            assert_eq!(table.first(key), Some(old));
        }
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
