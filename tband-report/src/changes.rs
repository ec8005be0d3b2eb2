//! Changes to a recording's bytes on the way, and what could be restored.

use std::fmt::Write as _;

use crate::printable::printable;
use serde_json::{Value, json};
use tband_conv::Summary;
use tband_conv::counted;
use tband_conv::diagnostics::Problem;
use tband_conv::repair::change::{Change as ByteChange, ChangeCount};

/// For people: a line for each change.
pub fn text(summary: &Summary) -> String {
    let mut text = String::new();
    for (change, count) in found(summary) {
        let ChangeCount { restored, not_restored, beside, beside_bytes, .. } = count;
        let _ = write!(text, "{}: {change}", change.id());
        if restored > 0 {
            let _ = write!(text, "; {} restored, as their checks prove", packets(restored));
        }
        if not_restored > 0 {
            let _ = write!(text, "; {} not restored", packets(not_restored));
        }
        let quote = summary.diagnostics.get(Problem::TextOnLine);
        match quote.filter(|_| change == ByteChange::Text) {
            Some(found) if beside > 0 => {
                let quoted = found.text.split_once(": ").map_or(&*found.text, |(_, text)| text);
                let _ = write!(text, "; {beside} × {}", printable(quoted));
            }
            _ if beside > 0 => {
                let _ = write!(text, "; {beside_bytes} bytes beside the packets");
            }
            _ => {}
        }
        let _ = writeln!(text, "\n  do     {}", change.advice());
    }
    text
}

/// Returns the same for programs.
pub fn json(summary: &Summary) -> Value {
    let all = found(summary).map(|(change, count)| {
        json!({
            "id": change.id(),
            "text": change.title(),
            "advice": change.advice(),
            "packets_restored": count.restored,
            "runs_not_restored": count.not_restored,
            "runs_beside_packets": count.beside,
            "bytes_beside_packets": count.beside_bytes,
        })
    });
    all.collect()
}

fn found(summary: &Summary) -> impl Iterator<Item = (ByteChange, ChangeCount)> {
    summary.link.iter().flat_map(|link| link.changes.iter().collect::<Vec<_>>())
}

fn packets(count: u64) -> String {
    counted(count, "packet")
}
