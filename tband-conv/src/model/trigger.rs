//! A trigger of the firmware that has fired, and the end of the recording after it.

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
    /// The event that fired it; `None`: the events to be recorded after it are recorded.
    pub at: Option<FiringEvent>,
}

/// The event that fired a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FiringEvent {
    /// The trigger's number in the firmware.
    pub trigger: u8,
    /// The condition of the trigger: `queue full`.
    pub condition: String,
    /// The event that it has fired at.
    pub event: String,
    /// The object of that event: `queue "rx"`.
    pub object: Option<String>,
}

impl fmt::Display for FiringEvent {
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
