//! The guide's worked example: its program is compiled and run as it is there, and `tband-cli` has the documented output for
//! its recording.

use std::fs;
use std::path::Path;
use std::process::Command;

use tband_tests::guide::{blocks, page};
use tband_tests::user_project::{CONFIG, PORT};
use tband_tests::{archive, root, run, temp_dir, write};

const PAGE: &str = "start/timing-bug";

/// Compiles a program and lets it record into `trace.bin`.
fn record(folder: &Path, source: &str) {
    write(folder.join("config/tband_config.h"), CONFIG);
    write(folder.join("config/tband_port.h"), PORT);
    write(folder.join("main.c"), source);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Iconfig", "-I"]);
    compiler.arg(root().join("include")).arg("main.c").arg(root().join("port/tband_shim.c"));
    compiler.arg(archive()).args(["-Wl,--gc-sections", "-o", "program"]);
    run(compiler.current_dir(folder));
    run(Command::new(folder.join("program")).current_dir(folder));
}

/// Runs the command after `$` in a block; the text after it must be in the output, line by line, with `...` as a wildcard.
fn assert_prints(folder: &Path, block: &str) {
    let (command, expected) = block.split_once('\n').expect("a command and what it prints");
    let arguments = command.strip_prefix("$ tband-cli ").expect("a command").split(' ');
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let printed = run(tool.args(arguments).current_dir(folder));
    let printed = String::from_utf8(printed).expect("text");
    let mut rest = printed.as_str();
    for part in expected.split("...\n") {
        let at = rest.find(part).unwrap_or_else(|| panic!("{command}: no\n{part}in\n{printed}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn the_steps_of_the_page_find_and_fix_the_bug() {
    let [program, fixed] =
        ["The program, with markers", "The fix"].map(|section| blocks(PAGE, section, "c").concat());
    let folder = temp_dir();
    record(folder.path(), &program);
    for section in ["How late are the samples?", "Events before the late sample"] {
        for block in blocks(PAGE, section, "console") {
            assert_prints(folder.path(), &block);
        }
    }
    // The function that is fixed is in place of the one that was there.
    let start = program.find("static void save(void)").expect("the function");
    let end = program[start..].find("\n}\n").expect("its end") + start + 3;
    let program = format!("{}{fixed}{}", &program[..start], &program[end..]);
    fs::remove_file(folder.path().join("trace.bin")).expect("removed");
    record(folder.path(), &program);
    assert_prints(folder.path(), &blocks(PAGE, "The fix", "console").concat());
    assert_eq!(page(PAGE).matches("```console").count(), 5);
}
