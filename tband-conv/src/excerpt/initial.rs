//! The state at a moment: states, levels, open items. It is followed change by change, because the world that comes with a
//! change is already the one after it.

use std::io;

use tband_format::Str;

use crate::model::{
    BitsCause, BufferCause, CallChange, Caller, Change, EventGroupChange, EventGroupRef, EventTime,
    ForgottenState, HeapChange, IsrRef, KernelChange, MarkerRef, Omission, PerKey, Position,
    PriorityCause, QueueCause, QueueChange, QueueRef, Sink, StreamBufferChange, StreamBufferRef,
    TaskChange, TaskRef, TaskState, TimerChange, TimerRef, Waker, World,
};
use crate::number::Number;

/// The last reported value of each object of a kind, with its time and core.
#[derive(Clone, Debug)]
struct LastValues<K, T>(PerKey<K, Option<(K, EventTime, T)>>);

impl<K, T> Default for LastValues<K, T> {
    fn default() -> Self {
        Self(PerKey::default())
    }
}

impl<K: Position, T: Copy> LastValues<K, T> {
    fn set(&mut self, key: K, at: EventTime, value: T) {
        *self.0.entry(key) = Some((key, at, value));
    }

    fn forget(&mut self, key: K) {
        if let Some(entry) = self.0.get_mut(key) {
            *entry = None;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (K, EventTime, T)> {
        self.0.iter().flatten().copied()
    }
}

/// Removes the innermost matching item from a stack of open items.
fn close<T>(open: &mut Vec<T>, is_it: impl Fn(&T) -> bool) {
    if let Some(position) = open.iter().rposition(is_it) {
        open.remove(position);
    }
}

/// How urgent a task is.
#[derive(Clone, Copy, Debug)]
struct Urgency {
    priority: u32,
    base: Option<u32>,
    cause: PriorityCause,
}

/// The state at the moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Initial {
    tasks: LastValues<TaskRef, TaskState>,
    priorities: LastValues<TaskRef, Urgency>,
    margins: LastValues<TaskRef, u32>,
    affinities: LastValues<TaskRef, u32>,
    wakes_at: LastValues<TaskRef, u32>,
    /// The last change that reported the value of a task's notification, by index.
    notifications: Vec<(TaskRef, u32, EventTime, TaskChange)>,
    levels: LastValues<QueueRef, u32>,
    depths: LastValues<QueueRef, u32>,
    holders: LastValues<QueueRef, Option<TaskRef>>,
    stream_buffers: LastValues<StreamBufferRef, u32>,
    event_groups: LastValues<EventGroupRef, u64>,
    active: LastValues<TimerRef, ()>,
    values: LastValues<MarkerRef, Number>,
    /// Open ones with their cores, the innermost last.
    isrs: Vec<(u32, IsrRef)>,
    spans: Vec<(u32, MarkerRef, Vec<u8>)>,
    calls: Vec<(u32, Caller, u32)>,
    callbacks: Vec<(u32, TimerRef, Option<TaskRef>)>,
    /// Cores that sleep, and for how many kernel ticks at most.
    sleeping: Vec<(u32, u32)>,
    /// Cores of which events are missing, and since when.
    missing: Vec<(u32, i64)>,
    left_out: Vec<(u32, Omission)>,
    heap: Option<(EventTime, HeapChange)>,
    tick_count: Option<(EventTime, u32)>,
}

impl Initial {
    /// Whether a change of this kind only starts a state that lasts: if it comes at the moment when the window opens, it is
    /// reported as initial state. Others, such as a sent item, are reported unchanged.
    pub const fn is_all_of(change: &Change<'_>) -> bool {
        matches!(
            change,
            Change::TaskState { .. }
                | Change::LeftOut(..)
                | Change::IsrEnter(_)
                | Change::IsrExit(_)
                | Change::MutexTaken(..)
                | Change::MutexGiven(..)
                | Change::SpanBegin(..)
                | Change::SpanEnd(..)
                | Change::SpanAbandoned(_)
                | Change::Call(..)
                | Change::Forgotten(
                    ForgottenState::Isr(_)
                        | ForgottenState::Holder(_)
                        | ForgottenState::Priority(_)
                        | ForgottenState::Span(_)
                        | ForgottenState::Callback(..)
                        | ForgottenState::Call(..)
                        | ForgottenState::Sleep
                        | ForgottenState::Core,
                )
                | Change::Timer(
                    _,
                    TimerChange::CallbackBegin(_)
                        | TimerChange::CallbackEnd { .. }
                        | TimerChange::LeadsToCallback,
                    _,
                )
                | Change::Kernel(KernelChange::Sleeps(_) | KernelChange::Wakes, _)
        )
    }

