//! The events that most of a recording consists of: of one object, one number, or both. Their frames are made in words,
//! without looking at each field. They are the frames that any event gets.

use tband_format::Event;

use super::objects::Kind;

/// Such an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// Of this object.
    Object(Kind, u32),
    /// Of this object, with a number after it.
    Both(Kind, u32, u32),
    /// With this number alone.
    Number(u32),
}

impl Usual {
    /// This event, if it is one.
    #[inline]
    pub const fn of(event: &Event<'_>) -> Option<Self> {
        Some(match *event {
            Event::IsrEnter { isr_id }
            | Event::IsrExit { isr_id }
            | Event::IsrExitToScheduler { isr_id } => Self::Object(Kind::Isr, isr_id),
            Event::TaskSwitchedIn { task_id }
            | Event::TaskToRdyState { task_id }
            | Event::TaskResumed { task_id }
            | Event::RunningTask { task_id } => Self::Object(Kind::Task, task_id),
            Event::EvtmarkerEnd { evtmarker_id } => Self::Object(Kind::Marker, evtmarker_id),
            Event::QueueSend { queue_id, len_after: number }
            | Event::QueueSendFromIsr { queue_id, len_after: number }
            | Event::QueueReceive { queue_id, len_after: number }
            | Event::QueueReceiveFromIsr { queue_id, len_after: number }
            | Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: number } => {
                Self::Both(Kind::Queue, queue_id, number)
            }
            Event::CurtaskDelay { ticks: number }
            | Event::CurtaskDelayUntil { time_to_wake: number } => Self::Number(number),
            _ => return None,
        })
    }
}
