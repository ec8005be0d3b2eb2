//! Sources and representations of recordings: every command accepts every kind from every source, reports the fault of an
//! invalid one, and ends.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use crate::support::served::{interrupt, serve};
use crate::support::*;
use tband_app::choice::Choice;
use tband_conv::encoding::notation::Format;
use tband_format::Event;
use tband_recordings::packed::packed;
use tband_recordings::{Recording, str};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    File,
    /// Stdin that is a file.
    Redirected,
    /// Stdin that is a pipe.
    Piped,
    NamedPipe,
    /// As the shell's `<(command)`.
    Substitution,
}

const SOURCES: [Source; 5] =
    [Source::File, Source::Redirected, Source::Piped, Source::NamedPipe, Source::Substitution];

const COMMANDS: [&[&str]; 9] = [
    &["conv", "-o", "t.pftrace"],
    &["conv", "-o", "-"],
    &["conv"],
    &["dump"],
    &["dump", "--json"],
    &["stats"],
    &["check"],
    &["conv", "--serve"],
    &["serve"],
];

fn hex(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| format!("{byte:02x} ").into_bytes()).collect()
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::new();
    for (number, chunk) in bytes.chunks(3).enumerate() {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (24 - 8 * chunk.len());
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= chunk.len() { DIGITS[value as usize] } else { b'=' });
        }
        if number % 19 == 18 {
            text.push(b'\n');
        }
    }
    text
}

