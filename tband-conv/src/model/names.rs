//! How objects are called: by their name, or by their kind and id.

use tband_format::named::{QueueKind, StreamBufferKind};

use super::change::Waker;
use super::flow::{Act, Actor};
use super::label::Label;
use super::object::{
    EventGroupRef, IsrRef, MarkerRef, QueueRef, Scope, StreamBufferRef, TaskRef, TimerRef, Wait,
};
use super::table::{Key, Ref, Table};
use super::world::World;

impl World {
    /// Name of the task that has this id now, if it is known.
    #[must_use]
    pub fn name_of_task(&self, id: u32) -> Option<&str> {
        self.tasks.get(self.tasks.find(id)?)?.name.as_deref()
    }

    /// Name of the queue of this id, if it is known.
    #[must_use]
    pub fn name_of_queue(&self, id: u32) -> Option<&str> {
        self.queues.get(self.queues.find(id)?)?.name.as_deref()
    }

    /// Name of the stream buffer of this id, if it is known.
    #[must_use]
    pub fn name_of_stream_buffer(&self, id: u32) -> Option<&str> {
        self.stream_buffers.get(self.stream_buffers.find(id)?)?.name.as_deref()
    }

    /// Name of the event group of this id, if it is known.
    #[must_use]
    pub fn name_of_event_group(&self, id: u32) -> Option<&str> {
        self.event_groups.get(self.event_groups.find(id)?)?.name.as_deref()
    }

    /// Name of the software timer of this id, if it is known.
    #[must_use]
    pub fn name_of_timer(&self, id: u32) -> Option<&str> {
        self.timers.get(self.timers.find(id)?)?.name.as_deref()
    }

    /// Name of the interrupt of this id on a core, if it is known.
    #[must_use]
    pub fn name_of_isr(&self, id: u32, core: u32) -> Option<&str> {
        self.isrs.get(self.isrs.find(id)?)?.name_on(core)
    }

    /// Name of the global event marker of this id, if it is known.
    #[must_use]
    pub fn name_of_marker(&self, id: u32) -> Option<&str> {
        self.markers.get(self.markers.find((Scope::Global, id))?)?.name.as_deref()
    }

    /// Name of the global value marker of this id, if it is known.
    #[must_use]
    pub fn name_of_value(&self, id: u32) -> Option<&str> {
        self.values.get(self.values.find((Scope::Global, id))?)?.name.as_deref()
    }

    /// Name of the board of an object, if there are several.
    fn board_of<K: Key, T>(&self, table: &Table<K, T>, of: Ref<T>) -> Option<&str> {
        self.boards.name(table.board_of(of))
    }

