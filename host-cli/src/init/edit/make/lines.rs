//! The lines of a Makefile, as far as they can be read without running it.

use std::collections::{BTreeMap, BTreeSet};

use crate::init::text::Text;
use crate::syntax::steps;

/// A line, with those that continue it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The first line, and the line after the last, counted from 0.
    pub begin: usize,
    pub end: usize,
    /// Without comments and line breaks.
    pub code: String,
    pub kind: LineKind,
    /// It is in a condition or a definition of several lines.
    pub is_nested: bool,
    /// The variables that it uses: of an assignment those of its value.
    used: BTreeSet<String>,
}

impl Line {
    /// Returns whether it uses one of these variables.
    pub fn is_used_in(&self, names: &BTreeSet<&str>) -> bool {
        steps::count(self.used.len());
        self.used.iter().any(|it| names.contains(it.as_str()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Variable, operator, value.
    Assignment(String, String, String),
    Recipe,
    /// A rule or a directive, which make expands as it reads it.
    Immediate,
    Empty,
}

/// Reads the lines of a Makefile.
pub fn read(text: &Text) -> Vec<Line> {
    let (mut lines, mut depth): (Vec<Line>, usize) = (Vec::new(), 0);
    let mut raw = text.lines().enumerate().peekable();
    while let Some((begin, first)) = raw.next() {
        let is_recipe = first.starts_with('\t');
        let (mut whole, mut end) = (first.to_owned(), begin + 1);
        while whole.ends_with('\\') {
            whole.pop();
            let Some((at, next)) = raw.next() else { break };
            whole.push(' ');
            whole.push_str(next.trim());
            end = at + 1;
        }
        let code = if is_recipe { whole } else { before_comment(&whole).to_owned() };
        let word = code.split_whitespace().next().unwrap_or_default();
        if matches!(word, "endif" | "endef") {
            depth = depth.saturating_sub(1);
        }
        let kind = kind_of(&code, is_recipe);
        let is_nested = depth > 0 || matches!(word, "endif" | "endef");
        if matches!(word, "ifeq" | "ifneq" | "ifdef" | "ifndef" | "define") {
            depth += 1;
        }
        let used = match &kind {
            LineKind::Assignment(_, _, value) => used(value),
            LineKind::Recipe | LineKind::Immediate => used(&code),
            LineKind::Empty => BTreeSet::new(),
        };
        lines.push(Line { begin, end, code, kind, is_nested, used });
    }
    lines
}

fn before_comment(line: &str) -> &str {
    let mut last = ' ';
    for (at, it) in line.char_indices() {
        if it == '#' && last != '\\' {
            return line.get(..at).unwrap_or(line);
        }
        last = it;
    }
    line
}

fn kind_of(code: &str, is_recipe: bool) -> LineKind {
    if code.trim().is_empty() {
        return LineKind::Empty;
    }
    if is_recipe {
        return LineKind::Recipe;
    }
    let is_name = |it: &str| {
        !it.is_empty()
            && it.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '.' | '-'))
    };
    if let Some((before, value)) = code.split_once('=') {
        let name = before.trim_end_matches([':', '+', '?', '!']);
        let operator = before.get(name.len()..).unwrap_or_default();
        let name = name.trim();
        let name =
            ["export ", "override "].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
        if is_name(name.trim()) {
            return LineKind::Assignment(
                name.trim().to_owned(),
                operator.to_owned(),
                value.trim().to_owned(),
            );
        }
    }
    LineKind::Immediate
}

/// The variables that a text uses: `$(NAME)`, `${NAME:...}`, also as arguments of functions.
fn used(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices('$') {
        let Some(rest) = text.get(at + 1..).and_then(|it| it.strip_prefix(['(', '{'])) else {
            continue;
        };
        let end =
            rest.find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '_' | '.' | '-'));
        let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        names.insert(name.to_owned());
    }
    names
}

/// The variables of a Makefile.
#[derive(Debug)]
pub struct Makefile {
    pub lines: Vec<Line>,
    /// The lines that assign each variable.
    assigned: BTreeMap<String, Vec<usize>>,
    /// The variables that are made of each variable.
    users: BTreeMap<String, BTreeSet<String>>,
}

