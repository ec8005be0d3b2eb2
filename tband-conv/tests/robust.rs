//! No input makes decoder, timeline or converter panic, and none uses unbounded memory.

mod support;

use std::io::Read as _;

use proptest::prelude::*;
use support::{trace_of, vector};
use tband_conv::sinks::{Perfetto, RunTimes, Stats, TimelineText};
use tband_conv::{
    Census, DumpFilter, DumpFormat, Flows, Input, Mode, Moment, Options, convert, dump,
    dump_filtered,
};

/// Runs everything there is over the bytes.
fn run(bytes: &[u8]) {
    for mode in [Mode::FreeRtos, Mode::BareMetal, Mode::Auto] {
        let mut options = Options::default();
        options.mode = mode;
        options.window = Some(1000);
        options.flows = Flows::All;
        let inputs = [Input::from_bytes("a", bytes), Input::from_bytes("b", bytes).on_core(1)];
        let text = TimelineText::new(std::io::sink()).detailed();
        let mut sinks =
            (Perfetto::new(std::io::sink()), (text, (RunTimes::default(), Stats::default())));
        let _ = convert(&inputs, &options, &mut sinks);
        let _ = sinks.1.1.0.to_string();
        for clean in [false, true] {
            let _ = Census::run(&inputs, mode, clean);
        }
        let mut filter = DumpFilter { from: Some(Moment::Ns(1000)), ..DumpFilter::default() };
        (filter.to, filter.limit) = (Some(Moment::Ticks(u64::MAX)), Some(10));
        let _ = dump_filtered(&inputs[0], mode, DumpFormat::Text, filter, std::io::sink());
        for format in [DumpFormat::Text, DumpFormat::TextWithOffsets, DumpFormat::Json] {
            let _ = dump(&inputs[0], mode, format, std::io::sink());
        }
    }
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    const NAMES: &[&str] = &["freertos_sim.bin", "base_only.bin", "mc_split.core0.bin"];
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..4_u8);
    (prop::sample::select(NAMES), 0..15_000_usize, prop::collection::vec(change, 1..40)).prop_map(
        |(name, start, changes)| {
            let mut bytes = vector(name);
            bytes.drain(..start.min(bytes.len()));
            bytes.truncate(4000);
            for (index, value, what) in changes {
                let at = index.index(bytes.len());
                match what {
                    0 => bytes[at] = value,
                    1 => bytes[at] ^= 1 << (value % 8),
                    2 => bytes.insert(at, value),
                    _ if bytes.len() > 1 => drop(bytes.remove(at)),
                    _ => {}
                }
            }
            bytes
        },
    )
}

/// Frames of random payloads, which reach deeper than random bytes.
fn framed() -> impl Strategy<Value = Vec<u8>> {
    let id = prop_oneof![0..16_u8, 84..113_u8, 122..132_u8, 131..206_u8, 131..206_u8, any::<u8>()];
    let payload = (id, prop::collection::vec(prop_oneof![0..4_u8, any::<u8>()], 0..12));
    prop::collection::vec(payload, 0..200).prop_map(|payloads| {
        let mut bytes = Vec::new();
        for (id, rest) in payloads {
            let mut payload = vec![id];
            payload.extend(rest);
            let mut frame = vec![0; tband_format::cobs::max_frame_len(payload.len())];
            let len = tband_format::cobs::encode(&payload, &mut frame).unwrap();
            bytes.extend_from_slice(&frame[..len]);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        run(&bytes);
    }

    #[test]
    fn arbitrary_frames(bytes in framed()) {
        run(&bytes);
    }

    #[test]
    fn mutated_recordings(bytes in mutated()) {
        run(&bytes);
    }

    #[test]
    fn hex_of_any_bytes_reads_back(bytes in prop::collection::vec(any::<u8>(), 1..500)) {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
        for format in [tband_conv::Format::Hex, tband_conv::Format::Auto] {
            let mut back = Vec::new();
            let input = Input::from_bytes("h", hex.as_bytes()).in_format(format);
            input.open().unwrap().read_to_end(&mut back).unwrap();
            prop_assert_eq!(&back, &bytes);
        }
    }
}

/// Damage costs only the frames that it touches.
#[test]
fn one_broken_frame_costs_one_event() {
    let clean = vector("freertos_sim.bin");
    let (_, _, before) = trace_of(&[Input::from_bytes("c", &clean)], &Options::default());
    let zeros: Vec<usize> = (0..clean.len()).filter(|at| clean[*at] == 0).collect();
    for frame in (200..zeros.len() - 1).step_by(500) {
        let mut bytes = clean.clone();
        // A code byte that announces more than there is.
        bytes[zeros[frame] + 1] = 0xF0;
        let (_, _, after) = trace_of(&[Input::from_bytes("d", &bytes)], &Options::default());
        assert_eq!(after.events + 1, before.events);
        let found = after.diagnostics.get(tband_conv::Problem::UndecodableFrame).unwrap();
        assert_eq!((found.count, found.place.offset), (1, zeros[frame] as u64 + 1));
    }
}
