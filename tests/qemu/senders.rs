//! Firmware that sends its recording with the files in `port/senders`, over devices that QEMU has: what arrives is what the
//! firmware has written down that it recorded.

use std::fs;
use std::path::Path;

use tband_format::Event;
use tband_format::packet::METADATA_STREAM;
use tband_tests::packets::packets;
use tband_tests::senders::ReceivedData;
use tband_tests::temp_dir;
use xtask::board::{Board, run_firmware};
use xtask::demo::to_perfetto;

use crate::{archive, build_firmware, build_folder, root};

fn number(path: &Path) -> usize {
    let bytes = fs::read(path).expect("the firmware's own record");
    u32::from_le_bytes(bytes.try_into().expect("a number")) as usize
}

/// Runs a firmware, and compares what its UART has sent with what it counts: values, entries of the tick's interrupt, spans.
fn compare(emulator: &str, elf: &Path, samples: usize) -> ReceivedData {
    let folder = temp_dir();
    let trace = folder.path().join("trace.bin");
    run_firmware(emulator, elf, folder.path(), Some(&trace))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let recording = fs::read(&trace).expect("the recording");
    let came = ReceivedData::of(&recording);
    let ticks = number(&folder.path().join("ticks.bin"));
    let discarded = number(&folder.path().join("discarded.bin"));
    println!(
        "{} bytes: {} of {samples} values, {discarded} discarded, {ticks} ticks",
        recording.len(),
        came.values.len()
    );
    let (mut entries, mut exits, mut spans) = (0, 0, 0);
    for packet in packets(&recording) {
        if packet.header().stream == METADATA_STREAM {
            continue;
        }
        for decoded in packet.events() {
            match decoded.expect("an event").event {
                Event::IsrEnter { isr_id: 15 } => entries += 1,
                Event::IsrExit { isr_id: 15 } => exits += 1,
                Event::EvtmarkerBegin { .. } | Event::EvtmarkerEnd { .. } => spans += 1,
                _ => {}
            }
        }
    }
    assert_eq!((came.gaps, came.discarded), (0, discarded));
    let all = came.values.len() + entries + exits + spans + discarded;
    // An interrupt after the last value and before the end is not among the ticks, or not recorded any more.
    let expected = samples + samples / 5 + 2 * ticks;
    assert!(expected.abs_diff(all) <= 2, "{expected} were recorded, {all} are known of");
    if discarded == 0 {
        assert_eq!(came.values.len(), samples);
        to_perfetto(&trace, &folder.path().join("t.pftrace"))
            .unwrap_or_else(|error| panic!("{error:#}"));
    }
    came
}

#[test]
fn a_uart_by_interrupt_sends_all_that_was_not_counted_as_discarded() {
    const SAMPLES: usize = 20_000;
    let example = root().join("examples/uart");
    for (name, is_slow) in [("uart", false), ("uart-slow", true)] {
        let settings = [
            format!("TBAND_LIBRARY={}", archive(Board::BareMetal).display()),
            format!("SAMPLES={SAMPLES}"),
            format!("SLOW_LINE={}", u8::from(is_slow)),
        ];
        let folder = build_folder(name);
        build_firmware(&example, &folder, &example.join("cortex-m3.cmake"), &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let came = compare(Board::BareMetal.emulator(), &folder.join("uart.elf"), SAMPLES);
        assert_eq!(came.discarded > 0, is_slow, "{}", came.discarded);
        assert!(came.values.len() > 1000);
    }
}

/// The chip has no DMA in QEMU: `c_abi` has a model of it.
#[test]
fn an_stm32f405_sends_all_that_it_records() {
    const SAMPLES: usize = 2000;
    let example = root().join("examples/stm32f405");
    let toolchain = example.join("cortex-m4f.cmake");
    let library = format!("TBAND_LIBRARY={}", archive(Board::Mps2An386).display());
    let in_qemu = ["SENDER=interrupt".to_owned(), "IN_QEMU=1".to_owned()];
    for (name, settings) in
        [("stm32f405", &in_qemu[..]), ("stm32f405-dma", &["SENDER=dma".to_owned()])]
    {
        let settings = [std::slice::from_ref(&library), settings].concat();
        build_firmware(&example, &build_folder(name), &toolchain, &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
    }
    let elf = build_folder("stm32f405").join("stm32f405.elf");
    let came = compare("qemu-system-arm -M netduinoplus2", &elf, SAMPLES);
    assert_eq!(came.discarded, 0);
}
