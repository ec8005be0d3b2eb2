//! Packets of several cores: each core has its own ring, and one core stops all, takes or closes packets of the others.

use std::ffi::CStr;

use tband_core::metadata::Metadata;
use tband_core::ring::Policy;
use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, Str};

use crate::rings::{
    Recording, Rings, SIZE, TakenPacket, after_reset, event, key_of_isr, metadata, of_core, read,
    switches, take_all,
};
use crate::{follow_each_other, named, started};

const TURN: u64 = 1 << 32;

fn two(policy: Policy, packets: u32) -> Rings {
    Rings::new(policy, packets).of_cores(2)
}

/// Begin and end of the packets of a core.
fn times(taken: &[TakenPacket], core: u8) -> Vec<(u64, u64)> {
    of_core(taken, core).iter().map(|it| (it.begin, it.end)).collect()
}

fn memory_of(rec: &Recording<false>, core: u32) -> Vec<TakenPacket> {
    let (start, len) = rec.packet_memory(core);
    // SAFETY: recording is off.
    let memory = unsafe { std::slice::from_raw_parts(start, len) };
    memory.chunks_exact(SIZE).map(read).collect()
}

/// With several cores the packet that was begun first is taken first; each core's state is separate.
#[test]
fn packets_of_several_cores() {
    let rec = started::<false>(Rings::new(Policy::Stream, 8).of_cores(2));
    for core in 0..2 {
        // SAFETY: the text ends; the tables are the test's.
        unsafe {
            rec.store_metadata(
                &rec.port().cores[core],
                &named(if core == 0 { c"one" } else { c"two" }),
            );
            rec.port().rings().running(core).write(5 + core as u32);
        }
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for at in 0..100_u64 {
        let core = (at / 3 % 2) as u32;
        event(&rec, core, 1000 + at, at as u32);
        if core == 0 { &mut first } else { &mut second }.push((1000 + at, at as u32));
    }
    // Core 0 requests that core 1's packet be closed, and core 1 closes it.
    rec.close_packet(&rec.port().cores[0], 0, 1100);
    event(&rec, 1, 1200, 7);
    second.push((1200, 7));
    rec.stop_packets();
    let taken = take_all(&rec);
    let begins: Vec<_> =
        taken.iter().filter(|it| it.stream != METADATA_STREAM).map(|it| it.begin).collect();
    assert!(begins.is_sorted(), "{begins:?}");
    let (zero, one) = (of_core(&taken, 0), of_core(&taken, 1));
    assert_eq!((switches(&zero), switches(&one)), (first, second));
    assert!(zero.iter().all(|it| it.state == [5]) && one.iter().all(|it| it.state == [6]));
    assert_eq!(zero.last().map(|it| it.end), Some(1100), "closed by its core");
    assert_eq!(one.last().map(|it| it.begin), Some(1200), "a separate packet");
    let text = metadata(&taken).join("\n");
    assert!(text.contains("one") && text.contains("CoreId { core_id: 1 }"), "{text}");
}

/// A packet that another core has stopped ends with its last event, or, if it may have lasted for wraps of the time's
/// lower half, when it is closed. The first core or reader that needs it closes it.
#[test]
fn what_a_stop_leaves_open_is_closed_by_the_next_who_looks() {
    for (after, sees_turns, end) in [
        (50, 0, 1100),
        (TURN - 1, 0, 1100),
        (TURN, 0, 9 * TURN),
        (TURN, 1, 1100),
        (5 * TURN, 1, 1100),
    ] {
        let stopped = |policy| {
            let rec = started::<false>(Rings { sees_turns, ..two(policy, 6) });
            event(&rec, 1, 1000, 1);
            event(&rec, 1, 1100, 2);
            rec.port().now.set(1000 + after);
            assert!(rec.stop_packets());
            rec.port().now.set(9 * TURN);
            rec
        };
        let rec = stopped(Policy::Stream);
        assert!(rec.is_packet_due());
        assert_eq!(times(&take_all(&rec), 1), [(1000, end)], "{after} {sees_turns}: taken");
        let rec = stopped(Policy::Stream);
        assert!(rec.start_packets().is_ok());
        rec.stop_packets();
        assert_eq!(times(&take_all(&rec), 1), [(1000, end)], "started");
        let rec = stopped(Policy::Snapshot);
        assert_eq!(times(&memory_of(&rec, 1), 1), [(1000, end)], "as memory");
        let rec = stopped(Policy::PostMortem);
        let amount = rec.packets_amount();
        assert!(amount > 36 && amount < SIZE, "{amount}");
        assert_eq!(times(&take_all(&rec), 1), [(1000, end)], "counted");
        let rec = stopped(Policy::Stream);
        assert!(rec.clear_packets());
        assert!(!rec.is_packet_due());
        assert_eq!(take_all(&rec), [], "cleared");
    }
}

/// Another core takes the packet's limit; its own core closes it before the next event, with its last event.
#[test]
fn old_packets_of_other_cores_are_closed_by_those() {
    for (age, now, next, ends) in [
        (100, 1100, 1200, vec![1200]),
        (100, 1101, 1200, vec![1050, 1200]),
        (0, 1100, 1200, vec![1050, 1200]),
        (0, 900, 1200, vec![1050, 1200]),
        // The packet was begun in between.
        (100, 900, 1200, vec![1200]),
        (100, 0, 1200, vec![1200]),
        // It may have lasted for wraps.
        (100, 1000 + TURN - 1, 1200 + TURN, vec![1050, 1200 + TURN]),
        (100, 1000 + TURN, 1200 + TURN, vec![1200 + TURN, 1200 + TURN]),
        (100, 1000 + (TURN >> 1) + 101, TURN, vec![1050, TURN]),
    ] {
        let rec = started::<false>(two(Policy::Stream, 6));
        event(&rec, 1, 1000, 1);
        event(&rec, 1, 1050, 2);
        rec.close_packet(&rec.port().cores[0], age, now);
        event(&rec, 1, next, 3);
        rec.stop_packets();
        let taken = of_core(&take_all(&rec), 1);
        let found: Vec<_> = taken.iter().map(|it| it.end).collect();
        assert_eq!(found, ends, "{age} at {now}");
        let numbers: Vec<_> = switches(&taken).iter().map(|it| it.1).collect();
        assert_eq!(numbers, [1, 2, 3]);
    }
}

/// Taking the limit a second time yields less information than the first time.
#[test]
fn what_is_known_of_a_packet_is_of_when_it_was_taken_away() {
    for (first, end) in [(1100, 1050), (1000 + TURN, 1000 + 3 * TURN)] {
        let rec = started::<false>(two(Policy::Stream, 6));
        event(&rec, 1, 1000, 1);
        event(&rec, 1, 1050, 2);
        rec.close_packet(&rec.port().cores[0], 0, first);
        rec.close_packet(&rec.port().cores[0], 0, first + 1);
        rec.port().now.set(1000 + 2 * TURN);
        rec.stop_packets();
        rec.port().now.set(1000 + 3 * TURN);
        assert_eq!(times(&take_all(&rec), 1), [(1000, end)]);
    }
}

/// A packet that was opened for an event gets it, even if another core has taken its limit in between.
#[test]
fn a_packet_that_was_just_opened_is_not_closed_for_nothing() {
    for key in [0, key_of_isr(7)] {
        let rec = started::<false>(two(Policy::Stream, 6));
        let core = &rec.port().cores[1];
        // SAFETY: the test's table.
        unsafe { rec.port().rings().isrs(1)[0].write(key) };
        assert!(rec.enter(core));
        assert!(!rec.open_next_packet(core, rec.port().setup(), 1000).is_null());
        rec.exit(core);
        rec.close_packet(&rec.port().cores[0], 0, 1000);
        event(&rec, 1, 1000, 1);
        event(&rec, 1, 1001, 2);
        // From the first event on it is closed.
        rec.close_packet(&rec.port().cores[0], 0, 1002);
        event(&rec, 1, 1003, 3);
        rec.stop_packets();
        let taken = of_core(&take_all(&rec), 1);
        assert_eq!(times(&taken, 1), [(1000, 1001), (1003, 1003)]);
        assert_eq!(switches(&taken), [(1000, 1), (1001, 2), (1003, 3)]);
        let states: Vec<_> = taken.iter().map(|it| it.state.clone()).collect();
        assert!(states.iter().all(|it| it.len() == usize::from(key != 0)), "{states:?}");
    }
}

#[test]
fn a_core_that_finds_the_recording_stopped_leaves_its_packet() {
    let rec = started::<false>(two(Policy::Stream, 6));
    let core = &rec.port().cores[1];
    event(&rec, 1, 1000, 1);
    assert!(rec.enter(core));
    rec.port().now.set(1010);
    rec.stop_packets();
    assert!(rec.open_next_packet(core, rec.port().setup(), 1020).is_null());
    rec.exit(core);
    assert_eq!(times(&take_all(&rec), 1), [(1000, 1000)]);
    assert_eq!(rec.dropped(), 0);
}

/// Until a core has left its last event, its packets are not touched.
#[test]
fn a_core_inside_an_event_holds_up_its_own_packets_and_the_next_start() {
    let rec = started::<false>(two(Policy::Stream, 6));
    for core in 0..2 {
        event(&rec, core, 1000 + u64::from(core), 1);
    }
    assert!(rec.enter(&rec.port().cores[1]));
    rec.stop_packets();
    assert!(rec.core_finished(0) && !rec.core_finished(1) && rec.core_finished(2));
    assert!(!rec.finished());
    let taken = take_all(&rec);
    assert_eq!((of_core(&taken, 0).len(), of_core(&taken, 1).len()), (1, 0));
    assert!(rec.start_packets().is_err() && !rec.clear_packets());
    assert_eq!(rec.packet_memory(1).1, 0);
    assert!(rec.packet_memory(1).0 == rec.packet_memory(0).0.wrapping_add(6 * SIZE));
    rec.exit(&rec.port().cores[1]);
    assert!(rec.core_finished(1) && rec.finished());
    assert_eq!(times(&take_all(&rec), 1), [(1001, 1001)]);
    assert!(rec.start_packets().is_ok());
}

#[test]
fn of_packets_begun_at_once_the_first_cores_comes_first() {
    let rec = started::<false>(Rings::new(Policy::Stream, 6).of_cores(3));
    for (core, time) in [(2, 1000), (1, 1000), (0, 1001)] {
        event(&rec, core, time, core + 1);
    }
    rec.stop_packets();
    let streams: Vec<_> = take_all(&rec).iter().map(|it| it.stream).collect();
    let streams: Vec<_> = streams.into_iter().filter(|it| *it != METADATA_STREAM).collect();
    assert_eq!(streams, [1, 2, 0]);
}

#[test]
fn a_snapshot_that_is_full_on_one_core_stops_all() {
    let rec = started::<false>(two(Policy::Snapshot, 4));
    event(&rec, 0, 1000, 1);
    let recorded = record_on(&rec, 1, 2000, 300);
    assert!(!rec.is_recording());
    assert_eq!((rec.port().full_callbacks.get(), rec.dropped()), (1, 0));
    event(&rec, 0, 9000, 2);
    let first = memory_of(&rec, 0);
    assert_eq!(switches(&first), [(1000, 1)]);
    assert_eq!(first.last().map(|it| it.end), Some(1000), "with its last event");
    let second = memory_of(&rec, 1);
    assert_eq!(second.len(), 4);
    let events = switches(&second);
    assert_eq!(events, recorded[..events.len()]);
    assert!(events.len() > 60);
    assert!(rec.clear_packets());
    assert!(memory_of(&rec, 0).is_empty() && memory_of(&rec, 1).is_empty());
}

/// A core that finds its ring full stops the recording like any other stop: the duration of a packet that has been open
/// for a wrap is unknown.
#[test]
fn a_full_ring_stops_packets_of_other_cores_that_are_old() {
    for policy in [Policy::Snapshot, Policy::PostMortem] {
        let rec = started::<false>(two(policy, 4));
        event(&rec, 0, 1000, 1);
        if policy == Policy::PostMortem {
            rec.freeze_after(2);
        }
        record_on(&rec, 1, TURN + 2000, 300);
        assert!(!rec.is_recording());
        rec.port().now.set(9 * TURN);
        assert_eq!(times(&take_all(&rec), 0), [(1000, 9 * TURN)]);
    }
}

/// Like `record`, on this core.
fn record_on(rec: &Recording<false>, core: u32, start: u64, count: u32) -> Vec<(u64, u32)> {
    let all: Vec<_> = (0..count).map(|at| (start + u64::from(at), 1 + at)).collect();
    all.iter().for_each(|(time, number)| event(rec, core, *time, *number));
    all
}

#[test]
fn a_ring_is_frozen_by_the_first_core_that_has_recorded_enough() {
    let rec = started::<false>(two(Policy::PostMortem, 6));
    for core in 0..2 {
        record_on(&rec, core, 1000, 10);
    }
    rec.freeze_after(2);
    record_on(&rec, 1, 2000, 15);
    record_on(&rec, 0, 3000, 300);
    assert!(!rec.is_recording());
    let taken = take_all(&rec);
    let after = times(&taken, 0).iter().filter(|it| it.0 >= 3000).count();
    assert_eq!((after, times(&taken, 1).len()), (1, 2), "the packets that were open count");
    assert_eq!(rec.dropped(), 0);
}

/// The first core with packets determines the begin of the recovered recording.
#[test]
fn a_reset_leaves_what_each_core_has_recorded() {
    for recorded in [[0, 40], [40, 0], [30, 60], [0, 0]] {
        let rings = two(Policy::PostMortem, 4);
        let before = started::<false>(rings);
        for (core, count) in (0..).zip(recorded) {
            let name = if core == 0 { c"first" } else { c"second" };
            // SAFETY: the text ends.
            unsafe {
                before.store_metadata(&before.port().cores[core as usize], &isr_name(&[1], name))
            };
            record_on(&before, core, 1000 * u64::from(core + 1), count);
        }
        let after = after_reset(rings, &before);
        let is_any = recorded != [0, 0];
        assert_eq!(after.recover_packets(), is_any);
        let taken = take_all(&after);
        for (core, count) in (0..).zip(recorded) {
            let packets = of_core(&taken, core);
            follow_each_other(&packets);
            assert_eq!(switches(&packets).len(), count as usize);
        }
        let text = metadata(&taken).join("\n");
        assert_eq!(text.contains("first") && text.contains("second"), is_any, "{text}");
        if is_any {
            assert_eq!(taken[0].begin, if recorded[0] == 0 { 2000 } else { 1000 });
        }
        // The next recording continues after it, on each core.
        assert!(after.start_packets().is_ok());
        for core in 0..2 {
            event(&after, core, 9000, 5);
        }
        after.stop_packets();
        let more = take_all(&after);
        for core in 0..2 {
            let last = of_core(&more, core).pop().expect("a packet");
            let expected = of_core(&taken, core).last().map_or(0, |it| it.sequence + 1);
            assert_eq!((last.sequence, &last.switches[..]), (expected, &[(9000, 5)][..]));
        }
    }
}

fn isr_name<'a>(number: &'a [u32; 1], text: &'a CStr) -> Metadata<'a> {
    let id = Event::IsrName { isr_id: 0, name: Str(b"") }.id();
    Metadata::new(id, number, text.as_ptr().cast())
}

/// Several cores use the same interrupt numbers, so each packet must state which core a name belongs to, however full the
/// tables of the previous cores are.
#[test]
fn names_of_interrupts_are_their_cores() {
    for longest in 1..20_usize {
        let rings = Rings { table: 128, ..Rings::new(Policy::Stream, 4).of_cores(3) };
        let rec = crate::rings::recorder::<false>(rings);
        let texts = [c"zero, of 16 byte", c"one", c"two"];
        for (core, text) in (0..).zip(texts) {
            let count = if core == 0 { longest % 5 + 1 } else { longest / 5 + 1 };
            for number in 0..count as u32 {
                // SAFETY: the text ends.
                unsafe {
                    let of = &rec.port().cores[core as usize];
                    rec.store_metadata(of, &isr_name(&[number + 10 * core], text));
                }
            }
        }
        assert!(rec.start_packets().is_ok());
        rec.stop_packets();
        let mut names = 0;
        for packet in take_all(&rec).iter().filter(|it| it.stream == METADATA_STREAM) {
            let mut core = 0;
            for frame in &packet.metadata {
                if let Some(of) = frame.strip_prefix("CoreId { core_id: ") {
                    core = of.trim_end_matches(" }").parse().expect("a number");
                }
                for (at, text) in texts.iter().enumerate() {
                    if frame.contains(&format!("{:?}", text.to_str().expect("ASCII"))) {
                        assert_eq!(core, at, "{:?}", packet.metadata);
                        names += 1;
                    }
                }
            }
        }
        assert_eq!(names, longest % 5 + 1 + 2 * (longest / 5 + 1));
    }
}

/// However full the packet is that contains the report.
#[test]
fn what_a_table_had_no_room_for_is_reported_once_for_each_core() {
    for count in 0..14 {
        let rings = Rings { table: 64, ..Rings::new(Policy::Stream, 4).of_cores(3) };
        let rec = crate::rings::recorder::<false>(rings);
        for (core, count) in [(0, count), (1, 40), (2, 40)] {
            for number in 0..count {
                let of = &rec.port().cores[core];
                // SAFETY: the text ends.
                unsafe { rec.store_metadata(of, &isr_name(&[1 + number], c"n")) };
            }
        }
        assert!(rec.start_packets().is_ok());
        rec.stop_packets();
        let text = metadata(&take_all(&rec)).join("\n");
        for core in 0..3 {
            let dropped = rec.metadata_dropped(core);
            let report = format!("MetadataDropped {{ core_id: {core}, cnt: {dropped},");
            let times = text.matches(&report).count();
            assert_eq!(times, usize::from(dropped != 0), "{count}: {text}");
        }
    }
}
