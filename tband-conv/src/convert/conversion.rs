//! A conversion that is fed and goes on step by step.

use std::marker::PhantomData;

use super::Summary;
use super::held::Held;
use super::stepwise::{Progress, Step, Stepwise};
use crate::error::ConvError;
use crate::model::{Sink, World};
use crate::options::Options;
use crate::scan::Scan;

/// A conversion that is fed with the bytes of its inputs, in pieces of any size, and goes on step by step: for
/// recordings that are still being made, and for programs that must not wait.
///
/// Inputs may be fed in any order. Pieces, their order and the steps between them make no difference to what the
/// sink gets.
///
/// ```
/// use tband_conv::{Conversion, Options, Step, sinks::Stats};
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
    pass: Stepwise,
    /// What its [`Held`] holds.
    sink: PhantomData<S>,
}

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
        Ok(Self::of(Stepwise::new(inputs, options, Held::owned(sink))?))
    }

    /// After a first pass over the inputs.
    pub(super) fn after(
        inputs: Vec<(String, u32)>,
        options: Options,
        scan: Scan,
        sink: S,
    ) -> Result<Self, ConvError> {
        Ok(Self::of(Stepwise::after(inputs, options, scan, Held::owned(sink))?))
    }

    const fn of(pass: Stepwise) -> Self {
        Self { pass, sink: PhantomData }
    }

    /// Adds all bytes to the only input and converts as much as they allow: for streams, where a step is not bounded by
    /// more than what came.
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

    /// Goes on by some thousand events at most.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails; at the end of the inputs [`ConvError::Empty`] or
    /// [`ConvError::NotARecording`]. After that it does not go on: [`ConvError::Failed`].
    pub fn step(&mut self) -> Result<Step, ConvError> {
        self.pass.step()
    }

    /// How far it has come.
    pub fn progress(&mut self) -> Progress {
        self.pass.progress()
    }

    /// What is known of the target by now; `None` before the first event.
    pub fn world(&self) -> Option<&World> {
        self.pass.world()
    }

    /// The sink.
    pub fn sink(&mut self) -> Option<&mut S> {
        self.pass.sink()?.get()
    }

    /// Ends all inputs, converts what is left and closes the sink.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn finish(self) -> Result<(Summary, S), ConvError> {
        summed_up(self.pass.finish()?)
    }

    /// Leaves out what was not converted yet, and closes the sink: it has what was reported so far, and the recording
    /// looks as if it ended there. What is wrong with a recording as a whole is not judged. To leave the output
    /// incomplete drop the conversion instead: then the sink gets nothing more.
    ///
    /// # Errors
    /// [`ConvError::Write`] if the sink fails, [`ConvError::Failed`] if it has failed before.
    pub fn cancel(self) -> Result<(Summary, S), ConvError> {
        summed_up(self.pass.cancel()?)
    }
}

/// What a pass has come to, with the sink, which is of the kind that it was made of.
fn summed_up<S: Sink + 'static>(
    (summary, held): (Summary, Held<'static>),
) -> Result<(Summary, S), ConvError> {
    let (sink, part) = held.into_parts();
    Ok((summary.of_part(part), sink.into_inner().ok_or(ConvError::Failed)?))
}