    /// Takes in a change.
    pub fn follow(&mut self, at: EventTime, change: &Change<'_>) {
        let core = at.core;
        if !matches!(change, Change::Forgotten(_) | Change::Finding(_)) {
            // It is recorded again.
            self.missing.retain(|&(missing, since)| missing != core || at.ns <= since);
        }
        match *change {
            Change::Forgotten(ForgottenState::Core) => {
                let is_new = self.missing.iter().all(|it| it.0 != core);
                self.missing.extend(is_new.then_some((core, at.ns)));
            }
            Change::TaskState { task, to, .. } => self.state(at, task, to),
            Change::Priority { task, priority, base, cause, .. } => {
                self.priorities.set(task, at, Urgency { priority, base, cause });
            }
            Change::Task(task, change, _) => self.task(at, task, change),
            Change::LeftOut(what, true) => self.left_out.push((core, what)),
            Change::LeftOut(what, false) => self.left_out.retain(|it| it.1 != what),
            Change::IsrEnter(isr) => self.isrs.push((core, isr)),
            Change::IsrExit(isr) | Change::Forgotten(ForgottenState::Isr(isr)) => {
                close(&mut self.isrs, |it| *it == (core, isr));
            }
            Change::QueueLevel { queue, level, .. } => {
                self.levels.set(queue, at, level);
            }
            Change::Forgotten(ForgottenState::Priority(task)) => self.priorities.forget(task),
            Change::Forgotten(ForgottenState::Level(queue)) => self.levels.forget(queue),
            Change::Queue(queue, QueueChange::Depth(depth), _) => {
                self.depths.set(queue, at, depth);
            }
            Change::Queue(queue, QueueChange::Deleted, _) => {
                self.levels.forget(queue);
                self.depths.forget(queue);
                self.holders.forget(queue);
            }
            Change::MutexTaken(queue, holder) => {
                self.holders.set(queue, at, holder);
            }
            Change::MutexGiven(queue, _) | Change::Forgotten(ForgottenState::Holder(queue)) => {
                self.holders.forget(queue);
                self.depths.forget(queue);
            }
            Change::SpanBegin(marker, msg, _) => self.spans.push((core, marker, msg.0.to_vec())),
            Change::SpanEnd(marker, _)
            | Change::SpanAbandoned(marker)
            | Change::Forgotten(ForgottenState::Span(marker)) => {
                close(&mut self.spans, |it| it.1 == marker);
            }
            Change::Value(marker, value, _) => self.values.set(marker, at, value),
            Change::StreamBuffer(buffer, StreamBufferChange::Level(level, _), _) => {
                self.stream_buffers.set(buffer, at, level);
            }
            Change::StreamBuffer(buffer, StreamBufferChange::Deleted, _)
            | Change::Forgotten(ForgottenState::StreamBuffer(buffer)) => {
                self.stream_buffers.forget(buffer);
            }
            Change::EventGroup(group, EventGroupChange::Bits(bits, _), _) => {
                self.event_groups.set(group, at, bits);
            }
            Change::EventGroup(group, EventGroupChange::Deleted, _)
            | Change::Forgotten(ForgottenState::EventGroup(group)) => {
                self.event_groups.forget(group);
            }
            Change::Timer(timer, change, _) => self.timer(at, timer, change),
            Change::Forgotten(ForgottenState::Timer(timer)) => self.active.forget(timer),
            Change::Forgotten(ForgottenState::Callback(timer, _)) => {
                close(&mut self.callbacks, |it| it.1 == timer);
            }
            Change::Call(caller, number, CallChange::Begin) => {
                self.calls.push((core, caller, number));
            }
            Change::Call(caller, number, _)
            | Change::Forgotten(ForgottenState::Call(caller, number)) => {
                let whose = |it: &(u32, Caller, u32)| {
                    (it.1, it.2) == (caller, number)
                        && (it.0 == core || matches!(caller, Caller::Task(_)))
                };
                close(&mut self.calls, whose);
            }
            Change::Kernel(KernelChange::Sleeps(ticks), _) => self.sleeping.push((core, ticks)),
            Change::Kernel(KernelChange::Wakes, _) | Change::Forgotten(ForgottenState::Sleep) => {
                self.sleeping.retain(|it| it.0 != core);
            }
            Change::Kernel(KernelChange::Heap(heap), _) => self.heap = Some((at, heap)),
            Change::Kernel(KernelChange::Ticks(count), _) => self.tick_count = Some((at, count)),
            _ => {}
        }
    }

