//! Tracks of stream buffers, event groups, heap, sleep, and calls of the kernel's functions. Those of tasks, queues and
//! software timers have separate files.
//!
//! A call is on the track of its task's thread. A change that is neither a slice nor a counter is an instant on a track of its
//! object.

use super::events::{Arg, EventType};
use super::memory::{ObjectTracks, SingleTrack};
use super::trace::Trace;
use super::tracks::{Group, Parent, Track, TrackContent, Uuid};
use crate::model::{
    Actor, Bits, BitsCause, BufferCause, CallChange, Caller, EventGroupChange, EventGroupRef,
    EventTime, HeapChange, KernelChange, Outcome, PerKey, Position, StreamBufferChange,
    StreamBufferRef, TaskState, World, function_name,
};

impl SingleTrack {
    fn track(self) -> Track {
        let (group, name, shows, about) = match self {
            Self::BytesFree => {
                (Group::Kernel, "heap bytes free", TrackContent::Bytes, "As the heap counts them.")
            }
            Self::BytesInUse => (
                Group::Kernel,
                "heap bytes in use since the start",
                TrackContent::Bytes,
                "Allocated bytes minus freed bytes since the recording began: less than 0 if blocks from before \
                 are freed.",
            ),
            Self::BytesAskedFor => (
                Group::Kernel,
                "heap bytes asked for since the start",
                TrackContent::Bytes,
                "Requested bytes minus freed bytes since the recording began. The heap took more: this \
                 kernel is older than V11.2, which reports the allocated size.",
            ),
            Self::MallocFailed => (Group::Kernel, "heap malloc failed", TrackContent::Slices, ""),
            Self::Ticks => {
                (Group::Kernel, "tick count", TrackContent::Counter, "The kernel's tick count.")
            }
            Self::Pended => (
                Group::Timers,
                "pended function calls",
                TrackContent::Slices,
                "Calls that the timer task is asked to make (xTimerPendFunctionCall).",
            ),
        };
        Track { about, ..Track::new(Parent::Group(group), name, shows) }
    }
}

type TrackSelector<K> = fn(&mut ObjectTracks) -> &mut PerKey<K, Uuid>;

impl Trace {
    /// Returns the track of an object, which is created if there is none.
    pub(super) fn object_track<K: Position>(
        &mut self,
        tracks: TrackSelector<K>,
        of: K,
        describe: impl FnOnce(&mut Self) -> Track,
    ) -> Uuid {
        match tracks(&mut self.objects).copied(of) {
            0 => {}
            track => return track,
        }
        let track = describe(self);
        let track = self.tracks.make(&mut self.packets, track);
        *tracks(&mut self.objects).entry(of) = track;
        track
    }

    fn single(&mut self, single: SingleTrack) -> Uuid {
        self.object_track(|tracks| &mut tracks.singles, single, |_| single.track())
    }

