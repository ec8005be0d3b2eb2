//! Packets: for any events, sizes of packets and rings, and speed of the consumer, the output equals the recorded events, and
//! missing ones were counted.

use std::ops::Range;
use std::process::Command;

use tband_format::Event;
use tband_format::decode::Decoded;
use tband_format::packet::{HEADER_LEN, METADATA_STREAM, Packet};
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::finish;
use tband_tests::packets::{as_frames, packets};

use crate::{Config, EXTERNAL, NO_PERIODIC_DROP_CNT, SNAPSHOT, STREAMING, TWO_CORES, number};

pub const PACKETS: (&str, &str) = ("tband_configFORMAT", "TBAND_FORMAT_PACKETS");
pub const TAKEN: (&str, &str) = ("FAKE_HAS_NO_TRANSPORT", "1");
const DUMPED: (&str, &str) = ("CHATTER_IS_DUMPED", "1");
/// In memory that the programs leave alone, and nothing clears.
pub const POST_MORTEM: (&str, &str) =
    ("tband_configUSE_BACKEND_POST_MORTEM", "1\n#define tband_configPACKET_BUF_ATTRIBUTE");
const NO_METADATA: (&str, &str) = ("tband_configUSE_METADATA_BUF", "0");
const READ: (&str, &str) = ("CHATTER_READS_BYTES", "1");
pub const SMALL: (&str, &str) = ("tband_configPACKET_SIZE", "128");
const ONE: (&str, &str) = ("tband_configPACKET_COUNT", "1");
const TWO: (&str, &str) = ("tband_configPACKET_COUNT", "2");
const TWENTY: (&str, &str) = ("tband_configPACKET_COUNT", "20");
pub const OFTEN: (&str, &str) = ("tband_configPACKET_METADATA_EVERY", "5");
/// So many that nothing is lost.
const MANY: (&str, &str) = ("tband_configPACKET_COUNT", "4000");

/// Of `tband_configISR_NESTING`, by default.
const NESTING: usize = 4;

/// What the program records, in frames: all of it.
pub struct ProducedEvents {
    seed: String,
    count: String,
    /// The events of each core.
    all: [Vec<String>; 2],
}

impl ProducedEvents {
    pub fn new(seed: u32, count: u32) -> Self {
        Self::on(&[], seed, count)
    }

    fn on(cores: &Config, seed: u32, count: u32) -> Self {
        let config = [&[STREAMING, NO_PERIODIC_DROP_CNT], cores].concat();
        let frames = Firmware::new("chatter", &config);
        let (seed, count) = (seed.to_string(), count.to_string());
        let stream = frames.run(&[&seed, &count, "0"]);
        let (mut all, mut core, mut has_begun) = ([Vec::new(), Vec::new()], 0, false);
        for line in lines(&stream) {
            if line.split(' ').nth(1) == Some("core_id") {
                core = number(&line, "core_id") as usize;
            } else {
                // Metadata goes before the events.
                has_begun |= !line.starts_with('-');
                if has_begun {
                    all[core].push(line);
                }
            }
        }
        Self { seed, count, all }
    }

    pub fn run(&self, config: &Config, haste: u32) -> Vec<u8> {
        Firmware::new("chatter", config).run(&[&self.seed, &self.count, &haste.to_string()])
    }

    /// The interrupts that are open before an event of a core, as many as a packet begins with.
    fn open_isrs(&self, core: usize, at: usize) -> Vec<u32> {
        let mut open = Vec::new();
        let id = |line: &str| number(line, "isr_id") as u32;
        for line in &self.all[core][..at] {
            match line.split(' ').nth(1) {
                Some("isr_enter") => open.push(id(line)),
                Some("isr_exit") => assert_eq!(open.pop(), Some(id(line))),
                _ => {}
            }
        }
        open.truncate(NESTING);
        open
    }

    pub fn count(&self) -> usize {
        self.all.iter().map(Vec::len).sum()
    }

