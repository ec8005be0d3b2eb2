//! Active objects as tasks: what both frameworks record of them.
//!
//! An object has a task and a queue. It runs while it handles an event; then it waits for its queue. A row of spans has its states.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use tband_format::registry::NOT_RECORDED;
use tband_format::{Event, Str};

use super::actor::{Actor, Level, Sender};
use crate::output::Output;

/// Objects of which something is kept.
const MAX_KEPT: usize = 16 * 1024;
/// Events that are handled inside of each other.
const MAX_DEPTH: usize = 64;
/// The task-local marker of what an object handles.
const HANDLES: u32 = 1;
/// The idle task.
const IDLE: u32 = 0xFFFF_FF00;
/// Rows of texts begin with this number.
const ROWS: u32 = 0xF000_0000;
/// No task is known to run.
const NO_TASK: Event<'static> = Event::RunningTask { task_id: NOT_RECORDED };

/// A text in pieces: none is put together that is not needed.
pub type Pieces<'a> = &'a [&'a str];

/// The number of a thing by its address: 64-bit hosts have longer ones.
pub const fn number(address: u64) -> u32 {
    address as u32
}

/// The objects of a target.
#[derive(Debug)]
pub struct Actors {
    core: u32,
    now: u64,
    actors: HashMap<u32, Actor, FixedState>,
    /// Names by kind and number.
    names: HashMap<(NameKind, u32), Box<str>, FixedState>,
    /// Objects that handle events, the innermost last.
    busy: Vec<u32>,
    running: Option<u32>,
    /// An event that an object has taken and does not handle yet: with the fill after it.
    taken: Option<(u32, Option<u32>)>,
    /// The scheduler records switches.
    has_switches: bool,
    /// The idle task has its name.
    has_idle: bool,
    /// The object of each priority.
    priorities: HashMap<u8, u32, FixedState>,
    /// A switch to a priority whose object is not known yet, and its time.
    switch: Option<(u8, u64)>,
    isrs: Vec<u32>,
    /// Open spans of time events.
    armed: HashSet<u32, FixedState>,
    /// Events that were lost.
    lost: u32,
}

/// The pieces one after the other are this text.
fn is_concatenation(text: &str, pieces: Pieces<'_>) -> bool {
    pieces.iter().try_fold(text, |rest, piece| rest.strip_prefix(piece)) == Some("")
}

/// The kind of a thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Task,
    States,
    Row,
    Value,
    Semaphore,
    Isr,
}

impl Actors {
    pub fn new(core: u32) -> Self {
        Self {
            core,
            now: 0,
            actors: HashMap::default(),
            names: HashMap::default(),
            busy: Vec::new(),
            running: None,
            taken: None,
            has_switches: false,
            has_idle: false,
            priorities: HashMap::default(),
            switch: None,
            isrs: Vec::new(),
            armed: HashSet::default(),
            lost: 0,
        }
    }

    /// The time is this from now on.
    pub const fn set_time(&mut self, now: u64) {
        self.now = now;
    }

    /// An event now.
    fn emit(&self, event: &Event<'static>, out: &mut Output) {
        out.timed(self.core, self.now, event);
    }

    /// Appends an event at the current time, and copies its text.
    fn emit_text(&self, event: &Event<'_>, out: &mut Output) {
        out.timed(self.core, self.now, event);
    }

    /// An event of the framework itself.
    pub fn record(&mut self, event: &Event<'_>, out: &mut Output) {
        self.settle(None, out);
        self.emit_text(event, out);
    }

    pub fn metadata(&self, event: &Event<'_>, out: &mut Output) {
        out.metadata(self.core, event);
    }

    /// Events were lost here, this many if that is known.
    pub fn report_loss(&mut self, count: Option<u32>, out: &mut Output) {
        if let Some(count) = count {
            self.lost = self.lost.saturating_add(count);
            self.emit(&Event::DroppedEvtCnt { cnt: self.lost }, out);
        }
        self.forget();
    }

    /// Nothing is known of what runs.
    pub fn forget(&mut self) {
        self.busy.clear();
        self.running = None;
        self.taken = None;
        self.switch = None;
        self.isrs.clear();
        self.armed.clear();
        for actor in self.actors.values_mut() {
            *actor = Actor { capacity: actor.capacity, ..Actor::default() };
        }
    }

    /// The target starts again: everything may be another thing.
    pub fn restart(&mut self) {
        self.forget();
        self.actors.clear();
        self.names.clear();
        self.priorities.clear();
        self.has_switches = false;
    }

