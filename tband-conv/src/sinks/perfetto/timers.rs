//! Rows of software timers: a slice for each time that one is armed, and one for each callback.
//!
//! A callback stands on a row of its own among those of the timer task, since its end is not recorded and
//! need not lie between the task's calls. An arrow leads to it from the slice of the armed time that
//! ended with it; commands reach the timer task through a queue, which has arrows of its own.

use std::io::Write;

use super::Perfetto;
use super::packets::{Arg, EventType, Link};
use super::tracks::{Group, Parent, Row, Shows, Uuid};
use crate::timeline::{At, Disarmed, TaskRef, TimerChange, TimerRef, World};

impl<W: Write> Perfetto<W> {
    fn timer_row(&mut self, world: &World, timer: TimerRef) -> Uuid {
        self.object_row(
            |rows| &mut rows.timers,
            timer.index(),
            |this| Row {
                about: "While the timer is armed, and the commands for it.",
                ..Row::new(
                    Parent::Group(Group::Timers),
                    this.tracks.unique(Group::Timers, &world.timer_name(timer)),
                    Shows::Slices,
                )
            },
        )
    }

    #[inline(never)]
    pub(super) fn timer(&mut self, world: &World, at: At, timer: TimerRef, change: TimerChange) {
        let row = self.timer_row(world, timer);
        match change {
            TimerChange::Created => self.instant(at.ns, row, "created", &[]),
            TimerChange::Sent { command, accepted } => {
                let name = command.name().unwrap_or("command");
                let outcome = if accepted { "sent" } else { "refused" };
                self.instant(at.ns, row, &format!("{name} {outcome}"), &[]);
            }
            TimerChange::Received(command) => {
                let name = command.name().unwrap_or("command");
                self.instant(at.ns, row, &format!("{name} received"), &[]);
            }
            TimerChange::Armed => {
                let entry = world.timers.get(timer);
                let period = entry.and_then(|timer| timer.period);
                let period = period.map(|period| ("period_ticks", Arg::Number(period)));
                self.slice(at.ns, row, "armed", period.as_slice());
            }
            TimerChange::Disarmed(why) => {
                let why = match why {
                    Disarmed::Expired => "expired",
                    Disarmed::Restarted => "restarted",
                    Disarmed::Stopped => "stopped",
                    Disarmed::Deleted => "deleted",
                };
                let link = self.objects.expiry.map(Link::Begins);
                let args = [("end", Arg::Text(why))];
                self.packets.event_with(at.ns, EventType::SliceEnd, row, None, &args, link);
            }
            TimerChange::LeadsToCallback => self.objects.expiry = Some(self.next_flow()),
            TimerChange::CallbackBegin(task) => {
                let row = self.callback_row(world, task);
                let callback = world.timers.get(timer).and_then(|timer| timer.callback);
                let callback = callback.map(|it| ("callback", Arg::Address(it)));
                let name = world.timer_name(timer).to_string();
                let name = self.packets.name(name.as_bytes());
                let (args, link) =
                    (callback.as_slice(), self.objects.expiry.take().map(Link::Ends));
                let kind = EventType::SliceBegin;
                self.packets.event_with(at.ns, kind, row, Some(name), args, link);
            }
            TimerChange::CallbackEnd { task, end_ns, .. } => {
                let row = self.callback_row(world, task);
                self.slice_ends(end_ns, row, &[]);
            }
        }
    }

    fn callback_row(&mut self, world: &World, task: Option<TaskRef>) -> Uuid {
        let index = task.map_or(0, |task| task.index() + 1);
        self.object_row(
            |rows| &mut rows.callbacks,
            index,
            |this| {
                let parent = match task {
                    Some(task) => this.process(world, task),
                    None => Parent::Group(Group::Timers),
                };
                Row {
                    rank: 5,
                    about: "Callbacks of software timers, from the call until the timer task is seen in \
                            its own loop again.",
                    ..Row::new(parent, "timer callbacks", Shows::Slices)
                }
            },
        )
    }

    /// It is not known any more whether a timer is armed.
    pub(super) fn timer_forgotten(&mut self, world: &World, at: At, timer: TimerRef) {
        let row = self.timer_row(world, timer);
        self.slice_ends(at.ns, row, &[]);
    }

    /// It is not known any more whether a callback runs.
    pub(super) fn callback_forgotten(&mut self, world: &World, at: At, task: Option<TaskRef>) {
        let row = self.callback_row(world, task);
        self.slice_ends(at.ns, row, &[]);
    }
}
