//! Kernels before V11, as far as the hooks see them: the mock kernel in `stand_in/` is compiled with strict warnings as V10.3,
//! V10.4 and V10.6, run with sanitizers, and its recording compared event for event.
//!
//! Features of a version must be recorded rightly, and missing ones must be absent; a kernel that the hooks do not support is
//! reported, with a correct line to paste.

mod long_ticks;
mod missing_features;
mod own_macros;
mod real;
mod sleep;

use std::path::PathBuf;

use tband_tests::c::{Firmware, Standard, compile_text, compiler, config_text, include, includes};
use tband_tests::events::{lines, user_lines};
use tband_tests::{read, root, run, temp_dir, write};

const HOOKS: &str = "freertos-hooks/tband_freertos.c";

fn folder() -> PathBuf {
    root().join("tests/old_kernels")
}

fn stand_in() -> PathBuf {
    folder().join("stand_in")
}

/// The classes that look into objects which were others before V10.3.
const LATER_CLASSES: [&str; 9] = [
    "TASK_EXTRA",
    "QUEUE_EXTRA",
    "NOTIFICATION",
    "STREAM_BUFFER",
    "EVENT_GROUP",
    "TIMER",
    "HEAP",
    "LOW_POWER",
    "STACK",
];

/// Everything on that such a kernel can have; `hooks` is the version that they are made for.
fn config<'a>(kernel: &'a str, hooks: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("STAND_IN_KERNEL", kernel),
        ("tband_configFREERTOS_VERSION", hooks),
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configTRACE_DROP_CNT_EVERY", "0"),
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_STACK_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_STACK_SAMPLE_EVERY", "1"),
        ("tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_TICK_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_ISR_TRACE_ENABLE", "1"),
        ("tband_portISR_NUMBER()", "7"),
    ]
}

/// An event without its time and without addresses.
fn comparable(line: &str) -> String {
    let mut words: Vec<_> = line.split(' ').skip(1).map(str::to_owned).collect();
    for word in &mut words {
        if let Some((name @ ("address" | "callback" | "function"), _)) = word.split_once('=') {
            *word = format!("{name}=?");
        }
    }
    words.join(" ")
}

/// Returns the recording of a program of this folder with the mock kernel.
fn recorded_by(program: &str, config: &[(&str, &str)]) -> Vec<String> {
    user_lines(&recording_of(program, config)).iter().map(|line| comparable(line)).collect()
}

fn recording_of(program: &str, config: &[(&str, &str)]) -> Vec<u8> {
    let files = std::fs::read_dir(stand_in()).expect("a folder");
    let files = files.map(|file| file.expect("an entry").path());
    recording_with(
        program,
        files.filter(|path| path.extension().is_some_and(|end| end == "c")),
        config,
    )
}

/// Returns the recording of a program with these files of the mock kernel.
fn recording_with(
    program: &str,
    kernel: impl Iterator<Item = PathBuf>,
    config: &[(&str, &str)],
) -> Vec<u8> {
    let mut sources = vec![
        folder().join(program),
        root().join("tests/c/fake_port/fake_port.c"),
        root().join(HOOKS),
    ];
    sources.extend(kernel);
    let sources: Vec<_> = sources.iter().collect();
    Firmware::with_port(&sources, &stand_in(), config).run(&[])
}

/// A timer of 32 bits wraps twice before anything is recorded: the kernel's tick has noticed it, with the class of ticks and
/// without, unless the tick is configured not to.
#[test]
fn the_tick_keeps_time() {
    let time = |more: &[(&str, &str)]| {
        let mut config = config("100602", "100602");
        config.retain(|(name, _)| *name != "tband_configFREERTOS_TICK_TRACE_ENABLE");
        config.push(("STAND_IN_COUNTER_BITS", "32"));
        config.extend(more);
        let lines = user_lines(&recording_of("tick.c", &config));
        let [line] = lines.as_slice() else { panic!("{lines:?}") };
        line.split_once(' ').expect("a time").0.parse::<u64>().expect("a number")
    };
    let keeps = ("tband_configTICK_KEEPS_TIME", "1");
    assert_eq!(time(&[keeps]), 0x2_0000_0020);
    assert_eq!(time(&[keeps, ("tband_configFREERTOS_TICK_TRACE_ENABLE", "1")]), 0x2_0000_0020);
    assert_eq!(time(&[("tband_configTICK_KEEPS_TIME", "0")]), 0x20);
    // The port declares that its timer needs none of it.
    assert_eq!(time(&[keeps, ("tband_portTIMESTAMP_IS_EXTENDED", "0")]), 0x20);
}