    /// Names a thing, unless it has this name.
    pub fn name(&mut self, kind: NameKind, number: u32, name: Pieces<'_>, out: &mut Output) {
        if self.names.get(&(kind, number)).is_some_and(|known| is_concatenation(known, name)) {
            return;
        }
        let name = name.concat();
        let text = Str(name.as_bytes());
        match kind {
            NameKind::Task => {
                self.metadata(&Event::TaskName { task_id: number, name: text }, out);
                self.metadata(&Event::QueueName { queue_id: number, name: text }, out);
                let event = Event::TaskEvtmarkerName {
                    evtmarker_id: HANDLES,
                    task_id: number,
                    name: Str(b"handles"),
                };
                self.metadata(&event, out);
            }
            NameKind::States | NameKind::Row => {
                self.metadata(&Event::EvtmarkerName { evtmarker_id: number, name: text }, out);
            }
            NameKind::Value => {
                self.metadata(&Event::ValmarkerName { valmarker_id: number, name: text }, out);
            }
            NameKind::Semaphore => {
                self.metadata(&Event::QueueName { queue_id: number, name: text }, out);
            }
            NameKind::Isr => self.metadata(&Event::IsrName { isr_id: number, name: text }, out),
        }
        if self.names.len() < MAX_KEPT {
            self.names.insert((kind, number), name.into_boxed_str());
        }
    }

    fn actor(&mut self, id: u32) -> Option<&mut Actor> {
        if self.actors.len() >= MAX_KEPT && !self.actors.contains_key(&id) {
            return None;
        }
        Some(self.actors.entry(id).or_default())
    }

    /// It is known to be an active object.
    pub fn is_actor(&self, id: u32) -> bool {
        self.actors.contains_key(&id)
    }

    /// Names an active object.
    pub fn name_object(&mut self, id: u32, name: &str, out: &mut Output) {
        self.name(NameKind::Task, id, &[name], out);
        self.actor(id);
    }

    /// An event is put into an object's queue.
    pub fn post(&mut self, id: u32, name: &str, sender: Sender, level: Level, out: &mut Output) {
        self.settle(None, out);
        self.name(NameKind::Task, id, &[name], out);
        let is_in_isr = match sender {
            Sender::Other => true,
            Sender::Actor => !self.isrs.is_empty(),
            Sender::Unknown => !self.isrs.is_empty() || self.busy.is_empty(),
        };
        let Some(actor) = self.actor(id) else { return };
        if let (Some(0), Level::Free(free)) = (actor.fill, level) {
            actor.capacity = Some(free + 1);
        }
        let len_after = match actor.known_fill(level) {
            Some(fill) => {
                actor.fill = Some(fill);
                fill
            }
            None => {
                actor.fill = actor.fill.map(|fill| fill.saturating_add(1));
                actor.fill.unwrap_or(1)
            }
        };
        let is_woken = !actor.is_busy && !std::mem::replace(&mut actor.is_ready, true);
        let event = match is_in_isr {
            true => Event::QueueSendFromIsr { queue_id: id, len_after },
            false => Event::QueueSend { queue_id: id, len_after },
        };
        self.emit(&event, out);
        if is_woken {
            self.emit(&Event::TaskToRdyState { task_id: id }, out);
        }
    }

    /// An object takes an event from its queue.
    pub fn get(&mut self, id: u32, name: &str, level: Level, out: &mut Output) {
        self.settle(Some(id), out);
        self.name(NameKind::Task, id, &[name], out);
        let Some(actor) = self.actor(id) else { return };
        let known = actor.known_fill(level);
        actor.fill = known.or_else(|| actor.fill.map(|fill| fill.saturating_sub(1)));
        self.taken = Some((id, actor.fill));
        if self.running == Some(id) {
            self.take_event(out);
        }
    }

    /// The event that was taken is taken by the running object.
    fn take_event(&mut self, out: &mut Output) {
        if let Some((queue_id, fill)) = self.taken.take() {
            let len_after = fill.unwrap_or(0);
            self.emit(&Event::QueueReceive { queue_id, len_after }, out);
        }
    }

    fn switch_in(&mut self, task_id: u32, ts: u64, out: &mut Output) {
        if self.running.replace(task_id) != Some(task_id) {
            out.timed(self.core, ts, &Event::TaskSwitchedIn { task_id });
        }
    }

    /// An object begins to handle an event.
    pub fn begin_step(&mut self, id: u32, name: &str, what: &str, out: &mut Output) {
        self.settle(Some(id), out);
        self.name(NameKind::Task, id, &[name], out);
        let Some(actor) = self.actor(id) else { return };
        (actor.is_busy, actor.is_ready) = (true, true);
        self.busy.retain(|busy| *busy != id);
        if self.busy.len() < MAX_DEPTH {
            self.busy.push(id);
        }
        self.switch_in(id, self.now, out);
        if self.taken.is_some_and(|(taken, _)| taken == id) {
            self.take_event(out);
        }
        self.taken = None;
        let msg = Str(what.as_bytes());
        self.emit_text(&Event::TaskEvtmarkerBegin { evtmarker_id: HANDLES, msg }, out);
    }