    /// As `compare`, of a recording that reports all that is missing.
    pub fn compare_to_the_end(&self, recording: &[u8]) -> usize {
        let [reported, unreported] = self.missing(recording, 0);
        assert_eq!(unreported, 0, "{reported} are reported");
        reported
    }

    /// Compares packets with the recorded events, each in its place. Returns the number of missing events.
    fn compare(&self, recording: &[u8], begin: usize) -> usize {
        self.missing(recording, begin).iter().sum()
    }

    /// How many events are missing that packets report, and how many after the last packet.
    fn missing(&self, recording: &[u8], begin: usize) -> [usize; 2] {
        let mut at = [begin, begin];
        let mut discarded = [0_u32; 2];
        let mut sequences = [None; 2];
        let mut ends = [0; 2];
        for packet in packets(recording) {
            let header = *packet.header();
            if header.stream == METADATA_STREAM {
                continue;
            }
            let core = usize::from(header.stream);
            let next = |last: u16| last.wrapping_add(1) == header.sequence;
            assert!(sequences[core].is_none_or(next), "{header:?}");
            sequences[core] = Some(header.sequence);
            assert!(ends[core] <= header.begin && header.begin <= header.end, "{header:?}");
            ends[core] = header.end;
            let events = events_of(&packet);
            let mut lost = header.discarded.wrapping_sub(discarded[core]);
            discarded[core] = header.discarded;
            // Metadata is not an event of the program, so it is not counted where it is missing: it is repeated.
            while let Some(line) = self.all[core].get(at[core]) {
                match is_metadata(line) {
                    true if lost == 0 && events.first().is_none_or(|first| first == line) => break,
                    false if lost == 0 => break,
                    true => {}
                    false => lost -= 1,
                }
                at[core] += 1;
            }
            assert_eq!(lost, 0, "{header:?}");
            // Who runs is not known any more when a recording that has ended reports what it lacks.
            if header.content_len > HEADER_LEN {
                assert_eq!(open_isrs(&packet), self.open_isrs(core, at[core]), "{header:?}");
            }
            assert_eq!(events, self.all[core][at[core]..][..events.len()], "{header:?}");
            at[core] += events.len();
        }
        let left = (0..2).map(|core| self.all[core].iter().skip(at[core]));
        let left = left.flatten().filter(|line| !is_metadata(line)).count();
        [discarded.iter().sum::<u32>() as usize, left]
    }
}

fn is_metadata(line: &str) -> bool {
    line.starts_with('-')
}

/// The interrupts that a packet begins with.
fn open_isrs(packet: &Packet<'_>) -> Vec<u32> {
    let begin = packet.header().begin;
    let state = packet.events().filter_map(|decoded| match decoded.expect("an event") {
        Decoded { event: Event::OpenIsr { isr_id }, ts } => {
            assert_eq!(ts, Some(begin));
            Some(isr_id)
        }
        _ => None,
    });
    state.collect()
}

/// With the smallest packets, and names of a length that leaves no byte between.
#[test]
fn the_longest_event_has_room_after_any_interrupts_that_are_open() {
    for text_len in ["18", "19", "20"] {
        for cores in [&[][..], &[TWO_CORES]] {
            let text = ("tband_configMAX_STR_LEN", text_len);
            let config = [&[STREAMING, PACKETS, TAKEN, SMALL, text], cores].concat();
            let _ = Firmware::new("deep_isrs", &config).run(&[]);
        }
    }
}

