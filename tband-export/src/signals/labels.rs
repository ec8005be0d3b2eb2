//! The texts of states, each made once.

use std::collections::HashMap;

use tband_conv::timeline::{TaskRef, TaskState, Wait, World};

/// Waits that are distinguished; of others it is reported that the task is blocked. Damage could make any number of them.
const MAX_WAITS: usize = 1 << 12;

const CREATED: u32 = 0;
const READY: u32 = 1;
const RUNNING: u32 = 2;
const SUSPENDED: u32 = 3;
const DELETED: u32 = 4;
const BLOCKED: u32 = 5;
/// A mutex is free.
pub(super) const FREE: u32 = 6;
/// A mutex is held by a task that is not known.
pub(super) const HELD: u32 = 7;

/// The texts, by number. What they say does not change.
#[derive(Debug)]
pub struct Labels {
    texts: Vec<Box<str>>,
    waits: HashMap<Wait, u32>,
    /// Of tasks by their indices.
    tasks: Vec<Option<u32>>,
}

impl Default for Labels {
    fn default() -> Self {
        let texts =
            ["created", "ready", "running", "suspended", "deleted", "blocked", "free", "held"];
        Self { texts: texts.map(Into::into).into(), waits: HashMap::new(), tasks: Vec::new() }
    }
}

impl Labels {
    /// The text of a number that is in use.
    pub fn text(&self, label: u32) -> &str {
        self.texts.get(label as usize).map_or("", AsRef::as_ref)
    }

    /// The label of a state, if it is known.
    #[inline]
    pub(super) fn state(&mut self, world: &World, state: TaskState) -> Option<u32> {
        Some(match state {
            TaskState::Unknown => return None,
            TaskState::Created => CREATED,
            TaskState::Ready => READY,
            TaskState::Running(_) => RUNNING,
            TaskState::Suspended => SUSPENDED,
            TaskState::Deleted => DELETED,
            TaskState::Blocked(wait) => match self.waits.get(&wait) {
                Some(known) => *known,
                None if self.waits.len() >= MAX_WAITS => BLOCKED,
                None => {
                    let label = self.add(format!("blocked on {}", world.describe_wait(wait)));
                    self.waits.insert(wait, label);
                    label
                }
            },
        })
    }

    /// The label of a task.
    #[inline]
    pub(super) fn task(&mut self, world: &World, task: TaskRef) -> u32 {
        let at = task.index();
        if let Some(Some(known)) = self.tasks.get(at) {
            return *known;
        }
        let label = self.add(world.task_name(task).to_string());
        if self.tasks.len() <= at {
            self.tasks.resize(at.saturating_add(1), None);
        }
        if let Some(place) = self.tasks.get_mut(at) {
            *place = Some(label);
        }
        label
    }

    fn add(&mut self, text: String) -> u32 {
        let label = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        label
    }
}
