//! The memory of a conversion is bounded by the target, not by the recording: counted by an allocator.
//! What damaged recordings take is in `tests/fuzz`.

use tband_conv::convert::step::Step;
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{Conversion, Input, Options, convert};
use tband_format::{Event, encode_frame, max_frame_len};
use tband_fuzz::{PeakAlloc, peak_of};
use xtask::generate::{self, stream};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn all_sinks(bytes: &[u8]) -> usize {
    let mut options = Options::default();
    options.window = Some(1 << 20);
    peak_of(|| {
        let inputs = [Input::from_bytes("b", bytes)];
        let text = TimelineText::new(std::io::sink());
        let mut sinks = (Perfetto::new(std::io::sink()), (text, Stats::default()));
        let _ = convert(&inputs, &options, &mut sinks);
    })
}

/// The same, fed in pieces to a conversion that does not know the whole input.
fn fed(bytes: &[u8]) -> usize {
    let mut options = Options::default();
    options.window = Some(1 << 20);
    peak_of(|| {
        let text = TimelineText::new(std::io::sink());
        let sinks = (Perfetto::new(std::io::sink()), (text, Stats::default()));
        let mut conversion = Conversion::new([("b", 0)], &options, sinks).unwrap();
        let mut rest = bytes;
        while !rest.is_empty() {
            let piece = &rest[..rest.len().min(5000)];
            rest = &rest[conversion.feed(0, piece)..];
            while conversion.step().unwrap() == Step::More {}
        }
        conversion.finish().unwrap();
    })
}

// One test, since the counts are those of the whole process.
#[test]
fn memory_is_bounded() {
    // Nor does one whose timer counts at another frequency again and again.
    let changes = |count: u64| {
        let mut bytes = Vec::new();
        for now in 1..=count {
            let numerator = 1_000_000 + now % 40_000;
            let task_id = 1 + (now % 2) as u32;
            for event in [
                Event::TsFrequency { numerator, denominator: 1 },
                Event::TaskSwitchedIn { task_id },
            ] {
                let mut frame = vec![0; max_frame_len(&event, now)];
                let len = encode_frame(&event, now, &mut frame).unwrap();
                bytes.extend_from_slice(&frame[..len]);
            }
        }
        [all_sinks(&bytes), fed(&bytes)]
    };
    for (short, long) in changes(20_000).into_iter().zip(changes(100_000)) {
        assert!(long < short + (1 << 19), "frequencies: {short}, then {long} bytes");
    }
    // A longer recording takes no more.
    for cores in [1, 2] {
        let peaks = |size| {
            let options =
                generate::Options { size, cores, seed: 1, loss_every: 500, ..Default::default() };
            let mut bytes = Vec::new();
            stream(&options, &mut bytes).unwrap();
            [all_sinks(&bytes), fed(&bytes)]
        };
        for (short, long) in peaks(300_000).into_iter().zip(peaks(3_000_000)) {
            assert!(long < 8 << 20, "{cores} cores: {long} bytes");
            assert!(long < short + (1 << 19), "{cores} cores: {short}, then {long} bytes");
        }
    }
}
