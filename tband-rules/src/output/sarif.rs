//! For code scanning: SARIF 2.1.0, a result for each rule and subject that does not hold.

use serde_json::{Value, json};

use super::{Results, details, summary};
use crate::judge::{RuleResult, Verdict};

/// The results as SARIF. The path of the rules is relative to the repository.
#[must_use]
pub fn sarif(results: &Results<'_>, path: &str) -> Value {
    let shown = results.judged.iter().filter(|it| it.verdict != Verdict::Holds);
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tband-cli",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    { "id": "broken", "shortDescription": { "text": "A rule for recordings is broken" } },
                    { "id": "not-judged", "shortDescription": { "text": "A rule for recordings could not be judged" } },
                ],
            } },
            "results": shown.map(|it| result_value(it, path)).collect::<Vec<_>>(),
        }],
    })
}

fn result_value(it: &RuleResult, path: &str) -> Value {
    let (id, level) = match (&it.verdict, it.is_warning) {
        (Verdict::NotJudged(_), _) => ("not-judged", "note"),
        (_, true) => ("broken", "warning"),
        _ => ("broken", "error"),
    };
    let text = [vec![format!("{}: {}", it.rule, summary(it))], details(it)].concat().join("\n");
    json!({
        "ruleId": id,
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(path) },
            "region": { "startLine": it.line.max(1) },
        } }],
        // An alert keeps its identity when its value and its line change.
        "partialFingerprints": { "ruleAndSubject/v1": format!("{}|{}", it.rule, it.subject) },
    })
}

/// Returns a path as a relative reference: invalid characters are percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_are_references() {
        assert_eq!(super::uri("a b\\ü.toml"), "a%20b/%C3%BC.toml");
    }
}
