//! An interrupt that writes to the trace of the main program, on an emulated Cortex-M4.

use std::fs;
use std::process::Command;

use tband_flux_reader::File;
use tband_tests::{c, root, run, temp_dir};
use xtask::board::{Board, run_firmware};

use crate::library;

#[test]
fn an_interrupt_is_refused_while_main_writes() {
    let (folder, board) = (temp_dir(), root().join("examples/mps2-board"));
    let elf = folder.path().join("firmware.elf");
    let mut link = Command::new("arm-none-eabi-gcc");
    link.args(["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-std=c11"]);
    link.args(["-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-nostartfiles"]);
    link.args(["--specs=nano.specs", "-Wl,--gc-sections", "-Wl,--fatal-warnings"]);
    c::include(&mut link, [root().join("include"), board.clone()]);
    link.arg("-T").arg(board.join("mps2.ld")).arg(root().join("tests/flux_emitter/firmware.c"));
    link.args([board.join("startup.c"), board.join("semihost.c")]);
    run(link.arg(library("thumbv7em-none-eabihf")).arg("-o").arg(&elf));
    run_firmware(Board::Mps2An386.emulator(), &elf, folder.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let counts = fs::read(folder.path().join("counts.bin")).expect("counts");
    let count =
        |at: usize| u32::from_le_bytes(counts[at..at + 4].try_into().expect("4 bytes")) as usize;
    let (accepted, refused) = (count(0), count(4));
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 10 && refused > 10, "{accepted}, {refused}");
    let trace = File::read(&fs::read(folder.path().join("trace.bin")).expect("a trace")).only();
    let main = trace.find("\\m\\main").values();
    let expected: Vec<_> =
        (0..2000_i64).map(|n| (3 * (n + 1), (n * 1_000_003).to_string())).collect();
    assert_eq!(main, expected);
    let numbers: Vec<_> =
        trace.find("\\m\\interrupt").values().into_iter().map(|it| it.1).collect();
    assert_eq!(numbers, (0..accepted).map(|n| (-(n as i64)).to_string()).collect::<Vec<_>>());
    let samples = trace.items.values().flat_map(|it| &it.samples);
    let marked = samples.filter(|it| it.is_tainted).count();
    assert!((1..=refused).contains(&marked), "{marked} of {refused}");
}
