//! `port/records/tband_strings.ld` moves nothing else: with it, all other sections and symbols have the addresses that they have
//! in a program without formats. GNU ld for each architecture, and lld where it has the architecture.

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::{root, run, temp_dir, write};
use xtask::rust_target::host_target;

/// A program with data and a section that no script names. `FORMAT` is the address of a format, or a number.
const PROGRAM: &str = "
    .text
    .globl main
main:
    .long 0
    .data
    .long FORMAT
    .bss
    .space 64
    .section .unnamed, \"aw\", %nobits
    .space 16
    .section .noinit, \"aw\", %nobits
    .space 32
";
const STRINGS: &str = "
    .section .tband_strings.0, \"a\", %progbits
tband_text_0:
    .asciz \"pos %d\"
";

/// Scripts as users have them: without regions of memory, and with them. Symbols follow `.bss`, as `end` for newlib's heap does.
const SCRIPTS: [&str; 2] = [
    "SECTIONS
{
  . = 0x20000;
  .text : { *(.text*) }
  .data : { *(.data*) }
  .bss : ALIGN(16) { *(.bss*) }
  after_bss = .;
  .noinit (NOLOAD) : ALIGN(16) { *(.noinit) }
  end = .;
}
",
    "MEMORY { FLASH (rx) : ORIGIN = 0x8000, LENGTH = 32K RAM (rwx) : ORIGIN = 0x20000, LENGTH = 32K }
SECTIONS
{
  .text : { *(.text*) } > FLASH
  .data : { *(.data*) } > RAM AT > FLASH
  .bss : ALIGN(16) { *(.bss*) } > RAM
  . = ALIGN(8);
  end = .;
  .noinit (NOLOAD) : ALIGN(16) { *(.noinit) } > RAM
  after_noinit = .;
}
",
];

/// lld as Rust has it.
fn lld() -> PathBuf {
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]));
    let sysroot = String::from_utf8(sysroot).expect("a path");
    let host = host_target().unwrap_or_else(|error| panic!("{error:#}"));
    Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld")
}

/// Address of each section and each symbol, except those of formats.
fn addresses(elf: &Path) -> Vec<String> {
    let sections = run(Command::new("readelf").args(["--sections", "--wide"]).arg(elf));
    let sections = String::from_utf8(sections).expect("names");
    let sections = sections.lines().filter_map(|line| {
        let mut words = line.split_once(']')?.1.split_whitespace();
        let (name, kind, address) = (words.next()?, words.next()?, words.next()?);
        matches!(kind, "PROGBITS" | "NOBITS").then(|| format!("{name} {address}"))
    });
    let symbols = String::from_utf8(run(Command::new("nm").arg(elf))).expect("names");
    let symbols = symbols.lines().filter_map(|line| {
        let (address, name) = (line.split(' ').next()?, line.split(' ').next_back()?);
        Some(format!("{name} {address}"))
    });
    sections.chain(symbols).filter(|it| !it.contains("tband_")).collect()
}

/// Compares in both scripts.
fn assert_others_stay(assembler: &[&str], linker: &[&str]) {
    let folder = temp_dir();
    let at = |name: &str| folder.path().join(name);
    let assemble = |name: &str, text: &str| {
        write(at("program.s"), text);
        let mut command = Command::new(assembler[0]);
        run(command.args(&assembler[1..]).arg(at("program.s")).arg("-o").arg(at(name)));
        at(name)
    };
    let without = assemble("without.o", &PROGRAM.replace("FORMAT", "7"));
    let with = assemble("with.o", &[STRINGS, &PROGRAM.replace("FORMAT", "tband_text_0")].concat());
    for script in SCRIPTS {
        write(at("script.ld"), script);
        let link = |object: &Path, scripts: &[PathBuf]| {
            let mut command = Command::new(linker[0]);
            command.args(&linker[1..]).args(["--entry", "main"]);
            for script in scripts {
                command.arg("-T").arg(script);
            }
            run(command.arg(object).arg("-o").arg(at("program.elf")));
            at("program.elf")
        };
        let expected = addresses(&link(&without, &[at("script.ld")]));
        assert!(expected.iter().any(|it| it.starts_with("end 000200")), "{expected:?}");
        let elf = link(&with, &[root().join("port/records/tband_strings.ld"), at("script.ld")]);
        assert_eq!(addresses(&elf), expected, "{linker:?}: {script}");
        let formats = run(Command::new("readelf").args(["-p", ".tband_strings"]).arg(&elf));
        let formats = String::from_utf8(formats).expect("text");
        assert!(formats.contains("[     1]  pos %d"), "{formats}");
        let symbols = String::from_utf8(run(Command::new("nm").arg(&elf))).expect("names");
        assert!(symbols.lines().any(|it| it.starts_with("00000001 ")), "{symbols}");
    }
}

#[test]
fn the_script_for_formats_moves_nothing_else() {
    let lld = lld();
    let lld = [lld.to_str().expect("a path"), "-flavor", "gnu"];
    let arm = ["arm-none-eabi-as"];
    assert_others_stay(&arm, &["arm-none-eabi-ld"]);
    assert_others_stay(&arm, &lld);
    let riscv = ["riscv64-unknown-elf-as", "-march=rv32imac", "-mabi=ilp32"];
    let gnu = ["riscv64-unknown-elf-ld", "-melf32lriscv", "--no-warn-rwx-segments"];
    assert_others_stay(&riscv, &gnu);
    assert_others_stay(&riscv, &lld);
}

#[test]
fn the_script_for_formats_moves_nothing_else_on_xtensa() {
    if let Err(error) = xtask::xtensa::install() {
        eprintln!("SKIPPED: the linker for Xtensa is NOT tried: {error:#}");
        return;
    }
    assert_others_stay(
        &["xtensa-lx106-elf-as"],
        &["xtensa-lx106-elf-ld", "--no-warn-rwx-segments"],
    );
}
