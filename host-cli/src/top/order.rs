//! The sort orders of tasks.

use std::cmp::Reverse;

use tband_conv::model::TaskState;
use tband_report::top::Task;

use crate::args::Sort;

/// Orders tasks, which come as they ran; those that are alike stay so.
pub fn sort(tasks: &mut [Task<'_>], by: Sort) {
    match by {
        Sort::Cpu => {}
        Sort::Prio => tasks.sort_by_key(|(_, task)| Reverse(task.priority)),
        Sort::Name => tasks.sort_by(|(_, one), (_, other)| one.name.cmp(&other.name)),
        Sort::State => tasks.sort_by_key(|(_, task)| match task.state {
            TaskState::Running(_) => 0,
            TaskState::Ready => 1,
            TaskState::Blocked(_) => 2,
            _ => 3,
        }),
        Sort::Stack => {
            tasks.sort_by_key(|(_, task)| task.stack_high_water_mark.map_or(u64::MAX, u64::from));
        }
    }
}
