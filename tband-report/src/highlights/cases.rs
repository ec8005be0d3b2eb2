//! For each finding a recording that has it, and one that nearly has it.

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::{self, *};
use tband_format::named::{NotifyAction, QueueKind as Kind, TimerCommand};
use tband_recordings::{Recording, str};

use super::{Highlight, IDS, highlights};

const A: u32 = 1;
const B: u32 = 2;
const GATE: u32 = 3;
const DATA: u32 = 4;
/// Tasks 1 to 3 by rising priority, and the idle task.
const LOW: u32 = 1;
const MID: u32 = 2;
const HIGH: u32 = 3;
const IDLE: u32 = 9;
const HZ: u32 = 1000;

/// A recording whose timestamps count microseconds, at a time.
struct Scenario {
    recording: Recording,
    us: u64,
}

impl Scenario {
    fn new() -> Self {
        let named = |task_id, name| TaskName { task_id, name: str(name) };
        let queue = |queue_id, name, kind| {
            [QueueName { queue_id, name: str(name) }, QueueKind { queue_id, kind }]
        };
        let flags = (1 << 0) | (1 << 2) | (0x1_FFFF << 3);
        let info = TraceInfo {
            format_version: tband_format::FORMAT_VERSION,
            core_count: 1,
            flags,
            kernel_version: Some(11_02_00),
            tick_rate_hz: Some(HZ),
        };
        let meta = [
            TsResolutionNs { ns_per_ts: 1000 },
            info,
            named(LOW, "low"),
            named(MID, "mid"),
            named(HIGH, "high"),
            named(IDLE, "IDLE"),
            TaskIsIdleTask { task_id: IDLE, core_id: 0 },
        ];
        let objects = [
            queue(A, "a", Kind::MUTEX),
            queue(B, "b", Kind::MUTEX),
            queue(GATE, "gate", Kind::MUTEX),
            queue(DATA, "data", Kind::QUEUE),
        ];
        let recording = meta
            .into_iter()
            .chain(objects.into_iter().flatten())
            .fold(Recording::default(), Recording::meta);
        let mut story = Self { recording, us: 1000 };
        for (task_id, priority) in [(LOW, 1), (MID, 3), (HIGH, 5), (IDLE, 0)] {
            story = story.then(TaskPrioritySet { task_id, priority });
        }
        story.run(IDLE)
    }

    /// This happens 1 us later.
    fn then(mut self, event: Event<'_>) -> Self {
        self.us += 1;
        self.recording = self.recording.at(self.us, event);
        self
    }

    fn wait(mut self, us: u64) -> Self {
        self.us += us;
        self
    }

    fn run(self, task_id: u32) -> Self {
        self.then(TaskSwitchedIn { task_id })
    }

    fn ready(self, task_id: u32) -> Self {
        self.then(TaskToRdyState { task_id })
    }

    fn wake(self, task_id: u32) -> Self {
        self.ready(task_id).run(task_id)
    }

    fn take(self, queue_id: u32) -> Self {
        self.then(QueueReceive { queue_id, len_after: 0 })
    }

    fn give(self, queue_id: u32) -> Self {
        self.then(QueueSend { queue_id, len_after: 1 })
    }

    fn block_on(self, queue_id: u32, next: u32) -> Self {
        self.then(CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: u32::MAX }).run(next)
    }

    fn delay(self, next: u32) -> Self {
        self.then(CurtaskDelay { ticks: 5 }).run(next)
    }

    fn find_highlights(&self) -> Vec<Highlight> {
        let inputs = [Input::from_bytes("r", &self.recording.0)];
        let [brief, whole] = [Stats::brief(), Stats::default()].map(|mut stats| {
            convert(&inputs, &Options::default(), &mut stats).unwrap();
            highlights(&stats)
        });
        assert_eq!(brief, whole);
        for it in &whole {
            assert!(it.id == "load" || (IDS.contains(&it.id) && !it.evidence.is_empty()), "{it:?}");
        }
        whole
    }

    /// Returns the ids found, without the load.
    fn ids(&self) -> Vec<&'static str> {
        self.find_highlights().iter().map(|it| it.id).filter(|id| *id != "load").collect()
    }

    #[track_caller]
    fn has(&self, id: &str, means: &str) {
        let found = self.find_highlights();
        let it = found.iter().find(|it| it.id == id);
        let it = it.unwrap_or_else(|| panic!("no {id}: {found:#?}"));
        assert!(it.means.contains(means), "{it:#?}");
    }

    #[track_caller]
    fn assert_absent(&self, id: &str) {
        assert!(!self.ids().contains(&id), "{:#?}", self.find_highlights());
    }
}

