//! A conversion needs little stack, in a build without optimisation too: it runs in threads of 2 MiB, in those
//! of other systems, which are smaller, and in browsers.

use std::thread;

use tband_conv::clock::moment::Moment;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::model::Flows;
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{Input, Options, convert};
use tband_recordings::vector;

/// In bytes; a thread has 2 MiB. Without optimisation every copy of a value takes separate stack space.
const STACK: usize = 768 << 10;

fn with_little_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

fn all_sinks(inputs: &[Input<'_>], options: &Options) {
    let text = TimelineText::new(Vec::new()).detailed();
    let mut sinks = (text, (Perfetto::new(Vec::new()), Stats::default()));
    let summary = convert(inputs, options, &mut sinks).unwrap();
    assert_ne!(summary.events, 0);
    convert(inputs, options, &mut Stats::default()).unwrap();
}

#[test]
fn one_core_needs_little() {
    with_little_stack(|| {
        let bytes = vector("freertos_sim.bin");
        all_sinks(&[Input::from_bytes("r", &bytes)], &Options::default());
    });
}

#[test]
fn several_cores_and_a_window_need_little() {
    with_little_stack(|| {
        let (core0, core1) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
        let inputs = [(0, &core0), (1, &core1)]
            .map(|(core, bytes)| Input::from_bytes("r", bytes).on_core(core));
        let mut options = Options::default();
        options.flows = Flows::All;
        all_sinks(&inputs, &options);
        options.from = Some(Moment::Ns(1));
        all_sinks(&inputs, &options);
    });
}

#[test]
fn a_dump_needs_little() {
    with_little_stack(|| {
        let bytes = vector("freertos_sim.bin");
        for format in [DumpFormat::Text, DumpFormat::Json] {
            let input = Input::from_bytes("r", &bytes);
            dump(&[input], DumpOptions::of(format), Vec::new()).unwrap();
        }
    });
}
