//! The object table comes in separate packets: in front of the recording, and repeatedly.

use tband_core::metadata::Metadata;
use tband_core::ring::Policy;
use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, Str};

use crate::rings::{
    Recording, Rings, SIZE, TakenPacket, event, metadata, read, recorder, switches, take, take_all,
};
use crate::{named, record, started};

on_both! {
    names_go_before_the_events_and_come_again
    a_snapshot_has_half_of_its_room_for_names
    who_takes_a_snapshot_gets_the_names_that_had_no_room
    a_snapshot_that_is_asked_for_names_gives_them_again
    who_asks_for_names_gets_all_also_where_some_had_no_room
    names_that_had_no_room_come_in_their_own_recording
    a_snapshot_after_another_one_starts_empty
    who_takes_packets_lets_go_of_a_snapshot_that_was_emptied
    a_start_into_a_full_ring_takes_nothing_away
    names_that_change_all_the_time_hold_nothing_up
    who_is_given_metadata_does_not_ask_for_it_again
}

/// Names of 40 bytes of the table each.
fn recorder_of_names<const ONE: bool>(policy: Policy, count: u32) -> Recording<ONE> {
    let rec = recorder(Rings { table: 240, ..Rings::new(policy, 4) });
    store_names(&rec, count);
    rec
}

fn store_names<const ONE: bool>(rec: &Recording<ONE>, count: u32) {
    let id = Event::TaskName { task_id: 0, name: Str(b"") }.id();
    for number in 0..count {
        let text = c"a name that is as lo".as_ptr().cast();
        // SAFETY: the text ends.
        unsafe {
            rec.store_metadata(&rec.port().cores[0], &Metadata::new(id, &[number + 1], text))
        };
    }
}

fn names_go_before_the_events_and_come_again<const ONE: bool>() {
    // A recording that has not begun has no names.
    let rec = recorder::<ONE>(Rings::new(Policy::PostMortem, 4));
    rec.request_metadata();
    assert!(!rec.is_packet_due());
    for every in [0, 1, 4] {
        let rings = Rings { metadata_every: every, ..Rings::new(Policy::Stream, 4) };
        let rec = recorder::<ONE>(rings);
        let core = &rec.port().cores[0];
        // SAFETY: the text ends.
        unsafe { rec.store_metadata(core, &named(c"task")) };
        rec.request_metadata(); // no effect before the first start
        assert_eq!(take(&rec), None);
        assert!(rec.start_packets().is_ok());
        let mut taken = Vec::new();
        for turn in 0..30 {
            record(&rec, 1000 + turn * 1000, 1, 30);
            taken.extend(take(&rec));
            if turn == 15 && every == 0 {
                rec.request_metadata();
            }
        }
        rec.stop_packets();
        taken.extend(take_all(&rec));
        let whole = metadata(&taken[..1]).join("\n");
        let frequency = "TsFrequency { numerator: 1000000, denominator: 1 }";
        for part in [frequency, "TsResolutionNs", "TraceInfo", "BuildId"] {
            assert!(whole.contains(part), "{part}: {whole}");
        }
        // The object table comes in separate packets.
        let names = metadata(&taken).iter().filter(|it| it.contains("\"task\"")).count();
        let begins: Vec<_> = (0..taken.len())
            .filter(|at| taken[*at].metadata.iter().any(|it| it.starts_with("TsFreq")))
            .collect();
        match every {
            0 => assert_eq!((begins.len(), names), (2, 2), "{begins:?}"),
            _ => assert!(
                begins.windows(2).all(|pair| pair[1] - pair[0] == 2 + every as usize),
                "{begins:?}"
            ),
        }
        let sequences =
            taken.iter().filter(|it| it.stream == METADATA_STREAM).map(|it| it.sequence);
        assert!(sequences.enumerate().all(|(at, sequence)| at == usize::from(sequence)));
    }
}

fn a_snapshot_has_half_of_its_room_for_names<const ONE: bool>() {
    for (count, packets) in [(0, 1), (1, 2), (3, 2), (9, 2)] {
        let rec = recorder_of_names::<ONE>(Policy::Snapshot, count);
        assert!(rec.start_packets().is_ok());
        record(&rec, 1000, 1, 200);
        let (start, len) = rec.packet_memory(0);
        // SAFETY: recording is off.
        let memory = unsafe { std::slice::from_raw_parts(start, len) };
        let streams: Vec<_> = memory.chunks_exact(SIZE).map(|it| read(it).stream).collect();
        let of_metadata = streams.iter().take_while(|it| **it == METADATA_STREAM).count();
        assert_eq!((streams.len(), of_metadata), (4, packets), "{count}");
    }
}

/// Returns how often each of the names is reported.
fn names_of(taken: &[TakenPacket], count: u32) -> Vec<usize> {
    let output = metadata(taken);
    let of = |number: u32| format!("TaskName {{ task_id: {number},");
    let times = |number| output.iter().filter(|it| it.starts_with(&of(number))).count();
    (1..=count).map(times).collect()
}

