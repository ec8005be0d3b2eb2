//! Passes only a window of the timeline to a sink, as if the recording began and ended there.
//!
//! The timeline is followed from its start. The state when the window opens, such as running tasks, open spans or levels, is
//! reported at that moment. Changes have their own times, which are a few nanoseconds after their event's, and after a gap far
//! before it. So a window opens with the first change after its start that an event after its start reports, and changes
//! between the two are kept.
//!
//! Once each core has passed the window's end, or has no more events, nothing more is read. The state known then is newer than
//! the state at the end, so the world at the end is kept for the sink. Findings after the end, while other cores are awaited,
//! do not belong to the window.

mod bounds;
mod initial;
mod owned_change;

use std::io;
use std::ops::{ControlFlow, DerefMut};

use tband_format::decode::Decoded;

pub(crate) use self::bounds::Bounds;
use self::initial::Initial;
use self::owned_change::OwnedChange;
use crate::census::Census;
use crate::diagnostics::{Diagnostics, Finding};
use crate::model::{
    CallChange, Change, EventTime, Sink, TaskRef, TaskState, TimedEvent, TimerChange, World,
};

/// Maximum number of changes that are kept until the window opens; it opens at once if more are simultaneous.
const MAX_KEPT: usize = 4096;

/// The part of a recording that [`Options`](crate::Options) named.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExcerptPart {
    /// Where it begins, in ns: not before the recording.
    pub from_ns: i64,
    /// Where it ends, in ns: not after the recording, unless it begins there.
    pub to_ns: i64,
    /// Where the recording begins, in ns, if it has any event with a time.
    pub begins_ns: Option<i64>,
    /// End of the recording, in ns; `None` if it continues after the window.
    pub ends_ns: Option<i64>,
    /// Counts of the events in it. Those without their own time count where the event before them does.
    pub census: Census,
}

/// Holds the sink of a pass, and sees each event before the timeline does. By default the complete recording is of interest.
pub(crate) trait Watch: DerefMut<Target: Sink> {
    /// It has sinks of any kind, whose calls are not compiled with the machine.
    const IS_SHARED: bool = false;

    /// It has to see each event before the timeline does.
    #[inline]
    fn needs_inspection(&self) -> bool {
        false
    }

    /// Inspects an event, if it [`needs_inspection`](Self::needs_inspection). [`ControlFlow::Break`]:
    /// neither this event nor any later one is of interest.
    #[inline]
    fn inspect(&mut self, _: &World, _: EventTime, _: &Decoded<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether there was an event after the part of interest.
    #[inline]
    fn is_past_end(&self) -> bool {
        false
    }

    /// As [`inspect`](Self::inspect), of whatever these cores still have, one bit each.
    fn is_awaiting(&self, _: u64) -> bool {
        true
    }
}

impl<S: Sink + ?Sized> Watch for &mut S {}

/// The window in front of a sink.
pub(crate) struct Excerpt<S> {
    sink: S,
    bounds: Bounds,
    /// An event after the start has come.
    is_due: bool,
    is_open: bool,
    /// Before the window opens.
    initial: Initial,
    /// Steps for which it is too early.
    kept: Vec<(EventTime, OwnedChange)>,
    /// States at the end of the window of tasks whose state changes a few nanoseconds later.
    late: Vec<(TaskRef, TaskState)>,
    /// The world as it is at the end of the window, once there was an event after it.
    end: Option<Box<World>>,
    /// Cores that have not gone beyond the end, one bit each.
    inside: u64,
    /// The event is the first of its core after the end.
    straddles: bool,
    part: ExcerptPart,
    /// Findings up to the end, or at the start of a recording that begins later.
    diagnostics: Diagnostics,
    found_until: i64,
}

impl<S: Sink> Excerpt<S> {
    /// A window of a recording in which these cores have events.
    pub fn new(sink: S, bounds: Bounds, cores: impl Iterator<Item = u32>) -> Self {
        let Bounds { from, to } = bounds;
        Self {
            sink,
            bounds,
            is_due: false,
            is_open: false,
            initial: Initial::default(),
            kept: Vec::new(),
            late: Vec::new(),
            end: None,
            inside: cores.fold(0, |cores, core| cores | bit(core)),
            straddles: false,
            part: ExcerptPart {
                from_ns: from,
                to_ns: to,
                begins_ns: None,
                ends_ns: None,
                census: Census::default(),
            },
            diagnostics: Diagnostics::default(),
            found_until: to,
        }
    }

