//! What labels of states mean.

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    Running,
    Ready,
    /// It waits, see [`Wait`].
    Waits,
    Suspended,
    Created,
    Deleted,
    /// The label names another state.
    Other,
}

/// What a task waits for, by the words of tband's own exporter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    Delay,
    DelayUntil,
    Queue(Call, String),
    NotifyTake(u32),
    Notification(u32),
    SendBytes(String),
    ReceiveBytes(String),
    EventGroup(String),
    /// The label does not name it.
    Unknown,
}

/// What a task wants of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    Receive,
    Send,
    Peek,
    TakeMutex,
    TakeSemaphore,
}

impl TaskState {
    /// The state that a label names.
    pub fn of(label: &str) -> Self {
        let lower = label.trim().to_ascii_lowercase();
        let is = |beginnings: &[&str]| beginnings.iter().any(|it| lower.starts_with(it));
        match lower.as_str() {
            "running" | "run" | "executing" | "active" => Self::Running,
            "ready" | "rdy" | "runnable" | "preempted" => Self::Ready,
            _ if is(&["block", "wait", "sleep", "delay", "pend"]) => Self::Waits,
            _ if is(&["suspend"]) => Self::Suspended,
            _ if is(&["delet", "terminat", "dead"]) => Self::Deleted,
            "created" | "new" | "dormant" => Self::Created,
            _ => Self::Other,
        }
    }
}

impl Wait {
    /// The wait that a label names.
    pub fn of(label: &str) -> Self {
        let Some(what) = label.trim().strip_prefix("blocked on ") else { return Self::Unknown };
        let (verb, name) = what.split_once(' ').unwrap_or((what, ""));
        let queue = |call| Self::Queue(call, name.to_owned());
        let index = name.parse().unwrap_or(0);
        match verb {
            "delay" => Self::Delay,
            "delay_until" => Self::DelayUntil,
            "notify_take" => Self::NotifyTake(index),
            "notify_wait" => Self::Notification(index),
            _ if name.is_empty() => Self::Unknown,
            "queue_receive" | "queue_set" => queue(Call::Receive),
            "queue_send" => queue(Call::Send),
            "queue_peek" => queue(Call::Peek),
            "mutex" => queue(Call::TakeMutex),
            "semaphore" => queue(Call::TakeSemaphore),
            "stream_buffer_send" | "message_buffer_send" => Self::SendBytes(name.to_owned()),
            "stream_buffer_receive" | "message_buffer_receive" => {
                Self::ReceiveBytes(name.to_owned())
            }
            "event_group" | "event_group_sync" => Self::EventGroup(name.to_owned()),
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_others_and_our_own_name_states() {
        assert_eq!(TaskState::of("Running"), TaskState::Running);
        assert_eq!(TaskState::of("waiting for I/O"), TaskState::Waits);
        assert_eq!(TaskState::of("Writing"), TaskState::Other);
        assert_eq!(TaskState::of(" blocked on queue_receive rx"), TaskState::Waits);
        let receive = Wait::Queue(Call::Receive, "rx".to_owned());
        assert_eq!(Wait::of(" blocked on queue_receive rx"), receive);
        assert_eq!(Wait::of("blocked on notify_take 2"), Wait::NotifyTake(2));
        assert_eq!(Wait::of("blocked on queue 3"), Wait::Unknown);
        assert_eq!(Wait::of("waiting for I/O"), Wait::Unknown);
    }
}
