//! How the record of each event is laid out.

use tband_format::Event;
use tband_format::registry::EVENTS;

use super::kinds::{self, RECORDING};
use super::objects::QsObjectKind;

/// The meaning of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Object(QsObjectKind),
    /// An address, or a set of bits.
    Bits,
    Number,
}

impl Role {
    /// Returns the role of a field of an event, by their names.
    pub fn of(event: &str, field: &str) -> Self {
        let is_task_local =
            event.starts_with("task_evtmarker") || event.starts_with("task_valmarker");
        Self::Object(match field {
            "task_id" => QsObjectKind::Task,
            "queue_id" => QsObjectKind::Queue,
            "stream_buffer_id" => QsObjectKind::StreamBuffer,
            "event_group_id" => QsObjectKind::EventGroup,
            "timer_id" => QsObjectKind::Timer,
            "isr_id" => QsObjectKind::Isr,
            "evtmarker_id" if !is_task_local => QsObjectKind::Marker,
            "valmarker_id" if !is_task_local => QsObjectKind::Value,
            "function" if event.starts_with("api_") => QsObjectKind::Function,
            "address" | "callback" | "parameter1" | "parameter2" | "bits" | "bits_after"
            | "set" | "found" | "pc" => return Self::Bits,
            _ if field.ends_with("flags") || field.ends_with("mask") => return Self::Bits,
            _ => return Self::Number,
        })
    }
}

/// The record of an event.
#[derive(Clone, Debug)]
pub struct Layout {
    pub record: u8,
    /// Other events contain no names.
    pub is_metadata: bool,
    /// Roles of its fields in their order; the last ones may be missing. There are none if only the recording describes the
    /// fields.
    pub roles: Vec<Role>,
}

/// Those of all events of the registry, worked out once: names would have to be compared for each event.
#[derive(Debug)]
pub struct Layouts {
    by_id: Vec<Layout>,
    described: Layout,
}

impl Default for Layouts {
    fn default() -> Self {
        let described = Layout { record: RECORDING, is_metadata: false, roles: Vec::new() };
        let mut by_id = vec![described.clone(); 256];
        for event in EVENTS {
            let roles = event.fields.iter().map(|field| Role::of(event.name, field.name));
            by_id[usize::from(event.id)] = Layout {
                record: kinds::of(event.name),
                is_metadata: event.metadata,
                roles: roles.collect(),
            };
        }
        Self { by_id, described }
    }
}

impl Layouts {
    /// The record of an event with this id, which the registry has.
    #[inline]
    pub fn record(&self, id: u8) -> u8 {
        self.by_id[usize::from(id)].record
    }

    /// That of an event with this id, if the registry has it.
    pub fn of(&self, event: &Event<'_>, id: u8) -> &Layout {
        match event {
            Event::Described(_) | Event::DescribedMetadata(_) => &self.described,
            _ => &self.by_id[usize::from(id)],
        }
    }
}

#[cfg(test)]
mod tests {
    use tband_format::field::FieldKind;

    use super::*;

    /// Otherwise the fields of an event would not be in the places of their roles.
    #[test]
    fn only_the_last_fields_of_an_event_may_be_missing() {
        for event in EVENTS {
            let may_be_missing = |kind| matches!(kind, FieldKind::Optional(_));
            let first = event.fields.iter().position(|field| may_be_missing(field.kind));
            let rest = event.fields.iter().skip(first.unwrap_or(event.fields.len()));
            assert!(rest.clone().all(|field| may_be_missing(field.kind)), "{}", event.name);
        }
    }

    #[test]
    fn fields_have_the_roles_of_their_names() {
        let layouts = Layouts::default();
        let roles = |event: Event<'_>| layouts.of(&event, event.id()).roles.clone();
        let is_of = |kind| vec![Role::Object(kind), Role::Number];
        assert_eq!(
            roles(Event::QueueSend { queue_id: 1, len_after: 2 }),
            is_of(QsObjectKind::Queue)
        );
        assert_eq!(roles(Event::Valmarker { valmarker_id: 1, val: 2 }), is_of(QsObjectKind::Value));
        let local = Event::TaskValmarker { valmarker_id: 1, val: 2 };
        assert_eq!(roles(local), [Role::Number, Role::Number]);
    }
}
