//! The numbers of a recording that is made by hand equal the expected ones.

use tband_conv::sinks::{Spread, Stats};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event;
use tband_format::named::QueueKind;
use tband_recordings::{Recording, on_core_ns, str, trace_of, two_tasks, vector};

fn stats_of(inputs: &[Input<'_>]) -> (Stats, Summary) {
    let mut stats = Stats::default();
    let summary = convert(inputs, &Options::default(), &mut stats).unwrap();
    (stats, summary)
}

/// One core, a tick of 1 us. `low` holds a mutex that `high` wants, then `high` fills a queue.
pub fn by_hand() -> Vec<u8> {
    let (low, high, idle, bus, data) = (1, 2, 3, 1, 2);
    let switch = |task_id| Event::TaskSwitchedIn { task_id };
    let ready = |task_id| Event::TaskToRdyState { task_id };
    let send = |queue_id, len_after| Event::QueueSend { queue_id, len_after };
    let receive = |queue_id, len_after| Event::QueueReceive { queue_id, len_after };
    Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 1000 })
        .meta(Event::TaskName { task_id: low, name: str("low") })
        .meta(Event::TaskName { task_id: high, name: str("high") })
        .meta(Event::TaskName { task_id: idle, name: str("IDLE") })
        .meta(Event::TaskIsIdleTask { task_id: idle, core_id: 0 })
        .meta(Event::QueueName { queue_id: bus, name: str("bus") })
        .meta(Event::QueueKind { queue_id: bus, kind: QueueKind::MUTEX })
        .meta(Event::QueueName { queue_id: data, name: str("data") })
        .meta(Event::QueueKind { queue_id: data, kind: QueueKind::QUEUE })
        .meta(Event::IsrName { isr_id: 1, name: str("tick") })
        .meta(Event::IsrName { isr_id: 2, name: str("uart") })
        .meta(Event::EvtmarkerName { evtmarker_id: 1, name: str("work") })
        .meta(Event::ValmarkerName { valmarker_id: 1, name: str("speed") })
        .at(0, Event::TaskPrioritySet { task_id: low, priority: 1 })
        .at(0, Event::TaskPrioritySet { task_id: high, priority: 5 })
        .at(0, switch(idle))
        .at(100, Event::IsrEnter { isr_id: 1 })
        .at(105, Event::IsrEnter { isr_id: 2 })
        .at(107, Event::IsrExit { isr_id: 2 })
        .at(109, ready(low))
        .at(110, Event::IsrExit { isr_id: 1 })
        .at(112, switch(low))
        .at(115, receive(bus, 0))
        .at(120, Event::EvtmarkerBegin { evtmarker_id: 1, msg: str("") })
        .at(130, ready(high))
        .at(131, switch(high))
        .at(135, Event::CurtaskBlockOnQueueReceive { queue_id: bus, ticks_to_wait: 9 })
        .at(136, Event::TaskPriorityInherit { task_id: low, priority: 5 })
        .at(137, switch(low))
        .at(150, Event::EvtmarkerEnd { evtmarker_id: 1 })
        .at(155, send(bus, 1))
        .at(156, ready(high))
        .at(157, Event::TaskPriorityDisinherit { task_id: low, priority: 1 })
        .at(158, switch(high))
        .at(160, receive(bus, 0))
        .at(165, send(bus, 1))
        .at(170, send(data, 1))
        .at(175, send(data, 2))
        .at(180, Event::CurtaskBlockOnQueueSend { queue_id: data, ticks_to_wait: 9 })
        .at(182, switch(low))
        .at(190, receive(data, 1))
        .at(191, ready(high))
        .at(192, switch(high))
        .at(195, send(data, 2))
        .at(200, Event::CurtaskDelay { ticks: 9 })
        .at(201, switch(low))
        .at(210, receive(data, 1))
        .at(220, receive(data, 0))
        .at(230, Event::TaskSuspended { task_id: low })
        .at(232, switch(idle))
        .at(240, Event::Valmarker { valmarker_id: 1, val: -5 })
        .at(250, Event::Valmarker { valmarker_id: 1, val: 7 })
        .at(300, Event::Evtmarker { evtmarker_id: 1, msg: str("end") })
        .0
}

/// Count, min, median, p99 and max, in us.
fn spread(spread: &Spread) -> (u64, u64, u64, u64, u64) {
    let us = |ns: u64| {
        assert_eq!(ns % 1000, 0);
        ns / 1000
    };
    let (median, p99) = (us(spread.median()), us(spread.p99()));
    (spread.count(), us(spread.min()), median, p99, us(spread.max()))
}

