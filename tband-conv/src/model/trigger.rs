//! A trigger of the firmware that has fired, and the end of what was recorded after it.

use std::fmt;

use tband_format::trigger::{EVENT, condition};

/// The n-th trigger since the last reset of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trigger {
    /// When, in nanoseconds on the target's clock.
    pub ns: i64,
    /// On which core.
    pub core: u32,
    /// The how manyth it is, from 1 on.
    pub n: u32,
    /// What it has fired at; none: what was to be recorded after it is recorded.
    pub at: Option<FiredAt>,
}

/// What a trigger has fired at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FiredAt {
    /// The trigger's number in the firmware.
    pub trigger: u8,
    /// What it waited for: `queue full`.
    pub condition: String,
    /// The event that it has fired at.
    pub event: String,
    /// What that event is of: `queue "rx"`.
    pub object: Option<String>,
}

impl fmt::Display for FiredAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition)?;
        if condition(EVENT).is_some_and(|event| event.name == self.condition) {
            write!(f, " {}", self.event)?;
        }
        self.object.iter().try_for_each(|object| write!(f, ", {object}"))
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "trigger {}: {at}", self.n),
            None => write!(f, "frozen after trigger {}", self.n),
        }
    }
}
