//! The steps that follow from the calls of executors.

use std::vec::Vec;

use super::Step::{Block, Create, CreateIdle, End, Enter, Exit, Ready, Run};
use super::{Caller, EXECUTORS, Executors, NESTING, Name, Step, capacity, default_name};

const CORE: u32 = 0;
/// No handler.
const THREAD: Caller = Caller { core: CORE, exception: 0, reported: 0 };
const IDLE: u32 = 5;
const OTHERS: u32 = 4;

/// A table of three tasks, and its steps since the last look.
struct Log(Executors<3>, Vec<Step>);

impl Log {
    fn new() -> Self {
        let mut new = Self(Executors::new(), Vec::new());
        new.0.start(THREAD, &mut |step| new.1.push(step));
        assert_eq!(new.steps(), [CreateIdle { task: IDLE, core: 0 }, Run(IDLE)]);
        new
    }
    fn steps(&mut self) -> Vec<Step> {
        core::mem::take(&mut self.1)
    }
    fn spawn(&mut self, id: u32) -> &mut Self {
        self.0.create(CORE, id, &mut |step| self.1.push(step));
        self.wake(id)
    }
    fn wake(&mut self, id: u32) -> &mut Self {
        self.wake_from(THREAD, id)
    }
    fn wake_from(&mut self, caller: Caller, id: u32) -> &mut Self {
        self.0.wake(caller, id, &mut |step| self.1.push(step));
        self
    }
    fn start_in(&mut self, exception: u32) -> &mut Self {
        self.0.start(Caller { exception, ..THREAD }, &mut |step| self.1.push(step));
        self
    }
    fn begin(&mut self, id: u32) -> &mut Self {
        self.0.begin(CORE, id, &mut |step| self.1.push(step));
        self
    }
    fn finish(&mut self) -> &mut Self {
        self.0.finish(CORE, &mut |step| self.1.push(step));
        self
    }
    fn end(&mut self) -> &mut Self {
        self.0.end(CORE, &mut |step| self.1.push(step));
        self
    }
}

fn created(task: u32) -> Step {
    Create { task, name: Name::Default, priority: 1 }
}

#[test]
fn a_task_is_ready_when_it_is_spawned_and_waits_after_its_poll() {
    let mut log = Log::new();
    log.spawn(40).begin(40).finish();
    assert_eq!(log.steps(), [created(1), Run(1), Block, Run(IDLE)]);
    log.wake(40).begin(40).finish();
    assert_eq!(log.steps(), [Ready(1), Run(1), Block, Run(IDLE)]);
}

#[test]
fn a_task_that_is_woken_while_it_runs_stays_ready() {
    let mut log = Log::new();
    log.spawn(40).begin(40).wake(40).finish().begin(40).finish();
    let again = [Run(1), Ready(1), Run(IDLE), Run(1), Block, Run(IDLE)];
    assert_eq!(log.steps()[1..], again);
    // Between its place in the queue and its poll.
    log.wake(40).wake(40).begin(40).finish().begin(40).finish();
    let twice = [Ready(1), Ready(1), Run(1), Run(IDLE), Run(1), Block, Run(IDLE)];
    assert_eq!(log.steps(), twice);
}

#[test]
fn a_task_that_was_queued_without_a_report_is_ready_before_it_runs() {
    let mut log = Log::new();
    log.spawn(40).begin(40).finish().begin(40).finish();
    assert_eq!(log.steps()[4..], [Ready(1), Run(1), Block, Run(IDLE)]);
}

#[test]
fn a_handler_that_has_not_reported_itself_is_the_waker() {
    let mut log = Log::new();
    log.start_in(47).spawn(40).begin(40).finish().steps();
    let handler = |exception, reported| Caller { exception, reported, ..THREAD };
    for (caller, expected) in [
        (handler(15, 0), &[Enter(15), Ready(1), Exit(15)][..]),
        // It has reported itself.
        (handler(15, 15), &[Ready(1)]),
        // It interrupts one that has.
        (handler(20, 15), &[Enter(20), Ready(1), Exit(20)]),
        // In it an executor runs tasks.
        (handler(47, 0), &[Ready(1)]),
        // A core that is not recorded.
        (Caller { core: 9, ..handler(15, 0) }, &[Ready(1)]),
    ] {
        log.wake_from(caller, 40);
        assert_eq!(log.steps(), expected);
        log.begin(40).finish().steps();
    }
    // More executors than a core has places for: they count as handlers.
    (1..=EXECUTORS as u32).for_each(|exception| {
        log.start_in(exception);
    });
    log.wake_from(handler(EXECUTORS as u32, 0), 40);
    assert_eq!(log.steps(), [Enter(8), Ready(1), Exit(8)]);
}

