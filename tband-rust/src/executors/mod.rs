//! The executors' tasks and what each core polls, from which the recorded steps follow.
//!
//! A table of fixed size: no allocation, and no panic on any order of calls. It records by a function that it gets, so that tests see
//! the steps.

#[cfg(feature = "embassy")]
pub mod embassy;

use core::ffi::CStr;

use crate::Text;

/// Cores on which executors run. Those of further cores are not recorded.
pub(crate) const CORES: usize = 8;
/// Polls that interrupt each other on a core: more executors than a microcontroller has priorities.
const NESTING: usize = 16;
/// Exceptions of a core in which executors run.
const EXECUTORS: usize = 8;

/// A step of a scheduler, see `tband::scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Create {
        task: u32,
        name: Name,
        priority: u32,
    },
    CreateIdle {
        task: u32,
        core: u32,
    },
    Ready(u32),
    Run(u32),
    /// The task that runs on this core waits.
    Block,
    End(u32),
    /// A handler that does not report itself begins, by the number of its exception.
    Enter(u32),
    Exit(u32),
}

/// What calls an executor's function.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) core: u32,
    /// Number of the exception whose handler calls; 0: none, or unknown.
    pub(crate) exception: u32,
    /// That of the innermost handler that has reported itself; 0: none.
    pub(crate) reported: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// By its number.
    Default,
    Given(&'static CStr),
    /// All tasks beyond the table.
    Others,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    /// Has a name, and is not spawned yet.
    Named,
    Spawned,
}

#[derive(Clone, Copy)]
struct Slot {
    state: State,
    /// Created, and not woken since: it is ready.
    is_new: bool,
    /// Wakes that no poll has followed.
    wakes: u16,
    /// What the executor calls it: the address of its storage.
    id: u32,
    name: Option<&'static CStr>,
    priority: u32,
}

impl Slot {
    const FREE: Self =
        Self { state: State::Free, is_new: false, wakes: 0, id: 0, name: None, priority: 0 };

    fn is(&self, id: u32, state: State) -> bool {
        self.state == state && self.id == id
    }

    /// Returns whether it becomes ready by this.
    fn wake(&mut self) -> bool {
        self.wakes = self.wakes.saturating_add(1);
        !core::mem::take(&mut self.is_new)
    }
}

/// A polled task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PolledTask {
    /// Ended, and the poll is not over; or ended while it was queued: the executor then polls it once more, without effect.
    Nothing,
    Slot(u8),
    Others,
}

#[derive(Clone, Copy)]
struct Core {
    has_idle: bool,
    /// The polls that have begun, each of which interrupts the one before.
    polls: [PolledTask; NESTING],
    depth: u8,
    /// Exceptions in which executors poll; 0: unused.
    exceptions: [u32; EXECUTORS],
}

impl Core {
    /// Notes that an executor polls in this exception.
    fn add_executor(&mut self, exception: u32) {
        let is_it = |it: &&mut u32| **it == exception || **it == 0;
        if let Some(place) = self.exceptions.iter_mut().find(is_it) {
            *place = exception;
        }
    }

    /// Returns the exception whose handler calls, unless the recording has it already, or its handler runs tasks.
    fn unreported(&self, caller: Caller) -> Option<u32> {
        let Caller { exception, reported, .. } = caller;
        let is_new = exception != 0 && exception != reported;
        (is_new && !self.exceptions.contains(&exception)).then_some(exception)
    }

    fn push(&mut self, polled: PolledTask) {
        if let Some(place) = self.polls.get_mut(usize::from(self.depth)) {
            *place = polled;
        }
        self.depth = self.depth.saturating_add(1);
    }

    fn pop(&mut self) -> PolledTask {
        self.depth = self.depth.saturating_sub(1);
        self.polls.get(usize::from(self.depth)).copied().unwrap_or(PolledTask::Nothing)
    }

    fn last(&self) -> PolledTask {
        let last = usize::from(self.depth).checked_sub(1);
        last.and_then(|last| self.polls.get(last)).copied().unwrap_or(PolledTask::Nothing)
    }

    fn forget(&mut self, task: PolledTask) {
        for poll in self.polls.iter_mut().filter(|poll| **poll == task) {
            *poll = PolledTask::Nothing;
        }
    }

