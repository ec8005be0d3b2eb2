//! `ingest`: many recordings into one folder of tables.

use crate::Outcome;
use crate::args::IngestArgs;
use crate::report::Report;

/// Adds them, several at a time. What fails is reported, and the others are added.
#[cfg(feature = "parquet")]
pub fn run(args: &IngestArgs, report: &Report) -> anyhow::Result<Outcome> {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use tband_tables::{Added, Dataset};

    let dataset = Dataset::open(&args.folder)?.with_all_tables(args.parts);
    let known = args.program.formats()?;
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.map_or_else(cores, NonZeroUsize::get).min(args.inputs.len());
    let next = AtomicUsize::new(0);
    let (mut added, mut there, mut failed, mut clean) = (0_usize, 0_usize, 0_usize, true);
    thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..jobs {
            let (done, next, dataset, known) = (done.clone(), &next, &dataset, &known);
            scope.spawn(move || {
                while let Some(path) = args.inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if done.send((path, add((dataset, known), args, path))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        for (path, result) in results {
            let shown = path.display();
            match result {
                Ok(Added::Known) => {
                    there += 1;
                    report_known(&dataset, args, path, report);
                }
                Ok(Added::New(summary)) => {
                    added += 1;
                    clean &= summary.diagnostics.is_clean();
                    report.detail(&format!("{shown}: {} events", summary.events));
                    if !summary.diagnostics.is_clean() {
                        report.warn(&format!(
                            "{shown} is not clean: tband-cli check {shown}, or the table losses"
                        ));
                    }
                }
                Err(error) => {
                    failed += 1;
                    report.error(&error);
                }
            }
        }
    });
    report.line(&format!(
        "{}: {added} added, {there} there already, {failed} failed; {} recordings",
        args.folder.display(),
        dataset.len(),
    ));
    if failed > 0 && added + there == 0 {
        anyhow::bail!("nothing was added");
    }
    Ok(Outcome::of(clean && failed == 0))
}

/// Says where a recording is that is there already. With another device or day than was asked for, it is not found where it is
/// expected, so this is a warning.
#[cfg(feature = "parquet")]
fn report_known(
    dataset: &tband_tables::Dataset,
    args: &IngestArgs,
    path: &std::path::Path,
    report: &Report,
) {
    let shown = path.display();
    // Another thread of this run is adding a copy.
    let Ok(Some((at, name))) = dataset.origin_of(path) else {
        return report.detail(&format!("{shown}: there already"));
    };
    let is_there = format!("{shown}: there already, of device {}, {}", at.device, at.date);
    let is_other = at.device != args.device || args.date.as_ref().is_some_and(|it| *it != at.date);
    if !is_other {
        return report.detail(&is_there);
    }
    report.warn(&format!(
        "{is_there}, and stays there; to move it, delete its files and add it again: {}",
        args.folder.join("*").join(at.partition()).join(name).display()
    ));
}

#[cfg(feature = "parquet")]
fn add(
    (dataset, known): (&tband_tables::Dataset, &tband_program::Known),
    args: &IngestArgs,
    path: &std::path::Path,
) -> anyhow::Result<tband_tables::Added> {
    use std::fs::File;

    use tband_conv::{Input, Options};
    use tband_tables::Origin;

    let origin = Origin::of(path, &args.device, args.date.as_deref())?;
    let open = move || Ok(Box::new(File::open(path)?) as tband_conv::BoxRead<'_>);
    let input = Input::new(path.display().to_string(), open);
    let input = input.in_format(args.reading.format).of_format(args.reading.input_format);
    let mut options = Options::default();
    options.mode = args.reading.mode;
    options.tick_rate = args.reading.tick_rate;
    known.clone().tell(&mut options);
    dataset.add(path, &origin, (&[input], &options))
}

/// Says how to get it.
#[cfg(not(feature = "parquet"))]
pub fn run(args: &IngestArgs, _: &Report) -> anyhow::Result<Outcome> {
    // What would be read.
    let IngestArgs {
        reading: _,
        program: _,
        device: _,
        date: _,
        parts: _,
        jobs: _,
        folder: _,
        inputs: _,
    } = args;
    anyhow::bail!(tband_app::exports::WITHOUT_TABLES)
}
