//! Comments, texts and directives of C.

use std::borrow::Cow;

use super::quoted_len;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Code(&'t str),
    /// A string or a character, with its quotation marks.
    Quoted(&'t str),
    Comment(&'t str),
}

/// The pieces of a text, in their order.
struct Pieces<'t> {
    rest: &'t str,
    /// The code directly before the rest.
    before: &'t str,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let take = |len: usize| rest.split_at_checked(len).unwrap_or((rest, ""));
        let is_mark = first == '"' || (first == '\'' && !is_number(self.before));
        let comment = comment_len(rest);
        let len = match (comment, first) {
            (Some(len), _) => len,
            _ if is_mark => quoted_len(rest, true),
            (None, '\'') => 1 + word_len(rest.get(1..).unwrap_or_default()),
            (None, '/') => 1,
            _ => rest.find(['/', '"', '\'']).unwrap_or(rest.len()),
        };
        let (piece, after) = take(len);
        self.rest = after;
        self.before = if comment.is_some() || is_mark { "" } else { piece };
        Some(match () {
            () if comment.is_some() => Piece::Comment(piece),
            () if is_mark => Piece::Quoted(piece),
            () => Piece::Code(piece),
        })
    }
}

fn pieces(text: &str) -> Pieces<'_> {
    Pieces { rest: text, before: "" }
}

const fn is_part_of_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

fn word_len(text: &str) -> usize {
    text.find(|it| !is_part_of_word(it)).unwrap_or(text.len())
}

/// The code ends with a number, in which C++ separates digits as in `1'000'000`.
fn is_number(code: &str) -> bool {
    let word = code.trim_end_matches(is_part_of_word).len();
    let is_separated = code.starts_with('\'') && word == 1;
    is_separated
        || code.get(word..).is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
}

/// Returns the length of the comment that a text begins with. An end of a line after a backslash does not end a comment.
fn comment_len(text: &str) -> Option<usize> {
    if let Some(inside) = text.strip_prefix("/*") {
        return Some(inside.find("*/").map_or(text.len(), |at| at + 4));
    }
    text.starts_with("//").then(|| {
        let is_end = |at: &usize| {
            let line = text.get(..*at).unwrap_or_default();
            !line.strip_suffix('\r').unwrap_or(line).ends_with('\\')
        };
        text.match_indices('\n').map(|it| it.0).find(is_end).unwrap_or(text.len())
    })
}

/// Returns a text with a space in place of each comment. Lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Code(it) | Piece::Quoted(it) => out.push_str(it),
            Piece::Comment(it) => {
                out.push(' ');
                out.extend(it.chars().filter(|it| *it == '\n'));
            }
        }
    }
    out
}

/// Returns code with an empty text in place of each string and character. Lines stay where they are.
pub fn without_texts(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    for piece in pieces(code) {
        match piece {
            Piece::Code(it) | Piece::Comment(it) => out.push_str(it),
            Piece::Quoted(it) => {
                out.push_str("\"\"");
                out.extend(it.chars().filter(|it| *it == '\n'));
            }
        }
    }
    out
}

/// A directive of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive<'t> {
    /// Its first and its last line, counted from 1.
    pub line: usize,
    pub end: usize,
    /// For example `define`.
    pub name: &'t str,
    /// The text after its name, of all of its lines.
    pub rest: Cow<'t, str>,
}

impl Directive<'_> {
    /// The name of the file that it includes.
    pub fn included(&self) -> Option<&str> {
        let rest = self.rest.strip_prefix(['"', '<']).filter(|_| self.name == "include")?;
        rest.split(['"', '>']).next()
    }

    /// The macro that it defines, and the text after the macro's name. The parameters of a macro begin directly after its name.
    pub fn definition(&self) -> Option<(&str, &str)> {
        let rest = (self.name == "define").then_some(self.rest.as_ref())?;
        Some(rest.split_at(word_len(rest)))
    }
}

