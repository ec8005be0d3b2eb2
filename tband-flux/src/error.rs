//! Why something was not written.

/// Why an entry was not written. The buffer contains none of it, and the trace is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A number, size or text that cannot be.
    Argument,
    /// The entry does not fit, and the handler has not made room. It is counted as lost.
    Full,
    /// The entry is longer than the trace's longest one.
    TooLong,
    /// The time is before the last one of the sequence.
    Time,
    /// Not now: without a head, not open or open already, defined twice, or in no scope.
    State,
    /// The signal has data of another type.
    Kind,
    /// The handler has not taken everything.
    Handler,
}
