//! Texts of the target in quotes: as in Rust for people, as in JSON for programs.

use std::io::Write;

use tband_format::Str;

/// Appends a text in quotes; what could steer a terminal or end the line is escaped.
#[inline(never)]
pub(super) fn quoted(buf: &mut Vec<u8>, text: Str<'_>) {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if text.0.iter().all(is_plain) {
        buf.push(b'"');
        buf.extend_from_slice(text.0);
        buf.push(b'"');
    } else {
        // Writing into memory cannot fail.
        let _ = write!(buf, "{:?}", text.to_string());
    }
}

/// Appends a text as JSON; what is not UTF-8 becomes U+FFFD.
pub(super) fn json(buf: &mut Vec<u8>, text: Str<'_>) {
    buf.push(b'"');
    for chunk in text.0.utf8_chunks() {
        let mut plain = chunk.valid().as_bytes();
        while let Some(at) = plain.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
            let (before, from) = plain.split_at(at);
            buf.extend_from_slice(before);
            let Some((&byte, behind)) = from.split_first() else { break };
            escape(buf, byte);
            plain = behind;
        }
        buf.extend_from_slice(plain);
        if !chunk.invalid().is_empty() {
            buf.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
    buf.push(b'"');
}

fn escape(buf: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => buf.extend_from_slice(b"\\\""),
        b'\\' => buf.extend_from_slice(b"\\\\"),
        b'\n' => buf.extend_from_slice(b"\\n"),
        b'\r' => buf.extend_from_slice(b"\\r"),
        b'\t' => buf.extend_from_slice(b"\\t"),
        _ => {
            buf.extend_from_slice(b"\\u00");
            for digit in [byte >> 4, byte & 15] {
                buf.push(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_become_json() {
        let mut buf = Vec::new();
        json(&mut buf, Str(b"a\"\\\n\x01\x1f\xc3\xa4\xff"));
        assert_eq!(str::from_utf8(&buf).unwrap(), "\"a\\\"\\\\\\n\\u0001\\u001fä\u{FFFD}\"");
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
