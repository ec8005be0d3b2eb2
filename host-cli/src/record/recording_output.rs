//! Storage of the received bytes: all of them, or the part around triggers.

use super::store::Store;
use super::triggered::TriggeredRecording;

/// Destination of the received bytes.
pub enum RecordingOutput {
    All(Box<Store>),
    TriggeredRecording(Box<TriggeredRecording>),
}

impl RecordingOutput {
    /// Adds received bytes.
    ///
    /// # Errors
    /// They cannot be written, or the firmware refuses a command.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::All(store) => store.add(bytes),
            Self::TriggeredRecording(triggered) => triggered.add(bytes),
        }
    }

    /// Something may be missing from here on.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn gap(&mut self) -> anyhow::Result<()> {
        match self {
            Self::All(store) => store.gap(),
            Self::TriggeredRecording(triggered) => triggered.gap(),
        }
    }

    /// Another recorder makes the recording.
    pub fn is_foreign(&self) -> bool {
        matches!(self, Self::All(store) if store.is_foreign())
    }

    /// Whether a command about triggers is on its way to the target.
    pub fn is_asking(&self) -> bool {
        matches!(self, Self::TriggeredRecording(triggered) if triggered.is_asking())
    }

    /// Bytes in the file that grows.
    pub const fn len(&self) -> u64 {
        match self {
            Self::All(store) => store.len(),
            Self::TriggeredRecording(_) => 0,
        }
    }
}
