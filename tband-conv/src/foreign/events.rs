//! Reads the items of a foreign recording from its importer, or from what an earlier pass kept of them.

use std::io::{self, Read};
use std::rc::Rc;

use tband_import::{Content, Entries, Entry, ForeignRecording, Importer, Output, ReportedLoss};

use super::imported::{ImportedRecording, Keeper};
use crate::census::Census;
use crate::cores::MAX_CORES;
use crate::diagnostics::LazyOffset;
use crate::item::event_selection::EventSelection;
use crate::item::packet_loss::PacketLoss;
use crate::item::{Defect, Item, Mode, Origin, Visitor, check};
use crate::wire::buffer::Buffer;

/// Bytes of which importers have to consume some.
const ENOUGH: usize = 64 * 1024;
/// Records are read at once until they have so many entries.
const MANY: usize = 64;

/// Where the entries come from.
#[derive(Debug)]
enum EntrySource {
    /// An importer appends those of a piece.
    Importer { importer: Box<dyn Importer>, out: Output, keeper: Keeper },
    /// An earlier pass has kept all.
    Kept(Rc<ImportedRecording>),
}

impl EntrySource {
    fn entries(&self) -> &Entries {
        match self {
            Self::Importer { out, .. } => out.entries(),
            Self::Kept(recording) => &recording.entries,
        }
    }
}

/// Reads the events of a foreign recording.
#[derive(Debug)]
pub struct ForeignEvents {
    source: EntrySource,
    /// Number of the next entry, and of the one after the last that was read.
    next: usize,
    end: usize,
    /// Offsets in the input, and in the recording, to which those of entries are relative.
    piece: i64,
    base: i64,
    /// The core of the item that was returned last.
    core: Option<u32>,
    /// The importer has appended its final events.
    is_finished: bool,
}

impl ForeignEvents {
    /// Reads what this importer makes of the input.
    pub fn new(importer: Box<dyn Importer>) -> Self {
        Self::of(EntrySource::Importer {
            importer,
            out: Output::default(),
            keeper: Keeper::default(),
        })
    }

    /// Reads what an earlier pass has kept.
    pub fn kept(recording: Rc<ImportedRecording>) -> Self {
        Self::of(EntrySource::Kept(recording))
    }

    const fn of(source: EntrySource) -> Self {
        Self { source, next: 0, end: 0, piece: 0, base: 0, core: None, is_finished: false }
    }

    /// Keeps all entries for a later pass, if nothing was read yet.
    pub fn keep(&mut self) {
        if let EntrySource::Importer { keeper, .. } = &mut self.source
            && self.end == 0
        {
            *keeper = Keeper::Keeps(Entries::default());
        }
    }

    /// The recording, if all its entries were kept.
    pub fn recording(&self) -> Option<Rc<ImportedRecording>> {
        match &self.source {
            EntrySource::Importer { keeper: Keeper::Kept(recording), .. }
            | EntrySource::Kept(recording) => Some(Rc::clone(recording)),
            EntrySource::Importer { .. } => None,
        }
    }

    /// Facts about the recording.
    pub fn about(&self) -> ForeignRecording {
        match &self.source {
            EntrySource::Importer { importer, .. } => importer.about(),
            EntrySource::Kept(recording) => recording.about.clone(),
        }
    }

    /// An event waits.
    pub const fn has_event(&self) -> bool {
        self.next < self.end
    }

    /// The offset up to which all items were returned, if everything up to `read` was read.
    pub fn returned(&self, read: u64) -> u64 {
        if !self.has_event() {
            return read;
        }
        let next = self.source.entries().get(self.next);
        next.map_or(read, |entry| offset(self.piece, entry).min(read))
    }

    /// Reads until an entry waits. Returns false at the end of the input.
    ///
    /// # Errors
    /// The reader's error. Nothing is lost.
    pub fn read<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<bool> {
        if self.has_event() {
            return Ok(true);
        }
        match &mut self.source {
            EntrySource::Kept(recording) => {
                self.piece = signed(recording.preamble);
                self.end = release(recording, self.next, buffer)?;
            }
            EntrySource::Importer { importer, out, keeper } => {
                (self.next, self.end) = (0, 0);
                let piece = import(&mut **importer, out, &mut self.is_finished, buffer)?;
                let preamble = importer.preamble();
                match piece {
                    Some(piece) => {
                        self.piece = signed(piece);
                        self.base = self.piece.saturating_sub(signed(preamble));
                        self.end = out.count();
                        keeper.keep(out.entries(), self.base);
                    }
                    None => keeper.finish(importer.about(), preamble),
                }
            }
        }
        Ok(self.has_event())
    }

