//! Which signals there are: one for each track, and a few that a track needs besides.

use std::borrow::Cow;

use tband_conv::model::{IsrRef, MarkerRef, TaskRef};
use tband_conv::tracks::{Content, MAX_NOTIFICATIONS, Owner, Track};

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
            Self::Track(track) => track.word().into(),
            Self::Acts(_) | Self::IsrActs(..) => "acts".into(),
            Self::Fired(_) => "fired".into(),
            Self::Text(_) => "text".into(),
            Self::Real(_) => "value".into(),
            Self::Finding => "findings".into(),
        }
    }

    /// Returns a table for each kind of signal, and an index in it: indices are as dense as objects. It is inlined where
    /// the kind is known, so that nothing of it is left.
    #[inline(always)]
    pub(super) const fn place(self) -> (usize, usize) {
        // Those of each notification follow, then those of each class, then those of each core.
        const KINDS: usize = 25;
        // As many as a word has bits; a class beyond them is damage.
        const CLASSES: u32 = 32;
        const OF_CLASSES: usize = KINDS + MAX_NOTIFICATIONS as usize;
        const OF_CORES: usize = OF_CLASSES + CLASSES as usize;
        let table = match self {
            Self::Track(track) => match track {
                Track::Core(_) => 0,
                Track::Sleep(_) => 1,
                Track::Task(_) => 2,
                Track::Priority(_) => 3,
                Track::Stack(_) => 4,
                Track::Level(_) => 5,
                Track::Holder(_) => 6,
                Track::Depth(_) => 7,
                Track::Bytes(_) => 8,
                Track::Bits(_) => 9,
                Track::Active(_) => 10,
                Track::Callback(_) => 11,
                Track::Marker(_) => 12,
                Track::Value(_) => 13,
                Track::HeapFree => 14,
                Track::HeapUsed => 15,
                Track::MallocFailed => 16,
                Track::Ticks => 17,
                Track::Triggers => 18,
                Track::Crash => 19,
                // No signals.
                Track::Interrupts(_) | Track::LeftOut(_) | Track::WakesAt(_) | Track::Acts(_) => 20,
                Track::Shed(class) => OF_CLASSES + (class % CLASSES) as usize,
                Track::Notification(_, index) => KINDS + index as usize,
                Track::Isr(core, _) => OF_CORES + 2 * core as usize,
            },
            Self::Acts(_) => 20,
            Self::Fired(_) => 21,
            Self::Text(_) => 22,
            Self::Real(_) => 23,
            Self::Finding => 24,
            Self::IsrActs(core, _) => OF_CORES + 1 + 2 * core as usize,
        };
        (table, self.owner().index())
    }
}
