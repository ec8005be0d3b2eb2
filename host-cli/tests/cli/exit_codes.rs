//! The real binary: exit codes, messages, output, for good and for every kind of bad input.

use std::fs;

use crate::support::*;
use tband_format::Event;

#[test]
fn a_clean_recording_is_converted() {
    let folder = Folder::new("clean");
    let out = folder.path("t.pftrace");
    let ran = run(&["conv", "-o", &out, &vector("freertos_sim.bin")]);
    assert_fails(&ran, 0, &["t.pftrace: 7057 events"]);
    assert!(ran.stdout.is_empty());
    assert!(fs::read(&out).unwrap().starts_with(&[0x0A]));
    assert_eq!(folder.names(), ["t.pftrace"]);
    let ran = run(&["-q", "conv", "-o", "-", &vector("freertos_sim.bin")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, fs::read(&out).unwrap());
}

#[test]
fn a_recording_is_not_converted_onto_itself() {
    let folder = Folder::new("itself");
    let file = folder.file("r.bin", &small());
    for input in [file.clone(), format!("{file}@0")] {
        let ran = run(&["conv", "-o", &file, &input]);
        assert_fails(&ran, 2, &["r.bin is the recording itself", "r.pftrace"]);
    }
    assert_eq!(fs::read(&file).unwrap(), small());
}

#[test]
fn stdin_and_hex_give_the_same_as_the_file() {
    let folder = Folder::new("same");
    let bytes = fs::read(vector("freertos_late_start.bin")).unwrap();
    let expected = run(&["conv", "-o", "-", &vector("freertos_late_start.bin")]).stdout;
    assert!(!expected.is_empty());
    assert_eq!(run_with_stdin(&["conv", "-o", "-", "-"], &bytes).stdout, expected);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02X}\n")).collect();
    let file = folder.file("r.hex", hex.as_bytes());
    for format in ["hex", "auto"] {
        assert_eq!(run(&["conv", "-f", format, "-o", "-", &file]).stdout, expected);
    }
    let json = run(&["dump", "--json", &vector("freertos_late_start.bin")]).stdout;
    assert_eq!(run_with_stdin(&["dump", "--json", "-m", "free-rtos", "-"], &bytes).stdout, json);
    assert_eq!(run_with_stdin(&["dump", "--json", "-f", "hex", "-"], hex.as_bytes()).stdout, json);
}

#[test]
fn dumps_have_one_line_an_event() {
    let folder = Folder::new("dump");
    let broken = [small(), vec![3, 50, 1, 0]].concat();
    let file = folder.file("r.bin", &broken);
    let ran = run(&["dump", "--json", &format!("{file}@1")]);
    assert_eq!(
        String::from_utf8(ran.stdout).unwrap(),
        "{\"core\":1,\"event\":\"ts_resolution_ns\",\"ns_per_ts\":10}\n\
         {\"core\":1,\"ts\":5,\"event\":\"task_switched_in\",\"task_id\":1}\n\
         {\"core\":1,\"ts\":9,\"event\":\"task_switched_in\",\"task_id\":2}\n\
         {\"core\":1,\"error\":\"unknown event id 50 (0x32)\",\"offset\":14,\"len\":3}\n"
    );
    assert_fails(
        &RunOutput { stdout: Vec::new(), ..ran },
        1,
        &["r.bin: byte 14: frame of 3 bytes: unknown event id 50"],
    );
    let ran = run(&["dump", &file]);
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(
        text.lines().nth(1).unwrap(),
        "             5        0.000050              -  0  task_switched_in         task_id=1"
    );
    assert!(text.lines().nth(3).unwrap().contains("ERROR at byte 14, 3 bytes"));
    let ran = run(&["dump", "-m", "bare-metal", &file]);
    assert_fails(&ran, 1, &["FreeRTOS event task_switched_in in bare-metal mode"]);
}

#[test]
fn damage_gives_exit_code_1_and_strict_gives_no_output() {
    let folder = Folder::new("damage");
    let out = folder.path("t.pftrace");
    let ran = run(&["conv", "-o", &out, &vector("truncated.bin")]);
    assert_fails(
        &ran,
        1,
        &["warning: ", "truncated.bin: byte 31331: frame of 6 bytes: no closing zero"],
    );
    fs::remove_file(&out).unwrap();
    let ran = run(&["conv", "--strict", "-o", &out, &vector("truncated.bin")]);
    assert_fails(&ran, 2, &["byte 31331", "error: ", "--strict"]);
    assert!(folder.names().is_empty());
    let stdout = if cfg!(unix) { &["-", "/dev/stdout"][..] } else { &["-"] };
    for output in stdout {
        let ran = run(&["conv", "--strict", "-o", output, &vector("truncated.bin")]);
        assert_fails(&ran, 2, &["--strict"]);
        assert!(ran.stdout.is_empty());
    }
}

