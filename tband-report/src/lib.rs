//! What is reported about a recording beside its trace: the tables of `stats`, the verdict of `check`, messages, and the
//! report page. The command line and the web page show the same.
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
mod picture;
mod printable;
mod shed;
pub mod stats;
mod time_unit;
pub mod top;
mod triggers;
pub mod why;

pub use duration::duration;
pub use explain::{Explanation, explain};
pub use gzip::{BLOCK, Members, member};
pub use highlights::{Certainty, Highlight, highlights};
pub use moment::{NO_MOMENT, moment};
pub use page::{SCRIPTS, STYLE, Shown, base64, packed, report, view};
pub use picture::{LeftOut, MAX_SLICES, Picture};
pub use printable::{csv_cell, printable, printable_json};
pub use time_unit::TimeUnit;
