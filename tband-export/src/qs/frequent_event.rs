//! The most frequent events of a recording: about one object, one number, or both. Their frames are built in words, without
//! handling each field, and equal those of the general path.

use tband_format::Event;

use super::objects::QsObjectKind;

/// Such an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequentEvent {
    /// Of this object.
    Object(QsObjectKind, u32),
    /// Of this object, with a number after it.
    Both(QsObjectKind, u32, u32),
    /// With this number alone.
    Number(u32),
}

impl FrequentEvent {
    /// This event, if it is one.
    #[inline]
    pub const fn of(event: &Event<'_>) -> Option<Self> {
        Some(match *event {
            Event::IsrEnter { isr_id }
            | Event::IsrExit { isr_id }
            | Event::IsrExitToScheduler { isr_id } => Self::Object(QsObjectKind::Isr, isr_id),
            Event::TaskSwitchedIn { task_id }
            | Event::TaskToRdyState { task_id }
            | Event::TaskResumed { task_id }
            | Event::RunningTask { task_id } => Self::Object(QsObjectKind::Task, task_id),
            Event::EvtmarkerEnd { evtmarker_id } => {
                Self::Object(QsObjectKind::Marker, evtmarker_id)
            }
            Event::QueueSend { queue_id, len_after: number }
            | Event::QueueSendFromIsr { queue_id, len_after: number }
            | Event::QueueReceive { queue_id, len_after: number }
            | Event::QueueReceiveFromIsr { queue_id, len_after: number }
            | Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: number } => {
                Self::Both(QsObjectKind::Queue, queue_id, number)
            }
            Event::CurtaskDelay { ticks: number }
            | Event::CurtaskDelayUntil { time_to_wake: number } => Self::Number(number),
            _ => return None,
        })
    }
}
