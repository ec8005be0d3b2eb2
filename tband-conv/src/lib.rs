//! The converter library: it turns recordings into events, events into a timeline, and passes the timeline to sinks.
//!
//! It is a pipeline in bounded memory, and each stage can be used separately:
//!
//! 1. [`Input`], opened twice
//! 2. frames: [`FrameReader`](wire::frames::FrameReader)
//! 3. events: [`EventReader`](events::EventReader)
//! 4. their merge by time: [`convert_events`](convert::events::convert_events), which feeds an [`EventSink`](model::EventSink)
//! 5. [`Timeline`](machine::Timeline), the state machine, which changes a [`World`](model::World)
//! 6. [`Sink`](model::Sink)s, which [`convert()`] feeds
//!
//! Callers that receive the bytes in pieces feed a [`Conversion`]. Memory grows with the number of objects on the target, not
//! with the length of the recording. Damage never ends a conversion: it is located, counted and shown
//! ([`Diagnostics`](diagnostics::Diagnostics)). No input makes the library panic. It uses no threads, opens no files and
//! compiles to WebAssembly.
//!
//! The root has what each conversion needs: its inputs, options, functions, result and error. Everything else is in the module
//! of its stage.
//!
//! ```
//! use tband_conv::{Input, Options, convert, sinks::Stats};
//!
//! // Core 0; a tick is 1 ns; task 1 (named "a") runs for 5 ticks.
//! let recording =
//!     [3, 2, 1, 0, 4, 0x5F, 1, b'a', 0, 4, 84, 10, 1, 0, 4, 84, 15, 2, 0];
//! let mut stats = Stats::default();
//! let inputs = [Input::from_bytes("example", &recording)];
//! let summary = convert(&inputs, &Options::default(), &mut stats)?;
//! assert!(summary.diagnostics.is_clean());
//! assert_eq!(stats.tasks().next().map(|task| task.run_ns), Some(5));
//! # Ok::<(), tband_conv::ConvError>(())
//! ```

pub mod activations;
pub mod align;
pub mod census;
pub mod clock;
pub mod convert;
pub mod cores;
pub mod ctf;
pub mod diagnostics;
mod drift;
pub mod dump;
pub mod encoding;
pub mod error;
pub mod events;
pub mod excerpt;
pub mod foreign;
pub mod input;
pub mod item;
pub mod load;
pub mod machine;
pub mod merge;
pub mod model;
pub mod number;
mod options;
pub mod output;
mod outset;
pub mod packets;
pub mod periods;
pub mod records;
pub mod repair;
mod scan;
pub mod sinks;
pub mod tracks;
mod verdict;
pub mod wire;

pub use convert::conversion::Conversion;
pub use convert::{Summary, convert};
pub use error::ConvError;
pub use input::Input;
pub use options::Options;
// Input and options contain these, and messages count with the same function, so callers need no dependency on the importers.
pub use tband_import::counted::counted;
pub use tband_import::ctf::{CtfError, CtfMap, CtfTrace, MAX_METADATA, MapError, recognise_folder};
pub use tband_import::ctf_streams::{is_ctf_stream, may_be_ctf_stream};
pub use tband_import::format::InputFormat;
pub use tband_import::importer::ForeignRecording;
