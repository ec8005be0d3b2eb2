//! The order of several cores at one time: the core that loses a task goes before the one that gets it.
//!
//! Clocks count in steps, so events on several cores within one step have the same timestamp. Within a stream of all cores,
//! their order in the stream is the real one; between files, and between buffers that are after each other, it is unknown. The
//! merge takes the first order in which nothing is impossible: no task runs on two cores, none is woken before it waits or runs
//! before it is woken. If there is none, two cores have swapped tasks, which then leave both cores at once.

use std::collections::HashSet;

use tband_format::Event;

use super::repeats::SharedWake;
use crate::machine::Timeline;
use crate::model::TaskState;

/// Maximum number of simultaneous events of one core that are ordered together.
pub(crate) const MAX_EVENTS: usize = 32;
/// Orders that are tried.
const MAX_TRIES: usize = 4096;

/// Effect of an event on the place of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This task gets the core.
    Runs(u32),
    /// This task is made ready.
    Wakes(u32),
    /// The task of the core is about to wait.
    Waits,
    /// This task is suspended or deleted.
    Stops(u32),
    /// Another lane has the same event.
    Repeats,
    Other,
}

impl Step {
    const fn of(event: &Event<'_>) -> Self {
        match *event {
            Event::TaskSwitchedIn { task_id } => Self::Runs(task_id),
            Event::TaskToRdyState { task_id }
            | Event::TaskResumed { task_id }
            | Event::TaskResumedFromIsr { task_id } => Self::Wakes(task_id),
            Event::TaskSuspended { task_id } | Event::TaskDeleted { task_id } => {
                Self::Stops(task_id)
            }
            Event::CurtaskDelay { .. }
            | Event::CurtaskDelayUntil { .. }
            | Event::CurtaskBlockOnQueuePeek { .. }
            | Event::CurtaskBlockOnQueueSend { .. }
            | Event::CurtaskBlockOnQueueReceive { .. }
            | Event::CurtaskBlockOnNotifyTake { .. }
            | Event::CurtaskBlockOnNotifyWait { .. }
            | Event::CurtaskBlockOnStreamBufferSend { .. }
            | Event::CurtaskBlockOnStreamBufferReceive { .. }
            | Event::CurtaskBlockOnEventGroupWait { .. }
            | Event::CurtaskBlockOnEventGroupSync { .. } => Self::Waits,
            _ => Self::Other,
        }
    }
}

/// The events of one core in one input at one time, in their order.
#[derive(Debug)]
pub(crate) struct TieGroup {
    /// The core.
    pub core: u32,
    /// Index of the input.
    input: usize,
    steps: Vec<(u64, Step)>,
    /// Wake-ups that other groups may have too.
    pub wakes: Vec<SharedWake>,
}

impl TieGroup {
    pub const fn new(core: u32, input: usize) -> Self {
        Self { core, input, steps: Vec::new(), wakes: Vec::new() }
    }

    /// This step repeats one of another group.
    pub fn repeats(&mut self, step: usize) {
        if let Some((_, step)) = self.steps.get_mut(step) {
            *step = Step::Repeats;
        }
    }

    /// Adds the item at this offset: an event, or another item.
    pub fn push(&mut self, offset: u64, event: Option<&Event<'_>>) {
        self.steps.push((offset, event.map_or(Step::Other, Step::of)));
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }
}

/// Where a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskLocation {
    On(u32),
    Waits,
    Elsewhere,
}

/// Which of the tied lanes has the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextLane {
    /// Its position.
    pub lane: usize,
    /// The task that it gets leaves another core at the same time.
    pub swaps: bool,
    /// Another lane has the same event.
    pub repeats: bool,
}

/// Progress of an order.
#[derive(Clone)]
struct State {
    at: Vec<usize>,
    places: Vec<(u32, TaskLocation)>,
    /// By core the task that runs, and whether it is about to wait.
    running: Vec<(u32, Option<u32>, bool)>,
}

impl State {
    fn new(lanes: &[TieGroup], timeline: &Timeline) -> Self {
        let mut state = Self { at: vec![0; lanes.len()], places: Vec::new(), running: Vec::new() };
        for lane in lanes {
            if !state.running.iter().any(|it| it.0 == lane.core) {
                let (task, waits) = timeline.task_on(lane.input, lane.core);
                state.running.push((lane.core, task, waits));
            }
            for (_, step) in &lane.steps {
                if let Step::Runs(task) | Step::Wakes(task) | Step::Stops(task) = *step {
                    let place = match timeline.state_of(lane.input, task) {
                        TaskState::Running(core) => TaskLocation::On(core),
                        TaskState::Blocked(_) | TaskState::Suspended => TaskLocation::Waits,
                        _ => TaskLocation::Elsewhere,
                    };
                    state.put(task, place, false);
                }
            }
        }
        state
    }

