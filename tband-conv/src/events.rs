//! From one input's bytes to its events, in file order: frames or packets, decoding, and which core each event belongs to.
//!
//! In frames, `core_id` events switch the core of later events. Nothing is dropped silently: an item that is not an event
//! becomes a [`Defect`] with its place.

use std::io::{self, Read};
use std::rc::Rc;

use tband_format::decode::{
    Decoded, EventHandler, FrameError, WINDOW, decode_in_window, decode_payload,
};
use tband_format::registry::{FORMER_MAIN_PROGRAM, MAIN_PROGRAM};
use tband_format::timestamps::Timestamps;
use tband_format::{Event, cobs};
use tband_import::blank::blank_len;
use tband_import::ctf::CtfTrace;
use tband_import::format::InputFormat;
use tband_import::importer::ForeignRecording;

use crate::census::Census;
use crate::diagnostics::LazyOffset;
use crate::drift::board::Board;
use crate::drift::map::Alignment;
use crate::foreign::empty::{MAX_BLANK, MAX_EMPTY};
use crate::foreign::kept::KeptRecording;
use crate::foreign::{self, ForeignEvents};
use crate::item::event_selection::EventSelection;
use crate::item::schemas::Schemas;
use crate::item::{Defect, Item, Mode, Origin, Visitor, check};
use crate::packets::{FirstPackets, Link, PacketEvents};
use crate::wire::frames::{Frame, FrameEnd, FrameReader, MAX_FRAME, NEAR, near_zero};
use crate::wire::{Wire, gap};

/// Bytes that are examined before a recording is taken for one of tband.
const ENOUGH: usize = 32 * 1024;

/// Reads the events of one input.
#[derive(Debug)]
pub struct EventReader<R> {
    /// The bytes of the input; packets are read from here as well.
    frames: FrameReader<R>,
    /// They are packets.
    packets: Option<Box<PacketEvents>>,
    /// They are of another recorder.
    foreign: Option<Box<ForeignEvents>>,
    /// Whose format it is, if the user names it.
    format: InputFormat,
    /// Events that are imported are kept for a later pass.
    keeps_imported: bool,
    /// It is known which of these they are.
    is_known: bool,
    scratch: Box<[u8]>,
    core: u32,
    mode: Mode,
    /// Events that were visited.
    events: u64,
    /// Counts of the input's events, as far as it was read, if requested.
    census: Option<Box<Census>>,
    /// Packets up to this offset were checked before.
    checked_to: u64,
    /// The recording's schemas of events that the registry does not have.
    schemas: Box<Schemas>,
    /// Buffer for one of those.
    kept: Vec<u8>,
    /// Additional state if the files of the input have both formats.
    sections: Option<Box<Sections>>,
    /// Times are given as those of another clock.
    alignment: Option<Rc<Alignment>>,
    /// It is read together with other boards; room for a name with that of the board.
    board: Option<Rc<Board>>,
    name: Vec<u8>,
    /// It names the main program by its former number.
    has_former_main: bool,
    /// It has sections, an alignment, a board or a former number.
    is_special: bool,
    /// Items are returned at once: the reader does not wait for more to put packets in order.
    is_live: bool,
}

/// Files of both formats in one input: each section is a recording.
#[derive(Debug)]
struct Sections {
    /// The core of events until a section reports another one.
    core: u32,
    /// Offset at which the present one begins.
    start: u64,
    /// Statistics of the link in the sections before it.
    link: Option<Link>,
    /// The first packets of the cores in those before it.
    firsts: FirstPackets,
}

impl<R: Read> EventReader<R> {
    /// Reads from the start of `input`; events belong to `core` until the recording reports another one.
    pub fn new(input: R, core: u32, mode: Mode) -> Self {
        let scratch = vec![0; MAX_FRAME].into_boxed_slice();
        let frames = FrameReader::new(input);
        Self {
            frames,
            packets: None,
            foreign: None,
            format: InputFormat::Auto,
            keeps_imported: false,
            is_known: false,
            scratch,
            core,
            mode,
            events: 0,
            census: None,
            checked_to: 0,
            schemas: Box::default(),
            kept: Vec::new(),
            sections: None,
            alignment: None,
            board: None,
            has_former_main: false,
            name: Vec::new(),
            is_special: false,
            is_live: false,
        }
    }

