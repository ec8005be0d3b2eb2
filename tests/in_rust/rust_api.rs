//! The crate `tband` for firmware in Rust: every function of it, called by a Rust part of C programs (`rust_part`) that record
//! through the fake port; and the parts of it that remain in firmware.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tband_conv::Input;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_format::Event;
use tband_format::packet::command::MAX_COMMAND_FRAME;
use tband_format::trigger::{
    AT_LEAST, AT_MOST, CRASH, EQUAL, EVENT, FAILURE, QUEUE_FULL, READY_WAIT, STACK, TriggerState,
};
use tband_tests::c::Firmware;
use tband_tests::events::{for_each, user_lines_once};
use tband_tests::{cargo, root, run, temp_dir, write};
use xtask::rust_target;

/// The Rust part as a static library, built as firmware is.
fn rust_part(target_dir: &str, options: &[&str]) -> PathBuf {
    let target_dir = root().join(target_dir);
    run(cargo()
        .current_dir(root())
        .args(["build", "--quiet", "--locked", "-p", "tband-rust-part", "--profile", "firmware"])
        .args(options)
        .arg("--target-dir")
        .arg(&target_dir));
    let is_target = options.iter().skip_while(|option| **option != "--target").nth(1);
    let folder = is_target.map_or_else(|| target_dir.clone(), |target| target_dir.join(target));
    folder.join("firmware/libtband_rust_part.a")
}

/// Symbols of the object that is made of the crates here, with the letter of their kind.
fn symbols(archive: &Path) -> Vec<(char, String)> {
    let listing = run(Command::new("nm").args(["--format=posix", "-A"]).arg(archive));
    let listing = String::from_utf8(listing).expect("text");
    let own = listing
        .lines()
        .filter_map(|line| line.split_once("[tband_rust_part-")?.1.split_once("]: "));
    let list: Vec<_> = own
        .filter_map(|(_, symbol)| {
            let mut words = symbol.split(' ');
            let name = words.next()?.to_owned();
            Some((words.next()?.chars().next()?, name))
        })
        .collect();
    assert!(list.len() > 3, "{listing}");
    list
}

/// What `names` of the Rust part records.
const NAMES: &[&str] = &[
    "- evtmarker_name evtmarker_id=1 name=\"event\"",
    "- valmarker_name valmarker_id=2 name=\"value\"",
    "- isr_name isr_id=3 name=\"interrupt\"",
    "- task_evtmarker_name evtmarker_id=4 task_id=7 name=\"task event\"",
    "- task_valmarker_name valmarker_id=5 task_id=7 name=\"task value\"",
    "- queue_name queue_id=0 name=\"no queue\"",
    "- queue_name queue_id=23 name=\"queue\"",
    "- stream_buffer_name stream_buffer_id=24 name=\"stream\"",
    "- event_group_name event_group_id=25 name=\"group\"",
    "- timer_name timer_id=26 name=\"timer\"",
];

/// What `events` of the Rust part records.
const EVENTS: &[&str] = &[
    "0 evtmarker_begin evtmarker_id=1 msg=\"outer\"",
    "0 isr_enter isr_id=3",
    "0 evtmarker_begin evtmarker_id=1 msg=\"inner\"",
    "0 evtmarker_end evtmarker_id=1",
    "0 isr_exit isr_id=3",
    "0 valmarker valmarker_id=2 val=-9223372036854775808",
    "0 evtmarker_end evtmarker_id=1",
    "0 evtmarker_begin evtmarker_id=1 msg=\"a text of more than \"",
    "0 evtmarker_end evtmarker_id=1",
    "0 evtmarker evtmarker_id=1 msg=\"seven 7\"",
    "0 task_evtmarker_begin evtmarker_id=4294967295 msg=\"\"",
    "0 task_evtmarker evtmarker_id=4294967295 msg=\"in the task\"",
    "0 task_evtmarker_end evtmarker_id=4294967295",
    "0 task_evtmarker_begin evtmarker_id=4294967295 msg=\"more\"",
    "0 task_evtmarker_end evtmarker_id=4294967295",
    "0 task_valmarker valmarker_id=5 val=9223372036854775807",
];

