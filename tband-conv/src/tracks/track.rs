//! All tracks, with their owners, groups and names.

use tband_format::named::QueueKind;

use crate::model::{
    EventGroupRef, IsrRef, Label, MarkerRef, Omission, QueueRef, Scope, ShedClass, StreamBufferRef,
    TaskRef, TimerRef, Wait, World,
};

/// Notification values that a task has tracks for.
pub(super) const MAX_NOTIFICATIONS: u32 = 16;
/// How many kinds of tracks there are.
pub const TRACK_KINDS: usize = 27;

/// A track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Track {
    /// The task that runs on a core.
    Core(u32),
    /// The interrupts of a core, nested in each other: the parent of their tracks.
    Interrupts(u32),
    /// An interrupt is open on a core.
    Isr(u32, IsrRef),
    /// A core sleeps.
    Sleep(u32),
    /// The state of a task.
    Task(TaskRef),
    /// The priority of a task.
    Priority(TaskRef),
    /// The value of a notification, below 16.
    Notification(TaskRef, u32),
    /// Bytes of a task's stack that were never used.
    Stack(TaskRef),
    /// The tick count until which a task waits at most.
    WakesAt(TaskRef),
    /// Items in a queue, or the count of a semaphore or mutex.
    Level(QueueRef),
    /// The holder of a mutex.
    Holder(QueueRef),
    /// How many times the holder has taken a recursive mutex.
    Depth(QueueRef),
    /// Bytes in a stream buffer.
    Bytes(StreamBufferRef),
    /// The bits that are set in an event group.
    Bits(EventGroupRef),
    /// A timer runs towards its expiry.
    Active(TimerRef),
    /// The callback of a timer runs.
    Callback(TimerRef),
    /// The instants and spans of an event marker.
    Marker(MarkerRef),
    /// The value of a value marker.
    Value(MarkerRef),
    /// Bytes free in the heap.
    HeapFree,
    /// Bytes in use since the start of the recording.
    HeapUsed,
    /// Allocations that failed.
    MallocFailed,
    /// The kernel's tick count.
    Ticks,
    /// Triggers that fired.
    Triggers,
    /// Crashes of the firmware.
    Crash,
    /// Events and objects that a filter leaves out.
    LeftOut(Omission),
    /// Events of this class that were not recorded since packets ran out.
    Shed(u32),
    /// What is done to an object, beyond what its other tracks show.
    Acts(Owner),
}

/// The object that a track belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the kinds of objects")]
pub enum Owner {
    Core(u32),
    Isr(u32, IsrRef),
    Task(TaskRef),
    Queue(QueueRef),
    StreamBuffer(StreamBufferRef),
    EventGroup(EventGroupRef),
    Timer(TimerRef),
    Marker(MarkerRef),
    Value(MarkerRef),
    Kernel,
    Recording,
}

/// The group of an object, in the order in which tools list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the kinds of objects")]
pub enum TrackGroup {
    Core(u32),
    Tasks,
    Queues,
    Semaphores,
    Mutexes,
    StreamBuffers,
    EventGroups,
    Timers,
    Markers,
    Values,
    Kernel,
    Recording,
}

/// What a track shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// One of several states, or none.
    State,
    /// A state that lasts, or not.
    Lasting,
    /// Slices inside of slices.
    Nested,
    /// A number from 0 on.
    Count,
    /// A number of bytes, from 0 on.
    Bytes,
    /// A number of bytes that may be below 0.
    ByteBalance,
    /// Any number.
    Number,
    /// A number whose bits have meanings.
    Bits,
    /// What happens, as text.
    Instants,
}

