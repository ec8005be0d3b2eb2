//! The scheduler's activity in terms of QS: from which priority to which.

use tband_format::Event;

use crate::by_id::ById;

/// Known facts about a task.
#[derive(Clone, Copy, Debug, Default)]
struct TaskFacts {
    priority: Option<u32>,
    is_idle: bool,
}

/// A switch, by the priorities of the tasks: of the next one, unless it is the idle task, and of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    pub now: Option<u8>,
    pub before: u8,
}

/// A priority in the byte that QS has for it.
fn priority_byte(task: &TaskFacts) -> Option<u8> {
    task.priority.and_then(|it| u8::try_from(it).ok())
}

/// Priorities of tasks, and the last running task of core 0.
#[derive(Debug, Default)]
pub struct Scheduler {
    tasks: ById<TaskFacts>,
    running: Option<u32>,
}

impl Scheduler {
    fn priority(&self, task: Option<u32>) -> Option<u8> {
        priority_byte(self.tasks.get(task?)?)
    }

    /// Follows an event. Returns the switch, if QS has a record for it: that record has a byte for each priority, and knows one
    /// core.
    pub fn follow(&mut self, event: &Event<'_>, core: u32) -> Option<Switch> {
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
            Event::TaskSwitchedIn { task_id } if core == 0 => return self.switch(task_id),
            _ => {}
        }
        None
    }

    /// A task gets core 0.
    #[inline]
    pub fn switch(&mut self, task: u32) -> Option<Switch> {
        let before = self.running.replace(task);
        let before = self.priority(before)?;
        let known = self.tasks.get(task)?;
        if known.is_idle {
            return Some(Switch { now: None, before });
        }
        Some(Switch { now: Some(priority_byte(known)?), before })
    }

    /// The running task becomes unknown.
    pub const fn forget(&mut self) {
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinds::{TASK, of};

    /// Others are not shown to the scheduler.
    #[test]
    fn follows_only_events_of_tasks() {
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
            assert!(
                tband_format::registry::EVENTS.iter().any(|event| event.name == name),
                "{name}"
            );
            assert_eq!(of(name), TASK, "{name}");
        }
    }
}
