//! Event groups: their bits.
//!
//! No event tells of bits that are cleared because a wait for them ends, so that is worked out from the
//! waits: setting bits wakes every task whose condition then holds, and what those clear on exit is
//! cleared together; a wait that need not block, or that times out and finds its bits after all, clears
//! them itself when it ends.
//!
//! Every setting and clearing tells all bits, so a clearing that was missed costs no more than the time
//! until the next one.

use std::io;

use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT, TIMED_OUT};

use super::change::{Change, Forgotten, Sink};
use super::gap::Known;
use super::object::{BitsCause, EventGroupChange};
use super::world::{EventGroupRef, TaskRef, TaskState};
use super::{Step, Timeline};

/// Waits that are kept; further ones are not followed.
const MAX_WAITERS: usize = 1024;

/// What a wait is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    bits: u32,
    all: bool,
    clears: bool,
    rendezvous: bool,
}

impl Condition {
    /// Of a wait with these flags.
    pub const fn wait(bits: u32, flags: u32) -> Self {
        let (all, clears) = (flags & ALL != 0, flags & CLEAR_ON_EXIT != 0);
        Self { bits, all, clears, rendezvous: false }
    }

    /// Of a rendezvous.
    pub const fn rendezvous(bits: u32) -> Self {
        Self { bits, all: true, clears: true, rendezvous: true }
    }

    const fn holds(self, bits: u32) -> bool {
        let found = bits & self.bits;
        if self.all { found == self.bits } else { found != 0 }
    }

    const fn clears(self, bits: u32) -> u32 {
        if self.clears && self.holds(bits) { bits & self.bits } else { 0 }
    }
}

/// A task in a wait.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    task: TaskRef,
    group: EventGroupRef,
    condition: Condition,
    /// It still waits for bits; else its wait is over, and it will record so when it runs.
    waits: bool,
}

/// The tasks in waits, and when each was last known to be in none.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    list: Vec<Waiter>,
    /// By task, the gap behind which it last began or ended a wait.
    proven: Vec<u32>,
}

impl Waiters {
    /// Some task is in a wait.
    pub const fn any(&self) -> bool {
        !self.list.is_empty()
    }

    fn take(&mut self, task: TaskRef) -> Option<Waiter> {
        let position = self.list.iter().position(|waiter| waiter.task == task)?;
        Some(self.list.swap_remove(position))
    }

    /// A task begins or ends a wait. Tells whether that was known of it since the gap of this number.
    fn prove(&mut self, task: TaskRef, gap: u32) -> bool {
        let index = task.index();
        if self.proven.len() <= index {
            self.proven.resize(index + 1, 0);
        }
        self.proven.get_mut(index).is_some_and(|it| std::mem::replace(it, gap) == gap)
    }

    /// A group is no more: so are the waits for it.
    pub fn leave(&mut self, group: EventGroupRef) {
        self.list.retain(|waiter| waiter.group != group);
    }

    /// A task goes on under another name.
    pub fn hand_over(&mut self, from: TaskRef, to: TaskRef) {
        for waiter in self.list.iter_mut().filter(|waiter| waiter.task == from) {
            waiter.task = to;
        }
    }

    /// A task becomes ready, by whatever.
    pub fn woken(&mut self, task: TaskRef) {
        if let Some(waiter) = self.list.iter_mut().find(|waiter| waiter.task == task) {
            waiter.waits = false;
        }
    }
}

impl Timeline {
    fn event_group<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<EventGroupRef>> {
        let group = self.world.event_group(id);
        if group.is_none() {
            self.too_many(step, "event group", id)?;
        }
        Ok(group.map(|group| self.living(group)))
    }

    /// The group of this number is no more, and no other has it as far as that is known.
    fn is_dead_group(&self, id: u32) -> bool {
        let group = self.world.event_groups.find(id);
        let group = group.and_then(|group| self.world.event_groups.get(group));
        let gap = self.gaps.count;
        group.is_some_and(|group| group.life.died_ns.is_some() && group.life.gap == gap)
    }

