//! The words of a command, as a shell reads them.

use super::{quoted_len, steps};

/// Splits a text at white space. Quotation marks keep a word together, and a backslash keeps the next character, except one of a
/// path of Windows: that before a letter or a digit stays.
pub fn words(text: &str) -> Vec<String> {
    let (mut found, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if matches!(first, '"' | '\'') { quoted_len(rest, false) } else { 1 };
        let len = len.max(first.len_utf8());
        steps::count(len);
        match first {
            it if it.is_whitespace() => found.extend(word.take()),
            '"' | '\'' => {
                let quoted = rest.get(1..len).unwrap_or_default();
                let quoted = quoted.strip_suffix(first).unwrap_or(quoted);
                word.get_or_insert_default().push_str(&quoted.replace("\\\"", "\""));
            }
            '\\' => match rest.chars().nth(1) {
                Some(next) if !next.is_alphanumeric() && !next.is_whitespace() => {
                    word.get_or_insert_default().push(next);
                    rest = rest.get(1 + next.len_utf8()..).unwrap_or_default();
                    continue;
                }
                Some(' ') => {
                    word.get_or_insert_default().push(' ');
                    rest = rest.get(2..).unwrap_or_default();
                    continue;
                }
                // The end of a line, which the next one continues.
                None | Some('\r' | '\n') => found.extend(word.take()),
                Some(_) => word.get_or_insert_default().push('\\'),
            },
            it => word.get_or_insert_default().push(it),
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    found.extend(word);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_and_backslashes_keep_words_together() {
        for (text, expected) in [
            ("gcc  -c a.c\n", &["gcc", "-c", "a.c"][..]),
            ("-include \"a b/c.h\" 'd e'f", &["-include", "a b/c.h", "d ef"]),
            (r"a\ b -DX=\'1\'", &["a b", "-DX='1'"]),
            (r"-I..\inc\x -include ..\inc\y.h", &["-I..\\inc\\x", "-include", "..\\inc\\y.h"]),
            ("a \\\n b \\", &["a", "b"]),
            ("\"\" \"a\\\"b\" \"open", &["", "a\"b", "open"]),
            ("é\\é \u{a0}", &["é\\é"]),
            ("", &[]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
        steps::assert_linear(|size| {
            assert!(!words(&"a\\ b \"c d\" ' \\".repeat(size)).is_empty());
        });
    }
}
