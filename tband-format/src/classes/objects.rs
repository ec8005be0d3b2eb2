//! Kinds of objects that events refer to: a filter can select events by object.

use crate::registry::EVENTS;

/// A kind of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectKind {
    /// Name, as in the constants of C: `STREAM_BUFFER`.
    pub name: &'static str,
    /// First field of the events of such an object.
    pub field: &'static str,
    /// Event that names one.
    pub named_by: u8,
}

macro_rules! kinds {
    ($($name:literal $field:literal $named_by:literal)*) => {
        &[$(ObjectKind { name: $name, field: $field, named_by: $named_by }),*]
    };
}

/// All kinds. Their places are numbers in recordings, so the list is append-only, with 16 at most.
pub const OBJECT_KINDS: &[ObjectKind] = kinds! {
    "TASK" "task_id" 95
    "QUEUE" "queue_id" 100
    "STREAM_BUFFER" "stream_buffer_id" 141
    "EVENT_GROUP" "event_group_id" 157
    "TIMER" "timer_id" 168
    "ISR" "isr_id" 3
    "EVTMARKER" "evtmarker_id" 6
    "VALMARKER" "valmarker_id" 10
};

/// Events that are recorded for all objects: task switches, because otherwise the time would be attributed to another
/// task; and creations and deletions, because numbers are reused.
const OF_ALL_OBJECTS: &[u8] =
    &[84, 94, 98, 99, 140, 149, 156, 158, 167, 174, 184, 195, 208, 212, 213];

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn has(ids: &[u8], id: u8) -> bool {
    let mut at = 0;
    while at < ids.len() {
        if ids[at] == id {
            return true;
        }
        at += 1;
    }
    false
}

/// By id: one more than the kind of the object whose number an event begins with, if a filter can select the event by
/// it; else 0.
static KINDS: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < EVENTS.len() {
        let def = &EVENTS[at];
        let mut kind = 0;
        while kind < OBJECT_KINDS.len() {
            if !def.metadata
                && !def.fields.is_empty()
                && is_same(def.fields[0].name, OBJECT_KINDS[kind].field)
                && !has(OF_ALL_OBJECTS, def.id)
            {
                table[def.id as usize] = kind as u8 + 1;
            }
            kind += 1;
        }
        at += 1;
    }
    table
};

/// Returns the kind of object whose number selects the event in a filter, an index into [`OBJECT_KINDS`]; `None` if
/// the event cannot be selected by object.
#[must_use]
pub fn object_kind(id: u8) -> Option<u32> {
    u32::from(KINDS[usize::from(id)]).checked_sub(1)
}