#[test]
fn each_macro_of_each_version_records_what_it_stands_for() {
    let expected_of_all = read(folder().join("expected.txt"));
    for (kernel, mark) in [("100301", "V10.3: "), ("100400", "V10.4: "), ("100602", "V10.4: ")] {
        let found = recorded_by("program.c", &config(kernel, kernel));
        let expected: Vec<_> = expected_of_all
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| match line.strip_prefix('V') {
                Some(_) => line.strip_prefix(mark),
                None => Some(line),
            })
            .collect();
        assert_eq!(found, expected, "kernel {kernel}");
    }
}

/// Kernels before V10.3, in the classes that they can have.
#[test]
fn the_oldest_kernels_are_recorded_in_the_basic_classes() {
    let off: Vec<_> = LATER_CLASSES
        .iter()
        .chain(&["SCHEDULER_STEP", "TICK", "ISR"])
        .map(|class| format!("tband_configFREERTOS_{class}_TRACE_ENABLE"))
        .collect();
    let of = |kernel| {
        let mut config = config(kernel, kernel);
        config.retain(|(name, _)| {
            !name.ends_with("_TRACE_ENABLE") || name.ends_with("RTOS_TRACE_ENABLE")
        });
        config.extend(off.iter().map(|name| (name.as_str(), "0")));
        config.push(("STAND_IN_HAS_EMPTY_MACROS", "1"));
        let files = ["tasks.c", "queue.c"].map(|file| stand_in().join(file));
        user_lines(&recording_with("basic.c", files.into_iter(), &config))
    };
    let expected = of("100300");
    assert!(expected.len() > 30, "{expected:?}");
    let has = |event: &str| expected.iter().any(|line| line.contains(event));
    for event in
        ["task_is_idle_task", "task_switched_in", "queue_send ", "curtask_block_on_queue_send"]
    {
        assert!(has(event), "{event}");
    }
    for kernel in ["100101", "100201"] {
        assert_eq!(of(kernel), expected, "{kernel}");
    }
}

/// What a recording does not begin with, since the metadata buffer has it only after the start, is in an event that
/// it has.
#[test]
fn a_recording_that_starts_inside_a_hook_has_the_buffer_s_news_or_the_event() {
    let output = recording_of("starts_between.c", &config("100602", "100602"));
    // As characters of one byte each, since the marks between recordings and their numbers are text.
    let output: String = output.iter().copied().map(char::from).collect();
    let mut parts = output.split("<mark>");
    let mut recordings = 0;
    while let (Some(recording), Some(value)) = (parts.next(), parts.next()) {
        let recording: Vec<_> = recording.chars().map(|char| char as u8).collect();
        let events = lines(&recording);
        let is_reported = |event: &String| event.split(['=', ' ']).any(|word| word == value);
        assert!(events.iter().any(is_reported), "{value}: {events:#?}");
        recordings += 1;
    }
    assert!(recordings > 4, "{recordings}");
}

/// portYIELD_FROM_ISR() reports no exit before V11, so the class of interrupts is off there unless it is asked for;
/// handlers that call its macros compile all the same, with everything off, too.
#[test]
fn handlers_of_kernels_before_v11() {
    let number = ("tband_portISR_NUMBER()", "7");
    let compiles = |kernel: &str, more: &[(&str, &str)], class: &str| {
        let folder = temp_dir();
        let mut config = config(kernel, kernel);
        config.retain(|(name, _)| {
            *name != "tband_configFREERTOS_ISR_TRACE_ENABLE" && *name != number.0
        });
        config.extend(more);
        write(folder.path().join("tband_config.h"), config_text(&config));
        // As a kernel of V11 has them, which asks whether they are there.
        let empty = "#ifndef traceISR_ENTER\n#define traceISR_ENTER()\n#endif\n\
                     #ifndef traceISR_EXIT\n#define traceISR_EXIT()\n#endif\n\
                     #ifndef traceISR_EXIT_TO_SCHEDULER\n#define traceISR_EXIT_TO_SCHEDULER()\n#endif\n";
        let text = format!(
            "#include \"FreeRTOS.h\"\n{}\
             _Static_assert(tband_configFREERTOS_ISR_TRACE_ENABLE == {class}, \"default\");\n\
             void handler(int yields);\n\
             void handler(int yields) {{\n  traceISR_ENTER();\n\
             if (yields) {{ traceISR_EXIT_TO_SCHEDULER(); }} else {{ traceISR_EXIT(); }}\n}}\n",
            if kernel < "110000" { "" } else { empty }
        );
        let includes = [folder.path(), &stand_in()];
        let object = folder.path().join("handler.o");
        compile_text(Standard::C11, &["-Wall", "-Wextra", "-Werror"], &includes, &text, &object)
            .unwrap_or_else(|complaint| panic!("{kernel} {more:?}: {complaint}"));
    };
    for kernel in ["100301", "100602"] {
        compiles(kernel, &[number], "0");
        compiles(kernel, &[], "0");
        compiles(kernel, &[number, ("tband_configFREERTOS_ISR_TRACE_ENABLE", "1")], "1");
        compiles(kernel, &[("tband_configENABLE", "0")], "0");
    }
    compiles("110000", &[number], "1");
    compiles("110000", &[], "0");
}

