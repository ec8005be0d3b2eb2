//! CTF traces: each event against the text of babeltrace2, and against an independent log of what happened.

mod linux;
#[path = "../support/mod.rs"]
mod support;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;
use support::recording;
use tband_conv::convert::events::convert_events;
use tband_conv::diagnostics::Problem;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::sinks::Stats;
use tband_conv::{CtfMap, CtfTrace, Input, Options, convert};
use tband_format::Event;

/// The guide's page with the mapping file for the project's own traces.
const PAGE: &str = include_str!("../../../docs/src/guide/viewing/ctf-traces.md");
/// All events are shown with their fields.
const AS_TEXT: &str = "built-in = false";

/// The meanings of the events of the project's own traces, from the mapping file in the guide.
fn map() -> &'static str {
    PAGE.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0
}

/// A trace in memory.
struct Trace {
    metadata: Vec<u8>,
    streams: Vec<Vec<u8>>,
}

impl Trace {
    fn of_project(name: &str) -> Self {
        let file = |file: &str| recording(&format!("ctf/{name}/{file}"));
        Self { metadata: file("metadata"), streams: vec![file("stream")] }
    }

    /// A trace of another project, which is not part of this one; `None` where it is missing.
    fn of_others(name: &str) -> Option<(Self, String)> {
        let folder = Path::new("../../shared/recorders/ctf");
        let Ok(expected) = fs::read_to_string(folder.join(format!("{name}.expected.txt"))) else {
            eprintln!("left out: {} is not there", folder.join(name).display());
            return None;
        };
        let files = fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
        let is_stream = |path: &std::path::PathBuf| path.file_name().unwrap() != "metadata";
        let streams = files.filter(is_stream).map(|path| fs::read(path).unwrap()).collect();
        let metadata = fs::read(folder.join(name).join("metadata")).unwrap();
        Some((Self { metadata, streams }, expected))
    }

    fn inputs(&self, map: &str) -> Vec<Input<'_>> {
        let map = CtfMap::read("map.toml", map).unwrap();
        let trace = CtfTrace::read(&self.metadata, Some(&map), self.streams.len()).unwrap();
        let trace = Rc::new(trace);
        let input = |bytes| Input::from_bytes("stream", bytes).of_trace(Rc::clone(&trace));
        self.streams.iter().map(|bytes| input(bytes)).collect()
    }

    /// Each event with its time in ticks.
    fn each_event(&self, map: &str, take: impl FnMut(i64, &Event<'_>)) {
        struct Each<F>(F);
        impl<F: FnMut(i64, &Event<'_>)> EventSink for Each<F> {
            fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
                (self.0)(i64::try_from(event.ticks).unwrap(), &event.decoded.event);
                Ok(ControlFlow::Continue(()))
            }
        }
        convert_events(&self.inputs(map), &Options::default(), &mut Each(take)).unwrap();
    }

    /// Each event as text: time in ticks, name, fields.
    fn as_text(&self) -> Vec<(i64, String)> {
        let (mut names, mut lines) = (HashMap::new(), Vec::new());
        self.each_event(AS_TEXT, |ticks, event| match event {
            Event::EvtmarkerName { evtmarker_id, name } => {
                names.insert(*evtmarker_id, name.to_string());
            }
            Event::Evtmarker { evtmarker_id, msg } => {
                lines.push((ticks, format!("{}: {msg}", names[evtmarker_id])));
            }
            _ => {}
        });
        lines
    }
}

/// The lines of babeltrace2, each with its time in ns less this one.
fn expected(text: &str, offset: i64) -> Vec<(i64, String)> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let (time, rest) = line.strip_prefix('[').unwrap().split_once(']').unwrap();
        let time: i64 = time.replace('.', "").parse().unwrap();
        let rest = rest.rsplit_once(") ").map_or(rest, |_| rest);
        // The difference to the line before, or the name of the host.
        let rest = match rest.trim_start().split_once(' ').unwrap() {
            (before, rest) if !before.ends_with(':') => rest,
            _ => rest.trim_start(),
        };
        let (name, fields) = rest.split_once(':').unwrap();
        let fields = fields.replace("{ cpu_id = 0 }, ", "");
        let fields = fields.trim().trim_start_matches("{ ").trim_end_matches(" }").trim();
        let mut fields = fields.to_owned();
        // Values of enumerations.
        while let Some(at) = fields.find("( \"") {
            let (before, of) = fields.split_at(at);
            let (label, of) = of[3..].split_once("\" : container = ").unwrap();
            let (value, after) = of.split_once(" )").unwrap();
            fields = format!("{before}{label} ({value}){after}");
        }
        lines.push((time - offset, format!("{name}: {fields}")));
    }
    lines
}

