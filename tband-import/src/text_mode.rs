//! Recordings that were copied as text: a CR (0D) was put before each LF (0A).

use memchr::{memchr_iter, memmem};

use crate::recognised_format::Recognition;

/// LFs that show it.
const MANY: usize = 4;
/// What to do with such a recording.
const ADVICE: &str = ", but a CR (0D) was put before each LF (0A), as a terminal or a file in text mode does; set the terminal program to \
     binary (raw) mode, open and copy the file in binary mode";

/// Names the format that the bytes have without these CRs, by `of_original`.
pub fn recognise(bytes: &[u8], of_original: impl Fn(&[u8]) -> Recognition) -> Recognition {
    let lf_count = memchr_iter(b'\n', bytes).count();
    let ends: Vec<usize> = memmem::find_iter(bytes, b"\r\n").collect();
    // The first one may be the LF of a pair that is not complete.
    if ends.len() < MANY || lf_count > ends.len() + usize::from(bytes.first() == Some(&b'\n')) {
        return Recognition::No;
    }
    let mut original = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for end in ends {
        original.extend_from_slice(bytes.get(from..end).unwrap_or_default());
        from = end + 1;
    }
    original.extend_from_slice(bytes.get(from..).unwrap_or_default());
    match of_original(&original) {
        Recognition::Is(found) => Recognition::Is(found.with_advice(ADVICE)),
        Recognition::NeedsMore | Recognition::No => Recognition::No,
    }
}
