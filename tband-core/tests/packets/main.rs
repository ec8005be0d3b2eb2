//! Packets without a shim: every event is taken once, with its time, and missing events were counted. For the recorder with one
//! core known at compile time, and for the general one.

/// Both recorders have to pass.
macro_rules! on_both {
    ($($name:ident)*) => {
        mod of_one_core {
            $(#[test]
            fn $name() {
                super::$name::<true>();
            })*
        }
        mod of_any_number {
            $(#[test]
            fn $name() {
                super::$name::<false>();
            })*
        }
    };
}

mod cores;
#[path = "../fake/mod.rs"]
mod fake;
mod names;
mod resets;
mod rings;
mod rtt;
mod shedding;

use rings::{
    LONG_ISR, MAX_EVENT_LEN, Recording, Rings, SIZE, TakenPacket, event, key_of_isr, metadata,
    of_core, read, recorder, switches, take, take_all,
};
use tband_core::metadata::Metadata;
use tband_core::ring::Policy;
use tband_format::packet::{HEADER_LEN, METADATA_STREAM};
use tband_format::registry::MAIN_PROGRAM;
use tband_format::{Event, Str};

on_both! {
    events_come_out_at_their_times
    pauses_of_any_length_are_reported
    a_full_ring_counts_what_it_discards
    what_is_discarded_at_the_end_is_reported
    packets_begin_with_what_holds
    old_packets_are_closed_and_younger_ones_not
    a_snapshot_stops_when_it_is_full
    bytes_are_those_of_the_packets
    a_port_hears_of_each_packet
    open_interrupts_leave_room_for_an_event
    there_may_be_one_table_of_interrupts
    times_before_zero_close_no_packet_that_is_not_open
    a_start_empties_the_first_table_of_interrupts
    time_may_go_back
    a_start_keeps_the_packet_at_hand_unless_it_is_overwritten
    the_last_loss_is_reported_at_its_time
    what_is_refused_outside_of_a_recording_is_no_end
}

fn started<const ONE: bool>(rings: Rings) -> Recording<ONE> {
    let rec = recorder(rings);
    assert!(rec.start_packets().is_ok());
    rec
}

/// `count` events, one each `step` ticks from `start` on.
fn record<const ONE: bool>(
    rec: &Recording<ONE>,
    start: u64,
    step: u64,
    count: u32,
) -> Vec<(u64, u32)> {
    let all: Vec<_> = (0..count).map(|at| (start + u64::from(at) * step, 1 + at * 3)).collect();
    all.iter().for_each(|(time, number)| event(rec, 0, *time, *number));
    all
}

/// Packets of a core follow each other, in number and in time.
fn follow_each_other(packets: &[TakenPacket]) {
    for pair in packets.windows(2) {
        assert_eq!(pair[0].sequence.wrapping_add(1), pair[1].sequence, "{pair:?}");
        assert!(pair[0].end <= pair[1].begin, "{pair:?}");
    }
    for packet in packets {
        let times = packet.switches.iter().map(|(time, _)| *time);
        assert!(times.clone().all(|time| packet.begin <= time && time <= packet.end), "{packet:?}");
    }
}

fn events_come_out_at_their_times<const ONE: bool>() {
    for step in [1, 63, 64, 100, (1 << 14) - 1, 1 << 14, (1 << 22) - 1, 1 << 22, 1 << 25] {
        let rec = started::<ONE>(Rings::new(Policy::Stream, 60));
        let recorded = record(&rec, 5000, step, 100);
        assert!(rec.start_packets().is_err(), "it is on");
        assert!(rec.stop_packets());
        assert!(!rec.stop_packets(), "it is off");
        let packets = of_core(&take_all(&rec), 0);
        follow_each_other(&packets);
        assert_eq!(packets[0].begin, 5000);
        assert_eq!(switches(&packets), recorded, "{step}");
        assert!(packets.iter().all(|packet| packet.discarded == 0));
    }
}

