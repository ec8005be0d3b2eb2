//! Waits whose maximum matters: starvation, deadlock, priority inversion; on recordings made by hand, with ticks of 1 us.

use tband_conv::sinks::{InversionStats, LockStats, OpenWait, Spread, Stats, TaskStats};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::{NotifyAction, QueueKind as Kind};
use tband_recordings::{Recording, str};

const US: i64 = 1000;
const MUTEX: Kind = Kind::MUTEX;
const SEMAPHORE: Kind = Kind::BINARY_SEMAPHORE;
/// Tasks 1 to 4: `low`, `medium` and `high` with priorities 1, 3 and 5, and the idle task.
const LOW: u32 = 1;
const MEDIUM: u32 = 2;
const HIGH: u32 = 3;
const IDLE: u32 = 4;

fn start(kind: Kind) -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: LOW, name: str("low") })
        .meta(TaskName { task_id: MEDIUM, name: str("medium") })
        .meta(TaskName { task_id: HIGH, name: str("high") })
        .meta(TaskName { task_id: IDLE, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: IDLE, core_id: 0 })
        .meta(QueueName { queue_id: 1, name: str("bus") })
        .meta(QueueKind { queue_id: 1, kind })
        .meta(QueueName { queue_id: 2, name: str("disk") })
        .meta(QueueKind { queue_id: 2, kind })
        .at(0, TaskPrioritySet { task_id: LOW, priority: 1 })
        .at(0, TaskPrioritySet { task_id: MEDIUM, priority: 3 })
        .at(0, TaskPrioritySet { task_id: HIGH, priority: 5 })
}

trait RecordingExt: Sized {
    fn runs(self, ts: u64, task_id: u32) -> Self;
    fn wake(self, ts: u64, task_id: u32) -> Self;
    fn take(self, ts: u64, queue_id: u32) -> Self;
    fn give(self, ts: u64, queue_id: u32) -> Self;
    fn wait(self, ts: u64, queue_id: u32) -> Self;
}

impl RecordingExt for Recording {
    fn runs(self, ts: u64, task_id: u32) -> Self {
        self.at(ts, TaskSwitchedIn { task_id })
    }
    fn wake(self, ts: u64, task_id: u32) -> Self {
        self.at(ts, TaskToRdyState { task_id })
    }
    fn take(self, ts: u64, queue_id: u32) -> Self {
        self.at(ts, QueueReceive { queue_id, len_after: 0 })
    }
    fn give(self, ts: u64, queue_id: u32) -> Self {
        self.at(ts, QueueSend { queue_id, len_after: 1 })
    }
    fn wait(self, ts: u64, queue_id: u32) -> Self {
        self.at(ts, CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: u32::MAX })
    }
}

fn stats_of(recording: &Recording) -> Stats {
    let mut stats = Stats::default();
    let inputs = [Input::from_bytes("r", &recording.0)];
    convert(&inputs, &Options::default(), &mut stats).unwrap();
    stats
}

fn task<'s>(stats: &'s Stats, name: &str) -> &'s TaskStats {
    stats.tasks().find(|task| task.name == name).unwrap()
}

fn lock<'s>(stats: &'s Stats, name: &str) -> &'s LockStats {
    stats.locks().find(|lock| lock.name == name).unwrap()
}

/// Count, greatest, when that began, open, cut; times in us.
fn shape(spread: &Spread) -> (u64, i64, Option<i64>, u64, u64) {
    let max = spread.max().cast_signed() / US;
    (spread.count(), max, spread.max_at().map(|ns| ns / US), spread.open(), spread.cut())
}

/// Task, cause, since, length, holder; times in us.
fn open_wait(wait: &OpenWait) -> (&str, &str, i64, i64, Option<&str>) {
    let holder = wait.holder.as_ref().map(|holder| holder.name.as_str());
    (&wait.task.name, &wait.cause, wait.since_ns / US, wait.length_ns / US, holder)
}

