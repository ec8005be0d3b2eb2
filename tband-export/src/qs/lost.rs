//! Records of losses and damage: each of the first of a kind, and the number of further ones.

use tband_conv::diagnostics::{Finding, Problem};

use super::kinds::LOST;
use super::record::Record;

/// Findings of a kind that have a record each. Others have a gap in the sequence, so that a recording that is wrong
/// everywhere does not make a file out of proportion.
const EACH: u64 = 100;

/// Findings so far.
#[derive(Debug, Default)]
pub struct Losses {
    /// By kind, in the order of [`Problem::ALL`]: their number, and the amounts of those without a record.
    counts: Vec<(u64, u64)>,
}

impl Losses {
    /// Writes the record of a finding, or false if it has none.
    pub fn record(
        &mut self,
        finding: &Finding<'_>,
        core: u32,
        ticks: u64,
        record: &mut Record,
    ) -> bool {
        self.counts.resize(Problem::ALL.len(), (0, 0));
        let kind = Problem::ALL.iter().position(|it| *it == finding.problem);
        if let Some((count, rest)) = kind.and_then(|kind| self.counts.get_mut(kind)) {
            *count = count.saturating_add(1);
            if *count > EACH {
                *rest = rest.saturating_add(finding.amount);
                return false;
            }
        }
        record
            .begin_at(LOST, ticks)
            .text(finding.problem.title())
            .byte(u8::try_from(core).unwrap_or(u8::MAX))
            .unsigned(finding.amount, false)
            .text(finding.text);
        true
    }

    /// The kinds that had more, how many findings, and their amounts.
    pub fn rest(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        let kinds = Problem::ALL.iter().zip(&self.counts);
        kinds
            .filter(|(_, it)| it.0 > EACH)
            .map(|(kind, it)| (kind.title(), it.0.saturating_sub(EACH), it.1))
    }
}
