//! The last received bytes, held in memory until a trigger fires.

use std::collections::VecDeque;
use std::time::Instant;

use tband_format::Event;
use tband_format::packet::METADATA_STREAM;

use super::known::{Continuation, KnownState};
use super::units::Unit;
use crate::args::PreTriggerAmount;
use crate::target::metadata_packets;

/// Maximum bytes that are held, including the facts about their units.
const MOST: usize = 256 << 20;
/// Bytes of frames that form one unit here: the facts about a single frame take more memory than its bytes.
const FRAMES: usize = 512;

/// The last received units, with several frames in one, and the known state before them.
#[derive(Debug)]
pub struct PreTriggerBuffer {
    before: PreTriggerAmount,
    bytes: VecDeque<u8>,
    units: VecDeque<BufferedUnit>,
    /// Events in them.
    events: u64,
    known: KnownState,
    /// Number of the packet of metadata that comes after the discarded part.
    next: Option<u16>,
    has_packets: bool,
}

#[derive(Debug)]
struct BufferedUnit {
    unit: Unit,
    len: usize,
    events: u64,
    has_metadata: bool,
    /// When its last byte came.
    at: Instant,
}

impl PreTriggerBuffer {
    pub fn new(before: PreTriggerAmount, known: KnownState) -> Self {
        Self {
            before,
            bytes: VecDeque::new(),
            units: VecDeque::new(),
            events: 0,
            known,
            next: None,
            has_packets: false,
        }
    }

    /// Whether packets were received.
    pub const fn has_packets(&self) -> bool {
        self.has_packets
    }

    /// Adds a unit. The units before it are then at most as many as are wanted before a trigger in it.
    pub fn add(&mut self, unit: Unit, bytes: &[u8], at: Instant) {
        while self.units.front().is_some_and(|first| !self.needs(first, at)) {
            self.forget_first();
        }
        let (mut events, mut has_metadata) = (0, false);
        unit.each(bytes, |event| {
            events += 1;
            has_metadata |= KnownState::is_of_interest(event);
        });
        self.has_packets |= matches!(unit, Unit::Packet(_));
        self.events = self.events.saturating_add(events);
        self.bytes.extend(bytes);
        let len = bytes.len();
        match self.units.back_mut() {
            Some(last) if last.has_frames_and_room(unit, len) => {
                last.len += len;
                last.events += events;
                last.has_metadata |= has_metadata;
                last.at = at;
            }
            _ => self.units.push_back(BufferedUnit { unit, len, events, has_metadata, at }),
        }
    }

    /// Whether there would be too little without the first unit.
    fn needs(&self, first: &BufferedUnit, now: Instant) -> bool {
        let enough = match self.before {
            PreTriggerAmount::Events(events) => self.events.saturating_sub(first.events) >= events,
            PreTriggerAmount::Time(time) => now.saturating_duration_since(first.at) > time,
            PreTriggerAmount::Size(size) => {
                self.bytes.len().saturating_sub(first.len) as u64 >= size
            }
        };
        let overhead = self.units.len().saturating_mul(size_of::<BufferedUnit>());
        !enough && self.bytes.len().saturating_add(overhead) <= MOST
    }

    fn forget_first(&mut self) {
        let Some(first) = self.units.pop_front() else { return };
        let bytes: Vec<u8> = self.bytes.drain(..first.len.min(self.bytes.len())).collect();
        self.events = self.events.saturating_sub(first.events);
        if first.has_metadata {
            first.unit.each(&bytes, |event| self.known.learn(event));
        }
        if let Some(sequence) = first.sequence_of_metadata() {
            self.next = Some(sequence.wrapping_add(1));
        }
    }

    /// Returns a recording of the held bytes, in pieces: it may take half of the available memory.
    pub fn recording(&self) -> (Vec<u8>, [&[u8]; 2]) {
        let frames = self.known.frames(self.begin());
        let names = if !self.has_packets {
            frames.concat()
        } else {
            let first = self.units.iter().find_map(BufferedUnit::sequence_of_metadata);
            metadata_packets(&frames, self.next.or(first).unwrap_or_default())
        };
        (names, self.bytes.as_slices().into())
    }

    /// Returns the state with which the recording continues after the known metadata. In packets it has no time.
    fn begin(&self) -> Continuation {
        let mut begin = Continuation::default();
        let (mut place, mut is_found) = (0_usize, self.has_packets);
        for unit in &self.units {
            if is_found {
                break;
            }
            let bytes: Vec<u8> = self.bytes.iter().skip(place).take(unit.len).copied().collect();
            place = place.saturating_add(unit.len);
            unit.unit.each_with_time(&bytes, |decoded| match (&decoded.event, decoded.ts) {
                _ if is_found => {}
                (Event::CoreId { core_id }, _) => begin.core = Some(*core_id),
                (_, Some(ticks)) => (begin.ticks, is_found) = (ticks, true),
                _ => {}
            });
        }
        begin
    }
}

impl BufferedUnit {
    /// It is one of frames, and this one fits into it too.
    fn has_frames_and_room(&self, unit: Unit, len: usize) -> bool {
        self.unit == Unit::Frame && unit == Unit::Frame && self.len + len <= FRAMES
    }

