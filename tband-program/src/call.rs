//! Whether machine code ends with a call: what was found on a stack is where a function returns to only if a call is before it.

use object::Architecture;

/// Whether these bytes, of which the last are just before an address, end with an instruction that calls.
pub fn ends_with_call(code: &[u8], architecture: Architecture) -> bool {
    let half = |from_end: usize| {
        let at = code.len().checked_sub(from_end)?;
        Some(u16::from_le_bytes(*code.get(at..)?.first_chunk()?))
    };
    let (short, first) = (half(2), half(4));
    match architecture {
        // BLX to a register, with two bytes; BL, with four.
        Architecture::Arm => {
            let is_short = short.is_some_and(|it| it & 0xFF87 == 0x4780);
            let is_long =
                |(first, last): (u16, u16)| first & 0xF800 == 0xF000 && last & 0xD000 == 0xD000;
            is_short || first.zip(short).is_some_and(is_long)
        }
        // C.JALR and C.JAL, with two bytes; JAL and JALR that keep the address in ra.
        Architecture::Riscv32 => {
            let is_short =
                |it: u16| (it & 0xF07F == 0x9002 && it & 0x0F80 != 0) || it & 0xE003 == 0x2001;
            let is_long = |first: u16| matches!(first & 0xFFF, 0x0EF | 0x0E7);
            short.is_some_and(is_short) || first.is_some_and(is_long)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_what_is_none() {
        let arm = |code: &[u16]| {
            let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
            ends_with_call(&bytes, Architecture::Arm)
        };
        // blx r3; bl to one before and one after; bx lr, b.w, push, nothing.
        assert!(arm(&[0x4798]) && arm(&[0xF7FF, 0xFFFE]) && arm(&[0xF000, 0xF801]));
        assert!(!arm(&[0x4770]) && !arm(&[0xF000, 0xB801]) && !arm(&[0xB510]) && !arm(&[]));
        let risc_v = |code: &[u8]| ends_with_call(code, Architecture::Riscv32);
        // jal ra, jalr ra, c.jalr a5; j, ret, c.jr a5.
        assert!(risc_v(&[0xEF, 0x00, 0x40, 0x00]) && risc_v(&[0xE7, 0x80, 0x07, 0x00]));
        assert!(risc_v(&[0x82, 0x97]) && !risc_v(&[0x82, 0x87]) && !risc_v(&[0x6F, 0, 0x40, 0]));
        assert!(!ends_with_call(&[0xE8, 0, 0, 0, 0], Architecture::X86_64));
    }
}
