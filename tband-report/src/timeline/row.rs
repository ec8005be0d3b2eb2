//! Rows of a timeline: items that are shown beside each other.

use tband_conv::model::World;
use tband_conv::tracks::{Content, Owner, Track, TrackGroup};

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

/// How a page shows a row.
pub(super) struct ShownRow {
    /// The place of its group among the groups, and its place among the rows of its object.
    pub place: (u8, Option<TrackGroup>, u8),
    pub group: &'static str,
    pub name: String,
    pub kind: &'static str,
}

/// Groups without a place of their own come last, in the order of tracks.
const OTHERS: u8 = 11;

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

    /// How the page shows it.
    pub fn shown(&self, world: &World) -> ShownRow {
        const ERRORS: &str = "Losses and damage";
        let error = |place, name: &str| {
            let (place, name) = ((place, None, 0), name.to_owned());
            ShownRow { place, group: ERRORS, name, kind: "errors" }
        };
        let track = match self.of {
            RowSubject::Lost => return error(2, "lost events"),
            RowSubject::Damage => return error(3, "damage"),
            RowSubject::Notes => return error(4, "notes"),
            RowSubject::Track(track) => track,
        };
        let (owner, mut name) = (track.owner(), track.owner_name(world));
        if let Some(task) = owner.task_of_marker(world) {
            name = format!("{name} of {}", world.task_name(task));
        }
        let of_owner = owner.group(world);
        let (group, title) = match (track, of_owner) {
            (Track::Triggers, _) => (0, "Triggers"),
            (Track::Crash, _) => (1, ERRORS),
            (Track::LeftOut(_) | Track::Shed(_), _) => (5, "Not recorded"),
            (_, TrackGroup::Core(_)) => (6, "Cores"),
            (Track::Task(_), _) => (7, "Tasks"),
            // After all tasks, because the running times are not known here.
            (_, TrackGroup::Tasks) => (8, "Tasks"),
            (Track::Holder(_) | Track::Depth(_), _) => (9, "Mutexes"),
            (Track::Level(_), _) => (10, "Queues and semaphores"),
            (_, TrackGroup::Markers) => (OTHERS, "Markers"),
            (_, TrackGroup::Values) => (OTHERS, "Values"),
            (_, TrackGroup::Kernel) => (OTHERS, "Heap"),
            _ => (OTHERS, of_owner.title()),
        };
        let (place, name) = match track {
            Track::Interrupts(_) => (1, format!("interrupts of {name}")),
            Track::Sleep(_) => (2, format!("sleep of {name}")),
            Track::Stack(_) => (1, format!("unused stack of {name}")),
            Track::Notification(_, index) => (2, format!("notification {index} of {name}")),
            Track::Depth(_) => (1, format!("depth of {name}")),
            Track::HeapUsed => (0, "bytes in use".to_owned()),
            Track::HeapFree => (1, "bytes free".to_owned()),
            Track::Shed(_) => (1, track.title(&name)),
            _ => (0, track.title(&name)),
        };
        let kind = match (track, track.content()) {
            (Track::Core(_), _) => "core",
            (Track::Task(_), _) => "task",
            // With callbacks.
            (Track::Active(_), _) | (_, Content::Nested) => "nested",
            (_, Content::State | Content::Lasting) => "named",
            (_, Content::Bits) => "bits",
            (_, Content::Instants) => "errors",
            _ => "level",
        };
        let place = (group, Some(of_owner).filter(|_| group == OTHERS), place);
        ShownRow { place, group: title, name, kind }
    }

    /// Number of the owner.
    pub fn id(&self, world: &World) -> Option<u32> {
        self.of.owner().label(world).map(|label| label.id())
    }
}
