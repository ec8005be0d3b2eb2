//! A conversion that is fed and goes on step by step.

use std::marker::PhantomData;

use super::Summary;
use super::driver::Driver;
use super::fed_inputs::{HINT, named};
use super::follow::Follow;
use super::halt::Halt;
use super::held::Held;
use super::open::{About, Opened};
use crate::diagnostics::{Place, Problem};
use crate::error::ConvError;
use crate::excerpt::Bounds;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::{Sink, World};
use crate::options::Options;
use crate::outset::Outset;
use crate::packets::Link;
use crate::scan::Scan;

/// What a conversion has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// There is more to do with what was fed: call [`step`](Conversion::step) again.
    More,
    /// It goes on when this input, by its index, is fed or ended.
    Needs(usize),
    /// Of a [`LookAhead`](crate::LookAhead) only: the inputs say late what some of their events are, so feed all of them
    /// once more, from their first bytes on.
    Again,
    /// All inputs have ended, and all they hold was converted; or what comes is after the window.
    Done,
}

/// How far a conversion has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes that were read, of all inputs together. What is fed and not yet read does not count.
    pub bytes: u64,
    /// Events that were read, metadata included.
    pub events: u64,
    /// Time of the last event that was reported, in ns.
    pub last_ns: i64,
}

/// A conversion that is fed with the bytes of its inputs, in pieces of any size, and goes on step by step: for
/// recordings that are still being made, and for programs that must not wait.
///
/// Inputs may be fed in any order. Pieces, their order and the steps between them make no difference to what the
/// sink gets.
///
/// ```
/// use tband_conv::{Conversion, Options, Step, sinks::Stats};
///
/// // Core 0; task 1 (named "a") runs for 5 ticks of 1 ns.
/// let recording = [4, 0x5F, 1, b'a', 0, 4, 84, 10, 1, 0, 4, 84, 15, 2, 0];
/// let mut conversion = Conversion::new([("live", 0)], &Options::default(), Stats::default())?;
/// for piece in recording.chunks(4) {
///     let mut rest = piece;
///     while !rest.is_empty() {
///         rest = &rest[conversion.feed(0, rest)..];
///         while conversion.step()? == Step::More {}
///     }
/// }
/// let (summary, stats) = conversion.finish()?;
/// assert!(summary.diagnostics.is_clean());
/// assert_eq!(stats.tasks().next().map(|task| task.run_ns), Some(5));
/// # Ok::<(), tband_conv::ConvError>(())
/// ```
///
/// # What a first pass would know
/// [`convert`](crate::convert) reads everything twice and so knows things before they come; who can feed everything twice
/// gets the same by a [`LookAhead`](crate::LookAhead). Without it nothing is read twice. What every input has reported before the first two events of its cores is known at the start, as there: with
/// recordings whose names come first, as in streams, and whose cores are announced there or have inputs of their
/// own, there is one difference. Of events that several cores have at one time the order is sought among those
/// that are read by then. Where cores share an input a first pass knows after which byte none of a core's events
/// comes; here that is known at the end only, so that more is read before an event is reported. If an event with a stray timestamp
/// far later is put right to a time that other cores have too, those of that time may come in another order, and
/// findings about them may be others.
///
/// Otherwise, too:
///
/// - What an object is called, and whether a task is idle, is known from where it is reported on.
/// - How often the timer counts is known from where it is reported on. Times before that stay what they were.
/// - A core that shows in the middle of an input others have had for themselves is put in order from there on, so
///   its events may be earlier than what was reported; if one is earlier than all of that, the recording begins with it
///   ([`Sink::starts_earlier`]). If the target was restarted before that, so was its clock.
/// - That recording was stopped and started again is noticed where the stream begins with `core_id`, at time 0
///   for a core that had events, and `trace_info` or `ts_resolution_ns` after that, as streams do. What a stream
///   then reports names concerns what comes after that. What follows a `core_id` is reported when the next event has
///   come.
/// - [`Mode::Auto`](crate::Mode::Auto) is taken for all events. The main program is shown if the
///   recording says at its start that there is no RTOS, on the cores that are known by then.
/// - Cores that should not be, inputs without an event, and inputs that are no recording are reported at the end.
/// - A window ([`Options::from`], [`Options::to`]) is refused, since where it lies may depend on what comes.
///
/// # Memory
/// Beside what the sink keeps and what is known of the target: 64 KiB an input that wait, some 200 KiB for
/// reading each, and the window of the options for cores that share an input, or 1 MiB if that is more as long as
/// what it begins with is not known. It does not grow with the recording.
pub struct Conversion<S: Sink + 'static> {
    inputs: Vec<String>,
    options: Options,
    state: State,
    /// Events that change no state, and what came over the link, if a first pass has found it out.
    ahead: Option<(About, Option<Link>)>,
    has_failed: bool,
    /// It has come to [`Step::Done`].
    is_done: bool,
    /// What [`Held`] holds.
    sink: PhantomData<S>,
}

