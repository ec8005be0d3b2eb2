//! Linux: text of ftrace, trace-cmd report and perf script.

mod line;
pub mod numbers;
mod recognise;
mod text;

pub use recognise::{recognise_binary, recognise_text};
pub use text::LinuxText;
