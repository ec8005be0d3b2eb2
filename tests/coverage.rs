//! Every trace macro of the kernel is recorded, or the kernel never calls it; and what finds that out
//! finds out when it is not so.

use std::fs;
use std::sync::OnceLock;

use tband_tests::c::{Standard, compile_text, config_text};
use tband_tests::{kernel, read, root, temp_dir, write};
use xtask::coverage::{self, Initial, Report};

fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| coverage::find(root(), &kernel::sources()).expect("a report"))
}

/// The short list: left from earlier kernels, without callers.
const NEVER_CALLED: [&str; 4] =
    ["traceEND", "traceSTART", "traceTASK_CREATE_FAILED", "traceTIMER_CREATE_FAILED"];

#[test]
fn every_macro_that_the_kernel_calls_is_recorded() {
    let report = report();
    assert_eq!(report.names(Initial::Missing), [""; 0]);
    assert_eq!(report.names(Initial::NeverInvoked), NEVER_CALLED);
    assert_eq!(report.names(Initial::Recorded).len(), 92);
    assert_eq!(report.functions, (203, 203), "functions entered and left");
}

#[test]
fn the_lists_as_json() {
    let json = report().json();
    let object = json.as_object().expect("an object");
    let keys: Vec<_> = object.keys().map(String::as_str).collect();
    assert_eq!(keys, ["macros", "missing", "never_invoked", "recorded"]);
    let len = |key: &str| json[key].as_array().expect("a list").len();
    assert_eq!(json["macros"], len("missing") + len("never_invoked") + len("recorded"));
}

#[test]
fn the_table_of_the_docs_is_up_to_date() {
    let path = root().join(coverage::DOCS);
    assert_eq!(
        read(&path),
        report().docs(),
        "{} is not up to date; run `cargo xtask coverage --docs`",
        path.display()
    );
}

/// Every class is in the guide's table with its default, and with that in the list of those that are new
/// beside Tonbandgerät's if it is on.
#[test]
fn the_guides_have_every_class() {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    let guide = read(root().join("docs/src/guide/firmware/freertos.md"));
    let coming = read(root().join("docs/src/guide/start/tonbandgeraet.md"));
    let mut count = 0;
    for line in defaults.lines() {
        let definition = line.strip_prefix("#define tband_configFREERTOS_");
        let Some((class, default)) = definition.and_then(|rest| rest.split_once("_TRACE_ENABLE "))
        else {
            continue;
        };
        // The interrupt class has two defaults, and a sentence.
        let row = guide.lines().find(|row| row.starts_with(&format!("| `{class}` | ")));
        let row = row.unwrap_or_else(|| panic!("{class} is not in the guide"));
        let is_documented = row.starts_with(&format!("| `{class}` | {default} |"))
            || (class == "ISR"
                && row.contains("| 1 from V11 on where")
                && row.contains("else 0 |"));
        assert!(is_documented, "{class} is {default} by default, but the guide has: {row}");
        let is_new = default == "1" && !["TASK", "QUEUE"].contains(&class);
        let switch = format!("#define tband_configFREERTOS_{class}_TRACE_ENABLE 0\n");
        assert!(coming.contains(&switch) == is_new || class == "ISR", "{switch}");
        count += 1;
    }
    assert!(count > 14, "{count}");
}

/// The configuration that the kernel's files are read with suits kernels that have no macro for the width of
/// ticks but an older one, too.
#[test]
fn older_kernels_can_be_read() {
    let folder = temp_dir();
    let includes = [folder.path(), &root().join("include"), &root().join("freertos-hooks")];
    write(folder.path().join("FreeRTOSConfig.h"), kernel::FREERTOS_CONFIG);
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_VERSION", "100501"),
    ];
    write(folder.path().join("tband_config.h"), config_text(&config));
    let object = folder.path().join("kernel.o");
    // What FreeRTOS.h asks of it, up to V10.5 and from V10.6 on.
    let before = "#if !defined(configUSE_16_BIT_TICKS) || defined(configTICK_TYPE_WIDTH_IN_BITS)\n#error\n#endif\n";
    let since = "#if (configTICK_TYPE_WIDTH_IN_BITS != TICK_TYPE_WIDTH_64_BITS) || \
                 defined(configUSE_16_BIT_TICKS)\n#error\n#endif\n";
    for (defines, check) in [("", before), ("#define TICK_TYPE_WIDTH_64_BITS 2\n", since)] {
        let text = format!("{defines}#include \"FreeRTOSConfig.h\"\n{check}int kernel;\n");
        compile_text(Standard::C11, &["-Werror"], &includes, &text, &object)
            .unwrap_or_else(|complaint| panic!("{complaint}"));
    }
}

