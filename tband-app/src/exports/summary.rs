//! The result of an export.

use tband_conv::Summary;
use tband_report::messages::Message;

use crate::command_result::CommandResult;
use tband_conv::counted;

/// The amount that was written, and the messages about it.
#[derive(Debug)]
pub struct ExportSummary {
    /// The recording's facts, and its findings.
    pub summary: Summary,
    /// How much was written, as `12 events`.
    pub amount: String,
    /// Messages about the output, in addition to findings of the recording.
    pub messages: Vec<Message>,
    /// Verbose details, one per line.
    pub details: Vec<String>,
    /// The first losses, with their times in ns, for viewers that show them.
    pub losses: Vec<(i64, String)>,
}

impl ExportSummary {
    /// Returns the report of it.
    #[must_use]
    pub fn done(self) -> CommandResult {
        CommandResult::of(self.summary).with(self.messages)
    }

    /// Returns the result of an export whose format has a place for all findings.
    #[must_use]
    pub fn of(summary: Summary) -> Self {
        let mut details = vec![format!("timestamps count at {}", summary.frequency)];
        details.extend(summary.build_id.as_ref().map(|build| format!("made by build {build}")));
        Self {
            amount: counted(summary.events_of_window(), "event"),
            summary,
            messages: Vec::new(),
            details,
            losses: Vec::new(),
        }
    }
}
