//! `tests/c/cores/stress.c`: cores that are threads, with interrupts, record as fast as they can. Each event that comes out is
//! one that went in, once, whole and in its core's order; what did not come out is counted.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, Str, decode_frame};

use crate::c::Firmware;
use crate::packets::packets;
use crate::{finish, root, temp_dir};

/// A way to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Streaming.
    Streaming,
    /// Snapshots, one after another.
    Snapshot,
    /// Post-mortem, frozen again and again.
    PostMortem,
}

/// Configuration of the stress test.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How it records.
    pub backend: Backend,
    /// Packets, else frames.
    pub packets: bool,
    /// Number of cores.
    pub cores: u32,
    /// Cores other than the first stop and start as well.
    pub control: bool,
}

/// Results of the stress test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events that the program recorded, or tried to.
    pub produced: u64,
    /// Events that came out.
    pub received: u64,
    /// Events that the recorder counted as dropped.
    pub dropped: u64,
    /// Interrupts that came inside of others.
    pub nested: u64,
    /// Recordings, one after another.
    pub rounds: u64,
    /// Bytes of the longest text that came out.
    pub longest_text: usize,
}

/// Bytes of the longest text that the program records: the 10 digits of a number, and 15 points.
pub const LONGEST_TEXT: usize = 10 + 15;

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.produced += other.produced;
        self.received += other.received;
        self.dropped += other.dropped;
        self.nested += other.nested;
        self.rounds += other.rounds;
        self.longest_text = self.longest_text.max(other.longest_text);
    }
}

impl Setup {
    /// Every way there is, on this many cores.
    #[must_use]
    pub fn all(cores: u32) -> Vec<Self> {
        let mut all = Vec::new();
        for control in [false, true] {
            for packets in [true, false] {
                for backend in [Backend::Streaming, Backend::Snapshot, Backend::PostMortem] {
                    // Post-mortem has packets.
                    if packets || backend != Backend::PostMortem {
                        all.push(Self { backend, packets, cores, control });
                    }
                }
            }
        }
        all
    }

    fn build(&self) -> Firmware {
        let c = root().join("tests/c/cores");
        let cores = self.cores.to_string();
        let of = |on: bool| if on { "1" } else { "0" };
        let text_len = LONGEST_TEXT.to_string();
        let mut config = vec![
            ("STRESS_CORES", cores.as_str()),
            ("STRESS_PACKETS", of(self.packets)),
            ("STRESS_CONTROL", of(self.control)),
            ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "3000"),
            ("tband_configPACKET_COUNT", "8"),
            ("tband_configPACKET_SIZE", "256"),
            ("tband_configMAX_STR_LEN", text_len.as_str()),
            (
                match self.backend {
                    Backend::Streaming => "tband_configUSE_BACKEND_STREAMING",
                    Backend::Snapshot => "tband_configUSE_BACKEND_SNAPSHOT",
                    Backend::PostMortem => "tband_configUSE_BACKEND_POST_MORTEM",
                },
                "1",
            ),
        ];
        if self.backend == Backend::PostMortem {
            config.push(("tband_configPACKET_BUF_ATTRIBUTE", ""));
        }
        if self.packets {
            config.push(("tband_configFORMAT", "TBAND_FORMAT_PACKETS"));
        }
        Firmware::with_port(&[&c.join("stress.c")], &c.join("stress_port"), &config)
    }

    /// Records about this many events, and checks the output.
    ///
    /// # Panics
    /// If a check fails.
    #[must_use]
    pub fn run(&self, events: u64) -> Counts {
        let (firmware, folder) = (self.build(), temp_dir());
        let report = folder.path().join("report");
        let mut command = std::process::Command::new(firmware.path());
        let finished = finish(command.arg(events.to_string()).arg(&report));
        assert!(finished.ok, "{self:?}: {}", finished.stderr);
        let report = fs::read_to_string(report).expect("a report");
        let mut check = Check::new(*self, &report);
        if self.backend == Backend::Streaming {
            check.round(&[(0, &finished.stdout)]);
        } else {
            let mut rest = finished.stdout.as_slice();
            let mut parts = Vec::new();
            while !rest.is_empty() {
                let end = rest.iter().position(|&byte| byte == b'\n').expect("a line");
                let line = std::str::from_utf8(&rest[..end]).expect("text");
                let numbers: Vec<usize> =
                    line.split(' ').skip(1).map(|it| it.parse().expect("a number")).collect();
                let (part, after) = rest[end + 1..].split_at(numbers[1]);
                parts.push((numbers[0] as u32, part));
                rest = after;
                if self.packets || parts.len() == self.cores as usize {
                    check.round(&std::mem::take(&mut parts));
                }
            }
            assert!(parts.is_empty());
        }
        check.end()
    }
}

