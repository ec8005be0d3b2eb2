//! Aligns recordings with different clocks: cores with their own timers, or several boards. Moments that both recordings
//! contain determine how each clock runs against the first one. All times are then given in the first clock, with a known
//! uncertainty.
//!
//! The estimate is linear for as long as that agrees with the recordings ([`Estimate`]). It is computed from the unchanged
//! recordings, and each is read twice for that. A reset of a board begins a new clock, which gets its own estimate.

mod boards;
mod marks;
mod pulses;
mod received;

use std::rc::Rc;

use self::marks::{ClockMarks, InputMarks, Key, Side};
use crate::clock::FrequencyKnowledge;
use crate::clock::frequency::{Frequency, NS_PER_S};
use crate::cores::MAX_CORES;
pub use crate::drift::aligned::Aligned;
pub use crate::drift::estimate::{Bound, Estimate};
use crate::drift::map::Builder;
use crate::error::ConvError;
use crate::input::Input;

/// Evidence that two moments are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlignBy {
    /// `TBAND_CLOCK_SYNC_SENT` and `TBAND_CLOCK_SYNC_HEARD` of one number: the second is not before the first.
    ClockSync,
    /// A marker of this name which all have at the same time: of values, those of one value; of events, those of one text.
    Marker(String),
    /// An interrupt or a marker of this name which all have at the same time, as from a common pin: the intervals identify the
    /// moments.
    Pulse(String),
    /// When a computer has received the recordings ([`Input::with_received`]): events were before that. It has the clock whose
    /// times all get.
    Received,
}

/// Which clocks there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clocks {
    /// One an input.
    OfInputs,
    /// One a core.
    OfCores,
}

/// Why clocks cannot be aligned.
#[derive(Debug)]
#[non_exhaustive]
pub enum AlignError {
    /// An input cannot be read.
    Read(ConvError),
    /// A clock has no moments, or too few of them, in common with the first one.
    NothingInCommon {
        /// Its input, and core if each has a clock.
        clock: String,
        /// The one with the first clock.
        first: String,
        /// Moments that both have.
        moments: usize,
    },
    /// There is one clock.
    OneClock,
    /// The intervals of pulses are so regular that they match in several ways.
    Ambiguous,
    /// The boards have more cores than are distinguished.
    TooManyCores {
        /// The first input for which there are no more numbers.
        input: String,
    },
    /// Cores with their own clocks were reset.
    Reset {
        /// Their input.
        input: String,
    },
    /// All boards were reset, each at another time.
    AllReset,
    /// The times of reception of an input are unknown.
    NoTimes {
        /// Its name.
        input: String,
    },
}

impl std::fmt::Display for AlignError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::NothingInCommon { clock, first, moments } => write!(
                f,
                "{clock} has {moments} moments in common with {first} that agree: some in both directions are needed, or a \
                 marker that both have at the same time, and how far apart that can be"
            ),
            Self::OneClock => f.write_str(
                "there is one clock: nothing is to be aligned; files that do not say their core are one recording, so name the core \
                 of each, as one.bin@0 other.bin@1",
            ),
            Self::Ambiguous => f.write_str(
                "the pulses come so evenly that they fit each other in several ways: take a marker with a number, or a pulse with \
                 uneven times in between",
            ),
            Self::Reset { input } => write!(
                f,
                "{input}: the target was reset within the recording, and each core's clock began again; cut the recording at \
                 the reset, and align the parts separately. If these are several boards, name another core for each file, as \
                 one.bin@0 other.bin@1"
            ),
            Self::AllReset => f.write_str(
                "each of the recordings has a reset, which begins a new clock; name a recording without a reset too, or cut one \
                 of them at its reset",
            ),
            Self::TooManyCores { input } => write!(
                f,
                "{input}: the boards have more than {MAX_CORES} cores together; align fewer of them at a time"
            ),
            Self::NoTimes { input } => {
                write!(f, "{input}: it is not known when it was received; record with --times")
            }
        }
    }
}

impl std::error::Error for AlignError {}

impl From<ConvError> for AlignError {
    fn from(error: ConvError) -> Self {
        Self::Read(error)
    }
}

