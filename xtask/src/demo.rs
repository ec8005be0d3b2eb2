//! `cargo xtask demo`: builds the library, builds and runs a C program against it, on this machine or on an emulated board,
//! converts the recording, and shows its content.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tband_conv::sinks::{Perfetto, Stats};
use tband_conv::{Input, Options, convert};
use tband_report::highlights::{self, highlights};
use tband_report::time_unit::TimeUnit;

use crate::board::Board;
use crate::command::run_quiet;
pub use crate::example_run::{Backend, ExampleRun, Format};
use crate::kernel;
use crate::setup::{self, Purpose};

/// Builds the example of all features below `build`, with an existing library, and runs it; files are written to `out`. For
/// tests.
///
/// # Errors
/// A step failed; the text has its output.
pub fn record(
    root: &Path,
    build: &Path,
    out: &Path,
    how: (Backend, Format),
    library: &Path,
) -> Result<ExampleRun> {
    let recorded = ExampleRun { trace: out.join("trace.bin"), truth: out.join("truth.json") };
    let program = on_this_machine(root, "posix-freertos", (build, out), how, Some(library), &[])?;
    let mut run = Command::new(program);
    run_quiet(run.arg("--out").arg(&recorded.trace).arg("--truth").arg(&recorded.truth))?;
    Ok(recorded)
}

/// Builds the sensor pipeline below `build` and runs it; its recording is written to `out`. Without an existing library cargo
/// builds one. `mended`: without its priority inversion.
///
/// # Errors
/// A step failed; the text has its output.
pub fn record_pipeline(
    root: &Path,
    build: &Path,
    out: &Path,
    how: (Backend, Format),
    library: Option<&Path>,
    mended: bool,
) -> Result<PathBuf> {
    let trace = out.join("trace.bin");
    let mended = format!("-DPIPELINE_MENDED={}", u8::from(mended));
    let build_to = (build, out);
    let program = on_this_machine(root, "sensor-pipeline", build_to, how, library, &[&mended])?;
    run_quiet(Command::new(program).arg(&trace))?;
    Ok(trace)
}

/// Builds an example for the kernel's POSIX port; returns the program, and creates the folder for its files.
fn on_this_machine(
    root: &Path,
    example: &str,
    (build, out): (&Path, &Path),
    (backend, format): (Backend, Format),
    library: Option<&Path>,
    settings: &[&str],
) -> Result<PathBuf> {
    let kernel = kernel::path(root)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    run_quiet(
        Command::new("cmake")
            .arg("-S")
            .arg(root.join("examples").join(example))
            .arg("-B")
            .arg(build)
            .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
            .arg(format!("-DTBAND_BACKEND={}", backend.name()))
            .arg(format!("-D{}", format.setting()))
            .arg(format!("-DTBAND_LIBRARY={}", library.unwrap_or(Path::new("")).display()))
            .args(settings),
    )?;
    run_quiet(Command::new("cmake").arg("--build").arg(build).args(["--parallel", "2"]))?;
    Ok(build.join(example))
}

/// Runs the demo.
///
/// # Errors
/// A step failed; only completed steps are shown as done.
pub fn run(
    root: &Path,
    out: &Path,
    board: Option<Board>,
    (backend, format): (Backend, Format),
    mended: bool,
) -> Result<()> {
    setup::run(if board.is_some() { Purpose::Boards } else { Purpose::Demo })?;
    let out = std::path::absolute(out)?;
    let example = board.map_or("sensor-pipeline", Board::name);
    let how = format!("{}, {}", backend.name(), format.name());
    let build = format!("{example}-{}-{}", backend.name(), format.name());
    let build = root.join("target/demo-build").join(build);

    eprintln!("Building libtband.a and examples/{example} ({how}) ...");
    let recording = match board {
        None => record_pipeline(root, &build, &out, (backend, format), None, mended)?,
        Some(board) => {
            let elf = board.build(root, &build, backend, &[format.setting()])?;
            eprintln!("Running it: {} ...", board.emulator());
            board.run(&elf, &out, backend)?.trace
        }
    };

    eprintln!("Converting the recording ...");
    let trace = out.join("trace.pftrace");
    let stats = to_perfetto(&recording, &trace)?;

    print!("{}{}", busiest(&stats), worth_a_look(&stats));
    println!("Recording:      {} ({} bytes)", recording.display(), size(&recording)?);
    println!("Perfetto trace: {} ({} bytes)", trace.display(), size(&trace)?);
    println!();
    println!("Look at it: open https://ui.perfetto.dev and drop the Perfetto trace on it, or run");
    println!("  cargo run --release -p tband-cli -- conv --open {}", recording.display());
    Ok(())
}

