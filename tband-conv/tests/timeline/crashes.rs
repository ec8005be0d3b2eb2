//! Crashes of the firmware: as many as there are, and with the functions that the caller knows.

use tband_conv::sinks::Perfetto;
use tband_conv::{Input, Options, convert};
use tband_format::named::{CrashKind, FaultFact};
use tband_format::{Event, Str};
use tband_recordings::{cases, frames, project};

/// A crash loop in a recording that continues takes bounded memory.
#[test]
fn many_faults_are_bounded() {
    let mut events = Vec::new();
    for ts in 0..1100 {
        for what in 0..=127 {
            events.push((ts, Event::Fault { what: FaultFact(what), is: 1 }));
        }
        events.push((ts, Event::Crash { kind: CrashKind::OTHER, of: Str(b"again") }));
    }
    let recording = frames(&events);
    let mut trace = Perfetto::new(Vec::new());
    let inputs = [Input::from_bytes("crashes", &recording)];
    let summary = convert(&inputs, &Options::default(), &mut trace).expect("a recording");
    assert_eq!(summary.crashes.len(), 64);
    assert!(trace.into_inner().len() < 1000 * 128 * 32);
}

/// Those of the recording take precedence.
#[test]
fn options_have_the_places_of_crashes() {
    let cases = project::path("tband-conv/tests/cases/timeline/crashes.txt");
    let recording = cases::recording(&cases, "a crash is named by its places");
    let mut options = Options::default();
    options.crash_places = vec![(0x1234, vec!["main".into()]), (0x2000, vec!["other".into()])];
    let inputs = [Input::from_bytes("crash", &recording)];
    let summary = convert(&inputs, &options, &mut ()).expect("a recording");
    let shown: Vec<_> = summary.crashes.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "exception at pc 0x00001234 in filter_step (filter.c:27)",
            "exception at pc 0x00002000 in other"
        ]
    );
}
