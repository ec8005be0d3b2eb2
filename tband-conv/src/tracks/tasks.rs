//! Counters of tasks.

use std::io;

use super::track::{MAX_NOTIFICATIONS, Track};
use super::track_sink::{Level, Now, TrackSink};
use crate::model::{Actor, TaskChange, TaskRef};

pub(super) fn change(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    task: TaskRef,
    change: TaskChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let (track, value, cause) = match change {
        TaskChange::Notified { index, value_after, .. } if index < MAX_NOTIFICATIONS => {
            (Track::Notification(task, index), value_after, "notify")
        }
        TaskChange::NotificationTaken { index, value_after, .. } if index < MAX_NOTIFICATIONS => {
            (Track::Notification(task, index), value_after, "take")
        }
        TaskChange::StackHighWaterMark(bytes) => (Track::Stack(task), bytes, "reported"),
        _ => return Ok(()),
    };
    sink.level(now, track, Level::new(value, cause, by))
}

/// A task is no more, and so are its counters.
pub(super) fn deleted(sink: &mut impl TrackSink, now: Now<'_>, task: TaskRef) -> io::Result<()> {
    sink.level(now, Track::Priority(task), Level::UNKNOWN)?;
    sink.level(now, Track::Stack(task), Level::UNKNOWN)?;
    (0..MAX_NOTIFICATIONS)
        .try_for_each(|index| sink.level(now, Track::Notification(task, index), Level::UNKNOWN))
}