/// Returns the findings of `tband-cli check` about the program.
fn worth_a_look(stats: &Stats) -> String {
    let found = highlights(stats);
    if found.is_empty() {
        return String::new();
    }
    format!(
        "What `tband-cli check` finds in it:\n{}\n",
        highlights::text(&found, TimeUnit::of(stats.findings()))
    )
}

/// The tasks that ran longest, by the numbers of `tband-cli stats`.
fn busiest(stats: &Stats) -> String {
    const SHOWN: usize = 18;
    let ms = |ns: i64| ns as f64 / 1e6;
    let mut tasks: Vec<_> = stats.tasks().collect();
    if tasks.is_empty() {
        let length = ms(stats.length_ns());
        return format!("No tasks: the program has no RTOS. {length:.3} ms recorded.\n\n");
    }
    tasks.sort_by_key(|task| Reverse(task.run_ns));
    let more = tasks.len().saturating_sub(SHOWN);
    tasks.truncate(SHOWN);
    let width = tasks.iter().map(|task| task.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!(
        "{:<width$}  {:>13}  {:>7}  {:>16}  {:>8}\n",
        "task", "run time [ms]", "CPU [%]", "interrupted [ms]", "switches"
    );
    for task in tasks {
        let share = 100.0 * task.run_ns as f64 / stats.length_ns().max(1) as f64;
        text.push_str(&format!(
            "{:<width$}  {:>13.3}  {share:>7.2}  {:>16.3}  {:>8}\n",
            task.name,
            ms(task.run_ns),
            ms(task.interrupted_ns),
            task.switches
        ));
    }
    if more > 0 {
        text.push_str(&format!("... and {more} tasks more that ran less\n"));
    }
    text + "\n"
}

/// Converts a recording and returns its numbers.
///
/// # Errors
/// Files cannot be read or written, or the recording is not complete; the text has the findings.
pub fn to_perfetto(recording: &Path, trace: &Path) -> Result<Stats> {
    let name = recording.display().to_string();
    let input = Input::new(name, || Ok(Box::new(File::open(recording)?)));
    let file = File::create(trace).with_context(|| format!("cannot write {}", trace.display()))?;
    let mut file = BufWriter::new(file);
    let mut stats = Stats::default();
    let mut sinks = (Perfetto::new(&mut file), &mut stats);
    let summary = convert(&[input], &Options::default(), &mut sinks)?;
    drop(sinks);
    file.flush()?;
    if !summary.diagnostics.is_clean() {
        let findings: Vec<_> = summary
            .diagnostics
            .iter()
            .map(|finding| format!("  {}: {finding}", summary.place(finding.place)))
            .collect();
        bail!("the recording is damaged or incomplete:\n{}", findings.join("\n"));
    }
    Ok(stats)
}

fn size(path: &Path) -> Result<u64> {
    Ok(fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len())
}

#[cfg(test)]
mod tests {
    use tband_format::{Event, encode_frame, max_frame_len};

    use super::*;

    fn stats(events: &[(u64, Event<'_>)]) -> Stats {
        let mut bytes = Vec::new();
        for (ts, event) in events {
            let mut frame = vec![0; max_frame_len(event, *ts)];
            let len = encode_frame(event, *ts, &mut frame).unwrap();
            bytes.extend_from_slice(&frame[..len]);
        }
        let mut stats = Stats::default();
        let inputs = [Input::from_bytes("r", &bytes)];
        convert(&inputs, &Options::default(), &mut stats).unwrap();
        stats
    }

    #[test]
    fn the_table_has_run_times_without_interrupts() {
        let events = [
            (0, Event::TsResolutionNs { ns_per_ts: 1000 }),
            (0, Event::TaskSwitchedIn { task_id: 7 }),
            (200, Event::TaskSwitchedIn { task_id: 12 }),
            (300, Event::IsrEnter { isr_id: 1 }),
            (350, Event::IsrExit { isr_id: 1 }),
            (1000, Event::Valmarker { valmarker_id: 1, val: 1 }),
        ];
        let expected = "\
task     run time [ms]  CPU [%]  interrupted [ms]  switches
task 12          0.750    75.00             0.050         1
task 7           0.200    20.00             0.000         1

";
        assert_eq!(busiest(&stats(&events)), expected);
        assert_eq!(
            busiest(&stats(&events[3..])),
            "No tasks: the program has no RTOS. 0.001 ms recorded.\n\n"
        );
    }

    #[test]
    fn only_the_busiest_are_shown() {
        let switch = |at: u32| (u64::from(at) * 10, Event::TaskSwitchedIn { task_id: at });
        let table = busiest(&stats(&(1..=30).map(switch).collect::<Vec<_>>()));
        assert_eq!(table.lines().count(), 1 + 18 + 2);
        assert!(table.contains("\n... and 12 tasks more that ran less\n"), "{table}");
    }
}
