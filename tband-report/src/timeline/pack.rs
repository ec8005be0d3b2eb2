//! Packs a timeline for a page: texts and rows as JSON, the slices as bytes.
//!
//! A lane consists of runs: a number of slices, the slices, a number of aggregates, the aggregates, and so on until the lane
//! has as many as the head states. Each slice or aggregate begins with three varints: distance from the end of the previous one
//! (from the timeline's start for the first), length, value. Levels are zigzag, texts are numbers of texts. An aggregate also
//! has the number of its slices, followed by the data of its kind of lane: for slices the length of the longest, and the time
//! of each class that the head names; for levels how far the minimum is below the last level, and the maximum above it. Numbers
//! of double precision, `reals`, are stored as in memory, 8 bytes; an aggregate of them has the minimum and the maximum.
//!
//! After its runs a lane has the slices that were interrupted, as many as the head states: for each the number of slices and
//! aggregates since the previous one, and the time that interrupts took of it. So the viewer adds up the times that
//! [`CoreTime`](tband_conv::load::CoreTime) computed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::json;
use tband_conv::activations::Subject;
use tband_conv::load::is_idle_task_known;
use tband_conv::model::World;
use tband_conv::tracks::Track;

use super::ReportTimeline;
use super::aggregate::{Aggregate, Content};
use super::class::Class;
use super::lane::{Lane, LaneKind, Slice, real_of};
use super::omitted_items::OmittedItems;
use super::row::{Row, RowSubject, ShownRow};
use super::text::LaneTexts;

/// A picture that is packed.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedTimeline {
    /// JSON, as text: of many rows its values would take ten times as much.
    head: String,
    bytes: Vec<u8>,
    places: HashMap<RowSubject, usize>,
}

impl ReportTimeline {
    /// Returns the description of rows and texts as a JSON text, an object: `start_ns` and `end_ns` (as text),
    /// `merged_below_ns`, `texts` (each `[class, words, slices, place of the row that it names]`) and `rows` (`group`, `name`,
    /// `id`, `kind` and `lanes`, each `[kind, slices and aggregates, bytes, classes of aggregates, interrupted slices]`; for a
    /// core also `is_idle_task_known`).
    #[must_use]
    pub fn head_text(&self) -> &str {
        if self.packed.head.is_empty() { "null" } else { &self.packed.head }
    }

    /// Returns the items that it does not contain one by one.
    #[must_use]
    pub const fn left_out(&self) -> OmittedItems {
        self.left_out
    }

    /// Returns the place of the row that shows a task, an interrupt or a timer, if there is one.
    pub(crate) fn place_of(&self, subject: Subject) -> Option<usize> {
        let of = match subject {
            Subject::Task(task) => Track::Task(task),
            Subject::Isr(_, core) => Track::Interrupts(core),
            Subject::Timer(timer) => Track::Active(timer),
        };
        self.packed.places.get(&RowSubject::Track(of)).copied()
    }

    /// The slices of all lanes, in the order in which [`head_text`](Self::head_text) names them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.packed.bytes
    }

    /// Packs everything, and releases the rest.
    pub(super) fn pack(&mut self, world: &World) {
        let start = self.start_ns.unwrap_or(self.end_ns).min(self.end_ns);
        let mut rows = std::mem::take(&mut self.rows);
        self.places.clear();
        rows.retain(has_information);
        self.left_out = OmittedItems::of(&rows, &self.texts, self.resolution);
        // The facts about all texts are computed once, not for each row.
        let texts = self.texts.of_lanes(world, 0);
        let mut rows: Vec<_> = rows.into_iter().map(|row| (row.shown(world), row)).collect();
        // Tasks that ran longest come first, idle ones last.
        rows.sort_by_cached_key(|(shown, row)| {
            let (group, of_track, place) = shown.place;
            (group, of_track, Reverse(ran(&texts, world, row)), row.of.owner().index(), place)
        });
        let places: HashMap<RowSubject, usize> =
            rows.iter().enumerate().map(|(place, (_, row))| (row.of, place)).collect();
        let mut bytes = Vec::new();
        let mut names: HashMap<(&'static str, String), u32> = HashMap::new();
        for (ShownRow { group, name, .. }, _) in &rows {
            *names.entry((*group, name.clone())).or_default() += 1;
        }
        let mut head = format!(
            "{{\"start_ns\":\"{start}\",\"end_ns\":\"{}\",\"merged_below_ns\":{},\"texts\":[",
            self.end_ns, self.left_out.below_ns
        );
        let mut separator = "";
        for text in self.texts.shown(world, &places) {
            // Writing to a string cannot fail.
            let _ = write!(head, "{separator}{}", json!(text));
            separator = ",";
        }
        head.push_str("],\"rows\":[");
        separator = "";
        for (ShownRow { group, mut name, kind, .. }, mut row) in rows {
            let id = row.id(world);
            if let Some(id) = id
                && names.get(&(group, name.clone())).is_some_and(|count| *count > 1)
            {
                name = format!("{name} #{id}");
            }
            let mut lanes = Vec::new();
            for lane in std::mem::take(&mut row.lanes) {
                let before = bytes.len();
                let count = lane.done.len();
                pack_lane(&mut bytes, &lane, (start, self.end_ns));
                let kind = match lane.kind {
                    LaneKind::Slices => "slices",
                    LaneKind::Moments => "moments",
                    LaneKind::Levels => "levels",
                    LaneKind::Reals => "reals",
                };
                let classes: Vec<_> = lane.classes.iter().map(Class::name).collect();
                let interrupted = lane.interrupted.len();
                lanes.push(json!([kind, count, bytes.len() - before, classes, interrupted]));
            }
            let mut shown =
                json!({"group": group, "name": name, "id": id, "kind": kind, "lanes": lanes});
            if let RowSubject::Track(Track::Core(core)) = row.of
                && let Some(members) = shown.as_object_mut()
            {
                let is_known = is_idle_task_known(world, core);
                members.insert("is_idle_task_known".to_owned(), is_known.into());
            }
            let row = shown;
            let _ = write!(head, "{separator}{row}");
            separator = ",";
        }
        head.push_str("]}");
        self.packed = PackedTimeline { head, bytes, places };
    }
}