    /// Bits that are known from now on.
    fn event_group_bits<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        group: EventGroupRef,
        bits: u32,
        cause: BitsCause,
    ) -> io::Result<()> {
        if let Some(entry) = self.world.event_groups.get_mut(group) {
            entry.bits = Some(bits);
            if !std::mem::replace(&mut entry.noted, true) {
                self.gaps.learnt(Known::EventGroup(group));
            }
        }
        let change = Change::EventGroup(group, EventGroupChange::Bits(bits, cause));
        step.sink.change(&self.world, step.at, &change)
    }

    fn known_bits(&self, group: EventGroupRef) -> Option<u32> {
        self.world.event_groups.get(group).and_then(|group| group.bits)
    }

    /// Clears bits, if any of them is set as far as that is known.
    fn clear_on_exit<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        group: EventGroupRef,
        bits: u32,
    ) -> io::Result<()> {
        match self.known_bits(group) {
            Some(known) if known & bits != 0 => {
                let cause = BitsCause::ClearOnExit(known & bits);
                self.event_group_bits(step, group, known & !bits, cause)
            }
            _ => Ok(()),
        }
    }

    /// A number is used, for the first time or again.
    pub(super) fn event_group_created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(group) = self.creates(step, id, Self::event_group_ends)? else {
            return self.too_many(step, "event group", id);
        };
        self.event_group_bits(step, group, 0, BitsCause::Created)
    }

    pub(super) fn event_group_deleted<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(step, id)? else {
            return Ok(());
        };
        for waiter in self.waiters.list.iter_mut().filter(|waiter| waiter.group == group) {
            waiter.waits = false;
        }
        self.dies(step.at.ns, group);
        if let Some(entry) = self.world.event_groups.get_mut(group) {
            entry.bits = None;
        }
        let change = Change::EventGroup(group, EventGroupChange::Deleted);
        step.sink.change(&self.world, step.at, &change)
    }

    pub(super) fn event_group_set<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        bits: u32,
        after: u32,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(step, id)? else {
            return Ok(());
        };
        self.event_group_bits(step, group, after, BitsCause::Set(bits))?;
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
        self.clear_on_exit(step, group, cleared)
    }

    pub(super) fn event_group_cleared<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        bits: u32,
        after: u32,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(step, id)? else {
            return Ok(());
        };
        // To clear nothing is how xEventGroupGetBits() reads.
        match (bits, self.known_bits(group)) {
            (0, Some(known)) if known == after => Ok(()),
            (0, _) => self.event_group_bits(step, group, after, BitsCause::Found),
            _ => self.event_group_bits(step, group, after, BitsCause::Clear(bits)),
        }
    }

    /// An interrupt asks the timer task to do something.
    pub(super) fn event_group_asked<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        change: EventGroupChange,
    ) -> io::Result<()> {
        match self.event_group(step, id)? {
            Some(group) => {
                step.sink.change(&self.world, step.at, &Change::EventGroup(group, change))
            }
            None => Ok(()),
        }
    }

    /// The running task is about to wait for bits.
    pub(super) fn event_group_wait<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        condition: Condition,
    ) -> io::Result<()> {
        let Some(group) = self.event_group(step, id)? else {
            return Ok(());
        };
        let Some(task) = self.core(step.at.core).running else {
            return Ok(());
        };
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
    pub(super) fn event_group_wait_ends<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        condition: Condition,
        (flags, found): (u32, u32),
    ) -> io::Result<()> {
        let task = self.core(step.at.core).running;
        let blocked = task.and_then(|task| self.waiters.take(task)).is_some();
        if self.is_dead_group(id) {
            // It was deleted while the task waited for it.
            return Ok(());
        }
        let Some(group) = self.event_group(step, id)? else {
            return Ok(());
        };
        let gap = self.gaps.count;
        let proven = task.is_some_and(|task| self.waiters.prove(task, gap));
        let known = self.known_bits(group);
        let timed_out = flags & TIMED_OUT != 0;
        // What woke it has cleared its bits. A task of which nothing is known may have been woken in a
        // gap; that it finds the bits that there are speaks against it.
        if !timed_out && (blocked || !(proven || known == Some(found))) {
            return Ok(());
        }
        // Others of a rendezvous have cleared bits behind what this one found.
        if known != Some(found) && (timed_out || !condition.rendezvous) {
            self.event_group_bits(step, group, found, BitsCause::Found)?;
        }
        self.clear_on_exit(step, group, condition.clears(found))
    }

    pub(super) fn forget_event_group<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        group: EventGroupRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.event_groups.get_mut(group) else {
            return Ok(());
        };
        entry.noted = false;
        if entry.bits.take().is_none() {
            return Ok(());
        }
        let change = Change::Forgotten(Forgotten::EventGroup(group));
        step.sink.change(&self.world, step.at, &change)
    }

    /// Behind a gap every wait may be over.
    pub(super) fn forget_waiters(&mut self) {
        self.waiters.list.clear();
    }
}
