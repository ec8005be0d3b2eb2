//! A debug probe reads the ring of packets by two offsets.

use std::sync::atomic::Ordering;

use tband_core::metadata::Metadata;
use tband_core::packet::RttBuffer;
use tband_core::ring::Policy;
use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, Str};

use crate::rings::{
    Recording, Rings, SIZE, TakenPacket, event, metadata, of_core, read, recorder, switches,
};
use crate::{follow_each_other, named, record};

on_both! {
    a_probe_gets_what_is_recorded
    a_ring_without_a_reader_does_not_look_empty
    what_was_read_is_given_back_by_whole_packets_four_at_a_time
    nothing_is_there_before_the_first_start
    metadata_comes_again_after_so_many_packets
    metadata_of_many_packets_is_sent_to_its_end
    metadata_leaves_half_of_the_ring
    a_start_after_unread_packets_reports_them_first
    an_announcement_is_one_packet_that_the_start_goes_on_from
    an_announcement_waits_for_room
    metadata_waits_for_room_for_the_open_packet_too
}

/// The buffer as the probe sees it, and the bytes that it has read.
struct Probe {
    buffer: RttBuffer,
    bytes: Vec<u8>,
}

impl Probe {
    /// Uses a ring of 8 packets, 7 of which may wait.
    fn new<const ONE: bool>(metadata_every: u32) -> (Recording<ONE>, Self) {
        Self::of(Rings { metadata_every, ..Rings::new(Policy::Stream, 8) })
    }

    fn of<const ONE: bool>(rings: Rings) -> (Recording<ONE>, Self) {
        let rings = Rings { hands_out: 1, most_waiting: 7, ..rings };
        let rec = recorder(rings);
        let memory = rec.port().setup().memory;
        let (write, read) = (0.into(), 0.into());
        let name = c"tband".as_ptr().cast();
        let buffer = RttBuffer { name, memory, size: 8 * SIZE as u32, write, read, flags: 0 };
        (rec, Self { buffer, bytes: Vec::new() })
    }

    fn write(&self) -> usize {
        self.buffer.write.load(Ordering::Relaxed) as usize
    }

    /// It has read up to there.
    fn set_read(&self, to: usize) {
        self.buffer.read.store(to as u32, Ordering::Relaxed);
    }

    /// Reads at most so many bytes.
    fn read(&mut self, most: usize) {
        let mut at = self.buffer.read.load(Ordering::Relaxed) as usize;
        for _ in 0..most {
            if at == self.write() {
                break;
            }
            // SAFETY: the offset is in the memory.
            self.bytes.push(unsafe { self.buffer.memory.add(at).read() });
            at = (at + 1) % (8 * SIZE);
        }
        self.set_read(at);
    }

    /// Returns all packets that were read so far; they must be complete.
    fn packets(&self) -> Vec<TakenPacket> {
        self.bytes.chunks_exact(SIZE).map(read).collect()
    }

    /// Reads all packets after the end of a recording, while the tick continues.
    fn read_all<const ONE: bool>(&mut self, rec: &Recording<ONE>) -> Vec<TakenPacket> {
        for _ in 0..20 {
            rec.rtt_turn(&rec.port().cores[0], &self.buffer, rec.port().now.get());
            self.read(usize::MAX);
        }
        assert!(rec.rtt_was_read(&self.buffer));
        self.packets()
    }
}

/// Returns the positions of packets where the metadata restarts.
fn begins(packets: &[TakenPacket]) -> Vec<usize> {
    let begins =
        |packet: &TakenPacket| packet.metadata.iter().any(|it| it.starts_with("TsFrequency"));
    (0..packets.len()).filter(|at| begins(&packets[*at])).collect()
}

fn a_probe_gets_what_is_recorded<const ONE: bool>() {
    for (most, is_fast) in [(SIZE / 3, false), (SIZE - 1, false), (2 * SIZE, true), (9999, true)] {
        let (rec, mut probe) = Probe::new::<ONE>(0);
        assert!(rec.start_rtt(&probe.buffer, false).is_ok());
        assert!(rec.start_rtt(&probe.buffer, false).is_err(), "it is on");
        let mut recorded = Vec::new();
        for turn in 0..60 {
            recorded.extend(record(&rec, 1000 + turn * 100, 1, 30));
            rec.rtt_sync(&probe.buffer);
            probe.read(most);
        }
        rec.stop_packets();
        let packets = probe.read_all(&rec);
        assert_eq!(begins(&packets), [0], "first of all, and once");
        let packets = of_core(&packets, 0);
        follow_each_other(&packets);
        let events = switches(&packets);
        let discarded = packets.last().expect("a packet").discarded;
        assert_eq!(events.len() + discarded as usize, recorded.len());
        assert_eq!(discarded == 0, is_fast, "{discarded} of {most}");
        if is_fast {
            assert_eq!(events, recorded);
        }
        assert!(events.is_sorted() && events.iter().all(|it| recorded.contains(it)));
    }
}

