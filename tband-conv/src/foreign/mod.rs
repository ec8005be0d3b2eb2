//! Recordings of other recorders: an importer reads them, and its events become items of the recording.

use std::io::{self, Read};

use tband_import::{
    Content, Entry, ForeignRecording, Importer, InputFormat, Output, RecognisedFormat, Recognition,
    ReportedLoss,
};

use crate::census::Census;
use crate::cores::MAX_CORES;
use crate::diagnostics::LazyOffset;
use crate::item::event_selection::EventSelection;
use crate::item::packet_loss::PacketLoss;
use crate::item::{Defect, Item, Mode, Origin, Visitor, check};
use crate::wire::buffer::Buffer;

/// Bytes of which importers have to consume some.
const ENOUGH: usize = 64 * 1024;

/// Finds out which importer reads bytes, if any does. `Ok(None)`: more of them show it.
pub fn find(
    format: InputFormat,
    bytes: &[u8],
    at_end: bool,
    core: u32,
) -> io::Result<Option<Option<ForeignEvents>>> {
    let open = |format| tband_import::open(format, core).map(ForeignEvents::new);
    match format {
        InputFormat::Tband => Ok(Some(None)),
        InputFormat::Auto => match tband_import::recognise(bytes, at_end) {
            Recognition::NeedsMore => Ok(None),
            Recognition::No => Ok(Some(None)),
            Recognition::Is(found) => match open(found.format) {
                // An importer reads text, not the binary file that another program converts to text.
                Some(events) if found.advice.is_empty() => Ok(Some(Some(events))),
                _ => Err(cannot_read(&found)),
            },
        },
        format => match open(format) {
            Some(events) => Ok(Some(Some(events))),
            None => Err(cannot_read(&RecognisedFormat {
                format,
                text: "a stream of a CTF trace, as given with --input-format".to_owned(),
                advice: ": name the folder with its file metadata",
            })),
        },
    }
}

/// The format of another recorder that the beginning of a file shows, if it shows one.
#[must_use]
pub fn recognised_format(bytes: &[u8]) -> Option<InputFormat> {
    match tband_import::recognise(bytes, true) {
        Recognition::Is(found) => Some(found.format),
        Recognition::NeedsMore | Recognition::No => None,
    }
}

/// What a recorder reports to be missing on a core.
fn missing(core: u32, lost: &ReportedLoss) -> PacketLoss {
    let &ReportedLoss { from, to, packets, first, events } = lost;
    let stream = u8::try_from(core).unwrap_or(u8::MAX);
    PacketLoss { stream, from, to, packets, first, discarded: events }
}

/// No importer is available.
fn cannot_read(found: &RecognisedFormat) -> io::Error {
    let RecognisedFormat { text, advice, .. } = found;
    let text = match *advice {
        "" => format!("it is {text}; tband cannot read it yet"),
        advice => format!("it is {text}{advice}"),
    };
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Reads the events of a foreign recording.
#[derive(Debug)]
pub struct ForeignEvents {
    importer: Box<dyn Importer>,
    out: Output,
    /// Offset of the piece that was read last, and the same without the bytes in front of the recording.
    piece: u64,
    offset: u64,
    /// The core of the item that was returned last.
    core: Option<u32>,
    /// The importer has appended its final events.
    is_finished: bool,
}

impl ForeignEvents {
    pub fn new(importer: Box<dyn Importer>) -> Self {
        Self {
            importer,
            out: Output::default(),
            piece: 0,
            offset: 0,
            core: None,
            is_finished: false,
        }
    }

    /// Facts about the recording.
    pub fn about(&self) -> ForeignRecording {
        self.importer.about()
    }

    /// An event waits.
    pub fn has_event(&self) -> bool {
        !self.out.is_empty()
    }

    /// The offset up to which all items were returned, if everything up to `read` was read.
    pub fn returned(&self, read: u64) -> u64 {
        if self.has_event() && self.out.is_untouched() { self.piece } else { read }
    }

    /// Reads until an entry waits. Returns false at the end of the input.
    ///
    /// # Errors
    /// The reader's error. Nothing is lost.
    pub fn read<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<bool> {
        while self.out.is_empty() {
            let (unread, at_end) = (buffer.unread(), buffer.is_at_end());
            self.piece = buffer.offset();
            if unread.is_empty() && at_end {
                if std::mem::replace(&mut self.is_finished, true) {
                    return Ok(false);
                }
                self.importer.finish(&mut self.out);
            } else {
                match self.importer.read(unread, at_end, &mut self.out) {
                    // It has more entries of the same bytes.
                    0 if !self.out.is_empty() => {}
                    0 if at_end || unread.len() > ENOUGH => {
                        // An importer consumes everything here.
                        let rest = unread.len();
                        buffer.skip(rest);
                    }
                    0 => buffer.fill()?,
                    len => {
                        self.out.set_len((len as u64).saturating_sub(1));
                        buffer.skip(len);
                    }
                }
            }
            self.offset = self.piece.saturating_sub(self.importer.preamble());
        }
        Ok(true)
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
        let Some(entry) = self.out.take() else { return Ok(None) };
        let item = item(&self.out, &entry, self.offset, mode);
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
            while let Some(entry) = self.out.oldest() {
                match entry.content {
                    Content::Event(decoded)
                        if Some(entry.core) == self.core && !wanted.is(decoded.event.id()) => {}
                    _ => return Ok(()),
                }
                self.out.advance();
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
        while let Some(entry) = self.out.oldest() {
            let item = item(&self.out, entry, self.offset, mode);
            if let Some(census) = &mut census {
                census.item(&item);
            }
            let result = match &item.event {
                Ok(decoded) => {
                    let place = LazyOffset { input: 0, end: item.offset, left: 0 };
                    let origin = Origin { core: item.core, place, reported: None };
                    let result = visitor.event(&origin, decoded);
                    let is_taken = result.as_ref().err().is_none_or(V::has_taken);
                    *events += u64::from(is_taken);
                    result
                }
                Err(_) => visitor.other(&item),
            };
            self.out.advance();
            result?;
        }
        Ok(())
    }
}

/// The item that an entry is.
#[inline]
fn item<'a>(out: &'a Output, entry: &Entry, offset: u64, mode: Mode) -> Item<'a> {
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
    let offset = offset.saturating_sub(entry.before);
    Item { core, offset, len: entry.len, event, reported: None }
}
