//! More than 100 000 interrupts, three and more levels deep, into a recorder that is busy all the time:
//! `tests/qemu/nested`.
//!
//! The timers' periods have no common factor, so the interrupts hit every place in the recorder.

use std::collections::BTreeMap;

use serde_json::Value;
use tband_format::{Event, decode_frame};
use xtask::board::Board;
use xtask::demo::Backend;
use xtask::kernel;

use crate::{Run, archive, build_firmware, build_folder, root, run_on};

/// Runs the firmware with the port of the example, or with another.
pub fn run(name: &str, port: Option<String>) -> Run {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let mut settings = vec![
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
    ];
    settings.extend(port);
    let folder = build_folder(name);
    build_firmware(&root().join("tests/qemu/nested"), &folder, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    run_on(board.emulator(), &folder.join("nested.elf"), Backend::Snapshot)
}

/// Results for a complete recording.
#[derive(Default)]
pub struct NestingCounts {
    events: usize,
    interrupts: u64,
    deepest: usize,
    /// Counts by kind, id.
    counts: BTreeMap<(&'static str, u32), u64>,
}

/// Counts a recording of the firmware, or returns its fault.
pub fn examine(recording: &[u8]) -> Result<NestingCounts, String> {
    let mut found = NestingCounts::default();
    let mut inside = Vec::new();
    let mut last_ts = 0;
    let mut next_value = BTreeMap::new();
    let whole = recording.strip_suffix(&[0]).ok_or("the last frame is cut")?;
    for (index, frame) in whole.split(|&byte| byte == 0).enumerate() {
        let mut scratch = vec![0; frame.len()];
        let decoded = decode_frame(frame, &mut scratch)
            .map_err(|error| format!("frame {index} {frame:02X?}: {error}"))?;
        if let Some(ts) = decoded.ts {
            if ts < last_ts {
                return Err(format!("frame {index}: time steps back from {last_ts} to {ts}"));
            }
            last_ts = ts;
        }
        let mut count = |what, id| *found.counts.entry((what, id)).or_default() += 1;
        match decoded.event {
            Event::IsrEnter { isr_id } => {
                inside.push(isr_id);
                found.interrupts += 1;
                found.deepest = found.deepest.max(inside.len());
                count("enters", isr_id);
            }
            Event::IsrExit { isr_id } => {
                let from = inside.pop();
                if from != Some(isr_id) {
                    return Err(format!("frame {index}: exit from {isr_id}, inside {from:?}"));
                }
                count("exits", isr_id);
            }
            Event::EvtmarkerBegin { evtmarker_id, .. } => count("begins", evtmarker_id),
            Event::EvtmarkerEnd { evtmarker_id } => count("ends", evtmarker_id),
            // Each marker's values count up by one, from 0.
            Event::Valmarker { valmarker_id, val } => {
                let expected: &mut i64 = next_value.entry(valmarker_id).or_default();
                if val != *expected {
                    return Err(format!("marker {valmarker_id}: {val} instead of {expected}"));
                }
                *expected += 1;
                count("values", valmarker_id);
            }
            Event::DroppedEvtCnt { cnt } if cnt > 0 => return Err(format!("{cnt} dropped")),
            _ => {}
        }
        found.events += 1;
    }
    if inside.is_empty() { Ok(found) } else { Err(format!("still inside {inside:?} at the end")) }
}

/// Returns the firmware's own counts, in the same form. The stop is between handlers, so enters and exits are complete.
fn own_counts(truth: &Value) -> BTreeMap<(&'static str, u32), u64> {
    let mut counts = BTreeMap::new();
    for (list, keys) in [
        ("isrs", &["enters", "exits"][..]),
        ("evtmarkers", &["begins", "ends"]),
        ("valmarkers", &["values"]),
    ] {
        for object in truth[list].as_array().expect("a list") {
            for key in keys {
                let id = u32::try_from(object["id"].as_u64().expect("an id")).expect("32 bits");
                counts.insert((*key, id), object[key].as_u64().expect("a count"));
            }
        }
    }
    counts
}

#[test]
fn a_hundred_thousand_nested_interrupts_leave_no_torn_frame() {
    let run = run("nested", None);
    let found = examine(&run.trace).unwrap_or_else(|error| panic!("{error}"));
    let mut expected = own_counts(&run.truth);
    // The probe of the interrupt mask calls the hooks of the class ISR: twice in a task, 0, and in interrupt 22.
    for (id, count) in [(0, 2), (16 + 22, 1)] {
        expected.extend([(("enters", id), count), (("exits", id), count)]);
    }
    assert_eq!(found.counts, expected);
    assert!(found.interrupts >= 100_000, "only {}", found.interrupts);
    // SysTick, low, middle and top, and the one that hits anything.
    assert!(found.deepest >= 4, "only {} deep", found.deepest);
    println!(
        "{} interrupts, up to {} deep, {} events in {} bytes",
        found.interrupts,
        found.deepest,
        found.events,
        run.trace.len()
    );
}
