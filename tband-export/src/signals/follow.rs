//! What happens, as changes of signals.

use std::io;

use tband_conv::sinks::FindingQuota;
use tband_conv::timeline::{
    Actor, At, Change, KernelChange, MarkerRef, Number, QueueChange, StreamBufferChange, Switch,
    TaskChange, TaskRef, TaskState, TimerChange, World,
};
use tband_conv::timeline::{EventGroupChange, Flow};
use tband_conv::{Finding, Problem, Sink, steers};
use tband_format::Str;

use super::catalog::Catalog;
use super::labels::{FREE, HELD, Labels};
use super::order::Ordered;
use super::source::{MAX_NOTIFICATIONS, Source};
use super::value::{Relation, Value};
use crate::names::shortened;

/// Bytes of a text that are kept.
const MAX_TEXT: usize = 500;
/// Bytes that a change takes in a file, about.
const CHANGE: u64 = 8;

/// Is reported changes in the order of time, those of one signal in the order in which they happened.
pub trait Take {
    /// Once, before all others: the time of the first change.
    fn start(&mut self, catalog: &Catalog, ns: i64) -> io::Result<()>;

    /// A signal has this value from now on.
    fn change(&mut self, labels: &Labels, ns: i64, signal: u32, value: &Value) -> io::Result<()>;

    /// Events of this core, or of all, are missing from here on.
    fn gap(&mut self, labels: &Labels, ns: i64, core: Option<u32>) -> io::Result<()> {
        let _ = (labels, ns, core);
        Ok(())
    }

    /// Once, after all others.
    fn finish(&mut self, ns: i64) -> io::Result<()>;
}

/// What is held back: a signal's value, or that the events of a core are missing.
#[derive(Debug)]
pub(super) enum Held {
    Value(u32, Value),
    Gap(Option<u32>),
}

/// Tells changes as those of signals.
#[derive(Debug)]
pub struct Follow<T> {
    pub(super) catalog: Catalog,
    pub(super) is_survey: bool,
    has_started: bool,
    /// When each signal was reported last; the least time if it was not.
    told_ns: Vec<i64>,
    /// How often each interrupt is open.
    pub(super) open: Vec<u32>,
    /// Who runs on each core.
    runs: Vec<Option<TaskRef>>,
    labels: Labels,
    findings: FindingQuota,
    /// Changes so far, findings too.
    changes: u64,
    held: Ordered<Held>,
    take: T,
}

impl<T: Take> Follow<T> {
    /// Tells `take` of the signals of the catalog.
    pub fn new(catalog: Catalog, take: T) -> Self {
        Self {
            told_ns: vec![i64::MIN; catalog.len()],
            open: vec![0; catalog.len()],
            catalog,
            is_survey: false,
            has_started: false,
            runs: Vec::new(),
            labels: Labels::default(),
            findings: FindingQuota::default(),
            changes: 0,
            held: Ordered::default(),
            take,
        }
    }

    /// Finds out which signals there are, and reports nothing.
    pub(super) fn survey(take: T) -> Self {
        Self { is_survey: true, ..Self::new(Catalog::default(), take) }
    }

