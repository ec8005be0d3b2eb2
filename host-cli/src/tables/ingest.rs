//! `ingest`: many recordings into one folder of tables.

use crate::Outcome;
use crate::args::IngestArgs;
use crate::report::Report;

/// Adds them, several at a time. Failures are reported, and the others are added.
#[cfg(feature = "parquet")]
pub fn run(args: &IngestArgs, report: &Report) -> anyhow::Result<Outcome> {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use tband_tables::{AddResult, Dataset};

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
                    let added = place(args, path)
                        .and_then(|place| Ok((add((dataset, known), args, &place)?, place)));
                    if done.send((path, added)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        for (path, result) in results {
            let shown = path.display();
            match result {
                Ok((AddResult::Known, place)) => {
                    there += 1;
                    report_known(&dataset, args, &place, report);
                }
                Ok((AddResult::New(summary), _)) => {
                    added += 1;
                    clean &= summary.diagnostics.is_clean();
                    report.detail(&format!(
                        "{shown}: {}",
                        tband_conv::counted(summary.events, "event")
                    ));
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
        "{}: {added} added, {there} there already, {failed} failed; {}",
        args.folder.display(),
        tband_conv::counted(dataset.len(), "recording"),
    ));
    if failed > 0 && added + there == 0 {
        anyhow::bail!("nothing was added");
    }
    Ok(Outcome::of(clean && failed == 0))
}

/// Reports where a recording is that exists already. If its device or day differs from the requested one, it is not in the
/// expected place, so this is a warning.
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

/// The file or the folder that has all of a recording: the folder of a CTF trace, if its metadata is named.
#[cfg(feature = "parquet")]
fn place(args: &IngestArgs, path: &std::path::Path) -> anyhow::Result<std::path::PathBuf> {
    let found =
        crate::input::NamedInput::file(path.to_owned()).ctf(args.reading.input_settings())?;
    let is_one_stream =
        |folder: &tband_app::ctf_folder::CtfFolder| folder.streams.as_slice() == [path.to_owned()];
    let found = found.filter(|folder| !is_one_stream(folder));
    Ok(found.map_or_else(|| path.to_owned(), |folder| folder.folder))
}

#[cfg(feature = "parquet")]
fn add(
    (dataset, known): (&tband_tables::Dataset, &tband_program::RecordFacts),
    args: &IngestArgs,
    path: &std::path::Path,
) -> anyhow::Result<tband_tables::AddResult> {
    use tband_conv::Options;
    use tband_tables::Origin;

    use crate::input::{NamedInput, open_named};
    use crate::progress::Progress;

    let origin = Origin::of(path, &args.device, args.date.as_deref())?;
    let named = vec![NamedInput::file(path.to_owned())];
    let inputs = open_named(named, args.reading.input_settings(), false, &Progress::new(1, false))?;
    let mut options = Options::default();
    options.mode = args.reading.mode;
    options.tick_rate = args.reading.tick_rate;
    known.clone().apply_to(&mut options);
    dataset.add(path, &origin, (&inputs, &options))
}

/// Reports how to get it.
#[cfg(not(feature = "parquet"))]
pub fn run(_: &IngestArgs, _: &Report) -> anyhow::Result<Outcome> {
    anyhow::bail!(tband_app::exports::WITHOUT_TABLES)
}