/// Returns waiter, holder, and the task between; count, maximum, its time; the running times of the holder, of that task, and
/// of all others.
fn inversion(it: &InversionStats) -> (&str, &str, Option<&str>, [i64; 6]) {
    let between = it.between.as_ref().map(|task| task.name.as_str());
    let times = [it.max_ns, it.max_at_ns, it.holder_ran_ns, it.between_ns, it.others_ns];
    let [max, max_at, holder, longest, others] = times.map(|ns| ns / US);
    let numbers = [it.count.cast_signed(), max, max_at, holder, longest, others];
    (&it.waiter.name, &it.holder.name, between, numbers)
}

#[test]
fn a_task_that_starves_has_its_wait() {
    let recording = start(MUTEX).wake(10, LOW).wake(20, HIGH).runs(30, HIGH);
    let stats = stats_of(&recording.at(1030, Valmarker { valmarker_id: 1, val: 0 }));
    let low = task(&stats, "low");
    assert_eq!(shape(&low.ready_wait), (1, 1020, Some(10), 1, 0));
    assert_eq!(low.ready_wait.open_max(), 1020 * US);
    assert!(!low.is_unused() && task(&stats, "medium").is_unused());
    // The one that runs for ever shows as well.
    assert_eq!(shape(&task(&stats, "high").run_burst), (1, 1000, Some(30), 1, 0));
    let open: Vec<_> = stats.open_waits().map(open_wait).collect();
    assert_eq!(open, [("low", "ready, waits for a core", 10, 1020, None)]);
}

#[test]
fn a_deadlock_has_its_waits() {
    for kind in [MUTEX, SEMAPHORE] {
        let recording = start(kind)
            .runs(0, LOW)
            // That semaphores are used as locks has shown before.
            .take(1, 1)
            .give(2, 1)
            .take(3, 2)
            .give(4, 2)
            .take(10, 1)
            .wake(20, HIGH)
            .runs(21, HIGH)
            .take(30, 2)
            .wait(40, 1)
            .runs(41, LOW)
            .wait(50, 2)
            .runs(51, IDLE)
            .at(951, Valmarker { valmarker_id: 1, val: 0 });
        let stats = stats_of(&recording);
        let (bus, disk) = (lock(&stats, "bus"), lock(&stats, "disk"));
        assert_eq!((shape(&bus.waits), bus.contentions), ((1, 910, Some(41), 1, 0), 1));
        assert_eq!(shape(&disk.waits), (1, 900, Some(51), 1, 0));
        assert_eq!(shape(&bus.held), (2, 941, Some(10), 1, 0));
        assert_eq!((bus.holders[0].open_ns, bus.holders[0].max_at_ns), (Some(941 * US), 10 * US));
        // The urgent task waits for the other, not vice versa.
        assert_eq!((shape(&bus.inversions).0, shape(&disk.inversions).0), (1, 0));
        let inversions: Vec<_> = stats.inversions().collect();
        assert_eq!(inversion(inversions[0]), ("high", "low", None, [1, 910, 41, 10, 0, 0]));
        assert_eq!(inversions[0].open_ns, Some(910 * US));
        let name = if kind == MUTEX { "mutex" } else { "semaphore" };
        let open: Vec<_> = stats.open_waits().map(open_wait).collect();
        let (on_bus, on_disk) = (format!("{name} bus"), format!("{name} disk"));
        assert_eq!(
            open,
            [
                ("high", on_bus.as_str(), 41, 910, Some("low")),
                ("low", on_disk.as_str(), 51, 900, Some("high")),
            ]
        );
        let blocked = &task(&stats, "high").blocked[0];
        assert_eq!((blocked.count, blocked.total_ns, blocked.max_at_ns), (1, 910 * US, 41 * US));
        assert_eq!(blocked.open_ns, Some(910 * US));
    }
}

/// `high` waits for `low`, which cannot continue because `medium` runs.
fn inverted(kind: Kind) -> Recording {
    start(kind)
        .runs(0, LOW)
        .take(10, 1)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .wait(30, 1)
        .runs(31, LOW)
        .wake(40, MEDIUM)
        .runs(41, MEDIUM)
        .at(60, IsrEnter { isr_id: 1 })
        .at(70, IsrExit { isr_id: 1 })
        .at(241, CurtaskDelay { ticks: 9 })
        .runs(241, IDLE)
        .runs(246, LOW)
        .give(250, 1)
        .wake(251, HIGH)
        .runs(253, HIGH)
        .take(254, 1)
        .give(260, 1)
}

