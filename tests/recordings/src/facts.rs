//! Facts with begin and end, as a sink receives them: states, open items, levels, values.

use std::collections::BTreeMap;
use std::io;

use tband_conv::model::{
    CallChange, Caller, Change, EventGroupChange, EventTime, ForgottenState, KernelChange,
    QueueChange, Sink, StreamBufferChange, TaskChange, TaskState, TimerChange, World,
};

/// From when to when, and what.
pub type Slices = BTreeMap<String, Vec<(i64, i64, String)>>;

/// Follows the steps.
#[derive(Default)]
pub struct Facts {
    now: BTreeMap<String, (i64, String)>,
    open: BTreeMap<String, Vec<String>>,
    /// The reports so far.
    pub slices: Slices,
}

impl Facts {
    fn set(&mut self, of: impl Into<String>, ns: i64, value: Option<String>) {
        let of = of.into();
        let last = self.slices.get(&of).and_then(|all| all.last()).map_or(0, |last| last.1);
        let ns = ns.max(last);
        if let Some((since, value)) = self.now.remove(&of) {
            add(&mut self.slices, &of, (since, ns.max(since), value));
        }
        if let Some(value) = value {
            self.now.insert(of, (ns, value));
        }
    }

    fn open_span(&mut self, of: String, ns: i64, what: String) {
        self.open.entry(of.clone()).or_default().push(what);
        self.stack(of, ns);
    }

    fn end_span(&mut self, of: String, ns: i64) {
        self.open.entry(of.clone()).or_default().pop();
        self.stack(of, ns);
    }

    fn stack(&mut self, of: String, ns: i64) {
        let value = self.open.get(&of).filter(|open| !open.is_empty()).map(|open| open.join(" > "));
        self.set(of, ns, value);
    }
}

/// Adds a slice; adjoining equal ones are joined.
fn add(slices: &mut Slices, of: &str, (from, to, value): (i64, i64, String)) {
    if from >= to {
        return;
    }
    let all = slices.entry(of.to_owned()).or_default();
    match all.last_mut() {
        Some(last) if last.1 == from && last.2 == value => last.1 = to,
        _ => all.push((from, to, value)),
    }
}

/// What one window reported and then the next, which begins where that one ends.
pub fn joined(mut first: Slices, then: Slices) -> Slices {
    for (of, all) in then {
        for slice in all {
            add(&mut first, &of, slice);
        }
    }
    first
}

fn calls_of(caller: Caller, core: u32) -> String {
    match caller {
        Caller::Task(task) => format!("calls of {task:?}"),
        Caller::Isr | Caller::Unknown => format!("calls of {caller:?} on {core}"),
    }
}

