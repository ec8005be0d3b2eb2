//! Open waits at the end of the recording: tasks that starve or hang.

use super::spread::End;
use super::states::queue_of;
use super::{Participant, Stats};
use crate::model::{TaskState, World};

/// The open wait of a task at the end of the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenWait {
    /// The waiting task.
    pub task: Participant,
    /// Its reason.
    pub cause: String,
    /// The task that holds the lock for which it waits, if it is known.
    pub holder: Option<Participant>,
    /// Its begin, in ns; also if that is before the window.
    pub since_ns: i64,
    /// How long so far, in ns.
    pub length_ns: i64,
}

impl Stats {
    /// Closes the states of tasks at the end.
    pub(super) fn close_states(&mut self, world: &World, end: i64) {
        for (task, known) in world.tasks.iter() {
            let Some(stats) = self.tasks.get_mut(task) else { continue };
            let since_ns = match stats.began {
                Some((ns, before)) if ns == stats.since => before,
                _ => stats.since,
            };
            let cause = match known.state {
                TaskState::Ready => {
                    stats.add_ready(end, End::Open);
                    "ready, waits for a core".to_owned()
                }
                TaskState::Blocked(wait) => {
                    self.end_wait(end, task, known.state, End::Open);
                    world.describe_wait(wait)
                }
                TaskState::Suspended => {
                    self.end_wait(end, task, known.state, End::Open);
                    "suspended".to_owned()
                }
                _ => continue,
            };
            let lock = match known.state {
                TaskState::Blocked(wait) => queue_of(wait),
                _ => None,
            };
            let lock = lock.and_then(|queue| self.may_be_locks.get(queue));
            let holder = lock.filter(|lock| lock.is_used_lock()).and_then(super::LockStats::holder);
            self.open_waits.push(OpenWait {
                task: self.participant(world, task),
                cause,
                holder: holder.map(|holder| self.participant(world, holder)),
                since_ns,
                length_ns: end.saturating_sub(since_ns).max(0),
            });
        }
        self.open_waits.sort_by_key(|wait| std::cmp::Reverse(wait.length_ns));
    }
}
