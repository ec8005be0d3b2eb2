//! The open calls: a task waits for the object of the function that it has called.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::Event;
use tband_format::registry::NOT_RECORDED;

use super::calls::Call;

/// Tasks whose calls are kept.
const MAX_TASKS: usize = 4096;
/// Calls inside of each other.
const MAX_DEPTH: usize = 8;

/// The open calls of each task in which it may wait, with their ids.
#[derive(Debug, Default)]
pub struct OpenCalls(HashMap<u32, Vec<(u32, Call)>, FixedState>);

impl OpenCalls {
    /// A task calls a function in which it may wait.
    pub fn open(&mut self, task: u32, id: u32, call: Call) {
        if self.0.len() >= MAX_TASKS && !self.0.contains_key(&task) {
            self.0.clear();
        }
        let open = self.0.entry(task).or_default();
        // None of these functions calls itself: the end of the former call is missing.
        if let Some(same) = open.iter().position(|(other, _)| *other == id) {
            open.truncate(same);
        }
        if open.len() < MAX_DEPTH {
            open.push((id, call));
        }
    }

    /// A function returns to a task. Returns its call, if it is one in which the task may wait.
    pub fn close(&mut self, task: u32, id: u32) -> Option<Call> {
        let open = self.0.get_mut(&task)?;
        let at = open.iter().rposition(|(other, _)| *other == id)?;
        let call = open.get(at).map(|(_, call)| *call);
        open.truncate(at);
        call
    }

    /// The call in which a task waits: the innermost one, but a stream buffer waits by a notification.
    pub fn innermost(&self, task: u32) -> Option<Call> {
        let open = self.0.get(&task)?;
        let (_, last) = *open.last()?;
        let before = open.len().checked_sub(2).and_then(|at| open.get(at));
        match (last, before) {
            (
                Call::NotifyWait { .. },
                Some(&(_, outer @ (Call::SendBytes { .. } | Call::ReceiveBytes { .. }))),
            ) => Some(outer),
            _ => Some(last),
        }
    }

    /// A task is gone.
    pub fn forget(&mut self, task: u32) {
        self.0.remove(&task);
    }

    /// Events are missing: nothing is known of any call.
    pub fn forget_all(&mut self) {
        self.0.clear();
    }
}

/// The event of the running task that is about to wait in a call; numbers of objects become addresses.
pub fn event_of_wait(
    call: Option<Call>,
    task: u32,
    address: impl Fn(u32) -> u32,
) -> Event<'static> {
    let Some(call) = call else { return unknown() };
    match call {
        Call::Delay { ticks } => Event::CurtaskDelay { ticks },
        Call::DelayUntil => Event::CurtaskDelayUntil { time_to_wake: 0 },
        Call::Receive { queue, ticks } => {
            Event::CurtaskBlockOnQueueReceive { queue_id: address(queue), ticks_to_wait: ticks }
        }
        Call::Peek { queue, ticks } => {
            Event::CurtaskBlockOnQueuePeek { queue_id: address(queue), ticks_to_wait: ticks }
        }
        Call::Send { queue, ticks, .. } => {
            Event::CurtaskBlockOnQueueSend { queue_id: address(queue), ticks_to_wait: ticks }
        }
        Call::NotifyTake { index, ticks } => {
            Event::CurtaskBlockOnNotifyTake { index, ticks_to_wait: ticks }
        }
        Call::NotifyWait { index, ticks } => {
            Event::CurtaskBlockOnNotifyWait { index, ticks_to_wait: ticks }
        }
        Call::SendBytes { buffer, ticks } => Event::CurtaskBlockOnStreamBufferSend {
            stream_buffer_id: address(buffer),
            ticks_to_wait: ticks,
        },
        Call::ReceiveBytes { buffer, ticks } => Event::CurtaskBlockOnStreamBufferReceive {
            stream_buffer_id: address(buffer),
            ticks_to_wait: ticks,
        },
        Call::Suspend { .. } => Event::TaskSuspended { task_id: task },
        _ => unknown(),
    }
}

/// A wait for an object that is not recorded.
pub const fn unknown() -> Event<'static> {
    Event::CurtaskBlockOnQueueReceive { queue_id: NOT_RECORDED, ticks_to_wait: u32::MAX }
}