impl Track {
    /// The facts about each kind of track: its number, which no other kind has, below [`TRACK_KINDS`]; whose it is; its name
    /// among the tracks of its owner, as one word; and what it shows.
    #[inline(always)]
    const fn facts(self) -> (usize, Owner, &'static str, Content) {
        use Content::*;
        match self {
            Self::Core(core) => (0, Owner::Core(core), "running", State),
            Self::Interrupts(core) => (1, Owner::Core(core), "interrupts", Nested),
            Self::Isr(core, isr) => (2, Owner::Isr(core, isr), "open", Lasting),
            Self::Sleep(core) => (3, Owner::Core(core), "sleep", Lasting),
            Self::Task(task) => (4, Owner::Task(task), "state", State),
            Self::Priority(task) => (5, Owner::Task(task), "priority", Count),
            Self::Notification(task, _) => (6, Owner::Task(task), "notification", Count),
            Self::Stack(task) => (7, Owner::Task(task), "stack_high_water_mark", Count),
            Self::WakesAt(task) => (8, Owner::Task(task), "wakes_at_tick", Count),
            Self::Level(queue) => (9, Owner::Queue(queue), "level", Count),
            Self::Holder(queue) => (10, Owner::Queue(queue), "holder", State),
            Self::Depth(queue) => (11, Owner::Queue(queue), "depth", Count),
            Self::Bytes(buffer) => (12, Owner::StreamBuffer(buffer), "bytes", Bytes),
            Self::Bits(group) => (13, Owner::EventGroup(group), "bits", Bits),
            Self::Active(timer) => (14, Owner::Timer(timer), "active", Lasting),
            Self::Callback(timer) => (15, Owner::Timer(timer), "callback", Lasting),
            Self::Marker(marker) => (16, Owner::Marker(marker), "open", Nested),
            Self::Value(marker) => (17, Owner::Value(marker), "value", Number),
            Self::HeapFree => (18, Owner::Kernel, "heap_free", Bytes),
            Self::HeapUsed => (19, Owner::Kernel, "heap_in_use", ByteBalance),
            Self::MallocFailed => (20, Owner::Kernel, "malloc_failed", Instants),
            Self::Ticks => (21, Owner::Kernel, "ticks", Count),
            Self::Triggers => (22, Owner::Recording, "triggers", Instants),
            Self::Crash => (23, Owner::Recording, "crash", Instants),
            Self::LeftOut(_) => (24, Owner::Recording, "not_recorded", Lasting),
            Self::Shed(_) => (25, Owner::Recording, "events_shed", Number),
            Self::Acts(owner) => (26, owner, "events", Instants),
        }
    }

    /// The number of its kind, below [`TRACK_KINDS`].
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> usize {
        let kind = self.facts().0;
        debug_assert!(kind < TRACK_KINDS, "TRACK_KINDS counts all");
        kind
    }

    /// The object that it belongs to.
    #[inline(always)]
    #[must_use]
    pub const fn owner(self) -> Owner {
        self.facts().1
    }

    /// Its name among the tracks of its owner, as one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.facts().2
    }

    /// What it shows.
    #[must_use]
    pub const fn content(self) -> Content {
        self.facts().3
    }

    /// How its owner is called.
    #[must_use]
    pub fn owner_name(self, world: &World) -> String {
        match (self, self.owner()) {
            (Self::LeftOut(what), _) => world.omission_name(what),
            (Self::Shed(class), _) => format!("class {}", ShedClass::name_of(class)),
            (_, Owner::Core(core)) => format!("core {core}"),
            (_, owner) => owner.label(world).map_or_else(String::new, |label| label.to_string()),
        }
    }

    /// Its name in full, where its owner is called like this.
    #[must_use]
    pub fn title(self, owner: &str) -> String {
        match self {
            Self::Priority(_) => format!("priority of {owner}"),
            Self::Notification(_, 0) => format!("notification of {owner}"),
            Self::Notification(_, index) => format!("notification {index} of {owner}"),
            Self::Stack(_) => format!("stack high-water mark of {owner}"),
            Self::WakesAt(_) => format!("wakes at tick of {owner}"),
            Self::Depth(_) => format!("{owner} depth"),
            Self::Acts(Owner::Kernel) => "pended function calls".to_owned(),
            Self::Acts(_) => format!("{owner} events"),
            Self::Sleep(_) => format!("low power, {owner}"),
            Self::Shed(_) => format!("{owner}, events shed"),
            Self::HeapFree => "heap bytes free".to_owned(),
            Self::HeapUsed => "heap bytes in use since the start".to_owned(),
            Self::MallocFailed => "heap malloc failed".to_owned(),
            Self::Ticks => "tick count".to_owned(),
            Self::Triggers | Self::Crash => self.word().to_owned(),
            _ => owner.to_owned(),
        }
    }
}

impl TrackGroup {
    /// The number of its track in Perfetto, 15 at most, or 0 if it has none, and its name.
    #[must_use]
    pub const fn facts(self) -> (u8, &'static str) {
        match self {
            Self::Core(_) => (0, "Cores"),
            Self::Tasks => (0, "Tasks"),
            Self::Queues => (3, "Queues"),
            Self::Semaphores => (4, "Semaphores"),
            Self::Mutexes => (5, "Mutexes"),
            Self::StreamBuffers => (7, "Stream buffers"),
            Self::EventGroups => (8, "Event groups"),
            Self::Timers => (9, "Timers"),
            Self::Markers => (0, "Event markers"),
            Self::Values => (0, "Value markers"),
            Self::Kernel => (0, "Kernel"),
            Self::Recording => (0, "Recording"),
        }
    }

    /// Its name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().1
    }
}

