//! The second pass of a conversion whose inputs can be read twice.

use super::Summary;
use super::clocks;
use super::driver::Driver;
use super::open::InputTotals;
use super::pass_sink::PassSink;
use crate::error::ConvError;
use crate::excerpt::{Bounds, Watch};
use crate::input::Input;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::{Events, OwnMachine, Sink};
use crate::options::Options;
use crate::scan::Scan;
use crate::sinks::{FinalState, Perfetto, Stats, Trace};

/// The second pass of [`convert`](crate::convert): the first one is over.
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
    /// As [`convert`](crate::convert).
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
        let Self { options, scan, .. } = &self;
        let mut held = PassSink::borrowed(sink);
        if options.has_window() {
            let bounds = Bounds::find(options, scan.full_clock(options.tick_rate))?;
            held = held.within(bounds, scan.outset.cores());
        }
        let (summary, held) = self.run_with(held)?;
        Ok(summary.with_part(held.into_parts().1))
    }

    fn run_with<H: Watch>(self, sink: H) -> Result<(Summary, H), ConvError> {
        let Self { inputs, options, scan } = self;
        let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, Input::core));
        let mut totals = InputTotals::of(&scan, inputs.iter().any(Input::is_aligned));
        let Scan { mut outset, layouts, .. } = scan;
        outset.world.clocks = clocks::of(inputs, &outset.clock(options.tick_rate));
        let sources = Source::open_all(inputs, &layouts, outset.mode(options.mode))?;
        let merge = Merge::new(sources, options.window.unwrap_or(WINDOW)).counting(options.census);
        let names = inputs.iter().map(Input::name).collect();
        let found = Some((layouts.as_slice(), empty));
        let is_stream = |input: usize| inputs.get(input).is_some_and(|it| it.trace().is_some());
        let without_timer = match totals.has_boards {
            true => Vec::new(),
            false => totals.without_timer(&outset, is_stream),
        };
        let (mut driver, opened) = Driver::open((merge, names), outset, found, options, sink)?;
        driver.check_clock((opened, &without_timer), options)?;
        while driver.step().map_err(|halt| halt.of(inputs))?.is_continue() {}
        driver.close(opened, &mut totals, options)?;
        let names = inputs.iter().flat_map(Input::names).map(str::to_owned).collect();
        let files = inputs.iter().map(Input::files).collect();
        let (summary, sink) = driver.into_summary(opened, names, files);
        let (link, sources) = (totals.link, totals.sources);
        Ok((Summary { link, sources, ..summary }, sink))
    }
}
