//! Turns changes of the timeline into changes of signals.

use std::io;

use tband_conv::diagnostics::{Finding, Problem};
use tband_conv::model::{
    Actor, Change, EventTime, Flow, MarkerRef, Sink, Switch, TaskRef, TaskState, World, is_control,
};
use tband_conv::number::Number;
use tband_conv::sinks::FindingQuota;
use tband_conv::tracks::{
    Event, Level, Now, RunningTasks, SliceEnd, State, TaskStep, Text, Track, TrackSink, follow,
    follow_switch,
};
use tband_format::Str;

use super::catalog::Catalog;
use super::labels::{FREE, HELD, Labels, RUNNING};
use super::source::Source;
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
struct SignalState {
    /// When it was reported last; the least time if it was not.
    reported_ns: i64,
    /// How often it is open, if it is an interrupt, or the spans of a marker.
    open: u32,
}

/// Reports changes as those of signals.
#[derive(Debug)]
pub struct SignalFollower<K> {
    catalog: Catalog,
    /// State of each signal.
    known: Vec<SignalState>,
    /// Makes names valid.
    clean: fn(&str) -> String,
    running: RunningTasks,
    labels: Labels,
    findings: FindingQuota,
    /// Changes so far, findings too.
    changes: u64,
    keep: K,
}

impl<K: SignalStore> SignalFollower<K> {
    /// Reports all signals to `keep`; `clean` makes names valid, and they become unique.
    pub fn new(clean: fn(&str) -> String, keep: K) -> Self {
        Self {
            catalog: Catalog::default(),
            known: Vec::new(),
            clean,
            running: RunningTasks::default(),
            labels: Labels::default(),
            findings: FindingQuota::default(),
            changes: 0,
            keep,
        }
    }

