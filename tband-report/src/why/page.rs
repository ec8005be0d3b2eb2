//! An activation as the page shows it: the same rows and advice as in the other forms of the answer.

use serde_json::{Value, json};

use super::advice::advice;
use super::collect::NamedActivation;

/// Numbers up to this are exact in a script.
const EXACT: u64 = 1 << 53;

/// A number that stays exact in a script: as text if it has too many digits.
pub fn exact(number: i64) -> Value {
    if number.unsigned_abs() <= EXACT { number.into() } else { number.to_string().into() }
}

/// One activation. Times are in ns. Each row of `split` is `[ns, text, is_detail, is_inverted]`.
pub fn activation_value(found: &NamedActivation) -> Value {
    let row = |row: &super::split::Row| {
        json!([exact(row.ns), row.text, u8::from(row.is_detail), u8::from(row.is_inverted)])
    };
    json!({
        "number": found.number,
        "release": found.release,
        "object": found.object,
        "woken_by": found.woken_by,
        "merged": found.merged,
        "released_ns": exact(found.released_ns),
        "backlog_ns": exact(found.ready_ns.saturating_sub(found.released_ns)),
        "response_ns": exact(found.response_ns()),
        "inverted_ns": exact(found.inverted_ns),
        "begin_seen": found.begin_seen,
        "end_seen": found.end_seen,
        "split": found.rows.iter().map(row).collect::<Vec<_>>(),
        "advice": advice(found),
    })
}
