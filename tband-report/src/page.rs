//! The report: one page that shows everything and needs no other file.

use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::check;
use crate::escape::escaped;
use crate::highlights::{self, highlights};
use crate::load::Areas;
use crate::messages::{self, Message};
use crate::stats::{Measurement, html, page};
use crate::time_unit::TimeUnit;
use crate::timeline::ReportTimeline;
use crate::why::Overview;

/// The page's style, and its script. The web page uses the same.
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

/// The page loads nothing.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// Everything that a view shows, as a text of JSON: `title`, `messages`, `check`, `highlights`, `tables`, `load`,
/// `activations`, `picture`, and `left_out`, a sentence or null.
#[must_use]
pub fn view(shown: PageRecording<'_>, messages: &[Message], left_out: Option<Message>) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = write_view(shown, messages, left_out, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes the output of [`view`], without storing any part of it.
fn write_view(
    shown: PageRecording<'_>,
    messages: &[Message],
    left_out: Option<Message>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let PageRecording { measured, picture, activations, load, cores } = shown;
    let unit = TimeUnit::of(&measured.summary.diagnostics);
    let messages: Vec<_> = messages.iter().map(|(label, text)| (label.name(), text)).collect();
    write!(
        out,
        "{{\"title\":{},\"messages\":{},\"check\":{},\"highlights\":{},\"left_out\":{},\"load\":{},\"picture\":{},\"activations\":",
        json!(shown.title()),
        json!(messages),
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
pub struct PageRecording<'m> {
    /// The measured numbers.
    pub measured: &'m Measurement,
    /// Its timeline.
    pub picture: &'m ReportTimeline,
    /// Its activations.
    pub activations: &'m Overview,
    /// Its load over time.
    pub load: &'m Areas,
    /// The number of cores that the user gives for the target.
    pub cores: Option<u32>,
}

impl PageRecording<'_> {
    fn title(self) -> String {
        self.measured.summary.inputs.join(", ")
    }

    /// Writes the part that needs no script.
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

    /// Writes the script's data: two elements, whose ids have the same end.
    fn data(self, id: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self { measured, picture, .. } = self;
        let messages = messages::findings(&measured.summary);
        let left_out = messages::report_omissions(picture, &measured.summary);
        let data = packed(|json| write_view(self, &messages, left_out, json))?;
        writeln!(out, "<script type=\"text/plain\" id=\"data{id}\">{data}</script>")?;
        drop(data);
        let slices = packed(|bytes| bytes.write_all(picture.bytes()))?;
        writeln!(out, "<script type=\"text/plain\" id=\"slices{id}\">{slices}</script>")
    }
}

/// How the figures of two recordings compare.
#[derive(Clone, Debug)]
pub struct PageComparison {
    /// As text, for pages without a script.
    pub text: String,
    /// As the script shows it: `lines`, `rows` of six texts each, and `summary`.
    pub json: Value,
}

/// Writes the report of a recording, or of two: one above the other, with the differences. `compared` comes before both.
///
/// # Errors
/// If the output cannot be written.
pub fn report(
    recordings: &[PageRecording<'_>],
    compared: Option<&PageComparison>,
    mut out: impl Write,
) -> io::Result<()> {
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
    if let Some(PageComparison { text, .. }) = compared {
        writeln!(out, "<pre>{}</pre>", escaped(text))?;
    }
    for shown in recordings {
        shown.plain(&mut out)?;
    }
    out.write_all(b"</noscript></main>\n")?;
    for (shown, id) in recordings.iter().zip(["", "-2"]) {
        shown.data(id, &mut out)?;
    }
    if let Some(PageComparison { json, .. }) = compared {
        let data = packed(|out| write!(out, "{json}"))?;
        writeln!(out, "<script type=\"text/plain\" id=\"compared\">{data}</script>")?;
    }
    writeln!(out, "<script>\n\"use strict\";")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
    }
    out.write_all(b"showReport();\n</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// Returns the output of `write` for a page: compressed with gzip, which browsers decompress, as base64, which cannot contain a
/// tag.
///
/// # Errors
/// Those of `write`.
pub fn packed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    // Some of the output comes in small pieces.
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
            tband_conv::encoding::Base64Reader::new(text.as_bytes())
                .read_to_end(&mut back)
                .unwrap();
            assert_eq!(back, bytes);
        }
    }
}
