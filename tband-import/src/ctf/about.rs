//! What `check` reports of a trace.

use super::meaning::{Facts, KnownTracer};
use super::trace::CtfTrace;
use crate::importer::ForeignRecording;

/// Facts about a trace, from one of its streams.
pub fn about(trace: &CtfTrace, facts: Facts, has_begun: bool) -> ForeignRecording {
    let model = &trace.model;
    let known = trace.bound.known;
    let mut about = ForeignRecording {
        format: format!("CTF {}", model.version),
        ..ForeignRecording::default()
    };
    let name = model.environment("tracer_name").or(match known {
        KnownTracer::Zephyr => Some("Zephyr"),
        KnownTracer::Linux => Some("Linux"),
        KnownTracer::Other => None,
    });
    let mut recorder: Vec<String> = Vec::new();
    if let Some(name) = name {
        let numbers = ["tracer_major", "tracer_minor"];
        let numbers = numbers.iter().map_while(|number| model.environment(number));
        let version: Vec<&str> = numbers.collect();
        recorder.push(format!("{name} {}", version.join(".")).trim_end().to_owned());
    }
    for (entry, what) in [
        ("app", "application"),
        ("hostname", "host"),
        ("host", "host"),
        ("kernel_release", "kernel"),
        ("release", "kernel"),
        ("domain", "domain"),
    ] {
        if let Some(value) = model.environment(entry) {
            recorder.push(format!("{what} {value}"));
        }
    }
    about.recorder = recorder.join("; ");
    if trace.is_own() {
        return about;
    }
    let mut infer = |is: bool, text: &str| {
        if is {
            about.inferred.push(text.to_owned());
        }
    };
    infer(
        trace.bound.map.priorities_from.is_some(),
        "priorities: the lowest one less the recorder's number, so that higher ones are urgent",
    );
    let is_ns = model.clocks.is_empty() && model.streams.iter().any(|it| it.has_time);
    infer(is_ns, "the unit of times: nanoseconds, since the metadata has no clock");
    infer(
        has_begun && model.streams.iter().any(|it| !it.has_time),
        "times: there are none, so each event is shown 1 us after the one before",
    );
    let mut lack = |is: bool, text: &str| {
        if is {
            about.not_recorded.push(text.to_owned());
        }
    };
    lack(known == KnownTracer::Linux, "what a task sleeps for: sleeping is shown as suspended");
    lack(
        facts.has_unknown_states,
        "why some tasks leave a core: their state is unknown until they run or are ready",
    );
    lack(facts.has_unnumbered_isrs, "numbers of interrupts");
    lack(
        facts.has_unseen_switches,
        "switches of tasks that the trace leaves out, as when it is filtered",
    );
    lack(
        facts.has_markers,
        "the meaning of some events: they are shown as markers, unless a mapping file (--ctf-map) names it",
    );
    about
}
