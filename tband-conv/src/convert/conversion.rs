//! A conversion that is fed with bytes and advances in steps.

use std::marker::PhantomData;

use super::Summary;
use super::pass_sink::PassSink;
use super::step::{Progress, Step};
use super::stepwise::StepwiseConversion;
use crate::error::ConvError;
use crate::model::{Sink, World};
use crate::options::Options;

/// A conversion that is fed with the bytes of its inputs, in pieces of any size, and advances in steps. It suits recordings
/// that are still growing, and programs that must not block.
///
/// Inputs may be fed in any order. Pieces, their order and the steps between them make no difference to what the sink gets.
///
/// ```
/// use tband_conv::convert::step::Step;
/// use tband_conv::{Conversion, Options};
/// use tband_conv::sinks::Stats;
///
/// // Core 0; a tick is 1 ns; task 1 (named "a") runs for 5 ticks.
/// let recording =
///     [3, 2, 1, 0, 4, 0x5F, 1, b'a', 0, 4, 84, 10, 1, 0, 4, 84, 15, 2, 0];
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
/// [`convert()`](crate::convert()) reads everything twice and so knows names and cores in advance; a caller that can feed
/// everything twice gets the same result [with a first pass](Self::with_first_pass). Without it nothing is read twice. Everything
/// that the inputs have reported before the first two events of their cores is known at the start, as with `convert`. If names
/// come first, as in streams, and the cores are announced there or have their own inputs, there is one difference: the order of
/// simultaneous events of several cores is sought only among the events that are read by then. Where cores share an input, a
/// first pass knows the byte after which a core has no events. A conversion knows this only at the end, so it reads more before
/// it reports an event. If the repair moves an event with a stray, far later timestamp to a time that other cores also have,
/// then the events of that time may come in another order, with other findings.
///
/// Otherwise there are more differences:
///
/// - The name of an object, and whether a task is idle, are known only after they are reported.
/// - The timer's frequency is known only after it is reported. Times before that do not change.
/// - If a core first appears in the middle of an input that other cores had for themselves, it is put in order from there. Its
///   events may be earlier than reported ones; if one is earlier than all of that, the recording begins with it
///   ([`Sink::start_earlier`]). If the target was restarted before that, so was its clock.
/// - A stop and restart of the recording is noticed where the stream begins with `core_id`, at time 0 for a core that had
///   events, followed by `trace_info` or `ts_resolution_ns`, as in every stream. Names that such a stream reports apply to
///   later events. Items after a `core_id` are reported after the next event.
/// - [`Mode::Auto`](crate::item::Mode::Auto) applies to all events. The main program is shown if the recording's start reports a
///   target without an RTOS, on the cores that are known by then.
/// - Unexpected cores, inputs without an event, and inputs that are not a recording are reported at the end.
/// - A window ([`Options::from`], [`Options::to`]) is refused, because its position may depend on later events.
///
/// # Memory
/// In addition to the sink's data and the known state of the target: 64 KiB of pending bytes per input, about 200 KiB to read
/// each input, and the window of the options for cores that share an input, or at least 1 MiB until the start of the recording
/// is known. Memory does not grow with the recording.
pub struct Conversion<S: Sink + 'static> {
    pass: StepwiseConversion,
    /// Type of the sink in its [`PassSink`].
    sink: PhantomData<S>,
}