    /// Reads the format that the user names.
    pub(crate) fn of_format(self, format: InputFormat) -> Self {
        Self { format, ..self }
    }

    /// Reads a stream of a CTF trace, if it is one.
    pub(crate) fn of_trace(self, trace: Option<&Rc<CtfTrace>>) -> Self {
        let Some(trace) = trace else { return self };
        let foreign = Some(Box::new(ForeignEvents::new(trace.stream(self.core))));
        Self { foreign, is_known: true, ..self }
    }

    /// Reads the events that an earlier pass over the same input has imported, if there are any.
    pub(crate) fn with_imported(self, imported: Option<Rc<KeptRecording>>) -> Self {
        let Some(imported) = imported else { return self };
        let foreign = Some(Box::new(ForeignEvents::kept(imported)));
        Self { foreign, is_known: true, ..self }
    }

    /// Keeps the events for a later pass over the same input, if they are imported.
    pub(crate) fn keep_imported(&mut self) {
        self.keeps_imported = true;
        if let Some(foreign) = &mut self.foreign {
            foreign.keep();
        }
    }

    /// The events that it has imported, if all of them were kept.
    pub(crate) fn imported(&self) -> Option<Rc<KeptRecording>> {
        self.foreign.as_ref()?.recording()
    }

    /// Returns facts about the recording, if another recorder made it.
    pub(crate) fn about(&self) -> Option<ForeignRecording> {
        self.foreign.as_ref().map(|foreign| foreign.about())
    }

    /// The recordings of other cores contain the wake-ups of this one too.
    #[inline]
    pub(crate) fn shares_wakes(&self) -> bool {
        self.foreign.as_ref().is_some_and(|foreign| foreign.shares_wakes())
    }

    /// Returns items at once if `is_live`: the reader does not wait for more input to put packets in order.
    pub(crate) fn live(self, is_live: bool) -> Self {
        Self { is_live, ..self }
    }

    /// At its end, `input` may continue with a section of another format, after the next request.
    pub(crate) fn in_sections(self) -> Self {
        let firsts = FirstPackets::default();
        let sections = Sections { core: self.core, start: 0, link: None, firsts };
        Self { sections: Some(Box::new(sections)), is_special: true, ..self }
    }

    /// Converts to the times of another clock.
    pub(crate) fn aligned(self, alignment: Option<Rc<Alignment>>) -> Self {
        let is_special = self.is_special || alignment.is_some();
        Self { alignment, is_special, ..self }
    }

    /// Converts to the numbers and names that are unique among several boards.
    pub(crate) fn of_board(self, board: Option<Rc<Board>>) -> Self {
        let is_special = self.is_special || board.is_some();
        Self { board, is_special, ..self }
    }

    /// Assigns names of the main program to its present number.
    pub(crate) fn with_former_main(self, has_former_main: bool) -> Self {
        let is_special = self.is_special || has_former_main;
        Self { has_former_main, is_special, ..self }
    }

    /// Packets up to this offset were found to be complete before.
    pub(crate) fn with_checked(self, checked_to: u64) -> Self {
        Self { checked_to, ..self }
    }

    /// Sets the schemas from an earlier pass over the same input.
    pub(crate) fn with_schemas(self, schemas: &Schemas) -> Self {
        Self { schemas: Box::new(schemas.at_start()), ..self }
    }

    /// Returns the recording's schemas of events that the registry does not have.
    pub(crate) fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// Up to here packets are one after the other from the first byte on, each with its check.
    pub(crate) fn whole_to(&self) -> u64 {
        self.packets.as_ref().map_or(0, |packets| packets.whole_to())
    }

    /// Offset of the next unread byte of the recording.
    #[must_use]
    pub fn offset(&self) -> u64 {
        let read = self.packets.as_ref().map_or(0, |packets| packets.read());
        let offset = self.frames.offset().saturating_add(read as u64);
        self.foreign.as_ref().map_or(offset, |foreign| foreign.returned(offset))
    }

