//! What the scheduler does, in the words of QS: from which priority to which.

use std::collections::{HashMap, HashSet};

use tband_format::Event;

use super::record::{Record, SCHED_IDLE, SCHED_NEXT};

/// Priorities of tasks, and who ran last on core 0.
#[derive(Debug, Default)]
pub struct Scheduler {
    priorities: HashMap<u32, u32>,
    idle: HashSet<u32>,
    running: Option<u32>,
}

impl Scheduler {
    fn priority(&self, task: Option<u32>) -> Option<u8> {
        self.priorities.get(&task?).and_then(|it| u8::try_from(*it).ok())
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
                self.priorities.insert(task_id, priority);
            }
            Event::TaskIsIdleTask { task_id, .. } => {
                self.idle.insert(task_id);
            }
            Event::TaskDeleted { task_id } => {
                self.priorities.remove(&task_id);
                self.idle.remove(&task_id);
            }
            Event::RunningTask { task_id } if core == 0 => self.running = Some(task_id),
            Event::TaskSwitchedIn { task_id } if core == 0 => {
                let before = self.running.replace(task_id);
                let Some(before) = self.priority(before) else { return false };
                if self.idle.contains(&task_id) {
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
