//! The variables of CMake files, without their conditions and their order.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum length of a value or an argument with variables, in bytes: a longer one is not a name.
pub const MAX_LEN: usize = 4096;

/// The values of variables, by their names.
#[derive(Debug, Default)]
pub struct Variables(BTreeMap<String, Values>);

/// The values of one variable.
#[derive(Debug, Default)]
struct Values {
    /// Those of all assignments together.
    all: Vec<String>,
    /// The value that each assignment has. Inner `None`: they differ, or are not followed.
    single: Option<Option<String>>,
}

impl Variables {
    /// Takes the assignments of commands: names, and arguments.
    pub fn of<'c>(commands: impl Iterator<Item = (&'c str, &'c [String])>) -> Self {
        let mut variables = Self::default();
        for (command, arguments) in commands {
            match (command, arguments) {
                ("project", [name, ..]) => variables.set("PROJECT_NAME", Some(name), &[]),
                ("set", [name, values @ ..]) => {
                    let single = match values {
                        [value] => Some(value),
                        [value, kind, ..] if kind == "CACHE" || kind == "PARENT_SCOPE" => {
                            Some(value)
                        }
                        _ => None,
                    };
                    variables.set(name, single, values);
                }
                ("list", [kind, name, values @ ..]) if kind == "APPEND" => {
                    variables.set(name, None, values);
                }
                ("file", [kind, name, values @ ..]) if kind.starts_with("GLOB") => {
                    variables.set(name, None, values);
                }
                ("foreach" | "unset", [name, ..]) | ("list" | "string" | "file", [_, name, ..]) => {
                    variables.set(name, None, &[]);
                }
                _ => {}
            }
        }
        variables
    }

    fn set(&mut self, name: &str, single: Option<&String>, values: &[String]) {
        let it = self.0.entry(name.to_owned()).or_default();
        it.all.extend_from_slice(values);
        // A value that has a variable is not followed.
        let single = single.filter(|it| !it.contains('$') && it.len() <= MAX_LEN).cloned();
        it.single = match it.single.take() {
            Some(other) if other != single => Some(None),
            _ => Some(single),
        };
    }

    /// Returns arguments with the variables that are whole arguments replaced by their values. Each variable is replaced once:
    /// its values are those of all assignments, and it may be made of itself.
    pub fn expand_lists(&self, arguments: &[String]) -> Vec<String> {
        let (mut expanded, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<&String> = arguments.iter().rev().collect();
        while let Some(it) = open.pop() {
            let name = it.strip_prefix("${").and_then(|it| it.strip_suffix('}'));
            match name.and_then(|name| Some((name, &self.0.get(name)?.all))) {
                Some((name, values)) if seen.insert(name) => open.extend(values.iter().rev()),
                Some(_) => {}
                None => expanded.push(it.clone()),
            }
        }
        expanded
    }

    /// Returns an argument with the variables that have one value in all assignments replaced.
    pub fn expand_text(&self, argument: &str) -> String {
        expanded(argument, &self.0)
    }
}

/// Returns an argument with the variables of one value replaced, the inner ones first. One that is too long is not expanded.
fn expanded(argument: &str, values: &BTreeMap<String, Values>) -> String {
    let mut out = String::with_capacity(argument.len());
    // Where the references begin that are not closed yet.
    let mut open = Vec::new();
    let mut rest = argument;
    while let Some(at) = rest.find(['$', '}']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let len = if from.starts_with("${") { 2 } else { 1 };
        let (mark, after) = from.split_at(len);
        if len == 2 {
            open.push(out.len());
        }
        out.push_str(mark);
        if mark == "}"
            && let Some(begin) = open.pop()
        {
            let name = out.get(begin + 2..out.len() - 1).unwrap_or_default();
            if let Some(value) = values.get(name).and_then(|it| it.single.as_ref()?.as_ref()) {
                out.truncate(begin);
                out.push_str(value);
            }
        }
        if out.len() > MAX_LEN {
            return argument.to_owned();
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::cmake::read;

    #[test]
    fn variables_made_of_themselves_are_expanded_once() {
        let text = "set(S ${S} a.c)\n".repeat(80) + "set(T ${S} ${U})\nset(U ${T})\n";
        let commands = read(&text);
        let variables =
            Variables::of(commands.iter().map(|it| (it.name.as_str(), it.arguments.as_slice())));
        let found =
            variables.expand_lists(&["x.c".to_owned(), "${T}".to_owned(), "${V}".to_owned()]);
        assert_eq!((found.len(), found.last().map(String::as_str)), (82, Some("${V}")));
    }
}
