//! Receivers of what a conversion finds: of changes, and of events.

mod event_adapter;
mod event_sink;
mod own_machine;
mod sink;

pub use self::event_adapter::Events;
pub use self::event_sink::EventSink;
pub use self::own_machine::OwnMachine;
pub use self::sink::Sink;
pub(crate) use self::sink::is_sink;
