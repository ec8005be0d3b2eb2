//! The report: one page that shows everything and needs nothing else.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::check;
use crate::messages::{self, Message};
use crate::picture::Picture;
use crate::stats::{Measured, page};

/// What the page looks like, and what draws it. The web page has the same.
pub const STYLE: &str = include_str!("../viewer/style.css");
/// Parts of the script, in the order in which they stand in a page.
pub const SCRIPTS: [&str; 5] = [
    include_str!("../viewer/data.js"),
    include_str!("../viewer/tables.js"),
    include_str!("../viewer/draw.js"),
    include_str!("../viewer/timeline.js"),
    include_str!("../viewer/view.js"),
];

/// Nothing is loaded from anywhere.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// Everything that a view shows, as a text of JSON: `title`, `messages`, `check`, `tables`, `picture`.
#[must_use]
pub fn view(
    measured: &Measured,
    picture: &Picture,
    said: &[Message],
    cores: Option<u32>,
) -> String {
    let said: Vec<_> = said.iter().map(|(label, text)| (label.name(), text)).collect();
    let view = json!({
        "title": measured.summary.inputs.join(", "),
        "messages": said,
        "check": check::json(&measured.summary, &measured.stats, cores),
        "tables": page(&measured.tables),
        "picture": picture.head(),
    });
    view.to_string()
}

/// Writes the report of a recording. `cores`: as many as the user says that the target has.
///
/// # Errors
/// If the output cannot be written.
pub fn report(
    measured: &Measured,
    picture: &Picture,
    cores: Option<u32>,
    mut out: impl Write,
) -> io::Result<()> {
    let said = messages::findings(&measured.summary);
    let title = measured.summary.inputs.join(", ");
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"tband {}\">\n\
         <title>{} - tband report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main id=\"view\"><noscript>This report is drawn by a script, which is part of this file.\
         </noscript></main>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(&title),
    )?;
    // No end tag can be in it.
    let json = view(measured, picture, &said, cores).replace('<', "\\u003c");
    writeln!(out, "<script type=\"application/json\" id=\"data\">{json}</script>")?;
    write!(out, "<script type=\"text/plain\" id=\"stretches\">")?;
    let mut packed = GzEncoder::new(Base64::new(&mut out), Compression::default());
    packed.write_all(picture.bytes())?;
    packed.finish()?.finish()?;
    writeln!(out, "</script>\n<script>\n\"use strict\";")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
    }
    out.write_all(b"showReport();\n</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes base64.
struct Base64<W> {
    out: W,
    /// Bytes that are no group of three yet.
    rest: Vec<u8>,
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A multiple of three.
const BLOCK: usize = 3 * 4096;

impl<W: Write> Base64<W> {
    const fn new(out: W) -> Self {
        Self { out, rest: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut text = Vec::with_capacity(bytes.len() / 3 * 4 + 4);
        for group in bytes.chunks(3) {
            let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for digit in 0..4 {
                let index = (bits >> (18 - 6 * digit)) as usize & 63;
                text.push(if digit > group.len() { b'=' } else { DIGITS[index] });
            }
        }
        self.out.write_all(&text)
    }

    /// Writes what is left.
    fn finish(mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        self.put(&rest)
    }
}

impl<W: Write> Write for Base64<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        if self.rest.len() >= BLOCK {
            let left = self.rest.split_off(self.rest.len() / 3 * 3);
            let whole = std::mem::replace(&mut self.rest, left);
            self.put(&whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn base64_is_read_back() {
        for len in [0, 1, 2, 3, 4, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 2] {
            let bytes: Vec<u8> = (0..len).map(|it| (it * 7) as u8).collect();
            let mut text = Vec::new();
            let mut out = Base64::new(&mut text);
            for part in bytes.chunks(1001) {
                out.write_all(part).unwrap();
            }
            out.finish().unwrap();
            let mut back = Vec::new();
            tband_conv::Base64Reader::new(&*text).read_to_end(&mut back).unwrap();
            assert!(back == bytes, "{len}");
        }
    }
}