    /// The number of a signal, which is new if it was not there.
    #[inline(always)]
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
    fn clear(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let Some(signal) = self.catalog.find(source) else { return Ok(()) };
        match self.known.get(signal as usize) {
            Some(known) if known.reported_ns != i64::MIN => self.put(ns, signal, &Value::Unknown),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn number(&mut self, ns: i64, source: Source, value: impl Into<i64>) -> io::Result<()> {
        let signal = self.signal(source);
        self.put_number(ns, signal, value.into())
    }

    #[inline(always)]
    fn label(&mut self, ns: i64, source: Source, label: u32) -> io::Result<()> {
        let signal = self.signal(source);
        self.put_label(ns, signal, label)
    }

    /// A signal has real values if one of its values is not an integer.
    fn value(&mut self, ns: i64, marker: MarkerRef, value: Number) -> io::Result<()> {
        let real = Source::Real(marker);
        let is_real = self.catalog.find(real).is_some();
        match value {
            Number::Integer(value) if !is_real => {
                self.number(ns, Source::Track(Track::Value(marker)), value)
            }
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

    fn task_state(&mut self, now: Now<'_>, task: TaskRef, to: TaskState) -> io::Result<()> {
        let source = Source::Track(Track::Task(task));
        match self.labels.state(now.world, to) {
            Some(label) => self.label(now.ns, source, label),
            None => self.set(now.ns, source, &Value::Unknown),
        }
    }

    fn set_running(&mut self, now: Now<'_>, core: u32, task: Option<TaskRef>) -> io::Result<()> {
        let source = Source::Track(Track::Core(core));
        match task {
            Some(task) => {
                let label = self.labels.task(now.world, task);
                self.label(now.ns, source, label)
            }
            None => self.set(now.ns, source, &Value::Unknown),
        }
    }

    /// Returns how often it is open from now on. It is counted here, because the world at the initial state of a window is a
    /// later one.
    fn change_open(&mut self, signal: u32, change: i32) -> u32 {
        let Some(known) = self.known.get_mut(signal as usize) else { return 0 };
        known.open = known.open.saturating_add_signed(change);
        known.open
    }

    fn message(&mut self, ns: i64, marker: MarkerRef, text: Str<'_>) -> io::Result<()> {
        if text.0.is_empty() {
            return self.clear(ns, Source::Text(marker));
        }
        self.text(ns, Source::Text(marker), &String::from_utf8_lossy(text.0))
    }

    /// From here no item is known to be open.
    fn closed(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let signal = self.catalog.find(source);
        if let Some(known) = signal.and_then(|it| self.known.get_mut(it as usize)) {
            known.open = 0;
        }
        self.clear(ns, source)
    }

    /// One more slice of a track is open, or one less: an interrupt is open or not, and spans are counted.
    #[inline(always)]
    fn count_open(&mut self, ns: i64, track: Track, change: i32) -> io::Result<()> {
        let signal = self.signal(Source::Track(track));
        let open = self.change_open(signal, change);
        let value = if matches!(track, Track::Isr(..)) { open.min(1) } else { open };
        self.put_number(ns, signal, value.into())
    }
}

impl<K: SignalStore> TrackSink for SignalFollower<K> {
    fn running(&mut self) -> Option<&mut RunningTasks> {
        Some(&mut self.running)
    }

    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()> {
        if let Some(core) = step.leaves {
            self.set_running(now, core, None)?;
        }
        if let TaskState::Running(core) = step.to {
            self.set_running(now, core, Some(step.task))?;
        }
        self.task_state(now, step.task, step.to)
    }

    fn switch(&mut self, now: Now<'_>, switch: &Switch) -> io::Result<()> {
        let Switch { previous, to, next, .. } = *switch;
        self.task_state(now, previous, to)?;
        self.set_running(now, now.core, Some(next))?;
        self.label(now.ns, Source::Track(Track::Task(next)), RUNNING)
    }

    fn state(&mut self, now: Now<'_>, track: Track, state: State<'_>) -> io::Result<()> {
        let source = Source::Track(track);
        match (track, state) {
            (Track::LeftOut(_), _) => Ok(()),
            (_, State::Unknown) => self.clear(now.ns, source),
            (Track::Holder(_), State::None(_)) => self.label(now.ns, source, FREE),
            (Track::Holder(_), State::Is(Text::Task(task))) => {
                let label = self.labels.task(now.world, task);
                self.label(now.ns, source, label)
            }
            (Track::Holder(_), State::Is(_)) => self.label(now.ns, source, HELD),
            (_, State::None(_)) => self.number(now.ns, source, 0),
            (_, State::Is(_)) => self.number(now.ns, source, 1),
        }
    }

    #[inline]
    fn level(&mut self, now: Now<'_>, track: Track, level: Level) -> io::Result<()> {
        match (track, level.value) {
            (Track::WakesAt(_), _) => Ok(()),
            (_, None) => self.clear(now.ns, Source::Track(track)),
            (Track::Value(marker), Some(value)) => self.value(now.ns, marker, value),
            (_, Some(value)) => self.number(now.ns, Source::Track(track), value.rounded()),
        }
    }

    #[inline]
    fn begin(&mut self, now: Now<'_>, track: Track, slice: Event<'_>) -> io::Result<()> {
        if let (Track::Marker(marker), Text::Message(text)) = (track, slice.text) {
            self.message(now.ns, marker, text)?;
        }
        self.count_open(now.ns, track, 1)
    }

    #[inline]
    fn end(&mut self, now: Now<'_>, track: Track, end: SliceEnd) -> io::Result<()> {
        match end {
            SliceEnd::Unknown => self.closed(now.ns, Source::Track(track)),
            SliceEnd::Recorded | SliceEnd::Abandoned => self.count_open(now.ns, track, -1),
        }
    }

    fn instant(&mut self, now: Now<'_>, track: Track, event: Event<'_>) -> io::Result<()> {
        let text = match (track, event.text) {
            (Track::Marker(marker), Text::Message(text)) => {
                self.message(now.ns, marker, text)?;
                return self.set(now.ns, Source::Fired(marker), &Value::Moment);
            }
            (_, Text::Crash(crash)) => crash.to_string(),
            (_, Text::Trigger(trigger)) => trigger.to_string(),
            (_, Text::MallocFailed(size)) => format!("{size} bytes"),
            _ => return Ok(()),
        };
        self.text(now.ns, Source::Track(track), &text)
    }

    fn gap(&mut self, now: Now<'_>) -> io::Result<()> {
        self.keep.gap(now.ns, Some(now.core))
    }

    fn flow(&mut self, now: Now<'_>, flow: &Flow) -> io::Result<()> {
        let signal = |actor, core, acts: bool| match actor {
            Actor::Task(task) if acts => Some(Source::Acts(task)),
            Actor::Task(task) => Some(Source::Track(Track::Task(task))),
            Actor::Isr(isr) if acts => Some(Source::IsrActs(core, isr)),
            Actor::Isr(isr) => Some(Source::Track(Track::Isr(core, isr))),
            Actor::UnknownIsr => None,
        };
        let Some(to) = signal(flow.to.actor, flow.to.core, true) else { return Ok(()) };
        let text = || {
            format!(
                "{} {}",
                if flow.woke { "woken:" } else { "got:" },
                now.world.describe_act(flow.to.act)
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
        self.set(now.ns, to, &value)
    }

    fn finding(&mut self, now: Now<'_>, finding: &Finding<'_>) -> io::Result<()> {
        if self.findings.admit(finding.problem, CHANGE * self.changes) {
            let text = format!("{}: {}", finding.problem.title(), finding.text);
            self.findings.add(text.len() as u64);
            self.text(now.ns, Source::Finding, &text)?;
        }
        if finding.problem == Problem::Restart {
            return self.keep.gap(now.ns, None);
        }
        Ok(())
    }
}

impl<K: SignalStore> Sink for SignalFollower<K> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        follow(self, world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        follow_switch(self, world, at, switch)
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
