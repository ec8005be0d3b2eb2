//! Reads the items of a foreign recording from its importer, or from what an earlier pass kept of them.

use std::io::{self, Read};
use std::rc::Rc;

use tband_format::Event;
use tband_format::decode::{Decoded, EventHandler};
use tband_import::importer::{ForeignRecording, Importer};
use tband_import::output::{Content, Cursor, EventRecord, Output, Record};

use super::entry::{item, offset};
use super::kept::{Keeper, KeptRecording, Part};
use crate::census::Census;
use crate::cores::MAX_CORES;
use crate::diagnostics::LazyOffset;
use crate::item::event_selection::EventSelection;
use crate::item::{Item, Mode, Origin, Visitor};
use crate::wire::buffer::Buffer;

/// Bytes of which importers have to consume some.
const ENOUGH: usize = 64 * 1024;
/// Bytes of the entries of a part that is kept, and of those that one read may add.
const PART: usize = 64 * 1024;
const MORE: usize = 4 * 1024;

/// Where the entries come from.
#[derive(Debug)]
enum EntrySource {
    /// An importer appends them.
    Importer(Box<Imports>),
    /// An earlier pass has kept all.
    Kept(KeptParts),
}

/// An importer, and the entries of the part that it reads.
#[derive(Debug)]
struct Imports {
    importer: Box<dyn Importer>,
    out: Output,
    /// Offset in the input to which those of entries are relative.
    begin: i64,
    /// The importer has appended its final events.
    is_finished: bool,
    keeper: Keeper,
}

/// A kept recording, of which so many parts were read.
#[derive(Debug)]
struct KeptParts {
    recording: Rc<KeptRecording>,
    read: usize,
}

/// Entries that were read, of which some may wait.
struct ReadEntries<'s> {
    entries: &'s Output,
    /// Offset in the input to which those of entries are relative, and bytes of the input in front of the recording.
    begin: i64,
    preamble: u64,
}

impl ReadEntries<'_> {
    /// Offset in the recording to which those of entries are relative.
    fn base(&self) -> i64 {
        self.begin.saturating_sub(signed(self.preamble))
    }
}

impl EntrySource {
    /// The entries that were read last, if any were.
    #[inline]
    fn entries(&self) -> Option<ReadEntries<'_>> {
        match self {
            Self::Importer(imports) => {
                let Imports { importer, out, begin, .. } = &**imports;
                Some(ReadEntries { entries: out, begin: *begin, preamble: importer.preamble() })
            }
            Self::Kept(KeptParts { recording, read }) => {
                let Part { entries, begin, .. } = recording.parts.get(read.checked_sub(1)?)?;
                Some(ReadEntries { entries, begin: *begin, preamble: recording.preamble })
            }
        }
    }
}

/// Reads the events of a foreign recording.
#[derive(Debug)]
pub struct ForeignEvents {
    source: EntrySource,
    /// Before the next of the entries that were read last.
    next: Cursor,
    /// The core of the item that was returned last.
    core: Option<u32>,
}

impl ForeignEvents {
    fn of(source: EntrySource) -> Self {
        Self { source, next: Cursor::default(), core: None }
    }

    /// Reads the events that this importer finds in the input.
    pub fn new(importer: Box<dyn Importer>) -> Self {
        Self::of(EntrySource::Importer(Box::new(Imports {
            importer,
            out: Output::default(),
            begin: 0,
            is_finished: false,
            keeper: Keeper::Off,
        })))
    }

    /// Reads the events that an earlier pass has kept.
    pub fn kept(recording: Rc<KeptRecording>) -> Self {
        Self::of(EntrySource::Kept(KeptParts { recording, read: 0 }))
    }

    /// Keeps all events for later passes, if nothing was read yet.
    pub fn keep(&mut self) {
        if let EntrySource::Importer(imports) = &mut self.source
            && imports.begin == 0
            && imports.out.is_empty()
        {
            imports.keeper = Keeper::begin();
        }
    }

    /// The recording, if all its events were kept.
    pub fn recording(&self) -> Option<Rc<KeptRecording>> {
        match &self.source {
            EntrySource::Importer(imports) => match &imports.keeper {
                Keeper::Kept(recording) => Some(Rc::clone(recording)),
                Keeper::Off | Keeper::Keeps(..) => None,
            },
            EntrySource::Kept(kept) => Some(Rc::clone(&kept.recording)),
        }
    }