const US: i64 = 1000;

#[test]
fn tasks_are_as_constructed() {
    let bytes = by_hand();
    let (stats, summary) = stats_of(&[Input::from_bytes("r", &bytes)]);
    assert!(summary.diagnostics.is_clean());
    assert_eq!((stats.start_ns(), stats.end_ns(), stats.length_ns()), (0, 300 * US, 300 * US));
    let task = |name| stats.tasks().find(|task| task.name == name).unwrap();

    let low = task("low");
    assert_eq!((low.id, low.priority, low.is_idle), (1, Some(1), false));
    assert_eq!((low.run_ns, low.interrupted_ns), (81 * US, 0));
    assert_eq!((low.switches, low.preemptions), (4, 3));
    assert_eq!(spread(&low.ready_wait), (4, 3, 6, 24, 24));
    assert_eq!(spread(&low.run_burst), (4, 10, 19, 31, 31));
    let [suspended] = low.blocked.as_slice() else { panic!("{low:?}") };
    assert_eq!((suspended.cause.as_str(), suspended.count), ("suspended", 1));
    assert_eq!((suspended.total_ns, suspended.max_ns), (68 * US, 68 * US));

    let high = task("high");
    assert_eq!((high.run_ns, high.switches, high.preemptions), (39 * US, 3, 0));
    assert_eq!(spread(&high.ready_wait), (3, 1, 1, 2, 2));
    assert_eq!(spread(&high.run_burst), (3, 6, 9, 24, 24));
    let causes: Vec<_> =
        high.blocked.iter().map(|it| (it.cause.as_str(), it.count, it.total_ns / US)).collect();
    assert_eq!(causes, [("delay", 1, 99), ("mutex bus", 1, 19), ("queue_send data", 1, 9)]);

    let idle = task("IDLE");
    assert!(idle.is_idle);
    assert_eq!((idle.run_ns, idle.interrupted_ns, idle.switches), (170 * US, 10 * US, 2));
    // It has the core when the recording ends: that is not the least.
    assert_eq!(spread(&idle.run_burst), (2, 112, 112, 112, 112));
    assert_eq!((idle.run_burst.open(), idle.run_burst.open_max()), (1, 68 * US));
    assert_eq!(spread(&idle.ready_wait), (1, 120, 120, 120, 120));
}

#[test]
fn cores_and_interrupts_are_as_constructed() {
    let bytes = by_hand();
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let [core] = stats.cores().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((core.core, core.switches, core.max_nesting), (0, 9, 2));
    assert_eq!((core.task_ns, core.idle_ns), (120 * US, 170 * US));
    assert_eq!((core.isr_ns, core.unknown_ns), (10 * US, 0));
    assert_eq!((core.load.window_ns(), core.load.busy_ns().len()), (8192, 37));
    assert_eq!(core.load.busy_ns().iter().sum::<i64>(), 130 * US);
    // 100 to 110 us is busy, and from 112 us on.
    let shares: Vec<f64> = core.load.shares(stats.length_ns()).flatten().collect();
    assert_eq!(core.load.busy_ns()[12..14], [6496, 8192 - 2000]);
    assert_eq!((shares[0], shares[15], shares[36]), (0.0, 1.0, 0.0));

    let isrs: Vec<_> = stats.isrs().collect();
    let [tick, uart] = isrs[..] else { panic!("{isrs:?}") };
    assert_eq!((tick.name.as_str(), tick.core, tick.count), ("tick", 0, 1));
    assert_eq!((tick.own_ns, spread(&tick.time).4, tick.max_depth), (8 * US, 10, 1));
    assert_eq!((uart.name.as_str(), uart.own_ns, uart.max_depth), ("uart", 2 * US, 2));
    assert_eq!(spread(&uart.time), (1, 2, 2, 2, 2));
}

#[test]
fn queues_and_mutexes_are_as_constructed() {
    let bytes = by_hand();
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let [bus, data] = stats.queues().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((data.name.as_str(), data.id, data.kind), ("data", 2, Some("queue")));
    assert_eq!((data.levels, data.level), (Some((0, 2)), Some(0)));
    assert_eq!((data.empty_ns, data.full_ns), (80 * US, Some(30 * US)));
    assert_eq!((data.sends, data.receives), (3, 3));
    assert_eq!((data.blocked_sends, data.blocked_receives), (1, 0));
    assert_eq!((bus.empty_ns, bus.full_ns, bus.blocked_receives), (45 * US, None, 1));

    let [bus] = stats.locks().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((bus.name.as_str(), bus.takes, bus.held_ns), ("bus", 2, 45 * US));
    assert_eq!(spread(&bus.held), (2, 5, 5, 40, 40));
    assert_eq!((bus.contentions, spread(&bus.waits)), (1, (1, 23, 23, 23, 23)));
    assert_eq!(spread(&bus.inversions), (1, 19, 19, 19, 19));
    let holders: Vec<_> =
        bus.holders.iter().map(|it| (it.task.as_str(), it.count, it.held_ns / US)).collect();
    assert_eq!(holders, [("low", 1, 40), ("high", 1, 5)]);
}

