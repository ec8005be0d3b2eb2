//! The reason of each task's wait and its outcome: as Perfetto's `blocked_function`, and as slices on the task's track.
//!
//! Both have the same text, so both are written once: when the outcome is known, or at the latest before the task's next state
//! with such a text. The time of the former is still one nanosecond after the start of the wait: at the same time Perfetto
//! might take it for the reason of the wait before, and the timeline keeps that nanosecond free.

use crate::model::{EventTime, Outcome, Task, TaskRef, Wait, World, describe_bits};
use crate::sinks::perfetto::events::WaitSlice;
use crate::sinks::perfetto::memory::{Ender, PendingWait, Reason};
use crate::sinks::perfetto::tasks::tids::isr_thread_name;
use crate::sinks::perfetto::trace::Trace;
use tband_import::counted::counted;

/// Texts beyond this number have no limits and bits, so that memory is bounded.
const MAX_TEXTS: usize = 4096;
/// Waits beyond this number of texts have one text together.
const MAX_TEXTS_IN_ALL: usize = 1 << 16;
/// Places of recent texts of a kind.
const MAX_RECENT: usize = 4096;

/// Outcomes, an unknown one included.
const OUTCOMES: usize = 5;

/// Where the last text of a wait is remembered.
fn place_of(wait: Wait, outcome: Option<Outcome>) -> (usize, usize) {
    let (kind, index) = match wait {
        // Real indices are small; others share a place.
        Wait::NotifyTake(index) => Wait::NotifyTake(index.min(32)),
        Wait::NotifyWait(index) => Wait::NotifyWait(index.min(32)),
        other => other,
    }
    .place();
    let outcome = match outcome {
        None => 0,
        Some(Outcome::Satisfied) => 1,
        Some(Outcome::Timeout) => 2,
        Some(Outcome::Aborted) => 3,
        Some(Outcome::Deleted) => OUTCOMES - 1,
    };
    (kind, index * OUTCOMES + outcome)
}

impl Reason {
    fn text(self, world: &World) -> String {
        let (wait, outcome, limit, bits) = match self {
            Self::Suspended => return "suspended".to_owned(),
            Self::Unknown => return "unknown, events are missing".to_owned(),
            Self::Further => return "a further object".to_owned(),
            Self::Waits { wait, outcome, limit, bits } => (wait, outcome, limit, bits),
        };
        let mut text = world.describe_wait(wait);
        if bits.0 != 0 {
            text = format!("{text}: {}", describe_bits(bits));
        }
        match (outcome, limit.map(|limit| counted(limit, "tick"))) {
            (None, None) => text,
            (Some(outcome), None) => format!("{text} ({})", outcome.name()),
            (None, Some(limit)) => format!("{text} (limit {limit})"),
            (Some(Outcome::Timeout), Some(limit)) => {
                format!("{text} (timeout after {limit})")
            }
            (Some(outcome), Some(limit)) => {
                format!("{text} ({}, limit {limit})", outcome.name())
            }
        }
    }
}

impl Trace {
    /// A task waits from now on.
    #[inline]
    pub(in crate::sinks::perfetto) fn begin_wait(
        &mut self,
        at: EventTime,
        task: TaskRef,
        entry: &Task,
        wait: Wait,
    ) {
        let bits = match wait {
            Wait::Bits(_) | Wait::EventGroupSync(_) => entry.awaited_bits(),
            _ => (0, false),
        };
        let limit = entry.limit();
        if let Some(tracks) = self.tasks.get_mut(task) {
            let wait = Some(wait);
            tracks.wait = Some(PendingWait { limit, bits, ..PendingWait::new(at, wait) });
        }
        if let Wait::Receive(queue) = wait {
            self.wait_for_queue(task, queue);
        }
    }

