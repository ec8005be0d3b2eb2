//! Follows the rules: from events of a trace to events of the registry.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::registry::NOT_RECORDED;
use tband_format::{Event, Str};

use super::bind::{Bound, Rule};
use super::cores::Cores;
use super::entry::{EventMeaning, FieldRole};
use super::event_place::EventPlace;
use super::known_tracer::KnownTracer;
use super::reading::ReadEvent;
use crate::ctf::decode::Decoder;
use crate::gaps::Break;
use crate::linux::numbers::{IDLE, SOFT, UNSEEN_SWITCH};
use crate::output::Output;

/// Objects of which something is kept.
const MAX_KEPT: usize = 64 * 1024;
/// Interrupts inside of each other.
const MAX_NESTING: usize = 64;
/// Interrupts without a number have these.
const UNNUMBERED: u32 = 0;
/// Markers of events and names have numbers from here on.
const MARKERS: u32 = 0x4000_0000;

type Map<T> = HashMap<u32, T, FixedState>;

/// The known state of a task.
#[derive(Debug, Default)]
struct Task {
    name: Box<[u8]>,
    priority: Option<u32>,
    is_idle: bool,
}

/// What the events have turned out to contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub has_unknown_states: bool,
    pub has_unnumbered_isrs: bool,
    pub has_markers: bool,
    pub has_unseen_switches: bool,
}

/// Follows the rules for one stream.
#[derive(Debug, Default)]
pub struct Engine {
    tasks: Map<Task>,
    cores: Cores,
    /// Names that are given to interrupts, queues and markers.
    isrs: Map<Box<[u8]>>,
    queues: Map<Box<[u8]>>,
    markers: Map<Box<[u8]>>,
    values: Map<Box<[u8]>>,
    /// Several streams have events of one task: what this one knows of its priority may be old.
    is_one_of_many: bool,
    has_numbered_isrs: bool,
    pub facts: Facts,
}

impl Engine {
    /// For a stream that is one of many, or the only one.
    pub fn new(is_one_of_many: bool) -> Self {
        Self { is_one_of_many, ..Self::default() }
    }

    /// Reports what the mapping file names.
    pub fn begin(&self, bound: &Bound, core: u32, out: &mut Output) {
        let map = &bound.map;
        for (task_id, name) in &map.tasks {
            let name = Str(name.as_bytes());
            out.metadata(core, &Event::TaskName { task_id: *task_id, name });
        }
        for (queue_id, name) in &map.queues {
            let name = Str(name.as_bytes());
            out.metadata(core, &Event::QueueName { queue_id: *queue_id, name });
        }
        for (isr_id, name) in &map.isrs {
            out.metadata(core, &Event::IsrName { isr_id: *isr_id, name: Str(name.as_bytes()) });
        }
    }

    /// Events are missing: nothing is known of the state of the cores.
    pub fn has_gap(&mut self) {
        self.cores.forget();
    }

