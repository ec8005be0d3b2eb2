//! Undoes the changes of telnet to bytes: FF is doubled, commands begin with a single one, and CR may be followed by a zero.

use super::plain::RestoredInput;

const IAC: u8 = 0xFF;

/// Returns the bytes without those of telnet, up to the first bytes that telnet does not send.
pub fn undo(from: &RestoredInput, cr_has_zero: bool) -> RestoredInput {
    let mut plain = RestoredInput { goes_on: from.goes_on, ..RestoredInput::default() };
    let mut at = 0;
    loop {
        let rest = from.bytes.get(at..).unwrap_or_default();
        let (byte, len) = match rest {
            [IAC, IAC, ..] => (Some(IAC), 2),
            // WILL, WONT, DO and DONT have an option.
            [IAC, 0xFB..=0xFE, _, ..] => (None, 3),
            // The others have none.
            [IAC, 0xF1..=0xF9, ..] => (None, 2),
            [IAC, _, ..] => {
                plain.goes_on = false;
                return plain;
            }
            [] | [IAC] => return plain,
            [b'\r', 0, ..] if cr_has_zero => (Some(b'\r'), 2),
            [byte, ..] => (Some(*byte), 1),
        };
        at += len;
        if let (Some(byte), Some(end)) = (byte, from.ends.get(at - 1)) {
            plain.push(byte, *end);
        }
    }
}

/// Whether these are only commands of telnet.
pub fn are_commands(mut bytes: &[u8]) -> bool {
    while let [IAC, 0xFB..=0xFE, _, rest @ ..] | [IAC, 0xF1..=0xF9, rest @ ..] = bytes {
        bytes = rest;
    }
    bytes.is_empty()
}
