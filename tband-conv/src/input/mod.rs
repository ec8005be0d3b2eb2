//! The inputs of a conversion: each has a name, and consists of one file or several consecutive ones.
//!
//! A conversion reads each input twice, first for names and other metadata, which may be anywhere, then for the events. So an
//! input is a factory of readers. The library itself opens no files; callers pass closures, or bytes in memory. An input that
//! can be read only once ([`Input::once`]) is opened once in any case: inspecting its beginning leaves all bytes for the later
//! reader.

pub mod copies;
pub(crate) mod credibility;
pub mod group;
pub(crate) mod push_buffer;

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use tband_format::Event;
use tband_import::ctf::CtfTrace;
use tband_import::format::InputFormat;

use crate::cores::MAX_CORES;
use crate::drift::aligned::Aligned;
use crate::drift::board::Board;
use crate::drift::map::Alignment;
use crate::encoding::notation::{Beginning, BoxRead, Format, is_perfetto};
use crate::error::ConvError;
use crate::events::EventReader;
use crate::foreign::kept::KeptRecording;
use crate::item::Mode;
use crate::wire::Wire;

type OpenFn<'a> = Box<dyn Fn() -> io::Result<BoxRead<'a>> + 'a>;

/// One input of a conversion.
pub struct Input<'a> {
    /// One after the other; at least one.
    parts: Vec<InputPart<'a>>,
    core: u32,
    /// Offset in the recording at which each part begins, as far as it was read.
    starts: RefCell<Vec<u64>>,
    /// Its times are given as those of another clock.
    alignment: Option<Rc<Alignment>>,
    /// Its board, if it is read together with other boards.
    board: Option<Rc<Board>>,
    /// It names the main program by its former number.
    has_former_main: Cell<bool>,
    /// Whose format it has, if the user names it.
    input_format: InputFormat,
    /// It is a stream of this trace.
    trace: Option<Rc<CtfTrace>>,
    /// Its events, if it is of another recorder and a pass has imported them.
    imported: RefCell<Option<Rc<KeptRecording>>>,
    /// It can be read once only.
    read_once: bool,
    /// Offsets up to which it had come at times in ns of the computer that received it.
    received: Rc<[(u64, u64)]>,
}

/// A file, or a similar source.
struct InputPart<'a> {
    name: String,
    format: Format,
    open: OpenFn<'a>,
    beginning: OnceCell<Beginning>,
    /// It was opened to inspect its beginning, and was not read yet.
    opened: RefCell<Option<BoxRead<'a>>>,
}

impl<'a> Input<'a> {
    /// An input of this name (for messages) that `open` opens, each time from its start.
    pub fn new(name: impl Into<String>, open: impl Fn() -> io::Result<BoxRead<'a>> + 'a) -> Self {
        let part = InputPart {
            name: name.into(),
            format: Format::Bin,
            open: Box::new(open),
            beginning: OnceCell::new(),
            opened: RefCell::new(None),
        };
        Self {
            parts: vec![part],
            core: 0,
            starts: RefCell::default(),
            alignment: None,
            board: None,
            has_former_main: Cell::new(false),
            input_format: InputFormat::Auto,
            trace: None,
            imported: RefCell::default(),
            read_once: false,
            received: [].into(),
        }
    }

    /// An input that can be read once: enough for a dump, not for a conversion.
    pub fn once(name: impl Into<String>, reader: impl Read + 'a) -> Self {
        let reader = RefCell::new(Some(reader));
        let input = Self::new(name, move || match reader.take() {
            Some(reader) => Ok(Box::new(reader) as BoxRead<'a>),
            None => Err(io::Error::other("it can be read once only")),
        });
        Self { read_once: true, ..input }
    }

    /// Whether it was created by [`once`](Self::once).
    #[must_use]
    pub const fn is_read_once(&self) -> bool {
        self.read_once
    }

    /// An input that is in memory.
    pub fn from_bytes(name: impl Into<String>, bytes: &'a [u8]) -> Self {
        Self::new(name, move || Ok(Box::new(bytes)))
    }

    /// Sets the core that events belong to until the recording reports another one (default 0). It must be below [`MAX_CORES`]:
    /// an input of another core cannot be opened.
    #[must_use]
    pub fn on_core(mut self, core: u32) -> Self {
        self.core = core;
        self
    }

    /// Sets how the bytes are written down (default [`Format::Bin`]).
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        for part in &mut self.parts {
            part.format = format;
        }
        self
    }