#[test]
fn an_inversion_lists_the_tasks_that_ran() {
    for kind in [MUTEX, SEMAPHORE] {
        let stats = stats_of(&inverted(kind));
        let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
        // From 31 to 251: low has it at both ends, medium without the interrupt.
        assert_eq!(inversion(it), ("high", "low", Some("medium"), [1, 220, 31, 15, 190, 190]));
        assert_eq!((it.lock.as_str(), it.lock_kind), ("bus", kind.name()));
        assert_eq!((it.waiter.priority, it.holder.priority), (Some(5), Some(1)));
        assert_eq!((it.open_ns, it.cut, it.total_ns), (None, 0, 220 * US));
        let bus = lock(&stats, "bus");
        // It is taken some time after it is given.
        assert_eq!(shape(&bus.waits), (1, 223, Some(31), 0, 0));
        assert_eq!(shape(&bus.held), (2, 240, Some(10), 0, 0));
        assert_eq!(stats.locks().count(), 1);
    }
}

/// The task with a priority between both is named, if one of the tasks that run in that time has one: the others do not make it
/// an inversion.
#[test]
fn an_inversion_names_the_task_of_middle_priority() {
    const URGENT: u32 = 6;
    let between = |it: Option<u32>| {
        let (from, until) = (120, it.map_or(120, |_| 130));
        let mut recording = start(MUTEX)
            .at(0, TaskPrioritySet { task_id: URGENT, priority: 9 })
            .runs(0, LOW)
            .take(10, 1)
            .wake(20, HIGH)
            .runs(21, HIGH)
            .wait(30, 1)
            .runs(31, LOW)
            .runs(40, URGENT);
        if let Some(task) = it {
            recording = recording.runs(from, task);
        }
        let recording = recording
            .runs(until, LOW)
            .give(150, 1)
            .wake(151, HIGH)
            .runs(153, HIGH)
            .take(154, 1)
            // Its later priority does not count.
            .at(160, TaskPrioritySet { task_id: MEDIUM, priority: 8 });
        let stats = stats_of(&recording);
        let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
        let delay = it.delay.as_ref();
        let delay = delay.map(|it| (it.by.name.clone(), it.at_ns / US, it.ran_ns / US));
        (it.between.as_ref().map(|it| (it.name.clone(), it.priority)), it.between_ns / US, delay)
    };
    let medium = || "medium".to_owned();
    assert_eq!(between(Some(MEDIUM)), (Some((medium(), Some(3))), 10, Some((medium(), 31, 10))));
    // Without a priority, the task that ran longest counts.
    assert_eq!(between(None), (Some(("task 6".to_owned(), Some(9))), 80, None));
    assert_eq!(between(Some(IDLE)), (Some(("task 6".to_owned(), Some(9))), 80, None));
}

