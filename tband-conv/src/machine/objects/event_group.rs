//! Event groups: their bits.
//!
//! No event reports bits that are cleared because a wait for them ends, so that is computed from the waits. Setting bits wakes
//! every task whose condition then holds, and the bits that those tasks clear on exit are cleared together. A wait that need
//! not block, or that times out and finds its bits after all, clears them when it ends.
//!
//! Every setting and clearing reports all bits, so a missed clearing costs at most the time until the next one.

use std::io;

use tband_format::registry::event_group_flags::TIMED_OUT;

use crate::machine::memory::gaps::ObjectReport;
use crate::machine::memory::high_bits::HighBits;
use crate::machine::memory::task::is_acquisition;
use crate::machine::memory::waiters::{Condition, MAX_WAITERS, Waiter};
use crate::machine::{AnyContext, Timeline};
use crate::model::{
    Act, BitsCause, Change, EventGroupChange, EventGroupRef, ForgottenState, Outcome, TaskState,
    Wait,
};

/// How a task waits for bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct BitsTerms {
    /// Kernel ticks to wait.
    pub ticks: u32,
    pub bits: u64,
    pub flags: u32,
    pub condition: Condition,
}

impl Timeline {
    /// Sets bits 32 and above of the next event of this actor and this group.
    pub(in crate::machine) fn high_bits(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: u32,
        is: i64,
    ) {
        let context = if HighBits::is_by_isr(is) { context.with_isr_actor() } else { context };
        let by = self.by(context);
        self.high_bits.keep(by, group, is);
    }

    /// Two numbers of an event, with the bits from 32 on that were recorded just before.
    pub(in crate::machine) fn all_bits(
        &mut self,
        context: &AnyContext<'_, '_>,
        group: u32,
        low: [u32; 2],
    ) -> [u64; 2] {
        if self.high_bits.is_empty() {
            return low.map(u64::from);
        }
        let by = self.by(context);
        self.high_bits.take(by, group, low)
    }

