//! A pass that is fed and advances in steps. It does not depend on the type of the sink, so it is compiled once.

use std::ops::ControlFlow;

use super::Summary;
use super::driver::Driver;
use super::fed_inputs::{HINT, named};
use super::follow::TimelineStage;
use super::halt::Halt;
use super::look_ahead::LookAhead;
use super::open::{InputTotals, OpeningData};
use super::pass_sink::PassSink;
use super::scanned_inputs::ScannedInputs;
use super::step::{Progress, Step};
use crate::diagnostics::{Place, Problem};
use crate::error::ConvError;
use crate::input::push_buffer::PushBuffer;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::World;
use crate::options::Options;
use crate::outset::Outset;

/// A [`Conversion`](super::conversion::Conversion), independent of its sink.
pub(super) struct StepwiseConversion {
    inputs: Vec<String>,
    options: Options,
    state: State,
    /// Totals of the inputs, if a first pass has found them.
    ahead: Option<InputTotals>,
    has_failed: bool,
    /// The last step returned [`Step::Done`].
    is_done: bool,
}

/// How far it is.
enum State {
    /// The first pass.
    LooksAhead(Option<(Box<LookAhead>, PassSink<'static>)>),
    /// The start of the inputs is not known yet.
    Begins(Option<(Merge<'static>, PassSink<'static>)>),
    Runs(RunningDriver, OpeningData),
}

impl State {
    fn merge(&mut self) -> Option<&mut Merge<'static>> {
        match self {
            State::LooksAhead(_) => None,
            State::Begins(begins) => begins.as_mut().map(|(merge, _)| merge),
            State::Runs(driver, _) => Some(&mut driver.merge),
        }
    }
}

type RunningDriver = Box<Driver<'static, TimelineStage<PassSink<'static>>>>;

impl StepwiseConversion {
    /// Creates a pass over inputs with these names, whose events belong to these cores until the input reports another one.
    pub fn new<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
        sink: PassSink<'static>,
    ) -> Result<Self, ConvError> {
        let inputs = named(inputs)?;
        if options.has_window() {
            return Err(ConvError::NeedsFirstPass { what: "a window" });
        }
        let of = |(index, (_, core)): (usize, &(String, u32))| {
            Source::fed(index, *core, options.mode, options.is_live).of_format(options.input_format)
        };
        let sources = inputs.iter().enumerate().map(of).collect();
        let merge = Merge::new(sources, options.window.unwrap_or(WINDOW)).counting(options.census);
        let merge = if sink.needs_events() { merge.with_silent() } else { merge };
        let state = State::Begins(Some((merge, sink)));
        let inputs = inputs.into_iter().map(|(name, _)| name).collect();
        Ok(Self::in_state(inputs, options.clone(), state, None))
    }

