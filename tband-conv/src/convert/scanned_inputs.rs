//! The inputs of a second pass, whether they are opened again or fed again.

use super::driver::Driver;
use super::follow::TimelineStage;
use super::open::{InputTotals, OpeningData};
use crate::diagnostics::Place;
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::merge::{Merge, Source, WINDOW};
use crate::options::Options;
use crate::scan::Scan;

/// A pass that has begun, its opening data, and the totals of its inputs. The pass is in a box because each copy of it on the
/// stack counts where optimisation is off.
type OpenedPass<'r, H> = (Box<Driver<'r, TimelineStage<H>>>, OpeningData, InputTotals);

/// Inputs that the first pass has read, in their order.
pub(super) struct ScannedInputs<'r> {
    pub sources: Vec<Source<'r>>,
    pub names: Vec<String>,
    /// Those, and files joined to others, without an event, with the message for each.
    pub empty: Vec<(Place, String)>,
    /// Their clocks were aligned.
    pub are_aligned: bool,
}

impl<'r> ScannedInputs<'r> {
    /// Begins the second pass over inputs in which the first one has found `scan`.
    ///
    /// # Errors
    /// [`ConvError`] if the timer's frequency is refused, or the sink fails.
    pub fn open<H: Watch>(
        self,
        scan: Scan,
        options: &Options,
        sink: H,
    ) -> Result<OpenedPass<'r, H>, ConvError> {
        let Self { sources, names, empty, are_aligned } = self;
        let of_traces: Vec<bool> = sources.iter().map(|source| source.trace.is_some()).collect();
        let totals = InputTotals::of(&scan, are_aligned);
        let Scan { outset, layouts, .. } = scan;
        let merge = Merge::new(sources, options.window.unwrap_or(WINDOW)).counting(options.census);
        let is_stream = |input: usize| of_traces.get(input).copied().unwrap_or_default();
        let without_timer = match totals.has_boards {
            true => Vec::new(),
            false => totals.without_timer(&outset, is_stream),
        };
        let found = Some((layouts.as_slice(), empty));
        let (driver, opened) = Driver::open((merge, names), outset, found, options, sink)?;
        let mut driver = Box::new(driver);
        driver.check_clock((opened, &without_timer), options)?;
        Ok((driver, opened, totals))
    }
}