/// What the Rust part calls has to be there.
const FILTERS: (&str, &str) = ("tband_configUSE_FILTERS", "1");
const TRIGGERS: (&str, &str) = ("tband_configUSE_TRIGGERS", "1");

fn assert_names_and_events(recording: &[u8]) {
    assert_eq!(user_lines_once(recording), [NAMES, EVENTS].concat());
}

#[test]
fn every_function_records_its_event_and_returns_what_it_promises() {
    let part = rust_part("target/test-archive", &[]);
    let config = |backend| [(backend, "1"), ("tband_configMETADATA_BUF_SIZE", "400"), FILTERS];
    let build = |name, backend| Firmware::with_library(name, Some(&part), &config(backend));
    let streaming = build("rust_streaming", "tband_configUSE_BACKEND_STREAMING").run(&[]);
    assert_names_and_events(&streaming);
    let snapshot = build("rust_snapshot", "tband_configUSE_BACKEND_SNAPSHOT").run(&[]);
    assert_names_and_events(&snapshot);
    for backend in [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        (
            "tband_configUSE_BACKEND_POST_MORTEM",
            "1\n#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((unused))",
        ),
    ] {
        let packets = [
            backend,
            ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
            ("tband_configPACKET_COUNT", "30"),
            ("FAKE_HAS_NO_TRANSPORT", "1"),
            ("tband_configMETADATA_BUF_SIZE", "400"),
            FILTERS,
        ];
        let firmware = Firmware::with_library("rust_packets", Some(&part), &packets);
        assert_names_and_events(&firmware.run(&[]));
    }
}

/// The external backend takes records from the first on, and is never "recording", as in C.
#[test]
fn the_external_backend_takes_records_without_a_start() {
    let part = rust_part("target/test-archive", &[]);
    for format in ["TBAND_FORMAT_FRAMES", "TBAND_FORMAT_PACKETS"] {
        let mut config =
            vec![("tband_configUSE_BACKEND_EXTERNAL", "1"), ("tband_configFORMAT", format)];
        config.extend((format == "TBAND_FORMAT_PACKETS").then_some(("PROGRAM_FLUSHES", "1")));
        let recording = Firmware::with_library("rust_external", Some(&part), &config).run(&[]);
        let mut records = 0;
        for_each(&recording, |_, event| {
            records += u32::from(matches!(event, Event::Record { .. }))
        });
        assert_eq!(records, 2, "{format}");
    }
}

/// The compiler marks the argument of a record that does not fit its conversion, of several that one.
#[test]
fn an_argument_that_does_not_fit_is_marked() {
    let folder = temp_dir();
    let source = "pub fn f(position: i32, volts: f64) {\n    tband::record!(\"%d, %d, %d\", position, volts, position);\n}\n";
    let manifest = format!(
        "[package]\nname = \"marked\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         tband = {{ path = {:?}, default-features = false }}\n",
        root().join("tband-rust")
    );
    write(folder.path().join("Cargo.toml"), &manifest);
    write(folder.path().join("src/lib.rs"), source);
    std::fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("a file");
    let mut check = cargo();
    check.args(["check", "--quiet", "--offline"]).current_dir(folder.path());
    check.arg("--target-dir").arg(root().join("target/test-rust-marked"));
    let ran = tband_programs::output(&mut check).expect("cargo runs");
    let printed = String::from_utf8_lossy(&ran.stderr);
    assert!(!ran.status.success(), "{printed}");
    let column = source.lines().nth(1).and_then(|line| line.find("volts")).expect("a line") + 1;
    let first = printed.lines().find(|line| line.contains("--> ")).expect("a place");
    assert!(first.ends_with(&format!("lib.rs:2:{column}")), "{printed}");
    assert!(printed.contains("`f64` does not fit its conversion"), "{printed}");
}

