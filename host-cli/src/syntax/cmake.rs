//! The commands of a file of CMake, as far as they can be read without running it: conditions are not evaluated.

use super::{quoted_len, steps};

/// A command.
#[derive(Clone, Debug)]
pub struct Command {
    /// In small letters.
    pub name: String,
    /// Without quotation marks.
    pub arguments: Vec<String>,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// The outermost condition, loop or function around it.
    pub outer: Option<Outer>,
}

/// A condition, a loop or a function around a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outer {
    /// The line that begins it, counted from 1.
    pub line: usize,
    /// The command is in a function or a macro.
    pub is_called: bool,
}

impl Command {
    /// It is in a condition, a loop or a function.
    pub const fn is_nested(&self) -> bool {
        self.outer.is_some()
    }

    /// Its first argument, usually a target.
    pub fn target(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }
}

/// Reads the commands of a file's text. A command without an end is left out.
pub fn read(text: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    // The blocks around a command, each as the outer one with those up to itself.
    let mut open: Vec<Outer> = Vec::new();
    let mut reader = Reader { rest: text, line: 1 };
    while let Some(mut command) = reader.command() {
        command.outer = open
            .first()
            .zip(open.last())
            .map(|(first, last)| Outer { line: first.line, is_called: last.is_called });
        match command.name.as_str() {
            "if" | "foreach" | "while" | "function" | "macro" | "block" => {
                let is_function = matches!(command.name.as_str(), "function" | "macro");
                let is_called = is_function || open.last().is_some_and(|it| it.is_called);
                open.push(Outer { line: command.line, is_called });
            }
            "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" | "endblock" => {
                open.pop();
            }
            _ => {}
        }
        commands.push(command);
    }
    commands
}

/// The text that is not read yet, and the number of its first line.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Reader<'t> {
    fn take(&mut self, len: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn next(&mut self) -> Option<char> {
        let it = self.rest.chars().next()?;
        self.take(it.len_utf8());
        Some(it)
    }

    fn skip_comment(&mut self) -> bool {
        let len = comment_len(self.rest);
        len.is_some_and(|len| !self.take(len).is_empty())
    }

    fn command(&mut self) -> Option<Command> {
        let (mut name, mut is_ended, mut line) = (String::new(), true, self.line);
        loop {
            if self.skip_comment() {
                is_ended = true;
                continue;
            }
            let number = self.line;
            match self.next()? {
                '(' => break,
                it if it.is_whitespace() => is_ended = true,
                it => {
                    if is_ended {
                        (name, is_ended, line) = (String::new(), false, number);
                    }
                    name.push(it);
                }
            }
        }
        name.make_ascii_lowercase();
        Some(Command { name, arguments: self.arguments()?, line, outer: None })
    }

    /// Reads arguments and the closing bracket.
    fn arguments(&mut self) -> Option<Vec<String>> {
        let (mut arguments, mut word) = (Vec::new(), String::new());
        let (mut is_quoted, mut depth) = (false, 0_usize);
        let complete = |word: &mut String, arguments: &mut Vec<String>| {
            if !word.is_empty() {
                arguments.push(std::mem::take(word));
            }
        };
        loop {
            if !is_quoted {
                if self.skip_comment() {
                    complete(&mut word, &mut arguments);
                    continue;
                }
                if let (true, Some((content, len))) = (word.is_empty(), bracket(self.rest)) {
                    arguments.push(content.to_owned());
                    self.take(len);
                    continue;
                }
            }
            match self.next()? {
                '\\' => match self.next()? {
                    '\n' if is_quoted => {}
                    it => word.push(it),
                },
                '"' => is_quoted = !is_quoted,
                it if is_quoted => word.push(it),
                ')' if depth == 0 => {
                    complete(&mut word, &mut arguments);
                    return Some(arguments);
                }
                it if it.is_whitespace() || it == ';' => complete(&mut word, &mut arguments),
                it => {
                    depth += usize::from(it == '(');
                    depth -= usize::from(it == ')');
                    word.push(it);
                }
            }
        }
    }
}

