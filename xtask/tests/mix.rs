//! The generated recordings for benchmarks and tests have the promised mix of events, from start to end.

use xtask::generate::mix::Mix;
use xtask::generate::{Options, stream};

fn mix(options: &Options) -> Mix {
    let mut bytes = Vec::new();
    stream(options, &mut bytes).unwrap();
    Mix::of(bytes.as_slice(), bytes.len() as u64).unwrap()
}

/// In each tenth of any recording the shares are those promised, and all ten tasks of each core run.
#[test]
fn the_mix_holds_in_every_tenth() {
    // Of a short one the creation of objects is a good part of the first tenth.
    let sizes = [(100_000, 0.04, 8), (300_000, 0.02, 4), (3_000_000, 0.005, 2)];
    for (size, tolerance, seeds) in sizes {
        for seed in 1..=seeds {
            for cores in [1, 2, 5] {
                for loss_every in [0, 5_000] {
                    let options = Options { size, cores, seed, loss_every, ..Default::default() };
                    // Each core creates its own objects.
                    let tolerance = tolerance * f64::from(cores);
                    let mix = mix(&options);
                    let deviation = mix.deviation(tolerance);
                    assert!(deviation.is_none(), "{options:?}: {deviation:?}\n{mix}");
                    for part in mix.parts() {
                        assert!(part.events() * 10 > size / 20, "{options:?}\n{mix}");
                        // Long enough for each to have its turn.
                        if part.events() > 3000 * u64::from(cores) {
                            assert_eq!(part.tasks(), 10 * cores as usize, "{options:?}\n{mix}");
                        }
                    }
                }
            }
        }
    }
}

/// Losses are rare: some, and far below a hundredth.
#[test]
fn losses_are_spread_over_a_recording() {
    let mix = mix(&Options { size: 3_000_000, loss_every: 5_000, ..Options::default() });
    for part in mix.parts() {
        assert!((1..part.events() / 100).contains(&part.lost()), "{mix}");
    }
}

/// The check finds the fault that it is for: a recording of one kind of event only.
#[test]
fn a_mix_that_degenerates_is_found() {
    let mut bytes = Vec::new();
    stream(&Options::default(), &mut bytes).unwrap();
    let enter_and_exit = [4, 4, 10, 3, 0, 4, 5, 10, 3, 0];
    while bytes.len() < 300_000 {
        bytes.extend(enter_and_exit);
    }
    let mix = Mix::of(bytes.as_slice(), bytes.len() as u64).unwrap();
    let (tenth, _, _) = mix.deviation(0.1).unwrap();
    assert!(tenth >= 3, "{mix}");
}
