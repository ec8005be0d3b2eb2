//! The fault status registers of ARM cores, and the trap causes of RISC-V, in words.

use tband_format::named::FaultFact;

/// Bits of CFSR: usage faults, bus faults, memory management faults, the telling ones first.
const CFSR: [(u32, &str); 18] = [
    (16, "undefined instruction"),
    (17, "no Thumb code at the address that was called"),
    (18, "invalid return from an exception"),
    (19, "coprocessor or FPU that is not enabled"),
    (20, "stack limit exceeded"),
    (24, "unaligned access"),
    (25, "division by zero"),
    (8, "bus error on an instruction fetch"),
    (9, "bus error"),
    (10, "bus error some instructions before"),
    (11, "bus error while unstacking"),
    (12, "bus error while stacking"),
    (13, "bus error while the FPU's registers were stacked"),
    (0, "access violation on an instruction fetch"),
    (1, "access violation"),
    (3, "access violation while unstacking"),
    (4, "access violation while stacking"),
    (5, "access violation while the FPU's registers were stacked"),
];
const MMFAR_IS_VALID: u32 = 1 << 7;
const BFAR_IS_VALID: u32 = 1 << 15;
const HFSR_VECTOR: u32 = 1 << 1;
const HFSR_DEBUG: u32 = 1 << 31;

/// Causes of RISC-V's traps by their numbers; those without a name are reserved.
const MCAUSES: [&str; 16] = [
    "instruction address misaligned",
    "instruction access fault",
    "illegal instruction",
    "breakpoint",
    "unaligned load",
    "load access fault",
    "unaligned store",
    "store access fault",
    "environment call from U-mode",
    "environment call from S-mode",
    "",
    "environment call from M-mode",
    "instruction page fault",
    "load page fault",
    "",
    "store page fault",
];
/// Those of which mtval is an address.
const WITH_ADDRESS: [u32; 9] = [0, 1, 4, 5, 6, 7, 12, 13, 15];

fn with_address(text: &str, address: Option<u32>) -> String {
    address.map_or_else(|| text.to_owned(), |address| format!("{text} at {address:#010x}"))
}

/// Returns the meaning of the status registers among these facts.
pub(super) fn causes(facts: &[(FaultFact, u32)]) -> Vec<String> {
    let mut all = Vec::new();
    let value = |what| facts.iter().find(|(it, _)| *it == what).map(|(_, value)| *value);
    let cfsr = value(FaultFact::CFSR).unwrap_or(0);
    for (bit, text) in CFSR.iter().filter(|(bit, _)| cfsr >> bit & 1 != 0) {
        let address = match bit {
            9 if cfsr & BFAR_IS_VALID != 0 => value(FaultFact::BFAR),
            1 if cfsr & MMFAR_IS_VALID != 0 => value(FaultFact::MMFAR),
            _ => None,
        };
        all.push(with_address(text, address));
    }
    let hfsr = value(FaultFact::HFSR).unwrap_or(0);
    if hfsr & HFSR_VECTOR != 0 {
        all.push("bus error on a read of the vector table".to_owned());
    }
    if hfsr & HFSR_DEBUG != 0 && cfsr == 0 {
        all.push("breakpoint without a debugger".to_owned());
    }
    if let Some(cause) = value(FaultFact::MCAUSE) {
        let address = value(FaultFact::MTVAL);
        let address = address.filter(|_| WITH_ADDRESS.contains(&cause));
        let name = MCAUSES.get(cause as usize).filter(|it| !it.is_empty());
        all.push(match name {
            Some(name) => with_address(name, address),
            None => format!("cause {cause:#x}"),
        });
    }
    all
}
