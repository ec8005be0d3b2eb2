//! `examples/crash`: each of its crashes, recorded by the firmware, and read by it after the reset. The crash in the recording
//! is compared with the program's symbols and its source.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use tband_conv::diagnostics::Problem;
use tband_conv::model::Crash;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::named::FaultFact as F;
use tband_tests::events::lines;
use tband_tests::lacking::shown;
use tband_tests::{read, run, temp_dir};
use xtask::board::{Board, build_firmware, run_firmware};
use xtask::kernel;

use crate::{archive, build_folder, root};

/// The sample at which it happens.
const LAST_SAMPLE: usize = 50;

/// Returns the function at this address, from the output of nm: begin, length, kind and name in a line.
fn function_at(symbols: &str, pc: u32) -> Option<String> {
    let of = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let [begin, len, "t" | "T", name] = fields[..] else { return None };
        let [begin, len] = [begin, len].map(|it| u32::from_str_radix(it, 16).expect("a number"));
        (begin..begin + len).contains(&(pc & !1)).then(|| name.to_owned())
    };
    symbols.lines().find_map(of)
}

/// Runs a crash. Returns it, and the name of its function.
fn crash(kind: &str) -> (Crash, Option<String>, Vec<String>) {
    let example = root().join("examples/crash");
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let settings = [
        format!("TBAND_LIBRARY={}", archive(Board::Mps2An386).display()),
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("CRASH={kind}"),
    ];
    // One after the other in one folder: but for two files they are the same.
    let build = build_folder("crash");
    build_firmware(&example, &build, &example.join("cortex-m4f.cmake"), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let elf = build.join("crash.elf");
    let folder = temp_dir();
    run_firmware(Board::Mps2An386.emulator(), &elf, folder.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");

    assert_eq!(shown(&recording), BTreeSet::from(["crash", "fault"]), "{kind}");

    let inputs = [Input::from_bytes(kind, &recording)];
    let mut stats = Stats::default();
    let summary = convert(&inputs, &Options::default(), &mut stats).expect("a recording");
    assert!(summary.diagnostics.is_clean(), "{kind}: {:?}", summary.diagnostics);
    assert_eq!(summary.diagnostics.count(Problem::NewerEvents), 0);
    let [crash] = &summary.crashes[..] else { panic!("{kind}: {:?}", summary.crashes) };

    let symbols = run(Command::new("arm-none-eabi-nm").args(["-S", "--defined-only"]).arg(&elf));
    let symbols = String::from_utf8(symbols).expect("text");
    // The called address is not a function: uses the caller.
    let place = if kind == "null-call" { crash.return_address() } else { crash.pc() };
    let function = place.and_then(|pc| function_at(&symbols, pc));
    (crash.clone(), function, lines(&tband_tests::packets::as_frames(&recording)))
}

/// The events before the crash are the last ones that the program has recorded, up to the span that it crashed in.
fn check_events(kind: &str, lines: &[String]) {
    let values: Vec<_> = lines.iter().filter(|line| line.contains(" valmarker ")).collect();
    assert_eq!(values.len(), LAST_SAMPLE - 1, "{kind}: {lines:#?}");
    let begins = lines.iter().filter(|line| line.contains(" evtmarker_begin ")).count();
    assert_eq!(begins, LAST_SAMPLE, "{kind}");
    let last = lines.last().expect("events");
    assert!(last.contains(" crash "), "{kind}: {last}");
    // Who does not know these events gets what they look like, before the first one.
    for event in ["fault what:u8,is:u32", "crash kind:u8,of:str"] {
        let described = lines.iter().position(|line| line.contains(event));
        let first = lines.iter().position(|line| line.contains(" fault ")).expect("facts");
        assert!(described.is_some_and(|it| it < first), "{kind}: {event}");
    }
}

#[test]
fn each_crash_is_recorded_and_read_after_the_reset() {
    let source = read(root().join("examples/crash/src/filter.c"));
    let assertion = source.lines().position(|line| line.contains("configASSERT(state > LIMIT)"));
    let assertion = assertion.expect("the assertion") as u32 + 1;
    let table = read(root().join("examples/crash/README.md"));
    for (kind, function) in [
        ("null-call", Some("filter_step")),
        ("bus-error", Some("filter_step")),
        ("unaligned", Some("filter_step")),
        ("assert", Some("filter_step")),
        ("stack-overflow", Some("vTaskDelay")),
        ("malloc", Some("vApplicationMallocFailedHook")),
        ("watchdog", Some("wait_for_device")),
    ] {
        let (crash, found, lines) = crash(kind);
        println!("{kind}: {crash}, {found:?}");
        check_events(kind, &lines);
        let row = table.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let text = row.and_then(|row| row.rsplit('`').nth(1)).unwrap_or_else(|| panic!("{kind}"));
        assert!(crash.to_string().starts_with(text), "{kind}: {crash} is not {text}");
        assert_eq!(found.as_deref(), function, "{kind}: {crash}");
        assert_eq!(crash.task.as_deref(), Some("sensor"), "{kind}");
        assert_eq!(crash.value(F::LINE), (kind == "assert").then_some(assertion), "{kind}");

        let [begin, end, sp] = [F::STACK_BEGIN, F::STACK_END, F::SP].map(|what| {
            crash.value(what).unwrap_or_else(|| panic!("{kind}: no {}", what.name().unwrap()))
        });
        assert_eq!(end - begin, 1024, "{kind}");
        assert!(sp % 4 == 0 && sp < end, "{kind}: {sp:#x}");
        let is_exception = !matches!(kind, "assert" | "stack-overflow" | "malloc" | "watchdog");
        let number = match kind {
            "assert" | "malloc" => 0,
            "stack-overflow" => 14, // PendSV, where the kernel checks
            "watchdog" => 2,
            _ => 3,
        };
        assert_eq!(crash.value(F::EXCEPTION), Some(number), "{kind}");
        assert_eq!(!crash.causes().is_empty(), is_exception, "{kind}");
        match kind {
            "null-call" => assert_eq!(crash.pc(), Some(0)),
            "bus-error" => assert_eq!(crash.value(F::BFAR), Some(0x6000_0000)),
            "stack-overflow" => assert!(sp < begin, "{sp:#x} is not below {begin:#x}"),
            _ => {}
        }
    }
}