/// Converts all inputs to the times of the first one's clock, or of the first one without a reset; for a single input, to those
/// of its first core. `within`: how many ns the records of one moment can be apart, where their order is unknown, or how long
/// the quickest bytes were in transmission. If it is not given, it is determined: twice the minimum that agrees with a clock
/// that runs evenly.
///
/// # Errors
/// [`AlignError`].
pub fn align<'a>(
    inputs: Vec<Input<'a>>,
    by: &AlignBy,
    within: Option<u64>,
) -> Result<(Vec<Input<'a>>, Vec<Aligned>), AlignError> {
    let clocks = if inputs.len() == 1 { Clocks::OfCores } else { Clocks::OfInputs };
    if *by == AlignBy::Received {
        if clocks == Clocks::OfCores {
            return Err(AlignError::OneClock);
        }
        if let Some(input) = inputs.iter().find(|input| input.received().is_empty()) {
            return Err(AlignError::NoTimes { input: input.name() });
        }
    }
    let mut found: Vec<InputMarks> =
        inputs.iter().map(|input| marks::read(input, by, clocks)).collect::<Result<_, _>>()?;
    let name = |input: usize, core: u32| match (clocks, inputs.get(input)) {
        (Clocks::OfCores, _) => format!("core {core}"),
        (Clocks::OfInputs, of) => of.map_or_else(String::new, Input::name),
    };
    if *by == AlignBy::Received {
        received::make_relative(found.iter_mut().flat_map(|of| of.clocks.values_mut()));
    }
    let all = || {
        let numbered = found.iter().enumerate();
        numbered.flat_map(|(input, of)| of.clocks.iter().map(move |(of, it)| (input, *of, it)))
    };
    let has_resets = |input: usize| found.get(input).is_some_and(|of| of.runs.len() > 1);
    if clocks == Clocks::OfCores && has_resets(0) {
        return Err(AlignError::Reset {
            input: inputs.first().map_or_else(String::new, Input::name),
        });
    }
    // A reset begins a new clock, so the times of all are those of an input without one.
    let mut steady = all().filter(|(input, ..)| *by == AlignBy::Received || !has_resets(*input));
    let Some((first_input, (_, first_core), first)) = steady.next() else {
        return Err(match all().next() {
            Some(_) => AlignError::AllReset,
            None => AlignError::OneClock,
        });
    };
    if all().nth(1).is_none() {
        return Err(AlignError::OneClock);
    }
    let known = match by {
        AlignBy::Received => FrequencyKnowledge::Exact(Frequency::GHZ),
        _ => found.get(first_input).map_or(FrequencyKnowledge::Nothing, |of| of.known),
    };
    let boards = match clocks {
        Clocks::OfCores => Vec::new(),
        Clocks::OfInputs => boards::find(&inputs, found.iter().map(|of| &of.target))?,
    };
    let mut maps: Vec<Builder> = inputs.iter().map(|_| Builder::new(known)).collect();
    for (input, (run, core), clock) in all() {
        if (input, core) == (first_input, first_core) && *by != AlignBy::Received {
            continue;
        }
        let own = found.get(input).map_or(FrequencyKnowledge::Nothing, |of| of.known);
        let (estimate, moments) = match by {
            AlignBy::Received => received::estimate(clock, ratio(known, own), within),
            _ => estimate(first, clock, by, (known, own), within)?,
        };
        let (Some(estimate), Some(range)) = (estimate, clock.range) else {
            let clock = match found.get(input).and_then(|of| of.runs.get(run)) {
                Some(byte) if run > 0 => {
                    format!("{} after its reset at byte {byte}", name(input, core))
                }
                _ => name(input, core),
            };
            let first = name(first_input, first_core);
            return Err(AlignError::NothingInCommon { clock, first, moments });
        };
        let about = Aligned {
            input: inputs.get(input).map_or_else(String::new, Input::name),
            core: (clocks == Clocks::OfCores).then_some(core),
            cores: match boards.get(input) {
                Some(board) => clock.cores.iter().map(|core| board.core(*core)).collect(),
                None => clock.cores.iter().copied().collect(),
            },
            moments,
            drift_ppm: (ratio(known, own) / estimate.rate() - 1.0) * 1e6,
            uncertainty_ns: 0.0,
            pieces: estimate.pieces(),
            points: Vec::new(),
        };
        let begin = found.get(input).and_then(|of| of.runs.get(run)).copied().unwrap_or(0);
        if let Some(map) = maps.get_mut(input) {
            map.add(begin, estimate, range, about);
        }
    }
    let report = maps.iter().flat_map(Builder::about).cloned().collect();
    // Nothing is before tick 0 of the first clock.
    let shift = maps.iter().map(Builder::below_zero).max().unwrap_or(0);
    let boards = boards.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
    let aligned = inputs.into_iter().zip(maps).zip(boards).map(|((input, map), board)| {
        let input = input.aligned(Rc::new(map.shifted(shift)));
        match board {
            Some(board) => input.of_board(board),
            None => input,
        }
    });
    Ok((aligned.collect(), report))
}

