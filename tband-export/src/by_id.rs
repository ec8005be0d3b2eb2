//! Values by numbers from the target. Most of them are small, so small ones are looked up directly.

use std::collections::HashMap;

/// Numbers below this are looked up directly.
const DENSE: u32 = 4096;

/// A value for each number.
#[derive(Clone, Debug)]
pub struct ById<V> {
    dense: Vec<Option<V>>,
    sparse: HashMap<u32, V>,
}

impl<V> Default for ById<V> {
    fn default() -> Self {
        Self { dense: Vec::new(), sparse: HashMap::new() }
    }
}

impl<V> ById<V> {
    /// The value of a number, if it has one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&V> {
        if id < DENSE { self.dense.get(id as usize)?.as_ref() } else { self.sparse.get(&id) }
    }

    /// Returns the value of a number, which is created if it has none.
    pub fn entry(&mut self, id: u32) -> &mut V
    where
        V: Default,
    {
        if id >= DENSE {
            return self.sparse.entry(id).or_default();
        }
        let at = id as usize;
        if self.dense.len() <= at {
            self.dense.resize_with(at + 1, || None);
        }
        self.dense[at].get_or_insert_with(V::default)
    }

    /// Sets the value of a number; returns the previous one.
    pub fn insert(&mut self, id: u32, value: V) -> Option<V> {
        if id >= DENSE {
            return self.sparse.insert(id, value);
        }
        let at = id as usize;
        if self.dense.len() <= at {
            self.dense.resize_with(at + 1, || None);
        }
        self.dense[at].replace(value)
    }

    /// A number has no value any more; the one that it had.
    pub fn remove(&mut self, id: u32) -> Option<V> {
        if id < DENSE { self.dense.get_mut(id as usize)?.take() } else { self.sparse.remove(&id) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_as_small_ones() {
        for id in [0, 1, DENSE - 1, DENSE, u32::MAX] {
            let mut values = ById::default();
            assert_eq!(values.get(id), None);
            assert_eq!(values.remove(id), None);
            assert_eq!(values.insert(id, 5), None);
            *values.entry(id) += 1;
            assert_eq!(values.insert(id, 7), Some(6));
            assert_eq!(values.get(id), Some(&7));
            assert_eq!(values.remove(id), Some(7));
            assert_eq!(values.get(id), None);
            assert_eq!(*values.entry(id), 0);
            assert_eq!(values.get(id ^ 1), None);
        }
    }
}
