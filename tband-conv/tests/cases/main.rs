//! Recordings as text, with what the outputs show of them; `tband_recordings::cases` describes the files in this folder.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-conv --test cases` writes the results; inspect the difference.
//!
//! | result | shows |
//! |---|---|
//! | `timeline` | the timeline as text |
//! | `details`, `flows=` | the same with limits and outcomes of waits, and flows: all, or as `flows=` has it |
//! | `findings` | severity, count, problem, amount and first text of each finding; only a clean recording has none |
//! | `tasks` | the tasks of the numbers, and how long each runs in ns |
//! | `crashes`, `triggers`, `frequency` | what the summary has of them; the timer's first frequency |
//! | `activations`, `parts`, `holds` | activations, their parts, and the holds of locks |
//! | `perfetto` query, `interrupts=rows`, `flows=` | the rows of a query |
//! | `agrees` | nothing: Perfetto's engine gives the timeline's times and levels |
//! | `dump`, `json`, `merged`, `task=`, `queue=`, `core=`, `event=`, `from_ns=`, `to_ns=`, `tick_rate=`, `limit=` | the lines of a dump |
//!
//! `lines` keeps the lines that have one of the texts after it, `of` those that begin with one.

mod activation_lines;
mod dump_lines;
mod engine_rows;

use std::path::Path;

use tband_conv::clock::frequency::Frequency;
use tband_conv::clock::moment::Moment;
use tband_conv::diagnostics::Diagnostic;
use tband_conv::item::Mode;
use tband_conv::model::{Crash, Flows};
use tband_conv::sinks::{Stats, TimelineText};
use tband_conv::{Options, convert};
use tband_recordings::cases::{self, Case, CaseFile, Section};

tband_recordings::case_files! {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"), crate::check;
    activations: corners locks releases states timer_task;
    damage: gaps;
    objects: calls event_groups generations limits records system task_numbers timers;
    perfetto: all flows objects view window;
    sinks: dump;
    time: frequency halts initial merged pace restarts set_up starts;
    timeline: crashes kernel_order left_out made_by_hand main_program priorities rare_orders triggers waits;
}

fn check(path: &Path) {
    cases::check(path, show);
}

/// Returns the options of a case.
fn options(case: &Case) -> Options {
    let mut options = Options::default();
    for (name, value) in &case.options {
        match name.as_str() {
            "core_count" => options.core_count = Some(value.parse().unwrap()),
            "mode" => options.mode = mode(value),
            "from" => options.from = Some(Moment::Ns(value.parse().unwrap())),
            "to" => options.to = Some(Moment::Ns(value.parse().unwrap())),
            "tick_rate" => options.tick_rate = Some(value.parse().unwrap()),
            "tick_ns" => options.tick_rate = Frequency::from_resolution(value.parse().unwrap()),
            _ => panic!("{}: unknown option {name}", case.name),
        }
    }
    options
}

fn mode(name: &str) -> Mode {
    match name {
        "bare-metal" => Mode::BareMetal,
        other => panic!("unknown mode {other}"),
    }
}

/// Returns the lines of a result; `None` if a tool that is needed for it is missing.
fn show(file: &CaseFile, case: &Case, section: &Section) -> Option<Vec<String>> {
    let mut options = options(case);
    if !case.sections.iter().any(|it| it.kind == "findings") {
        assert_eq!(findings(case, &options), "", "{}: has no section findings", case.name);
    }
    let text = match section.kind.as_str() {
        "timeline" => timeline(case, &options, false),
        // With limits and outcomes of waits, and flows.
        "details" => {
            options.flows = flows(case, section).unwrap_or(Flows::All);
            timeline(case, &options, true)
        }
        // Also what the timeline does not show: how often, and how much of what the problem counts.
        "findings" => findings(case, &options),
        "activations" | "parts" | "holds" => {
            activation_lines::lines(case, &options, &section.kind).join("\n")
        }
        "perfetto" => {
            options.flows = flows(case, section).unwrap_or_default();
            engine_rows::rows(file, case, &options, section)?
        }
        "agrees" => engine_rows::agree(case, &options)?,
        "tasks" => tasks(case, &options),
        "frequency" => convert(&case.inputs(), &options, &mut ()).unwrap().frequency.to_string(),
        "crashes" => crashes(case, &options),
        "triggers" => triggers(case, &options),
        "dump" => dump_lines::lines(case, section),
        kind => panic!("{}: unknown kind of result {kind}", case.name),
    };
    Some(section.choose(text.lines()))
}

/// Returns the flows that the word `flows=` chooses.
fn flows(case: &Case, section: &Section) -> Option<Flows> {
    Some(match section.value("flows")? {
        "all" => Flows::All,
        "wakes" => Flows::Wakes,
        "none" => Flows::None,
        other => panic!("{}: unknown flows {other}", case.name),
    })
}

fn timeline(case: &Case, options: &Options, is_detailed: bool) -> String {
    let mut text = TimelineText::new(Vec::new());
    if is_detailed {
        text = text.detailed();
    }
    convert(&case.inputs(), options, &mut text).unwrap();
    String::from_utf8(text.into_inner()).unwrap()
}

fn tasks(case: &Case, options: &Options) -> String {
    let mut stats = Stats::default();
    convert(&case.inputs(), options, &mut stats).unwrap();
    stats.tasks().map(|task| format!("{} {}\n", task.name, task.run_ns)).collect()
}

fn crashes(case: &Case, options: &Options) -> String {
    let summary = convert(&case.inputs(), options, &mut ()).unwrap();
    let line = |it: &Crash| {
        let Crash { ns, core, text, values, task, places, .. } = it;
        format!("{it}: at {ns} on core {core}, of {text:?}, {task:?}, {values:?}, {places:?}\n")
    };
    summary.crashes.iter().map(line).collect()
}

fn triggers(case: &Case, options: &Options) -> String {
    let summary = convert(&case.inputs(), options, &mut ()).unwrap();
    summary.triggers.iter().map(|it| format!("{it:?}\n")).collect()
}

fn findings(case: &Case, options: &Options) -> String {
    let summary = convert(&case.inputs(), options, &mut ()).unwrap();
    let line = |it: &Diagnostic| {
        let (severity, Diagnostic { problem, count, amount, text, .. }) =
            (it.problem.severity(), it);
        format!("{severity:?}: {count} {problem:?} of {amount}: {text}\n")
    };
    summary.diagnostics.iter().map(line).collect()
}
