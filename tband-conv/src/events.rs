//! From one input's bytes to its events, in file order: frames, decoding, and which core each event
//! belongs to.
//!
//! `core_id` events switch the core of what follows. Nothing is dropped silently: what is not an
//! event comes out as a [`Defect`] with its place.

use std::fmt;
use std::io::{self, Read};

use tband_format::{DecodeError, Decoded, Event, FrameError, Group, cobs, decode_payload};

use crate::frames::{Frame, FrameEnd, FrameReader, MAX_FRAME};

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

/// One frame of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Core that it belongs to; for `core_id` the one that it sets.
    pub core: u32,
    /// Offset of the frame in the recording, in bytes.
    pub offset: u64,
    /// Bytes of the frame, closing zero not counted.
    pub len: u64,
    /// The event's bytes, no longer COBS encoded; empty if there is a defect.
    pub payload: &'a [u8],
    /// The event, or what is wrong.
    pub event: Result<Decoded<'a>, Defect>,
}

/// Reads the events of one input.
#[derive(Debug)]
pub struct EventReader<R> {
    frames: FrameReader<R>,
    scratch: Box<[u8]>,
    core: u32,
    mode: Mode,
}

impl<R: Read> EventReader<R> {
    /// Reads from the start of `input`; events belong to `core` until the recording says otherwise.
    pub fn new(input: R, core: u32, mode: Mode) -> Self {
        let scratch = vec![0; MAX_FRAME].into_boxed_slice();
        Self { frames: FrameReader::new(input), scratch, core, mode }
    }

    /// Offset of the next unread byte of the recording.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.frames.offset()
    }

    /// The next frame; `None` at the end of the input.
    ///
    /// # Errors
    /// What the reader reports.
    #[inline]
    pub fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        self.next_item_where(|_| true)
    }

    /// As [`next_item`](Self::next_item), but frames for which `wanted` is false are passed over
    /// without being decoded. `wanted` must be true for `core_id` events.
    pub(crate) fn next_item_where(
        &mut self,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Option<Item<'_>>> {
        let Self { frames, scratch, core, mode } = self;
        while let Some(frame) = frames.next_frame()? {
            if wanted(frame.bytes) {
                // The frame is read again from where it lies, since a borrow that is handed out in
                // a loop holds on to the reader in every round.
                let Frame { offset, len, end, .. } = frame;
                let bytes = frames.last_bytes();
                let frame = Frame { offset, bytes, len, end };
                return Ok(Some(item(frame, scratch, core, *mode)));
            }
        }
        Ok(None)
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
#[inline]
fn check(event: &Event<'_>, core: &mut u32, mode: Mode) -> Result<(), Defect> {
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

#[inline]
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
