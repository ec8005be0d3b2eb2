//! `examples/bare-metal`: no RTOS, a Cortex-M3, and a scenario whose events are always the same.

use tband_format::classes::buffers::{FIRST_BIT, buffers};
use tband_tests::events::{lines, user_lines_once};
use tband_tests::{read, root};
use xtask::board::Board;
use xtask::demo::{Backend, Format};

use crate::{Run, build, run};
use tband_tests::counts::{compare, counts_of};

const BOARD: Board = Board::BareMetal;

/// Compares what firmware without an RTOS counts; its recording converts without a finding.
pub fn assert_counts(run: &Run) {
    assert_eq!(run.truth["refused_frames"], 0);
    let counted = counts_of(&run.trace);
    for what in ["isrs", "evtmarkers", "valmarkers"] {
        compare(what, &run.truth, &counted);
    }
    run.assert_converts();
}

/// Runs the example twice and compares it with its own record.
fn checked(backend: Backend, format: Format) -> Run {
    let name = format!("bare-metal-{}-{}", backend.name(), format.name());
    let elf = build(BOARD, &name, backend, &[&format.setting()]);
    let first = run(BOARD, &elf, backend);
    assert_counts(&first);
    assert_eq!(first.truth["backend"], backend.name());
    let all = lines(&first.trace);
    let info = all.iter().find(|line| line.starts_with("- trace_info ")).expect("trace_info");
    let flags: u32 = info.rsplit('=').next().and_then(|flags| flags.parse().ok()).expect("flags");
    // No kernel, and so no classes.
    assert_eq!(flags & ((1 << FIRST_BIT) - 1), 0, "{info}");
    let stated = buffers(flags).map(|it| it.backend.name());
    assert_eq!(stated, Some(backend.name()), "{info}");
    let second = run(BOARD, &elf, backend);
    assert!(first.trace == second.trace, "two runs give different bytes");
    first
}

/// The events without their times, which depend on the compiler and the backend, and without what the recorder
/// adds.
pub fn events(recording: &[u8]) -> String {
    user_lines_once(recording)
        .iter()
        .map(|line| line.split_once(' ').expect("a time and an event").1.to_owned() + "\n")
        .collect()
}

/// After a deliberate change of the example put what this prints into expected.txt.
#[test]
fn both_backends_record_the_expected_events() {
    let expected = read(root().join("examples/bare-metal/expected.txt"));
    for format in [Format::Packets, Format::Frames] {
        let snapshot = events(&checked(Backend::Snapshot, format).trace);
        assert!(snapshot == expected, "examples/bare-metal/expected.txt should be:\n{snapshot}");
        let streamed = events(&checked(Backend::Streaming, format).trace);
        assert_eq!(streamed, snapshot, "the stream and the snapshot differ");
    }
}