/// An event long after the previous one stays in the packet if the whole packet is within 2^30 ticks. An event does not show a
/// pause of whole wraps of 32 bits during which the timer was not read; the packet's end reports it.
fn pauses_of_any_length_are_reported<const ONE: bool>() {
    for (pause, packets) in [
        ((1 << 22) - 1, 1),
        (1 << 22, 1),
        ((1 << 30) - 101, 1),
        ((1 << 30) - 100, 2),
        (1 << 30, 2),
        ((1 << 32) - 1, 2),
        ((1 << 32) + (1 << 31), 2),
        (1 << 32, 1),
        ((5 << 32) + 7, 1),
    ] {
        let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
        let times = [1000, 1100, 1100 + pause, 1101 + pause];
        for (number, time) in (1..).zip(times) {
            event(&rec, 0, time, number);
        }
        rec.stop_packets();
        let taken = of_core(&take_all(&rec), 0);
        assert_eq!(taken.len(), packets, "{pause}");
        follow_each_other(&taken);
        if pause >> 32 == 0 || packets == 2 {
            let recorded: Vec<_> = times.into_iter().zip(1..).collect();
            assert_eq!(switches(&taken), recorded, "{pause}");
        } else {
            let last = taken[0].switches[3].0;
            assert!(taken[0].end - last >= 1 << 32, "{pause}: {taken:?}");
        }
    }
}

fn a_full_ring_counts_what_it_discards<const ONE: bool>() {
    for packets in [1, 2, 5] {
        let rec = started::<ONE>(Rings::new(Policy::Stream, packets));
        let mut taken = Vec::new();
        for turn in 0..20_u32 {
            for at in 0..25 + 7 * (turn % 3) {
                event(&rec, 0, u64::from(turn) * 1000 + u64::from(at) + 1, turn * 100 + at);
            }
            taken.extend(take(&rec));
        }
        let count: u32 = (0..20).map(|turn| 25 + 7 * (turn % 3)).sum();
        rec.stop_packets();
        taken.extend(take_all(&rec));
        let taken = of_core(&taken, 0);
        follow_each_other(&taken);
        let numbers = switches(&taken);
        assert!(numbers.windows(2).all(|pair| pair[0].1 < pair[1].1), "each once, in order");
        let discarded = taken.last().expect("a packet").discarded;
        assert_eq!(numbers.len() as u32 + discarded, count, "{packets} packets");
        assert_eq!(rec.dropped(), discarded);
        assert!(discarded > 0);
    }
}

fn what_is_discarded_at_the_end_is_reported<const ONE: bool>() {
    let rec = started::<ONE>(Rings::new(Policy::Stream, 3));
    record(&rec, 1, 1, 300);
    event(&rec, 0, 4000, 9);
    rec.port().now.set(9000);
    rec.stop_packets();
    assert!(!rec.is_packet_due(), "the ring has no slot for the report");
    rec.write_due();
    let packets = take_all(&rec);
    let last = packets.last().expect("a packet");
    assert_eq!(
        (last.begin, last.end, last.switches.len()),
        (4001, 4001, 0),
        "that of the last one"
    );
    assert_eq!(switches(&packets).len() as u32 + last.discarded, 301);
    assert_eq!(take(&rec), None);
    // Events that are refused while no packet is open are reported as well; if that was long ago, with the current time.
    assert!(rec.start_packets().is_ok());
    rec.refuse_in_packets(&rec.port().cores[0], false);
    rec.port().now.set(9000 + (1 << 31) + 2);
    rec.stop_packets();
    let packets = of_core(&take_all(&rec), 0);
    assert_eq!(
        packets.last().map(|it| (it.end, it.discarded)),
        Some((9000 + (1 << 31) + 2, last.discarded + 1))
    );
}