impl Makefile {
    pub fn of(text: &Text) -> Self {
        let lines = read(text);
        let mut assigned: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let LineKind::Assignment(name, ..) = &line.kind else { continue };
            assigned.entry(name.clone()).or_default().push(at);
            for part in &line.used {
                users.entry(part.clone()).or_default().insert(name.clone());
            }
        }
        Self { lines, assigned, users }
    }

    /// Returns a variable and those that are made of it, also through others.
    pub fn with_users<'f>(&'f self, name: &'f str) -> BTreeSet<&'f str> {
        let (mut found, mut open) = (BTreeSet::from([name]), vec![name]);
        while let Some(it) = open.pop() {
            for user in self.users.get(it).into_iter().flatten() {
                steps::count(1);
                if found.insert(user) {
                    open.push(user);
                }
            }
        }
        found
    }

    /// Returns whether a variable has the names of sources in C, not that of their folder.
    pub fn names_sources(&self, name: &str) -> bool {
        let (mut open, mut seen) = (vec![name.to_owned()], BTreeSet::new());
        while let Some(name) = open.pop() {
            for (_, _, value) in self.assignments(&name) {
                let has_source =
                    value.split([' ', '\t', ')', ',', '"', '\'']).any(|it| it.ends_with(".c"));
                if has_source || value.contains("$(shell") {
                    return true;
                }
                // A variable with something after it is a folder.
                let whole = value.split_whitespace().filter(|it| it.ends_with([')', '}']));
                let names = whole.flat_map(used);
                open.extend(names.filter(|it| seen.insert(it.clone())));
            }
        }
        false
    }

    /// Returns whether objects are made only of those sources that are in one folder.
    pub fn has_source_folder(&self, sources: &str) -> bool {
        let is_in_folder = |pattern: &str| {
            let pattern = pattern.trim();
            pattern.ends_with(".c") && pattern != "%.c" && pattern != ".c"
        };
        let replacing = format!("{sources}:");
        let codes =
            || self.lines.iter().filter(|it| it.kind != LineKind::Recipe).map(|it| &it.code);
        let has_pattern = codes().any(|code| {
            // Up to the next one, which another part begins.
            let patterns =
                code.split("patsubst").skip(1).filter_map(|it| it.split_once(',').map(|it| it.0));
            // $(SOURCES:folder/%.c=...)
            let replaced =
                code.split(&replacing).skip(1).filter_map(|it| it.split_once('=').map(|it| it.0));
            patterns.chain(replaced).any(is_in_folder)
        });
        let rules = codes().filter_map(|code| {
            let (target, needed) = code.split_once(':')?;
            let first = needed.rsplit(':').next()?.split_whitespace().next()?;
            (target.contains("%.o") || needed.contains("%.o")).then_some(first)
        });
        let (mut has_folder, mut has_any) = (false, false);
        for first in rules.filter(|it| it.ends_with("%.c")) {
            has_any |= first == "%.c";
            has_folder |= first != "%.c";
        }
        has_pattern || (has_folder && !has_any)
    }

    /// Assignments of a variable.
    pub fn assignments(&self, name: &str) -> impl Iterator<Item = (&Line, &str, &str)> {
        let lines = self.assigned.get(name).into_iter().flatten();
        lines.filter_map(|at| self.lines.get(*at)).filter_map(|line| match &line.kind {
            LineKind::Assignment(_, operator, value) => {
                steps::count(1);
                Some((line, operator.as_str(), value.as_str()))
            }
            _ => None,
        })
    }

    /// Returns the line after the last assignment of a variable; 0 if there is none.
    pub fn after(&self, name: &str) -> usize {
        self.assignments(name).map(|(line, ..)| line.end).max().unwrap_or(0)
    }

    /// Returns the first line that make expands as it reads it and that uses a variable.
    pub fn first_use(&self, name: &str) -> Option<usize> {
        let names = self.with_users(name);
        let is_use = |line: &&Line| match &line.kind {
            LineKind::Assignment(it, operator, _) => {
                it != name && operator.starts_with(':') && line.is_used_in(&names)
            }
            LineKind::Immediate => line.is_used_in(&names),
            LineKind::Recipe | LineKind::Empty => false,
        };
        self.lines.iter().find(is_use).map(|it| it.begin)
    }

    /// Returns the first line from `at` on that is in no condition.
    pub fn outside(&self, at: usize) -> usize {
        let nested = self.lines.iter().filter(|it| it.is_nested);
        nested.fold(at, |at, line| if line.begin == at { line.end } else { at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_found_through_variables() {
        let text = Text::of(
            b"SRC = a.c \\\n  b.c # c\nOBJ = $(SRC:.c=.o)\nifdef X\nCFLAGS += -O2\nendif\nall: $(OBJ)\n\tcc $(CFLAGS) -o $@\nLATE := $(OBJ)\n",
        );
        let file = Makefile::of(&text.unwrap());
        assert_eq!(file.after("SRC"), 2);
        assert_eq!(file.first_use("SRC"), Some(6));
        assert_eq!(file.first_use("CFLAGS"), None);
        assert_eq!((file.outside(4), file.outside(2)), (6, 2));
        assert_eq!(file.with_users("SRC"), BTreeSet::from(["SRC", "OBJ", "LATE"]));
        assert_eq!(used("$(sort ${OBJ}) $@ $x"), BTreeSet::from(["sort".into(), "OBJ".into()]));
        let (_, operator, value) = file.assignments("CFLAGS").next().unwrap();
        assert_eq!((operator, value), ("+", "-O2"));
    }

    #[test]
    fn a_long_file_is_read_in_proportion() {
        steps::assert_linear(|size| {
            // A chain of variables, a list of variables, and lines that use the ends of both.
            let mut text = String::from("V0 = x\nCC = gcc\nSRC =");
            (0..size).for_each(|it| text += &format!(" $(L{it})"));
            text += "\n";
            (0..size).for_each(|it| text += &format!("V{} = $(V{it})\nL{it} = $(M{it})\n", it + 1));
            text += &format!("all: $(V{size})\n\tgcc $(V{size})\n").repeat(size);
            let file = Makefile::of(&Text::of(text.as_bytes()).unwrap());
            assert!(!file.names_sources("SRC"));
            assert_eq!((file.first_use("CC"), file.after("L7")), (None, 19));
            assert_eq!(file.first_use("V0"), Some(3 + 2 * size));
        });
    }
}