    fn event_group(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<Option<EventGroupRef>> {
        let group = self.world.event_group(id);
        if group.is_none() {
            self.too_many(context, "event group", id)?;
        }
        Ok(group.map(|group| self.living(group)))
    }

    /// Bits that are known from now on.
    fn event_group_bits(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
        bits: u64,
        cause: BitsCause,
    ) -> io::Result<()> {
        if let Some(entry) = self.world.event_groups.get_mut(group) {
            entry.bits = Some(bits);
        }
        self.gaps.learnt(ObjectReport::EventGroup(group));
        self.event_group_changes(context, group, EventGroupChange::Bits(bits, cause))
    }

    fn event_group_changes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
        change: EventGroupChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::EventGroup(group, change, by))
    }

    fn known_bits(&self, group: EventGroupRef) -> Option<u64> {
        self.world.event_groups.get(group).and_then(|group| group.bits)
    }

    /// Clears bits, if any of them is set as far as that is known.
    fn clear_on_exit(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
        bits: u64,
    ) -> io::Result<()> {
        match self.known_bits(group) {
            Some(known) if known & bits != 0 => {
                let cause = BitsCause::ClearOnExit(known & bits);
                self.event_group_bits(context, group, known & !bits, cause)
            }
            _ => Ok(()),
        }
    }

    /// A number is used, for the first time or again.
    pub(in crate::machine) fn event_group_created(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        let Some(group) = self.create(context, id, Self::end_event_group)? else {
            return self.too_many(context, "event group", id);
        };
        self.event_group_bits(context, group, 0, BitsCause::Created)
    }

    pub(in crate::machine) fn event_group_deleted(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        let Some(group) = self.event_group(context, id)? else {
            return Ok(());
        };
        let by = self.by(context);
        self.set_cause(context.at, by, Act::DeleteGroup(group), 0);
        for waiter in self.waiters.list.iter_mut().filter(|waiter| waiter.group == group) {
            waiter.waits = false;
        }
        self.delete_event_group(context, group)
    }

    /// The group has ended, but no event reported its deletion.
    pub(in crate::machine) fn end_event_group(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        self.waiters.leave(group);
        self.delete_event_group(context, group)
    }

    fn delete_event_group(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        self.delete(context.at.ns, group);
        if let Some(entry) = self.world.event_groups.get_mut(group) {
            entry.bits = None;
        }
        self.event_group_changes(context, group, EventGroupChange::Deleted)
    }

    pub(in crate::machine) fn event_group_set(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        bits: u64,
        after: u64,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(context, id)? else {
            return Ok(());
        };
        let by = self.by(context);
        self.set_cause(context.at, by, Act::SetBits(group), after);
        self.event_group_bits(context, group, after, BitsCause::Set(bits))?;
        let mut cleared = 0;
        for waiter in &mut self.waiters.list {
            let state = self.world.tasks.get(waiter.task).map(|task| task.state);
            // Being suspended or deleted ends a wait, too.
            waiter.waits &= !matches!(state, Some(TaskState::Suspended | TaskState::Deleted));
            if waiter.group == group && waiter.waits && waiter.condition.is_satisfied_by(after) {
                waiter.waits = false;
                cleared |= waiter.condition.cleared_bits(after);
            }
        }
        self.clear_on_exit(context, group, cleared)
    }

    pub(in crate::machine) fn event_group_cleared(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        bits: u64,
        after: u64,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(context, id)? else {
            return Ok(());
        };
        // xEventGroupGetBits() reads the bits by clearing none.
        match (bits, self.known_bits(group)) {
            (0, Some(known)) if known == after => Ok(()),
            (0, _) => self.event_group_bits(context, group, after, BitsCause::Found),
            _ => self.event_group_bits(context, group, after, BitsCause::Clear(bits)),
        }
    }

    /// An interrupt requests the timer task to set or clear bits.
    pub(in crate::machine) fn event_group_deferred(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        change: EventGroupChange,
    ) -> io::Result<()> {
        match self.event_group(context, id)? {
            Some(group) => self.event_group_changes(context, group, change),
            None => Ok(()),
        }
    }

    /// The running task is about to wait for bits.
    pub(in crate::machine) fn wait_for_bits(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        wait: fn(EventGroupRef) -> Wait,
        terms: BitsTerms,
    ) -> io::Result<()> {
        let core = context.at.core;
        let Some(group) = self.event_group(context, id)? else {
            return self.wait_for_unknown(core);
        };
        let Some(task) = self.core(core).running else {
            return Ok(());
        };
        if let Some(task) = self.world.tasks.get_mut(task) {
            (task.terms.bits, task.terms.flags) = (terms.bits, terms.flags);
        }
        self.wait(core, wait(group), terms.ticks)?;
        let waiters = &mut self.waiters;
        waiters.take(task);
        waiters.prove(task, self.gaps.count);
        if waiters.list.len() >= MAX_WAITERS {
            waiters.list.retain(|waiter| waiter.waits);
        }
        if waiters.list.len() < MAX_WAITERS {
            waiters.list.push(Waiter { task, group, condition: terms.condition, waits: true });
        }
        Ok(())
    }

    /// The running task's wait for bits is over, or was not necessary.
    pub(in crate::machine) fn end_event_group_wait(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        condition: Condition,
        flags: u32,
        found: u64,
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        let Some(group) = self.world.event_group(id) else {
            return self.too_many(context, "event group", id);
        };
        self.end_bits_wait(context, group, flags)?;
        let task = self.core(context.at.core).running;
        let blocked = task.and_then(|task| self.waiters.take(task)).is_some();
        let gap = self.gaps.count;
        let life = self.world.event_groups.get(group).map(|group| group.life).unwrap_or_default();
        if life.died_ns.is_some() && life.gap == gap {
            // It was deleted while the task waited for it.
            return Ok(());
        }
        let group = self.living(group);
        let proven = task.is_some_and(|task| self.waiters.prove(task, gap));
        let known = self.known_bits(group);
        let timed_out = flags & TIMED_OUT != 0;
        // The actor that woke it has cleared its bits. A task without known state may have been woken in a gap, unless it finds
        // the present bits.
        if !timed_out && (blocked || !(proven || known == Some(found))) {
            return Ok(());
        }
        // Other tasks of a rendezvous have cleared bits after this one's value.
        if known != Some(found) && (timed_out || !condition.sync) {
            self.event_group_bits(context, group, found, BitsCause::Found)?;
        }
        self.clear_on_exit(context, group, condition.cleared_bits(found))
    }

    /// The running task's wait for bits ends.
    fn end_bits_wait(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
        flags: u32,
    ) -> io::Result<()> {
        let timed_out = flags & TIMED_OUT != 0;
        let outcome = if timed_out { Outcome::Timeout } else { Outcome::Satisfied };
        let act = Act::FindBits(group);
        let by = self.wait_over(context, outcome, |wait| is_acquisition(wait, act))?;
        let now = self.end(context, act);
        self.flow(context, by, now, true)
    }

    pub(in crate::machine) fn forget_event_group(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.event_groups.get_mut(group) else {
            return Ok(());
        };
        if entry.bits.take().is_none() {
            return Ok(());
        }
        let change = Change::Forgotten(ForgottenState::EventGroup(group));
        context.sink.change(&self.world, context.at, &change)
    }

    /// After a gap every wait may be over.
    pub(in crate::machine) fn forget_waiters(&mut self) {
        self.waiters.list.clear();
    }
}
