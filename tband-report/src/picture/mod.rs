//! The picture of a recording: rows of slices, packed for the page that draws them.
//!
//! Memory is bounded: when there are more slices than may be kept, neighbours that are too short to be seen unless one
//! looks at a small part become one [aggregate](aggregate): it has the time of each class of slices and the longest of
//! them, or the least and the greatest level. What an aggregate is shorter than rises only as far as is needed, and
//! slices of which there are few stay what they are.

mod aggregate;
mod class;
mod lane;
mod left_out;
mod pack;
mod row;
mod sink;
mod text;

use std::collections::HashMap;

use tband_conv::load::CoreTime;
use tband_conv::sinks::FindingQuota;
use tband_conv::timeline::{PerCore, World};

use self::lane::Lane;
use self::row::{Of, Owner, Row};
use self::text::Texts;

pub use self::left_out::LeftOut;

/// Slices that are kept unless somebody says otherwise.
pub const MAX_SLICES: usize = 3 << 20;
/// As much as an aggregate takes, in memory and in a page, slices do.
const WEIGHT: usize = 2;
/// The shortest time below which neighbours become one, in ns.
const FINEST: i64 = 256;

/// Collects what happened. It is whole once the conversion has ended.
#[derive(Clone, Debug)]
pub struct Picture {
    rows: Vec<Row>,
    places: HashMap<Of, usize>,
    texts: Texts,
    /// How many findings have words of their own.
    findings: FindingQuota,
    /// Who owns the time of each core.
    times: PerCore<CoreTime>,
    /// Time of the last change on each core.
    last_ns: Vec<i64>,
    /// First and last time.
    start_ns: Option<i64>,
    end_ns: i64,
    /// What is kept, in slices, and how much may be.
    count: usize,
    max: usize,
    /// What is shorter may be one with its neighbours, in ns; 0 if nothing was.
    resolution: i64,
    packed: pack::Packed,
    left_out: LeftOut,
}

impl Default for Picture {
    fn default() -> Self {
        Self::with_at_most(MAX_SLICES)
    }
}

impl Picture {
    /// Keeps no more slices than this, beside one of each lane. An aggregate counts as two.
    #[must_use]
    pub fn with_at_most(max: usize) -> Self {
        Self {
            rows: Vec::new(),
            places: HashMap::new(),
            texts: Texts::with_at_most(max),
            findings: FindingQuota::default(),
            times: PerCore::default(),
            last_ns: Vec::new(),
            start_ns: None,
            end_ns: 0,
            count: 0,
            max,
            resolution: 0,
            packed: pack::Packed::default(),
            left_out: LeftOut::default(),
        }
    }

    /// What it is by now, as if the recording ended at this time, in ns; it goes on itself. `world` is as it is then.
    #[must_use]
    pub fn until(&self, world: &World, end_ns: i64) -> Self {
        let mut copy = self.clone();
        copy.end(world, end_ns);
        copy
    }

    /// Nothing comes after this time.
    fn end(&mut self, world: &World, end_ns: i64) {
        self.end_ns = end_ns;
        self.end_tasks(end_ns);
        for lane in self.lanes() {
            lane.set(end_ns, None);
        }
        self.count_texts(true);
        self.pack(world);
    }

    fn row(&mut self, of: Of, owner: Owner) -> Option<&mut Row> {
        let index = *self.places.entry(of).or_insert(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(Row::new(of, owner));
        }
        self.rows.get_mut(index)
    }

    fn lanes(&mut self) -> impl Iterator<Item = &mut Lane> {
        self.rows.iter_mut().flat_map(|row| &mut row.lanes)
    }

    /// Counts slices by their texts. `all`: also those that may still get another text.
    fn count_texts(&mut self, all: bool) {
        for lane in self.rows.iter_mut().flat_map(|row| &mut row.lanes) {
            for text in lane.uncounted(all) {
                self.texts.count(text);
            }
        }
    }

    /// Makes fewer of them: first of what is new, as short as before.
    #[cold]
    fn merge(&mut self, world: &World) {
        self.count_texts(false);
        // What is rare takes its neighbours apart, so it is three.
        let texts = self.texts.of_lanes(world, self.max as u64 / 16);
        // Half of it may be kept at least, since twice the time makes half of what was kept before.
        let enough = self.max / 4 * 3;
        self.resolution = self.resolution.max(FINEST);
        loop {
            for row in &mut self.rows {
                row.merge(self.resolution, &texts);
            }
            let weight = |lane: &Lane| lane.done.len() + lane.aggregates.len() * (WEIGHT - 1);
            self.count = self.rows.iter().flat_map(|row| &row.lanes).map(weight).sum();
            if self.count <= enough {
                return;
            }
            let Some(coarser) = self.resolution.checked_mul(2) else { break };
            self.resolution = coarser;
        }
        // As few as can be: a long recording of more rows than there may be slices.
        self.max = self.max.max(self.count.saturating_mul(2));
    }
}

#[cfg(test)]
mod tests;
