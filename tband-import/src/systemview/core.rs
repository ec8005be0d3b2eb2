//! The state of one core.

use tband_format::Event;

use super::names::Marker;
use crate::output::Output;

/// The cores of a stream, of which one sends the packet that is read.
#[derive(Debug)]
pub struct Cores {
    /// The core of the packet that is read.
    pub on: Core,
    /// The other cores.
    others: Vec<Core>,
}

/// What is known of one core.
#[derive(Debug, Default)]
pub struct Core {
    /// Its number in tband's events.
    pub number: u32,
    pub running: Option<u32>,
    pub isrs: Vec<u32>,
    /// Timers whose functions run, the innermost one last.
    pub timers: Vec<Marker>,
    /// The interrupt that the packet before has ended.
    pub ended: Option<u32>,
    /// The idle task, if it is known.
    pub idle: Option<u32>,
    pub is_idle_emitted: bool,
    /// The task that was deleted last.
    pub deleted: Option<u32>,
    /// The running task has announced its wait.
    pub has_announced: bool,
    /// An interrupt has asked for a switch since the last one.
    pub has_yielded: bool,
}

impl Core {
    /// Events are missing.
    pub fn forget_state(&mut self) {
        self.running = None;
        self.isrs.clear();
        self.timers.clear();
        self.ended = None;
        self.has_announced = false;
    }
}

impl Cores {
    /// So many cores, from this number on.
    pub fn new(first: u32, count: u32) -> Self {
        let core = |number| Core { number, ..Core::default() };
        let others = (1..count).map(|it| core(first.saturating_add(it))).collect();
        Self { on: core(first), others }
    }

    /// The packets from here on are of this core.
    #[inline]
    pub fn select(&mut self, number: u32) {
        if number != self.on.number
            && let Some(other) = self.others.iter_mut().find(|it| it.number == number)
        {
            std::mem::swap(&mut self.on, other);
        }
    }

    /// All cores, the one of the packet first.
    pub fn iter(&self) -> impl Iterator<Item = &Core> {
        std::iter::once(&self.on).chain(&self.others)
    }

    /// All cores.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Core> {
        std::iter::once(&mut self.on).chain(&mut self.others)
    }

    /// A task is the idle task of a core.
    pub fn is_idle(&self, task: u32) -> bool {
        self.iter().any(|core| core.idle == Some(task))
    }

    /// Idle tasks are gone, or others have their numbers.
    pub fn forget_idle(&mut self, is_gone: impl Fn(u32) -> bool) {
        for core in self.iter_mut().filter(|core| core.idle.is_some_and(&is_gone)) {
            (core.idle, core.is_idle_emitted) = (None, false);
        }
    }

    /// A task has a name: `IDLE` and the number of its core, or `IDLE` alone, which each core has once.
    pub fn name(&mut self, task: u32, name: &str) {
        let Some(number) = name.strip_prefix("IDLE") else { return };
        let is_known = self.is_idle(task);
        let mut cores: Vec<&mut Core> = self.iter_mut().collect();
        cores.sort_by_key(|core| core.number);
        let core = match number.parse::<u32>() {
            Ok(number) => cores.into_iter().find(|core| core.number == number),
            Err(_) if number.is_empty() && !is_known => {
                cores.into_iter().find(|core| core.idle.is_none())
            }
            Err(_) => None,
        };
        if let Some(core) = core {
            core.idle = Some(task);
        }
    }

    /// Appends an event of each core.
    pub fn emit(&self, now: u64, event: &Event<'static>, out: &mut Output) {
        self.iter().for_each(|core| out.timed(core.number, now, event));
    }
}
