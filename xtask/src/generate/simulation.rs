//! A simulated FreeRTOS target: the events that its kernel and its tasks would record.
//!
//! Each core has ten tasks, or more on request, and seven queues, semaphores and mutexes. The order of events is that of the
//! kernel: a task that waits reports it and is switched out, the actor that ends the wait makes it ready, and it is switched in
//! before it acts. The next event is of the possible kind that lags most behind its [share](EventKind::share). So no kind of event
//! that has to wait for another prevents that one, and the mix is the same from the start to the end.

use std::io;
use std::ops::ControlFlow;

use super::Options;
use super::random::Random;
use tband_format::Event;
use tband_format::named::QueueKind;

/// Tasks of a core, the idle task included, which is the first; unless there are to be more.
pub(super) const TASKS: u32 = 10;
pub(super) const QUEUES: u32 = 7;
/// The recorder reports the count of dropped events once per this many.
const DROP_COUNT_EVERY: u64 = 50;

pub(super) const QUEUE_NAMES: [(&str, QueueKind); QUEUES as usize] = [
    ("samples", QueueKind::QUEUE),
    ("commands", QueueKind::QUEUE),
    ("rx bytes", QueueKind::QUEUE),
    ("log lines", QueueKind::QUEUE),
    ("frame done", QueueKind::BINARY_SEMAPHORE),
    ("credits", QueueKind::COUNTING_SEMAPHORE),
    ("bus", QueueKind::MUTEX),
];
pub(super) const MUTEX: u32 = QUEUES - 1;

/// Kinds of events, by subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An interrupt begins or ends.
    Isr,
    /// A task gets the core.
    Switch,
    /// Queues, semaphores and mutexes, waits for them included.
    Queue,
    /// The firmware's own markers.
    Marker,
    /// All others: tasks that get ready, delays, notifications, heap, priorities, drop counts.
    Rest,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Isr, Self::Switch, Self::Queue, Self::Marker, Self::Rest];

    /// Its share of a core's events, in percent.
    #[must_use]
    pub const fn share(self) -> u32 {
        match self {
            Self::Isr => 30,
            Self::Switch | Self::Queue => 25,
            Self::Marker => 5,
            Self::Rest => 15,
        }
    }

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Isr => "interrupts",
            Self::Switch => "switches",
            Self::Queue => "queues",
            Self::Marker => "markers",
            Self::Rest => "rest",
        }
    }
}

/// The object of a task's wait, or its next work once it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Delay,
    /// An item of this queue.
    Item(u32),
    Notification,
}

#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Ready or running without one.
    pub waits: Option<Wait>,
    /// It has been woken, and continues this wait's work once it runs.
    pub resumes: Option<Wait>,
    pub holds_mutex: bool,
    /// Its priority, including inheritance.
    pub priority: u32,
    pub notification: u32,
}

pub(super) struct Core {
    pub number: u32,
    pub now: u64,
    pub running: u32,
    pub tasks: Vec<Task>,
    pub levels: [u32; QUEUES as usize],
    /// Sizes of the pieces of the heap that are in use.
    pub heap: Vec<u32>,
    counts: [u64; EventKind::ALL.len()],
    all: u64,
    /// Events still to be lost.
    losing: u64,
    lost: u32,
}

/// The target.
pub struct Simulation {
    cores: Vec<Core>,
    random: Random,
    loss_every: u64,
    dropped: u32,
}

/// Where events go: core, timestamp, event.
type EventReceiver<'e> = dyn FnMut(u32, u64, &Event<'_>) -> io::Result<ControlFlow<()>> + 'e;

/// Stopped by the receiver of the events, or because that failed.
pub(super) struct SimulationEnd(io::Result<()>);

/// Priority that a task was created with.
pub(super) const fn base_priority(task: u32) -> u32 {
    if task == 0 { 0 } else { 1 + task % 5 }
}

