//! The items of an input in order, events and others, and the visitors that see them.

pub(crate) mod event_selection;
mod frequent;
pub(crate) mod owned_event;
pub mod packet_loss;
pub mod schemas;

use std::fmt;
use std::io;

use tband_format::Event;
use tband_format::decode::{DecodeError, Decoded, FrameError};
use tband_format::packet::PacketError;
use tband_format::registry::Group;
use tband_import::gaps::Break;

pub(crate) use self::frequent::FREQUENT;
use crate::cores::MAX_CORES;
use crate::diagnostics::LazyOffset;
use crate::item::packet_loss::PacketLoss;
use crate::item::schemas::BadSchema;
use crate::repair::change::Change;
use crate::repair::quote::Quote;
use crate::wire::frames::MAX_FRAME;
use crate::wire::gap::Gap;

/// Which events a recording may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Base events only; FreeRTOS events are damage.
    BareMetal,
    /// All events.
    #[default]
    FreeRtos,
    /// The mode in the recording, or all events if it contains none.
    Auto,
}

/// Why a frame contains no event.
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
    /// It sets a core id of [`MAX_CORES`] or more; the core does not change.
    CoreOutOfRange(u32),
    /// Bytes that are not a packet, in a recording of packets.
    NoPacket(PacketError),
    /// The first bytes of a packet, and not the rest, unless this has happened to it.
    PacketPart(PacketError, Option<Change>),
    /// The input ends inside of a packet, unless this has happened to it.
    PacketCutOff(Option<Change>),
    /// The next packet was changed on the way, and restored: its check proves it. With the text that was inserted.
    Restored(Change, Option<Quote>),
    /// Bytes that show a change and could not be restored.
    Changed(Change),
    /// Bytes between packets that are known not to be packets, with their begin.
    Beside(Change, Quote),
    /// A complete packet contains bytes that are not an event.
    BadEvent {
        /// The error.
        error: DecodeError,
        /// Bytes of the packet that are not read, because nothing shows where the next event begins.
        left: usize,
    },
    /// The recording's schema of an event id is not used.
    BadSchema(u8, BadSchema),
    /// Packets, or events of a core, are missing here.
    Missing(PacketLoss),
    /// The receiver has marked that something is missing here.
    Gap(Gap),
    /// A break in a recording of another recorder.
    Foreign(Break),
    /// Packets, or events of a core, are missing here.
    UnseenTurns {
        /// Ticks from its last event to its end.
        ticks: u64,
    },
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
            Self::PacketPart(error, or) => {
                error.fmt(f)?;
                or.map_or(Ok(()), |change| write!(f, "; or {change}"))
            }
            Self::PacketCutOff(or) => {
                f.write_str("the rest of the packet is missing: the recording is cut off")?;
                or.map_or(Ok(()), |change| write!(f, "; or {change}"))
            }
            Self::Restored(change, Some(quote)) => write!(f, "{change}, such as {quote}"),
            Self::Restored(change, None) | Self::Changed(change) => change.fmt(f),
            Self::Beside(Change::Text, quote) => write!(f, "text such as {quote}"),
            Self::Beside(change, _) => change.fmt(f),
            Self::BadEvent { error: DecodeError::UnknownId { id }, left } => write!(
                f,
                "event id {id} is unknown here, and nothing before describes it: the last {left} bytes of its packet \
                 are not read"
            ),
            Self::BadEvent { error, left } => {
                write!(f, "{error}; the last {left} bytes of the packet are not read")
            }
            Self::BadSchema(id, why) => write!(f, "the schema of event {id} is not used: {why}"),
            Self::Missing(missing) => missing.fmt(f),
            Self::Gap(Gap::Source) => {
                f.write_str("the source was away here; what it sent in the meantime is missing")
            }
            Self::Gap(Gap::NotKept) => {
                f.write_str("files were left out here that were not to be kept")
            }
            Self::Foreign(what) => what.fmt(f),
            Self::UnseenTurns { ticks } => {
                write!(
                    f,
                    "the packet ends {ticks} ticks after its last event: of its times those after a pause may be {} * 2^32 ticks too early",
                    ticks >> 32
                )
            }
        }
    }
}

impl Defect {
    /// It is not damage of the bytes: the target reports it.
    pub const fn is_report(&self) -> bool {
        match self {
            Self::Missing(_) | Self::UnseenTurns { .. } | Self::Gap(_) | Self::Restored(..) => true,
            Self::Foreign(what) => what.is_report(),
            _ => false,
        }
    }

    /// It costs nothing of the recording.
    #[must_use]
    pub const fn is_beside(&self) -> bool {
        matches!(self, Self::Restored(..) | Self::Beside(..))
    }

    /// Whether it may be the last item that the target wrote before a reset.
    pub const fn may_be_cut(&self) -> bool {
        matches!(self, Self::PacketPart(..) | Self::Undecodable(_) | Self::TooLong)
            && !self.is_unknown_event()
    }

    /// Whether it may be an event that the recording describes elsewhere.
    #[must_use]
    pub const fn is_undescribed(&self) -> bool {
        matches!(self, Self::BadEvent { error: DecodeError::UnknownId { .. }, .. })
            || self.is_unknown_event()
    }

    /// Whether the frame holds an event of a newer format version rather than garbage.
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
    /// The event, or the fault.
    pub event: Result<Decoded<'a>, Defect>,
    /// When an event without its own time was reported, in ticks, if a packet contains that.
    pub reported: Option<u64>,
}

/// The origin of an event.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Core that it belongs to; for `core_id` the one that it sets.
    pub core: u32,
    pub(crate) place: LazyOffset,
    /// See [`Item`].
    pub(crate) reported: Option<u64>,
}

impl Origin {
    /// Offset of its frame in the recording, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.place.offset()
    }
}

/// Takes in the frames of a recording.
pub trait Visitor {
    /// Why it stops.
    type Error: From<io::Error>;

    /// By id, which events are so frequent that each is worth a copy of [`pass`](Self::pass) that knows its kind; all
    /// others share one. By default the few that are most of a usual recording.
    const FREQUENT: [bool; 256] = FREQUENT;

    /// Takes an event on a fast path, if possible. Returns false without effect if [`event`](Self::event) has to take it. The
    /// fast path must not require the event to be in memory.
    ///
    /// # Errors
    /// To stop.
    #[inline]
    fn pass(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<bool, Self::Error> {
        self.event(origin, decoded).map(|()| true)
    }

    /// A frame that is an event.
    ///
    /// # Errors
    /// To stop.
    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), Self::Error>;

    /// A frame that is not.
    ///
    /// # Errors
    /// To stop.
    fn other(&mut self, item: &Item<'_>) -> Result<(), Self::Error>;

    /// Whether the visitor has accepted the item, and stops after it.
    fn has_taken(error: &Self::Error) -> bool {
        let _ = error;
        false
    }

    /// It wants to be reported when more of the input has to be waited for.
    const LIVE: bool = false;

    /// Called when all read bytes are processed, and the next frame may have to be waited for.
    ///
    /// # Errors
    /// To stop.
    fn before_wait(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Follows `core_id` and rejects invalid events.
#[inline]
pub(crate) fn check(event: &Event<'_>, core: &mut u32, mode: Mode) -> Result<(), Defect> {
    match *event {
        Event::CoreId { core_id } if core_id < MAX_CORES => *core = core_id,
        Event::CoreId { core_id } => return Err(Defect::CoreOutOfRange(core_id)),
        _ if mode == Mode::BareMetal && event.group() == Group::FreeRtos => {
            return Err(Defect::WrongMode(event.registered_name()));
        }
        _ => {}
    }
    Ok(())
}