/// A woken task does not have the lock yet: another one may be faster.
#[test]
fn a_wait_for_a_lock_ends_when_it_is_taken() {
    for kind in [MUTEX, SEMAPHORE] {
        let recording = start(kind)
            .runs(5, LOW)
            .take(10, 1)
            .runs(21, HIGH)
            .wait(30, 1)
            .runs(31, LOW)
            .give(50, 1)
            .wake(50, HIGH)
            // It is taken from under it, so it waits on.
            .runs(51, MEDIUM)
            .take(55, 1)
            .runs(60, HIGH)
            .wait(61, 1)
            .runs(62, MEDIUM)
            .give(70, 1)
            .wake(70, HIGH)
            .runs(75, HIGH)
            .take(78, 1)
            .give(80, 1)
            .runs(81, LOW)
            .take(82, 1)
            // Without success, until the clock wakes it.
            .runs(85, HIGH)
            .wait(86, 1)
            .runs(87, LOW)
            .wake(95, HIGH)
            .runs(96, HIGH)
            .at(97, QueueReceiveFailed { queue_id: 1 })
            // Given, but not taken yet when the recording ends.
            .wait(100, 1)
            .runs(101, LOW)
            .give(110, 1)
            .wake(110, HIGH)
            .at(115, Valmarker { valmarker_id: 1, val: 1 });
        let stats = stats_of(&recording);
        let bus = lock(&stats, "bus");
        assert_eq!(shape(&bus.waits), (3, 78 - 31, Some(31), 1, 0));
        assert_eq!(bus.waits.sum(), ((78 - 31 + 95 - 87 + 115 - 101) * US).unsigned_abs());
        assert_eq!((bus.waits.open_max(), bus.contentions), (14 * US, 3));
        // It was blocked for less.
        let [blocked] = &task(&stats, "high").blocked[..] else { panic!("{stats:?}") };
        assert_eq!((blocked.count, blocked.total_ns / US), (4, 50 - 31 + 70 - 62 + 8 + 9));
    }
}

/// A queue that is no more is not empty: its level ends with it.
#[test]
fn a_queue_is_empty_or_full_as_long_as_it_lives() {
    let recording = start(Kind::QUEUE)
        .runs(5, LOW)
        .at(10, QueueReset { queue_id: 1 })
        .at(12, QueueSend { queue_id: 2, len_after: 3 })
        .at(14, QueueSendFailed { queue_id: 2 })
        .at(30, QueueDeleted { queue_id: 1 })
        .at(32, QueueDeleted { queue_id: 2 })
        // Another one gets the number of the first.
        .at(60, QueueCreated { queue_id: 1 })
        .at(70, QueueReset { queue_id: 1 })
        .runs(100, HIGH);
    let stats = stats_of(&recording);
    let times: Vec<_> =
        stats.queues().map(|it| (it.id, it.empty_ns / US, it.full_ns.map(|ns| ns / US))).collect();
    assert_eq!(times, [(1, 20, None), (2, 0, Some(20)), (1, 30, None)]);
}

/// After a gap it is unknown which task was faster, and which is more urgent.
#[test]
fn a_gap_cuts_waits_for_a_lock_and_priorities() {
    let recording = start(MUTEX)
        .runs(5, LOW)
        .take(10, 1)
        .runs(21, HIGH)
        .wait(30, 1)
        .runs(31, LOW)
        .give(50, 1)
        .wake(50, HIGH)
        .at(58, Valmarker { valmarker_id: 1, val: 1 })
        .at(60, DroppedEvtCnt { cnt: 3 })
        .runs(71, LOW)
        .take(72, 1)
        .runs(75, HIGH)
        .wait(80, 1)
        .runs(81, LOW)
        .give(90, 1)
        .wake(90, HIGH)
        .runs(91, HIGH)
        .take(92, 1);
    let stats = stats_of(&recording);
    let bus = lock(&stats, "bus");
    assert_eq!(shape(&bus.waits), (2, 58 - 31, Some(31), 0, 1));
    assert_eq!(shape(&bus.inversions), (1, 50 - 31, Some(31), 0, 0));
    // The last reported one, because nothing else is known.
    assert_eq!(task(&stats, "high").priority, Some(5));
}

/// The longest of several waits is reported; a task that inherits is as urgent, but not by its own priority.
#[test]
fn reports_the_longest_inversion() {
    let mut recording = inverted(MUTEX);
    for (at, length) in [(1000, 500), (2000, 100)] {
        recording = recording
            .runs(at, LOW)
            .take(at + 1, 1)
            .wake(at + 2, HIGH)
            .runs(at + 3, HIGH)
            .wait(at + 4, 1)
            .at(at + 4, TaskPriorityInherit { task_id: LOW, priority: 5 })
            .runs(at + 5, LOW)
            .give(at + 5 + length, 1)
            .at(at + 5 + length, TaskPriorityDisinherit { task_id: LOW, priority: 1 })
            .wake(at + 5 + length, HIGH)
            .runs(at + 5 + length, HIGH)
            .take(at + 6 + length, 1)
            .give(at + 7 + length, 1);
    }
    let stats = stats_of(&recording);
    let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!(inversion(it), ("high", "low", None, [3, 500, 1005, 500, 0, 0]));
    assert_eq!((it.total_ns, it.holder.priority), (820 * US, Some(1)));
}

