//! A program in C++ that uses all of the headers, with the warnings of projects that allow no cast and no null pointer of C.

use std::path::Path;
use std::process::Command;

use tband_programs::output;
use tband_tests::c::{Standard, config_text, includes};
use tband_tests::{root, temp_dir, write};

const WARNINGS: [&str; 5] =
    ["-Wall", "-Wextra", "-Wold-style-cast", "-Wzero-as-null-pointer-constant", "-Werror"];

/// What the program is: each call of `tests/entries/calls.h`, as a function, and the headers that the calls do not need.
const PROGRAM: &str = "\
#include \"entries.h\"
#define TBAND_FLUX_FILES
#include \"tband_flux.h\"
#include \"tband_flux_handlers.h\"
#include \"board.h\"
#include \"semihost.h\"
#define CALL(name, where, events, names, answer, ...) \\
  static int32_t call_##name();                       \\
  static int32_t call_##name() { __VA_ARGS__ }
void entries_mask();
void entries_unmask();
#include \"calls.h\"
#undef CALL
#define CALL(name, where, events, names, answer, ...) {#name, where, events, names, answer, call_##name},
extern const struct entry entry_list[] = {
#include \"calls.h\"
};
";

/// Compilers of C++ that are there, each with what the other does not have.
fn compilers() -> Vec<(&'static str, &'static [&'static str])> {
    let all: [(&str, &[&str]); 2] =
        [("g++", &["-Wuseless-cast"]), ("clang++", &["-Wnull-arithmetic"])];
    let is_there = |name: &str| {
        output(Command::new(name).arg("--version")).is_ok_and(|it| it.status.success())
    };
    let there: Vec<_> = all.into_iter().filter(|(name, _)| is_there(name)).collect();
    assert!(!there.is_empty(), "neither g++ nor clang++");
    there
}

fn compile(folder: &Path, (name, more): (&str, &[&str]), standard: Standard) {
    let mut command = Command::new(name);
    command.arg(standard.option()).args(WARNINGS).args(more).arg("-I").arg(folder);
    for include in includes()
        .into_iter()
        .chain(["tests/entries", "examples/mps2-board"].map(|folder| root().join(folder)))
    {
        command.arg("-I").arg(include);
    }
    command.args(["-c", "-o"]).args(["program.o", "program.cpp"].map(|file| folder.join(file)));
    let ran = output(&mut command).expect("the compiler runs");
    let printed = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{name} {}:\n{printed}", standard.option());
}

#[test]
fn a_program_without_casts_of_c_compiles() {
    let all = [
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_configUSE_FILTERS", "1"),
        ("tband_configUSE_TRIGGERS", "1"),
        ("tband_configALLOW_INJECT", "1"),
    ];
    for config in [
        &[("tband_configENABLE", "0")][..],
        &[("tband_configUSE_BACKEND_SNAPSHOT", "1"), ("tband_configMEMORY_PROTECTION", "1")],
        &[("tband_configUSE_BACKEND_EXTERNAL", "1"), ("tband_configRECORD_DICTIONARY", "1")],
        &[
            ("tband_configUSE_BACKEND_STREAMING", "1"),
            ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
        ],
        &[
            ("tband_configUSE_BACKEND_POST_MORTEM", "1"),
            ("tband_configPACKET_BUF_ATTRIBUTE", ""),
            ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
        ],
    ] {
        let folder = temp_dir();
        let more = if config.len() > 1 { &all[..] } else { &[] };
        write(folder.path().join("tband_config.h"), config_text(&[config, more].concat()));
        write(folder.path().join("program.cpp"), PROGRAM);
        for compiler in compilers() {
            for standard in Standard::CXX {
                compile(folder.path(), compiler, standard);
            }
        }
    }
}