/// How long the task of a row ran, less than any of one that is idle; 0 in other rows.
fn ran(texts: &LaneTexts<'_>, world: &World, row: &Row) -> i64 {
    let RowSubject::Track(Track::Task(task)) = row.of else { return 0 };
    if world.tasks.get(task).is_some_and(|it| it.idle_of.is_some()) {
        return -1;
    }
    let times = row.lanes.iter().map(|lane| lane.time_of(Class::Running, texts));
    times.fold(0, i64::saturating_add)
}

/// Whether the row has content; a priority that never changes carries no information.
fn has_information(row: &Row) -> bool {
    let count: u64 = row.lanes.iter().map(Lane::count).sum();
    count > u64::from(matches!(row.of, RowSubject::Track(Track::Priority(_))))
}

fn pack_lane(bytes: &mut Vec<u8>, lane: &Lane, bounds: (i64, i64)) {
    let mut before = bounds.0;
    let (mut run, mut count, mut is_aggregates) = (Vec::new(), 0, false);
    for (slice, aggregate) in lane.all() {
        if aggregate.is_some() != is_aggregates {
            varint(bytes, count);
            bytes.append(&mut run);
            (count, is_aggregates) = (0, !is_aggregates);
        }
        count += 1;
        pack_slice(&mut run, lane.kind, slice, (&mut before, bounds.1));
        if let Some(aggregate) = aggregate {
            pack_aggregate(&mut run, lane, slice, aggregate);
        }
    }
    if count > 0 {
        varint(bytes, count);
        bytes.append(&mut run);
    }
    let mut before = 0;
    for (place, interrupted) in &lane.interrupted {
        varint(bytes, (place - before) as u64);
        varint(bytes, interrupted.unsigned_abs());
        before = *place;
    }
}

/// A finding may have a time after the recording's end, that of an event which is not accepted: it is at the end then.
fn pack_slice(bytes: &mut Vec<u8>, kind: LaneKind, slice: &Slice, (before, end): (&mut i64, i64)) {
    let begins = slice.start.clamp(*before, end);
    let ends = slice.end.clamp(begins, end);
    varint(bytes, begins.abs_diff(*before));
    varint(bytes, ends.abs_diff(begins));
    let value = match kind {
        LaneKind::Reals => {
            bytes.extend(real_of(slice.value).to_le_bytes());
            *before = ends;
            return;
        }
        LaneKind::Levels => ((slice.value << 1) ^ (slice.value >> 63)).cast_unsigned(),
        LaneKind::Slices | LaneKind::Moments => slice.value.cast_unsigned(),
    };
    varint(bytes, value);
    *before = ends;
}

fn pack_aggregate(bytes: &mut Vec<u8>, lane: &Lane, slice: &Slice, aggregate: &Aggregate) {
    varint(bytes, aggregate.count);
    match aggregate.content {
        Content::Times { longest: (longest, _), .. } => {
            varint(bytes, longest.unsigned_abs());
            for (_, time) in lane.classes.times(&aggregate.content) {
                varint(bytes, time.unsigned_abs());
            }
        }
        Content::Levels { low, high } if lane.kind == LaneKind::Reals => {
            bytes.extend(real_of(low).to_le_bytes());
            bytes.extend(real_of(high).to_le_bytes());
        }
        Content::Levels { low, high } => {
            varint(bytes, slice.value.abs_diff(low));
            varint(bytes, high.abs_diff(slice.value));
        }
        Content::Moments => {}
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
