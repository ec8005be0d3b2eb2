//! Each configuration switch on and off, one at a time, with each backend.

use tband_tests::c::{Standard, config_text};
use tband_tests::{read, root};

use crate::{Project, including};

const BACKENDS: [&str; 3] = ["STREAMING", "SNAPSHOT", "EXTERNAL"];

/// Names of the macros that are 0 or 1 by default, the backends left out.
fn switches() -> Vec<String> {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    let mut list = Vec::new();
    for line in defaults.lines() {
        let mut words = line.split_whitespace();
        if words.next() == Some("#define")
            && let (Some(name), Some("0" | "1")) = (words.next(), words.next())
            && !name.starts_with("tband_configUSE_BACKEND")
            && name.starts_with("tband_config")
        {
            list.push(name.to_owned());
        }
    }
    list
}

#[test]
fn every_call_compiles_with_every_switch_in_both_positions() {
    let switches = switches();
    assert!(switches.len() >= 9, "{switches:?}");
    let text = "#include \"all_calls.h\"\n\
                int user(int x, void *handle);\n\
                int user(int x, void *handle) { return all_calls(x, handle); }\n";
    for backend in BACKENDS {
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        for switch in &switches {
            for value in ["0", "1"] {
                let project = Project::new(&config_text(&[(&backend, "1"), (switch, value)]));
                for standard in Standard::ALL {
                    project.compile(standard, &["-fsyntax-only"], text);
                }
            }
        }
    }
}

#[test]
fn the_sources_compile_with_every_switch_in_both_positions() {
    let variants = [("tband_portNUMBER_OF_CORES", "2"), ("tband_configBUILD_ID", "\"v1.2.3\"")];
    for backend in BACKENDS {
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        let mut configs = vec![];
        for switch in switches() {
            // With FreeRTOS the sources need a kernel: see freertos.rs.
            if switch != "tband_configFREERTOS_TRACE_ENABLE" {
                configs.extend(["0", "1"].map(|value| (switch.clone(), value)));
            }
        }
        configs.extend(variants.map(|(name, value)| (name.to_owned(), value)));
        for (name, value) in configs {
            let project = Project::new(&config_text(&[(&backend, "1"), (&name, value)]));
            for source in ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"] {
                let options = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-fsyntax-only"];
                project.compile(Standard::C11, &options, &including(source));
            }
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
