//! The owners of each core over time: the [table of owners](super) as a sequence of intervals.

use std::collections::BTreeMap;
use std::io;

use crate::model::{
    Change, EventTime, ForgottenState, IsrRef, Sink, Switch, TaskRef, TaskState, World,
};

/// The owner of a core at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A task that is not idle.
    Task(TaskRef),
    /// The idle task.
    Idle(TaskRef),
    /// The innermost open interrupt.
    Isr(IsrRef),
    /// The recording does not contain it.
    Unknown,
}

impl Owner {
    /// The word of its kind: `task`, `idle`, `interrupt` or `unknown`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Idle(_) => "idle",
            Self::Isr(_) => "interrupt",
            Self::Unknown => "unknown",
        }
    }

    /// Its number on the target, if it has one.
    #[must_use]
    pub fn id(self, world: &World) -> Option<u32> {
        match self {
            Self::Task(task) | Self::Idle(task) => world.tasks.get(task).map(|it| it.id),
            Self::Isr(isr) => world.isrs.get(isr).map(|it| it.id),
            Self::Unknown => None,
        }
    }

    /// Its name on a core.
    #[must_use]
    pub fn name(self, world: &World, core: u32) -> String {
        match self {
            Self::Task(task) | Self::Idle(task) => world.task_name(task).to_string(),
            Self::Isr(isr) => world.isr_name(isr, core).to_string(),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// Takes the time of each core, piece by piece.
pub trait TakeTime {
    /// The recording, or its window, starts at this time, in ns. Called before the first piece.
    fn begin(&mut self, start_ns: i64);

    /// `owner` has the core from `from_ns` to `to_ns`, which is later. The pieces of a core follow each other without
    /// gaps, from the start to the end of the recording; two that follow each other may have the same owner.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn time(
        &mut self,
        world: &World,
        core: u32,
        owner: Owner,
        from_ns: i64,
        to_ns: i64,
    ) -> io::Result<()>;

    /// Called after the last piece.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn end(&mut self, world: &World, end_ns: i64) -> io::Result<()>;
}

/// The interrupts and the task on a core.
#[derive(Debug, Default)]
struct Core {
    since: i64,
    open: Vec<IsrRef>,
    /// The task that has the core, and whether it is idle.
    task: Option<(TaskRef, bool)>,
}

impl Core {
    fn owner(&self) -> Owner {
        match (self.open.last(), self.task) {
            (Some(isr), _) => Owner::Isr(*isr),
            (None, Some((task, true))) => Owner::Idle(task),
            (None, Some((task, false))) => Owner::Task(task),
            (None, None) => Owner::Unknown,
        }
    }
}

/// Follows the owners of all cores, as [`CoreTime`](super::CoreTime) does of one: a sink for whole conversions.
#[derive(Debug)]
pub struct Owners<T> {
    inner: T,
    cores: BTreeMap<u32, Core>,
    start: Option<i64>,
}

impl<T: TakeTime> Owners<T> {
    /// Passes the time on to `inner`.
    pub const fn new(inner: T) -> Self {
        Self { inner, cores: BTreeMap::new(), start: None }
    }

    /// The receiver.
    pub const fn inner(&self) -> &T {
        &self.inner
    }

    /// Returns the receiver of the time.
    pub const fn inner_mut(&mut self) -> &mut T {
        &mut self.inner
    }

    /// Returns the receiver of the time.
    pub fn into_inner(self) -> T {
        self.inner
    }

    fn begin(&mut self, ns: i64) -> i64 {
        match self.start {
            Some(start) => start,
            None => {
                self.start = Some(ns);
                self.inner.begin(ns);
                ns
            }
        }
    }

    /// The core, after the time up to now was passed on to its owner so far.
    fn settle(&mut self, world: &World, ns: i64, number: u32) -> io::Result<&mut Core> {
        let start = self.begin(ns);
        let new = || Core { since: start, ..Core::default() };
        let core = self.cores.entry(number).or_insert_with(new);
        if ns > core.since {
            self.inner.time(world, number, core.owner(), core.since, ns)?;
            core.since = ns;
        }
        Ok(core)
    }

    fn set_running(&mut self, world: &World, ns: i64, core: u32, task: TaskRef) -> io::Result<()> {
        let is_idle = world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
        self.settle(world, ns, core)?.task = Some((task, is_idle));
        Ok(())
    }
}

impl<T: TakeTime> Sink for Owners<T> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        if let Some(ns) = world.start_ns {
            self.begin(ns);
        }
        Ok(())
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let EventTime { ns, core } = at;
        self.begin(ns);
        match *change {
            Change::TaskState { task, from, to, .. } => {
                if let TaskState::Running(core) = from {
                    self.settle(world, ns, core)?.task = None;
                }
                match to {
                    TaskState::Running(core) => self.set_running(world, ns, core, task),
                    _ => Ok(()),
                }
            }
            Change::StillRunning(_) => {
                self.settle(world, ns, core)?.task = None;
                Ok(())
            }
            Change::TaskRenamed(task) => {
                let on = self
                    .cores
                    .iter()
                    .find(|(_, core)| core.task.is_some_and(|(running, _)| running == task));
                match on.map(|(number, _)| *number) {
                    Some(core) => self.set_running(world, ns, core, task),
                    None => Ok(()),
                }
            }
            Change::IsrEnter(isr) => {
                self.settle(world, ns, core)?.open.push(isr);
                Ok(())
            }
            Change::IsrExit(isr) | Change::Forgotten(ForgottenState::Isr(isr)) => {
                let core = self.settle(world, ns, core)?;
                if let Some(place) = core.open.iter().rposition(|open| *open == isr) {
                    core.open.truncate(place);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.set_running(world, at.ns, at.core, switch.next)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        for core in &world.cores {
            self.settle(world, end_ns, *core)?;
        }
        self.inner.end(world, end_ns)
    }
}
