//! One row for each object over all runs of the target.
//!
//! A reset ends every object, so each run has objects with separate figures. At the end the figures of the same object in
//! several runs are joined. Objects are the same if name and kind agree. If a run has several of one name and kind, their
//! numbers have to agree too. An object without a name is the same within its run only: a number alone does not
//! identify it, since another firmware may run after the reset.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::model::{Life, PerRef};

/// Identity of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity<'w, K> {
    pub name: Option<&'w str>,
    pub kind: K,
    pub id: u32,
    /// The run that it belongs to.
    pub run: u32,
}

impl<'w, K> Identity<'w, K> {
    pub fn new(name: Option<&'w String>, kind: K, id: u32, life: Life) -> Self {
        Self { name: name.map(String::as_str), kind, id, run: life.run }
    }
}

/// Objects with the same key are one.
#[derive(PartialEq, Eq, Hash)]
enum Key<'w, K> {
    Named(&'w str, K),
    /// The last one counts the objects of this name, kind and number within the run.
    Numbered(&'w str, K, u32, u32),
    /// The object at this place among all is the same as no other one.
    Unnamed(usize),
}

/// The row of each object of a kind, by the object's place among all.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// `None` if there is one run: each object has a row.
    of: Option<Vec<usize>>,
}

impl Rows {
    /// The rows of these objects, in the order in which the objects appeared.
    pub fn new<'w, K: Copy + Eq + Hash>(objects: impl Iterator<Item = Identity<'w, K>>) -> Self {
        let objects: Vec<_> = objects.collect();
        let first = objects.first().map(|object| object.run);
        if objects.iter().all(|object| Some(object.run) == first) {
            return Self::default();
        }
        let mut seen = HashSet::new();
        let mut repeated = HashSet::new();
        for &Identity { name, kind, run, .. } in &objects {
            if name.is_some() && !seen.insert((name, kind, run)) {
                repeated.insert((name, kind));
            }
        }
        let mut counts = HashMap::new();
        let mut rows = HashMap::new();
        let row = |(place, object): (usize, Identity<'w, K>)| {
            let Identity { name, kind, id, run } = object;
            let key = match name {
                None => Key::Unnamed(place),
                Some(text) if repeated.contains(&(name, kind)) => {
                    let count = counts.entry((text, kind, id, run)).or_insert(0_u32);
                    *count = count.saturating_add(1);
                    Key::Numbered(text, kind, id, *count)
                }
                Some(text) => Key::Named(text, kind),
            };
            let next = rows.len();
            *rows.entry(key).or_insert(next)
        };
        Self { of: Some(objects.into_iter().enumerate().map(row).collect()) }
    }

    /// The row of the object at this place.
    pub fn row(&self, place: usize) -> usize {
        self.of.as_ref().and_then(|of| of.get(place)).copied().unwrap_or(place)
    }

    /// Joins the values of objects that share a row. Then there is a value for each row.
    pub fn join_all<T, V>(&self, values: &mut PerRef<T, V>, join: impl Fn(&mut V, V)) {
        *values = self.join(std::mem::take(values).into_values(), join).into();
    }

    /// As [`join_all`](Self::join_all), of values by the place of their objects.
    fn join<V>(&self, values: Vec<V>, join: impl Fn(&mut V, V)) -> Vec<V> {
        let Some(of) = &self.of else { return values };
        let mut joined: Vec<V> = Vec::new();
        // Rows are numbered in the order in which they appear.
        for (row, value) in of.iter().zip(values) {
            match joined.get_mut(*row) {
                Some(known) => join(known, value),
                None => joined.push(value),
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(objects: &[(Option<&'static str>, u32, u32, u32)]) -> Vec<usize> {
        let identity = |&(name, kind, id, run)| Identity { name, kind, id, run };
        let rows = Rows::new(objects.iter().map(identity));
        (0..objects.len()).map(|place| rows.row(place)).collect()
    }

    #[test]
    fn the_same_name_and_kind_in_several_runs_is_one_row() {
        let (a, b) = (Some("a"), Some("b"));
        assert_eq!(rows(&[(a, 0, 1, 0), (b, 0, 2, 0), (b, 0, 1, 1), (a, 0, 2, 1)]), [0, 1, 1, 0]);
        // Another kind.
        assert_eq!(rows(&[(a, 0, 1, 0), (a, 1, 1, 1), (a, 1, 1, 2)]), [0, 1, 1]);
        // One run.
        assert_eq!(rows(&[(a, 0, 1, 0), (a, 0, 1, 0), (None, 0, 1, 0)]), [0, 1, 2]);
        assert_eq!(rows(&[]), [0; 0]);
    }

    #[test]
    fn numbers_count_where_a_run_has_a_name_twice() {
        let a = Some("a");
        assert_eq!(
            rows(&[(a, 0, 1, 0), (a, 0, 2, 0), (a, 0, 2, 1), (a, 0, 1, 1), (a, 0, 3, 2)]),
            [0, 1, 1, 0, 2]
        );
        // The number, too, is given out again within a run.
        assert_eq!(
            rows(&[(a, 0, 1, 0), (a, 0, 1, 0), (a, 0, 1, 1), (a, 0, 1, 1), (a, 0, 1, 1)]),
            [0, 1, 0, 1, 2]
        );
    }

    #[test]
    fn an_object_without_a_name_is_the_same_in_its_run_only() {
        assert_eq!(rows(&[(None, 0, 1, 0), (None, 0, 1, 1), (Some("a"), 0, 1, 1)]), [0, 1, 2]);
    }
}
