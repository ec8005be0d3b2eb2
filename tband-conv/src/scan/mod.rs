//! The first pass over the inputs: names, kinds and resolution before the first event is shown, and
//! whether the inputs are recordings at all.
//!
//! Metadata may be anywhere in a recording, also after the events it explains, so it is
//! collected before the conversion proper. Once enough events have been seen to be convinced, only
//! frames that can be metadata are decoded.

mod one;

use self::one::OneInput;
use crate::diagnostics::Place;
use crate::error::ConvError;
use crate::input::Input;
use crate::item::Mode;
use crate::layout::Layout;
use crate::outset::Outset;
use crate::packets::Link;

/// What the first pass found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// What is known before the first event.
    pub outset: Outset,
    /// For each input where things lie in it.
    pub layouts: Vec<Layout>,
    /// Events that change no state of the target: metadata, `core_id` and the timer's frequency.
    pub about: u64,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// What came over the link, where inputs are packets.
    pub link: Option<Link>,
    /// Inputs among others that have no event, and their bytes.
    empty: Vec<(usize, u64)>,
    /// Files without a byte that are joined to others, by name and place in their input.
    no_bytes: Vec<(usize, u64, String)>,
}

/// How often inputs are read anew since they describe events that come before.
const MAX_ANEW: u32 = 2;

impl Scan {
    /// Reads all inputs once; again where packets have events that the recording describes after them.
    ///
    /// # Errors
    /// [`ConvError`] if one cannot be read or is no recording, or if none has an event.
    pub fn run(inputs: &[Input<'_>], mode: Mode) -> Result<Self, ConvError> {
        if inputs.is_empty() {
            return Err(ConvError::NoInput);
        }
        let mut scan = Self::after(&[], inputs, mode)?;
        for _ in 0..MAX_ANEW {
            if !scan.layouts.iter().any(|layout| layout.schemas.came_late()) {
                break;
            }
            scan = Self::after(&scan.layouts, inputs, mode)?;
        }
        Ok(scan)
    }

    /// Reads all inputs, in which this was found before.
    fn after(before: &[Layout], inputs: &[Input<'_>], mode: Mode) -> Result<Self, ConvError> {
        let mut scan = Self::default();
        for (index, input) in inputs.iter().enumerate() {
            let mut events = input.events(mode)?;
            if let Some(layout) = before.get(index) {
                events = events.with_schemas(&layout.schemas);
            }
            let mut one = OneInput::new(index, input.core(), events);
            while one.step(&mut scan).map_err(|error| input.read_error(error))? {}
            let (credibility, len) = one.close(&mut scan);
            scan.note_files_without_bytes(index, &input.files(), len);
            match credibility.verdict(input, len) {
                Err(ConvError::Empty { .. }) => scan.empty.push((index, len)),
                verdict => verdict?,
            }
        }
        match (scan.empty.first(), inputs.first()) {
            (Some(&(_, len)), Some(first)) if scan.empty.len() == inputs.len() => {
                Err(ConvError::Empty { input: first.name(), len })
            }
            _ => Ok(scan),
        }
    }

    fn note_files_without_bytes(&mut self, input: usize, files: &[(String, u64)], len: u64) {
        let ends = files.iter().skip(1).map(|(_, start)| *start).chain([len]);
        for ((name, start), end) in files.iter().zip(ends) {
            if files.len() > 1 && end <= *start {
                self.no_bytes.push((input, *start, name.clone()));
            }
        }
    }

    /// Where inputs, or files that are joined to others, have no event, with what is to be said of that.
    pub(crate) fn empty_inputs(&self, inputs: &[Input<'_>]) -> Vec<(Place, String)> {
        let text = |&(input, len): &(usize, u64)| {
            let core = inputs.get(input).map_or(0, Input::core);
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