    /// The signals.
    pub(super) fn catalog(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// The signals, when all is done.
    pub(super) fn into_catalog(self) -> Catalog {
        self.catalog
    }

    fn set(&mut self, ns: i64, source: Source, value: Value) -> io::Result<()> {
        if self.is_survey {
            self.catalog.add(source);
            return Ok(());
        }
        let Some(signal) = self.catalog.find(source) else { return Ok(()) };
        self.put(ns, signal, value)
    }

    fn put(&mut self, ns: i64, signal: u32, value: Value) -> io::Result<()> {
        let Some(reported) = self.told_ns.get_mut(signal as usize) else { return Ok(()) };
        let ns = self.held.at(ns.max(*reported));
        *reported = ns;
        self.changes += 1;
        self.hold(ns, Held::Value(signal, value))
    }

    pub(super) fn hold(&mut self, ns: i64, held: Held) -> io::Result<()> {
        match self.held.push(ns, held) {
            Some((ns, held)) => self.emit(ns, &held),
            None => Ok(()),
        }
    }

    fn emit(&mut self, ns: i64, held: &Held) -> io::Result<()> {
        if !self.has_started {
            self.start_at(ns)?;
        }
        match held {
            Held::Value(signal, value) => self.take.change(&self.labels, ns, *signal, value),
            Held::Gap(core) => self.take.gap(&self.labels, ns, *core),
        }
    }

    /// What can be open is not, unless it is reported.
    fn start_at(&mut self, ns: i64) -> io::Result<()> {
        self.has_started = true;
        self.take.start(&self.catalog, ns)?;
        for (signal, source, _) in self.catalog.signals() {
            let is_closed = matches!(
                source,
                Source::Isr(..) | Source::Sleep(_) | Source::Callback(_) | Source::Open(_)
            );
            if is_closed {
                self.take.change(&self.labels, ns, signal, &Value::Number(0))?;
            }
        }
        Ok(())
    }

    /// It is not known any more, if it was.
    pub(super) fn clear(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let Some(signal) = self.catalog.find(source) else { return Ok(()) };
        match self.told_ns.get(signal as usize) {
            Some(&reported) if reported != i64::MIN => self.put(ns, signal, Value::Unknown),
            _ => Ok(()),
        }
    }

    fn number(&mut self, ns: i64, source: Source, value: impl Into<i64>) -> io::Result<()> {
        self.set(ns, source, Value::Number(value.into()))
    }

    /// A signal is of reals if one of its values is none of the integers; the survey knows.
    fn value(&mut self, ns: i64, marker: MarkerRef, value: Number) -> io::Result<()> {
        let real = Source::Real(marker);
        match value {
            Number::Real(_) if self.is_survey => {
                self.catalog.add_real(marker);
                Ok(())
            }
            Number::Integer(value) if self.catalog.find(real).is_none() => {
                self.number(ns, Source::Value(marker), value)
            }
            value => self.set(ns, real, Value::Real(value.real())),
        }
    }

    fn text(&mut self, ns: i64, source: Source, text: &str) -> io::Result<()> {
        if self.is_survey {
            return self.set(ns, source, Value::Unknown);
        }
        let text = shortened(text, MAX_TEXT).replace(steers, "\u{FFFD}");
        self.set(ns, source, Value::Text(text.into()))
    }

    fn state(&mut self, world: &World, ns: i64, task: TaskRef, to: TaskState) -> io::Result<()> {
        let value = match to {
            _ if self.is_survey => Value::Unknown,
            to => self.labels.state(world, to).map_or(Value::Unknown, Value::Label),
        };
        self.set(ns, Source::State(task), value)?;
        if to == TaskState::Deleted {
            self.clear(ns, Source::Priority(task))?;
            self.clear(ns, Source::Stack(task))?;
            for index in 0..MAX_NOTIFICATIONS {
                self.clear(ns, Source::Notification(task, index))?;
            }
        }
        Ok(())
    }

    fn runs(&mut self, world: &World, ns: i64, core: u32, task: Option<TaskRef>) -> io::Result<()> {
        let at = core as usize;
        if self.runs.len() <= at {
            self.runs.resize(at + 1, None);
        }
        if let Some(runs) = self.runs.get_mut(at) {
            *runs = task;
        }
        let value = match task {
            _ if self.is_survey => Value::Unknown,
            Some(task) => Value::Label(self.labels.task(world, task)),
            None => Value::Unknown,
        };
        self.set(ns, Source::Running(core), value)
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
            self.runs(world, ns, core, None)?;
        }
        if let TaskState::Running(core) = to {
            self.runs(world, ns, core, Some(task))?;
        }
        self.state(world, ns, task, to)
    }

