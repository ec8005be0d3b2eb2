//! The trace for Perfetto, asked by Perfetto's own engine.

mod activations;
mod guide_queries;
mod output_size;
mod raw_events;
mod tables;
mod task_load;
mod view;
mod window;