    /// Returns the next item; `None` at the end of the input.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn next_item<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        mode: Mode,
    ) -> io::Result<Option<Item<'_>>> {
        if !self.read(buffer)? {
            return Ok(None);
        }
        let entries = self.source.entries();
        let Some(entry) = entries.get(self.next) else { return Ok(None) };
        self.next += 1;
        let item = item(entries, entry, self.base, mode);
        self.core = Some(item.core);
        Ok(Some(item))
    }

    /// Removes events that are not `wanted`, up to the next one of another core than the last item. Sets `skipped` if it removed
    /// any.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn skip_unwanted<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        wanted: &EventSelection,
        skipped: &mut bool,
    ) -> io::Result<()> {
        while self.read(buffer)? {
            let entries = self.source.entries();
            while let Some(entry) = entries.get(self.next).filter(|_| self.next < self.end) {
                match entry.content {
                    Content::Event(decoded)
                        if Some(entry.core) == self.core && !wanted.is(decoded.event.id()) => {}
                    _ => return Ok(()),
                }
                self.next += 1;
                *skipped = true;
            }
        }
        Ok(())
    }

    /// Shows the visitor the entries that wait, and counts its events.
    ///
    /// # Errors
    /// The visitor's error.
    pub fn visit<V: Visitor>(
        &mut self,
        mode: Mode,
        (events, mut census): (&mut u64, Option<&mut Census>),
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        let entries = self.source.entries();
        while let Some(entry) = entries.get(self.next).filter(|_| self.next < self.end) {
            self.next += 1;
            let mut core = entry.core;
            if let Content::Event(decoded) = &entry.content
                && core < MAX_CORES
                && check(&decoded.event, &mut core, mode).is_ok()
            {
                let place = LazyOffset { input: 0, end: offset(self.base, entry), left: 0 };
                let origin = Origin { core, place, reported: None };
                let decoded = entries.event(entry, decoded);
                if let Some(census) = &mut census {
                    census.event(&decoded.event, entry.len.into());
                }
                let result = visitor.event(&origin, &decoded);
                *events += u64::from(result.as_ref().err().is_none_or(V::has_taken));
                result?;
            } else {
                let item = item(entries, entry, self.base, mode);
                if let Some(census) = &mut census {
                    census.item(&item);
                }
                visitor.other(&item)?;
            }
        }
        Ok(())
    }
}

/// Calls the importer until it has appended entries. Returns the offset of the piece that they are of; `None` at the end of the
/// input.
fn import<R: Read>(
    importer: &mut dyn Importer,
    out: &mut Output,
    is_finished: &mut bool,
    buffer: &mut Buffer<R>,
) -> io::Result<Option<u64>> {
    loop {
        out.begin_piece();
        let (unread, at_end, piece) = (buffer.unread(), buffer.is_at_end(), buffer.offset());
        let mut consumed = 0;
        if unread.is_empty() && at_end {
            if std::mem::replace(is_finished, true) {
                return Ok(None);
            }
            importer.finish(out);
        }
        while let Some(rest) = unread.get(consumed..).filter(|rest| !rest.is_empty()) {
            let len = importer.read(rest, at_end, out);
            // It has more entries of the same bytes, or needs more bytes.
            let is_over = len == 0;
            if is_over && out.is_record_empty() && (at_end || rest.len() > ENOUGH) {
                // An importer consumes everything here.
                consumed = unread.len();
                break;
            }
            out.end_record(len);
            consumed += len;
            if is_over || out.count() >= MANY {
                break;
            }
        }
        let needs_more = consumed == 0 && out.entries().is_empty() && !*is_finished;
        buffer.skip(consumed);
        if needs_more {
            buffer.fill()?;
        }
        if !out.entries().is_empty() {
            return Ok(Some(piece));
        }
    }
}

/// Reads up to the end of the record of an entry that was kept, as its importer did. Returns the number of the entry after the
/// last one that ends there.
fn release<R: Read>(
    recording: &ImportedRecording,
    number: usize,
    buffer: &mut Buffer<R>,
) -> io::Result<usize> {
    let entries = &recording.entries;
    let end_of = |entry: &Entry| {
        let len = if entry.len > 0 { u64::from(entry.len) + 1 } else { 0 };
        offset(signed(recording.preamble), entry).saturating_add(len)
    };
    let next = entries.get(number).map_or(u64::MAX, end_of);
    while buffer.offset() < next {
        match buffer.unread().len() {
            0 if buffer.is_at_end() => break,
            0 => buffer.fill()?,
            len => buffer.skip(len),
        }
    }
    let last = entries.len().min(number.saturating_add(MANY));
    let is_read = |entry: &Entry| end_of(entry) <= buffer.offset();
    let read = (number..last).take_while(|number| entries.get(*number).is_some_and(is_read));
    // One that reaches beyond the end of the input was imported from fewer bytes.
    Ok(last.min(number.saturating_add(read.count().max(1))))
}

