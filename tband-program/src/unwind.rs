//! Reconstructs the callers from the registers of a crash and the target's memory.
//!
//! Memory may have changed since, or may not be that of this program. So a return address counts only if the call before it
//! calls the function that returns there, and the stack counts only as far as it has not changed. The first address that does
//! not fit ends the list, with the reason; if the target of a call is no longer known, the caller is marked `perhaps`.

use object::Architecture;
use tband_conv::model::Crash;
use tband_format::named::FaultFact;

use crate::code::{Code, Link};
use crate::frame::{Frame, Registers};
use crate::memory::Memory;
use crate::stack::Stack;

/// Calls that are followed.
const MOST: usize = 64;
/// Of ARM cores and of RISC-V: the numbers of stack pointer and return address in debug info.
const ARM: (usize, usize) = (13, 14);
const RISC_V: (usize, usize) = (2, 1);
/// Values from here on are not addresses for ARM cores, but describe how an exception returns; a bit that is 0 in them. After a
/// reset lr has all bits set.
const EXC_RETURN: u32 = 0xFFFF_FF00;
const NO_EXC_RETURN: u32 = 1 << 1;
/// In them: the process stack was in use, which is not known; the frame has no registers of the FPU.
const OF_PROCESS: u32 = 1 << 2;
const WITHOUT_FPU: u32 = 1 << 4;
const FPU_WORDS: u32 = 18;
/// Bit of the stacked program status: there is an additional word.
const IS_PADDED: u32 = 1 << 9;

/// An instruction on the path to the crash.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it is.
    pub at: u64,
    /// The one before is called from here for sure.
    pub is_sure: bool,
}

/// Passes on the instruction of the crash, and each call that has led there, innermost first. Returns why there are no more, if
/// more are to be expected, which is never the case without memory.
pub fn calls(
    code: &Code,
    crash: &Crash,
    memory: Option<&mut dyn Memory>,
    mut step: impl FnMut(Step),
) -> Option<String> {
    let pc = crash.pc()?;
    // Registers that the core has stacked are of the instruction itself; a function of tband knows where it returns to.
    let mut is_exact =
        [FaultFact::XPSR, FaultFact::MCAUSE].iter().any(|it| crash.value(*it).is_some());
    let (sp, ra) = if code.architecture == Architecture::Arm { ARM } else { RISC_V };
    let mut registers = registers(crash, code.architecture);
    let mut at = pc & !1;
    let mut is_sure = true;
    let mut first = 0;
    if is_exact && !code.is_code(at.into()) {
        step(Step { at: at.into(), is_sure });
        // The called address is not code, and so has changed nothing.
        let Some(goes_on) = registers[ra].map(|it| it & !1) else {
            return Some("no return address is recorded".into());
        };
        let value = |register: usize| registers.get(register).copied().flatten();
        match code.called(goes_on.into(), at.into(), value) {
            Link::Sure => {}
            Link::Perhaps => is_sure = false,
            Link::No => {
                return Some(format!(
                    "{} ({goes_on:#010x}) is not from a call of {at:#010x}: a smashed return address, for example, is not called",
                    if code.architecture == Architecture::Arm { "lr" } else { "ra" }
                ));
            }
        }
        (at, is_exact, first) = (goes_on, false, 1);
    }
    let mut stack = memory.map(|memory| Stack::new(crash, memory));
    for number in first..MOST {
        let instruction = u64::from(if is_exact { at } else { at.wrapping_sub(1) });
        step(Step { at: instruction, is_sure });
        let stack = stack.as_mut()?;
        let Some(frame) = Frame::of(code, instruction) else {
            // A function that has not called anything may have its return address where it got it.
            let value = |register: usize| registers.get(register).copied().flatten();
            let goes_on = value(ra).filter(|_| number == 0 && is_exact).map(|it| it & !1);
            // At the beginning of a function the registers are unchanged.
            let is_beginning = code.is_begin(instruction);
            let kept = |register: usize| value(register).filter(|_| is_beginning);
            let link = goes_on.map(|it| code.called(it.into(), instruction, kept));
            if let (Some(goes_on), Some(Link::Sure | Link::Perhaps)) = (goes_on, link) {
                step(Step { at: u64::from(goes_on.wrapping_sub(1)), is_sure: false });
            }
            return Some(format!("the program has no frame information for {instruction:#010x}"));
        };
        let is_called = number > 0 && !is_exact;
        stack.is_unchecked = false;
        let Some((cfa, found, goes_on)) = frame.caller(&registers, stack, is_called) else {
            return Some(if stack.has_changed {
                "the stack has changed since the crash".into()
            } else {
                "a register or a word of the stack that is needed is not known".into()
            });
        };
        // A stack is used up from its end on.
        if registers[sp]
            .is_none_or(|before| cfa < before || (number > 0 && cfa == before && !is_exact))
        {
            return Some("the stack pointer does not lead on".into());
        }
        registers = found;
        registers[sp] = Some(cfa);
        if code.architecture == Architecture::Arm
            && goes_on >= EXC_RETURN
            && goes_on & NO_EXC_RETURN == 0
        {
            let interrupted = match interrupted(&mut registers, goes_on, cfa, stack) {
                Ok(interrupted) => interrupted,
                Err(why) => return why,
            };
            is_sure &= !stack.is_unchecked;
            (at, is_exact) = (interrupted & !1, true);
            continue;
        }
        let goes_on = goes_on & !1;
        // Registers that a function preserves have their values from the time of the call.
        let kept = |register: usize| {
            let is_kept = match code.architecture {
                Architecture::Arm => (4..=11).contains(&register),
                _ => matches!(register, 8 | 9 | 18..=27),
            };
            registers.get(register).copied().flatten().filter(|_| is_kept)
        };
        match code.called(goes_on.into(), instruction, kept) {
            Link::Sure => is_sure &= !stack.is_unchecked,
            Link::Perhaps => is_sure = false,
            Link::No if is_outermost(code, crash, cfa, goes_on) => return None,
            Link::No => {
                return Some(format!(
                    "the return address of the outermost one ({goes_on:#010x}) is not after a call of it"
                ));
            }
        }
        (at, is_exact) = (goes_on, false);
    }
    Some(format!("{MOST} calls are shown"))
}

