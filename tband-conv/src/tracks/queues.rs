//! Tracks of queues, semaphores and mutexes, and acts on them.

use std::io;

use super::objects::act;
use super::track::{Owner, Track};
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
            sink.level(now, Track::Level(queue), Level::ENDED)?;
            sink.level(now, Track::Depth(queue), Level::ENDED)?;
            sink.state(now, Track::Holder(queue), State::Unknown)?;
            act(sink, now, Owner::Queue(queue), format_args!("{}", change.name()), by)
        }
        _ => act(sink, now, Owner::Queue(queue), format_args!("{}", change.name()), by),
    }
}

pub(super) fn given(sink: &mut impl TrackSink, now: Now<'_>, queue: QueueRef) -> io::Result<()> {
    sink.level(now, Track::Depth(queue), Level::ENDED)?;
    sink.state(now, Track::Holder(queue), State::None(None))
}
