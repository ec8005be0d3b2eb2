//! Items read of an input are put into lanes, one per core.

use tband_format::Event;
use tband_format::decode::{DecodeError, Decoded};
use tband_import::counted::counted;
use tband_import::gaps::Break;

use super::lane::{Joint, Lane, RecordItem};
use super::repeats::CoreActivity;
use crate::diagnostics::Problem;
use crate::input::credibility::Credibility;
use crate::item::{Defect, Item};
use crate::outset::head::Head;
use crate::outset::layout::Extent;
use crate::outset::starts::{FrameAction, NewStream, StreamStarts};
use crate::repair::change::Change;
use crate::wire::gap::Gap;

/// The lane of one core of an input.
#[derive(Debug, Default)]
pub(crate) struct CoreLane {
    pub core: u32,
    pub lane: Lane,
    /// See [`Extent`].
    pub first: u64,
    pub end: u64,
    /// Of a recording that shares its wake-ups with others.
    pub activity: CoreActivity,
}

/// State of an input as it is read, in addition to its lanes.
#[derive(Debug)]
pub(crate) struct Intake {
    pub starts: StreamStarts,
    /// A lane holds events since its clock was set back.
    pub is_set_back: bool,
    /// Frames that were events.
    pub good: u64,
    /// The files that are still to come, with the offsets at which they begin; the next one last.
    pub joints: Vec<(Joint, u64)>,
    /// Events that change nothing are reported too.
    pub silent: bool,
    /// Without a first pass.
    pub live: Option<Box<UnscannedInput>>,
    /// A part of a packet or frame, until it is known whether a start of the recording follows it.
    pub(super) cut: Option<FramePart>,
    /// Offsets at which the target was reset, by its own clock.
    pub resets: Vec<u64>,
}

/// A part of a packet or frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct FramePart {
    core: u32,
    offset: u64,
    len: u64,
    defect: Defect,
    /// Items after it that did not show whether a start follows.
    passed: u32,
}

/// Metadata after a part of a packet or frame that is passed over in search of a start.
const MAX_PASSED: u32 = 1 << 12;

/// Result of handling a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameResult {
    /// A stream may start with it.
    pub may_start: bool,
    /// It is in its lane.
    pub is_queued: bool,
}

/// Facts found about an input that no first pass has read.
#[derive(Debug, Default)]
pub(crate) struct UnscannedInput {
    pub head: Head,
    pub credibility: Credibility,
}

impl CoreLane {
    pub fn new(&Extent { core, first, end }: &Extent) -> Self {
        Self { core, lane: Lane::default(), first, end, activity: CoreActivity::default() }
    }
}

impl Default for Intake {
    fn default() -> Self {
        Self::new(StreamStarts::live())
    }
}

impl Intake {
    /// Creates the intake of an input whose streams start there.
    pub const fn new(starts: StreamStarts) -> Self {
        Self {
            starts,
            is_set_back: false,
            good: 0,
            joints: Vec::new(),
            silent: false,
            live: None,
            cut: None,
            resets: Vec::new(),
        }
    }

    /// Returns a new lane for a core that has none. No first pass has read the input, or it has changed since. The core's clock
    /// has restarted together with those of the others.
    #[cold]
    pub fn lane_of(&self, item: &Item<'_>, others: &[CoreLane]) -> CoreLane {
        let Item { core, offset: first, .. } = *item;
        let shift = others.iter().map(|entry| entry.lane.common_shift()).max().unwrap_or(0);
        let mut entry = CoreLane::new(&Extent { core, first, end: u64::MAX });
        if self.live.is_some() && shift > 0 {
            entry.lane.begin_at(shift);
        }
        entry
    }

    /// Takes in the next frame. The first one of a core makes its lane.
    #[inline]
    pub fn put(&mut self, lanes: &mut Vec<CoreLane>, item: &Item<'_>) -> FrameResult {
        if lanes.iter().all(|entry| entry.core != item.core) {
            lanes.push(self.lane_of(item, lanes));
        }
        self.take(lanes, item)
    }

