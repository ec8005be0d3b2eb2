//! Importers: recordings of other trace recorders, as events of the registry.
//!
//! [`recognise`] names the format of a file by its content. [`open`] returns the [`Importer`] of a format, if it has one. An
//! importer turns bytes into [`Record`]s: an event, its core, its time, and its position in the file. No later stage
//! knows from which format an event came. The crate opens no files, uses no threads and compiles to WebAssembly.
//!
//! Each format has a separate folder.

mod blank;
mod counted;
mod ctf;
mod ctf_streams;
mod flux;
mod format;
mod gaps;
mod importer;
mod linux;
mod open;
mod output;
mod percepio;
mod printf;
mod qp;
mod recognise;
mod recognised_format;
mod systemview;

pub use blank::{MAX_ZEROS, blank_len};
pub use counted::counted;
pub use ctf::{
    CtfError, CtfMap, CtfTrace, MAX_METADATA, MapError, MetadataError, recognise_folder,
};
pub use ctf_streams::{is_ctf_stream, may_be_ctf_stream};
pub use format::InputFormat;
pub use gaps::{Break, ReportedLoss};
pub use importer::{ForeignRecording, Importer};
pub use open::open;
pub use output::{Content, Cursor, Entry, EventRecord, Output, Record};
pub use recognise::recognise;
pub use recognised_format::{RecognisedFormat, Recognition};
