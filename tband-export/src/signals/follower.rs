//! Turns changes of the timeline into changes of signals.

use std::io;

use tband_conv::sinks::FindingQuota;
use tband_conv::timeline::{
    Actor, Change, EventTime, KernelChange, MarkerRef, Number, QueueChange, StreamBufferChange,
    Switch, TaskChange, TaskRef, TaskState, TimerChange, World,
};
use tband_conv::timeline::{EventGroupChange, Flow};
use tband_conv::{Finding, Problem, Sink, is_control};
use tband_format::Str;

use super::catalog::Catalog;
use super::labels::{FREE, HELD, Labels, RUNNING};
use super::source::{MAX_NOTIFICATIONS, Source};
use super::value::{Relation, Value};
use crate::names::shortened;

/// Maximum number of kept bytes of a text.
const MAX_TEXT: usize = 500;
/// Bytes that a change takes in a file, about.
const CHANGE: u64 = 8;

/// Is reported changes as they come, and signals as they are found. Those of one signal are in the order of time; others
/// may come late.
pub trait SignalStore {
    /// A signal with this number exists, or its values have another shape from now on.
    fn define_signal(&mut self, signal: u32, source: Source);

    /// A signal has this value from now on.
    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()>;

    /// Handles a change to a number, which is the most frequent value: implementations may have a shorter path for it.
    #[inline]
    fn number(&mut self, labels: &Labels, ns: i64, signal: u32, number: i64) -> io::Result<()> {
        self.change(labels, ns, signal, &Value::Number(number))
    }

    /// Handles a change to a label, which is the second most frequent value.
    #[inline]
    fn label(&mut self, labels: &Labels, ns: i64, signal: u32, label: u32) -> io::Result<()> {
        self.change(labels, ns, signal, &Value::Label(label))
    }

    /// Events of this core, or of all, are missing from here on.
    fn gap(&mut self, ns: i64, core: Option<u32>) -> io::Result<()> {
        let _ = (ns, core);
        Ok(())
    }

    /// Once, after all others, with all signals and the time of the last event.
    fn finish(&mut self, catalog: &Catalog, labels: &Labels, end_ns: i64) -> io::Result<()>;
}

/// State of a signal.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignalState {
    /// When it was reported last; the least time if it was not.
    reported_ns: i64,
    /// How often it is open, if it is an interrupt, or the spans of a marker.
    pub open: u32,
}

/// Reports changes as those of signals.
#[derive(Debug)]
pub struct SignalFollower<K> {
    pub(super) catalog: Catalog,
    /// State of each signal.
    pub(super) known: Vec<SignalState>,
    /// Makes names valid.
    clean: fn(&str) -> String,
    /// The running task of each core.
    runs: Vec<Option<TaskRef>>,
    labels: Labels,
    findings: FindingQuota,
    /// Changes so far, findings too.
    changes: u64,
    pub(super) keep: K,
}

impl<K: SignalStore> SignalFollower<K> {
    /// Reports all signals to `keep`; `clean` makes names valid, and they become unique.
    pub fn new(clean: fn(&str) -> String, keep: K) -> Self {
        Self {
            catalog: Catalog::default(),
            known: Vec::new(),
            clean,
            runs: Vec::new(),
            labels: Labels::default(),
            findings: FindingQuota::default(),
            changes: 0,
            keep,
        }
    }

    /// The number of a signal, which is new if it was not there.
    #[inline]
    fn signal(&mut self, source: Source) -> u32 {
        self.catalog.find(source).unwrap_or_else(|| self.define_signal(source))
    }

    #[cold]
    fn define_signal(&mut self, source: Source) -> u32 {
        let signal = self.catalog.add(source);
        self.known.push(SignalState { reported_ns: i64::MIN, open: 0 });
        self.keep.define_signal(signal, source);
        signal
    }

    fn set(&mut self, ns: i64, source: Source, value: &Value) -> io::Result<()> {
        let signal = self.signal(source);
        self.put(ns, signal, value)
    }

    fn put(&mut self, ns: i64, signal: u32, value: &Value) -> io::Result<()> {
        let Some(ns) = self.note_report(ns, signal) else { return Ok(()) };
        self.keep.change(&self.labels, ns, signal, value)
    }

