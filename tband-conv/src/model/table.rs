//! Objects by the id that the target gave them, in the order in which they were first seen.
//!
//! Ids are usually small and dense, so small ones are looked up in a vector, others in a map. The
//! number of objects is bounded, so that damaged ids cannot fill the memory.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

/// Objects of one kind that are distinguished.
pub const MAX_OBJECTS: usize = 1 << 16;

/// Keys with a number below this are looked up directly.
const DENSE: usize = 4096;

/// Handle of an object in its [`Table`], stable for the complete conversion and dense from 0.
pub struct Ref<T> {
    /// One more than the index, so that an optional handle is not larger.
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

/// Key that identifies an object.
pub trait Key: Copy + Eq + Hash {
    /// Returns a unique number for this key, if there is one. Small ones are looked up directly.
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
    /// Keys of the current board.
    index: Index<K, T>,
    /// Keys of the other boards, by board.
    parked: Vec<Index<K, T>>,
    board: usize,
    items: Vec<T>,
    /// Board of each object; shorter than the objects while there is one board.
    boards: Vec<u8>,
}

/// The current object of each key of a board.
#[derive(Clone, Debug)]
struct Index<K, T> {
    /// The object of each small key.
    dense: Vec<Option<Ref<T>>>,
    sparse: HashMap<K, Ref<T>, RandomState>,
    /// First object of each key that has had several.
    replaced: HashMap<K, Ref<T>, RandomState>,
    /// Last object of each key that was passed on and has none now.
    released: HashMap<K, Ref<T>, RandomState>,
}

impl<K, T> Default for Index<K, T> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: HashMap::default(),
            replaced: HashMap::default(),
            released: HashMap::default(),
        }
    }
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self {
            index: Index::default(),
            parked: Vec::new(),
            board: 0,
            items: Vec::new(),
            boards: Vec::new(),
        }
    }
}

impl<K: Key, T> Table<K, T> {
    /// The object of this key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: K) -> Option<Ref<T>> {
        match key.dense().and_then(|dense| self.index.dense.get(dense)) {
            Some(slot) => *slot,
            None => self.find_sparse(key),
        }
    }

    #[inline(never)]
    fn find_sparse(&self, key: K) -> Option<Ref<T>> {
        self.index.sparse.get(&key).copied()
    }

    /// The object that had this key first, which another may have by now.
    #[must_use]
    pub fn first(&self, key: K) -> Option<Ref<T>> {
        self.index.replaced.get(&key).copied().or_else(|| self.find(key))
    }

    /// The object that had this key last, if it was passed on and none has it now.
    #[must_use]
    pub(crate) fn released(&self, key: K) -> Option<Ref<T>> {
        self.index.released.get(&key).copied()
    }

    /// No object has this key any more; the one that had it is known as the last.
    pub(crate) fn retire_key(&mut self, key: K) {
        if let Some(old) = self.find(key) {
            self.release(key);
            self.index.released.insert(key, old);
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
        self.index.released.remove(&key);
        match key.dense().and_then(|dense| self.index.dense.get_mut(dense)) {
            Some(slot) => *slot = Some(old),
            None => drop(self.index.sparse.insert(key, old)),
        }
    }

    /// No object has this key any more; those that had it keep their handles.
    pub(crate) fn release(&mut self, key: K) {
        let Some(old) = self.find(key) else { return };
        self.index.replaced.entry(key).or_insert(old);
        match key.dense().and_then(|dense| self.index.dense.get_mut(dense)) {
            Some(slot) => *slot = None,
            None => drop(self.index.sparse.remove(&key)),
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
            self.index.replaced.entry(key).or_insert(old);
        }
        self.index.released.remove(&key);
        if let Some(dense) = key.dense().filter(|dense| *dense < DENSE) {
            if self.index.dense.len() <= dense {
                self.index.dense.resize(dense + 1, None);
            }
            *self.index.dense.get_mut(dense)? = Some(new);
        } else {
            self.index.sparse.insert(key, new);
        }
        if self.board > 0 {
            self.boards.resize(self.items.len(), 0);
            self.boards.push(u8::try_from(self.board).unwrap_or(u8::MAX));
        }
        self.items.push(item);
        Some(new)
    }
}

impl<K, T> Table<K, T> {
    /// Keys are those of this board from now on.
    pub(crate) fn enter(&mut self, board: usize) {
        let more = board.max(self.board).saturating_add(1);
        if self.parked.len() < more {
            self.parked.resize_with(more, Index::default);
        }
        if let Some(own) = self.parked.get_mut(self.board) {
            std::mem::swap(own, &mut self.index);
        }
        if let Some(next) = self.parked.get_mut(board) {
            std::mem::swap(next, &mut self.index);
        }
        self.board = board;
    }

    /// The object of a key on a board.
    pub(crate) fn find_on(&self, board: usize, key: K) -> Option<Ref<T>>
    where
        K: Key,
    {
        if board == self.board {
            return self.find(key);
        }
        let index = self.parked.get(board)?;
        match key.dense().and_then(|dense| index.dense.get(dense)) {
            Some(slot) => *slot,
            None => index.sparse.get(&key).copied(),
        }
    }

    /// The object that had this key first on a board.
    pub(crate) fn first_on(&self, board: usize, key: K) -> Option<Ref<T>>
    where
        K: Key,
    {
        if board == self.board {
            return self.first(key);
        }
        let replaced = self.parked.get(board)?.replaced.get(&key).copied();
        replaced.or_else(|| self.find_on(board, key))
    }

    /// The board of an object.
    pub(crate) fn board_of(&self, of: Ref<T>) -> usize {
        self.boards.get(of.index()).copied().unwrap_or(0).into()
    }

    /// The objects of the current board, in the order of first appearance.
    pub(crate) fn iter_current(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        self.iter().filter(|(of, _)| self.board_of(*of) == self.board)
    }

    /// The objects of the current board, to be changed.
    pub(crate) fn iter_current_mut(&mut self) -> impl Iterator<Item = (Ref<T>, &mut T)> {
        let Self { items, boards, board, .. } = self;
        let all = (0_u32..).map(Ref::new).zip(items);
        all.filter(|(of, _): &(Ref<T>, _)| {
            usize::from(boards.get(of.index()).copied().unwrap_or(0)) == *board
        })
    }

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

    /// Returns the objects after the first `count`, in constant time.
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
            table.retire_key(key);
            assert_eq!((table.find(key), table.released(key)), (None, Some(old)));
            assert_eq!(table.first(key), Some(old));
            let new = table.insert(key, ()).unwrap();
            assert_eq!((table.find(key), table.released(key)), (Some(new), None));
            assert_eq!(table.first(key), Some(old));
        }
    }

    #[test]
    fn each_board_has_its_own_keys() {
        let mut table = Table::default();
        let first = table.insert(7, 'a').unwrap();
        table.enter(1);
        assert_eq!(table.find(7), None);
        let other = table.insert(7, 'b').unwrap();
        table.enter(0);
        assert_eq!((table.find(7), table.get(other)), (Some(first), Some(&'b')));
        let later = table.insert(8, 'c').unwrap();
        let here: Vec<_> = table.iter_current().map(|(of, _)| of).collect();
        assert_eq!(here, [first, later]);
        table.enter(1);
        assert_eq!((table.find(7), table.find(8)), (Some(other), None));
        assert_eq!(table.iter_current_mut().map(|(of, _)| of).collect::<Vec<_>>(), [other]);
        assert_eq!([first, other, later].map(|of| table.board_of(of)), [0, 1, 0]);
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