    /// Returns statistics of the link so far, if the recording consists of packets.
    #[must_use]
    pub fn link(&self) -> Option<Link> {
        let mut link = self.sections.as_ref().and_then(|sections| sections.link);
        if let Some(packets) = &self.packets {
            link.get_or_insert_default().add(&packets.link());
        }
        link
    }

    /// The first packets of the cores so far.
    pub(crate) fn first_packets(&self) -> FirstPackets {
        let sections = self.sections.as_ref();
        let mut firsts = sections.map(|sections| sections.firsts.clone()).unwrap_or_default();
        if let Some(packets) = &self.packets {
            firsts.append(packets.first_packets());
        }
        firsts
    }

    /// Advances to the next section if this one has no more items.
    #[cold]
    #[inline(never)]
    fn find_section(&mut self) -> io::Result<()> {
        while self.is_known && !self.has_more()? && self.next_section()? {
            self.find_out()?;
        }
        Ok(())
    }

    /// Whether the section has an event or another item, after reading as far as is needed to know it.
    fn has_more(&mut self) -> io::Result<bool> {
        match &mut self.packets {
            _ if self.foreign.is_some() => Ok(true),
            Some(packets) => packets.has_more(self.frames.buffer(), &mut self.schemas),
            None => self.frames.has_more(),
        }
    }

    /// Handles the end of a section. Returns whether there is another one.
    fn next_section(&mut self) -> io::Result<bool> {
        let (link, firsts) = (self.link(), self.first_packets());
        let Some(sections) = &mut self.sections else { return Ok(false) };
        let buffer = self.frames.buffer();
        buffer.fill()?;
        if buffer.is_at_end() {
            return Ok(false);
        }
        **sections = Sections { link, firsts, start: buffer.offset(), core: sections.core };
        (self.core, self.checked_to) = (sections.core, 0);
        (self.packets, self.is_known) = (None, false);
        Ok(true)
    }

    /// Reads on until it is known whether these are frames or packets.
    #[cold]
    #[inline(never)]
    fn find_out(&mut self) -> io::Result<()> {
        let buffer = self.frames.buffer();
        // What is live may be quiet for any time.
        foreign::empty::skip(buffer, if self.is_live { u64::MAX } else { MAX_EMPTY })?;
        let start = self.sections.as_ref().map_or(0, |sections| sections.start);
        let is_long = buffer.offset() > start;
        self.foreign = loop {
            let (unread, at_end) = (buffer.unread(), buffer.is_at_end());
            let is_all = at_end || unread.len() >= ENOUGH;
            match foreign::find(self.format, unread, is_all, self.core)? {
                Some(found) => break found.map(Box::new),
                None => buffer.fill()?,
            }
        };
        let max_zeros = self.foreign.as_ref().map_or(0, |foreign| foreign.leading_zeros());
        let blank = blank_len(buffer.unread(), max_zeros).unwrap_or(0);
        if is_long || (self.foreign.is_some() && blank > MAX_BLANK) {
            buffer.skip(blank);
        }
        if let Some(foreign) = &mut self.foreign {
            if self.keeps_imported {
                foreign.keep();
            }
            self.is_known = true;
            return Ok(());
        }
        let wire = loop {
            match Wire::recognise(buffer.unread(), buffer.is_at_end()) {
                Some(wire) => break wire,
                None => buffer.fill()?,
            }
        };
        self.is_known = true;
        let packets = || Box::new(PacketEvents::new(self.core, self.checked_to, start));
        self.packets = (wire == Wire::Packets).then(packets);
        if let Some(packets) = self.packets.as_mut().filter(|_| self.is_live) {
            packets.set_live();
        }
        Ok(())
    }

    /// Events that [`visit`](Self::visit) has shown.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Returns the event counts of the input, as far as it was read.
    pub(crate) fn census(&self) -> Option<Census> {
        let mut census = (**self.census.as_ref()?).clone();
        census.bytes = self.offset();
        Some(census)
    }

    /// Counts everything that is read from here on.
    pub(crate) fn count(&mut self) {
        self.census.get_or_insert_default();
    }

    /// Whether the next frame has been read already; otherwise more of the input may have to be waited for.
    #[must_use]
    pub fn has_frame(&self) -> bool {
        match (&self.packets, &self.foreign) {
            (_, Some(foreign)) => foreign.has_event(),
            (Some(packets), _) => packets.has_event(self.frames.buffer_ref()),
            (None, None) => memchr::memchr(0, self.frames.unread().0).is_some(),
        }
    }

