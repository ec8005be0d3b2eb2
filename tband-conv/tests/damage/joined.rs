//! Several files of packets, read together: one recording after the other, the files of `record --keep`, one file for each core, in
//! any order.

use tband_conv::diagnostics::Problem;
use tband_conv::encoding::notation::Format;
use tband_conv::input::group::group_by_core;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_format::registry::trace_info_flags;
use tband_recordings::packed::pieces;
use tband_recordings::{Recording, str};

/// Two cores and a name for each task; the recording has this many rounds.
fn packets(rounds: u64, from: u64) -> Vec<Vec<u8>> {
    let mut it = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("b") });
    for round in 0..rounds {
        let ts = from + round * 1000;
        it = it
            .at(ts, CoreId { core_id: 0 })
            .at(ts + 1, TaskSwitchedIn { task_id: 1 })
            .at(ts + 3, Valmarker { valmarker_id: 1, val: round as i64 })
            .at(ts + 20, CoreId { core_id: 1 })
            .at(ts + 21, TaskSwitchedIn { task_id: 2 })
            .at(ts + 30, Valmarker { valmarker_id: 2, val: round as i64 });
    }
    pieces(&it.0, 200)
}

fn of_stream(packets: &[Vec<u8>], stream: u8) -> Vec<u8> {
    packets.iter().filter(|packet| packet[4] == stream).flatten().copied().collect()
}

struct ReadResult {
    summary: Summary,
    /// For each task, its name and the time that it ran.
    ran: Vec<(String, i64)>,
    count: usize,
}

/// Reads files as the commands do.
fn read(files: &[&[u8]]) -> ReadResult {
    let inputs = files.iter().enumerate().map(|(index, bytes)| {
        (None, Input::from_bytes(format!("{index}.bin"), bytes).in_format(Format::Auto))
    });
    let inputs = group_by_core(inputs.collect()).unwrap();
    let mut stats = Stats::default();
    let summary = convert(&inputs, &Options::default(), &mut stats).unwrap();
    let mut ran: Vec<_> =
        stats.tasks().map(|task| (format!("{:?}", task.name), task.run_ns)).collect();
    ran.sort();
    ReadResult { summary, ran, count: inputs.len() }
}

fn problems(read: &ReadResult) -> Vec<(Problem, u64)> {
    read.summary.diagnostics.iter().map(|it| (it.problem, it.amount)).collect()
}

/// All orders of some files.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for order in orders(count - 1) {
        for at in 0..=order.len() {
            let mut order = order.clone();
            order.insert(at, count - 1);
            all.push(order);
        }
    }
    all
}

#[test]
fn complete_recordings_that_are_read_together_are_not_damaged() {
    let runs: Vec<Vec<u8>> =
        [3, 20, 7].iter().map(|rounds| packets(*rounds, 1000 * rounds).concat()).collect();
    for order in orders(3) {
        for count in 2..=3 {
            let files: Vec<&[u8]> = order.iter().take(count).map(|at| &*runs[*at]).collect();
            let apart = read(&files);
            let found: Vec<Problem> = problems(&apart).into_iter().map(|it| it.0).collect();
            assert!(
                found.iter().all(|it| matches!(it, Problem::StreamStart | Problem::Restart)),
                "{order:?}: {found:?}"
            );
            assert_eq!(apart.summary.link.unwrap().damaged_bytes, 0);
            // As one file.
            let joined = read(&[&files.concat()]);
            assert_eq!(problems(&joined), problems(&apart));
            assert_eq!(joined.ran, apart.ran);
        }
    }
}

