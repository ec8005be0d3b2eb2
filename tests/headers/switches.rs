//! Each configuration switch on and off, one at a time, with each backend. Module `release` has every combination with
//! each standard and source.

use tband_tests::c::{Standard, config_text};
use tband_tests::{read, root};

use crate::{Project, including};

/// What one of the switches asks for.
const ISR_NUMBER: (&str, &str) = ("tband_portISR_NUMBER()", "7");

const BACKENDS: [&str; 3] = ["STREAMING", "SNAPSHOT", "EXTERNAL"];

/// Returns the macros that are 0 or 1 by default, without the backends, with the opposite of their default.
fn switches() -> Vec<(String, &'static str)> {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    let mut list = Vec::new();
    for line in defaults.lines() {
        let mut words = line.split_whitespace();
        if words.next() == Some("#define")
            && let (Some(name), Some(value @ ("0" | "1"))) = (words.next(), words.next())
            && !name.starts_with("tband_configUSE_BACKEND")
            && name.starts_with("tband_config")
        {
            list.push((name.to_owned(), if value == "0" { "1" } else { "0" }));
        }
    }
    // The interrupt class has another default on some targets.
    list.dedup_by(|second, first| second.0 == first.0);
    list
}

/// Returns the settings that a switch needs; `None` if it is not available with this backend.
fn needs(switch: &str, backend: &str) -> Option<&'static [(&'static str, &'static str)]> {
    const PACKETS: (&str, &str) = ("tband_configFORMAT", "TBAND_FORMAT_PACKETS");
    const RTT: (&str, &str) = ("tband_configUSE_RTT", "1");
    const NO_TRANSPORT: (&str, &str) = ("FAKE_HAS_NO_TRANSPORT", "1");
    const FILTERS: (&str, &str) = ("tband_configUSE_FILTERS", "1");
    let is_streaming = backend.ends_with("STREAMING");
    match switch {
        "tband_configUSE_RTT" => is_streaming.then_some(&[PACKETS, NO_TRANSPORT]),
        "tband_configSTART_ON_READER" => is_streaming.then_some(&[PACKETS, RTT, NO_TRANSPORT]),
        "tband_configUSE_SHEDDING" => is_streaming.then_some(&[PACKETS, NO_TRANSPORT, FILTERS]),
        "tband_configRTT_SHARE" if is_streaming => Some(&[PACKETS, RTT, NO_TRANSPORT]),
        _ => Some(&[]),
    }
}

/// Each switch with each backend, and each standard with some of these.
#[test]
fn every_call_compiles_with_every_switch_in_both_positions() {
    every_call_compiles(|turn| &Standard::OUTERMOST[turn % 4..][..1]);
}

/// In the standards that the number of the combination chooses.
pub fn every_call_compiles(standards: impl Fn(usize) -> &'static [Standard]) {
    let switches = switches();
    assert!(switches.len() >= 9, "{switches:?}");
    let text = "#include \"all_calls.h\"\n\
                int user(int x, void *handle);\n\
                int user(int x, void *handle) { return all_calls(x, handle); }\n";
    for (number, backend) in BACKENDS.into_iter().enumerate() {
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        let changes = switches.iter().map(|(switch, other)| Some((switch.as_str(), *other)));
        for (turn, change) in (number..).zip(changes.chain([None])) {
            let mut config = vec![(backend.as_str(), "1"), ISR_NUMBER];
            let Some(needed) = needs(change.map_or("", |(switch, _)| switch), &backend) else {
                continue;
            };
            config.extend(change.into_iter().chain(needed.iter().copied()));
            let project = Project::new(&config_text(&config));
            for &standard in standards(turn) {
                project.compile(standard, &["-fsyntax-only"], text);
            }
        }
    }
}

/// Each switch with each backend, and each source with some of these.
#[test]
fn the_sources_compile_with_every_switch_in_both_positions() {
    the_sources_compile(|turn| &SOURCES[turn % 3..][..1]);
}

pub const SOURCES: [&str; 3] =
    ["port/tband_shim.c", "port/tband_commands.c", "freertos-hooks/tband_freertos.c"];

/// Those that the number of the combination chooses.
pub fn the_sources_compile(sources: impl Fn(usize) -> &'static [&'static str]) {
    let variants = [("tband_portNUMBER_OF_CORES", "2"), ("tband_configBUILD_ID", "\"v1.2.3\"")];
    for (number, backend) in BACKENDS.into_iter().enumerate() {
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        let mut configs = vec![];
        // With FreeRTOS the sources need a kernel, and with memory protection a core that has some: see
        // freertos.rs and tests/mpu.
        configs.extend(switches().into_iter().filter(|(switch, _)| {
            !switch.contains("FREERTOS") && !switch.contains("MEMORY_PROTECTION")
        }));
        configs.extend(variants.map(|(name, value)| (name.to_owned(), value)));
        for (turn, (name, value)) in (number..).zip(configs) {
            let Some(needed) = needs(&name, &backend) else { continue };
            let config = [&[(backend.as_str(), "1"), (&name, value), ISR_NUMBER], needed].concat();
            let project = Project::new(&config_text(&config));
            for source in sources(turn) {
                let options = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-fsyntax-only"];
                project.compile(Standard::C11, &options, &including(source));
            }
        }
    }
}

/// The code that executes commands of the host, with all permissions, and without any.
#[test]
fn commands_compile_in_each_language() {
    let all = "#define tband_configALLOW_READ 1\n#define tband_configALLOW_WRITE 1\n\
               #define tband_configUSE_FILTERS 1\n#define tband_configON_RESET() ((void)0)\n\
               #define tband_configON_COMMAND(number, a, b, c) ((number) + (a) + (b) + (c))\n";
    let packets = "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n\
                   #define FAKE_HAS_NO_TRANSPORT 1\n#define tband_configUSE_RTT 1\n";
    for config in ["", all, packets, &[all, packets].concat()] {
        let config = format!(
            "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_STREAMING 1\n{config}"
        );
        let project = Project::new(&config);
        for standard in Standard::ALL {
            project.compile(standard, &["-fsyntax-only"], &including("port/tband_commands.c"));
        }
    }
}

#[test]
fn the_functions_have_the_same_types_in_every_state() {
    let backends = BACKENDS.map(|name| {
        format!("#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_{name} 1\n")
    });
    for config in backends.iter().map(String::as_str).chain([""]) {
        let project = Project::new(config);
        for standard in Standard::ALL {
            let text = "#include \"prototypes.h\"\n\
                        void user(void);\n\
                        void user(void) { check_prototypes(); }\n";
            project.compile(standard, &[], text);
        }
    }
}
