//! Importers: recordings of other trace recorders, as events of the registry.
//!
//! [`recognise`] names the format of a file by its content. [`open`] returns the [`Importer`] of a format, if there is one. An
//! importer turns bytes into [`Entry`]s: an event, its core, its time, and its position in the file. No later stage
//! knows from which format an event came. The crate opens no files, uses no threads and compiles to WebAssembly.
//!
//! Each format has a folder of its own.

mod ctf;
mod flux;
mod format;
mod importer;
mod linux;
mod open;
mod percepio;
mod qp;
mod recognise;
mod recognised;
mod systemview;

pub use ctf::recognise_folder;
pub use format::InputFormat;
pub use importer::{About, Break, Content, Entry, Importer, Output};
pub use open::open;
pub use recognise::recognise;
pub use recognised::{Recognised, Recognition};