    /// The task that runs: the innermost one with a number.
    fn running(&self) -> Option<PolledTask> {
        let begun = self.polls.get(..usize::from(self.depth)).unwrap_or(&self.polls);
        begun.iter().rev().find(|it| **it != PolledTask::Nothing).copied()
    }
}

/// `N` tasks, numbered from 1 on; after them the number of all others, and those of the idle tasks.
pub(crate) struct Executors<const N: usize> {
    slots: [Slot; N],
    /// Tasks that found no slot. Free until there are any.
    others: Slot,
    cores: [Core; CORES],
}

impl<const N: usize> Executors<N> {
    pub(crate) const fn new() -> Self {
        assert!(N <= 250, "a slot's index has 8 bits");
        let core = Core {
            has_idle: false,
            polls: [PolledTask::Nothing; NESTING],
            depth: 0,
            exceptions: [0; EXECUTORS],
        };
        Self { slots: [Slot::FREE; N], others: Slot::FREE, cores: [core; CORES] }
    }

    fn number(polled: PolledTask) -> u32 {
        match polled {
            PolledTask::Slot(slot) => u32::from(slot).wrapping_add(1),
            PolledTask::Others | PolledTask::Nothing => (N as u32).wrapping_add(1),
        }
    }

    /// The number of the task that runs on a core.
    fn running(core: u32, on: &Core) -> u32 {
        on.running().map_or(Self::idle(core), Self::number)
    }

    fn idle(core: u32) -> u32 {
        (N as u32).wrapping_add(2).wrapping_add(core)
    }

    fn find(&self, id: u32, state: State) -> Option<PolledTask> {
        let found = self.slots.iter().position(|slot| slot.is(id, state))?;
        Some(PolledTask::Slot(found as u8))
    }

    /// The spawned task with this id. Without one it is one of the others, if there are any.
    fn spawned(&self, id: u32) -> PolledTask {
        let others = if self.others.state == State::Spawned {
            PolledTask::Others
        } else {
            PolledTask::Nothing
        };
        self.find(id, State::Spawned).unwrap_or(others)
    }

    fn slot(&mut self, polled: PolledTask) -> Option<&mut Slot> {
        match polled {
            PolledTask::Slot(slot) => self.slots.get_mut(usize::from(slot)),
            PolledTask::Others => Some(&mut self.others),
            PolledTask::Nothing => None,
        }
    }

    /// The slot that this id was named in, or a free one.
    fn claim(&mut self, id: u32) -> Option<PolledTask> {
        let named = self.find(id, State::Named);
        named.or_else(|| {
            let free = self.slots.iter().position(|slot| slot.state == State::Free)?;
            Some(PolledTask::Slot(free as u8))
        })
    }

    /// Names the next task with this id.
    pub(crate) fn name(&mut self, id: u32, name: &'static CStr, priority: u32) {
        let place = self.claim(id);
        if let Some(slot) = place.and_then(|place| self.slot(place)) {
            *slot = Slot { state: State::Named, id, name: Some(name), priority, ..Slot::FREE };
        }
    }

    /// A task is spawned, by a call on this core.
    pub(crate) fn create(&mut self, core: u32, id: u32, record: &mut impl FnMut(Step)) {
        if let Some(previous) = self.find(id, State::Spawned) {
            // Its poll was interrupted between the release of its storage and the report of its end.
            self.end_of(core, previous, record);
        }
        let place = self.claim(id).unwrap_or(PolledTask::Others);
        let Some(slot) = self.slot(place) else { return };
        let (name, priority) = match (place, slot.state) {
            // Created once for all.
            (PolledTask::Others, State::Spawned) => return,
            (PolledTask::Others, _) => (Name::Others, 1),
            (_, State::Named) => (slot.name.map_or(Name::Default, Name::Given), slot.priority),
            _ => (Name::Default, 1),
        };
        *slot = Slot { state: State::Spawned, is_new: true, id, ..Slot::FREE };
        record(Step::Create { task: Self::number(place), name, priority });
    }

