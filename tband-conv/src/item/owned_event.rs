//! Events that outlive their source.

use tband_format::Event;

/// An event that has its text itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OwnedEvent {
    event: Event<'static>,
    text: Box<[u8]>,
}

impl From<&Event<'_>> for OwnedEvent {
    fn from(event: &Event<'_>) -> Self {
        let (event, text) = event.split_text();
        Self { event, text: text.into() }
    }
}

impl OwnedEvent {
    /// The event.
    pub fn get(&self) -> Event<'_> {
        self.event.with_text(&self.text)
    }

    /// It is the same event, with the same text.
    pub fn is(&self, event: &Event<'_>) -> bool {
        self.get() == *event
    }
}
