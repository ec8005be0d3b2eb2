//! Mistakes of the program that its recording shows: facts that only the order of changes contains, and sums do not.

pub mod bursts;
mod grid;
pub mod heap;
mod locks;
pub(super) mod polling;
pub(super) mod ticks;
pub(super) mod timers;

use self::heap::{AllocationFailure, Heap};
use self::polling::Polling;
use self::ticks::Ticks;
use self::timers::Timers;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use tband_format::named::NotifyAction;

use super::task::{NOT_AWAKE, TaskStats};
use crate::model::{
    CallChange, Caller, Change, EventTime, KernelChange, QueueRef, Task, TaskChange, TaskRef,
    TimerChange, TimerRef, Wait, World, function_name,
};

pub(super) use self::locks::{Locks, named as locks_named};

/// From this time on a task is ready, or does not wait, for long: 1 s.
pub(super) const LONG_NS: i64 = 1_000_000_000;
/// Notifications that are followed.
const MAX_NOTIFICATIONS: usize = 4096;
/// Function of the kernel that returns false if the time to wait for has passed.
const DELAY_UNTIL: &str = "xTaskDelayUntil";

/// Maximum number of kept mistakes of one kind, the first ones.
const MAX_KEPT: usize = 16;

/// A task or another object, by its name and number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectName {
    /// Name, or its kind and number.
    pub name: String,
    /// Number on the target.
    pub id: u32,
}

/// A task that takes a lock while it holds another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The task.
    pub task: ObjectName,
    /// When it took the second lock, in ns.
    pub at_ns: i64,
}

/// The period of a task or software timer, and how its releases and starts keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeriodStats {
    /// The task, the interrupt or the timer.
    pub whose: ObjectName,
    /// `task`, `interrupt` or `timer`.
    pub kind: &'static str,
    /// `nominal`: the most frequent step of the ticks of `xTaskDelayUntil()`; `declared`: the period of a timer that restarts by
    /// itself; `found`: the usual step between ends of waits for work, or between begins of the interrupt.
    pub how: &'static str,
    /// The period in ticks of the kernel, if it comes from them.
    pub ticks: Option<u32>,
    /// The period in ns.
    pub period_ns: i64,
    /// Releases that were seen.
    pub releases: u64,
    /// Periods without a release: by the kernel's ticks, or by the steps.
    pub missed: u64,
    /// The greatest difference of a step between releases from its periods, in ns.
    pub period_jitter_ns: Option<i64>,
    /// The least J for which a grid exists such that each release is at most J after its point, in ns.
    pub release_jitter_ns: Option<i64>,
    /// The jitter of the first instants on a core.
    pub start_jitter_ns: Option<i64>,
}

/// A mistake of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// Each task waits for a lock that the next one holds, the last for one of the first.
    Deadlock {
        /// The tasks, each with the lock that it waits for.
        waits: Vec<(ObjectName, String)>,
        /// Since when, in ns.
        at_ns: i64,
        /// When one of the waits ended, in ns; `None` if none did.
        until_ns: Option<i64>,
    },
    /// Two tasks take two locks in opposite orders, and hold no third one around both.
    LockOrder {
        /// The locks, in the order of the first task.
        locks: [String; 2],
        /// The first task.
        first: Order,
        /// The task with the other order.
        second: Order,
    },
    /// The holder of a lock waits for work while another task waits for the lock.
    HeldWhileWaiting {
        /// The holder.
        holder: ObjectName,
        /// The lock.
        lock: String,
        /// The reason of the holder's wait.
        wait: String,
        /// The task that waits for the lock.
        waiter: ObjectName,
        /// Since when, in ns.
        at_ns: i64,
        /// How often, this time included.
        count: u64,
    },
    /// A task polls an empty queue repeatedly.
    BusyPolling {
        /// The task.
        task: ObjectName,
        /// The queue.
        queue: String,
        /// When that began, in ns.
        at_ns: i64,
        /// Attempts in `length_ns`.
        attempts: u64,
        /// Time in which they were counted, in ns; at most 100 ms.
        length_ns: i64,
        /// CPU time of the task in it, in ns.
        run_ns: i64,
    },
    /// A periodic task did not run in some of its periods.
    MissedPeriod {
        /// The task.
        task: ObjectName,
        /// When it waited for a tick after the missed one, in ns.
        at_ns: i64,
        /// Periods that are missed, in all.
        missed: u64,
        /// The period in ticks of the kernel; 0 if only the results of its calls show the misses.
        period_ticks: u32,
        /// Steps of one period.
        steps: u64,
    },
    /// The kernel has counted another number of ticks than the timestamps contain.
    LateTicks {
        /// Ticks that the kernel has counted.
        counted: u64,
        /// The time of these ticks by the timestamps, in ns.
        length_ns: i64,
        /// Its tick rate.
        tick_rate_hz: u32,
    },
    /// A notification that was pending was overwritten, or a new one refused.
    NotificationLost {
        /// The task that was notified.
        task: ObjectName,
        /// Which of its notifications.
        index: u32,
        /// Notifications that were refused.
        refused: u64,
        /// Values that were overwritten.
        overwritten: u64,
        /// When it was first, in ns.
        at_ns: i64,
    },
    /// Blocks of one size that one task allocates from the heap are not freed, in each eighth of the recording.
    HeapLeak {
        /// The task or interrupt that takes them; `None` if it is unknown.
        owner: Option<String>,
        /// Bytes of each.
        size: u32,
        /// Number of blocks that are not freed at the end.
        blocks: u64,
        /// How many more there are at the end of each eighth of the time, than at its begin.
        growth: [u64; 8],
        /// When the first one was taken, in ns.
        at_ns: i64,
    },
    /// The heap had no block of a size.
    NoMemory {
        /// The cause.
        shortage: AllocationFailure,
        /// Requested bytes.
        size: u32,
        /// Bytes free then, if the recording contains it.
        free: Option<u32>,
        /// The requester, if it is known.
        by: Option<String>,
        /// When, in ns.
        at_ns: i64,
        /// How often memory was missing in all.
        count: u64,
    },
    /// The timer task has no room for commands.
    TimerRefused {
        /// The timer, or a function that was to be called.
        what: String,
        /// When first, in ns.
        at_ns: i64,
        /// How often.
        count: u64,
    },
    /// A callback was one period late, and the next one followed at once.
    TimerLate {
        /// The timer.
        timer: String,
        /// Begin of the late callback, in ns.
        at_ns: i64,
        /// Time since the callback before it, in ns.
        since_ns: i64,
        /// Its period in ns.
        period_ns: i64,
        /// How often.
        count: u64,
    },
    /// A task was ready and got no core while a more urgent task ran.
    Starvation {
        /// The task.
        task: ObjectName,
        /// When it became ready, in ns.
        at_ns: i64,
        /// For how long, in ns.
        length_ns: i64,
        /// It still was at the end of the recording.
        is_open: bool,
        /// The more urgent task that ran at the end of it.
        by: ObjectName,
    },
    /// A task never waited for work, and a less urgent one exists.
    NeverBlocks {
        /// The task.
        task: ObjectName,
        /// Since when, in ns.
        at_ns: i64,
        /// For how long, in ns.
        length_ns: i64,
        /// Its CPU time of that, in ns.
        run_ns: i64,
        /// A less urgent task that is not idle.
        over: ObjectName,
    },
}

