//! What an importer does, and what it produces.

use std::fmt;

use tband_format::registry::trace_info_flags::FREERTOS;
use tband_format::{Decoded, Event, FORMAT_VERSION};

/// Reads one foreign format.
pub trait Importer: fmt::Debug {
    /// Decodes `bytes`, the next bytes of the recording, and appends its events to `out`. Returns the number of bytes that it
    /// consumed; 0 if it needs more of them, or if it has appended entries and has to be called again with the same
    /// bytes.
    ///
    /// It consumes bytes in each call with 64 KiB or with the end of the recording (`at_end`), unless `bytes` is empty.
    /// One call appends a bounded number of entries.
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize;

    /// Appends the entries that wait for more of the recording, which has ended. It is called once, after all bytes.
    fn finish(&mut self, out: &mut Output) {
        let _ = out;
    }

    /// Bytes of a text in front of the recording that belong to another file.
    fn preamble(&self) -> u64 {
        0
    }

    /// Facts about the recording so far.
    fn about(&self) -> ForeignRecording;
}

/// What `check` reports about a foreign recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignRecording {
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
    /// Events are missing here; their number is unknown. The text describes the evidence.
    Loss(&'static str),
    /// The rest of a buffer in memory, after the last event.
    Unwritten,
}

impl Break {
    /// Only events are missing: no byte is damaged.
    #[must_use]
    pub const fn is_report(self) -> bool {
        matches!(self, Self::Head | Self::Start | Self::Loss(_) | Self::Unwritten)
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damage(what) | Self::Loss(what) => what,
            Self::Head => "the rest of a packet whose start was overwritten",
            Self::Cut => "the recording ends inside of a packet",
            Self::Start => "recording starts again here; what happened in between is not recorded",
            Self::Unwritten => "the rest of a buffer, after the last event",
        })
    }
}

/// What a recorder reports to be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedLoss {
    /// Time of the last event before, in ticks.
    pub from: u64,
    /// From when on there are events again, in ticks.
    pub to: u64,
    /// Packets that are missing, modulo 2^16.
    pub packets: u16,
    /// Sequence number of the first of them.
    pub first: u16,
    /// Events that the recorder discarded.
    pub events: u32,
}

/// What an entry is.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// An event; [`Output::event`] returns it with its text.
    Event(Decoded<'static>),
    /// There is a break.
    Break(Break),
    /// Events, or packets, are missing.
    Lost(ReportedLoss),
}

/// One event, or a break.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The content.
    pub content: Content,
    /// Its core.
    pub core: u32,
    /// Bytes before the piece that was read, at which it begins: 0, unless the importer kept earlier bytes.
    pub before: u64,
    /// Bytes that it has in the file.
    pub len: u64,
    /// Where its text is, if that is kept apart.
    text: Option<(usize, usize)>,
}

/// Entries that an importer produced and that are not taken yet.
#[derive(Debug, Default)]
pub struct Output {
    entries: Vec<Entry>,
    /// Entries that were taken.
    taken: usize,
    text: Vec<u8>,
}

