//! What the converter works out, since no event reports it, against what the kernel then does.

use std::io;

use tband_conv::diagnostics::Problem;
use tband_conv::model::{
    BitsCause, CallChange, Change, EventGroupChange, EventGroupRef, EventTime, KernelChange, Sink,
    TimerChange, World,
};
use tband_conv::{Input, Options, convert};

use super::compare::Run;
use super::converted::findings_without_pace;

/// Follows what happens and notes what cannot be.
#[derive(Default)]
struct EventChecker {
    groups: Vec<(EventGroupRef, u64)>,
    wrong: Vec<String>,
    sets: u32,
    clears_on_exit: u32,
    in_callback: bool,
    callbacks: u32,
    calls: i32,
    returned: u32,
}

impl EventChecker {
    fn bits(&mut self, at: EventTime, group: EventGroupRef, bits: u64, cause: BitsCause) {
        let before = self.groups.iter().position(|known| known.0 == group);
        let before = before.map(|index| self.groups.swap_remove(index).1);
        self.groups.push((group, bits));
        let expected = match (cause, before) {
            (BitsCause::Set(set), Some(before)) => before | set,
            (BitsCause::Clear(clear), Some(before)) => before & !clear,
            (BitsCause::Found, Some(before)) => before,
            _ => bits,
        };
        self.sets += u32::from(matches!(cause, BitsCause::Set(_)));
        self.clears_on_exit += u32::from(matches!(cause, BitsCause::ClearOnExit(_)));
        if bits != expected {
            self.wrong.push(format!("{}: {cause:?} of {before:x?} gives {bits:#x}", at.ns));
        }
    }
}

impl Sink for EventChecker {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::EventGroup(group, EventGroupChange::Bits(bits, cause), _) => {
                self.bits(at, group, bits, cause);
            }
            Change::EventGroup(group, EventGroupChange::Deleted, _) => {
                self.groups.retain(|known| known.0 != group);
            }
            Change::Timer(timer, TimerChange::CallbackBegin(task), _) => {
                let of_timer_task =
                    task.and_then(|it| world.tasks.get(it)).is_some_and(|it| it.is_timer);
                if self.in_callback || !of_timer_task {
                    self.wrong.push(format!("{}: {timer:?} calls in a callback", at.ns));
                }
                self.in_callback = true;
                self.callbacks += 1;
            }
            Change::Timer(_, TimerChange::CallbackEnd { .. }, _) => self.in_callback = false,
            Change::Kernel(KernelChange::Heap(heap), _) if heap.in_use < 0 => {
                self.wrong.push(format!("{}: {heap:?}", at.ns));
            }
            Change::Call(_, _, CallChange::Begin) => self.calls += 1,
            Change::Call(_, _, CallChange::Abandoned) => self.calls -= 1,
            Change::Call(_, _, CallChange::End { .. }) => {
                self.calls -= 1;
                self.returned += 1;
            }
            _ => {}
        }
        Ok(())
    }
}

/// The kernel's next word on the bits of an event group is what they were worked out to be; timers call
/// back one after the other, in the timer task; memory in use adds up; calls nest.
pub fn derived_values_agree_with_the_kernel(run: &Run) {
    let mut judge = EventChecker::default();
    let inputs = [Input::from_bytes("classes", &run.recording)];
    let summary = convert(&inputs, &Options::default(), &mut judge).expect("converted");
    assert!(judge.wrong.is_empty(), "{:#?}", judge.wrong);
    let found: Vec<_> = findings_without_pace(&summary.diagnostics)
        .into_iter()
        .map(|(problem, _)| problem)
        .collect();
    let known = [Problem::IsrExitMissing, Problem::CreateFailed];
    assert_eq!(found, known, "{:?}", summary.diagnostics);
    assert!(judge.sets > 5 && judge.clears_on_exit > 2, "{} {}", judge.sets, judge.clears_on_exit);
    assert!(judge.callbacks > 2 && judge.returned > 100, "{} {}", judge.callbacks, judge.returned);
    // Items that are open at the end, inside of others.
    assert!((0..50).contains(&judge.calls), "{}", judge.calls);
}
