//! Event groups: since when the bits that a task waits for suffice, also if an interrupt asked the timer task to set them.

use std::io;

use super::activation::Release;
use super::tasks::Taken;
use super::{ActivationSink, Activations};
use crate::model::{
    Actor, BitsCause, EventGroupChange, EventGroupRef, EventTime, Task, TaskRef, TaskState, Wait,
    Waker, World,
};

impl<R: ActivationSink> Activations<R> {
    pub(super) fn event_group(
        &mut self,
        world: &World,
        at: EventTime,
        group: EventGroupRef,
        change: EventGroupChange,
        by: Option<Actor>,
    ) -> io::Result<()> {
        let (bits, cause) = match change {
            EventGroupChange::SetDeferred(bits) => {
                let waker = by.map_or(Waker::Other, Waker::of);
                self.bits.request(group, bits, (at.ns, waker));
                return Ok(());
            }
            EventGroupChange::Bits(bits, cause) => (bits, cause),
            _ => return Ok(()),
        };
        match cause {
            BitsCause::Set(new) => self.set_bits(world, at.ns, group, new, bits, by),
            BitsCause::Created | BitsCause::Clear(_) | BitsCause::ClearOnExit(_) => {
                self.bits.keep(group, bits);
            }
            BitsCause::Found => {
                let Some(task) = by.and_then(Actor::task) else { return Ok(()) };
                let awaited = world.tasks.get(task).map(Task::awaited_bits);
                let since =
                    awaited.and_then(|(bits, all)| self.bits.sufficient_since(group, bits, all));
                return self.take(
                    world,
                    at,
                    task,
                    Release::Bits(group),
                    Taken { first_ns: since, count: 1 },
                );
            }
        }
        Ok(())
    }

    /// Bits are set: now, or at the request of an interrupt that the timer task carries out now.
    fn set_bits(
        &mut self,
        world: &World,
        ns: i64,
        group: EventGroupRef,
        new: u64,
        after: u64,
        by: Option<Actor>,
    ) {
        let for_others = |task: TaskRef| {
            world.tasks.get(task).is_some_and(|task| task.is_timer)
                && !self.callbacks.is_running(task)
        };
        let request = match by {
            Some(Actor::Task(task)) if for_others(task) => self.bits.carry_out(group, new),
            _ => None,
        };
        let Some((requested, waker)) = request else { return self.bits.set(group, new, ns) };
        self.bits.set(group, new, requested);
        for (task, known) in world.tasks.iter() {
            let line = self.tasks.entry(task);
            let is_waiting = matches!(
                line.state,
                TaskState::Blocked(Wait::Bits(it) | Wait::EventGroupSync(it)) if it == group
            );
            if !is_waiting {
                continue;
            }
            let (bits, all) = known.awaited_bits();
            let suffice = if all { after & bits == bits } else { after & bits != 0 };
            if suffice && let Some(since) = self.bits.sufficient_since(group, bits, all) {
                line.requested = Some((since, waker));
            }
        }
    }
}
