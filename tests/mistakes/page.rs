//! The messages on the page of the guide about trouble.

use std::fmt::Write as _;

use crate::mistake::MistakeKind;

/// The line after which the page is generated.
pub const MARK: &str = "<!-- messages: generated -->\n";

/// Parts of messages that state their cause or their remedy. The page leaves these messages out.
const WITH_REMEDY: [&str; 11] = [
    "tband: ",
    " must be ",
    "Add as the last line",
    "Add to FreeRTOSConfig.h",
    "Copy the one for your chip",
    "Put into tband_",
    "Put its version",
    "choose exactly one",
    "chooses another.",
    "is not a macro of tband",
    "C99, and the compiler",
];

/// The kind whose messages `check` prints with meaning and remedy, so the page leaves them out.
const AT_RUN_TIME: &str = "At run time";

/// Returns the page with the messages of all mistakes of a build after [`MARK`].
pub fn with_messages(page: &str) -> String {
    let (before, _) = page.split_once(MARK).expect("the mark");
    let mut text = format!("{before}{MARK}");
    for kind in MistakeKind::all().iter().filter(|kind| kind.title != AT_RUN_TIME) {
        let rows = rows(kind);
        if rows.is_empty() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "\n### {}\n\n| {} | cause |\n|---|---|\n", kind.title, kind.who);
        for (message, causes) in rows {
            let message = message.replace('|', "\\|");
            let fence = if message.contains('`') { "`` " } else { "`" };
            let end: String = fence.chars().rev().collect();
            let _ = writeln!(text, "| {fence}{message}{end} | {} |", causes.join("; "));
        }
    }
    text
}

/// Each message without a remedy once, with the mistakes that it reports.
fn rows(kind: &MistakeKind) -> Vec<(&str, Vec<&str>)> {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    let has_remedy = |message: &str| WITH_REMEDY.iter().any(|part| message.contains(part));
    for mistake in kind.mistakes.iter().filter(|mistake| !has_remedy(&mistake.messages[0])) {
        let message = mistake.messages[0].as_str();
        match rows.iter_mut().find(|row| row.0 == message) {
            Some((_, causes)) => causes.push(&mistake.what),
            None => rows.push((message, vec![mistake.what.as_str()])),
        }
    }
    rows
}