    fn put_number(&mut self, ns: i64, signal: u32, number: i64) -> io::Result<()> {
        let Some(ns) = self.note_report(ns, signal) else { return Ok(()) };
        self.keep.number(&self.labels, ns, signal, number)
    }

    fn put_label(&mut self, ns: i64, signal: u32, label: u32) -> io::Result<()> {
        let Some(ns) = self.note_report(ns, signal) else { return Ok(()) };
        self.keep.label(&self.labels, ns, signal, label)
    }

    /// Notes a report of a signal, and returns its time: the times of one signal do not go back.
    #[inline]
    fn note_report(&mut self, ns: i64, signal: u32) -> Option<i64> {
        let known = self.known.get_mut(signal as usize)?;
        known.reported_ns = ns.max(known.reported_ns);
        self.changes = self.changes.wrapping_add(1);
        Some(known.reported_ns)
    }

    /// It is not known any more, if it was.
    pub(super) fn clear(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let Some(signal) = self.catalog.find(source) else { return Ok(()) };
        match self.known.get(signal as usize) {
            Some(known) if known.reported_ns != i64::MIN => self.put(ns, signal, &Value::Unknown),
            _ => Ok(()),
        }
    }

    #[inline]
    fn number(&mut self, ns: i64, source: Source, value: impl Into<i64>) -> io::Result<()> {
        let signal = self.signal(source);
        self.put_number(ns, signal, value.into())
    }

    #[inline]
    fn label(&mut self, ns: i64, source: Source, label: u32) -> io::Result<()> {
        let signal = self.signal(source);
        self.put_label(ns, signal, label)
    }

    /// A signal has real values if one of its values is not an integer.
    fn value(&mut self, ns: i64, marker: MarkerRef, value: Number) -> io::Result<()> {
        let real = Source::Real(marker);
        let is_real = self.catalog.find(real).is_some();
        match value {
            Number::Integer(value) if !is_real => self.number(ns, Source::Value(marker), value),
            value => {
                if !is_real && let Some(signal) = self.catalog.make_real(marker) {
                    self.keep.define_signal(signal, real);
                }
                self.set(ns, real, &Value::Real(value.real()))
            }
        }
    }

    fn text(&mut self, ns: i64, source: Source, text: &str) -> io::Result<()> {
        let text = shortened(text, MAX_TEXT);
        let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let text = if is_plain { text.into() } else { text.replace(is_control, "\u{FFFD}").into() };
        self.set(ns, source, &Value::Text(text))
    }

    fn state(&mut self, world: &World, ns: i64, task: TaskRef, to: TaskState) -> io::Result<()> {
        match self.labels.state(world, to) {
            Some(label) if to != TaskState::Deleted => self.label(ns, Source::State(task), label),
            label => self.end_state(ns, task, label.map_or(Value::Unknown, Value::Label)),
        }
    }

    /// The state of a task becomes unknown, or it is deleted.
    #[cold]
    fn end_state(&mut self, ns: i64, task: TaskRef, state: Value) -> io::Result<()> {
        self.set(ns, Source::State(task), &state)?;
        if state == Value::Unknown {
            return Ok(());
        }
        self.clear(ns, Source::Priority(task))?;
        self.clear(ns, Source::Stack(task))?;
        for index in 0..MAX_NOTIFICATIONS {
            self.clear(ns, Source::Notification(task, index))?;
        }
        Ok(())
    }

    fn set_running(
        &mut self,
        world: &World,
        ns: i64,
        core: u32,
        task: Option<TaskRef>,
    ) -> io::Result<()> {
        match self.runs.get_mut(core as usize) {
            Some(runs) => *runs = task,
            None => self.set_first_task(core, task),
        }
        match task {
            Some(task) => {
                let label = self.labels.task(world, task);
                self.label(ns, Source::Running(core), label)
            }
            None => self.set(ns, Source::Running(core), &Value::Unknown),
        }
    }

    /// The first task of a core, or that it has none.
    #[cold]
    fn set_first_task(&mut self, core: u32, task: Option<TaskRef>) {
        let at = core as usize;
        self.runs.resize(self.runs.len().max(at), None);
        self.runs.push(task);
    }

