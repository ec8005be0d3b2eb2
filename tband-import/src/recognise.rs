//! Which format a file has, by its content.

use crate::blank::{MAX_ZEROS, blank_len};
use crate::recognised_format::Recognition;
use crate::{ctf, flux, linux, percepio, qp, systemview, text_mode};

/// Names the format of a file that begins with these bytes, if it is that of another recorder. `at_end`: there are no more
/// bytes, or enough of them.
///
/// Each format is recognised by evidence that a tband recording does not contain. An empty start is skipped.
#[must_use]
pub fn recognise(bytes: &[u8], at_end: bool) -> Recognition {
    match recognise_unchanged(bytes, at_end) {
        Recognition::No => {
            text_mode::recognise(bytes, |original| recognise_unchanged(original, at_end))
        }
        found => found,
    }
}

/// As [`recognise`], of bytes that no copy has changed.
fn recognise_unchanged(bytes: &[u8], at_end: bool) -> Recognition {
    let found = recognise_start(bytes, at_end);
    let Some(blank) = blank_len(bytes, 0) else {
        let has_more = !at_end && !bytes.is_empty() && found == Recognition::No;
        return if has_more { Recognition::NeedsMore } else { found };
    };
    // The last zeros may belong to the recording.
    let with_zeros = blank_len(bytes, MAX_ZEROS).unwrap_or(blank);
    [with_zeros, blank].into_iter().filter(|len| *len > 0).fold(found, |found, len| match found {
        Recognition::No => recognise_start(bytes.get(len..).unwrap_or_default(), at_end),
        found => found,
    })
}

/// As [`recognise`], of bytes without an empty start.
fn recognise_start(bytes: &[u8], at_end: bool) -> Recognition {
    let certain = percepio::recognise(bytes)
        .or_else(|| flux::recognise(bytes))
        .or_else(|| ctf::recognise(bytes))
        .or_else(|| linux::recognise_binary(bytes));
    if let Some(found) = certain {
        return Recognition::Is(found);
    }
    match systemview::recognise(bytes, at_end) {
        Recognition::No => {}
        answer => return answer,
    }
    let found = linux::recognise_text(bytes).or_else(|| qp::recognise(bytes, at_end));
    found.map_or_else(|| systemview::recognise_rest(bytes, at_end), Recognition::Is)
}