#[test]
fn filters_leave_out_what_was_chosen() {
    let part = rust_part("target/test-archive", &[]);
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configMETADATA_BUF_SIZE", "400"),
        FILTERS,
    ];
    let recording = Firmware::with_library("rust_filters", Some(&part), &config).run(&[]);
    let events: Vec<_> = user_lines_once(&recording)
        .into_iter()
        .filter(|line| !line.starts_with('-') && !line.contains(" filter "))
        .collect();
    let (value, event) =
        ("0 valmarker valmarker_id=2 val=1", "0 evtmarker evtmarker_id=2 msg=\"1\"");
    let of_3 = "0 valmarker valmarker_id=3 val=1";
    let isr = ["0 isr_enter isr_id=25", "0 isr_exit isr_id=25"];
    let expected = [value, event, value, event, of_3, value, isr[0], isr[1], value, event];
    assert_eq!(events, expected);
}

/// Each fires at the last event of its row, and the recording reports the freeze after the requested number of events.
#[test]
fn triggers_fire_at_their_events() {
    let part = rust_part("target/test-archive", &[]);
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configMETADATA_BUF_SIZE", "800"),
        TRIGGERS,
    ];
    let recording = Firmware::with_library("rust_triggers", Some(&part), &config).run(&[]);
    let events: Vec<_> = user_lines_once(&recording)
        .into_iter()
        .filter(|line| !line.starts_with('-'))
        .map(|line| line.split_once(' ').map(|(_, event)| event.to_owned()).expect("a time"))
        .collect();
    // Events in a row; what the trigger has of the one that it fires at: condition, id, object; so many come after it.
    let value = |value: i64| format!("valmarker valmarker_id=2 val={value}");
    let values = |values: &[i64]| values.iter().map(|it| value(*it)).collect::<Vec<_>>();
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let rows = [
        (values(&[4, 5, 6, 7]), (AT_LEAST, 11, 2), 1),
        (values(&[5, 4, 6, 7]), (AT_LEAST, 11, 2), 1),
        (values(&[5, 5, i64::MIN + 2, i64::MIN + 1]), (AT_MOST, 11, 2), 0),
        (values(&[i64::MAX - 1, i64::MAX]), (EQUAL, 11, 2), 0),
        (
            lines(&[
                "queue_send queue_id=23 len_after=7",
                "queue_send queue_id=24 len_after=8",
                "queue_send_from_isr queue_id=23 len_after=8",
            ]),
            (QUEUE_FULL, 103, 23),
            0,
        ),
        (
            lines(&[
                "task_to_rdy_state task_id=7",
                "task_switched_in task_id=7",
                "task_switched_in task_id=6",
                "task_to_rdy_state task_id=7",
                "task_switched_in task_id=7",
            ]),
            (READY_WAIT, 84, 7),
            0,
        ),
        (
            lines(&[
                "task_stack_high_water_mark task_id=7 bytes=64",
                "task_stack_high_water_mark task_id=6 bytes=63",
            ]),
            (STACK, 194, 6),
            0,
        ),
        (
            lines(&[
                "queue_receive_failed queue_id=23",
                "queue_receive_failed queue_id=22",
                "queue_send_failed queue_id=23",
            ]),
            (FAILURE, 178, 23),
            0,
        ),
        (
            lines(&[
                "task_resumed task_id=6",
                "task_resumed_from_isr task_id=7",
                "task_resumed task_id=7",
            ]),
            (EVENT, 86, 7),
            0,
        ),
        (lines(&["task_resumed task_id=6"]), (EVENT, 86, 6), 0),
        (lines(&["crash kind=1 of=\"\""]), (CRASH, 225, 1), 0),
    ];
    let mut expected = Vec::new();
    for (n, (mut row, (condition, event, of), after)) in (1..).zip(rows) {
        let is = TriggerState { trigger: 0, condition, event, of }.write();
        row.insert(row.len() - after, format!("trigger n={n} is={is}"));
        expected.extend(row);
        expected.push(format!("frozen n={n}"));
    }
    assert_eq!(events, expected);
}