/// A full ring would look empty to the probe, so one packet stays free.
fn a_ring_without_a_reader_does_not_look_empty<const ONE: bool>() {
    let (rec, mut probe) = Probe::new::<ONE>(0);
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    let recorded = record(&rec, 1000, 1, 500);
    rec.rtt_sync(&probe.buffer);
    assert_eq!(probe.write(), 7 * SIZE);
    assert!(!rec.rtt_was_read(&probe.buffer));
    rec.port().now.set(3000);
    rec.stop_packets();
    // At first the count of discarded events does not fit, and later it does.
    rec.rtt_turn(&rec.port().cores[0], &probe.buffer, 3000);
    assert_eq!(probe.write(), 7 * SIZE);
    let packets = of_core(&probe.read_all(&rec), 0);
    follow_each_other(&packets);
    let events = switches(&packets);
    let last = packets.last().expect("a packet");
    assert_eq!(events, recorded[..events.len()]);
    assert_eq!((last.end, last.discarded as usize), (1499, 500 - events.len()));
    assert_eq!(packets.len(), of_core(&probe.read_all(&rec), 0).len(), "recorded once");
}

/// Packets of a full ring, the oldest in slot `oldest`, and how long each is.
fn full<const ONE: bool>(oldest: usize) -> (Recording<ONE>, Probe, Vec<usize>) {
    let (rec, mut probe) = Probe::new::<ONE>(0);
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    record(&rec, 1000, 1, 500);
    rec.rtt_sync(&probe.buffer);
    probe.read(oldest * SIZE);
    // At most four are released at a time.
    (0..2).for_each(|_| rec.rtt_sync(&probe.buffer));
    record(&rec, 2000, 1, 500);
    rec.stop_packets();
    rec.rtt_sync(&probe.buffer);
    assert_eq!(probe.write(), (oldest + 7) % 8 * SIZE);
    let len = |slot: usize| {
        // SAFETY: in the memory.
        let bits = unsafe { probe.buffer.memory.add(slot % 8 * SIZE + 8).cast::<u16>().read() };
        usize::from(bits >> 3)
    };
    let lens = (oldest..oldest + 7).map(len).collect();
    (rec, probe, lens)
}

fn what_was_read_is_given_back_by_whole_packets_four_at_a_time<const ONE: bool>() {
    for (oldest, read, once, twice) in [
        (0, 0, 0, 0),
        (0, SIZE - 1, 0, 0),
        (0, SIZE, 1, 1),
        (0, 2 * SIZE + 5, 2, 2),
        (0, 4 * SIZE, 4, 4),
        (0, 6 * SIZE, 4, 6),
        (0, 7 * SIZE, 4, 7),
        // Over the end of the memory.
        (5, 5 * SIZE, 0, 0),
        (5, 7 * SIZE, 2, 2),
        (5, 0, 3, 3),
        (5, 2 * SIZE, 4, 5),
        (5, 4 * SIZE, 4, 7),
        // What cannot be.
        (0, 7 * SIZE + 1, 0, 0),
        (0, 8 * SIZE, 0, 0),
        (0, u32::MAX as usize, 0, 0),
        (5, 4 * SIZE + 1, 0, 0),
        (5, 8 * SIZE, 0, 0),
    ] {
        let (rec, probe, lens) = full::<ONE>(oldest);
        probe.set_read(read);
        for given in [once, twice] {
            rec.rtt_sync(&probe.buffer);
            let left: usize = lens[given..].iter().sum();
            assert_eq!(rec.packets_amount(), left, "{oldest}, {read}: {given}");
        }
    }
}

fn nothing_is_there_before_the_first_start<const ONE: bool>() {
    let (rec, probe) = Probe::new::<ONE>(1);
    probe.buffer.write.store(77, Ordering::Relaxed);
    rec.rtt_sync(&probe.buffer);
    rec.rtt_turn(&rec.port().cores[0], &probe.buffer, 5);
    assert!(rec.rtt_was_read(&probe.buffer));
    assert_eq!(probe.write(), 77, "it is the firmware's");
}

