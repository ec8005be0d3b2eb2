//! What came of an export.

use tband_conv::Summary;
use tband_report::messages::Message;

use crate::done::Done;

/// What was written, and what there is to say of it.
#[derive(Debug)]
pub struct Made {
    /// What the recording is, and what is wrong with it.
    pub summary: Summary,
    /// How much was written, as `12 events`.
    pub amount: String,
    /// What is to be said of the output besides findings of the recording.
    pub messages: Vec<Message>,
    /// What only some want to know, a line each.
    pub details: Vec<String>,
    /// The first losses, with their times in ns, for viewers that show them.
    pub losses: Vec<(i64, String)>,
}

impl Made {
    /// What there is to report of it.
    #[must_use]
    pub fn done(self) -> Done {
        Done::of(self.summary).with(self.messages)
    }

    /// Of an export that has a place for all that is found.
    #[must_use]
    pub fn of(summary: Summary) -> Self {
        let mut details = vec![format!("timestamps count at {}", summary.frequency)];
        details.extend(summary.build_id.as_ref().map(|build| format!("made by build {build}")));
        Self {
            amount: format!("{} events", summary.events_of_window()),
            summary,
            messages: Vec::new(),
            details,
            losses: Vec::new(),
        }
    }
}
