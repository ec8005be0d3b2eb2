//! Texts of the target in quotes: as in Rust for people, as in JSON for programs.

use std::io::Write;

use tband_format::Str;

use crate::model::is_control;

/// Appends a text in quotes; characters that could control a terminal or end the line are escaped.
#[inline(never)]
pub(super) fn quoted(buf: &mut Vec<u8>, text: Str<'_>) {
    if !plain(buf, text) {
        // Writing into memory cannot fail.
        let _ = write!(buf, "{:?}", text.to_string());
    }
}

/// Appends a text as JSON. Bytes that are not UTF-8 become U+FFFD. Characters that could control a terminal are escaped, though
/// JSON requires fewer escapes.
#[inline(never)]
pub(super) fn json(buf: &mut Vec<u8>, text: Str<'_>) {
    if plain(buf, text) {
        return;
    }
    buf.push(b'"');
    for letter in text.to_string().chars() {
        let _ = match letter {
            '"' | '\\' => write!(buf, "\\{letter}"),
            '\n' => write!(buf, "\\n"),
            '\r' => write!(buf, "\\r"),
            '\t' => write!(buf, "\\t"),
            _ if is_control(letter) => write!(buf, "\\u{:04x}", u32::from(letter)),
            _ => write!(buf, "{letter}"),
        };
    }
    buf.push(b'"');
}

/// Appends a text without escapes, in quotes. Returns false, without effect, if it needs escapes.
fn plain(buf: &mut Vec<u8>, text: Str<'_>) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if !text.0.iter().all(is_plain) {
        return false;
    }
    buf.push(b'"');
    buf.extend_from_slice(text.0);
    buf.push(b'"');
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_become_json() {
        let mut buf = Vec::new();
        json(&mut buf, Str("a\"\\\n\r\t\x01\x1f\x7fä\u{9b}".as_bytes()));
        let expected = r#""a\"\\\n\r\t\u0001\u001f\u007fä\u009b""#;
        assert_eq!(str::from_utf8(&buf).unwrap(), expected);
        buf.clear();
        json(&mut buf, Str(b"x\xff"));
        assert_eq!(str::from_utf8(&buf).unwrap(), "\"x\u{FFFD}\"");
    }

    #[test]
    fn quotes_are_those_of_rust() {
        for byte in 0..=u8::MAX {
            let text = [b'x', byte, b'y'];
            let mut buf = Vec::new();
            quoted(&mut buf, Str(&text));
            assert_eq!(
                str::from_utf8(&buf).unwrap(),
                format!("{:?}", String::from_utf8_lossy(&text))
            );
        }
    }
}
