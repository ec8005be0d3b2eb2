//! Writes packets: the opening with the clocks, times as steps of an incremental clock, interned
//! names, track events.
//!
//! Nearly all packets are of one sequence. Descriptors of threads have their own, since Perfetto takes
//! the last thread that a sequence describes for the one that all its global events come from; so have
//! waits, which are written when they are over and tell their times in full. Times of the others are the nanoseconds since the packet before, which takes a
//! byte or two; a packet that steps back (cores are not always in order) says its time in full on
//! the trace's own clock and leaves the incremental clock alone.

use std::collections::HashMap;
use std::io::{self, Write};

use prost::Message as _;
use tband_format::{Decoded, Value};

use super::proto::{
    Clock, ClockSnapshot, EventName, InternedData, InternedString, TracePacket, TracePacketDefaults,
};
use super::wire;

/// The sequence of all packets but descriptors of threads.
const SEQUENCE: u32 = 1;
/// The sequence of descriptors of threads. It has no events.
const THREADS: u32 = 2;
/// The sequence of waits. Its names of events have the numbers of the symbols of the main one.
const WAITS: u32 = 3;
/// Names of values that go with waits, by number.
const WAIT_ARGS: [&str; 4] = ["object_id", "ticks_asked", "ended_by", "waited_before_ns"];
/// Trace.packet
const PACKET: u32 = 1;
/// The clock of the trace, and the incremental clock of the sequence.
const BOOTTIME: u32 = 6;
const INCREMENTAL: u32 = 64;
/// TracePacket.sequence_flags: interned strings and defaults start here.
const STATE_CLEARED: u32 = 1;
/// Names that are interned; further ones are written out, so that memory is bounded.
const MAX_NAMES: usize = 4096;
/// Longest name that is interned, in bytes.
const MAX_NAME_LEN: usize = 128;
const FLUSH_AT: usize = 64 * 1024;

/// TrackEvent.type
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum EventType {
    SliceBegin = 1,
    SliceEnd = 2,
    Instant = 3,
    Counter = 4,
}

/// One end of an arrow that an event is, with the number of the flow.
#[derive(Clone, Copy, Debug)]
pub enum Link {
    Begins(u64),
    Ends(u64),
}

/// A name as a packet refers to it.
#[derive(Clone, Copy, Debug)]
pub enum Name<'a> {
    Interned(u64),
    Inline(&'a [u8]),
}