    /// A task is queued. The waker is the open interrupt: if the handler that calls has not reported itself, it is recorded for the moment
    /// of the wake.
    pub(crate) fn wake(&mut self, caller: Caller, id: u32, record: &mut impl FnMut(Step)) {
        let task = self.spawned(id);
        if !self.slot(task).is_some_and(Slot::wake) {
            return;
        }
        let handler = self.cores.get(caller.core as usize).and_then(|core| core.unreported(caller));
        if let Some(exception) = handler {
            record(Step::Enter(exception));
        }
        record(Step::Ready(Self::number(task)));
        if let Some(exception) = handler {
            record(Step::Exit(exception));
        }
    }

    /// An executor begins to poll.
    pub(crate) fn start(&mut self, caller: Caller, record: &mut impl FnMut(Step)) {
        let core = caller.core;
        let Some(on) = self.cores.get_mut(core as usize) else { return };
        if caller.exception != 0 {
            on.add_executor(caller.exception);
        }
        if !core::mem::replace(&mut on.has_idle, true) {
            record(Step::CreateIdle { task: Self::idle(core), core });
            if on.running().is_none() {
                record(Step::Run(Self::idle(core)));
            }
        }
    }

    /// A poll of a task begins.
    pub(crate) fn begin(&mut self, core: u32, id: u32, record: &mut impl FnMut(Step)) {
        let task = self.spawned(id);
        let Some(on) = self.cores.get_mut(core as usize) else { return };
        on.push(task);
        let Some(slot) = self.slot(task) else { return };
        if slot.wakes == 0 && slot.wake() {
            // Some functions of the executor queue a task without a report.
            record(Step::Ready(Self::number(task)));
        }
        slot.wakes = slot.wakes.saturating_sub(1);
        record(Step::Run(Self::number(task)));
    }

    /// The innermost poll of a core ends.
    pub(crate) fn finish(&mut self, core: u32, record: &mut impl FnMut(Step)) {
        let Some(on) = self.cores.get_mut(core as usize) else { return };
        let task = on.pop();
        let next = Self::running(core, on);
        let Some(slot) = self.slot(task) else { return };
        // If it was woken while it ran, it is ready.
        if slot.wakes == 0 {
            record(Step::Block);
        }
        record(Step::Run(next));
    }

    /// The task ends whose poll is the innermost one of a core.
    pub(crate) fn end(&mut self, core: u32, record: &mut impl FnMut(Step)) {
        let task = self.cores.get(core as usize).map(Core::last);
        // The others are no single task.
        if let Some(task @ PolledTask::Slot(_)) = task {
            self.end_of(core, task, record);
        }
    }

    fn end_of(&mut self, core: u32, task: PolledTask, record: &mut impl FnMut(Step)) {
        if let Some(slot) = self.slot(task) {
            *slot = Slot::FREE;
        }
        let runs = self.cores.get(core as usize).is_some_and(|on| on.running() == Some(task));
        self.cores.iter_mut().for_each(|on| on.forget(task));
        record(Step::End(Self::number(task)));
        if runs && let Some(on) = self.cores.get(core as usize) {
            record(Step::Run(Self::running(core, on)));
        }
    }
}

/// "task 7", without the formatting of `core`, which has kilobytes.
pub(crate) fn default_name(number: u32) -> Text<9> {
    let mut name = Text::from("task ");
    for (unit, digit) in [(100, number / 100), (10, number / 10 % 10), (1, number % 10)] {
        if let Some(digit) = char::from_digit(digit, 10)
            && number >= unit
        {
            name.push(digit.encode_utf8(&mut [0; 4]));
        }
    }
    name
}

/// The number of tasks that the environment of the build asks for.
pub(crate) const fn capacity(chosen: Option<&str>) -> usize {
    let Some(text) = chosen else { return 32 };
    let (digits, mut number, mut at) = (text.as_bytes(), 0, 0);
    while at < digits.len() {
        assert!(digits[at].is_ascii_digit() && number <= 25, "{}", RANGE);
        number = number * 10 + (digits[at] - b'0') as usize;
        at += 1;
    }
    assert!(1 <= number && number <= 250, "{}", RANGE);
    number
}

const RANGE: &str = "the environment variable TBAND_EMBASSY_TASKS must be a number from 1 to 250";

#[cfg(test)]
mod tests;
