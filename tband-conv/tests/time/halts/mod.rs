//! Halts: no tick and no other event for much longer than a tick. Their time has no known owner.

use tband_conv::diagnostics::Problem;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::{self, *};
use tband_format::classes::{CLASSES, STATED, filter};
use tband_recordings::set_up::{MHZ, begin, found};
use tband_recordings::{Recording, str, timeline_of};

const MS: u64 = 1000;

/// Returns the recording's information about itself, with all classes of events except these.
fn info(off: &[&str]) -> Event<'static> {
    let on = CLASSES.iter().filter(|class| !off.contains(&class.name));
    let flags = on.fold(1 | STATED, |flags, class| flags | class.flag);
    TraceInfo {
        format_version: 11,
        core_count: 1,
        flags,
        kernel_version: Some(110_200),
        tick_rate_hz: Some(1000),
    }
}

/// A tick each millisecond. Task 1 works for the first fifth of each, and the idle task has the rest.
#[derive(Clone)]
struct Target {
    recording: Recording,
    now: u64,
    count: u32,
}

impl Target {
    fn new(off: &[&str]) -> Self {
        Self { recording: begin(info(off), MHZ), now: 0, count: 0 }
    }

    fn event(mut self, after: u64, event: Event<'_>) -> Self {
        self.now += after;
        self.recording = self.recording.at(self.now, event);
        self
    }

    fn tick(self) -> Self {
        let tick_count = self.count;
        let mut it = self.event(800, TickIncrement { tick_count });
        it.count += 1;
        it
    }

    /// Up to the moment at which task 1 begins to work.
    fn start_work(self) -> Self {
        self.tick().event(0, TaskToRdyState { task_id: 1 }).event(0, TaskSwitchedIn { task_id: 1 })
    }

    /// Task 1 ends its work after this time.
    fn idles(self, after: u64) -> Self {
        self.event(after, CurtaskDelay { ticks: 1 }).event(0, TaskSwitchedIn { task_id: 2 })
    }

    fn runs(self, ticks: u32) -> Self {
        (0..ticks).fold(self, |it, _| it.start_work().idles(200))
    }

    fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        let input = Input::from_bytes("r", &self.recording.0);
        convert(&[input], &Options::default(), &mut stats).unwrap();
        stats
    }

    fn halts(&self) -> u64 {
        found(&self.recording).count(Problem::Halt)
    }

    #[track_caller]
    fn assert_no_halt(&self) {
        assert_eq!(self.halts(), 0, "{:?}", found(&self.recording));
    }

    /// Checks that it has no halt, and that the owner of the core is known.
    #[track_caller]
    fn assert_none(&self) {
        assert_eq!(self.halts(), 0, "{:?}", found(&self.recording));
        let core = self.stats();
        let core = core.cores().next().unwrap();
        assert!(core.unknown_ns < 2_000_000, "{core:?}");
    }

    /// It has one halt, which begins and ends at these times in microseconds.
    #[track_caller]
    fn assert_one(&self, from: u64, to: u64) {
        let found = found(&self.recording);
        assert_eq!(found.count(Problem::Halt), 1, "{found:?}");
        assert!(found.is_clean());
        let text = &found.get(Problem::Halt).unwrap().text;
        assert!(text.contains(&format!("at {:.6} s", from as f64 / 1e6)), "{text}");
        assert!(text.contains(": halted, or interrupts off"), "{text}");
        let stats = self.stats();
        let core = stats.cores().next().unwrap();
        // The owner of the core is unknown before the first switch as well.
        let unknown = i64::try_from((to - from) * 1000 + 800_000).unwrap();
        assert!((core.unknown_ns - unknown).abs() < 10, "{core:?} {unknown}");
    }
}

#[test]
fn a_halt_in_a_task_is_unknown_time() {
    let before = Target::new(&[]).runs(20).start_work();
    let from = before.now;
    let halted = before.idles(2_000_000);
    let to = halted.now;
    let target = halted.runs(20);
    target.assert_one(from, to);
    let stats = target.stats();
    let load = stats.cores().next().unwrap();
    // The fifth of each millisecond in which the task ends its work, as without the halt.
    let busy: Vec<_> = stats.tasks().map(|task| (task.run_ns + 500) / 1000).collect();
    assert_eq!(busy, [40 * 200, 40 * 800], "{load:?}");
    // Task 1 gets the core once a tick, and the idle task after it.
    assert_eq!(stats.cores().map(|core| core.switches).sum::<u64>(), 41 * 2);
    let (text, _) =
        timeline_of(&[Input::from_bytes("r", &target.recording.0)], &Options::default());
    for change in [
        format!("{} 0 a: running -> unknown", from * 1000 + 2),
        format!("{} 0 a: unknown -> running", to * 1000),
        format!("{} 0 a: running -> blocked", to * 1000 + 1),
    ] {
        assert!(text.contains(&change), "no {change} in {text}");
    }
}

