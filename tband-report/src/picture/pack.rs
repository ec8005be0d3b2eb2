//! Packs a picture for a page: what can be said in words as JSON, the stretches as bytes.
//!
//! Stretches of a lane come one behind the other, each as three varints: from the end of the one before (of the
//! picture's start for the first), length, value. Levels are zigzag, texts are numbers of texts.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::{Value, json};
use tband_conv::timeline::World;

use super::Picture;
use super::lane::{Kind, Lane};
use super::row::{Of, Owner, Row};
use super::text::Text;

/// A picture that is packed.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    head: Value,
    bytes: Vec<u8>,
}

impl Picture {
    /// What is said of rows and texts, as an object: `start_ns` and `end_ns` (as text), `merged_below_ns`, `texts`
    /// (each `[class, words]`) and `rows` (`group`, `name`, `id`, `kind` and `lanes`, each `[kind, stretches, bytes]`).
    #[must_use]
    pub fn head(&self) -> &Value {
        &self.packed.head
    }

    /// The stretches of all lanes, in the order in which [`head`](Self::head) names them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.packed.bytes
    }

    /// Packs all, and keeps nothing else.
    pub(super) fn pack(&mut self, world: &World) {
        let start = self.start_ns.unwrap_or(self.end_ns).min(self.end_ns);
        let mut rows = std::mem::take(&mut self.rows);
        self.places.clear();
        rows.retain(is_worth_it);
        rows.sort_by_cached_key(|row| self.rank(world, row));
        let mut bytes = Vec::new();
        let mut names: HashMap<(&'static str, String), u32> = HashMap::new();
        for row in &rows {
            let (group, name, _) = row.shown(world);
            *names.entry((group, name)).or_default() += 1;
        }
        let mut shown = Vec::new();
        for mut row in rows {
            let (group, mut name, kind) = row.shown(world);
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
                    Kind::Stretches => "stretches",
                    Kind::Moments => "moments",
                    Kind::Levels => "levels",
                };
                lanes.push(json!([kind, count, bytes.len() - before]));
            }
            shown.push(
                json!({"group": group, "name": name, "id": id, "kind": kind, "lanes": lanes}),
            );
        }
        let head = json!({
            "start_ns": start.to_string(),
            "end_ns": self.end_ns.to_string(),
            "merged_below_ns": self.resolution,
            "texts": self.texts.shown(world),
            "rows": shown,
        });
        self.packed = Packed { head, bytes };
    }

    /// Tasks that ran longest come first, idle ones last.
    fn rank(&self, world: &World, row: &Row) -> (u8, Reverse<i64>, usize, u8) {
        let order = |group, index: usize| (group, Reverse(0), index, 0);
        let cpu = |core: u32, sub| (1, Reverse(0), core as usize, sub);
        match row.of {
            Of::Lost => order(0, 0),
            Of::Damage => order(0, 1),
            Of::Notes => order(0, 2),
            Of::Core(core) => cpu(core, 0),
            Of::Interrupts(core) => cpu(core, 1),
            Of::Sleep(core) => cpu(core, 2),
            Of::Task(index) => (2, Reverse(self.ran(world, row)), index, 0),
            // Behind all tasks, since who ran longest is not known here.
            Of::Priority(index) => order(3, index),
            Of::Mutex(index) => order(4, index),
            Of::Queue(index) => order(5, index),
            Of::StreamBuffer(index) => order(6, index),
            Of::EventGroup(index) => order(7, index),
            Of::Timer(index) => order(8, index),
            Of::Marker(index) => order(9, index),
            Of::Value(index) => order(10, index),
            Of::Heap => order(11, 0),
        }
    }

    /// How long a task ran; less than any of one that is idle.
    fn ran(&self, world: &World, row: &Row) -> i64 {
        if let Owner::Task(task) = row.owner
            && world.tasks.get(task).is_some_and(|it| it.idle_of.is_some())
        {
            return -1;
        }
        let runs = |value| matches!(self.texts.get(value), Some(Text::Running(_)));
        let stretches = row.lanes.iter().flat_map(|lane| &lane.done);
        stretches
            .filter(|it| runs(it.value))
            .fold(0, |sum, it| sum.saturating_add(it.end - it.start))
    }
}

/// There is something in it; a priority that never changes says nothing.
fn is_worth_it(row: &Row) -> bool {
    let count: usize = row.lanes.iter().map(|lane| lane.done.len()).sum();
    count > usize::from(matches!(row.of, Of::Priority(_)))
}

/// A finding may have a time behind the recording's end, that of an event which is not believed: it is at the end then.
fn pack_lane(bytes: &mut Vec<u8>, lane: &Lane, (start, end): (i64, i64)) {
    let mut before = start;
    for stretch in &lane.done {
        let begins = stretch.start.clamp(before, end);
        let ends = stretch.end.clamp(begins, end);
        varint(bytes, begins.abs_diff(before));
        varint(bytes, ends.abs_diff(begins));
        let value = match lane.kind {
            Kind::Levels => ((stretch.value << 1) ^ (stretch.value >> 63)).cast_unsigned(),
            Kind::Stretches | Kind::Moments => stretch.value.cast_unsigned(),
        };
        varint(bytes, value);
        before = ends;
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
