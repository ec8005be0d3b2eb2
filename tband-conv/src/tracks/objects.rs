//! Tracks of stream buffers, event groups and software timers, and acts on them.

use std::{fmt, io};

use super::track::{Owner, Track};
use super::track_sink::{Event, Level, Now, State, Text, TrackSink};
use crate::model::{
    Actor, BitsCause, BufferCause, EventGroupChange, EventGroupRef, StreamBufferChange,
    StreamBufferRef, TimerChange, TimerRef,
};

/// An act on an object that its other tracks do not show.
pub(super) fn act(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    owner: Owner,
    text: fmt::Arguments<'_>,
    by: Option<Actor>,
) -> io::Result<()> {
    sink.instant(now, Track::Acts(owner), Event { text: Text::Act(text), by })
}

pub(super) fn stream_buffer(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    buffer: StreamBufferRef,
    change: StreamBufferChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let track = Track::Bytes(buffer);
    match change {
        StreamBufferChange::Level(level, cause) => {
            sink.level(now, track, Level::new(level, cause.name(), by))?;
            if cause != BufferCause::Reset {
                return Ok(());
            }
        }
        StreamBufferChange::Deleted => sink.level(now, track, Level::ENDED)?,
        StreamBufferChange::SendFailed | StreamBufferChange::ReceiveFailed => {}
    }
    act(sink, now, Owner::StreamBuffer(buffer), format_args!("{}", change.name()), by)
}

pub(super) fn event_group(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    group: EventGroupRef,
    change: EventGroupChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let track = Track::Bits(group);
    match change {
        EventGroupChange::Bits(bits, cause) => {
            // They are 56 at most.
            sink.level(now, track, Level::new(bits.cast_signed(), cause.name(), by))?;
            if let BitsCause::Created | BitsCause::Found = cause {
                return Ok(());
            }
        }
        EventGroupChange::Deleted => sink.level(now, track, Level::ENDED)?,
        EventGroupChange::SetDeferred(_) | EventGroupChange::ClearDeferred(_) => {}
    }
    act(sink, now, Owner::EventGroup(group), format_args!("{change}"), by)
}

/// The time that a timer is active, its callbacks, and the commands for it.
pub(super) fn timer(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    timer: TimerRef,
    change: TimerChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let (active, callback) = (Track::Active(timer), Track::Callback(timer));
    match change {
        TimerChange::Active => sink.state(now, active, State::Is(Text::Word("active"))),
        TimerChange::Dormant(cause) => sink.state(now, active, State::None(Some(cause.name()))),
        TimerChange::LeadsToCallback => sink.link(now, active, callback),
        TimerChange::CallbackBegin(task) => {
            sink.state(now, callback, State::Is(Text::Callback(task)))
        }
        TimerChange::CallbackEnd { end_ns, .. } => {
            sink.state(Now { ns: end_ns, ..now }, callback, State::None(None))
        }
        TimerChange::Created => {
            sink.state(now, active, State::None(None))?;
            act(sink, now, Owner::Timer(timer), format_args!("{change}"), by)
        }
        TimerChange::Sent { .. } | TimerChange::Received(_) => {
            act(sink, now, Owner::Timer(timer), format_args!("{change}"), by)
        }
    }
}
