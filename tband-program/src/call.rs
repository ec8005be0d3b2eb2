//! Calls and jumps in machine code: the target of the instruction before an address, and the jumps of a function.

use object::Architecture;

/// Where the instruction just before an address calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// This address.
    To(u32),
    /// The content of this register, plus this number.
    ToRegister(usize, i32),
}

/// A jump out of a function, after which the function called returns to the caller of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// To this address.
    To(u32),
    /// To an address that the code computes or loads.
    Anywhere,
}

/// Returns the call at the end of these bytes, the last of which are just before `at`; `None` if they end without a call.
pub fn call_before(code: &[u8], at: u32, architecture: Architecture) -> Option<Call> {
    let half = |from_end: usize| {
        let at = code.len().checked_sub(from_end)?;
        Some(u16::from_le_bytes(*code.get(at..)?.first_chunk()?))
    };
    match architecture {
        // BL, with four bytes; BLX to a register, with two.
        Architecture::Arm => {
            let long = half(4).zip(half(2));
            let long = long.filter(|it| it.0 & 0xF800 == 0xF000 && it.1 & 0xD000 == 0xD000);
            if let Some((first, last)) = long {
                return Some(Call::To(at.wrapping_add_signed(far(first, last))));
            }
            let short = half(2).filter(|it| it & 0xFF87 == 0x4780)?;
            Some(Call::ToRegister(usize::from(short >> 3 & 15), 0))
        }
        // JAL and JALR that keep the address in ra; C.JAL and C.JALR, with two bytes.
        Architecture::Riscv32 => {
            let word =
                half(4).zip(half(2)).map(|(low, high)| u32::from(high) << 16 | u32::from(low));
            if let Some(word) = word.filter(|it| it & 0xFFF == 0x0EF) {
                return Some(Call::To(at.wrapping_sub(4).wrapping_add_signed(jal(word))));
            }
            if let Some(word) = word.filter(|it| it & 0x7FFF == 0x00E7) {
                let (register, offset) = ((word >> 15 & 31) as usize, word as i32 >> 20);
                // A preceding AUIPC makes it an address.
                let upper = half(8).zip(half(6));
                let upper = upper.map(|(low, high)| u32::from(high) << 16 | u32::from(low));
                let upper =
                    upper.filter(|it| it & 0x7F == 0x17 && (it >> 7 & 31) as usize == register);
                return Some(match upper {
                    Some(upper) => {
                        let base = at.wrapping_sub(8).wrapping_add(upper & 0xFFFF_F000);
                        Call::To(base.wrapping_add_signed(offset))
                    }
                    None => Call::ToRegister(register, offset),
                });
            }
            let short = half(2)?;
            if short & 0xF07F == 0x9002 && short & 0x0F80 != 0 {
                return Some(Call::ToRegister(usize::from(short >> 7 & 31), 0));
            }
            (short & 0xE003 == 0x2001)
                .then(|| Call::To(at.wrapping_sub(2).wrapping_add_signed(compressed_jal(short))))
        }
        _ => None,
    }
}

/// Returns the jumps in a function's code, which begins at `begin`. Constants between its instructions may look like jumps,
/// too.
pub fn jumps(code: &[u8], begin: u32, architecture: Architecture) -> Vec<Jump> {
    let half = |at: usize| Some(u16::from_le_bytes(*code.get(at..)?.first_chunk()?));
    let mut found = Vec::new();
    let mut at = 0;
    let mut upper: Option<(usize, u32)> = None;
    while let Some(first) = half(at) {
        let here = begin.wrapping_add(at as u32);
        let is_long = match architecture {
            Architecture::Arm => first & 0xF800 >= 0xE800,
            _ => first & 3 == 3,
        };
        let second = half(at + 2).filter(|_| is_long).unwrap_or_default();
        let word = u32::from(second) << 16 | u32::from(first);
        match architecture {
            Architecture::Arm if is_long => {
                let next = here.wrapping_add(4);
                if first & 0xF800 == 0xF000 && second & 0xD000 == 0x9000 {
                    found.push(Jump::To(next.wrapping_add_signed(far(first, second))));
                } else if first & 0xF800 == 0xF000
                    && second & 0xD000 == 0x8000
                    && first & 0x0380 != 0x0380
                {
                    found.push(Jump::To(next.wrapping_add_signed(conditional(first, second))));
                } else if (first & 0xFF7F == 0xF85F
                    || first & 0xFFF0 == 0xF8D0
                    || first & 0xFFF0 == 0xF850)
                    && second & 0xF000 == 0xF000
                {
                    found.push(Jump::Anywhere); // LDR to pc
                }
            }
            Architecture::Arm => {
                let next = here.wrapping_add(4);
                if first & 0xF800 == 0xE000 {
                    found.push(Jump::To(next.wrapping_add_signed(signed(first.into(), 11) * 2)));
                } else if first & 0xF000 == 0xD000 && first & 0x0E00 != 0x0E00 {
                    found.push(Jump::To(next.wrapping_add_signed(signed(first.into(), 8) * 2)));
                } else if (first & 0xFF87 == 0x4700 && first != 0x4770) || first & 0xFF87 == 0x4687
                {
                    found.push(Jump::Anywhere); // BX but to lr, MOV to pc
                }
            }
            _ if is_long => {
                let (register, offset) = ((word >> 15 & 31) as usize, word as i32 >> 20);
                match word & 0x7F {
                    0x6F if word & 0xF80 == 0 => {
                        found.push(Jump::To(here.wrapping_add_signed(jal(word))));
                    }
                    0x67 if word & 0xF80 == 0 && register != 1 => found.push(match upper {
                        Some((of, base)) if of == register => {
                            Jump::To(base.wrapping_add_signed(offset))
                        }
                        _ => Jump::Anywhere,
                    }),
                    _ => {}
                }
                upper = (word & 0x7F == 0x17)
                    .then(|| ((word >> 7 & 31) as usize, here.wrapping_add(word & 0xFFFF_F000)));
            }
            _ => {
                if first & 0xE003 == 0xA001 {
                    found.push(Jump::To(here.wrapping_add_signed(compressed_jal(first))));
                } else if first & 0xF07F == 0x8002 && !matches!(first >> 7 & 31, 0 | 1) {
                    found.push(Jump::Anywhere);
                }
            }
        }
        at += if is_long { 4 } else { 2 };
    }
    found
}

