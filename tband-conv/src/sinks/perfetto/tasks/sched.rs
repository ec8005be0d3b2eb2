//! The running task of each core, and the states of tasks that do not run, as Perfetto's scheduling data.
//!
//! Every change on a core is a switch: from a task to another, to an interrupt, or to nothing, which Perfetto calls the
//! swapper. A switch contains the next state of the previous thread. Other changes of a task are separate states. Rules that
//! Perfetto sets: a wake-up after a wait whose waker is known is a `sched_waking` and never RUNNABLE; after DESTROYED nothing
//! may follow.

use crate::model::{EventTime, IsrRef, TaskState};
use crate::sinks::perfetto::ftrace::Bundle;
use crate::sinks::perfetto::load::Load;
use crate::sinks::perfetto::packets::Packets;
use crate::sinks::perfetto::wire;

/// States of a thread that is on no core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Runnable,
    /// It would run on, had an interrupt or another task not taken the core.
    Preempted,
    Sleep,
    /// Uninterruptible sleep, which tasks do not have: Perfetto has no unknown state. The reason that the task "waits for"
    /// shows the rest.
    Unknown,
    Stopped,
    Dead,
}

impl State {
    /// Returns the state of a task; `None` if it runs, or is known to Perfetto from the list of threads only.
    pub const fn of(state: TaskState) -> Option<Self> {
        match state {
            TaskState::Created | TaskState::Running(_) => None,
            TaskState::Unknown => Some(Self::Unknown),
            TaskState::Ready => Some(Self::Runnable),
            TaskState::Blocked(_) => Some(Self::Sleep),
            TaskState::Suspended => Some(Self::Stopped),
            TaskState::Deleted => Some(Self::Dead),
        }
    }

    /// Returns the state of a task that has just run.
    pub const fn after_running(state: TaskState) -> Option<Self> {
        match state {
            TaskState::Ready => Some(Self::Preempted),
            _ => Self::of(state),
        }
    }

    /// SchedSwitchFtraceEvent.prev_state, as Linux numbers it.
    const fn in_switch(self) -> u32 {
        match self {
            Self::Runnable => 0,
            Self::Preempted => 0x800,
            Self::Sleep => 1,
            Self::Unknown => 2,
            Self::Stopped => 4,
            // A zombie, until DESTROYED is reported.
            Self::Dead => 0x20,
        }
    }

    /// GenericKernelTaskStateEvent.TaskStateEnum
    const fn alone(self) -> u8 {
        match self {
            Self::Runnable | Self::Preempted => 2,
            Self::Sleep => 4,
            Self::Unknown => 5,
            Self::Stopped => 6,
            Self::Dead => 8,
        }
    }
}

/// Linux shows priorities below 100 as real-time ones; the true one is in a counter.
pub const PRIORITY_OFFSET: u32 = 100;

/// A thread on a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreThread {
    pub tid: i32,
    /// As Perfetto has it.
    pub priority: u32,
    pub is_idle: bool,
}

/// Nothing runs, as far as is known.
const SWAPPER: CoreThread = CoreThread { tid: 0, priority: 0, is_idle: false };

/// One core: its bundle, and its current thread.
#[derive(Debug, Default)]
pub struct Core {
    pub bundle: Bundle,
    pub load: Load,
    task: Option<CoreThread>,
    /// Interrupts that took the core, innermost last.
    preempting: Vec<CoreThread>,
    /// When the outermost of them did.
    preempted_ns: i64,
    /// The task got the core at this time while an interrupt had it, and was not ready before: it is runnable until
    /// the interrupt ends. That is not written yet, since the interrupt may end at the same time.
    pub runnable: Option<(i64, i32)>,
    /// Open interrupts, innermost last, whether they are shown on the core or not.
    pub open_isrs: Vec<IsrRef>,
    /// The last switch, which is not written yet: at the same time another thread may follow.
    last: Option<Switch>,
}

#[derive(Clone, Copy, Debug)]
struct Switch {
    ns: i64,
    left_to: State,
    next: CoreThread,
}

impl Core {
    /// Returns the current thread of the core.
    fn now(&self) -> CoreThread {
        self.preempting.last().copied().or(self.task).unwrap_or(SWAPPER)
    }

    /// An interrupt is on the core, so that no task leaves or gets it.
    #[inline]
    pub const fn is_preempted(&self) -> bool {
        !self.preempting.is_empty()
    }