/// `low` has a and then wants b, `high` has b and then wants a.
fn crossed(has_gate: bool) -> Scenario {
    let gate = |story: Scenario, take: bool| match (has_gate, take) {
        (false, _) => story,
        (true, true) => story.take(GATE),
        (true, false) => story.give(GATE),
    };
    let story = gate(Scenario::new().wake(LOW), true).take(A).take(B).give(B).give(A);
    let story = gate(story, false).delay(IDLE).wait(50).wake(HIGH);
    gate(gate(story, true).take(B).take(A).give(A).give(B), false).delay(IDLE).wait(50)
}

#[test]
fn a_deadlock_is_a_cycle_at_one_time() {
    let cycle = || {
        Scenario::new()
            .wake(LOW)
            .take(A)
            .wake(HIGH)
            .take(B)
            .block_on(A, LOW)
            .wait(20)
            .block_on(B, IDLE)
    };
    cycle()
        .wait(500)
        .run(IDLE)
        .has("deadlock", "low and high wait for each other, to the end of the recording");
    let ended = cycle().wait(90).wake(HIGH).give(B).delay(IDLE).wait(50);
    ended.has("deadlock", "until a wait ended at 1.");
    // The same locks at different times.
    crossed(false).assert_absent("deadlock");
    // A task that waits for the holder only.
    Scenario::new()
        .wake(LOW)
        .take(A)
        .wake(HIGH)
        .take(B)
        .block_on(A, LOW)
        .wait(20)
        .give(A)
        .wait(50)
        .assert_absent("deadlock");
}

#[test]
fn orders_of_locks_differ_between_tasks() {
    let found = crossed(false);
    found.has("lock-order", "low takes a and then b, high takes b and then a");
    assert_eq!(found.ids(), ["lock-order"]);
    assert_eq!(crossed(true).ids(), [""; 0], "a gate around both");
    let one = Scenario::new()
        .wake(LOW)
        .take(A)
        .take(B)
        .give(B)
        .give(A)
        .take(B)
        .take(A)
        .give(A)
        .give(B)
        .delay(IDLE);
    assert_eq!(one.ids(), [""; 0], "one task alone");
}

#[test]
fn a_holder_waits_while_another_task_wants_the_lock() {
    let held = |gives: bool| {
        let story = Scenario::new().wake(LOW).take(A).wake(HIGH).block_on(A, LOW);
        if gives { story.give(A) } else { story }.delay(IDLE).wait(50)
    };
    held(false).has(
        "held-while-waiting",
        "low waits for delay while it holds a, for which high waits; once",
    );
    held(true).assert_absent("held-while-waiting");
    // The other way around: the holder sleeps already.
    let late = Scenario::new()
        .wake(LOW)
        .take(A)
        .delay(IDLE)
        .wait(10)
        .wake(HIGH)
        .block_on(A, IDLE)
        .wait(50);
    late.has("held-while-waiting", "low waits for delay");
    let alone =
        Scenario::new().wake(LOW).take(A).delay(IDLE).wait(10).wake(LOW).give(A).delay(IDLE);
    assert_eq!(alone.ids(), [""; 0]);
}

/// `high` delays itself until each of these ticks, from 1000 us on; each tick has this length.
fn periodic(ticks: impl IntoIterator<Item = u32>, tick_us: u64) -> Scenario {
    let mut story = Scenario::new().wake(HIGH);
    let mut last = None;
    for tick in ticks {
        story = story.then(CurtaskDelayUntil { time_to_wake: tick }).run(IDLE);
        let first = *last.get_or_insert(tick);
        story.us = 2000 + u64::from(tick.wrapping_sub(first) + 5) * tick_us;
        story = story.wake(HIGH);
    }
    story
}

