//! A first pass over inputs that are fed.

use std::collections::VecDeque;
use std::io;

use super::fed_inputs::{HINT, named};
use super::step::Step;
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::push_buffer::{Bytes, PushBuffer};
use crate::item::Mode;
use crate::merge::Source;
use crate::options::Options;
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
    /// How often they were fed again for schemas.
    rescans: u32,
    /// All events are examined, not only those that describe the target.
    examines_all: bool,
    /// They name the main program by its former number.
    has_former_main: bool,
}

impl LookAhead {
    /// Creates a first pass over inputs with these names, whose events belong to these cores until the input reports another one.
    ///
    /// # Errors
    /// [`ConvError::NoInput`] without an input; [`ConvError::NoSuchCore`] if the core of an input is
    /// [`MAX_CORES`](crate::cores::MAX_CORES) or above.
    pub fn new<N: Into<String>>(
        inputs: impl IntoIterator<Item = (N, u32)>,
        options: &Options,
    ) -> Result<Self, ConvError> {
        let inputs = named(inputs)?;
        let mut look = Self {
            inputs,
            options: options.clone(),
            left: VecDeque::new(),
            scan: Scan::default(),
            rescans: 0,
            examines_all: needs_changes(options),
            has_former_main: false,
        };
        look.begin();
        Ok(look)
    }

    /// Begins with all inputs, with the schemas that the pass before has found.
    fn begin(&mut self) {
        let of = |(index, &(_, core)): (usize, &(String, u32))| {
            let mut events = self.events(core, self.options.mode);
            if let Some(layout) = self.scan.layouts.get(index) {
                events = events.with_schemas(&layout.schemas);
            }
            InputScan::new(index, core, events, self.examines_all)
        };
        self.left = self.inputs.iter().enumerate().map(of).collect();
        self.scan = Scan::default();
    }

    /// Returns a reader of an input that is fed from its first byte.
    fn events(&self, core: u32, mode: Mode) -> EventReader<Bytes<'static>> {
        EventReader::new(Bytes::Fed(PushBuffer::default()), core, mode)
            .of_format(self.options.input_format)
            .with_former_main(self.has_former_main)
    }

    /// Returns the inputs for the pass after this one, in their order.
    pub fn sources(&self) -> Vec<Source<'static>> {
        let mode = self.scan.outset.mode(self.options.mode);
        let of = |(&(_, core), layout): (&(String, u32), _)| {
            Source::with_layout(self.events(core, mode), layout)
        };
        self.inputs.iter().zip(&self.scan.layouts).map(of).collect()
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
        if !self.needs_another() {
            return Ok(Step::Done);
        }
        self.begin();
        Ok(Step::Again)
    }

    /// The inputs have to be fed again, as [`Scan::run`] reads them again. Prepares for that.
    fn needs_another(&mut self) -> bool {
        if self.scan.may_have_former_main() && !self.has_former_main {
            if !self.examines_all {
                self.examines_all = true;
                return true;
            }
            if !self.scan.runs_former_main {
                self.has_former_main = true;
                return true;
            }
        }
        let needs_another = self.scan.has_late_schemas() && self.rescans < MAX_RESCANS;
        self.rescans = self.rescans.saturating_add(needs_another.into());
        needs_another
    }

    /// Returns the inputs and the result.
    pub fn into_parts(self) -> (Vec<(String, u32)>, Scan) {
        (self.inputs, self.scan)
    }
}
