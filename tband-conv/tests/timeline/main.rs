//! Tasks over time: states, waits, wakers, and states that were not recorded.

mod actors;
mod crashes;
mod kernel_order;
mod left_out;
mod made_by_hand;
mod main_program;
mod priorities;
mod rare_orders;
mod triggers;
mod waits;
mod wakers;
mod world;