/// A value that goes with a track event.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    Number(u32),
    Unsigned(u64),
    Signed(i64),
    /// Shown in hex.
    Address(u32),
    Text(&'a str),
    /// Text that need not be UTF-8.
    Bytes(&'a [u8]),
}

/// What a wait's slice says, with numbers of interned strings.
#[derive(Clone, Copy, Debug)]
pub struct WaitSlice {
    pub symbol: u64,
    pub object: Option<u32>,
    pub ticks: Option<u32>,
    pub ender: Option<u64>,
    /// For how long it went on before the window that is shown, in ns.
    pub before: Option<u64>,
}

/// The output, packet by packet.
#[derive(Debug)]
pub struct Packets<W> {
    out: W,
    buf: Vec<u8>,
    /// Time of the incremental clock.
    last_ns: i64,
    opened: bool,
    names: HashMap<Box<[u8]>, u64>,
    symbols: u64,
    enders: u64,
}

impl<W: Write> Packets<W> {
    pub fn new(out: W) -> Self {
        Self {
            out,
            buf: Vec::with_capacity(FLUSH_AT + 4096),
            last_ns: 0,
            opened: false,
            names: HashMap::new(),
            symbols: 0,
            enders: 0,
        }
    }

    /// The opening packet is written.
    #[inline(always)]
    pub const fn is_open(&self) -> bool {
        self.opened
    }

    /// Writes a packet with a time of which all else is at hand, as `TAIL`; false if it does not fit
    /// this short form and nothing was written.
    #[inline(always)]
    pub fn short_at<const TAIL: usize>(&mut self, ns: i64, tail: [u8; TAIL]) -> bool {
        const { assert!(TAIL < 100) };
        let step = ns.wrapping_sub(self.last_ns);
        let buf = &mut self.buf;
        // Packet, its length, timestamp of one to three bytes, sequence.
        match step {
            0..0x80 => buf.extend_from_slice(&[0x0A, TAIL as u8 + 4, 0x40, step as u8, 0x50, 1]),
            0x80..0x4000 => {
                let (low, high) = (step as u8 | 0x80, (step >> 7) as u8);
                buf.extend_from_slice(&[0x0A, TAIL as u8 + 5, 0x40, low, high, 0x50, 1]);
            }
            0x4000..0x20_0000 => {
                let (low, middle) = (step as u8 | 0x80, (step >> 7) as u8 | 0x80);
                let high = (step >> 14) as u8;
                buf.extend_from_slice(&[0x0A, TAIL as u8 + 6, 0x40, low, middle, high, 0x50, 1]);
            }
            _ => return false,
        }
        buf.extend_from_slice(&tail);
        self.last_ns = ns;
        true
    }

    /// Writes the opening packet, which sets the clocks to this time; false if that was done.
    pub fn open(&mut self, ns: i64) -> bool {
        if std::mem::replace(&mut self.opened, true) {
            return false;
        }
        self.last_ns = ns;
        let clock = |id, timestamp, is_incremental| Clock {
            clock_id: Some(id),
            timestamp: Some(timestamp),
            is_incremental,
        };
        self.message(&TracePacket {
            sequence_flags: Some(STATE_CLEARED),
            trace_packet_defaults: Some(TracePacketDefaults {
                timestamp_clock_id: Some(INCREMENTAL),
            }),
            clock_snapshot: Some(ClockSnapshot {
                clocks: vec![
                    clock(BOOTTIME, ns.unsigned_abs(), None),
                    clock(INCREMENTAL, 0, Some(true)),
                ],
                primary_trace_clock: Some(BOOTTIME),
            }),
            ..TracePacket::default()
        });
        let arg =
            |(iid, name): (u64, &&str)| EventName { iid: Some(iid), name: Some((*name).into()) };
        let opening = TracePacket {
            sequence_flags: Some(STATE_CLEARED),
            trace_packet_defaults: Some(TracePacketDefaults { timestamp_clock_id: Some(BOOTTIME) }),
            interned_data: Some(InternedData {
                debug_annotation_names: (1..).zip(&WAIT_ARGS).map(arg).collect(),
                ..InternedData::default()
            }),
            ..TracePacket::default()
        };
        self.message_of(WAITS, &opening);
        true
    }

    /// Writes a packet that has no time.
    pub fn message(&mut self, packet: &TracePacket) {
        self.message_of(SEQUENCE, packet);
    }

    /// Writes a packet that describes a thread.
    pub fn thread(&mut self, packet: &TracePacket) {
        self.message_of(THREADS, packet);
    }

    fn message_of(&mut self, sequence: u32, packet: &TracePacket) {
        let bytes = TracePacket { trusted_packet_sequence_id: Some(sequence), ..packet.clone() };
        wire::bytes(&mut self.buf, PACKET, &bytes.encode_to_vec());
    }

    /// Writes a packet with a time; for rare ones.
    pub fn message_at(&mut self, ns: i64, packet: &TracePacket) {
        let timestamp = Some(ns.unsigned_abs());
        let timestamp_clock_id = Some(BOOTTIME);
        self.message(&TracePacket { timestamp, timestamp_clock_id, ..packet.clone() });
    }

    /// Opens a packet with a time, to be filled and closed by the caller.
    #[inline]
    pub fn open_at(&mut self, ns: i64) -> (wire::Open, &mut Vec<u8>) {
        let buf = &mut self.buf;
        let packet = wire::open(buf, PACKET);
        let step = ns.saturating_sub(self.last_ns);
        if step >= 0 {
            wire::int(buf, 8, step);
            self.last_ns = ns;
        } else {
            wire::int(buf, 8, ns);
            wire::int(buf, 58, BOOTTIME.into());
        }
        wire::int(buf, 10, SEQUENCE.into());
        (packet, buf)
    }

    /// Writes a packet without time whose one field is `content`.
    pub fn raw(&mut self, field: u32, content: &[u8]) {
        let buf = &mut self.buf;
        let packet = wire::open(buf, PACKET);
        wire::int(buf, 10, SEQUENCE.into());
        wire::bytes(buf, field, content);
        wire::close(buf, packet);
    }

    /// How packets refer to a name.
    pub fn name<'n>(&mut self, name: &'n [u8]) -> Name<'n> {
        if let Some(iid) = self.names.get(name) {
            return Name::Interned(*iid);
        }
        if self.names.len() >= MAX_NAMES || name.len() > MAX_NAME_LEN {
            return Name::Inline(name);
        }
        let iid = self.names.len() as u64 + 1;
        self.names.insert(name.into(), iid);
        let name = String::from_utf8_lossy(name).into_owned();
        self.intern(InternedData {
            event_names: vec![EventName { iid: Some(iid), name: Some(name) }],
            ..InternedData::default()
        });
        Name::Interned(iid)
    }

    /// Interns what a task waits for, as a symbol and as a name of waits; the caller remembers the
    /// number.
    pub fn symbol(&mut self, symbol: &str) -> u64 {
        self.symbols += 1;
        let iid = Some(self.symbols);
        let string = InternedString { iid, str: Some(symbol.into()) };
        self.intern(InternedData { kernel_symbols: vec![string], ..InternedData::default() });
        let name = EventName { iid, name: Some(symbol.to_owned()) };
        self.intern_of_waits(InternedData { event_names: vec![name], ..InternedData::default() });
        self.symbols
    }

    /// Interns who ends waits; the caller remembers the number.
    pub fn ender(&mut self, name: &str) -> u64 {
        self.enders += 1;
        let string = InternedString { iid: Some(self.enders), str: Some(name.into()) };
        let debug_annotation_string_values = vec![string];
        self.intern_of_waits(InternedData {
            debug_annotation_string_values,
            ..InternedData::default()
        });
        self.enders
    }

    fn intern_of_waits(&mut self, data: InternedData) {
        let packet = TracePacket { interned_data: Some(data), ..TracePacket::default() };
        self.message_of(WAITS, &packet);
    }

    /// Writes a wait as a slice, without an end if it goes on. It may lie before what was written last.
    pub fn wait(&mut self, (begin, end): (i64, Option<i64>), track: u64, wait: &WaitSlice) {
        let buf = &mut self.buf;
        for (ns, kind) in [(Some(begin), EventType::SliceBegin), (end, EventType::SliceEnd)] {
            let Some(ns) = ns else { return };
            let packet = wire::open(buf, PACKET);
            wire::int(buf, 8, ns);
            wire::int(buf, 10, WAITS.into());
            let event = wire::open(buf, 11);
            wire::int(buf, 9, kind as i64);
            wire::int(buf, 11, track.cast_signed());
            if let EventType::SliceBegin = kind {
                wire::int(buf, 10, wait.symbol.cast_signed());
                let number = |number: Option<u32>| number.map(|number| (3, u64::from(number)));
                let ender = wait.ender.map(|ender| (17, ender));
                let before = wait.before.map(|ns| (3, ns));
                let args = [number(wait.object), number(wait.ticks), ender, before];
                for (name, arg) in (1..).zip(args) {
                    if let Some((field, value)) = arg {
                        let annotation = wire::open(buf, 4);
                        wire::int(buf, 1, name);
                        wire::int(buf, field, value.cast_signed());
                        wire::close(buf, annotation);
                    }
                }
            }
            wire::close(buf, event);
            wire::close(buf, packet);
        }
    }

    fn intern(&mut self, data: InternedData) {
        self.message(&TracePacket { interned_data: Some(data), ..TracePacket::default() });
    }

    /// Writes a track event.
    #[inline]
    pub fn event(&mut self, ns: i64, kind: EventType, track: u64, name: Option<Name<'_>>) {
        self.any_event(ns, kind, track, name, None);
    }

    /// Writes a track event that is one end of a flow. The other end must be later, or the same time
    /// and written later.
    #[inline(never)]
    pub fn linked(&mut self, ns: i64, kind: EventType, track: u64, name: Name<'_>, link: Link) {
        self.any_event(ns, kind, track, Some(name), Some(link));
    }

    #[inline(always)]
    fn any_event(
        &mut self,
        ns: i64,
        kind: EventType,
        track: u64,
        name: Option<Name<'_>>,
        link: Option<Link>,
    ) {
        let (packet, buf) = self.open_at(ns);
        let event = wire::open(buf, 11);
        track_event(buf, kind, track, name);
        end_of_flow(buf, link);
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// Writes a track event that is not frequent, with values; it may be one end of a flow, see
    /// [`linked`](Self::linked).
    pub fn event_with(
        &mut self,
        ns: i64,
        kind: EventType,
        track: u64,
        name: Option<Name<'_>>,
        args: &[(&str, Arg<'_>)],
        link: Option<Link>,
    ) {
        let (packet, buf) = self.open_at(ns);
        let event = wire::open(buf, 11);
        track_event(buf, kind, track, name);
        end_of_flow(buf, link);
        args.iter().for_each(|(name, arg)| annotation(buf, name, *arg));
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// Writes an event of the recording as an instant, with its fields.
    pub fn recorded(&mut self, ns: i64, track: u64, offset: u64, decoded: &Decoded<'_>) {
        let name = self.name(decoded.event.name().as_bytes());
        let (packet, buf) = self.open_at(ns);
        let event = wire::open(buf, 11);
        track_event(buf, EventType::Instant, track, Some(name));
        if let Some(ts) = decoded.ts {
            annotation(buf, "ts", Arg::Unsigned(ts));
        }
        decoded.event.for_each_field(|name, value| {
            let value = match value {
                Value::Unsigned(value) => Arg::Unsigned(value),
                Value::Named(value, _) => Arg::Unsigned(value.into()),
                Value::Signed(value) => Arg::Signed(value),
                Value::Str(value) => Arg::Bytes(value.0),
            };
            annotation(buf, name, value);
        });
        annotation(buf, "byte", Arg::Unsigned(offset));
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// Writes a counter's new value.
    #[inline(always)]
    pub fn counter(&mut self, ns: i64, track: u64, value: i64) {
        if let (track @ 0..0x80, value @ 0..0x80) = (track, value) {
            // As below, with one byte for each number.
            let tail = [0x5A, 7, 0x48, 4, 0x58, track as u8, 0xF0, 1, value as u8];
            if self.short_at(ns, tail) {
                return;
            }
        }
        self.long_counter(ns, track, value);
    }

    #[inline(never)]
    fn long_counter(&mut self, ns: i64, track: u64, value: i64) {
        let (packet, buf) = self.open_at(ns);
        let event = wire::open(buf, 11);
        wire::int(buf, 9, EventType::Counter as i64);
        wire::int(buf, 11, track.cast_signed());
        wire::int(buf, 30, value);
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// Hands the packets on when many have piled up.
    #[inline]
    pub fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buf.len() >= FLUSH_AT { self.flush() } else { Ok(()) }
    }

    /// Hands all packets on.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buf)?;
        self.buf.clear();
        Ok(())
    }

    /// Hands all packets on and closes the output.
    pub fn close(&mut self) -> io::Result<()> {
        self.flush()?;
        self.out.flush()
    }

    pub fn into_inner(self) -> W {
        self.out
    }
}

/// The fields that every track event but a counter's has.
#[inline]
fn track_event(buf: &mut Vec<u8>, kind: EventType, track: u64, name: Option<Name<'_>>) {
    wire::int(buf, 9, kind as i64);
    wire::int(buf, 11, track.cast_signed());
    match name {
        Some(Name::Interned(iid)) => wire::int(buf, 10, iid.cast_signed()),
        // A string field must be UTF-8.
        Some(Name::Inline(name)) => {
            wire::bytes(buf, 23, String::from_utf8_lossy(name).as_bytes());
        }
        None => {}
    }
}

/// A value that goes with a track event.
fn annotation(buf: &mut Vec<u8>, name: &str, arg: Arg<'_>) {
    let annotation = wire::open(buf, 4);
    wire::bytes(buf, 10, name.as_bytes());
    match arg {
        Arg::Number(number) => wire::int(buf, 3, number.into()),
        Arg::Unsigned(number) => wire::int(buf, 3, number.cast_signed()),
        Arg::Signed(number) => wire::int(buf, 4, number),
        Arg::Address(address) => wire::int(buf, 7, address.into()),
        Arg::Text(text) => wire::bytes(buf, 6, text.as_bytes()),
        Arg::Bytes(text) => wire::bytes(buf, 6, String::from_utf8_lossy(text).as_bytes()),
    }
    wire::close(buf, annotation);
}

/// The field that makes a track event one end of a flow. That of a slice's end is of the whole slice.
#[inline(always)]
fn end_of_flow(buf: &mut Vec<u8>, link: Option<Link>) {
    match link {
        Some(Link::Begins(id)) => wire::fixed64(buf, 47, id),
        Some(Link::Ends(id)) => wire::fixed64(buf, 48, id),
        None => {}
    }
}
