//! A number of 32 bits, as a user writes it.

use anyhow::anyhow;

/// Parses a number of 32 bits; a negative number has the same bits.
///
/// # Errors
/// It is not a number.
pub fn number(text: &str) -> anyhow::Result<u32> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match hex {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let fits =
        (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(number.as_ref().unwrap_or(&i64::MAX));
    let number = number.ok().filter(|_| fits);
    number.map(|number| number as u32).ok_or_else(|| anyhow!("'{text}' is not a number of 32 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_32_bits() {
        assert_eq!(number("0x20000000").unwrap(), 0x2000_0000);
        assert_eq!(number("-1").unwrap(), u32::MAX);
        assert_eq!(number("4294967295").unwrap(), u32::MAX);
        for wrong in
            ["", "x", "0x", "4294967296", "-2147483649", "0x1FFFFFFFF", "99999999999999999999"]
        {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }
}
