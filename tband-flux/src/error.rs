//! Why something was not written.

/// Why something was not written. Nothing of it is in the buffer then, and the trace is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A number, size or text that cannot be.
    Argument,
    /// There is no room, and the handler has not made any. It is counted as lost.
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