impl Simulation {
    /// Creates a target with this many cores and tasks that loses events as often as the options request.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let Options { cores, seed, loss_every, tasks, .. } = *options;
        let task = |number| Task {
            waits: None,
            resumes: None,
            holds_mutex: false,
            priority: base_priority(number),
            notification: 0,
        };
        let core = |number| Core {
            number,
            now: 1000 + u64::from(number) * 7,
            running: 0,
            tasks: (0..tasks.max(TASKS)).map(task).collect(),
            levels: [0; QUEUES as usize],
            heap: Vec::new(),
            counts: [0; EventKind::ALL.len()],
            all: 0,
            losing: 0,
            lost: 0,
        };
        let cores = (0..cores.max(1)).map(core).collect();
        Self { cores, random: Random(seed), loss_every, dropped: 0 }
    }

    /// Runs until `emit` stops it.
    ///
    /// # Errors
    /// The error of `emit`.
    pub fn run(
        mut self,
        mut emit: impl FnMut(u32, u64, &Event<'_>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        match self.go(&mut emit) {
            Ok(()) => Ok(()),
            Err(SimulationEnd(result)) => result,
        }
    }

    fn go(&mut self, emit: &mut EventReceiver<'_>) -> Result<(), SimulationEnd> {
        let Self { cores, random, loss_every, dropped } = self;
        let count = u32::try_from(cores.len()).unwrap_or(u32::MAX);
        for core in &mut *cores {
            let mut step = Step { core, random, emit, loss_every: 0, dropped };
            step.metadata(count)?;
            step.create()?;
        }
        loop {
            // The core with the earliest time does several acts in a row.
            let next = cores.iter_mut().min_by_key(|core| core.now);
            let Some(core) = next else { return Ok(()) };
            let mut step = Step { core, random, emit, loss_every: *loss_every, dropped };
            step.act()?;
        }
    }
}

/// A core that does something.
pub(super) struct Step<'s, 'e> {
    pub core: &'s mut Core,
    pub random: &'s mut Random,
    emit: &'s mut EventReceiver<'e>,
    loss_every: u64,
    /// Events that all cores have lost.
    dropped: &'s mut u32,
}

impl Step<'_, '_> {
    pub(super) fn send(&mut self, event: &Event<'_>) -> Result<(), SimulationEnd> {
        match (self.emit)(self.core.number, self.core.now, event) {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(())) => Err(SimulationEnd(Ok(()))),
            Err(error) => Err(SimulationEnd(Err(error))),
        }
    }

    fn count(&mut self, kind: EventKind) {
        self.core.all += 1;
        self.core.counts[kind as usize] += 1;
    }

    /// An event happens, a moment after the last.
    pub(super) fn event(
        &mut self,
        kind: EventKind,
        event: &Event<'_>,
    ) -> Result<(), SimulationEnd> {
        self.core.now += 20 + self.random.below(210);
        self.count(kind);
        if self.loss_every > 0 && self.core.all.is_multiple_of(self.loss_every) {
            self.core.losing = 1 + self.random.below(9);
        }
        if self.core.losing > 0 {
            self.core.losing -= 1;
            *self.dropped += 1;
            return Ok(());
        }
        let news = *self.dropped != self.core.lost;
        if news || self.core.all.is_multiple_of(DROP_COUNT_EVERY) {
            self.core.lost = *self.dropped;
            self.count(EventKind::Rest);
            self.send(&Event::DroppedEvtCnt { cnt: self.core.lost })?;
        }
        self.send(event)
    }

    pub(super) const fn task_id(&self, task: u32) -> u32 {
        1 + self.core.number * self.tasks() + task
    }

    /// How many tasks the core has.
    pub(super) const fn tasks(&self) -> u32 {
        self.core.tasks.len() as u32
    }

    pub(super) const fn queue_id(&self, queue: u32) -> u32 {
        1 + self.core.number * QUEUES + queue
    }

    pub(super) fn task(&mut self, task: u32) -> &mut Task {
        &mut self.core.tasks[task as usize]
    }

    pub(super) fn running(&mut self) -> &mut Task {
        self.task(self.core.running)
    }

    /// How far a kind of event lags behind its share, in hundredths of an event; below 0 if it has had more.
    /// Those of all kinds are 0 together.
    pub(super) fn lag(&self, kind: EventKind) -> i64 {
        let due = self.core.all * u64::from(kind.share());
        due.cast_signed() - (self.core.counts[kind as usize] * 100).cast_signed()
    }

    /// One act on the core.
    fn act(&mut self) -> Result<(), SimulationEnd> {
        if let Some(wait) = self.running().resumes.take() {
            return self.resume(wait);
        }
        let another_is_ready = self.ready() != 0;
        if self.core.running == 0 {
            return if another_is_ready { self.switch() } else { self.interrupt() };
        }
        // A task that holds the mutex does not wait, so that it gives it at some time.
        let can_wait = !self.running().holds_mutex;
        let can = |kind: &EventKind| *kind != EventKind::Switch || another_is_ready || can_wait;
        let next = EventKind::ALL.into_iter().filter(can).max_by_key(|kind| self.lag(*kind));
        match next.unwrap_or(EventKind::Isr) {
            EventKind::Isr => self.interrupt(),
            EventKind::Switch if !another_is_ready => self.delay(),
            EventKind::Switch if can_wait && self.random.one_in(4) => self.delay(),
            EventKind::Switch => self.switch(),
            EventKind::Queue => self.queue(),
            EventKind::Marker => self.marker(),
            EventKind::Rest => self.other(),
        }
    }
}
