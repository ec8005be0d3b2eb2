//! Whether a payload can be that of its event. Packets have no checks: where bytes are missing or were inserted, a length that
//! is none reaches over many packets, and only its payload shows that.

use super::fields::{Fields, MAX_PAYLOAD, MAX_VARINT};

/// Numbers that a packet has at most: the arguments of a formatted text, and what describes them.
const MAX_NUMBERS: usize = 18;
/// Texts that a packet has at most.
const MAX_TEXTS: usize = 2;
/// Shorter texts may have any bytes: names that were never set.
const SHORT_TEXT: usize = 16;

/// The payload of a packet with a length ends with its last parameter.
pub fn is_payload(id: u32, payload: &[u8]) -> bool {
    let max_numbers = match id {
        24 => 4,
        27 | 29 => 1,
        28 => 2,
        _ => return is_short(payload) || are_parameters(payload, MAX_NUMBERS, MAX_TEXTS),
    };
    payload.len() <= max_numbers * MAX_VARINT && are_numbers(payload, max_numbers)
}

/// Of most packets this is enough.
fn is_short(payload: &[u8]) -> bool {
    payload.len() <= MAX_NUMBERS && payload.last().is_none_or(|last| *last < 0x80)
}

/// All of it are numbers, so many at most.
fn are_numbers(payload: &[u8], max: usize) -> bool {
    // Numbers in so few bytes have 32 bits at most, and only their ends have to be counted.
    if payload.len() < MAX_VARINT {
        let ends = payload.iter().filter(|byte| **byte < 0x80).count();
        return ends <= max && payload.last().is_none_or(|last| *last < 0x80);
    }
    let mut fields = Fields(payload);
    (0..max).all(|_| fields.0.is_empty() || fields.number().is_ok()) && fields.0.is_empty()
}

/// So many numbers at most, with texts in between.
fn are_parameters(payload: &[u8], numbers: usize, texts: usize) -> bool {
    if are_numbers(payload, numbers) {
        return true;
    }
    let mut fields = Fields(payload);
    (texts > 0)
        && (0..=numbers).any(|before| {
            if before > 0 && fields.number().is_err() {
                return false;
            }
            let mut after = fields;
            let is_next_text = after.string().is_ok_and(is_text);
            is_next_text && are_parameters(after.0, numbers - before, texts - 1)
        })
}

/// Texts have no control characters but those of lines and colours.
pub fn is_text(text: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 11 | 12 | 14..=26 | 28..=31 | 127);
    text.len() <= SHORT_TEXT || (text.len() <= MAX_PAYLOAD && !text.iter().any(is_control))
}

#[cfg(test)]
mod tests {
    use super::is_payload;

    #[test]
    fn payloads_are_numbers_with_texts_in_between() {
        let text = b"temperature of the motor: %d of %d\n";
        let print = [&[text.len() as u8], &text[..], &[0, 2, 0x85, 0x01, 7]].concat();
        // A call, the end of one, a text with its arguments, a name after a number.
        assert!(is_payload(161, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 2, 3]));
        assert!(is_payload(28, &[0xA1, 0x01, 1]));
        assert!(is_payload(26, &print));
        assert!(is_payload(600, &[&[9][..], &print].concat()));
        // More than its event has, a last number without an end, packets, a text with other bytes.
        assert!(!is_payload(28, &[0xA1, 0x01, 1, 1]));
        assert!(!is_payload(161, &[3, 0x80]));
        assert!(!is_payload(161, &[6, 0x12, 0x80, 0x02].repeat(20)));
        let text = [&[200][..], &[6, 0x12, 0x80, 0x02].repeat(50)].concat();
        assert!(!is_payload(600, &text));
    }
}
