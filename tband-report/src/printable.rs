//! Texts that others chose, such as names of files, where people read them: nothing in them steers a terminal, and
//! nothing in a spreadsheet is taken for a formula.

use std::borrow::Cow;

use tband_conv::model::is_control;

/// Returns a text as one printable line: characters that could control a terminal are escaped as in Rust.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return text.into();
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if is_control(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
    }
    shown.into()
}

/// JSON as it is printed: the same is escaped as JSON has it. Line ends between its members stay.
#[must_use]
pub fn printable_json(json: String) -> String {
    let is_meant = |letter: char| is_control(letter) && letter != '\n';
    if !json.contains(is_meant) {
        return json;
    }
    let mut shown = String::new();
    for letter in json.chars() {
        // All that steer are of one such unit.
        if is_meant(letter) {
            shown.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A text as a cell of a table in Markdown. It cannot end the cell, and is shown as it is.
#[must_use]
pub fn markdown_cell(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' | '@' => {
                out.push('\\');
                out.push(letter);
            }
            letter if is_control(letter) => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

/// Returns a text as a cell of CSV: one that a spreadsheet would take for a formula gets a `'` in front, as in spreadsheets.
#[must_use]
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let shown = printable(text);
    let is_formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula && text.parse::<f64>().is_err() { format!("'{shown}").into() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_cell_of_markdown() {
        assert_eq!(markdown_cell("a|b\n<i>*"), "a\\|b &lt;i&gt;\\*");
    }

    #[test]
    fn escapes_exactly_the_control_characters() {
        assert_eq!(printable("Tonbandgerät 1\\2"), "Tonbandgerät 1\\2");
        assert_eq!(printable("a\x1b[2J\n\u{9b}m\u{202e}"), r"a\u{1b}[2J\n\u{9b}m\u{202e}");
        let json = "{\n \"a\": \"\u{7f}\u{9b}ä\"\n}".to_owned();
        assert_eq!(printable_json(json), "{\n \"a\": \"\\u007f\\u009bä\"\n}");
    }

    #[test]
    fn formulas_are_texts_and_numbers_stay_numbers() {
        for text in ["=1+2", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1"] {
            assert_eq!(csv_cell(text), format!("'{text}"));
        }
        assert_eq!(csv_cell("\t=1"), r"'\t=1");
        for text in ["", "-5", "+1.5", "1=1", "a-b", " =1"] {
            assert_eq!(csv_cell(text), text);
        }
    }
}