/// How far it is.
enum State {
    /// What the inputs begin with is not known yet.
    Begins(Option<(Merge<'static>, Held)>),
    Runs(Running, Opened),
}

type Running = Box<Driver<'static, Follow<Held>>>;

impl<S: Sink + 'static> Conversion<S> {
    /// A conversion of inputs with these names, for messages, and the cores that their events belong to until they
    /// say otherwise. Bytes are those that the target recorded; who has them as text or compressed decodes them
    /// before ([`HexReader`](crate::HexReader), [`Base64Reader`](crate::Base64Reader)).
    ///
    /// # Errors
    /// [`ConvError::NoInput`] without an input; [`ConvError::NoSuchCore`] if one is of a core from
    /// [`MAX_CORES`](crate::MAX_CORES) on; [`ConvError::NeedsFirstPass`] if the options name a window.
    pub fn new<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
        sink: S,
    ) -> Result<Self, ConvError> {
        if options.from.is_some() || options.to.is_some() {
            return Err(ConvError::NeedsFirstPass { what: "a window" });
        }
        let inputs = named(inputs)?;
        let of =
            |(index, (_, core)): (usize, &(String, u32))| Source::fed(index, *core, options.mode);
        let sources = inputs.iter().enumerate().map(of).collect();
        let merge = Merge::new(sources, options.window.unwrap_or(WINDOW));
        let merge = if sink.wants_events() { merge.with_silent() } else { merge };
        let state = State::Begins(Some((merge, Held::new(sink))));
        let inputs = inputs.into_iter().map(|(name, _)| name).collect();
        Ok(Self::in_state(inputs, options.clone(), state, None))
    }

