//! For CI servers that read JUnit's XML: a test case for each rule and subject.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Results, details, summary};
use crate::judge::{RuleResult, Verdict};

/// The results as XML of JUnit.
///
/// # Errors
/// The XML cannot be written.
pub fn junit(results: &Results<'_>) -> Result<String, String> {
    let mut report = Report::new("tband-cli assert");
    let mut suite = TestSuite::new(results.file);
    // GitLab shows the class as the suite.
    suite.add_test_cases(results.judged.iter().map(|it| test_case(results.file, it)));
    report.add_test_suite(suite);
    report.to_string().map(|xml| without_skipped(&xml)).map_err(|error| error.to_string())
}

/// The schema has the attribute `skipped` for suites, and not for all of them together.
fn without_skipped(xml: &str) -> String {
    let parts = xml.split_once("<testsuites").and_then(|(head, rest)| {
        let (tag, tail) = rest.split_once('>')?;
        let (before, after) = tag.split_once(" skipped=\"")?;
        Some(format!("{head}<testsuites{before}{}>{tail}", after.split_once('"')?.1))
    });
    parts.unwrap_or_else(|| xml.to_owned())
}

fn test_case(file: &str, it: &RuleResult) -> TestCase {
    let mut status = match &it.verdict {
        Verdict::Holds => TestCaseStatus::success(),
        // A warning fails no build.
        Verdict::Broken if it.is_warning => TestCaseStatus::skipped(),
        Verdict::Broken => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::NotJudged(_) => TestCaseStatus::skipped(),
    };
    if it.verdict != Verdict::Holds {
        let kind = match (&it.verdict, it.is_warning) {
            (Verdict::NotJudged(_), _) => "not judged",
            (_, true) => "warning",
            _ => "broken",
        };
        // The schema allows no attributes of a skipped test.
        if it.verdict == Verdict::Broken && !it.is_warning {
            status.set_type(kind);
            status.set_message(summary(it));
        }
        // GitLab may show the body alone.
        let place = super::place(file, it);
        let lines =
            [vec![format!("{place} {}", it.rule), format!("{kind}: {}", summary(it))], details(it)];
        status.set_description(lines.concat().join("\n"));
    }
    let mut case = TestCase::new(it.rule.as_str(), status);
    case.set_classname(file);
    case
}
