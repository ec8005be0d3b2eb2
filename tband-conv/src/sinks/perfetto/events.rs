//! Track events: slices, instants, counters and waits, with values and ends of flows.

use tband_format::decode::Decoded;
use tband_format::field::Value;

use super::packets::{Name, Packets, WAITS};
use super::wire;
use crate::number::Number;

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

/// A value of a track event.
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

/// The arguments of a wait's slice, with numbers of interned strings.
#[derive(Clone, Copy, Debug)]
pub struct WaitSlice {
    pub symbol: u64,
    pub object: Option<u32>,
    pub ticks: Option<u32>,
    pub ender: Option<u64>,
    /// How long it had lasted before the window that is shown, in ns.
    pub before: Option<u64>,
    /// The flow that continues with the actor that ended it.
    pub flow: Option<u64>,
}

impl Packets {
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

    #[inline]
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
    #[inline]
    pub fn counter(&mut self, ns: i64, track: u64, value: i64) {
        if let (track @ 0..0x80, value @ 0..0x80) = (track, value) {
            // As below, with one byte for each number.
            let tail = [0x5A, 7, 0x48, 4, 0x58, track as u8, 0xF0, 1, value as u8];
            if self.short_at(ns, tail) {
                return;
            }
        }
        self.long_counter(ns, track, Number::Integer(value));
    }

    #[inline(never)]
    fn long_counter(&mut self, ns: i64, track: u64, value: Number) {
        let (packet, buf) = self.open_at(ns);
        let event = wire::open(buf, 11);
        wire::int(buf, 9, EventType::Counter as i64);
        wire::int(buf, 11, track.cast_signed());
        match value {
            Number::Integer(value) => wire::int(buf, 30, value),
            Number::Real(value) => wire::fixed64(buf, 44, value.to_bits()),
        }
        wire::close(buf, event);
        wire::close(buf, packet);
    }

    /// Writes a counter's new value, which may be no integer.
    pub fn number_counter(&mut self, ns: i64, track: u64, value: Number) {
        match value {
            Number::Integer(value) => self.counter(ns, track, value),
            Number::Real(_) => self.long_counter(ns, track, value),
        }
    }

    /// Writes a wait as a slice, without an end if it lasts. It may be before the last written packet.
    pub fn wait(&mut self, (begin, end): (i64, Option<i64>), track: u64, wait: &WaitSlice) {
        let buf = &mut self.buf;
        let opened = open_wait(buf, begin, EventType::SliceBegin, track);
        // Its name.
        wire::after(buf, [0x50], wait.symbol);
        end_of_flow(buf, wait.flow.map(Link::Begins));
        // Values that are numbers, and the name of the actor that ended it.
        for (name, value) in [(1, wait.object), (2, wait.ticks)] {
            if let Some(value) = value {
                wait_arg(buf, [0x22, 0, 0x08, name, 0x18], value.into());
            }
        }
        if let Some(ender) = wait.ender {
            wait_arg(buf, [0x22, 0, 0x08, 3, 0x88, 1], ender);
        }
        if let Some(before) = wait.before {
            wait_arg(buf, [0x22, 0, 0x08, 4, 0x18], before);
        }
        close_wait(buf, opened);
        if let Some(end) = end {
            let opened = open_wait(buf, end, EventType::SliceEnd, track);
            close_wait(buf, opened);
        }
    }
}

/// A packet of a wait, and the track event in it.
type OpenWait = (wire::OpenMessage, wire::OpenMessage);

/// Opens one, with the fields that both ends of a wait have.
#[inline]
fn open_wait(buf: &mut Vec<u8>, ns: i64, kind: EventType, track: u64) -> OpenWait {
    // The packet and its time, then its sequence, and the event with its kind and its track.
    let packet = wire::open_after(buf, [0x0A, 0, 0x40], 1, ns.cast_unsigned());
    let known = [0x50, WAITS as u8, 0x5A, 0, 0x48, kind as u8, 0x58];
    (packet, wire::open_after(buf, known, 3, track))
}

#[inline]
fn close_wait(buf: &mut Vec<u8>, (packet, event): OpenWait) {
    wire::close(buf, event);
    wire::close(buf, packet);
}

/// Appends a value of a wait, after the bytes up to it.
#[inline]
fn wait_arg<const KNOWN: usize>(buf: &mut Vec<u8>, known: [u8; KNOWN], value: u64) {
    let annotation = wire::open_after(buf, known, 1, value);
    wire::close(buf, annotation);
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

/// Appends a value of a track event.
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

/// Appends the field that makes a track event one end of a flow. At a slice's end it belongs to the complete slice.
#[inline]
fn end_of_flow(buf: &mut Vec<u8>, link: Option<Link>) {
    match link {
        Some(Link::Begins(id)) => wire::fixed64(buf, 47, id),
        Some(Link::Ends(id)) => wire::fixed64(buf, 48, id),
        None => {}
    }
}
