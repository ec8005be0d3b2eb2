//! The path of an instant: the activity of a task, or the obstacle to it, through chains of locks.

use super::activation::{Link, Occupant, Path, Reason};
use super::cores::Cores;
use super::locks::Locks;
use super::tasks::TaskLine;
use crate::model::{PerRef, Task, TaskRef, TaskState, Wait, World};

/// The known state at one instant.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    pub world: &'a World,
    pub tasks: &'a PerRef<Task, TaskLine>,
    pub cores: &'a Cores,
    pub locks: &'a Locks,
}

impl Instant<'_> {
    /// The path of a task.
    pub fn path(self, task: TaskRef) -> Path {
        let mut locks: Vec<Link> = Vec::new();
        let mut last = task;
        let reason = loop {
            let waits = |line: &TaskLine| {
                // While a task is suspended it waits for nothing, whatever it tries again once it is resumed.
                line.waiting_lock.filter(|_| line.state != TaskState::Suspended)
            };
            let Some(lock) = self.tasks.get(last).and_then(waits) else {
                break self.reason(last);
            };
            let holder = self.locks.holder(lock);
            let is_cycle = |holder| {
                holder == task || locks.iter().any(|link: &Link| link.holder == Some(holder))
            };
            let reason = match holder {
                Some(holder) if holder == last => Some(Reason::HandedOver),
                Some(holder) if is_cycle(holder) => Some(Reason::Deadlock),
                Some(_) if locks.len() + 1 >= Path::MAX_DEPTH => Some(Reason::Unknown),
                Some(_) => None,
                None if self.locks.is_free(self.world, lock) => Some(Reason::HandedOver),
                None => Some(Reason::Unknown),
            };
            locks.push(Link { lock, holder });
            match (reason, holder) {
                (None, Some(holder)) => last = holder,
                (reason, _) => break reason.unwrap_or(Reason::Unknown),
            }
        };
        let is_inverted = !locks.is_empty() && self.is_inverted(task, &reason);
        Path { locks, reason, is_inverted }
    }

    /// Returns the activity of a task that does not wait for a lock.
    fn reason(self, task: TaskRef) -> Reason {
        let Some(line) = self.tasks.get(task) else { return Reason::Unknown };
        match line.state {
            TaskState::Running(core) => {
                match self.cores.get(core).and_then(super::cores::Core::isr) {
                    Some(isr) => Reason::Interrupt(isr, core),
                    None => Reason::Own,
                }
            }
            TaskState::Ready => self.ready(task, line),
            TaskState::Blocked(Wait::Send(queue)) => Reason::Room(queue, None),
            TaskState::Blocked(Wait::SendBytes(buffer)) => Reason::BufferRoom(buffer, None),
            TaskState::Blocked(wait) => Reason::Waits(wait),
            TaskState::Suspended => Reason::Suspended(line.suspended_by),
            TaskState::Unknown | TaskState::Created | TaskState::Deleted => Reason::Unknown,
        }
    }

    /// Which occupants of the cores keep a ready task from running. The most telling reason wins: that a less urgent
    /// task has a core explains more than that a more urgent one has another.
    fn ready(self, task: TaskRef, line: &TaskLine) -> Reason {
        let (mut held_off, mut pushed, mut preempted, mut shares) =
            (vec![], vec![], vec![], vec![]);
        let mut isr: Option<(crate::model::IsrRef, u32)> = None;
        let mut is_unknown = true;
        let mine = self.priority(task);
        for (number, _) in self.cores.iter().filter(|(number, _)| line.may_run_on(*number)) {
            let Some(occupant) = self.cores.occupant(number) else {
                is_unknown = true;
                break;
            };
            is_unknown = false;
            let other = match occupant {
                Occupant::Isr(it, core) => {
                    isr.get_or_insert((it, core));
                    continue;
                }
                Occupant::Task(other) => other,
            };
            let is_idle = self.world.tasks.get(other).is_some_and(|it| it.idle_of.is_some());
            let base = self.tasks.get(other).and_then(|line| line.base);
            let list = match (self.priority(other), mine) {
                _ if is_idle => &mut held_off,
                (Some(its), Some(mine)) if its < mine => &mut held_off,
                (Some(_), Some(mine)) if base.is_some_and(|base| base < mine) => &mut pushed,
                (Some(its), Some(mine)) if its == mine => &mut shares,
                _ => &mut preempted,
            };
            list.push(occupant);
        }
        if is_unknown && held_off.is_empty() {
            return Reason::Unknown;
        }
        let sorted = |mut list: Vec<Occupant>| {
            list.sort_by_key(|it| it.key());
            list
        };
        match isr {
            _ if !held_off.is_empty() => Reason::HeldOff(sorted(held_off)),
            _ if !pushed.is_empty() => Reason::Pushed(sorted(pushed)),
            _ if !preempted.is_empty() => Reason::Preempted(sorted(preempted)),
            _ if !shares.is_empty() => Reason::Shares(sorted(shares)),
            Some((isr, core)) => Reason::Interrupt(isr, core),
            None => Reason::Unknown,
        }
    }

    pub fn priority(self, task: TaskRef) -> Option<u32> {
        self.world.tasks.get(task)?.priority
    }

    /// A task that is less urgent than the waiter, by base priorities, keeps the last holder from running.
    fn is_inverted(self, waiter: TaskRef, reason: &Reason) -> bool {
        let (Reason::Preempted(by) | Reason::Shares(by) | Reason::Pushed(by) | Reason::HeldOff(by)) =
            reason
        else {
            return false;
        };
        let base = |task| self.tasks.get(task).and_then(|line: &TaskLine| line.base);
        let Some(waiter) = base(waiter) else { return false };
        by.iter().any(|occupant| match *occupant {
            Occupant::Task(task) => {
                let is_idle = self.world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
                !is_idle && base(task).is_some_and(|base| base < waiter)
            }
            Occupant::Isr(..) => false,
        })
    }
}