/// The packets of metadata are numbered from 0 on.
fn metadata_follows_each_other(taken: &[TakenPacket]) {
    let of_metadata = taken.iter().filter(|it| it.stream == METADATA_STREAM);
    let sequences: Vec<_> = of_metadata.map(|it| usize::from(it.sequence)).collect();
    assert!(sequences.iter().copied().eq(0..sequences.len()), "{sequences:?}");
}

/// While it records, and after it. A table that was partly written is sent again from its begin.
fn who_takes_a_snapshot_gets_the_names_that_had_no_room<const ONE: bool>() {
    for (count, after) in [(0, 0), (1, 0), (2, 0), (6, 0), (6, 200)] {
        let rec = recorder_of_names::<ONE>(Policy::Snapshot, count);
        assert!(rec.start_packets().is_ok());
        let mut taken = Vec::new();
        let recorded = record(&rec, 1000, 1, 40);
        taken.extend(std::iter::from_fn(|| take(&rec)));
        assert!(rec.is_recording());
        let more = record(&rec, 2000, 1, after);
        taken.extend(std::iter::from_fn(|| take(&rec)));
        rec.stop_packets();
        taken.extend(take_all(&rec));
        metadata_follows_each_other(&taken);
        let names = names_of(&taken, count);
        assert!(names.iter().all(|times| (1..=2).contains(times)), "{count}: {names:?}");
        let begins = metadata(&taken).iter().filter(|it| it.starts_with("TsFrequency")).count();
        assert_eq!(begins, 1, "{count}: {taken:?}");
        let events = switches(&taken);
        assert_eq!(events[..40], recorded);
        assert!(more.starts_with(&events[40..]));
        assert_eq!(events.len() > 40, after > 0);
        assert!(!rec.is_packet_due());
    }
}

fn a_snapshot_that_is_asked_for_names_gives_them_again<const ONE: bool>() {
    for is_asked_first in [false, true] {
        let rec = recorder_of_names::<ONE>(Policy::Snapshot, 1);
        assert!(rec.start_packets().is_ok());
        if is_asked_first {
            rec.request_metadata();
        }
        record(&rec, 1000, 1, 40);
        let mut taken: Vec<_> = std::iter::from_fn(|| take(&rec)).collect();
        if !is_asked_first {
            rec.request_metadata();
        }
        record(&rec, 2000, 1, 40);
        rec.stop_packets();
        taken.extend(take_all(&rec));
        metadata_follows_each_other(&taken);
        assert_eq!(names_of(&taken, 1), [2], "{is_asked_first}: {taken:?}");
        assert_eq!(switches(&taken).len(), 80);
    }
}

/// A reader that requests the names has missed those that were taken before.
fn who_asks_for_names_gets_all_also_where_some_had_no_room<const ONE: bool>() {
    let rec = recorder_of_names::<ONE>(Policy::Snapshot, 6);
    assert!(rec.start_packets().is_ok());
    let mut taken: Vec<_> = std::iter::from_fn(|| take(&rec)).collect();
    assert!(taken.iter().all(|it| it.stream == METADATA_STREAM));
    let missed = taken.len();
    rec.request_metadata();
    record(&rec, 1000, 1, 40);
    rec.stop_packets();
    taken.extend(take_all(&rec));
    metadata_follows_each_other(&taken);
    let begins = metadata(&taken[missed..]);
    let begins = begins.iter().filter(|it| it.starts_with("TsFrequency")).count();
    assert_eq!((begins, names_of(&taken[missed..], 6)), (1, vec![1; 6]), "{taken:?}");
}

/// The previous recording is taken first: names are not valid across a start.
fn names_that_had_no_room_come_in_their_own_recording<const ONE: bool>() {
    for cores in if ONE { 1..=1 } else { 1..=2 } {
        for of in 0..cores {
            let rings = Rings { table: 240, ..Rings::new(Policy::Snapshot, 4).of_cores(cores) };
            let rec = recorder::<ONE>(rings);
            store_names(&rec, 2);
            assert!(rec.start_packets().is_ok());
            let before = std::iter::from_fn(|| take(&rec)).count();
            assert_eq!(before, 2);
            event(&rec, of, 1100, 1);
            rec.stop_packets();
            assert!(rec.start_packets().is_ok());
            record(&rec, 2000, 1, 20);
            rec.stop_packets();
            let taken = take_all(&rec);
            let is_begin = |it: &TakenPacket| it.stream == METADATA_STREAM && it.sequence == 0;
            let begin = taken.iter().rposition(is_begin).expect("a begin");
            metadata_follows_each_other(&taken[begin..]);
            assert_eq!(names_of(&taken[begin..], 2), [1; 2], "{cores} {of}: {taken:?}");
        }
    }
}

