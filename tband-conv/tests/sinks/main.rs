//! Sinks and their contracts; complete recordings, windows and pieces, in every way.

mod dump;
mod events;
mod fed;
mod fed_starts;
mod fed_steps;
mod golden;
mod look_ahead;
mod rolling;
mod sink_errors;
mod sinks_together;
mod stack;
mod vectors;
mod ways_agree;
mod window;
