//! `stats`: what a recording says in numbers, as text, JSON or CSV.

mod objects;
mod recording;
mod render;
mod running;
mod table;
mod tables;
mod waits;

use tband_conv::{Census, convert, sinks::Stats};

use crate::Outcome;
use crate::args::{StatsArgs, named, tell_if_empty};
use crate::output::print;
use crate::report::Report;

pub fn run(args: &StatsArgs, report: &Report) -> anyhow::Result<Outcome> {
    let passes = args.window.passes() + if args.window.is_all() { 3 } else { 2 };
    let (inputs, progress) = args.recordings.open(passes, report)?;
    let mut options = args.recordings.options();
    (options.from, options.to) = args.window.ends("stats", &inputs, &options, report)?;
    let mut stats = Stats::default();
    let converted = convert(&inputs, &options, &mut stats).and_then(|summary| {
        let census = match &summary.part {
            Some(part) => part.census.clone(),
            None => Census::run(&inputs, options.mode, summary.diagnostics.is_clean())?,
        };
        Ok((summary, census))
    });
    progress.clear();
    let (summary, census) = converted.map_err(named)?;
    report.findings(&summary);
    tell_if_empty(summary.part.as_ref(), report);
    let tables = tables::all(&stats, &summary, &census);
    let text = match (args.json, args.csv) {
        (true, _) => render::json(&tables)?,
        (_, true) => render::csv(&tables)?,
        _ => render::text(&tables, args.all || report.is_verbose()),
    };
    print(text.as_bytes())?;
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use tband_conv::{Input, Options};

    use super::*;

    /// Whatever a recording says, there are tables of it, and programs can read them.
    fn tables_of(recording: &[u8]) {
        let inputs =
            [Input::from_bytes("a", recording), Input::from_bytes("b", recording).on_core(1)];
        let options = Options::default();
        let mut stats = Stats::default();
        let Ok(summary) = convert(&inputs, &options, &mut stats) else { return };
        let census = Census::run(&inputs, options.mode, false).unwrap();
        let tables = tables::all(&stats, &summary, &census);
        assert!(render::text(&tables, true).starts_with("length"));
        let json: serde_json::Value =
            serde_json::from_str(&render::json(&tables).unwrap()).unwrap();
        assert_eq!(json.as_object().unwrap().len(), tables.len());
        let csv = render::csv(&tables).unwrap();
        for record in csv::Reader::from_reader(csv.as_bytes()).records() {
            assert_eq!(record.unwrap().len(), 5);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn there_are_tables_of_any_recording(
            which in any::<prop::sample::Index>(),
            changes in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..20),
        ) {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            let mut recording = which.get(&tband_fuzz::recordings(&root).unwrap()).clone();
            recording.truncate(3000);
            for (at, byte) in changes {
                *at.get_mut(&mut recording) = byte;
            }
            tables_of(&recording);
        }
    }
}
