//! One file of a trace: packets, and the events in them.

mod passing;

use std::rc::Rc;

use tband_format::Event;

use crate::ctf::about::about;
use crate::ctf::decode::{Cursor, Decoder, ReadStop, show};
use crate::ctf::losses::Losses;
use crate::ctf::meaning::{Engine, EventPlace, FieldScope, Handling, TbandEvents, number};
use crate::ctf::model::Stream;
use crate::ctf::model::field::Field;
use crate::ctf::trace::CtfTrace;
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// Bytes of an event, or of a packet's header and context, at most; importers are given as many.
const MOST: usize = 64 * 1024;
/// So many zero bytes are padding and not part of the recording, if the packet's length is unknown.
const PADDING: usize = 64;
/// A time for events whose recorder gives them none, in ns.
const STEP: u64 = 1000;

/// Why an event cannot be read.
const UNDEFINED: &str = "an event whose id the metadata does not define";

/// A packet that is being read.
#[derive(Clone, Copy, Debug)]
struct Packet {
    /// Index of the class of its stream.
    stream: usize,
    /// Bits that were read.
    at: u64,
    /// Where its content and it itself end, in bits; the largest number if it ends with the file.
    content: u64,
    len: u64,
}

/// Where reading is.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Between packets.
    Between,
    /// In a packet.
    Inside(Packet),
    /// After the content of a packet; so many bytes are left of it.
    Rest(u64),
    /// Bytes are passed over: so many were, and so many are left.
    Skips(Break, u64, u64),
    /// The next packet is looked for; so many bytes were passed over.
    Seeks(Break, u64),
    /// Nothing but zeros follows, unless something else does.
    Zeros,
}

/// The result of a step.
enum Step {
    /// So many bytes were consumed; 0 if more are needed.
    Used(usize),
    /// Reading is somewhere else now.
    Again,
}

/// An event that was read.
struct DecodedEvent<'a> {
    /// Index of its class.
    class: usize,
    /// Where its own fields begin, and the bytes.
    payload: Cursor<'a>,
}

/// Reads one file of a trace.
#[derive(Debug)]
pub struct CtfStream {
    trace: Rc<CtfTrace>,
    first_core: u32,
    state: State,
    has_begun: bool,
    decoder: Decoder,
    losses: Losses,
    engine: Engine,
    own: TbandEvents,
    /// The core of the last event.
    core: u32,
    /// Fields of an event that is shown as text.
    text: String,
}

impl CtfTrace {
    /// Reads a stream of it, whose events belong to `core` unless the trace names another core.
    #[must_use]
    pub fn stream(self: &Rc<Self>, core: u32) -> Box<dyn Importer> {
        Box::new(CtfStream::new(Rc::clone(self), core))
    }
}

impl CtfStream {
    /// Reads from the start of a file.
    pub fn new(trace: Rc<CtfTrace>, core: u32) -> Self {
        let decoder = Decoder::new(trace.model.slots);
        let engine = Engine::new(trace.files > 1);
        Self {
            trace,
            first_core: core,
            state: State::Between,
            has_begun: false,
            decoder,
            losses: Losses::default(),
            engine,
            own: TbandEvents::default(),
            core,
            text: String::new(),
        }
    }