    /// Returns the next window of the same recording, which begins later, while this one is not open yet: the initial states of
    /// both follow from the same changes up to now.
    pub fn next(&self, world: &World, sink: S, bounds: Bounds) -> io::Result<Self> {
        let mut next = Self::new(sink, bounds, std::iter::empty());
        next.initial = self.initial.clone();
        for (at, kept) in &self.kept {
            kept.emit(world, *at, &mut next.initial)?;
        }
        next.start(world)?;
        Ok(next)
    }

    /// The sink.
    pub const fn sink(&self) -> &S {
        &self.sink
    }

    /// Returns only the sink.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Returns the bounds of the window.
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// As [`advance`](Self::advance), in a recording whose cores are not known in advance: it waits for those that have had an
    /// event when the first one after the end comes.
    pub fn advance_live(&mut self, world: &World, at: EventTime) -> ControlFlow<()> {
        if self.end.is_none() && at.ns > self.bounds.to {
            self.inside = world.cores.iter().fold(bit(at.core), |cores, core| cores | bit(*core));
        }
        self.advance(world, at)
    }

    /// Closes the window. Returns its sink, and the known state of the target at its end.
    pub fn finished(mut self, world: &World, end_ns: i64) -> io::Result<(S, World)> {
        let end = match &self.end {
            Some(end) => end.clone(),
            None => self.at_end(world),
        };
        self.finish(world, end_ns)?;
        Ok((self.sink, *end))
    }

    /// Returns the sink, the facts found about the window, and the findings as far as the recording was followed.
    pub fn into_parts(self) -> (S, ExcerptPart, Diagnostics) {
        (self.sink, self.part, self.diagnostics)
    }

    /// Returns the window's sink.
    pub const fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// There was an event after its end.
    pub const fn is_past_end(&self) -> bool {
        self.end.is_some()
    }

    /// One of these cores, one bit each, has not gone beyond its end.
    pub const fn is_waiting_for(&self, cores: u64) -> bool {
        self.inside & cores != 0
    }

    /// As [`Watch::inspect`].
    pub fn inspect_event(
        &mut self,
        world: &World,
        at: EventTime,
        decoded: &Decoded<'_>,
    ) -> ControlFlow<()> {
        if (self.bounds.from..=self.bounds.to).contains(&at.ns) {
            self.part.census.add(decoded);
        }
        self.advance(world, at)
    }

    /// The next event is at this moment. [`ControlFlow::Break`]: neither it nor any later one is of interest.
    fn advance(&mut self, world: &World, EventTime { ns, core }: EventTime) -> ControlFlow<()> {
        let Bounds { from, to } = self.bounds;
        self.is_due |= ns > from;
        if ns <= to {
            return ControlFlow::Continue(());
        }
        if self.inside == 0 {
            return ControlFlow::Break(());
        }
        if self.end.is_none() {
            self.end = Some(self.at_end(world));
        }
        self.straddles = self.inside & bit(core) != 0;
        self.inside &= !bit(core);
        ControlFlow::Continue(())
    }

    /// Returns the state known now, without the effects of changes after the end.
    fn at_end(&self, world: &World) -> Box<World> {
        let mut world = Box::new(world.clone());
        for &(task, state) in &self.late {
            set_state(&mut world, task, state);
        }
        world
    }

    /// Reports a change that is not after the end.
    fn show(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if !self.is_open {
            if self.keep(world, at, change)? {
                return Ok(());
            }
            self.open(world)?;
        }
        // A gap that shows only now may have begun before the window.
        let at = EventTime { ns: at.ns.max(self.bounds.from), ..at };
        match self.within(*change) {
            Some(change) => self.sink.change(world, at, &change),
            None => Ok(()),
        }
    }

