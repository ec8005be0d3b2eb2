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

/// The open calls of each task in which it may wait, or whose results are shown, with their ids.
#[derive(Debug, Default)]
pub struct OpenCalls {
    /// Most calls are of the same task as the call before.
    last_task: u32,
    last: Vec<(u32, Call)>,
    others: HashMap<u32, Vec<(u32, Call)>, FixedState>,
}

impl OpenCalls {
    fn of(&mut self, task: u32) -> &mut Vec<(u32, Call)> {
        if task != self.last_task {
            let next = self.others.remove(&task);
            if next.is_none() && self.others.len() >= MAX_TASKS {
                self.others.clear();
            }
            let before = std::mem::replace(&mut self.last, next.unwrap_or_default());
            self.others.insert(std::mem::replace(&mut self.last_task, task), before);
        }
        &mut self.last
    }

    /// A task calls a function in which it may wait, or whose result is shown.
    pub fn open(&mut self, task: u32, id: u32, call: Call) {
        let open = self.of(task);
        // None of these functions calls itself: the end of the former call is missing.
        if let Some(same) = open.iter().position(|(other, _)| *other == id) {
            open.truncate(same);
        }
        // The ends of the outer ones are missing, too.
        if open.len() >= MAX_DEPTH {
            open.remove(0);
        }
        open.push((id, call));
    }

    /// A function returns to a task. Returns its call, if that is open.
    pub fn close(&mut self, task: u32, id: u32) -> Option<Call> {
        let open = self.of(task);
        let at = open.iter().rposition(|(other, _)| *other == id)?;
        let call = open.get(at).map(|(_, call)| *call);
        open.truncate(at);
        call
    }

    /// The call in which a task waits: the innermost one, but a stream buffer waits by a notification.
    pub fn innermost(&self, task: u32) -> Option<Call> {
        let open = if task == self.last_task { &self.last } else { self.others.get(&task)? };
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
        if task == self.last_task {
            self.last.clear();
        } else {
            self.others.remove(&task);
        }
    }

    /// Events are missing: nothing is known of any call.
    pub fn forget_all(&mut self) {
        self.last.clear();
        self.others.clear();
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
        Call::WaitBits { group, bits, flags, ticks } => Event::CurtaskBlockOnEventGroupWait {
            event_group_id: address(group),
            bits,
            flags,
            ticks_to_wait: ticks,
        },
        Call::SyncBits { group, set, bits, ticks } => Event::CurtaskBlockOnEventGroupSync {
            event_group_id: address(group),
            set,
            bits,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_has_its_open_calls() {
        let mut open = OpenCalls::default();
        let delay = |ticks| Call::Delay { ticks };
        for task in 0..4 {
            open.open(task, 197, delay(task));
        }
        open.open(1, 202, Call::Suspend { task: 1 });
        assert_eq!(open.innermost(1), Some(Call::Suspend { task: 1 }));
        assert_eq!(
            [0, 2, 3, 4].map(|task| open.innermost(task)),
            [Some(delay(0)), Some(delay(2)), Some(delay(3)), None]
        );
        assert_eq!(open.close(2, 197), Some(delay(2)));
        // The end of the suspension is missing.
        assert_eq!([open.close(1, 197), open.innermost(1)], [Some(delay(1)), None]);
        assert_eq!([open.close(2, 197), open.close(9, 197)], [None; 2]);
        open.forget(3);
        assert_eq!([open.innermost(3), open.innermost(0)], [None, Some(delay(0))]);
        open.forget_all();
        assert_eq!([0, 1, 2, 3].map(|task| open.innermost(task)), [None; 4]);
        for id in 0..2 * MAX_DEPTH as u32 {
            open.open(1, id, delay(id));
        }
        assert_eq!(open.innermost(1), Some(delay(2 * MAX_DEPTH as u32 - 1)));
        assert_eq!(open.close(1, 0), None);
        for task in 0..2 * MAX_TASKS as u32 {
            open.open(task, 197, delay(1));
        }
        assert!(open.others.len() <= MAX_TASKS + 1);
    }
}
