//! What is measured: on the target, on the host, in the browser; and the page that has it.

pub mod cost_page;
pub mod host;
pub mod target;
pub mod web;
