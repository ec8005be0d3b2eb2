//! Writes packets: the opening with the clocks, times as steps of an incremental clock, interned names. Track events: see
//! `events.rs`.
//!
//! Nearly all packets are of one sequence. Descriptors of threads have their own sequence, because Perfetto takes the last
//! thread that a sequence describes as the origin of all its global events. So have waits, which are written when they are over
//! and have full times. Times of the others are the nanoseconds since the packet before, which takes a byte or two; a packet
//! that steps back (cores are not always in order) has its full time on the trace's own clock and leaves the incremental clock
//! alone.

use std::collections::HashMap;
use std::io::{self, Write};

use foldhash::fast::RandomState;
use prost::Message as _;

use super::proto::{
    Clock, ClockSnapshot, EventName, InternedData, InternedString, TracePacket, TracePacketDefaults,
};
use super::wire;

/// The sequence of all packets but descriptors of threads.
const SEQUENCE: u32 = 1;
/// The sequence of descriptors of threads. It has no events.
const THREADS: u32 = 2;
/// The sequence of waits. Its names of events have the numbers of the symbols of the main one.
pub const WAITS: u32 = 3;
/// The sequence of activations, which are written when they are over, too.
pub const ACTIVATIONS: u32 = 4;
/// Names of values that go with waits, by number.
const WAIT_ARGS: [&str; 4] = ["object_id", "ticks_to_wait", "ended_by", "waited_before_ns"];
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

/// A name as a packet refers to it.
#[derive(Clone, Copy, Debug)]
pub enum Name<'a> {
    Interned(u64),
    Inline(&'a [u8]),
}

/// Packets that are not handed on yet.
#[derive(Debug)]
pub struct Packets {
    pub buf: Vec<u8>,
    /// Bytes that were handed on.
    handed_on: u64,
    /// Time of the incremental clock.
    last_ns: i64,
    opened: bool,
    /// Numbers of names. Each written name is looked up, hence the hasher; its seed is random, so that texts of a recording
    /// cannot choose places in the table.
    names: HashMap<Box<[u8]>, u64, RandomState>,
    symbols: u64,
    enders: u64,
}

impl Default for Packets {
    fn default() -> Self {
        Self {
            buf: Vec::with_capacity(FLUSH_AT + 4096),
            handed_on: 0,
            last_ns: 0,
            opened: false,
            names: HashMap::default(),
            symbols: 0,
            enders: 0,
        }
    }
}

impl Packets {
    /// The opening packet is written.
    #[inline]
    pub const fn is_open(&self) -> bool {
        self.opened
    }

    /// Writes a packet with a time whose other bytes are constant, as `TAIL`; returns false, without effect, if it does not fit
    /// this short form.
    #[inline]
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
        let names = (1..).zip(&WAIT_ARGS).map(arg).collect();
        let data = InternedData { debug_annotation_names: names, ..InternedData::default() };
        self.open_in_full(WAITS, data);
        true
    }

    /// Opens a further sequence, whose packets have their times in full.
    pub fn open_in_full(&mut self, sequence: u32, interned_data: InternedData) {
        let opening = TracePacket {
            sequence_flags: Some(STATE_CLEARED),
            trace_packet_defaults: Some(TracePacketDefaults { timestamp_clock_id: Some(BOOTTIME) }),
            interned_data: Some(interned_data),
            ..TracePacket::default()
        };
        self.message_of(sequence, &opening);
    }

    /// Writes a packet that has no time.
    pub fn message(&mut self, packet: &TracePacket) {
        self.message_of(SEQUENCE, packet);
    }

    /// Writes a packet that describes a thread.
    pub fn thread(&mut self, packet: &TracePacket) {
        self.message_of(THREADS, packet);
    }

    /// Writes a packet of a sequence that has no time.
    pub fn message_of(&mut self, sequence: u32, packet: &TracePacket) {
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
    pub fn open_at(&mut self, ns: i64) -> (wire::OpenMessage, &mut Vec<u8>) {
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

    /// Interns the reason of a wait, as a symbol and as a name of waits; the caller stores the number.
    pub fn symbol(&mut self, symbol: &str) -> u64 {
        self.symbols += 1;
        let iid = Some(self.symbols);
        let string = InternedString { iid, str: Some(symbol.into()) };
        self.intern(InternedData { kernel_symbols: vec![string], ..InternedData::default() });
        let name = EventName { iid, name: Some(symbol.to_owned()) };
        self.intern_of_waits(InternedData { event_names: vec![name], ..InternedData::default() });
        self.symbols
    }

    /// Interns the actor that ends waits; the caller stores the number.
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

    fn intern(&mut self, data: InternedData) {
        self.message(&TracePacket { interned_data: Some(data), ..TracePacket::default() });
    }

    /// Bytes of the trace so far.
    pub const fn size(&self) -> u64 {
        self.handed_on.saturating_add(self.buf.len() as u64)
    }

    /// Hands the packets on to `out` when many have piled up.
    #[inline]
    pub fn flush_if_full(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.buf.len() >= FLUSH_AT { self.flush(out) } else { Ok(()) }
    }

    /// Hands all packets on to `out`.
    pub fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.buf)?;
        self.handed_on = self.handed_on.saturating_add(self.buf.len() as u64);
        self.buf.clear();
        Ok(())
    }
}
