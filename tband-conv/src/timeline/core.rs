//! Cores: which task runs, which interrupts are open, how many events the target dropped.

use std::io;

use super::change::{Change, Forgotten, Sink, Waker};
use super::wait::Cause;
use super::world::{IsrRef, Scope, TaskRef, TaskState};
use super::{At, Step, Timeline};
use crate::diagnostics::Problem;
use crate::events::MAX_CORES;

/// Interrupts that can be open on a core at a time; deeper nesting is damage.
const MAX_NESTING: usize = 64;

/// What is known of a core. Aligned, so that its place in the table is found by a shift.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct Core {
    /// The task that runs, if it is known.
    pub running: Option<TaskRef>,
    /// Open interrupts, innermost last.
    pub isrs: Vec<IsrRef>,
    /// Its last act that may end waits.
    pub cause: Option<Cause>,
    /// Time of its last event, and the input that has it.
    pub last_ns: i64,
    pub input: usize,
    /// What runs here changes no earlier, since a change was told later than its event, or an event
    /// steps back.
    pub moved_ns: i64,
    /// Gaps so far that concern this core.
    pub gaps: u32,
    /// For each interrupt one more than the number of gaps after which it was seen here last.
    pub proven: Vec<u32>,
    /// Count of dropped events that this core told last.
    dropped: u32,
    /// Count of lost names of this core that was told last.
    metadata_dropped: u32,
}

/// All cores that can be.
#[derive(Debug)]
pub(super) struct Cores([Core; MAX_CORES as usize]);

impl Default for Cores {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Core::default()))
    }
}

impl Cores {
    // The mask keeps the index inside the array, so there is no panic path; the reader of events
    // lets no larger number through.
    const MASK: u32 = {
        assert!(MAX_CORES.is_power_of_two());
        MAX_CORES - 1
    };

    fn get(&self, number: u32) -> &Core {
        &self.0[(number & Self::MASK) as usize]
    }

    fn get_mut(&mut self, number: u32) -> &mut Core {
        &mut self.0[(number & Self::MASK) as usize]
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Core> {
        self.0.iter_mut()
    }

    /// The task that runs on a core.
    pub fn running(&self, number: u32) -> Option<TaskRef> {
        self.get(number).running
    }

    /// Cores with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Core)> {
        (0_u32..).zip(self.0.iter())
    }
}

impl Timeline {
    /// The core of this number.
    #[inline]
    pub(super) fn core(&mut self, number: u32) -> &mut Core {
        self.cores.get_mut(number)
    }

