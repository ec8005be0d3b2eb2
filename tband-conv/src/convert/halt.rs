//! Why a pass over the events cannot go on.

use crate::error::ConvError;
use crate::input::Input;
use crate::merge::ReadFailed;

/// Why a pass cannot go on.
pub(super) enum Halt {
    Read(ReadFailed),
    Convert(ConvError),
}

impl From<ConvError> for Halt {
    fn from(error: ConvError) -> Self {
        Self::Convert(error)
    }
}

impl Halt {
    /// With the name of the input.
    pub fn of(self, inputs: &[Input<'_>]) -> ConvError {
        match self {
            Self::Read(failed) => read_error(failed, inputs),
            Self::Convert(error) => error,
        }
    }
}

#[cold]
pub(super) fn read_error(
    ReadFailed { input, error }: ReadFailed,
    inputs: &[Input<'_>],
) -> ConvError {
    // The input exists: sources were made from inputs.
    match inputs.get(input) {
        Some(input) => input.read_error(error),
        None => ConvError::NoInput,
    }
}
