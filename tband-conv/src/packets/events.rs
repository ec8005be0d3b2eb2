//! The events in packets, in the order of the input, with the losses between them.

use std::collections::VecDeque;
use std::io::{self, Read};

use tband_format::Event;
use tband_format::decode::{DecodeError, Decoded, EventHandler};
use tband_format::packet::{
    Events, HEADER_LEN, Header, HeaderError, METADATA_STREAM, PacketError, SkippedEvents,
};

use super::Continuity;
use super::firsts::FirstPackets;
use super::leading_report::{LeadingContent, LeadingReport};
use super::link::Link;
use super::metadata::Metadata;
use super::reader::{PacketSearch, Piece};
use super::unnamed_recordings::UnnamedRecordings;
use crate::census::Census;
use crate::cores::MAX_CORES;
use crate::diagnostics::LazyOffset;
use crate::item::packet_loss::PacketLoss;
use crate::item::schemas::Schemas;
use crate::item::{Defect, Item, Mode, Origin, Visitor, check};
use crate::repair::change::Change;
use crate::repair::quote::Quote;
use crate::repair::stray::Cause;
use crate::wire::buffer::Buffer;

/// Number of ticks after which the lower half of the time, which the target gives events, wraps.
const TURN: u64 = 1 << 32;

/// Reads the events in packets.
#[derive(Debug, Default)]
pub(crate) struct PacketEvents {
    search: PacketSearch,
    continuity: Continuity,
    metadata: Metadata,
    /// The core of the last packet.
    core: u32,
    /// Reports that come before the rest of the open packet.
    ahead: VecDeque<LeadingReport>,
    /// The packet that is read. It stays in the buffer until it is read to its end.
    open: Option<OpenPacket>,
    /// The last report from `ahead`.
    reported: Option<LeadingReport>,
    /// The core of the last item.
    shown: Option<u32>,
    link: Link,
    firsts: FirstPackets,
    unnamed: UnnamedRecordings,
    /// Offset at which the packets begin.
    start: u64,
    /// Bytes directly before the next packet that begin a packet without its end.
    part: u64,
}

/// The packet that is read.
#[derive(Clone, Copy, Debug)]
struct OpenPacket {
    core: u32,
    /// Bytes of its content, and of those that were read.
    len: usize,
    at: usize,
    /// Bytes up to the last event whose time is known, and that time; or the header, and the begin.
    timed: (usize, u64),
}

impl OpenPacket {
    const fn is_read(&self) -> bool {
        self.at >= self.len
    }

    /// Its content from the next event on, the packet being at the front of `unread`.
    fn rest<'b>(&self, unread: &'b [u8]) -> &'b [u8] {
        unread.get(self.at..self.len).unwrap_or_default()
    }

    /// Finds out the time that was reached where events were passed over.
    fn last(&mut self, unread: &[u8]) -> u64 {
        let (at, last) = self.timed;
        if at < self.at {
            let passed = unread.get(at..self.at).unwrap_or_default();
            let reached = Events::new(passed, last).flatten().last().and_then(|it| it.ts);
            self.timed = (self.at, reached.unwrap_or(last));
        }
        self.timed.1
    }
}

/// The next item.
enum NextItem {
    Ahead(LeadingReport),
    Event(OpenPacket),
}

impl PacketEvents {
    /// Creates the reader. Bytes that are not a packet count for this core until there is a packet. Packets up to this offset
    /// were checked before. They begin at offset `start`.
    pub fn new(core: u32, checked_to: u64, start: u64) -> Self {
        Self { core, start, search: PacketSearch::checked_to(checked_to), ..Self::default() }
    }

    /// More of the input is not waited for to put packets in order.
    pub const fn set_live(&mut self) {
        self.search.set_live();
    }

    /// Up to here packets are one after the other from the first byte on, each with its check.
    pub const fn whole_to(&self) -> u64 {
        self.search.whole_to()
    }