/// Each packet begins with as many of the interrupts that are open as the firmware is configured for, the outermost first.
#[test]
fn packets_begin_with_as_many_interrupts_as_the_firmware_is_configured_for() {
    let all: Vec<_> =
        (0..20).map(|depth| if depth == 0 { 1 } else { 0xFFFF_FFFE >> depth }).collect();
    for (cores, nesting) in [(&[][..], "4"), (&[], "1"), (&[], "16"), (&[TWO_CORES], "5")] {
        let nested = [("tband_configISR_NESTING", nesting)];
        // By default.
        let nested = if nesting == "4" { &[][..] } else { &nested };
        let most: usize = nesting.parse().unwrap();
        let many = ("tband_configPACKET_COUNT", "100");
        let config = [&[STREAMING, PACKETS, TAKEN, many], cores, nested].concat();
        let recording = Firmware::new("nested_isrs", &config).run(&[]);
        let mut found = Vec::new();
        for packet in packets(&recording) {
            let mut events = packet.events().map(|decoded| decoded.expect("an event").event);
            if packet.header().stream == METADATA_STREAM {
                continue;
            }
            let marked = events.find_map(|event| match event {
                Event::Valmarker { val, .. } => Some(val as usize),
                _ => None,
            });
            if let Some(count) = marked {
                assert_eq!(open_isrs(&packet), all[..count.min(most)], "{nesting}: {found:?}");
                found.push(count);
            }
        }
        // The second time the third one ends with the second.
        let once = (1..=20).chain((0..20).rev());
        let again = (1..=20).chain((3..20).rev()).chain([1, 0]);
        assert_eq!(found, once.chain(again).collect::<Vec<usize>>());
    }
}

/// An interrupt whose end was not recorded is open in no later packet, also where the one around it is entered again.
#[test]
fn interrupts_end_with_the_one_around_them_and_with_the_recording() {
    for cores in [&[][..], &[TWO_CORES]] {
        let config = [&[STREAMING, PACKETS, TAKEN], cores].concat();
        let recording = Firmware::new("left_isrs", &config).run(&[]);
        let mut found = Vec::new();
        for packet in packets(&recording) {
            if packet.header().stream == METADATA_STREAM {
                continue;
            }
            let marked =
                packet.events().find_map(|decoded| match decoded.expect("an event").event {
                    Event::Valmarker { val, .. } => Some(val as usize),
                    _ => None,
                });
            if let Some(count) = marked {
                assert_eq!(open_isrs(&packet), [7, 3][..count], "{found:?}");
                found.push(count);
            }
        }
        assert_eq!(found, [2, 0, 1, 0, 2, 0, 1, 0]);
    }
}

/// Events of one packet as lines, metadata without its time.
fn events_of(packet: &Packet<'_>) -> Vec<String> {
    lines(&tband_tests::packets::frames_of(packet))
}

#[test]
fn a_large_buffer_loses_no_events() {
    nothing_is_missing(0..1);
}

pub fn nothing_is_missing(seeds: Range<u32>) {
    for seed in seeds {
        let chatter = ProducedEvents::new(seed, 3000);
        for config in
            [&[STREAMING, PACKETS, TAKEN, MANY][..], &[STREAMING, PACKETS, TAKEN, MANY, SMALL]]
        {
            let recording = chatter.run(config, 0);
            assert_eq!(chatter.compare(&recording, 0), 0, "{config:?}");
        }
        // A port that takes each packet as it comes, and a function of the user's.
        for backend in [STREAMING, EXTERNAL] {
            let recording = chatter.run(&[backend, PACKETS, TWO], 0);
            assert_eq!(chatter.compare(&recording, 0), 0, "{backend:?}");
            assert_eq!(packets(&recording)[0].header().stream, METADATA_STREAM);
        }
    }
}

#[test]
fn losses_of_a_slow_reader_are_counted_in_place() {
    what_is_missing_is_counted(&[(10, 0), (12, 3), (14, 100)]);
}

/// Seed, and how fast the reader is.
pub fn what_is_missing_is_counted(readers: &[(u32, u32)]) {
    for &(seed, haste) in readers {
        let chatter = ProducedEvents::new(seed, 3000);
        let mut missing = Vec::new();
        for config in [
            &[STREAMING, PACKETS, TAKEN, TWO][..],
            &[STREAMING, PACKETS, TAKEN, TWO, SMALL],
            &[STREAMING, PACKETS, TAKEN, ONE],
            &[STREAMING, PACKETS, TAKEN, READ, OFTEN],
            &[STREAMING, PACKETS, TAKEN, READ, OFTEN, SMALL],
        ] {
            let recording = chatter.run(config, haste);
            missing.push(chatter.compare_to_the_end(&recording));
        }
        println!("haste {haste}: {missing:?} of {} missing", chatter.count());
        assert!(haste != 0 || missing.iter().all(|&count| count > 1000), "{missing:?}");
        assert!(haste != 100 || missing.iter().all(|&count| count < 1500), "{missing:?}");
    }
}

