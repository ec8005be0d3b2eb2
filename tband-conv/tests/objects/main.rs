//! The kernel's objects other than tasks, the application's log records, and events that a reader does not know.

mod described;
mod limits;
mod queue_levels;
mod records;
