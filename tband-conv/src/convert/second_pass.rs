//! The second pass of a conversion whose inputs can be read twice.

use super::pass_sink::PassSink;
use super::scanned_inputs::ScannedInputs;
use super::{Summary, clocks};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::input::Input;
use crate::merge::Source;
use crate::model::{Events, OwnMachine, Sink};
use crate::options::Options;
use crate::scan::Scan;
use crate::sinks::{FinalState, Perfetto, Stats, Trace};

/// The second pass of [`convert()`](crate::convert()): the first one is over.
#[derive(Debug)]
pub(crate) struct SecondPass<'p, 'i> {
    inputs: &'p [Input<'i>],
    options: &'p Options,
    scan: Scan,
}

impl<'p, 'i> SecondPass<'p, 'i> {
    /// Of inputs in which the first pass has found this.
    pub const fn new(inputs: &'p [Input<'i>], options: &'p Options, scan: Scan) -> Self {
        Self { inputs, options, scan }
    }

    /// Runs the pass with the state machine that the sink names. Each is compiled here only, once.
    ///
    /// # Errors
    /// As [`convert()`](crate::convert()).
    pub fn run(self, sink: &mut dyn Sink) -> Result<Summary, ConvError> {
        if cfg!(target_family = "wasm") || self.options.has_window() {
            return self.run_shared(sink);
        }
        match sink.own_machine() {
            OwnMachine::Shared => {}
            OwnMachine::Stats(any) => {
                if let Some(stats) = any.downcast_mut::<Stats>() {
                    return self.run_alone(stats);
                }
            }
            OwnMachine::Perfetto(any, out) => {
                if let Some(trace) = any.downcast_mut::<Trace>() {
                    // All kinds of output share one machine.
                    let mut sink = Perfetto::with_trace(std::mem::take(trace), out);
                    let result = self.run_alone(&mut sink);
                    *trace = sink.into_trace();
                    return result;
                }
            }
            OwnMachine::Events(sink) => return self.run_alone(&mut Events::new(sink)),
            OwnMachine::FinalState(at_end) => return self.run_alone(&mut FinalState::new(at_end)),
        }
        self.run_shared(sink)
    }

    fn run_alone<S: Sink>(self, sink: &mut S) -> Result<Summary, ConvError> {
        self.run_with(sink).map(|(summary, _)| summary)
    }

    /// Runs the pass with the state machine that sinks share, complete or within a window.
    fn run_shared(self, sink: &mut dyn Sink) -> Result<Summary, ConvError> {
        let held = PassSink::borrowed(sink).within_options(self.options, &self.scan)?;
        let (summary, held) = self.run_with(held)?;
        Ok(summary.with_part(held.into_parts().1))
    }

    fn run_with<H: Watch>(self, sink: H) -> Result<(Summary, H), ConvError> {
        let Self { inputs, options, mut scan } = self;
        let outset = &mut scan.outset;
        outset.world.clocks = clocks::of(inputs, &outset.clock(options.tick_rate));
        let mode = outset.mode(options.mode);
        let scanned = ScannedInputs {
            sources: Source::open_all(inputs, &scan.layouts, mode)?,
            names: inputs.iter().map(Input::name).collect(),
            empty: scan.empty_inputs(|input| inputs.get(input).map_or(0, Input::core)),
            are_aligned: inputs.iter().any(Input::is_aligned),
        };
        let (mut driver, opened, mut totals) = scanned.open(scan, options, sink)?;
        while driver.step().map_err(|halt| halt.of(inputs))?.is_continue() {}
        driver.close(opened, &mut totals, options)?;
        let names = inputs.iter().flat_map(Input::names).map(str::to_owned).collect();
        let files = inputs.iter().map(Input::files).collect();
        let (summary, sink) = driver.into_summary(opened, names, files);
        let (link, sources) = (totals.link, totals.sources);
        Ok((Summary { link, sources, ..summary }, sink))
    }
}