#[test]
fn a_halt_in_the_idle_task_needs_sleeps_to_be_recorded() {
    let idle = |off: &[&str]| {
        let before = Target::new(off).runs(20);
        (before.now, before.event(2_000_000, Evtmarker { evtmarker_id: 1, msg: str("x") }))
    };
    let (from, target) = idle(&[]);
    target.clone().runs(20).assert_one(from, target.now);
    // Also where the recording ends with it.
    target.assert_one(from, target.now);
    // The core may sleep as well.
    idle(&["LOW_POWER"]).1.runs(20).assert_none();
    // Ticks that are made up for outside of a sleep: firmware that sleeps in a custom way.
    let own = Target::new(&[]).runs(20).event(1, TickCountIncrease { ticks: 1 });
    own.runs(1).event(2_000_000, Evtmarker { evtmarker_id: 1, msg: str("x") }).assert_none();
}

#[test]
fn a_halt_in_an_interrupt_is_unknown_time() {
    let before = Target::new(&[]).runs(20).start_work();
    let before = before.event(10, IsrEnter { isr_id: 3 }).event(10, IsrEnter { isr_id: 4 });
    let from = before.now;
    let after = before.event(3_000_000, IsrExit { isr_id: 4 });
    let to = after.now;
    let target = after.event(30, IsrExit { isr_id: 3 }).idles(10).runs(20);
    target.assert_one(from, to);
    let stats = target.stats();
    let isr_ns: i64 = stats.cores().map(|core| core.isr_ns).sum();
    assert!((isr_ns - 40_000).abs() < 10, "{isr_ns}");
}

#[test]
fn halts_one_after_the_other_are_each_reported() {
    let mut target = Target::new(&[]).runs(20);
    for length in [60_000, 100_000, 2_000_000, 51_000] {
        target = target.start_work().idles(length);
        target = target.runs(1);
    }
    assert_eq!(target.halts(), 4);
    // The next one begins before the next tick.
    let twice = Target::new(&[])
        .runs(20)
        .start_work()
        .event(2_000_000, QueueSend { queue_id: 1, len_after: 1 });
    let twice = twice.event(1_500_000, QueueReceive { queue_id: 1, len_after: 0 }).idles(1).runs(3);
    assert_eq!(twice.halts(), 2);
    // The timestamps' 32 bits or the length do not matter.
    Target::new(&[]).runs(20).start_work().idles(40 * MS).runs(3).assert_none();
    assert_eq!(Target::new(&[]).runs(20).start_work().idles(90_000_000).runs(3).halts(), 1);
}

#[test]
fn short_delays_are_not_halts() {
    let work = |target: Target| target.start_work().idles(2_000_000).runs(20);
    // Before ticks are known to be regular.
    work(Target::new(&[])).assert_no_halt();
    // Without the class of ticks.
    let mut without = Target::new(&["TICK"]);
    for _ in 0..20 {
        without = without.event(800, TaskSwitchedIn { task_id: 1 }).idles(200);
    }
    without.event(2_000_000, TaskSwitchedIn { task_id: 1 }).idles(2_000_000).assert_no_halt();
    // The core sleeps.
    let asleep = Target::new(&[]).runs(20).event(1, LowPowerIdleBegin { expected_ticks: 3000 });
    let awake = asleep.clone().event(2_000_000, TickCountIncrease { ticks: 2000 });
    awake.event(1, LowPowerIdleEnd {}).runs(20).assert_none();
    // A tick ends the sleep, and another sleep follows at once.
    let again = asleep
        .tick()
        .event(1, LowPowerIdleEnd {})
        .event(1, LowPowerIdleBegin { expected_ticks: 9 });
    again.event(2_000_000, LowPowerIdleEnd {}).runs(20).assert_none();
    // Interrupts are off, or ticks have stopped, and other events come.
    let mut off = Target::new(&[]).runs(20).start_work();
    for _ in 0..200 {
        off = off.event(10 * MS, QueueSend { queue_id: 1, len_after: 1 });
    }
    off.event(2_000_000, QueueReceive { queue_id: 1, len_after: 0 }).assert_no_halt();
    // Events are lost.
    let lost = Target::new(&[]).runs(20).start_work().event(2_000_000, DroppedEvtCnt { cnt: 3 });
    lost.idles(1).runs(20).assert_no_halt();
    // A filter leaves ticks out.
    let of =
        Target::new(&[]).runs(20).start_work().event(1, Filter { of: filter::BEGIN, is: 1 << 8 });
    let filtered = of.event(1, Filter { of: 201 / 32, is: 1 << (201 % 32) });
    filtered.idles(2_000_000).assert_no_halt();
    // The scheduler ends, which deletes the idle task.
    let over = Target::new(&[]).runs(20).start_work().event(1, TaskDeleted { task_id: 2 });
    over.event(2_000_000, QueueSend { queue_id: 1, len_after: 1 }).assert_no_halt();
    // The timer counts at another frequency.
    let changed = Target::new(&[]).runs(20).start_work();
    changed.event(0, TsFrequency { numerator: 1000, denominator: 1 }).idles(200).assert_no_halt();
}