impl Owner {
    /// The objects that the kernel has made, except tasks.
    pub fn of_kernel(world: &World) -> impl Iterator<Item = Self> {
        let queues = world.queues.iter().map(|it| Self::Queue(it.0));
        let buffers = world.stream_buffers.iter().map(|it| Self::StreamBuffer(it.0));
        let groups = world.event_groups.iter().map(|it| Self::EventGroup(it.0));
        let timers = world.timers.iter().map(|it| Self::Timer(it.0));
        queues.chain(buffers).chain(groups).chain(timers)
    }

    /// The object that a task waits for, unless it is the task itself.
    #[must_use]
    pub const fn of_wait(wait: Wait) -> Option<Self> {
        match wait {
            Wait::Receive(queue) | Wait::Send(queue) | Wait::Peek(queue) => {
                Some(Self::Queue(queue))
            }
            Wait::SendBytes(buffer) | Wait::ReceiveBytes(buffer) => {
                Some(Self::StreamBuffer(buffer))
            }
            Wait::Bits(group) | Wait::EventGroupSync(group) => Some(Self::EventGroup(group)),
            Wait::Delay | Wait::DelayUntil | Wait::NotifyTake(_) | Wait::NotifyWait(_) => None,
        }
    }

    /// Its group.
    #[must_use]
    pub fn group(self, world: &World) -> TrackGroup {
        match self {
            Self::Core(core) | Self::Isr(core, _) => TrackGroup::Core(core),
            Self::Task(_) => TrackGroup::Tasks,
            Self::Queue(queue) => match world.queues.get(queue) {
                Some(queue) if queue.is_mutex() => TrackGroup::Mutexes,
                Some(queue) if queue.is_semaphore() => TrackGroup::Semaphores,
                _ => TrackGroup::Queues,
            },
            Self::StreamBuffer(_) => TrackGroup::StreamBuffers,
            Self::EventGroup(_) => TrackGroup::EventGroups,
            Self::Timer(_) => TrackGroup::Timers,
            Self::Marker(_) => TrackGroup::Markers,
            Self::Value(_) => TrackGroup::Values,
            Self::Kernel => TrackGroup::Kernel,
            Self::Recording => TrackGroup::Recording,
        }
    }

    /// Its place among the objects of its kind, from 0; for a core its number.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Core(core) => core as usize,
            Self::Isr(_, isr) => isr.index(),
            Self::Task(task) => task.index(),
            Self::Queue(queue) => queue.index(),
            Self::StreamBuffer(buffer) => buffer.index(),
            Self::EventGroup(group) => group.index(),
            Self::Timer(timer) => timer.index(),
            Self::Marker(marker) | Self::Value(marker) => marker.index(),
            Self::Kernel | Self::Recording => 0,
        }
    }

    /// Its name and number, if it has them.
    #[must_use]
    pub fn label(self, world: &World) -> Option<Label<'_>> {
        Some(match self {
            Self::Isr(core, isr) => world.isr_name(isr, core),
            Self::Task(task) => world.task_name(task),
            Self::Queue(queue) => world.queue_name(queue),
            Self::StreamBuffer(buffer) => world.stream_buffer_name(buffer),
            Self::EventGroup(group) => world.event_group_name(group),
            Self::Timer(timer) => world.timer_name(timer),
            Self::Marker(marker) => world.marker_name(marker),
            Self::Value(marker) => world.value_name(marker),
            Self::Core(_) | Self::Kernel | Self::Recording => return None,
        })
    }

    /// Whose marker it is, if it is one.
    #[must_use]
    pub fn scope(self, world: &World) -> Option<Scope> {
        let known = match self {
            Self::Marker(marker) => world.markers.get(marker),
            Self::Value(marker) => world.values.get(marker),
            _ => None,
        };
        known.map(|marker| marker.scope)
    }

    /// The task that a task-local marker belongs to.
    #[must_use]
    pub fn task_of_marker(self, world: &World) -> Option<TaskRef> {
        match self.scope(world) {
            Some(Scope::Task(task)) => Some(task),
            _ => None,
        }
    }

    /// The kind of object, in words.
    #[must_use]
    pub fn kind(self, world: &World) -> &'static str {
        match self {
            Self::Core(_) => "core",
            Self::Isr(..) => "interrupt",
            Self::Task(_) => "task",
            Self::Queue(queue) => {
                let kind = world.queues.get(queue).and_then(|queue| queue.kind);
                kind.and_then(QueueKind::name).unwrap_or("queue")
            }
            Self::StreamBuffer(_) => "stream buffer",
            Self::EventGroup(_) => "event group",
            Self::Timer(_) => "timer",
            Self::Marker(_) => "event marker",
            Self::Value(_) => "value marker",
            Self::Kernel => "kernel",
            Self::Recording => "recording",
        }
    }
}
