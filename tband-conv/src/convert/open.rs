//! How a pass over the events begins and ends: with what is known before the first event, and with what the
//! recording as a whole says.

use std::collections::BTreeSet;
use std::mem;

use super::Run;
use crate::clock::{Known, MAX_NS};
use crate::diagnostics::{Place, Problem};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::frequency::Frequency;
use crate::item::Mode;
use crate::layout::Layout;
use crate::machine::Timeline;
use crate::options::Options;
use crate::outset::Outset;
use crate::timing::Timing;

/// What is kept of the beginning for the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    /// How often the timer counts at the start.
    pub frequency: Frequency,
    known: Known,
}

impl<H: Watch> Run<H> {
    /// Begins with what is known before the first event; if there was a first pass, with what it has found in the inputs,
    /// and what is to be said of those without an event.
    pub fn open(
        mut outset: Outset,
        (layouts, empty): (&[Layout], Vec<(Place, String)>),
        options: &Options,
        sink: H,
    ) -> Result<(Self, Opened), ConvError> {
        let info = outset.world.trace_info;
        // Of nothing there is no main program either.
        let is_bare_metal = (outset.is_bare_metal() || options.mode == Mode::BareMetal)
            && outset.first_ticks().is_some();
        let cores: BTreeSet<u32> = outset.cores().collect();
        let known = outset.known();
        let mut clock = outset.clock(options.tick_rate);
        let frequency = clock.frequency();
        // The first one may be beyond the range; that is reported when it comes.
        outset.world.start_ns = outset.first_ticks().map(|ticks| clock.ns(ticks).unwrap_or(MAX_NS));
        let (first_ticks, first_ns) =
            (outset.first_ticks().unwrap_or(0), outset.world.start_ns.unwrap_or(0));
        let timeline = Timeline::new(mem::take(&mut outset.world))
            .with_deferred(mem::take(&mut outset.deferred))
            .with_flows(options.flows);
        let mut run = Self::new(timeline, sink, Timing::new(clock, first_ticks, first_ns));
        run.timeline.start(&mut *run.sink).map_err(ConvError::Write)?;
        let extents = layouts.iter().map(|layout| layout.extents.as_slice());
        run.look_at_cores(extents, options.core_count, info)?;
        if is_bare_metal {
            let Self { timeline, sink, .. } = &mut run;
            timeline.main_program(first_ns, &cores, &mut **sink).map_err(ConvError::Write)?;
        }
        for (place, text) in empty {
            run.note(Problem::EmptyInput, place, &text)?;
        }
        Ok((run, Opened { frequency, known }))
    }

    /// Says so if nobody knows how often the timer counts.
    pub fn look_at_clock(&mut self, opened: Opened, options: &Options) -> Result<(), ConvError> {
        if opened.known != Known::Nothing || options.tick_rate.is_some() {
            return Ok(());
        }
        self.note(Problem::NoResolution, Place::default(), Problem::NoResolution.title())
    }

    /// Ends with what is wrong with the recording as a whole, of which so many events change no state of the target.
    pub fn close(
        &mut self,
        opened: Opened,
        about: (u64, u64),
        options: &Options,
    ) -> Result<(), ConvError> {
        self.settle_doubt()?;
        if !self.has_enough {
            let has_rate = options.tick_rate.is_some();
            let known = if has_rate { self.timing.clock.known() } else { opened.known };
            self.judge(about, known)?;
        }
        self.timeline.finish(&mut *self.sink).map_err(ConvError::Write)
    }
}