fn metadata_comes_again_after_so_many_packets<const ONE: bool>() {
    let (rec, mut probe) = Probe::new::<ONE>(6);
    let core = &rec.port().cores[0];
    // SAFETY: the text ends.
    unsafe { rec.store_metadata(core, &named(c"task")) };
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    assert_eq!(probe.write(), 2 * SIZE, "the metadata of the recording, and the name");
    let mut recorded = Vec::new();
    for turn in 0..60 {
        let time = 1000 + turn * 100;
        recorded.extend(record(&rec, time, 1, 10));
        rec.rtt_turn(core, &probe.buffer, time + 50);
        probe.read(usize::MAX);
    }
    rec.stop_packets();
    let packets = probe.read_all(&rec);
    let begins = begins(&packets);
    assert!(begins.len() > 3, "{begins:?}");
    let of_metadata: Vec<_> = packets.iter().filter(|it| it.stream == METADATA_STREAM).collect();
    assert!(of_metadata.iter().enumerate().all(|(at, it)| usize::from(it.sequence) == at));
    // Counted from the end of the last one on, and after the packet that is open then.
    for at in &begins[1..] {
        let events = packets[..*at].iter().rev().take_while(|it| it.stream == 0).count();
        assert_eq!(events, 7, "{begins:?}");
    }
    // The open packet ends when metadata is requested.
    for at in &begins[1..] {
        assert_eq!((packets[at - 1].stream, packets[at - 1].end % 100), (0, 50), "{at}");
    }
    let names = metadata(&packets).iter().filter(|it| it.contains("\"task\"")).count();
    assert_eq!(names, begins.len());
    let packets = of_core(&packets, 0);
    follow_each_other(&packets);
    assert_eq!(switches(&packets), recorded);
}

fn store_names<const ONE: bool>(rec: &Recording<ONE>, count: u32) {
    for number in 1..=count {
        let id = Event::TaskName { task_id: 0, name: Str(b"") }.id();
        let numbers = [number];
        let name = Metadata::new(id, &numbers, c"a long name".as_ptr().cast());
        // SAFETY: the text ends.
        unsafe { rec.store_metadata(&rec.port().cores[0], &name) };
    }
}

/// Also if the metadata needs more packets than the interval of its repetition; and after the end of a recording the metadata ends
/// as well.
fn metadata_of_many_packets_is_sent_to_its_end<const ONE: bool>() {
    const NAMES: u32 = 30;
    let rings = Rings { metadata_every: 2, table: 1024, ..Rings::new(Policy::Stream, 8) };
    let (rec, mut probe) = Probe::of::<ONE>(rings);
    let core = &rec.port().cores[0];
    store_names(&rec, NAMES);
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    for turn in 0..60 {
        let time = 1000 + turn * 100;
        record(&rec, time, 1, 10);
        rec.rtt_turn(core, &probe.buffer, time + 50);
        probe.read(usize::MAX);
    }
    rec.stop_packets();
    let packets = probe.read_all(&rec);
    let names = metadata(&packets);
    for number in 1..=NAMES {
        let of = format!("task_id: {number},");
        let times = names.iter().filter(|it| it.contains(&of)).count();
        assert!(times > 2, "{of} {times}");
    }
    assert_eq!(probe.read_all(&rec).len(), packets.len(), "it continues");
}

/// A probe that does not read finds the first packet, further ones up to half of the ring, and the rest with the next ticks.
fn metadata_leaves_half_of_the_ring<const ONE: bool>() {
    let (rec, mut probe) = Probe::of::<ONE>(Rings { table: 256, ..Rings::new(Policy::Stream, 8) });
    let core = &rec.port().cores[0];
    store_names(&rec, 5);
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    assert_eq!(begins_and_rest(&rec, &mut probe), 2, "packets of metadata");
    // Again, with two packets that wait.
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    probe.read(usize::MAX);
    rec.rtt_sync(&probe.buffer);
    for packet in 0..3 {
        event(&rec, 0, 5000 + packet, 1);
        rec.close_packet(core, 0, 5000 + packet);
    }
    rec.stop_packets();
    rec.rtt_sync(&probe.buffer);
    let before = probe.write();
    let waiting =
        (before + 8 * SIZE - probe.buffer.read.load(Ordering::Relaxed) as usize) / SIZE % 8;
    assert_eq!(waiting, 3, "as many as half of those that may wait");
    assert!(rec.start_rtt(&probe.buffer, false).is_ok());
    assert_eq!(probe.write(), (before + SIZE) % (8 * SIZE), "the first at the start");
    event(&rec, 0, 6000, 1);
    rec.rtt_turn(core, &probe.buffer, 6001);
    assert_eq!(probe.write(), (before + 3 * SIZE) % (8 * SIZE), "with the turn");
    rec.stop_packets();
    let packets = probe.read_all(&rec);
    assert_eq!(begins(&packets).len(), 3);
    assert_eq!(of_core(&packets, 0).last().map(|it| it.end), Some(6001));
}