    /// Sets whose format it has (default: the one that its content shows).
    #[must_use]
    pub const fn of_format(mut self, format: InputFormat) -> Self {
        self.input_format = format;
        self
    }

    /// It is a stream of this CTF trace.
    #[must_use]
    pub fn of_trace(mut self, trace: Rc<CtfTrace>) -> Self {
        self.trace = Some(trace);
        self
    }

    /// The CTF trace that it is a stream of.
    #[must_use]
    pub const fn trace(&self) -> Option<&Rc<CtfTrace>> {
        self.trace.as_ref()
    }

    /// The recorder whose format it has, if the user names it.
    #[must_use]
    pub const fn input_format(&self) -> InputFormat {
        self.input_format
    }

    /// Sets the times of reception: pairs of an offset of the recording and a time in ns of the receiving computer, by rising
    /// offset. All bytes before the offset had arrived at that time.
    #[must_use]
    pub fn with_received(mut self, received: impl Into<Rc<[(u64, u64)]>>) -> Self {
        self.received = received.into();
        self
    }

    /// Returns its times of reception, if they are known.
    pub(crate) fn received(&self) -> &[(u64, u64)] {
        &self.received
    }

    /// Returns the known facts about its clocks, if they were aligned, except for the first clock of all.
    pub(crate) fn clocks(&self) -> &[Aligned] {
        self.alignment.as_deref().map_or(&[], Alignment::about)
    }

    /// Returns the offsets at which the target was reset, from its own clock, if its times are given in another clock.
    pub(crate) fn resets(&self) -> &[u64] {
        self.alignment.as_deref().map_or(&[], Alignment::resets)
    }

    /// Its times are given as those of another clock.
    pub(crate) const fn is_aligned(&self) -> bool {
        self.alignment.is_some()
    }

    /// Converts to the times of another clock.
    #[must_use]
    pub(crate) fn aligned(mut self, alignment: Rc<Alignment>) -> Self {
        self.alignment = Some(alignment);
        self
    }

    /// Later passes read the events that one has imported.
    pub(crate) fn set_imported(&self, imported: Option<Rc<KeptRecording>>) {
        self.imported.replace(imported);
    }

    /// It was found to name the main program by its former number.
    pub(crate) fn set_former_main(&self) {
        self.has_former_main.set(true);
    }

    /// It is known to name the main program by its former number.
    pub(crate) const fn has_former_main(&self) -> bool {
        self.has_former_main.get()
    }

    /// Its board, if it is read together with other boards.
    pub(crate) fn board(&self) -> Option<&Board> {
        self.board.as_deref()
    }

    /// It is of a board, and is read together with other boards.
    #[must_use]
    pub(crate) fn of_board(mut self, board: Board) -> Self {
        self.board = Some(Rc::new(board));
        self
    }

    /// Continues with another input where this one ends: one recording that was cut in two, perhaps inside a frame. The core of
    /// the other input is ignored. If it begins with the start of a stream, it is assumed to begin with a frame.
    #[must_use]
    pub fn followed_by(mut self, next: Self) -> Self {
        self.parts.extend(next.parts);
        self
    }

    /// Names for messages, one a file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }

    /// All names, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }

    /// Returns the core that events belong to until the recording reports another one.
    #[must_use]
    pub fn core(&self) -> u32 {
        self.board().map_or(self.core, |board| board.core(self.core))
    }

    /// Returns the core whose stream starts with the first byte, if one does. This inspects the beginning without consuming it.
    ///
    /// # Errors
    /// [`ConvError::Read`] if the input cannot be opened.
    pub fn core_of_stream_start(&self) -> Result<Option<u32>, ConvError> {
        let Some(part) = self.parts.first() else { return Ok(None) };
        Ok(part.beginning().map_err(|error| part.read_error(error))?.core_of_stream_start())
    }

    /// The first bytes of the recording, which are left to be read.
    ///
    /// # Errors
    /// [`ConvError::Read`] if the input cannot be opened.
    fn head(&self) -> Result<&[u8], ConvError> {
        let Some(part) = self.parts.first() else { return Ok(&[]) };
        Ok(&part.beginning().map_err(|error| part.read_error(error))?.head)
    }

