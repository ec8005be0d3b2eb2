//! With tracing off nothing is left: not a byte of code or data, and nothing to configure.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use tband_tests::c::Standard;
use tband_tests::run;

use crate::{Project, including};

/// Bytes of code and data of an object, by section.
fn sections(object: &Path) -> BTreeMap<String, u64> {
    let listing = run(Command::new("size").arg("-A").arg(object));
    let listing = String::from_utf8(listing).expect("text");
    listing
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, size) = (words.next()?, words.next()?.parse().ok()?);
            let counts = [".text", ".data", ".bss", ".rodata", ".init"];
            (size != 0 && counts.iter().any(|kind| name.starts_with(kind)))
                .then(|| (name.to_owned(), size))
        })
        .collect()
}

/// The two ways to turn tracing off.
const OFF: [&str; 2] = ["", "#define tband_configENABLE 0\n"];

#[test]
fn calls_cost_nothing() {
    for config in OFF {
        let mut project = Project::without_port(config);
        project.includes.push(tband_tests::root().join("tests/c"));
        for standard in Standard::ALL {
            let with = "#include \"all_calls.h\"\n\
                        int user(int x, void *handle);\n\
                        int user(int x, void *handle) { return all_calls(x, handle); }\n";
            project.compile(standard, &["-Os"], with);
            let with = sections(&project.path("unit.o"));
            let without = "int user(int x, void *handle);\n\
                           int user(int x, void *handle) { (void)handle; return x; }\n";
            project.compile(standard, &["-Os"], without);
            let without = sections(&project.path("unit.o"));
            assert_eq!(with, without, "{standard:?}");
            assert!(without.values().sum::<u64>() > 0);
        }
    }
}

#[test]
fn calls_compile_without_optimisation() {
    for config in OFF {
        let mut project = Project::without_port(config);
        project.includes.push(tband_tests::root().join("tests/c"));
        for standard in Standard::ALL {
            let text = "#include \"all_calls.h\"\n\
                        int user(int x, void *handle);\n\
                        int user(int x, void *handle) { return all_calls(x, handle); }\n";
            project.compile(standard, &["-O0"], text);
        }
    }
}

#[test]
fn the_sources_are_empty() {
    for config in OFF {
        // No port, no kernel.
        let project = Project::without_port(config);
        for source in ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"] {
            for standard in [Standard::C11, Standard::C17] {
                project.compile(standard, &[], &including(source));
                assert_eq!(sections(&project.path("unit.o")), BTreeMap::new(), "{source}");
            }
        }
    }
}