    const fn sequence_of_metadata(&self) -> Option<u16> {
        match self.unit {
            Unit::Packet(header) if header.stream == METADATA_STREAM => Some(header.sequence),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tband_conv::packets::Packer;
    use tband_conv::sinks::Stats;
    use tband_conv::{Input, Options, convert};
    use tband_format::Str;
    use tband_recordings::{frame, packed};

    use super::super::units::Splitter;
    use super::*;
    use tband_recordings::set_up::is_sound;

    fn recording() -> Vec<u8> {
        let name = Event::TaskName { task_id: 1, name: Str(b"a name") };
        let core = frame(0, Event::CoreId { core_id: 0 });
        let switches = (1..3000).map(|at| frame(at, Event::TaskSwitchedIn { task_id: 1 }));
        [core, frame(0, name)].into_iter().chain(switches).flatten().collect()
    }

    fn filled_buffer(before: PreTriggerAmount, bytes: &[u8]) -> PreTriggerBuffer {
        let mut held = PreTriggerBuffer::new(before, KnownState::default());
        let now = Instant::now();
        for (number, (unit, bytes)) in (0_u32..).zip(Splitter::default().feed(bytes)) {
            held.add(unit, &bytes, now + Duration::from_millis(1) * number);
        }
        held
    }

    /// Converts the held bytes as a recording.
    fn converted(held: &PreTriggerBuffer) -> (Stats, tband_conv::Summary) {
        let (names, parts) = held.recording();
        let bytes = [&names, parts[0], parts[1]].concat();
        let mut options = Options::default();
        options.mode = tband_conv::item::Mode::Auto;
        let mut stats = Stats::default();
        let summary = convert(&[Input::from_bytes("held", &bytes)], &options, &mut stats).unwrap();
        (stats, summary)
    }

    #[test]
    fn what_is_held_is_a_recording() {
        for bytes in [recording(), packed::packed(&recording(), 256)] {
            for (before, least, most) in [
                (PreTriggerAmount::Events(100), 100, 400),
                (PreTriggerAmount::Events(u64::MAX), 2999, 3200),
                (PreTriggerAmount::Size(1000), 100, 1100),
                (PreTriggerAmount::Time(Duration::from_millis(10)), 10, 2000),
            ] {
                let held = filled_buffer(before, &bytes);
                let (stats, summary) = converted(&held);
                assert!(is_sound(&summary.diagnostics), "{before:?}: {:?}", summary.diagnostics);
                let names: Vec<_> = stats.tasks().map(|task| task.name.clone()).collect();
                assert!(names.iter().any(|it| format!("{it:?}").contains("a name")), "{names:?}");
                // Packets begin with the task that runs, which is an event.
                let events = summary.events;
                assert!((least..=most).contains(&events), "{before:?}: {events}");
            }
        }
    }

    /// Time is exact, though metadata contains it only rounded, and begins with the held part.
    #[test]
    fn what_is_held_counts_time_exactly() {
        let mut frequency =
            frame(1000, Event::TsFrequency { numerator: 168_000_000, denominator: 1 });
        let rounded = frame(0, Event::TsResolutionNs { ns_per_ts: 6 });
        let switches: Vec<u8> = (0..3000)
            .flat_map(|ms| frame(1000 + 168_000 * ms, Event::TaskSwitchedIn { task_id: 1 }))
            .collect();
        let frames = [&rounded, &frequency, &switches[..]].concat();
        // As firmware has it in packets.
        let mut packets = Vec::new();
        let mut packer = Packer::new(256);
        frequency.extend(&rounded);
        packer.metadata(0, &frequency, &mut |_, it| packets.extend_from_slice(it));
        for ms in 0..3000 {
            let event = Event::TaskSwitchedIn { task_id: 1 };
            packer
                .push(0, 1000 + 168_000 * ms, &event, &mut |_, it| packets.extend_from_slice(it))
                .unwrap();
        }
        packer.flush(&mut |_, it| packets.extend_from_slice(it));
        for bytes in [&frames, &packed::packed(&frames, 256), &packets] {
            let held = filled_buffer(PreTriggerAmount::Events(100), bytes);
            let (stats, summary) = converted(&held);
            assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
            // From a complete ms of 3 s on, in complete ms.
            let (start, length) = (stats.start_ns(), stats.length_ns());
            assert!((2_500_000_000..3_000_000_000).contains(&start), "{start}, {length}");
            assert!((99_000_000..500_000_000).contains(&length), "{start}, {length}");
            assert_eq!(length % 1_000_000, 0, "{start}, {length}");
        }
    }

    /// Memory is that of the bytes, and little more, however short frames are.
    #[test]
    fn short_frames_take_no_more_than_their_bytes() {
        let held = filled_buffer(PreTriggerAmount::Events(u64::MAX), &recording());
        let overhead = held.units.len() * size_of::<BufferedUnit>();
        assert!(overhead < held.bytes.len() / 2, "{overhead} for {}", held.bytes.len());
    }
}
