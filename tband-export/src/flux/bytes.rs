//! How flux writes numbers and texts.

/// A number, seven bits a byte, the lowest first.
pub fn pint(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        out.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A text with its length.
pub fn text(out: &mut Vec<u8>, text: &str) {
    pint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// The least bytes of a number, the lowest first: none for 0, else the last one has its sign.
pub fn signed(out: &mut Vec<u8>, number: i64) -> usize {
    let mut len = 0;
    let mut rest = number;
    let mut has_sign = number == 0;
    while !has_sign {
        out.push(rest as u8);
        len += 1;
        let is_negative = rest & 0x80 != 0;
        rest >>= 8;
        has_sign = rest == if is_negative { -1 } else { 0 };
    }
    len
}

/// A signed number with its length.
pub fn sint(out: &mut Vec<u8>, number: i64) {
    let at = out.len();
    let len = signed(out, number);
    out.insert(at, len as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_least_bytes() {
        let bytes = |number| {
            let mut out = Vec::new();
            sint(&mut out, number);
            out
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(0x7F), [1, 0x7F]);
        assert_eq!(bytes(0x80), [2, 0x80, 0]);
        assert_eq!(bytes(-1), [1, 0xFF]);
        assert_eq!(bytes(-0x81), [2, 0x7F, 0xFF]);
        assert_eq!(bytes(0xFFF1), [3, 0xF1, 0xFF, 0]);
        assert_eq!(bytes(i64::MIN), [8, 0, 0, 0, 0, 0, 0, 0, 0x80]);
        let mut out = Vec::new();
        for number in [0, 127, 128, 300] {
            pint(&mut out, number);
        }
        assert_eq!(out, [0, 127, 0x80, 1, 0xAC, 2]);
    }
}