    /// Creates a first pass over inputs as [`new`](Self::new) has them, and a second one after it.
    pub fn with_first_pass<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
        sink: PassSink<'static>,
    ) -> Result<Self, ConvError> {
        let look = Box::new(LookAhead::new(inputs, options)?);
        let state = State::LooksAhead(Some((look, sink)));
        Ok(Self::in_state(Vec::new(), options.clone(), state, None))
    }

    /// The first pass is over: begins the second one.
    fn begin_second_pass(
        &mut self,
        look: LookAhead,
        sink: PassSink<'static>,
    ) -> Result<(), ConvError> {
        let sources = look.sources();
        let (inputs, scan) = look.into_parts();
        let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, |(_, core)| *core));
        self.inputs = inputs.into_iter().map(|(name, _)| name).collect();
        let inputs =
            ScannedInputs { sources, names: self.inputs.clone(), empty, are_aligned: false };
        let sink = sink.within_options(&self.options, &scan)?;
        let (driver, opened, totals) = inputs.open(scan, &self.options, sink)?;
        self.state = State::Runs(driver, opened);
        self.ahead = Some(totals);
        Ok(())
    }

    fn in_state(
        inputs: Vec<String>,
        options: Options,
        state: State,
        ahead: Option<InputTotals>,
    ) -> Self {
        Self { inputs, options, state, ahead, has_failed: false, is_done: false }
    }

    /// Adds all bytes to the only input and converts as much as they allow. It is for streams, where the arriving bytes alone
    /// bound a step.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn feed_all(&mut self, mut bytes: &[u8]) -> Result<(), ConvError> {
        loop {
            let taken = self.feed(0, bytes);
            bytes = bytes.get(taken..).unwrap_or_default();
            while self.step()? == Step::More {}
            if bytes.is_empty() {
                return Ok(());
            }
        }
    }

    /// Adds bytes to an input, by its index. Returns how many of them were taken: fewer than given if the
    /// input's buffer is full, none if the input has ended or does not exist. Call [`step`](Self::step) until
    /// [`Needs`](Step::Needs) names this input, then add the rest.
    pub fn feed(&mut self, input: usize, bytes: &[u8]) -> usize {
        self.fed(input).map_or(0, |fed| fed.feed(bytes))
    }

    /// An input, by its index, has no more bytes.
    pub fn end(&mut self, input: usize) {
        if let Some(fed) = self.fed(input) {
            fed.end();
        }
    }

    fn fed(&mut self, input: usize) -> Option<&mut PushBuffer> {
        match &mut self.state {
            State::LooksAhead(look) => look.as_mut()?.0.fed(input),
            state => state.merge()?.sources().get_mut(input)?.fed_mut(),
        }
    }

    /// Advances by at most some thousand events.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails; at the end of the inputs [`ConvError::Empty`] or [`ConvError::NotARecording`].
    /// All later calls return [`ConvError::Failed`].
    pub fn step(&mut self) -> Result<Step, ConvError> {
        if self.has_failed {
            return Err(ConvError::Failed);
        }
        if self.is_done {
            return Ok(Step::Done);
        }
        let step = self.try_step();
        self.has_failed = step.is_err();
        self.is_done = matches!(step, Ok(Step::Done));
        step
    }

    fn try_step(&mut self) -> Result<Step, ConvError> {
        if let State::LooksAhead(ahead) = &mut self.state {
            let Some((look, _)) = ahead else { return Err(ConvError::Failed) };
            let step = look.step()?;
            if step != Step::Done {
                return Ok(step);
            }
            let Some((look, sink)) = ahead.take() else { return Err(ConvError::Failed) };
            self.begin_second_pass(*look, sink)?;
            return Ok(Step::Again);
        }
        if let State::Begins(begins) = &mut self.state {
            let Some((merge, _)) = begins else { return Err(ConvError::Failed) };
            if let Err(failed) = merge.read_heads() {
                return self.wait_or_fail(Halt::Read(failed));
            }
            if let Some((merge, sink)) = begins.take() {
                let (mut driver, opened) = self.open(merge, sink)?;
                driver.check_clock((opened, &[]), &self.options)?;
                self.state = State::Runs(driver, opened);
            }
        }
        let State::Runs(driver, _) = &mut self.state else { return Err(ConvError::Failed) };
        match driver.step() {
            Ok(ControlFlow::Continue(())) => Ok(Step::More),
            Ok(ControlFlow::Break(())) => self.judge_inputs().map(|()| Step::Done),
            Err(halt) => self.wait_or_fail(halt),
        }
    }

    /// Turns a lack of fed bytes into a step that waits; everything else is an error.
    fn wait_or_fail(&self, halt: Halt) -> Result<Step, ConvError> {
        match halt {
            Halt::Read(failed) if failed.error.kind() == std::io::ErrorKind::WouldBlock => {
                Ok(Step::Needs(failed.input))
            }
            Halt::Read(failed) => {
                let input = self.inputs.get(failed.input).cloned().unwrap_or_default();
                Err(ConvError::Read { input, source: failed.error })
            }
            Halt::Convert(error) => Err(error),
        }
    }

    /// The start of the inputs is known: begins.
    fn open(
        &self,
        mut merge: Merge<'static>,
        sink: PassSink<'static>,
    ) -> Result<(RunningDriver, OpeningData), ConvError> {
        let mut outset = Outset::default();
        for source in merge.sources() {
            if let Some(head) = source.head() {
                head.add_to(&mut outset);
            }
        }
        let inputs = (merge, self.inputs.clone());
        let (driver, opened) = Driver::open(inputs, outset, None, &self.options, sink)?;
        Ok((Box::new(driver), opened))
    }

    /// Whether the inputs were recordings at all.
    fn judge_inputs(&mut self) -> Result<(), ConvError> {
        // The first pass has found that out.
        if self.ahead.is_some() {
            return Ok(());
        }
        let State::Runs(driver, _) = &mut self.state else { return Ok(()) };
        let (mut empty, mut first_empty) = (Vec::new(), None);
        for (index, source) in driver.merge.sources().iter().enumerate() {
            let Some(credibility) = source.credibility() else { continue };
            let name = self.inputs.get(index).map(String::as_str).unwrap_or_default();
            match credibility.verdict_of(name, source.offset(), HINT) {
                Err(error @ ConvError::Empty { .. }) => {
                    empty.push((index, source.offset()));
                    first_empty.get_or_insert(error);
                }
                verdict => verdict?,
            }
        }
        if empty.len() == self.inputs.len()
            && let Some(error) = first_empty
        {
            return Err(error);
        }
        let extents: Vec<_> = driver.merge.sources().iter().map(|it| it.extents()).collect();
        let extents = extents.iter().map(Vec::as_slice);
        driver.check_cores(extents, self.options.core_count)?;
        for (input, len) in empty {
            let text = format!("no event is here ({len} bytes)");
            driver.note(Problem::EmptyInput, Place { input, offset: 0 }, &text)?;
        }
        Ok(())
    }

    /// Returns the progress.
    pub fn progress(&mut self) -> Progress {
        let last_ns = match &self.state {
            State::Runs(driver, _) => driver.run.timing.last_ns,
            State::LooksAhead(_) | State::Begins(_) => 0,
        };
        let Some(merge) = self.state.merge() else { return Progress::default() };
        let bytes = merge.sources().iter().map(|source| source.offset());
        Progress { bytes: bytes.fold(0, u64::saturating_add), events: merge.events(), last_ns }
    }

    /// Returns the state of the target known so far; `None` before the first event.
    pub fn world(&self) -> Option<&World> {
        match &self.state {
            State::Runs(driver, _) => Some(driver.run.consumer.timeline.world()),
            State::LooksAhead(_) | State::Begins(_) => None,
        }
    }

    /// The sink.
    pub fn sink(&mut self) -> Option<&mut PassSink<'static>> {
        match &mut self.state {
            State::Runs(driver, _) => Some(&mut driver.run.consumer.sink),
            State::LooksAhead(look) => look.as_mut().map(|(_, sink)| sink),
            State::Begins(begins) => begins.as_mut().map(|(_, sink)| sink),
        }
    }

    /// Ends all inputs, converts the rest and closes the sink.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn finish(mut self) -> Result<(Summary, PassSink<'static>), ConvError> {
        self.needs_second_pass()?;
        for input in 0..self.inputs.len() {
            self.end(input);
        }
        while self.step()? != Step::Done {}
        self.close()
    }

    /// Discards everything not yet converted and closes the sink: it has all reports so far, and the recording looks as if it
    /// ended there. Faults of the recording as a whole are not judged. To leave the output incomplete, drop the conversion
    /// instead: then the sink receives nothing more.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails, [`ConvError::Failed`] if it has failed before.
    pub fn cancel(mut self) -> Result<(Summary, PassSink<'static>), ConvError> {
        if self.has_failed {
            return Err(ConvError::Failed);
        }
        self.needs_second_pass()?;
        if let State::Begins(begins) = &mut self.state
            && let Some((merge, sink)) = begins.take()
        {
            let (driver, opened) = self.open(merge, sink)?;
            self.state = State::Runs(driver, opened);
        }
        if let State::Runs(driver, _) = &mut self.state {
            driver.run.has_enough = true;
        }
        self.close()
    }

    /// Fails during the first pass.
    const fn needs_second_pass(&self) -> Result<(), ConvError> {
        match self.state {
            State::LooksAhead(_) if !self.has_failed => {
                Err(ConvError::NeedsFirstPass { what: "the end of the conversion" })
            }
            _ => Ok(()),
        }
    }

    fn close(self) -> Result<(Summary, PassSink<'static>), ConvError> {
        let State::Runs(mut driver, opened) = self.state else { return Err(ConvError::Failed) };
        let mut totals = self.ahead.unwrap_or_else(|| followed(&mut driver.merge));
        driver.close(opened, &mut totals, &self.options)?;
        let files = self.inputs.iter().map(|name| vec![(name.clone(), 0)]).collect();
        let (summary, sink) = driver.into_summary(opened, self.inputs, files);
        Ok((Summary { link: totals.link, sources: totals.sources, ..summary }, sink))
    }
}

/// Returns the totals of the inputs, as far as they were read.
fn followed(merge: &mut Merge<'_>) -> InputTotals {
    let mut totals = InputTotals::default();
    for source in merge.sources() {
        if let Some(head) = source.head() {
            let (about, core_ids) = head.about();
            totals.about = totals.about.saturating_add(about);
            totals.core_ids = totals.core_ids.saturating_add(core_ids);
        }
        if let Some(about) = source.about() {
            totals.sources.push((totals.firsts.len(), about));
        }
        if let Some(link) = source.link() {
            totals.link.get_or_insert_default().add(&link);
        }
        totals.firsts.push(source.first_packets());
    }
    totals
}
