//! Reports about a recording in addition to its trace: the tables of `stats`, the result of `check`, messages, and the report
//! page. The command line and the web page show the same.
//!
//! It opens no files and compiles to WebAssembly.

mod built;
mod changes;
pub mod check;
pub mod crashes;
pub mod dump;
mod duration;
mod escape;
mod explain;
mod gzip;
pub mod highlights;
mod left_out;
pub mod load;
pub mod messages;
mod moment;
mod page;
mod printable;
pub mod response;
mod shed;
pub mod stats;
mod time_unit;
mod timeline;
pub mod top;
mod triggers;
mod unit;
pub mod why;

pub use built::classes;
pub use duration::duration;
pub use explain::{Explanation, Recorder, explain};
pub use gzip::{BLOCK, Members, member};
pub use highlights::{Certainty, Highlight, highlights};
pub use moment::{NO_MOMENT, moment};
pub use page::{PageComparison, PageRecording, SCRIPTS, STYLE, base64, packed, report, view};
pub use printable::{csv_cell, markdown_cell, printable, printable_json};
pub use tband_conv::counted;
pub use time_unit::TimeUnit;
pub use timeline::{MAX_SLICES, OmittedItems, ReportTimeline};
pub use unit::Unit;