#[test]
fn reports_steps_back_and_losses_with_their_offset() {
    let folder = Folder::new("steps");
    let bytes = [
        small(),
        frame(3, Event::TaskSwitchedIn { task_id: 1 }),
        frame(10, Event::DroppedEvtCnt { cnt: 4 }),
        frame(0, Event::MetadataDropped { core_id: 0, cnt: 2, size_needed: None }),
    ]
    .concat();
    let file = folder.file("r.bin", &bytes);
    let ran = run(&["conv", "-o", &folder.path("t"), &file]);
    assert_fails(
        &ran,
        1,
        &[
            "r.bin: byte 14: timestamp 3 is 6 ticks before",
            "r.bin: byte 19: 4 events lost",
            "r.bin: byte 24: 2 names lost on core 0",
        ],
    );
}

#[test]
fn refuses_a_file_that_is_not_a_recording() {
    let folder = Folder::new("refused");
    let out = folder.path("out/t.pftrace");
    fs::create_dir(folder.path("out")).unwrap();
    // Part of an executable: some bytes between zeros look like events by chance.
    let own = fs::read(env!("CARGO_BIN_EXE_tband-cli")).unwrap();
    let own = &folder.file("program", &own[..own.len().min(400_000)]);
    let (packed, trace) = (folder.path("t.pftrace.gz"), folder.path("t.pftrace"));
    for output in [&packed, &trace] {
        assert_eq!(run(&["conv", "-o", output, &vector("freertos_sim.bin")]).code, Some(0));
    }
    let cases: &[(&str, &[&str])] = &[
        (&folder.path("missing.bin"), &["cannot read", "missing.bin: No such file"]),
        (&folder.path("out"), &["is a folder: name the files of one target in it"]),
        (&folder.file("empty.bin", b""), &["empty.bin: holds no event (0 bytes)"]),
        (&folder.file("zero.bin", &[0; 100]), &["zero.bin: holds no event (100 bytes, all zero)"]),
        (
            &folder.file("text.txt", b"Once upon a time there was a text.\n"),
            &["text.txt: not a tband recording", "byte 0", "0 of 1 frames decode", "name the file"],
        ),
        (&packed, &["not a tband recording", "is a Perfetto trace already", "'tband-cli serve'"]),
        (&trace, &["not a tband recording", "is a Perfetto trace already", "'tband-cli serve'"]),
        (&folder.file("hex.txt", b"03 00 5f 01 00\n"), &["not a tband recording", "its --format"]),
        (own, &["not a tband recording"]),
        (&folder.path("small.bin@x"), &["'x' after the @ is not a core id"]),
        (&folder.path("small.bin@64"), &["core id 64 is out of range"]),
    ];
    for (input, texts) in cases {
        for args in
            [vec!["conv", "-o", &out, input], vec!["dump", input], vec!["dump", "--json", input]]
        {
            let ran = run(&args);
            assert_fails(&ran, 2, texts);
            assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
            assert!(ran.stdout.is_empty(), "{args:?}");
        }
    }
    for (text, message) in
        [("00 5", "byte 3: odd number of hex digits"), ("035g", "byte 3: 'g' is not a hex digit")]
    {
        let file = folder.file("bad.hex", text.as_bytes());
        for args in [vec!["conv", "-f", "hex", "-o", &out, &file], vec!["dump", "-f", "hex", &file]]
        {
            assert_fails(&run(&args), 2, &["bad.hex", message]);
        }
    }
    assert!(fs::read_dir(folder.path("out")).unwrap().next().is_none());
}

#[test]
fn a_recording_with_garbage_around_it_is_used() {
    let folder = Folder::new("garbage");
    let bytes =
        [b"boot: hello\r\n\0".to_vec(), small(), vec![9; 70_000], vec![0], small()].concat();
    let file = folder.file("r.bin", &bytes);
    let ran = run(&["conv", "-o", &folder.path("t"), &file]);
    assert_fails(&ran, 1, &["byte 0: frame of 13 bytes", "1 more like it", "t: 6 events"]);
}

#[test]
fn wrong_usage_prints_the_remedy() {
    let input = vector("freertos_sim.bin");
    assert_fails(&run(&["conv", "-o", "x"]), 2, &["INPUT"]);
    assert_fails(&run(&["conv", "-c", "0", "-o", "x", &input]), 2, &["a number from 1 to 64"]);
    assert_fails(
        &run(&["conv", "-o", "/no/such/folder/x", &input]),
        2,
        &["cannot write /no/such/folder/x: there is no folder /no/such/folder"],
    );
    assert_fails(&run(&["conv", "-o", "x", "-", "-"]), 2, &["stdin (-) can be given once"]);
    assert_fails(&run(&["frobnicate"]), 2, &["frobnicate"]);
    assert_fails(&run(&["serve", &vector("README.md")]), 2, &["not a Perfetto trace"]);
}