fn signed(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

/// The offset of an entry.
#[inline]
fn offset(base: i64, entry: &Entry) -> u64 {
    u64::try_from(base.saturating_add(entry.at)).unwrap_or(0)
}

/// The item that an entry is, whose offset is relative to `base`.
#[inline]
fn item<'a>(entries: &'a Entries, entry: &Entry, base: i64, mode: Mode) -> Item<'a> {
    // A file of several cores may be one of the last core.
    let mut core = if entry.core < MAX_CORES { entry.core } else { 0 };
    let event = match &entry.content {
        _ if entry.core >= MAX_CORES => Err(Defect::CoreOutOfRange(entry.core)),
        Content::Event(decoded) => {
            let decoded = entries.event(entry, decoded);
            check(&decoded.event, &mut core, mode).map(|()| decoded)
        }
        Content::Break(what) => Err(Defect::Foreign(*what)),
        Content::Lost(lost) => Err(Defect::Missing(missing(core, lost))),
    };
    let offset = offset(base, entry);
    Item { core, offset, len: entry.len.into(), event, reported: None }
}

/// What a recorder reports to be missing on a core.
fn missing(core: u32, lost: &ReportedLoss) -> PacketLoss {
    let &ReportedLoss { from, to, packets, first, events } = lost;
    let stream = u8::try_from(core).unwrap_or(u8::MAX);
    PacketLoss { stream, from, to, packets, first, discarded: events }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::{Event, Str};
    use tband_import::Break;

    /// The first byte of a record is its length. It has that many entries less one, the last with a text; one of 7 is a break.
    #[derive(Debug, Default)]
    struct Records {
        number: u64,
    }

    impl Importer for Records {
        fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
            let Some(&len) = bytes.first() else { return 0 };
            let len = usize::from(len);
            if bytes.len() < len {
                return if at_end { bytes.len() } else { 0 };
            }
            self.number += 1;
            if len == 7 {
                // It began in the record before.
                out.broken(1, Break::Damage("seven"), 1, 8);
                return len;
            }
            for entry in 2..len {
                out.timed(0, self.number, &Event::IsrEnter { isr_id: entry as u32 });
            }
            if len > 1 {
                let msg = Str(&bytes[..len]);
                out.timed_text(0, self.number, &Event::Evtmarker { evtmarker_id: 1, msg });
            }
            len
        }

        fn finish(&mut self, out: &mut Output) {
            out.timed(0, self.number, &Event::IsrExit { isr_id: 1 });
        }

        fn about(&self) -> ForeignRecording {
            ForeignRecording { format: format!("{} records", self.number), ..Default::default() }
        }
    }

    /// Records of all lengths, more of them than are read at once.
    fn recording() -> Vec<u8> {
        let lens = (0..1000_u32).map(|number| ((number + number / 11) % 11 + 1) as u8);
        lens.flat_map(|len| std::iter::repeat_n(len, len.into())).collect()
    }

    /// Hands out a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(into.len()).min(self.0.len());
            into[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    /// The items with the offsets that were reached before each.
    fn items(events: &mut ForeignEvents, bytes: &[u8], at_once: usize) -> Vec<String> {
        let mut buffer = Buffer::new(Trickle(bytes, at_once), 256);
        let (mut items, mut reached) = (Vec::new(), 0);
        while events.read(&mut buffer).unwrap() {
            let before = events.returned(buffer.offset());
            assert!(reached <= before, "{reached} is after {before}");
            reached = before;
            let item = events.next_item(&mut buffer, Mode::FreeRtos).unwrap().unwrap();
            assert!(item.event.is_err() || reached <= item.offset + 1);
            items.push(format!("{item:?}"));
        }
        assert_eq!(buffer.offset(), bytes.len() as u64);
        items
    }

    #[test]
    fn kept_events_equal_imported_ones() {
        let bytes = recording();
        let mut expected = Vec::new();
        for at_once in [1, 7, 100, 1000] {
            let mut first = ForeignEvents::new(Box::<Records>::default());
            first.keep();
            let imported = items(&mut first, &bytes, at_once);
            let recording = first.recording().expect("it has ended");
            let mut kept = ForeignEvents::kept(recording);
            assert_eq!(items(&mut kept, &bytes, at_once), imported);
            assert_eq!(kept.about(), first.about());
            assert!(expected.is_empty() || expected == imported, "{at_once}");
            expected = imported;
        }
        assert!(expected.len() > 3000, "{}", expected.len());
        assert!(expected.iter().any(|item| item.contains("seven")));
    }

    #[test]
    fn each_entry_has_the_place_of_its_record() {
        let bytes = [1, 3, 3, 3, 1, 2, 2];
        let mut events = ForeignEvents::new(Box::<Records>::default());
        let mut buffer = Buffer::new(&bytes[..], 256);
        let mut places = Vec::new();
        while let Some(item) = events.next_item(&mut buffer, Mode::FreeRtos).unwrap() {
            places.push((item.offset, item.len));
        }
        assert_eq!(places, [(1, 2), (1, 0), (5, 1), (7, 0)]);
    }

    #[test]
    fn a_recording_that_was_not_read_to_its_end_is_not_kept() {
        let bytes = recording();
        let mut events = ForeignEvents::new(Box::<Records>::default());
        events.keep();
        let mut buffer = Buffer::new(&bytes[..], 256);
        assert!(events.next_item(&mut buffer, Mode::FreeRtos).unwrap().is_some());
        assert!(events.recording().is_none());
    }
}
