//! What the scheduler does, in the words of QS: from which priority to which.

use tband_format::Event;

use super::record::{Record, SCHED_IDLE, SCHED_NEXT};
use crate::by_id::ById;

/// What is known of a task.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    priority: Option<u32>,
    is_idle: bool,
}

/// Priorities of tasks, and who ran last on core 0.
#[derive(Debug, Default)]
pub struct Scheduler {
    tasks: ById<Known>,
    running: Option<u32>,
}

impl Scheduler {
    fn priority(&self, task: Option<u32>) -> Option<u8> {
        self.tasks.get(task?)?.priority.and_then(|it| u8::try_from(it).ok())
    }

    /// Follows an event; true if it is a switch that QS has a record for, which is written into `record`. Its fields have
    /// a byte for each priority, and it knows one core.
    pub fn follow(
        &mut self,
        event: &Event<'_>,
        core: u32,
        ticks: u64,
        record: &mut Record,
    ) -> bool {
        match *event {
            Event::TaskBasePriority { task_id, priority }
            | Event::TaskPrioritySet { task_id, priority }
            | Event::TaskPriorityInherit { task_id, priority }
            | Event::TaskPriorityDisinherit { task_id, priority } => {
                self.tasks.entry(task_id).priority = Some(priority);
            }
            Event::TaskIsIdleTask { task_id, .. } => {
                self.tasks.entry(task_id).is_idle = true;
            }
            Event::TaskDeleted { task_id } => {
                self.tasks.remove(task_id);
            }
            Event::RunningTask { task_id } if core == 0 => self.running = Some(task_id),
            Event::TaskSwitchedIn { task_id } if core == 0 => {
                let before = self.running.replace(task_id);
                let Some(before) = self.priority(before) else { return false };
                if self.tasks.get(task_id).is_some_and(|it| it.is_idle) {
                    record.begin_at(SCHED_IDLE, ticks).raw(&[before]);
                    return true;
                }
                let Some(now) = self.priority(Some(task_id)) else { return false };
                record.begin_at(SCHED_NEXT, ticks).raw(&[now, before]);
                return true;
            }
            _ => {}
        }
        false
    }

    /// Who runs is not known any more.
    pub const fn forget(&mut self) {
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinds::{TASK, of};

    /// Others are not shown to the scheduler.
    #[test]
    fn what_is_followed_is_of_tasks() {
        let names = [
            "task_base_priority",
            "task_priority_set",
            "task_priority_inherit",
            "task_priority_disinherit",
            "task_is_idle_task",
            "task_deleted",
            "running_task",
            "task_switched_in",
        ];
        for name in names {
            assert!(tband_format::EVENTS.iter().any(|event| event.name == name), "{name}");
            assert_eq!(of(name), TASK, "{name}");
        }
    }
}