    /// Name of a task, or a text in its place.
    #[must_use]
    pub fn task_name(&self, task: TaskRef) -> Label<'_> {
        match self.tasks.get(task) {
            Some(it) => Label::of("task", it.id, it.name.as_deref())
                .with_board(self.board_of(&self.tasks, task)),
            None => Label::of("task", 0, None),
        }
    }

    /// Name of a queue, or a text in its place.
    #[must_use]
    pub fn queue_name(&self, queue: QueueRef) -> Label<'_> {
        match self.queues.get(queue) {
            Some(it) => {
                let what = it.kind.and_then(QueueKind::name).unwrap_or("queue");
                Label::of(what, it.id, it.name.as_deref())
                    .with_board(self.board_of(&self.queues, queue))
            }
            None => Label::of("queue", 0, None),
        }
    }

    /// Name of a stream buffer, or a text in its place.
    #[must_use]
    pub fn stream_buffer_name(&self, buffer: StreamBufferRef) -> Label<'_> {
        match self.stream_buffers.get(buffer) {
            Some(it) => {
                let what = it.kind.and_then(StreamBufferKind::name).unwrap_or("stream buffer");
                Label::of(what, it.id, it.name.as_deref())
                    .with_board(self.board_of(&self.stream_buffers, buffer))
            }
            None => Label::of("stream buffer", 0, None),
        }
    }

    /// Name of an event group, or a text in its place.
    #[must_use]
    pub fn event_group_name(&self, group: EventGroupRef) -> Label<'_> {
        match self.event_groups.get(group) {
            Some(it) => Label::of("event group", it.id, it.name.as_deref())
                .with_board(self.board_of(&self.event_groups, group)),
            None => Label::of("event group", 0, None),
        }
    }

    /// Name of a software timer, or a text in its place.
    #[must_use]
    pub fn timer_name(&self, timer: TimerRef) -> Label<'_> {
        match self.timers.get(timer) {
            Some(it) => Label::of("timer", it.id, it.name.as_deref())
                .with_board(self.board_of(&self.timers, timer)),
            None => Label::of("timer", 0, None),
        }
    }

    /// Name of the task, or of the interrupt on this core, that woke a task. None if the recording does not name it.
    #[must_use]
    pub fn waker_name(&self, waker: Waker, core: u32) -> Option<String> {
        match waker {
            Waker::Task(task) => Some(self.task_name(task).to_string()),
            Waker::Isr(isr) => Some(self.isr_name(isr, core).to_string()),
            Waker::Other => None,
        }
    }

    /// Name of an interrupt on a core, or a text in its place.
    #[must_use]
    pub fn isr_name(&self, isr: IsrRef, core: u32) -> Label<'_> {
        match self.isrs.get(isr) {
            Some(it) => {
                Label::of("isr", it.id, it.name_on(core)).with_board(self.board_of(&self.isrs, isr))
            }
            None => Label::of("isr", 0, None),
        }
    }

    /// Name of an event marker, or a text in its place.
    #[must_use]
    pub fn marker_name(&self, marker: MarkerRef) -> Label<'_> {
        match self.markers.get(marker) {
            Some(it) => Label::of("evtmarker", it.id, it.name.as_deref())
                .with_board(self.board_of(&self.markers, marker)),
            None => Label::of("evtmarker", 0, None),
        }
    }

    /// Name of a value marker, or a text in its place.
    #[must_use]
    pub fn value_name(&self, value: MarkerRef) -> Label<'_> {
        match self.values.get(value) {
            Some(it) => Label::of("valmarker", it.id, it.name.as_deref())
                .with_board(self.board_of(&self.values, value)),
            None => Label::of("valmarker", 0, None),
        }
    }

    /// Returns a description of a wait; for bits see [`describe_bits`](super::describe_bits).
    #[must_use]
    pub fn describe_wait(&self, wait: Wait) -> String {
        let (verb, queue) = match wait {
            Wait::Delay => return "delay".to_owned(),
            Wait::DelayUntil => return "delay_until".to_owned(),
            Wait::Receive(queue) => ("receive", queue),
            Wait::Send(queue) => ("send", queue),
            Wait::Peek(queue) => ("peek", queue),
            Wait::NotifyTake(0) => return "notify_take".to_owned(),
            Wait::NotifyTake(index) => return format!("notify_take {index}"),
            Wait::NotifyWait(0) => return "notify_wait".to_owned(),
            Wait::NotifyWait(index) => return format!("notify_wait {index}"),
            Wait::SendBytes(buffer) => return self.describe_buffer_wait("send", buffer),
            Wait::ReceiveBytes(buffer) => return self.describe_buffer_wait("receive", buffer),
            Wait::Bits(group) => {
                let name = self.event_group_name(group);
                return match name.name() {
                    Some(name) => format!("event_group {name}"),
                    None => name.to_string(),
                };
            }
            Wait::EventGroupSync(group) => {
                return format!("event_group_sync {}", self.event_group_name(group));
            }
        };
        let name = self.queue_name(queue);
        match self.queues.get(queue) {
            Some(it) if (it.is_mutex() || it.is_semaphore()) && name.name().is_none() => {
                name.to_string()
            }
            Some(it) if it.is_mutex() => format!("mutex {name}"),
            Some(it) if it.is_semaphore() => format!("semaphore {name}"),
            Some(it) if it.kind == Some(QueueKind::QUEUE_SET) => format!("queue_set {name}"),
            _ => format!("queue_{verb} {name}"),
        }
    }

    fn describe_buffer_wait(&self, verb: &str, buffer: StreamBufferRef) -> String {
        let entry = self.stream_buffers.get(buffer);
        let is_message = entry.is_some_and(|it| it.kind == Some(StreamBufferKind::MESSAGE_BUFFER));
        let what = if is_message { "message_buffer" } else { "stream_buffer" };
        format!("{what}_{verb} {}", self.stream_buffer_name(buffer))
    }

    /// Returns a description of an act.
    #[must_use]
    pub fn describe_act(&self, act: Act) -> String {
        let is_lock = |queue| {
            let queue = self.queues.get(queue);
            queue.is_some_and(|queue| queue.is_mutex() || queue.is_semaphore())
        };
        let (verb, name) = match act {
            Act::Send(queue) if is_lock(queue) => ("give", self.queue_name(queue)),
            Act::Receive(queue) if is_lock(queue) => ("take", self.queue_name(queue)),
            Act::Send(queue) => ("send", self.queue_name(queue)),
            Act::Receive(queue) => ("receive", self.queue_name(queue)),
            Act::Peek(queue) => ("peek", self.queue_name(queue)),
            Act::Reset(queue) => ("reset", self.queue_name(queue)),
            Act::SendBytes(buffer) => ("send", self.stream_buffer_name(buffer)),
            Act::ReceiveBytes(buffer) => ("receive", self.stream_buffer_name(buffer)),
            Act::SetBits(group) => ("set", self.event_group_name(group)),
            Act::FindBits(group) => ("found", self.event_group_name(group)),
            Act::DeleteGroup(group) => ("delete", self.event_group_name(group)),
            Act::Notify(task) => ("notify", self.task_name(task)),
            Act::TakeNotification => return "notified".to_owned(),
            Act::LeaveCore(task) => return format!("{} leaves", self.task_name(task)),
            Act::ComeToCore(task) => return format!("{} comes", self.task_name(task)),
        };
        format!("{verb} {name}")
    }

    /// Returns the name of an actor on a core.
    #[must_use]
    pub fn actor_name(&self, actor: Actor, core: u32) -> Label<'_> {
        match actor {
            Actor::Task(task) => self.task_name(task),
            Actor::Isr(isr) => self.isr_name(isr, core),
            Actor::UnknownIsr => Label::of("isr", 0, Some("an interrupt")),
        }
    }
}
