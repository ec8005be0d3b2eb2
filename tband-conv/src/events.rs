//! From one input's bytes to its events, in file order: frames or packets, decoding, and which core each
//! event belongs to.
//!
//! In frames `core_id` events switch the core of what follows. Nothing is dropped silently: what is not an
//! event comes out as a [`Defect`] with its place.

use std::fmt;
use std::io::{self, Read};

use tband_format::packet::PacketError;
use tband_format::{
    DecodeError, Decoded, Event, FrameError, Group, Take, Timestamps, WINDOW, cobs,
    decode_in_window, decode_payload,
};

use crate::diagnostics::LazyOffset;
use crate::frames::{Frame, FrameEnd, FrameReader, MAX_FRAME, NEAR, near_zero};
use crate::packets::{Link, Missing, PacketEvents};
use crate::wire::Wire;

/// Cores that are told apart. A larger core id is taken for damage.
pub const MAX_CORES: u32 = 64;

/// Which events a recording may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Base events only; FreeRTOS events are damage.
    BareMetal,
    /// All events.
    #[default]
    FreeRtos,
    /// What the recording says of itself, else all events.
    Auto,
}

/// Why a frame gives no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It does not decode.
    Undecodable(FrameError),
    /// It is longer than any frame can be.
    TooLong,
    /// The input ends before its closing zero byte.
    CutOff,
    /// It is a FreeRTOS event, by name, and the mode is bare-metal.
    WrongMode(&'static str),
    /// It sets a core id of [`MAX_CORES`] or more; the core stays what it was.
    CoreOutOfRange(u32),
    /// Bytes that are no packet, in a recording of packets.
    NoPacket(PacketError),
    /// The input ends inside of a packet.
    PacketCutOff,
    /// A whole packet has something else than an event.
    BadEvent {
        /// What is wrong.
        error: DecodeError,
        /// Bytes of the packet that are not read, since nothing tells where the next event begins.
        left: usize,
    },
    /// An event in a packet that no frame could have, by name.
    NoFrame(&'static str),
    /// Packets, or events of a core, are missing here.
    Missing(Missing),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecodable(error) => error.fmt(f),
            Self::TooLong => write!(f, "frame longer than {MAX_FRAME} bytes"),
            Self::CutOff => f.write_str("no closing zero byte: the recording is cut off"),
            Self::WrongMode(name) => write!(f, "FreeRTOS event {name} in bare-metal mode"),
            Self::CoreOutOfRange(core) => {
                write!(f, "core id {core} is out of range, cores 0 to {} exist", MAX_CORES - 1)
            }
            Self::NoPacket(error) => error.fmt(f),
            Self::PacketCutOff => {
                f.write_str("the rest of the packet is missing: the recording is cut off")
            }
            Self::BadEvent { error, left } => {
                write!(f, "{error}; the last {left} bytes of the packet are not read")
            }
            Self::NoFrame(name) => write!(f, "{name} without a field that those behind it need"),
            Self::Missing(missing) => missing.fmt(f),
        }
    }
}

impl Defect {
    /// The frame holds an event of a newer format version rather than garbage.
    #[must_use]
    pub const fn is_unknown_event(&self) -> bool {
        matches!(self, Self::Undecodable(FrameError::Event(DecodeError::UnknownId { .. })))
    }
}

/// One frame of a recording, or one event of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Core that it belongs to; for `core_id` the one that it sets.
    pub core: u32,
    /// Offset of the frame in the recording, in bytes.
    pub offset: u64,
    /// Bytes of the frame, closing zero not counted; in a packet one less than the event has.
    pub len: u64,
    /// The bytes of the event's frame, no longer COBS encoded; empty if there is a defect.
    pub payload: &'a [u8],
    /// The event, or what is wrong.
    pub event: Result<Decoded<'a>, Defect>,
}

/// Where an event comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Core that it belongs to; for `core_id` the one that it sets.
    pub core: u32,
    pub(crate) place: LazyOffset,
    /// Its bytes, no longer COBS encoded, and perhaps more behind them.
    bytes: &'a [u8],
    len: usize,
    is_packed: bool,
}

impl<'a> Origin<'a> {
    /// Of an event in a packet.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn packed(core: u32, place: LazyOffset, bytes: &'a [u8]) -> Self {
        Self { core, place, bytes, len: 0, is_packed: true }
    }

    /// It stands in a packet.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn is_packed(&self) -> bool {
        self.is_packed
    }

    /// Offset of its frame in the recording, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.place.offset()
    }

    /// The event's bytes, no longer COBS encoded; none of an event in a packet, where it stands in another way.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Takes in the frames of a recording.
pub trait Visitor {
    /// Why it stops.
    type Error: From<io::Error>;

    /// By id, which events are so frequent that each is worth a copy of [`event`](Self::event) that
    /// knows its kind.
    const FREQUENT: [bool; 256] = [false; 256];

