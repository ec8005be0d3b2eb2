//! Rows of a timeline: items that are shown beside each other.

use tband_conv::model::{ShedClass, World};
use tband_conv::tracks::{Owner, Track};

use super::lane::{Lane, LaneKind, TextsOfLane};

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RowSubject {
    Lost,
    Damage,
    Notes,
    /// A track, with others that [`of`](Self::of) puts into the same row.
    Track(Track),
}

impl RowSubject {
    /// Returns the row of a track, and its lane there; `None` for a track that is not drawn.
    pub fn of(world: &World, track: Track) -> Option<(Self, usize)> {
        Some(match track {
            Track::Isr(core, _) => (Self::Track(Track::Interrupts(core)), 0),
            // The callback of a timer is below the time that the timer is active.
            Track::Active(_) => (Self::Track(track), 1),
            Track::Callback(timer) => (Self::Track(Track::Active(timer)), 2),
            Track::MallocFailed => (Self::Notes, 0),
            // The holder of a mutex is more informative than its count.
            Track::Level(queue) if world.queues.get(queue).is_some_and(|it| it.is_mutex()) => {
                return None;
            }
            // They rise with the time, and have a slice a tick.
            Track::Ticks | Track::WakesAt(_) => return None,
            // They would fill the page.
            Track::Acts(_) => return None,
            _ => (Self::Track(track), 0),
        })
    }

    pub const fn owner(self) -> Owner {
        match self {
            Self::Track(track) => track.owner(),
            Self::Lost | Self::Damage | Self::Notes => Owner::Recording,
        }
    }
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub of: RowSubject,
    pub lanes: Vec<Lane>,
    /// Spans or interrupts that are open.
    pub depth: usize,
    /// Spans and interrupts that are nested too deep to have a lane.
    pub too_deep: u64,
}

/// Maximum number of lanes of one row: deeper nesting is not shown.
const MAX_LANES: usize = 16;

impl Row {
    pub const fn new(of: RowSubject) -> Self {
        Self { of, lanes: Vec::new(), depth: 0, too_deep: 0 }
    }

    /// Returns a lane, which is created if there is none.
    pub fn lane(&mut self, index: usize, kind: LaneKind) -> Option<&mut Lane> {
        if index >= MAX_LANES {
            return None;
        }
        while self.lanes.len() <= index {
            self.lanes.push(Lane::new(kind));
        }
        self.lanes.get_mut(index)
    }

    /// The lane of moments, after which spans have theirs.
    pub fn moments(&mut self) -> Option<&mut Lane> {
        self.lane(0, LaneKind::Moments)
    }

    /// Begins a nested item.
    pub fn begin(&mut self, ns: i64, value: i64) -> usize {
        let index = self.depth + 1;
        self.depth = index;
        self.moments();
        if let Some(lane) = self.lane(index, LaneKind::Slices) {
            return lane.set(ns, Some(value));
        }
        self.too_deep += 1;
        0
    }

    /// The innermost that is open ends.
    pub fn end(&mut self, ns: i64) -> usize {
        let Some(depth) = self.depth.checked_sub(1) else { return 0 };
        self.depth = depth;
        self.lane(depth + 1, LaneKind::Slices).map_or(0, |lane| lane.set(ns, None))
    }

    /// Merges slices of its lanes, as [`Lane::merge`].
    pub fn merge(&mut self, ns: i64, texts: &impl TextsOfLane) {
        for lane in &mut self.lanes {
            lane.merge(ns, texts);
        }
    }

    /// Group and name, and how the page draws it.
    pub fn shown(&self, world: &World) -> (&'static str, String, &'static str) {
        let owner = self.of.owner();
        let name = owner.label(world).map(|label| label.to_string()).unwrap_or_default();
        let name = match owner.task_of_marker(world) {
            Some(task) => format!("{name} of {}", world.task_name(task)),
            None => name,
        };
        let RowSubject::Track(track) = self.of else {
            let name = match self.of {
                RowSubject::Lost => "lost events",
                RowSubject::Damage => "damage",
                _ => "notes",
            };
            return ("Losses and damage", name.to_owned(), "errors");
        };
        match track {
            Track::Triggers => ("Triggers", "triggers".to_owned(), "errors"),
            Track::Crash => ("Losses and damage", "crash".to_owned(), "errors"),
            Track::LeftOut(what) => ("Not recorded", world.omission_name(what), "named"),
            Track::Shed(class) => {
                let name = format!("class {}, events shed", ShedClass::name_of(class));
                ("Not recorded", name, "level")
            }
            Track::Core(core) => ("Cores", format!("core {core}"), "core"),
            Track::Interrupts(core) | Track::Isr(core, _) => {
                ("Cores", format!("interrupts of core {core}"), "nested")
            }
            Track::Sleep(core) => ("Cores", format!("sleep of core {core}"), "named"),
            Track::Task(_) => ("Tasks", name, "task"),
            Track::Priority(_) => ("Tasks", format!("priority of {name}"), "level"),
            Track::Notification(_, index) => {
                ("Tasks", format!("notification {index} of {name}"), "level")
            }
            Track::Stack(_) => ("Tasks", format!("unused stack of {name}"), "level"),
            Track::Holder(_) => ("Mutexes", name, "named"),
            Track::Depth(_) => ("Mutexes", format!("depth of {name}"), "level"),
            Track::Level(_) => ("Queues and semaphores", name, "level"),
            Track::Bytes(_) => ("Stream buffers", name, "level"),
            Track::Bits(_) => ("Event groups", name, "bits"),
            Track::Active(_) | Track::Callback(_) => ("Timers", name, "nested"),
            Track::Marker(_) => ("Markers", name, "nested"),
            Track::Value(_) => ("Values", name, "level"),
            Track::HeapUsed => ("Heap", "bytes in use".to_owned(), "level"),
            Track::HeapFree => ("Heap", "bytes free".to_owned(), "level"),
            Track::MallocFailed => ("Heap", "failed allocations".to_owned(), "errors"),
            Track::Ticks | Track::WakesAt(_) | Track::Acts(_) => {
                ("Kernel", track.word().to_owned(), "level")
            }
        }
    }

    /// Number of the owner.
    pub fn id(&self, world: &World) -> Option<u32> {
        self.of.owner().label(world).map(|label| label.id())
    }
}
