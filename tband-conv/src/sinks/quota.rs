//! Limits the number of findings that are shown, so that findings do not take more of the output than the events.

use std::collections::HashMap;

use crate::diagnostics::Problem;

/// Findings of each kind that are shown in any case.
const MANY: u64 = 100;
/// Further ones are shown as long as their total is at most the size of the rest divided by this.
const PART: u64 = 4;

/// Counts the findings that a sink shows, and those that it does not. The sink chooses the unit of their size: bytes.
#[derive(Clone, Debug, Default)]
pub struct FindingQuota {
    shown: HashMap<Problem, u64>,
    size: u64,
    hidden: u64,
}

impl FindingQuota {
    /// Whether one more finding of this kind is shown, while everything else has the size `rest` so far.
    pub fn admit(&mut self, problem: Problem, rest: u64) -> bool {
        let shown = self.shown.entry(problem).or_default();
        let is_shown = *shown < MANY || self.size <= rest / PART;
        let count = if is_shown { shown } else { &mut self.hidden };
        *count = count.saturating_add(1);
        is_shown
    }

    /// Adds the size of a shown finding.
    pub const fn add(&mut self, size: u64) {
        self.size = self.size.saturating_add(size);
    }

    /// Returns the total size of all shown findings.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// How many are not shown.
    #[must_use]
    pub const fn hidden(&self) -> u64 {
        self.hidden
    }

    /// That there are some which are not shown, in words.
    #[must_use]
    pub fn rest(&self) -> Option<String> {
        (self.hidden > 0).then(|| format!("{} more findings, which are not shown", self.hidden))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_findings_of_each_kind_by_the_remaining_size() {
        let mut quota = FindingQuota::default();
        let mut shown = |problem, rest, count| {
            (0..count)
                .filter(|_| {
                    let takes = quota.admit(problem, rest);
                    quota.add(if takes { 10 } else { 0 });
                    takes
                })
                .count()
        };
        assert_eq!(shown(Problem::TimeStepBack, 0, 1000), 100);
        assert_eq!(shown(Problem::UndecodableFrame, 0, 1000), 100);
        // Their size is 2000 so far.
        assert_eq!(shown(Problem::TimeStepBack, 8040, 1000), 2);
        assert_eq!(quota.hidden(), 900 + 900 + 998);
        let text = quota.rest();
        assert_eq!(text.as_deref(), Some("2798 more findings, which are not shown"));
    }
}