/// Commands that the crate receives and executes: one of the program's own, in Rust, and some in memory, by address and in a
/// current object.
#[test]
fn commands_are_executed() {
    let part = rust_part("target/test-archive", &[]);
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configALLOW_READ", "1"),
        ("tband_configALLOW_WRITE", "1"),
        ("tband_configCOMMAND_MEMORY_FIRST", "0x20000000"),
        ("tband_configCOMMAND_MEMORY_LAST", "0x20000FFF"),
        (
            "tband_configON_COMMAND(number, a, b, c)",
            "rust_part_on_command((number), (a), (b), (c))",
        ),
    ];
    let (user, write, object, peek, poke) = (6, 8, 13, 14, 15);
    let asked: [(u8, &[u32], i64); 7] = [
        (user, &[1, 40, 2, u32::MAX], 42),
        (write, &[4, 0x2000_0010, 7], 0),
        (peek, &[4, 0], -4),
        (object, &[0x2000_0010, 8], 0),
        (peek, &[4, 0], 7),
        (poke, &[1, 1, 0xAB, 2], 0),
        (peek, &[4, 0], 0x00AB_AB07),
    ];
    let frames: Vec<String> = (1..)
        .zip(asked)
        .map(|(number, (kind, words, _))| {
            let mut arguments = [0; 6];
            arguments[..words.len()].copy_from_slice(words);
            let command = tband_format::packet::command::Command {
                number,
                kind,
                arguments,
                count: words.len() as u8,
            };
            let mut frame = [0; MAX_COMMAND_FRAME];
            let len = command.frame(&mut frame);
            frame[..len].iter().map(|byte| format!("{byte:02x}")).collect()
        })
        .collect();
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let firmware = Firmware::with_library("rust_commands", Some(&part), &config);
    let mut answers = Vec::new();
    for_each(&firmware.run(&frames), |_, event| {
        if let Event::Answer { n, is } = event {
            answers.push((*n, *is));
        }
    });
    let wanted: Vec<_> = (1..).zip(asked.map(|(_, _, is)| is)).collect();
    assert_eq!(answers, wanted);
}