    /// A task is suspended from now on.
    pub(in crate::sinks::perfetto) fn suspended(&mut self, at: EventTime, task: TaskRef) {
        if let Some(tracks) = self.tasks.get_mut(task) {
            tracks.wait = Some(PendingWait::new(at, None));
        }
    }

    /// A task's state began at this time, before the window that is shown.
    #[cold]
    pub(in crate::sinks::perfetto) fn set_wait_start(&mut self, task: TaskRef, ns: i64) {
        if let Some(wait) = self.tasks.get_mut(task).and_then(|it| it.wait.as_mut()) {
            wait.before = Some(wait.at.ns.saturating_sub(ns).unsigned_abs());
        }
    }

    /// A task does not wait any more. How its wait ended may be reported later.
    #[inline]
    pub(in crate::sinks::perfetto) fn stop_wait(
        &mut self,
        ns: i64,
        task: TaskRef,
        by: Option<Ender>,
    ) {
        if let Some(PendingWait { end, .. }) =
            self.tasks.get_mut(task).and_then(|tracks| tracks.wait.as_mut())
        {
            *end = Some((ns, by));
        }
    }

    /// How the last wait of a task ended is known. A wait that an actor ended is written with the arrow to that actor, which
    /// may follow.
    #[inline]
    pub(in crate::sinks::perfetto) fn end_wait(
        &mut self,
        world: &World,
        now: EventTime,
        task: TaskRef,
        outcome: Outcome,
    ) {
        let Some(Some(pending)) = self.tasks.get_mut(task).map(|tracks| &mut tracks.wait) else {
            return;
        };
        pending.outcome = Some(outcome);
        let Some((end, by)) = &mut pending.end else { return self.finish_wait(world, task, None) };
        // A task that is woken since the mutex was given does not have it yet.
        if outcome == Outcome::Satisfied && pending.wait.is_some_and(|it| world.is_for_mutex(it)) {
            *end = now.ns;
        }
        if outcome != Outcome::Satisfied || by.is_none() {
            self.finish_wait(world, task, None);
        }
    }

    /// From `now` on, the last wait of a task cannot change any more; `None` if it is over, or at the end of the recording.
    #[inline]
    pub(in crate::sinks::perfetto) fn finish_wait(
        &mut self,
        world: &World,
        task: TaskRef,
        now: Option<i64>,
    ) {
        let Some(tracks) = self.tasks.get_mut(task) else { return };
        let Some(mut pending) = tracks.wait.take() else { return };
        if let PendingWait { wait: Some(wait), outcome: None, end: Some((_, Some(by))), .. } =
            pending
            && world.is_for_mutex(wait)
        {
            pending.end = now.map(|now| (now, Some(by)));
        }
        self.write_wait(world, task, &pending, None);
    }

    /// A flow begins at the actor that ended the last wait of a task: an arrow leads there from the wait, too.
    #[inline]
    pub(in crate::sinks::perfetto) fn wait_flows(
        &mut self,
        world: &World,
        task: TaskRef,
        flow: u64,
    ) {
        let Some(tracks) = self.tasks.get_mut(task) else { return };
        if let Some(pending) = tracks.wait.take_if(|wait| wait.outcome.is_some()) {
            self.write_wait(world, task, &pending, Some(flow));
        }
    }

