//! Events of a recording of several cores, core by core, with known losses.

use tband_format::field::Value;
use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, decode_frame};

use crate::packets::packets;

/// A field of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Of whatever width.
    Number(i64),
    /// A text.
    Text(String),
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// Ticks.
    pub time: u64,
    /// As the registry has it.
    pub name: String,
    /// All of them.
    pub fields: Vec<(String, Field)>,
    /// Events of its core that were discarded just before it, if the format contains that.
    pub discarded_before: u64,
}

impl RecordedEvent {
    /// Value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find_map(|(field, value)| (*field == name).then_some(value))
    }
}

/// What a core has recorded.
#[derive(Debug, Default)]
pub struct CoreEvents {
    /// In the order of the recording.
    pub events: Vec<RecordedEvent>,
    /// Discarded after the last event.
    pub discarded_at_end: u64,
    /// Packets that begin with the task that runs: the next event's place, and the task.
    pub running: Vec<(usize, i64)>,
}

/// All cores of a recording.
#[derive(Debug, Default)]
pub struct Cores {
    /// By their number.
    pub cores: Vec<CoreEvents>,
    /// Discarded by all cores, where that is all that is known.
    pub discarded: u64,
}

fn recorded(time: u64, event: &Event<'_>) -> RecordedEvent {
    let mut fields = Vec::new();
    event.for_each_field(|name, value| {
        let value = match value {
            Value::Unsigned(value) => Field::Number(value.cast_signed()),
            Value::Named(value, _) => Field::Number(value.into()),
            Value::Signed(value) => Field::Number(value),
            Value::Str(text) => Field::Text(text.to_string()),
        };
        fields.push((name.to_owned(), value));
    });
    RecordedEvent { time, name: event.name().to_owned(), fields, discarded_before: 0 }
}

/// What a recorder adds.
fn is_own(event: &Event<'_>) -> bool {
    event.is_metadata()
        || matches!(
            event,
            Event::CoreId { .. }
                | Event::DroppedEvtCnt { .. }
                | Event::TsFrequency { .. }
                | Event::OpenIsr { .. }
        )
}

/// Takes a recording in packets apart.
///
/// # Panics
/// Where a packet is damaged, missing, or out of order.
#[must_use]
pub fn of_packets(recording: &[u8], cores: usize, starts_anywhere: bool) -> Cores {
    let mut all: Vec<CoreEvents> = (0..cores).map(|_| CoreEvents::default()).collect();
    let mut last: Vec<Option<(u16, u64, u32)>> = vec![None; cores];
    for packet in packets(recording) {
        let header = *packet.header();
        if header.stream == METADATA_STREAM {
            continue;
        }
        let at = usize::from(header.stream);
        let core = &mut all[at];
        match last[at] {
            Some((sequence, end, _)) => {
                assert_eq!(sequence.wrapping_add(1), header.sequence, "core {at}: {header:?}");
                assert!(end <= header.begin, "core {at}: {header:?} begins before {end}");
            }
            None => assert!(starts_anywhere || header.sequence == 0, "core {at}: {header:?}"),
        }
        let before = last[at].map_or(0, |(_, _, discarded)| discarded);
        let mut discarded = u64::from(header.discarded.wrapping_sub(before));
        last[at] = Some((header.sequence, header.end, header.discarded));
        let mut time = header.begin;
        for decoded in packet.events() {
            let decoded = decoded.unwrap_or_else(|error| panic!("{header:?}: {error}"));
            let ts = decoded.ts.expect("a time");
            assert!(time <= ts && ts <= header.end, "{header:?}: {ts} after {time}");
            time = ts;
            if let Event::RunningTask { task_id } = decoded.event {
                core.running.push((core.events.len(), task_id.into()));
            } else if !is_own(&decoded.event) {
                let mut event = recorded(ts, &decoded.event);
                event.discarded_before = std::mem::take(&mut discarded) + core.discarded_at_end;
                core.discarded_at_end = 0;
                core.events.push(event);
            }
        }
        core.discarded_at_end += discarded;
    }
    Cores { cores: all, discarded: 0 }
}

/// Takes frames apart: a stream of all cores, or parts of which each is of one.
///
/// # Panics
/// Where a frame is damaged or the times of a core go back.
#[must_use]
pub fn of_frames(parts: &[(usize, &[u8])], cores: usize) -> Cores {
    let mut all: Vec<CoreEvents> = (0..cores).map(|_| CoreEvents::default()).collect();
    let mut discarded = 0;
    for &(of, recording) in parts {
        let mut core = of;
        for frame in recording.split(|&byte| byte == 0).filter(|frame| !frame.is_empty()) {
            let mut scratch = vec![0; frame.len()];
            let decoded = decode_frame(frame, &mut scratch)
                .unwrap_or_else(|error| panic!("{frame:02X?}: {error}"));
            match decoded.event {
                Event::CoreId { core_id } => core = core_id as usize,
                Event::DroppedEvtCnt { cnt } => discarded = discarded.max(u64::from(cnt)),
                ref event if is_own(event) => {}
                ref event => {
                    let time = decoded.ts.expect("a time");
                    let events = &mut all[core].events;
                    assert!(
                        events.last().is_none_or(|last| last.time <= time),
                        "core {core}: {time}"
                    );
                    events.push(recorded(time, event));
                }
            }
        }
    }
    Cores { cores: all, discarded }
}
