//! The cost of the formats that recordings are converted to: a part of `cargo xtask bench host`.

use serde_json::{Value, json};

use super::measured::MeasuredCommand;
use crate::cost_page::Table;

/// The one that needs another build of the program.
pub(super) const PARQUET: &str = "parquet";

/// The cost of an export.
#[derive(Clone, Debug)]
pub struct ExportCost {
    /// Its name.
    pub name: &'static str,
    /// Instructions for each event, and the most there may be.
    pub instructions: u64,
    /// See `instructions`.
    pub most: u64,
    /// Bytes for each event.
    pub bytes: f64,
    /// The most memory for a recording of 10 MB, in MiB; 0 if it was not measured.
    pub peak_mib: f64,
}

/// A format, with the most instructions that an event may take.
const fn export(name: &'static str, args: &'static [&'static str], most: u64) -> MeasuredCommand {
    MeasuredCommand { name, args, most: [most; 2], writes: Some("out") }
}

/// All of them, and a question to the tables.
pub(super) const EXPORTS: [MeasuredCommand; 11] = [
    export("perfetto", &["conv", "-q"], 628),
    export("ctf1", &["conv", "-q", "--output-format", "ctf1"], 630),
    export("ctf2", &["conv", "-q", "--output-format", "ctf2"], 380),
    export("vcd", &["conv", "-q", "--output-format", "vcd"], 615),
    export("fst", &["conv", "-q", "--output-format", "fst"], 8960),
    export("flux", &["conv", "-q", "--output-format", "flux"], 1815),
    export("qs", &["conv", "-q", "--output-format", "qs"], 675),
    export("speedscope", &["conv", "-q", "--output-format", "speedscope"], 595),
    export("chrome", &["conv", "-q", "--output-format", "chrome"], 565),
    export(PARQUET, &["conv", "-q", "--output-format", "parquet"], 14800),
    MeasuredCommand {
        name: "query",
        args: &["query", "SELECT event, count(*) FROM events GROUP BY event"],
        most: [9050; 2],
        writes: None,
    },
];

/// The page's table.
#[must_use]
pub fn table(costs: &[ExportCost]) -> Table {
    let mut text = "| | instructions | bytes | MiB |\n|---|---|---|---|\n".to_owned();
    for it in costs {
        let bytes = if it.bytes > 0.0 { format!("{:.1}", it.bytes) } else { String::new() };
        text +=
            &format!("| `{}` | {} | {bytes} | {:.0} |\n", it.name, it.instructions, it.peak_mib);
    }
    Table { name: "exports", text }
}

/// Returns the same for programs.
pub(super) fn json(costs: &[ExportCost]) -> Value {
    let members = costs.iter().map(|it| {
        let figures = json!({
            "instructions_per_event": it.instructions,
            "bytes_per_event": (it.bytes * 10.0).round() / 10.0,
            "peak_rss_mib": (it.peak_mib * 10.0).round() / 10.0,
        });
        (it.name.to_owned(), figures)
    });
    Value::Object(members.collect())
}