    /// Returns statistics of the link so far.
    pub fn link(&self) -> Link {
        let without_metadata = self.unnamed.count(self.link.metadata_bytes);
        Link { without_metadata, ..self.link }
    }

    /// The first packets of the cores so far.
    pub const fn first_packets(&self) -> &FirstPackets {
        &self.firsts
    }

    /// Bytes of the open packet that were read.
    pub fn read(&self) -> usize {
        self.open.map_or(0, |open| open.at)
    }

    /// The next event was read already.
    pub fn has_event<R: Read>(&self, buffer: &Buffer<R>) -> bool {
        let has_more = self.open.is_some_and(|open| !open.is_read());
        has_more || !self.ahead.is_empty() || {
            let unread = buffer.unread().get(self.open.map_or(0, |open| open.len)..);
            PacketSearch::is_recognised(unread.unwrap_or_default())
        }
    }

    /// Returns the next item; an event is at the front of the buffer.
    fn next<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        schemas: &mut Schemas,
    ) -> io::Result<Option<NextItem>> {
        loop {
            if let Some(ahead) = self.ahead.pop_front() {
                return Ok(Some(NextItem::Ahead(ahead)));
            }
            match self.open {
                Some(open) if !open.is_read() => return Ok(Some(NextItem::Event(open))),
                Some(open) => {
                    buffer.skip(open.len);
                    self.open = None;
                }
                None => {}
            }
            let piece = self.search.next(buffer)?;
            let offset = buffer.offset();
            self.link.bytes = buffer.offset().saturating_sub(self.start);
            match piece {
                Some(Piece::Packet(header)) => {
                    if let Some((changes, text)) = self.search.take_restored() {
                        self.is_restored(offset, changes, text);
                    }
                    self.open_packet(&header, offset, buffer, schemas);
                }
                Some(Piece::Damage { offset, len, error, cause }) => {
                    let is_at_end = buffer.is_at_end() && buffer.unread().is_empty();
                    self.report_stray(offset, len, error, cause, is_at_end);
                }
                None => {
                    let mut late = Vec::new();
                    self.metadata.advance(None, &mut late);
                    if late.is_empty() {
                        return Ok(None);
                    }
                    self.ahead.extend(late);
                }
            }
        }
    }

    /// A packet was restored.
    #[cold]
    fn is_restored(&mut self, offset: u64, changes: [Option<Change>; 2], text: Option<Quote>) {
        for change in changes.into_iter().flatten() {
            if let Some(count) = self.link.changes.of(change) {
                count.restored = count.restored.saturating_add(1);
            }
            let what = LeadingContent::Defect(Defect::Restored(change, text));
            self.ahead.push_back(LeadingReport {
                core: self.core,
                offset,
                len: 0,
                what,
                reported: None,
            });
        }
    }

    fn has_restored(&self, change: Change) -> bool {
        self.link.changes.get(change).restored > 0
    }

    /// Handles bytes that are not a packet.
    #[cold]
    fn report_stray(
        &mut self,
        offset: u64,
        len: u64,
        error: PacketError,
        cause: Cause,
        is_at_end: bool,
    ) {
        let is_short = matches!(
            error,
            PacketError::Truncated { .. } | PacketError::Header(HeaderError::Truncated)
        );
        let was_cut = self.search.was_cut(len);
        let defect = match cause {
            Cause::Beside(change, quote) => {
                if let Some(count) = self.link.changes.of(change) {
                    count.beside = count.beside.saturating_add(1);
                    count.beside_bytes = count.beside_bytes.saturating_add(len);
                }
                Defect::Beside(change, quote)
            }
            Cause::Cut(or) if is_at_end => Defect::PacketCutOff(or),
            Cause::Unknown if is_short && is_at_end => Defect::PacketCutOff(None),
            Cause::Changed(change) | Cause::Cut(Some(change))
                if change.is_removal() && was_cut && !self.has_restored(change) =>
            {
                Defect::PacketPart(error, Some(change))
            }
            Cause::Changed(change) | Cause::Cut(Some(change)) => {
                if let Some(count) = self.link.changes.of(change) {
                    count.not_restored = count.not_restored.saturating_add(1);
                }
                Defect::Changed(change)
            }
            Cause::Cut(None) | Cause::Unknown if was_cut => Defect::PacketPart(error, None),
            Cause::Cut(None) | Cause::Unknown => Defect::NoPacket(error),
        };
        if !matches!(defect, Defect::Beside(..)) {
            self.link.damaged_bytes = self.link.damaged_bytes.saturating_add(len);
        }
        self.part = if matches!(defect, Defect::PacketPart(..)) { len } else { 0 };
        let what = LeadingContent::Defect(defect);
        self.ahead.push_back(LeadingReport { core: self.core, offset, len, what, reported: None });
    }

    /// A packet begins at the front of the buffer.
    fn open_packet<R: Read>(
        &mut self,
        header: &Header,
        offset: u64,
        buffer: &mut Buffer<R>,
        schemas: &mut Schemas,
    ) {
        let &Header { stream, content_len, begin, .. } = header;
        let core = u32::from(stream);
        let part = std::mem::take(&mut self.part);
        if stream == METADATA_STREAM {
            self.open_metadata(header, part, offset, buffer, schemas);
            buffer.skip(content_len);
        } else if core >= MAX_CORES {
            let what = LeadingContent::Defect(Defect::CoreOutOfRange(core));
            self.ahead.push_back(LeadingReport {
                core: self.core,
                offset,
                len: content_len as u64,
                what,
                reported: None,
            });
            buffer.skip(content_len);
        } else {
            self.link.packets = self.link.packets.saturating_add(1);
            let has_check = buffer.unread().get(12..16).is_some_and(|check| *check != [0; 4]);
            self.link.unchecked = self.link.unchecked.saturating_add(u64::from(!has_check));
            self.core = core;
            if !self.continuity.accept_next(header) {
                self.open_again(header, offset, part);
            }
            self.unnamed.packet(header);
            self.metadata.begin();
            if self.metadata.has_report() {
                let mut news = Vec::new();
                self.metadata.frequency(core, begin, &mut news);
                self.metadata.advance(Some((core, begin)), &mut news);
                self.ahead.extend(news);
            }
            if header.end.saturating_sub(begin) >= TURN {
                let content = buffer.unread().get(HEADER_LEN..content_len).unwrap_or_default();
                self.check_late_end(header, offset, content);
            }
            let timed = (HEADER_LEN, begin);
            self.open = Some(OpenPacket { core, len: content_len, at: HEADER_LEN, timed });
        }
    }

    /// The time in a packet exceeds the range of its events' time bits. The target closes it at its last event's time, or when
    /// it reads the timer next.
    #[cold]
    fn check_late_end(&mut self, header: &Header, offset: u64, content: &[u8]) {
        let times = Events::new(content, header.begin).flatten().filter_map(|it| it.ts);
        let ticks = header.end.saturating_sub(times.last().unwrap_or(header.begin));
        if ticks >= TURN {
            let what = LeadingContent::Defect(Defect::UnseenTurns { ticks });
            self.ahead.push_back(LeadingReport {
                core: self.core,
                offset,
                len: 0,
                what,
                reported: None,
            });
        }
    }

    /// Before the recording starts again, this many bytes begin a packet that the reset has cut off: they are not damage.
    const fn restart_has_cut(&mut self, part: u64) {
        self.link.damaged_bytes = self.link.damaged_bytes.saturating_sub(part);
    }

    /// A packet does not follow the last one of its core. Before it are `part` bytes of a packet without its end.
    #[cold]
    fn open_again(&mut self, header: &Header, offset: u64, part: u64) {
        let core = self.core;
        if !self.continuity.has_before(header) {
            self.firsts.add(header, offset);
        }
        if self.continuity.is_new_start(header) {
            if !self.continuity.has_next_number(header) {
                self.unnamed.start(header);
            }
            self.ahead.push_back(LeadingReport::start(core, offset));
            self.restart_has_cut(part);
        }
        if let Some(missing) = self.continuity.follow(header) {
            let PacketLoss { packets, discarded, .. } = missing;
            self.link.lost = self.link.lost.saturating_add(packets.into());
            self.link.discarded = self.link.discarded.saturating_add(discarded.into());
            let what = LeadingContent::Defect(Defect::Missing(missing));
            self.ahead.push_back(LeadingReport { core, offset, len: 0, what, reported: None });
        }
    }

    /// A packet of metadata is at the front of the buffer, after `part` bytes of a packet without its end.
    fn open_metadata<R: Read>(
        &mut self,
        header: &Header,
        part: u64,
        offset: u64,
        buffer: &Buffer<R>,
        schemas: &mut Schemas,
    ) {
        let bytes = header.packet_len as u64;
        self.link.metadata_bytes = self.link.metadata_bytes.saturating_add(bytes);
        let is_first = header.sequence == 0 && !self.continuity.is_next(header);
        let starts = is_first || self.continuity.is_new_start(header);
        self.unnamed.metadata(header, starts);
        // A reset may have cut off the first packet of a core after the metadata: nothing but its part shows that it began.
        if starts && (part > 0 || !self.metadata.is_at_start()) {
            self.metadata.start();
            self.continuity.forget();
            self.firsts.start_recording();
        }
        self.continuity.follow(header);
        let is_first = self.metadata.is_at_start() && self.metadata.is_unreported();
        let content = buffer.unread().get(HEADER_LEN..header.content_len).unwrap_or_default();
        let mut ahead = Vec::new();
        self.metadata.packet(header, offset, content, &mut ahead, schemas);
        if is_first && !ahead.first().is_some_and(LeadingReport::is_core_id) {
            self.ahead.push_back(LeadingReport::start(0, offset));
        }
        if is_first {
            self.restart_has_cut(part);
        }
        self.ahead.extend(ahead);
    }

    /// Returns the next event, or the item in its place; `None` at the end of the input.
    pub fn next_item<'a, R: Read>(
        &'a mut self,
        buffer: &'a mut Buffer<R>,
        kept: &'a mut Vec<u8>,
        mode: Mode,
        schemas: &mut Schemas,
    ) -> io::Result<Option<Item<'a>>> {
        let Some(next) = self.next(buffer, schemas)? else { return Ok(None) };
        self.shown = Some(match &next {
            NextItem::Ahead(ahead) => ahead.core,
            NextItem::Event(open) => open.core,
        });
        Ok(match next {
            NextItem::Ahead(ahead) => Some(self.reported.insert(ahead).item(mode)),
            NextItem::Event(open) => Some(self.event(open, buffer, kept, mode, schemas)),
        })
    }

    /// Reads the next event of the open packet.
    fn event<'a, R: Read>(
        &'a mut self,
        mut open: OpenPacket,
        buffer: &'a Buffer<R>,
        kept: &'a mut Vec<u8>,
        mode: Mode,
        schemas: &mut Schemas,
    ) -> Item<'a> {
        let last = open.last(buffer.unread());
        let OpenPacket { core, len, at, .. } = open;
        let offset = buffer.offset().saturating_add(at as u64);
        let unread = open.rest(buffer.unread());
        let mut events = Events::new(unread, last);
        let next = events.next();
        let mut left = events.remaining();
        let event = match next {
            Some(Ok(decoded)) => check(&decoded.event, &mut { core }, mode)
                .and_then(|()| {
                    let learnt = schemas.learn(&decoded.event);
                    learnt.map_err(|(id, why)| Defect::BadSchema(id, why))
                })
                .map(|()| {
                    let ts = decoded.ts.filter(|_| !decoded.event.is_metadata());
                    Decoded { ts, ..decoded }
                }),
            Some(Err(DecodeError::UnknownId { .. })) if schemas.describe(unread) => {
                return self.described(open, offset, unread, last, kept, schemas);
            }
            Some(Err(error)) => {
                schemas.note_missing(unread);
                left = 0;
                Err(Defect::BadEvent { error, left: unread.len() })
            }
            None => Err(Defect::NoPacket(PacketError::Unsound)),
        };
        let at = len.saturating_sub(left);
        self.open = Some(OpenPacket { at, timed: (at, events.reached()), ..open });
        self.link.events = self.link.events.saturating_add(u64::from(event.is_ok()));
        let bytes = unread.len().saturating_sub(left).saturating_sub(1) as u64;
        let mut reported = None;
        if let Ok(Decoded { event, .. }) = &event
            && event.is_metadata()
        {
            reported = Some(events.reached());
            self.metadata.learn(core, event);
        }
        Item { core, offset, len: bytes, event, reported }
    }

    /// Reads the next event of the open packet, which only the recording describes. `event` has its offset, the rest of the
    /// packet from it on, and the time of the event before.
    #[cold]
    fn described<'a>(
        &mut self,
        open: OpenPacket,
        offset: u64,
        unread: &[u8],
        last: u64,
        kept: &'a mut Vec<u8>,
        schemas: &Schemas,
    ) -> Item<'a> {
        let OpenPacket { core, len, at, .. } = open;
        let found = schemas.decode_packed(unread, last, kept);
        let (taken, ts) = found.as_ref().map_or((unread.len(), last), |it| (it.taken, it.ts));
        let at = at.saturating_add(taken).min(len);
        self.open = Some(OpenPacket { at, timed: (at, ts), ..open });
        let len = taken.saturating_sub(1) as u64;
        let mut reported = None;
        if let Ok(found) = &found {
            self.link.events = self.link.events.saturating_add(1);
            if found.decoded.event.is_metadata() {
                reported = Some(ts);
                self.metadata.learn(core, &found.decoded.event);
            }
        }
        let event = found.map(|it| it.decoded);
        let event = event.map_err(|error| Defect::BadEvent { error, left: unread.len() });
        Item { core, offset, len, event, reported }
    }

    /// Opens the next packet if no other report comes before. Returns true if there is an event in it.
    pub fn prepare<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        schemas: &mut Schemas,
    ) -> io::Result<bool> {
        if self.has_open_event() {
            return Ok(true);
        }
        match self.next(buffer, schemas)? {
            Some(NextItem::Ahead(ahead)) => {
                self.ahead.push_front(ahead);
                Ok(false)
            }
            Some(NextItem::Event(_)) => Ok(true),
            None => Ok(false),
        }
    }

    /// Whether there is another event or item, after reading as far as is needed to know it.
    pub fn has_more<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        schemas: &mut Schemas,
    ) -> io::Result<bool> {
        Ok(self.prepare(buffer, schemas)? || !self.ahead.is_empty())
    }

    /// Whether the next item is an event of the open packet.
    fn has_open_event(&self) -> bool {
        self.ahead.is_empty() && self.open.is_some_and(|open| !open.is_read())
    }

    /// Visits the events of the open packet as long as they are ordinary. Returns true if all were.
    #[inline]
    pub fn visit<R: Read, V: Visitor>(
        &mut self,
        buffer: &Buffer<R>,
        (visited, census): (&mut u64, Option<&mut Census>),
        visitor: &mut V,
    ) -> Result<bool, V::Error> {
        let Some(open) = self.open.as_mut().filter(|_| self.ahead.is_empty()) else {
            return Ok(false);
        };
        let unread = buffer.unread();
        let rest = open.rest(unread);
        // Nothing in the loop gets a pointer to it, so that it is in registers.
        let mut next = Events::new(rest, open.last(unread));
        // Offset of the packet's end; each event knows the number of bytes up to there.
        let after = unread.len().saturating_sub(open.len);
        let (end, core) = (buffer.read_to().saturating_sub(after as u64), open.core);
        let origin =
            |left| Origin { core, place: LazyOffset { input: 0, end, left }, reported: None };
        let mut count = 0_u64;
        let mut result = Ok(());
        let mut declined = false;
        loop {
            let place = origin(next.remaining());
            let (visitor, declined, result) = (&mut *visitor, &mut declined, &mut result);
            if next.take_next(FastPathVisitor { origin: place, visitor, declined, result }) {
                count += 1;
                continue;
            }
            if !std::mem::take(declined) {
                break;
            }
            match pass_on(next.clone(), &origin(next.remaining()), visitor) {
                Ok(Some(after)) => next = after,
                Ok(None) => break,
                Err(error) => {
                    *result = Err(error);
                    break;
                }
            }
            count += 1;
        }
        let mut events = next;
        if result.as_ref().is_err_and(V::has_taken) && events.next().is_some() {
            count += 1;
        }
        // Apart, which takes less than in the loop, where all registers are in use.
        if let Some(census) = census {
            census.packed(rest.get(..rest.len() - events.remaining()).unwrap_or_default());
        }
        open.at = open.len - events.remaining();
        open.timed = (open.at, events.reached());
        self.link.events = self.link.events.saturating_add(count);
        *visited = visited.wrapping_add(count);
        result.map(|()| open.is_read())
    }
}