#[test]
fn a_poll_that_interrupts_another_returns_to_it() {
    let mut log = Log::new();
    log.spawn(40).spawn(50).spawn(60).steps();
    log.begin(40).begin(50).begin(60).finish().finish().finish();
    let runs = [Run(1), Run(2), Run(3), Block, Run(2), Block, Run(1), Block, Run(IDLE)];
    assert_eq!(log.steps(), runs);
}

#[test]
fn a_task_that_has_ended_does_not_run_and_its_number_is_free() {
    let mut log = Log::new();
    log.spawn(40).begin(40).end().spawn(50).begin(50).finish().finish().spawn(60);
    let ends = [created(1), Run(1), End(1), Run(IDLE)];
    let again = [created(1), Run(1), Block, Run(IDLE), created(2)];
    assert_eq!(log.steps(), [&ends[..], &again].concat());
}

#[test]
fn a_storage_that_has_a_new_task_before_the_end_is_reported_is_another_task() {
    let mut log = Log::new();
    log.spawn(40).begin(40).spawn(40).end().finish();
    assert_eq!(log.steps(), [created(1), Run(1), End(1), Run(IDLE), created(1)]);
    log.begin(40).finish();
    assert_eq!(log.steps(), [Run(1), Block, Run(IDLE)]);
    // In a poll of another executor, to which it returns.
    log.spawn(50).begin(50).wake(40).begin(40).spawn(40).end().finish().finish();
    let nested = [created(2), Run(2), Ready(1), Run(1), End(1), Run(2), created(1), Block];
    assert_eq!(log.steps(), [&nested[..], &[Run(IDLE)]].concat());
}

#[test]
fn a_task_that_ended_while_it_was_queued_does_not_run_again() {
    let mut log = Log::new();
    log.spawn(40).spawn(50).begin(40).wake(40).end().wake(40).finish().steps();
    // Another executor's poll in it.
    log.begin(40).begin(50).finish().finish();
    assert_eq!(log.steps(), [Run(2), Block, Run(IDLE)]);
}

#[test]
fn tasks_beyond_the_table_are_one_task() {
    let mut log = Log::new();
    log.spawn(10).spawn(20).spawn(30).steps();
    log.spawn(40).spawn(50);
    let others = Create { task: OTHERS, name: Name::Others, priority: 1 };
    assert_eq!(log.steps(), [others, Ready(OTHERS)]);
    log.begin(50).finish().begin(40).end().finish();
    let runs = [Run(OTHERS), Run(IDLE), Run(OTHERS), Block, Run(IDLE)];
    assert_eq!(log.steps(), runs);
}

#[test]
fn a_name_is_that_of_the_next_task() {
    let mut log = Log::new();
    log.0.name(40, c"sensor", 3);
    log.spawn(50).spawn(40);
    let named = Create { task: 1, name: Name::Given(c"sensor"), priority: 3 };
    assert_eq!(log.steps(), [created(2), named]);
    log.begin(40).end().finish().steps();
    log.spawn(40);
    assert_eq!(log.steps(), [created(1)]);
}

#[test]
fn any_order_of_calls_is_without_effect_on_others() {
    let mut log = Log::new();
    log.finish().end().wake(70);
    log.0.begin(99, 40, &mut |step| log.1.push(step));
    log.0.finish(99, &mut |step| log.1.push(step));
    log.0.end(99, &mut |step| log.1.push(step));
    assert_eq!(log.steps(), []);
    log.spawn(40).spawn(50).steps();
    for _ in 0..NESTING {
        log.begin(40);
    }
    log.begin(50).finish().steps();
    for _ in 0..NESTING {
        log.finish();
    }
    assert_eq!(log.steps().last(), Some(&Run(IDLE)));
}

#[test]
fn names_have_the_number() {
    for (number, name) in [(7, c"task 7"), (10, c"task 10"), (205, c"task 205")] {
        assert_eq!(default_name(number).as_c_str(), name);
    }
}

#[test]
fn the_capacity_is_that_of_the_environment() {
    assert_eq!([None, Some("1"), Some("250")].map(capacity), [32, 1, 250]);
}
