//! The converter library: from recordings to events, to a timeline, to whatever a sink makes of it.
//!
//! A pipeline over bounded memory, each stage of which can be used by itself: [`Input`] (opened twice) → frames
//! ([`FrameReader`]) → events ([`EventReader`]) → merge by time ([`convert_events`], which feeds an [`EventSink`]) →
//! [`Timeline`] (the machine, which changes a [`World`](timeline::World)) → [`Sink`]s ([`convert`]). Who has the bytes
//! piece by piece feeds a [`Conversion`]. Memory grows with the number of objects on the target, not with the length
//! of the recording. Damage never ends a conversion: it is located, counted and shown
//! ([`Diagnostics`]). No input makes the library panic. It uses no threads, opens no files and
//! compiles to WebAssembly.
//!
//! ```
//! use tband_conv::{Input, Options, convert, sinks::Stats};
//!
//! // Core 0; task 1 (named "a") runs for 5 ticks of 1 ns.
//! let recording = [4, 0x5F, 1, b'a', 0, 4, 84, 10, 1, 0, 4, 84, 15, 2, 0];
//! let mut stats = Stats::default();
//! let inputs = [Input::from_bytes("example", &recording)];
//! let summary = convert(&inputs, &Options::default(), &mut stats)?;
//! assert!(summary.diagnostics.is_clean());
//! assert_eq!(stats.tasks().next().map(|task| task.run_ns), Some(5));
//! # Ok::<(), tband_conv::ConvError>(())
//! ```

pub mod align;
mod base64;
mod buffer;
mod census;
mod clock;
mod convert;
mod copies;
mod cores;
mod credibility;
mod ctf;
mod deferred;
mod diagnostics;
mod drift;
mod dump;
mod error;
mod events;
mod excerpt;
mod fed;
mod find_marker;
mod frames;
mod frequency;
mod group;
mod gunzip;
mod head;
mod hex;
mod input;
mod item;
mod layout;
mod machine;
mod markers;
mod merge;
mod missing;
mod model;
mod moment;
mod naming;
mod notation;
mod number;
mod options;
mod output;
mod outset;
mod owned_event;
mod packets;
mod records;
mod scan;
mod schemas;
pub mod sinks;
mod starts;
mod take_census;
mod text;
pub mod timeline;
mod timers;
mod timing;
mod verdict;
mod wanted;
mod wire;
mod zeros;

pub use base64::Base64Reader;
pub use census::{Census, KindCount};
pub use clock::{Clock, Known, MAX_NS, Reported, Span};
pub use convert::{
    Conversion, EventSummary, LookAhead, Progress, ShownPlace, Step, Summary, convert,
    convert_events, convert_to_perfetto, convert_to_stats, survey,
};
pub use copies::refuse_copies;
pub use cores::MAX_CORES;
pub use ctf::{CtfSummary, CtfVersion, convert_scheduling_to_ctf, convert_to_ctf};
pub use diagnostics::{Diagnostic, Diagnostics, Finding, Place, Problem, Severity};
pub use dump::{
    DumpFilter, DumpFormat, DumpSummary, Which, dump, dump_filtered, dump_merged, event_names,
};
pub use error::{ConvError, NotationError};
pub use events::EventReader;
pub use excerpt::Part;
pub use find_marker::{FoundMarker, find_marker};
pub use frames::{Frame, FrameEnd, FrameReader, MAX_FRAME};
pub use frequency::{Frequency, NoFrequency};
pub use group::group_by_core;
pub use hex::HexReader;
pub use input::Input;
pub use item::{Defect, Item, Mode, Origin, Visitor};
pub use merge::WINDOW;
pub use missing::Missing;
pub use model::{EventSink, Events, TimedEvent, steers};
pub use moment::Moment;
pub use notation::{BoxRead, Format};
pub use options::Options;
pub use output::{BoxWrite, Output};
pub use packets::{Continuity, Link, NotPacked, PACKET_SIZES, Packer, PacketPiece, PacketReader};
pub use records::{ProgramId, formats_of_section};
pub use schemas::BadSchema;
pub use take_census::take_census;
pub use timeline::{Flows, Sink, Timeline};