    /// Facts about the recording.
    pub fn about(&self) -> ForeignRecording {
        match &self.source {
            EntrySource::Importer(imports) => imports.importer.about(),
            EntrySource::Kept(kept) => kept.recording.about.clone(),
        }
    }

    /// As [`Importer::shares_wakes`].
    pub fn shares_wakes(&self) -> bool {
        match &self.source {
            EntrySource::Importer(imports) => imports.importer.shares_wakes(),
            EntrySource::Kept(kept) => kept.recording.shares_wakes,
        }
    }

    /// Zeros with which the recording may begin, at most.
    pub fn leading_zeros(&self) -> usize {
        match &self.source {
            EntrySource::Importer(imports) => imports.importer.leading_zeros(),
            EntrySource::Kept(_) => 0,
        }
    }

    /// An event waits.
    pub fn has_event(&self) -> bool {
        self.source.entries().is_some_and(|read| self.next.has_next(read.entries))
    }

    /// The offset up to which all items were returned, if everything up to `read` was read.
    pub fn returned(&self, read: u64) -> u64 {
        let mut next = self.next;
        let waits = self.source.entries().and_then(|ReadEntries { entries, begin, .. }| {
            next.next(entries).map(|record| offset(begin, record.at()))
        });
        waits.map_or(read, |next| next.min(read))
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
            EntrySource::Importer(imports) => imports.read(buffer, &mut self.next),
            EntrySource::Kept(KeptParts { recording, read }) => {
                let part = recording.parts.get(*read);
                let end = part.map_or(u64::MAX, |part| part.read_to);
                while buffer.offset() < end {
                    match buffer.unread().len() {
                        0 if buffer.is_at_end() => break,
                        0 => buffer.fill()?,
                        len => buffer.skip(len),
                    }
                }
                if part.is_some() {
                    *read += 1;
                    self.next = Cursor::default();
                }
                Ok(part.is_some())
            }
        }
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
        let Some(read) = self.source.entries() else { return Ok(None) };
        let Some(record) = self.next.next(read.entries) else { return Ok(None) };
        let item = item(read.entries, &record, read.base(), mode);
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
        let core = self.core;
        while self.read(buffer)? {
            let Some(ReadEntries { entries, .. }) = self.source.entries() else { break };
            // What waits was appended by the last call of the importer.
            if matches!(self.source, EntrySource::Importer(_))
                && core.is_some_and(|core| entries.has_only(core, |id| !wanted.is(id)))
            {
                self.next = Cursor::at_end(entries);
                *skipped = true;
                continue;
            }
            // By value, so that it can be in registers.
            let (mut before, mut after) = (self.next, self.next);
            let is_over = loop {
                let Some(record) = after.next(entries) else { break false };
                let id = match &record {
                    Record::Event(event) => Some(event.id),
                    Record::Other(entry) => match &entry.content {
                        Content::Event(decoded) => Some(decoded.event.id()),
                        Content::Break(_) | Content::Lost(_) => None,
                    },
                };
                if Some(record.core()) != core || id.is_none_or(|id| wanted.is(id)) {
                    break true;
                }
                before = after;
                *skipped = true;
            };
            self.next = before;
            if is_over {
                break;
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
        (events, census): (&mut u64, Option<&mut Census>),
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        let mut counts = (events, census);
        let Some(read) = self.source.entries() else { return Ok(()) };
        let (entries, base) = (read.entries, read.base());
        // By value, so that it can be in registers.
        let mut cursor = self.next;
        let result = loop {
            let Some(record) = cursor.next(entries) else { break Ok(()) };
            let passed = match record {
                Record::Event(event) if mode != Mode::BareMetal => {
                    pass(&event, base, &mut counts, visitor)
                }
                _ => None,
            };
            let result = match passed {
                Some(result) => result,
                None => show(&item(entries, &record, base, mode), &mut counts, visitor),
            };
            if result.is_err() {
                break result;
            }
        };
        self.next = cursor;
        result
    }
}

/// Counts of the events that were shown.
type Counts<'c> = (&'c mut u64, Option<&'c mut Census>);

/// Shows an item to the visitor.
#[inline]
fn show<V: Visitor>(
    item: &Item<'_>,
    (events, census): &mut Counts<'_>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    if let Some(census) = census {
        census.item(item);
    }
    let Ok(decoded) = &item.event else {
        return visitor.other(item);
    };
    let place = LazyOffset { input: 0, end: item.offset, left: 0 };
    let origin = Origin { core: item.core, place, reported: None };
    let result = visitor.event(&origin, decoded);
    **events += u64::from(result.as_ref().err().is_none_or(V::has_taken));
    result
}

