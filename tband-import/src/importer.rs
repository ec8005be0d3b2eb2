//! What an importer does, and what it produces.

use std::collections::VecDeque;
use std::fmt;

use tband_format::Event;

/// Reads one foreign format.
pub trait Importer: fmt::Debug {
    /// Decodes the next piece of the recording, of which `bytes` are the next ones, and appends its events to `out`. Returns the
    /// number of bytes that it consumed; 0 if it needs more of them.
    ///
    /// It consumes something whenever it is given 64 KiB or the end of the recording (`at_end`), unless there are no bytes.
    /// One call appends a bounded number of entries.
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize;

    /// Facts about the recording so far.
    fn about(&self) -> About;
}

/// What `check` reports about a foreign recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The format, such as "SEGGER SystemView".
    pub format: String,
    /// The recorder, its version, the application: what the recording contains of them.
    pub recorder: String,
    /// Data that the importer inferred, one sentence each.
    pub inferred: Vec<String>,
    /// Data that the source does not record, one sentence each.
    pub not_recorded: Vec<String>,
}

/// Where the events of a recording do not follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// These bytes are damaged. The text names the damage.
    Damage(&'static str),
    /// The recording begins inside of a packet whose start was overwritten.
    Head,
    /// The recording ends inside of a packet.
    Cut,
    /// Recording was stopped and started again, or the target was reset.
    Start,
    /// Events are missing here; their number is unknown.
    Loss,
}

impl Break {
    /// Only events are missing: no byte is damaged.
    #[must_use]
    pub const fn is_report(self) -> bool {
        matches!(self, Self::Head | Self::Start | Self::Loss)
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damage(what) => what,
            Self::Head => "the rest of a packet whose start was overwritten",
            Self::Cut => "the recording ends inside of a packet",
            Self::Start => "recording starts again here; what happened in between is not recorded",
            Self::Loss => {
                "events are missing here: another task runs than the one that was switched in"
            }
        })
    }
}

/// What an entry is.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// An event, without its text.
    Event(Event<'static>),
    /// There is a break.
    Break(Break),
}

/// One event, or a break.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is.
    pub content: Content,
    /// Its core.
    pub core: u32,
    /// Its time in ticks of the source's clock; `None` for metadata and breaks.
    pub ts: Option<u64>,
    /// Bytes before the piece that was read, at which it begins: 0, unless the importer kept earlier bytes.
    pub before: u64,
    /// Bytes that it has in the file.
    pub len: u64,
    /// Where its text is.
    text: (usize, usize),
}

/// Entries that an importer produced and that are not taken yet.
#[derive(Debug, Default)]
pub struct Output {
    entries: VecDeque<Entry>,
    text: Vec<u8>,
}

impl Output {
    /// No entry waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes the oldest entry.
    pub fn take(&mut self) -> Option<Entry> {
        self.entries.pop_front()
    }

    /// The text of an entry, until the next one is appended.
    #[must_use]
    pub fn text(&self, entry: &Entry) -> &[u8] {
        let (start, len) = entry.text;
        self.text.get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// Appends an event with a time in ticks.
    pub fn timed(&mut self, core: u32, ts: u64, event: &Event<'_>) {
        self.push(core, Some(ts), event);
    }

    /// Appends metadata.
    pub fn metadata(&mut self, core: u32, event: &Event<'_>) {
        self.push(core, None, event);
    }

    fn push(&mut self, core: u32, ts: Option<u64>, event: &Event<'_>) {
        if self.entries.is_empty() {
            self.text.clear();
        }
        let (event, text) = event.split_text();
        let start = self.text.len();
        self.text.extend_from_slice(text);
        let content = Content::Event(event);
        let text = (start, text.len());
        self.entries.push_back(Entry { content, core, ts, before: 0, len: 0, text });
    }

    /// Appends a break that ends with the piece that is read, and has so many bytes; `before` of them were consumed before.
    pub fn broken(&mut self, core: u32, what: Break, before: u64, len: u64) {
        let content = Content::Break(what);
        self.entries.push_back(Entry { content, core, ts: None, before, len, text: (0, 0) });
    }

    /// Gives the first of the entries the length of the piece that they are of: the others come at the same place.
    pub fn set_len(&mut self, len: u64) {
        if let Some(first) = self.entries.front_mut()
            && first.len == 0
        {
            first.len = len;
        }
    }
}
