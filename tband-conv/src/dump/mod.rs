//! Dumps events as text or as JSON lines: of one input in the order of the file, of several by time.
//!
//! A single input is streamed: it is read once, and each frame has one line. Lines are held back until enough frames have
//! decoded to be sure that this is a recording, so that a wrong file causes an error rather than pages of garbage.

mod columns;
mod described;
mod digits;
mod filter;
mod format;
mod labels;
mod lines;
mod names;
mod record;
mod strings;
mod times;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use tband_format::decode::Decoded;
use tband_format::named::TimerCommand;
use tband_format::registry::EVENTS;
use tband_format::{Event, Str};

use self::filter::FilterState;
pub use self::filter::{DumpOptions, ObjectSelector, event_names};
pub use self::format::DumpFormat;
use self::lines::{Lines, Notice};
pub(crate) use self::times::Times;
use crate::convert::events::walk;
use crate::convert::take_census::CountingPass;
use crate::diagnostics::{Finding, Place, Severity};
use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::Input;
use crate::input::credibility::Credibility;
use crate::item::schemas::Schemas;
use crate::item::{Defect, Item, Mode, Origin, Visitor};
use crate::model::{EventSink, EventTime, TimedEvent, World};
use crate::options::Options;
use crate::records::{ProgramFacts, ProgramId};
use crate::scan::Scan;
use crate::wire::gap::Gap;

/// Result of a dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpSummary {
    /// Frames that are events.
    pub events: u64,
    /// Events that have a line.
    pub shown: u64,
    /// Frames that are not events, and of several inputs also times that cannot be.
    pub defects: u64,
    /// Input, offset and text of the first defect.
    pub first_defect: Option<(Place, String)>,
    /// Events that the target lost, as far as it reported.
    pub lost: u64,
    /// Places where inputs among others, or files joined to others, have no event, with the message for each.
    pub empty: Vec<(Place, String)>,
}

/// Lines are held back up to this many bytes.
const HOLD_BACK: usize = 8 << 20;
const FLUSH_AT: usize = 64 * 1024;

/// Writes one line for each event that the options select: those of one input in the order of the file, of several in the order
/// of time.
///
/// A single input is opened once. If it can be read again, it is opened once more for the first log record of the application
/// that has a line, and for the first unknown event: their formats and schemas may come after them. Once the limit is reached
/// the rest is neither read nor judged. Several inputs are read twice.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, or `out` fails.
pub fn dump(
    inputs: &[Input<'_>],
    options: DumpOptions,
    out: impl Write,
) -> Result<DumpSummary, ConvError> {
    match inputs {
        [input] => dump_one(input, options, out),
        _ => dump_merged(inputs, options, out),
    }
}

fn dump_one(
    input: &Input<'_>,
    options: DumpOptions,
    out: impl Write,
) -> Result<DumpSummary, ConvError> {
    let mode = options.mode;
    let lines = Lines::new(options.format, World::default());
    let times = Times::new(options.tick_rate);
    let mut dumper = Dumper::new(options, times, lines, out);
    dumper.ahead = (!input.is_read_once()).then_some((input, mode));
    dumper.undescribed = dumper.ahead;
    let mut events = input.events(mode)?;
    let mut credibility = Credibility::default();
    loop {
        match dumper.read(&mut events, &mut credibility) {
            Ok(()) | Err(End::Enough) => break,
            Err(End::Read(error)) => return Err(input.read_error(error)),
            Err(End::Write(error)) => return Err(error),
            Err(End::Described(schemas)) => {
                events = input.events(mode)?.with_schemas(&schemas);
                for _ in 0..dumper.items() {
                    events.next_item().map_err(|error| input.read_error(error))?;
                }
            }
        }
    }
    credibility.set_foreign(events.about().is_some());
    credibility.verdict(input, events.offset())?;
    dumper.finish()
}

/// The schemas of an input that describes events after these occur.
fn late_schemas(input: &Input<'_>, mode: Mode) -> Option<Box<Schemas>> {
    // The reader of the lines reports read errors.
    let mut events = input.events(mode).ok()?;
    events.visit(&mut CountingPass).ok()?;
    events.schemas().are_late().then(|| Box::new(events.schemas().at_start()))
}

fn dump_merged(
    inputs: &[Input<'_>],
    wanted: DumpOptions,
    out: impl Write,
) -> Result<DumpSummary, ConvError> {
    let mut options = Options::default();
    (options.mode, options.tick_rate) = (wanted.mode, wanted.tick_rate);
    let scan = Scan::run(inputs, &options)?;
    let times = Times::with(scan.outset.clock(options.tick_rate));
    let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, Input::core));
    let lines = Lines::new(wanted.format, scan.outset.world.clone());
    let mut dumper = Dumper::new(wanted, times, lines, out);
    if !dumper.sieve.is_done() {
        walk(inputs, &options, scan, (&mut dumper, false))?;
    }
    Ok(DumpSummary { empty, ..dumper.finish()? })
}