    /// Whether it is a Perfetto trace instead of a recording. This inspects the beginning without consuming it.
    ///
    /// # Errors
    /// [`ConvError::Read`] if the input cannot be opened.
    pub fn is_perfetto(&self) -> Result<bool, ConvError> {
        Ok(is_perfetto(self.head()?))
    }

    /// Returns the format of the recording; `None` if its files have different ones. This inspects the beginning of each, which
    /// is known once it was opened.
    pub(crate) fn wire(&self) -> Option<Wire> {
        // Streams of CTF traces begin as packets do.
        if self.trace.is_some() {
            return Some(Wire::Frames);
        }
        let mut wires = self.parts.iter().filter_map(|part| part.beginning().ok()?.wire());
        let first = wires.next().unwrap_or(Wire::Frames);
        wires.all(|wire| wire == first).then_some(first)
    }

    /// A reader of the recording's bytes, text already turned into them.
    ///
    /// # Errors
    /// [`ConvError::Read`] if the input cannot be opened, [`ConvError::NoSuchCore`] if its core cannot be.
    pub fn open(&self) -> Result<BoxRead<'_>, ConvError> {
        if self.core >= MAX_CORES {
            return Err(ConvError::NoSuchCore { input: self.name(), core: self.core });
        }
        self.note_start(0, 0);
        match self.parts.as_slice() {
            [part] => part.open().map_err(|error| part.read_error(error)),
            _ => Ok(Box::new(JoinedReader::new(self, false))),
        }
    }

    /// A reader of its events.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub(crate) fn events(&self, mode: Mode) -> Result<EventReader<BoxRead<'_>>, ConvError> {
        self.events_of(mode, |reader| reader)
    }

    /// As [`events`](Self::events), for a reader that wraps the input's.
    pub(crate) fn events_of<'s, R: Read>(
        &'s self,
        mode: Mode,
        of: impl FnOnce(BoxRead<'s>) -> R,
    ) -> Result<EventReader<R>, ConvError> {
        let reader = self.open()?;
        let events = if !self.is_joined() || self.wire().is_some() {
            EventReader::new(of(reader), self.core, mode)
        } else {
            let reader = Box::new(JoinedReader::new(self, true));
            EventReader::new(of(reader), self.core, mode).in_sections()
        };
        let events = events
            .of_format(self.input_format)
            .of_trace(self.trace.as_ref())
            .with_imported(self.imported.borrow().clone())
            .aligned(self.alignment.clone())
            .of_board(self.board.clone());
        Ok(events.with_former_main(self.has_former_main.get()))
    }

    /// Returns the file of an offset of the recording, and the offset in that file. Only offsets that were read are known.
    #[must_use]
    pub fn find(&self, offset: u64) -> (&str, u64) {
        let starts = self.starts.borrow();
        let index = starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = starts.get(index).copied().unwrap_or(0);
        let name = self.parts.get(index).map_or("?", |part| part.name.as_str());
        (name, offset.saturating_sub(start))
    }

    /// Notes where a part begins.
    fn note_start(&self, part: usize, offset: u64) {
        let mut starts = self.starts.borrow_mut();
        starts.truncate(part);
        starts.push(offset);
    }

    /// The files with the offsets of the recording at which they begin, as far as it was read.
    pub(crate) fn files(&self) -> Vec<(String, u64)> {
        let starts = self.starts.borrow();
        let starts = starts.iter().copied().chain(std::iter::repeat(u64::MAX));
        self.names().map(str::to_owned).zip(starts).collect()
    }

    /// It is several files, one after the other.
    pub(crate) const fn is_joined(&self) -> bool {
        self.parts.len() > 1
    }

    /// What to try if this turns out not to be a recording.
    pub(crate) fn hint(&self) -> &'static str {
        let part = self.parts.first();
        part.and_then(|part| part.beginning.get()).map_or("", Beginning::hint)
    }

    pub(crate) fn read_error(&self, source: io::Error) -> ConvError {
        // Joined inputs are read one after the other, so the error is in the one that was opened last.
        let index = self.starts.borrow().len().saturating_sub(1);
        let input = self.parts.get(index).map(|part| part.name.clone()).unwrap_or_default();
        ConvError::Read { input, source }
    }
}

