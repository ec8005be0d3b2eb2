//! Flash, RAM and stack of programs that write flux, on a Cortex-M4 at -Os: counted in the linked programs.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use tband_tests::{c, read, root, run, temp_dir, write};

use crate::library;

/// What a program writes, and how the guide calls it.
const PROGRAMS: [(&str, &str); 4] = [
    ("nothing", ""),
    ("integers, linear", "LINEAR INTEGERS"),
    ("all types, linear", "LINEAR INTEGERS ALL"),
    ("all types, ring", "RING INTEGERS ALL"),
];

/// Bytes of flash and static RAM of a program.
fn size(folder: &Path, macros: &str) -> (u32, u32) {
    let elf = folder.join("program.elf");
    let mut link = Command::new("arm-none-eabi-gcc");
    link.args(["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-std=c11"]);
    link.args(["-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections"]);
    link.args(["-nostartfiles", "--specs=nano.specs", "-Wl,--gc-sections", "-Wl,-e,main"]);
    link.args(macros.split_whitespace().map(|name| format!("-DUSES_{name}")));
    c::include(&mut link, [root().join("include")]);
    link.arg(root().join("tests/flux_emitter/cost.c")).arg(library("thumbv7em-none-eabihf"));
    run(link.arg("-o").arg(&elf));
    let output = run(Command::new("arm-none-eabi-size").arg(&elf));
    let output = String::from_utf8(output).expect("text");
    let numbers: Vec<u32> = output
        .lines()
        .nth(1)
        .expect("a line of numbers")
        .split_whitespace()
        .filter_map(|it| it.parse().ok())
        .collect();
    (numbers[0] + numbers[1], numbers[1] + numbers[2])
}

/// The table of the guide. `cargo test -p tband-tests --test flux_emitter cost -- --nocapture` prints it.
#[test]
fn cost_matches_the_guide() {
    let folder = temp_dir();
    let sizes = PROGRAMS.map(|(name, macros)| (name, size(folder.path(), macros)));
    let (_, (base, base_ram)) = sizes[0];
    let mut table = String::from(
        "| a program that writes | flash, bytes | RAM beside its buffer, bytes |\n|---|---|---|\n",
    );
    for (name, (flash, ram)) in &sizes[1..] {
        let _ = writeln!(table, "| {name} | {} | {} |", flash - base, ram - base_ram);
    }
    println!("{table}");
    write(folder.path().join("table"), &table);
    let page = read(root().join("docs/src/guide/firmware/flux.md"));
    let compiler = run(Command::new("arm-none-eabi-gcc").arg("-dumpversion"));
    let compiler = String::from_utf8(compiler).expect("text");
    if !page.contains(&format!("arm-none-eabi-gcc {}", compiler.trim())) {
        eprintln!("SKIPPED: the guide's table is of another compiler than {compiler}");
        return;
    }
    assert!(page.contains(&table), "docs/src/guide/firmware/flux.md should have\n{table}");
}
