//! Random recordings: every kind of event, in any order, on one core or several.
//!
//! Each event is described by a few small numbers, so that proptest can shrink a failing recording. An event's report need not
//! fit the reports before it; frames and times are valid.

use proptest::prelude::*;
use tband_format::decode::decode_payload;
use tband_format::field::FieldKind;
use tband_format::registry::{EVENTS, EventDef};
use tband_format::{Event, cobs};

use crate::Recording;
use crate::described::varint;

/// An event on a core.
#[derive(Clone, Debug)]
pub struct Step {
    /// On which core.
    pub core: u32,
    /// Its time in ticks.
    pub ts: u64,
    /// Bytes of the event, not COBS encoded.
    pub payload: Vec<u8>,
}

impl Step {
    /// The same at a later time.
    pub fn later(&self, ticks: u64) -> Self {
        let decoded = decode_payload(&self.payload).unwrap();
        let ts = decoded.ts.unwrap() + ticks;
        let frame = Recording::default().at(ts, decoded.event).0;
        let payload = cobs::decode(frame.split_last().unwrap().1, &mut [0; 256]).unwrap().to_vec();
        Self { core: self.core, ts, payload }
    }
}

/// What a step is made from.
type RandomStep = (u16, u8, u64, [u8; 6]);

/// Those that most of a recording consists of.
const FREQUENT: [&str; 16] = [
    "task_switched_in",
    "task_switched_in",
    "task_switched_in",
    "task_to_rdy_state",
    "task_to_rdy_state",
    "isr_enter",
    "isr_exit",
    "isr_exit",
    "curtask_delay",
    "curtask_block_on_queue_receive",
    "queue_send",
    "queue_send_from_isr",
    "queue_receive",
    "evtmarker_begin",
    "evtmarker_end",
    "valmarker",
];

fn is_drawn(event: &EventDef) -> bool {
    // A schema that is drawn is hardly one.
    const OTHERS: [&str; 5] =
        ["core_id", "ts_resolution_ns", "trace_info", "dropped_evt_cnt", "event_schema"];
    !OTHERS.contains(&event.name)
}

fn definition(select: u16) -> &'static EventDef {
    let select = usize::from(select);
    match FREQUENT.get(select % 40) {
        Some(name) => EVENTS.iter().find(|event| event.name == *name).unwrap(),
        None if select % 101 == 0 => EVENTS.iter().find(|it| it.name == "dropped_evt_cnt").unwrap(),
        None => {
            let drawn: Vec<_> = EVENTS.iter().filter(|event| is_drawn(event)).collect();
            drawn[select / 40 % drawn.len()]
        }
    }
}

fn field(out: &mut Vec<u8>, kind: &FieldKind, value: u8) {
    match kind {
        FieldKind::U8 | FieldKind::Enum { .. } => out.push(value % 8),
        // Usually one of a few, sometimes a large one.
        FieldKind::U32 if value > 252 => out.extend(varint(u64::from(u32::MAX - u32::from(value)))),
        FieldKind::U32 => out.extend(varint(u64::from(value % 5))),
        FieldKind::U64 | FieldKind::S64 => out.extend(varint(u64::from(value))),
        FieldKind::Str => out.extend_from_slice(&b"abcdef"[..usize::from(value % 7).min(6)]),
        FieldKind::Optional(_) if value.is_multiple_of(2) => {}
        FieldKind::Optional(inner) => field(out, inner, value),
    }
}

fn steps_of(draws: Vec<RandomStep>, cores: u8, start: u64) -> Vec<Step> {
    let (mut ts, mut dropped) = (start, 0_u8);
    let step = |(select, core, dt, values): RandomStep| {
        ts += dt;
        let core = u32::from(core % cores);
        // Cores never have events at one time, whose order only a stream of all cores reports.
        let ts = ts * u64::from(cores) + u64::from(core);
        let event = definition(select);
        let mut payload = vec![event.id];
        if !event.metadata {
            payload.extend(varint(ts));
        }
        if event.name == "dropped_evt_cnt" {
            // It rises, or begins again.
            dropped = if values[0] % 8 == 0 { values[1] % 3 } else { dropped.max(values[0] % 64) };
            payload.extend(varint(dropped.into()));
        } else {
            for (def, value) in event.fields.iter().zip(values) {
                field(&mut payload, &def.kind, value);
            }
        }
        Step { core, ts, payload }
    };
    draws.into_iter().map(step).collect()
}

