//! The use of time in the activations that break rules.

use std::ffi::OsString;

use tband_report::why::{ActivationQuery, SubjectKind, splits};
use tband_rules::judge::{RuleResult, Verdict};

use crate::args::AssertArgs;
use crate::failed::named;
use crate::report::Report;
use crate::tables::fill::LoadedRecording;

/// Results that are explained at most.
const MOST: usize = 50;
/// Times that inputs are read.
const PASSES: usize = 2;

/// Adds the split of the worst activation to each result that is broken.
pub fn add_splits(
    args: &AssertArgs,
    filled: &[LoadedRecording],
    judged: &mut [RuleResult],
    report: &Report,
) -> anyhow::Result<()> {
    for recording in filled {
        let mut of_it: Vec<(&mut RuleResult, ActivationQuery)> = judged
            .iter_mut()
            .filter(|it| it.verdict == Verdict::Broken)
            .filter_map(|it| wanted(it, &recording.name).map(|wanted| (it, wanted)))
            .take(MOST)
            .collect();
        if of_it.is_empty() {
            continue;
        }
        let inputs: &[OsString] = &recording.inputs;
        let (inputs, progress) = args.recordings.open_these(inputs, PASSES, report)?;
        let wanted: Vec<_> = of_it.iter().map(|(_, wanted)| wanted.clone()).collect();
        let found = splits(&inputs, &recording.options, &wanted);
        progress.clear();
        for ((judged, _), split) in of_it.iter_mut().zip(found.map_err(named)?) {
            judged.split = split;
        }
    }
    Ok(())
}

/// The activation that a result is about, if it is of this recording.
fn wanted(judged: &RuleResult, recording: &str) -> Option<ActivationQuery> {
    let finding = judged.finding.as_ref()?;
    let kind = match judged.explained? {
        "interrupt" => SubjectKind::Interrupt,
        "timer" => SubjectKind::Timer,
        _ => SubjectKind::Task,
    };
    let is_it = finding.recording.as_deref() == Some(recording);
    is_it.then_some(ActivationQuery {
        kind,
        name: judged.subject.clone(),
        released_ns: finding.at_ns?,
    })
}
