//! Reads the items of a foreign recording from its importer.

use std::io::{self, Read};

use tband_import::{Content, Entry, ForeignRecording, Importer, Output, ReportedLoss};

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

/// Reads the events of a foreign recording.
#[derive(Debug)]
pub struct ForeignEvents {
    importer: Box<dyn Importer>,
    /// The entries of the piece that was read last, and the number of the next one.
    out: Output,
    next: usize,
    /// Offsets in the input, and in the recording, to which those of entries are relative.
    piece: i64,
    base: i64,
    /// The core of the item that was returned last.
    core: Option<u32>,
    /// The importer has appended its final events.
    is_finished: bool,
}

impl ForeignEvents {
    /// Reads the events that this importer finds in the input.
    pub fn new(importer: Box<dyn Importer>) -> Self {
        Self {
            importer,
            out: Output::default(),
            next: 0,
            piece: 0,
            base: 0,
            core: None,
            is_finished: false,
        }
    }

    /// Facts about the recording.
    pub fn about(&self) -> ForeignRecording {
        self.importer.about()
    }

    /// An event waits.
    pub const fn has_event(&self) -> bool {
        self.next < self.out.count()
    }

    /// The offset up to which all items were returned, if everything up to `read` was read.
    pub fn returned(&self, read: u64) -> u64 {
        let next = self.out.get(self.next);
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
        self.next = 0;
        let piece = import(&mut *self.importer, &mut self.out, &mut self.is_finished, buffer)?;
        if let Some(piece) = piece {
            self.piece = signed(piece);
            self.base = self.piece.saturating_sub(signed(self.importer.preamble()));
        }
        Ok(piece.is_some())
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
        let out = &self.out;
        let Some(entry) = out.get(self.next) else { return Ok(None) };
        self.next += 1;
        let item = item(out, entry, self.base, mode);
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
            while let Some(entry) = self.out.get(self.next) {
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
        let out = &self.out;
        while let Some(entry) = out.get(self.next) {
            self.next += 1;
            let item = item(out, entry, self.base, mode);
            if let Some(census) = &mut census {
                census.item(&item);
            }
            let Ok(decoded) = &item.event else {
                visitor.other(&item)?;
                continue;
            };
            let place = LazyOffset { input: 0, end: item.offset, left: 0 };
            let origin = Origin { core: item.core, place, reported: None };
            let result = visitor.event(&origin, decoded);
            *events += u64::from(result.as_ref().err().is_none_or(V::has_taken));
            result?;
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
        let needs_more = consumed == 0 && out.is_empty() && !*is_finished;
        buffer.skip(consumed);
        if needs_more {
            buffer.fill()?;
        }
        if !out.is_empty() {
            return Ok(Some(piece));
        }
    }
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
fn item<'a>(out: &'a Output, entry: &Entry, base: i64, mode: Mode) -> Item<'a> {
    // A file of several cores may be one of the last core.
    let mut core = if entry.core < MAX_CORES { entry.core } else { 0 };
    let event = match &entry.content {
        _ if entry.core >= MAX_CORES => Err(Defect::CoreOutOfRange(entry.core)),
        Content::Event(decoded) => {
            let decoded = out.event(entry, decoded);
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
    fn items_do_not_depend_on_the_pieces_of_the_input() {
        let bytes = recording();
        let mut expected = Vec::new();
        for at_once in [1, 7, 100, 1000] {
            let mut events = ForeignEvents::new(Box::<Records>::default());
            let imported = items(&mut events, &bytes, at_once);
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
}
