//! Event groups: their bits.
//!
//! No event reports bits that are cleared because a wait for them ends, so that is worked out from the
//! waits: setting bits wakes every task whose condition then holds, and what those clear on exit is
//! cleared together; a wait that need not block, or that times out and finds its bits after all, clears
//! them itself when it ends.
//!
//! Every setting and clearing reports all bits, so a clearing that was missed costs no more than the time
//! until the next one.

use std::io;

use tband_format::registry::event_group_flags::TIMED_OUT;

use crate::machine::memory::{Condition, HighBits, Known, MAX_WAITERS, Waiter, gets};
use crate::machine::{AnyContext, Timeline};
use crate::model::{
    Act, BitsCause, Change, EventGroupChange, EventGroupRef, Forgotten, Outcome, TaskState, Wait,
};

impl Timeline {
    /// What comes next of this actor and this group has these bits from 32 on.
    pub(in crate::machine) fn high_bits(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: u32,
        is: i64,
    ) {
        let context = if HighBits::is_by_isr(is) { context.in_isr() } else { context };
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
        self.gaps.learnt(Known::EventGroup(group));
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
        let Some(group) = self.creates(context, id, Self::event_group_ends)? else {
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
        self.event_group_dies(context, group)
    }

    /// It is no more, and nothing but what comes now has reported so.
    pub(in crate::machine) fn event_group_ends(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        self.waiters.leave(group);
        self.event_group_dies(context, group)
    }

    fn event_group_dies(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        self.dies(context.at.ns, group);
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
            if waiter.group == group && waiter.waits && waiter.condition.holds(after) {
                waiter.waits = false;
                cleared |= waiter.condition.clears(after);
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
        // To clear nothing is how xEventGroupGetBits() reads.
        match (bits, self.known_bits(group)) {
            (0, Some(known)) if known == after => Ok(()),
            (0, _) => self.event_group_bits(context, group, after, BitsCause::Found),
            _ => self.event_group_bits(context, group, after, BitsCause::Clear(bits)),
        }
    }

    /// An interrupt asks the timer task to do something.
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
    pub(in crate::machine) fn waits_for_bits(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        (id, wait): (u32, fn(EventGroupRef) -> Wait),
        ticks: u32,
        (bits, flags): (u64, u32),
        condition: Condition,
    ) -> io::Result<()> {
        let core = context.at.core;
        let Some(group) = self.event_group(context, id)? else {
            return self.waits_for_the_unknown(core);
        };
        let Some(task) = self.core(core).running else {
            return Ok(());
        };
        if let Some(task) = self.world.tasks.get_mut(task) {
            (task.terms.bits, task.terms.flags) = (bits, flags);
        }
        self.waits(core, wait(group), ticks)?;
        let waiters = &mut self.waiters;
        waiters.take(task);
        waiters.prove(task, self.gaps.count);
        if waiters.list.len() >= MAX_WAITERS {
            waiters.list.retain(|waiter| waiter.waits);
        }
        if waiters.list.len() < MAX_WAITERS {
            waiters.list.push(Waiter { task, group, condition, waits: true });
        }
        Ok(())
    }

    /// The running task's wait for bits is over, or was not necessary.
    pub(in crate::machine) fn event_group_wait_ends(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        condition: Condition,
        (flags, found): (u32, u64),
    ) -> io::Result<()> {
        self.note_not_blocked(context.at.core);
        let Some(group) = self.world.event_group(id) else {
            return self.too_many(context, "event group", id);
        };
        self.bits_found(context, group, flags)?;
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
        // What woke it has cleared its bits. A task of which nothing is known may have been woken in a
        // gap; that it finds the bits that there are speaks against it.
        if !timed_out && (blocked || !(proven || known == Some(found))) {
            return Ok(());
        }
        // Others of a rendezvous have cleared bits after what this one found.
        if known != Some(found) && (timed_out || !condition.sync) {
            self.event_group_bits(context, group, found, BitsCause::Found)?;
        }
        self.clear_on_exit(context, group, condition.clears(found))
    }

    /// The running task's wait for bits ends.
    fn bits_found(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        group: EventGroupRef,
        flags: u32,
    ) -> io::Result<()> {
        let timed_out = flags & TIMED_OUT != 0;
        let outcome = if timed_out { Outcome::Timeout } else { Outcome::Satisfied };
        let act = Act::FindBits(group);
        let by = self.wait_over(context, outcome, |wait| gets(wait, act))?;
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
        let change = Change::Forgotten(Forgotten::EventGroup(group));
        context.sink.change(&self.world, context.at, &change)
    }

    /// After a gap every wait may be over.
    pub(in crate::machine) fn forget_waiters(&mut self) {
        self.waiters.list.clear();
    }
}
