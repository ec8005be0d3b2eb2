//! The memory of a conversion is bounded by the target, not by the recording, and damage changes
//! nothing about that: counted by an allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tband_conv::sinks::{Perfetto, RunTimes, TimelineText};
use tband_conv::{DumpFormat, Input, Mode, Options, convert, dump};
use xtask::generate::{self, stream};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were allocated at a time while `run` ran, above those before.
fn peak_of(run: impl FnOnce()) -> usize {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    run();
    PEAK.load(Relaxed) - before
}

fn all_sinks(bytes: &[u8], cores: &[u32]) -> usize {
    let mut options = Options::default();
    options.window = Some(1 << 20);
    peak_of(|| {
        let inputs: Vec<_> =
            cores.iter().map(|core| Input::from_bytes("b", bytes).on_core(*core)).collect();
        let text = TimelineText::new(std::io::sink());
        let mut sinks = (Perfetto::new(std::io::sink()), (text, RunTimes::default()));
        let _ = convert(&inputs, &options, &mut sinks);
    })
}

// One test, since the counts are those of the whole process.
#[test]
fn memory_is_bounded() {
    // A longer recording takes no more.
    for cores in [1, 2] {
        let peak = |size| {
            let options = generate::Options { size, cores, seed: 1, loss_every: 500 };
            let mut bytes = Vec::new();
            stream(&options, &mut bytes).unwrap();
            all_sinks(&bytes, &[0])
        };
        let (short, long) = (peak(300_000), peak(3_000_000));
        assert!(long < 8 << 20, "{cores} cores: {long} bytes");
        assert!(long < short + (1 << 19), "{cores} cores: {short}, then {long} bytes");
    }

    // Damaged ones take no more either, and nothing panics.
    let mut random = 1_u64;
    let mut next = |limit: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut clean = Vec::new();
    let options = generate::Options { size: 6000, cores: 2, seed: 4, loss_every: 90 };
    stream(&options, &mut clean).unwrap();
    for case in 0..200 {
        let mut bytes = clean.clone();
        for _ in 0..1 + next(60) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes[at] ^= 1 << next(8),
                2 => bytes.insert(at, next(256) as u8),
                _ => drop(bytes.remove(at)),
            }
        }
        let peak = all_sinks(&bytes, &[0, 1]);
        assert!(peak < 16 << 20, "case {case}: {peak} bytes");
        let peak = peak_of(|| {
            let input = Input::from_bytes("b", &bytes);
            let _ = dump(&input, Mode::Auto, DumpFormat::Json, std::io::sink());
        });
        assert!(peak < 16 << 20, "case {case}: {peak} bytes for the dump");
    }
}
