//! The list of mutants without an observable effect.
//!
//! A line that begins with `#` has the reason for the entries below it. An entry is a file, the change in it, and in the next
//! line the line of code as it is there, so that the entry still counts when the file has grown.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// Where the list is.
pub const FILE: &str = "tests/mutants/equivalent.txt";

/// A mutant, identified by its change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivalent {
    /// `file: change`.
    pub change: String,
    /// The line of code, without its indentation.
    pub line: String,
}

impl fmt::Display for Equivalent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n    {}", self.change, self.line)
    }
}

impl Equivalent {
    /// Parses a mutant in the output of cargo-mutants: `file:line:column: change`.
    pub fn of_mutant(root: &Path, text: &str) -> Result<Self> {
        let mut parts = text.splitn(4, ':');
        let (Some(file), Some(line), Some(_), Some(change)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            bail!("not a mutant: {text}");
        };
        let number: usize = line.parse().with_context(|| format!("not a mutant: {text}"))?;
        let source = fs::read_to_string(root.join(file)).with_context(|| file.to_owned())?;
        let line = source.lines().nth(number.saturating_sub(1)).unwrap_or_default();
        Ok(Self { change: format!("{file}:{change}"), line: line.trim().to_owned() })
    }
}

/// Reads the list.
///
/// # Errors
/// An entry is incomplete, has no reason, or its line of code no longer exists.
pub fn read(root: &Path) -> Result<Vec<Equivalent>> {
    let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
    let list = parse(&text)?;
    for entry in &list {
        let file = entry.change.split(':').next().unwrap_or_default();
        let source = fs::read_to_string(root.join(file)).with_context(|| file.to_owned())?;
        ensure!(
            source.lines().any(|line| line.trim() == entry.line),
            "{FILE}: {file} has no such line any more:\n{entry}"
        );
    }
    Ok(list)
}

fn parse(text: &str) -> Result<Vec<Equivalent>> {
    let mut list = Vec::new();
    let mut has_reason = false;
    let mut change: Option<&str> = None;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            has_reason = true;
        } else if let Some(code) = line.strip_prefix("    ") {
            let change =
                change.take().with_context(|| format!("{FILE}: of which change: {code}"))?;
            list.push(Equivalent { change: change.to_owned(), line: code.trim().to_owned() });
        } else {
            ensure!(has_reason, "{FILE}: no reason for {line}");
            change = Some(line);
        }
    }
    ensure!(change.is_none(), "{FILE}: no line of code for {change:?}");
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        read(&crate::workspace_root()).unwrap();
    }

    #[test]
    fn entries_have_reasons_and_code() {
        let list = parse("# why\na.rs: replace + with - in f\n        1 + 0\n").unwrap();
        assert_eq!(list[0].to_string(), "a.rs: replace + with - in f\n    1 + 0");
        assert!(parse("a.rs: replace + with - in f\n    1 + 0\n").is_err());
        assert!(parse("# why\na.rs: replace + with - in f\n").is_err());
        assert!(parse("# why\n    1 + 0\n").is_err());
    }

    #[test]
    fn a_mutant_is_known_by_its_line_of_code() {
        let root = crate::workspace_root();
        let found =
            Equivalent::of_mutant(&root, "xtask/src/lib.rs:1:5: replace f with ()").unwrap();
        assert_eq!(found.change, "xtask/src/lib.rs: replace f with ()");
        assert!(found.line.starts_with("//! The project's own commands"));
    }
}