    /// After a first pass over the inputs.
    pub(super) fn after(
        inputs: Vec<(String, u32)>,
        options: Options,
        scan: Scan,
        sink: S,
    ) -> Result<Self, ConvError> {
        let held = if options.from.is_some() || options.to.is_some() {
            let bounds = Bounds::find(&options, scan.clock_to_the_end(options.tick_rate))?;
            Held::within(sink, bounds, scan.outset.cores())
        } else {
            Held::new(sink)
        };
        let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, |(_, core)| *core));
        let Scan { outset, layouts, about, core_ids, link, .. } = scan;
        let mode = outset.mode(options.mode);
        let of = |((_, core), layout): (&(String, u32), _)| Source::fed_again(*core, mode, layout);
        let sources = inputs.iter().zip(&layouts).map(of).collect();
        let merge = Merge::new(sources, options.window.unwrap_or(WINDOW));
        let names: Vec<String> = inputs.into_iter().map(|(name, _)| name).collect();
        let found = Some((layouts.as_slice(), empty));
        let inputs = (merge, names.clone());
        let (mut driver, opened) = Driver::open(inputs, outset, found, &options, held)?;
        driver.look_at_clock(opened, &options)?;
        let state = State::Runs(Box::new(driver), opened);
        Ok(Self::in_state(names, options, state, Some(((about, core_ids), link))))
    }

    fn in_state(
        inputs: Vec<String>,
        options: Options,
        state: State,
        ahead: Option<(About, Option<Link>)>,
    ) -> Self {
        let (has_failed, is_done, sink) = (false, false, PhantomData);
        Self { inputs, options, state, ahead, has_failed, is_done, sink }
    }

    /// Adds all bytes to the only input and converts as much as they allow: for streams, where a step is not bounded by
    /// more than what came.
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
        let fed = self.merge().and_then(|merge| merge.sources().get_mut(input)?.fed_mut());
        fed.map_or(0, |fed| fed.feed(bytes))
    }

    /// An input, by its index, has no more bytes.
    pub fn end(&mut self, input: usize) {
        let fed = self.merge().and_then(|merge| merge.sources().get_mut(input)?.fed_mut());
        if let Some(fed) = fed {
            fed.end();
        }
    }

    /// Goes on by some thousand events at most.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails; at the end of the inputs [`ConvError::Empty`] or
    /// [`ConvError::NotARecording`]. After that it does not go on: [`ConvError::Failed`].
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
        if let State::Begins(begins) = &mut self.state {
            let Some((merge, _)) = begins else { return Err(ConvError::Failed) };
            if let Err(failed) = merge.read_heads() {
                return self.waits(Halt::Read(failed));
            }
            if let Some((merge, sink)) = begins.take() {
                let (mut driver, opened) = self.open(merge, sink)?;
                driver.look_at_clock(opened, &self.options)?;
                self.state = State::Runs(driver, opened);
            }
        }
        let State::Runs(driver, _) = &mut self.state else { return Err(ConvError::Failed) };
        match driver.step() {
            Ok(true) => Ok(Step::More),
            Ok(false) => self.judge_inputs().map(|()| Step::Done),
            Err(halt) => self.waits(halt),
        }
    }

    /// Only the end of what was fed is waited for.
    fn waits(&self, halt: Halt) -> Result<Step, ConvError> {
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

    /// What the inputs begin with is known.
    fn open(&self, mut merge: Merge<'static>, sink: Held) -> Result<(Running, Opened), ConvError> {
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
        let info = driver.run.consumer.timeline.world().trace_info;
        let extents = extents.iter().map(Vec::as_slice);
        driver.look_at_cores(extents, self.options.core_count, info)?;
        for (input, len) in empty {
            let text = format!("no event is here ({len} bytes)");
            driver.note(Problem::EmptyInput, Place { input, offset: 0 }, &text)?;
        }
        Ok(())
    }

    /// How far it has come.
    pub fn progress(&mut self) -> Progress {
        let last_ns = match &self.state {
            State::Runs(driver, _) => driver.run.timing.last_ns,
            State::Begins(_) => 0,
        };
        let Some(merge) = self.merge() else { return Progress::default() };
        let bytes = merge.sources().iter().map(|source| source.offset());
        Progress { bytes: bytes.fold(0, u64::saturating_add), events: merge.events(), last_ns }
    }

    /// What is known of the target by now; `None` before the first event.
    pub fn world(&self) -> Option<&World> {
        match &self.state {
            State::Runs(driver, _) => Some(driver.run.consumer.timeline.world()),
            State::Begins(_) => None,
        }
    }

    /// The sink.
    pub fn sink(&mut self) -> Option<&mut S> {
        match &mut self.state {
            State::Runs(driver, _) => driver.run.consumer.sink.get(),
            State::Begins(begins) => begins.as_mut().and_then(|(_, sink)| sink.get()),
        }
    }

    /// Ends all inputs, converts what is left and closes the sink.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn finish(mut self) -> Result<(Summary, S), ConvError> {
        for input in 0..self.inputs.len() {
            self.end(input);
        }
        while self.step()? != Step::Done {}
        self.close()
    }

    /// Leaves out what was not converted yet, and closes the sink: it has what was reported so far, and the recording
    /// looks as if it ended there. What is wrong with a recording as a whole is not judged. To leave the output
    /// incomplete drop the conversion instead: then the sink gets nothing more.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails, [`ConvError::Failed`] if it has failed before.
    pub fn cancel(mut self) -> Result<(Summary, S), ConvError> {
        if self.has_failed {
            return Err(ConvError::Failed);
        }
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

    fn close(self) -> Result<(Summary, S), ConvError> {
        let State::Runs(mut driver, opened) = self.state else { return Err(ConvError::Failed) };
        let (about, link) = self.ahead.unwrap_or_else(|| followed(&mut driver.merge));
        driver.close(opened, about, &self.options)?;
        let files = self.inputs.iter().map(|name| vec![(name.clone(), 0)]).collect();
        let (summary, sink) = driver.into_summary(opened, self.inputs, files);
        let summary = Summary { link, ..summary };
        // It is of the kind that it was made of.
        match sink.into_inner().ok_or(ConvError::Failed)? {
            (sink, None) => Ok((summary, sink)),
            (sink, Some((part, diagnostics))) => {
                Ok((Summary { part: Some(part), diagnostics, ..summary }, sink))
            }
        }
    }

    fn merge(&mut self) -> Option<&mut Merge<'static>> {
        match &mut self.state {
            State::Begins(begins) => begins.as_mut().map(|(merge, _)| merge),
            State::Runs(driver, _) => Some(&mut driver.merge),
        }
    }
}

/// Events that change no state, and what came over the link, as far as inputs were read.
fn followed(merge: &mut Merge<'_>) -> (About, Option<Link>) {
    let heads = merge.sources().iter_mut().filter_map(|source| source.head());
    let about = heads.fold((0_u64, 0_u64), |(about, core_ids), head| {
        let (more, more_ids) = head.about();
        (about.saturating_add(more), core_ids.saturating_add(more_ids))
    });
    let mut link = None;
    for more in merge.sources().iter().filter_map(|source| source.link()) {
        Link::add(link.get_or_insert_default(), &more);
    }
    (about, link)
}