/// Passes an event to the visitor's fast path. `None`: it has to be shown.
#[inline]
fn pass<V: Visitor>(
    event: &EventRecord<'_>,
    base: i64,
    (events, census): &mut Counts<'_>,
    visitor: &mut V,
) -> Option<Result<(), V::Error>> {
    let &EventRecord { id, ts, fields, core, at, len } = event;
    if core >= MAX_CORES {
        return None;
    }
    let place = LazyOffset { input: 0, end: offset(base, at), left: 0 };
    let handler = PassingHandler { origin: Origin { core, place, reported: None }, visitor };
    let result = match Event::fixed_with(id, ts, fields, handler)? {
        Ok(false) => return None,
        Ok(true) => Ok(()),
        Err(error) => Err(error),
    };
    if let Some(census) = census {
        census.kind(id).add(if len > 0 { u64::from(len) + 1 } else { 0 });
    }
    **events += u64::from(result.as_ref().err().is_none_or(V::has_taken));
    Some(result)
}

/// Passes an event to the visitor.
struct PassingHandler<'v, V> {
    origin: Origin,
    visitor: &'v mut V,
}

impl<V: Visitor> EventHandler<'_> for PassingHandler<'_, V> {
    type Out = Result<bool, V::Error>;

    const FREQUENT: [bool; 256] = V::FREQUENT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(self, decoded: Decoded<'_>) -> Self::Out {
        self.visitor.pass(&self.origin, &decoded)
    }
}

impl Imports {
    /// Reads until an entry waits, after all others were returned. `next` is then before it.
    fn read<R: Read>(&mut self, buffer: &mut Buffer<R>, next: &mut Cursor) -> io::Result<bool> {
        if !self.keeper.is_on() || self.out.is_empty() || self.out.used() >= PART {
            self.end_part(buffer.offset());
            *next = Cursor::default();
        }
        let has_entry = self.import(buffer)?;
        if !has_entry {
            self.end_part(buffer.offset());
            *next = Cursor::default();
            let Self { importer, keeper, .. } = self;
            keeper.finish(importer.about(), importer.preamble(), importer.shares_wakes());
        }
        Ok(has_entry)
    }

    /// A part ends, up to whose end the input is read.
    fn end_part(&mut self, read_to: u64) {
        if self.keeper.is_on() && !self.out.is_empty() {
            let next = Output::with_capacity(PART + MORE);
            let entries = std::mem::replace(&mut self.out, next);
            self.keeper.keep(Part { entries, begin: self.begin, read_to });
        }
        self.out.clear();
        self.begin = signed(read_to);
    }

    /// Calls the importer until it has appended entries. Returns false at the end of the input.
    fn import<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<bool> {
        let Self { importer, out, is_finished, .. } = self;
        let before = out.count();
        out.begin_call();
        loop {
            let (unread, at_end) = (buffer.unread(), buffer.is_at_end());
            let mut consumed = 0;
            if unread.is_empty() && at_end {
                if std::mem::replace(is_finished, true) {
                    return Ok(false);
                }
                importer.finish(out);
            }
            while let Some(rest) = unread.get(consumed..).filter(|rest| !rest.is_empty()) {
                let len = importer.read(rest, at_end, out);
                // It has more entries of the same bytes, or needs more bytes.
                let is_over = len == 0;
                if is_over && out.is_record_empty() && (at_end || rest.len() > ENOUGH) {
                    // An importer consumes everything here.
                    out.skip(rest.len());
                    consumed = unread.len();
                    break;
                }
                out.end_call(len);
                consumed += len;
                if is_over || !out.has_room() {
                    break;
                }
            }
            let has_entry = out.count() > before;
            let needs_more = consumed == 0 && !has_entry && !*is_finished;
            buffer.skip(consumed);
            if needs_more {
                buffer.fill()?;
            }
            if has_entry {
                return Ok(true);
            }
        }
    }
}

