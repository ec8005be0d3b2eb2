//! Halts: a debugger stops the core, or interrupts are off, and no tick comes for long.
//!
//! A core that takes the kernel's ticks has an event in each of them. If it has no event for much longer than a tick, while the
//! recording is complete and the core is not reported to sleep, then it did not run its program, or it ran with interrupts off.
//! The two cannot be distinguished, so that time has no known owner. Nothing else changes: no event is missing, so the same
//! task and the same interrupts have the core afterwards.

use std::io;

use tband_format::classes::{CLASSES, STATED};

use super::memory::task::{LastCore, least_duration};
use super::memory::tick_rate::TickRate;
use super::{AnyContext, Timeline};
use crate::cores::MAX_CORES;
use crate::diagnostics::Problem;
use crate::model::{Change, EventTime, ForgottenState, TaskRef, TaskState, Transition, Waker};

/// Ids of the events of ticks and of the begin of a sleep.
const TICK: u8 = 201;
const SLEEP: u8 = 199;

impl Timeline {
    /// A tick of the kernel comes on this core.
    pub(super) fn note_tick(&mut self, at: EventTime) {
        let is_asleep = self.system.asleep >> at.core & 1 != 0;
        let tick_ns = self.kernel_tick_ns();
        let ticks = &mut self.core(at.core).ticks;
        if is_asleep || tick_ns == 0 {
            ticks.pause();
        } else {
            ticks.tick(at.ns, tick_ns);
        }
    }

    /// Events are missing, or the timestamps count differently.
    pub(super) fn forget_tick_rates(&mut self) {
        for core in 0..MAX_CORES {
            self.core(core).ticks = TickRate::default();
        }
    }

    /// An event comes on a core after its next tick should have come.
    #[cold]
    #[inline(never)]
    pub(super) fn tick_is_overdue(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let here = context.at;
        let core = self.core(here.core);
        let from = core.last_ns.max(core.moved_ns);
        let length_ns = here.ns.saturating_sub(from);
        if length_ns < core.ticks.least_ns() || !self.needs_ticks(here.core) {
            // Ticks do not come for another reason. None is expected until they are regular again.
            self.core(here.core).ticks = TickRate::default();
            return Ok(());
        }
        self.core(here.core).ticks.wait_from(here.ns);
        // The timer may have been set to 0 instead.
        let tick_ns = self.kernel_tick_ns();
        self.pace.add_leap(from, here.ns, 1, tick_ns);
        context.at.ns = from;
        let isrs = self.core(here.core).isrs.clone();
        for isr in isrs.iter().rev() {
            let change = Change::Forgotten(ForgottenState::Isr(*isr));
            context.sink.change(&self.world, context.at, &change)?;
        }
        let running = self.core(here.core).running;
        let runs = TaskState::Running(here.core);
        if let Some(task) = running {
            let transition = Transition { task, from: runs, to: TaskState::Unknown };
            self.transition(context, transition, Waker::Other)?;
        }
        let change = Change::Forgotten(ForgottenState::Core);
        context.sink.change(&self.world, context.at, &change)?;
        context.at = here;
        if let Some(task) = running {
            self.is_task_resumed(context, task)?;
        }
        for isr in isrs {
            context.sink.initial(&self.world, context.at, &Change::IsrEnter(isr))?;
        }
        let text = format!(
            "at {:.6} s on core {}, no tick for {}: halted, or interrupts off",
            from as f64 / 1e9,
            here.core,
            length(length_ns)
        );
        self.report_finding(context, Problem::Halt, 1, &text)
    }

    /// The task that had the core before a halt has it after the halt. That is not a switch.
    fn is_task_resumed(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<()> {
        let EventTime { ns, core } = context.at;
        let to = TaskState::Running(core);
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.state = to;
        }
        let memory = self.tasks.entry(task);
        memory.ran_on = LastCore::core(core);
        memory.settled = ns.saturating_add(least_duration(to));
        let waker = Waker::Other;
        let change = Change::TaskState { task, from: TaskState::Unknown, to, waker };
        context.sink.initial(&self.world, context.at, &change)
    }

    /// Without a halt, ticks come on this core, and they are recorded.
    fn needs_ticks(&self, core: u32) -> bool {
        let is_idle =
            |task: TaskRef| self.world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
        let idle = || self.world.tasks.iter_current().filter(|(_, task)| task.idle_of.is_some());
        // The end of the scheduler deletes the idle tasks.
        let is_over = idle().any(|(_, task)| task.state == TaskState::Deleted);
        let has_work =
            idle().next().is_some() && self.cores.running(core).is_some_and(|task| !is_idle(task));
        let filter = &self.filters.now;
        let is_asleep = self.system.asleep >> core & 1 != 0;
        let shows_sleep = self.has_sleep_events() && !self.system.steps_awake;
        !is_over && !is_asleep && !filter.has_any(&[TICK]) && (has_work || shows_sleep)
    }

    /// Whether the recording has the begin of each sleep in which ticks are suppressed.
    fn has_sleep_events(&self) -> bool {
        let flags = self.world.trace_info.map_or(0, |info| info.flags);
        let of_sleep = CLASSES.iter().filter(|class| class.events.contains(&SLEEP));
        let is_on = of_sleep.fold(0, |bits, class| bits | class.flag) & flags != 0;
        flags & STATED != 0 && is_on && !self.filters.now.has_any(&[SLEEP])
    }
}

/// A length of time in s or ms.
fn length(ns: i64) -> String {
    match ns {
        ..1_000_000_000 => format!("{:.0} ms", ns as f64 / 1e6),
        _ => format!("{:.1} s", ns as f64 / 1e9),
    }
}
