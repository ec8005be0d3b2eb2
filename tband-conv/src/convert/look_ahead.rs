//! A first pass over inputs that are fed.

use std::collections::VecDeque;
use std::io;

use super::fed_inputs::{HINT, named};
use super::step::Step;
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::push_buffer::{Bytes, PushBuffer};
use crate::options::Options;
use crate::outset::layout::Layout;
use crate::scan::{InputScan, MAX_RESCANS, Scan, needs_changes};

/// Items that are examined in one step.
const STEP: usize = 4096;

/// A first pass over inputs that are fed.
pub(super) struct LookAhead {
    /// Names, and the cores that events belong to until an input reports another one.
    inputs: Vec<(String, u32)>,
    options: Options,
    /// Those that have not ended, in their order.
    left: VecDeque<InputScan<Bytes<'static>>>,
    scan: Scan,
    /// How often all were fed.
    times: u32,
}

impl LookAhead {
    /// Creates a first pass over inputs with these names, whose events belong to these cores until the input reports another one.
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
        let mut look = Self { inputs, options, left: VecDeque::new(), scan, times: 0 };
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

    /// The bytes of an input, by its index, if it has not ended. Inputs are examined one after the other, so those after the first
    /// are soon full while that has not ended.
    pub fn fed(&mut self, input: usize) -> Option<&mut PushBuffer> {
        let index = input.checked_sub(self.input_index())?;
        match self.left.get_mut(index)?.input_mut() {
            Bytes::Fed(fed) => Some(fed),
            Bytes::Read(_) => None,
        }
    }

    /// Advances by at most some thousand events. After [`Step::Again`] all inputs are fed once more; [`Step::Done`] is returned
    /// once.
    ///
    /// # Errors
    /// [`ConvError::NotARecording`], or [`ConvError::Empty`] if no input has an event.
    pub fn step(&mut self) -> Result<Step, ConvError> {
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

    /// Returns the inputs, the options, and the result.
    pub fn into_parts(self) -> (Vec<(String, u32)>, Options, Scan) {
        (self.inputs, self.options, self.scan)
    }
}
