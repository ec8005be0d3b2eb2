//! The variables of CMake files.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::cmake::Command;

/// The values of variables, of all assignments together.
#[derive(Debug, Default)]
pub struct Variables(BTreeMap<String, Vec<String>>);

impl Variables {
    pub fn of<'c>(commands: impl Iterator<Item = &'c Command>) -> Self {
        let mut variables = Self::default();
        for it in commands {
            let (name, from) = match it.name.as_str() {
                "set" => (it.arguments.first(), 1),
                "list" if it.target() == "APPEND" => (it.arguments.get(1), 2),
                "file" if it.target().starts_with("GLOB") => (it.arguments.get(1), 2),
                _ => continue,
            };
            if let Some(name) = name {
                let values = it.arguments.iter().skip(from).cloned();
                variables.0.entry(name.clone()).or_default().extend(values);
            }
        }
        variables
    }

    /// Returns arguments with the variables that are whole arguments replaced by their values. Each variable is replaced once:
    /// its values are those of all assignments, and it may be made of itself.
    pub fn expand(&self, arguments: &[String]) -> Vec<String> {
        let (mut expanded, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<&String> = arguments.iter().rev().collect();
        while let Some(it) = open.pop() {
            let name = it.strip_prefix("${").and_then(|it| it.strip_suffix('}'));
            match name.and_then(|name| Some((name, self.0.get(name)?))) {
                Some((name, values)) if seen.insert(name) => open.extend(values.iter().rev()),
                Some(_) => {}
                None => expanded.push(it.clone()),
            }
        }
        expanded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::cmake::read;

    #[test]
    fn variables_made_of_themselves_are_expanded_once() {
        let text = "set(S ${S} a.c)\n".repeat(80) + "set(T ${S} ${U})\nset(U ${T})\n";
        let commands = read(&text);
        let variables = Variables::of(commands.iter());
        let found = variables.expand(&["x.c".to_owned(), "${T}".to_owned(), "${V}".to_owned()]);
        assert_eq!((found.len(), found.last().map(String::as_str)), (82, Some("${V}")));
    }
}