    /// A frame that is an event.
    ///
    /// # Errors
    /// To stop.
    fn event(&mut self, origin: &Origin<'_>, decoded: &Decoded<'_>) -> Result<(), Self::Error>;

    /// A frame that is not.
    ///
    /// # Errors
    /// To stop.
    fn other(&mut self, item: &Item<'_>) -> Result<(), Self::Error>;

    /// It wants to be told when more of the input has to be waited for.
    const LIVE: bool = false;

    /// What has been read is over, and the next frame may have to be waited for.
    ///
    /// # Errors
    /// To stop.
    fn waits(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Reads the events of one input.
#[derive(Debug)]
pub struct EventReader<R> {
    /// Its bytes, of which packets are taken as well.
    frames: FrameReader<R>,
    /// They are packets.
    packets: Option<Box<PacketEvents>>,
    /// It is known which of the two they are.
    is_known: bool,
    scratch: Box<[u8]>,
    core: u32,
    mode: Mode,
    /// Events that were visited.
    events: u64,
}

impl<R: Read> EventReader<R> {
    /// Reads from the start of `input`; events belong to `core` until the recording says otherwise.
    pub fn new(input: R, core: u32, mode: Mode) -> Self {
        let scratch = vec![0; MAX_FRAME].into_boxed_slice();
        let frames = FrameReader::new(input);
        Self { frames, packets: None, is_known: false, scratch, core, mode, events: 0 }
    }

    /// Offset of the next unread byte of the recording.
    #[must_use]
    pub fn offset(&self) -> u64 {
        let read = self.packets.as_ref().map_or(0, |packets| packets.read());
        self.frames.offset().saturating_add(read as u64)
    }

    /// What came over the link so far, if the recording is packets.
    #[must_use]
    pub fn link(&self) -> Option<Link> {
        self.packets.as_ref().map(|packets| packets.link())
    }

    /// Reads on until it is known whether these are frames or packets.
    #[cold]
    #[inline(never)]
    fn find_out(&mut self) -> io::Result<()> {
        let buffer = self.frames.buffer();
        let wire = loop {
            match Wire::recognise(buffer.unread(), buffer.is_at_end()) {
                Some(wire) => break wire,
                None => buffer.fill()?,
            }
        };
        self.is_known = true;
        self.packets = (wire == Wire::Packets).then(|| Box::new(PacketEvents::new(self.core)));
        Ok(())
    }

    /// Events that [`visit`](Self::visit) has shown.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The next frame has been read already; else more of the input may have to be waited for.
    #[must_use]
    pub fn has_frame(&self) -> bool {
        match &self.packets {
            Some(packets) => packets.has_event(self.frames.buffer_ref()),
            None => memchr::memchr(0, self.frames.unread().0).is_some(),
        }
    }

    /// The next frame; `None` at the end of the input.
    ///
    /// # Errors
    /// What the reader reports.
    #[inline]
    pub fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        if !self.is_known {
            self.find_out()?;
        }
        let Self { frames, packets, scratch, core, mode, .. } = self;
        if let Some(packets) = packets {
            return packets.next_item(frames.buffer(), scratch, *mode);
        }
        Ok(frames.next_frame()?.map(|frame| item(frame, scratch, core, *mode)))
    }

    /// The input.
    pub(crate) const fn input_mut(&mut self) -> &mut R {
        self.frames.input_mut()
    }

    /// Visits all frames that are left. Faster than [`next_item`](Self::next_item).
    ///
    /// # Errors
    /// What the reader or the visitor reports.
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
        loop {
            // Bare-metal recordings are looked at more closely, which takes longer.
            if self.mode != Mode::BareMetal {
                let Self { frames, packets, events, .. } = self;
                match packets {
                    Some(packets) => {
                        // Who is to be told when there is something to wait for is told before.
                        if !V::LIVE {
                            packets.prepare(frames.buffer())?;
                        }
                        packets.visit(frames.buffer(), events, visitor)?;
                    }
                    None => self.visit_near(visitor)?,
                }
            }
            if V::LIVE && !self.has_frame() {
                visitor.waits()?;
            }
            if self.frames.read_to() != read_to {
                return Ok(true);
            }
            let visited = self.events.saturating_add(1);
            match self.next_item()? {
                Some(Item { core, offset, payload, event: Ok(decoded), .. }) => {
                    let place = LazyOffset { input: 0, end: offset, left: 0 };
                    let len = payload.len();
                    let origin = Origin { core, place, bytes: payload, len, is_packed: false };
                    visitor.event(&origin, &decoded)?;
                    self.events = visited;
                }
                Some(item) => visitor.other(&item)?,
                None => return Ok(false),
            }
        }
    }

    /// Visits frames as long as they are plain: short, all there, and an event with a timestamp in at
    /// most two COBS blocks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_near<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let Self { frames, events, .. } = self;
        let mut core = self.core;
        let (unread, start) = frames.unread();
        let end = start.wrapping_add(unread.len() as u64);
        let mut rest = unread;
        let mut timestamps = Timestamps::default();
        let mut result = Ok(());
        while let Some(near) = rest.first_chunk::<NEAR>() {
            let Some((&code, window)) = near.split_first() else { break };
            let Some(mut window) = window.first_chunk() else { break };
            // Bytes of the payload.
            let Some(len) = near_zero(window) else { break };
            let code = usize::from(code);
            let mut unstuffed;
            if code != len + 1 {
                // Two blocks: the second code byte stands for the one zero in the payload.
                unstuffed = *window;
                match code.checked_sub(1).and_then(|at| unstuffed.get_mut(at)) {
                    Some(second) if code + usize::from(*second) == len + 1 => *second = 0,
                    _ => break,
                }
                window = &unstuffed;
            }
            let Some(next) = rest.get(len % WINDOW + 2..) else { break };
            let place = LazyOffset { input: 0, end, left: rest.len() };
            let origin = Origin { core, place, bytes: window, len, is_packed: false };
            let mut sound = false;
            let (core, result) = (&mut core, &mut result);
            let near = Near { origin, core, visitor, sound: &mut sound, result };
            decode_in_window(window, len, &mut timestamps, near);
            if !sound {
                break;
            }
            *events = events.wrapping_add(1);
            rest = next;
        }
        self.core = core;
        let taken = unread.len() - rest.len();
        frames.skip(taken);
        result
    }

