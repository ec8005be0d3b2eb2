//! Reports about a recording in addition to its trace: the tables of `stats`, the result of `check`, messages, and the report
//! page. The command line and the web page show the same.
//!
//! It opens no files and compiles to WebAssembly.

pub mod built;
mod changes;
pub mod check;
pub mod crashes;
pub mod dump;
pub mod duration;
mod escape;
pub mod explain;
pub mod gzip;
pub mod highlights;
mod left_out;
pub mod load;
pub mod messages;
pub mod moment;
pub mod page;
pub mod printable;
pub mod response;
mod shed;
pub mod stats;
pub mod time_unit;
pub mod timeline;
pub mod top;
mod triggers;
pub mod unit;
pub mod why;

// Callers of reports count with the same function, so they need no dependency on the converter.
pub use tband_conv::counted;
