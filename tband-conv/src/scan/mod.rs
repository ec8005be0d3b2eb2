//! The first pass over the inputs: names, kinds and resolution before the first event is shown, and
//! whether the inputs are recordings at all.
//!
//! Metadata may be anywhere in a recording, also after the events it explains, so it is
//! collected before the conversion proper. Once enough events have been seen to be convinced, only
//! frames that can be metadata are decoded.

mod changes;
mod one;

use tband_import::importer::ForeignRecording;

use self::changes::{ClockChange, follow_all};
pub(crate) use self::one::InputScan;
use crate::clock::Clock;
use crate::clock::frequency::Frequency;
use crate::clock::moment::Moment;
use crate::diagnostics::Place;
use crate::drift::board::Board;
use crate::error::ConvError;
use crate::input::Input;
use crate::options::Options;
use crate::outset::Outset;
use crate::outset::layout::Layout;
use crate::packets::{FirstPackets, Link};

/// Results of the first pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// Facts known before the first event.
    pub outset: Outset,
    /// Positions in each input.
    pub layouts: Vec<Layout>,
    /// Events that change no state of the target: metadata, `core_id` and the timer's frequency.
    pub about: u64,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// Statistics of the link, for inputs of packets.
    pub link: Option<Link>,
    /// Totals for each input.
    pub links: Vec<Option<Link>>,
    /// Facts about inputs of other recorders, by the numbers of the inputs.
    pub sources: Vec<(usize, ForeignRecording)>,
    /// The first packets of the cores in each input.
    pub firsts: Vec<FirstPackets>,
    /// An interrupt has the former number of the main program, and something its present one.
    names_former_main: bool,
    names_main: bool,
    /// An interrupt of the former number occurs, if all events were examined.
    pub runs_former_main: bool,
    /// Reports of the timer's frequency, if requested.
    pub changes: Vec<ClockChange>,
    /// Inputs among others that have no event, and their bytes.
    empty: Vec<(usize, u64)>,
    /// Files without a byte that are joined to others, by name and place in their input.
    no_bytes: Vec<(usize, u64, String)>,
}

/// How often inputs are read again because they describe events after these occur.
pub(crate) const MAX_RESCANS: u32 = 2;

/// The options name a moment in ticks, for which all changes of the timer's frequency have to be known.
pub(crate) fn needs_changes(options: &Options) -> bool {
    let has_ticks = |moment: Option<Moment>| !matches!(moment, None | Some(Moment::Ns(_)));
    has_ticks(options.from) || has_ticks(options.to)
}

impl Scan {
    /// Reads all inputs once; again where packets have events that the recording describes after them.
    ///
    /// # Errors
    /// [`ConvError`] if an input cannot be read or is not a recording, or if none has an event.
    pub fn run(inputs: &[Input<'_>], options: &Options) -> Result<Self, ConvError> {
        if inputs.is_empty() {
            return Err(ConvError::NoInput);
        }
        let examines_all = needs_changes(options);
        let mut scan = Self::after(&[], inputs, options, examines_all)?;
        let has_number = |input: &Input<'_>| input.is_read_once() || input.has_former_main();
        if scan.may_have_former_main() && !inputs.iter().any(has_number) {
            if !examines_all {
                scan = Self::after(&scan.layouts, inputs, options, true)?;
            }
            if !scan.runs_former_main {
                inputs.iter().for_each(Input::set_former_main);
                scan = Self::after(&scan.layouts, inputs, options, examines_all)?;
            }
        }
        for _ in 0..MAX_RESCANS {
            if !scan.has_late_schemas() {
                break;
            }
            scan = Self::after(&scan.layouts, inputs, options, examines_all)?;
        }
        Ok(scan)
    }

    /// Whether the main program may have its former number: the target has no RTOS, and nothing has the present number. It has,
    /// unless an interrupt of that number [occurs](Self::runs_former_main).
    pub fn may_have_former_main(&self) -> bool {
        self.names_former_main && !self.names_main && self.outset.is_bare_metal()
    }

    /// Events are described after they come.
    pub fn has_late_schemas(&self) -> bool {
        self.layouts.iter().any(|layout| layout.schemas.are_late())
    }

    /// Reads all inputs, for which the earlier pass found these layouts. It may have to examine all events.
    fn after(
        before: &[Layout],
        inputs: &[Input<'_>],
        options: &Options,
        examines_all: bool,
    ) -> Result<Self, ConvError> {
        let mut scan = Self::default();
        scan.outset.world.boards = Board::all(inputs.iter().map(Input::board));
        for (index, input) in inputs.iter().enumerate() {
            scan.outset.world.enter_input(index);
            let mut events = input.events(options.mode)?;
            events.keep_imported();
            if let Some(layout) = before.get(index) {
                events = events.with_schemas(&layout.schemas);
            }
            let mut one = InputScan::new(index, input.core(), events, examines_all);
            while one.step(&mut scan).map_err(|error| input.read_error(error))? {}
            input.set_imported(one.imported());
            let (credibility, len) = one.close(&mut scan);
            scan.note_files_without_bytes(index, &input.files(), len);
            scan.note_verdict(index, len, credibility.verdict(input, len))?;
        }
        scan.outset.world.enter(0);
        scan.judge_empty(inputs.first().map_or_else(String::new, Input::name))?;
        Ok(scan)
    }

    /// Notes the result for an input of this many bytes: one among others may be empty.
    pub fn note_verdict(
        &mut self,
        index: usize,
        len: u64,
        verdict: Result<(), ConvError>,
    ) -> Result<(), ConvError> {
        match verdict {
            Err(ConvError::Empty { .. }) => self.empty.push((index, len)),
            verdict => verdict?,
        }
        Ok(())
    }

    /// No input has an event; this is the name of the first.
    pub fn judge_empty(&self, input: String) -> Result<(), ConvError> {
        match self.empty.first() {
            Some(&(index, len)) if self.empty.len() == self.layouts.len() => {
                let is_foreign = self.sources.iter().any(|(source, _)| *source == index);
                Err(ConvError::Empty { input, len, is_foreign })
            }
            _ => Ok(()),
        }
    }

    /// Returns the clock with all reports of its frequency, if requested.
    pub fn full_clock(&self, tick_rate: Option<Frequency>) -> Clock {
        let mut clock = self.outset.clock(tick_rate);
        follow_all(&mut clock, &self.changes);
        clock
    }

    fn note_files_without_bytes(&mut self, input: usize, files: &[(String, u64)], len: u64) {
        let ends = files.iter().skip(1).map(|(_, start)| *start).chain([len]);
        for ((name, start), end) in files.iter().zip(ends) {
            if files.len() > 1 && end <= *start {
                self.no_bytes.push((input, *start, name.clone()));
            }
        }
    }

    /// Returns places where inputs, or files that are joined to others, have no event, with the message for each. An input's
    /// events belong to a core until it reports another one.
    pub fn empty_inputs(&self, core_of: impl Fn(usize) -> u32) -> Vec<(Place, String)> {
        let text = |&(input, len): &(usize, u64)| {
            let core = core_of(input);
            let zeros = if len > 0 { ", all zero" } else { "" };
            let text = format!("no event of core {core} is here ({len} bytes{zeros})");
            (Place { input, offset: 0 }, text)
        };
        let file = |(input, offset, name): &(usize, u64, String)| {
            let text =
                format!("{name} has no bytes; if it is of another core, say so as in {name}@1");
            (Place { input: *input, offset: *offset }, text)
        };
        self.empty.iter().map(text).chain(self.no_bytes.iter().map(file)).collect()
    }
}