/// Whether a function that was entered with this stack pointer and this return address has no caller: a task's return address
/// is the beginning of a function, or invalid.
fn is_outermost(code: &Code, crash: &Crash, cfa: u32, goes_on: u32) -> bool {
    let end = crash.value(FaultFact::STACK_END);
    let is_end = end.is_some_and(|end| (0..=16).contains(&(i64::from(end) - i64::from(cfa))));
    is_end || goes_on == 0 || goes_on == !1 || code.is_begin(goes_on.into())
}

/// Those that were recorded.
fn registers(crash: &Crash, architecture: Architecture) -> Registers {
    let mut registers = Registers::default();
    for (number, place) in (0..).zip(&mut registers) {
        let fact = match (architecture, number) {
            (Architecture::Riscv32, 2) => FaultFact::SP,
            (Architecture::Riscv32, _) => FaultFact(number + 64),
            (Architecture::Arm, 0..=14) => FaultFact(number),
            _ => continue,
        };
        *place = crash.value(fact);
    }
    registers
}

/// Unstacks the frame of an interrupt: restores the registers, and returns the address where the interrupted program continues;
/// otherwise the reason why that is unknown.
fn interrupted(
    registers: &mut Registers,
    exc_return: u32,
    at: u32,
    stack: &mut Stack<'_>,
) -> Result<u32, Option<String>> {
    if exc_return & OF_PROCESS != 0 {
        return Err(Some("the interrupted task's stack pointer is not recorded".into()));
    }
    let mut words = [0; 8];
    for (word, number) in words.iter_mut().zip(0..) {
        *word = stack.word(at.wrapping_add(4 * number)).map_err(|why| Some(format!("{why:#}")))?;
    }
    let [r0, r1, r2, r3, r12, lr, pc, xpsr] = words;
    for (register, value) in [(0, r0), (1, r1), (2, r2), (3, r3), (12, r12), (14, lr)] {
        registers[register] = Some(value);
    }
    let mut len = 8;
    if exc_return & WITHOUT_FPU == 0 {
        len += FPU_WORDS;
    }
    if xpsr & IS_PADDED != 0 {
        len += 1;
    }
    registers[ARM.0] = at.checked_add(4 * len);
    Ok(pc)
}