    /// Takes in the next frame, of a core that has a lane.
    #[inline]
    pub fn take(&mut self, lanes: &mut [CoreLane], item: &Item<'_>) -> FrameResult {
        let &mut Self { ref mut starts, ref mut joints, ref mut live, silent, .. } = self;
        self.good = self.good.saturating_add(u64::from(item.event.is_ok()));
        while let Some((joint, _)) = joints.pop_if(|(_, start)| *start <= item.offset) {
            lanes.iter_mut().for_each(|entry| entry.lane.file_start(&joint));
        }
        let Some(index) = lanes.iter().position(|entry| entry.core == item.core) else {
            return FrameResult { may_start: false, is_queued: false };
        };
        let (mut is_known, mut may_start) = (false, false);
        if let Some(live) = live {
            let had = lanes.get(index).is_some_and(|entry| entry.lane.has_events());
            if let Some(new_stream) = starts.follow(item, had) {
                start_stream(lanes, new_stream);
            }
            may_start = starts.is_open();
            is_known = live.head.frame(item);
            if item.event.is_err() {
                live.credibility.add(item);
            }
        }
        let follows_cut = self.cut.is_some();
        if follows_cut {
            settle_cut(&mut self.cut, lanes, Some(item));
        }
        // A reset cuts one. Several in a row are damage.
        if let Err(defect) = item.event
            && defect.may_be_cut()
            && !follows_cut
        {
            let Item { core, offset, len, .. } = *item;
            self.cut = Some(FramePart { core, offset, len, defect, passed: 0 });
            lanes.iter_mut().for_each(|entry| entry.lane.pass_none());
            return FrameResult { may_start: true, is_queued: false };
        }
        if has_no_time(item) {
            let FrameAction { new_stream, known } = starts.look(item, &self.resets);
            if let Some(new_stream) = new_stream {
                start_stream(lanes, new_stream);
            }
            is_known |= known;
        }
        if silent
            && (is_known || is_silent(item))
            && let (Ok(decoded), Some(entry)) = (item.event, lanes.get_mut(index))
        {
            entry.lane.push_reported(item.reported, item.offset, &RecordItem::Silent(decoded));
        }
        if !is_known {
            self.queue(lanes, index, item);
        }
        may_start |= self.cut.is_some();
        if may_start && let Some(entry) = lanes.get_mut(index) {
            // The state that it begins may end with any later event.
            entry.lane.pass_none();
        }
        FrameResult { may_start, is_queued: !is_known }
    }

    /// Puts a frame into its lane, and applies its effects on the clock to the other lanes.
    #[inline]
    fn queue(&mut self, lanes: &mut [CoreLane], index: usize, item: &Item<'_>) {
        if let Some(entry) = lanes.get_mut(index) {
            let (shift, was_back) = (entry.lane.common_shift(), entry.lane.is_set_back());
            queue(&mut entry.lane, item);
            let is_back = !was_back && entry.lane.is_set_back();
            if entry.lane.common_shift() != shift {
                let (shift, end) = (entry.lane.common_shift(), entry.end);
                follow_restart(lanes, index, shift, end);
            }
            if is_back {
                self.is_set_back = true;
                is_set_back_at(lanes, index);
            }
        }
        if matches!(item.event, Ok(Decoded { ts: Some(0), event: Event::CoreId { .. } })) {
            stream_start(lanes);
        }
    }

    /// Whether the last item that was read may still turn out to start a stream.
    pub const fn is_open(&self) -> bool {
        self.starts.is_open() || self.cut.is_some()
    }

    /// Whether the start of the input is known, and the last item that was read cannot start a stream.
    pub fn is_plain(&self) -> bool {
        !self.is_open() && self.live.as_ref().is_none_or(|live| live.head.is_known())
    }

    /// It was read to this offset.
    #[inline]
    pub fn advance(&mut self, lanes: &mut [CoreLane], position: u64) {
        if self.is_set_back {
            self.is_set_back = settle_closed(lanes, position);
        }
    }

    /// The input has ended.
    pub fn close(&mut self, lanes: &mut [CoreLane]) {
        settle_cut(&mut self.cut, lanes, None);
        lanes.iter_mut().for_each(|entry| entry.lane.settle());
        if let Some(new_stream) = self.starts.close() {
            start_stream(lanes, new_stream);
        }
    }
}

/// Decides by the next item whether an incomplete packet or frame was cut by a reset: then a recording starts after it. If not,
/// it is damage.
#[cold]
fn settle_cut(kept: &mut Option<FramePart>, lanes: &mut [CoreLane], next: Option<&Item<'_>>) {
    let Some(cut) = kept else { return };
    let is_start = match next.map(|item| item.event) {
        Some(Ok(Decoded { ts: Some(0), event: Event::CoreId { .. } })) => true,
        // In frames the names may come first.
        Some(Ok(Decoded { ts: None, .. })) if cut.passed < MAX_PASSED => {
            cut.passed += 1;
            return;
        }
        _ => false,
    };
    let &mut FramePart { core, offset, len, defect, .. } = cut;
    *kept = None;
    let Some(CoreLane { lane, .. }) = lanes.iter_mut().find(|entry| entry.core == core) else {
        return;
    };
    if is_start {
        let what = if matches!(defect, Defect::PacketPart(..)) { "packet" } else { "frame" };
        let text = format!("{len} bytes of a {what}, after which the recording starts again");
        lane.push_cut(offset, &text);
    } else {
        queue_defect(lane, &Item { core, offset, len, event: Err(defect), reported: None }, defect);
    }
}