    /// Writes an instant with a generated name.
    pub(super) fn instant(&mut self, ns: i64, track: Uuid, name: &str, args: &[(&str, Arg<'_>)]) {
        let name = self.packets.name(name.as_bytes());
        self.packets.event_with(ns, EventType::Instant, track, Some(name), args, None);
    }

    pub(super) fn slice(&mut self, ns: i64, track: Uuid, name: &str, args: &[(&str, Arg<'_>)]) {
        let name = self.packets.name(name.as_bytes());
        self.packets.event_with(ns, EventType::SliceBegin, track, Some(name), args, None);
    }

    pub(super) fn end_slice(&mut self, ns: i64, track: Uuid, args: &[(&str, Arg<'_>)]) {
        self.packets.event_with(ns, EventType::SliceEnd, track, None, args, None);
    }

    #[inline(never)]
    pub(super) fn stream_buffer(
        &mut self,
        world: &World,
        at: EventTime,
        buffer: StreamBufferRef,
        change: StreamBufferChange,
        by: Option<Actor>,
    ) {
        let what = match change {
            StreamBufferChange::Level(level, cause) => {
                self.stream_buffer_level(world, at, buffer, level);
                match cause {
                    BufferCause::Reset => "reset",
                    _ => return,
                }
            }
            StreamBufferChange::SendFailed => "send failed",
            StreamBufferChange::ReceiveFailed => "receive failed",
            StreamBufferChange::Deleted => {
                self.stream_buffer_level(world, at, buffer, 0);
                "deleted"
            }
        };
        let track = self.object_track(
            |tracks| &mut tracks.buffer_events,
            buffer,
            |this| {
                let name = world.stream_buffer_name(buffer);
                let name = format!("{} events", this.tracks.unique(Group::StreamBuffers, &name));
                Track::new(Parent::Group(Group::StreamBuffers), name, TrackContent::Slices)
            },
        );
        match by {
            Some(by) => {
                let text = format!("{what} by {}", world.actor_name(by, at.core));
                self.instant(at.ns, track, &text, &[]);
            }
            None => self.instant(at.ns, track, what, &[]),
        }
    }

    fn stream_buffer_level(
        &mut self,
        world: &World,
        at: EventTime,
        buffer: StreamBufferRef,
        level: u32,
    ) {
        let track = self.object_track(
            |tracks| &mut tracks.levels,
            buffer,
            |this| {
                let label = world.stream_buffer_name(buffer);
                let mut name = this.tracks.unique(Group::StreamBuffers, &label);
                if label.name().is_some() {
                    name = format!("{} {name}", label.kind());
                }
                if let Some(size) = world.stream_buffers.get(buffer).and_then(|it| it.size) {
                    name.push_str(&format!(", {size} bytes"));
                }
                Track::new(Parent::Group(Group::StreamBuffers), name, TrackContent::Bytes)
            },
        );
        self.packets.counter(at.ns, track, level.into());
    }

    /// How many bytes are in a stream buffer is not known any more.
    pub(super) fn bytes_are_unknown(&mut self, at: EventTime, buffer: StreamBufferRef) {
        let track = self.objects.levels.copied(buffer);
        self.counter_is_unknown(at, track);
    }

    fn event_group_track(&mut self, world: &World, group: EventGroupRef) -> Uuid {
        self.object_track(
            |tracks| &mut tracks.bits,
            group,
            |this| Track {
                about: "The bits that are set, and when bits were set and cleared.",
                ..Track::new(
                    Parent::Group(Group::EventGroups),
                    this.tracks.unique(Group::EventGroups, &world.event_group_name(group)),
                    TrackContent::Slices,
                )
            },
        )
    }

    #[inline(never)]
    pub(super) fn event_group(
        &mut self,
        world: &World,
        at: EventTime,
        group: EventGroupRef,
        change: EventGroupChange,
    ) {
        let text = match change {
            EventGroupChange::Bits(bits, cause) => {
                self.event_group_bits(world, at, group, Some(bits));
                match cause {
                    BitsCause::Set(bits) => format!("set {bits:#x}"),
                    BitsCause::Clear(bits) => format!("clear {bits:#x}"),
                    BitsCause::ClearOnExit(bits) => format!("clear {bits:#x} on exit"),
                    BitsCause::Created | BitsCause::Found => return,
                }
            }
            EventGroupChange::SetDeferred(bits) => format!("set {bits:#x} asked by interrupt"),
            EventGroupChange::ClearDeferred(bits) => format!("clear {bits:#x} asked by interrupt"),
            EventGroupChange::Deleted => {
                self.event_group_bits(world, at, group, None);
                "deleted".to_owned()
            }
        };
        let track = self.event_group_track(world, group);
        self.instant(at.ns, track, &text, &[]);
    }

    /// Shows the bits of an event group from now on; none if they are not known.
    pub(super) fn event_group_bits(
        &mut self,
        world: &World,
        at: EventTime,
        group: EventGroupRef,
        bits: Option<u64>,
    ) {
        let track = self.event_group_track(world, group);
        let shown = self.objects.shown_bits.entry(group);
        if std::mem::replace(shown, bits.is_some()) {
            self.end_slice(at.ns, track, &[]);
        }
        if let Some(bits) = bits {
            self.slice(at.ns, track, &Bits(bits).to_string(), &[("bits", Arg::Unsigned(bits))]);
        }
    }

    #[inline(never)]
    pub(super) fn kernel(
        &mut self,
        world: &World,
        at: EventTime,
        change: KernelChange,
        by: Option<Actor>,
    ) {
        match change {
            KernelChange::Heap(HeapChange { bytes_free, in_use, .. }) => {
                if let Some(free) = bytes_free {
                    let track = self.single(SingleTrack::BytesFree);
                    self.packets.counter(at.ns, track, free.into());
                }
                let is_asked_for = world.trace_info.is_some_and(|info| info.has_requested_bytes());
                let single = if is_asked_for && bytes_free.is_none() {
                    SingleTrack::BytesAskedFor
                } else {
                    SingleTrack::BytesInUse
                };
                let track = self.single(single);
                self.packets.counter(at.ns, track, in_use);
            }
            KernelChange::MallocFailed { size } => {
                let track = self.single(SingleTrack::MallocFailed);
                let task = by.and_then(Actor::task).map(|task| world.task_name(task).to_string());
                let task = task.as_deref().map(|task| ("task", Arg::Text(task)));
                let name = format!("malloc of {size} bytes failed");
                self.instant(at.ns, track, &name, task.as_slice());
            }
            KernelChange::Sleeps(ticks) => {
                let track = self.sleep_track(at.core);
                self.slice(at.ns, track, "sleep", &[("expected_ticks", Arg::Number(ticks))]);
            }
            KernelChange::Wakes => self.end_sleep(at),
            KernelChange::Ticks(ticks) => {
                let track = self.single(SingleTrack::Ticks);
                self.packets.counter(at.ns, track, ticks.into());
            }
            KernelChange::Pended { function, accepted, .. } => {
                let track = self.single(SingleTrack::Pended);
                let name = if accepted { "call sent" } else { "call refused" };
                self.instant(at.ns, track, name, &[("function", Arg::Address(function))]);
            }
        }
    }

    fn sleep_track(&mut self, core: u32) -> Uuid {
        self.object_track(
            |tracks| &mut tracks.sleep,
            core,
            |_| Track {
                about: "While the core sleeps since nothing is to be done (tickless idle).",
                ..Track::new(
                    Parent::Group(Group::Kernel),
                    format!("low power, core {core}"),
                    TrackContent::Slices,
                )
            },
        )
    }

    /// A core does not sleep any more.
    pub(super) fn end_sleep(&mut self, at: EventTime) {
        let track = self.sleep_track(at.core);
        self.end_slice(at.ns, track, &[]);
    }

    fn call_track(&mut self, world: &World, core: u32, caller: Caller) -> Uuid {
        let (tracks, what): (TrackSelector<u32>, _) = match caller {
            Caller::Task(task) => return self.calls_track(world, task),
            Caller::Isr => (|tracks| &mut tracks.isr_calls, "kernel calls of interrupts"),
            Caller::Unknown => {
                (|tracks| &mut tracks.unknown_caller_calls, "kernel calls outside of tasks")
            }
        };
        self.object_track(tracks, core, |_| {
            Track::new(
                Parent::Group(Group::Kernel),
                format!("{what}, core {core}"),
                TrackContent::Slices,
            )
        })
    }

    #[inline(never)]
    pub(super) fn call(
        &mut self,
        world: &World,
        at: EventTime,
        (caller, function): (Caller, u32),
        change: CallChange,
    ) {
        let track = self.call_track(world, at.core, caller);
        if change == CallChange::Abandoned {
            self.end_inner_wait(world, at, caller, Some(Outcome::Deleted));
        }
        match change {
            CallChange::Begin => self.slice(at.ns, track, &function_name(function), &[]),
            CallChange::End { value, .. } => {
                let value = value.map(|value| ("value", Arg::Number(value)));
                self.end_slice(at.ns, track, value.as_slice());
            }
            CallChange::Abandoned => {
                self.end_slice(at.ns, track, &[("returns", Arg::Text("never"))]);
            }
        }
    }

    /// From here it is unknown whether a call is still open.
    pub(super) fn call_forgotten(&mut self, world: &World, at: EventTime, caller: Caller) {
        self.end_inner_wait(world, at, caller, None);
        let track = self.call_track(world, at.core, caller);
        self.end_slice(at.ns, track, &[]);
    }

    /// A call ends while its task still waits: the wait ends first, because it is inside the call.
    fn end_inner_wait(
        &mut self,
        world: &World,
        at: EventTime,
        caller: Caller,
        outcome: Option<Outcome>,
    ) {
        if let Caller::Task(task) = caller
            && let Some(TaskState::Blocked(_) | TaskState::Suspended) =
                world.tasks.get(task).map(|task| task.state)
        {
            self.stop_wait(at.ns, task, None);
            match outcome {
                Some(outcome) => self.wait_ended(world, at, task, outcome),
                None => self.finish_wait(world, task, None),
            }
        }
    }
}