/// Each record of Rust has the bytes of C's, whatever its format's letters are, and the same text.
#[test]
fn records_have_the_bytes_that_c_records() {
    let part = rust_part("target/test-archive", &[]);
    let streaming = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configMAX_STR_LEN", "60"),
        ("tband_configMETADATA_BUF_SIZE", "4000"),
    ];
    let packets = [
        ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
        ("tband_configPACKET_SIZE", "1024"),
        ("tband_configPACKET_COUNT", "30"),
    ];
    for config in [&streaming[..], &[&streaming[..], &packets].concat()] {
        let stream = Firmware::with_library("rust_records", Some(&part), config).run(&[]);
        let mut out = Vec::new();
        let input = Input::from_bytes("records", &stream);
        dump(&[input], DumpOptions::of(DumpFormat::Json), &mut out).expect("a recording");
        let text = String::from_utf8(out).expect("text");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let shown = lines.filter(|it: &Value| it["event"] == "record");
        let shown: Vec<_> =
            shown.map(|it| it["text"].as_str().expect("a text").to_owned()).collect();
        let mut records = Vec::new();
        for_each(&stream, |_, event| {
            if let Event::Record { at, is } = event {
                records.push((*at, is.0.to_vec()));
            }
        });
        assert_eq!((records.len(), shown.len()), (2 * (27 + 122), 2 * (27 + 122)), "{text}");
        let half = records.len() / 2;
        for (c, rust) in (0..half).zip(half..) {
            assert_ne!(records[c].0, records[rust].0, "each has a separate format");
            assert!(!shown[c].contains("a format that"), "{}", shown[c]);
            assert_eq!(shown[c], shown[rust]);
            assert_eq!(records[c].1, records[rust].1, "{}", shown[c]);
        }
        // The same element by element, each a byte more.
        let mut typed = Vec::new();
        for_each(&stream, |_, event| {
            if let Event::Typed { no, is } = event {
                typed.push((*no, is.0.to_vec()));
            }
        });
        let half_typed = typed.len() / 2;
        assert_eq!(half_typed, 6 + 122, "{text}");
        for (at, (c, rust)) in (0..half_typed).zip(half_typed..).enumerate() {
            assert_eq!(typed[c], typed[rust], "{at}");
        }
        for words in
            [" 200 -100 60000 -30000\"", "KIND TIMEOUT STAGE 268435455 0", "a literal  in C 0x"]
        {
            assert_eq!(text.matches(words).count(), 2, "{words}: {text}");
        }
        let printed = ["", "%1%d", "ab    |ghi", "ä5€ ö\u{1F600}", "a|c", "-1   +03| 4|0x1f"];
        assert_eq!(shown[19..25], printed);
        // As much of a text as there is room for, and of bytes 1 and 2 both halves or none.
        let text: String = "ab\x01c\x02\x02d".chars().cycle().take(60).collect();
        for (len, shown) in (0..=60).zip(shown[27..half].chunks(2)) {
            let text = &text[..len];
            let takes = |text: &str| text.bytes().map(|it| 1 + usize::from(it <= 2)).sum::<usize>();
            for (shown, whole, room) in
                [(&shown[0], format!("{text}7"), 60 - 2), (&shown[1], format!("500{text}"), 60 - 2)]
            {
                if takes(text) <= room {
                    assert_eq!(*shown, whole);
                    continue;
                }
                let kept = shown.trim_end_matches('…').trim_start_matches("500");
                assert!(text.starts_with(kept) && takes(kept) >= room - 1, "{shown:?} of {text:?}");
            }
        }
    }
}

/// Formats are where the linker puts nothing into the firmware, unless the recording has them.
#[test]
fn formats_are_in_a_separate_section() {
    let target = "thumbv6m-none-eabi";
    rust_target::add_target(Path::new("rustup"), root(), target).expect("the target");
    let sections = |options: &[&str]| {
        let archive = rust_part("target/test-archive", options);
        let listing =
            run(Command::new("readelf").args(["--section-headers", "--wide"]).arg(archive));
        String::from_utf8_lossy(&listing).contains(".tband_strings.rust")
    };
    assert!(sections(&["--target", target]));
    assert!(!sections(&[]));
}

/// Nothing in it panics, allocates or needs more than tband and the copying of bytes.
#[test]
fn firmware_has_no_panic_and_no_other_dependency() {
    let target = "thumbv6m-none-eabi";
    rust_target::add_target(Path::new("rustup"), root(), target).expect("the target");
    for options in [vec![], vec!["--target", target]] {
        for (kind, name) in symbols(&rust_part("target/test-archive", &options)) {
            let is_allowed = name.starts_with("tband_")
                || name.starts_with("fake_")
                || ["memcpy", "memset", "memmove", "memcmp", "strlen"].contains(&name.as_str())
                || name.starts_with("__aeabi_mem");
            assert!(kind != 'U' || is_allowed, "{options:?}: it needs {name}");
            assert!(!name.contains("panic"), "{options:?}: {name}");
        }
    }
}

#[test]
fn switched_off_it_needs_no_c_at_all() {
    let part = rust_part("target/test-archive/off", &["--no-default-features"]);
    let symbols = symbols(&part);
    let is_there = |wanted: &str| symbols.iter().any(|(_, name)| name == wanted);
    assert!(is_there("rust_part_streaming"), "{symbols:?}");
    for (kind, name) in &symbols {
        assert!(*kind != 'U' || !name.starts_with("tband_"), "it needs {name}");
    }
}
