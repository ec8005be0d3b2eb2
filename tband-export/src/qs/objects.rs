//! Objects of the target as QS knows them: addresses, here numbers made of kind and id, and names in a dictionary.

use std::collections::HashMap;

use tband_conv::timeline::World;
use tband_format::{Event, api_function};

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Task = 1,
    Queue,
    StreamBuffer,
    EventGroup,
    Timer,
    Isr,
    Marker,
    Value,
    Function,
}

impl Kind {
    /// What the number in a field of an event stands for.
    pub fn of(event: &str, field: &str) -> Option<Self> {
        let is_task_local =
            event.starts_with("task_evtmarker") || event.starts_with("task_valmarker");
        Some(match field {
            "task_id" => Self::Task,
            "queue_id" => Self::Queue,
            "stream_buffer_id" => Self::StreamBuffer,
            "event_group_id" => Self::EventGroup,
            "timer_id" => Self::Timer,
            "isr_id" => Self::Isr,
            "evtmarker_id" if !is_task_local => Self::Marker,
            "valmarker_id" if !is_task_local => Self::Value,
            "function" if event.starts_with("api_") => Self::Function,
            _ => return None,
        })
    }

    /// A number of its own, which is never 0. Interrupts have a name on each core.
    pub const fn key(self, id: u32, core: u32) -> u64 {
        let core = if matches!(self, Self::Isr) { core as u64 } else { 0 };
        (self as u64) << 48 | core << 32 | id as u64
    }

    /// Its name; of one that has none its kind and number.
    fn name(self, world: &World, id: u32, core: u32) -> String {
        let (kind, name) = match self {
            Self::Task => ("task", world.name_of_task(id)),
            Self::Queue => ("queue", world.name_of_queue(id)),
            Self::StreamBuffer => ("stream buffer", world.name_of_stream_buffer(id)),
            Self::EventGroup => ("event group", world.name_of_event_group(id)),
            Self::Timer => ("timer", world.name_of_timer(id)),
            Self::Isr => ("interrupt", world.name_of_isr(id, core)),
            Self::Marker => ("marker", world.name_of_marker(id)),
            Self::Value => ("value", world.name_of_value(id)),
            Self::Function => ("function", api_function(id)),
        };
        name.map_or_else(|| format!("{kind} {id}"), str::to_owned)
    }
}

/// The object that an event gives a name.
pub fn named(event: &Event<'_>, core: u32) -> Option<(u64, String)> {
    let (kind, id, name) = match event {
        Event::TaskName { task_id, name } => (Kind::Task, *task_id, name),
        Event::QueueName { queue_id, name } => (Kind::Queue, *queue_id, name),
        Event::StreamBufferName { stream_buffer_id, name } => {
            (Kind::StreamBuffer, *stream_buffer_id, name)
        }
        Event::EventGroupName { event_group_id, name } => (Kind::EventGroup, *event_group_id, name),
        Event::TimerName { timer_id, name } => (Kind::Timer, *timer_id, name),
        Event::IsrName { isr_id, name } => (Kind::Isr, *isr_id, name),
        Event::EvtmarkerName { evtmarker_id, name } => (Kind::Marker, *evtmarker_id, name),
        Event::ValmarkerName { valmarker_id, name } => (Kind::Value, *valmarker_id, name),
        _ => return None,
    };
    Some((kind.key(id, core), name.to_string()))
}

/// The names that readers have.
#[derive(Debug, Default)]
pub struct Names {
    /// What was reported before the window.
    earlier: HashMap<u64, String>,
    /// What the first pass learnt.
    world: World,
    known: HashMap<u64, String>,
}

impl Names {
    pub fn new(earlier: HashMap<u64, String>) -> Self {
        Self { earlier, ..Self::default() }
    }

    pub fn learn(&mut self, world: World) {
        self.world = world;
    }

    /// What a record of the application's own says, if that is what the event is.
    pub fn record_text(&self, event: &Event<'_>) -> Option<String> {
        self.world.record_text(event)
    }

    /// An object is about to be named for the first time: its name, which readers do not have yet.
    pub fn first(&mut self, kind: Kind, id: u32, core: u32) -> Option<&str> {
        let key = kind.key(id, core);
        if self.known.contains_key(&key) {
            return None;
        }
        let name = self.earlier.remove(&key);
        let name = name.unwrap_or_else(|| kind.name(&self.world, id, core));
        Some(self.known.entry(key).or_insert(name))
    }

    /// An object has this name from now on; whether that is news.
    pub fn change(&mut self, key: u64, name: &str) -> bool {
        if self.known.get(&key).is_some_and(|known| known == name) {
            return false;
        }
        self.known.insert(key, name.to_owned());
        true
    }
}