fn packets_begin_with_what_holds<const ONE: bool>() {
    let rec = recorder::<ONE>(Rings::new(Policy::Stream, 8));
    let port = rec.port();
    assert!(rec.start_packets().is_ok());
    // SAFETY: the test's tables.
    unsafe {
        port.rings().running(0).write(77);
        for (at, isr) in [3, 400].into_iter().enumerate() {
            port.rings().isrs(0)[0].add(at).write(key_of_isr(isr));
            port.rings().isrs(0)[1].add(at).write(key_of_isr(isr + 1));
        }
    }
    event(&rec, 0, 2000, 1);
    rec.close_packet(&port.cores[0], 0, 2001);
    // SAFETY: as above.
    unsafe {
        port.rings().running(0).write(0);
        port.rings().isrs(0)[0].write(0);
        port.rings().isrs(0)[1].add(1).write(0);
    }
    event(&rec, 0, 2002, 2);
    rec.close_packet(&port.cores[0], 0, 2002);
    // More interrupts than fit: the longest event must still fit after them.
    for table in port.rings().isrs(0) {
        for at in 0..8 {
            // SAFETY: as above.
            unsafe { table.add(at).write(key_of_isr(LONG_ISR)) };
        }
    }
    event(&rec, 0, 2003, 3);
    rec.stop_packets();
    let packets = of_core(&take_all(&rec), 0);
    let state = |at: usize| packets[at].state.clone();
    assert_eq!((state(0), state(1)), (vec![77, 3, 400, 4, 401], vec![4]));
    // 7 bytes an interrupt; one may begin where the longest event and another one fit after it.
    let room = SIZE - 16 - HEADER_LEN - MAX_EVENT_LEN as usize;
    assert_eq!(state(2).len(), room / 7, "{:?}", packets[2]);
    assert_eq!(packets[2].switches, [(2003, 3)]);
}

fn old_packets_are_closed_and_younger_ones_not<const ONE: bool>() {
    let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
    let core = &rec.port().cores[0];
    rec.close_packet(core, 0, 1500); // none is open
    event(&rec, 0, 2000, 1);
    rec.close_packet(core, 100, 2100);
    event(&rec, 0, 2100, 2);
    rec.close_packet(core, 100, 2101);
    event(&rec, 0, 2102, 3);
    rec.close_packet(core, 100, 1000);
    rec.close_packet(core, 0, 0);
    rec.stop_packets();
    rec.close_packet(core, 0, 5000); // off
    let packets = of_core(&take_all(&rec), 0);
    assert_eq!(
        packets.iter().map(|it| (it.begin, it.end)).collect::<Vec<_>>(),
        [(2000, 2101), (2102, 2102)]
    );
    assert_eq!(switches(&packets), [(2000, 1), (2100, 2), (2102, 3)]);
}

/// The timer may be read before the moment from which it counts.
fn times_before_zero_close_no_packet_that_is_not_open<const ONE: bool>() {
    let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
    let core = &rec.port().cores[0];
    let tick = |now: u64| rec.close_packet(core, 100, now);
    let before = |ticks: u64| 0_u64.wrapping_sub(ticks);
    for now in [before(1), before(1 << 32), before(1 << 62), 1 << 63] {
        tick(now);
    }
    event(&rec, 0, before(300), 1);
    tick(before(250));
    tick(before(150));
    tick(before(10));
    event(&rec, 0, 5, 2);
    rec.stop_packets();
    tick(before(1));
    let packets = of_core(&take_all(&rec), 0);
    let times: Vec<_> = packets.iter().map(|it| (it.begin, it.end)).collect();
    assert_eq!(times, [(before(300), before(150)), (5, 5)]);
}

