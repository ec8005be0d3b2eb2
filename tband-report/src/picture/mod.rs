//! The picture of a recording: rows of stretches, packed for the page that draws them.
//!
//! Memory is bounded: when there are more stretches than [`MAX_STRETCHES`], neighbours that are too short to be seen
//! unless one looks at a small part become one, and the page says so.

mod lane;
mod pack;
mod row;
mod sink;
mod text;

use std::collections::HashMap;

use self::row::{Of, Owner, Row};
use self::text::{Text, Texts};

/// Stretches that are kept.
pub const MAX_STRETCHES: usize = 3 << 20;

/// Collects what happened. It is whole once the conversion has ended.
#[derive(Clone, Debug)]
pub struct Picture {
    rows: Vec<Row>,
    places: HashMap<Of, usize>,
    texts: Texts,
    /// Time of the last change on each core.
    last_ns: Vec<i64>,
    /// First and last time.
    start_ns: Option<i64>,
    end_ns: i64,
    /// Stretches that are kept, and how many may be.
    count: usize,
    max: usize,
    /// What is shorter may be one with its neighbours, in ns; 0 if nothing was.
    resolution: i64,
    packed: pack::Packed,
}

impl Default for Picture {
    fn default() -> Self {
        Self::with_at_most(MAX_STRETCHES)
    }
}

impl Picture {
    /// Keeps no more stretches than this, beside one of each lane.
    #[must_use]
    pub fn with_at_most(max: usize) -> Self {
        Self {
            rows: Vec::new(),
            places: HashMap::new(),
            texts: Texts::default(),
            last_ns: Vec::new(),
            start_ns: None,
            end_ns: 0,
            count: 0,
            max,
            resolution: 0,
            packed: pack::Packed::default(),
        }
    }

    fn row(&mut self, of: Of, owner: Owner) -> Option<&mut Row> {
        let index = *self.places.entry(of).or_insert(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(Row::new(of, owner));
        }
        self.rows.get_mut(index)
    }

    /// There are so many stretches more.
    fn more(&mut self, count: usize) {
        self.count += count;
        if self.count > self.max {
            self.merge();
        }
    }

    /// Makes fewer of them.
    #[cold]
    fn merge(&mut self) {
        let many = self.texts.number(Text::Many);
        for _ in 0..64 {
            self.resolution = self.resolution.saturating_mul(4).max(256);
            for row in &mut self.rows {
                row.last_wait = None;
                for lane in &mut row.lanes {
                    lane.merge(self.resolution, many);
                }
            }
            self.count = self.rows.iter().flat_map(|row| &row.lanes).map(|it| it.done.len()).sum();
            if self.count <= self.max / 2 {
                return;
            }
        }
        // As few as can be: a long recording of more rows than there may be stretches.
        self.max = self.max.max(self.count.saturating_mul(2));
    }
}