/// A running dump.
struct Dumper<'i, 'a, W> {
    /// Where formats and names of records may be that come after them: read at the first record that has a line.
    ahead: Option<(&'i Input<'a>, Mode)>,
    /// Where the schemas of events may be that come after them: read at the first unknown event.
    undescribed: Option<(&'i Input<'a>, Mode)>,
    /// Items that are no events.
    others: u64,
    sieve: FilterState,
    times: Times,
    lines: Lines,
    summary: DumpSummary,
    out: W,
}

/// Why no more is read.
enum End {
    /// There are as many lines as are wanted.
    Enough,
    /// The recording describes the next event after it.
    Described(Box<Schemas>),
    Read(io::Error),
    Write(ConvError),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl<W: Write> Dumper<'_, '_, W> {
    fn new(options: DumpOptions, times: Times, mut lines: Lines, out: W) -> Self {
        let DumpOptions { program, record_formats: formats, symbols, .. } = &options;
        let facts = ProgramFacts { formats, symbols, crash_places: &[] };
        if *program != ProgramId::default() || !facts.is_empty() {
            lines.add_program(program, &facts);
        }
        let (sieve, summary) = (FilterState::new(options), DumpSummary::default());
        Self { ahead: None, undescribed: None, others: 0, sieve, times, lines, summary, out }
    }

    /// Reads an input from where it is.
    fn read<R: Read>(
        &mut self,
        events: &mut EventReader<R>,
        credibility: &mut Credibility,
    ) -> Result<(), End> {
        // Reads on as far as is needed to distinguish an input that is not a recording from one that begins with damage.
        while !credibility.is_certain() {
            let Some(item) = events.next_item()? else { return Ok(()) };
            match &item.event {
                Ok(decoded) => Self::event(self, item.core, item.offset, decoded),
                Err(_) => self.take_other(&item)?,
            }
            credibility.add(&item);
            if self.sieve.is_done() && credibility.has_enough() {
                return Ok(());
            }
            self.flush_at(HOLD_BACK).map_err(End::Write)?;
        }
        if self.sieve.is_done() { Ok(()) } else { events.visit(self) }
    }

    /// Items so far.
    const fn items(&self) -> u64 {
        self.summary.events.saturating_add(self.others)
    }

    /// Takes an item that is no event, unless the recording describes it later.
    #[cold]
    fn take_other(&mut self, item: &Item<'_>) -> Result<(), End> {
        if item.event.as_ref().is_err_and(Defect::is_undescribed)
            && let Some((input, mode)) = self.undescribed.take()
            && let Some(schemas) = late_schemas(input, mode)
        {
            return Err(End::Described(schemas));
        }
        self.others = self.others.saturating_add(1);
        self.defect(item);
        Ok(())
    }

    #[inline]
    fn event(&mut self, core: u32, offset: u64, decoded: &Decoded<'_>) {
        let id = decoded.event.id();
        self.summary.events = self.summary.events.saturating_add(1);
        let (mut is_followed, mut deletes) = (false, false);
        match decoded.ts {
            Some(ticks) if !FOLLOWED[usize::from(id)] => self.times.reach(ticks),
            _ => (is_followed, deletes) = (true, self.follow(core, decoded)),
        }
        let Self { sieve, times, lines, .. } = self;
        if sieve.is_selected(core, decoded, lines.world(), times) {
            if is_followed && RECORDS.contains(&id) {
                self.look_ahead();
            }
            self.lines.event(core, offset, id, decoded, &mut self.times);
        }
        if deletes {
            self.lines.forget_deleted(&decoded.event);
        }
    }

    /// Learns the effect of an event on later lines. Returns true if it applies after its own line.
    #[inline(never)]
    fn follow(&mut self, core: u32, decoded: &Decoded<'_>) -> bool {
        if let Event::DroppedEvtCnt { cnt } = decoded.event {
            self.summary.lost = self.summary.lost.max(cnt.into());
        }
        self.times.follow(decoded);
        self.lines.learn(core, decoded)
    }

    /// Learns the formats of records anywhere in the recording: targets send them at a low priority.
    #[cold]
    fn look_ahead(&mut self) {
        let Some((input, mode)) = self.ahead.take() else { return };
        // The reader of the lines reports read errors.
        let Ok(mut events) = input.events(mode) else { return };
        while let Ok(Some(item)) = events.next_item() {
            if let Ok(decoded) = &item.event
                && matches!(
                    decoded.event,
                    Event::Format { .. }
                        | Event::Symbol { .. }
                        | Event::Constant { .. }
                        | Event::Program { .. }
                        | Event::BuildId { .. }
                        | Event::FormatsOf { .. }
                )
            {
                self.lines.learn_ahead(item.core, &decoded.event);
            }
        }
    }

    #[cold]
    fn defect(&mut self, item: &Item<'_>) {
        let Err(defect) = &item.event else { return };
        // Restored bytes and bytes beside the packets are findings, but get no line.
        if defect.is_beside() {
            return;
        }
        // A part that the user did not keep is not a defect.
        if *defect != Defect::Gap(Gap::NotKept) {
            self.summary.defect(Place { input: 0, offset: item.offset }, &defect.to_string());
        }
        self.lines.forget();
        if self.sieve.is_defect_selected(item.core, &mut self.times) {
            self.lines.defect(item, defect);
        }
    }

    #[cold]
    fn notice(&mut self, place: Place, notice: &Notice<'_>) {
        self.summary.defect(place, notice.text);
        if self.sieve.is_defect_selected(notice.core, &mut self.times) {
            self.lines.notice(notice);
        }
    }

    #[inline]
    fn flush_at(&mut self, bytes: usize) -> Result<(), ConvError> {
        self.lines.flush_at(bytes, &mut self.out).map_err(ConvError::Write)
    }

    /// Until there are as many lines as are wanted.
    fn check_limit(&mut self) -> io::Result<ControlFlow<()>> {
        self.lines.flush_at(FLUSH_AT, &mut self.out)?;
        let is_done = self.sieve.is_done();
        Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn finish(mut self) -> Result<DumpSummary, ConvError> {
        self.flush_at(0)?;
        self.summary.shown = self.sieve.passed();
        Ok(self.summary)
    }
}

impl<W: Write> Visitor for Dumper<'_, '_, W> {
    type Error = End;

    const LIVE: bool = true;

    #[inline]
    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), End> {
        Self::event(self, origin.core, origin.offset(), decoded);
        if self.sieve.is_done() {
            return Err(End::Enough);
        }
        self.flush_at(FLUSH_AT).map_err(End::Write)
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), End> {
        self.take_other(item)?;
        self.flush_at(FLUSH_AT).map_err(End::Write)
    }

    /// A live reader sees the last events without waiting for the next one.
    fn before_wait(&mut self) -> Result<(), End> {
        self.flush_at(1).map_err(End::Write)
    }
}

/// Events of several inputs, in the order of time.
impl<W: Write> EventSink for Dumper<'_, '_, W> {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let &TimedEvent { at, place, ref decoded, .. } = event;
        self.lines.enter_input(place.input);
        Self::event(self, at.core, place.offset, decoded);
        self.check_limit()
    }

    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let &Finding { problem, place, text, .. } = finding;
        if problem.severity() != Severity::Note {
            self.times.reach(ticks);
            let Place { offset, .. } = place;
            self.notice(place, &Notice { core: at.core, offset, text });
        }
        self.check_limit()
    }
}