/// Real kernels that lack what most classes look into, and the port for this machine: the rest is recorded.
#[test]
fn kernels_before_v10_3_are_read() {
    let kernels = xtask::kernel::old(root()).expect("kernels");
    for path in &kernels[1..] {
        let report = coverage::find(root(), path).expect("a report");
        assert_eq!(report.names(Initial::NeverInvoked), NEVER_CALLED);
        assert_eq!(report.functions, (0, 0));
        let recorded = report.names(Initial::Recorded);
        let basic = ["traceTASK_CREATE", "traceTASK_SWITCHED_IN", "traceTASK_PRIORITY_INHERIT"];
        let queues =
            ["traceQUEUE_SEND", "traceQUEUE_RECEIVE_FROM_ISR", "traceBLOCKING_ON_QUEUE_PEEK"];
        for name in basic.iter().chain(&queues) {
            assert!(recorded.contains(name), "{}: {name} in {recorded:?}", path.display());
        }
        // The missing ones belong to the classes that the guide restricts to V10.3 and later.
        let newest = &self::report().macros;
        for name in report.names(Initial::Missing) {
            let same = newest.iter().find(|found| found.name == name).expect("newer ones have it");
            let basic = ["always", "TASK", "QUEUE", "SCHEDULER_STEP", "TICK", "ISR"];
            let later = |class: &String| !basic.contains(&class.as_str());
            assert!(same.classes.iter().all(later), "{name} is of {:?}", same.classes);
        }
    }
}

/// Kernels before V11.1 have the size of a stack as uint32_t in these functions, later ones in the configured type: the
/// example's are right for both.
#[test]
fn the_example_gives_memory_to_kernels_of_both_kinds() {
    let folder = temp_dir();
    let example = root().join("examples/posix-freertos");
    let [kernel, port] = kernel::includes();
    let text = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n\
                void vApplicationGetIdleTaskMemory(StaticTask_t **, StackType_t **, uint32_t *);\n\
                #include \"src/kernel_callbacks.c\"\n";
    let posix = root().join("port/POSIX_FREERTOS");
    let config = example.join("config");
    let includes: [&std::path::Path; 5] = [&example, &config, &kernel, &port, &posix];
    let object = folder.path().join("callbacks.o");
    compile_text(
        Standard::C11,
        &["-D_GNU_SOURCE", "-Dtband_configUSE_BACKEND_STREAMING=1"],
        &includes,
        text,
        &object,
    )
    .unwrap_or_else(|complaint| panic!("{complaint}"));
}

/// Hooks of which one is gone, one has become empty, and one calls something that records nothing.
#[test]
fn empty_hooks_count_as_missing() {
    let folder = temp_dir();
    for name in [
        "include",
        "freertos-hooks",
        "port",
        "port/filters",
        "port/recorder",
        "port/recorder/backends",
        "port/records",
        "port/triggers",
    ] {
        for entry in fs::read_dir(root().join(name)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                continue;
            }
            let file = path.file_name().expect("a name").to_string_lossy().into_owned();
            let text = read(&path)
                .replace("#define TBAND_ON_QUEUE_DELETE(", "#define other_QUEUE_DELETE(")
                .replace(
                    "#define TBAND_ON_TIMER_EXPIRED(pxTimer) ",
                    "#define TBAND_ON_TIMER_EXPIRED(pxTimer) ((void)0)\n#define unused ",
                )
                .replace(
                    "#define TBAND_ON_TASK_DELAY() ",
                    "#define TBAND_ON_TASK_DELAY() tband_freertos_timer_number(NULL)\n#define unused2 ",
                );
            write(folder.path().join(name).join(file), text);
        }
    }
    let report = coverage::find(folder.path(), &kernel::sources()).expect("a report");
    assert_eq!(
        report.names(Initial::Missing),
        ["traceQUEUE_DELETE", "traceTASK_DELAY", "traceTIMER_EXPIRED"]
    );
    assert!(report.summary().contains("missing: traceQUEUE_DELETE"), "{}", report.summary());
}
