//! Items that a timeline does not have one by one.

use std::fmt::Write as _;

use super::lane::Lane;
use super::row::Row;
use super::text::TextTable;
use crate::time_unit::TimeUnit;

/// Items that a timeline leaves out, and their replacements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedItems {
    /// Slices, moments and levels that are kept unchanged.
    pub kept: u64,
    /// Those that are part of an aggregate.
    pub aggregated: u64,
    /// Aggregates.
    pub aggregates: u64,
    /// Shorter slices may be part of an aggregate, in ns; 0 if there is none.
    pub below_ns: i64,
    /// Spans and interrupts that are nested so deep that they have no lane.
    pub too_deep: u64,
    /// Slices with a text that is not distinguished from others.
    pub textless: u64,
}

impl OmittedItems {
    pub(super) fn of(rows: &[Row], texts: &TextTable, below_ns: i64) -> Self {
        let lanes = || rows.iter().flat_map(|row| &row.lanes);
        let sum = |of: fn(&Lane) -> u64| lanes().map(of).sum::<u64>();
        let aggregates = sum(|lane| lane.aggregates.len() as u64);
        Self {
            kept: sum(|lane| lane.done.len() as u64) - aggregates,
            aggregated: sum(|lane| lane.aggregates.iter().map(|it| it.count).sum()),
            aggregates,
            below_ns: if aggregates > 0 { below_ns } else { 0 },
            too_deep: rows.iter().map(|row| row.too_deep).sum(),
            textless: texts.textless(),
        }
    }

    /// In a sentence, if something is left out. `remedy`: how to see them all.
    #[must_use]
    pub fn text(&self, remedy: &str, unit: TimeUnit) -> Option<String> {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if self.aggregates > 0 {
            let all = self.kept + self.aggregated;
            let _ = write!(
                text,
                "the timeline has {} of {all} slices one by one; {}, each shorter than {} and beside others, are {} \
                 aggregates: the time of each state, the least and the greatest level, and the longest slice of each \
                 are kept; {remedy}",
                self.kept,
                self.aggregated,
                unit.duration(self.below_ns),
                self.aggregates,
            );
        }
        let mut more = |count: u64, what: &str| {
            if count > 0 {
                let _ = write!(text, "{}{count} {what}", if text.is_empty() { "" } else { "; " });
            }
        };
        more(self.too_deep, "spans or interrupts are nested too deep to be shown");
        more(
            self.textless,
            "slices have a text beyond those that are distinguished, and are shown without it",
        );
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_exactly_the_omissions() {
        let nothing = OmittedItems { kept: 7, ..OmittedItems::default() };
        assert_eq!(nothing.text("zoom", TimeUnit::Ns), None);
        let some = OmittedItems { aggregated: 20, aggregates: 3, below_ns: 512, ..nothing };
        assert_eq!(
            some.text("zoom", TimeUnit::Ns).as_deref(),
            Some(
                "the timeline has 7 of 27 slices one by one; 20, each shorter than 512 ns and beside others, are 3 \
                 aggregates: the time of each state, the least and the greatest level, and the longest slice of each \
                 are kept; zoom"
            )
        );
        let deep = OmittedItems { too_deep: 2, ..nothing };
        let text = deep.text("zoom", TimeUnit::Ns);
        assert_eq!(text.as_deref(), Some("2 spans or interrupts are nested too deep to be shown"));
    }
}