/// Only one core counts the ticks.
#[test]
fn a_core_that_takes_no_ticks_has_no_halt() {
    let mut recording = begin(info(&[]), MHZ).meta(TaskIsIdleTask { task_id: 3, core_id: 1 });
    recording = recording.at(1, CoreId { core_id: 1 }).at(1, TaskSwitchedIn { task_id: 1 });
    for tick_count in 0..2000 {
        let now = u64::from(tick_count) * MS + 500;
        recording = recording.at(now, CoreId { core_id: 0 }).at(now, TickIncrement { tick_count });
    }
    recording =
        recording.at(3_000_000, CoreId { core_id: 1 }).at(3_000_000, TaskSwitchedIn { task_id: 3 });
    assert_eq!(found(&recording).count(Problem::Halt), 0, "{:?}", found(&recording));
}

/// A suspended scheduler postpones ticks. They come, with the same count, and once more when it resumes.
#[test]
fn ticks_that_are_put_off_are_ticks() {
    let mut target = Target::new(&[]).runs(20).start_work();
    let tick_count = target.count;
    for _ in 0..2000 {
        target = target.event(1000, TickIncrement { tick_count });
    }
    for more in 0..2000 {
        target = target.event(1, TickIncrement { tick_count: tick_count + more });
    }
    target.count += 2000;
    target.idles(1).runs(20).assert_none();
}

/// Ticks of a simulated target on a busy machine come late by this and that.
#[test]
fn ticks_that_come_irregularly_are_late_without_a_halt() {
    let mut target = Target::new(&[]);
    for late in 0..400_u64 {
        target =
            target.event(late * 17 % 45 * MS, Evtmarker { evtmarker_id: 1, msg: str("x") }).runs(1);
    }
    // Twice as long as any before.
    target.start_work().idles(100 * MS).runs(3).assert_no_halt();
}

/// A counter of 32 bits that is set to 0 between two ticks seems to wrap.
#[test]
fn a_counter_that_is_set_to_0_is_named() {
    let wraps = |to: u64| {
        let before = Target::new(&[]).runs(20).start_work();
        let pause = to - before.now;
        found(&before.idles(pause).runs(20).recording).count(Problem::TimerSetBack)
    };
    assert_eq!(wraps((1 << 32) + 100), 1);
    // A long halt over a wraparound.
    assert_eq!(wraps((1 << 32) + 900 * MS), 0);
    assert_eq!(wraps(9_000 * MS), 0);
}

/// A program that was stopped twice for 2 s by a signal; see `halt.bin`.
#[test]
fn a_recording_of_a_stopped_program() {
    let recording = Recording(include_bytes!("halt.bin").to_vec());
    let found = found(&recording);
    let halt = found.get(Problem::Halt).unwrap();
    assert_eq!(halt.count, 2);
    assert!(
        halt.text.contains("at 0.489491 s on core 0, no tick for 2.0 s: halted"),
        "{}",
        halt.text
    );
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut stats).unwrap();
    let load = stats.cores().next().unwrap();
    assert!((3_940_000_000..3_945_000_000).contains(&load.unknown_ns), "{load:?}");
}
