//! Traps of a 32-bit RISC-V: what `port/tband_fault_riscv.c` records of each is what the program's registers and symbols are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_conv::model::Crash;
use tband_conv::{Input, Options, convert};
use tband_format::named::{CrashKind, FaultFact as F};
use tband_tests::library::library;
use tband_tests::{root, run, temp_dir};
use xtask::board::run_firmware;

const EMULATOR: &str = "qemu-system-riscv32 -M virt -bios none";
const CPU: &[&str] = &["-march=rv32imac", "-mabi=ilp32", "-misa-spec=2.2", "-mcmodel=medany"];

/// Compiles the program that ends in this way.
fn program(folder: &Path, number: u32, options: &[&str]) -> PathBuf {
    let here = root().join("tests/qemu/trapping");
    let board = root().join("tests/qemu/cores/riscv");
    let elf = folder.join("trapping.elf");
    let mut compile = Command::new("riscv64-unknown-elf-gcc");
    compile.args(CPU).args(options).args(["--specs=picolibc.specs", "-nostartfiles"]);
    compile.args(["-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-Wl,--gc-sections"]);
    compile.arg(format!("-DCRASH={number}"));
    compile.arg(format!("-T{}", board.join("virt.ld").display()));
    for include in
        [&here, &root().join("examples/mps2-board"), &root().join("port"), &root().join("include")]
    {
        compile.arg("-I").arg(include);
    }
    compile.args([here.join("main.c"), board.join("startup.c")]);
    for file in [
        "examples/riscv-smp/board/semihost.c",
        "examples/mps2-board/recording.c",
        "port/tband_shim.c",
        "port/tband_fault_riscv.c",
    ] {
        compile.arg(root().join(file));
    }
    run(compile.arg(library("riscv32imac-unknown-none-elf")).arg("-o").arg(&elf));
    elf
}

/// The crash in the recording of a run, and the program's symbols.
fn crash(number: u32, options: &[&str]) -> (Crash, impl Fn(&str) -> u32 + use<>) {
    let folder = temp_dir();
    let elf = program(folder.path(), number, options);
    run_firmware(EMULATOR, &elf, folder.path(), None).unwrap_or_else(|error| panic!("{error:#}"));
    let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
    let inputs = [Input::from_bytes("trace", &recording)];
    let summary = convert(&inputs, &Options::default(), &mut ()).expect("a recording");
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    let [crash] = &summary.crashes[..] else { panic!("{number}: {:?}", summary.crashes) };
    println!("{number} {options:?}: {crash}");
    let listed = String::from_utf8(run(Command::new("nm").arg(&elf))).expect("symbols");
    let address = move |name: &str| {
        let line = listed.lines().find(|line| line.ends_with(&format!(" {name}")));
        let digits =
            line.and_then(|line| line.split(' ').next()).unwrap_or_else(|| panic!("{name}"));
        u32::from_str_radix(digits, 16).expect("a number")
    };
    (crash.clone(), address)
}

#[test]
fn traps_are_recorded_with_their_registers() {
    for options in [&["-O2"][..], &["-Os"], &["-O0"], &["-O2", "-flto"]] {
        for (number, cause, value) in [(1, 5, 0x10), (2, 7, 0x10), (3, 2, u32::MAX), (4, 1, 0x10)] {
            let (crash, address) = crash(number, options);
            assert_eq!(crash.kind, CrashKind::EXCEPTION);
            assert_eq!(crash.value(F::MCAUSE), Some(cause), "{crash}");
            assert_eq!(crash.value(F::MTVAL), Some(value), "{crash}");
            let pc = if number == 4 { 0x10 } else { address("crash_at") };
            assert_eq!(crash.pc(), Some(pc), "{crash}");
            // What the program had in them.
            let registers = [F::X18, F::X27, F::X15].map(|it| crash.value(it));
            assert_eq!(registers, [Some(0x1234), Some(0x5678), Some(0x9ABC)], "{crash}");
            let stack = crash.sp().expect("a stack pointer");
            assert!(stack < address("stack_top") && stack % 16 == 0, "{stack:#x}");
            let main = address("main");
            let returns = crash.value(F::X1).expect("ra");
            assert!((main..main + 0x200).contains(&returns), "{returns:#x} is not in main()");
        }
    }
}

#[test]
fn an_assertion_is_recorded_with_its_place() {
    for options in [&["-O2"][..], &["-O0"], &["-O2", "-flto"]] {
        let (crash, address) = crash(5, options);
        assert_eq!((crash.kind, crash.text.as_str()), (CrashKind::ASSERT, "asserts.c"));
        assert_eq!(crash.value(F::LINE), Some(77));
        let pc = crash.pc().expect("a pc");
        let main = address("main");
        assert!((main..main + 0x200).contains(&pc), "{pc:#x} is not in main()");
        assert!(crash.value(F::MCAUSE).is_none());
    }
}

/// A user's own handlers pass the registers, or none.
#[test]
fn own_handlers_record_traps_too() {
    let (with, address) = crash(6, &["-O2"]);
    assert_eq!((with.value(F::MCAUSE), with.pc()), (Some(5), Some(address("crash_at"))));
    assert_eq!(
        [F::X18, F::X27, F::X15].map(|it| with.value(it)),
        [Some(0x1234), Some(0x5678), Some(0x9ABC)]
    );
    let (without, address) = crash(7, &["-O2"]);
    assert_eq!((without.value(F::MCAUSE), without.pc()), (Some(5), Some(address("crash_at"))));
    assert_eq!(without.value(F::X18), None);
}
