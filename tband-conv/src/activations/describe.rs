//! Paths as text, with the names of a recording.

use std::fmt::Write as _;

use super::activation::{Occupant, Path, Reason};
use crate::model::World;

impl Path {
    /// Formats the path: each lock with its holder, then the reason, separated by ` > `. For example
    /// `lock bus held by logger > preempted by radio`.
    #[must_use]
    pub fn describe(&self, world: &World) -> String {
        let mut text = String::new();
        for link in &self.locks {
            // Text takes everything.
            let _ = write!(text, "lock {}", world.queue_name(link.lock));
            let _ = match link.holder {
                Some(holder) => write!(text, " held by {} > ", world.task_name(holder)),
                None => write!(text, " > "),
            };
        }
        text.push_str(&self.reason.describe(world));
        text
    }
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub fn describe(&self, world: &World) -> String {
        let by = |word: &str, occupants: &[Occupant]| {
            let names: Vec<_> = occupants.iter().map(|it| it.name(world)).collect();
            format!("{word} {}", names.join(", "))
        };
        let maybe_by = |text: String, occupant: Option<Occupant>| match occupant {
            Some(occupant) => format!("{text} by {}", occupant.name(world)),
            None => text,
        };
        match self {
            Self::Backlog => "backlog".to_owned(),
            Self::Unknown => "unknown".to_owned(),
            Self::Own => "own".to_owned(),
            Self::Interrupt(isr, core) => format!("interrupt {}", world.isr_name(*isr, *core)),
            Self::Preempted(tasks) => by("preempted by", tasks),
            Self::Shares(tasks) => by("shares with", tasks),
            Self::Pushed(tasks) => by("pushed by", tasks),
            Self::HeldOff(tasks) => by("held off by", tasks),
            Self::HandedOver => "handed over".to_owned(),
            Self::Deadlock => "deadlock".to_owned(),
            Self::Room(queue, taker) => {
                maybe_by(format!("room in {}", world.queue_name(*queue)), *taker)
            }
            Self::BufferRoom(buffer, taker) => {
                maybe_by(format!("room in {}", world.stream_buffer_name(*buffer)), *taker)
            }
            Self::Suspended(by) => maybe_by("suspended".to_owned(), *by),
            Self::Waits(wait) => format!("waits for {}", world.describe_wait(*wait)),
        }
    }
}

impl Occupant {
    /// The name of the task or interrupt.
    #[must_use]
    pub fn name(self, world: &World) -> String {
        match self {
            Self::Task(task) => world.task_name(task).to_string(),
            Self::Isr(isr, core) => world.isr_name(isr, core).to_string(),
        }
    }
}