    /// Returns the next frame; `None` at the end of the input.
    ///
    /// # Errors
    /// The reader's error.
    #[inline]
    pub fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.is_special { self.next_special() } else { self.next_plain() }
    }

    /// As [`next_item`](Self::next_item), of sections, or with the times of another clock.
    #[cold]
    fn next_special(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.sections.is_some() {
            self.find_section()?;
        }
        let (alignment, board) = (self.alignment.clone(), self.board.clone());
        let has_former_main = self.has_former_main;
        let (next, name) = self.read()?;
        let Some(mut item) = next else { return Ok(None) };
        if let Ok(Decoded { event: Event::IsrName { isr_id, .. }, .. }) = &mut item.event
            && has_former_main
            && *isr_id == FORMER_MAIN_PROGRAM
        {
            *isr_id = MAIN_PROGRAM;
        }
        if let Some(alignment) = alignment {
            item = alignment.item(item);
        }
        if let Some(board) = board {
            item = board.item(item, name);
        }
        Ok(Some(item))
    }

    #[inline]
    fn next_plain(&mut self) -> io::Result<Option<Item<'_>>> {
        Ok(self.read()?.0)
    }

    /// The next item as it is in the recording, and room for a name.
    #[inline]
    fn read(&mut self) -> io::Result<(Option<Item<'_>>, &mut Vec<u8>)> {
        if !self.is_known {
            self.find_out()?;
        }
        let Self { frames, packets, scratch, core, mode, schemas, kept, census, name, .. } = self;
        let next = match packets {
            _ if self.foreign.is_some() => match &mut self.foreign {
                Some(foreign) => foreign.next_item(frames.buffer(), *mode)?,
                None => None,
            },
            Some(packets) => packets.next_item(frames.buffer(), kept, *mode, schemas)?,
            None => {
                let next = frames.next_frame()?;
                next.map(|frame| item(frame, (scratch, kept), core, *mode, schemas))
            }
        };
        if let (Some(census), Some(item)) = (census, &next) {
            census.item(item);
        }
        Ok((next, name))
    }

    /// The input.
    pub(crate) const fn input_mut(&mut self) -> &mut R {
        self.frames.input_mut()
    }

    /// Visits all remaining frames. Faster than [`next_item`](Self::next_item).
    ///
    /// # Errors
    /// The reader's or the visitor's error.
    #[inline]
    pub fn visit<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        while self.visit_block(visitor)? {}
        Ok(())
    }

    /// As [`visit`](Self::visit), but not much more than a block of the input; false at its end.
    ///
    /// # Errors
    /// As [`visit`](Self::visit).
    #[inline]
    pub(crate) fn visit_block<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, V::Error> {
        if !self.is_known {
            self.find_out()?;
        }
        let read_to = self.frames.read_to();
        let is_converted = self.alignment.is_some() || self.board.is_some() || self.has_former_main;
        if self.foreign.is_some() && !is_converted {
            return self.visit_foreign(visitor);
        }
        loop {
            // Bare-metal recordings are checked more closely, which takes longer; times of another clock also take longer.
            let is_plain = !is_converted && self.foreign.is_none();
            if self.mode != Mode::BareMetal && is_plain {
                let Self { frames, packets, events, schemas, census, .. } = self;
                match packets {
                    Some(packets) => loop {
                        // The visitor that is notified of waits is notified before.
                        if !V::LIVE && !packets.prepare(frames.buffer(), schemas)? {
                            break;
                        }
                        let is_read = packets.visit(
                            frames.buffer(),
                            (events, census.as_deref_mut()),
                            visitor,
                        )?;
                        if V::LIVE || !is_read || frames.read_to() != read_to {
                            break;
                        }
                    },
                    None => self.visit_near(visitor)?,
                }
            }
            if V::LIVE && !self.has_frame() {
                visitor.before_wait()?;
            }
            if self.frames.read_to() != read_to {
                return Ok(true);
            }
            let visited = self.events.saturating_add(1);
            match self.next_item()? {
                Some(Item { core, offset, event: Ok(decoded), reported, .. }) => {
                    let place = LazyOffset { input: 0, end: offset, left: 0 };
                    let origin = Origin { core, place, reported };
                    let result = visitor.event(&origin, &decoded);
                    if result.as_ref().err().is_none_or(V::has_taken) {
                        self.events = visited;
                    }
                    result?;
                }
                Some(item) => visitor.other(&item)?,
                None => return Ok(false),
            }
        }
    }

    /// Does the same as [`visit_block`](Self::visit_block) for the recording of another recorder.
    fn visit_foreign<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, V::Error> {
        let Self { frames, foreign, events, census, mode, .. } = self;
        let Some(foreign) = foreign else { return Ok(false) };
        let read_to = frames.read_to();
        loop {
            foreign.visit(*mode, (events, census.as_deref_mut()), visitor)?;
            if V::LIVE {
                visitor.before_wait()?;
            }
            if frames.read_to() != read_to {
                return Ok(true);
            }
            if !foreign.read(frames.buffer())? {
                return Ok(false);
            }
        }
    }

    /// Visits frames as long as they are plain: short, complete, and an event with a timestamp in at most two COBS blocks.
    #[inline]
    fn visit_near<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let Self { frames, events, census, .. } = self;
        let mut core = self.core;
        let (unread, start) = frames.unread();
        let end = start.wrapping_add(unread.len() as u64);
        let (mut rest, mut next) = (unread, unread);
        let mut timestamps = Timestamps::default();
        let mut count = 0_u64;
        let mut result = Ok(());
        while let Some(near) = rest.first_chunk::<NEAR>() {
            let Some((&code, window)) = near.split_first() else { break };
            let Some(mut window) = window.first_chunk() else { break };
            // Bytes of the payload.
            let Some(len) = near_zero(window) else { break };
            let code = usize::from(code);
            let mut unstuffed;
            if code != len + 1 {
                // Two blocks: the second code byte replaces the only zero in the payload.
                unstuffed = *window;
                match code.checked_sub(1).and_then(|at| unstuffed.get_mut(at)) {
                    Some(second) if code + usize::from(*second) == len + 1 => *second = 0,
                    _ => break,
                }
                window = &unstuffed;
            }
            let Some(after) = rest.get(len % WINDOW + 2..) else { break };
            next = after;
            let place = LazyOffset { input: 0, end, left: rest.len() };
            let origin = Origin { core, place, reported: None };
            let mut near = PassResult::Not;
            let (core, result) = (&mut core, &mut result);
            let take = InOrderVisitor { origin, core, visitor, taken: &mut near, result };
            decode_in_window(window, len, &mut timestamps, take);
            if near == PassResult::Declined {
                let origin = Origin { core: *core, ..origin };
                match pass_on(window.get(..len).unwrap_or_default(), &origin, visitor) {
                    Ok(true) => near = PassResult::Handed,
                    Ok(false) => {}
                    Err(error) => *result = Err(error),
                }
            }
            if near != PassResult::Handed {
                break;
            }
            count += 1;
            rest = next;
            // One code byte, and a zero, or another code byte instead.
            if let Some(census) = census {
                census.kind(window[0]).add(len as u64 + 2);
            }
        }
        if result.as_ref().is_err_and(V::has_taken) {
            count += 1;
            // It is the first of `rest`.
            let bytes = rest.len() - next.len();
            let id = rest.get(1).copied().unwrap_or_default();
            let id = if rest.first() == Some(&1) { 0 } else { id };
            if let Some(census) = census {
                census.kind(id).add(bytes as u64);
            }
            rest = next;
        }
        *events = events.wrapping_add(count);
        self.core = core;
        let taken = unread.len() - rest.len();
        frames.skip(taken);
        result
    }

    /// Does the same as [`next_item`](Self::next_item), but skips events that are not `wanted` where that is cheap. Sets
    /// `skipped` if it skipped any, also if the item itself has to be waited for. Returns the item with the value of
    /// [`reached`](Self::reached) before it, which includes the skipped events.
    #[inline]
    pub(crate) fn next_item_of(
        &mut self,
        wanted: &EventSelection,
        skipped: &mut bool,
    ) -> io::Result<Option<(u64, Item<'_>)>> {
        if !self.is_known {
            self.find_out()?;
        }
        match &mut self.packets {
            _ if self.foreign.is_some() => {
                if let Some(foreign) = &mut self.foreign {
                    foreign.skip_unwanted(self.frames.buffer(), wanted, skipped)?;
                }
            }
            Some(packets) => {
                let buffer = self.frames.buffer();
                packets.skip_unwanted(buffer, wanted.packed(), &mut self.schemas, skipped)?;
            }
            None => *skipped |= self.frames.skip_unwanted(|code, id| wanted.has(code, id)),
        }
        let reached = self.reached();
        Ok(self.next_item()?.map(|item| (reached, item)))
    }

    /// Returns the offset up to which a reader, see [`offset`](Self::offset), has received all items so far. Several items of
    /// packets may share one offset.
    pub(crate) fn reached(&self) -> u64 {
        let is_shared = self.packets.is_some() || self.foreign.is_some();
        self.offset().saturating_add(u64::from(is_shared))
    }
}