    /// As [`next_item`](Self::next_item), but frames for which `wanted` is false are passed over
    /// where that is cheap; tells whether any were. It gets the first two bytes of a frame and must be
    /// true for `core_id`.
    #[inline]
    pub(crate) fn next_item_where(
        &mut self,
        wanted: impl Fn(u8, u8) -> bool,
    ) -> io::Result<Option<(bool, Item<'_>)>> {
        if !self.is_known {
            self.find_out()?;
        }
        let skipped = match &mut self.packets {
            Some(packets) => packets.skip_unwanted(self.frames.buffer(), wanted),
            None => self.frames.skip_unwanted(wanted),
        };
        Ok(self.next_item()?.map(|item| (skipped, item)))
    }
}

/// Hands an event on, unless it is out of place.
struct Near<'n, 'a, V: Visitor> {
    origin: Origin<'a>,
    core: &'n mut u32,
    visitor: &'n mut V,
    /// It was handed on, and the visitor goes on.
    sound: &'n mut bool,
    result: &'n mut Result<(), V::Error>,
}

impl<V: Visitor> Take<'_> for Near<'_, '_, V> {
    type Out = ();

    const FREQUENT: [bool; 256] = V::FREQUENT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(mut self, decoded: Decoded<'_>) {
        if check(&decoded.event, self.core, Mode::FreeRtos).is_err() {
            return;
        }
        self.origin.core = *self.core;
        match self.visitor.event(&self.origin, &decoded) {
            Ok(()) => *self.sound = true,
            Err(error) => *self.result = Err(error),
        }
    }
}

#[inline]
fn item<'a>(frame: Frame<'a>, scratch: &'a mut [u8], core: &mut u32, mode: Mode) -> Item<'a> {
    let Frame { offset, len, .. } = frame;
    let (payload, event) = match decode(&frame, scratch) {
        Ok((payload, decoded)) => match check(&decoded.event, core, mode) {
            Ok(()) => (payload, Ok(decoded)),
            Err(defect) => (Default::default(), Err(defect)),
        },
        Err(defect) => (Default::default(), Err(defect)),
    };
    Item { core: *core, offset, len, payload, event }
}

/// Follows `core_id` and refuses what cannot be.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn check(event: &Event<'_>, core: &mut u32, mode: Mode) -> Result<(), Defect> {
    match *event {
        Event::CoreId { core_id } if core_id < MAX_CORES => *core = core_id,
        Event::CoreId { core_id } => return Err(Defect::CoreOutOfRange(core_id)),
        _ if mode == Mode::BareMetal && event.group() == Group::FreeRtos => {
            return Err(Defect::WrongMode(event.name()));
        }
        _ => {}
    }
    Ok(())
}

fn decode<'a>(frame: &Frame<'a>, scratch: &'a mut [u8]) -> Result<(&'a [u8], Decoded<'a>), Defect> {
    match frame.end {
        FrameEnd::Zero => {}
        FrameEnd::EndOfInput => return Err(Defect::CutOff),
        FrameEnd::TooLong => return Err(Defect::TooLong),
    }
    let payload = cobs::decode(frame.bytes, scratch)
        .map_err(|error| Defect::Undecodable(FrameError::Cobs(error)))?;
    let decoded =
        decode_payload(payload).map_err(|error| Defect::Undecodable(FrameError::Event(error)))?;
    Ok((payload, decoded))
}