#[test]
fn cores_beyond_the_count_are_used_with_a_warning() {
    let folder = Folder::new("cores");
    let (zero, one) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
    let out = folder.path("t");
    let inputs = [format!("{zero}@0"), format!("{one}@1")];
    let ran = run(&["conv", "-c", "2", "-o", &out, &inputs[0], &inputs[1]]);
    assert_fails(&ran, 0, &["8759 events"]);
    let both = fs::read(&out).unwrap();
    let ran = run(&["conv", "-c", "1", "-o", &out, &inputs[0], &inputs[1]]);
    assert_fails(&ran, 1, &["core1.bin: byte 0: core id 1 occurs, but the core count is 1"]);
    assert!(fs::read(&out).unwrap().len() > both.len());
}

#[test]
fn an_output_that_is_read_no_further_is_a_quiet_end() {
    let mut program = start(piped(&mut cli(&["dump", &vector("freertos_sim.bin")]))).unwrap();
    program.close_stdout();
    let ran = ran(program.output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn reports_a_failed_write_to_stdout() {
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    let file = vector("freertos_sim.bin");
    let conv = ["conv", "-o", "-", &file];
    for args in [&["stats", &file][..], &["completion", "bash"], &conv] {
        let full = fs::File::create("/dev/full").unwrap();
        let ran = ran(start(piped(&mut cli(args)).stdout(full)).unwrap().output().unwrap());
        assert_fails(&ran, 2, &["error: cannot write", "No space left"]);
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_secret_file_secret() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("link");
    let (file, link) = (folder.file("t.pftrace", b"old"), folder.path("link"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("t.pftrace", &link).unwrap();
    assert_eq!(run(&["conv", "-o", &link, &vector("freertos_sim.bin")]).code, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read(&file).unwrap().starts_with(&[0x0A]));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(folder.names(), ["link", "t.pftrace"]);
}

#[test]
fn an_at_sign_may_belong_to_the_name_of_a_file() {
    let folder = Folder::new("at");
    let file = folder.file("r@2", &small());
    let core = |input: &str| {
        let dump = run(&["dump", "--json", "--limit", "1", input]);
        String::from_utf8(dump.stdout).unwrap().chars().take(9).collect::<String>()
    };
    assert_eq!(core(&file), "{\"core\":0");
    assert_eq!(core(&format!("{file}@1")), "{\"core\":1");
    // The file that exists without it comes first.
    assert_eq!(core(&folder.file("r", &small()).replace("/r", "/r@2")), "{\"core\":2");
}

/// With an old recording, whose 15.625 ns per tick are rounded to 16: with the true rate all commands agree.
#[test]
fn a_tick_rate_replaces_the_rounded_one() {
    let folder = Folder::new("rate");
    let mark = |ts| frame(ts, Event::Valmarker { valmarker_id: 1, val: 1 });
    let resolution = frame(0, Event::TsResolutionNs { ns_per_ts: 16 });
    let file = folder.file("r.bin", &[resolution, mark(0), mark(64_000_000)].concat());
    let length = |args: &[&str]| {
        let all = [&["stats", "--json"], args, &[&*file]].concat();
        let json: serde_json::Value = serde_json::from_slice(&run(&all).stdout).unwrap();
        let recording = &json["recording"];
        (recording["length_ns"].as_i64(), recording["timestamp_hz"].as_f64())
    };
    assert_eq!(length(&[]), (Some(1_024_000_000), Some(62_500_000.0)));
    for rate in ["64M", "64000000", "0.064G", "128M/2"] {
        assert_eq!(length(&["--tick-rate", rate]), (Some(1_000_000_000), Some(64e6)), "{rate}");
    }
    assert_eq!(length(&["--tick-rate", "1/4"]).1, Some(0.25));
    let ran = run(&["check", "--tick-rate", "64M", &file]);
    assert!(String::from_utf8(ran.stdout).unwrap().contains("3 events in 1.000 s;"));
    let ran = run(&["dump", "--json", "--tick-rate", "64M", "--to", "999.9ms", &file]);
    assert_eq!(String::from_utf8(ran.stdout).unwrap().matches("valmarker_id").count(), 1);
    let trace = folder.path("t.pftrace");
    let ran = run(&["-v", "conv", "--tick-rate", "64M", "-o", &trace, &file]);
    assert_fails(&ran, 0, &["timestamps count at 64 MHz"]);
    // A contradiction of the recording is reported, and an invalid frequency is refused.
    let ran = run(&["check", "--tick-rate", "1M", &file]);
    assert_eq!(ran.code, Some(1));
    for wrong in ["0", "64 MHz", "1/0", "-3"] {
        assert_fails(&run(&["stats", &format!("--tick-rate={wrong}"), &file]), 2, &["32.768k"]);
    }
}