impl Output {
    /// No entry waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.taken == self.entries.len()
    }

    /// No entry was taken of those that were appended since none waited.
    #[must_use]
    pub const fn is_untouched(&self) -> bool {
        self.taken == 0
    }

    /// The oldest entry.
    #[must_use]
    pub fn oldest(&self) -> Option<&Entry> {
        self.entries.get(self.taken)
    }

    /// Takes the oldest entry. Its text is kept until the next entry is appended.
    pub fn take(&mut self) -> Option<Entry> {
        let entry = *self.oldest()?;
        self.taken += 1;
        Some(entry)
    }

    /// Removes the oldest entry.
    pub fn advance(&mut self) {
        self.taken += usize::from(!self.is_empty());
    }

    /// The event of an entry with its text, until the next entry is appended.
    #[must_use]
    pub fn event<'a>(&'a self, entry: &Entry, decoded: &Decoded<'static>) -> Decoded<'a> {
        let Some((start, len)) = entry.text else { return *decoded };
        let text = self.text.get(start..start.saturating_add(len)).unwrap_or_default();
        Decoded { event: decoded.event.with_text(text), ..*decoded }
    }

    /// Appends the metadata with which the recording of a system with tasks begins; 0 cores: their number is unknown.
    pub fn begin_recording(&mut self, core: u32, core_count: u32, tick_rate_hz: Option<u32>) {
        let event = Event::TraceInfo {
            format_version: FORMAT_VERSION,
            core_count,
            flags: FREERTOS,
            kernel_version: None,
            tick_rate_hz,
        };
        self.metadata(core, &event);
    }

    /// Appends an event with a time in ticks. A text in it is a constant.
    pub fn timed(&mut self, core: u32, ts: u64, event: &Event<'static>) {
        self.push(core, Content::Event(Decoded { ts: Some(ts), event: *event }));
    }

    /// Appends an event with a time in ticks, and copies its text.
    pub fn timed_text(&mut self, core: u32, ts: u64, event: &Event<'_>) {
        self.push_text(core, Some(ts), event);
    }

    /// Appends an event with a time in ticks, whose text these pieces are.
    pub fn timed_pieces(&mut self, core: u32, ts: u64, event: &Event<'static>, pieces: &[&str]) {
        self.timed(core, ts, event);
        let start = self.text.len();
        for piece in pieces {
            self.text.extend_from_slice(piece.as_bytes());
        }
        if let Some(entry) = self.entries.last_mut() {
            entry.text = Some((start, self.text.len() - start));
        }
    }

    /// Appends metadata.
    pub fn metadata(&mut self, core: u32, event: &Event<'_>) {
        self.push_text(core, None, event);
    }

    fn push_text(&mut self, core: u32, ts: Option<u64>, event: &Event<'_>) {
        self.forget_taken();
        let (event, text) = event.split_text();
        let start = self.text.len();
        self.text.extend_from_slice(text);
        let content = Content::Event(Decoded { ts, event });
        let text = Some((start, text.len()));
        self.entries.push(Entry { content, core, before: 0, len: 0, text });
    }

    fn push(&mut self, core: u32, content: Content) {
        self.forget_taken();
        self.entries.push(Entry { content, core, before: 0, len: 0, text: None });
    }

    /// Frees the room of entries if all were taken.
    fn forget_taken(&mut self) {
        if self.is_empty() {
            self.entries.clear();
            self.text.clear();
            self.taken = 0;
        }
    }

    /// Appends a break that ends with the piece that is read, and has so many bytes; `before` of them were consumed before.
    pub fn broken(&mut self, core: u32, what: Break, before: u64, len: u64) {
        self.push(core, Content::Break(what));
        if let Some(entry) = self.entries.last_mut() {
            (entry.before, entry.len) = (before, len);
        }
    }

    /// Number of entries that wait.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len() - self.taken
    }

    /// The entries from this one on are of `len` bytes that the importer kept, and that began `before` bytes before the piece that
    /// is read.
    pub fn place(&mut self, from: usize, before: u64, len: u64) {
        for (number, entry) in self.entries.iter_mut().skip(self.taken + from).enumerate() {
            entry.before = entry.before.saturating_add(before);
            if number == 0 && entry.len == 0 {
                entry.len = len;
            }
        }
    }

    /// Appends what the recorder reports to be missing.
    pub fn missing(&mut self, core: u32, lost: ReportedLoss) {
        self.push(core, Content::Lost(lost));
    }

    /// Gives the first of the entries the length of the piece that they are of: the others come at the same place.
    pub fn set_len(&mut self, len: u64) {
        if let Some(first) = self.entries.get_mut(self.taken)
            && first.len == 0
        {
            first.len = len;
        }
    }
}
