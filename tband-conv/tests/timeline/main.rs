//! Tasks over time: what they do, what they wait for, who wakes them, and what of it was not recorded.

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