    /// Keeps a change that is too early; returns false if it is not.
    fn keep(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<bool> {
        let from = self.bounds.from;
        match change {
            // Existing tasks count although they are not shown.
            Change::TaskAppears(_) | Change::TaskRenamed(_) if at.ns <= from => {
                self.sink.change(world, EventTime { ns: from, ..at }, change)?;
            }
            _ if at.ns < from || (at.ns == from && self.is_initial(change)) => {
                self.initial.follow(at, change);
            }
            _ if (at.ns == from || !self.is_due) && self.kept.len() < MAX_KEPT => {
                if let Some(change) = self.within(*change) {
                    self.kept.push((at, OwnedChange::new(&change)));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether this change, at the moment when the window opens, is part of the initial state.
    fn is_initial(&self, change: &Change<'_>) -> bool {
        Initial::is_all_of(change) && !self.kept.iter().any(|(_, it)| it.is_taken_back_by(change))
    }

    /// Reports the initial state, then the kept changes.
    fn open(&mut self, world: &World) -> io::Result<()> {
        self.is_open = true;
        let initial = std::mem::take(&mut self.initial);
        let before = initial.world_before(world);
        let world_before = before.as_deref().unwrap_or(world);
        initial.emit(world_before, self.bounds.from, &mut self.sink)?;
        for (at, kept) in std::mem::take(&mut self.kept) {
            kept.emit(world, at, &mut self.sink)?;
        }
        Ok(())
    }

    /// Returns a change without the part before the window; `None` if all of it is before the window.
    fn within<'c>(&self, change: Change<'c>) -> Option<Change<'c>> {
        let from = self.bounds.from;
        Some(match change {
            Change::Flow(flow) if flow.from.ns < from => return None,
            Change::Timer(timer, TimerChange::CallbackEnd { task, begin_ns, end_ns }, by) => {
                let (begin_ns, end_ns) = (begin_ns.max(from), end_ns.max(from));
                Change::Timer(timer, TimerChange::CallbackEnd { task, begin_ns, end_ns }, by)
            }
            Change::Call(caller, number, CallChange::End { begin_ns, value }) => {
                let begin_ns = begin_ns.max(from);
                Change::Call(caller, number, CallChange::End { begin_ns, value })
            }
            other => other,
        })
    }

    /// A finding after the end is known of the time before it too.
    fn is_relevant(&self, finding: &Finding<'_>) -> bool {
        finding.problem.is_between_events() && self.straddles
    }

    /// Reports a change of an event after the end: if events are missing, that is known of the time before it too.
    fn show_late(
        &mut self,
        world: &mut World,
        at: EventTime,
        change: &Change<'_>,
    ) -> io::Result<()> {
        let to = self.bounds.to;
        match *change {
            Change::Finding(finding) if at.ns > to && !self.is_relevant(finding) => return Ok(()),
            Change::Finding(_) => {}
            // It ended before it shows.
            Change::Timer(_, TimerChange::CallbackEnd { end_ns, .. }, _) if end_ns <= to => {}
            _ if at.ns > to => return Ok(()),
            Change::TaskState { task, to, .. } => set_state(world, task, to),
            _ => {}
        }
        self.show(world, EventTime { ns: at.ns.min(to), ..at }, change)
    }
}

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

fn set_state(world: &mut World, task: TaskRef, state: TaskState) {
    if let Some(task) = world.tasks.get_mut(task) {
        task.state = state;
    }
}

impl<S: Sink> Sink for Excerpt<S> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let Bounds { from, to } = &mut self.bounds;
        // No time is before the recording.
        let start = world.start_ns.unwrap_or(0);
        self.found_until = start.max(*to);
        *from = start.max(*from).min(*to);
        (self.part.from_ns, self.part.begins_ns) = (*from, world.start_ns);
        let mut world = world.clone();
        world.start_ns = Some(*from);
        self.sink.start(&world)
    }

    /// They are counted.
    fn needs_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        let Bounds { from, to } = self.bounds;
        if event.at.ns < from || event.at.ns > to || !self.sink.needs_events() {
            return Ok(());
        }
        self.sink.event(event)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        // The window has its own end.
        if let Change::StillRunning(_) = change {
            return Ok(());
        }
        if let Change::Finding(finding) = change
            && (at.ns <= self.found_until || self.is_relevant(finding))
        {
            self.diagnostics.add(finding);
        }
        if let Some(mut end) = self.end.take() {
            let result = self.show_late(&mut end, at, change);
            self.end = Some(end);
            return result;
        }
        if at.ns <= self.bounds.to {
            return self.show(world, at, change);
        }
        if let Change::TaskState { task, from, .. } = *change
            && !self.late.iter().any(|(known, _)| *known == task)
        {
            self.late.push((task, from));
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let Bounds { from, to } = self.bounds;
        let (world, end_ns) = match self.end.take() {
            Some(end) => (end, to),
            None => {
                self.part.ends_ns = Some(end_ns);
                (self.at_end(world), end_ns.clamp(from, to))
            }
        };
        self.part.to_ns = end_ns;
        if !self.is_open {
            self.open(&world)?;
        }
        for (task, entry) in world.tasks.iter() {
            if let TaskState::Running(core) = entry.state {
                let at = EventTime { ns: end_ns, core };
                self.sink.change(&world, at, &Change::StillRunning(task))?;
            }
        }
        self.sink.finish(&world, end_ns)
    }
}