    fn state(&mut self, at: EventTime, task: TaskRef, to: TaskState) {
        self.tasks.set(task, at, to);
        if to == TaskState::Deleted {
            self.priorities.forget(task);
            self.margins.forget(task);
            self.affinities.forget(task);
            self.wakes_at.forget(task);
            self.notifications.retain(|it| it.0 != task);
        }
    }

    fn task(&mut self, at: EventTime, task: TaskRef, change: TaskChange) {
        match change {
            TaskChange::StackHighWaterMark(bytes) => self.margins.set(task, at, bytes),
            TaskChange::MayRunOn(cores) => self.affinities.set(task, at, cores),
            TaskChange::WakesAt(tick) => self.wakes_at.set(task, at, tick),
            TaskChange::Notified { index, .. } | TaskChange::NotificationTaken { index, .. } => {
                let is_it =
                    |it: &&mut (TaskRef, u32, EventTime, TaskChange)| (it.0, it.1) == (task, index);
                match self.notifications.iter_mut().find(is_it) {
                    Some(known) => (known.2, known.3) = (at, change),
                    None => self.notifications.push((task, index, at, change)),
                }
            }
            _ => {}
        }
    }

    fn timer(&mut self, at: EventTime, timer: TimerRef, change: TimerChange) {
        match change {
            TimerChange::Active => self.active.set(timer, at, ()),
            TimerChange::Created | TimerChange::Dormant(_) => self.active.forget(timer),
            TimerChange::CallbackBegin(task) => self.callbacks.push((at.core, timer, task)),
            TimerChange::CallbackEnd { .. } => close(&mut self.callbacks, |it| it.1 == timer),
            _ => {}
        }
    }

    /// Returns the earlier world, if the next change has set a priority: sinks look up that of a running task. `None` if it has
    /// not changed.
    pub fn world_before(&self, world: &World) -> Option<Box<World>> {
        let now = |task| world.tasks.get(task).and_then(|task| task.priority);
        let is_other =
            |(task, _, then): &(TaskRef, EventTime, Urgency)| now(*task) != Some(then.priority);
        let mut changed = self.priorities.iter().filter(is_other).peekable();
        changed.peek()?;
        let mut before = Box::new(world.clone());
        for (task, _, then) in changed {
            if let Some(task) = before.tasks.get_mut(task) {
                task.priority = Some(then.priority);
            }
        }
        Some(before)
    }

