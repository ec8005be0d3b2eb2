//! Where one generation of an object ends and the next begins; see the model's `generation.rs`.

use std::io;

use super::memory::task::TaskMemory;
use super::{AnyContext, EventActor, Timeline};
use tband_format::registry::MAIN_PROGRAM;

use crate::diagnostics::{Place, Problem};
use crate::model::{
    AnyRef, Caller, Change, EventGroup, EventTime, LearnResult, Life, Object, Queue, Ref,
    StreamBuffer, Task, TaskRef, TaskState, Timer, Waker,
};

impl Timeline {
    /// A number is given to a new object. `end` ends the one that had it if it is known to have lived.
    pub(super) fn create<T: Object>(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        end: impl FnOnce(&mut Self, &mut AnyContext<'_, '_>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<Option<Ref<T>>> {
        let Some(mut object) = self.world.object::<T>(id) else {
            return Ok(None);
        };
        let life = T::table_mut(&mut self.world).get_mut(object).map(|it| *it.life());
        if life.is_some_and(|life| life.used) {
            self.end_unless_known(context, object, end)?;
            match self.world.renew::<T>(id) {
                Some(new) => object = new,
                None => return Ok(None),
            }
        }
        self.learn_deferred(context.at.core, context.place.place());
        if let Some(entry) = T::table_mut(&mut self.world).get_mut(object) {
            let life = entry.life();
            (life.born_ns, life.used, life.gap) = (Some(context.at.ns), true, self.gaps.count);
        }
        Ok(Some(object))
    }

    /// Learns the facts from the first pass that belong to a new object at this place.
    fn learn_deferred(&mut self, core: u32, place: Place) {
        for (_, event) in self.deferred.take(place) {
            self.world.learn(core, self.gaps.count, &event.get());
        }
    }

    /// A new stream starts at this place: learns the names of its objects.
    pub(super) fn learn_stream(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        place: Place,
    ) -> io::Result<()> {
        let core = context.at.core;
        for (of, event) in self.deferred.take(place) {
            context.at.core = of;
            self.metadata(context, &event.get())?;
        }
        context.at.core = core;
        Ok(())
    }

    /// Metadata proved the number of an object to be another's: that one has it from now on.
    #[cold]
    pub(super) fn make_place(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        known: AnyRef,
    ) -> io::Result<Option<(TaskRef, TaskState)>> {
        match known {
            AnyRef::Task(task) => return self.task_replaced(context, task),
            AnyRef::Queue(queue) => self.replaced(context, queue, Self::end_queue)?,
            AnyRef::StreamBuffer(buffer) => {
                self.replaced(context, buffer, Self::end_stream_buffer)?
            }
            AnyRef::EventGroup(group) => self.replaced(context, group, Self::end_event_group)?,
            AnyRef::Timer(timer) => self.replaced(context, timer, Self::end_timer)?,
        }
        Ok(None)
    }

    fn replaced<T: Object>(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        of: Ref<T>,
        end: impl FnOnce(&mut Self, &mut AnyContext<'_, '_>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(entry) = T::table_mut(&mut self.world).get_mut(of) else {
            return Ok(());
        };
        let id = entry.id();
        self.end_unless_known(context, of, end)?;
        self.world.renew::<T>(id);
        Ok(())
    }

    /// Ends an object that is no more, unless that was reported, or all that was known of it is forgotten.
    fn end_unless_known<T: Object>(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        of: Ref<T>,
        end: impl FnOnce(&mut Self, &mut AnyContext<'_, '_>, Ref<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        let gap = self.gaps.count;
        let Some(entry) = T::table_mut(&mut self.world).get_mut(of) else {
            return Ok(());
        };
        match *entry.life() {
            Life { died_ns: Some(_), .. } => Ok(()),
            life if !T::HAS_STATE && life.gap != gap => {
                entry.life().died_ns = Some(context.at.ns);
                Ok(())
            }
            _ => {
                let by = std::mem::replace(&mut context.by, EventActor::NoActor);
                let result = end(self, context, of);
                context.by = by;
                result
            }
        }
    }

    /// A task's number has another name: returns the task that has the number from now on, and its state, which is that of the
    /// other one.
    fn task_replaced(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        old: TaskRef,
    ) -> io::Result<Option<(TaskRef, TaskState)>> {
        let Some(before) = self.world.tasks.get(old).cloned() else {
            return Ok(None);
        };
        let Some(new) = self.world.renew::<Task>(before.id) else {
            return Ok(None);
        };
        let TaskMemory { waiting, leaves_to, .. } = *self.tasks.entry(old);
        self.end_task(context, old)?;
        let goes_on = !matches!(before.state, TaskState::Unknown | TaskState::Deleted);
        if let Some(entry) = self.world.tasks.get_mut(new).filter(|_| goes_on) {
            (entry.idle_of, entry.is_timer) = (before.idle_of, before.is_timer);
            entry.terms = before.terms;
            entry.life.used = true;
        }
        if goes_on {
            let known = self.tasks.entry(new);
            (known.waiting, known.leaves_to) = (waiting, leaves_to);
            self.has_priority(new, before.priority);
        }
        for (_, queue) in self.world.queues.iter_mut().filter(|(_, it)| it.holder == Some(old)) {
            queue.holder = Some(new);
        }
        self.waiters.hand_over(old, new);
        self.timer_task.hand_over(old, new);
        Ok(goes_on.then_some((new, before.state)))
    }

    /// A task that has taken over the number of another continues its activities.
    fn take_over(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        new: TaskRef,
        state: TaskState,
    ) -> io::Result<()> {
        let at = context.at;
        if let TaskState::Running(core) = state {
            context.at = EventTime { ns: self.core(core).moved_ns, core };
            self.core(core).running = Some(new);
        }
        let result = self.set_state(context, new, state, Waker::Other);
        context.at = at;
        result
    }

    /// A task has ended, but no event reported its deletion.
    pub(super) fn end_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<()> {
        match self.state(task) {
            TaskState::Running(core) => self.leave_core(context, core, TaskState::Deleted)?,
            _ => self.set_state(context, task, TaskState::Deleted, Waker::Other)?,
        }
        self.task_is_over(context, task)
    }

    /// A task is deleted: ends its open calls and the work that it began.
    pub(super) fn task_is_over(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<()> {
        self.delete::<Task>(context.at.ns, task);
        self.end_calls(context, Caller::Task(task))?;
        self.end_spans(context, task)
    }

    /// An object is deleted.
    pub(super) fn delete<T: Object>(&mut self, ns: i64, of: Ref<T>) {
        if let Some(entry) = T::table_mut(&mut self.world).get_mut(of) {
            let life = entry.life();
            life.died_ns.get_or_insert(ns);
            (life.used, life.gap) = (true, self.gaps.count);
        }
    }

    /// Something is reported about an object. If that is no more, its number is another's.
    #[inline]
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

    /// The target was reset, as this input reports: nothing of it lives on.
    #[cold]
    pub(super) fn reset(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let ns = context.at.ns;
        let has_names = self.start_ns == Some(ns);
        self.world.runs.reset(has_names);
        let runs_main: Vec<u32> = if self.runs_main_program {
            self.cores.iter().filter(|(_, it)| it.running.is_some()).map(|(core, _)| core).collect()
        } else {
            Vec::new()
        };
        let is_over = |(task, entry): (TaskRef, &Task)| entry.life.used.then_some(task);
        let over: Vec<_> = self.world.tasks.iter_current().filter_map(is_over).collect();
        for task in over {
            if self.state(task) != TaskState::Deleted {
                // Each at its own time, so that later changes do not have to wait for it.
                context.at.ns = self.tasks.entry(task).settled.max(ns);
                self.end_ns = self.end_ns.max(context.at.ns);
                self.end_task(context, task)?;
            }
        }
        context.at.ns = ns;
        self.world.reset::<Task>(ns, has_names);
        self.world.reset::<Queue>(ns, has_names);
        self.world.reset::<StreamBuffer>(ns, has_names);
        self.world.reset::<EventGroup>(ns, has_names);
        self.world.reset::<Timer>(ns, has_names);
        self.world.reset_unnumbered(has_names);
        (self.reset_ns, self.start_ns) = (Some(ns), None);
        // The start of the recording is reported next, with all other names.
        if let Some(name) = self.deferred.main_name(context.place.place()) {
            (self.world.main_name, self.world.main_named) = (Some(name), self.world.runs.starts);
        }
        self.run_main(ns, &runs_main, context.sink)
    }

    /// Metadata is reported.
    #[cold]
    pub(super) fn metadata(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        event: &tband_format::Event<'_>,
    ) -> io::Result<()> {
        let (core, gap) = (context.at.core, self.gaps.count);
        let is_at_start = self.start_ns == Some(context.at.ns) && self.reset_ns != self.start_ns;
        if is_at_start && self.world.has_conflict(core, event) {
            self.start_ns = None;
            let text = "the recording starts again with other names for the same numbers: the target was reset";
            self.report_finding(context, Problem::Restart, 1, &text)?;
        }
        if let tband_format::Event::IsrName { isr_id: MAIN_PROGRAM, name } = *event {
            self.rename_main(context, name)?;
        }
        let mut learnt = self.world.learn(core, gap, event);
        let mut new = None;
        if let LearnResult::Another(known) = learnt {
            new = self.make_place(context, known)?;
            learnt = self.world.learn(core, gap, event);
        }
        match learnt {
            LearnResult::Nothing => Ok(()),
            LearnResult::Task(task) => {
                if !self.list(context, task)? {
                    context.sink.change(&self.world, context.at, &Change::TaskRenamed(task))?;
                }
                match new {
                    Some((new, state)) => self.take_over(context, new, state),
                    None => Ok(()),
                }
            }
            LearnResult::NoRoom | LearnResult::Another(_) => {
                self.too_many(context, event.name(), u32::from(event.wire_id()))
            }
        }
    }
}
