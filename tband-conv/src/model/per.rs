//! A value for each object of a kind, each core or each input, by its number, which is dense from 0.

use std::fmt;
use std::marker::PhantomData;

use super::table::Ref;

/// A key that maps to an index of a vector.
pub trait Position: Copy {
    /// Its place among all, from 0.
    fn position(self) -> usize;
}

impl<T> Position for Ref<T> {
    #[inline]
    fn position(self) -> usize {
        self.index()
    }
}

/// With a place in front for none.
impl<T> Position for Option<Ref<T>> {
    fn position(self) -> usize {
        self.map_or(0, |of| of.index().saturating_add(1))
    }
}

/// A core.
impl Position for u32 {
    #[inline]
    fn position(self) -> usize {
        self as usize
    }
}

/// An input, or any other place.
impl Position for usize {
    #[inline]
    fn position(self) -> usize {
        self
    }
}

/// A value for each key that [`entry`](Self::entry) was called with.
pub struct PerKey<K, V> {
    values: Vec<V>,
    by: PhantomData<fn(K)>,
}

/// A value for each object of a kind.
pub type PerRef<T, V> = PerKey<Ref<T>, V>;
/// A value for each core.
pub type PerCore<V> = PerKey<u32, V>;

impl<K: Position, V> PerKey<K, V> {
    /// Whether this key has a value.
    #[inline]
    pub(crate) fn has(&self, key: K) -> bool {
        key.position() < self.values.len()
    }

    /// Returns the value of a key, if there is one.
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.position())
    }

    /// Returns the value of a key, if there is one.
    #[inline]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.values.get_mut(key.position())
    }

    /// The values of two keys, if there are both and they are not the same.
    #[inline]
    pub(crate) fn both_mut(&mut self, one: K, other: K) -> Option<[&mut V; 2]> {
        self.values.get_disjoint_mut([one.position(), other.position()]).ok()
    }

    /// The value of a key, or the usual one.
    #[inline]
    pub(crate) fn copied(&self, key: K) -> V
    where
        V: Copy + Default,
    {
        self.get(key).copied().unwrap_or_default()
    }

    /// Returns the value of a key, which is created if there is none. Keys are bounded, see
    /// [`MAX_OBJECTS`](super::MAX_OBJECTS).
    #[inline]
    pub fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let position = key.position();
        if position >= self.values.len() {
            return self.lengthen(position);
        }
        &mut self.values[position]
    }

    #[cold]
    #[inline(never)]
    fn lengthen(&mut self, position: usize) -> &mut V
    where
        V: Default,
    {
        self.values.resize_with(position + 1, V::default);
        &mut self.values[position]
    }

    /// How many values there are.
    pub(crate) const fn len(&self) -> usize {
        self.values.len()
    }

    /// All values, in the order of their keys.
    pub fn iter(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }

    /// All values, in the order of their keys.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// All values, in the order of their keys.
    pub(crate) fn into_values(self) -> Vec<V> {
        self.values
    }
}

/// The values of the first keys, in their order.
impl<K, V> From<Vec<V>> for PerKey<K, V> {
    fn from(values: Vec<V>) -> Self {
        Self { values, by: PhantomData }
    }
}

impl<K, V> Default for PerKey<K, V> {
    fn default() -> Self {
        Self { values: Vec::new(), by: PhantomData }
    }
}

impl<K, V: Clone> Clone for PerKey<K, V> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), by: PhantomData }
    }
}

impl<K, V: fmt::Debug> fmt::Debug for PerKey<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}
