//! Objects of the target as QS knows them: addresses, here numbers from kind and id, and names in a dictionary.

use tband_conv::cores::MAX_CORES;
use tband_conv::model::World;
use tband_format::Event;
use tband_format::api::api_function;

use crate::by_id::ById;

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QsObjectKind {
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

/// An object. Interrupts have a name on each core; other objects are of core 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    pub kind: QsObjectKind,
    id: u32,
    core: u32,
    board: u8,
}

impl Object {
    /// The one of this kind and number that an event of a core is about.
    pub const fn of(kind: QsObjectKind, id: u32, core: u32) -> Self {
        let core = if matches!(kind, QsObjectKind::Isr) { core } else { 0 };
        Self { kind, id, core, board: 0 }
    }

    /// The same on this board.
    pub fn on(self, board: usize) -> Self {
        Self { board: u8::try_from(board).unwrap_or(u8::MAX), ..self }
    }

    /// Returns a unique number, which is never 0.
    pub const fn key(self) -> u64 {
        (self.board as u64) << 56
            | (self.kind as u64) << 48
            | (self.core as u64) << 32
            | self.id as u64
    }

    /// Its name; of one that has none its kind and number.
    fn name(self, world: &World) -> String {
        let Self { kind, id, core, .. } = self;
        let (kind, name) = match kind {
            QsObjectKind::Task => ("task", world.name_of_task(id)),
            QsObjectKind::Queue => ("queue", world.name_of_queue(id)),
            QsObjectKind::StreamBuffer => ("stream buffer", world.name_of_stream_buffer(id)),
            QsObjectKind::EventGroup => ("event group", world.name_of_event_group(id)),
            QsObjectKind::Timer => ("timer", world.name_of_timer(id)),
            QsObjectKind::Isr => ("interrupt", world.name_of_isr(id, core)),
            QsObjectKind::Marker => ("marker", world.name_of_marker(id)),
            QsObjectKind::Value => ("value", world.name_of_value(id)),
            QsObjectKind::Function => ("function", api_function(id)),
        };
        name.map_or_else(|| format!("{kind} {id}"), str::to_owned)
    }
}

/// Returns the object that an event names.
pub fn named(event: &Event<'_>, core: u32) -> Option<(Object, String)> {
    let (kind, id, name) = match event {
        Event::TaskName { task_id, name } => (QsObjectKind::Task, *task_id, name),
        Event::QueueName { queue_id, name } => (QsObjectKind::Queue, *queue_id, name),
        Event::StreamBufferName { stream_buffer_id, name } => {
            (QsObjectKind::StreamBuffer, *stream_buffer_id, name)
        }
        Event::EventGroupName { event_group_id, name } => {
            (QsObjectKind::EventGroup, *event_group_id, name)
        }
        Event::TimerName { timer_id, name } => (QsObjectKind::Timer, *timer_id, name),
        Event::IsrName { isr_id, name } => (QsObjectKind::Isr, *isr_id, name),
        Event::EvtmarkerName { evtmarker_id, name } => (QsObjectKind::Marker, *evtmarker_id, name),
        Event::ValmarkerName { valmarker_id, name } => (QsObjectKind::Value, *valmarker_id, name),
        _ => return None,
    };
    Some((Object::of(kind, id, core), name.to_string()))
}

/// Tables of names of each board.
const TABLES: usize = QsObjectKind::Function as usize + MAX_CORES as usize;

/// Names of objects.
#[derive(Debug, Default)]
pub struct ObjectNames {
    /// By kind and core, then by number.
    names: Vec<ById<String>>,
}

impl ObjectNames {
    const fn table(object: Object) -> usize {
        // Only interrupts exist once per core: those of core 0 are in their place among the kinds, those of other cores come
        // after all kinds.
        let of_board = match object.core {
            0 => object.kind as usize,
            core => QsObjectKind::Function as usize + core as usize,
        };
        object.board as usize * TABLES + of_board
    }

    /// Its name, if it is known.
    #[inline]
    pub fn get(&self, object: Object) -> Option<&String> {
        self.names.get(Self::table(object))?.get(object.id)
    }

    /// An object has this name.
    pub fn insert(&mut self, object: Object, name: String) {
        let table = Self::table(object);
        if self.names.len() <= table {
            self.names.resize_with(table + 1, ById::default);
        }
        self.names[table].insert(object.id, name);
    }
}

/// The names that readers have.
#[derive(Debug, Default)]
pub struct Names {
    /// Reports from before the window.
    earlier: ObjectNames,
    /// Facts from the first pass.
    world: World,
    known: ObjectNames,
}

impl Names {
    pub fn new(earlier: ObjectNames) -> Self {
        Self { earlier, ..Self::default() }
    }

    pub fn learn(&mut self, world: World) {
        self.world = world;
    }

    /// Switches to another input: numbers are those of its board, which is returned.
    pub fn enter_input(&mut self, input: usize) -> usize {
        self.world.enter_input(input);
        self.world.board()
    }

    /// Returns the text of an event: a log record of the application, or a trigger.
    pub fn text_of(&self, event: &Event<'_>) -> Option<String> {
        self.world.text_of(event)
    }

    /// Readers have the name of this object.
    #[inline]
    pub fn has(&self, object: Object) -> bool {
        self.known.get(object).is_some()
    }

    /// An object is about to be named for the first time: its name, which readers have from now on.
    pub fn first(&mut self, object: Object) -> String {
        let name = self.earlier.get(object).cloned();
        let name = name.unwrap_or_else(|| object.name(&self.world));
        self.known.insert(object, name.clone());
        name
    }

    /// An object has this name from now on; whether that is news.
    pub fn change(&mut self, object: Object, name: &str) -> bool {
        if self.known.get(object).is_some_and(|known| known == name) {
            return false;
        }
        self.known.insert(object, name.to_owned());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_unique_numbers_and_names() {
        let isr = |core| Object::of(QsObjectKind::Isr, 3, core);
        let objects = [
            Object::of(QsObjectKind::Task, 3, 1),
            Object::of(QsObjectKind::Task, 4, 1),
            Object::of(QsObjectKind::Function, 3, 0),
            isr(0),
            isr(1),
            isr(9),
        ];
        assert_eq!(objects[0], Object::of(QsObjectKind::Task, 3, 0));
        let mut known = ObjectNames::default();
        for object in objects {
            assert_eq!(known.get(object), None);
            known.insert(object, object.key().to_string());
        }
        for object in objects {
            assert_eq!(known.get(object), Some(&object.key().to_string()));
        }
    }
}