impl PacketEvents {
    /// Passes over events that are not wanted and are of the core of the last item, up to those of another one. Sets
    /// `skipped` if there were any.
    pub fn skip_unwanted<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        unwanted: &SkippedEvents,
        schemas: &mut Schemas,
        skipped: &mut bool,
    ) -> io::Result<()> {
        let core = self.shown;
        while self.prepare(buffer, schemas)?
            && let Some(open) = self.open.as_mut().filter(|open| Some(open.core) == core)
        {
            // Events near the end of the range of times are checked more closely.
            if open.timed.1 > u64::MAX / 2 {
                break;
            }
            let (bytes, events) = unwanted.pass(open.rest(buffer.unread()));
            open.at += bytes;
            self.link.events = self.link.events.saturating_add(events);
            *skipped |= events > 0;
            if !open.is_read() {
                break;
            }
        }
        Ok(())
    }
}

/// Passes on the next event, which did not [pass](Visitor::pass); returns those after it.
#[inline(never)]
fn pass_on<'b, V: Visitor>(
    mut events: Events<'b>,
    origin: &Origin,
    visitor: &mut V,
) -> Result<Option<Events<'b>>, V::Error> {
    let Some(Ok(decoded)) = events.next() else { return Ok(None) };
    visitor.event(origin, &decoded)?;
    Ok(Some(events))
}

/// Passes an event on, unless it needs the slow path.
struct FastPathVisitor<'n, V: Visitor> {
    origin: Origin,
    visitor: &'n mut V,
    /// It did not pass.
    declined: &'n mut bool,
    result: &'n mut Result<(), V::Error>,
}

impl<V: Visitor> EventHandler<'_> for FastPathVisitor<'_, V> {
    type Out = bool;

    const FREQUENT: [bool; 256] = V::FREQUENT;

    #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
    fn take(self, decoded: Decoded<'_>) -> bool {
        if decoded.ts.is_none() || matches!(decoded.event, Event::CoreId { .. }) {
            return false;
        }
        match self.visitor.pass(&self.origin, &decoded) {
            Ok(passed) => {
                *self.declined = !passed;
                passed
            }
            Err(error) => {
                *self.result = Err(error);
                false
            }
        }
    }
}
