//! The answer as JSON.

use serde_json::{Value, json};
use tband_conv::activations::PartKind;

use super::Answer;
use super::advice::advice;
use super::collect::NamedActivation;
use super::split::Row;

/// The answer as one JSON object. Times are in ns.
#[must_use]
pub fn json(answer: &Answer) -> Value {
    let Answer { question, count: (count, whole), lengths, worst, .. } = answer;
    json!({
        "subject": worst.first().map_or(question.subject.as_str(), |found| found.name.as_str()),
        "kind": question.kind.name(),
        "by": question.by.name(),
        "activations": count,
        "whole": whole,
        "is_sample": lengths.is_sample(),
        "median_ns": lengths.percentile(50),
        "p99_ns": lengths.percentile(99),
        "max_ns": lengths.max(),
        "worst": worst.iter().map(activation_value).collect::<Vec<_>>(),
    })
}

fn activation_value(found: &NamedActivation) -> Value {
    let sums = PartKind::ALL.into_iter().zip(found.sums);
    let sums: serde_json::Map<_, _> = sums
        .map(|(kind, ns)| (format!("{}_ns", kind.name().replace(' ', "_")), ns.into()))
        .collect();
    json!({
        "number": found.number,
        "release": found.release,
        "object": found.object,
        "woken_by": found.woken_by,
        "priority": found.priority,
        "released_ns": found.released_ns,
        "ready_ns": found.ready_ns,
        "started_ns": found.started_ns,
        "ended_ns": found.ended_ns,
        "response_ns": found.response_ns(),
        "length_ns": found.length_ns,
        "inverted_ns": found.inverted_ns,
        "resumes": found.resumes,
        "merged": found.merged,
        "begin_seen": found.begin_seen,
        "end_seen": found.end_seen,
        "sums": sums,
        "split": found.rows.iter().map(row).collect::<Vec<_>>(),
        "advice": advice(found),
    })
}

fn row(row: &Row) -> Value {
    json!({
        "ns": row.ns,
        "text": row.text,
        "kind": row.kind.name(),
        "is_detail": row.is_detail,
        "is_inverted": row.is_inverted,
        "lock": row.lock,
        "tasks": row.tasks,
    })
}
