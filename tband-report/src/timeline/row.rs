//! Rows of a timeline: items that are shown beside each other.

use tband_conv::timeline::{
    EventGroupRef, MarkerRef, Omission, QueueRef, Scope, StreamBufferRef, TaskRef, TimerRef, World,
};

use super::lane::{Lane, LaneKind, TextsOfLane};

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum RowSubject {
    Triggers,
    Crash,
    Lost,
    Damage,
    Notes,
    LeftOut(Omission),
    Core(u32),
    Interrupts(u32),
    Sleep(u32),
    Task(usize),
    Priority(usize),
    Mutex(usize),
    Queue(usize),
    StreamBuffer(usize),
    EventGroup(usize),
    Timer(usize),
    Marker(usize),
    Value(usize),
    Heap,
}

/// The known facts about its owner while the row is created.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    None,
    Task(TaskRef),
    Queue(QueueRef),
    StreamBuffer(StreamBufferRef),
    EventGroup(EventGroupRef),
    Timer(TimerRef),
    Marker(MarkerRef),
    Value(MarkerRef),
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub of: RowSubject,
    pub owner: Owner,
    pub lanes: Vec<Lane>,
    /// Spans or interrupts that are open.
    pub depth: usize,
    /// Spans and interrupts that are nested too deep to have a lane.
    pub too_deep: u64,
}

/// Maximum number of lanes of one row: deeper nesting is not shown.
const MAX_LANES: usize = 16;

impl Row {
    pub const fn new(of: RowSubject, owner: Owner) -> Self {
        Self { of, owner, lanes: Vec::new(), depth: 0, too_deep: 0 }
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
        let name = match self.owner {
            Owner::None => String::new(),
            Owner::Task(task) => world.task_name(task).to_string(),
            Owner::Queue(queue) => world.queue_name(queue).to_string(),
            Owner::StreamBuffer(buffer) => world.stream_buffer_name(buffer).to_string(),
            Owner::EventGroup(group) => world.event_group_name(group).to_string(),
            Owner::Timer(timer) => world.timer_name(timer).to_string(),
            Owner::Marker(marker) => {
                marker_name(world, world.marker_name(marker).to_string(), scope(world, marker))
            }
            Owner::Value(value) => {
                let scope = world.values.get(value).map(|it| it.scope);
                marker_name(world, world.value_name(value).to_string(), scope)
            }
        };
        match self.of {
            RowSubject::Triggers => ("Triggers", "triggers".to_owned(), "errors"),
            RowSubject::Crash => ("Losses and damage", "crash".to_owned(), "errors"),
            RowSubject::Lost => ("Losses and damage", "lost events".to_owned(), "errors"),
            RowSubject::Damage => ("Losses and damage", "damage".to_owned(), "errors"),
            RowSubject::Notes => ("Losses and damage", "notes".to_owned(), "errors"),
            RowSubject::LeftOut(what) => ("Not recorded", world.omission_name(what), "named"),
            RowSubject::Core(core) => ("Cores", format!("core {core}"), "core"),
            RowSubject::Interrupts(core) => {
                ("Cores", format!("interrupts of core {core}"), "nested")
            }
            RowSubject::Sleep(core) => ("Cores", format!("sleep of core {core}"), "named"),
            RowSubject::Task(_) => ("Tasks", name, "task"),
            RowSubject::Priority(_) => ("Tasks", format!("priority of {name}"), "level"),
            RowSubject::Mutex(_) => ("Mutexes", name, "named"),
            RowSubject::Queue(_) => ("Queues and semaphores", name, "level"),
            RowSubject::StreamBuffer(_) => ("Stream buffers", name, "level"),
            RowSubject::EventGroup(_) => ("Event groups", name, "bits"),
            RowSubject::Timer(_) => ("Timers", name, "nested"),
            RowSubject::Marker(_) => ("Markers", name, "nested"),
            RowSubject::Value(_) => ("Values", name, "level"),
            RowSubject::Heap => ("Heap", "bytes in use".to_owned(), "level"),
        }
    }

    /// Number of the owner.
    pub fn id(&self, world: &World) -> Option<u32> {
        match self.owner {
            Owner::None => None,
            Owner::Task(task) => world.tasks.get(task).map(|it| it.id),
            Owner::Queue(queue) => world.queues.get(queue).map(|it| it.id),
            Owner::StreamBuffer(buffer) => world.stream_buffers.get(buffer).map(|it| it.id),
            Owner::EventGroup(group) => world.event_groups.get(group).map(|it| it.id),
            Owner::Timer(timer) => world.timers.get(timer).map(|it| it.id),
            Owner::Marker(marker) => world.markers.get(marker).map(|it| it.id),
            Owner::Value(value) => world.values.get(value).map(|it| it.id),
        }
    }
}

fn scope(world: &World, marker: MarkerRef) -> Option<Scope> {
    world.markers.get(marker).map(|it| it.scope)
}

/// A task-local marker belongs to its task.
fn marker_name(world: &World, name: String, scope: Option<Scope>) -> String {
    match scope {
        Some(Scope::Task(task)) => format!("{name} of {}", world.task_name(task)),
        _ => name,
    }
}
