//! `dump`: a recording, one line an event.

use std::io;

use tband_conv::DumpFormat;

use crate::Outcome;
use crate::args::DumpArgs;
use crate::input::Named;
use crate::report::Report;

pub fn run(args: &DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    let input = Named::parse(&args.input)?.stream(args.format.into());
    let format = match (args.json, report.is_verbose()) {
        (true, _) => DumpFormat::Json,
        (false, true) => DumpFormat::TextWithOffsets,
        (false, false) => DumpFormat::Text,
    };
    // Lines come in blocks already.
    let stdout = io::stdout().lock();
    let summary = tband_conv::dump(&input, args.mode.into(), format, stdout)?;
    let name = input.name();
    if let Some((offset, text)) = &summary.first_defect {
        let text = format!("{name}: byte {offset}: {text}");
        match summary.defects.saturating_sub(1) {
            0 => report.warn(&text),
            more => report.warn(&format!("{text} (and {more} more frames that do not decode)")),
        }
    }
    if summary.lost > 0 {
        report.warn(&format!("{name}: {} events lost on the target", summary.lost));
    }
    let clean = summary.defects == 0 && summary.lost == 0;
    Ok(if clean { Outcome::Clean } else { Outcome::Damaged })
}
