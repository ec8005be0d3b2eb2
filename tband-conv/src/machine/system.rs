//! What belongs to the kernel at large: heap, sleep of the cores, tick count, pended calls.
//!
//! How much of the heap is in use is reported as the difference to the start of the recording. Where the heap
//! counts what is free, that gives it, and no lost event can falsify it. Else the sizes of what was taken
//! are summed up by address, and the sum starts anew after a gap.

use std::io;

use tband_format::Created;

use super::{Context, Timeline};
use crate::cores::MAX_CORES;
use crate::diagnostics::Problem;
use crate::model::{At, Change, Forgotten, HeapChange, KernelChange, Sink};

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

impl Timeline {
    fn emit_kernel<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        change: KernelChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::Kernel(change, by))
    }

    pub(super) fn heap<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        (address, size): (u32, u32),
        bytes_free: Option<u32>,
        freed: bool,
    ) -> io::Result<()> {
        if address == 0 {
            if freed {
                return Ok(());
            }
            return self.emit_kernel(context, KernelChange::MallocFailed { size });
        }
        let in_use = self.system.in_use(address, size, bytes_free, freed);
        let change = HeapChange { freed, size, bytes_free, in_use };
        self.emit_kernel(context, KernelChange::Heap(change))
    }

    pub(super) fn sleeps<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        ticks: u32,
    ) -> io::Result<()> {
        self.wakes(context)?;
        self.system.asleep |= bit(context.at.core);
        self.emit_kernel(context, KernelChange::Sleeps(ticks))
    }

    pub(super) fn wakes<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
    ) -> io::Result<()> {
        let bit = bit(context.at.core);
        if self.system.asleep & bit == 0 {
            // It fell asleep before the recording or in a gap.
            return Ok(());
        }
        self.system.asleep &= !bit;
        self.emit_kernel(context, KernelChange::Wakes)
    }

    /// A tick, which finds the tick count at this.
    pub(super) fn tick<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        count: u32,
    ) -> io::Result<()> {
        match self.system.tick(count) {
            Some(ticks) => self.ticks(context, ticks),
            None => {
                self.system.ticks = None;
                Ok(())
            }
        }
    }

    fn ticks<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        ticks: u32,
    ) -> io::Result<()> {
        // A tick that the kernel puts off, with the scheduler suspended, comes once more when the kernel
        // makes up for it.
        if self.system.ticks.replace(ticks) == Some(ticks) {
            return Ok(());
        }
        self.tick_count_is(ticks, context.at.ns);
        self.emit_kernel(context, KernelChange::Ticks(ticks))
    }

    /// The tick count jumps on.
    pub(super) fn ticks_jump<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        by: u32,
    ) -> io::Result<()> {
        let Some(ticks) = self.system.ticks else { return Ok(()) };
        match self.system.later(ticks, by) {
            Some(ticks) => self.ticks(context, ticks),
            None => {
                self.system.ticks = None;
                Ok(())
            }
        }
    }

    pub(super) fn pended<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        function: u32,
        accepted: bool,
    ) -> io::Result<()> {
        self.emit_kernel(context, KernelChange::Pended { function, accepted })
    }

    /// After a gap all of it may have changed.
    pub(super) fn forget_system<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
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
        for core in (0..MAX_CORES).filter(|core| asleep & bit(*core) != 0) {
            let at = At { ns: self.core(core).last_ns, core };
            context.sink.change(&self.world, at, &Change::Forgotten(Forgotten::Sleep))?;
        }
        Ok(())
    }

    /// The firmware shall know; the recording is whole all the same.
    #[cold]
    pub(super) fn create_failed<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        object: Created,
    ) -> io::Result<()> {
        let what = object.name().unwrap_or("kernel object");
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let core = self.core(context.at.core);
        let text = match core.running.filter(|_| core.isrs.is_empty()) {
            Some(task) => {
                format!("{:#} could not create {article} {what}", self.world.task_name(task))
            }
            None => format!("{article} {what} could not be created"),
        };
        self.found(context, Problem::CreateFailed, 1, &text)
    }
}