fn random_steps() -> impl Strategy<Value = Vec<RandomStep>> {
    let dt = prop_oneof![4 => 0..3_u64, 8 => 0..300_u64, 1 => Just(1_u64 << 17)];
    let draw = (any::<u16>(), any::<u8>(), dt, any::<[u8; 6]>());
    prop::collection::vec(draw, 1..400)
}

/// Steps on so many cores, in the order of time.
pub fn steps(cores: u8) -> impl Strategy<Value = Vec<Step>> {
    random_steps().prop_map(move |draws| steps_of(draws, cores, 0))
}

/// Returns a few steps on this many cores, often simultaneous, and often about losses.
pub fn few_steps(cores: u8) -> impl Strategy<Value = Vec<Step>> {
    // 101 is a count of dropped events.
    let select = prop_oneof![1 => Just(101_u16), 8 => any::<u16>()];
    let draw = (select, any::<u8>(), 0..3_u64, any::<[u8; 6]>());
    prop::collection::vec(draw, 1..10).prop_map(move |draws| steps_of(draws, cores, 1))
}

/// As [`steps`], at times of any length.
pub fn late_steps(cores: u8) -> impl Strategy<Value = Vec<Step>> {
    let start =
        (0..62_u32, 0..300_u64).prop_map(|(bit, before)| (1_u64 << bit).saturating_sub(before));
    let of = move |(draws, start): (Vec<RandomStep>, u64)| {
        steps_of(draws, cores, start / u64::from(cores))
    };
    (random_steps(), start).prop_map(of)
}

/// Returns the number of cases, unless `PROPTEST_CASES` sets another one; only a part of them in the short tiers.
pub fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return usual;
    }
    ProptestConfig { cases: tband_programs::cases(cases), ..usual }
}

/// A frame around a payload.
pub fn framed(payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; cobs::max_frame_len(payload.len())];
    let len = cobs::encode(payload, &mut frame).unwrap();
    frame.truncate(len);
    frame
}

fn head(ns_per_ts: u64) -> Recording {
    Recording::default().meta(Event::TsResolutionNs { ns_per_ts })
}

/// All steps in one stream.
pub fn stream(steps: &[Step], ns_per_ts: u64) -> Vec<u8> {
    let mut core = 0;
    let mut bytes = head(ns_per_ts).0;
    for step in steps {
        if step.core != core {
            core = step.core;
            let core_id = Recording::default().at(step.ts.max(1), Event::CoreId { core_id: core });
            bytes.extend(core_id.0);
        }
        bytes.extend(framed(&step.payload));
    }
    bytes
}

/// The steps of each core on their own.
pub fn split(steps: &[Step], cores: u32, ns_per_ts: u64) -> Vec<Vec<u8>> {
    let of = |core| steps.iter().filter(move |step| step.core == core);
    let file = |core| of(core).fold(head(ns_per_ts), |it, step| it.raw(&framed(&step.payload))).0;
    (0..cores).map(file).collect()
}

/// Where, what, how.
pub type Damage = (prop::sample::Index, u8, u8);

/// A recording with bytes changed, removed and put in.
pub fn damage(bytes: &mut Vec<u8>, damages: &[Damage]) {
    for (index, value, what) in damages {
        if bytes.is_empty() {
            return;
        }
        let at = index.index(bytes.len());
        match what % 4 {
            0 => bytes[at] = *value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => bytes.insert(at, *value),
            _ if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {}
        }
    }
}

/// At most so many changes for [`damage`].
pub fn damages(most: usize) -> impl Strategy<Value = Vec<Damage>> {
    prop::collection::vec(any::<Damage>(), 0..most)
}