/// Passes on the event in a frame that did not [pass](Visitor::pass). Returns false if there is none.
#[inline(never)]
fn pass_on<V: Visitor>(payload: &[u8], origin: &Origin, visitor: &mut V) -> Result<bool, V::Error> {
    let Ok(decoded) = decode_payload(payload) else { return Ok(false) };
    visitor.event(origin, &decoded).map(|()| true)
}

/// Result of passing on the event in a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassResult {
    /// It is out of place, or the visitor stops.
    Not,
    /// It did not pass.
    Declined,
    /// It was passed on, and the visitor continues.
    Handed,
}

/// Hands an event on, unless it is out of place.
struct InOrderVisitor<'n, V: Visitor> {
    origin: Origin,
    core: &'n mut u32,
    visitor: &'n mut V,
    taken: &'n mut PassResult,
    result: &'n mut Result<(), V::Error>,
}

impl<V: Visitor> EventHandler<'_> for InOrderVisitor<'_, V> {
    type Out = ();

    const FREQUENT: [bool; 256] = V::FREQUENT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(mut self, decoded: Decoded<'_>) {
        if check(&decoded.event, self.core, Mode::FreeRtos).is_err() {
            return;
        }
        self.origin.core = *self.core;
        match self.visitor.pass(&self.origin, &decoded) {
            Ok(true) => *self.taken = PassResult::Handed,
            Ok(false) => *self.taken = PassResult::Declined,
            Err(error) => *self.result = Err(error),
        }
    }
}