/// Every event of barectf's traces has its time to the tick, its name and all its fields; of a trace of Zephyr as well, whose clock
/// wraps, and whose file is a buffer that has more after the last event.
#[test]
fn each_event_is_what_babeltrace2_reads() {
    for name in ["barectf", "barectf-discarded"] {
        let trace = Trace::of_project(name);
        let text = String::from_utf8(recording(&format!("ctf/{name}.expected.txt"))).unwrap();
        let ours: Vec<_> =
            trace.as_text().into_iter().map(|(ticks, line)| (ticks * 40, line)).collect();
        let theirs = expected(&text, 1_600_000_000_000_000_000);
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{name}");
        }
    }
    if let Some((trace, text)) = Trace::of_others("zephyr-sample1") {
        assert_eq!(trace.as_text(), expected(&text, 0));
    }
    if let Some((trace, text)) = Trace::of_others("lttng-kernel-be") {
        let ours: Vec<_> = trace.as_text().into_iter().collect();
        let short = |text: &str| text.replace("prev_", "p_").replace("next_", "n_");
        let is_shown = |line: &str| line.starts_with("sched_switch") || line.starts_with("irq_");
        let ours: Vec<_> = ours
            .iter()
            .filter(|(_, line)| is_shown(line))
            .map(|(time, line)| (*time, short(line)))
            .collect();
        // The list ends before the trace does, and its lines have at most 200 characters.
        let theirs = expected(&text, 1_417_383_477_000_003_520);
        assert!(theirs.len() > 2700, "{}", theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!(ours.0 == theirs.0 && ours.1.starts_with(&theirs.1), "{ours:?}, {theirs:?}");
        }
    }
}

/// A switch, a ready event, or an interrupt: its time, its kind, and the task or the number.
type Fact = (i64, &'static str, String);

fn facts(name: &str) -> Vec<Fact> {
    let (mut names, mut facts): (HashMap<u32, String>, Vec<Fact>) = Default::default();
    Trace::of_project(name).each_event(map(), |ticks, event| {
        let task = |id: &u32| names.get(id).cloned().unwrap_or_default();
        let (kind, of) = match event {
            Event::TaskName { task_id, name } => {
                names.insert(*task_id, name.to_string());
                return;
            }
            Event::TaskSwitchedIn { task_id } => ("in", task(task_id)),
            Event::TaskToRdyState { task_id } => ("ready", task(task_id)),
            Event::IsrEnter { isr_id } => ("isr_enter", isr_id.to_string()),
            Event::IsrExit { isr_id } => ("isr_exit", isr_id.to_string()),
            Event::IsrExitToScheduler { isr_id } => ("isr_exit_to_scheduler", isr_id.to_string()),
            _ => return,
        };
        facts.push((ticks, kind, of));
    });
    facts
}

fn logged() -> Vec<Fact> {
    let log = String::from_utf8(recording("ctf/barectf.truth.jsonl")).unwrap();
    let fact = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        let task = || event["task"].as_str().unwrap().to_owned();
        let irq = || event["irq"].as_u64().unwrap().to_string();
        let (kind, of) = match event["ev"].as_str().unwrap() {
            "in" => ("in", task()),
            "ready" => ("ready", task()),
            "isr_enter" => ("isr_enter", irq()),
            "isr_exit" => ("isr_exit", irq()),
            "isr_exit_to_scheduler" => ("isr_exit_to_scheduler", irq()),
            _ => return None,
        };
        Some((event["t"].as_i64().unwrap(), kind, of))
    };
    log.lines().filter_map(fact).collect()
}

