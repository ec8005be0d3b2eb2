//! How many findings are shown, so that what is wrong with a recording does not make more of it than what is in it.

use std::collections::HashMap;

use crate::diagnostics::Problem;

/// Findings of each kind that are shown in any case.
const MANY: u64 = 100;
/// Further ones are shown as long as they come to no more than this part of the rest.
const PART: u64 = 4;

/// Counts the findings that a sink shows, and those that it does not. What they are counted in is up to the sink: bytes.
#[derive(Clone, Debug, Default)]
pub struct FindingQuota {
    shown: HashMap<Problem, u64>,
    size: u64,
    hidden: u64,
}

impl FindingQuota {
    /// Whether one more finding of this kind is shown, while all else came to `rest` so far.
    pub fn takes(&mut self, problem: Problem, rest: u64) -> bool {
        let shown = self.shown.entry(problem).or_default();
        let is_shown = *shown < MANY || self.size <= rest / PART;
        let count = if is_shown { shown } else { &mut self.hidden };
        *count = count.saturating_add(1);
        is_shown
    }

    /// What one that is shown came to.
    pub const fn add(&mut self, size: u64) {
        self.size = self.size.saturating_add(size);
    }

    /// What all that are shown came to.
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
    fn the_first_of_each_kind_are_shown_and_further_ones_by_what_else_there_is() {
        let mut quota = FindingQuota::default();
        let mut shown = |problem, rest, count| {
            (0..count)
                .filter(|_| {
                    let takes = quota.takes(problem, rest);
                    quota.add(if takes { 10 } else { 0 });
                    takes
                })
                .count()
        };
        assert_eq!(shown(Problem::TimeStepBack, 0, 1000), 100);
        assert_eq!(shown(Problem::UndecodableFrame, 0, 1000), 100);
        // They came to 2000 so far.
        assert_eq!(shown(Problem::TimeStepBack, 8040, 1000), 2);
        assert_eq!(quota.hidden(), 900 + 900 + 998);
        let said = quota.rest();
        assert_eq!(said.as_deref(), Some("2798 more findings, which are not shown"));
    }
}