    fn task_state(
        &mut self,
        world: &World,
        ns: i64,
        task: TaskRef,
        (from, to): (TaskState, TaskState),
    ) -> io::Result<()> {
        if let TaskState::Running(core) = from
            && to != from
            && self.runs.get(core as usize) == Some(&Some(task))
        {
            self.set_running(world, ns, core, None)?;
        }
        if let TaskState::Running(core) = to {
            self.set_running(world, ns, core, Some(task))?;
        }
        self.state(world, ns, task, to)
    }

    fn isr(
        &mut self,
        at: EventTime,
        isr: tband_conv::timeline::IsrRef,
        change: i32,
    ) -> io::Result<()> {
        let signal = self.signal(Source::Isr(at.core, isr));
        let is_open = i64::from(self.change_open(signal, change) > 0);
        self.put_number(at.ns, signal, is_open)
    }

    /// Returns how often it is open from now on. It is counted here, because the world at the initial state of a window is a
    /// later one.
    fn change_open(&mut self, signal: u32, change: i32) -> u32 {
        let Some(known) = self.known.get_mut(signal as usize) else { return 0 };
        known.open = known.open.saturating_add_signed(change);
        known.open
    }

    fn task(&mut self, ns: i64, task: TaskRef, change: TaskChange) -> io::Result<()> {
        match change {
            TaskChange::Notified { index, value_after, .. }
            | TaskChange::NotificationTaken { index, value_after, .. }
                if index < MAX_NOTIFICATIONS =>
            {
                self.number(ns, Source::Notification(task, index), value_after)
            }
            TaskChange::StackHighWaterMark(bytes) => self.number(ns, Source::Stack(task), bytes),
            _ => Ok(()),
        }
    }

    fn change_spans(&mut self, ns: i64, marker: MarkerRef, change: i32) -> io::Result<()> {
        let signal = self.signal(Source::Open(marker));
        let open = self.change_open(signal, change);
        self.put_number(ns, signal, open.into())
    }

    fn message(&mut self, ns: i64, marker: MarkerRef, text: Str<'_>) -> io::Result<()> {
        if text.0.is_empty() {
            return self.clear(ns, Source::Text(marker));
        }
        self.text(ns, Source::Text(marker), &String::from_utf8_lossy(text.0))
    }

    fn flow(&mut self, world: &World, at: EventTime, flow: &Flow) -> io::Result<()> {
        let signal = |actor, core, acts: bool| match actor {
            Actor::Task(task) if acts => Some(Source::Acts(task)),
            Actor::Task(task) => Some(Source::State(task)),
            Actor::Isr(isr) if acts => Some(Source::IsrActs(core, isr)),
            Actor::Isr(isr) => Some(Source::Isr(core, isr)),
            Actor::UnknownIsr => None,
        };
        let Some(to) = signal(flow.to.actor, flow.to.core, true) else { return Ok(()) };
        let text = || {
            format!(
                "{} {}",
                if flow.woke { "woken:" } else { "got:" },
                world.describe_act(flow.to.act)
            )
        };
        let value = match signal(flow.from.actor, flow.from.core, false) {
            Some(from) => {
                let from = self.signal(from);
                let relation = Relation { text: text(), from, from_ns: flow.from.ns };
                Value::Related(Box::new(relation))
            }
            None => Value::Text(text().into()),
        };
        self.set(at.ns, to, &value)
    }