/// Number of a series: each core has as many markers.
const STRIDE: u32 = 4;

struct Check {
    setup: Setup,
    counts: Counts,
    /// The values of each series.
    produced: BTreeMap<(u32, u32), Range<u64>>,
    /// The last value of each.
    last: BTreeMap<(u32, u32), u64>,
    /// Those that the round has had.
    of_round: BTreeMap<(u32, u32), u64>,
    /// Interrupts that are open.
    open: BTreeMap<u32, Vec<u32>>,
    /// What each core has reported as dropped.
    dropped: BTreeMap<u32, u64>,
    sequence: BTreeMap<u8, u16>,
}

impl Check {
    fn new(setup: Setup, report: &str) -> Self {
        let mut produced = BTreeMap::new();
        let mut counts = Counts::default();
        for line in report.lines() {
            let mut words = line.split(' ');
            let name = words.next().expect("a name");
            let numbers: Vec<u64> = words.map(|it| it.parse().expect("a number")).collect();
            match (name, numbers.as_slice()) {
                ("produced", &[core, series, first, end]) => {
                    produced.insert((core as u32, series as u32), first..end);
                }
                ("events", &[count]) => counts.produced = count,
                other => panic!("{other:?}"),
            }
        }
        Self {
            setup,
            counts,
            produced,
            last: BTreeMap::new(),
            of_round: BTreeMap::new(),
            open: BTreeMap::new(),
            dropped: BTreeMap::new(),
            sequence: BTreeMap::new(),
        }
    }

    /// A recording has each event from its first one on. Streams have gaps, which are counted.
    fn is_contiguous(&self) -> bool {
        self.setup.backend != Backend::Streaming
    }

    fn value(&mut self, core: u32, id: u32, value: u64) {
        if id == 1000 {
            return;
        }
        let series = (id - 1) % STRIDE;
        assert_eq!((id - 1) / STRIDE, core, "a value of another core");
        let key = (core, series);
        assert!(self.produced[&key].contains(&value), "{key:?}: {value} was not produced");
        let last = self.last.insert(key, value);
        assert!(last.is_none_or(|last| last < value), "{key:?}: {value} after {last:?}");
        let before = self.of_round.insert(key, value);
        if self.is_contiguous() {
            assert!(before.is_none_or(|it| it + 1 == value), "{key:?}: {value} after {before:?}");
        }
    }

    fn event(&mut self, core: u32, event: &Event<'_>) {
        match *event {
            Event::Valmarker { valmarker_id, val } => {
                self.value(core, valmarker_id, u64::try_from(val).expect("a value"));
            }
            Event::Evtmarker { evtmarker_id, msg } => {
                self.counts.longest_text = self.counts.longest_text.max(msg.0.len());
                self.value(core, evtmarker_id, text(msg));
            }
            Event::IsrEnter { isr_id } => {
                let open = self.open.entry(core).or_default();
                if self.setup.backend == Backend::Snapshot {
                    assert!(open.last().is_none_or(|&inner| inner < isr_id), "{open:?} {isr_id}");
                }
                self.counts.nested += u64::from(!open.is_empty());
                open.push(isr_id);
            }
            Event::IsrExit { isr_id } => {
                let innermost = self.open.entry(core).or_default().pop();
                if self.setup.backend == Backend::Snapshot {
                    assert!(innermost.is_none_or(|it| it == isr_id), "{innermost:?} {isr_id}");
                }
            }
            Event::DroppedEvtCnt { cnt } => {
                self.dropped.insert(core, cnt.into());
                return;
            }
            // What packets begin with, and what a start adds.
            Event::RunningTask { .. } | Event::OpenIsr { .. } | Event::CoreId { .. } => return,
            ref other if other.is_metadata() => return,
            ref other => panic!("{other:?}"),
        }
        self.counts.received += 1;
    }

