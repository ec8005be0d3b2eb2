//! Decimal digits of small numbers, out of a table: three at a time.

/// Number of digits of [`eight`].
pub const DIGITS: usize = 8;
/// Eight digits 0.
pub const ZEROS: u64 = u64::from_le_bytes([b'0'; DIGITS]);

/// The digits of a number below 1000, the first in the lowest byte.
#[inline]
fn digits(number: u32) -> u32 {
    TABLE.get(number as usize).copied().unwrap_or_default()
}

/// Three digits of a number below 1000.
#[inline]
pub fn three(number: u32) -> [u8; 3] {
    let [a, b, c, _] = digits(number).to_le_bytes();
    [a, b, c]
}

/// Eight digits of a number that has no more, the first in the lowest byte.
#[inline]
pub fn eight(number: u64) -> u64 {
    let number = number as u32;
    let (thousands, ones) = (number / 1000, number % 1000);
    // Two digits are left, as the mask shows the compiler.
    let (millions, thousands) = (thousands / 1000 % 128, thousands % 1000);
    let [millions, thousands, ones] =
        [millions, thousands, ones].map(|number| u64::from(digits(number)));
    millions >> 8 | thousands << 16 | ones << 40
}

static TABLE: [u32; 1000] = {
    let mut table = [0; 1000];
    let mut number = 0;
    while number < 1000 {
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        let digits = [hundreds as u8 + b'0', tens as u8 + b'0', ones as u8 + b'0', 0];
        table[number] = u32::from_le_bytes(digits);
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_standard_library() {
        for number in 0..10_000 {
            for number in [number, number * 10_000, number * 1009, 99_999_999 - number] {
                assert_eq!(eight(number).to_le_bytes(), *format!("{number:08}").as_bytes());
            }
        }
        for number in 0..1000 {
            assert_eq!(three(number), *format!("{number:03}").as_bytes());
        }
    }
}