/// With a mapping file, each switch, ready event and interrupt is there at its tick, with its task or its number. Where the recorder
/// has discarded events, all others are.
#[test]
fn each_switch_ready_event_and_interrupt_of_a_mapped_trace_is_there() {
    let logged = logged();
    assert_eq!(logged.len(), 585 + 389 + 265 + 265);
    assert_eq!(facts("barectf"), logged);
    let some = facts("barectf-discarded");
    let mut rest = logged.iter();
    for fact in &some {
        assert!(rest.any(|it| it == fact), "{fact:?}");
    }
    let mut stats = Stats::default();
    let trace = Trace::of_project("barectf-discarded");
    let summary = convert(&trace.inputs(map()), &Options::default(), &mut stats).unwrap();
    let discarded = summary.diagnostics.get(Problem::EventsDiscarded).unwrap();
    assert_eq!(discarded.amount, 16);
    assert!(logged.len() - some.len() <= 16 && some.len() < logged.len(), "{}", some.len());
}

/// A task that leaves a core has an unknown state where the trace does not record why, and another one does not run in its place.
#[test]
fn unrecorded_states_are_unknown() {
    let trace = Trace::of_project("barectf");
    let mut stats = Stats::default();
    convert(&trace.inputs(AS_TEXT), &Options::default(), &mut stats).unwrap();
    assert_eq!(stats.tasks().count(), 0);
    let text = |map: &str| {
        let mut unknown = 0;
        trace.each_event(map, |_, event| {
            let is_it = matches!(
                event,
                Event::CurtaskBlockOnQueueReceive {
                    queue_id: tband_format::registry::NOT_RECORDED,
                    ..
                }
            );
            unknown += usize::from(is_it);
        });
        unknown
    };
    assert!(text(map()) > 200, "{}", text(map()));
    assert_eq!(text(&format!("waits = \"all\"\n{}", map())), 0);
}

/// Numbers that look random.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

/// A stream may end anywhere, have bits flipped, be joined to itself, or be zeros: exactly the lost events are reported.
#[test]
fn damaged_streams_lose_what_is_damaged() {
    let trace = Trace::of_project("barectf");
    let convert = |stream: &[u8]| {
        let damaged = Trace { metadata: trace.metadata.clone(), streams: vec![stream.to_vec()] };
        let mut stats = Stats::default();
        let inputs = damaged.inputs(map());
        convert(&inputs, &Options::default(), &mut stats)
    };
    let stream = &trace.streams[0];
    let all = convert(stream).unwrap().events;
    for len in (700..stream.len()).step_by(997) {
        let summary = convert(&stream[..len]).unwrap();
        assert!(summary.events <= all, "{len}");
        let is_between = len % 512 == 0;
        assert_eq!(summary.diagnostics.count(Problem::CutOff), u64::from(!is_between), "{len}");
        assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), 0, "{len}");
    }
    let mut state = 11;
    for _ in 0..60 {
        let mut damaged = stream.clone();
        let at = random(&mut state) % stream.len();
        damaged[at] ^= 1 << (random(&mut state) % 8);
        let summary = convert(&damaged).unwrap();
        assert!(summary.events * 10 > all * 8, "{at}: {} of {all}", summary.events);
    }
    // It may begin inside of a packet: the rest of that is lost.
    for at in [3, 700, 5_001, stream.len() / 2 + 1] {
        let late = convert(&stream[at..]).unwrap();
        let least = all * (stream.len() - at) as u64 / stream.len() as u64 * 9 / 10 - 20;
        // The first event of a task whose state is not known adds that state.
        let most = all + 60;
        assert!((least..most).contains(&late.events), "from {at} on: {} of {all}", late.events);
        assert_eq!(late.diagnostics.count(Problem::ForeignDamage), 1, "from {at} on");
    }
    let joined = convert(&[&stream[..], stream].concat()).unwrap();
    assert!(joined.events > all * 19 / 10, "{} {all}", joined.events);
    let padded = convert(&[&stream[..], &vec![0; 1 << 20]].concat()).unwrap();
    assert_eq!(padded.events, all);
    // The other byte order: no packet is one of the trace.
    let swapped: Vec<u8> = stream.chunks(4).flat_map(|it| it.iter().rev().copied()).collect();
    let error = convert(&swapped).unwrap_err().to_string();
    assert!(error.contains("nothing of it decodes as its recorder's format"), "{error}");
    assert!(error.ends_with("; copy the recording again, from its start"), "{error}");
}

