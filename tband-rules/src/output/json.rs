//! For programs.

use serde_json::{Value, json};

use super::Results;
use crate::baseline::number;
use crate::judge::{RuleResult, Verdict};

/// The results as one JSON object. Times are in ns.
#[must_use]
pub fn json(results: &Results<'_>) -> Value {
    json!({
        "rules": results.file,
        "inputs": results.inputs,
        "exit_code": results.code(),
        "holds": results.count(|it| *it == Verdict::Holds),
        "broken": results.count(|it| *it == Verdict::Broken),
        "not_judged": results.count(|it| matches!(it, Verdict::NotJudged(_))),
        "results": results.judged.iter().map(result_value).collect::<Vec<_>>(),
    })
}

fn result_value(it: &RuleResult) -> Value {
    let (verdict, reason) = match &it.verdict {
        Verdict::Broken => ("broken", None),
        Verdict::Holds => ("holds", None),
        Verdict::NotJudged(reason) => ("not judged", Some(reason)),
    };
    let finding = it.finding.as_ref();
    json!({
        "line": it.line,
        "rule": it.rule,
        "subject": it.subject,
        "verdict": verdict,
        "reason": reason,
        "severity": if it.is_warning { "warning" } else { "error" },
        "value": finding.and_then(|it| it.value).map(number),
        "at_ns": finding.and_then(|it| it.at_ns),
        "recording": finding.and_then(|it| it.recording.as_ref()),
        "is_whole": finding.map(|it| it.is_whole),
        "judged": finding.map(|it| it.judged),
        "cut": finding.map(|it| it.cut),
        "violations": finding.map(|it| it.broken),
        "used": it.used,
        "worst": it.worst,
        "split": it.split.as_ref().map(|split| &split.rows),
        "advice": it.split.as_ref().and_then(|split| split.advice.as_ref()),
    })
}
