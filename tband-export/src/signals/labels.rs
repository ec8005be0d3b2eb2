//! The texts of states, each created once.

use tband_conv::model::{TaskRef, TaskState, Wait, World};

/// Maximum number of distinguished waits and indices of notifications; for others the task is reported as blocked. Damage could
/// create any number of them.
const MAX_WAITS: usize = 1 << 12;

const CREATED: u32 = 0;
const READY: u32 = 1;
pub(super) const RUNNING: u32 = 2;
const SUSPENDED: u32 = 3;
const DELETED: u32 = 4;
const BLOCKED: u32 = 5;
/// A mutex is free.
pub(super) const FREE: u32 = 6;
/// A mutex is held by an unknown task.
pub(super) const HELD: u32 = 7;

/// The texts, by number. They do not change.
#[derive(Debug)]
pub struct Labels {
    texts: Vec<Box<str>>,
    /// Labels of waits by their places; 0 means none.
    waits: [Vec<u32>; Wait::KINDS],
    /// How many waits have one.
    waits_known: usize,
    /// Of tasks by their indices.
    tasks: Vec<Option<u32>>,
}

impl Default for Labels {
    fn default() -> Self {
        let texts =
            ["created", "ready", "running", "suspended", "deleted", "blocked", "free", "held"];
        let texts = texts.map(Into::into).into();
        Self { texts, waits: Default::default(), waits_known: 0, tasks: Vec::new() }
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
            TaskState::Blocked(wait) => {
                let (kind, at) = wait.place();
                match self.waits.get(kind).and_then(|waits| waits.get(at)) {
                    Some(&known @ 1..) => known,
                    _ => self.new_wait(world, wait),
                }
            }
        })
    }

    /// The label of a wait that has none yet.
    #[cold]
    fn new_wait(&mut self, world: &World, wait: Wait) -> u32 {
        let (kind, at) = wait.place();
        // Notifications have indices that may be any number, and objects are fewer than places.
        let is_far = matches!(wait, Wait::NotifyTake(_) | Wait::NotifyWait(_)) && at >= MAX_WAITS;
        if self.waits_known >= MAX_WAITS || is_far {
            return BLOCKED;
        }
        self.waits_known += 1;
        let label = self.add(format!("blocked on {}", world.describe_wait(wait)));
        if let Some(waits) = self.waits.get_mut(kind) {
            if waits.len() <= at {
                waits.resize(at.saturating_add(1), 0);
            }
            if let Some(place) = waits.get_mut(at) {
                *place = label;
            }
        }
        label
    }

    /// The label of a task.
    #[inline]
    pub(super) fn task(&mut self, world: &World, task: TaskRef) -> u32 {
        match self.tasks.get(task.index()) {
            Some(Some(known)) => *known,
            _ => self.new_task(world, task),
        }
    }

    /// The label of a task that has none yet.
    #[cold]
    fn new_task(&mut self, world: &World, task: TaskRef) -> u32 {
        let at = task.index();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_have_a_label_each_until_there_are_too_many() {
        let (mut labels, world) = (Labels::default(), World::default());
        let mut label = |wait| labels.state(&world, TaskState::Blocked(wait));
        let (delay, until) = (label(Wait::Delay), label(Wait::DelayUntil));
        assert!(delay != until && delay != Some(BLOCKED) && until != Some(BLOCKED));
        assert_eq!((label(Wait::Delay), label(Wait::DelayUntil)), (delay, until));
        // Damage turns any number into an index.
        assert_eq!(label(Wait::NotifyTake(u32::MAX)), Some(BLOCKED));
        for index in 2..MAX_WAITS as u32 {
            assert_ne!(label(Wait::NotifyWait(index)), Some(BLOCKED), "{index}");
        }
        assert_eq!(label(Wait::NotifyTake(0)), Some(BLOCKED));
        assert_eq!(label(Wait::Delay), delay);
    }
}
