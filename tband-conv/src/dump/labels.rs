//! Labels that a dump writes for each kind of event in addition to the values: names, ready to be copied, and the meaning of a
//! number.

use tband_format::registry::{EVENTS, EventDef};

use super::format::DumpFormat;

/// Width of the names of events in text.
pub(super) const NAME_WIDTH: usize = 24;

/// Bytes of the longest label of an event: `,"event":""` and the longest name.
pub(super) const OF_EVENT: usize = {
    let mut longest = NAME_WIDTH;
    let mut event = 0;
    while event < EVENTS.len() {
        let len = EVENTS[event].name.len();
        longest = if len > longest { len } else { longest };
        event += 1;
    }
    longest + ",\"event\":\"\"".len()
};

/// Bytes of the longest label of a field: `,"":` and the longest name.
pub(super) const OF_FIELD: usize = {
    let mut longest = 0;
    let mut event = 0;
    while event < EVENTS.len() {
        let fields = EVENTS[event].fields;
        let mut field = 0;
        while field < fields.len() {
            let len = fields[field].name.len();
            longest = if len > longest { len } else { longest };
            field += 1;
        }
        event += 1;
    }
    longest + ",\"\":".len()
};

/// A text that is copied as a complete array, which takes a few instructions, and cut to its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<const LONGEST: usize> {
    pub bytes: [u8; LONGEST],
    pub len: usize,
}

impl<const LONGEST: usize> Label<LONGEST> {
    pub fn new(text: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        let len = text.len().min(LONGEST);
        for (byte, of_text) in bytes.iter_mut().zip(text) {
            *byte = *of_text;
        }
        Self { bytes, len }
    }

    #[inline]
    pub fn write(&self, buf: &mut Vec<u8>) {
        let end = buf.len().wrapping_add(self.len);
        buf.extend_from_slice(&self.bytes);
        buf.truncate(end);
    }
}

/// Kind of object that a field's number names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NumberedObject {
    Nothing,
    Task,
    Queue,
    StreamBuffer,
    EventGroup,
    Timer,
    Isr,
    Function,
    Marker,
    Value,
}

impl NumberedObject {
    /// How many there are.
    pub const COUNT: usize = Self::Value as usize + 1;

    fn of(event: &EventDef, field: &str) -> Self {
        // A name event contains the name itself.
        if event.name.ends_with("_name") {
            return Self::Nothing;
        }
        match field {
            "task_id" => Self::Task,
            "queue_id" => Self::Queue,
            "stream_buffer_id" => Self::StreamBuffer,
            "event_group_id" => Self::EventGroup,
            "timer_id" => Self::Timer,
            "isr_id" => Self::Isr,
            "function" if matches!(event.name, "api_enter" | "api_return") => Self::Function,
            "evtmarker_id" if !is_task_local(event) => Self::Marker,
            "valmarker_id" if !is_task_local(event) => Self::Value,
            _ => Self::Nothing,
        }
    }
}

fn is_task_local(event: &EventDef) -> bool {
    event.name.starts_with("task_evtmarker") || event.name.starts_with("task_valmarker")
}

/// Labels of one kind of event.
#[derive(Clone, Debug)]
pub(super) struct EventLabels {
    pub name: Label<OF_EVENT>,
    /// Labels of each field, in the order of the recording.
    pub fields: Vec<(Label<OF_FIELD>, NumberedObject)>,
    /// The event is of the running task, and does not name it.
    pub is_of_running_task: bool,
}

/// Labels of all kinds of events.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    by_id: Vec<EventLabels>,
    unknown: EventLabels,
}

impl Labels {
    pub fn new(format: DumpFormat) -> Self {
        let is_json = format == DumpFormat::Json;
        let name = |name: &str| {
            let text = if is_json {
                format!(",\"event\":\"{name}\"")
            } else {
                format!("  {name:<NAME_WIDTH$}")
            };
            Label::new(text.as_bytes())
        };
        // Neither fields nor spaces follow.
        let lone = |name: &str| Label::new(format!("  {name}").as_bytes());
        let field = |name: &str| {
            let text = if is_json { format!(",\"{name}\":") } else { format!(" {name}=") };
            Label::new(text.as_bytes())
        };
        let unknown =
            EventLabels { name: name("?"), fields: Vec::new(), is_of_running_task: false };
        let mut by_id = vec![unknown.clone(); 256];
        for event in EVENTS {
            let fields = event.fields.iter();
            let fields =
                fields.map(|it| (field(it.name), NumberedObject::of(event, it.name))).collect();
            let is_of_running_task = !event.metadata && is_task_local(event);
            if let Some(labels) = by_id.get_mut(usize::from(event.id)) {
                let is_lone = !is_json && event.fields.is_empty() && !is_of_running_task;
                let name = if is_lone { lone(event.name) } else { name(event.name) };
                *labels = EventLabels { name, fields, is_of_running_task };
            }
        }
        Self { by_id, unknown }
    }

    #[inline]
    pub fn of(&self, id: u8) -> &EventLabels {
        self.by_id.get(usize::from(id)).unwrap_or(&self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name in a label.
    fn bare<const LONGEST: usize>(label: &Label<LONGEST>) -> String {
        let mut buf = b"x".to_vec();
        label.write(&mut buf);
        let text = String::from_utf8(buf).unwrap();
        let text = text.strip_prefix('x').unwrap();
        let text = text.trim_matches(|it: char| " =,:\"".contains(it));
        text.strip_prefix("event\":\"").unwrap_or(text).to_owned()
    }

    #[test]
    fn every_label_is_whole() {
        for format in [DumpFormat::Text, DumpFormat::Json] {
            let labels = Labels::new(format);
            for event in EVENTS {
                let of_event = labels.of(event.id);
                assert_eq!(of_event.fields.len(), event.fields.len());
                assert_eq!(bare(&of_event.name), event.name);
                for ((label, _), field) in of_event.fields.iter().zip(event.fields) {
                    assert_eq!(bare(label), field.name);
                }
            }
        }
    }
}
