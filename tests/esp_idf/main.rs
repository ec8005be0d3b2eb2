//! The kernel of ESP-IDF, as far as the hooks see it: the imitation in `imitation/` is compiled as the kernels of ESP-IDF 5.1,
//! 5.5 and 6.0 for one core and for two, run on two fake cores, and its recording is compared event for event.
//!
//! Nothing here is ESP-IDF's, or needs it.

use std::path::PathBuf;

use tband_tests::c::{Firmware, Standard, compile_text, config_text, includes};
use tband_tests::events::lines;
use tband_tests::{read, root, temp_dir, write};

fn folder() -> PathBuf {
    root().join("tests/esp_idf")
}

fn config<'a>(idf: &'a str, cores: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("ESP_PLATFORM", "1"),
        ("IMITATION_IDF", idf),
        ("IMITATION_CORES", cores),
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configTRACE_DROP_CNT_EVERY", "0"),
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_TIMER_TRACE_ENABLE", "0"),
        ("tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE", "0"),
        ("tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE", "0"),
        ("tband_configFREERTOS_STACK_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_STACK_SAMPLE_EVERY", "1"),
    ]
}

/// The events of the program, each with its core, without those of the recorder.
fn recorded(config: &[(&str, &str)]) -> Vec<String> {
    let sources = [
        folder().join("program.c"),
        folder().join("imitation/tasks.c"),
        folder().join("imitation/queue.c"),
        root().join("tests/c/fake_port/fake_port.c"),
        root().join("freertos-hooks/tband_freertos.c"),
    ];
    let sources: Vec<_> = sources.iter().collect();
    let stream = Firmware::with_port(&sources, &folder().join("imitation"), config).run(&[]);
    let mut core = String::from("0");
    let mut events = vec![];
    for line in lines(&stream) {
        let (_, event) = line.split_once(' ').expect("a time");
        if let Some(number) = event.strip_prefix("core_id core_id=") {
            core = number.to_owned();
        } else if !["dropped_evt_cnt", "ts_", "trace_info"].iter().any(|own| event.starts_with(own))
        {
            events.push(format!("{core} {event}"));
        }
    }
    events
}

/// The lines that a build with these cores and with these interrupts has. Marks of a line in `expected.txt`: `1` or `2`, the
/// number of cores; `i`, the class of interrupts.
fn expected(cores: &str, has_interrupts: bool) -> Vec<String> {
    let text = read(folder().join("expected.txt"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .filter_map(|line| {
            let (marks, event) = line.split_once('|').expect("marks");
            let of_cores = !marks.contains(['1', '2']) || marks.contains(cores);
            let of_class = !marks.contains('i') || has_interrupts;
            (of_cores && of_class).then(|| event.to_owned())
        })
        .collect()
}

#[test]
fn each_kernel_records_both_cores_and_its_own_macros() {
    for idf in ["50100", "50500", "60000"] {
        for cores in ["1", "2"] {
            let found = recorded(&config(idf, cores));
            assert_eq!(found, expected(cores, idf == "60000"), "ESP-IDF {idf}, cores: {cores}");
        }
    }
}

/// Returns the compiler's messages for a file that includes the kernel's header.
fn refusal(config: &[(&str, &str)]) -> String {
    let temp = temp_dir();
    write(temp.path().join("tband_config.h"), config_text(config));
    let imitation = folder().join("imitation");
    let component = root().join("esp-idf/tband/include");
    let mut folders = vec![temp.path(), imitation.as_path(), component.as_path()];
    let own = includes();
    folders.extend(own.iter().map(PathBuf::as_path));
    let object = temp.path().join("unit.o");
    compile_text(Standard::C11, &[], &folders, "#include \"FreeRTOS.h\"\nint unit;\n", &object)
        .expect_err("it is refused")
}

#[test]
fn kernels_that_cannot_be_recorded_say_so() {
    let old = refusal(&config("50000", "2"));
    assert!(old.contains("recorded from ESP-IDF 5.1 on"), "{old}");

    let mut smp = config("50200", "2");
    smp.push(("CONFIG_FREERTOS_SMP", "1"));
    let complaint = refusal(&smp);
    assert!(
        complaint.contains("with CONFIG_FREERTOS_SMP the kernel of this ESP-IDF"),
        "{complaint}"
    );

    let mut trusted = config("50500", "1");
    trusted.push(("tband_configTRUST_KERNEL_CRITICAL_SECTIONS", "1"));
    let complaint = refusal(&trusted);
    assert!(complaint.contains("not for those of ESP-IDF"), "{complaint}");
}