fn a_snapshot_stops_when_it_is_full<const ONE: bool>() {
    let rec = started::<ONE>(Rings::new(Policy::Snapshot, 6));
    let recorded = record(&rec, 1000, 1, 400);
    assert!(!rec.is_recording());
    assert_eq!((rec.port().full_callbacks.get(), rec.dropped()), (1, 0));
    let (start, len) = rec.packet_memory(0);
    assert_eq!(len, 6 * SIZE);
    // SAFETY: recording is off.
    let memory = unsafe { std::slice::from_raw_parts(start, len) };
    let packets: Vec<_> = memory.chunks_exact(SIZE).map(read).collect();
    assert_eq!(packets[0].stream, METADATA_STREAM);
    assert!(metadata(&packets).iter().any(|it| it.starts_with("BuildId")));
    let events = switches(&packets);
    assert!(events.len() > 50);
    assert_eq!(events, recorded[..events.len()]);
    // All of them are taken, and the memory is empty then; or it is cleared.
    assert!(rec.clear_packets());
    assert_eq!(rec.packet_memory(0).1, 0);
    assert_eq!(rec.packet_memory(1), (std::ptr::null(), 0));
    assert_eq!(take(&rec), None);
    assert!(rec.start_packets().is_ok());
    assert!(!rec.clear_packets(), "it is on");
    assert_eq!(rec.packet_memory(0), (start, 0), "it is on");
    event(&rec, 0, 9000, 1);
    rec.stop_packets();
    assert_eq!(switches(&take_all(&rec)), [(9000, 1)]);
}

