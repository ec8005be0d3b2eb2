//! The slow model: a list of time slices of each core; every figure is a sum of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use tband_conv::model::{Change, EventTime, ForgottenState, Sink, TaskRef, TaskState, World};

/// What a core does for a time.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: i64,
    to: i64,
    task: Option<TaskRef>,
    in_isr: bool,
}

/// A core while the recording is read.
#[derive(Debug, Default)]
pub struct Core {
    pieces: Vec<Piece>,
    since: Option<i64>,
    task: Option<TaskRef>,
    isrs: usize,
}

/// Time of a core by its owner, in ns, and the known time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTimes {
    pub task: i64,
    pub idle: i64,
    pub isr: i64,
    pub unknown: i64,
    pub known: i64,
}

/// A recording.
#[derive(Debug, Default)]
pub struct Model {
    pub cores: BTreeMap<u32, Core>,
    pub start: i64,
    pub end: i64,
    /// Numbers of tasks, and which are idle.
    ids: BTreeMap<usize, u32>,
    pub idle_tasks: BTreeSet<u32>,
    pub idle_cores: BTreeSet<u32>,
}

impl Model {
    fn reach(&mut self, ns: i64, core: u32) -> &mut Core {
        let start = self.start;
        let core = self.cores.entry(core).or_default();
        let from = core.since.unwrap_or(start);
        core.pieces.push(Piece { from, to: ns, task: core.task, in_isr: core.isrs > 0 });
        core.since = Some(ns);
        core
    }

    fn is_idle(&self, task: TaskRef) -> bool {
        self.idle_tasks.contains(&self.ids[&task.index()])
    }

    /// The time of a core in a window.
    pub fn core(&self, core: u32, from: i64, to: i64) -> CoreTimes {
        let mut owned = CoreTimes { unknown: to - from, ..CoreTimes::default() };
        for piece in self.cores.get(&core).iter().flat_map(|core| &core.pieces) {
            let time = (piece.to.min(to) - piece.from.max(from)).max(0);
            let sum = match piece.task {
                _ if piece.in_isr => &mut owned.isr,
                Some(task) if self.is_idle(task) => &mut owned.idle,
                Some(_) => &mut owned.task,
                None => continue,
            };
            *sum += time;
            owned.unknown -= time;
            owned.known += if piece.task.is_some() { time } else { 0 };
        }
        owned
    }

    /// The load of a core in a window, if it is known: its busy time and its known time.
    pub fn load(&self, core: u32, from: i64, to: i64) -> Option<(i64, i64)> {
        let CoreTimes { known, idle, .. } = self.core(core, from, to);
        (known > 0 && self.idle_cores.contains(&core)).then_some((known - idle, known))
    }

    /// The CPU time of the tasks of a number in a window.
    pub fn task(&self, id: u32, from: i64, to: i64) -> i64 {
        let pieces = self.cores.values().flat_map(|core| &core.pieces);
        let own = pieces
            .filter(|it| !it.in_isr && it.task.is_some_and(|task| self.ids[&task.index()] == id));
        own.map(|piece| (piece.to.min(to) - piece.from.max(from)).max(0)).sum()
    }
}

impl Sink for Model {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.start = world.start_ns.unwrap_or(0);
        Ok(())
    }

    fn change(
        &mut self,
        _: &World,
        EventTime { ns, core }: EventTime,
        change: &Change<'_>,
    ) -> io::Result<()> {
        match *change {
            Change::TaskState { task, from, to, .. } => {
                if let TaskState::Running(core) = from {
                    self.reach(ns, core).task = None;
                }
                if let TaskState::Running(core) = to {
                    self.reach(ns, core).task = Some(task);
                }
            }
            Change::IsrEnter(_) => self.reach(ns, core).isrs += 1,
            Change::IsrExit(_) | Change::Forgotten(ForgottenState::Isr(_)) => {
                self.reach(ns, core).isrs -= 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.end = end_ns;
        for core in self.cores.keys().copied().collect::<Vec<_>>() {
            self.reach(end_ns, core);
        }
        for (task, known) in world.tasks.iter() {
            self.ids.insert(task.index(), known.id);
            if let Some(core) = known.idle_of {
                self.idle_tasks.insert(known.id);
                self.idle_cores.insert(core);
            }
        }
        Ok(())
    }
}
