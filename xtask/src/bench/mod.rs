//! What is measured: on the target, on the host, in the browser; and the page that has it.

pub mod cost_page;
pub mod exports;
pub mod fleet;
pub mod host;
mod measured;
pub mod target;
pub mod web;