/// A heap that does not report its free bytes, such as heap_3, links and is recorded; a project's own heap may report by
/// another name.
#[test]
fn a_heap_need_not_tell_what_is_left() {
    let left = |more: &[(&str, &str)]| -> Vec<String> {
        let config = [&config("100602", "100602")[..], more].concat();
        let lines = recorded_by("program.c", &config);
        let lines = lines.into_iter().filter(|line| line.starts_with("heap_malloc"));
        lines.map(|line| line.split(' ').skip(2).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(left(&[]), ["size=24 bytes_free=4096"]);
    assert_eq!(left(&[("STAND_IN_SILENT_HEAP", "1")]), ["size=24"]);
    let own = [
        ("STAND_IN_HEAP_FREE_NAME", "my_free_size"),
        ("tband_configHEAP_FREE_SIZE()", "my_free_size()"),
    ];
    assert_eq!(left(&own), ["size=24 bytes_free=77"]);
}

/// Every recording reports the running task, and a missing object has the number 0.
#[test]
fn a_recording_that_starts_late_learns_who_runs() {
    let found = recorded_by("direct.c", &config("100602", "100602"));
    let switch = |id| format!("task_switched_in task_id={id}");
    let reported = [switch(7), switch(8), switch(7)];
    assert_eq!(found, [&reported[..], &reported].concat());
}

/// The kernel's own files, some of which are compiled before the file that sees task.h, report it too.
#[test]
fn a_kernel_s_own_files_say_that_it_is_older_than_assumed() {
    for (kernel, is_seen) in [("100301", true), ("100501", true), ("110000", false)] {
        let folder = temp_dir();
        write(folder.path().join("tband_config.h"), config_text(&config(kernel, "110200")));
        let includes = [folder.path(), &stand_in()];
        let object = folder.path().join("kernel.o");
        let text = "#include \"FreeRTOS.h\"\nint kernel;\n";
        let outcome = compile_text(Standard::C11, &["-Werror"], &includes, text, &object);
        let complaint = outcome.err().unwrap_or_default();
        assert_eq!(complaint.contains("the kernel is older than V11"), is_seen, "{complaint}");
        assert_eq!(complaint.is_empty(), !is_seen, "{complaint}");
    }
}

/// The macros that hooks for a version define, as the kernel's files see them.
fn defined(version: &str) -> Vec<String> {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(&config(version, version)));
    let source = folder.path().join("kernel.c");
    write(&source, "#include \"FreeRTOS.h\"\n");
    let mut command = compiler(Standard::C11);
    include(&mut command, [folder.path(), &stand_in()]);
    include(&mut command, includes());
    let text = run(command.args(["-E", "-dM"]).arg(source));
    let text = String::from_utf8(text).expect("text");
    let names = text.lines().filter_map(|line| line.strip_prefix("#define trace"));
    names.map(|name| name.split(['(', ' ']).next().unwrap_or(name).to_owned()).collect()
}

#[test]
fn events_that_a_kernel_lacks_are_absent() {
    for version in ["100300", "100602"] {
        let defined = defined(version);
        assert!(defined.len() > 80, "{defined:?}");
        for name in &defined {
            let is_new = name.starts_with("ENTER_") || name.starts_with("RETURN_");
            assert!(!is_new && name != "STARTING_SCHEDULER", "{version}: trace{name}");
        }
    }
    assert!(defined("110000").iter().any(|name| name == "ENTER_xQueueGenericReset"));
}

/// Compiles the file that sees task.h; the compiler's complaint if it does not compile.
fn hooks_for(kernel: &str, hooks: &str, more: &[(&str, &str)]) -> Result<(), String> {
    let folder = temp_dir();
    let config = [config(kernel, hooks), more.to_vec()].concat();
    write(folder.path().join("tband_config.h"), config_text(&config));
    let text = format!("#include \"{}\"\n", root().join(HOOKS).display());
    let includes = [folder.path(), &stand_in()];
    compile_text(Standard::C11, &["-Werror"], &includes, &text, &folder.path().join("hooks.o"))
}

#[test]
fn reports_hooks_for_another_kernel_with_the_remedy() {
    for (kernel, right) in
        [("100301", "100300"), ("100501", "100400"), ("110100", "110000"), ("110201", "110200")]
    {
        for wrong in ["100300", "100400", "110000", "110200"] {
            let outcome = hooks_for(kernel, wrong, &[]);
            // A kernel that reports its start may be taken for one that does not.
            let is_fine = wrong == right || (kernel, wrong) == ("110201", "110000");
            if is_fine {
                assert!(outcome.is_ok(), "{kernel} with hooks for {wrong}: {outcome:?}");
                continue;
            }
            let complaint = outcome.expect_err("it must not compile");
            // The kernel's files may be compiled first, which see which side of two limits it is on, and no more.
            let line = match (kernel < "110000", wrong) {
                (true, "110000" | "110200") => "100501".to_owned(),
                (false, "100300") => "110200".to_owned(),
                _ => right.replace("1102", "1100"),
            };
            let line = format!("#define tband_configFREERTOS_VERSION {line}");
            assert!(complaint.contains(&line), "no “{line}” in:\n{complaint}");
            assert!(hooks_for(kernel, right, &[]).is_ok(), "{kernel}: the line is right");
        }
    }
}

#[test]
fn reports_an_old_kernel_and_unrecordable_calls() {
    for (kernel, hooks) in [("100001", "100300"), ("100001", "100001")] {
        let complaint = hooks_for(kernel, hooks, &[]).expect_err("it must not compile");
        assert!(complaint.contains("FreeRTOS V10.1.0 and later"), "{complaint}");
    }
    let complaint = hooks_for("100201", "100300", &[]).expect_err("it must not compile");
    assert!(complaint.contains("#define tband_configFREERTOS_VERSION 100100"), "{complaint}");
    // The unavailable classes are reported, each with its line.
    let complaint = hooks_for("100201", "100201", &[]).expect_err("it must not compile");
    for class in LATER_CLASSES {
        let line = format!("#define tband_configFREERTOS_{class}_TRACE_ENABLE 0");
        assert!(complaint.contains(&line), "no “{line}” in:\n{complaint}");
    }
    // The kernel for several cores of old, whatever version it is taken for.
    for hooks in ["100400", "110200"] {
        let complaint = hooks_for("100403", hooks, &[("configNUM_CORES", "2")]);
        let complaint = complaint.expect_err("it must not compile");
        assert!(complaint.contains("for several cores that came before V11"), "{complaint}");
    }
    assert!(hooks_for("110200", "110200", &[("configNUM_CORES", "1")]).is_ok(), "a line left over");
    let calls = [("tband_configFREERTOS_API_TRACE_ENABLE", "1")];
    let complaint = hooks_for("100602", "100602", &calls).expect_err("it must not compile");
    assert!(complaint.contains("from FreeRTOS V11.0.0 on"), "{complaint}");
}

/// Ticks asked for in three waits on everything, as recorded: without end, one tick less, and five.
fn waits(tick_type: &str, can_suspend: &str) -> [Vec<u64>; 3] {
    let mut config = config("100602", "100602");
    config.extend([("STAND_IN_TICK_TYPE", tick_type), ("INCLUDE_vTaskSuspend", can_suspend)]);
    let ticks: Vec<u64> = recorded_by("waits.c", &config)
        .iter()
        .filter_map(|line| line.split_once("ticks_to_wait=")?.1.parse().ok())
        .collect();
    assert_eq!(ticks.len(), 27, "nine kinds of waits, three times");
    [0, 9, 18].map(|at| ticks[at..at + 9].to_vec())
}

#[test]
fn an_endless_wait_is_endless_with_any_tick_width() {
    const ENDLESS: u64 = u32::MAX as u64;
    for (tick_type, longest) in
        [("uint16_t", 0xFFFE), ("uint32_t", ENDLESS - 1), ("uint64_t", ENDLESS - 1)]
    {
        let expected = [ENDLESS, longest, 5].map(|ticks| vec![ticks; 9]);
        assert_eq!(waits(tick_type, "1"), expected, "{tick_type}");
    }
    // There such a wait ends after as many ticks.
    let expected = [0xFFFF, 0xFFFE, 5].map(|ticks| vec![ticks; 9]);
    assert_eq!(waits("uint16_t", "0"), expected);
}

/// The error that comes first is the one that helps; of what follows from it there may be more.
#[test]
fn the_version_error_of_an_old_kernel_comes_first() {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(&config("100602", "110200")));
    let includes = [folder.path(), &stand_in()];
    for file in ["queue.c", "tasks.c"] {
        let text = format!("#include \"{}\"\n", stand_in().join(file).display());
        let object = folder.path().join("kernel.o");
        let outcome = compile_text(Standard::C11, &[], &includes, &text, &object);
        let complaint = outcome.expect_err("the hooks are of another kernel");
        let first = complaint.lines().find(|line| line.contains("error:")).expect("an error");
        assert!(first.contains("the kernel is older than V11"), "{file}: {complaint}");
        assert!(first.contains("#define tband_configFREERTOS_VERSION 100602"), "{complaint}");
    }
}