    /// Reports the complete state at this time. Waits are reported after the holders that they wait for, and interrupts after
    /// the tasks that they interrupt.
    pub fn emit(self, world: &World, ns: i64, sink: &mut dyn Sink) -> io::Result<()> {
        // Initial state has no actor.
        let by = None;
        let mut say =
            |core: u32, change: Change<'_>| sink.initial(world, EventTime { ns, core }, &change);
        for &(core, what) in &self.left_out {
            say(core, Change::LeftOut(what, true))?;
        }
        // Changes of a deleted task are reported after its end.
        self.emit_states(ns, |state| state == TaskState::Deleted, &mut say)?;
        for (task, EventTime { core, .. }, Urgency { priority, base, cause }) in
            self.priorities.iter()
        {
            say(core, Change::Priority { task, priority, base, cause, by })?;
        }
        self.emit_queues(&mut say)?;
        for (caller, (core, number)) in self.calls.iter().map(|it| (it.1, (it.0, it.2))) {
            say(core, Change::Call(caller, number, CallChange::Begin))?;
        }
        self.emit_states(ns, |state| state != TaskState::Deleted, &mut say)?;
        let of_tasks = [
            (&self.margins, TaskChange::StackHighWaterMark as fn(u32) -> TaskChange),
            (&self.affinities, TaskChange::MayRunOn),
            (&self.wakes_at, TaskChange::WakesAt),
        ];
        for (values, change) in of_tasks {
            for (task, EventTime { core, .. }, value) in values.iter() {
                say(core, Change::Task(task, change(value), by))?;
            }
        }
        for &(task, _, EventTime { core, .. }, change) in &self.notifications {
            say(core, Change::Task(task, change, by))?;
        }
        for &(core, isr) in &self.isrs {
            say(core, Change::IsrEnter(isr))?;
        }
        self.emit_objects(&mut say)?;
        for (value, EventTime { core, .. }, number) in self.values.iter() {
            say(core, Change::Value(value, number, by))?;
        }
        for (core, marker, msg) in &self.spans {
            say(*core, Change::SpanBegin(*marker, Str(msg), by))?;
        }
        for &(core, ticks) in &self.sleeping {
            say(core, Change::Kernel(KernelChange::Sleeps(ticks), by))?;
        }
        for &(core, _) in &self.missing {
            say(core, Change::Forgotten(ForgottenState::Core))?;
        }
        if let Some((EventTime { core, .. }, heap)) = self.heap {
            say(core, Change::Kernel(KernelChange::Heap(heap), by))?;
        }
        if let Some((EventTime { core, .. }, count)) = self.tick_count {
            say(core, Change::Kernel(KernelChange::Ticks(count), by))?;
        }
        Ok(())
    }

    fn emit_states(
        &self,
        ns: i64,
        which: impl Fn(TaskState) -> bool,
        say: &mut impl FnMut(u32, Change<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        for (task, at, to) in self.tasks.iter().filter(|(_, _, state)| which(*state)) {
            // Unknown states as well, to report the states that a loss has made unknown.
            let (from, waker) = (TaskState::Unknown, Waker::Other);
            let core = if let TaskState::Running(core) = to { core } else { at.core };
            say(core, Change::TaskState { task, from, to, waker })?;
            if at.ns < ns
                && !matches!(to, TaskState::Running(_) | TaskState::Deleted | TaskState::Unknown)
            {
                say(core, Change::Task(task, TaskChange::Since(at.ns), None))?;
            }
        }
        Ok(())
    }

    fn emit_queues(
        &self,
        say: &mut impl FnMut(u32, Change<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        for (queue, EventTime { core, .. }, level) in self.levels.iter() {
            let (cause, by) = (QueueCause::Reported, None);
            say(core, Change::QueueLevel { queue, level, cause, by })?;
        }
        for (queue, EventTime { core, .. }, holder) in self.holders.iter() {
            say(core, Change::MutexTaken(queue, holder))?;
        }
        for (queue, EventTime { core, .. }, depth) in self.depths.iter() {
            say(core, Change::Queue(queue, QueueChange::Depth(depth), None))?;
        }
        Ok(())
    }

    fn emit_objects(
        &self,
        say: &mut impl FnMut(u32, Change<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        for (buffer, EventTime { core, .. }, level) in self.stream_buffers.iter() {
            let level = StreamBufferChange::Level(level, BufferCause::Reported);
            say(core, Change::StreamBuffer(buffer, level, None))?;
        }
        for (group, EventTime { core, .. }, bits) in self.event_groups.iter() {
            let bits = EventGroupChange::Bits(bits, BitsCause::Found);
            say(core, Change::EventGroup(group, bits, None))?;
        }
        for (timer, EventTime { core, .. }, ()) in self.active.iter() {
            say(core, Change::Timer(timer, TimerChange::Active, None))?;
        }
        for &(core, timer, task) in &self.callbacks {
            say(core, Change::Timer(timer, TimerChange::CallbackBegin(task), None))?;
        }
        Ok(())
    }
}

/// Kept changes are followed later.
impl Sink for Initial {
    fn change(&mut self, _: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.follow(at, change);
        Ok(())
    }
}
