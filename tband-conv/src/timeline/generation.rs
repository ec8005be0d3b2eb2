//! Where one generation of an object ends and the next begins; see `life.rs`.

use std::io;

use tband_format::decode_payload;

use super::change::{At, Change, QueueChange, Sink, Waker};
use super::learn::{AnyRef, Learnt};
use super::life::{Life, Object};
use super::object::{Caller, Disarmed, EventGroupChange, StreamBufferChange};
use super::table::Ref;
use super::world::{
    EventGroup, EventGroupRef, Queue, QueueRef, StreamBuffer, StreamBufferRef, Task, TaskRef,
    TaskState, Timer, TimerRef,
};
use super::{Step, Timeline};
use crate::diagnostics::Place;

impl Timeline {
    /// A number is given to a new object. `end` ends the one that had it if it is known to have lived.
    pub(super) fn creates<T: Object, S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        end: impl FnOnce(&mut Self, &mut Step<'_, S>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<Option<Ref<T>>> {
        let Some(mut object) = self.world.object::<T>(id) else {
            return Ok(None);
        };
        let life = T::table_mut(&mut self.world).get_mut(object).map(|it| *it.life());
        if life.is_some_and(|life| life.used) {
            self.end_unless_known(step, object, end)?;
            match self.world.renew::<T>(id) {
                Some(new) => object = new,
                None => return Ok(None),
            }
        }
        self.learn_foretold(step.at.core, step.place.place());
        if let Some(entry) = T::table_mut(&mut self.world).get_mut(object) {
            let life = entry.life();
            (life.born_ns, life.used, life.gap) = (Some(step.at.ns), true, self.gaps.count);
        }
        Ok(Some(object))
    }

    /// Learns what the first pass has found to belong to an object that is new at this place.
    fn learn_foretold(&mut self, core: u32, place: Place) {
        for payload in self.foretold.take(place) {
            if let Ok(decoded) = decode_payload(&payload) {
                self.world.learn(core, self.gaps.count, &decoded.event);
            }
        }
    }

