//! Inputs as commands get them: recordings of another implementation, and random ones that are damaged.

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::{Input, Options, convert};

use crate::random::{Step, damage, damages, split, steps, stream};
use crate::vector;

/// Calls `check` with recordings of another implementation, of one core and of two.
pub fn vectors(check: impl Fn(&[Input<'_>])) {
    for name in ["freertos_sim.bin", "freertos_late_start.bin", "base_only.bin", "truncated.bin"] {
        check(&[Input::from_bytes(name, &vector(name))]);
    }
    let [core0, core1] = ["mc_split.core0.bin", "mc_split.core1.bin"].map(vector);
    check(&[Input::from_bytes("0", &core0).on_core(0), Input::from_bytes("1", &core1).on_core(1)]);
}

/// A random recording of two cores, damaged, in one file or in one a core; and the whole of it or a window.
#[derive(Debug)]
pub struct Random {
    files: Vec<Vec<u8>>,
    options: Options,
}

impl Random {
    /// Calls `check` with what can be converted.
    pub fn check(&self, check: impl Fn(&[Input<'_>], &Options)) {
        let inputs: Vec<_> = (0..)
            .zip(&self.files)
            .map(|(core, file)| Input::from_bytes("r", file).on_core(core))
            .collect();
        if convert(&inputs, &self.options, &mut ()).is_ok() {
            check(&inputs, &self.options);
        }
    }
}

/// Random recordings, of the steps that `keeps` wants.
pub fn random(keeps: fn(&Step) -> bool) -> impl Strategy<Value = Random> {
    let window = prop::option::of((0..20_000_u64, 0..20_000_u64));
    (steps(2), damages(3), any::<bool>(), window).prop_map(
        move |(mut steps, damages, is_split, window)| {
            steps.retain(keeps);
            let mut files = if is_split { split(&steps, 2, 3) } else { vec![stream(&steps, 3)] };
            damage(&mut files[0], &damages);
            let mut options = Options::default();
            if let Some((from, length)) = window {
                options.from = Some(Moment::Ns(from));
                options.to = Some(Moment::Ns(from + length));
            }
            Random { files, options }
        },
    )
}