/// Observations of all kinds, while changes come.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    pub locks: Locks,
    pub polling: Polling,
    pub ticks: Ticks,
    pub heap: Heap,
    pub timers: Timers,
    /// The longest of each task: since when, how long, CPU time.
    pub starved: Vec<StarvedTask>,
    pub awake: Vec<BusyTask>,
    pub lost: Map<(TaskRef, u32), LostNotifications>,
    /// When events were missing last, or a halt ended: an apparently long duration may have been shorter before that.
    pub gap_ns: i64,
}

/// A task that was ready for long.
#[derive(Clone, Copy, Debug)]
pub(super) struct StarvedTask {
    pub task: TaskRef,
    pub at: i64,
    pub length: i64,
    pub is_open: bool,
    pub by: TaskRef,
}

/// A task that did not wait for work for long.
#[derive(Clone, Copy, Debug)]
pub(super) struct BusyTask {
    pub task: TaskRef,
    pub at: i64,
    pub length: i64,
    pub run: i64,
    pub priority: u32,
}

/// Notifications of a task that are lost, and whether one is pending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LostNotifications {
    pub is_pending: bool,
    pub refused: u64,
    pub overwritten: u64,
    pub at: i64,
}

impl Watch {
    /// A task leaves its core to wait after it did not for long, or one gets it that was ready for long.
    #[cold]
    pub fn long(
        &mut self,
        world: &World,
        ns: i64,
        (previous, leaves): (TaskRef, &TaskStats),
        (next, gets): (TaskRef, &TaskStats),
        (is_awake, is_starved): (bool, bool),
    ) {
        if is_awake {
            self.check_awake(world, ns, previous, leaves);
        }
        if is_starved {
            self.check_starved(world, (gets.since, ns), next, previous, false);
        }
    }

    /// A task did not wait for work up to now.
    pub fn check_awake(&mut self, world: &World, ns: i64, task: TaskRef, stats: &TaskStats) {
        if stats.awake_since == NOT_AWAKE {
            return;
        }
        let at = stats.awake_since.max(self.gap_ns);
        let length = ns.saturating_sub(at);
        let run = stats.run_ns.saturating_sub(stats.awake_run);
        let priority = world.tasks.get(task).and_then(|it| it.priority);
        // A task that was only ready did nothing.
        if let Some(priority) = priority
            && length >= LONG_NS
            && run >= length / 2
            && !stats.is_idle
        {
            keep_longest(&mut self.awake, BusyTask { task, at, length, run, priority }, |it| {
                (it.task, it.length)
            });
        }
    }

