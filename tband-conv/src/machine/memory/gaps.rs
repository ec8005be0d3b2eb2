//! Gaps so far, and the state to forget at the next one.

use crate::model::{
    Caller, EventGroup, EventGroupRef, MarkerRef, PerKey, PerRef, Queue, QueueRef, StreamBuffer,
    StreamBufferRef, Task, TaskRef, Timer, TimerRef,
};

/// A report of an event about a kernel object other than a task or a queue.
#[derive(Clone, Copy, Debug)]
pub enum ObjectReport {
    /// Its level.
    StreamBuffer(StreamBufferRef),
    /// Its bits.
    EventGroup(EventGroupRef),
    /// Whether it is active.
    Timer(TimerRef),
    /// Open calls of a caller on a core.
    Calls(Caller, u32),
}

/// How often the target was reset. Each input reports it, sooner or later.
#[derive(Debug, Default)]
pub struct Resets {
    by_input: PerKey<usize, u32>,
    all: u32,
}

impl Resets {
    /// An input reports a reset of the target; returns true if no other input has reported this reset before.
    pub fn report(&mut self, input: usize) -> bool {
        let reported = self.by_input.entry(input);
        *reported = reported.saturating_add(1);
        let is_new = *reported > self.all;
        self.all = self.all.max(*reported);
        is_new
    }

    /// The last report was for all inputs, including those without an event yet.
    pub fn reported_for_all(&mut self) {
        *self = Self::default();
    }
}

/// Gaps, and the state learnt since the last one.
#[derive(Debug)]
pub struct Gaps {
    /// Gaps so far. The start counts as one, since the state of the target is not known there.
    pub count: u32,
    /// The same count for spans, whose events a filter may leave out in addition.
    pub of_spans: u32,
    tasks: Vec<TaskRef>,
    pub priorities: Vec<TaskRef>,
    queues: Vec<QueueRef>,
    pub spans: Vec<MarkerRef>,
    objects: Vec<ObjectReport>,
    /// Entries of these lists, for kinds whose events do not show that the state was unknown.
    noted_tasks: PerRef<Task, bool>,
    noted_queues: PerRef<Queue, bool>,
    noted_stream_buffers: PerRef<StreamBuffer, bool>,
    noted_event_groups: PerRef<EventGroup, bool>,
    noted_timers: PerRef<Timer, bool>,
}

impl Default for Gaps {
    fn default() -> Self {
        Self {
            count: 1,
            of_spans: 1,
            tasks: Vec::new(),
            priorities: Vec::new(),
            queues: Vec::new(),
            spans: Vec::new(),
            objects: Vec::new(),
            noted_tasks: PerRef::default(),
            noted_queues: PerRef::default(),
            noted_stream_buffers: PerRef::default(),
            noted_event_groups: PerRef::default(),
            noted_timers: PerRef::default(),
        }
    }
}

impl Gaps {
    /// A task's state was unknown and is known now; once more is the same.
    #[cold]
    pub fn learnt_task(&mut self, task: TaskRef) {
        if !std::mem::replace(self.noted_tasks.entry(task), true) {
            self.tasks.push(task);
        }
    }

    /// The tasks of which the state is to be forgotten.
    pub fn take_tasks(&mut self) -> Vec<TaskRef> {
        let tasks = std::mem::take(&mut self.tasks);
        tasks.iter().for_each(|task| *self.noted_tasks.entry(*task) = false);
        tasks
    }

    /// As for its state, of a task's priority.
    #[cold]
    pub fn learnt_priority(&mut self, task: TaskRef) {
        self.priorities.push(task);
    }

    /// As for tasks, of a queue's level.
    #[cold]
    pub fn learnt_queue(&mut self, queue: QueueRef) {
        if !std::mem::replace(self.noted_queues.entry(queue), true) {
            self.queues.push(queue);
        }
    }

    /// The queues of which a level is to be forgotten.
    pub fn take_queues(&mut self) -> Vec<QueueRef> {
        let queues = std::mem::take(&mut self.queues);
        queues.iter().for_each(|queue| *self.noted_queues.entry(*queue) = false);
        queues
    }

    /// As for tasks, of a marker's spans.
    #[cold]
    pub fn learnt_span(&mut self, marker: MarkerRef) {
        self.spans.push(marker);
    }

    /// Markers of which a span began.
    pub fn spans(&self) -> &[MarkerRef] {
        &self.spans
    }

    /// As for tasks, of any other object; once more is the same.
    pub fn learnt(&mut self, known: ObjectReport) {
        if self.noted(known).is_none_or(|noted| !std::mem::replace(noted, true)) {
            self.objects.push(known);
        }
    }

    /// Takes the other objects whose state is to be forgotten.
    pub fn take_objects(&mut self) -> Vec<ObjectReport> {
        let objects = std::mem::take(&mut self.objects);
        for known in &objects {
            if let Some(noted) = self.noted(*known) {
                *noted = false;
            }
        }
        objects
    }

    fn noted(&mut self, known: ObjectReport) -> Option<&mut bool> {
        match known {
            ObjectReport::StreamBuffer(buffer) => Some(self.noted_stream_buffers.entry(buffer)),
            ObjectReport::EventGroup(group) => Some(self.noted_event_groups.entry(group)),
            ObjectReport::Timer(timer) => Some(self.noted_timers.entry(timer)),
            // Open calls know it themselves.
            ObjectReport::Calls(..) => None,
        }
    }
}
