//! Filters on the target: state whose events are not recorded is unknown.
//!
//! Where something is left out, the state that it may change is forgotten as after a gap, but only for the objects concerned.
//! It stays unknown until it is recorded again and an event reports it. For tasks this covers more than a moment: where
//! switches are left out, the running task is unknown, and where waits are left out, a task that leaves its core may wait or be
//! ready.

use std::io;

use tband_format::classes::CLASSES;

use super::super::memory::filters::Filter;
use super::super::{AnyContext, Timeline};
use crate::cores::MAX_CORES;
use crate::model::{Change, EventTime, ForgottenState, Omission, TaskState};

/// Ids of events of each kind of facts.
const OF_TASKS: &[u8] =
    &[84, 85, 86, 87, 88, 89, 90, 94, 98, 109, 110, 111, 136, 137, 154, 155, 163, 165];
const OF_PRIORITIES: &[u8] = &[91, 92, 93];
const OF_INTERRUPTS: &[u8] = &[4, 5, 203];
const OF_QUEUES: &[u8] = &[99, 102, 103, 104, 105, 106, 107, 108, 112, 174];
const OF_SPANS: &[u8] = &[8, 9, 124, 125];
const OF_OBJECTS: &[u8] = &[
    140, 143, 144, 145, 146, 147, 148, 149, 156, 158, 159, 160, 161, 162, 164, 166, 167, 169, 170,
    171, 204, 205,
];
const OF_SYSTEM: &[u8] = &[197, 198, 199, 200, 201, 202];

impl Timeline {
    /// A fact of the filter that applies from here on.
    #[cold]
    #[inline(never)]
    pub(in super::super) fn filter_fact(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        of: u32,
        is: u32,
    ) -> io::Result<()> {
        match self.filters.fact(context.at.core, of, is) {
            // State that was known of a core while others have shed becomes unknown when the core sheds too.
            Some((filter, by, sheds_more)) if sheds_more || filter != self.filters.now => {
                self.filter(context, filter, by)
            }
            _ => Ok(()),
        }
    }

    /// Events of a class were not recorded, since packets ran out.
    #[cold]
    #[inline(never)]
    pub(in super::super) fn events_shed(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        class: u32,
        events: u32,
    ) -> io::Result<()> {
        let Some(total) = self.filters.shed.count(class, events) else { return Ok(()) };
        let change = Change::Shed { class, events, total };
        context.sink.change(&self.world, context.at, &change)
    }

    /// Everything is recorded again: the target was reset.
    pub(super) fn forget_filter(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        self.filters.forget();
        if self.filters.now == Filter::default() {
            return Ok(());
        }
        self.filter(context, Filter::default(), 0)
    }

    fn filter(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        filter: Filter,
        by: u32,
    ) -> io::Result<()> {
        let now = filter.left_out();
        let before = std::mem::replace(&mut self.world.left_out, now.clone());
        let old = self.filters.replace(filter.clone());
        for (list, others, begins) in [(&before, &now, false), (&now, &before, true)] {
            for what in list.iter().filter(|what| !others.contains(what)) {
                let shed =
                    if let Omission::Shed(class) = what { CLASSES.get(*class) } else { None };
                if let Some(class) = shed {
                    self.filters.shed.note(class.flag.trailing_zeros(), context.at.ns, begins);
                } else {
                    let name = self.world.omission_name(*what);
                    self.filters.note(name, by, context.at.ns, begins);
                }
                let change = Change::LeftOut(*what, begins);
                context.sink.change(&self.world, context.at, &change)?;
            }
        }
        self.forget_left_out(context, &[&old, &filter])?;
        self.begin_is_reported(context)
    }

    /// Forgets the states that are changed by events which one of these filters leaves out.
    fn forget_left_out(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        filters: &[&Filter],
    ) -> io::Result<()> {
        let has = |ids: &[u8], kinds: &[&str]| {
            filters.iter().any(|filter| {
                filter.has_any(ids) || kinds.iter().any(|kind| filter.has_objects_of(kind))
            })
        };
        let here = context.at;
        if has(OF_INTERRUPTS, &["ISR"]) {
            for number in 0..MAX_CORES {
                context.at = EventTime { ns: here.ns, core: number };
                self.core(number).forget_proofs();
                while let Some(isr) = self.core(number).isrs.pop() {
                    let change = Change::Forgotten(ForgottenState::Isr(isr));
                    context.sink.change(&self.world, context.at, &change)?;
                }
            }
            context.at = here;
        }
        if has(OF_TASKS, &["TASK", "QUEUE", "STREAM_BUFFER", "EVENT_GROUP"]) {
            self.forget_tasks_left_out(context)?;
        }
        if has(OF_PRIORITIES, &["TASK"]) {
            self.forget_priorities(context)?;
        }
        if has(OF_QUEUES, &["QUEUE"]) {
            self.forget_queues(context)?;
        }
        if has(OF_SPANS, &["EVTMARKER"]) {
            self.gaps.of_spans = self.gaps.of_spans.wrapping_add(1);
            self.forget_spans(context)?;
        }
        if has(OF_OBJECTS, &["STREAM_BUFFER", "EVENT_GROUP", "TIMER"]) {
            self.senders.forget_buffers();
            self.forget_objects(context)?;
            self.forget_callback(context)?;
        }
        if has(OF_SYSTEM, &[]) {
            self.forget_system(context, false)?;
        }
        self.forget_waiters();
        Ok(())
    }

    /// Forgets the states of tasks, and where switches are left out, the running tasks.
    fn forget_tasks_left_out(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        for number in 0..MAX_CORES {
            self.core(number).cause = None;
            if self.filters.are_runs_unknown {
                let here = context.at;
                context.at.ns = here.ns.max(self.core(number).last_ns);
                self.leave_core(context, number, TaskState::Unknown)?;
                context.at = here;
            } else if let Some(running) = self.core(number).running {
                self.tasks.entry(running).leaves_to = self.filters.leaves_to;
            }
        }
        self.forget_tasks(context)
    }
}