fn named(text: &'static std::ffi::CStr) -> Metadata<'static> {
    Metadata::new(Event::TaskName { task_id: 0, name: Str(b"") }.id(), &[1], text.as_ptr().cast())
}

fn bytes_are_those_of_the_packets<const ONE: bool>() {
    for piece in [1, 7, 100, 1000] {
        let rec = started::<ONE>(Rings::new(Policy::Stream, 20));
        let recorded = record(&rec, 1000, 70, 200);
        rec.stop_packets();
        let mut bytes = Vec::new();
        loop {
            let Some((packet, len)) = rec.take_packet() else {
                if !rec.is_packet_due() {
                    break;
                }
                rec.write_due();
                continue;
            };
            let mut buf = vec![0xEE; piece];
            // SAFETY: there is room, and the packet was just taken.
            let read = unsafe { rec.read_packet(buf.as_mut_ptr(), piece, packet, len) };
            assert!(read > 0 && read <= piece);
            bytes.extend_from_slice(&buf[..read]);
        }
        let mut rest = &bytes[..];
        let mut taken = Vec::new();
        while !rest.is_empty() {
            taken.push(read(rest));
            let lens = u16::from_le_bytes([rest[10], rest[11]]);
            rest = &rest[usize::from(lens >> 3)..];
        }
        assert_eq!(switches(&taken), recorded, "{piece}");
    }
}

fn a_port_hears_of_each_packet<const ONE: bool>() {
    let rec = started::<ONE>(Rings { hands_out: 1, ..Rings::new(Policy::Stream, 8) });
    record(&rec, 1000, 1, 100);
    let heard = rec.port().closed.get();
    // The first event finds no open packet, and the port is notified of that too.
    assert!(heard > 3, "{heard}");
    rec.close_packet(&rec.port().cores[0], 0, 2000);
    assert_eq!(rec.port().closed.get(), heard + 1);
    // A tick without an open packet closes none.
    for age in [0, 100] {
        rec.close_packet(&rec.port().cores[0], age, 3000);
        assert_eq!(rec.port().closed.get(), heard + 1, "{age}");
    }
    rec.stop_packets();
    assert_eq!(of_core(&take_all(&rec), 0).len() as u32, heard);
    // A port that does not request it is not notified.
    let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
    record(&rec, 1000, 1, 100);
    rec.close_packet(&rec.port().cores[0], 0, 2000);
    assert_eq!(rec.port().closed.get(), 0);
}

/// An event before the last one, as from a timer that is read twice, begins a new packet.
fn time_may_go_back<const ONE: bool>() {
    for (times, ends) in [([2000, 2010, 2005], [2010, 2005]), ([2000, 2010, 1990], [2010, 1990])] {
        let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
        times.iter().for_each(|time| event(&rec, 0, *time, 1));
        rec.stop_packets();
        let packets = of_core(&take_all(&rec), 0);
        assert_eq!(packets.iter().map(|it| it.end).collect::<Vec<_>>(), ends);
        assert_eq!(switches(&packets).iter().map(|it| it.0).collect::<Vec<_>>(), times);
    }
    // Time may step back by a wrap of its lower half, as if the upper half is read too late: a packet does not end before its
    // begin.
    let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
    record(&rec, (1 << 32) + 1000, 1, 10);
    record(&rec, 1010, 1, 40);
    rec.stop_packets();
    let first = &of_core(&take_all(&rec), 0)[0];
    assert!(first.switches.len() > 15 && first.end > first.begin, "{first:?}");
}

/// An event that is lost after the last packet is reported at its time, or a tick later: 0 means that none was lost.
fn the_last_loss_is_reported_at_its_time<const ONE: bool>() {
    for (time, expected) in [(4000, 4001), (4001, 4001), (1 << 32, (1 << 32) + 1)] {
        for (way, lost) in [(0, 1), (1, 1), (2, 5)] {
            let rec = started::<ONE>(Rings::new(Policy::Stream, 4));
            let core = &rec.port().cores[0];
            take_all(&rec);
            record(&rec, 1000, 1, if way == 0 { 200 } else { 1 });
            rec.close_packet(core, 0, 1200);
            let before = rec.dropped();
            rec.port().now.set(time);
            match way {
                0 => event(&rec, 0, time, 1),
                1 => rec.refuse_in_packets(core, true),
                _ => rec.discard_in_packets(core, lost),
            }
            assert_eq!((rec.dropped() - before, rec.metadata_dropped(0)), (lost, way & 1));
            rec.port().now.set(time + 1000);
            rec.stop_packets();
            let packets = of_core(&take_all(&rec), 0);
            let last = packets.last().expect("a packet");
            assert_eq!((last.begin, last.end, last.discarded), (expected, expected, before + lost));
            // Once, and not in the next recording.
            assert!(rec.start_packets().is_ok());
            rec.stop_packets();
            assert_eq!(of_core(&take_all(&rec), 0), []);
        }
    }
}

/// An event that is refused while recording is off belongs to no recording, but is counted.
fn what_is_refused_outside_of_a_recording_is_no_end<const ONE: bool>() {
    let rec = started::<ONE>(Rings::new(Policy::Stream, 4));
    rec.stop_packets();
    rec.refuse_in_packets(&rec.port().cores[0], false);
    assert_eq!((rec.dropped(), rec.metadata_dropped(0)), (1, 0));
    assert_eq!(of_core(&take_all(&rec), 0), []);
}

/// A packet that is at hand when a recording starts must still be sent, unless its slot is overwritten.
fn a_start_keeps_the_packet_at_hand_unless_it_is_overwritten<const ONE: bool>() {
    for policy in [Policy::Stream, Policy::PostMortem] {
        let rec = started::<ONE>(Rings::new(policy, 4));
        if policy == Policy::Stream {
            take_all(&rec);
        }
        record(&rec, 1000, 1, 50);
        rec.stop_packets();
        if policy == Policy::PostMortem {
            rec.write_due();
        }
        let (packet, len) = rec.take_packet().expect("a packet");
        let mut some = [0; 9];
        // SAFETY: there is room, and the packet was just taken.
        assert_eq!(unsafe { rec.read_packet(some.as_mut_ptr(), 9, packet, len) }, 9);
        assert!(rec.start_packets().is_ok());
        rec.stop_packets();
        if policy == Policy::Stream {
            assert_eq!(rec.take_packet(), Some((packet, len)));
            rec.packet_done();
            let rest = of_core(&take_all(&rec), 0);
            assert_eq!(rest[0].sequence, 1);
        } else {
            rec.write_due();
            let (packet, len) = rec.take_packet().expect("metadata, from its begin");
            let mut all = [0; SIZE];
            // SAFETY: as above.
            assert_eq!(unsafe { rec.read_packet(all.as_mut_ptr(), SIZE, packet, len) }, len);
            let first = read(&all[..len]);
            assert_eq!((first.stream, first.sequence), (METADATA_STREAM, 0));
            assert!(first.metadata[0].starts_with("TsFrequency"));
        }
    }
}

/// A packet begins with the running task and as many open interrupts as leave room for the longest event: 38 bytes; an interrupt
/// takes 7 of them, a task 3 to 7.
fn open_interrupts_leave_room_for_an_event<const ONE: bool>() {
    for (running, count) in [(0, 5), (1, 4), (1 << 7, 4), (1 << 14, 4), (1 << 21, 4), (1 << 28, 4)]
    {
        let rec = started::<ONE>(Rings::new(Policy::Stream, 8));
        // SAFETY: the test's tables, which have 9 words a core.
        unsafe {
            rec.port().rings().running(0).write(running);
            (0..8).for_each(|at| rec.port().rings().isrs(0)[1].add(at).write(key_of_isr(LONG_ISR)));
        }
        event(&rec, 0, 2000, 1);
        rec.stop_packets();
        let packets = of_core(&take_all(&rec), 0);
        let isrs = packets[0].state.len() - usize::from(running != 0);
        assert_eq!((packets.len(), isrs), (1, count), "{running}: {packets:?}");
    }
}

/// Whether a task runs or not.
fn there_may_be_one_table_of_interrupts<const ONE: bool>() {
    for running in [0, 5] {
        let mut rec = recorder::<ONE>(Rings::new(Policy::Stream, 8));
        let setup = rec.port_mut().setup_mut();
        (setup.class_isrs, setup.class_isr_words) = (std::ptr::null(), 0);
        // SAFETY: the test's table.
        unsafe { rec.port().rings().running(0).write(running) };
        assert!(rec.start_packets().is_ok());
        for isr in [7, MAIN_PROGRAM] {
            // SAFETY: as above.
            unsafe { rec.port().rings().isrs(0)[0].write(key_of_isr(isr)) };
            event(&rec, 0, 2000, 1);
            rec.close_packet(&rec.port().cores[0], 0, 2000);
        }
        rec.stop_packets();
        let packets = of_core(&take_all(&rec), 0);
        let states: Vec<_> = packets.iter().map(|it| &it.state[..]).collect();
        let expected = if running == 0 { [&[7][..], &[]] } else { [&[5, 7][..], &[5]] };
        assert_eq!(states, expected);
    }
}

/// Before any core records: what another one enters from then on is in the recording.
fn a_start_empties_the_first_table_of_interrupts<const ONE: bool>() {
    let cores = if ONE { 1 } else { 2 };
    let rec = recorder::<ONE>(Rings::new(Policy::Stream, 8).of_cores(cores));
    let enter = |table: usize, core: u32, isr: u32| {
        // SAFETY: the test's tables, which have 9 words a core.
        unsafe { rec.port().rings().isrs(core as usize)[table].write(key_of_isr(isr)) };
    };
    for core in 0..cores {
        enter(0, core, 7);
        enter(1, core, 8);
    }
    assert!(rec.start_packets().is_ok());
    (0..cores).for_each(|core| event(&rec, core, 2000, 1));
    // A refused start changes nothing.
    enter(0, 0, 9);
    assert!(rec.start_packets().is_err());
    rec.close_packet(&rec.port().cores[0], 0, 2000);
    event(&rec, 0, 2001, 1);
    rec.stop_packets();
    let all = take_all(&rec);
    let states = |core| of_core(&all, core).into_iter().map(|it| it.state).collect::<Vec<_>>();
    assert_eq!(states(0), [&[8][..], &[9, 8]]);
    assert_eq!(states(1), vec![vec![8]; cores as usize - 1]);
}
