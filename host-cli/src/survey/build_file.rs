//! A build file, and its lines without comments.

use std::cell::OnceCell;
use std::path::PathBuf;

use crate::syntax::cmake::{self, Command};
use crate::syntax::steps;

/// How comments of a build file begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    Hash,
    HashOrSemicolon,
    Xml,
    None,
}

/// A build file.
#[derive(Debug)]
pub struct BuildFile {
    pub path: PathBuf,
    /// Its path in the project, with `/`.
    pub name: String,
    /// The folder of its relative paths, without `/` at its end: its own, or that of the file that names it.
    pub folder: String,
    pub text: String,
    comments: Comments,
    /// See [`commands`](Self::commands).
    commands: OnceCell<Vec<Command>>,
}

impl BuildFile {
    pub fn new(path: PathBuf, name: String, text: String, comments: Comments) -> Self {
        let folder = name.rsplit_once('/').map_or_else(String::new, |it| it.0.to_owned());
        Self { path, name, folder, text, comments, commands: OnceCell::new() }
    }

    /// Takes another content.
    pub fn replace(&mut self, text: String) {
        self.text = text;
        self.commands = OnceCell::new();
    }

    /// Returns the commands of a file of CMake; none of another file. The text is read once.
    pub fn commands(&self) -> &[Command] {
        self.commands
            .get_or_init(|| if self.is_cmake() { cmake::read(&self.text) } else { Vec::new() })
    }

    /// Returns the lines without comments, and their numbers.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut is_inside = false;
        let lines = self.text.lines().zip(1..);
        lines.map(move |(line, number)| {
            let line = match self.comments {
                Comments::None => line,
                Comments::Hash => before_mark(line, &['#']),
                Comments::HashOrSemicolon => before_mark(line, &['#', ';']),
                // Of a comment in several lines, all lines are left out.
                Comments::Xml => {
                    let was_inside = is_inside;
                    is_inside = match (line.rfind("<!--"), line.rfind("-->")) {
                        (Some(begin), end) => end.is_none_or(|end| end < begin),
                        (None, Some(_)) => false,
                        (None, None) => is_inside,
                    };
                    if was_inside || is_inside || line.contains("<!--") { "" } else { line }
                }
            };
            (number, line)
        })
    }

    /// Returns the text without comments. Lines stay where they are.
    pub fn without_comments(&self) -> String {
        if self.is_cmake() {
            return cmake::without_comments(&self.text);
        }
        let mut text = String::with_capacity(self.text.len());
        for (_, line) in self.code() {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// Returns whether the code has this text.
    pub fn has(&self, text: &str) -> bool {
        self.code().any(|(_, line)| line.contains(text))
    }

    /// The file's name.
    pub fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// It is of CMake.
    pub fn is_cmake(&self) -> bool {
        self.file_name() == "CMakeLists.txt" || self.name.ends_with(".cmake")
    }

    /// It is a Makefile, not a part of one.
    pub fn is_makefile(&self) -> bool {
        matches!(self.file_name(), "Makefile" | "makefile")
    }

    /// Returns a file with comments after `#`.
    #[cfg(test)]
    pub fn for_test(name: &str, text: &str) -> Self {
        Self::new(PathBuf::from(name), name.to_owned(), text.to_owned(), Comments::Hash)
    }
}

/// A line up to a comment. Marks in quotation marks, or after a backslash, are no comments; neither are those inside of a word of
/// a recipe of make.
fn before_mark<'l>(line: &'l str, marks: &[char]) -> &'l str {
    let is_recipe = line.starts_with('\t');
    // A quotation mark without a second one begins no text.
    let last_quote = line.rfind('"').unwrap_or(0);
    let (mut is_quoted, mut last) = (false, ' ');
    for (at, it) in line.char_indices() {
        steps::count(1);
        match it {
            '"' if last != '\\' && (is_quoted || at < last_quote) => is_quoted = !is_quoted,
            it if marks.contains(&it)
                && !is_quoted
                && last != '\\'
                && (!is_recipe || last.is_whitespace()) =>
            {
                return line.get(..at).unwrap_or(line);
            }
            _ => {}
        }
        last = it;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_passed_once() {
        for part in ["\"#\" ", "a# ", "\\# ", "\" # "] {
            steps::assert_linear(|size| {
                let file =
                    BuildFile::for_test("Makefile", &format!("\t{}", part.repeat(10 * size)));
                assert!(file.without_comments().len() > 1);
            });
        }
    }

    #[test]
    fn comments_of_build_files_are_left_out() {
        assert_eq!(before_mark("a # b", &['#']), "a ");
        assert_eq!(before_mark("a \"#\" \\# # b", &['#']), "a \"#\" \\# ");
        assert_eq!(before_mark("a ; b", &['#', ';']), "a ");
        assert_eq!(before_mark("A = 5\" # b", &['#']), "A = 5\" ");
        assert_eq!(before_mark("A = b#c", &['#']), "A = b");
        assert_eq!(before_mark("\techo \"1 # 2\" a#b # c", &['#']), "\techo \"1 # 2\" a#b ");
        let text = "a\n<!-- b\nc\n--> d\ne <!-- f -->\ng\n".to_owned();
        let file = BuildFile::new(PathBuf::new(), "x/a.ewp".to_owned(), text, Comments::Xml);
        let lines: Vec<_> = file.code().map(|(_, line)| line).collect();
        assert_eq!(lines, ["a", "", "", "", "", "g"]);
        assert_eq!(file.file_name(), "a.ewp");
    }
}