/// A ring that is full stops a snapshot; the memory can be read as it is, without checks.
#[test]
fn a_snapshot_has_the_first_events_and_its_memory_is_a_recording() {
    for size in [SMALL, ("tband_configPACKET_SIZE", "1024")] {
        let chatter = ProducedEvents::new(30, 3000);
        let recording =
            chatter.run(&[SNAPSHOT, PACKETS, TAKEN, ("tband_configPACKET_COUNT", "20"), size], 0);
        let missing = chatter.compare(&recording, 0);
        assert!(0 < missing && missing < 2950, "{missing}");
        let dumped = chatter
            .run(&[SNAPSHOT, PACKETS, TAKEN, DUMPED, ("tband_configPACKET_COUNT", "20"), size], 0);
        // The same packets, each of which fills its slot.
        assert_eq!(chatter.compare(&dumped, 0), missing);
        assert!(
            packets(&dumped).iter().all(|packet| packet.header().packet_len.to_string() == size.1)
        );
        assert!(packets(&dumped).iter().any(|packet| packet.header().stream == METADATA_STREAM));
    }
}

/// The oldest packets are overwritten, and the rest is the complete end of the recording.
#[test]
fn post_mortem_has_the_last_events() {
    the_last_events_are_there(&[(40, 20), (42, 3000)]);
}

/// Seed, and how many events are recorded.
pub fn the_last_events_are_there(recordings: &[(u32, u32)]) {
    for &(seed, count) in recordings {
        let chatter = ProducedEvents::new(seed, count);
        for config in [
            &[POST_MORTEM, PACKETS, TAKEN, TWO, SMALL][..],
            &[POST_MORTEM, PACKETS, TAKEN, ONE],
            &[POST_MORTEM, PACKETS, TAKEN, NO_METADATA],
            &[POST_MORTEM, PACKETS, TAKEN],
            &[POST_MORTEM, PACKETS, TAKEN, READ, SMALL],
        ] {
            let recording = chatter.run(config, 100);
            let of_core = packets(&recording).into_iter().filter(|it| it.header().stream == 0);
            let kept: usize = of_core.map(|packet| events_of(&packet).len()).sum();
            assert!(kept > 0);
            assert_eq!(chatter.compare(&recording, chatter.count() - kept), 0, "{config:?}");
            assert!(recording.len() < 9 * 512, "{}", recording.len());
            assert!(recording.windows(4).any(|bytes| bytes == b"\xC1\x1F\xFC\xC1"));
        }
    }
}

/// The trigger leaves as many packets after it as it was reported, whatever was open.
#[test]
fn a_ring_is_frozen_some_packets_later() {
    for config in [&[POST_MORTEM, PACKETS, TAKEN, SMALL][..], &[POST_MORTEM, PACKETS, TAKEN, TWO]] {
        assert!(Firmware::new("freezing", config).run(&[]).is_empty());
    }
}

/// One consumer for two cores, only one of which reads the timer while time passes.
#[test]
fn two_cores_have_a_ring_each() {
    each_core_has_a_ring(50..51);
}

pub fn each_core_has_a_ring(seeds: Range<u32>) {
    for seed in seeds {
        let chatter = ProducedEvents::on(&[TWO_CORES], seed, 3000);
        assert!(chatter.all.iter().all(|events| events.len() > 500));
        let missing = [
            &[STREAMING, PACKETS, TAKEN, TWO_CORES, MANY][..],
            &[STREAMING, PACKETS, TAKEN, TWO_CORES, READ, OFTEN, SMALL],
            &[STREAMING, PACKETS, TAKEN, TWO_CORES, TWO],
        ]
        .map(|config| chatter.compare_to_the_end(&chatter.run(config, 30)));
        assert!(missing[0] == 0 && missing[2] > 0, "{missing:?}");
    }
}

