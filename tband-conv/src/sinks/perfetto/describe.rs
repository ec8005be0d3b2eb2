//! How a track is described when it is first drawn: its place, its name, and what its content means. A track that is not named
//! here is among those of its object's group, and called like the object.

use super::trace::Trace;
use super::tracks::{Group, NewTrack, OwnTrack, Parent, TrackContent, Uuid};
use crate::model::{Scope, TaskRef, World};
use crate::tracks::{Content, Now, Owner, Track};

impl Trace {
    /// Returns the number of a track, which is described if it is new.
    pub(super) fn drawn(&mut self, now: Now<'_>, track: Track, shows: TrackContent) -> Uuid {
        match self.tracks.drawn(track).uuid {
            0 => self.new_drawn(now.world, track, shows),
            known => known,
        }
    }

    #[cold]
    fn new_drawn(&mut self, world: &World, track: Track, shows: TrackContent) -> Uuid {
        let (parent, rank) = self.place_of(world, track);
        let is_asked_for = matches!(track, Track::HeapUsed)
            && world.trace_info.is_some_and(|info| info.has_requested_bytes())
            && self.tracks.drawn(Track::HeapFree).uuid == 0;
        let (name, about) = if is_asked_for {
            let about = "Requested bytes minus freed bytes since the recording began. The heap took more: this \
                         kernel is older than V11.2, which reports the allocated size.";
            ("heap bytes asked for since the start".to_owned(), about)
        } else {
            (track.title(&self.owner_name(world, track)), about(track))
        };
        let shows = match track.content() {
            Content::Bytes | Content::ByteBalance => TrackContent::Bytes,
            _ => shows,
        };
        let new = NewTrack { rank, about, ..NewTrack::new(parent, name, shows) };
        let uuid = self.tracks.make(&mut self.packets, new);
        self.tracks.entry(track).uuid = uuid;
        if let Track::Value(_) = track
            && let Some(task) = track.owner().task_of_marker(world)
        {
            self.task(world, task).values.push(uuid);
        }
        uuid
    }

    /// The parent of a track, and its place among that one's tracks.
    fn place_of(&mut self, world: &World, track: Track) -> (Parent, i32) {
        let owner = track.owner();
        let group = match (track, owner) {
            (Track::WakesAt(task), _) => return (self.process(world, task), 6),
            (Track::Stack(task), _) => return (self.process(world, task), 4),
            (_, Owner::Task(task)) => return (self.process(world, task), 3),
            (Track::Triggers, _) => return (Parent::Root, 0),
            (Track::Crash, _) => Group::ERRORS,
            (Track::LeftOut(_) | Track::Shed(_), _) => Group::LEFT_OUT,
            (Track::Acts(Owner::Kernel), _) => Group::TIMERS,
            _ => match owner.task_of_marker(world) {
                Some(task) => return (self.task_markers(world, task), 0),
                None => Group::of(owner.group(world)),
            },
        };
        (Parent::Group(group), 0)
    }

    fn owner_name(&self, world: &World, track: Track) -> String {
        let owner = track.owner();
        let Some(label) = owner.label(world) else { return track.owner_name(world) };
        match (track, owner) {
            (_, Owner::Task(_)) => label.to_string(),
            (_, Owner::Marker(_) | Owner::Value(_)) => match owner.scope(world) {
                Some(Scope::UnknownTask) => format!("{label} of an unknown task"),
                _ => label.to_string(),
            },
            (Track::Bytes(buffer), _) => {
                let mut name = self.tracks.unique(Group::STREAM_BUFFERS, &label);
                if label.name().is_some() {
                    name = format!("{} {name}", label.kind());
                }
                if let Some(size) = world.stream_buffers.get(buffer).and_then(|it| it.size) {
                    name.push_str(&format!(", {size} bytes"));
                }
                name
            }
            _ => self.tracks.unique(Group::of(owner.group(world)), &label),
        }
    }

    /// The track of a timer task's callbacks. It is among those of the task, because the end of a callback is not recorded and
    /// need not be between the task's calls.
    pub(super) fn callback_track(&mut self, world: &World, task: Option<TaskRef>) -> Uuid {
        self.own_track(OwnTrack::Callbacks(task), |this| {
            let parent = match task {
                Some(task) => this.process(world, task),
                None => Parent::Group(Group::TIMERS),
            };
            NewTrack {
                rank: 5,
                about: "Callbacks of software timers, from the call until the timer task is seen in \
                        its own loop again.",
                ..NewTrack::new(parent, "timer callbacks", TrackContent::Slices)
            }
        })
    }

    /// Returns a track that only this output has, which is described if it is new.
    pub(super) fn own_track(
        &mut self,
        own: OwnTrack,
        describe: impl FnOnce(&mut Self) -> NewTrack,
    ) -> Uuid {
        if let Some(known) = self.tracks.own.get(&own) {
            return *known;
        }
        let new = describe(self);
        let uuid = self.tracks.make(&mut self.packets, new);
        self.tracks.own.insert(own, uuid);
        uuid
    }
}

/// What a track means, where that is not obvious.
const fn about(track: Track) -> &'static str {
    match track {
        Track::Priority(_) => {
            "The task's priority as the kernel has it, inherited ones included: higher \
             is more urgent. -1 where it is not known, since events are missing."
        }
        Track::Notification(..) => "The value of a notification of the task.",
        Track::Stack(_) => "Bytes of the task's stack that were never used.",
        Track::WakesAt(_) => "The tick count until which the task waits at most.",
        Track::Holder(_) => {
            "Who holds the mutex: empty while it is free. Tasks that waited for it in that time \
             are among the arguments."
        }
        Track::Depth(_) => "How many times its holder has taken the recursive mutex.",
        Track::Bits(_) => "The bits that are set, and when bits were set and cleared.",
        Track::Active(_) => "While the timer is active, and the commands for it.",
        Track::HeapFree => "As the heap counts them.",
        Track::HeapUsed => {
            "Allocated bytes minus freed bytes since the recording began: less than 0 if blocks from before \
             are freed."
        }
        Track::Ticks => "The kernel's tick count.",
        Track::Acts(Owner::Kernel) => {
            "Calls that the timer task is asked to make (xTimerPendFunctionCall)."
        }
        Track::Sleep(_) => "While the core sleeps since nothing is to be done (tickless idle).",
        Track::LeftOut(_) => {
            "While this is not recorded, the other tracks do not show it, though it may happen."
        }
        Track::Shed(_) => "Events that were not recorded since packets ran out: how many so far.",
        Track::Crash => {
            "Where the firmware has crashed, with the recorded registers. The events after it are the \
             firmware's reaction to the crash."
        }
        Track::Triggers => {
            "Where a trigger of the firmware has fired, right after the event that it waited for, and where \
             the events to record after it end."
        }
        _ => "",
    }
}