    /// A stream starts anew at this place: learns how its objects are called.
    pub(super) fn learn_stream<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        place: Place,
    ) -> io::Result<()> {
        for payload in self.foretold.take(place) {
            if let Ok(decoded) = decode_payload(&payload) {
                self.metadata(step, &decoded.event)?;
            }
        }
        Ok(())
    }

    /// Metadata proved the number of an object to be another's: that one has it from now on.
    #[cold]
    pub(super) fn make_place<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        known: AnyRef,
    ) -> io::Result<Option<(TaskRef, TaskState)>> {
        match known {
            AnyRef::Task(task) => return self.task_replaced(step, task),
            AnyRef::Queue(queue) => self.replaced(step, queue, Self::queue_ends)?,
            AnyRef::StreamBuffer(buffer) => {
                self.replaced(step, buffer, Self::stream_buffer_ends)?
            }
            AnyRef::EventGroup(group) => self.replaced(step, group, Self::event_group_ends)?,
            AnyRef::Timer(timer) => self.replaced(step, timer, Self::timer_ends)?,
        }
        Ok(None)
    }

    fn replaced<T: Object, S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        of: Ref<T>,
        end: impl FnOnce(&mut Self, &mut Step<'_, S>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(entry) = T::table_mut(&mut self.world).get_mut(of) else {
            return Ok(());
        };
        let id = entry.id();
        self.end_unless_known(step, of, end)?;
        self.world.renew::<T>(id);
        Ok(())
    }

    /// Ends an object that is no more, unless that was told, or all that was known of it is forgotten.
    fn end_unless_known<T: Object, S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        of: Ref<T>,
        end: impl FnOnce(&mut Self, &mut Step<'_, S>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        let gap = self.gaps.count;
        let Some(entry) = T::table_mut(&mut self.world).get_mut(of) else {
            return Ok(());
        };
        match *entry.life() {
            Life { died_ns: Some(_), .. } => Ok(()),
            life if !T::HAS_STATE && life.gap != gap => {
                entry.life().died_ns = Some(step.at.ns);
                Ok(())
            }
            _ => end(self, step, of),
        }
    }

    /// A task's number has another name: gives the task that has it from now on, and what that one does,
    /// which is what the other did.
    fn task_replaced<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        old: TaskRef,
    ) -> io::Result<Option<(TaskRef, TaskState)>> {
        let Some(before) = self.world.tasks.get(old).cloned() else {
            return Ok(None);
        };
        let Some(new) = self.world.renew::<Task>(before.id) else {
            return Ok(None);
        };
        self.task_ends(step, old)?;
        let goes_on = !matches!(before.state, TaskState::Unknown | TaskState::Deleted);
        if let Some(entry) = self.world.tasks.get_mut(new).filter(|_| goes_on) {
            (entry.idle_of, entry.is_timer) = (before.idle_of, before.is_timer);
            (entry.waiting, entry.leaves_to) = (before.waiting, before.leaves_to);
            entry.life.used = true;
        }
        if goes_on {
            self.has_priority(new, before.priority);
        }
        for (_, queue) in self.world.queues.iter_mut().filter(|(_, it)| it.holder == Some(old)) {
            queue.holder = Some(new);
        }
        self.waiters.hand_over(old, new);
        self.timer_task.hand_over(old, new);
        Ok(goes_on.then_some((new, before.state)))
    }

    /// A task that has taken over the number of another does what that one did.
    fn takes_over<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (new, state): (TaskRef, TaskState),
    ) -> io::Result<()> {
        let at = step.at;
        if let TaskState::Running(core) = state {
            step.at = At { ns: self.core(core).moved_ns, core };
            self.core(core).running = Some(new);
        }
        let result = self.set_state(step, new, state, Waker::Other);
        step.at = at;
        result
    }

    /// A task is no more, and nothing but what comes now has told so.
    pub(super) fn task_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        match self.state(task) {
            TaskState::Running(core) => self.leaves_core(step, core, TaskState::Deleted)?,
            _ => self.set_state(step, task, TaskState::Deleted, Waker::Other)?,
        }
        self.task_is_over(step, task)
    }

    /// A task is deleted: what it called and began does not go on.
    pub(super) fn task_is_over<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        self.dies::<Task>(step.at.ns, task);
        self.end_calls(step, Caller::Task(task))?;
        self.end_spans(step, task)
    }

    pub(super) fn queue_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue: QueueRef,
    ) -> io::Result<()> {
        self.queue_cleared(step, queue)?;
        self.dies::<Queue>(step.at.ns, queue);
        step.sink.change(&self.world, step.at, &Change::Queue(queue, QueueChange::Deleted, None))
    }

    pub(super) fn stream_buffer_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        buffer: StreamBufferRef,
    ) -> io::Result<()> {
        self.senders.forget_buffer(buffer);
        self.dies::<StreamBuffer>(step.at.ns, buffer);
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.level = None;
        }
        let change = Change::StreamBuffer(buffer, StreamBufferChange::Deleted, None);
        step.sink.change(&self.world, step.at, &change)
    }

    pub(super) fn event_group_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        self.waiters.leave(group);
        self.dies::<EventGroup>(step.at.ns, group);
        if let Some(entry) = self.world.event_groups.get_mut(group) {
            entry.bits = None;
        }
        let change = Change::EventGroup(group, EventGroupChange::Deleted);
        step.sink.change(&self.world, step.at, &change)
    }

    pub(super) fn timer_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        timer: TimerRef,
    ) -> io::Result<()> {
        self.dies::<Timer>(step.at.ns, timer);
        self.set_armed(step, timer, false, Disarmed::Deleted)
    }

    /// An object is deleted.
    pub(super) fn dies<T: Object>(&mut self, ns: i64, of: Ref<T>) {
        if let Some(entry) = T::table_mut(&mut self.world).get_mut(of) {
            let life = entry.life();
            life.died_ns.get_or_insert(ns);
            (life.used, life.gap) = (true, self.gaps.count);
        }
    }

    /// Something is told of an object. If that is no more, its number is another's.
    #[inline(always)]
    pub(super) fn living<T: Object>(&mut self, of: Ref<T>) -> Ref<T> {
        let gap = self.gaps.count;
        match T::table_mut(&mut self.world).get_mut(of).map(T::life) {
            Some(life) if life.died_ns.is_none() => {
                (life.used, life.gap) = (true, gap);
                of
            }
            _ => self.next_living(of),
        }
    }

    #[cold]
    #[inline(never)]
    fn next_living<T: Object>(&mut self, of: Ref<T>) -> Ref<T> {
        let id = T::table(&self.world).get(of).map(T::id);
        match id.and_then(|id| self.world.renew::<T>(id)) {
            Some(new) => self.living(new),
            None => of,
        }
    }

    /// The target was reset, as this input tells: nothing of it lives on.
    #[cold]
    pub(super) fn reset<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let ns = step.at.ns;
        let is_over = |(task, entry): (TaskRef, &Task)| entry.life.used.then_some(task);
        let over: Vec<_> = self.world.tasks.iter().filter_map(is_over).collect();
        for task in over {
            if self.state(task) != TaskState::Deleted {
                // Each in its own time, so that nothing that comes now has to wait for it.
                step.at.ns = self.world.tasks.get(task).map_or(ns, |task| task.settled.max(ns));
                self.task_ends(step, task)?;
            }
        }
        step.at.ns = ns;
        self.world.reset::<Task>(ns);
        self.world.reset::<Queue>(ns);
        self.world.reset::<StreamBuffer>(ns);
        self.world.reset::<EventGroup>(ns);
        self.world.reset::<Timer>(ns);
        Ok(())
    }

    /// Metadata is told.
    #[cold]
    pub(super) fn metadata<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &tband_format::Event<'_>,
    ) -> io::Result<()> {
        let (core, gap) = (step.at.core, self.gaps.count);
        let mut learnt = self.world.learn(core, gap, event);
        let mut new = None;
        if let Learnt::Another(known) = learnt {
            new = self.make_place(step, known)?;
            learnt = self.world.learn(core, gap, event);
        }
        match learnt {
            Learnt::Nothing => Ok(()),
            Learnt::Task(task) => {
                if !self.list(step, task)? {
                    step.sink.change(&self.world, step.at, &Change::TaskRenamed(task))?;
                }
                match new {
                    Some(new) => self.takes_over(step, new),
                    None => Ok(()),
                }
            }
            Learnt::NoRoom | Learnt::Another(_) => {
                self.too_many(step, event.name(), u32::from(event.id()))
            }
        }
    }
}
