//! Texts in quotation marks.

/// Returns the length in bytes of the quoted text that `text` begins with, with both marks. A backslash takes the next character
/// as it is, also the end of a line. If the closing mark is missing, the quoted text ends before the end of the line with
/// `ends_with_line`, otherwise with `text`.
pub fn quoted_len(text: &str, ends_with_line: bool) -> usize {
    let mut letters = text.char_indices().peekable();
    let Some((_, mark)) = letters.next() else { return 0 };
    while let Some((at, it)) = letters.next() {
        match it {
            '\\' => {
                let escaped = letters.next();
                // The two characters of a line's end are one.
                if escaped.is_some_and(|it| it.1 == '\r') {
                    letters.next_if(|it| it.1 == '\n');
                }
            }
            '\n' if ends_with_line => return at,
            it if it == mark => return at + it.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_marks_end_no_text() {
        for (text, of_line, of_text) in [
            (r#""a\"b" c"#, 6, 6),
            (r"'\'' c", 4, 4),
            (r#""\\" c"#, 4, 4),
            ("\"a\nb\" c", 2, 5),
            ("\"a\\\r\nb\" c", 7, 7),
            ("\"\u{e9}", 3, 3),
            ("\"\\", 2, 2),
            ("", 0, 0),
        ] {
            assert_eq!(quoted_len(text, true), of_line, "{text:?}");
            assert_eq!(quoted_len(text, false), of_text, "{text:?}");
        }
    }
}
