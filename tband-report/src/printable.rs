//! Texts that others chose, such as names of files, where people read them: nothing in them steers a terminal, and
//! nothing in a spreadsheet is taken for a formula.

use std::borrow::Cow;

use tband_conv::steers;

/// A text of one line as it is printed: what could steer a terminal is escaped as in Rust.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return text.into();
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if steers(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
    }
    shown.into()
}

/// JSON as it is printed: the same is escaped as JSON has it. Line ends between its members stay.
#[must_use]
pub fn printable_json(json: String) -> String {
    let is_meant = |letter: char| steers(letter) && letter != '\n';
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

/// A text as a cell of CSV: what a spreadsheet would take for a formula has a `'` in front, as there.
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
    fn what_steers_is_escaped_and_nothing_else() {
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
