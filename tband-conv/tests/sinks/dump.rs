//! The text of events in a dump: names of objects, meanings of numbers.

use tband_conv::Input;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_format::Event::*;
use tband_format::Str;
use tband_recordings::{Recording, str, two_tasks};

fn lines(recording: &Recording, format: DumpFormat) -> Vec<String> {
    let mut out = Vec::new();
    dump(&[Input::from_bytes("d", &recording.0)], DumpOptions::of(format), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// A name beyond the maximum length is cut where it is stored, not where it is reported.
#[test]
fn endless_names_are_cut() {
    let name = "ä".repeat(1000);
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str(&name) })
        .at(5, TaskSwitchedIn { task_id: 1 });
    let lines = lines(&recording, DumpFormat::Text);
    assert!(lines[0].ends_with(&format!("name=\"{name}\"")), "{}", lines[0]);
    assert!(lines[1].ends_with(&format!("task_id=1({}…)", "ä".repeat(250))), "{}", lines[1]);
}

/// Whatever bytes a text has, programs and people read the same: bytes that are not UTF-8 become U+FFFD.
#[test]
fn json_contains_any_text_completely() {
    for byte in 1..=u8::MAX {
        let text = [b'x', byte, b'y'];
        let recording = Recording::default().at(1, Evtmarker { evtmarker_id: 1, msg: Str(&text) });
        let lines = lines(&recording, DumpFormat::Json);
        let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        let expected = String::from_utf8_lossy(&text);
        assert_eq!(line["msg"], *expected, "{byte}");
    }
}

#[test]
fn a_limit_makes_no_stranger_of_a_recording_that_begins_with_damage() {
    let mut bytes = vec![0xFF, 0xFF, 0];
    bytes.extend(two_tasks().at(1, TaskSwitchedIn { task_id: 1 }).0);
    let dumped = |bytes: &[u8]| {
        let (input, mut out) = (Input::from_bytes("r", bytes), Vec::new());
        let wanted = DumpOptions { limit: Some(0), ..DumpOptions::default() };
        dump(&[input], wanted, &mut out).map(|summary| (String::from_utf8(out).unwrap(), summary))
    };
    let (text, summary) = dumped(&bytes).unwrap();
    assert_eq!((&text[..], summary.defects), ("", 1));
    // Damage alone is not a recording, however little of it is selected.
    dumped(&[0xFF, 0xFF, 0].repeat(100)).unwrap_err();
}
