//! For GitHub's workflows: annotations at the lines of the rules.

use std::fmt::Write as _;

use super::{Results, summary};
use crate::judge::Verdict;

/// Annotations that GitHub shows for one step, of each level.
const MOST: usize = 10;

/// The results as workflow commands. The path of the rules is relative to the repository.
#[must_use]
pub fn github(results: &Results<'_>, path: &str) -> String {
    let mut out = String::new();
    for level in ["error", "warning"] {
        let of_level = results.judged.iter().filter(|it| {
            let is = match it.verdict {
                Verdict::Holds => return false,
                Verdict::Broken if !it.is_warning => "error",
                _ => "warning",
            };
            is == level
        });
        for it in of_level.take(MOST) {
            let word = match it.verdict {
                Verdict::NotJudged(_) => "not judged",
                _ => "broken",
            };
            // Text takes everything.
            let _ = writeln!(
                out,
                "::{level} file={},line={},title={}::{}",
                property(path),
                it.line.max(1),
                property(&format!("{word}: {}", it.rule)),
                data(&summary(it))
            );
        }
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_cannot_begin_a_command() {
        assert_eq!(super::data("a\n::error::b%"), "a%0A::error::b%25");
        assert_eq!(super::property("a,b:c"), "a%2Cb%3Ac");
    }
}