/// The lowest `bits` of a number, as one with a sign.
const fn signed(value: u32, bits: u32) -> i32 {
    (value << (32 - bits)) as i32 >> (32 - bits)
}

/// The offset of BL and B.W, from the instruction after it.
fn far(first: u16, last: u16) -> i32 {
    let (first, last) = (u32::from(first), u32::from(last));
    let sign = first >> 10 & 1;
    let i1 = !(last >> 13 & 1 ^ sign) & 1;
    let i2 = !(last >> 11 & 1 ^ sign) & 1;
    let offset = sign << 23 | i1 << 22 | i2 << 21 | (first & 0x3FF) << 11 | (last & 0x7FF);
    signed(offset, 24) * 2
}

/// The offset of B.W with a condition.
fn conditional(first: u16, last: u16) -> i32 {
    let (first, last) = (u32::from(first), u32::from(last));
    let offset = (first >> 10 & 1) << 19
        | (last >> 11 & 1) << 18
        | (last >> 13 & 1) << 17
        | (first & 0x3F) << 11
        | (last & 0x7FF);
    signed(offset, 20) * 2
}

/// The offset of JAL.
fn jal(word: u32) -> i32 {
    let offset = (word >> 31) << 19
        | (word >> 12 & 0xFF) << 11
        | (word >> 20 & 1) << 10
        | (word >> 21 & 0x3FF);
    signed(offset, 20) * 2
}

/// The offset of C.JAL and C.J.
fn compressed_jal(half: u16) -> i32 {
    let half = u32::from(half);
    let bit = |from: u32, to: u32| (half >> from & 1) << to;
    let offset = bit(12, 11)
        | bit(11, 4)
        | (half >> 9 & 3) << 8
        | bit(8, 10)
        | bit(7, 6)
        | bit(6, 7)
        | (half >> 3 & 7) << 1
        | bit(2, 5);
    signed(offset, 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(code: &[u16]) -> Vec<u8> {
        code.iter().flat_map(|half| half.to_le_bytes()).collect()
    }

    #[test]
    fn calls_of_arm_and_what_they_call() {
        let call = |code: &[u16]| call_before(&halves(code), 0x1004, Architecture::Arm);
        // blx r3; bl to itself, to the instruction after it, and to one far before.
        assert_eq!(call(&[0x4798]), Some(Call::ToRegister(3, 0)));
        assert_eq!(call(&[0xF7FF, 0xFFFE]), Some(Call::To(0x1000)));
        assert_eq!(call(&[0xF000, 0xF800]), Some(Call::To(0x1004)));
        assert_eq!(call(&[0xF000, 0xF880]), Some(Call::To(0x1104)));
        // bx lr, b.w, push, nothing.
        for none in [&[0x4770][..], &[0xF000, 0xB801], &[0xB510], &[]] {
            assert_eq!(call(none), None);
        }
        assert_eq!(call_before(&[0xE8, 0, 0, 0, 0], 5, Architecture::X86_64), None);
    }

    #[test]
    fn calls_of_risc_v_and_what_they_call() {
        let call = |code: &[u8]| call_before(code, 0x1008, Architecture::Riscv32);
        // jal ra, .+8; jalr ra, 4(a5); auipc ra, 1 with jalr ra, 4(ra); c.jalr a5; c.jal .+8.
        assert_eq!(call(&0x0080_00EF_u32.to_le_bytes()), Some(Call::To(0x100C)));
        assert_eq!(call(&0x0047_80E7_u32.to_le_bytes()), Some(Call::ToRegister(15, 4)));
        let far = [0x0000_1097_u32, 0x0040_80E7].map(u32::to_le_bytes).concat();
        assert_eq!(call(&far), Some(Call::To(0x2004)));
        assert_eq!(call(&[0x82, 0x97]), Some(Call::ToRegister(15, 0)));
        assert_eq!(call(&[0x21, 0x20]), Some(Call::To(0x100E)));
        // c.jr a5; j; ret.
        for none in [&[0x82, 0x87][..], &[0x6F, 0, 0x40, 0], &[0x82, 0x80]] {
            assert_eq!(call(none), None);
        }
    }

    #[test]
    fn jumps_out_of_a_function() {
        let arm = |code: &[u16]| jumps(&halves(code), 0x1000, Architecture::Arm);
        // bl; b.w .+4; bx lr.
        assert_eq!(
            arm(&[0xF000, 0xF880, 0xF000, 0xB800, 0x4770]),
            [Jump::To(0x1008)],
            "calls are none, and returns are none"
        );
        assert_eq!(arm(&[0xE7FE, 0x4718]), [Jump::To(0x1000), Jump::Anywhere]);
        let risc_v = |words: &[u32]| {
            let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            jumps(&code, 0x1000, Architecture::Riscv32)
        };
        // j .+8; auipc t1, 1 with jr 4(t1); jr a5; ret.
        assert_eq!(
            risc_v(&[0x0080_006F, 0x0000_1317, 0x0043_0067, 0x0007_8067, 0x0000_8067]),
            [Jump::To(0x1008), Jump::To(0x2008), Jump::Anywhere]
        );
    }
}