#[test]
fn markers_are_as_constructed() {
    let bytes = by_hand();
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let [work] = stats.markers().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((work.name.as_str(), work.task.as_deref()), ("work", None));
    assert_eq!((work.instants, work.open), (1, 0));
    assert_eq!(spread(&work.spans), (1, 30, 30, 30, 30));
    let [speed] = stats.values().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((speed.name.as_str(), speed.count), ("speed", 2));
    assert_eq!((speed.min, speed.max, speed.last), ((-5).into(), 7.into(), 7.into()));
}

#[test]
fn a_holder_of_equal_priority_causes_no_inversion() {
    let bytes = Recording::default()
        .meta(Event::QueueKind { queue_id: 1, kind: QueueKind::MUTEX })
        .at(0, Event::TaskPrioritySet { task_id: 1, priority: 3 })
        .at(0, Event::TaskPrioritySet { task_id: 2, priority: 3 })
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::QueueReceive { queue_id: 1, len_after: 0 })
        .at(30, Event::TaskSwitchedIn { task_id: 2 })
        .at(40, Event::CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(50, Event::TaskSwitchedIn { task_id: 1 })
        .at(60, Event::QueueSend { queue_id: 1, len_after: 1 })
        .at(70, Event::TaskToRdyState { task_id: 2 })
        .0;
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let mutex = stats.locks().next().unwrap();
    assert_eq!((mutex.waits.count(), mutex.waits.max()), (1, 20));
    assert_eq!(mutex.inversions.count(), 0);
}

#[test]
fn gaps_are_kept_with_their_place() {
    let bytes = Recording::default()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(20, Event::DroppedEvtCnt { cnt: 3 })
        .at(30, Event::DroppedEvtCnt { cnt: 10 })
        .0;
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let gaps: Vec<_> =
        stats.gaps().iter().map(|gap| (gap.ns, gap.core, gap.lost.unwrap())).collect();
    assert_eq!(gaps, [(20, 0, 3), (30, 0, 7)]);
}

/// A state that a gap cuts off counts up to the last event before it, and is marked.
#[test]
fn after_a_gap_only_what_is_known_counts() {
    let bytes = Recording::default()
        .meta(Event::QueueKind { queue_id: 1, kind: QueueKind::MUTEX })
        .at(0, Event::TaskSwitchedIn { task_id: 1 })
        .at(10, Event::QueueReceive { queue_id: 1, len_after: 0 })
        .at(20, Event::EvtmarkerBegin { evtmarker_id: 1, msg: str("") })
        .at(30, Event::IsrEnter { isr_id: 1 })
        .at(45, Event::Valmarker { valmarker_id: 1, val: 1 })
        .at(50, Event::DroppedEvtCnt { cnt: 3 })
        .at(90, Event::IsrEnter { isr_id: 2 })
        .at(100, Event::IsrExit { isr_id: 2 })
        .0;
    let (stats, _) = stats_of(&[Input::from_bytes("r", &bytes)]);
    let [core] = stats.cores().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((core.task_ns, core.isr_ns, core.unknown_ns), (30, 15 + 10, 45));
    let task = stats.tasks().next().unwrap();
    assert_eq!((task.run_ns, task.interrupted_ns), (30, 15));
    let cut = |spread: &Spread| (spread.count(), spread.cut(), spread.open(), spread.max());
    assert_eq!(cut(&task.run_burst), (1, 1, 0, 45));
    let mutex = stats.locks().next().unwrap();
    assert_eq!((mutex.takes, mutex.held_ns, cut(&mutex.held)), (1, 35, (1, 1, 0, 35)));
    let queue = stats.queues().next().unwrap();
    assert_eq!((queue.empty_ns, queue.level), (35, None));
    let marker = stats.markers().next().unwrap();
    assert_eq!((cut(&marker.spans), marker.open), ((1, 1, 0, 25), 0));
    let isr = stats.isrs().next().unwrap();
    assert_eq!((isr.own_ns, cut(&isr.time)), (15, (1, 1, 0, 15)));
}

