//! Importers: recordings of other trace recorders, as events of the registry.
//!
//! [`recognise()`](recognise::recognise) names the format of a file by its content. [`open()`](open::open) returns the
//! [`Importer`](importer::Importer) of a format, if it has one. An importer turns bytes into [`Record`](output::Record)s: an
//! event, its core, its time, and its position in the file. No later stage knows from which format an event came. The crate
//! opens no files, uses no threads and compiles to WebAssembly.
//!
//! Each format has a separate folder.

pub mod blank;
pub mod counted;
pub mod ctf;
pub mod ctf_streams;
mod flux;
pub mod format;
pub mod gaps;
pub mod importer;
mod linux;
pub mod open;
pub mod output;
mod percepio;
mod printf;
mod qp;
pub mod recognise;
pub mod recognised_format;
mod systemview;
mod text_mode;