/// A task that is on another core since before the wait, or when it ends, has run as well.
#[test]
fn those_on_other_cores_run_between_too() {
    let on_1 = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .at(5, TaskSwitchedIn { task_id: 7 })
        .at(100, TaskSwitchedIn { task_id: 8 })
        .at(400, TaskSwitchedIn { task_id: 7 });
    let on_0 = inverted(SEMAPHORE);
    let inputs = [Input::from_bytes("0", &on_0.0), Input::from_bytes("1", &on_1.0).on_core(1)];
    let mut stats = Stats::default();
    convert(&inputs, &Options::default(), &mut stats).unwrap();
    let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    // Of 220 us task 7 has 69 and task 8 the rest.
    let others = 190 + 69 + 151;
    assert_eq!(inversion(it), ("high", "low", Some("medium"), [1, 220, 31, 15, 190, others]));
}

/// Waits that are described in the same words have one row.
#[test]
fn reports_each_cause_once() {
    let mut recording = start(SEMAPHORE);
    let peek = CurtaskBlockOnQueuePeek { queue_id: 1, ticks_to_wait: 9 };
    for (at, event) in
        [(100, peek), (300, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })]
    {
        recording =
            recording.runs(at, LOW).at(at + 10, event).runs(at + 20, IDLE).wake(at + 50, LOW);
    }
    let recording = recording
        .runs(400, LOW)
        .at(410, peek)
        .runs(420, IDLE)
        .at(440, Valmarker { valmarker_id: 1, val: 0 });
    let stats = stats_of(&recording);
    let [it] = &task(&stats, "low").blocked[..] else { panic!("{stats:?}") };
    assert_eq!((it.cause.as_str(), it.count, it.total_ns), ("semaphore bus", 3, 80 * US));
    assert_eq!((it.max_ns, it.max_at_ns, it.open_ns), (30 * US, 120 * US, Some(20 * US)));
}

/// A semaphore that an interrupt or another task gives is a signal, whatever task took it last.
#[test]
fn a_signalling_semaphore_is_not_a_lock() {
    let by_isr = QueueSendFromIsr { queue_id: 1, len_after: 1 };
    let by_task = QueueSend { queue_id: 1, len_after: 1 };
    for give in [by_isr, by_task] {
        let recording = start(SEMAPHORE)
            .runs(0, LOW)
            .take(10, 1)
            .wake(20, HIGH)
            .runs(21, HIGH)
            .wait(30, 1)
            .runs(31, MEDIUM)
            .at(100, give)
            .wake(101, HIGH)
            .runs(102, HIGH)
            .take(103, 1);
        let stats = stats_of(&recording);
        assert_eq!((stats.locks().count(), stats.inversions().count()), (0, 0));
        // It waits for it all the same.
        let blocked = &task(&stats, "high").blocked[0];
        assert_eq!((blocked.count, blocked.max_ns), (1, 70 * US));
    }
}

/// The outcome of a wait after a gap is unknown; before it, the wait was open.
#[test]
fn a_wait_that_a_gap_cuts_off_is_marked() {
    let recording = start(MUTEX)
        .runs(0, LOW)
        .take(10, 1)
        .wake(20, HIGH)
        .runs(21, HIGH)
        .wait(30, 1)
        .wake(30, MEDIUM)
        .runs(31, LOW)
        .at(131, Valmarker { valmarker_id: 1, val: 0 })
        .at(200, DroppedEvtCnt { cnt: 1 })
        .runs(300, HIGH);
    let stats = stats_of(&recording);
    assert_eq!(shape(&lock(&stats, "bus").waits), (1, 100, Some(31), 0, 1));
    assert_eq!(shape(&task(&stats, "medium").ready_wait), (1, 101, Some(30), 0, 1));
    let blocked = &task(&stats, "high").blocked[0];
    assert_eq!((blocked.count, blocked.cut, blocked.open_ns), (1, 1, None));
    let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((it.count, it.cut, it.open_ns, it.max_ns), (1, 1, None, 100 * US));
    assert_eq!(stats.open_waits().count(), 0);
}