/// A call that does not wait for room or for an item fails at once; after a wait, it fails at the end of the wait.
#[test]
fn failures_of_queues_are_counted() {
    let (data, rec) = (1, 2);
    let recording = Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 1 })
        .meta(Event::QueueKind { queue_id: rec, kind: QueueKind::RECURSIVE_MUTEX })
        .at(0, Event::TaskSwitchedIn { task_id: 1 })
        .at(10, Event::QueueReceiveFailed { queue_id: data })
        .at(11, Event::QueuePeekFailed { queue_id: data })
        .at(20, Event::QueueSend { queue_id: data, len_after: 1 })
        .at(30, Event::QueueSend { queue_id: data, len_after: 2 })
        .at(35, Event::QueueSendFailed { queue_id: data })
        .at(36, Event::QueueSendFromIsrFailed { queue_id: data })
        .at(37, Event::QueuePeek { queue_id: data })
        .at(40, Event::QueueReceive { queue_id: data, len_after: 1 })
        .at(41, Event::QueueReceiveFromIsrFailed { queue_id: data })
        // One failure, reported twice: of the semaphore inside, and of the mutex.
        .at(50, Event::QueueReceiveFailed { queue_id: rec })
        .at(50, Event::MutexRecursiveTakeFailed { queue_id: rec })
        .at(51, Event::MutexRecursiveGiveFailed { queue_id: rec })
        .0;
    let (stats, _) = stats_of(&[Input::from_bytes("r", &recording)]);
    let [rec, data] = stats.queues().collect::<Vec<_>>()[..] else { panic!("{stats:?}") };
    assert_eq!((data.sends, data.failed_sends), (2, 2));
    assert_eq!((data.receives, data.failed_receives), (1, 3));
    // The failure for lack of room shows the capacity.
    assert_eq!((data.levels, data.full_ns), (Some((1, 2)), Some(10)));
    assert_eq!((rec.failed_sends, rec.failed_receives), (1, 1));
}

/// A core that neither tasks nor interrupts are known of has its time all the same.
#[test]
fn cores_without_tasks_and_interrupts_occur() {
    let marker = |ts| Recording::default().at(ts, Event::Valmarker { valmarker_id: 1, val: 1 });
    let files = [marker(0).0, marker(70).0, two_tasks().0];
    let [first, second, names] = &files;
    let inputs = [
        Input::from_bytes("0", first),
        Input::from_bytes("6", second).on_core(6),
        Input::from_bytes("names", names).on_core(3),
    ];
    let (stats, _) = stats_of(&inputs);
    let cores: Vec<_> = stats.cores().map(|it| (it.core, it.unknown_ns, it.switches)).collect();
    assert_eq!(cores, [(0, 700, 0), (6, 700, 0)]);
}

/// The first events of an input may be later ones of another core.
#[test]
fn a_recording_starts_with_its_earliest_core() {
    let recording = Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 10 })
        .at(100, Event::TaskSwitchedIn { task_id: 1 })
        .at(200, Event::TaskSwitchedIn { task_id: 2 })
        .at(0, Event::CoreId { core_id: 1 })
        .at(50, Event::TaskSwitchedIn { task_id: 3 })
        .at(250, Event::TaskSwitchedIn { task_id: 4 });
    let (stats, _) = stats_of(&[Input::from_bytes("cores", &recording.0)]);
    assert_eq!((stats.start_ns(), stats.length_ns()), (500, 2001));
}

/// With a window too small to put the cores in order, the first step is not the earliest.
#[test]
fn a_recording_starts_with_its_earliest_event_in_any_order() {
    let recording = Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 10 })
        .at(100, Event::Valmarker { valmarker_id: 1, val: 1 })
        .at(0, Event::CoreId { core_id: 1 })
        .at(50, Event::TaskSwitchedIn { task_id: 3 });
    let mut options = Options::default();
    options.window = Some(0);
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("cores", &recording.0)], &options, &mut stats).unwrap();
    assert_eq!((stats.start_ns(), stats.length_ns()), (500, 500));
}

#[test]
fn run_times_and_idle_fill_the_recording() {
    for name in ["freertos_sim.bin", "mc_split.core0.bin"] {
        let bytes = vector(name);
        let (_, stats, _) = trace_of(&[Input::from_bytes(name, &bytes)], &Options::default());
        let ran: i64 = stats.tasks().map(on_core_ns).sum();
        // Some task runs from the first switch on, which is right after the creation of objects.
        let idle_before = stats.length_ns() - ran;
        assert!((0..1_000_000).contains(&idle_before), "{name}: {idle_before} ns");
        assert_eq!(stats.tasks().count(), 10, "{name}");
    }
}
