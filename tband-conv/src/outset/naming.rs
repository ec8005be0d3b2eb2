//! Which names belong to which objects, as the first pass sees it.
//!
//! What is reported first of a number counts for the object that has it at the start of its stream; at the
//! start itself what is reported last does, since what the target has kept is sent in the order in which it
//! came. Where the number is created, what is reported after that belongs to the new object.

use std::collections::HashMap;

use tband_format::Event;

use crate::diagnostics::Place;
use crate::item::owned_event::OwnedEvent;
use crate::model::{MAX_OBJECTS, World};
use crate::outset::deferred::Deferred;

/// Kinds of objects that have numbers of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Task,
    Queue,
    StreamBuffer,
    EventGroup,
    Timer,
    Isr,
    Marker,
    Value,
}

/// An object by its number, for as long as nothing else has it.
type Number = (Kind, u32);
/// What is reported about it: the event's id, and the marker's number where it is one of a task's, or an interrupt's core.
type What = (Number, u8, u32);

/// Whose the event is, if it says what an object is called or stands for.
fn reported_of(core: u32, event: &Event<'_>) -> Option<What> {
    let (number, further) = match *event {
        Event::TaskName { task_id, .. }
        | Event::TaskIsIdleTask { task_id, .. }
        | Event::TaskIsTimerTask { task_id } => ((Kind::Task, task_id), 0),
        Event::TaskEvtmarkerName { evtmarker_id, task_id, .. } => {
            ((Kind::Task, task_id), evtmarker_id)
        }
        Event::TaskValmarkerName { valmarker_id, task_id, .. } => {
            ((Kind::Task, task_id), valmarker_id)
        }
        Event::QueueName { queue_id, .. } | Event::QueueKind { queue_id, .. } => {
            ((Kind::Queue, queue_id), 0)
        }
        Event::StreamBufferName { stream_buffer_id, .. }
        | Event::StreamBufferKind { stream_buffer_id, .. } => {
            ((Kind::StreamBuffer, stream_buffer_id), 0)
        }
        Event::EventGroupName { event_group_id, .. } => ((Kind::EventGroup, event_group_id), 0),
        Event::TimerName { timer_id, .. } => ((Kind::Timer, timer_id), 0),
        Event::IsrName { isr_id, .. } => ((Kind::Isr, isr_id), core),
        Event::EvtmarkerName { evtmarker_id, .. } => ((Kind::Marker, evtmarker_id), 0),
        Event::ValmarkerName { valmarker_id, .. } => ((Kind::Value, valmarker_id), 0),
        _ => return None,
    };
    Some((number, event.id(), further))
}

/// Which number the event gives to a new object.
const fn created(event: &Event<'_>) -> Option<Number> {
    Some(match *event {
        Event::TaskCreated { task_id } => (Kind::Task, task_id),
        Event::QueueCreated { queue_id } => (Kind::Queue, queue_id),
        Event::StreamBufferCreated { stream_buffer_id, .. } => {
            (Kind::StreamBuffer, stream_buffer_id)
        }
        Event::EventGroupCreated { event_group_id } => (Kind::EventGroup, event_group_id),
        Event::TimerCreated { timer_id, .. } => (Kind::Timer, timer_id),
        _ => return None,
    })
}

/// The events that give numbers to objects.
pub(crate) const CREATIONS: [Event<'_>; 5] = [
    Event::TaskCreated { task_id: 0 },
    Event::QueueCreated { queue_id: 0 },
    Event::StreamBufferCreated { stream_buffer_id: 0, size: 0, trigger_level: 0 },
    Event::EventGroupCreated { event_group_id: 0 },
    Event::TimerCreated { timer_id: 0, period: 0, auto_reload: 0, callback: 0 },
];

/// The event says what an object that is known already is called or stands for.
pub(crate) fn is_naming(event: &Event<'_>) -> bool {
    reported_of(0, event).is_some()
}

/// What was reported last, and first in this stream.
#[derive(Debug, Default)]
struct Reported {
    last: Option<OwnedEvent>,
    /// What counts for this stream, and since which one.
    here: Option<OwnedEvent>,
    stream: u32,
}

/// Follows the metadata of one input.
#[derive(Debug, Default)]
pub(crate) struct Naming {
    input: usize,
    reported: HashMap<What, Reported>,
    /// What this stream reports its objects, in the order of the recording.
    order: Vec<(u32, What)>,
    /// Where each object that was created in this stream was.
    created: HashMap<Number, u64>,
    /// What was reported already of objects that were created.
    reported_created: HashMap<(What, u64), ()>,
    /// Streams so far, and where this one starts.
    stream: u32,
    start: u64,
    /// Nothing was seen of this stream but what it starts with.
    at_start: bool,
}

impl Naming {
    pub fn new(input: usize) -> Self {
        Self { input, stream: 1, at_start: true, ..Self::default() }
    }

    /// This was reported about this object before, in the same words.
    pub fn was_reported(&self, core: u32, event: &Event<'_>) -> bool {
        let reported = reported_of(core, event).and_then(|what| self.reported.get(&what));
        reported.and_then(|reported| reported.last.as_ref()).is_some_and(|last| last.is(event))
    }

    /// The metadata that a stream starts with has ended.
    pub fn goes_on(&mut self) {
        self.at_start = false;
    }

    /// Another stream starts at this place.
    pub fn starts(&mut self, offset: u64, world: &mut World, deferred: &mut Deferred) {
        self.close(world, deferred);
        self.created.clear();
        self.reported_created.clear();
        self.stream = self.stream.saturating_add(1);
        (self.start, self.at_start) = (offset, true);
    }

    /// Takes an event of the stream in.
    pub fn event(
        &mut self,
        (offset, core): (u64, u32),
        event: &Event<'_>,
        deferred: &mut Deferred,
    ) {
        if let Some(number) = created(event) {
            if self.created.len() < MAX_OBJECTS {
                self.created.insert(number, offset);
            }
            return;
        }
        let Some(what) = reported_of(core, event) else { return };
        if self.reported.len() >= MAX_OBJECTS && !self.reported.contains_key(&what) {
            return;
        }
        let created = self.created.get(&what.0).copied();
        let reported = self.reported.entry(what).or_default();
        reported.last = Some(event.into());
        if let Some(offset) = created {
            if self.reported_created.insert((what, offset), ()).is_none() {
                deferred.add(Place { input: self.input, offset }, core, event.into());
            }
        } else if reported.stream != self.stream {
            (reported.stream, reported.here) = (self.stream, Some(event.into()));
            self.order.push((core, what));
        } else if self.at_start {
            reported.here = Some(event.into());
        }
    }

    /// The stream ends. The world learns what the first one reports. What a later one reports is kept for its start: a run
    /// of the target has its own names only.
    pub fn close(&mut self, world: &mut World, deferred: &mut Deferred) {
        for (core, what) in std::mem::take(&mut self.order) {
            let Some(Reported { here: Some(here), .. }) = self.reported.get(&what) else {
                continue;
            };
            if self.stream == 1 {
                world.learn_first(core, &here.get());
            } else {
                deferred.add(Place { input: self.input, offset: self.start }, core, here.clone());
            }
        }
    }
}