/// The clock of a core was set back: if it stays there, time continues from the time that the cores of its stream had reached.
#[cold]
fn is_set_back_at(lanes: &mut [CoreLane], index: usize) {
    let Some(&CoreLane { first, end, .. }) = lanes.get(index) else { return };
    let beside = lanes.iter().filter(|entry| entry.first < end && first < entry.end);
    let reached = beside.map(|entry| entry.lane.reached()).max().unwrap_or(0);
    if let Some(entry) = lanes.get_mut(index) {
        entry.lane.is_set_back_at(reached);
    }
}

/// Settles the lanes without further events, where nothing can show whether the clock stays set back. Returns whether such a
/// lane with possible further events remains.
#[cold]
fn settle_closed(lanes: &mut [CoreLane], position: u64) -> bool {
    let closed = lanes.iter_mut().filter(|entry| position >= entry.end);
    closed.for_each(|entry| entry.lane.settle());
    lanes.iter().any(|entry| entry.lane.is_set_back())
}

/// A stream starts with one core, but is one of all cores.
#[cold]
fn stream_start(lanes: &mut [CoreLane]) {
    let reached = lanes.iter().map(|entry| entry.lane.reached()).max();
    for entry in lanes {
        entry.lane.stream_start(reached.unwrap_or(0));
    }
}

/// A new stream starts with a frame of this core, which is reported at the time of the last event before. If its first event is
/// earlier than the last one of the same core, the target was reset. If it is earlier only than events of other cores, the
/// stream is one of this core only, beside the last.
#[cold]
fn start_stream(lanes: &mut [CoreLane], new_stream: NewStream) {
    let NewStream { offset, core, first, .. } = new_stream;
    if restart(lanes, &new_stream) {
        return;
    }
    let shift = lanes.iter().find(|entry| entry.core == core).map_or(0, |it| it.lane.shift());
    let first = first.map_or(0, |(_, first)| first.saturating_add(shift));
    let reached = lanes.iter().map(|entry| entry.lane.reached_by(first)).max().unwrap_or(0);
    if let Some(CoreLane { lane, .. }) = lanes.iter_mut().find(|entry| entry.core == core) {
        lane.push_start(if first >= reached { reached } else { 0 }, offset);
    }
}

/// Decides whether the target was reset before a start, and if so applies that to all cores of the stream. Both the reset and
/// the start are reported before the start's names: names of one run end before those of the next begin.
#[cold]
fn restart(
    lanes: &mut [CoreLane],
    &NewStream { offset, core, first, is_reset }: &NewStream,
) -> bool {
    let Some((of, raw)) = first else { return false };
    let Some(&CoreLane { first: begin, end, .. }) = lanes.iter().find(|entry| entry.core == of)
    else {
        return false;
    };
    // Cores with events elsewhere in the file have their own streams and resets.
    let is_beside = |entry: &&mut CoreLane| entry.first < end && begin < entry.end;
    let (mut own, mut others, mut reached) = (None, None, 0);
    for entry in lanes.iter_mut().filter(is_beside) {
        entry.lane.settle();
        if entry.lane.has_events() {
            let top = entry.lane.top(raw);
            reached = reached.max(top.saturating_add(entry.lane.shift()));
            others = others.max(Some(top));
            own = if entry.core == of { Some(top) } else { own };
        }
    }
    let Some(top) = own.or(others).filter(|top| raw < *top || is_reset) else { return false };
    let before = lanes.iter().find(|entry| entry.core == of).map_or(0, |it| it.lane.shift());
    // An aligned clock continues across a reset.
    let shift = if is_reset { before } else { 0 }.max(reached.saturating_sub(raw));
    lanes.iter_mut().filter(is_beside).for_each(|entry| entry.lane.restart(shift));
    if let Some(CoreLane { lane, .. }) = lanes.iter_mut().find(|entry| entry.core == core) {
        lane.push_start(reached, offset);
        lane.push_restart((top, raw), reached, offset);
    }
    true
}

