//! Tasks over time: states, waits, wakers, and states that were not recorded.

mod actors;
mod crashes;
mod in_traces;
mod main_program;
mod names;
mod wakers;
mod world;
