//! Counts what a recording brings.

use std::io;

use tband_conv::timeline::{At, Change, TaskState, World};
use tband_conv::{Severity, Sink};

/// Counts what comes in.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Switches to a task.
    pub switches: u64,
    /// Interrupts that began.
    pub interrupts: u64,
    /// Events and packets that are known to be missing.
    pub lost: u64,
    /// Pieces that are damaged.
    pub damaged: u64,
    /// The marker that is waited for, by its name or text.
    pub marker: Option<String>,
    /// It came.
    pub has_marker: bool,
}

impl Sink for Seen {
    fn change(&mut self, world: &World, _: At, change: &Change<'_>) -> io::Result<()> {
        let (count, amount) = match change {
            Change::TaskState { to: TaskState::Running(_), .. } => (&mut self.switches, 1),
            Change::IsrEnter(_) => (&mut self.interrupts, 1),
            Change::Finding(finding) => match finding.problem.severity() {
                Severity::Note => return Ok(()),
                Severity::Loss => (&mut self.lost, finding.amount),
                Severity::Damage => (&mut self.damaged, finding.amount),
            },
            Change::Marker(marker, msg, _) | Change::SpanBegin(marker, msg, _) => {
                if let Some(wanted) = &self.marker {
                    let name = world.markers.get(*marker).and_then(|it| it.name.as_deref());
                    self.has_marker |= name == Some(wanted) || msg.0 == wanted.as_bytes();
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        *count = count.saturating_add(amount);
        Ok(())
    }
}
