//! Parts that several statements have.

use crate::rule::Conditions;
use tband_report::time_unit::UNKNOWN_FREQUENCY;

/// A text as SQL has it.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns a name of a rule as a pattern of SQL's GLOB, for which `[` begins a class. In a name it is itself, except in `[*]`, `[?]`
/// and `[[]`, which match the character inside.
#[must_use]
pub fn pattern(name: &str) -> String {
    let (mut out, mut rest) = (String::new(), name);
    while let Some(letter) = rest.chars().next() {
        let one = rest.get(..letter.len_utf8()).unwrap_or_default();
        let escape = ["[*]", "[?]", "[[]"].into_iter().find(|it| rest.starts_with(it));
        let (taken, piece) = match escape {
            Some(escape) => (escape, escape),
            None if letter == '[' => (one, "[[]"),
            None => (one, one),
        };
        out.push_str(piece);
        rest = rest.strip_prefix(taken).unwrap_or_default();
    }
    quote(&out)
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

/// The condition that a row of the table `losses`, as `l`, is one of data.
pub fn is_loss() -> String {
    format!("l.severity <> 'note' AND l.problem <> {}", quote(UNKNOWN_FREQUENCY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_in_a_name_is_itself() {
        for (name, expected) in [
            ("Philo_inst[0]", "'Philo_inst[[]0]'"),
            ("[", "'[[]'"),
            ("é[*]?[[]*[a-z]", "'é[*]?[[]*[[]a-z]'"),
            ("it's", "'it''s'"),
        ] {
            assert_eq!(pattern(name), expected);
        }
    }
}
