//! BTF, the Best Trace Format 2.2 of Eclipse APP4MC: a line of text for each event of a task or an interrupt. Trace Compass and timing
//! tools read it.
//!
//! A task (`T`) or an interrupt (`I`) is a process. Each activation is one instance of it, with the activation's number. A stimulus
//! (`STI`) activates the instance. It runs, is preempted, waits, and terminates; a core is the source of these events. Locks are
//! semaphores (`SEM`).
//!
//! An activation ends after others that began later, so lines are sorted before they are written.

mod sorted;

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Write};

use tband_conv::activations::{
    Activation, ActivationSink, Activations, LockHold, PartKind, Path, PathSegment, Reason, Subject,
};
use tband_conv::model::{
    Change, EventTime, Flows, QueueRef, Sink, Switch, TaskRef, TaskState, World,
};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use self::sorted::{Record, Sorter};
use crate::text::TextWriter;

/// Converts recordings to BTF. Reads each input twice. Times are in ns from the start of the recording.
///
/// # Errors
/// As [`convert()`]; if `out` or a temporary file cannot be written.
pub fn convert_to_btf(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let mut options = options.clone();
    // The release of an item is in its flow.
    options.flows = Flows::All;
    let mut btf = Btf { follow: Activations::new(Lines::new(TextWriter::new(out))) };
    convert(inputs, &options, &mut btf)
}

/// Activations of a process that are remembered: a lock is reported when it is given.
const MAX_RECENT: usize = 64;

/// An event, in the order of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Activate,
    Start,
    Resume,
    Preempt,
    Wait,
    Release,
    Terminate,
    /// Of a semaphore, by the process.
    Request,
    SpooledText,
    Assigned,
    Released,
}

impl Event {
    /// All of them, in the order of their numbers.
    const ALL: [Self; 11] = [
        Self::Activate,
        Self::Start,
        Self::Resume,
        Self::Preempt,
        Self::Wait,
        Self::Release,
        Self::Terminate,
        Self::Request,
        Self::SpooledText,
        Self::Assigned,
        Self::Released,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Activate => "activate",
            Self::Start => "start",
            Self::Resume => "resume",
            Self::Preempt => "preempt",
            Self::Wait => "wait",
            Self::Release => "release",
            Self::Terminate => "terminate",
            Self::Request => "requestsemaphore",
            Self::SpooledText => "waiting",
            Self::Assigned => "assigned",
            Self::Released => "released",
        }
    }

    /// The order at one time: a core is left before another process gets it, and locks are given before they are taken.
    const fn rank(self) -> u8 {
        match self {
            Self::Released | Self::Request | Self::SpooledText => 0,
            Self::Preempt | Self::Wait | Self::Terminate => 1,
            Self::Activate | Self::Release => 2,
            Self::Start | Self::Resume => 3,
            Self::Assigned => 4,
        }
    }

    const fn is_of_lock(self) -> bool {
        matches!(self, Self::Request | Self::SpooledText | Self::Assigned | Self::Released)
    }
}

/// The state of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Active,
    Running,
    Ready,
    SpooledText,
}

/// A task or an interrupt.
#[derive(Debug)]
struct Process {
    subject: Subject,
    /// The open activation, and its state.
    number: u64,
    state: State,
    core: u32,
    /// The last time and rank of the process.
    last: (i64, u8),
    /// The latest activations: since when each was the present one, and its number.
    recent: VecDeque<(i64, u64)>,
    /// The lock that it has requested and not got yet, and when.
    requested: Option<(u32, i64)>,
    name: String,
}

impl Process {
    /// The activation that was the present one at a time.
    fn number_at(&self, ns: i64) -> u64 {
        let known = self.recent.iter().rev().find(|(since, _)| *since <= ns);
        known.or(self.recent.front()).map_or(self.number, |(_, number)| *number)
    }
}

struct Lines<W: Write> {
    out: TextWriter<W>,
    sorter: Sorter,
    places: HashMap<Subject, u32>,
    processes: Vec<Process>,
    locks: Vec<QueueRef>,
    lock_places: HashMap<QueueRef, u32>,
    cores: HashMap<TaskRef, u32>,
}

impl<W: Write> Lines<W> {
    fn new(out: TextWriter<W>) -> Self {
        Self {
            out,
            sorter: Sorter::default(),
            places: HashMap::new(),
            processes: Vec::new(),
            locks: Vec::new(),
            lock_places: HashMap::new(),
            cores: HashMap::new(),
        }
    }