    /// Follows the first rule that an event fulfils. False: there is none.
    pub fn event(
        &mut self,
        bound: &Bound,
        rules: &[Rule],
        (decoder, bytes): (&Decoder, &[u8]),
        at: EventPlace,
        out: &mut Output,
    ) -> bool {
        let fulfils = |rule: &&Rule| {
            rule.when.iter().all(|(slot, is_signed, ranges)| {
                let value = crate::ctf::decode::signed(decoder.get(*slot), *is_signed);
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&value))
            })
        };
        let Some(rule) = rules.iter().find(fulfils) else { return false };
        self.follow(bound, ReadEvent { rule, decoder, bytes }, at, out)
    }

    fn follow(
        &mut self,
        bound: &Bound,
        read: ReadEvent<'_>,
        at: EventPlace,
        out: &mut Output,
    ) -> bool {
        let EventPlace { core, ts } = at;
        let means = read.rule.means;
        let mut emit = |event: &Event<'static>| out.timed(core, ts, event);
        match means {
            EventMeaning::Ignore => {}
            EventMeaning::Switch => self.switch(bound, read, at, out),
            EventMeaning::SwitchedOut => {
                let task_id = self.task(bound, read, at, out);
                self.leave_core(bound, task_id, at, out);
                out.timed(core, ts, &Event::TaskSwitchedOut { task_id });
            }
            EventMeaning::Ready => {
                let task_id = self.task(bound, read, at, out);
                out.timed(core, ts, &Event::TaskToRdyState { task_id });
            }
            EventMeaning::Create => {
                let task_id = self.id(bound, read.id(FieldRole::Task).unwrap_or(0), core);
                self.tasks.remove(&task_id);
                emit(&Event::TaskCreated { task_id });
                self.task(bound, read, at, out);
                if bound.known == KnownTracer::Linux {
                    out.timed(core, ts, &Event::TaskToRdyState { task_id });
                }
            }
            EventMeaning::Delete | EventMeaning::Suspend => {
                let task_id = self.task(bound, read, at, out);
                let cores = self.cores.all();
                cores.filter(|it| it.running == Some(task_id)).for_each(|it| it.leaves = true);
                let is_deleted = means == EventMeaning::Delete;
                let (deleted, suspended) =
                    (Event::TaskDeleted { task_id }, Event::TaskSuspended { task_id });
                out.timed(core, ts, if is_deleted { &deleted } else { &suspended });
            }
            EventMeaning::Resume => {
                let task_id = self.task(bound, read, at, out);
                out.timed(core, ts, &Event::TaskResumed { task_id });
            }
            EventMeaning::Priority | EventMeaning::Name => drop(self.task(bound, read, at, out)),
            EventMeaning::Idle => self.idle(core, out),
            EventMeaning::Wait | EventMeaning::WaitSend | EventMeaning::Delay => {
                let ticks_to_wait = read.id(FieldRole::Ticks).unwrap_or(u32::MAX);
                let queue_id = read.id(FieldRole::Queue).unwrap_or(NOT_RECORDED);
                emit(&match means {
                    EventMeaning::WaitSend => {
                        Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait }
                    }
                    EventMeaning::Delay => Event::CurtaskDelay { ticks: ticks_to_wait },
                    _ => Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait },
                });
                self.cores.of(core).leaves = true;
            }
            EventMeaning::Send | EventMeaning::Receive => self.item(read, at, out),
            EventMeaning::SendFailed => {
                emit(&Event::QueueSendFailed { queue_id: read.id(FieldRole::Queue).unwrap_or(0) });
            }
            EventMeaning::ReceiveFailed => {
                emit(&Event::QueueReceiveFailed {
                    queue_id: read.id(FieldRole::Queue).unwrap_or(0),
                });
            }
            EventMeaning::QueueCreate | EventMeaning::QueueName => {
                let queue_id = read.id(FieldRole::Queue).unwrap_or(0);
                if means == EventMeaning::QueueCreate {
                    emit(&Event::QueueCreated { queue_id });
                    self.queues.remove(&queue_id);
                }
                if let Some(name) = read.text(FieldRole::Name)
                    && learn_name(&mut self.queues, queue_id, &name)
                {
                    out.metadata(core, &Event::QueueName { queue_id, name: Str(&name) });
                }
            }
            EventMeaning::IsrEnter | EventMeaning::SoftEnter => self.enter_isr(read, at, out),
            EventMeaning::IsrExit | EventMeaning::SoftExit => self.exit_isr(read, at, out),
            EventMeaning::Marker if read.rule.place(FieldRole::Text).is_none() => return false,
            EventMeaning::Marker | EventMeaning::Log | EventMeaning::SpanBegin => {
                let evtmarker_id = self.marker(read, "log", core, out);
                let text = read.text(FieldRole::Text).unwrap_or_default();
                let msg = Str(&text);
                out.timed(
                    core,
                    ts,
                    &match means {
                        EventMeaning::SpanBegin => Event::EvtmarkerBegin { evtmarker_id, msg },
                        _ => Event::Evtmarker { evtmarker_id, msg },
                    },
                );
            }
            EventMeaning::SpanEnd => {
                let evtmarker_id = self.marker(read, "log", core, out);
                out.timed(core, ts, &Event::EvtmarkerEnd { evtmarker_id });
            }
            EventMeaning::Value => {
                let name = read.text(FieldRole::Name).unwrap_or_else(|| b"value"[..].into());
                let valmarker_id = number_of(&name);
                if learn_name(&mut self.values, valmarker_id, &name) {
                    out.metadata(core, &Event::ValmarkerName { valmarker_id, name: Str(&name) });
                }
                let value = read.number(FieldRole::Value).unwrap_or(0);
                let val = value.clamp(i64::MIN.into(), i64::MAX.into());
                let val = i64::try_from(val).unwrap_or(0);
                out.timed(core, ts, &Event::Valmarker { valmarker_id, val });
            }
        }
        true
    }

    /// The number of a task: idle tasks of Linux have 0 on all processors.
    const fn id(&self, bound: &Bound, task: u32, core: u32) -> u32 {
        match (bound.known, task) {
            (KnownTracer::Linux, 0) => IDLE + core,
            _ => task,
        }
    }

    /// The task of an event, updated with the event's facts about it.
    fn task(
        &mut self,
        bound: &Bound,
        read: ReadEvent<'_>,
        at: EventPlace,
        out: &mut Output,
    ) -> u32 {
        let task_id = self.id(bound, read.id(FieldRole::Task).unwrap_or(0), at.core);
        let name = read.text(FieldRole::Name);
        let priority = read.number(FieldRole::Priority);
        self.learn(bound, task_id, (name.as_deref(), priority), at, out);
        task_id
    }

    /// Takes in an event's facts about a task.
    fn learn(
        &mut self,
        bound: &Bound,
        task_id: u32,
        (name, priority): (Option<&[u8]>, Option<i128>),
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) {
        let is_room = self.tasks.len() < MAX_KEPT || self.tasks.contains_key(&task_id);
        let mut scratch = Task::default();
        let task = if is_room { self.tasks.entry(task_id).or_default() } else { &mut scratch };
        let is_name = |name: &&[u8]| {
            // Zephyr gives this name to tasks without a name.
            !(name.is_empty() || (bound.known == KnownTracer::Zephyr && *name == b"unknown"))
        };
        if let Some(name) = name.filter(is_name)
            && *task.name != *name
        {
            out.metadata(core, &Event::TaskName { task_id, name: Str(name) });
            task.name = name.into();
            let is_named_idle = bound.map.idle.iter().any(|idle| idle.as_bytes() == name);
            let is_linux_idle = bound.known == KnownTracer::Linux && task_id == IDLE + core;
            if (is_named_idle || is_linux_idle) && !task.is_idle {
                task.is_idle = true;
                out.metadata(core, &Event::TaskIsIdleTask { task_id, core_id: core });
            }
        }
        let Some(number) = priority else { return };
        let shown = bound.map.priorities_from.map_or(number, |least| i128::from(least) - number);
        let priority = u32::try_from(shown.max(0)).unwrap_or(u32::MAX);
        if task.priority != Some(priority) || self.is_one_of_many {
            task.priority = Some(priority);
            out.timed(core, ts, &Event::TaskPrioritySet { task_id, priority });
        }
    }

    /// A task leaves the core: unless it has announced why, its state is not recorded.
    fn leave_core(
        &mut self,
        bound: &Bound,
        task_id: u32,
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) {
        let of = self.cores.of(core);
        if of.running != Some(task_id) {
            out.timed(core, ts, &Event::RunningTask { task_id });
            of.running = Some(task_id);
        }
        let is_idle = self.tasks.get(&task_id).is_some_and(|it| it.is_idle);
        if !of.leaves && !is_idle && !bound.map.has_all_waits {
            self.facts.has_unknown_states = true;
            let (queue_id, ticks_to_wait) = (NOT_RECORDED, u32::MAX);
            out.timed(core, ts, &Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait });
        }
        of.leaves = true;
    }

    fn switch(&mut self, bound: &Bound, read: ReadEvent<'_>, at: EventPlace, out: &mut Output) {
        let EventPlace { core, ts } = at;
        let running = self.cores.of(core).running;
        if let Some(from) = read.id(FieldRole::From) {
            let task_id = self.id(bound, from, core);
            let name = read.text(FieldRole::FromName);
            let priority = read.number(FieldRole::FromPriority);
            self.learn(bound, task_id, (name.as_deref(), priority), at, out);
            if running.is_some_and(|running| running != task_id) {
                self.facts.has_unseen_switches = true;
                out.broken(core, Break::Loss(UNSEEN_SWITCH), 0, 0);
            }
            match read.number(FieldRole::FromState) {
                None => self.leave_core(bound, task_id, at, out),
                Some(state) => {
                    if running != Some(task_id) {
                        out.timed(core, ts, &Event::RunningTask { task_id });
                    }
                    // The idle task sleeps only in name.
                    let is_idle = from == 0 && bound.known == KnownTracer::Linux;
                    match linux_state(state, bound.has_parked) {
                        State::Ready => {}
                        _ if is_idle => {}
                        State::Gone => out.timed(core, ts, &Event::TaskDeleted { task_id }),
                        State::Sleeps => out.timed(core, ts, &Event::TaskSuspended { task_id }),
                    }
                }
            }
        }
        let task_id = self.task(bound, read, at, out);
        let has_left = read.rule.place(FieldRole::From).is_some();
        if let Some(running) = running.filter(|running| *running != task_id && !has_left) {
            self.leave_core(bound, running, at, out);
        }
        out.timed(core, ts, &Event::TaskSwitchedIn { task_id });
        let of = self.cores.of(core);
        (of.running, of.leaves) = (Some(task_id), false);
    }

    /// The idle task of a core runs; which one that is may be known.
    fn idle(&mut self, core: u32, out: &mut Output) {
        let Some(task_id) = self.cores.of(core).running else { return };
        let task = self.tasks.entry(task_id).or_default();
        if !task.is_idle {
            task.is_idle = true;
            out.metadata(core, &Event::TaskIsIdleTask { task_id, core_id: core });
        }
    }

    fn item(&mut self, read: ReadEvent<'_>, EventPlace { core, ts }: EventPlace, out: &mut Output) {
        let queue_id = read.id(FieldRole::Queue).unwrap_or(0);
        let is_send = read.rule.means == EventMeaning::Send;
        let before = read.number(FieldRole::LevelBefore);
        let before = before.map(|it| if is_send { it + 1 } else { it - 1 });
        let Some(level) = read.number(FieldRole::Level).or(before) else { return };
        let len_after = u32::try_from(level.max(0)).unwrap_or(u32::MAX);
        let in_isr = !self.cores.of(core).isrs.is_empty();
        out.timed(
            core,
            ts,
            &match (is_send, in_isr) {
                (true, false) => Event::QueueSend { queue_id, len_after },
                (true, true) => Event::QueueSendFromIsr { queue_id, len_after },
                (false, false) => Event::QueueReceive { queue_id, len_after },
                (false, true) => Event::QueueReceiveFromIsr { queue_id, len_after },
            },
        );
    }

    fn enter_isr(
        &mut self,
        read: ReadEvent<'_>,
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) {
        let of = self.cores.of(core);
        let depth = u32::try_from(of.isrs.len()).unwrap_or(0);
        let is_soft = read.rule.means == EventMeaning::SoftEnter;
        let given = read.id(FieldRole::Isr);
        let (isr_id, unnamed) = match given {
            Some(vector) if is_soft => {
                (SOFT.saturating_add(vector), Some(format!("softirq {vector}")))
            }
            Some(isr_id) => (isr_id, None),
            None if depth == 0 => (UNNUMBERED, Some("interrupt".to_owned())),
            None => (UNNUMBERED + depth, Some(format!("interrupt inside of {depth}"))),
        };
        self.facts.has_unnumbered_isrs |= given.is_none();
        self.has_numbered_isrs |= given.is_some();
        if of.isrs.len() < MAX_NESTING {
            of.isrs.push(isr_id);
        }
        let unnamed = unnamed.map(|it| it.into_bytes().into());
        if let Some(name) = read.text(FieldRole::Name).or(unnamed)
            && learn_name(&mut self.isrs, isr_id, &name)
        {
            out.metadata(core, &Event::IsrName { isr_id, name: Str(&name) });
        }
        out.timed(core, ts, &Event::IsrEnter { isr_id });
    }

    fn exit_isr(
        &mut self,
        read: ReadEvent<'_>,
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) {
        let of = self.cores.of(core);
        let is_soft = read.rule.means == EventMeaning::SoftExit;
        let given =
            read.id(FieldRole::Isr).map(|it| if is_soft { SOFT.saturating_add(it) } else { it });
        let isr_id = match (given, of.isrs.last().copied()) {
            (Some(isr_id), _) => {
                // Interrupts inside of it have ended, too. One whose entry is missing was not counted.
                if let Some(at) = of.isrs.iter().rposition(|open| *open == isr_id) {
                    of.isrs.truncate(at);
                }
                isr_id
            }
            // Where only entries have numbers and this one is missing, nothing names the interrupt.
            (None, None) if self.has_numbered_isrs => return,
            (None, None) => UNNUMBERED,
            (None, Some(innermost)) => {
                of.isrs.pop();
                innermost
            }
        };
        let is_switch = read.number(FieldRole::ToScheduler).is_some_and(|it| it != 0);
        let (switch, back) = (Event::IsrExitToScheduler { isr_id }, Event::IsrExit { isr_id });
        out.timed(core, ts, if is_switch { &switch } else { &back });
    }

    /// The marker of a rule, by its name.
    fn marker(&mut self, read: ReadEvent<'_>, other: &str, core: u32, out: &mut Output) -> u32 {
        let name = read.text(FieldRole::Name).unwrap_or_else(|| other.as_bytes().to_vec().into());
        self.marker_named(&name, core, out)
    }

    fn marker_named(&mut self, name: &[u8], core: u32, out: &mut Output) -> u32 {
        let evtmarker_id = number_of(name);
        if learn_name(&mut self.markers, evtmarker_id, name) {
            out.metadata(core, &Event::EvtmarkerName { evtmarker_id, name: Str(name) });
        }
        evtmarker_id
    }

    /// Shows an event that has no meaning as an instant, with its fields as text.
    pub fn show(
        &mut self,
        name: &str,
        fields: &str,
        EventPlace { core, ts }: EventPlace,
        out: &mut Output,
    ) {
        self.facts.has_markers = true;
        let evtmarker_id = self.marker_named(name.as_bytes(), core, out);
        out.timed(core, ts, &Event::Evtmarker { evtmarker_id, msg: Str(fields.as_bytes()) });
    }
}

/// The state of a task of Linux after it leaves a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    Sleeps,
    Gone,
}

/// By the bits of a state. Kernels in which tasks can be parked report only zombies and tasks that exit as gone: 0x40 is a parked
/// task, and 0x80 a kernel thread that sleeps idly. In older ones 0x40 is a dead task.
const fn linux_state(state: i128, has_parked: bool) -> State {
    let gone = if has_parked { 0x10 | 0x20 } else { 0x10 | 0x20 | 0x40 };
    // The higher bits contain how a ready task was preempted.
    match state & 0xFF {
        0 => State::Ready,
        bits if bits & gone != 0 => State::Gone,
        _ => State::Sleeps,
    }
}

/// The number of a thing that has a name and no number, the same in all streams.
fn number_of(name: &[u8]) -> u32 {
    let hash = name
        .iter()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    MARKERS | hash & (MARKERS - 1)
}

/// Takes a name in. True: it has another one than before.
fn learn_name(names: &mut Map<Box<[u8]>>, id: u32, name: &[u8]) -> bool {
    let is_news = names.get(&id).is_none_or(|known| **known != *name);
    if is_news && (names.len() < MAX_KEPT || names.contains_key(&id)) {
        names.insert(id, name.into());
    }
    is_news
}