/// The directives of code without comments, in their order.
#[derive(Clone, Debug)]
pub struct Directives<'t> {
    lines: std::iter::Zip<std::str::Lines<'t>, std::ops::RangeFrom<usize>>,
}

/// Returns the directives of code without comments.
pub fn directives(code: &str) -> Directives<'_> {
    Directives { lines: code.lines().zip(1..) }
}

impl<'t> Iterator for Directives<'t> {
    type Item = Directive<'t>;

    fn next(&mut self) -> Option<Directive<'t>> {
        loop {
            let (first, line) = self.lines.next()?;
            let (mut last, mut end) = (first.trim_end(), line);
            let mut joined: Option<String> = None;
            while let Some(kept) = last.strip_suffix('\\') {
                joined.get_or_insert_default().push_str(kept);
                let Some((next, number)) = self.lines.next() else {
                    last = "";
                    break;
                };
                (last, end) = (next.trim_end(), number);
            }
            let Some(after) = first.trim().strip_prefix('#').map(str::trim_start) else { continue };
            let len = after.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(after.len());
            let (name, rest) = after.split_at(len);
            let rest = match joined {
                None => Cow::Borrowed(rest.trim()),
                Some(mut whole) => {
                    whole.push_str(last);
                    let after = whole.trim_start().get(1..).unwrap_or_default().trim_start();
                    Cow::Owned(after.get(len..).unwrap_or_default().trim().to_owned())
                }
            };
            return Some(Directive { line, end, name, rest });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_lines_stay() {
        let text = "a /* x\ny */ b // c\n\"/* no */\" d /* open\n";
        assert_eq!(without_comments(text), "a  \n b  \n\"/* no */\" d  \n");
        for odd in ["/", "\"", "/*", "//", "/* \u{e9}", "\"\u{e9}\n", "*/ /", "'", "1'", "\\"] {
            assert_eq!(without_comments(odd).lines().count(), odd.lines().count(), "{odd}");
        }
    }

    #[test]
    fn texts_and_characters_have_no_comments() {
        for (text, expected) in [
            (r#"a("\"/*"); b /* c */"#, r#"a("\"/*"); b  "#),
            (r#"'"' /* c */ '"'"#, r#"'"'   '"'"#),
            (r"'\'' // c", r"'\''  "),
            ("#error don't /* c\nb // d", "#error don't /* c\nb  "),
            ("\"open // c\nb // d", "\"open // c\nb  "),
            ("1'000'000 /* c */ 0x1'ab'cd // d", "1'000'000   0x1'ab'cd  "),
            ("L'x' /* c */ u8'\"' // d", "L'x'   u8'\"'  "),
            ("\"a\\\n// b\" // c", "\"a\\\n// b\"  "),
            ("// a \\\nb\nc", " \n\nc"),
            ("// a \\\r\nb\r\nc", " \n\nc"),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
        }
        assert_eq!(without_texts("f(\"a\\\"b\", '\"') // \"x\""), "f(\"\", \"\") // \"x\"");
    }

    #[test]
    fn directives_have_several_lines() {
        let code = "#define A(x) \\\n  x + \\\n 1\nint \\\n#no\n # include <a/b.h>\n#\n#define B";
        let found: Vec<_> = directives(code).collect();
        let lines: Vec<_> = found.iter().map(|it| (it.name, it.line, it.end)).collect();
        assert_eq!(lines, [("define", 1, 3), ("include", 6, 6), ("", 7, 7), ("define", 8, 8)]);
        let definition = |at: usize| found.get(at).and_then(Directive::definition);
        assert_eq!(definition(0), Some(("A", "(x)   x +  1")));
        assert_eq!(definition(3), Some(("B", "")));
        assert_eq!(definition(1), None);
        assert_eq!(found.get(1).and_then(Directive::included), Some("a/b.h"));
        for odd in ["#", "#define", "#\\", "\\", "#define A \\", "#include \"", "# \\\n\\\n"] {
            assert!(directives(odd).count() < 2, "{odd}");
        }
    }
}