#[test]
fn frames_of_the_same_events_say_the_same() {
    let chatter = ProducedEvents::new(20, 2000);
    let recording = chatter.run(&[STREAMING, PACKETS, TAKEN, MANY, OFTEN], 100);
    let names = |lines: &[String]| {
        let mut names: Vec<_> =
            lines.iter().filter(|line| line.contains(" queue_name ")).cloned().collect();
        names.sort();
        names.dedup();
        names
    };
    let reported = lines(&as_frames(&recording));
    assert!(names(&reported).len() > 20 && names(&reported) == names(&chatter.all[0]));
}

/// Returns the value markers in the packets of core 0, and checks that there are only packets.
pub fn values(recording: &[u8]) -> Vec<u64> {
    let lines = lines(&as_frames(recording));
    lines.iter().filter(|line| line.contains(" valmarker ")).map(|it| number(it, "val")).collect()
}

/// The memory of a snapshot holds the events recorded since the reset, wherever the one before has ended.
#[test]
fn a_snapshot_after_a_reset_begins_at_the_begin_of_its_memory() {
    for how in ["left", "taken"] {
        for size in [SMALL, ("tband_configPACKET_SIZE", "256")] {
            let config = [SNAPSHOT, PACKETS, TAKEN, size, ("tband_configPACKET_COUNT", "30")];
            let recording = Firmware::new("packet_reader", &config).run(&[how]);
            assert_eq!(values(&recording), (100..150).collect::<Vec<_>>(), "{how}, {size:?}");
        }
    }
}

