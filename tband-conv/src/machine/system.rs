//! State of the kernel as a whole: heap, sleep of the cores, tick count, pended calls.
//!
//! The used part of the heap is reported relative to the start of the recording. Where the heap counts its free bytes, the
//! difference comes from that count, and no lost event can falsify it. Otherwise the sizes of allocated blocks are summed up by
//! address, and the sum starts again after a gap.

use std::io;

use tband_format::named::Created;

use super::{AnyContext, Timeline};
use crate::cores::MAX_CORES;
use crate::diagnostics::Problem;
use crate::model::{Change, EventTime, ForgottenState, HeapChange, KernelChange};

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

impl Timeline {
    fn emit_kernel(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        change: KernelChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::Kernel(change, by))
    }

    pub(super) fn heap(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        address: u32,
        size: u32,
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
        let change = HeapChange { address, freed, size, bytes_free, in_use };
        self.emit_kernel(context, KernelChange::Heap(change))
    }

    pub(super) fn sleep(&mut self, context: &mut AnyContext<'_, '_>, ticks: u32) -> io::Result<()> {
        self.wake(context)?;
        self.system.asleep |= bit(context.at.core);
        self.core(context.at.core).ticks.pause();
        self.emit_kernel(context, KernelChange::Sleeps(ticks))
    }

    pub(super) fn wake(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let bit = bit(context.at.core);
        if self.system.asleep & bit == 0 {
            // It fell asleep before the recording or in a gap.
            return Ok(());
        }
        self.system.asleep &= !bit;
        self.emit_kernel(context, KernelChange::Wakes)
    }

    /// A tick, which finds the tick count at this.
    pub(super) fn tick(&mut self, context: &mut AnyContext<'_, '_>, count: u32) -> io::Result<()> {
        self.note_tick(context.at);
        match self.system.tick(count) {
            Some(ticks) => self.count_ticks(context, ticks),
            None => {
                self.system.ticks = None;
                Ok(())
            }
        }
    }

    fn count_ticks(&mut self, context: &mut AnyContext<'_, '_>, ticks: u32) -> io::Result<()> {
        // A tick that the kernel postpones, while the scheduler is suspended, comes once more when the kernel makes up for it.
        if self.system.ticks.replace(ticks) == Some(ticks) {
            return Ok(());
        }
        self.tick_count_is(ticks, context.at.ns);
        self.emit_kernel(context, KernelChange::Ticks(ticks))
    }

    /// The tick count jumps on.
    pub(super) fn jump_ticks(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        by: u32,
    ) -> io::Result<()> {
        self.system.steps_awake |= self.system.asleep == 0;
        let Some(ticks) = self.system.ticks else { return Ok(()) };
        match self.system.later(ticks, by) {
            Some(ticks) => self.count_ticks(context, ticks),
            None => {
                self.system.ticks = None;
                Ok(())
            }
        }
    }

    pub(super) fn pended(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        function: u32,
        accepted: bool,
    ) -> io::Result<()> {
        self.emit_kernel(context, KernelChange::Pended { function, accepted })
    }

    /// Forgets the state of the kernel: after a gap all of it may have changed.
    pub(super) fn forget_system(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        restart: bool,
    ) -> io::Result<()> {
        self.pace.forget();
        self.forget_tick_rates();
        let system = &mut self.system;
        system.ticks = None;
        system.taken.clear();
        system.taken_bytes = 0;
        if restart {
            system.free_at_start = None;
        }
        let asleep = std::mem::take(&mut system.asleep);
        for core in (0..MAX_CORES).filter(|core| asleep & bit(*core) != 0) {
            let at = EventTime { ns: self.core(core).last_ns, core };
            context.sink.change(&self.world, at, &Change::Forgotten(ForgottenState::Sleep))?;
        }
        Ok(())
    }

    /// The finding is about the firmware; the recording is still complete.
    #[cold]
    pub(super) fn report_create_failure(
        &mut self,
        context: &mut AnyContext<'_, '_>,
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
        self.report_finding(context, Problem::CreateFailed, 1, &text)
    }
}