/// Ticks of the first clock for one of another, by their frequencies.
fn ratio(first: FrequencyKnowledge, own: FrequencyKnowledge) -> f64 {
    first.frequency().hz() / own.frequency().hz()
}

/// The estimate, and how many moments both have.
fn estimate(
    first: &ClockMarks,
    own: &ClockMarks,
    by: &AlignBy,
    (known, of_own): (FrequencyKnowledge, FrequencyKnowledge),
    within: Option<u64>,
) -> Result<(Option<Estimate>, usize), AlignError> {
    let expected = ratio(known, of_own);
    let ticks = |ns: u64| ns as f64 * known.frequency().hz() / NS_PER_S as f64;
    let within = within.map(ticks);
    let ordered = ordered_bounds(first, own, expected);
    let together = match by {
        AlignBy::Pulse(_) => pulses::pairs((&first.pulses, &own.pulses), expected, within)?,
        _ => {
            let same = pairs(first, own, Side::Same, Side::Same);
            let heard = pairs(first, own, Side::Heard, Side::Heard);
            same.into_iter().chain(heard).collect()
        }
    };
    let moments = ordered.len() + together.len();
    let with = |apart: u64| {
        let around = together.iter().map(|&(reference, own)| Bound {
            own,
            at_least: Some(reference.saturating_sub(apart)),
            at_most: Some(reference.saturating_add(apart)),
        });
        let bounds: Vec<Bound> = ordered.iter().copied().chain(around).collect();
        Estimate::new(&bounds, expected)
    };
    if let Some(ticks) = within {
        return Ok((with(ticks.ceil() as u64 + 1), moments));
    }
    if together.is_empty() || ordered.iter().any(|bound| bound.at_most.is_some()) {
        // The order is known, in both directions.
        return Ok((Estimate::new(&ordered, expected), moments));
    }
    let found = (together.len() >= 2).then(|| least(with)).flatten();
    Ok((found, moments))
}

/// The estimate with twice the least distance that one line agrees with.
fn least(with: impl Fn(u64) -> Option<Estimate>) -> Option<Estimate> {
    let is_one = |apart: u64| with(apart).is_some_and(|estimate| estimate.pieces() == 1);
    let (mut low, mut high) = (0_u64, 1_u64);
    while !is_one(high) {
        low = high;
        high = high.saturating_mul(2);
        if high >= 1 << 40 {
            return None;
        }
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_one(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    with(high.saturating_mul(2))
}

/// Times of moments that both have, on sides that fit each other: of the first clock, and of the other.
fn pairs(first: &ClockMarks, own: &ClockMarks, at_first: Side, at_own: Side) -> Vec<(u64, u64)> {
    let of_side = own.marks.iter().filter(|((side, _), _)| *side == at_own);
    let pairs = of_side.filter_map(|((_, key), time)| {
        let at: &(Side, Key) = &(at_first, key.clone());
        Some((first.marks.get(at).copied().flatten()?, (*time)?))
    });
    pairs.collect()
}

/// Returns the bounds from moments whose order is known. A timestamp counts ticks that had begun, so a moment can be up to one
/// tick after its timestamp.
fn ordered_bounds(first: &ClockMarks, own: &ClockMarks, expected: f64) -> Vec<Bound> {
    let tick = expected.ceil() as u64;
    let there = pairs(first, own, Side::Sent, Side::Heard).into_iter();
    let back = pairs(first, own, Side::Heard, Side::Sent).into_iter();
    let there = there.map(|(reference, own)| Bound {
        own,
        at_least: Some(reference.saturating_sub(tick)),
        at_most: None,
    });
    let back = back.map(|(reference, own)| Bound {
        own,
        at_least: None,
        at_most: Some(reference.saturating_add(1)),
    });
    there.chain(back).collect()
}