    fn place(&self, task: u32) -> TaskLocation {
        let known = self.places.iter().find(|it| it.0 == task);
        known.map_or(TaskLocation::Elsewhere, |it| it.1)
    }

    /// Sets the place of a task, from now on or only if it is not known yet.
    fn put(&mut self, task: u32, place: TaskLocation, from_now: bool) {
        match self.places.iter_mut().find(|it| it.0 == task) {
            Some(known) if from_now => known.1 = place,
            Some(_) => {}
            None => self.places.push((task, place)),
        }
    }

    fn step(&self, lanes: &[TieGroup], lane: usize) -> Option<Step> {
        let at = self.at.get(lane).copied()?;
        lanes.get(lane)?.steps.get(at).map(|it| it.1)
    }

    /// The core gets another task within the events that are left.
    fn is_losing_task(&self, lanes: &[TieGroup], core: u32, task: u32) -> bool {
        lanes.iter().zip(&self.at).filter(|(lane, _)| lane.core == core).any(|(lane, at)| {
            let left = lane.steps.get(*at..).unwrap_or_default();
            left.iter().any(|(_, step)| matches!(*step, Step::Runs(next) if next != task))
        })
    }

    /// Returns whether a lane's next event gets a task from another core that has not left it yet.
    fn is_task_taken(&self, lanes: &[TieGroup], lane: usize) -> bool {
        let Some(core) = lanes.get(lane).map(|lane| lane.core) else { return false };
        match self.step(lanes, lane) {
            Some(Step::Runs(task)) => match self.place(task) {
                TaskLocation::On(other) => other != core && self.is_losing_task(lanes, other, task),
                _ => false,
            },
            _ => false,
        }
    }

    /// Does the same as [`step`](Self::step), but includes the acts before a wake-up in that wake-up.
    fn purpose(&self, lanes: &[TieGroup], lane: usize) -> Option<Step> {
        let at = self.at.get(lane).copied()?;
        let left = lanes.get(lane)?.steps.get(at..)?;
        let first = left.first()?.1;
        match left.iter().find(|it| !matches!(it.1, Step::Other | Step::Repeats)) {
            Some((_, wakes @ Step::Wakes(_))) => Some(*wakes),
            _ => Some(first),
        }
    }

