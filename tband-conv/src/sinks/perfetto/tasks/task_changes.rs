//! Other changes of tasks: priorities, notifications, stack, time-outs, as counters and instants.

use tband_format::NotifyAction;

use crate::model::{EventTime, TaskChange, TaskRef, World};
use crate::sinks::perfetto::events::EventType;
use crate::sinks::perfetto::memory::TaskTracks;
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::tracks::{Track, TrackContent, Uuid};
use crate::tracks::MAX_NOTIFICATIONS;

impl Trace {
    pub(in crate::sinks::perfetto) fn priority(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        priority: u32,
    ) {
        let entry = self.task(world, task);
        if entry.priority == 0 && world.tasks.get(task).is_some_and(|task| task.idle_of.is_some()) {
            // The priority of an idle task never changes, so it carries no information.
            match entry.only_priority {
                None => return entry.only_priority = Some((at.ns, priority)),
                Some((_, only)) if only == priority => return,
                Some(_) => {}
            }
        }
        let mut track = entry.priority;
        let first = entry.only_priority.take();
        if track == 0 {
            let new = Track {
                rank: 3,
                about: "The task's priority as the kernel has it, inherited ones included: higher \
                        is more urgent. -1 where it is not known, since events are missing.",
                ..Track::new(
                    self.process(world, task),
                    format!("priority of {}", world.task_name(task)),
                    TrackContent::Counter,
                )
            };
            track = self.task_counter(world, task, new);
            self.task(world, task).priority = track;
        }
        if let Some((ns, priority)) = first {
            self.packets.counter(ns, track, priority.into());
        }
        self.packets.counter(at.ns, track, priority.into());
    }

    #[inline(never)]
    pub(in crate::sinks::perfetto) fn task_change(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        change: TaskChange,
    ) {
        let instant = |text: &str| (text.to_owned(), None);
        let (text, value) = match change {
            // The value stays, which stream buffers do not use.
            TaskChange::Notified { action: NotifyAction::NONE, .. } => return,
            TaskChange::Notified { index, value_after: value, .. }
            | TaskChange::NotificationTaken { index, value_after: value, .. } => {
                return self.notification(world, at, task, index, value);
            }
            // Bits that a wait clears are not reported.
            TaskChange::NotificationEnds { .. } => return,
            TaskChange::NotificationDiscarded { index } => {
                (format!("notification {index} discarded"), None)
            }
            TaskChange::NotificationCleared { index, bits } => {
                (format!("bits {bits:#x} of notification {index} cleared"), None)
            }
            TaskChange::Since(ns) => return self.set_wait_start(task, ns),
            TaskChange::WaitAborted => instant("wait aborted"),
            TaskChange::MayRunOn(mask) => (format!("may run on cores {mask:#b}"), None),
            TaskChange::StackHighWaterMark(bytes) => {
                ("stack high-water mark".to_owned(), Some(bytes))
            }
            TaskChange::WakesAt(tick) => ("wakes at tick".to_owned(), Some(tick)),
        };
        let Some(value) = value else {
            let track = self.calls_track(world, task);
            let name = self.packets.name(text.as_bytes());
            return self.packets.event(at.ns, EventType::Instant, track, Some(name));
        };
        let (rank, which): (_, fn(&mut TaskTracks) -> &mut Uuid) = match change {
            TaskChange::StackHighWaterMark(_) => (4, |tracks| &mut tracks.stack),
            _ => (6, |tracks| &mut tracks.wakes_at),
        };
        let mut track = *which(self.tasks.entry(task));
        if track == 0 {
            let new = Track {
                rank,
                about: match change {
                    TaskChange::StackHighWaterMark(_) => {
                        "Bytes of the task's stack that were never used."
                    }
                    _ => "The tick count until which the task waits at most.",
                },
                ..Track::new(
                    self.process(world, task),
                    format!("{text} of {}", world.task_name(task)),
                    TrackContent::Counter,
                )
            };
            track = self.task_counter(world, task, new);
            *which(self.tasks.entry(task)) = track;
        }
        self.packets.counter(at.ns, track, value.into());
    }

    fn notification(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        index: u32,
        value: u32,
    ) {
        if index >= MAX_NOTIFICATIONS {
            return;
        }
        let place = index as usize;
        let mut track = self.tasks.entry(task).notifications.copied(place);
        if track == 0 {
            let number = if index == 0 { String::new() } else { format!(" {index}") };
            let new = Track {
                rank: 3,
                about: "The value of a notification of the task.",
                ..Track::new(
                    self.process(world, task),
                    format!("notification{number} of {}", world.task_name(task)),
                    TrackContent::Counter,
                )
            };
            track = self.task_counter(world, task, new);
            *self.tasks.entry(task).notifications.entry(place) = track;
        }
        self.packets.counter(at.ns, track, value.into());
    }
}
