//! Events and objects that are left out, by the names of objects.

use std::borrow::Cow;

use tband_format::classes::CLASSES;
use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::registry::EVENTS;

use super::super::world::World;
use super::Omission;

impl World {
    /// Its name, for people: `class QUEUE`, `queue 3 "rx"`.
    #[must_use]
    pub fn omission_name(&self, what: Omission) -> String {
        let plural = |kind: u32| match OBJECT_KINDS.get(kind as usize).map(|it| it.name) {
            Some("ISR") => Cow::Borrowed("interrupts"),
            Some("EVTMARKER") => "event markers".into(),
            Some("VALMARKER") => "value markers".into(),
            Some(name) => format!("{}s", name.to_lowercase().replace('_', " ")).into(),
            None => format!("objects of kind {kind}").into(),
        };
        match what {
            Omission::Class(class) => {
                format!("class {}", CLASSES.get(class).map_or("?", |it| it.name))
            }
            Omission::Shed(class) => {
                format!("class {}, shed", CLASSES.get(class).map_or("?", |it| it.name))
            }
            Omission::Event(id) => match EVENTS.iter().find(|def| def.id == id) {
                Some(def) => format!("event {}", def.name),
                None => format!("event {id}"),
            },
            Omission::Kind(kind) => format!("all {}", plural(kind)),
            Omission::KindButSome(kind) => {
                format!("all {} but those that are chosen", plural(kind))
            }
            Omission::Object(kind, number) => {
                self.name_of_object(kind, number).unwrap_or_else(|| {
                    let plural = plural(kind);
                    format!("{} {number}", plural.strip_suffix('s').unwrap_or(&plural))
                })
            }
        }
    }

    /// The name of an object that is known.
    fn name_of_object(&self, kind: u32, number: u32) -> Option<String> {
        Some(match OBJECT_KINDS.get(kind as usize)?.name {
            "TASK" => format!("{:#}", self.task_name(self.tasks.find(number)?)),
            "QUEUE" => format!("{:#}", self.queue_name(self.queues.find(number)?)),
            "STREAM_BUFFER" => {
                format!("{:#}", self.stream_buffer_name(self.stream_buffers.find(number)?))
            }
            "EVENT_GROUP" => {
                format!("{:#}", self.event_group_name(self.event_groups.find(number)?))
            }
            "TIMER" => format!("{:#}", self.timer_name(self.timers.find(number)?)),
            _ => return None,
        })
    }
}
