//! `examples/mps2-an386`: the real kernel on a Cortex-M4F, with real exceptions.

use tband_tests::events::{lines, print_size};
use xtask::board::Board;
use xtask::demo::{Backend, Format};

use crate::{build, run};
use tband_tests::counts::{compare_application, counts_of};

const BOARD: Board = Board::Mps2An386;

pub fn check(backend: Backend, format: Format) {
    let name = format!("an386-{}-{}", backend.name(), format.name());
    let elf = build(BOARD, &name, backend, &[&format.setting()]);
    let first = run(BOARD, &elf, backend);
    assert_eq!(first.truth["backend"], backend.name());

    let counted = counts_of(&first.trace);
    compare_application(&first.truth, &counted);
    assert!(
        lines(&first.trace)
            .iter()
            .any(|line| line.contains("build_id") && line.contains("mps2-an386"))
    );
    assert_eq!(deepest_nesting(&first.trace), ["15", "36", "37"], "SysTick, UART, DMA");
    first.assert_converts();

    let second = run(BOARD, &elf, backend);
    assert!(first.trace == second.trace, "two runs give different bytes");
    assert_eq!(first.truth, second.truth);
    print_size(&name, &first.trace);
}

/// The longest stack of interrupts in a recording.
pub fn deepest_nesting(recording: &[u8]) -> Vec<String> {
    let (mut inside, mut deepest) = (Vec::new(), Vec::new());
    for line in lines(recording) {
        let id = || line.split("isr_id=").nth(1).expect("an id").to_owned();
        if line.contains(" isr_enter ") {
            inside.push(id());
            if inside.len() > deepest.len() {
                deepest.clone_from(&inside);
            }
        } else if line.contains(" isr_exit ") {
            assert_eq!(inside.pop(), Some(id()), "an exit from another interrupt: {line}");
        }
    }
    deepest
}

#[test]
fn a_stream_over_the_uart_matches_the_firmware() {
    check(Backend::Streaming, Format::Packets);
}

#[test]
fn a_snapshot_matches_the_firmware() {
    check(Backend::Snapshot, Format::Packets);
}

#[test]
fn frames_say_what_the_firmware_did() {
    check(Backend::Streaming, Format::Frames);
}
