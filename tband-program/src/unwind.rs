//! Who has called whom, from the registers of a crash and the target's memory.
//!
//! Memory may have changed since, or not be that of this program. So a call counts only where the code has one; the first
//! that does not fit is the end, and nothing is guessed.

use object::Architecture;
use tband_conv::timeline::Crash;
use tband_format::FaultFact;

use crate::code::Code;
use crate::frame::{Frame, Registers};
use crate::memory::Memory;

/// Calls that are followed.
const MOST: usize = 64;
/// Of ARM cores and of RISC-V: the numbers of stack pointer and return address in debug info.
const ARM: (usize, usize) = (13, 14);
const RISC_V: (usize, usize) = (2, 1);
/// Values from here on are no addresses for ARM cores, but say how an exception returns.
const EXC_RETURN: u32 = 0xFFFF_FF00;
/// In them: the process stack was in use, which is not known; the frame has no registers of the FPU.
const OF_PROCESS: u32 = 1 << 2;
const WITHOUT_FPU: u32 = 1 << 4;
const FPU_WORDS: u32 = 18;
/// In the stacked program status: there is a word more.
const IS_PADDED: u32 = 1 << 9;

/// Hands out the instruction at which the crash is, and each call that has led there, innermost first.
pub fn calls(
    code: &Code,
    crash: &Crash,
    memory: Option<&mut dyn Memory>,
    mut call: impl FnMut(u64),
) {
    let Some(pc) = crash.pc() else { return };
    // Registers that the core has stacked are of the instruction itself; a function of tband knows where it returns to.
    let mut is_exact =
        [FaultFact::XPSR, FaultFact::MCAUSE].iter().any(|it| crash.value(*it).is_some());
    let (sp, ra) = if code.architecture == Architecture::Arm { ARM } else { RISC_V };
    let mut registers = registers(crash, code.architecture);
    let mut at = pc & !1;
    if is_exact && !code.is_code(at.into()) {
        // What was called is no code, and so has changed nothing.
        let Some(goes_on) = registers[ra].filter(|it| code.returns_to(u64::from(*it & !1))) else {
            return;
        };
        (at, is_exact) = (goes_on & !1, false);
    }
    let mut memory = memory;
    for number in 0..MOST {
        let instruction = u64::from(if is_exact { at } else { at.wrapping_sub(1) });
        if !code.is_code(instruction) {
            return;
        }
        call(instruction);
        let (Some(memory), Some(frame)) = (memory.as_deref_mut(), Frame::of(code, instruction))
        else {
            return;
        };
        let is_called = number > 0 && !is_exact;
        let Some((cfa, found, goes_on)) = frame.caller(&registers, memory, is_called) else {
            return;
        };
        // A stack is used up from its end on.
        if registers[sp]
            .is_none_or(|before| cfa < before || (number > 0 && cfa == before && !is_exact))
        {
            return;
        }
        registers = found;
        registers[sp] = Some(cfa);
        if code.architecture == Architecture::Arm && goes_on >= EXC_RETURN {
            let Some(interrupted) = interrupted(&mut registers, goes_on, cfa, memory) else {
                return;
            };
            (at, is_exact) = (interrupted & !1, true);
            continue;
        }
        if !code.returns_to(u64::from(goes_on & !1)) {
            return;
        }
        (at, is_exact) = (goes_on & !1, false);
    }
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

/// What an interrupt has stacked: puts the registers back, and says where the interrupted program goes on.
fn interrupted(
    registers: &mut Registers,
    exc_return: u32,
    stack: u32,
    memory: &mut dyn Memory,
) -> Option<u32> {
    if exc_return & OF_PROCESS != 0 {
        return None;
    }
    let mut bytes = [0; 32];
    memory.read(stack.into(), &mut bytes).ok()?;
    let word = |number: usize| {
        let bytes = bytes.get(4 * number..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    for (number, register) in [0, 1, 2, 3, 12, 14].into_iter().enumerate() {
        registers[register] = Some(word(number));
    }
    let mut words = 8;
    if exc_return & WITHOUT_FPU == 0 {
        words += FPU_WORDS;
    }
    if word(7) & IS_PADDED != 0 {
        words += 1;
    }
    registers[ARM.0] = stack.checked_add(4 * words);
    Some(word(6))
}