    fn write_wait(
        &mut self,
        world: &World,
        task: TaskRef,
        pending: &PendingWait,
        flow: Option<u64>,
    ) {
        let PendingWait { at, wait, limit, bits, end, outcome, before } = *pending;
        let tid = self.tid(world, task);
        let symbol = match wait {
            Some(wait) => self.reason(world, at, tid, Reason::Waits { wait, outcome, limit, bits }),
            // The state shows it already.
            None => self.symbol(world, Reason::Suspended),
        };
        let object = match wait {
            Some(Wait::Receive(queue) | Wait::Send(queue) | Wait::Peek(queue)) => {
                world.queues.get(queue).map(|queue| queue.id)
            }
            Some(Wait::SendBytes(buffer) | Wait::ReceiveBytes(buffer)) => {
                world.stream_buffers.get(buffer).map(|buffer| buffer.id)
            }
            Some(Wait::Bits(group) | Wait::EventGroupSync(group)) => {
                world.event_groups.get(group).map(|group| group.id)
            }
            Some(Wait::Delay | Wait::DelayUntil | Wait::NotifyTake(_) | Wait::NotifyWait(_))
            | None => None,
        };
        let ender = end.and_then(|(_, by)| by).map(|by| self.ender(world, by));
        let track = self.calls_track(world, task);
        let slice = WaitSlice { symbol, object, ticks: limit, ender, before, flow };
        self.packets.wait((at.ns, end.map(|(ns, _)| ns)), track, &slice);
    }

    #[inline]
    fn ender(&mut self, world: &World, by: Ender) -> u64 {
        let known = match by {
            Ender::Task(task) => self.enders.tasks.copied(task),
            Ender::Isr(isr, _) => self.enders.isrs.copied(isr),
        };
        if known == 0 { self.new_ender(world, by) } else { known }
    }

    #[cold]
    fn new_ender(&mut self, world: &World, by: Ender) -> u64 {
        let (name, known) = match by {
            Ender::Task(task) => (world.task_name(task).to_string(), self.enders.tasks.entry(task)),
            Ender::Isr(isr, core) => {
                let name = isr_thread_name(world, isr, core);
                (name, self.enders.isrs.entry(isr))
            }
        };
        *known = self.packets.ender(&name);
        *known
    }

    /// Why the task of this thread does not run from this time on.
    pub(in crate::sinks::perfetto) fn reason(
        &mut self,
        world: &World,
        at: EventTime,
        tid: i32,
        reason: Reason,
    ) -> u64 {
        let symbol = self.symbol(world, reason);
        let ns = at.ns.saturating_add(1);
        self.core(at.core).bundle.blocked(at.core, ns, tid.into(), symbol);
        symbol
    }

    #[inline]
    fn symbol(&mut self, world: &World, reason: Reason) -> u64 {
        let place = match reason {
            Reason::Waits { wait, outcome, .. } => place_of(wait, outcome),
            Reason::Suspended => (0, 2 * OUTCOMES),
            Reason::Unknown => (0, 3 * OUTCOMES),
            Reason::Further => (0, 4 * OUTCOMES),
        };
        let recent = self.reasons.recent.get(place.0).and_then(|recent| recent.get(place.1));
        match recent {
            Some(Some((known, symbol))) if *known == reason => *symbol,
            _ => self.other_symbol(world, reason, place),
        }
    }

    #[inline(never)]
    fn other_symbol(&mut self, world: &World, reason: Reason, place: (usize, usize)) -> u64 {
        let symbol = match self.reasons.symbols.get(&reason) {
            Some(symbol) => *symbol,
            None => self.new_symbol(world, reason),
        };
        if place.1 < MAX_RECENT
            && let Some(recent) = self.reasons.recent.get_mut(place.0)
        {
            *recent.entry(place.1) = Some((reason, symbol));
        }
        symbol
    }

    #[cold]
    fn new_symbol(&mut self, world: &World, mut reason: Reason) -> u64 {
        if self.reasons.symbols.len() >= MAX_TEXTS
            && let Reason::Waits { limit, bits, .. } = &mut reason
        {
            (*limit, *bits) = (None, (0, false));
            if let Some(symbol) = self.reasons.symbols.get(&reason) {
                return *symbol;
            }
        }
        if self.reasons.symbols.len() >= MAX_TEXTS_IN_ALL {
            reason = Reason::Further;
            if let Some(symbol) = self.reasons.symbols.get(&reason) {
                return *symbol;
            }
        }
        let symbol = self.packets.symbol(&reason.text(world));
        self.reasons.symbols.insert(reason, symbol);
        symbol
    }
}