#[test]
fn a_missed_period_is_between_two_of_its_kind() {
    let steps = |steps: &[u32]| {
        let mut tick = u32::MAX - 40;
        let ticks: Vec<u32> = steps
            .iter()
            .map(|step| {
                tick = tick.wrapping_add(*step);
                tick
            })
            .collect();
        periodic(ticks, 1000)
    };
    let usual = [5; 20];
    steps(&[&usual[..], &[10], &usual].concat())
        .has("missed-period", "high missed 1 period of 5 ticks, by the kernel's ticks");
    steps(&[&usual[..], &[15], &usual, &[10], &usual].concat())
        .has("missed-period", "high missed 3 periods of 5 ticks");
    // It changes and stays; steps that are not a multiple; a wraparound of the ticks alone.
    steps(&[&usual[..], &[10, 10]].concat()).assert_absent("missed-period");
    steps(&[&usual[..], &[7], &usual].concat()).assert_absent("missed-period");
    steps(&usual).assert_absent("missed-period");
    let function =
        tband_format::api::API_FUNCTIONS.iter().position(|it| *it == "xTaskDelayUntil").unwrap()
            as u32;
    let call = |value| {
        steps(&usual).then(ApiEnter { function }).then(ApiReturn { function, value: Some(value) })
    };
    call(0).has("missed-period", "high missed 1 period of 5 ticks");
    call(1).assert_absent("missed-period");
}

#[test]
fn ticks_are_late_from_two_percent_on() {
    // 59 steps of 5 ticks; each tenth lasts longer, or shorter, by this: 295 ticks and 5 times that in total.
    let late = |us: i64, count: u32| {
        let mut story = Scenario::new().wake(HIGH);
        for n in 0..count {
            story = story.then(CurtaskDelayUntil { time_to_wake: 5 + n * 5 }).run(IDLE);
            let more = i64::from(n.div_ceil(10).saturating_sub(1)) * us;
            story.us = (7000 + u64::from(n) * 5000).checked_add_signed(more).unwrap();
            story = story.wake(HIGH);
        }
        story
    };
    late(13_000, 60).has(
        "late-ticks",
        "the kernel has counted 295 ticks in 360.0 ms, but 360 are due at 1000 Hz: 18.06 % are missing",
    );
    late(1190, 60).has("late-ticks", "missing");
    late(1170, 60).assert_absent("late-ticks");
    late(-1190, 60).has("late-ticks", "too many");
    // Too few to know the usual value.
    late(13_000, 10).assert_absent("late-ticks");
    let ticks = || (0..60).map(|n| 5 + n * 5);
    // Sleeps without ticks, after which the kernel corrects its count.
    let asleep = ticks().fold(Scenario::new().wake(HIGH), |story, tick| {
        let story = story.then(CurtaskDelayUntil { time_to_wake: tick }).run(IDLE);
        story
            .then(LowPowerIdleBegin { expected_ticks: 5 })
            .wait(7000)
            .then(LowPowerIdleEnd {})
            .wake(HIGH)
    });
    asleep.assert_absent("late-ticks");
    // A debugger has halted the core.
    let mut halted = periodic(ticks(), 1000);
    halted.us += 3_000_000;
    let halted =
        halted.then(CurtaskDelayUntil { time_to_wake: 305 }).run(IDLE).wait(2_000_000).wake(HIGH);
    halted.assert_absent("late-ticks");
}

#[test]
fn a_ready_task_starves_from_a_second_on() {
    let busy = |us: u64| {
        Scenario::new().wake(HIGH).ready(LOW).wait(us).delay(LOW).wait(50).delay(IDLE).wait(50)
    };
    busy(1_000_000).has("starvation", "low was ready for 1.000 s and got no core");
    busy(998_000).assert_absent("starvation");
    Scenario::new()
        .wake(HIGH)
        .ready(LOW)
        .wait(1_000_001)
        .then(TaskStackHighWaterMark { task_id: HIGH, bytes: 500 })
        .then(Evtmarker { evtmarker_id: 0, msg: str("") })
        .has("starvation", "to the end of the recording");
    // An idle task, and a task that is as urgent.
    Scenario::new().wake(HIGH).wait(2_000_000).delay(IDLE).assert_absent("starvation");
    // A fifth of the recording at least.
    busy(1_100_000).wait(6_000_000).run(IDLE).assert_absent("starvation");
}

#[test]
fn a_task_that_never_waits_keeps_less_urgent_ones_from_running() {
    let busy = |task| {
        Scenario::new()
            .ready(LOW)
            .wake(task)
            .wait(1_100_000)
            .then(Evtmarker { evtmarker_id: 0, msg: str("") })
    };
    busy(MID)
        .has("never-blocks", "mid did not wait for work for 1.100 s, although low is less urgent");
    busy(LOW).assert_absent("never-blocks");
    let waits = Scenario::new()
        .ready(LOW)
        .wake(MID)
        .wait(600_000)
        .delay(IDLE)
        .wait(10)
        .wake(MID)
        .wait(600_000)
        .delay(IDLE);
    waits.assert_absent("never-blocks");
}