    /// The recordings of a round: a core and its bytes; with packets all cores are in one.
    fn round(&mut self, parts: &[(u32, &[u8])]) {
        self.counts.rounds += 1;
        self.of_round.clear();
        self.open.clear();
        for (core, bytes) in parts {
            if self.setup.packets { self.packets(bytes) } else { self.frames(*core, bytes) }
        }
    }

    fn packets(&mut self, recording: &[u8]) {
        if self.is_contiguous() {
            self.sequence.clear();
        }
        for packet in packets(recording) {
            let header = *packet.header();
            if header.stream == METADATA_STREAM {
                continue;
            }
            let last = self.sequence.insert(header.stream, header.sequence);
            if !self.setup.control {
                let follows = last.is_none_or(|last| last.wrapping_add(1) == header.sequence);
                assert!(follows, "{header:?} after {last:?}");
            }
            let core = u32::from(header.stream);
            self.dropped.insert(core, header.discarded.into());
            let mut time = header.begin;
            for decoded in packet.events() {
                let decoded = decoded.unwrap_or_else(|error| panic!("{header:?}: {error}"));
                let ts = decoded.ts.expect("a time");
                assert!(time <= ts && ts <= header.end, "{header:?}: {ts} after {time}");
                time = ts;
                self.event(core, &decoded.event);
            }
        }
    }

    fn frames(&mut self, mut core: u32, recording: &[u8]) {
        let mut times = BTreeMap::new();
        for frame in recording.split(|&byte| byte == 0).filter(|frame| !frame.is_empty()) {
            let mut scratch = vec![0; frame.len()];
            let decoded = decode_frame(frame, &mut scratch)
                .unwrap_or_else(|error| panic!("{frame:02X?}: {error}"));
            if let Event::CoreId { core_id } = decoded.event {
                core = core_id;
            }
            if let Some(ts) = decoded.ts {
                let last = times.insert(core, ts).unwrap_or(0);
                assert!(last <= ts, "core {core}: {ts} after {last}");
            }
            self.event(core, &decoded.event);
        }
    }

    fn end(mut self) -> Counts {
        // Packets tell what their core has dropped, the event of frames what all have.
        let dropped = self.dropped.values().copied();
        self.counts.dropped =
            if self.setup.packets { dropped.sum() } else { dropped.max().unwrap_or(0) };
        let Counts { produced, received, dropped, rounds, .. } = self.counts;
        assert!(received > 0 && rounds > 0, "{:?}: {:?}", self.setup, self.counts);
        if self.setup.backend == Backend::Streaming && !self.setup.control {
            assert_eq!(received + dropped, produced, "{:?}: {:?}", self.setup, self.counts);
        } else {
            assert!(received + dropped <= produced || self.is_contiguous(), "{:?}", self.counts);
        }
        self.counts
    }
}

/// Returns the value of a text, and checks the place of each digit and point.
fn text(text: Str<'_>) -> u64 {
    let text = std::str::from_utf8(text.0).expect("text");
    let digits = text.trim_end_matches('.');
    let value = digits.chars().rev().collect::<String>().parse().expect("digits");
    assert_eq!((text.len() - digits.len()) as u64, value / 4 % 16, "{text}");
    value
}
