//! Linux: text of ftrace, trace-cmd report and perf script.

mod recognise;

pub use recognise::{recognise_binary, recognise_text};
