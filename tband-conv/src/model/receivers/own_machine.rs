//! Sinks that have a state machine of their own.

use std::any::Any;
use std::io::Write;

use super::event_sink::EventSink;
use crate::model::world::World;

/// The state machine that [`convert()`](crate::convert()) runs for a sink. Those of the library's own sinks are compiled for their type,
/// which takes about 15 % fewer instructions an event, and as much code as the rest of the converter.
pub enum OwnMachine<'s> {
    /// The machine that all sinks can share.
    Shared,
    /// That of [`Stats`](crate::sinks::Stats), which this is.
    Stats(&'s mut dyn Any),
    /// That of [`Perfetto`](crate::sinks::Perfetto): its trace, and where that is written to.
    Perfetto(&'s mut dyn Any, &'s mut dyn Write),
    /// That of all receivers of events.
    Events(&'s mut dyn EventSink),
    /// That of [`FinalState`](crate::sinks::FinalState): its function.
    FinalState(&'s mut dyn FnMut(&World)),
}
