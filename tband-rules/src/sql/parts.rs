//! Parts that several statements have.

use crate::rule::Conditions;

/// A text as SQL has it.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The rule's own condition. Its last line may be a comment.
pub fn condition(conditions: &Conditions) -> String {
    conditions.condition.as_ref().map_or_else(String::new, |it| format!(" AND ({it}\n)"))
}

/// `m`, without the begin of the recording if the rule leaves it out.
pub fn since(rows: &str, conditions: &Conditions) -> String {
    match conditions.after_start {
        None => format!("m AS (\n  {rows}\n)"),
        Some(ns) => format!(
            "t AS (\n  {rows}\n), m AS (\n  SELECT t.* FROM t JOIN recordings r ON r.recording = t.recording\n  WHERE t.at_ns - \
             r.begin_ns >= {ns}\n)"
        ),
    }
}
