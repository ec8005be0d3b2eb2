//! The results in the formats of people, CI servers and pull requests.

mod github;
mod json;
mod junit;
mod markdown;
mod sarif;
mod text;

pub use github::github;
pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use text::text;

use crate::judge::{RuleResult, Verdict};

/// All results.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// The file of rules, as the user named it.
    pub file: &'a str,
    /// The inputs, as the user named them.
    pub inputs: &'a [String],
    /// One result for each rule and subject.
    pub judged: &'a [RuleResult],
}

impl Results<'_> {
    /// The exit code: 0 if all hold, 1 if one is broken, 3 if none is broken and some are not judged.
    #[must_use]
    pub fn code(&self) -> u8 {
        let errors = || self.judged.iter().filter(|it| !it.is_warning);
        if errors().any(|it| it.verdict == Verdict::Broken) {
            1
        } else if errors().any(|it| matches!(it.verdict, Verdict::NotJudged(_))) {
            3
        } else {
            0
        }
    }

    fn count(&self, is: fn(&Verdict) -> bool) -> usize {
        self.judged.iter().filter(|it| is(&it.verdict)).count()
    }
}

/// The lines of a result: the worst value, the split, the advice.
fn details(it: &RuleResult) -> Vec<String> {
    let mut lines = Vec::new();
    if let Verdict::NotJudged(reason) = &it.verdict {
        lines.push(format!("not judged: {reason}"));
    } else if let Some(worst) = &it.worst {
        lines.push(worst.clone());
    }
    if let Some(split) = &it.split {
        lines.extend(split.rows.iter().cloned());
        lines.extend(split.advice.iter().map(|advice| format!("do: {advice}")));
    }
    lines
}

/// A result in one line.
fn summary(it: &RuleResult) -> String {
    match (&it.verdict, &it.worst, &it.split) {
        (Verdict::NotJudged(reason), _, _) => reason.clone(),
        (_, Some(worst), Some(split)) => format!("{worst}; {}", split.most),
        (_, Some(worst), None) => worst.clone(),
        _ => String::new(),
    }
}

/// The place of a rule.
fn place(file: &str, it: &RuleResult) -> String {
    if it.line == 0 { "built in".to_owned() } else { format!("{file}:{}", it.line) }
}
