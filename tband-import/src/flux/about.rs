//! Facts about a flux file.

use super::trace::{Facts, Trace};
use crate::counted::counted;
use crate::importer::ForeignRecording;

/// Facts about a file with these traces.
pub fn about(traces: &[&Trace], is_packed: bool, has_lost_time: bool) -> ForeignRecording {
    let any = |fact: fn(&Facts) -> bool| traces.iter().any(|it| fact(&it.facts));
    let mut about = ForeignRecording::default();
    let version = traces.first().map_or(0, |trace| trace.version);
    about.format = format!("flux {version}{}", if is_packed { " (packed)" } else { "" });
    let of = |trace: &Trace| match trace.about.as_str() {
        "" => trace.name.clone(),
        text => format!("{}, {text}", trace.name),
    };
    about.recorder = traces.iter().map(|trace| of(trace)).collect::<Vec<_>>().join("; ");
    let is_tband = traces.iter().any(|trace| trace.is_of_tband());
    let mut infer = |is: bool, text: &str| {
        if is {
            about.inferred.push(text.to_owned());
        }
    };
    infer(
        any(|it| it.has_task_rows),
        "which signals are tasks: gantt signals with a label for running",
    );
    infer(any(|it| it.has_idle), "which task is the idle task: its name");
    infer(
        any(|it| it.has_floats),
        "floating-point numbers are shown as integers, multiplied by 1000",
    );
    infer(
        any(|it| it.has_unknown_domain),
        "the domain of the sequences is none of time: its unit is taken for 1 ns",
    );
    infer(any(|it| it.has_negative_times), "times before 0 are shown at 0");
    infer(has_lost_time, "times after damaged bytes, which are relative to lost times");
    let mut lack = |is: bool, text: &str| {
        if is {
            about.not_recorded.push(text.to_owned());
        }
    };
    lack(true, "numbers of entries: whole entries that are lost do not show");
    lack(
        any(|it| it.has_task_rows),
        "why a task stops running: its state is unknown until the next label",
    );
    lack(
        any(|it| it.has_unknown_states),
        "what some labels mean: the task's state is unknown then",
    );
    lack(any(|it| it.has_tainted), "the samples that are missing before those marked as tainted");
    lack(is_tband, "senders and receivers, the times of calls, and limits of waits");
    let sum = |fact: fn(&Facts) -> u64| traces.iter().map(|it| fact(&it.facts)).sum::<u64>();
    let mut omit = |fact: fn(&Facts) -> u64, noun: &str, [which, why]: [&str; 2]| {
        let count = sum(fact);
        if count > 0 {
            let (parts, verb) = (counted(count, noun), if count == 1 { "is" } else { "are" });
            about.not_recorded.push(format!("{parts}{which} {verb} not shown{why}"));
        }
    };
    let why = ": tband derives what woke a task from the events";
    omit(|it| it.relations, "relation", [" between samples", why]);
    omit(|it| it.labels, "label", [" at samples", ""]);
    omit(|it| it.references, "reference", [" to signals", ": each signal has one row"]);
    let why = ": the row keeps the last one";
    omit(|it| it.empty_samples, "sample", [" without a value", why]);
    omit(|it| it.control_messages, "control message", ["", ""]);
    about
}
