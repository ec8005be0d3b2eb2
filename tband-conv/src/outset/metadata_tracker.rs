//! Assigns names to objects in the first pass.
//!
//! The first report of a number counts for the object that has it at the start of its stream. At the start itself the last
//! report counts, because the target sends its kept metadata in the order in which it came. Where the number is created, later
//! reports belong to the new object.

use std::collections::HashMap;

use tband_format::Event;

use crate::diagnostics::Place;
use crate::item::owned_event::OwnedEvent;
use crate::model::{MAX_OBJECTS, World};
use crate::outset::deferred_metadata::DeferredMetadata;

/// Kinds of objects with separate numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NumberSpace {
    Task,
    Queue,
    StreamBuffer,
    EventGroup,
    Timer,
    Isr,
    Marker,
    Value,
}

/// An object by its number, until another object gets it.
type Number = (NumberSpace, u32);
/// Key of a report: the object, the event's id, and the marker's number for a marker of a task, or an interrupt's core.
type ReportKey = (Number, u8, u32);

/// Returns the object of an event that reports its name or role.
fn reported_of(core: u32, event: &Event<'_>) -> Option<ReportKey> {
    let (number, further) = match *event {
        Event::TaskName { task_id, .. }
        | Event::TaskIsIdleTask { task_id, .. }
        | Event::TaskIsTimerTask { task_id } => ((NumberSpace::Task, task_id), 0),
        Event::TaskEvtmarkerName { evtmarker_id, task_id, .. } => {
            ((NumberSpace::Task, task_id), evtmarker_id)
        }
        Event::TaskValmarkerName { valmarker_id, task_id, .. } => {
            ((NumberSpace::Task, task_id), valmarker_id)
        }
        Event::QueueName { queue_id, .. } | Event::QueueKind { queue_id, .. } => {
            ((NumberSpace::Queue, queue_id), 0)
        }
        Event::StreamBufferName { stream_buffer_id, .. }
        | Event::StreamBufferKind { stream_buffer_id, .. } => {
            ((NumberSpace::StreamBuffer, stream_buffer_id), 0)
        }
        Event::EventGroupName { event_group_id, .. } => {
            ((NumberSpace::EventGroup, event_group_id), 0)
        }
        Event::TimerName { timer_id, .. } => ((NumberSpace::Timer, timer_id), 0),
        Event::IsrName { isr_id, .. } => ((NumberSpace::Isr, isr_id), core),
        Event::EvtmarkerName { evtmarker_id, .. } => ((NumberSpace::Marker, evtmarker_id), 0),
        Event::ValmarkerName { valmarker_id, .. } => ((NumberSpace::Value, valmarker_id), 0),
        _ => return None,
    };
    Some((number, event.id(), further))
}

/// Returns the number that the event gives to a new object.
const fn created(event: &Event<'_>) -> Option<Number> {
    Some(match *event {
        Event::TaskCreated { task_id } => (NumberSpace::Task, task_id),
        Event::QueueCreated { queue_id } => (NumberSpace::Queue, queue_id),
        Event::StreamBufferCreated { stream_buffer_id, .. } => {
            (NumberSpace::StreamBuffer, stream_buffer_id)
        }
        Event::EventGroupCreated { event_group_id } => (NumberSpace::EventGroup, event_group_id),
        Event::TimerCreated { timer_id, .. } => (NumberSpace::Timer, timer_id),
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

/// Whether the event reports the name or role of an object that is known already.
pub(crate) fn is_naming(event: &Event<'_>) -> bool {
    reported_of(0, event).is_some()
}

/// The last report, and the first one in this stream.
#[derive(Debug, Default)]
struct ReportHistory {
    last: Option<OwnedEvent>,
    /// The report that counts for this stream, and the stream that it is from.
    here: Option<OwnedEvent>,
    stream: u32,
}

/// Follows the metadata of one input.
#[derive(Debug, Default)]
pub(crate) struct MetadataTracker {
    input: usize,
    reported: HashMap<ReportKey, ReportHistory>,
    /// Reports of this stream about its objects, in the order of the recording.
    order: Vec<(u32, ReportKey)>,
    /// Where each object that was created in this stream was.
    created: HashMap<Number, u64>,
    /// Reports so far about objects that were created.
    reported_created: HashMap<(ReportKey, u64), ()>,
    /// Streams so far, and where this one starts.
    stream: u32,
    start: u64,
    /// Only the beginning of this stream was seen.
    at_start: bool,
}

impl MetadataTracker {
    pub fn new(input: usize) -> Self {
        Self { input, stream: 1, at_start: true, ..Self::default() }
    }

    /// This was reported about this object before, in the same words.
    pub fn is_repeated(&self, core: u32, event: &Event<'_>) -> bool {
        let reported = reported_of(core, event).and_then(|what| self.reported.get(&what));
        reported.and_then(|reported| reported.last.as_ref()).is_some_and(|last| last.is(event))
    }

    /// The metadata that a stream starts with has ended.
    pub fn finish_start(&mut self) {
        self.at_start = false;
    }

    /// Another stream starts at this place.
    pub fn start_stream(
        &mut self,
        offset: u64,
        world: &mut World,
        deferred: &mut DeferredMetadata,
    ) {
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
        deferred: &mut DeferredMetadata,
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

    /// The stream ends. The world learns the reports of the first stream. Those of a later one are kept for its start: a run of
    /// the target has only its own names.
    pub fn close(&mut self, world: &mut World, deferred: &mut DeferredMetadata) {
        for (core, what) in std::mem::take(&mut self.order) {
            let Some(ReportHistory { here: Some(here), .. }) = self.reported.get(&what) else {
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
