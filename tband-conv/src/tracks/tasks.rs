//! Counters of tasks, and acts on them.

use std::io;

use tband_format::named::NotifyAction;

use super::objects::act;
use super::track::{MAX_NOTIFICATIONS, Owner, Track};
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
        // The value stays, which stream buffers do not use.
        TaskChange::Notified { action: NotifyAction::NONE, .. } => return Ok(()),
        TaskChange::Notified { index, value_after, .. } if index < MAX_NOTIFICATIONS => {
            (Track::Notification(task, index), value_after, "notify")
        }
        TaskChange::NotificationTaken { index, value_after, .. } if index < MAX_NOTIFICATIONS => {
            (Track::Notification(task, index), value_after, "take")
        }
        TaskChange::StackHighWaterMark(bytes) => (Track::Stack(task), bytes, "reported"),
        TaskChange::WakesAt(tick) => (Track::WakesAt(task), tick, "wait"),
        _ => return acts(sink, now, task, change, by),
    };
    sink.level(now, track, Level::new(value, cause, by))
}

fn acts(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    task: TaskRef,
    change: TaskChange,
    by: Option<Actor>,
) -> io::Result<()> {
    let owner = Owner::Task(task);
    match change {
        TaskChange::NotificationDiscarded { index } => {
            act(sink, now, owner, format_args!("notification {index} discarded"), by)
        }
        TaskChange::NotificationCleared { index, bits } => act(
            sink,
            now,
            owner,
            format_args!("bits {bits:#x} of notification {index} cleared"),
            by,
        ),
        TaskChange::WaitAborted => act(sink, now, owner, format_args!("wait aborted"), by),
        TaskChange::MayRunOn(mask) => {
            act(sink, now, owner, format_args!("may run on cores {mask:#b}"), by)
        }
        TaskChange::Since(ns) => sink.state_began(now, task, ns),
        _ => Ok(()),
    }
}

/// A task is no more, and so are its counters.
pub(super) fn deleted(sink: &mut impl TrackSink, now: Now<'_>, task: TaskRef) -> io::Result<()> {
    sink.level(now, Track::Priority(task), Level::ENDED)?;
    sink.level(now, Track::Stack(task), Level::ENDED)?;
    (0..MAX_NOTIFICATIONS)
        .try_for_each(|index| sink.level(now, Track::Notification(task, index), Level::ENDED))
}
