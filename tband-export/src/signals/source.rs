//! Which signals there are: one for each track, and a few that a track needs besides.

use std::borrow::Cow;

use tband_conv::model::{IsrRef, MarkerRef, TaskRef};
use tband_conv::tracks::{Content, Owner, TRACK_KINDS, Track};

/// The object of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A track. That of an event marker counts its open spans, that of a value marker has only integers.
    Track(Track),
    /// Reports to a task, and acts of a task, that end a wait.
    Acts(TaskRef),
    /// Acts of an interrupt of a core.
    IsrActs(u32, IsrRef),
    /// An event marker fires or begins a span.
    Fired(MarkerRef),
    /// The text that was reported.
    Text(MarkerRef),
    /// A value marker that has numbers other than integers too.
    Real(MarkerRef),
    /// Something is lost or wrong.
    Finding,
}

/// The kind of a signal's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One of several labels.
    State,
    /// Any text.
    Text,
    Bit,
    /// An unsigned number of this many bits.
    Unsigned(u32),
    /// A signed number of 64 bits.
    Signed,
    /// A number of double precision.
    Real,
    /// No value: a moment.
    Moment,
}

impl Source {
    pub const fn shape(self) -> Shape {
        match self {
            Self::Track(track) => match track.content() {
                Content::State => Shape::State,
                Content::Lasting => Shape::Bit,
                // Of kernels with ticks of 64 bits; others have 24.
                Content::Bits => Shape::Unsigned(56),
                Content::Number | Content::ByteBalance => Shape::Signed,
                Content::Instants => Shape::Text,
                Content::Nested | Content::Count | Content::Bytes => Shape::Unsigned(32),
            },
            Self::Text(_) | Self::Finding | Self::Acts(_) | Self::IsrActs(..) => Shape::Text,
            Self::Real(_) => Shape::Real,
            Self::Fired(_) => Shape::Moment,
        }
    }

    #[inline(always)]
    pub const fn owner(self) -> Owner {
        match self {
            Self::Track(track) => track.owner(),
            Self::Acts(task) => Owner::Task(task),
            Self::IsrActs(core, isr) => Owner::Isr(core, isr),
            Self::Fired(marker) | Self::Text(marker) => Owner::Marker(marker),
            Self::Real(marker) => Owner::Value(marker),
            Self::Finding => Owner::Recording,
        }
    }

    /// Its name among the signals of its owner.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Track(Track::Notification(_, index)) => format!("notification_{index}").into(),
            Self::Track(Track::Shed(class)) => format!("class_{class}_events_shed").into(),
            _ => self.word().into(),
        }
    }

    /// The same without a number.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Track(track) => track.word(),
            Self::Acts(_) | Self::IsrActs(..) => "acts",
            Self::Fired(_) => "fired",
            Self::Text(_) => "text",
            Self::Real(_) => "value",
            Self::Finding => "findings",
        }
    }

    /// Returns a table for each kind of signal, and an index in it: indices are as dense as objects. It is inlined where
    /// the kind is known, so that nothing of it is left.
    #[inline(always)]
    pub(super) const fn place(self) -> (usize, usize) {
        const KINDS: usize = TRACK_KINDS + 6;
        // As many as a word has bits; a class beyond them is damage.
        const CLASSES: u32 = 32;
        let kind = match self {
            Self::Track(track) => track.kind(),
            Self::Acts(_) => TRACK_KINDS,
            Self::IsrActs(..) => TRACK_KINDS + 1,
            Self::Fired(_) => TRACK_KINDS + 2,
            Self::Text(_) => TRACK_KINDS + 3,
            Self::Real(_) => TRACK_KINDS + 4,
            Self::Finding => TRACK_KINDS + 5,
        };
        // Tells signals of the same kind and the same index apart.
        let number = match self {
            Self::Track(Track::Notification(_, index)) => index,
            Self::Track(Track::Shed(class)) => class % CLASSES,
            Self::Track(Track::Isr(core, _)) | Self::IsrActs(core, _) => core,
            _ => 0,
        };
        (kind + KINDS * number as usize, self.owner().index())
    }
}
