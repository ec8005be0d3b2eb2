//! How to convert.

use tband_import::format::InputFormat;

use crate::clock::frequency::Frequency;
use crate::clock::moment::Moment;
use crate::item::Mode;
use crate::model::Flows;
use crate::records::{ProgramFacts, ProgramId, ProgramSymbol};

/// How to convert.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which events the recording may hold.
    pub mode: Mode,
    /// Format of fed inputs; each [`Input`](crate::Input) has its own.
    pub input_format: InputFormat,
    /// Number of cores of the target. Events of others are used, but are findings. `None`: the number in the recording, or
    /// otherwise all cores that occur.
    pub core_count: Option<u32>,
    /// Memory for putting cores that share an input in order, in bytes an input; `None` for
    /// [`WINDOW`](crate::merge::WINDOW).
    pub window: Option<usize>,
    /// Which flows the sinks get.
    pub flows: Flows,
    /// The timestamps' frequency at the start, which replaces the one in the recording.
    pub tick_rate: Option<Frequency>,
    /// Source places of crashes, from a caller that has the symbols: for each pc, the lines to show of a
    /// [`Crash`](crate::model::Crash) there, unless the recording contains them.
    pub crash_places: Vec<(u32, Vec<String>)>,
    /// The program of these facts. They are used only if the recording does not show that another program made it.
    pub program: ProgramId,
    /// Formats of the application's log records, from a caller that has the program, by their addresses
    /// ([`formats_of_section`](crate::records::formats_of_section)), unless the recording has them.
    pub record_formats: Vec<(u32, Vec<u8>)>,
    /// Objects and functions of the program: their names are shown for pointers to them, unless the recording has others.
    pub symbols: Vec<ProgramSymbol>,
    /// Sinks get nothing before this moment, which belongs to the window. The state then is reported at that time
    /// ([`Sink::initial`](crate::model::Sink::initial)), and the recording looks as if it began there.
    pub from: Option<Moment>,
    /// Sinks get nothing after this, which belongs to the window. The recording is not read much
    /// further, so findings in the [`Summary`](crate::Summary) are those up to here.
    pub to: Option<Moment>,
    /// Count events and their bytes by kind, for [`Summary::census`](crate::Summary::census).
    pub census: bool,
    /// Length of a window of the table `load`, in ns; `None` for 100 ms.
    pub load_window_ns: Option<i64>,
    /// The inputs are fed as they are recorded: items are returned at once. Otherwise, where packets are missing, a conversion
    /// reads up to 32 KiB further, since a network may have swapped them.
    pub is_live: bool,
}

impl Options {
    /// Returns the facts of a given program, if there is one.
    pub(crate) fn program_facts(&self) -> Option<(&ProgramId, ProgramFacts<'_>)> {
        let Self { program, record_formats, symbols, crash_places, .. } = self;
        let facts = ProgramFacts { formats: record_formats, symbols, crash_places };
        (*program != ProgramId::default() || !facts.is_empty()).then_some((program, facts))
    }

    /// They name a part of the recording.
    pub(crate) const fn has_window(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}