    #[inline]
    fn switch(&mut self, ns: i64, left_to: State, next: CoreThread) {
        let new = match self.last {
            Some(Switch { ns: before, left_to, next: SWAPPER }) if ns <= before => {
                Switch { ns: before, left_to, next }
            }
            Some(last) => {
                self.write(last);
                // Time on a core does not go back.
                Switch { ns: ns.max(last.ns), left_to, next }
            }
            None => {
                // Perfetto takes the first switch of a core for the state before.
                self.write(Switch { ns, left_to: State::Runnable, next: SWAPPER });
                Switch { ns, left_to, next }
            }
        };
        self.last = Some(new);
    }

    #[inline]
    fn write(&mut self, Switch { ns, left_to, next }: Switch) {
        self.bundle.switch(ns, left_to.in_switch(), next.tid, next.priority);
    }

    /// A task gets the core, from another one or from nothing.
    #[inline]
    pub fn start_task(&mut self, ns: i64, left_to: State, task: CoreThread) {
        let before = self.task.replace(task);
        if !self.is_preempted() {
            self.switch(ns, left_to, task);
        }
        self.load.advance(ns);
        match before {
            Some(_) => _ = self.load.time.switch(ns, task.is_idle),
            None => self.load.time.start_task(ns, task.is_idle),
        }
    }

    /// The task leaves the core and none follows at once. Returns the time from which its state needs a separate report; `None`
    /// if the switch reports it.
    pub fn remove_task(&mut self, ns: i64, to: State) -> Option<i64> {
        self.task = None;
        self.load.advance(ns);
        self.load.time.remove_task(ns);
        if self.is_preempted() {
            self.leave_preempted(ns, to)
        } else {
            self.switch(ns, to, SWAPPER);
            None
        }
    }

    /// As [`remove_task`](Self::remove_task), while an interrupt has the core: two states at one time are an error in
    /// Perfetto.
    fn leave_preempted(&mut self, ns: i64, to: State) -> Option<i64> {
        if ns > self.preempted_ns {
            return Some(ns);
        }
        match (&mut self.last, self.preempting.as_slice()) {
            (Some(last), [only]) if last.next == *only && last.left_to == State::Preempted => {
                last.left_to = to;
                None
            }
            _ => Some(self.preempted_ns.saturating_add(1)),
        }
    }

    /// An interrupt begins, and takes the core if it is shown there.
    #[inline]
    pub fn isr_enters(&mut self, ns: i64, isr: IsrRef, on_core: Option<CoreThread>) {
        if let Some(on_core) = on_core {
            self.switch(ns, State::Preempted, on_core);
            if self.preempting.is_empty() {
                self.preempted_ns = ns;
            }
            self.preempting.push(on_core);
        }
        self.open_isrs.push(isr);
        self.load.advance(ns);
        self.load.time.isr_enters(ns);
    }

    /// The innermost interrupt ends. Returns a thread and the time since when it was runnable, if that has to be reported.
    #[inline]
    pub fn isr_exits(&mut self, ns: i64) -> Option<(i64, i32)> {
        self.open_isrs.pop();
        self.load.advance(ns);
        self.load.time.isr_exits(ns);
        if self.preempting.pop().is_some() {
            self.switch(ns, State::Sleep, self.now());
        }
        if self.is_preempted() {
            return None;
        }
        self.runnable.take().filter(|(since, _)| *since < ns)
    }

    /// The recording ends: whatever is on the core is not seen any more.
    pub fn finish(&mut self, ns: i64) {
        if self.now() != SWAPPER {
            self.switch(ns, State::Runnable, SWAPPER);
        }
        if let Some(last) = self.last.take() {
            self.write(last);
        }
        self.load.finish(ns);
    }
}

/// Writes the new state of a task that is on no core.
pub fn state(packets: &mut Packets, EventTime { ns, .. }: EventTime, tid: i32, state: State) {
    let state = state.alone();
    // As below, with one byte for the number.
    if let tid @ 0..0x80 = tid
        && packets.short_at(ns, [0xAA, 7, 4, 0x18, tid as u8, 0x20, state])
    {
        return;
    }
    let (packet, buf) = packets.open_at(ns);
    let event = wire::open(buf, 117);
    wire::int(buf, 3, tid.into());
    wire::int(buf, 4, state.into());
    wire::close(buf, event);
    wire::close(buf, packet);
}