impl<'a> InputPart<'a> {
    fn open(&self) -> io::Result<BoxRead<'a>> {
        if let Some(opened) = self.opened.take() {
            return Ok(opened);
        }
        let mut reader = (self.open)()?;
        if let Some(beginning) = self.beginning.get() {
            return Ok(beginning.notation.decode(reader));
        }
        let beginning = Beginning::read(&mut reader, self.format)?;
        let whole = beginning.whole(reader);
        // It was not set a moment ago.
        let _ = self.beginning.set(beginning);
        Ok(whole)
    }

    /// Returns the facts known from the first bytes, without consuming them.
    fn beginning(&self) -> io::Result<&Beginning> {
        if self.beginning.get().is_none() {
            let opened = self.open()?;
            self.opened.replace(Some(opened));
        }
        self.beginning.get().ok_or_else(|| io::Error::other("it cannot be opened"))
    }

    fn read_error(&self, source: io::Error) -> ConvError {
        ConvError::Read { input: self.name.clone(), source }
    }
}

impl Beginning {
    /// The format, if that is certain.
    fn wire(&self) -> Option<Wire> {
        Wire::certain(&self.head)
    }

    /// Whether a stream of frames starts with the first byte. A packet needs no byte that separates it from the previous one.
    fn is_start_of_frames(&self) -> bool {
        self.wire() != Some(Wire::Packets) && self.core_of_stream_start().is_some()
    }

    /// The core that a `core_id` of time 0 at the very start names, as at the start of every stream.
    fn core_of_stream_start(&self) -> Option<u32> {
        let mut events = EventReader::new(&*self.head, 0, Mode::FreeRtos);
        let item = events.next_item().ok().flatten().filter(|item| item.offset == 0)?;
        let decoded = item.event.ok()?;
        match (decoded.ts, decoded.event) {
            (Some(0), Event::CoreId { core_id }) => Some(core_id),
            _ => None,
        }
    }
}

/// Reads one part after the other.
struct JoinedReader<'i, 'a> {
    input: &'i Input<'a>,
    /// It ends, once, before a part of another format than those before it, if requested.
    in_sections: bool,
    /// The format of the parts so far, as far as it is certain.
    wire: Option<Wire>,
    /// The current part, or the next one.
    part: usize,
    reader: Option<BoxRead<'a>>,
    /// Bytes that were read so far, and the last of them.
    offset: u64,
    last: u8,
}

impl<'i, 'a> JoinedReader<'i, 'a> {
    const fn new(input: &'i Input<'a>, in_sections: bool) -> Self {
        Self { input, in_sections, wire: None, part: 0, reader: None, offset: 0, last: 0 }
    }

    /// Whether a part of another format is next. Returns true once.
    fn is_at_section(&mut self, part: &InputPart<'_>) -> io::Result<bool> {
        let before = self.wire;
        self.wire = part.beginning()?.wire().or(before);
        Ok(before.is_some() && before != self.wire)
    }
}

impl Read for JoinedReader<'_, '_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(reader) = &mut self.reader {
                let len = reader.read(buf)?;
                if let Some(last) = len.checked_sub(1) {
                    self.last = buf.get(last).copied().unwrap_or(0);
                    self.offset = self.offset.saturating_add(len as u64);
                }
                if len > 0 || buf.is_empty() {
                    return Ok(len);
                }
                (self.reader, self.part) = (None, self.part.saturating_add(1));
            }
            let Some(part) = self.input.parts.get(self.part) else { return Ok(0) };
            if self.in_sections && self.is_at_section(part)? {
                self.last = 0;
                return Ok(0);
            }
            self.input.note_start(self.part, self.offset);
            let starts_anew = self.last != 0 && part.beginning()?.is_start_of_frames();
            if let (true, Some(first)) = (starts_anew, buf.first_mut()) {
                // A frame that broke off ends here.
                (*first, self.last) = (0, 0);
                self.offset = self.offset.saturating_add(1);
                return Ok(1);
            }
            self.reader = Some(part.open()?);
        }
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.names().collect();
        f.debug_struct("Input")
            .field("names", &names)
            .field("core", &self.core)
            .finish_non_exhaustive()
    }
}
