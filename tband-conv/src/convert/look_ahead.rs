//! A first pass over inputs that are fed.

use std::collections::VecDeque;
use std::io;

use super::fed_inputs::{HINT, named};
use super::{Conversion, Step};
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::push_buffer::{Bytes, PushBuffer};
use crate::model::Sink;
use crate::options::Options;
use crate::outset::layout::Layout;
use crate::scan::{InputScan, MAX_RESCANS, Scan, needs_changes};

/// Items that are examined in one step.
const STEP: usize = 4096;

/// A first pass over inputs that are fed, for callers that can feed them twice but cannot block on a reader. The conversion
/// after it gives the same output as [`convert`](crate::convert), byte for byte, also with a window. Names that are reported
/// late, and the cores, are then known from the start.
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
/// 64 KiB of pending bytes per input, about 200 KiB to read each input, and the known state of the target.
pub struct LookAhead {
    /// Names, and the cores that events belong to until an input reports another one.
    inputs: Vec<(String, u32)>,
    options: Options,
    /// Those that have not ended, in their order.
    left: VecDeque<InputScan<Bytes<'static>>>,
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
    /// Creates a first pass over inputs in the form of [`Conversion::new`].
    ///
    /// # Errors
    /// [`ConvError::NoInput`] without an input; [`ConvError::NoSuchCore`] if the core of an input is
    /// [`MAX_CORES`](crate::MAX_CORES) or above.
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

    /// Begins with all inputs, for which the earlier pass found these layouts.
    fn begin(&mut self, before: &[Layout]) {
        let (mode, finds_changes) = (self.options.mode, needs_changes(&self.options));
        let of = |(index, &(_, core)): (usize, &(String, u32))| {
            let mut events = EventReader::new(Bytes::Fed(PushBuffer::default()), core, mode)
                .of_format(self.options.input_format);
            if let Some(layout) = before.get(index) {
                events = events.with_schemas(&layout.schemas);
            }
            InputScan::new(index, core, events, finds_changes)
        };
        self.left = self.inputs.iter().enumerate().map(of).collect();
        (self.scan, self.times) = (Scan::default(), self.times.saturating_add(1));
    }

    /// Returns the index of the current input; beyond the last one if all have ended.
    fn input_index(&self) -> usize {
        self.inputs.len().saturating_sub(self.left.len())
    }

    fn fed(&mut self, input: usize) -> Option<&mut PushBuffer> {
        let index = input.checked_sub(self.input_index())?;
        match self.left.get_mut(index)?.input_mut() {
            Bytes::Fed(fed) => Some(fed),
            Bytes::Read(_) => None,
        }
    }

    /// Adds bytes to an input, by its index. Returns how many of them were taken, as [`Conversion::feed`] does. Inputs are
    /// examined one after the other, so those after the first are soon full while that has not ended.
    pub fn feed(&mut self, input: usize, bytes: &[u8]) -> usize {
        self.fed(input).map_or(0, |fed| fed.feed(bytes))
    }

    /// An input, by its index, has no more bytes.
    pub fn end(&mut self, input: usize) {
        if let Some(fed) = self.fed(input) {
            fed.end();
        }
    }

    /// Advances by at most some thousand events. After [`Step::Again`] all inputs are fed once more.
    ///
    /// # Errors
    /// [`ConvError::NotARecording`], or [`ConvError::Empty`] if no input has an event. All later calls return
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
        let index = self.input_index();
        let Some(one) = self.left.front_mut() else { return self.finish_inputs() };
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
    fn finish_inputs(&mut self) -> Result<Step, ConvError> {
        let first = self.inputs.first().map(|(name, _)| name.clone());
        self.scan.judge_empty(first.unwrap_or_default())?;
        if self.scan.has_late_schemas() && self.times <= MAX_RESCANS {
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