    /// A change of a kind that is not frequent.
    #[inline(never)]
    fn rare(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let ns = at.ns;
        match *change {
            Change::TaskState { task, from, to, .. } => {
                self.task_state(world, ns, task, (from, to))
            }
            Change::Task(task, change, _) => self.task(ns, task, change),
            Change::Flow(flow) if !flow.is_to_itself() => self.flow(world, at, flow),
            Change::Priority { task, priority, .. } => {
                self.number(ns, Source::Priority(task), priority)
            }
            Change::Queue(queue, QueueChange::Depth(depth), _) => {
                self.number(ns, Source::Depth(queue), depth)
            }
            Change::Queue(queue, QueueChange::Deleted, _) => {
                self.clear(ns, Source::Level(queue))?;
                self.clear(ns, Source::Depth(queue))?;
                self.clear(ns, Source::Holder(queue))
            }
            Change::MutexTaken(queue, holder) => {
                let label = holder.map_or(HELD, |task| self.labels.task(world, task));
                self.label(ns, Source::Holder(queue), label)
            }
            Change::MutexGiven(queue, _) => {
                self.clear(ns, Source::Depth(queue))?;
                self.label(ns, Source::Holder(queue), FREE)
            }
            Change::Marker(marker, text, _) => {
                self.message(ns, marker, text)?;
                self.set(ns, Source::Fired(marker), &Value::Moment)
            }
            Change::SpanBegin(marker, text, _) => {
                self.message(ns, marker, text)?;
                self.change_spans(ns, marker, 1)
            }
            Change::SpanEnd(marker, _) | Change::SpanAbandoned(marker) => {
                self.change_spans(ns, marker, -1)
            }
            Change::Value(marker, value, _) => self.value(ns, marker, value),
            Change::StreamBuffer(buffer, StreamBufferChange::Level(level, _), _) => {
                self.number(ns, Source::Bytes(buffer), level)
            }
            Change::StreamBuffer(buffer, StreamBufferChange::Deleted, _) => {
                self.clear(ns, Source::Bytes(buffer))
            }
            Change::EventGroup(group, EventGroupChange::Bits(bits, _), _) => {
                self.number(ns, Source::Bits(group), bits as i64)
            }
            Change::EventGroup(group, EventGroupChange::Deleted, _) => {
                self.clear(ns, Source::Bits(group))
            }
            Change::Timer(timer, TimerChange::Active, _) => {
                self.number(ns, Source::Active(timer), 1)
            }
            Change::Timer(timer, TimerChange::Dormant(_) | TimerChange::Created, _) => {
                self.number(ns, Source::Active(timer), 0)
            }
            Change::Timer(timer, TimerChange::CallbackBegin(_), _) => {
                self.number(ns, Source::Callback(timer), 1)
            }
            Change::Timer(timer, TimerChange::CallbackEnd { end_ns, .. }, _) => {
                self.number(end_ns, Source::Callback(timer), 0)
            }
            Change::Kernel(KernelChange::Heap(heap), _) => {
                if let Some(free) = heap.bytes_free {
                    self.number(ns, Source::HeapFree, free)?;
                }
                self.number(ns, Source::HeapUsed, heap.in_use)
            }
            Change::Kernel(KernelChange::Sleeps(_), _) => {
                self.number(ns, Source::Sleep(at.core), 1)
            }
            Change::Kernel(KernelChange::Wakes, _) => self.number(ns, Source::Sleep(at.core), 0),
            Change::Kernel(KernelChange::Ticks(count), _) => self.number(ns, Source::Ticks, count),
            Change::Forgotten(forgotten) => self.forgotten(at, forgotten),
            Change::Finding(finding) => self.finding(at, finding),
            _ => Ok(()),
        }
    }

    fn finding(&mut self, at: EventTime, finding: &Finding<'_>) -> io::Result<()> {
        if self.findings.admit(finding.problem, CHANGE * self.changes) {
            let text = format!("{}: {}", finding.problem.title(), finding.text);
            self.findings.add(text.len() as u64);
            self.text(at.ns, Source::Finding, &text)?;
        }
        if finding.problem == Problem::Restart {
            return self.keep.gap(at.ns, None);
        }
        Ok(())
    }
}

impl<K: SignalStore> Sink for SignalFollower<K> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        // Apart from all others, since those take more registers and stack.
        match *change {
            Change::IsrEnter(isr) => self.isr(at, isr, 1),
            Change::IsrExit(isr) => self.isr(at, isr, -1),
            Change::QueueLevel { queue, level, .. } => {
                // Its place is found directly, because the kind of signal is known here.
                let signal = self.signal(Source::Level(queue));
                self.put_number(at.ns, signal, level.into())
            }
            _ => self.rare(world, at, change),
        }
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        let Switch { previous, to, next, .. } = *switch;
        self.state(world, at.ns, previous, to)?;
        self.set_running(world, at.ns, at.core, Some(next))?;
        self.label(at.ns, Source::State(next), RUNNING)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        if let Some(rest) = self.findings.rest() {
            self.text(end_ns, Source::Finding, &rest)?;
        }
        self.catalog.name_all(world, self.clean);
        self.catalog.are_times_ticks = world.are_times_ticks;
        self.keep.finish(&self.catalog, &self.labels, end_ns)
    }
}