    /// An object has handled an event.
    pub fn end_step(&mut self, id: u32, out: &mut Output) {
        self.settle(None, out);
        let Some(actor) = self.actors.get_mut(&id) else { return };
        if !std::mem::take(&mut actor.is_busy) {
            return;
        }
        actor.is_ready = actor.fill.is_some_and(|fill| fill > 0);
        let is_ready = actor.is_ready;
        self.busy.retain(|busy| *busy != id);
        if self.running != Some(id) {
            // It runs again, or it could not end.
            self.switch_in(id, self.now, out);
        }
        self.emit(&Event::TaskEvtmarkerEnd { evtmarker_id: HANDLES }, out);
        if !is_ready {
            let event = Event::CurtaskBlockOnQueueReceive { queue_id: id, ticks_to_wait: u32::MAX };
            self.emit(&event, out);
        }
        if self.has_switches {
            return;
        }
        match self.busy.last().copied() {
            Some(outer) => self.switch_in(outer, self.now, out),
            None => {
                self.running = None;
                self.emit(&NO_TASK, out);
            }
        }
    }

    /// The scheduler switches to this priority; 0 is none: idle.
    pub fn schedule(&mut self, priority: u8, out: &mut Output) {
        self.settle(None, out);
        self.has_switches = true;
        if priority == 0 {
            self.idle(out);
            return;
        }
        match self.priorities.get(&priority).copied() {
            Some(task) => self.switch_in(task, self.now, out),
            None => self.switch = Some((priority, self.now)),
        }
    }

    fn idle(&mut self, out: &mut Output) {
        if !std::mem::replace(&mut self.has_idle, true) {
            self.metadata(&Event::TaskName { task_id: IDLE, name: Str(b"idle") }, out);
            let event = Event::TaskIsIdleTask { task_id: IDLE, core_id: self.core };
            self.metadata(&event, out);
        }
        self.switch_in(IDLE, self.now, out);
    }

    /// A switch whose object was not known is one to this object, or to something that is not known.
    fn settle(&mut self, object: Option<u32>, out: &mut Output) {
        let Some((priority, ts)) = self.switch.take() else { return };
        match object {
            Some(object) => {
                self.priorities.insert(priority, object);
                let event = Event::TaskPrioritySet { task_id: object, priority: priority.into() };
                out.timed(self.core, ts, &event);
                self.switch_in(object, ts, out);
            }
            None => {
                let task_id = u32::from(priority);
                let name = format!("priority {priority}");
                self.metadata(&Event::TaskName { task_id, name: Str(name.as_bytes()) }, out);
                self.switch_in(task_id, ts, out);
            }
        }
    }

    /// An object is in a state from now on.
    pub fn state(&mut self, id: u32, name: &str, state: &str, out: &mut Output) {
        self.settle(None, out);
        self.name(NameKind::States, id, &[name, " state"], out);
        let Some(actor) = self.actor(id) else { return };
        if std::mem::replace(&mut actor.has_state, true) {
            self.emit(&Event::EvtmarkerEnd { evtmarker_id: id }, out);
        }
        let msg = Str(state.as_bytes());
        self.emit_text(&Event::EvtmarkerBegin { evtmarker_id: id, msg }, out);
    }

    pub fn isr_enters(&mut self, isr_id: u32, out: &mut Output) {
        self.settle(None, out);
        if self.isrs.len() < MAX_DEPTH {
            self.isrs.push(isr_id);
        }
        self.emit(&Event::IsrEnter { isr_id }, out);
    }

    pub fn isr_exits(&mut self, isr_id: u32, out: &mut Output) {
        self.settle(None, out);
        self.isrs.pop();
        self.emit(&Event::IsrExit { isr_id }, out);
    }

    /// A time event is armed, or is not any more.
    pub fn timer(&mut self, id: u32, name: &str, armed: Option<&str>, out: &mut Output) {
        self.settle(None, out);
        self.name(NameKind::Row, id, &[name], out);
        if self.armed.remove(&id) {
            self.emit(&Event::EvtmarkerEnd { evtmarker_id: id }, out);
        }
        if let Some(text) = armed.filter(|_| self.armed.len() < MAX_KEPT) {
            self.armed.insert(id);
            let msg = Str(text.as_bytes());
            self.emit_text(&Event::EvtmarkerBegin { evtmarker_id: id, msg }, out);
        }
    }

    /// A text in the row of this number below 2^28.
    pub fn text(&mut self, row: u32, name: &str, text: Pieces<'_>, out: &mut Output) {
        self.settle(None, out);
        let evtmarker_id = ROWS | row;
        self.name(NameKind::Row, evtmarker_id, &[name], out);
        let event = Event::Evtmarker { evtmarker_id, msg: Str(&[]) };
        out.timed_pieces(self.core, self.now, &event, text);
    }

    /// A number has this value.
    pub fn value(&mut self, id: u32, name: Pieces<'_>, val: i64, out: &mut Output) {
        self.settle(None, out);
        self.name(NameKind::Value, id, name, out);
        self.emit(&Event::Valmarker { valmarker_id: id, val }, out);
    }
}