impl<S: Sink + 'static> Conversion<S> {
    /// Creates a conversion of inputs with these names, which messages use, and the cores that their events belong to until the
    /// input reports another one. The bytes are those that the target recorded; the caller decodes text or compressed data
    /// first ([`HexReader`](crate::encoding::HexReader), [`Base64Reader`](crate::encoding::Base64Reader)).
    ///
    /// # Errors
    /// [`ConvError::NoInput`] without an input; [`ConvError::NoSuchCore`] if the core of an input is
    /// [`MAX_CORES`](crate::cores::MAX_CORES) or above; [`ConvError::NeedsFirstPass`] if the options name a window.
    pub fn new<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
        sink: S,
    ) -> Result<Self, ConvError> {
        Ok(Self::of(StepwiseConversion::new(inputs, options, PassSink::owned(sink))?))
    }

    /// Creates a conversion of inputs that are fed twice. It gives the same output as [`convert()`](crate::convert()), byte for byte:
    /// names that are reported late, and the cores, are known from the start, and a window is allowed. When
    /// [`step`](Self::step) returns [`Step::Again`], all inputs are fed again from their first bytes.
    ///
    /// ```
    /// use tband_conv::convert::step::Step;
    /// use tband_conv::{Conversion, Options};
    /// use tband_conv::sinks::Stats;
    ///
    /// // Core 0; task 1 runs for 5 ticks of 1 ns, and has its name ("a") after that.
    /// let recording = [4, 84, 10, 1, 0, 4, 84, 15, 2, 0, 4, 0x5F, 1, b'a', 0];
    /// let inputs = [("a.bin", 0)];
    /// let mut conversion = Conversion::with_first_pass(inputs, &Options::default(), Stats::default())?;
    /// let mut step = Step::Again;
    /// while step != Step::Done {
    ///     if step == Step::Again {
    ///         conversion.feed(0, &recording);
    ///         conversion.end(0);
    ///     }
    ///     step = conversion.step()?;
    /// }
    /// let (_, stats) = conversion.finish()?;
    /// assert_eq!(stats.tasks().next().map(|task| (&*task.name, task.run_ns)), Some(("a", 5)));
    /// # Ok::<(), tband_conv::ConvError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), except that a window is no error.
    pub fn with_first_pass<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
        sink: S,
    ) -> Result<Self, ConvError> {
        let sink = PassSink::owned(sink);
        Ok(Self::of(StepwiseConversion::with_first_pass(inputs, options, sink)?))
    }

    const fn of(pass: StepwiseConversion) -> Self {
        Self { pass, sink: PhantomData }
    }

    /// Adds all bytes to the only input and converts as much as they allow. It is for streams, where the arriving bytes alone
    /// bound a step.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn feed_all(&mut self, bytes: &[u8]) -> Result<(), ConvError> {
        self.pass.feed_all(bytes)
    }

    /// Adds bytes to an input, by its index. Returns how many of them were taken: fewer than given if the
    /// input's buffer is full, none if the input has ended or does not exist. Call [`step`](Self::step) until
    /// [`Needs`](Step::Needs) names this input, then add the rest.
    pub fn feed(&mut self, input: usize, bytes: &[u8]) -> usize {
        self.pass.feed(input, bytes)
    }

    /// An input, by its index, has no more bytes.
    pub fn end(&mut self, input: usize) {
        self.pass.end(input);
    }

    /// Advances by at most some thousand events.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails; at the end of the inputs [`ConvError::Empty`] or [`ConvError::NotARecording`].
    /// All later calls return [`ConvError::Failed`].
    pub fn step(&mut self) -> Result<Step, ConvError> {
        self.pass.step()
    }

    /// Returns the progress; nothing during a first pass.
    pub fn progress(&mut self) -> Progress {
        self.pass.progress()
    }

    /// Returns the state of the target known so far; `None` before the first event.
    pub fn world(&self) -> Option<&World> {
        self.pass.world()
    }

    /// The sink.
    pub fn sink(&mut self) -> Option<&mut S> {
        self.pass.sink()?.get()
    }

    /// Ends all inputs, converts the rest and closes the sink.
    ///
    /// # Errors
    /// As for [`step`](Self::step); [`ConvError::NeedsFirstPass`] before the end of a first pass.
    pub fn finish(self) -> Result<(Summary, S), ConvError> {
        summed_up(self.pass.finish()?)
    }

    /// Discards everything not yet converted and closes the sink: it has all reports so far, and the recording looks as if it
    /// ended there. Faults of the recording as a whole are not judged. To leave the output incomplete, drop the conversion
    /// instead: then the sink receives nothing more.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails, [`ConvError::Failed`] if it has failed before; [`ConvError::NeedsFirstPass`]
    /// before the end of a first pass.
    pub fn cancel(self) -> Result<(Summary, S), ConvError> {
        summed_up(self.pass.cancel()?)
    }
}

/// Returns the summary of a pass, with the sink in the type that it was created from.
fn summed_up<S: Sink + 'static>(
    (summary, held): (Summary, PassSink<'static>),
) -> Result<(Summary, S), ConvError> {
    let (sink, part) = held.into_parts();
    Ok((summary.with_part(part), sink.into_inner().ok_or(ConvError::Failed)?))
}
