//! A program's frame info for an instruction: the places of the registers of its function's caller.

use gimli::{
    CfaRule, EndianRcSlice, LittleEndian, Register, RegisterRule, UnwindContext, UnwindSection,
};

use crate::code::Code;
use crate::stack::Stack;

/// Registers of ARM cores or of RISC-V, by their numbers in debug info; those that are known.
pub type Registers = [Option<u32>; 32];

/// How the caller's registers follow from those of a function.
pub struct Frame {
    /// Register and offset.
    cfa: (Register, i64),
    rules: Vec<(Register, RegisterRule<usize>)>,
    return_register: Register,
}

impl Frame {
    /// Returns the frame of an instruction; `None` if the program does not contain it.
    pub fn of(code: &Code, at: u64) -> Option<Self> {
        let (debug, eh) = &code.frames;
        read(debug, code, at).or_else(|| read(eh, code, at))
    }

    /// Returns the caller's stack pointer, its registers, and its return address.
    pub fn caller(
        &self,
        registers: &Registers,
        stack: &mut Stack<'_>,
        is_called: bool,
    ) -> Option<(u32, Registers, u32)> {
        let value = |of: Register| registers.get(usize::from(of.0)).copied().flatten();
        let (base, offset) = self.cfa;
        let plus = |offset: i64| u32::try_from(i64::from(value(base)?).checked_add(offset)?).ok();
        let cfa = plus(offset)?;
        let mut found = *registers;
        for (register, rule) in &self.rules {
            let of_cfa = |offset: i64| u32::try_from(i64::from(cfa).checked_add(offset)?).ok();
            let now = match rule {
                RegisterRule::SameValue => value(*register),
                RegisterRule::Offset(offset) => stack.word(of_cfa(*offset)?).ok(),
                RegisterRule::ValOffset(offset) => of_cfa(*offset),
                RegisterRule::Register(other) => value(*other),
                _ => None,
            };
            if let Some(place) = found.get_mut(usize::from(register.0)) {
                *place = now;
            }
        }
        let has_return_rule =
            self.rules.iter().any(|(register, _)| *register == self.return_register);
        // A function that has called another one has used the register, so it has saved it somewhere.
        if is_called && !has_return_rule {
            return None;
        }
        let goes_on = found.get(usize::from(self.return_register.0)).copied().flatten()?;
        Some((cfa, found, goes_on))
    }
}

fn read<S: UnwindSection<EndianRcSlice<LittleEndian>>>(
    section: &S,
    code: &Code,
    at: u64,
) -> Option<Frame> {
    let entry = section.fde_for_address(&code.bases, at, S::cie_from_offset).ok()?;
    let mut context = UnwindContext::new();
    let row = entry.unwind_info_for_address(section, &code.bases, &mut context, at).ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else { return None };
    let rules = row.registers().map(|(register, rule)| (*register, rule.clone())).collect();
    Some(Frame {
        cfa: (register, offset),
        rules,
        return_register: entry.cie().return_address_register(),
    })
}
