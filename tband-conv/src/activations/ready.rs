//! The paths of ready tasks at one instant: tasks of the same priority and affinity share one.

use super::open::SharedPath;
use super::path::Instant;
use crate::model::{TaskRef, TaskState};

/// Inputs of a ready task's path other than the running tasks: its priority, and the cores on which it may run.
type Group = (Option<u32>, Option<u32>);

/// The paths that have been computed at the present instant. Hundreds of tasks may be ready at each of millions of task switches.
#[derive(Debug, Default)]
pub struct ReadyPaths(Vec<(Group, SharedPath)>);

impl ReadyPaths {
    /// Another instant begins.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The path of a task in any state.
    pub fn path(&mut self, instant: Instant<'_>, task: TaskRef) -> SharedPath {
        let line = instant.tasks.get(task);
        let ready = line
            .filter(|line| matches!(line.state, TaskState::Ready) && line.waiting_lock.is_none());
        let Some(line) = ready else { return SharedPath::new(instant.path(task)) };
        let group = (instant.priority(task), line.affinity);
        if let Some((_, path)) = self.0.iter().find(|(it, _)| *it == group) {
            return path.clone();
        }
        let path = SharedPath::new(instant.path(task));
        self.0.push((group, path.clone()));
        path
    }
}
