//! Reasons that stop a pass over the events.

use std::io;

use crate::error::ConvError;
use crate::input::Input;
use crate::merge::ReadFailed;

/// Why a pass stops.
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
fn read_error(ReadFailed { input, error }: ReadFailed, inputs: &[Input<'_>]) -> ConvError {
    // The input exists: sources were made from inputs.
    match inputs.get(input) {
        Some(input) => input.read_error(error),
        None => ConvError::NoInput,
    }
}

/// Why the fast path ends. It is small, because it is checked after each event.
pub(super) struct FastPathExit(pub Box<Cause>);

pub(super) enum Cause {
    Read(io::Error),
    Convert(ConvError),
    /// Nothing more has to be read.
    Enough,
    /// The item is the first of another core: from there, cores wait for each other.
    OtherCore,
}

impl FastPathExit {
    #[cold]
    pub fn enough() -> Self {
        Self(Box::new(Cause::Enough))
    }

    #[cold]
    pub fn other_core() -> Self {
        Self(Box::new(Cause::OtherCore))
    }
}

impl From<io::Error> for FastPathExit {
    #[cold]
    fn from(error: io::Error) -> Self {
        Self(Box::new(Cause::Read(error)))
    }
}

impl From<ConvError> for FastPathExit {
    #[cold]
    fn from(error: ConvError) -> Self {
        Self(Box::new(Cause::Convert(error)))
    }
}
