//! Measurements on the target, on the host and in the browser; and the page with their results.

pub mod cost_page;
pub mod doctor_figures;
pub mod exports;
pub mod fleet;
mod foreign;
pub mod host;
mod imported;
pub mod importers;
mod measured;
mod same_events;
pub mod target;
pub mod web;