    fn place(&mut self, subject: Subject) -> u32 {
        let next = u32::try_from(self.processes.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(subject).or_insert(next);
        if place == next {
            self.processes.push(Process {
                subject,
                number: 0,
                state: State::Active,
                core: 0,
                last: (i64::MIN, 0),
                recent: VecDeque::new(),
                requested: None,
                name: String::new(),
            });
        }
        place
    }

    fn lock(&mut self, lock: QueueRef) -> u32 {
        let next = u32::try_from(self.locks.len()).unwrap_or(u32::MAX);
        let place = *self.lock_places.entry(lock).or_insert(next);
        if place == next {
            self.locks.push(lock);
        }
        place
    }

    fn add(&mut self, place: u32, ns: i64, event: Event, lock: u32) -> io::Result<()> {
        let Some(process) = self.processes.get_mut(place as usize) else { return Ok(()) };
        let mut rank = event.rank();
        // Events of one process keep their order. Those of locks are of the past.
        if !event.is_of_lock() {
            if process.last.0 == ns {
                rank = rank.max(process.last.1);
            }
            process.last = (ns, rank);
        }
        let number = Event::ALL.iter().position(|it| *it == event).unwrap_or(0);
        let instance = if event.is_of_lock() { process.number_at(ns) } else { process.number };
        self.sorter.add(Record {
            ns,
            rank,
            event: u8::try_from(number).unwrap_or(0),
            core: u16::try_from(process.core).unwrap_or(u16::MAX),
            process: place,
            instance,
            lock,
        })
    }

    /// The instance changes its state.
    fn enter(&mut self, place: u32, ns: i64, to: State) -> io::Result<()> {
        let Some(process) = self.processes.get_mut(place as usize) else { return Ok(()) };
        let from = std::mem::replace(&mut process.state, to);
        let events: &[Event] = match (from, to) {
            (State::Active, State::Running) => &[Event::Start],
            (State::Active, _) => {
                process.state = State::Active;
                &[]
            }
            (State::Running, State::Ready) => &[Event::Preempt],
            (State::Running, State::SpooledText) => &[Event::Wait],
            (State::Ready, State::Running) => &[Event::Resume],
            // It was woken, and found the lock taken again. It waits only after it had the core.
            (State::Ready, State::SpooledText) => {
                process.state = State::Ready;
                &[]
            }
            (State::SpooledText, State::Ready) => &[Event::Release],
            (State::SpooledText, State::Running) => &[Event::Release, Event::Resume],
            _ => &[],
        };
        events.iter().try_for_each(|event| self.add(place, ns, *event, 0))
    }

    /// The activation of a process, from its release on.
    fn begin(&mut self, place: u32, number: u64, ns: i64) -> io::Result<()> {
        let Some(process) = self.processes.get_mut(place as usize) else { return Ok(()) };
        if process.number == number {
            return Ok(());
        }
        (process.number, process.state, process.requested) = (number, State::Active, None);
        // It may have been released while the task was busy with the one before it.
        let since = ns.max(process.last.0);
        if process.recent.len() >= MAX_RECENT {
            process.recent.pop_front();
        }
        process.recent.push_back((since, number));
        self.add(place, ns, Event::Activate, 0)
    }
}

/// The state of an instance in a part of it.
const fn state_of(path: &Path) -> State {
    match path.kind() {
        PartKind::Own => State::Running,
        PartKind::Locked if matches!(path.reason, Reason::HandedOver) => State::Ready,
        PartKind::Locked | PartKind::Room | PartKind::Suspended => State::SpooledText,
        _ => State::Ready,
    }
}

impl<W: Write> ActivationSink for Lines<W> {
    fn part(&mut self, _: &World, part: &PathSegment<'_>) -> io::Result<()> {
        if matches!(part.subject, Subject::Timer(_)) {
            return Ok(());
        }
        let place = self.place(part.subject);
        let core = match part.subject {
            Subject::Isr(_, core) => Some(core),
            Subject::Task(task) => self.cores.get(&task).copied(),
            Subject::Timer(_) => None,
        };
        if let Some((core, process)) = core.zip(self.processes.get_mut(place as usize)) {
            process.core = core;
        }
        self.begin(place, part.number, part.begin_ns)?;
        let first = part.path.locks.first().map(|link| link.lock);
        if let Some(lock) = first {
            let lock = self.lock(lock);
            let process = self.processes.get_mut(place as usize);
            let is_new = process.is_some_and(|process| {
                let is_new = process.requested.is_none_or(|(known, _)| known != lock);
                if is_new {
                    process.requested = Some((lock, part.begin_ns));
                }
                is_new
            });
            if is_new {
                self.add(place, part.begin_ns, Event::Request, lock)?;
                self.add(place, part.begin_ns, Event::SpooledText, lock)?;
            }
        }
        self.enter(place, part.begin_ns, state_of(part.path))
    }

