//! A first pass over inputs that are fed.

use std::collections::VecDeque;
use std::io;

use super::fed_inputs::{HINT, named};
use super::{Conversion, Step};
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::fed::{Bytes, Fed};
use crate::model::Sink;
use crate::options::Options;
use crate::outset::layout::Layout;
use crate::scan::{MAX_ANEW, OneInput, Scan, needs_changes};

/// Items that are looked at in one step.
const STEP: usize = 4096;

/// A first pass over inputs that are fed, for those who can feed them twice but not wait for a reader: what comes after
/// it is the same as of [`convert`](crate::convert), byte for byte, with a window too. Names that are reported late are
/// known from the start then, and so are the cores.
///
/// ```
/// use tband_conv::{LookAhead, Options, Step, sinks::Stats};
///
/// // Core 0; task 1 runs for 5 ticks of 1 ns, and has its name ("a") after that.
/// let recording = [4, 84, 10, 1, 0, 4, 84, 15, 2, 0, 4, 0x5F, 1, b'a', 0];
/// let mut look = LookAhead::new([("a.bin", 0)], &Options::default())?;
/// loop {
///     assert_eq!(look.feed(0, &recording), recording.len());
///     look.end(0);
///     let step = loop {
///         match look.step()? {
///             Step::More => {}
///             step => break step,
///         }
///     };
///     if step == Step::Done {
///         break;
///     }
/// }
/// let mut conversion = look.convert(Stats::default())?;
/// conversion.feed(0, &recording);
/// let (_, stats) = conversion.finish()?;
/// assert_eq!(stats.tasks().next().map(|task| (&*task.name, task.run_ns)), Some(("a", 5)));
/// # Ok::<(), tband_conv::ConvError>(())
/// ```
///
/// # Memory
/// 64 KiB an input that wait, some 200 KiB for reading each, and what is known of the target.
pub struct LookAhead {
    /// Names, and the cores that events belong to until an input says otherwise.
    inputs: Vec<(String, u32)>,
    options: Options,
    /// Those that have not ended, in their order.
    left: VecDeque<OneInput<Bytes<'static>>>,
    scan: Scan,
    /// How often all were fed.
    times: u32,
    state: State,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Looks,
    Done,
    Failed,
}

impl LookAhead {
    /// A look at inputs as [`Conversion::new`] takes them.
    ///
    /// # Errors
    /// [`ConvError::NoInput`] without an input; [`ConvError::NoSuchCore`] if one is of a core from
    /// [`MAX_CORES`](crate::MAX_CORES) on.
    pub fn new<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
    ) -> Result<Self, ConvError> {
        let inputs = named(inputs)?;
        let (options, scan) = (options.clone(), Scan::default());
        let mut look =
            Self { inputs, options, left: VecDeque::new(), scan, times: 0, state: State::Looks };
        look.begin(&[]);
        Ok(look)
    }

    /// Begins with all inputs, in which this was found before.
    fn begin(&mut self, before: &[Layout]) {
        let (mode, finds_changes) = (self.options.mode, needs_changes(&self.options));
        let of = |(index, &(_, core)): (usize, &(String, u32))| {
            let mut events = EventReader::new(Bytes::Fed(Fed::default()), core, mode)
                .of_format(self.options.input_format);
            if let Some(layout) = before.get(index) {
                events = events.with_schemas(&layout.schemas);
            }
            OneInput::new(index, core, events, finds_changes)
        };
        self.left = self.inputs.iter().enumerate().map(of).collect();
        (self.scan, self.times) = (Scan::default(), self.times.saturating_add(1));
    }

    /// The input that is looked at, by its index; beyond the last one if all have ended.
    fn at(&self) -> usize {
        self.inputs.len().saturating_sub(self.left.len())
    }

    fn fed(&mut self, input: usize) -> Option<&mut Fed> {
        let index = input.checked_sub(self.at())?;
        match self.left.get_mut(index)?.input_mut() {
            Bytes::Fed(fed) => Some(fed),
            Bytes::Read(_) => None,
        }
    }

    /// Adds bytes to an input, by its index. Returns how many of them were taken, as [`Conversion::feed`] does. Inputs
    /// are looked at one after the other, so those after the first are soon full while that has not ended.
    pub fn feed(&mut self, input: usize, bytes: &[u8]) -> usize {
        self.fed(input).map_or(0, |fed| fed.feed(bytes))
    }

    /// An input, by its index, has no more bytes.
    pub fn end(&mut self, input: usize) {
        if let Some(fed) = self.fed(input) {
            fed.end();
        }
    }

    /// Goes on by some thousand events at most. After [`Step::Again`] all inputs are fed once more.
    ///
    /// # Errors
    /// [`ConvError::NotARecording`], or [`ConvError::Empty`] if no input has an event. After that it does not go on:
    /// [`ConvError::Failed`].
    pub fn step(&mut self) -> Result<Step, ConvError> {
        match self.state {
            State::Looks => {}
            State::Done => return Ok(Step::Done),
            State::Failed => return Err(ConvError::Failed),
        }
        let step = self.try_step();
        match step {
            Ok(Step::Done) => self.state = State::Done,
            Ok(_) => {}
            Err(_) => self.state = State::Failed,
        }
        step
    }

    fn try_step(&mut self) -> Result<Step, ConvError> {
        let index = self.at();
        let Some(one) = self.left.front_mut() else { return self.closes() };
        let name = || self.inputs.get(index).map(|(name, _)| name.clone()).unwrap_or_default();
        for _ in 0..STEP {
            match one.step(&mut self.scan) {
                Ok(true) => {}
                Ok(false) => {
                    let Some(one) = self.left.pop_front() else { return Ok(Step::More) };
                    let (credibility, len) = one.close(&mut self.scan);
                    let verdict = credibility.verdict_of(&name(), len, HINT);
                    self.scan.note_verdict(index, len, verdict)?;
                    return Ok(Step::More);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Step::Needs(index));
                }
                Err(source) => return Err(ConvError::Read { input: name(), source }),
            }
        }
        Ok(Step::More)
    }

    /// All inputs have ended.
    fn closes(&mut self) -> Result<Step, ConvError> {
        let first = self.inputs.first().map(|(name, _)| name.clone());
        self.scan.judge_empty(first.unwrap_or_default())?;
        if self.scan.has_late_schemas() && self.times <= MAX_ANEW {
            let layouts = std::mem::take(&mut self.scan.layouts);
            self.begin(&layouts);
            return Ok(Step::Again);
        }
        Ok(Step::Done)
    }

    /// The conversion of these inputs, which are fed to it once more.
    ///
    /// # Errors
    /// [`ConvError::NeedsFirstPass`] before [`Step::Done`]; [`ConvError::EmptyWindow`] if the options name one that ends
    /// before it begins; [`ConvError::Write`] if the sink fails at its start.
    pub fn convert<S: Sink + 'static>(self, sink: S) -> Result<Conversion<S>, ConvError> {
        if self.state != State::Done {
            return Err(ConvError::NeedsFirstPass { what: "this conversion" });
        }
        Conversion::after(self.inputs, self.options, self.scan, sink)
    }
}