#[inline]
fn item<'a>(
    frame: Frame<'a>,
    (scratch, kept): (&'a mut [u8], &'a mut Vec<u8>),
    core: &mut u32,
    mode: Mode,
    schemas: &mut Schemas,
) -> Item<'a> {
    let Frame { offset, len, .. } = frame;
    let event = decode(&frame, (scratch, kept), schemas).and_then(|decoded| {
        check(&decoded.event, core, mode)?;
        let learnt = schemas.learn(&decoded.event);
        learnt.map(|()| decoded).map_err(|(id, why)| Defect::BadSchema(id, why))
    });
    Item { core: *core, offset, len, event, reported: None }
}

fn decode<'a>(
    frame: &Frame<'a>,
    (scratch, kept): (&'a mut [u8], &'a mut Vec<u8>),
    schemas: &mut Schemas,
) -> Result<Decoded<'a>, Defect> {
    match frame.end {
        FrameEnd::Zero => {}
        FrameEnd::EndOfInput => return Err(Defect::CutOff),
        FrameEnd::TooLong => return Err(Defect::TooLong),
    }
    let payload =
        cobs::decode(frame.bytes, scratch).map_err(|error| not_cobs(frame.bytes, error))?;
    schemas.decode(payload, kept).map_err(|error| Defect::Undecodable(FrameError::Event(error)))
}

/// Returns the defect of a frame that is not COBS.
#[cold]
fn not_cobs(frame: &[u8], error: cobs::CobsError) -> Defect {
    gap::read(frame).map_or(Defect::Undecodable(FrameError::Cobs(error)), Defect::Gap)
}
