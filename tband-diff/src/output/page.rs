//! For the report page.

use serde_json::{Value, json};

use super::{Results, remark, size, subject, unpaired, values};

/// What the page shows: `lines` about the recordings, `rows` of texts, and the `summary`. A row has the subject, the figure,
/// the values of A and B, the change, the verdict, and a remark.
#[must_use]
pub fn page(results: &Results<'_>) -> Value {
    let comparison = results.comparison;
    let lines: Vec<_> = results.differences.iter().cloned().chain(unpaired(comparison)).collect();
    let rows: Vec<_> = results
        .shown_rows()
        .into_iter()
        .map(|row| {
            let figure = &row.figure;
            json!([
                subject(figure.kind, &figure.subject),
                figure.name,
                values(row),
                size(row, comparison.recordings),
                row.shown_verdict(comparison),
                remark(row, comparison),
            ])
        })
        .collect();
    json!({ "lines": lines, "rows": rows, "summary": results.summary() })
}