    /// A lane's next event cannot come yet, or should not, being `strict`.
    fn is_early(&self, lanes: &[TieGroup], lane: usize, strict: bool) -> bool {
        if self.is_task_taken(lanes, lane) {
            return true;
        }
        let Some(core) = lanes.get(lane).map(|lane| lane.core) else { return false };
        match self.purpose(lanes, lane) {
            Some(Step::Runs(task)) => strict && self.place(task) == TaskLocation::Waits,
            Some(Step::Wakes(task)) => match self.place(task) {
                TaskLocation::On(other) => {
                    strict && other != core && self.is_losing_task(lanes, other, task)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A lane's next event, which may swap tasks.
    fn next(&self, lanes: &[TieGroup], lane: usize, swaps: bool) -> NextLane {
        NextLane { lane, swaps, repeats: self.step(lanes, lane) == Some(Step::Repeats) }
    }

    /// A lane's next event happens. False if it leaves a task on two cores.
    fn apply_next(&mut self, lanes: &[TieGroup], lane: usize) -> bool {
        let (Some(step), Some(core)) = (self.step(lanes, lane), lanes.get(lane)) else {
            return false;
        };
        let core = core.core;
        if let Some(at) = self.at.get_mut(lane) {
            *at += 1;
        }
        match step {
            Step::Runs(task) => {
                let sound = !matches!(self.place(task), TaskLocation::On(other) if other != core);
                for running in &mut self.running {
                    if running.0 == core && running.1 != Some(task) {
                        let left = std::mem::replace(running, (core, Some(task), false));
                        if let (_, Some(before), waits) = left {
                            let place =
                                if waits { TaskLocation::Waits } else { TaskLocation::Elsewhere };
                            self.put(before, place, true);
                        }
                        break;
                    }
                }
                self.put(task, TaskLocation::On(core), true);
                return sound;
            }
            Step::Wakes(task) => {
                if self.place(task) == TaskLocation::Waits {
                    self.put(task, TaskLocation::Elsewhere, true);
                }
                let running = self.running.iter_mut().filter(|it| it.1 == Some(task));
                running.for_each(|it| it.2 = false);
            }
            Step::Stops(task) => match self.running.iter_mut().find(|it| it.1 == Some(task)) {
                Some(running) => running.2 = true,
                None => self.put(task, TaskLocation::Waits, true),
            },
            Step::Waits => {
                let running = self.running.iter_mut().filter(|it| it.0 == core);
                running.for_each(|it| it.2 = true);
            }
            Step::Repeats | Step::Other => {}
        }
        true
    }
}

/// Marks one of two wake-ups of the same task by two cores as a repetition.
pub(crate) fn mark_repeats(groups: &mut [TieGroup]) {
    let mut rest = groups;
    while let Some((first, others)) = rest.split_first_mut() {
        for at in 0..first.wakes.len() {
            let Some(wake) = first.wakes.get_mut(at).filter(|wake| !wake.has_other) else {
                continue;
            };
            let others = others.iter_mut().filter(|other| other.core != first.core);
            let same = others.into_iter().find_map(|group| {
                let is_same = |it: &SharedWake| it.task == wake.task && !it.has_other;
                let index = group.wakes.iter().position(is_same)?;
                Some((group, index))
            });
            let Some((group, index)) = same else { continue };
            let Some(other) = group.wakes.get_mut(index) else { continue };
            (wake.has_other, other.has_other) = (true, true);
            let (wake, other) = (*wake, *other);
            if other.likelihood > wake.likelihood {
                first.repeats(wake.step);
            } else {
                group.repeats(other.step);
            }
        }
        rest = others;
    }
}

/// The order of events that have one time.
pub(crate) fn order(lanes: &[TieGroup], timeline: &Timeline) -> Vec<NextLane> {
    let start = State::new(lanes, timeline);
    let mut order = Vec::new();
    for strict in [true, false] {
        let (mut seen, mut tries) = (HashSet::new(), 0);
        if search(lanes, start.clone(), strict, &mut order, (&mut seen, &mut tries)) {
            return order;
        }
        order.clear();
    }
    // As they are, with tasks that leave a core where another takes them.
    let mut state = start;
    while let Some(lane) = by_offset(lanes, &state).first().copied() {
        let swaps = state.is_task_taken(lanes, lane);
        order.push(state.next(lanes, lane, swaps));
        state.apply_next(lanes, lane);
    }
    order
}

/// The lanes that have events left, in the order in which these are.
fn by_offset(lanes: &[TieGroup], state: &State) -> Vec<usize> {
    let next = |lane: usize| {
        let (tied, at) = (lanes.get(lane)?, *state.at.get(lane)?);
        tied.steps.get(at).map(|(offset, _)| (tied.input, *offset, lane))
    };
    let mut left: Vec<_> = (0..lanes.len()).filter_map(next).collect();
    left.sort_unstable();
    left.into_iter().map(|(_, _, lane)| lane).collect()
}

fn search(
    lanes: &[TieGroup],
    mut state: State,
    strict: bool,
    order: &mut Vec<NextLane>,
    (seen, tries): (&mut HashSet<Vec<usize>>, &mut usize),
) -> bool {
    let len = order.len();
    loop {
        let left = by_offset(lanes, &state);
        let Some(first) = left.first().copied() else {
            return true;
        };
        // An event that does not affect tasks may come whenever it is first.
        let is_plain = matches!(state.step(lanes, first), Some(Step::Other | Step::Repeats));
        let plain = Some(first).filter(|_| is_plain && !state.is_early(lanes, first, strict));
        let Some(lane) = plain else { break };
        order.push(state.next(lanes, lane, false));
        state.apply_next(lanes, lane);
    }
    *tries += 1;
    if *tries <= MAX_TRIES && seen.insert(state.at.clone()) {
        let here = order.len();
        for lane in by_offset(lanes, &state) {
            if state.is_early(lanes, lane, strict) {
                continue;
            }
            let mut next = state.clone();
            // A contradiction that no order heals is reported where it is.
            let sound = next.apply_next(lanes, lane) || !strict;
            order.push(state.next(lanes, lane, false));
            if sound && search(lanes, next, strict, order, (&mut *seen, &mut *tries)) {
                return true;
            }
            order.truncate(here);
        }
    }
    order.truncate(len);
    false
}