    /// A task was ready from one time to another, and a more urgent one ran at the end of it.
    pub fn check_starved(
        &mut self,
        world: &World,
        (at, to): (i64, i64),
        task: TaskRef,
        by: TaskRef,
        is_open: bool,
    ) {
        let priority = |task| world.tasks.get(task).and_then(|it: &Task| it.priority);
        let is_idle = world.tasks.get(task).is_none_or(|it| it.idle_of.is_some());
        let is_less = priority(task).zip(priority(by)).is_some_and(|(own, other)| own < other);
        if is_less && !is_idle && at > self.gap_ns {
            let length = to.saturating_sub(at);
            keep_longest(&mut self.starved, StarvedTask { task, at, length, is_open, by }, |it| {
                (it.task, it.length)
            });
        }
    }

    /// Something happens to a notification of a task.
    pub fn notification(&mut self, ns: i64, task: TaskRef, change: TaskChange) {
        let (index, is_pending) = match change {
            TaskChange::Notified { index, .. } => (index, true),
            TaskChange::NotificationTaken { index, .. }
            | TaskChange::NotificationEnds { index, .. }
            | TaskChange::NotificationDiscarded { index } => (index, false),
            _ => return,
        };
        let key = (task, index);
        if self.lost.len() >= MAX_NOTIFICATIONS && !self.lost.contains_key(&key) {
            return;
        }
        let lost = self.lost.entry(key).or_default();
        if let TaskChange::Notified { action, .. } = change {
            let count = match action {
                NotifyAction::WRITE_REFUSED => &mut lost.refused,
                NotifyAction::OVERWRITE if lost.is_pending => &mut lost.overwritten,
                _ => {
                    lost.is_pending = true;
                    return;
                }
            };
            *count = count.saturating_add(1);
            if lost.refused.saturating_add(lost.overwritten) == 1 {
                lost.at = ns;
            }
        }
        lost.is_pending = is_pending;
    }

    /// The clock releases a task that has delayed itself until a tick.
    pub fn release(&mut self, world: &World, ns: i64, task: TaskRef) {
        let Some(known) = world.tasks.get(task).filter(|it| !it.is_timer) else { return };
        self.ticks.count(ns, known.terms.delay);
        if let Some(hz) = world.tick_rate_hz() {
            self.ticks.release((ns, hz), task, known.terms.delay);
        }
    }

    /// Something happens to an object, or in the kernel.
    pub fn object(
        &mut self,
        world: &World,
        EventTime { ns, core }: EventTime,
        change: &Change<'_>,
    ) {
        match *change {
            Change::Kernel(KernelChange::Heap(it), by) => self.heap.change(ns, it, by),
            Change::Kernel(KernelChange::MallocFailed { size }, by) => {
                self.heap.add_failure(ns, size, by, core);
            }
            Change::Kernel(KernelChange::Sleeps(_) | KernelChange::Wakes, _) => self.ticks.forget(),
            Change::Kernel(KernelChange::Ticks(ticks), _) => self.ticks.count(ns, ticks),
            Change::Kernel(KernelChange::Pended { accepted: false, .. }, _) => {
                self.timers.is_refused(ns, None);
            }
            Change::Timer(timer, change, _) => match change {
                TimerChange::Sent { accepted: false, .. } => {
                    self.timers.is_refused(ns, Some(timer));
                }
                TimerChange::Received(_) => self.timers.restart(timer),
                TimerChange::CallbackBegin(_) => self.timers.start_callback(world, ns, timer),
                _ => {}
            },
            Change::Call(Caller::Task(task), function, CallChange::End { value: Some(0), .. })
                if function_name(function) == DELAY_UNTIL =>
            {
                self.ticks.is_overdue(ns, task);
            }
            _ => {}
        }
    }

    /// Events are missing.
    pub fn note_missing_events(&mut self, ns: i64) {
        self.gap_ns = self.gap_ns.max(ns);
        self.ticks.forget();
        self.ticks.restart_grids();
        self.timers.reset();
        self.heap.forget();
        self.polling.reset();
        self.lost.values_mut().for_each(|lost| lost.is_pending = false);
    }

    /// The target was reset: all earlier state ends.
    pub fn reset(&mut self) {
        self.locks.reset();
        self.ticks.reset();
        self.timers.reset();
        self.heap.reset();
        self.polling.reset();
        self.lost.values_mut().for_each(|lost| lost.is_pending = false);
    }
}

/// Keeps an observation unless a longer one of its task is kept. `key` returns task and length.
fn keep_longest<T>(kept: &mut Vec<T>, it: T, key: impl Fn(&T) -> (TaskRef, i64)) {
    let (task, length) = key(&it);
    let has_room = kept.len() < MAX_KEPT;
    match kept.iter_mut().find(|known| key(known).0 == task) {
        Some(known) if key(known).1 < length => *known = it,
        Some(_) => {}
        None if has_room => kept.push(it),
        None => {}
    }
}

/// A wait for work: not for a lock, nor for room.
pub(super) const fn is_for_work(wait: Wait) -> bool {
    !matches!(wait, Wait::Send(_) | Wait::SendBytes(_))
}

/// A map by handles. Handles count up, whatever the recording contains, so a fast hash without a secret serves, and its order never varies.
pub(super) type Map<K, V> = HashMap<K, V, FixedState>;

/// Handles that identify observations.
pub(super) type LockRef = QueueRef;
/// A timer.
pub(super) type WatchedTimer = TimerRef;