/// A partial read before a new recording does not cause that one to be read from its middle.
#[test]
fn a_recording_is_read_from_a_packet_on() {
    let config = [POST_MORTEM, PACKETS, TAKEN, SMALL];
    let all = values(&Firmware::new("packet_reader", &config).run(&["half read"]));
    assert!(all.len() > 30 && all.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{all:?}");
    assert_eq!(all.last(), Some(&1999));
    let config = [STREAMING, PACKETS, TAKEN, SMALL, ("tband_configPACKET_COUNT", "300")];
    let all = values(&Firmware::new("packet_reader", &config).run(&["half read"]));
    assert_eq!(all, (0..2000).collect::<Vec<_>>());
}

#[test]
fn a_reader_that_asks_twice_gets_everything_once() {
    for config in [
        &[STREAMING, PACKETS, TAKEN, SMALL][..],
        &[STREAMING, PACKETS, TAKEN, OFTEN],
        &[STREAMING, PACKETS, TAKEN, SMALL, NO_METADATA],
        &[POST_MORTEM, PACKETS, TAKEN, SMALL, ("tband_configPACKET_COUNT", "300")],
    ] {
        let all = values(&Firmware::new("packet_reader", config).run(&["misuse"]));
        assert!(all.len() > 1000, "{config:?}: {all:?}");
        assert_eq!(all, (0..all.len() as u64).collect::<Vec<_>>(), "{config:?}");
    }
}

/// Also where a thousand ticks in nanoseconds are more than 32 bits have, or a multiple of those.
#[test]
fn packets_are_closed_in_time_however_slow_the_timer_is() {
    for resolution in ["2000000", "4294968", "536870912"] {
        let resolution = ("tband_portTIMESTAMP_RESOLUTION_NS", resolution);
        let _ = Firmware::new("slow_timer", &[STREAMING, PACKETS, TAKEN, resolution]).run(&[]);
    }
}

/// With names, and without a metadata buffer.
#[test]
fn a_recording_survives_a_reset() {
    const KEPT: (&str, &str) = (
        "tband_configUSE_BACKEND_POST_MORTEM",
        "1\n#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(\"kept\")))",
    );
    for cores in [&[][..], &[TWO_CORES]] {
        for names in [&[][..], &[NO_METADATA]] {
            let config = [&[KEPT, PACKETS, TAKEN, SMALL], cores, names].concat();
            let recording = Firmware::new("after_reset", &config).run(&[]);
            let values = values(&recording);
            let (before, after) = values.split_at(values.partition_point(|value| *value < 1000));
            for (values, last) in [(before, 299), (after, 1299)] {
                assert!(values.len() > 50 && values.is_sorted(), "{values:?}");
                assert_eq!(last - values[0] + 1, values.len() as u64, "{values:?}");
                assert_eq!(values.last(), Some(&last));
            }
        }
    }
}

/// Begin and end in ticks, sequence number, events of the program, and events discarded so far of a core's packets.
fn headers(recording: &[u8]) -> Vec<(u64, u64, u16, usize, u32)> {
    let packets = packets(recording);
    let of_core = packets.iter().filter(|it| it.header().stream != METADATA_STREAM);
    let headers = of_core.map(|packet| {
        let header = packet.header();
        (header.begin, header.end, header.sequence, events_of(packet).len(), header.discarded)
    });
    headers.collect()
}

/// Events that were discarded after the last packet are reported when a recording ends, in a separate packet, once.
#[test]
fn ending_with_a_full_ring_reports_the_losses() {
    for (cores, end) in [(&[][..], "soon"), (&[], "late"), (&[TWO_CORES], "soon")] {
        let config = [&[STREAMING, PACKETS, TAKEN, SMALL, TWO], cores].concat();
        let recording = Firmware::new("packet_reader", &config).run(&["full", end]);
        let headers = headers(&recording);
        let [.., last, reported] = &headers[..] else { panic!("{headers:?}") };
        let (begin, end_of_reported, sequence, events, discarded) = *reported;
        let received: usize = headers.iter().map(|it| it.3).sum();
        assert_eq!((events, received + discarded as usize), (0, 100), "{headers:?}");
        assert!(last.4 < discarded && last.2 + 1 == sequence && begin == end_of_reported);
        // Where that is long ago the time is not known any more: that of the reader.
        let expected = if end == "soon" { 1001 } else { 1000 + (3 << 30) };
        assert_eq!(begin, expected, "{headers:?}");
    }
    // Reported by the next packet of the recording, which is closed by a flush: nothing is left to report.
    let config = [STREAMING, PACKETS, TAKEN, SMALL, TWO];
    let recording = Firmware::new("packet_reader", &config).run(&["full", "and on"]);
    let headers = headers(&recording);
    let received: usize = headers.iter().map(|it| it.3).sum();
    let last = headers.last().expect("packets");
    assert!(last.3 > 0 && received + last.4 as usize == 101, "{headers:?}");
}

/// The event at whose text the program faulted is not there; all before it is, at each place in a packet.
#[test]
fn a_fault_handler_reads_what_was_recorded_up_to_the_fault() {
    for size in ["128", "136", "144", "152", "512"] {
        let config = [POST_MORTEM, PACKETS, TAKEN, ("tband_configPACKET_SIZE", size)];
        let recording = Firmware::new("packet_reader", &config).run(&["fault"]);
        let all = values(&recording);
        assert!(all.len() > 20 && all.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{all:?}");
        assert_eq!(all.last(), Some(&999), "{size}");
        assert!(!lines(&as_frames(&recording)).iter().any(|line| line.contains(" evtmarker ")));
    }
}

/// Metadata comes before all packets of a recording, and after those of the one before, whenever they are read: a reader sees
/// where a recording starts.
#[test]
fn a_recording_starts_after_what_is_not_read_yet() {
    for cores in [&[][..], &[TWO_CORES]] {
        let config = [&[STREAMING, PACKETS, TAKEN, SMALL, TWENTY], cores].concat();
        let firmware = Firmware::new("packet_reader", &config);
        // Metadata takes about 100 bytes.
        for read in ["0", "50", "150", "300", "400"] {
            let recording = firmware.run(&["starts", read]);
            let (mut starts, mut counts) = (0, [0, 0]);
            for packet in packets(&recording) {
                let header = packet.header();
                starts += u64::from(header.stream == METADATA_STREAM && header.sequence == 0);
                if header.stream != METADATA_STREAM {
                    for line in events_of(&packet) {
                        assert_eq!(number(&line, "val") / 100 + 1, starts, "{read}: {header:?}");
                        counts[starts as usize - 1] += 1;
                    }
                }
            }
            assert_eq!((starts, counts), (2, [40, 40]), "{read}");
        }
    }
}

/// The frozen part is not joined to the next recording.
#[test]
fn a_post_mortem_recording_that_is_started_again_is_a_new_one() {
    for cores in [&[][..], &[TWO_CORES]] {
        let config = [&[POST_MORTEM, PACKETS, TAKEN, SMALL], cores, &[TWENTY]].concat();
        let recording = Firmware::new("packet_reader", &config).run(&["starts", "0"]);
        let mut values = values(&recording);
        values.sort_unstable();
        assert_eq!(values, (100..140).collect::<Vec<_>>());
    }
}

/// Events refused inside the port's function are counted in the packets, also after the last event. A recording can be stopped
/// there: it ends with the events up to then, and each packet is passed on once.
#[test]
fn a_port_that_takes_packets_may_call_what_records() {
    let firmware = Firmware::new("packet_port", &[STREAMING, PACKETS, SMALL]);
    for what in ["marker", "flush", "metadata", "take", "stop", "restart", "marker, stop"] {
        let output = finish(Command::new(firmware.path()).arg(what));
        assert!(output.ok, "{what}: {}", output.stderr);
        let dropped: u32 = output.stderr.trim().parse().expect("a number");
        let values = values(&output.stdout);
        assert_eq!(values, (0..values.len() as u64).collect::<Vec<_>>(), "{what}");
        let headers = headers(&output.stdout);
        assert_eq!(headers.last().expect("packets").4, dropped, "{what}: {headers:?}");
        assert!(headers.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{what}: {headers:?}");
        if ["stop", "restart", "marker, stop"].contains(&what) {
            assert!((14..40).contains(&values.len()), "{what}: {}", values.len());
        } else {
            assert_eq!((values.len(), dropped > 0), (40, what == "marker"), "{what}");
        }
    }
}

/// Nothing starts the external backend: it begins with the first event. What its function refuses is missing in the
/// sequence, what it records itself is counted.
#[test]
fn the_external_backend_gets_packets_from_the_first_event_on() {
    let start = ("tband_portTIMESTAMP_START()", "fake_start_timer()");
    let firmware = Firmware::new("external_packets", &[EXTERNAL, PACKETS, SMALL, start]);
    for (what, refused) in [("take", 0), ("refuse", 2), ("record", 0)] {
        let output = finish(Command::new(firmware.path()).arg(what));
        assert!(output.ok, "{what}: {}", output.stderr);
        let dropped: u32 = output.stderr.trim().parse().expect("a number");
        let headers = headers(&output.stdout);
        let [first, .., last] = &headers[..] else { panic!("{headers:?}") };
        assert_eq!(first.2, 0, "{what}");
        assert_eq!(usize::from(last.2) + 1, headers.len() + refused, "{what}: {headers:?}");
        let reported = lines(&as_frames(&output.stdout));
        assert!(
            reported.iter().any(|line| line.contains("isr_name isr_id=1 name=\"one\"")),
            "{what}"
        );
        assert!(
            reported.iter().any(|line| line.contains("4 isr_enter isr_id=1")),
            "{what}: {reported:?}"
        );
        let values = values(&output.stdout);
        assert_eq!(values.last(), Some(&399), "{what}");
        assert_eq!(values.len() == 400, refused == 0, "{what}");
        // The last call's is after the last packet.
        assert_eq!(dropped > 0, what == "record", "{what}");
        assert!(dropped - last.4 <= 1, "{what}: {headers:?}");
    }
}
