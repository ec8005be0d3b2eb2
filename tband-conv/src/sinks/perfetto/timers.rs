//! Tracks of software timers: a slice for each time that one is active, and one for each callback.
//!
//! A callback is on a separate track among those of the timer task, because its end is not recorded and need not be between the
//! task's calls. An arrow leads to it from the slice of the active time that ended with it; commands reach the timer task
//! through a queue, which has its own arrows.

use super::events::{Arg, EventType, Link};
use super::trace::Trace;
use super::tracks::{Group, Parent, Track, TrackContent, Uuid};
use crate::model::{EventTime, TaskRef, TimerChange, TimerRef, World};

impl Trace {
    fn timer_track(&mut self, world: &World, timer: TimerRef) -> Uuid {
        self.object_track(
            |tracks| &mut tracks.timers,
            timer,
            |this| Track {
                about: "While the timer is active, and the commands for it.",
                ..Track::new(
                    Parent::Group(Group::Timers),
                    this.tracks.unique(Group::Timers, &world.timer_name(timer)),
                    TrackContent::Slices,
                )
            },
        )
    }

    #[inline(never)]
    pub(super) fn timer(
        &mut self,
        world: &World,
        at: EventTime,
        timer: TimerRef,
        change: TimerChange,
    ) {
        let track = self.timer_track(world, timer);
        match change {
            TimerChange::Created => self.instant(at.ns, track, "created", &[]),
            TimerChange::Sent { command, accepted } => {
                let name = command.name().unwrap_or("command");
                let outcome = if accepted { "sent" } else { "refused" };
                self.instant(at.ns, track, &format!("{name} {outcome}"), &[]);
            }
            TimerChange::Received(command) => {
                let name = command.name().unwrap_or("command");
                self.instant(at.ns, track, &format!("{name} received"), &[]);
            }
            TimerChange::Active => {
                let entry = world.timers.get(timer);
                let period = entry.and_then(|timer| timer.period);
                let period = period.map(|period| ("period_ticks", Arg::Number(period)));
                self.slice(at.ns, track, "active", period.as_slice());
            }
            TimerChange::Dormant(why) => {
                let link = self.objects.expiry.map(Link::Begins);
                let args = [("end", Arg::Text(why.name()))];
                self.packets.event_with(at.ns, EventType::SliceEnd, track, None, &args, link);
            }
            TimerChange::LeadsToCallback => self.objects.expiry = Some(self.next_flow()),
            TimerChange::CallbackBegin(task) => {
                let track = self.callback_track(world, task);
                let callback = world.timers.get(timer).and_then(|timer| timer.callback);
                let callback = callback.map(|it| ("callback", Arg::Address(it)));
                let name = world.timer_name(timer).to_string();
                let name = self.packets.name(name.as_bytes());
                let (args, link) =
                    (callback.as_slice(), self.objects.expiry.take().map(Link::Ends));
                let kind = EventType::SliceBegin;
                self.packets.event_with(at.ns, kind, track, Some(name), args, link);
            }
            TimerChange::CallbackEnd { task, end_ns, .. } => {
                let track = self.callback_track(world, task);
                self.end_slice(end_ns, track, &[]);
            }
        }
    }

    fn callback_track(&mut self, world: &World, task: Option<TaskRef>) -> Uuid {
        self.object_track(
            |tracks| &mut tracks.callbacks,
            task,
            |this| {
                let parent = match task {
                    Some(task) => this.process(world, task),
                    None => Parent::Group(Group::Timers),
                };
                Track {
                    rank: 5,
                    about: "Callbacks of software timers, from the call until the timer task is seen in \
                            its own loop again.",
                    ..Track::new(parent, "timer callbacks", TrackContent::Slices)
                }
            },
        )
    }

    /// It is not known any more whether a timer is active.
    pub(super) fn timer_forgotten(&mut self, world: &World, at: EventTime, timer: TimerRef) {
        let track = self.timer_track(world, timer);
        self.end_slice(at.ns, track, &[]);
    }

    /// It is not known any more whether a callback runs.
    pub(super) fn callback_forgotten(
        &mut self,
        world: &World,
        at: EventTime,
        task: Option<TaskRef>,
    ) {
        let track = self.callback_track(world, task);
        self.end_slice(at.ns, track, &[]);
    }
}
