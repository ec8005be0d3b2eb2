//! The converter library: it turns recordings into events, events into a timeline, and passes the timeline to sinks.
//!
//! It is a pipeline in bounded memory, and each stage can be used separately: [`Input`] (opened twice) → frames
//! ([`FrameReader`]) → events ([`EventReader`]) → merge by time ([`convert_events`], which feeds an [`EventSink`]) →
//! [`Timeline`] (the state machine, which changes a [`World`](timeline::World)) → [`Sink`]s ([`convert`]). Callers that receive
//! the bytes in pieces feed a [`Conversion`]. Memory grows with the number of objects on the target, not with the length of the
//! recording. Damage never ends a conversion: it is located, counted and shown ([`Diagnostics`]). No input makes the library
//! panic. It uses no threads, opens no files and compiles to WebAssembly.
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
mod census;
mod clock;
mod convert;
mod cores;
mod ctf;
mod diagnostics;
mod drift;
mod dump;
mod encoding;
mod error;
mod events;
mod excerpt;
mod foreign;
mod input;
mod item;
pub mod load;
mod machine;
mod merge;
mod model;
mod number;
mod options;
mod output;
mod outset;
mod packets;
pub mod periods;
mod records;
mod repair;
mod scan;
pub mod sinks;
pub mod timeline;
pub mod tracks;
mod verdict;
mod wire;

pub use census::{Census, KindCount};
pub use clock::frequency::{Frequency, NoFrequency};
pub use clock::moment::Moment;
pub use clock::{Clock, ClockEffect, FrequencyKnowledge, MAX_NS, Span};
pub use convert::find_marker::{MarkerOccurrence, find_marker};
pub use convert::take_census::take_census;
pub use convert::{
    Conversion, EventSummary, PlaceDisplay, Progress, Step, Summary, convert, convert_events,
};
pub use cores::MAX_CORES;
pub use ctf::{CtfSummary, CtfVersion, convert_scheduling_to_ctf, convert_to_ctf};
pub use diagnostics::{Diagnostic, Diagnostics, Finding, Place, Problem, Severity};
pub use dump::{
    DumpFilter, DumpFormat, DumpSummary, ObjectSelector, dump, dump_filtered, dump_merged,
    event_names,
};
pub use encoding::notation::{BoxRead, Format};
pub use encoding::{Base64Reader, HexReader};
pub use error::{ConvError, NotationError};
pub use events::EventReader;
pub use excerpt::ExcerptPart;
pub use foreign::empty::BoundedStart;
pub use foreign::{recognised_format, recording_head};
pub use input::Input;
pub use input::copies::refuse_copies;
pub use input::group::group_by_core;
pub use item::packet_loss::PacketLoss;
pub use item::schemas::BadSchema;
pub use item::{Defect, Item, Mode, Origin, Visitor};
pub use merge::WINDOW;
pub use model::{EventSink, Events, OwnMachine, TimedEvent, is_control};
pub use options::Options;
pub use output::{BoxWrite, Output};
pub use packets::{Continuity, Link, NotPacked, PACKET_SIZES, Packer, PacketPiece, PacketReader};
pub use records::{ProgramId, ProgramSymbol, formats_of_section, is_identity};
pub use repair::change::{Change as ByteChange, ChangeCount, Changes};
pub use repair::quote::Quote;
pub use tband_import::{
    CtfError, CtfMap, CtfTrace, ForeignRecording, InputFormat, MAX_METADATA, MapError, counted,
    is_ctf_stream, may_be_ctf_stream, recognise_folder,
};
pub use timeline::{Flows, Sink, Timeline};
pub use wire::frames::{Frame, FrameEnd, FrameReader, MAX_FRAME};
pub use wire::gap::{NOT_KEPT, SOURCE_GAP};