    /// Reports the facts that are known before the first event.
    fn begin(&mut self, stream: usize, out: &mut Output) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let core = self.first_core;
        self.engine.begin(&self.trace.bound, core, out);
        if self.trace.is_own() {
            return;
        }
        // A trace without tasks does not show who runs, but it does not show either that the target has no kernel.
        if self.trace.bound.has_tasks {
            out.begin_recording(core, 0, None);
        }
        let hz = self.trace.scales.get(stream).map_or(1_000_000_000, |scale| scale.hz);
        if 1_000_000_000_u64.is_multiple_of(hz) {
            out.metadata(core, &Event::TsResolutionNs { ns_per_ts: 1_000_000_000 / hz });
        } else {
            let frequency = Event::TsFrequency { numerator: hz, denominator: 1 };
            out.timed(core, self.ticks(stream), &frequency);
        }
    }

    fn ticks(&self, stream: usize) -> u64 {
        let scale = self.trace.scales.get(stream);
        scale.map_or(self.decoder.now, |scale| scale.ticks(self.decoder.now))
    }

    /// A packet begins, or something that is none.
    fn packet(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> Step {
        let trace = Rc::clone(&self.trace);
        if let Some(magic) = trace.magic()
            && !bytes.starts_with(&magic)
        {
            if bytes.len() < magic.len() && !at_end {
                return Step::Used(0);
            }
            self.state = if bytes.first() == Some(&0) {
                State::Zeros
            } else if bytes.iter().take(magic.len()).eq(magic.iter().rev()) {
                let what = "packets have the other byte order than the metadata declares";
                State::Skips(Break::Damage(what), 0, u64::MAX)
            } else {
                State::Seeks(Break::Damage("no packet of the trace begins here"), 0)
            };
            return Step::Again;
        }
        let mut cursor = Cursor { bytes, at: 0, before: 0, end: u64::MAX };
        let now = self.decoder.now;
        let stream = match self.header(&mut cursor) {
            Ok(stream) => stream,
            Err(ReadStop::Short) if !at_end && bytes.len() < MOST => {
                self.decoder.now = now;
                return Step::Used(0);
            }
            Err(ReadStop::Short | ReadStop::Beyond) => return self.lost(Break::Cut, u64::MAX),
            Err(ReadStop::Wrong(what)) => return self.lost(Break::Damage(what), u64::MAX),
        };
        let Some(of) = trace.model.streams.get(stream) else { return Step::Used(bytes.len()) };
        let number = |slot: Option<u32>| slot.map(|slot| self.decoder.get(slot));
        let (size, content) = (number(of.packet_size), number(of.content_size));
        let len = size.or(content).unwrap_or(u64::MAX);
        let content = content.unwrap_or(len);
        let is_whole = len == u64::MAX || len.is_multiple_of(8);
        if content < cursor.at || content > len || !is_whole {
            let what = "the header of a packet whose sizes are impossible";
            return self.lost(Break::Damage(what), u64::MAX);
        }
        let used = (cursor.at / 8) as usize;
        if used > 0 && used == bytes.len() && !at_end {
            self.decoder.now = now;
            return Step::Used(0);
        }
        if let Some(core) =
            trace.bound.packet_core(stream).and_then(|it| number_of(it, &self.decoder))
        {
            self.core = self.first_core.saturating_add(core);
        }
        self.begin(stream, out);
        let (begin, end) = (self.ticks(stream), of.end.map(|slot| self.decoder.get(slot)));
        let end = end.and_then(|end| Some(trace.scales.get(stream)?.ticks(end)));
        self.losses.packet((stream, of, self.core), &self.decoder, (begin, end));
        self.state = State::Inside(Packet { stream, at: cursor.at, content, len });
        if used > 0 && used == bytes.len() && content > cursor.at {
            out.broken(self.core, Break::Cut, 0, 0);
        }
        if used > 0 { Step::Used(used) } else { Step::Again }
    }

    /// Reads header and context of a packet. Gives the index of the class of its stream.
    fn header(&mut self, cursor: &mut Cursor<'_>) -> Result<usize, ReadStop> {
        let trace = Rc::clone(&self.trace);
        let model = &trace.model;
        if let Some(header) = &model.packet_header {
            self.decoder.read(header, cursor)?;
        }
        let stream = match model.stream_class.map(|slot| self.decoder.get(slot)) {
            Some(id) => {
                let found = model.streams.iter().position(|stream| stream.id == id);
                found.ok_or(ReadStop::Wrong(
                    "a packet of a stream that the metadata does not define",
                ))?
            }
            None => 0,
        };
        if let Some(context) = model.streams.get(stream).and_then(|it| it.packet_context.as_ref()) {
            self.decoder.read(context, cursor)?;
        }
        Ok(stream)
    }

    /// Reads events of a packet until a byte is consumed.
    fn inside(&mut self, mut packet: Packet, bytes: &[u8], at_end: bool, out: &mut Output) -> Step {
        let before = packet.at / 8 * 8;
        let end = packet.content.saturating_sub(before);
        let trace = Rc::clone(&self.trace);
        let Some(of) = trace.model.streams.get(packet.stream) else {
            return Step::Used(bytes.len());
        };
        // Bytes of the events that were read in this call.
        let mut consumed = 0;
        loop {
            let mut cursor = Cursor { bytes, at: packet.at - before, before, end };
            if packet.at >= packet.content && consumed > 0 {
                return Step::Used(consumed);
            }
            if packet.at >= packet.content {
                let at = (self.core, self.ticks(packet.stream));
                self.losses.report(at, false, &mut self.engine, out);
                self.state = State::Rest((packet.len / 8).saturating_sub(before / 8));
                return Step::Again;
            }
            let has_end = packet.content != u64::MAX;
            if !has_end && is_padding(bytes.get(consumed..).unwrap_or_default(), at_end) {
                if consumed > 0 {
                    return Step::Used(consumed);
                }
                self.state = State::Zeros;
                return Step::Again;
            }
            let now = self.decoder.now;
            let read = self.read_event(of, &mut cursor);
            let used = (cursor.at / 8) as usize;
            let is_last = used >= bytes.len();
            let why = match read {
                // Whether the file ends here shows only with the bytes after it.
                Ok(_) if is_last && !at_end => ReadStop::Short,
                Ok(_) if before.saturating_add(cursor.at) == packet.at => {
                    ReadStop::Wrong("an event without a bit")
                }
                Ok(read) => {
                    packet.at = before.saturating_add(cursor.at);
                    self.state = State::Inside(packet);
                    self.mean(packet.stream, &read, out);
                    if is_last && has_end && packet.at < packet.content {
                        out.broken(self.core, Break::Cut, 0, 0);
                    }
                    if used > 0 && (is_last || !out.has_room()) {
                        return Step::Used(used);
                    }
                    out.end_record(used - consumed);
                    consumed = used;
                    continue;
                }
                Err(why) => why,
            };
            self.decoder.now = now;
            // The next call begins with the event that cannot be read.
            if consumed > 0 {
                return Step::Used(consumed);
            }
            return match why {
                ReadStop::Short if !at_end && bytes.len() < MOST => Step::Used(0),
                ReadStop::Short if at_end => self.lost(Break::Cut, u64::MAX),
                ReadStop::Short => self.lose_rest(packet, "an event of more than 64 KiB"),
                ReadStop::Beyond => {
                    self.lose_rest(packet, "an event that reaches beyond the end of its packet")
                }
                // Zephyr writes into a buffer that is saved as a whole.
                ReadStop::Wrong(UNDEFINED) if !has_end && self.decoder.id == 0 => {
                    self.lost(Break::Unwritten, u64::MAX)
                }
                ReadStop::Wrong(what) => self.lose_rest(packet, what),
            };
        }
    }

    /// Reads the fields of an event.
    fn read_event<'a>(
        &mut self,
        of: &Stream,
        cursor: &mut Cursor<'a>,
    ) -> Result<DecodedEvent<'a>, ReadStop> {
        self.decoder.id = of.events.first().map_or(0, |event| event.id);
        if let Some(header) = &of.event_header {
            self.decoder.read(header, cursor)?;
        }
        let Some(&class) = of.by_id.get(&self.decoder.id) else {
            return Err(ReadStop::Wrong(UNDEFINED));
        };
        let Some(event) = of.events.get(class) else { return Err(ReadStop::Beyond) };
        if let Some(context) = &of.event_context {
            self.decoder.read(context, cursor)?;
        }
        if let Some(context) = &event.context {
            self.decoder.read(context, cursor)?;
        }
        let payload = *cursor;
        if let Some(fields) = &event.payload {
            self.decoder.read(fields, cursor)?;
        }
        if !of.has_time {
            self.decoder.now = self.decoder.now.saturating_add(STEP);
        }
        Ok(DecodedEvent { class, payload })
    }

    /// Reports the meaning of an event.
    fn mean(&mut self, stream: usize, read: &DecodedEvent<'_>, out: &mut Output) {
        let trace = Rc::clone(&self.trace);
        let Some((handling, core)) = trace.bound.class(stream, read.class) else { return };
        let Some(event) = trace.model.streams.get(stream).and_then(|it| it.events.get(read.class))
        else {
            return;
        };
        if let Some(core) = core.as_ref().and_then(|core| number_of(core, &self.decoder)) {
            self.core = self.first_core.saturating_add(core);
        }
        let ts = self.ticks(stream);
        let at = EventPlace { core: self.core, ts };
        let counts_drops = matches!(handling, Handling::Own(DROPPED));
        self.losses.report((self.core, ts), counts_drops, &mut self.engine, out);
        let bytes = read.payload.bytes;
        let is_done = match handling {
            Handling::Own(id) => {
                let from = (&self.decoder, bytes);
                self.own.event(*id, event.payload.as_ref(), from, at, out)
            }
            Handling::Described(id) => {
                let from = (&self.decoder, bytes);
                self.own.described(*id, event.payload.as_ref(), from, at, out)
            }
            Handling::Rules(rules) => {
                let from = (&self.decoder, bytes);
                self.engine.event(&trace.bound, rules, from, at, out)
            }
        };
        if is_done {
            return;
        }
        self.text.clear();
        if let Some(Field::Struct(fields)) = &event.payload {
            // The fields are read a second time, for the text.
            let (now, mut cursor) = (self.decoder.now, read.payload);
            let _ = show(fields, &mut cursor, &mut self.decoder, &mut self.text);
            self.decoder.now = now;
        }
        self.engine.show(&event.name, &self.text, at, out);
    }
}

/// What the event of this id counts is what packets report as well.
const DROPPED: u8 = 1;

/// The number of a core.
fn number_of(place: &FieldScope, decoder: &Decoder) -> Option<u32> {
    u32::try_from(number(place, decoder)?).ok()
}

/// Zeros that are not an event: up to the end of the file, or so many that they can only be padding.
fn is_padding(bytes: &[u8], at_end: bool) -> bool {
    let head = bytes.get(..PADDING).unwrap_or(bytes);
    (at_end || head.len() == PADDING) && head.iter().all(|byte| *byte == 0)
}

impl Importer for CtfStream {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        while !bytes.is_empty() {
            let step = match self.state {
                State::Between => self.packet(bytes, at_end, out),
                State::Inside(packet) => self.inside(packet, bytes, at_end, out),
                State::Rest(left) => self.rest(left, bytes, at_end, out),
                State::Skips(..) | State::Seeks(..) => self.pass(bytes, at_end, out),
                State::Zeros => self.skip_zeros(bytes),
            };
            if let Step::Used(len) = step {
                return len;
            }
        }
        0
    }

    fn about(&self) -> ForeignRecording {
        about(&self.trace, self.engine.facts, self.has_begun)
    }
}
