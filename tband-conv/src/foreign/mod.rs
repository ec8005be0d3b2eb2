//! Recordings of other recorders: an importer reads them, and what it gives comes out as items of the recording.

use std::io::{self, Read};

use tband_format::Decoded;
use tband_import::{About, Content, Importer, InputFormat, Output, Recognised, Recognition};

use crate::cores::MAX_CORES;
use crate::item::{Defect, Item, Mode, check};
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
                // An importer reads text, not the binary file that another program makes text of.
                Some(events) if found.advice.is_empty() => Ok(Some(Some(events))),
                _ => Err(cannot_read(&found)),
            },
        },
        format => match open(format) {
            Some(events) => Ok(Some(Some(events))),
            None => Err(cannot_read(&Recognised {
                format,
                text: "of a format that --input-format names".to_owned(),
                advice: "",
            })),
        },
    }
}

/// There is no importer.
fn cannot_read(found: &Recognised) -> io::Error {
    let Recognised { text, advice, .. } = found;
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
    /// Offset of the piece that was read last.
    offset: u64,
}

impl ForeignEvents {
    fn new(importer: Box<dyn Importer>) -> Self {
        Self { importer, out: Output::default(), offset: 0 }
    }

    /// Facts about the recording.
    pub fn about(&self) -> About {
        self.importer.about()
    }

    /// An event waits.
    pub fn has_event(&self) -> bool {
        !self.out.is_empty()
    }

    /// The next item; `None` at the end of the input.
    ///
    /// # Errors
    /// What the reader reports. Nothing is lost by that.
    pub fn next_item<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        mode: Mode,
    ) -> io::Result<Option<Item<'_>>> {
        while self.out.is_empty() {
            let (unread, at_end) = (buffer.unread(), buffer.is_at_end());
            if unread.is_empty() && at_end {
                return Ok(None);
            }
            self.offset = buffer.offset();
            match self.importer.read(unread, at_end, &mut self.out) {
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
        let Some(entry) = self.out.take() else { return Ok(None) };
        // A file of several cores may be one of the last core.
        let mut core = if entry.core < MAX_CORES { entry.core } else { 0 };
        let event = match entry.content {
            _ if entry.core >= MAX_CORES => Err(Defect::CoreOutOfRange(entry.core)),
            Content::Event(event) => {
                let event = event.with_text(self.out.text(&entry));
                check(&event, &mut core, mode).map(|()| Decoded { ts: entry.ts, event })
            }
            Content::Break(what) => Err(Defect::Foreign(what)),
        };
        let offset = self.offset.saturating_sub(entry.before);
        Ok(Some(Item { core, offset, len: entry.len, event, reported: None }))
    }
}