    fn activation(&mut self, _: &World, it: &Activation) -> io::Result<()> {
        if matches!(it.subject, Subject::Timer(_)) {
            return Ok(());
        }
        let place = self.place(it.subject);
        // Without a part it has no length.
        self.begin(place, it.number, it.released_ns)?;
        if !it.end_seen {
            return Ok(());
        }
        self.enter(place, it.ended_ns, State::Running)?;
        self.add(place, it.ended_ns, Event::Terminate, 0)
    }

    fn hold(&mut self, _: &World, hold: &LockHold) -> io::Result<()> {
        let Some(holder) = hold.holder else { return Ok(()) };
        let lock = self.lock(hold.lock);
        let place = self.place(Subject::Task(holder));
        if hold.begin_seen {
            let process = self.processes.get_mut(place as usize);
            // A request after it is that of the next hold.
            let is_own = |it: &mut (u32, i64)| it.0 == lock && it.1 <= hold.begin_ns;
            let is_requested =
                process.is_some_and(|process| process.requested.take_if(is_own).is_some());
            if !is_requested {
                self.add(place, hold.begin_ns, Event::Request, lock)?;
            }
            self.add(place, hold.begin_ns, Event::Assigned, lock)?;
        }
        if hold.end_seen { self.add(place, hold.end_ns, Event::Released, lock) } else { Ok(()) }
    }

    fn finish(&mut self, world: &World) -> io::Result<()> {
        let Self { out, sorter, processes, locks, .. } = self;
        let named =
            processes.iter().map(|it| (plain(&it.subject.name(world)), it.subject.id(world)));
        let names = distinct(named);
        processes.iter_mut().zip(names).for_each(|(process, name)| process.name = name);
        let named = locks.iter().map(|lock| {
            let id = world.queues.get(*lock).map_or(0, |queue| queue.id);
            (plain(&world.queue_name(*lock).to_string()), id)
        });
        let locks = distinct(named);
        let start = world.start_ns.unwrap_or(0);
        let creator = crate::exporter(world.are_times_ticks);
        out.line().text(&format!("#version 2.2.0\n#creator {creator}\n#timeScale ns\n"));
        out.end()?;
        std::mem::take(sorter).merge(&mut |record| {
            let Some(process) = processes.get(record.process as usize) else { return Ok(()) };
            let Some(event) = Event::ALL.get(usize::from(record.event)) else { return Ok(()) };
            let kind = if matches!(process.subject, Subject::Isr(..)) { "I" } else { "T" };
            let (name, instance) = (&process.name, record.instance);
            let ns = record.ns.saturating_sub(start).max(0).unsigned_abs();
            let line = out.line().number(ns);
            if event.is_of_lock() {
                let lock = locks.get(record.lock as usize).map_or("", String::as_str);
                line.text(&format!(",{name},{instance},SEM,{lock},0,{}\n", event.name()));
            } else if *event == Event::Activate {
                line.text(&format!(",STI_{name},{instance},{kind},{name},{instance},activate\n"));
            } else {
                let core = record.core;
                line.text(&format!(",Core_{core},0,{kind},{name},{instance},{}\n", event.name()));
            }
            out.end()
        })?;
        out.finish().map(drop)
    }
}

/// A name without what separates fields and lines.
fn plain(name: &str) -> String {
    let is_separator = |letter: char| {
        letter == ',' || letter == '#' || letter.is_whitespace() || letter.is_control()
    };
    name.replace(is_separator, "_")
}

/// Names of which none occurs twice: the number follows one that does.
fn distinct(names: impl Iterator<Item = (String, u32)>) -> Vec<String> {
    let mut known = HashSet::new();
    let mut all = Vec::new();
    for (name, id) in names {
        let mut own = name.clone();
        let mut number = 1_u32;
        while !known.insert(own.clone()) {
            own =
                if number == 1 { format!("{name}_{id}") } else { format!("{name}_{id}_{number}") };
            number = number.saturating_add(1);
        }
        all.push(own);
    }
    all
}

struct Btf<W: Write> {
    follow: Activations<Lines<W>>,
}

impl<W: Write> Btf<W> {
    /// A task gets a core.
    fn learn_core(&mut self, change: &Change<'_>) {
        if let Change::TaskState { task, to: TaskState::Running(core), .. } = *change {
            self.follow.inner_mut().cores.insert(task, core);
        }
    }
}

impl<W: Write> Sink for Btf<W> {
    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.learn_core(change);
        self.follow.initial(world, at, change)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.learn_core(change);
        self.follow.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        // The task did not run before, so that nothing of another core is still to be reported.
        self.follow.inner_mut().cores.insert(switch.next, at.core);
        self.follow.switch(world, at, switch)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.follow.finish(world, end_ns)
    }
}