#[test]
fn maxima_have_their_time() {
    let value = |ts, val| (ts, Valmarker { valmarker_id: 1, val });
    let isr = |isr_id| IsrEnter { isr_id };
    let mut recording = start(Kind::QUEUE).runs(0, LOW);
    for (ts, event) in [
        value(10, -3),
        value(20, 8),
        value(30, 8),
        (40, isr(1)),
        (41, isr(2)),
        (42, IsrExit { isr_id: 2 }),
        (43, IsrExit { isr_id: 1 }),
        (50, QueueSend { queue_id: 1, len_after: 4 }),
        (60, QueueSend { queue_id: 1, len_after: 9 }),
        (70, QueueReceive { queue_id: 1, len_after: 8 }),
        (80, QueueSend { queue_id: 1, len_after: 9 }),
        (90, TaskStackHighWaterMark { task_id: LOW, bytes: 100 }),
        (91, TaskStackHighWaterMark { task_id: LOW, bytes: 40 }),
        (92, TaskStackHighWaterMark { task_id: LOW, bytes: 40 }),
        (100, HeapMalloc { address: 8, size: 40, bytes_free: Some(100) }),
        (101, HeapMalloc { address: 9, size: 50, bytes_free: Some(50) }),
        (102, HeapFree { address: 9, size: 50, bytes_free: Some(100) }),
    ] {
        recording = recording.at(ts, event);
    }
    let stats = stats_of(&recording);
    let speed = stats.values().next().unwrap();
    assert_eq!((speed.max, speed.max_at), (8.into(), 20 * US));
    let core = stats.cores().next().unwrap();
    assert_eq!((core.max_nesting, core.max_nesting_at), (2, 41 * US));
    let inner = stats.isrs().find(|isr| isr.id == 2).unwrap();
    assert_eq!((inner.max_depth, inner.max_depth_at), (2, 41 * US));
    assert_eq!(shape(&inner.time), (1, 1, Some(41), 0, 0));
    let bus = stats.queues().next().unwrap();
    assert_eq!((bus.levels, bus.max_level_at), (Some((4, 9)), 60 * US));
    let low = task(&stats, "low");
    assert_eq!((low.stack_high_water_mark, low.stack_high_water_mark_at), (Some(40), 91 * US));
    let heap = stats.objects().heap().unwrap();
    assert_eq!(
        (heap.largest_at, heap.min_free_at, heap.max_in_use_at),
        (101_000, 101_000, 101_000)
    );
}

#[test]
fn notifications_are_counted_by_index() {
    let notify =
        |index, action| TaskNotify { task_id: HIGH, index, action, value: 0, value_after: 1 };
    let give = TaskNotifyGiveFromIsr { task_id: HIGH, index: 0, value_after: 2 };
    let recording = start(MUTEX)
        .runs(0, LOW)
        .at(10, notify(0, NotifyAction::INCREMENT))
        .at(20, IsrEnter { isr_id: 1 })
        .at(21, give)
        .at(22, IsrExit { isr_id: 1 })
        .at(30, notify(3, NotifyAction::WRITE))
        .at(31, notify(3, NotifyAction::WRITE_REFUSED))
        .runs(40, HIGH)
        .at(50, CurtaskNotifyTake { index: 0, value: 2, value_after: 0 })
        .at(60, CurtaskNotifyTake { index: 0, value: 0, value_after: 0 })
        .at(70, CurtaskNotifyWait { index: 3, value: 1, received: 1 })
        .at(80, CurtaskNotifyWait { index: 3, value: 1, received: 0 })
        .at(90, TaskNotifyStateClear { task_id: HIGH, index: 3 });
    let stats = stats_of(&recording);
    let high = task(&stats, "high").notifications.iter().map(|it| {
        let sent = (it.notified, it.by_isrs, it.refused);
        (it.index, sent, (it.received, it.timeouts, it.cleared))
    });
    let expected = [(Some(0), (2, 1, 0), (1, 1, 0)), (Some(3), (2, 0, 1), (1, 1, 1))];
    assert_eq!(high.collect::<Vec<_>>(), expected);
}

