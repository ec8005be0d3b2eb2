//! The memory of a conversion is bounded by the target, not by the recording: counted by an allocator.
//! What damaged recordings take is in `tests/fuzz`.

use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{Conversion, Input, Options, Step, convert};
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

/// The same, fed in pieces to a conversion that was not told what comes.
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
    // A longer recording takes no more.
    for cores in [1, 2] {
        let peaks = |size| {
            let options = generate::Options { size, cores, seed: 1, loss_every: 500 };
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