/// A frame that may be at the start of a stream.
const fn has_no_time(item: &Item<'_>) -> bool {
    matches!(item.event, Ok(Decoded { ts: None, .. } | Decoded { event: Event::CoreId { .. }, .. }))
}

/// An event that [`queue`] leaves out.
const fn is_silent(item: &Item<'_>) -> bool {
    matches!(item.event, Ok(Decoded { event: Event::CoreId { .. }, .. }))
}

/// One core's events show that the target was restarted. Cores in the same streams, before this offset, have restarted with it;
/// others come after them with their own streams.
#[cold]
fn follow_restart(lanes: &mut [CoreLane], reported_by: usize, shift: u64, end: u64) {
    for (index, entry) in lanes.iter_mut().enumerate() {
        if index != reported_by && entry.first < end {
            entry.lane.follow_restart(shift);
        }
    }
}

/// Puts a frame into its lane.
#[inline]
fn queue(lane: &mut Lane, item: &Item<'_>) {
    match item.event {
        Ok(decoded) => match (decoded.event, decoded.ts) {
            // It carries no time. One at time 0 opens a stream.
            (Event::CoreId { .. }, Some(0)) => lane.stream_start(lane.reached()),
            (Event::CoreId { .. }, _) => {}
            (_, Some(ts)) => lane.push_timed(ts, item.offset, &decoded),
            (_, None) => {
                lane.push_reported(item.reported, item.offset, &RecordItem::Event(decoded));
            }
        },
        Err(defect) => queue_defect(lane, item, defect),
    }
}

#[cold]
fn queue_defect(lane: &mut Lane, item: &Item<'_>, defect: Defect) {
    let problem = match defect {
        _ if defect.is_unknown_event() => Problem::UnknownEvent,
        Defect::Undecodable(_) | Defect::TooLong => Problem::UndecodableFrame,
        Defect::CutOff => Problem::CutOff,
        Defect::WrongMode(_) => Problem::WrongMode,
        Defect::CoreOutOfRange(_) => Problem::CoreOutOfRange,
        Defect::NoPacket(_) | Defect::PacketPart(..) => Problem::DamagedPacket,
        Defect::PacketCutOff(_) => Problem::CutOff,
        Defect::Restored(..) => Problem::BytesRestored,
        Defect::Changed(_) => Problem::BytesChanged,
        Defect::Beside(Change::Text, _) => Problem::TextOnLine,
        Defect::Beside(Change::Fill, _) => Problem::NeverWritten,
        Defect::Beside(..) => Problem::BytesAdded,
        Defect::BadEvent { error: DecodeError::UnknownId { .. }, .. } => Problem::UnknownInPacket,
        Defect::BadEvent { .. } => Problem::UndecodableFrame,
        Defect::BadSchema(..) => Problem::BadSchema,
        Defect::Missing(missing) => {
            return lane.push_until(missing.to, item.offset, &RecordItem::Missing(missing));
        }
        Defect::UnseenTurns { .. } => Problem::UnseenTurns,
        Defect::Foreign(what) => match what {
            Break::Damage(_) => Problem::ForeignDamage,
            Break::Head => Problem::OverwrittenStart,
            Break::Cut => Problem::CutOff,
            Break::Start => Problem::StreamStart,
            Break::Loss(_) => Problem::ForeignLoss,
            Break::Unwritten => Problem::NeverWritten,
        },
        Defect::Gap(Gap::Source) => Problem::SourceGap,
        Defect::Gap(Gap::NotKept) => Problem::NotKept,
    };
    let text = match defect {
        Defect::NoPacket(_) | Defect::PacketPart(..) => {
            format!("{} that are not a packet: {defect}", counted(item.len, "byte"))
        }
        Defect::Restored(..) => format!("packet that was changed on the way: {defect}"),
        Defect::Changed(_) | Defect::Beside(..) => {
            format!("{}: {defect}", counted(item.len, "byte"))
        }
        Defect::PacketCutOff(_) => format!("packet of {}: {defect}", counted(item.len, "byte")),
        Defect::BadEvent { .. } | Defect::BadSchema(..) | Defect::Gap(_) => defect.to_string(),
        Defect::Foreign(Break::Start | Break::Loss(_)) => defect.to_string(),
        Defect::Foreign(_) => format!("{}: {defect}", counted(item.len, "byte")),
        Defect::UnseenTurns { .. } => format!("core {}: {defect}", item.core),
        _ => format!("frame of {}: {defect}", counted(item.len, "byte")),
    };
    lane.push_finding(problem, item.offset, &text);
}
