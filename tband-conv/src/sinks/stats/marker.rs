//! Markers: spans, instants, values.

use super::spread::{End, Spread};
use crate::number::Number;

/// The numbers of one event marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkerStats {
    /// Number that the firmware gave it.
    pub id: u32,
    /// Name, or `evtmarker` and its id.
    pub name: String,
    /// Name of the task that owns the marker; `None` if it is global.
    pub task: Option<String>,
    /// Instants.
    pub instants: u64,
    /// Spans, from begin to end.
    pub spans: Spread,
    /// Spans that are still open at the end of the recording.
    pub open: usize,

    /// When the open ones began, innermost last.
    pub(super) begins: Vec<i64>,
}

impl MarkerStats {
    /// The innermost open span ends at this moment.
    pub(super) fn end(&mut self, ns: i64, end: End) {
        if let Some(begin) = self.begins.pop() {
            self.spans.add_until(ns.saturating_sub(begin), ns, end);
        }
    }

    /// Adds the figures of the same marker in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        self.instants = self.instants.saturating_add(later.instants);
        self.spans.join(later.spans);
        self.open = self.open.saturating_add(later.open);
    }

    /// The recording ends.
    pub(super) fn finish(&mut self, ns: i64) {
        self.open = self.begins.len();
        while !self.begins.is_empty() {
            self.end(ns, End::Open);
        }
    }
}

/// The numbers of one value marker, or of a counter of records.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ValueStats {
    /// Number that the firmware gave it.
    pub id: u32,
    /// Name, or `valmarker` and its id.
    pub name: String,
    /// Name of the task that owns the marker; `None` if it is global.
    pub task: Option<String>,
    /// How often it took a value.
    pub count: u64,
    /// Least value.
    pub min: Number,
    /// Greatest value.
    pub max: Number,
    /// When it had that first, in ns.
    pub max_at: i64,
    /// Last value.
    pub last: Number,
}

impl ValueStats {
    /// Adds the figures of the same marker in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        if later.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = later;
            return;
        }
        self.count = self.count.saturating_add(later.count);
        self.min = self.min.min(later.min);
        if later.max.is_above(self.max) {
            (self.max, self.max_at) = (later.max, later.max_at);
        }
        self.last = later.last;
    }

    #[inline]
    pub(super) fn add(&mut self, ns: i64, value: Number) {
        if self.count == 0 {
            (self.min, self.max, self.max_at) = (value, value, ns);
        }
        self.count = self.count.saturating_add(1);
        self.min = self.min.min(value);
        if value.is_above(self.max) {
            (self.max, self.max_at) = (value, ns);
        }
        self.last = value;
    }
}
