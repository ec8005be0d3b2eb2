//! Tracks of stream buffers, event groups and software timers.

use std::io;

use super::track::Track;
use super::track_sink::{Level, Now, State, Text, TrackSink};
use crate::model::{
    Actor, EventGroupChange, EventGroupRef, StreamBufferChange, StreamBufferRef, TimerChange,
    TimerRef,
};

pub(super) fn stream_buffer(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    buffer: StreamBufferRef,
    change: StreamBufferChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let level = match change {
        StreamBufferChange::Level(level, cause) => Level::new(level, cause.name(), by),
        StreamBufferChange::Deleted => Level::UNKNOWN,
        StreamBufferChange::SendFailed | StreamBufferChange::ReceiveFailed => return Ok(()),
    };
    sink.level(now, Track::Bytes(buffer), level)
}

pub(super) fn event_group(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    group: EventGroupRef,
    change: EventGroupChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let level = match change {
        // They are 56 at most.
        EventGroupChange::Bits(bits, cause) => Level::new(bits.cast_signed(), cause.name(), by),
        EventGroupChange::Deleted => Level::UNKNOWN,
        EventGroupChange::SetDeferred(_) | EventGroupChange::ClearDeferred(_) => return Ok(()),
    };
    sink.level(now, Track::Bits(group), level)
}

/// The time that a timer is active, and its callbacks.
pub(super) fn timer(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    timer: TimerRef,
    change: TimerChange,
) -> io::Result<()> {
    let (ns, track, state) = match change {
        TimerChange::Active => (now.ns, Track::Active(timer), State::Is(Text::Word("active"))),
        TimerChange::Dormant(_) | TimerChange::Created => {
            (now.ns, Track::Active(timer), State::None)
        }
        TimerChange::CallbackBegin(_) => {
            (now.ns, Track::Callback(timer), State::Is(Text::Word("callback")))
        }
        TimerChange::CallbackEnd { end_ns, .. } => (end_ns, Track::Callback(timer), State::None),
        TimerChange::Sent { .. } | TimerChange::Received(_) | TimerChange::LeadsToCallback => {
            return Ok(());
        }
    };
    sink.state(Now { ns, ..now }, track, state)
}
