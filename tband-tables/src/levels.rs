//! Numbers that objects have: levels, bits, priorities, stacks, values.

use tband_conv::timeline::{
    Actor, BitsCause, BufferCause, Change, EventGroupChange, Number, PriorityCause, Queue,
    QueueCause, StreamBufferChange, TaskChange, World,
};

/// A new number of an object.
pub struct Level {
    /// The kind of object.
    pub kind: &'static str,
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The new value.
    pub value: Number,
    /// Why.
    pub cause: &'static str,
    /// The actor.
    pub by: Option<Actor>,
}

/// Returns the kind of a queue.
pub fn queue_kind(queue: &Queue) -> &'static str {
    queue.kind.and_then(tband_format::QueueKind::name).unwrap_or("queue")
}

/// The level that a change reports, if it does.
pub fn of(world: &World, change: &Change<'_>) -> Option<Level> {
    let by = change.by();
    Some(match *change {
        Change::QueueLevel { queue, level, cause, .. } => {
            let known = world.queues.get(queue)?;
            let cause = match cause {
                QueueCause::Send => "send",
                QueueCause::Overwrite => "overwrite",
                QueueCause::Receive => "receive",
                QueueCause::Reset => "reset",
                _ => "reported",
            };
            let name = world.queue_name(queue).to_string();
            Level {
                kind: queue_kind(known),
                id: known.id,
                name,
                value: i64::from(level).into(),
                cause,
                by,
            }
        }
        Change::StreamBuffer(buffer, StreamBufferChange::Level(level, cause), _) => {
            let cause = match cause {
                BufferCause::Created => "created",
                BufferCause::Send(_) => "send",
                BufferCause::Receive(_) => "receive",
                BufferCause::Reset => "reset",
                _ => "reported",
            };
            Level {
                kind: "stream buffer",
                id: world.stream_buffers.get(buffer)?.id,
                name: world.stream_buffer_name(buffer).to_string(),
                value: i64::from(level).into(),
                cause,
                by,
            }
        }
        Change::EventGroup(group, EventGroupChange::Bits(bits, cause), _) => {
            let cause = match cause {
                BitsCause::Created => "created",
                BitsCause::Set(_) => "set",
                BitsCause::Clear(_) | BitsCause::ClearOnExit(_) => "clear",
                _ => "reported",
            };
            Level {
                kind: "event group",
                id: world.event_groups.get(group)?.id,
                name: world.event_group_name(group).to_string(),
                value: (bits as i64).into(),
                cause,
                by,
            }
        }
        Change::Priority { task, priority, cause, .. } => {
            let cause = match cause {
                PriorityCause::Inherit => "inherit",
                PriorityCause::Disinherit => "disinherit",
                _ => "set",
            };
            Level {
                kind: "priority",
                id: world.tasks.get(task)?.id,
                name: world.task_name(task).to_string(),
                value: i64::from(priority).into(),
                cause,
                by,
            }
        }
        Change::Task(task, TaskChange::StackHighWaterMark(bytes), _) => Level {
            kind: "stack never used",
            id: world.tasks.get(task)?.id,
            name: world.task_name(task).to_string(),
            value: i64::from(bytes).into(),
            cause: "reported",
            by,
        },
        Change::Value(marker, value, _) => Level {
            kind: "value marker",
            id: world.values.get(marker)?.id,
            name: world.value_name(marker).to_string(),
            value,
            cause: "set",
            by,
        },
        _ => return None,
    })
}