impl Sink for Facts {
    fn change(
        &mut self,
        _: &World,
        EventTime { ns, core }: EventTime,
        change: &Change<'_>,
    ) -> io::Result<()> {
        match *change {
            Change::TaskState { task, to, .. } => {
                let state = (to != TaskState::Unknown).then(|| format!("{to:?}"));
                self.set(format!("state of {task:?}"), ns, state);
                if to == TaskState::Deleted {
                    let own = format!("{task:?}: ");
                    let of_task = self.now.keys().filter(|of| of.starts_with(&own));
                    for of in of_task.cloned().collect::<Vec<_>>() {
                        self.set(of, ns, None);
                    }
                }
            }
            Change::Task(task, change, _) => {
                let (what, value) = match change {
                    TaskChange::Notified { index, value_after, .. }
                    | TaskChange::NotificationTaken { index, value_after, .. } => {
                        (format!("notification {index}"), value_after)
                    }
                    TaskChange::WakesAt(tick) => ("wakes at".to_owned(), tick),
                    TaskChange::MayRunOn(cores) => ("cores".to_owned(), cores),
                    TaskChange::StackHighWaterMark(bytes) => ("margin".to_owned(), bytes),
                    _ => return Ok(()),
                };
                self.set(format!("{task:?}: {what}"), ns, Some(value.to_string()));
            }
            Change::Priority { task, priority, .. } => {
                self.set(format!("{task:?}: priority"), ns, Some(priority.to_string()));
            }
            Change::Forgotten(ForgottenState::Priority(task)) => {
                self.set(format!("{task:?}: priority"), ns, None);
            }
            Change::IsrEnter(isr) => {
                self.open_span(format!("isrs of {core}"), ns, format!("{isr:?}"))
            }
            Change::IsrExit(_) | Change::Forgotten(ForgottenState::Isr(_)) => {
                self.end_span(format!("isrs of {core}"), ns);
            }
            Change::QueueLevel { queue, level, .. } => {
                self.set(format!("level of {queue:?}"), ns, Some(level.to_string()));
            }
            Change::Forgotten(ForgottenState::Level(queue)) => {
                self.set(format!("level of {queue:?}"), ns, None);
            }
            Change::Queue(queue, QueueChange::Depth(depth), _) => {
                self.set(format!("depth of {queue:?}"), ns, Some(depth.to_string()));
            }
            Change::Queue(queue, QueueChange::Deleted, _) => {
                for what in ["level", "depth", "holder"] {
                    self.set(format!("{what} of {queue:?}"), ns, None);
                }
            }
            Change::MutexTaken(queue, holder) => {
                self.set(format!("holder of {queue:?}"), ns, Some(format!("{holder:?}")));
            }
            Change::MutexGiven(queue, _) | Change::Forgotten(ForgottenState::Holder(queue)) => {
                self.set(format!("holder of {queue:?}"), ns, None);
                self.set(format!("depth of {queue:?}"), ns, None);
            }
            Change::SpanBegin(marker, text, _) => {
                self.open_span(format!("spans of {marker:?}"), ns, text.to_string());
            }
            Change::SpanEnd(marker, _)
            | Change::SpanAbandoned(marker)
            | Change::Forgotten(ForgottenState::Span(marker)) => {
                self.end_span(format!("spans of {marker:?}"), ns);
            }
            Change::Value(value, number, _) => {
                self.set(format!("value of {value:?}"), ns, Some(number.to_string()));
            }
            Change::StreamBuffer(buffer, StreamBufferChange::Level(level, _), _) => {
                self.set(format!("level of buffer {buffer:?}"), ns, Some(level.to_string()));
            }
            Change::StreamBuffer(buffer, StreamBufferChange::Deleted, _)
            | Change::Forgotten(ForgottenState::StreamBuffer(buffer)) => {
                self.set(format!("level of buffer {buffer:?}"), ns, None);
            }
            Change::EventGroup(group, EventGroupChange::Bits(bits, _), _) => {
                self.set(format!("bits of {group:?}"), ns, Some(bits.to_string()));
            }
            Change::EventGroup(group, EventGroupChange::Deleted, _)
            | Change::Forgotten(ForgottenState::EventGroup(group)) => {
                self.set(format!("bits of {group:?}"), ns, None);
            }
            Change::Timer(timer, TimerChange::Active, _) => {
                self.set(format!("timer {timer:?}"), ns, Some("active".to_owned()));
            }
            Change::Timer(timer, TimerChange::Dormant(_) | TimerChange::Created, _)
            | Change::Forgotten(ForgottenState::Timer(timer)) => {
                self.set(format!("timer {timer:?}"), ns, None);
            }
            Change::Timer(timer, TimerChange::CallbackBegin(task), _) => {
                self.set(format!("callback of {timer:?}"), ns, Some(format!("{task:?}")));
            }
            Change::Timer(timer, TimerChange::CallbackEnd { end_ns, .. }, _) => {
                self.set(format!("callback of {timer:?}"), end_ns, None);
            }
            Change::Forgotten(ForgottenState::Callback(timer, _)) => {
                self.set(format!("callback of {timer:?}"), ns, None);
            }
            Change::Call(caller, function, CallChange::Begin) => {
                self.open_span(calls_of(caller, core), ns, function.to_string());
            }
            Change::Call(caller, ..) | Change::Forgotten(ForgottenState::Call(caller, _)) => {
                self.end_span(calls_of(caller, core), ns);
            }
            Change::Kernel(KernelChange::Sleeps(ticks), _) => {
                self.set(format!("sleep of {core}"), ns, Some(ticks.to_string()));
            }
            Change::Kernel(KernelChange::Wakes, _) | Change::Forgotten(ForgottenState::Sleep) => {
                self.set(format!("sleep of {core}"), ns, None);
            }
            Change::Kernel(KernelChange::Heap(heap), _) => {
                let level = format!("{:?} {}", heap.bytes_free, heap.in_use);
                self.set("heap", ns, Some(level));
            }
            Change::Kernel(KernelChange::Ticks(count), _) => {
                self.set("ticks", ns, Some(count.to_string()));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, _: &World, end_ns: i64) -> io::Result<()> {
        for of in self.now.keys().cloned().collect::<Vec<_>>() {
            self.set(of, end_ns, None);
        }
        Ok(())
    }
}