/// Into a ring in which its names fit, or do not fit.
fn a_snapshot_after_another_one_starts_empty<const ONE: bool>() {
    for (first, is_room) in [(1, true), (60, false)] {
        let rec = recorder_of_names::<ONE>(Policy::Snapshot, 1);
        assert!(rec.start_packets().is_ok());
        record(&rec, 1000, 1, first);
        rec.stop_packets();
        if is_room {
            take_all(&rec);
        }
        let (_, before) = rec.packet_memory(0);
        assert_eq!(before > SIZE, !is_room);
        assert!(rec.start_packets().is_ok());
        event(&rec, 0, 5000, 1);
        rec.stop_packets();
        let taken = take_all(&rec);
        let begins = taken.iter().filter(|it| it.stream == METADATA_STREAM && it.sequence == 0);
        let begins = begins.filter(|it| it.metadata[0].starts_with("TsFrequency")).count();
        assert_eq!(begins, if is_room { 1 } else { 2 }, "{taken:?}");
    }
}

/// Also with names that did not fit, which the next reader does not know about.
fn who_takes_packets_lets_go_of_a_snapshot_that_was_emptied<const ONE: bool>() {
    for (count, before) in [(1, 0), (1, 1), (6, 0), (6, 2), (6, 3)] {
        let rec = recorder_of_names::<ONE>(Policy::Snapshot, count);
        assert!(rec.start_packets().is_ok());
        record(&rec, 1000, 1, 40);
        (0..before).for_each(|_| drop(take(&rec).expect("a packet")));
        let (packet, len) = loop {
            if let Some(taken) = rec.take_packet() {
                break taken;
            }
            rec.write_due();
        };
        let mut some = [0; 9];
        // SAFETY: there is room, and the packet was just taken.
        assert_eq!(unsafe { rec.read_packet(some.as_mut_ptr(), 9, packet, len) }, 9);
        rec.stop_packets();
        assert!(rec.clear_packets());
        rec.packet_done();
        assert_eq!((rec.take_packet(), rec.is_packet_due()), (None, false));
        assert!(rec.start_packets().is_ok());
        let recorded = record(&rec, 3000, 1, 10);
        rec.stop_packets();
        let taken = take_all(&rec);
        metadata_follows_each_other(&taken);
        assert_eq!(switches(&taken), recorded, "{count} {before}");
        assert!(names_of(&taken, count).iter().all(|times| *times > 0), "{taken:?}");
    }
}

fn a_start_into_a_full_ring_takes_nothing_away<const ONE: bool>() {
    for free in [0, 1] {
        let rec = recorder_of_names::<ONE>(Policy::Stream, 1);
        assert!(rec.start_packets().is_ok());
        take_all(&rec);
        for packet in 0..4 - free {
            event(&rec, 0, 1000 + packet, 1);
            rec.close_packet(&rec.port().cores[0], 0, 1000 + packet);
        }
        rec.stop_packets();
        assert!(rec.start_packets().is_ok());
        rec.stop_packets();
        let taken = take_all(&rec);
        assert_eq!(switches(&taken).len() as u64, 4 - free);
        let begins = metadata(&taken).iter().filter(|it| it.starts_with("TsFrequency")).count();
        assert_eq!(begins as u64, free, "where there is room");
    }
}

/// A table that changes while it is sent is restarted four times, and then skipped.
fn names_that_change_all_the_time_hold_nothing_up<const ONE: bool>() {
    let rec = recorder_of_names::<ONE>(Policy::Stream, 6);
    assert!(rec.start_packets().is_ok());
    let mut packets = 0;
    while let Some(taken) = take(&rec) {
        assert_eq!(usize::from(taken.sequence), packets);
        packets += 1;
        // SAFETY: the text ends.
        unsafe { rec.store_metadata(&rec.port().cores[0], &named(c"again")) };
        assert!(packets < 20);
    }
    assert_eq!(packets, 1 + 1 + 4, "the packet of the start, the table's begin, and four restarts");
    rec.request_metadata();
    event(&rec, 0, 5000, 1);
    rec.stop_packets();
    let names = metadata(&take_all(&rec)).iter().filter(|it| it.starts_with("TaskName")).count();
    assert_eq!(names, 6);
}

/// A port that is being handed a packet of metadata, and requests metadata with each packet, would never
/// finish.
fn who_is_given_metadata_does_not_ask_for_it_again<const ONE: bool>() {
    for (hands_out, is_at_hand, times) in [(0, true, 2), (1, true, 1), (0, false, 2), (1, false, 2)]
    {
        let rec = started::<ONE>(Rings { hands_out, ..Rings::new(Policy::Stream, 4) });
        if is_at_hand {
            while rec.take_packet().is_none() {
                assert!(rec.is_packet_due());
                rec.write_due();
            }
            rec.request_metadata();
            rec.packet_done();
        } else {
            assert!(take(&rec).is_some());
            rec.request_metadata();
        }
        event(&rec, 0, 2000, 1);
        rec.stop_packets();
        // The first one is taken already.
        let output = metadata(&take_all(&rec));
        let begins = output.iter().filter(|it| it.starts_with("TsFrequency")).count();
        assert_eq!(begins + 1, times, "{hands_out} {is_at_hand}");
    }
}