/// Whatever ends a wait for the core, its duration counts.
#[test]
fn a_wait_for_the_core_ends_with_suspension_and_deletion_too() {
    let (later, end) = (900_010, 1_000_000);
    for ends in [TaskSuspended { task_id: LOW }, TaskDeleted { task_id: LOW }] {
        let recording = start(MUTEX).runs(0, HIGH).wake(10, LOW).at(later, ends);
        let stats = stats_of(&recording.at(end, Valmarker { valmarker_id: 1, val: 0 }));
        let low = task(&stats, "low");
        assert_eq!(shape(&low.ready_wait), (1, 900_000, Some(10), 0, 0), "{ends:?}");
        assert!(!low.is_unused());
    }
    // Its number is given to another one.
    let recording =
        start(MUTEX).runs(0, HIGH).wake(10, LOW).at(later, TaskCreated { task_id: LOW });
    let stats = stats_of(&recording.at(end, Valmarker { valmarker_id: 1, val: 0 }));
    assert_eq!(shape(&task(&stats, "low").ready_wait), (1, 900_000, Some(10), 0, 0));
}

/// The holder of a mutex when a gap came held it at least until then.
#[test]
fn holders_say_what_gaps_cut_off() {
    let recording = start(MUTEX).runs(0, LOW).take(10, 1).runs(40, HIGH);
    let recording = recording.at(90, DroppedEvtCnt { cnt: 3 }).runs(100, LOW);
    let stats = stats_of(&recording);
    let [holder] = &lock(&stats, "bus").holders[..] else { panic!("one holder") };
    assert_eq!((holder.count, holder.held_ns / US, holder.open_ns, holder.cut), (1, 30, None, 1));
}

/// The mutex was taken before the recording began: inheritance from the waiter identifies the holder.
#[test]
fn an_inversion_by_a_mutex_that_was_taken_unseen_is_found() {
    let recording = |inherits: bool| {
        let waits = start(MUTEX).runs(21, HIGH).wait(30, 1);
        let waits = if inherits {
            waits.at(30, TaskPriorityInherit { task_id: LOW, priority: 5 })
        } else {
            waits
        };
        let after = waits
            .runs(31, LOW)
            .wake(40, MEDIUM)
            .runs(41, MEDIUM)
            .at(241, CurtaskDelay { ticks: 9 })
            .runs(246, LOW)
            .give(250, 1)
            .wake(251, HIGH);
        let after = if inherits {
            after.at(251, TaskPriorityDisinherit { task_id: LOW, priority: 1 })
        } else {
            after
        };
        after.runs(253, HIGH).take(254, 1).give(260, 1)
    };
    let stats = stats_of(&recording(true));
    let [it] = stats.inversions().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!(inversion(it), ("high", "low", Some("medium"), [1, 220, 31, 15, 205, 205]));
    assert_eq!((it.holder.priority, it.waiter.priority), (Some(1), Some(5)));
    // The duration of the hold is unknown, so it is not reported.
    let bus = lock(&stats, "bus");
    assert_eq!((bus.takes, shape(&bus.held)), (1, (1, 6, Some(254), 0, 0)));
    assert_eq!(stats_of(&recording(false)).inversions().count(), 0);
}

/// A duration that is open at the end was not seen to be that short.
#[test]
fn an_open_duration_is_not_the_minimum() {
    let recording = start(MUTEX).runs(0, LOW).runs(50, HIGH).runs(90, LOW).runs(150, HIGH);
    let stats = stats_of(&recording);
    let high = task(&stats, "high");
    assert_eq!((high.run_burst.count(), high.run_burst.min()), (2, 40_000));
}
