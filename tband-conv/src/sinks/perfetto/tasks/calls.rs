//! Calls of the kernel's functions: on the track of their task's thread, or those of interrupts on a track of each core.

use crate::model::{CallChange, Caller, EventTime, Outcome, TaskState, World, function_name};
use crate::sinks::perfetto::events::Arg;
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::tracks::{Group, NewTrack, OwnTrack, Parent, TrackContent, Uuid};

impl Trace {
    fn call_track(&mut self, world: &World, core: u32, caller: Caller) -> Uuid {
        let (own, what) = match caller {
            Caller::Task(task) => return self.calls_track(world, task),
            Caller::Isr => (OwnTrack::IsrCalls(core), "kernel calls of interrupts"),
            Caller::Unknown => (OwnTrack::UnknownCalls(core), "kernel calls outside of tasks"),
        };
        self.own_track(own, |_| {
            let name = format!("{what}, core {core}");
            NewTrack::new(Parent::Group(Group::KERNEL), name, TrackContent::Slices)
        })
    }

    /// A call begins or ends; `None` if it is unknown from here on whether it is open.
    #[inline(never)]
    pub(in crate::sinks::perfetto) fn call_changes(
        &mut self,
        world: &World,
        at: EventTime,
        (caller, function): (Caller, u32),
        change: Option<CallChange>,
    ) {
        match change {
            Some(CallChange::Abandoned) => {
                self.end_inner_wait(world, at, caller, Some(Outcome::Deleted));
            }
            None => self.end_inner_wait(world, at, caller, None),
            Some(_) => {}
        }
        let track = self.call_track(world, at.core, caller);
        let arg = match change {
            Some(CallChange::Begin) => {
                return self.slice(at.ns, track, &function_name(function), &[]);
            }
            Some(CallChange::End { value, .. }) => value.map(|value| ("value", Arg::Number(value))),
            Some(CallChange::Abandoned) => Some(("returns", Arg::Text("never"))),
            None => None,
        };
        self.end_slice(at.ns, track, arg.as_slice());
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
                Some(outcome) => self.end_wait(world, at, task, outcome),
                None => self.finish_wait(world, task, None),
            }
        }
    }
}
