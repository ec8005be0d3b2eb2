//! Return values of the functions.

use tband_flux::Error;

/// Success.
pub const TBAND_FLUX_OK: i32 = 0;
/// An invalid pointer, number, size or text; or a buffer or trace that was not set up.
pub const TBAND_FLUX_ARGUMENT: i32 = -1;
/// The entry does not fit, and the handler has not made room: it is lost, and counted by tband_flux_lost().
pub const TBAND_FLUX_FULL: i32 = -2;
/// The entry is longer than the trace's max_entry: a name or text is too long.
pub const TBAND_FLUX_TOO_LONG: i32 = -3;
/// The time is before the last one of the sequence.
pub const TBAND_FLUX_TIME: i32 = -4;
/// Wrong state: no head yet, not open, open already, closed already, defined twice, or not in a scope.
pub const TBAND_FLUX_STATE: i32 = -5;
/// The signal has data of another type.
pub const TBAND_FLUX_KIND: i32 = -6;
/// The buffer is being written: an interrupt came during a write of a task, or a handler writes.
pub const TBAND_FLUX_BUSY: i32 = -7;
/// The handler has not taken everything.
pub const TBAND_FLUX_HANDLER: i32 = -8;

/// Converts a result to C's return value.
pub const fn code(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => TBAND_FLUX_OK,
        Err(Error::Argument) => TBAND_FLUX_ARGUMENT,
        Err(Error::Full) => TBAND_FLUX_FULL,
        Err(Error::TooLong) => TBAND_FLUX_TOO_LONG,
        Err(Error::Time) => TBAND_FLUX_TIME,
        Err(Error::State) => TBAND_FLUX_STATE,
        Err(Error::Kind) => TBAND_FLUX_KIND,
        Err(Error::Handler) => TBAND_FLUX_HANDLER,
    }
}
