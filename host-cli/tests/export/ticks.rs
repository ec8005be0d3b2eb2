//! Recordings whose timer has an unknown frequency: each format reports that its times are ticks.

use crate::support::*;
use tband_app::exports::{EXPORTS, OutputKind};
use tband_format::Event;
use tband_recordings::Recording;

/// Events without the metadata that has the frequency, and with it.
fn recordings(folder: &Folder) -> [String; 2] {
    let events = |start: Recording| {
        (0..50).fold(start, |recording, number| {
            recording
                .at(100 * number, Event::TaskSwitchedIn { task_id: 1 + (number % 2) as u32 })
                .at(100 * number + 50, Event::IsrEnter { isr_id: 3 })
                .at(100 * number + 60, Event::IsrExit { isr_id: 3 })
        })
    };
    let known = Recording::default().meta(Event::TsResolutionNs { ns_per_ts: 1 });
    [
        folder.file("unknown.bin", &events(Recording::default()).0),
        folder.file("known.bin", &events(known).0),
    ]
}

#[test]
fn each_format_states_that_times_are_ticks() {
    let folder = Folder::new("export-ticks");
    let [unknown, known] = recordings(&folder);
    // Tables are built on request only.
    for export in EXPORTS.iter().filter(|it| !matches!(it.form, OutputKind::Missing(_))) {
        let has_note = |input: &str, name: &str| {
            let out = folder.path(&format!("{name}-{}", export.name));
            let ran = run(&["conv", "--output-format", export.name, "-o", &out, input]);
            assert_eq!(
                ran.stderr.contains("times are in ticks"),
                name == "unknown",
                "{}",
                ran.stderr
            );
            let file = match export.form {
                OutputKind::Stream(_) | OutputKind::File(_) => out,
                _ if export.name.starts_with("ctf") => format!("{out}/metadata"),
                _ => return None,
            };
            let bytes = std::fs::read(file).unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let notes = ["ticks of a timer", "times are in ticks", "(ticks)", "shown as 1 ns"];
            Some(notes.iter().any(|note| text.contains(note)))
        };
        let Some(has_warning) = has_note(&unknown, "unknown") else { continue };
        assert!(has_warning, "{}", export.name);
        assert_eq!(has_note(&known, "known"), Some(false), "{}", export.name);
    }
    let out = folder.path("lttng");
    let args = ["conv", "--output-format", "ctf1", "--ctf-names", "lttng", "-o", &out, &unknown];
    run(&args);
    let text = std::fs::read_to_string(format!("{out}/metadata")).unwrap();
    assert!(text.contains("unknown frequency"), "{text}");
}
