//! Scopes and signals.

/// From when to when, and what.
pub type Slice = (i64, i64, String);

/// A value at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When, in the unit of the sequence.
    pub at: i64,
    /// The value as text; none where it ends.
    pub value: Option<String>,
    /// Something is missing before it.
    pub is_tainted: bool,
}

/// An item.
#[derive(Debug)]
pub struct Item {
    /// The scope that it is in, 0 for the root.
    pub parent: u64,
    /// Its name.
    pub name: String,
    /// The type of its data; none of a scope.
    pub kind: Option<u8>,
    /// How it is shown.
    pub descriptor: String,
    /// Its values, with times.
    pub slices: Vec<Slice>,
    /// All its samples.
    pub samples: Vec<Sample>,
    pub(crate) now: Option<(i64, String)>,
}

impl Item {
    /// Times and values of its samples that have one.
    #[must_use]
    pub fn values(&self) -> Vec<(i64, String)> {
        self.samples.iter().filter_map(|it| Some((it.at, it.value.clone()?))).collect()
    }
}