/// Metadata that is hostile is refused, in bounded time and memory; none of it makes reading stop without an answer.
#[test]
fn hostile_metadata_is_refused() {
    let read = |text: &str| {
        CtfTrace::read(text.as_bytes(), None, 1).map(|_| ()).map_err(|it| it.to_string())
    };
    let event = |fields: &str| {
        format!(
            "/* CTF 1.8 */ typealias integer {{ size = 8; }} := u8;\nevent {{ name = e; fields := struct {{ {fields} }}; }};"
        )
    };
    let mut chain = "/* CTF 1.8 */ typealias integer { size = 8; } := t0;\n".to_owned();
    for level in 1..100 {
        let before = level - 1;
        chain += &format!("typealias struct {{ t{before} a; t{before} b; }} := t{level};\n");
    }
    let mut doubled = "/* CTF 1.8 */ typealias integer { size = 8; } := t0;\n".to_owned();
    for level in 1..20 {
        let before = level - 1;
        doubled += &format!("typealias struct {{ t{before} a; t{before} b; }} := t{level};\n");
    }
    doubled += "event { name = e; fields := struct { t19 x; }; };";
    for (text, error) in [
        (chain, "levels deep"),
        (doubled, "more than 131072 fields"),
        (event(&"struct { ".repeat(5000)), "levels deep"),
        (event("integer { size = 0; } a;"), "a size of '0' bits"),
        (event("integer { size = 65; } a;"), "a size of '65' bits"),
        (event("integer { size = 8; align = 1152921504606846976; } a;"), "not a power of two"),
        (event("u8 a[n];"), "no number 'n' before"),
        (event("variant <t> { u8 a; } v;"), "no number 't' before"),
        ("/* CTF 1.8 */ /* ".to_owned(), "line 1: a comment without its end"),
        ("/* CTF 1.8 */\n\"x".to_owned(), "line 2: a text without its closing quote"),
        ("\u{1E}{\"type\":\"preamble\",\"version\":3}".to_owned(), "2 is the one that is known"),
        ("\u{1E}{\"type\":".to_owned(), "line 1: EOF"),
    ] {
        let found = read(&text).unwrap_err();
        assert!(found.contains(error), "{error}: {found}");
    }
    // These are not mistakes, and the following fields are read.
    for fields in ["u8 a[1152921504606846976];", "struct { } a[1152921504606846976];"] {
        let trace = Trace { metadata: event(fields).into_bytes(), streams: vec![vec![1; 4096]] };
        let mut stats = Stats::default();
        let _ = convert(&trace.inputs(""), &Options::default(), &mut stats);
    }
}

/// Mistakes in a mapping file are named with the file, the line, and the correct form.
#[test]
fn mistakes_in_a_mapping_file_have_their_line() {
    let metadata = recording("ctf/barectf/metadata");
    let error = |map: &str| match CtfMap::read("map.toml", map) {
        Err(error) => error.to_string(),
        Ok(map) => CtfTrace::read(&metadata, Some(&map), 1).unwrap_err().to_string(),
    };
    let rule = |rest: &str| format!("\n[[rule]]\nevent = \"task_ready\"\n{rest}\n");
    for (map, text) in [
        ("idle = 3".to_owned(), "map.toml: line 1: a list is needed: idle = [\"IDLE\"]"),
        ("[tasks]\nx = \"a\"".to_owned(), "map.toml: line 2: 'x' is not a number of 32 bits"),
        ("a = [".to_owned(), "map.toml: line 1: "),
        ("colour = 1".to_owned(), "line 1: 'colour' is not a key of a mapping file: rule, tasks"),
        (rule("means = \"run\""), "line 4: 'run' is not a meaning of an event: switch, "),
        (
            rule("means = \"ready\"\ntask = \"id\""),
            "line 3: the event 'task_ready' has no field 'id' that can be used; it has: task",
        ),
        (rule("means = \"ready\""), "line 3: 'task' is missing: name the field that has it"),
        (
            rule("mean = \"ready\""),
            "line 4: 'mean' is not part of a rule: event, means, when, task",
        ),
        (rule("task = \"task\""), "'means' is missing: [[rule]] with event = "),
        (
            "[[rule]]\nevent = \"queue_op\"\nmeans = \"ignore\"\nwhen = { op = \"GIVE\" }"
                .to_owned(),
            "line 2: no value of 'op' is called 'GIVE'",
        ),
    ] {
        let error = error(&map);
        assert!(error.contains(text), "{map}: {error}");
    }
}
