//! The timeline of a recording: rows of slices, packed for the page that draws them.
//!
//! Memory is bounded: when there are more slices than the limit, neighbours that are too short to be visible at normal zoom
//! become one aggregate. It has the time of each class of slices and the longest of them, or the minimum and the
//! maximum level. The length below which slices are merged rises only as far as needed, and slices of rare kinds stay separate.

mod aggregate;
mod class;
mod lane;
mod omitted_items;
mod pack;
mod row;
mod sink;
mod text;

use std::collections::HashMap;

use tband_conv::load::CoreTimes;
use tband_conv::model::{PerCore, World};
use tband_conv::sinks::FindingQuota;
use tband_conv::tracks::RunningTasks;

use self::lane::Lane;
use self::row::{Row, RowSubject};
use self::text::TextTable;

pub use self::omitted_items::OmittedItems;

/// Default maximum number of slices.
pub const MAX_SLICES: usize = 3 << 20;
/// As much as an aggregate takes, in memory and in a page, slices do.
const WEIGHT: usize = 2;
/// The shortest time below which neighbours become one, in ns.
const FINEST: i64 = 256;

/// Collects the timeline. It is complete once the conversion has ended.
#[derive(Clone, Debug)]
pub struct ReportTimeline {
    rows: Vec<Row>,
    places: HashMap<RowSubject, usize>,
    texts: TextTable,
    /// One aggregate takes as much space, in memory and in a page, as this many slices.
    findings: FindingQuota,
    /// The owner of each core's time.
    times: CoreTimes,
    running: RunningTasks,
    /// Time of the last change on each core.
    last_ns: PerCore<Option<i64>>,
    /// First and last time.
    start_ns: Option<i64>,
    end_ns: i64,
    /// The number of kept slices, and its maximum.
    count: usize,
    max: usize,
    /// Shorter slices may be merged with their neighbours, in ns; 0 if none were.
    resolution: i64,
    packed: pack::PackedTimeline,
    left_out: OmittedItems,
}

impl Default for ReportTimeline {
    fn default() -> Self {
        Self::with_at_most(MAX_SLICES)
    }
}

impl ReportTimeline {
    /// Keeps at most this number of slices, plus one for each lane. An aggregate counts as two.
    #[must_use]
    pub fn with_at_most(max: usize) -> Self {
        Self {
            rows: Vec::new(),
            places: HashMap::new(),
            texts: TextTable::with_at_most(max),
            findings: FindingQuota::default(),
            times: CoreTimes::default(),
            running: RunningTasks::default(),
            last_ns: PerCore::default(),
            start_ns: None,
            end_ns: 0,
            count: 0,
            max,
            resolution: 0,
            packed: pack::PackedTimeline::default(),
            left_out: OmittedItems::default(),
        }
    }

    /// Returns the timeline so far, as if the recording ended at this time, in ns; the original stays open. `world` is the
    /// state at that time.
    #[must_use]
    pub fn until(&self, world: &World, end_ns: i64) -> Self {
        let mut copy = self.clone();
        copy.end(world, end_ns);
        copy
    }

    /// Ends the timeline at this time.
    fn end(&mut self, world: &World, end_ns: i64) {
        self.end_ns = end_ns;
        self.end_tasks(end_ns);
        for lane in self.lanes() {
            lane.set(end_ns, None);
        }
        self.count_texts(true);
        self.pack(world);
    }

    fn row(&mut self, of: RowSubject) -> &mut Row {
        let index = *self.places.entry(of).or_insert(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(Row::new(of));
        }
        &mut self.rows[index]
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

    /// Merges slices to reduce their number: first the new ones, at the same resolution as before.
    #[cold]
    fn merge(&mut self, world: &World) {
        self.count_texts(false);
        // A rare slice separates its neighbours, so it counts as three.
        let texts = self.texts.of_lanes(world, self.max as u64 / 16);
        // At least half of it may be kept, because twice the time halves the slices kept before.
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
