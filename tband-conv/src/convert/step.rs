//! The result and the progress of a conversion that advances in steps.

/// Result of a step of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Fed bytes are still pending: call [`step`](crate::Conversion::step) again.
    More,
    /// The conversion waits until this input, by its index, is fed or ended.
    Needs(usize),
    /// Only [with a first pass](crate::Conversion::with_first_pass): it is over, or has to be repeated because the inputs
    /// describe some of their events late, or name an interrupt that may be the main program. Feed all inputs again, from
    /// their first bytes.
    Again,
    /// All inputs have ended and everything in them was converted, or the rest is after the window.
    Done,
}

/// Progress of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes read of all inputs together. Bytes that are fed but not yet read do not count.
    pub bytes: u64,
    /// Events that were read, metadata included.
    pub events: u64,
    /// Time of the last event that was reported, in ns.
    pub last_ns: i64,
}
