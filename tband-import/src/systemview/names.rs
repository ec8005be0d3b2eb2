//! Numbers and names of things: those that the importer has named, and their numbers in tband's events.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::{Event, Str};

use crate::output::Output;

/// Things of which names are kept.
const MAX_NAMES: usize = 16 * 1024;

/// Event markers of PRINT packets begin with this number: one a level.
const PRINTS: u32 = 0xF000_0000;
/// Event markers of modules, of the user's own events and of calls: this and the id.
const EVENTS: u32 = 0xE000_0000;
/// Event markers of SystemView's timers: this and the lower bits of their number.
const TIMERS: u32 = 0xD000_0000;

/// An event marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// A mark of the application.
    Mark(u32),
    /// Messages of this level.
    Print(u32),
    /// An event of a module, one of the application's own, or a call without an end.
    Event(u32),
    /// A timer of SystemView.
    Timer(u32),
}

impl Marker {
    /// Its number in tband's events.
    pub const fn number(self) -> u32 {
        match self {
            Self::Mark(id) => id,
            Self::Print(level) => PRINTS | level,
            Self::Event(id) => EVENTS | id,
            Self::Timer(id) => TIMERS | id & 0x0FFF_FFFF,
        }
    }
}

/// A thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedObject {
    Task(u32),
    Queue(u32),
    Isr(u32),
    Marker(Marker),
    Value(u32),
}

/// The names that were emitted.
#[derive(Debug, Default)]
pub struct Names(HashMap<NamedObject, Box<str>, FixedState>);

impl Names {
    /// A thing has a name.
    pub fn has(&self, thing: NamedObject) -> bool {
        self.0.contains_key(&thing)
    }

    /// The name of a thing.
    pub fn get(&self, thing: NamedObject) -> Option<&str> {
        self.0.get(&thing).map(|name| &**name)
    }

    /// A thing is gone, or another one has its number: its name is emitted again.
    pub fn forget(&mut self, thing: NamedObject) {
        self.0.remove(&thing);
    }

    /// All things may be others.
    pub fn forget_all(&mut self) {
        self.0.clear();
    }

    /// Names a thing, unless it has this name already.
    pub fn name(&mut self, core: u32, thing: NamedObject, name: &str, out: &mut Output) {
        if self.get(thing) == Some(name) {
            return;
        }
        let text = Str(name.as_bytes());
        let event = match thing {
            NamedObject::Task(task_id) => Event::TaskName { task_id, name: text },
            NamedObject::Queue(queue_id) => Event::QueueName { queue_id, name: text },
            NamedObject::Isr(isr_id) => Event::IsrName { isr_id, name: text },
            NamedObject::Marker(marker) => {
                Event::EvtmarkerName { evtmarker_id: marker.number(), name: text }
            }
            NamedObject::Value(valmarker_id) => Event::ValmarkerName { valmarker_id, name: text },
        };
        out.metadata(core, &event);
        if self.0.len() < MAX_NAMES {
            self.0.insert(thing, name.into());
        }
    }
}