#[test]
fn a_file_for_each_core_is_one_recording_in_any_order() {
    for rounds in [3, 40, 600] {
        let all = packets(rounds, 1000);
        let whole = read(&[&all.concat()]);
        assert!(problems(&whole).is_empty(), "{:?}", problems(&whole));
        let [zero, one, metadata] = [0, 1, 255].map(|stream| of_stream(&all, stream));
        let with_metadata = [&*metadata, &zero].concat();
        let files = [&*with_metadata, &one];
        for order in orders(2) {
            let apart = read(&order.iter().map(|at| files[*at]).collect::<Vec<_>>());
            assert_eq!(problems(&apart), [], "{rounds} {order:?}");
            assert_eq!(apart.ran, whole.ran, "{rounds} {order:?}");
            assert_eq!(apart.count, 2);
        }
        let files = [&*metadata, &zero, &one];
        for order in orders(3) {
            let apart = read(&order.iter().map(|at| files[*at]).collect::<Vec<_>>());
            assert_eq!(problems(&apart), [], "{rounds} {order:?}");
            assert_eq!(apart.ran, whole.ran, "{rounds} {order:?}");
        }
        // Each file has the metadata.
        let other = [&*metadata, &one].concat();
        let files = [&*with_metadata, &other];
        for order in orders(2) {
            let apart = read(&order.iter().map(|at| files[*at]).collect::<Vec<_>>());
            assert_eq!(problems(&apart), [], "{rounds} {order:?}");
            assert_eq!(apart.ran, whole.ran, "{rounds} {order:?}");
        }
    }
}

/// As `record --keep` writes them, also where a file has packets of one core only.
#[test]
fn files_that_continue_each_other_are_one_recording() {
    let all = packets(400, 1000);
    let whole = read(&[&all.concat()]);
    for len in [1, 2, 3, 10] {
        let files: Vec<Vec<u8>> = all.chunks(len).map(<[Vec<u8>]>::concat).collect();
        let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
        let apart = read(&files);
        assert_eq!(problems(&apart), [], "{len}");
        assert_eq!(apart.ran, whole.ran, "{len}");
    }
}

#[test]
fn an_empty_file_among_others_is_only_a_note() {
    let all = packets(20, 1000).concat();
    for files in [[&*all, &[]], [&[], &*all]] {
        assert_eq!(problems(&read(&files)), [(Problem::EmptyInput, 1)]);
    }
}

#[test]
fn a_core_without_its_first_packets_has_a_loss() {
    let all = packets(100, 1000);
    for core in [0, 1] {
        for missing in 1..=3_u64 {
            let is_there = |packet: &&Vec<u8>| {
                let sequence = u64::from(u16::from_le_bytes([packet[6], packet[7]]));
                packet[4] != core || sequence >= missing
            };
            let left: Vec<Vec<u8>> = all.iter().filter(is_there).cloned().collect();
            let found = read(&[&left.concat()]);
            assert_eq!(problems(&found), [(Problem::FirstPacketsLost, missing)], "core {core}");
            assert_eq!(found.summary.link.unwrap().lost, missing);
            let [metadata, zero, one] = [255, 0, 1].map(|stream| of_stream(&left, stream));
            let files = [&*metadata, &zero, &one];
            for order in orders(3) {
                let apart = read(&order.iter().map(|at| files[*at]).collect::<Vec<_>>());
                assert_eq!(problems(&apart), [(Problem::FirstPacketsLost, missing)]);
            }
        }
    }
    // A late reader has missed the first packets of all cores, and later packets are complete.
    let late: Vec<Vec<u8>> = all
        .iter()
        .filter(|packet| packet[4] == 255 || u16::from_le_bytes([packet[6], packet[7]]) > 2)
        .cloned()
        .collect();
    assert_eq!(problems(&read(&[&late.concat()])), []);
}

/// In a post-mortem recording each core overwrites its oldest packets.
#[test]
fn overwritten_packets_are_not_a_loss() {
    let flags = 4 << 20;
    let mut it = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TraceInfo {
            format_version: 1,
            core_count: 2,
            flags,
            tick_rate_hz: None,
            kernel_version: None,
        });
    for round in 0..100 {
        it = it
            .at(round * 100, CoreId { core_id: 0 })
            .at(round * 100, Valmarker { valmarker_id: 1, val: round as i64 });
    }
    it = it.at(20_000, CoreId { core_id: 1 }).at(20_001, Valmarker { valmarker_id: 1, val: 1 });
    let all = pieces(&it.0, 200);
    let left: Vec<Vec<u8>> = all
        .iter()
        .filter(|packet| packet[4] != 0 || u16::from_le_bytes([packet[6], packet[7]]) > 2)
        .cloned()
        .collect();
    assert!(left.len() < all.len());
    assert_eq!(problems(&read(&[&left.concat()])), []);
}

