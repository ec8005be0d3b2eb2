//! Which format a file has, by its content.

use crate::recognised_format::Recognition;
use crate::{ctf, flux, linux, percepio, qp, systemview};

/// Names the format of a file that begins with these bytes, if it is that of another recorder. `at_end`: there are no more
/// bytes, or enough of them.
///
/// Each format is recognised by evidence that a tband recording does not contain.
#[must_use]
pub fn recognise(bytes: &[u8], at_end: bool) -> Recognition {
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
    found.map_or(Recognition::No, Recognition::Is)
}