    fn isr(&mut self, at: At, isr: tband_conv::timeline::IsrRef, change: i32) -> io::Result<()> {
        let source = Source::Isr(at.core, isr);
        if self.is_survey {
            self.catalog.add(source);
            return Ok(());
        }
        let Some(signal) = self.catalog.find(source) else { return Ok(()) };
        let Some(open) = self.open.get_mut(signal as usize) else { return Ok(()) };
        *open = open.saturating_add_signed(change);
        let is_open = i64::from(*open > 0);
        self.put(at.ns, signal, Value::Number(is_open))
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

    fn spans(&mut self, world: &World, ns: i64, marker: MarkerRef) -> io::Result<()> {
        let open = world.markers.get(marker).map_or(0, |marker| marker.depth);
        self.number(ns, Source::Open(marker), open)
    }

    fn message(&mut self, ns: i64, marker: MarkerRef, text: Str<'_>) -> io::Result<()> {
        if text.0.is_empty() {
            return self.clear(ns, Source::Text(marker));
        }
        self.text(ns, Source::Text(marker), &text.to_string())
    }

    fn flow(&mut self, world: &World, at: At, flow: &Flow) -> io::Result<()> {
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
        let from = signal(flow.from.actor, flow.from.core, false);
        let from = from.and_then(|from| match self.is_survey {
            true => Some(self.catalog.add(from)),
            false => self.catalog.find(from),
        });
        let value = match from {
            _ if self.is_survey => Value::Unknown,
            Some(from) => {
                let relation = Relation { text: text(), from, from_ns: flow.from.ns };
                Value::Related(Box::new(relation))
            }
            None => Value::Text(text().into()),
        };
        self.set(at.ns, to, value)
    }

    fn finding(&mut self, at: At, finding: &Finding<'_>) -> io::Result<()> {
        if self.findings.takes(finding.problem, CHANGE * self.changes) {
            let text = format!("{}: {}", finding.problem.title(), finding.text);
            self.findings.add(text.len() as u64);
            self.text(at.ns, Source::Finding, &text)?;
        }
        if finding.problem == Problem::Restart && !self.is_survey {
            return self.hold(at.ns, Held::Gap(None));
        }
        Ok(())
    }
}

impl<T: Take> Sink for Follow<T> {
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        let ns = at.ns;
        match *change {
            Change::TaskState { task, from, to, .. } => {
                self.task_state(world, ns, task, (from, to))
            }
            Change::Task(task, change, _) => self.task(ns, task, change),
            Change::Flow(flow) => self.flow(world, at, flow),
            Change::Priority { task, priority, .. } => {
                self.number(ns, Source::Priority(task), priority)
            }
            Change::IsrEnter(isr) => self.isr(at, isr, 1),
            Change::IsrExit(isr) => self.isr(at, isr, -1),
            Change::QueueLevel { queue, level, .. } => self.number(ns, Source::Level(queue), level),
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
                self.set(ns, Source::Holder(queue), Value::Label(label))
            }
            Change::MutexGiven(queue, _) => {
                self.clear(ns, Source::Depth(queue))?;
                self.set(ns, Source::Holder(queue), Value::Label(FREE))
            }
            Change::Marker(marker, text, _) => {
                self.message(ns, marker, text)?;
                self.set(ns, Source::Fired(marker), Value::Moment)
            }
            Change::SpanBegin(marker, text, _) => {
                self.message(ns, marker, text)?;
                self.spans(world, ns, marker)
            }
            Change::SpanEnd(marker, _) | Change::SpanAbandoned(marker) => {
                self.spans(world, ns, marker)
            }
            Change::Value(marker, value, _) => self.value(ns, marker, value),
            Change::StreamBuffer(buffer, StreamBufferChange::Level(level, _), _) => {
                self.number(ns, Source::Bytes(buffer), level)
            }
            Change::StreamBuffer(buffer, StreamBufferChange::Deleted, _) => {
                self.clear(ns, Source::Bytes(buffer))
            }
            Change::EventGroup(group, EventGroupChange::Bits(bits, _), _) => {
                self.number(ns, Source::Bits(group), bits)
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

    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        let Switch { previous, to, next, .. } = *switch;
        self.state(world, at.ns, previous, to)?;
        self.runs(world, at.ns, at.core, Some(next))?;
        self.state(world, at.ns, next, TaskState::Running(at.core))
    }

    fn finish(&mut self, _: &World, end_ns: i64) -> io::Result<()> {
        if let Some(rest) = self.findings.rest() {
            self.text(end_ns, Source::Finding, &rest)?;
        }
        while let Some((ns, held)) = self.held.pop() {
            self.emit(ns, &held)?;
        }
        let end_ns = self.held.at(end_ns);
        if !self.has_started {
            self.start_at(end_ns)?;
        }
        self.take.finish(end_ns)
    }
}