/// Ids of the application's log records, whose formats are searched.
const RECORDS: [u8; 2] =
    [Event::Record { at: 0, is: Str(&[]) }.id(), Event::Typed { no: 0, is: Str(&[]) }.id()];

/// Whether the events of an id affect later lines: metadata, and those about the timer, losses, running tasks, records, and
/// deleted objects.
static FOLLOWED: [bool; 256] = {
    const OTHERS: [Event<'_>; 12] = [
        Event::CoreId { core_id: 0 },
        Event::TsFrequency { numerator: 0, denominator: 0 },
        Event::DroppedEvtCnt { cnt: 0 },
        Event::TaskSwitchedIn { task_id: 0 },
        Event::RunningTask { task_id: 0 },
        Event::Record { at: 0, is: Str(&[]) },
        Event::Typed { no: 0, is: Str(&[]) },
        Event::TaskDeleted { task_id: 0 },
        Event::QueueDeleted { queue_id: 0 },
        Event::StreamBufferDeleted { stream_buffer_id: 0 },
        Event::EventGroupDeleted { event_group_id: 0 },
        Event::TimerCommandReceived { timer_id: 0, command: TimerCommand::DELETE, value: 0 },
    ];
    let mut table = [false; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        table[EVENTS[index].id as usize] = EVENTS[index].metadata;
        index += 1;
    }
    index = 0;
    while index < OTHERS.len() {
        table[OTHERS[index].id() as usize] = true;
        index += 1;
    }
    table
};

impl DumpSummary {
    #[cold]
    fn defect(&mut self, place: Place, text: &str) {
        self.defects = self.defects.saturating_add(1);
        self.first_defect.get_or_insert_with(|| (place, text.to_owned()));
    }
}