/// The content of a bracket argument, such as `[=[a]=]`, that a text begins with, and the length of the whole.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let after = text.strip_prefix('[')?;
    let marks = after.len() - after.trim_start_matches('=').len();
    let begin = marks + 2;
    let inside = after.get(marks..)?.strip_prefix('[')?;
    let end = format!("]{}]", "=".repeat(marks));
    let found = inside.find(&end);
    steps::count(found.unwrap_or(inside.len()));
    Some(match found {
        Some(at) => (inside.get(..at)?, begin + at + end.len()),
        None => (inside, text.len()),
    })
}

/// Returns the length of the comment that a text begins with, of one line or in brackets.
fn comment_len(text: &str) -> Option<usize> {
    let after = text.strip_prefix('#')?;
    let line = || after.find('\n').unwrap_or(after.len());
    Some(1 + bracket(after).map_or_else(line, |(_, len)| len))
}

/// Returns a text without comments; lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['#', '"', '[', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_begin = out.chars().next_back().is_none_or(|it| it == '(' || it.is_whitespace());
        let comment = comment_len(from);
        let len = if let Some(len) = comment {
            len
        } else if from.starts_with('"') {
            quoted_len(from, false)
        } else if from.starts_with('\\') {
            from.chars().take(2).map(char::len_utf8).sum()
        } else if is_begin {
            bracket(from).map_or(1, |it| it.1)
        } else {
            1
        };
        let (part, after) = from.split_at(len);
        if comment.is_some() {
            out.extend(part.chars().filter(|it| *it == '\n'));
        } else {
            out.push_str(part);
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_brackets_and_quotes_are_read() {
        let text = "#[[ add_executable(no)\n]] Set (A [=[x ]] \"]=] \"b \\\" ) #c\" # no)\n d;e)\n\
                    if(X AND (Y))\n  foo(${A}#[[ ( ]]\n)\nendif()\nopen(x";
        let found = read(text);
        let names: Vec<_> =
            found.iter().map(|it| (it.name.as_str(), it.line, it.is_nested())).collect();
        assert_eq!(
            names,
            [("set", 2, false), ("if", 4, false), ("foo", 5, true), ("endif", 7, true)]
        );
        let arguments = |at: usize| found.get(at).unwrap().arguments.clone();
        assert_eq!(arguments(0), ["A", "x ]] \"", "b \" ) #c", "d", "e"]);
        assert_eq!(arguments(1), ["X", "AND", "(Y)"]);
        assert_eq!(arguments(2), ["${A}"]);
    }

    #[test]
    fn blocks_around_a_command_are_known() {
        let text = "a()\nif(X)\n  function(f)\n    b()\n  endfunction()\n  c()\nelse()\nendif()\nd()\nendif()\ne()\n";
        let found = read(text);
        let outer = |name: &str| found.iter().find(|it| it.name == name).unwrap().outer;
        assert_eq!((outer("a"), outer("d"), outer("e")), (None, None, None));
        assert_eq!(outer("b"), Some(Outer { line: 2, is_called: true }));
        assert_eq!(outer("c"), Some(Outer { line: 2, is_called: false }));
    }

    #[test]
    fn comments_and_brackets_are_those_of_cmake() {
        for (text, expected) in [
            ("a() # b\nc()", "a() \nc()"),
            ("m(\"x # 1\")#y\nc()", "m(\"x # 1\")\nc()"),
            ("m(\"\\\" # 1\")", "m(\"\\\" # 1\")"),
            ("#[[ a\nb ]] c()", "\n c()"),
            ("#[==[ a ]] \n ]==]c()", "\nc()"),
            ("m([[ # ]] # x\n)", "m([[ # ]] \n)"),
            ("#[ a\nb()", "\nb()"),
            ("#[[ open\n", "\n"),
            ("a(\\# \\", "a(\\# \\"),
            ("a(\\\u{e9} [", "a(\\\u{e9} ["),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
        }
    }

    #[test]
    fn a_bracket_inside_of_a_word_is_not_searched_for_its_end() {
        steps::assert_linear(|size| {
            let text = format!("a([[x]] {})", "a[[ ".repeat(size));
            assert_eq!(without_comments(&text), text);
        });
    }
}
