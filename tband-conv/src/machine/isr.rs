//! Interrupts: which are open on each core.

use std::io;

use super::{AnyContext, Context, Timeline};
use crate::diagnostics::Problem;
use crate::model::{Change, ForgottenState, Isr, IsrRef, Ref, Sink};

/// Interrupts that can be open on a core at a time; deeper nesting is damage.
pub(super) const MAX_NESTING: usize = 64;
/// Maximum interrupts that continue when one ends that seemed to be around them. More are damage, and end with it: each such
/// end would be reported as a change of all of them.
const MAX_INSIDE: usize = 8;

impl Timeline {
    #[inline]
    pub(super) fn isr_enter<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(&mut context.rare().any(), "isr", id);
        };
        self.prove_isr(context.at.core, isr);
        let core = self.core(context.at.core);
        context.at.ns = context.at.ns.max(core.moved_ns);
        let open = &mut core.isrs;
        if !open.is_empty() {
            return self.isr_enters_inside(&mut context.rare().any(), isr, id);
        }
        open.push(isr);
        context.sink.frequent(&self.world, context.at, &Change::IsrEnter(isr))
    }

    #[inline]
    pub(super) fn isr_exit<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        id: u32,
        yields: bool,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(&mut context.rare().any(), "isr", id);
        };
        let core = self.core(context.at.core);
        context.at.ns = context.at.ns.max(core.moved_ns);
        let open = &mut core.isrs;
        if open.last() == Some(&isr) {
            // Its beginning has proven already that it was open.
            open.pop();
            core.leave_isr(isr, yields);
            if self.calls.any_in_isrs() {
                self.end_isr_calls(&mut context.rare().any())?;
            }
            return context.sink.frequent(&self.world, context.at, &Change::IsrExit(isr));
        }
        self.isr_exit_out_of_turn(&mut context.rare().any(), isr, yields)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn isr_too_deep(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        let text = format!("isr {id} is not shown: {MAX_NESTING} are open on this core");
        self.report_finding(context, Problem::TooMany, 1, &text)
    }

    /// An interrupt ends that is not the innermost open one.
    #[cold]
    #[inline(never)]
    fn isr_exit_out_of_turn(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        isr: IsrRef,
        yields: bool,
    ) -> io::Result<()> {
        let core = context.at.core;
        let was_proven = self.prove_isr(core, isr);
        let open = &mut self.core(core).isrs;
        let Some(position) = open.iter().rposition(|it| *it == isr) else {
            let inside = open.last().copied();
            if self.core(core).is_second_end(isr, yields) {
                return Ok(());
            }
            let name = self.world.isr_name(isr, core);
            // The kernel's macro for it is in portYIELD_FROM_ISR(), which is also called by handlers that know nothing of the
            // recorder; other exits come from handlers that also report enters.
            if yields && (was_proven || inside.is_some()) {
                let text = format!(
                    "{name:#} ends on core {core} with a switch to another task, and was not entered: its handler \
                     does not call traceISR_ENTER()"
                );
                return self.report_finding(context, Problem::IsrNotEntered, 1, &text);
            }
            let text = match inside {
                // An interrupt that began before the recording, or in a gap, does not end inside one that began since.
                Some(inside) => {
                    let inside = self.world.isr_name(inside, core);
                    format!(
                        "{name:#} ends on core {core} while {inside:#} is open, and was not entered inside it"
                    )
                }
                None if was_proven => {
                    format!("{name:#} ends on core {core}, but it is not open there")
                }
                None => return Ok(()),
            };
            return self.report_finding(context, Problem::IsrExitWithoutEnter, 1, &text);
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
                self.report_finding(context, Problem::IsrExitMissing, 1, &text)?;
            }
            self.end_isr_calls(context)?;
            context.sink.change(&self.world, context.at, &Change::IsrExit(inner))?;
        }
        self.core(core).leave_isr(isr, yields);
        Ok(())
    }

    /// The target found that an interrupt ended some time ago, unseen.
    #[cold]
    #[inline(never)]
    pub(super) fn isr_exit_missed(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        let Some(isr) = self.world.isr(id) else {
            return self.too_many(context, "isr", id);
        };
        let number = context.at.core;
        context.at.ns = context.at.ns.max(self.core(number).moved_ns);
        self.prove_isr(number, isr);
        let name = self.world.isr_name(isr, number);
        let text = format!("{name:#} ended on core {number} some time before, unseen");
        self.report_finding(context, Problem::IsrExitMissing, 1, &text)?;
        self.isr_has_ended(context, isr)
    }

    /// An interrupt is entered while others are open.
    #[inline(never)]
    fn isr_enters_inside(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        isr: IsrRef,
        id: u32,
    ) -> io::Result<()> {
        if self.core(context.at.core).isrs.contains(&isr) {
            self.reenter_isr(context, isr)?;
        }
        let open = &mut self.core(context.at.core).isrs;
        if open.len() >= MAX_NESTING {
            return self.isr_too_deep(context, id);
        }
        open.push(isr);
        context.sink.change(&self.world, context.at, &Change::IsrEnter(isr))
    }

    /// An interrupt is entered that is open. No interrupt interrupts itself, so it has ended before.
    #[cold]
    #[inline(never)]
    fn reenter_isr(&mut self, context: &mut AnyContext<'_, '_>, isr: IsrRef) -> io::Result<()> {
        let number = context.at.core;
        let name = self.world.isr_name(isr, number);
        let text = format!("{name:#} is entered again on core {number}, and was not left before");
        self.report_finding(context, Problem::IsrExitMissing, 1, &text)?;
        self.isr_has_ended(context, isr)
    }

    /// An open interrupt ended some time ago. Those that seemed to be inside it continue.
    fn isr_has_ended(&mut self, context: &mut AnyContext<'_, '_>, isr: IsrRef) -> io::Result<()> {
        let number = context.at.core;
        let open = &mut self.core(number).isrs;
        let Some(position) = open.iter().rposition(|it| *it == isr) else {
            // It began before the recording or in a gap.
            return Ok(());
        };
        let inside = open.split_off(position);
        self.end_isr_calls(context)?;
        let go_on = inside.get(1..).unwrap_or_default();
        for &inner in go_on.iter().rev() {
            context.sink.change(&self.world, context.at, &Change::IsrExit(inner))?;
        }
        context.sink.change(
            &self.world,
            context.at,
            &Change::Forgotten(ForgottenState::Isr(isr)),
        )?;
        if go_on.len() > MAX_INSIDE {
            return Ok(());
        }
        for &inner in go_on {
            self.core(number).isrs.push(inner);
            context.sink.change(&self.world, context.at, &Change::IsrEnter(inner))?;
        }
        Ok(())
    }

    /// An interrupt begins or ends on a core: whether it is open there is known from now on.
    #[inline]
    pub(super) fn prove_isr(&mut self, core: u32, isr: Ref<Isr>) -> bool {
        let core = self.core(core);
        let count = core.gaps.wrapping_add(1);
        std::mem::replace(core.proven.entry(isr), count) == count
    }
}