fn signed(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::Str;
    use tband_import::gaps::Break;

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
            // Now and then on another core, or on one that cannot be.
            let core = [0, 0, 0, 2, 0, 70][self.number as usize / 9 % 6];
            for entry in 2..len {
                out.timed(core, self.number << len, &Event::IsrEnter { isr_id: entry as u32 });
            }
            if len == 5 {
                out.metadata(0, &Event::IsrName { isr_id: 1, name: Str(&[b'a'; 300]) });
            }
            if len > 1 {
                let msg = Str(&bytes[..len]);
                out.timed(0, self.number, &Event::Evtmarker { evtmarker_id: 1, msg });
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
            let mut kept = ForeignEvents::kept(Rc::clone(&recording));
            assert_eq!(items(&mut kept, &bytes, at_once), imported);
            assert_eq!(kept.about(), first.about());
            let importer = ForeignEvents::new(Box::<Records>::default());
            let of_importer = visited_items(importer, &bytes, at_once);
            assert_eq!(of_importer.0.len(), imported.len());
            let of_kept = visited_items(ForeignEvents::kept(recording), &bytes, at_once);
            assert_eq!(of_kept, of_importer);
            assert!(expected.is_empty() || expected == imported, "{at_once}");
            expected = imported;
        }
        assert!(expected.len() > 3000, "{}", expected.len());
        for content in ["seven", "CoreOutOfRange", "core: 2"] {
            assert!(expected.iter().any(|item| item.contains(content)), "{content}");
        }
    }

    /// Collects the items and events that it gets.
    #[derive(Default)]
    struct Collector(Vec<String>);

    impl Visitor for Collector {
        type Error = io::Error;

        fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> io::Result<()> {
            self.0.push(format!("{} {} {decoded:?}", origin.core, origin.offset()));
            Ok(())
        }

        fn other(&mut self, item: &Item<'_>) -> io::Result<()> {
            self.0.push(format!("{item:?}"));
            Ok(())
        }
    }

    /// What a visitor is shown, the number of events, and that of the most frequent kind with its bytes.
    fn visited_items(
        mut events: ForeignEvents,
        bytes: &[u8],
        at_once: usize,
    ) -> (Vec<String>, u64, String) {
        let mut buffer = Buffer::new(Trickle(bytes, at_once), 256);
        let (mut count, mut census, mut collector) = (0, Census::default(), Collector::default());
        while events.read(&mut buffer).unwrap() {
            let counts = (&mut count, Some(&mut census));
            events.visit(Mode::FreeRtos, counts, &mut collector).unwrap();
        }
        (collector.0, count, format!("{:?}", census.kinds().collect::<Vec<_>>()))
    }

    /// Each byte is an event with a long text.
    #[derive(Debug)]
    struct Texts;

    impl Importer for Texts {
        fn read(&mut self, bytes: &[u8], _: bool, out: &mut Output) -> usize {
            let msg = Str(&[b'a'; 10_000]);
            out.timed(0, 1, &Event::Evtmarker { evtmarker_id: 1, msg });
            bytes.len().min(1)
        }

        fn about(&self) -> ForeignRecording {
            ForeignRecording::default()
        }
    }

    #[test]
    fn a_part_ends_before_long_texts_fill_the_memory() {
        let bytes = [0; 10_000];
        let mut events = ForeignEvents::new(Box::new(Texts));
        events.keep();
        let mut buffer = Buffer::new(&bytes[..], 256);
        let mut count = 0;
        while events.next_item(&mut buffer, Mode::FreeRtos).unwrap().is_some() {
            count += 1;
            let EntrySource::Importer(imports) = &events.source else { panic!("it imports") };
            assert!(imports.out.memory() < 4 << 20, "{count}: {}", imports.out.memory());
        }
        // All of them take too much memory.
        assert_eq!((count, events.recording().is_some()), (bytes.len(), false));
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
}