/// A recording that is read and stopped begins with some packets of metadata. Otherwise the packets before the next tick would look
/// like part of the previous recording.
fn a_start_after_unread_packets_reports_them_first<const ONE: bool>() {
    for waiting in 1..=7 {
        let (rec, mut probe) = Probe::new::<ONE>(0);
        assert!(rec.start_rtt(&probe.buffer, false).is_ok());
        let core = &rec.port().cores[0];
        while probe.write() / SIZE < waiting {
            event(&rec, 0, 2000 + probe.write() as u64, 1);
            rec.close_packet(core, 0, 2001 + probe.write() as u64);
            rec.rtt_sync(&probe.buffer);
        }
        rec.stop_packets();
        rec.port().now.set(9000);
        assert!(rec.start_rtt(&probe.buffer, false).is_ok());
        rec.rtt_sync(&probe.buffer);
        let has_room = waiting < 7;
        assert_eq!(probe.write() / SIZE, waiting + usize::from(has_room), "{waiting}");
        event(&rec, 0, 9001, 2);
        rec.stop_packets();
        let packets = probe.read_all(&rec);
        let begins = begins(&packets);
        assert_eq!(begins, [0, if has_room { waiting } else { begins[1] }], "{waiting}");
    }
}

/// Returns how many packets of metadata a stop leaves.
fn begins_and_rest<const ONE: bool>(rec: &Recording<ONE>, probe: &mut Probe) -> usize {
    rec.stop_packets();
    let packets = probe.read_all(rec);
    assert!(packets.iter().all(|it| it.stream == METADATA_STREAM));
    packets.len()
}

fn an_announcement_is_one_packet_that_the_start_goes_on_from<const ONE: bool>() {
    for was_announced in [true, false] {
        let (rec, mut probe) = Probe::new::<ONE>(0);
        assert!(rec.announce_rtt(&probe.buffer).is_ok());
        assert_eq!(probe.write(), SIZE);
        assert!(!rec.is_recording() && !rec.rtt_was_read(&probe.buffer));
        probe.read(usize::MAX);
        assert!(rec.rtt_was_read(&probe.buffer));
        assert!(rec.start_rtt(&probe.buffer, was_announced).is_ok());
        assert!(rec.announce_rtt(&probe.buffer).is_err(), "it is on");
        event(&rec, 0, 2000, 1);
        rec.stop_packets();
        let packets = probe.read_all(&rec);
        assert_eq!(begins(&packets), [0, 1]);
        let sequences: Vec<_> = packets[..2].iter().map(|it| it.sequence).collect();
        assert_eq!(sequences, [0, u16::from(was_announced)]);
        assert_eq!(switches(&packets), [(2000, 1)]);
    }
}

/// If an announcement does not fit, nothing is written.
fn an_announcement_waits_for_room<const ONE: bool>() {
    let (rec, probe, _) = full::<ONE>(0);
    let before = probe.write();
    assert!(rec.announce_rtt(&probe.buffer).is_ok());
    assert_eq!(probe.write(), before);
}

/// Requested metadata is written when it and the open packet both have room, and can be read at once.
fn metadata_waits_for_room_for_the_open_packet_too<const ONE: bool>() {
    for is_open in [true, false] {
        let (rec, mut probe) = Probe::new::<ONE>(0);
        let core = &rec.port().cores[0];
        assert!(rec.start_rtt(&probe.buffer, false).is_ok());
        probe.read(usize::MAX);
        rec.rtt_sync(&probe.buffer);
        for packet in 0..6 {
            event(&rec, 0, 2000 + packet, 1);
            rec.close_packet(core, 0, 2000 + packet);
        }
        if is_open {
            event(&rec, 0, 3000, 1);
        }
        rec.rtt_sync(&probe.buffer);
        rec.request_metadata();
        let before = probe.write();
        rec.rtt_turn(core, &probe.buffer, 3001);
        assert_eq!(probe.write(), before, "there is room for one packet");
        probe.read(SIZE);
        rec.rtt_turn(core, &probe.buffer, 3002);
        let packets = 1 + usize::from(is_open);
        assert_eq!(probe.write(), (before + packets * SIZE) % (8 * SIZE));
        probe.read(usize::MAX);
        rec.stop_packets();
        let taken = probe.read_all(&rec);
        assert_eq!(begins(&taken).len(), 2);
        let last = of_core(&taken, 0).pop().expect("a packet");
        assert_eq!(last.end, if is_open { 3002 } else { 2005 });
    }
}
