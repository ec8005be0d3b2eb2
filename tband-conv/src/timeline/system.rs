//! What belongs to the kernel at large: heap, sleep of the cores, tick count, pended calls.
//!
//! How much of the heap is in use is told as the difference to the start of the recording. Where the heap
//! counts what is free, that gives it, and no lost event can falsify it. Else the sizes of what was taken
//! are summed up by address, and the sum starts anew behind a gap.

use std::collections::HashMap;
use std::io;

use super::change::{At, Change, Forgotten, Sink};
use super::object::{HeapChange, KernelChange};
use super::{MAX_OBJECTS, Step, Timeline};

/// What is known of the kernel at large.
#[derive(Debug, Default)]
pub(super) struct System {
    /// Bytes that were free at the start of the recording.
    free_at_start: Option<u32>,
    /// Size of each piece that was taken, by address, where the heap does not count.
    taken: HashMap<u32, u32>,
    taken_bytes: i64,
    /// The cores that sleep, one bit each.
    asleep: u64,
    ticks: Option<u32>,
}

impl System {
    /// Bytes in use behind this step, more than at the start.
    fn in_use(&mut self, address: u32, size: u32, bytes_free: Option<u32>, freed: bool) -> i64 {
        if let Some(free) = bytes_free {
            let before = if freed { free.saturating_sub(size) } else { free.saturating_add(size) };
            let start = *self.free_at_start.get_or_insert(before);
            return i64::from(start).saturating_sub(free.into());
        }
        // An address that is taken again was given back unseen.
        if let Some(size) = self.taken.remove(&address) {
            self.taken_bytes = self.taken_bytes.saturating_sub(size.into());
        }
        if !freed && self.taken.len() < MAX_OBJECTS {
            self.taken.insert(address, size);
            self.taken_bytes = self.taken_bytes.saturating_add(size.into());
        }
        self.taken_bytes
    }
}

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

impl Timeline {
    fn tell_kernel<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        change: KernelChange,
    ) -> io::Result<()> {
        step.sink.change(&self.world, step.at, &Change::Kernel(change))
    }

    pub(super) fn heap<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (address, size): (u32, u32),
        bytes_free: Option<u32>,
        freed: bool,
    ) -> io::Result<()> {
        if address == 0 {
            if freed {
                return Ok(());
            }
            let core = self.core(step.at.core);
            let task = core.running.filter(|_| core.isrs.is_empty());
            return self.tell_kernel(step, KernelChange::MallocFailed { size, task });
        }
        let in_use = self.system.in_use(address, size, bytes_free, freed);
        let change = HeapChange { freed, size, bytes_free, in_use };
        self.tell_kernel(step, KernelChange::Heap(change))
    }

    pub(super) fn sleeps<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        ticks: u32,
    ) -> io::Result<()> {
        self.wakes(step)?;
        self.system.asleep |= bit(step.at.core);
        self.tell_kernel(step, KernelChange::Sleeps(ticks))
    }

    pub(super) fn wakes<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let bit = bit(step.at.core);
        if self.system.asleep & bit == 0 {
            // It fell asleep before the recording or in a gap.
            return Ok(());
        }
        self.system.asleep &= !bit;
        self.tell_kernel(step, KernelChange::Wakes)
    }

    pub(super) fn ticks<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        ticks: u32,
    ) -> io::Result<()> {
        // A tick that the kernel puts off, with the scheduler suspended, comes once more when the kernel
        // makes up for it.
        if self.system.ticks.replace(ticks) == Some(ticks) {
            return Ok(());
        }
        self.pace.tick_count(ticks, step.at.ns);
        self.tell_kernel(step, KernelChange::Ticks(ticks))
    }

    /// The tick count jumps on.
    pub(super) fn ticks_jump<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        by: u32,
    ) -> io::Result<()> {
        match self.system.ticks {
            Some(ticks) => self.ticks(step, ticks.wrapping_add(by)),
            None => Ok(()),
        }
    }

    pub(super) fn pended<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        function: u32,
        accepted: bool,
        from_isr: bool,
    ) -> io::Result<()> {
        self.tell_kernel(step, KernelChange::Pended { function, accepted, from_isr })
    }

    /// Behind a gap all of it may have changed.
    pub(super) fn forget_system<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        restart: bool,
    ) -> io::Result<()> {
        self.pace.forget();
        let system = &mut self.system;
        system.ticks = None;
        system.taken.clear();
        system.taken_bytes = 0;
        if restart {
            system.free_at_start = None;
        }
        let asleep = std::mem::take(&mut system.asleep);
        for core in (0..crate::events::MAX_CORES).filter(|core| asleep & bit(*core) != 0) {
            let at = At { ns: self.core(core).last_ns, core };
            step.sink.change(&self.world, at, &Change::Forgotten(Forgotten::Sleep))?;
        }
        Ok(())
    }
}
