//! The report: one page that shows everything and needs nothing else.

use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::check;
use crate::escape::escaped;
use crate::highlights::{self, highlights};
use crate::load::Areas;
use crate::messages::{self, Message};
use crate::picture::Picture;
use crate::stats::{Measured, html, page};
use crate::time_unit::TimeUnit;
use crate::why::Overview;

/// What the page looks like, and what draws it. The web page has the same.
pub const STYLE: &str = include_str!("../viewer/style.css");
/// Parts of the script, in the order in which they are in a page.
pub const SCRIPTS: [&str; 26] = [
    include_str!("../viewer/data/lane.js"),
    include_str!("../viewer/drawing/colours.js"),
    include_str!("../viewer/data/load.js"),
    include_str!("../viewer/data/detail.js"),
    include_str!("../viewer/data/picture.js"),
    include_str!("../viewer/page/links.js"),
    include_str!("../viewer/page/tables.js"),
    include_str!("../viewer/drawing/draw.js"),
    include_str!("../viewer/data/order.js"),
    include_str!("../viewer/input/search.js"),
    include_str!("../viewer/input/keys.js"),
    include_str!("../viewer/page/tip.js"),
    include_str!("../viewer/drawing/row.js"),
    include_str!("../viewer/drawing/rows.js"),
    include_str!("../viewer/drawing/load.js"),
    include_str!("../viewer/drawing/wakes.js"),
    include_str!("../viewer/drawing/range.js"),
    include_str!("../viewer/page/areas.js"),
    include_str!("../viewer/page/activations.js"),
    include_str!("../viewer/page/panel.js"),
    include_str!("../viewer/input/pointer.js"),
    include_str!("../viewer/drawing/print.js"),
    include_str!("../viewer/timeline.js"),
    include_str!("../viewer/pair.js"),
    include_str!("../viewer/page/differences.js"),
    include_str!("../viewer/view.js"),
];

/// Nothing is loaded from anywhere.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// Everything that a view shows, as a text of JSON: `title`, `messages`, `check`, `highlights`, `tables`, `load`,
/// `activations`, `picture`, and `left_out`, a sentence or null.
#[must_use]
pub fn view(shown: Shown<'_>, said: &[Message], left_out: Option<Message>) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = write_view(shown, said, left_out, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes what [`view`] gives, and keeps no part of it.
fn write_view(
    shown: Shown<'_>,
    said: &[Message],
    left_out: Option<Message>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Shown { measured, picture, activations, load, cores } = shown;
    let unit = TimeUnit::of(&measured.summary.diagnostics);
    let said: Vec<_> = said.iter().map(|(label, text)| (label.name(), text)).collect();
    write!(
        out,
        "{{\"title\":{},\"messages\":{},\"check\":{},\"highlights\":{},\"left_out\":{},\"load\":{},\"picture\":{},\"activations\":",
        json!(shown.title()),
        json!(said),
        check::json(&measured.summary, &measured.stats, cores),
        highlights::page(&highlights(&measured.stats), unit),
        json!(left_out.map(|(_, text)| text)),
        load.json(),
        picture.head_text(),
    )?;
    activations.write(|subject| picture.place_of(subject), out)?;
    out.write_all(b",\"tables\":")?;
    page(&measured.tables, out)?;
    out.write_all(b"}")
}

/// One of the recordings of a report.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'m> {
    /// What was measured of it.
    pub measured: &'m Measured,
    /// Its timeline.
    pub picture: &'m Picture,
    /// Its activations.
    pub activations: &'m Overview,
    /// Its load over time.
    pub load: &'m Areas,
    /// As many cores as the user says that the target has.
    pub cores: Option<u32>,
}

impl Shown<'_> {
    fn title(self) -> String {
        self.measured.summary.inputs.join(", ")
    }

    /// What is there without a script.
    fn plain(self, out: &mut dyn Write) -> io::Result<()> {
        let text = check::text(&self.measured.summary, &self.measured.stats, self.cores);
        writeln!(
            out,
            "<h1>{}</h1>\n\
             <p>A script, which is part of this file, draws the timeline; without it there are numbers.</p>\n\
             <pre>{}</pre>",
            escaped(&self.title()),
            escaped(&text),
        )?;
        html(&self.measured.tables, out)
    }

    /// What the script draws it from: two elements, whose ids end alike.
    fn data(self, id: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self { measured, picture, .. } = self;
        let said = messages::findings(&measured.summary);
        let left_out = messages::left_out_of_report(picture, &measured.summary);
        let data = packed(|json| write_view(self, &said, left_out, json))?;
        writeln!(out, "<script type=\"text/plain\" id=\"data{id}\">{data}</script>")?;
        drop(data);
        let slices = packed(|bytes| bytes.write_all(picture.bytes()))?;
        writeln!(out, "<script type=\"text/plain\" id=\"slices{id}\">{slices}</script>")
    }
}

/// Writes the report of a recording, or of two: one above the other, and what is different.
///
/// # Errors
/// If the output cannot be written.
pub fn report(recordings: &[Shown<'_>], mut out: impl Write) -> io::Result<()> {
    let titles: Vec<_> = recordings.iter().map(|it| it.title()).collect();
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"tband {0}\">\n\
         <title>{1} - tband report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main id=\"view\"><noscript>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(&titles.join(" and ")),
    )?;
    for shown in recordings {
        shown.plain(&mut out)?;
    }
    out.write_all(b"</noscript></main>\n")?;
    for (shown, id) in recordings.iter().zip(["", "-2"]) {
        shown.data(id, &mut out)?;
    }
    writeln!(out, "<script>\n\"use strict\";")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
    }
    out.write_all(b"showReport();\n</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// What `write` writes, for a page: compressed with gzip, which browsers decompress, as base64, in which no tag can be.
///
/// # Errors
/// Those of `write`.
pub fn packed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    // Some comes in small pieces.
    let mut packed = BufWriter::new(GzEncoder::new(Vec::new(), Compression::best()));
    write(&mut packed)?;
    let packed = packed.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(base64(&packed.finish()?))
}

/// The digits of base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 3 * 4 + 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit)) as usize & 63;
            text.push(if digit > group.len() { '=' } else { DIGITS[index].into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn base64_is_read_back() {
        for len in 0..70 {
            let bytes: Vec<u8> = (0..len).map(|it: u8| it.wrapping_mul(77)).collect();
            let mut back = Vec::new();
            let text = base64(&bytes);
            assert_eq!(text.len(), usize::from(len).div_ceil(3) * 4);
            tband_conv::Base64Reader::new(text.as_bytes()).read_to_end(&mut back).unwrap();
            assert_eq!(back, bytes);
        }
    }
}