#[test]
fn packets_without_their_metadata_are_a_loss() {
    let all = packets(40, 1000);
    let events: Vec<u8> = all.iter().filter(|packet| packet[4] != 255).flatten().copied().collect();
    let found = read(&[&events]);
    assert_eq!(problems(&found), [(Problem::NoMetadata, 2), (Problem::NoResolution, 1)]);
}

/// Each core of a post-mortem recording reaches back to another time. The acts of a core before its first packet are missing:
/// it may have received from queues and deleted tasks, and no macro of the kernel is to blame.
#[test]
fn a_core_that_begins_late_leaves_the_others_in_doubt() {
    let mut it = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TraceInfo {
            format_version: 1,
            core_count: 2,
            flags: trace_info_flags::FREERTOS | 4 << 20,
            tick_rate_hz: None,
            kernel_version: Some(110_200),
        })
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("b") })
        .at(1, CoreId { core_id: 0 })
        .at(2, TaskSwitchedIn { task_id: 1 })
        // Core 1 deletes it before its first packet.
        .at(3, TaskToRdyState { task_id: 3 });
    for round in 1..100 {
        let send = QueueSend { queue_id: 1, len_after: 1 };
        it = it.at(round * 100, CoreId { core_id: 0 }).at(round * 100, send);
    }
    for round in 100..200 {
        it = it
            .at(round * 100, CoreId { core_id: 1 })
            .at(round * 100, TaskSwitchedIn { task_id: 2 })
            .at(round * 100 + 1, QueueReceive { queue_id: 1, len_after: 0 })
            .at(round * 100 + 2, CoreId { core_id: 0 })
            .at(round * 100 + 3, QueueSend { queue_id: 1, len_after: 1 });
    }
    assert_eq!(problems(&read(&[&pieces(&it.0, 200).concat()])), []);
}

/// The metadata of one recording does not give another one its names and its frequency.
#[test]
fn each_recording_needs_its_own_metadata() {
    let (first, then) = (packets(200, 1000), packets(300, 1_000_000));
    let bare = |all: &[Vec<u8>]| -> Vec<u8> {
        all.iter().filter(|packet| packet[4] != 255).flatten().copied().collect()
    };
    let (first, first_bare) = (first.concat(), bare(&first));
    let (then, then_bare) = (then.concat(), bare(&then));
    let lacking = |files: &[&[u8]]| {
        let found = read(files).summary.diagnostics;
        found.get(Problem::NoMetadata).map_or(0, |it| it.amount)
    };
    assert_eq!(lacking(&[&first, &then]), 0);
    assert_eq!(lacking(&[&then, &first]), 0);
    for files in [
        [&first_bare, &then],
        [&first, &then_bare],
        // The target was reset between the two.
        [&then_bare, &first],
        [&then, &first_bare],
    ] {
        let files = files.map(Vec::as_slice);
        assert_eq!(lacking(&files), 1, "{:?}", files.map(<[u8]>::len));
        assert_eq!(lacking(&[&files.concat()]), 1);
    }
    assert_eq!(lacking(&[&[&*first_bare, &then, &first_bare].concat()]), 2);
}

/// Metadata that follows packets of the same recording is not a loss.
#[test]
fn late_metadata_belongs_to_its_recording() {
    let all = packets(400, 1000);
    let is_metadata = |packet: &Vec<u8>| packet[4] == 255;
    let (metadata, events): (Vec<_>, Vec<_>) = all.into_iter().partition(is_metadata);
    for at in [1, 2, 5, events.len()] {
        let mut late = events.clone();
        late.splice(at..at, metadata.iter().cloned());
        let found = read(&[&late.concat()]);
        assert_eq!(found.summary.diagnostics.count(Problem::NoMetadata), 0, "after {at} packets");
    }
}
