//! A firmware that goes wrong does not look like one that has finished: faults and failed checks end
//! QEMU with a status and a message, which every test here relies on.

use std::process::Command;

use tband_tests::{root, run, temp_dir, write};
use xtask::board::{Board, run_firmware};

/// Runs a `main` that must fail; returns its output.
fn failure(main: &str) -> String {
    let board = root().join("examples/mps2-board");
    let folder = temp_dir();
    let source = folder.path().join("main.c");
    let elf = folder.path().join("failing.elf");
    write(&source, format!("#include \"board.h\"\nint main(void) {{ {main} }}\n"));
    let mut compile = Command::new("arm-none-eabi-gcc");
    compile.args(["-mcpu=cortex-m3", "-mthumb", "-O1", "-nostartfiles", "--specs=nano.specs"]);
    compile.arg("-I").arg(&board).arg("-T").arg(board.join("mps2.ld")).arg(&source);
    compile.args(["startup.c", "board.c", "failed.c", "semihost.c"].map(|name| board.join(name)));
    run(compile.arg("-o").arg(&elf));
    let result = run_firmware(Board::BareMetal.emulator(), &elf, folder.path(), None);
    result.expect_err("the firmware fails").to_string()
}

#[test]
fn a_fault_is_reported_with_its_place() {
    let printed = failure("*(volatile int *)0xF0000000 = 1; return 0;");
    assert!(printed.contains("exit status: 3"), "{printed}");
    assert!(printed.contains("unexpected exception, number 0x00000003, pc 0x0000"), "{printed}");
}

#[test]
fn an_interrupt_without_a_handler_is_reported() {
    let printed = failure("board_irq_enable(5, 0); board_irq_pend(5); return 0;");
    assert!(printed.contains("exit status: 3"), "{printed}");
    assert!(printed.contains("unexpected exception, number 0x00000015"), "{printed}");
}

#[test]
fn a_failed_check_is_reported_with_its_line() {
    let printed = failure("board_failed(\"the failure\", \"file.c\", 1234);");
    assert!(printed.contains("exit status: 1"), "{printed}");
    assert!(printed.contains("file.c:1234: the failure"), "{printed}");
}

#[test]
fn the_status_of_main_is_that_of_qemu() {
    assert!(failure("return 42;").contains("exit status: 42"));
}