/// `high` polls an empty queue `count` times, for this long each.
fn polls(count: u32, us: u64, wait: bool) -> Scenario {
    let mut story = Scenario::new().wake(HIGH);
    for _ in 0..count {
        story = story.wait(us).then(QueueReceiveFailed { queue_id: DATA });
        if wait {
            story = story.delay(IDLE).wait(800).wake(HIGH);
        }
    }
    story.delay(IDLE)
}

#[test]
fn a_hundred_vain_attempts_in_a_tenth_of_a_second_are_polling() {
    polls(110, 500, false).has("busy-polling", "high found no item in data 110 times in ");
    // Too few, too little CPU time, once a period.
    polls(99, 500, false).assert_absent("busy-polling");
    polls(110, 40, false).assert_absent("busy-polling");
    polls(110, 20, true).assert_absent("busy-polling");
    // Each is the end of a wait that timed out.
    let mut waits = Scenario::new().wake(HIGH);
    for _ in 0..110 {
        waits = waits
            .wait(400)
            .block_on(DATA, IDLE)
            .wait(10)
            .wake(HIGH)
            .then(QueueReceiveFailed { queue_id: DATA });
    }
    waits.assert_absent("busy-polling");
}

#[test]
fn an_interrupt_that_is_frequent_at_once_is_a_storm() {
    let rate = |usual: u64, most: u64| {
        let mut story = Scenario::new();
        for window in 0..30_u64 {
            story.us = (window + 1) * 10_000;
            let count = if window == 20 { most } else { usual };
            for _ in 0..count {
                story = story.then(IsrEnter { isr_id: 7 }).wait(20).then(IsrExit { isr_id: 7 });
            }
        }
        story
    };
    rate(5, 150).has(
        "interrupt-storm",
        "isr 7 occurred 150 times in 10 ms and took 31.50 % of core 0; usually 5 times in 10 ms",
    );
    rate(5, 99).assert_absent("interrupt-storm");
    rate(400, 400).assert_absent("interrupt-storm");
}

#[test]
fn a_queue_that_is_full_nearly_always_is_named() {
    let full = |us: u64, fails: bool| {
        let story = (1..=4).fold(
            Scenario::new().then(QueueCreated { queue_id: DATA }).wake(HIGH),
            |story, len_after| story.then(QueueSend { queue_id: DATA, len_after }),
        );
        let story = story.wait(us);
        let story = if fails { story.then(QueueSendFailed { queue_id: DATA }) } else { story };
        (0..4)
            .rev()
            .fold(story, |story, len_after| story.then(QueueReceive { queue_id: DATA, len_after }))
            .delay(IDLE)
            .wait(1000)
            .run(IDLE)
    };
    full(20_000, true).has("queue-full", "data was full for 95.");
    full(5_000, true).assert_absent("queue-full");
    // A pool of free buffers.
    full(20_000, false).assert_absent("queue-full");
}

#[test]
fn names_an_unused_queue() {
    let age = |us: u64| Scenario::new().then(QueueCreated { queue_id: 50 }).wait(us).run(LOW);
    age(10_000_000).has("never-used", "queue 50 was created and not used for 10.00 s");
    age(9_900_000).assert_absent("never-used");
    // It was there before, or is used.
    Scenario::new().wait(10_000_000).run(LOW).assert_absent("never-used");
    Scenario::new()
        .then(QueueCreated { queue_id: 50 })
        .then(QueueSend { queue_id: 50, len_after: 1 })
        .wait(10_000_000)
        .run(LOW)
        .assert_absent("never-used");
}

#[test]
fn a_notification_that_finds_one_is_lost() {
    let notify = |action| TaskNotify { task_id: MID, index: 0, action, value: 1, value_after: 1 };
    let twice = |first, second| {
        Scenario::new().wake(HIGH).then(notify(first)).then(notify(second)).delay(IDLE)
    };
    let (write, overwrite) = (NotifyAction::WRITE, NotifyAction::OVERWRITE);
    twice(overwrite, overwrite)
        .has("notification-lost", "1 notification to mid (index 0) came while one was pending");
    twice(write, NotifyAction::WRITE_REFUSED).has("notification-lost", "1 notification");
    twice(NotifyAction::INCREMENT, NotifyAction::INCREMENT).assert_absent("notification-lost");
    let taken = Scenario::new()
        .wake(HIGH)
        .then(notify(overwrite))
        .delay(MID)
        .then(CurtaskNotifyWait { index: 0, value: 1, received: 1 })
        .delay(HIGH)
        .then(notify(overwrite))
        .delay(IDLE);
    taken.assert_absent("notification-lost");
}

