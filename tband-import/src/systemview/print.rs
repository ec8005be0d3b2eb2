//! PRINT packets, whose texts the host formats.

use super::fields::Fields;
use crate::printf::{self, Argument};

/// A format with numbers put in. SystemView sends no texts as arguments.
pub fn format(format: &[u8], mut next: impl FnMut() -> Option<u32>) -> String {
    printf::format(
        format,
        || next().map(Argument::Word),
        |value| match value {
            Argument::Word(it) => Some(it.to_string()),
            Argument::Long(it) => Some(it.to_string()),
        },
    )
}

/// The text of a PRINT packet, and its level: 0 log, 1 warning, 2 error.
pub fn message(payload: &[u8]) -> (String, u32) {
    let mut fields = Fields(payload);
    let text = fields.or_empty();
    let options = fields.or_zero();
    let mut left = fields.or_zero();
    let next = || {
        left = left.checked_sub(1)?;
        fields.number().ok()
    };
    (format(text, next), options & 3)
}
