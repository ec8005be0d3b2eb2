//! Tasks over time: states, waits, wakers, and states that were not recorded.

mod actors;
mod crashes;
mod left_out;
mod main_program;
mod names;
mod priorities;
mod triggers;
mod wakers;
mod world;