#[test]
fn blocks_that_are_never_given_back_are_a_leak() {
    let heap = |leaks: fn(u32) -> bool| {
        let mut story = Scenario::new().wake(HIGH);
        for n in 0..200_u32 {
            let address = 0x1000 + n * 64;
            story = story.wait(1000).then(HeapMalloc { address, size: 48, bytes_free: Some(9000) });
            if !leaks(n) {
                story = story.then(HeapFree { address, size: 48, bytes_free: Some(9048) });
            }
        }
        story
    };
    heap(|n| n % 10 == 0)
        .has("heap-leak", "20 blocks of 48 bytes that high took are not given back");
    heap(|_| false).assert_absent("heap-leak");
    // At the start only, or up to a size.
    heap(|n| n < 20).assert_absent("heap-leak");
    heap(|n| n < 150).assert_absent("heap-leak");
    // Another task frees them later.
    let mut passed = Scenario::new().wake(HIGH);
    for n in 0..200_u32 {
        let address = |n: u32| 0x1000 + n * 64;
        passed = passed.wait(1000).then(HeapMalloc {
            address: address(n),
            size: 48,
            bytes_free: Some(9000),
        });
        if n >= 5 {
            passed = passed
                .delay(LOW)
                .then(HeapFree { address: address(n - 5), size: 48, bytes_free: Some(9000) })
                .delay(HIGH);
        }
    }
    passed.assert_absent("heap-leak");
}

#[test]
fn memory_that_is_missing_is_fragmented_or_used_up() {
    let fails = |size| {
        Scenario::new()
            .wake(HIGH)
            .then(HeapMalloc { address: 64, size: 8, bytes_free: Some(100) })
            .then(HeapMalloc { address: 0, size, bytes_free: Some(100) })
            .delay(IDLE)
    };
    fails(100)
        .has("heap-fragmented", "an allocation of 100 bytes by high failed; free: 100 bytes; once");
    fails(101).has("heap-exhausted", "free: 100 bytes");
    fails(101).assert_absent("heap-fragmented");
    // V11 of the kernel passes 0 instead of the size if an allocation fails.
    fails(0).has("heap-exhausted", "an allocation of unknown size by high failed; free: 100 bytes");
    fails(0).assert_absent("heap-fragmented");
    // One without a size does not hide one with a size.
    let both = Scenario::new()
        .wake(HIGH)
        .then(HeapMalloc { address: 64, size: 8, bytes_free: Some(100) })
        .then(HeapMalloc { address: 0, size: 0, bytes_free: Some(100) })
        .then(HeapMalloc { address: 0, size: 200, bytes_free: Some(100) })
        .delay(IDLE);
    let known = "an allocation of 200 bytes by high failed; free: 100 bytes; once";
    let found = both.find_highlights();
    assert!(found.iter().any(|it| it.means == known), "{found:#?}");
}

/// Callbacks of a timer with a period of 10 ms, with these times between them in us.
fn callbacks(between: &[u64]) -> Scenario {
    let mut story = Scenario::new()
        .then(TimerCreated { timer_id: 1, period: 10, auto_reload: 1, callback: 9 })
        .wake(HIGH);
    for us in between {
        story = story.wait(*us).then(TimerExpired { timer_id: 1, callback: 9 });
    }
    story.delay(IDLE)
}

#[test]
fn the_timer_task_is_overloaded_if_it_refuses_or_is_a_period_late() {
    let send =
        |result| TimerCommandSent { timer_id: 1, command: TimerCommand::START, value: 0, result };
    Scenario::new()
        .wake(HIGH)
        .then(send(0))
        .delay(IDLE)
        .has("timer-overload", "no room for a command (timer 1), once");
    Scenario::new().wake(HIGH).then(send(1)).delay(IDLE).assert_absent("timer-overload");
    callbacks(&[10_000, 10_000, 20_000, 100, 9_900, 10_000])
        .has("timer-overload", "the callback of timer 1 was a period late, once");
    callbacks(&[10_000, 10_000, 17_000, 3_000, 10_000]).assert_absent("timer-overload");
    // Ticks that come late move all callbacks.
    callbacks(&[10_000, 20_000, 20_000, 10_000, 20_000]).assert_absent("timer-overload");
}

#[test]
fn the_list_has_each_id_once() {
    let mut ids = IDS.to_vec();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), IDS.len());
}