    /// The task of a core leaves it, and none follows at once. Later events may have been seen there.
    #[cold]
    #[inline(never)]
    pub(super) fn leaves_core<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        number: u32,
        to: TaskState,
    ) -> io::Result<()> {
        let at = step.at;
        let core = self.core(number);
        let Some(task) = core.running.take() else {
            return Ok(());
        };
        core.moved_ns = at.ns.max(core.moved_ns).max(core.last_ns);
        step.at = At { ns: core.moved_ns, core: number };
        let result = self.set_state(step, task, to, Waker::Other);
        step.at = at;
        result
    }

    /// Whose task-local marker it is that fires on this core.
    pub(super) fn task_scope(&self, core: u32) -> Scope {
        self.cores.get(core).running.map_or(Scope::UnknownTask, Scope::Task)
    }

    #[inline(always)]
    pub(super) fn isr_enter<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(&mut step.again(), "isr", id);
        };
        self.prove_isr(step.at.core, isr);
        let core = self.core(step.at.core);
        step.at.ns = step.at.ns.max(core.moved_ns);
        let open = &mut core.isrs;
        if !open.is_empty() {
            return self.isr_enters_inside(&mut step.again(), isr, id);
        }
        open.push(isr);
        step.sink.change(&self.world, step.at, &Change::IsrEnter(isr))
    }

    #[inline(always)]
    pub(super) fn isr_exit<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(&mut step.again(), "isr", id);
        };
        let core = self.core(step.at.core);
        step.at.ns = step.at.ns.max(core.moved_ns);
        let open = &mut core.isrs;
        if open.last() == Some(&isr) {
            // Its beginning has proven already that it was open.
            open.pop();
            if self.calls.any_in_isrs() {
                self.end_isr_calls(&mut step.again())?;
            }
            return step.sink.change(&self.world, step.at, &Change::IsrExit(isr));
        }
        self.isr_exit_out_of_turn(&mut step.again(), isr)
    }

    #[cold]
    #[inline(never)]
    fn isr_too_deep<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let text = format!("isr {id} is not shown: {MAX_NESTING} are open on this core");
        self.found(step, Problem::TooMany, 1, &text)
    }

    /// An interrupt ends that is not the innermost open one.
    #[cold]
    #[inline(never)]
    fn isr_exit_out_of_turn<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        isr: IsrRef,
    ) -> io::Result<()> {
        let core = step.at.core;
        let was_proven = self.prove_isr(core, isr);
        let open = &mut self.core(core).isrs;
        let Some(position) = open.iter().rposition(|it| *it == isr) else {
            if !was_proven {
                // It began before the recording or in a gap.
                return Ok(());
            }
            let name = self.world.isr_name(isr, core);
            let text = format!("{name:#} ends on core {core}, but it is not open there");
            return self.found(step, Problem::IsrExitWithoutEnter, 1, &text);
        };
        // Those inside it must have ended; their exits are missing.
        while self.core(core).isrs.len() > position {
            let Some(inner) = self.core(core).isrs.pop() else {
                break;
            };
            if inner != isr {
                let text = format!(
                    "{:#} ends on core {core} while {:#} is still open inside it",
                    self.world.isr_name(isr, core),
                    self.world.isr_name(inner, core)
                );
                self.found(step, Problem::IsrExitMissing, 1, &text)?;
            }
            self.end_isr_calls(step)?;
            step.sink.change(&self.world, step.at, &Change::IsrExit(inner))?;
        }
        Ok(())
    }

    /// The target found that an interrupt ended some time ago, unseen.
    #[cold]
    #[inline(never)]
    pub(super) fn isr_exit_missed<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(step, "isr", id);
        };
        let number = step.at.core;
        step.at.ns = step.at.ns.max(self.core(number).moved_ns);
        self.prove_isr(number, isr);
        let name = self.world.isr_name(isr, number);
        let text = format!("{name:#} ended on core {number} some time before, unseen");
        self.found(step, Problem::IsrExitMissing, 1, &text)?;
        self.isr_has_ended(step, isr)
    }

    /// An interrupt is entered while others are open.
    #[inline(never)]
    fn isr_enters_inside<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        isr: IsrRef,
        id: u32,
    ) -> io::Result<()> {
        if self.core(step.at.core).isrs.contains(&isr) {
            self.isr_enters_again(step, isr)?;
        }
        let open = &mut self.core(step.at.core).isrs;
        if open.len() >= MAX_NESTING {
            return self.isr_too_deep(step, id);
        }
        open.push(isr);
        step.sink.change(&self.world, step.at, &Change::IsrEnter(isr))
    }

    /// An interrupt is entered that is open. No interrupt interrupts itself, so it has ended before.
    #[cold]
    #[inline(never)]
    fn isr_enters_again<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        isr: IsrRef,
    ) -> io::Result<()> {
        let number = step.at.core;
        let name = self.world.isr_name(isr, number);
        let text = format!("{name:#} is entered again on core {number}, and was not left before");
        self.found(step, Problem::IsrExitMissing, 1, &text)?;
        self.isr_has_ended(step, isr)
    }

    /// An open interrupt ended some time ago. Those inside it, as it seemed, go on.
    fn isr_has_ended<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        isr: IsrRef,
    ) -> io::Result<()> {
        let number = step.at.core;
        let open = &mut self.core(number).isrs;
        let Some(position) = open.iter().rposition(|it| *it == isr) else {
            // It began before the recording or in a gap.
            return Ok(());
        };
        let inside = open.split_off(position);
        self.end_isr_calls(step)?;
        let go_on = inside.get(1..).unwrap_or_default();
        for &inner in go_on.iter().rev() {
            step.sink.change(&self.world, step.at, &Change::IsrExit(inner))?;
        }
        step.sink.change(&self.world, step.at, &Change::Forgotten(Forgotten::Isr(isr)))?;
        for &inner in go_on {
            self.core(number).isrs.push(inner);
            step.sink.change(&self.world, step.at, &Change::IsrEnter(inner))?;
        }
        Ok(())
    }

    /// The target told how many events it has dropped so far.
    pub(super) fn dropped<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        count: u32,
    ) -> io::Result<()> {
        self.drop_counts = self.drop_counts.saturating_add(1);
        let result = self.dropped_so_far(step, count);
        self.reach(step.at, step.place.input);
        result
    }

    fn dropped_so_far<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        count: u32,
    ) -> io::Result<()> {
        let number = step.at.core;
        let core = self.core(number);
        let before = std::mem::replace(&mut core.dropped, count);
        let mut known = self.dropped.max(before);
        if count < before {
            let text =
                format!("the count of dropped events falls from {before} to {count}: restart");
            self.found(step, Problem::Restart, 1, &text)?;
            self.resets.told_for_all();
            self.count_anew(None);
            self.core(number).dropped = count;
            known = 0;
        }
        // All cores share the count; what another core has told is no new loss.
        let lost = count.saturating_sub(known);
        if lost == 0 {
            return Ok(());
        }
        self.dropped = count;
        let text = format!("{lost} events lost on the target before this point");
        self.found(step, Problem::EventsLost, lost.into(), &text)
    }

    /// The target was restarted: it counts from 0 again, as far as this input says, or everywhere.
    #[cold]
    pub(super) fn count_anew(&mut self, input: Option<usize>) {
        self.dropped = 0;
        let concerned = |core: &&mut Core| input.is_none_or(|input| core.input == input);
        for core in self.cores.iter_mut().filter(concerned) {
            (core.dropped, core.metadata_dropped) = (0, 0);
        }
    }

    /// The target told how many names did not fit its metadata buffer.
    #[cold]
    pub(super) fn metadata_dropped<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        core_id: u32,
        (count, size_needed): (u32, Option<u32>),
    ) -> io::Result<()> {
        let core = self.core(core_id);
        let before = std::mem::replace(&mut core.metadata_dropped, count);
        let lost = count.saturating_sub(before);
        if lost == 0 {
            return Ok(());
        }
        let remedy = match size_needed {
            // It has 16 bits on the target.
            Some(size @ 1..0xFFFF) => {
                format!("set tband_configMETADATA_BUF_SIZE to {size} or more")
            }
            _ => "raise tband_configMETADATA_BUF_SIZE".to_owned(),
        };
        let text =
            format!("{lost} names lost on core {core_id}: its metadata buffer was full ({remedy})");
        self.found(step, Problem::MetadataLost, lost.into(), &text)
    }
}
