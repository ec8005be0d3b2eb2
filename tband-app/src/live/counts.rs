//! Counts the events of a recording.

use std::io;

use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::model::{Change, EventTime, Sink, TaskState, TimedEvent, World};
use tband_report::time_unit::TimeUnit;

/// Counts the received events.
#[derive(Clone, Debug, Default)]
pub struct LiveCounts {
    /// Switches to a task.
    pub switches: u64,
    /// Interrupts that began.
    pub interrupts: u64,
    /// Events and packets that are known to be missing.
    pub lost: u64,
    /// Pieces that are damaged.
    pub damaged: u64,
    /// Resets of the target.
    pub restarts: u64,
    /// The unit of the times.
    pub time_unit: TimeUnit,
    /// Changes on the way, once for each kind, until they are taken.
    pub changed: Vec<String>,
    /// Kinds of changes that were reported.
    pub(super) reported: Vec<Problem>,
    /// The awaited event.
    pub awaited: StopEvent,
    /// It came.
    pub has_come: bool,
}

/// Conditions that end a recording, whichever is first.
#[derive(Clone, Debug, Default)]
pub struct StopEvent {
    /// A marker, by its name or text.
    pub marker: Option<String>,
    /// An event, by its name.
    pub event: Option<String>,
}

impl Sink for LiveCounts {
    fn needs_events(&self) -> bool {
        self.awaited.event.is_some()
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.has_come |= self.awaited.event.as_deref() == Some(event.decoded.event.name());
        Ok(())
    }

    fn change(&mut self, world: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        let (count, amount) = match change {
            Change::TaskState { to: TaskState::Running(_), .. } => (&mut self.switches, 1),
            Change::IsrEnter(_) => (&mut self.interrupts, 1),
            Change::Finding(finding) => {
                if finding.problem.is_change_of_bytes() && !self.reported.contains(&finding.problem)
                {
                    self.reported.push(finding.problem);
                    self.changed.push(finding.text.to_owned());
                }
                match finding.problem.severity() {
                    _ if finding.problem == Problem::Restart => (&mut self.restarts, 1),
                    _ if finding.problem == Problem::NoResolution => {
                        self.time_unit = TimeUnit::Ticks;
                        return Ok(());
                    }
                    _ if finding.problem == Problem::FrequencyChange => {
                        self.time_unit = TimeUnit::Ns;
                        return Ok(());
                    }
                    // No event is missing.
                    _ if finding.problem == Problem::NoMetadata => return Ok(()),
                    Severity::Note => return Ok(()),
                    Severity::Loss => (&mut self.lost, finding.amount),
                    Severity::Damage => (&mut self.damaged, finding.amount),
                }
            }
            Change::Marker(marker, msg, _) | Change::SpanBegin(marker, msg, _) => {
                if let Some(wanted) = &self.awaited.marker {
                    let name = world.markers.get(*marker).and_then(|it| it.name.as_deref());
                    self.has_come |= name == Some(wanted) || msg.0 == wanted.as_bytes();
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        *count = count.saturating_add(amount);
        Ok(())
    }
}