/// A log of a terminal with a text in it, as programs for Tonbandgerät print it.
fn in_log(text: &[u8]) -> Vec<u8> {
    let mut log = b"I (311) main: boot, version 1.2\n".repeat(60);
    log.extend(b"I (312) trace: ==== START OF TONBANDGERAET BUFFER ====\r\n");
    for line in text.chunks(76) {
        log.extend([b"I (1312) trace: ", line, b"\r\n"].concat());
    }
    log.extend(b"I (1313) trace: ==== END OF TONBANDGERAET BUFFER ====\nI (1314) main: end\n");
    log
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a recording in this encoding, in each possible way. A new encoding does not compile until it is here.
fn encoded(format: Format, bytes: &[u8]) -> Vec<Vec<u8>> {
    match format {
        Format::Bin => vec![bytes.to_vec()],
        Format::Hex => vec![hex(bytes), in_log(&hex(bytes))],
        Format::Base64 => vec![base64(bytes), gzip(&in_log(&base64(bytes)))],
        Format::Gzip => vec![gzip(bytes), gzip(&hex(bytes))],
        // Which of the others it is.
        Format::Auto => vec![],
    }
}

/// Returns a command that reads a file's bytes from this source, and the source's name in messages.
fn reading(folder: &Folder, source: Source, args: &[&str], bytes: &[u8]) -> (Command, String) {
    let file = folder.file("input", bytes);
    let with = |name: &str| {
        let mut command = cli(&[args, &[name]].concat());
        command.current_dir(&folder.0);
        command
    };
    match source {
        Source::File => (with(&file), file),
        Source::Redirected => {
            let mut command = with("-");
            command.stdin(fs::File::open(file).unwrap());
            (command, "stdin".to_owned())
        }
        Source::Piped => {
            let mut command = with("-");
            let (reader, mut writer) = std::io::pipe().unwrap();
            let bytes = bytes.to_vec();
            // A reader that stops early is not an error.
            thread::spawn(move || drop(writer.write_all(&bytes)));
            command.stdin(reader);
            (command, "stdin".to_owned())
        }
        Source::NamedPipe => {
            let pipe = folder.path("pipe");
            if !fs::exists(&pipe).unwrap() {
                assert_eq!(finish(Command::new("mkfifo").arg(&pipe)).code, Some(0));
            }
            let (to, bytes) = (pipe.clone(), bytes.to_vec());
            thread::spawn(move || drop(fs::write(to, bytes)));
            (with(&pipe), pipe)
        }
        Source::Substitution => {
            let mut command = Command::new("bash");
            let line =
                format!("exec {} {} <(cat input)", env!("CARGO_BIN_EXE_tband-cli"), args.join(" "));
            command.args(["-c", &line]).current_dir(&folder.0).stdin(Stdio::null());
            (command, "/dev/fd/".to_owned())
        }
    }
}

/// Runs it to the end with the stdin that it has.
fn finish_reading(command: &mut Command) -> RunOutput {
    ran(start(piped(command)).unwrap().output().unwrap())
}

/// Runs it to the end; a server is ended once it has served.
fn run_to_the_end(mut command: Command, serves: bool) -> RunOutput {
    if !serves {
        return finish_reading(&mut command);
    }
    let served = serve(&mut command);
    served.get(&[]).is("200", &[]);
    interrupt(&served);
    let (code, stderr) = served.end();
    RunOutput { code, stdout: Vec::new(), stderr }
}

#[test]
fn every_command_reads_every_notation_from_every_source() {
    let folder = Folder::new("sources");
    let bytes = fs::read(vector("freertos_late_start.bin")).unwrap();
    let bytes = &bytes[..3000];
    for args in COMMANDS {
        let serves = args.contains(&"serve") || args.contains(&"--serve");
        let (command, _) = reading(&folder, Source::File, args, bytes);
        // The recording is cut off inside of a frame.
        let expected = run_to_the_end(command, serves).stdout;
        let notations: Vec<_> =
            Format::ALL.iter().flat_map(|(format, ..)| encoded(*format, bytes)).collect();
        for (number, notation) in notations.iter().enumerate() {
            for source in SOURCES {
                // Not every combination, where the same code follows the input.
                if (serves || args == ["conv", "-o", "t.pftrace"])
                    && number > 1
                    && source != Source::Piped
                {
                    continue;
                }
                let (command, _) = reading(&folder, source, args, notation);
                let ran = run_to_the_end(command, serves);
                let what = format!("{args:?} {source:?} {number}");
                assert_eq!(ran.code, Some(1), "{what}: {}", ran.stderr);
                if args != ["check"] {
                    assert!(ran.stdout == expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn every_command_refuses_other_data_from_every_source() {
    let folder = Folder::new("no-recording");
    let bytes = fs::read(vector("freertos_sim.bin")).unwrap();
    let junk: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let cut = gzip(&bytes);
    let contents: [(&[u8], &str); 6] = [
        (b"", "holds no event (0 bytes)"),
        (&[0; 5000], "holds no event (5000 bytes, all zero)"),
        (b"Once upon a time there was a text.\n", "not a tband recording"),
        (&junk, "not a tband recording"),
        (b"\x1F\x8B\x08\x00 no more of it", "not a tband recording"),
        (&cut[..cut.len() / 2], "it is compressed, and cut off or damaged"),
    ];
    for args in COMMANDS {
        for (content, text) in contents {
            for source in SOURCES {
                let (mut command, name) = reading(&folder, source, args, content);
                let ran = finish_reading(&mut command);
                assert_fails(&ran, 2, &["error: ", text, &name]);
                // A dump continues until the rest cannot be read.
                assert!(ran.stdout.is_empty() || text.contains("cut off") && args[0] == "dump");
            }
        }
    }
}

/// Returns the summary of two cores' files of a recording.
fn summary(args: &[&str]) -> (Option<i32>, serde_json::Value, String) {
    let ran = run(&[&["stats", "--json"], args].concat());
    (ran.code, serde_json::from_slice(&ran.stdout).unwrap_or_default(), ran.stderr)
}

#[test]
fn files_that_were_cut_anywhere_are_one_recording() {
    let folder = Folder::new("joined");
    let bytes = fs::read(vector("freertos_sim.bin")).unwrap();
    let whole = run(&["conv", "-o", "-", &vector("freertos_sim.bin")]);
    let lines = run(&["dump", &vector("freertos_sim.bin")]);
    assert_eq!((whole.code, lines.code), (Some(0), Some(0)));
    for cut in [1, 2, 5, 6, 7, 1000, 1001, 1002, 1003, 30_000, bytes.len() - 1] {
        let (front, back) = bytes.split_at(cut);
        let (front, back) = (folder.file("1.bin", front), folder.file("2.bin", back));
        let hex = folder.file("2.hex", &hex(&bytes[cut..]));
        for inputs in [[&front, &back], [&front, &hex]] {
            let ran = run(&["conv", "-o", "-", inputs[0], inputs[1]]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{cut}");
            assert!(ran.stdout == whole.stdout, "{cut}");
            let ran = run(&["dump", inputs[0], inputs[1]]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{cut}");
            assert!(ran.stdout == lines.stdout, "{cut}");
        }
    }
}

/// Packets have no zero at their end, and the rest after a cut may be shorter than one.
#[test]
fn packets_that_were_cut_anywhere_are_one_recording() {
    let folder = Folder::new("joined-packets");
    let bytes = packed(&fs::read(vector("freertos_sim.bin")).unwrap(), 512);
    let whole = run(&["dump", &folder.file("whole.bin", &bytes)]).assert_code(0);
    let len = bytes.len();
    let last = (1..500).step_by(37).map(|left| len - left);
    for cut in [1, 3, 4, 15, 36, 37, 100, 511, 512, 513, 4000, len / 2].into_iter().chain(last) {
        let (front, back) = bytes.split_at(cut);
        let (front, back) = (folder.file("1.bin", front), folder.file("2.bin", back));
        let ran = run(&["dump", &front, &back]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{cut}");
        assert!(ran.stdout == whole.stdout, "{cut}");
    }
}

/// A recording of frames that ends at 9, and a later one of the same target.
#[test]
fn files_of_both_formats_are_each_read_as_what_they_are() {
    let folder = Folder::new("formats");
    let at = |from: u64, count: u64| -> Vec<u8> {
        let begin = [
            frame(0, Event::CoreId { core_id: 0 }),
            frame(0, Event::TsResolutionNs { ns_per_ts: 10 }),
        ];
        let switches = (0..count)
            .map(|at| frame(from + at, Event::TaskSwitchedIn { task_id: 1 + at as u32 % 2 }));
        begin.into_iter().chain(switches).flatten().collect()
    };
    let frames_of = |from| at(from, 1400);
    let packets_of = |from| packed(&at(from, 1400), 512);
    let count = |file: &str| run(&["dump", file]).stdout.iter().filter(|it| **it == b'\n').count();
    let dumped = |args: &[&str]| {
        let ran = run(&[&["dump"], args].concat());
        let warnings = ran.stderr.lines().filter(|line| line.starts_with("warning"));
        let warnings: String = warnings.collect();
        (ran.code, ran.stdout.iter().filter(|it| **it == b'\n').count(), warnings)
    };
    let formats: [[&dyn Fn(u64) -> Vec<u8>; 3]; 5] = [
        [&frames_of, &packets_of, &frames_of],
        [&packets_of, &frames_of, &packets_of],
        [&frames_of, &packets_of, &packets_of],
        [&packets_of, &frames_of, &frames_of],
        [&packets_of, &packets_of, &frames_of],
    ];
    for (index, [one, two, three]) in formats.into_iter().enumerate() {
        let one = folder.file("1.bin", &one(10));
        let two = folder.file("2.bin", &two(5000));
        let three = folder.file("3.bin", &three(9000));
        for args in [&[&*one, &*two][..], &[&*one, &*two, &*three], &[&*one, &format!("{two}@0")]] {
            let files = args.iter().map(|file| count(file.trim_end_matches("@0")));
            let expected = (Some(0), files.sum(), String::new());
            assert_eq!(dumped(args), expected, "{index}: {args:?}");
            let (code, json, messages) = summary(args);
            assert!(
                code == Some(0) && !messages.contains("warning"),
                "{index}: {args:?}: {messages}"
            );
            let recording = &json["recording"];
            assert_eq!(recording["events"], expected.1, "{index}: {args:?}");
            let bytes: u64 = args
                .iter()
                .map(|file| fs::metadata(file.trim_end_matches("@0")).unwrap().len())
                .sum();
            assert_eq!(recording["bytes"], bytes, "{index}: {args:?}");
            let json =
                run(&["check", "--json"].iter().chain(args).copied().collect::<Vec<_>>()).json();
            assert_eq!(json["verdict"], "whole");
            assert_eq!(json["link"]["damaged_bytes"], 0);
            let link = args.iter().map(|file| {
                let json = run(&["check", "--json", file]).json();
                json["link"]["bytes"].as_u64().unwrap_or(0)
            });
            assert_eq!(json["link"]["bytes"], link.sum::<u64>(), "{index}: {args:?}");
            for version in ["ctf1", "ctf2"] {
                let out = folder.path("trace");
                let _ = fs::remove_dir_all(&out);
                let conv = ["conv", "--to", version, "-o", &out];
                let ran = run(&conv.iter().chain(args).copied().collect::<Vec<_>>());
                assert_eq!(ran.code, Some(0), "{index}: {args:?}: {}", ran.stderr);
            }
        }
    }
}

/// Cores may have the same metadata and the same beginning, and buffers without events are not distinctive.
#[test]
fn files_that_begin_alike_are_not_copies() {
    let folder = Folder::new("copy");
    let bytes = small().repeat(12);
    let mut metadata = Recording::default();
    for n in 1..40 {
        metadata =
            metadata.meta(Event::TaskName { task_id: n, name: str("the same on each core") });
    }
    let (alike, longer) = (metadata.0.repeat(3), [&metadata.0[..], &bytes].concat());
    for (one, other) in [
        (&bytes[..20], &bytes[..20]),
        (&[0; 300], &[0; 300]),
        (&alike, &alike),
        (&metadata.0, &longer),
    ] {
        let (one, other) = (folder.file("0.bin", one), folder.file("1.bin", other));
        let ran = run(&["check", &format!("{one}@1"), &format!("{other}@2")]);
        assert!(!ran.stderr.contains("the same content"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("begins with all"), "{}", ran.stderr);
    }
    let (mut one, mut other) = (bytes.clone(), bytes.clone());
    one.extend(Recording::default().at(1 << 30, Event::IsrEnter { isr_id: 1 }).0);
    other.extend(Recording::default().at(1 << 30, Event::IsrEnter { isr_id: 2 }).0);
    let (one, other) = (folder.file("0.bin", &one), folder.file("1.bin", &other));
    let ran = run(&["check", &format!("{one}@0"), &format!("{other}@1")]);
    assert_ne!(ran.code, Some(2), "{}", ran.stderr);
}

/// Only the place is reported; a capture begins with noise of the line, or with printed text of the firmware.
#[test]
fn damage_in_the_first_bytes_does_not_mislead() {
    let bytes = fs::read(vector("freertos_late_start.bin")).unwrap();
    let events = |bytes: &[u8]| {
        let ran = run_with_stdin(&["dump", "--json", "-"], bytes);
        let lines = ran.text();
        (lines.lines().filter(|line| line.contains("\"event\"")).count(), ran.stderr)
    };
    let (all, _) = events(&bytes);
    for start in [
        &b"\xFF"[..],
        b"\xFF\xFE\x00",
        b"\n",
        b"0123456789abcdef",
        b"boot v1.2, heap 0x20004000\r\n",
        b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=",
        b"\x1F\x8B\x08\x00",
        &b"Hello world. ".repeat(100),
    ] {
        let (count, messages) = events(&[start, &bytes].concat());
        assert!(count + 2 >= all, "{start:?}: {count} of {all}: {messages}");
    }
    // Long texts of digits in events.
    let digits = frame(
        1,
        Event::Evtmarker {
            evtmarker_id: 1,
            msg: tband_format::Str(&b"0123456789abcdef".repeat(10)),
        },
    );
    assert_eq!(events(&digits.repeat(20)).0, 20);
    // Text with a damaged character is still text: the message names that character.
    for text in [hex(&bytes), base64(&bytes)] {
        let (_, messages) = events(&[b"\xFF\x00", &text[..]].concat());
        assert!(messages.contains("byte 0: 'ÿ' is not a "), "{messages}");
    }
    // The explicit option takes precedence.
    let ran = run_with_stdin(&["check", "-f", "bin", "-"], &hex(&bytes));
    assert_fails(&ran, 2, &["not a tband recording", "it looks like hex text: use --format hex"]);
    let ran = run_with_stdin(&["check", "-f", "bin", "-"], &base64(&bytes));
    assert_fails(&ran, 2, &["it looks like base64 text: use --format base64"]);
    let ran = run_with_stdin(&["check", "-f", "bin", "-"], &gzip(&bytes));
    assert_fails(&ran, 2, &["it is compressed: use --format auto"]);
    let ran = run_with_stdin(&["check", "-f", "gzip", "-"], &bytes);
    assert_fails(&ran, 2, &["it is compressed, and cut off or damaged (invalid gzip header)"]);
}

/// Received data is shown, although the source continues.
#[test]
fn a_dump_follows_a_growing_source() {
    let mut command = cli(&["dump", "--json", "-"]);
    let mut program = start(piped(&mut command).stdin(Stdio::piped())).unwrap();
    let mut stdin = program.stdin().unwrap();
    stdin.write_all(&frame(0, Event::TsResolutionNs { ns_per_ts: 1000 })).unwrap();
    for ts in 1..=100 {
        stdin.write_all(&frame(ts, Event::TaskSwitchedIn { task_id: 1 })).unwrap();
    }
    assert!(program.line().contains("ts_resolution_ns"));
    for ts in 1..=100 {
        assert!(program.line().contains(&format!("\"ts\":{ts},")));
    }
    drop(stdin);
    assert_eq!(ran(program.output().unwrap()).code, Some(0));
}

/// A file of some kilobytes that becomes gigabytes is not read for ever.
#[test]
fn stops_reading_a_decompression_bomb() {
    let folder = Folder::new("bomb");
    let member = gzip(&vec![0xFF; 16 << 20]);
    let bomb = folder.file("bomb.gz", &member.repeat(40));
    for args in [&["dump", "--limit", "5"][..], &["check"]] {
        let ran = run(&[args, &[&bomb]].concat());
        assert_fails(&ran, 2, &["bomb.gz: ", "compressed to less than a hundredth", "zcat FILE"]);
    }
    // A recording with its few events first is dumped.
    let events = gzip(&small().repeat(10));
    let file = folder.file("first.gz", &[events, member.repeat(40)].concat());
    let ran = run(&["dump", "--limit", "5", &file]);
    assert_eq!((ran.code, ran.stdout.iter().filter(|it| **it == b'\n').count()), (Some(0), 5));
}

/// Two boards sent each other numbers; the second has begun a second earlier and runs 50 ppm fast.
#[test]
fn clocks_that_are_not_one_are_aligned() {
    use tband_format::registry::clock_sync;
    let folder = Folder::new("align");
    let sync = |valmarker_id, number: u64| {
        let val = i64::try_from(number).expect("a number");
        Event::Valmarker { valmarker_id, val }
    };
    let other = |us: u64| us + us / 20_000 + 1_000_000;
    let resolution = Event::TsResolutionNs { ns_per_ts: 1000 };
    let (mut one, mut two) =
        (Recording::default().meta(resolution), Recording::default().meta(resolution));
    for round in 0..50 {
        let start = 1_000_000 + round * 100_000;
        one = one.at(start, sync(clock_sync::SENT, 2 * round));
        two = two.at(other(start + 5), sync(clock_sync::HEARD, 2 * round));
        two = two.at(other(start + 10), sync(clock_sync::SENT, 2 * round + 1));
        one = one.at(start + 15, sync(clock_sync::HEARD, 2 * round + 1));
    }
    let (one, two) = (folder.file("one.bin", &one.0), folder.file("two.bin", &two.0));
    let (one, two) = (format!("{one}@0"), format!("{two}@1"));
    let output = folder.path("t.pftrace");
    let ran = run(&["conv", "--align", "clock-sync", "-o", &output, &one, &two]).assert_code(0);
    let messages = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(messages.contains("its clock runs +50."), "{messages}");
    assert!(messages.contains("by 100 moments; its times are right within"), "{messages}");
    // The other commands report the facts about the clocks.
    let ran = run(&["check", "--align", "clock-sync", &one, &two]);
    let text = String::from_utf8(ran.stdout).expect("text");
    assert!(text.contains("two.bin: a separate clock, +50."), "{text}");
    assert!(
        text.contains(
            " us; events that are closer together than that may have come in either order"
        ),
        "{text}"
    );
    let ran = run(&["check", "--json", "--align", "clock-sync", &one, &two]);
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let within = json["clocks"][0]["right_within_ns"].as_i64().expect("a number");
    assert!((1000..20_000).contains(&within), "{json}");
    let ran = run(&["stats", "--json", "--align", "clock-sync", &one, &two]);
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(json["clocks"][0]["right_within_ns"], within, "{}", json["clocks"]);
    let page = folder.path("r.html");
    run(&["report", "--align", "clock-sync", "-o", &page, &one, &two]).assert_code(0);
    assert!(fs::read_to_string(&page).expect("a page").contains("Separate clocks"));

    let ran = run(&["conv", "--align", "marker:pulse", "-o", &output, &one, &two]);
    assert_fails(&ran, 2, &["two.bin has 0 moments in common with", "one.bin"]);
    let ran = run(&["conv", "--align", "pulse", "-o", &output, &one, &two]);
    assert_fails(&ran, 2, &["clock-sync, marker:NAME, pulse:NAME or received is needed"]);
    let ran = run(&["conv", "--align", "received", "-o", &output, &one, &two]);
    assert_fails(&ran, 2, &["one.bin: it is not known when it was received; record with --times"]);
    let ran = run(&["conv", "--align", "clock-sync", "-o", &output, &folder.path("one.bin")]);
    assert_fails(&ran, 2, &["there is one clock", "as one.bin@0 other.bin@1"]);
    let ran = run(&["conv", "--align-within", "1us", "-o", &output, &one, &two]);
    assert_fails(&ran, 2, &["--align"]);
}
