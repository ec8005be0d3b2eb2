//! Tracks of queues, semaphores and mutexes.

use std::io;

use super::track::Track;
use super::track_sink::{Level, Now, State, TrackSink};
use crate::model::{Actor, QueueChange, QueueRef};

pub(super) fn change(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    queue: QueueRef,
    change: QueueChange,
    by: Option<Actor>,
) -> io::Result<()> {
    match change {
        QueueChange::Depth(depth) => {
            sink.level(now, Track::Depth(queue), Level::new(depth, "take", by))
        }
        QueueChange::Deleted => {
            sink.level(now, Track::Level(queue), Level::UNKNOWN)?;
            sink.level(now, Track::Depth(queue), Level::UNKNOWN)?;
            sink.state(now, Track::Holder(queue), State::Unknown)
        }
        _ => Ok(()),
    }
}

pub(super) fn given(sink: &mut impl TrackSink, now: Now<'_>, queue: QueueRef) -> io::Result<()> {
    sink.level(now, Track::Depth(queue), Level::UNKNOWN)?;
    sink.state(now, Track::Holder(queue), State::None)
}
