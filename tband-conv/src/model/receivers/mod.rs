//! Receivers of what a conversion finds: of changes, and of events.

pub mod event_adapter;
pub mod event_sink;
pub mod own_machine;
pub mod sink;
