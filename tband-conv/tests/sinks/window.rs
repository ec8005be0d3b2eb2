//! A window of a recording: the state when it opens is known from the start of the recording, nothing is reported twice, and
//! adjoining windows add up to the complete recording.

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::diagnostics::Problem;
use tband_conv::model::{Change, EventTime, Sink, TaskState, World};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::classes::buffers;
use tband_format::decode::decode_payload;
use tband_format::named::QueueKind;
use tband_recordings::facts::{Facts, Slices, joined};
use tband_recordings::random::{Step, config, few_steps, late_steps, stream};
use tband_recordings::{Recording, cases, project, timeline_of};

fn within(from: Option<Moment>, to: Option<Moment>) -> Options {
    let mut options = Options::default();
    (options.from, options.to) = (from, to);
    options
}

fn stats(bytes: &[u8], options: &Options) -> Option<Stats> {
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", bytes)], options, &mut stats).ok()?;
    Some(stats)
}

/// Times that add up, by object.
fn sums(stats: &Stats) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    let mut add = |key: String, ns: i64| *sums.entry(key).or_insert(0) += ns;
    let mut lives = BTreeMap::new();
    for task in stats.tasks() {
        // Several tasks may have had the number, one after the other.
        let life = lives.entry(task.id).or_insert(0);
        *life += 1;
        let task_is = format!("task {}.{life}", task.id);
        add(format!("{task_is} ran"), task.run_ns);
        add(format!("{task_is} was interrupted"), task.interrupted_ns);
        for blocked in &task.blocked {
            add(format!("{task_is} {}", blocked.cause), blocked.total_ns);
        }
    }
    for isr in stats.isrs() {
        add(format!("isr {} of core {}", isr.id, isr.core), isr.own_ns);
    }
    for core in stats.cores() {
        add(format!("core {} idle", core.core), core.idle_ns);
        add(format!("core {} isr", core.core), core.isr_ns);
    }
    sums.retain(|_, ns| *ns != 0);
    sums
}

/// A name may change, and a window has the name of its time. A name has no own time either: among other cores it may come late.
fn nameless(mut steps: Vec<Step>) -> Vec<Step> {
    steps.retain(|step| !decode_payload(&step.payload).unwrap().event.is_metadata());
    steps
}

/// Facts that hold from one time to another; a window that a sink gets contains only these.
fn facts(bytes: &[u8], options: &Options) -> Option<Slices> {
    let mut facts = Facts::default();
    convert(&[Input::from_bytes("r", bytes)], options, &mut facts).ok()?;
    Some(facts.slices)
}

/// The complete recording, and two adjoining windows, joined.
fn assert_windows_join(bytes: &[u8], share: u64) {
    let Some(length) =
        stats(bytes, &Options::default()).map(|stats| (stats.start_ns(), stats.length_ns()))
    else {
        return;
    };
    let part = length.1 as u128 * u128::from(share) / 100;
    assert_state_continues_at(bytes, Moment::Ns(length.0.unsigned_abs() + part as u64));
}

/// As [`assert_windows_join`], cut at this time.
fn assert_state_continues_at(bytes: &[u8], at: Moment) {
    let Some(whole) = facts(bytes, &Options::default()) else { return };
    let before = facts(bytes, &within(None, Some(at))).unwrap();
    let after = facts(bytes, &within(Some(at), None)).unwrap();
    let joined = joined(before, after);
    // When a callback ended may show only after a window.
    for of in whole.keys().chain(joined.keys()).filter(|of| !of.starts_with("callback")) {
        assert_eq!(joined.get(of), whole.get(of), "{of}, cut at {at:?}");
    }
}

/// If a loss or a start of one core appears after the window, the time since the core's last event in the window is affected,
/// also for later reports of another core. A window without events of the core after it does not know this.
fn lossless(mut steps: Vec<Step>) -> Vec<Step> {
    steps.retain(|step| {
        let event = decode_payload(&step.payload).unwrap().event;
        // Where a frequency is reported again a stream may start. In a post-mortem recording a core that begins late is a loss.
        let is_post_mortem = |flags| {
            buffers::buffers(flags).is_some_and(|it| it.backend == buffers::Backend::PostMortem)
        };
        match event {
            Event::DroppedEvtCnt { .. } | Event::TsFrequency { .. } => false,
            Event::TraceInfo { flags, .. } => !is_post_mortem(flags),
            _ => true,
        }
    });
    steps
}

/// The complete recording, and the sum of two adjoining windows.
fn parts_are_the_whole(bytes: &[u8], share: u64) {
    let Some(whole) = stats(bytes, &Options::default()) else { return };
    let start = whole.start_ns().unsigned_abs();
    let part = whole.length_ns().unsigned_abs() as u128 * u128::from(share) / 100;
    let at = Moment::Ns(start + part as u64);
    let before = stats(bytes, &within(None, Some(at))).unwrap();
    let after = stats(bytes, &within(Some(at), None)).unwrap();
    assert_eq!(before.length_ns() + after.length_ns(), whole.length_ns());
    let mut added = sums(&before);
    for (key, ns) in sums(&after) {
        *added.entry(key).or_insert(0) += ns;
    }
    assert_eq!(added, sums(&whole), "cut at {at:?}");
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn of_one_core(steps in late_steps(1), ns in 1..20_u64, share in 0..=100_u64) {
        parts_are_the_whole(&stream(&nameless(steps), ns), share);
    }

    #[test]
    fn state_of_one_core_continues_into_the_window(
        steps in late_steps(1), ns in 1..20_u64, share in 0..=100_u64
    ) {
        assert_windows_join(&stream(&steps, ns), share);
    }

    #[test]
    fn state_of_several_cores_continues_into_the_window(
        steps in late_steps(3), ns in 1..20_u64, share in 0..=100_u64
    ) {
        assert_windows_join(&stream(&lossless(nameless(steps)), ns), share);
    }

    #[test]
    fn of_several_cores(steps in late_steps(3), ns in 1..20_u64, share in 0..=100_u64) {
        parts_are_the_whole(&stream(&lossless(nameless(steps)), ns), share);
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// Cuts at events, several of which are simultaneous.
    #[test]
    fn state_continues_into_windows_cut_at_events(steps in few_steps(1), ns in 1..20_u64) {
        let bytes = stream(&steps, ns);
        for step in &steps {
            assert_state_continues_at(&bytes, Moment::Ticks(step.ts));
        }
    }
}

/// A fact that is reported at the moment when a window opens, and is taken back at that moment, does not hold in the window.
#[test]
fn state_revoked_at_the_window_start_is_absent() {
    let begin = || {
        Recording::default()
            .meta(Event::TsResolutionNs { ns_per_ts: 1 })
            .at(1, Event::TaskSwitchedIn { task_id: 1 })
            .at(1, Event::MutexRecursiveTake { queue_id: 1, depth_after: 1 })
    };
    for recording in [
        // A loss takes back all since the last event.
        begin()
            .at(5, Event::TaskPrioritySet { task_id: 1, priority: 3 })
            .at(9, Event::DroppedEvtCnt { cnt: 25 }),
        begin()
            .at(5, Event::MutexRecursiveTake { queue_id: 1, depth_after: 2 })
            .at(9, Event::DroppedEvtCnt { cnt: 25 }),
        // A task that is deleted has no priority and no notification.
        begin()
            .at(5, Event::TaskPrioritySet { task_id: 2, priority: 3 })
            .at(5, Event::TaskNotifyGiveFromIsr { task_id: 2, index: 0, value_after: 1 })
            .at(5, Event::TaskDeleted { task_id: 2 }),
        // A mutex that is given has no depth.
        begin()
            .meta(Event::QueueKind { queue_id: 1, kind: QueueKind::RECURSIVE_MUTEX })
            .at(2, Event::QueueReceive { queue_id: 1, len_after: 0 })
            .at(5, Event::MutexRecursiveGive { queue_id: 1, depth_after: 1 })
            .at(5, Event::QueueSend { queue_id: 1, len_after: 1 }),
    ] {
        let bytes = recording.at(20, Event::Valmarker { valmarker_id: 1, val: 1 }).0;
        for at in [1, 2, 4, 5, 6, 9, 20] {
            assert_state_continues_at(&bytes, Moment::Ticks(at));
        }
    }
}

/// The priority of each task as it begins to run, as a sink finds it in the world.
#[derive(Default)]
struct PriorityOfRunning(Vec<Option<u32>>);

impl Sink for PriorityOfRunning {
    fn change(&mut self, world: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::TaskState { task, to: TaskState::Running(_), .. } = *change {
            self.0.push(world.tasks.get(task).and_then(|task| task.priority));
        }
        Ok(())
    }
}

/// The window opens at the first change after its begin, which may be one of the running task's priority.
#[test]
fn the_task_running_at_the_window_start_has_its_priority_of_that_time() {
    let bytes = Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 1 })
        .at(1, Event::TaskSwitchedIn { task_id: 1 })
        .at(2, Event::TaskPrioritySet { task_id: 1, priority: 4 })
        .at(60, Event::TaskPrioritySet { task_id: 1, priority: 9 })
        .at(100, Event::Valmarker { valmarker_id: 1, val: 1 })
        .0;
    for (from, priority) in [(50, 4), (60, 4), (61, 9), (70, 9)] {
        let mut sink = PriorityOfRunning::default();
        let input = [Input::from_bytes("r", &bytes)];
        convert(&input, &within(Some(Moment::Ns(from)), None), &mut sink).unwrap();
        assert_eq!(sink.0, [Some(priority)], "{from}");
    }
}

#[test]
fn of_a_single_event() {
    for ns in [1, 7] {
        let steps = [Step { core: 0, ts: 1, payload: vec![84, 1, 0] }];
        for share in [0, 50, 100] {
            parts_are_the_whole(&stream(&steps, ns), share);
            assert_windows_join(&stream(&steps, ns), share);
        }
    }
}

/// Before and after a change of the timer's frequency.
#[test]
fn moments_around_ticks_follow_the_timer() {
    let cases = project::path("tband-report/tests/numbers/stats/window.txt");
    let bytes = cases::recording(&cases, "moments in ticks follow the timer");
    let around =
        within(Some(Moment::TicksAndNs(1200, -10_000)), Some(Moment::TicksAndNs(1200, 10_000)));
    assert_eq!(stats(&bytes, &around).unwrap().start_ns(), 1_090_000);
}

/// A core that has no event after the window is not waited for, and findings of others there are not reported; nor are they
/// while a core is waited for that continues much later.
#[test]
fn findings_after_the_window_are_excluded() {
    let timer = Recording::default().meta(Event::TsResolutionNs { ns_per_ts: 1000 }).0;
    let events = Recording::default()
        .at(10, Event::TaskSwitchedIn { task_id: 1 })
        .at(300, Event::Valmarker { valmarker_id: 1, val: 1 })
        .at(400, Event::DroppedEvtCnt { cnt: 7 })
        .raw(&[0xF0, 1, 0])
        .at(600, Event::Valmarker { valmarker_id: 1, val: 2 })
        .at(700, Event::TaskCreated { task_id: 5 })
        .0;
    let core0 = [&timer[..], &events].concat();
    let begin = Recording::default().at(20, Event::TaskSwitchedIn { task_id: 2 });
    for (core1, is_read) in [
        (begin.clone(), false),
        (begin.clone().at(150, Event::TaskSwitchedIn { task_id: 3 }), false),
        (begin.at(650, Event::TaskSwitchedIn { task_id: 3 }), true),
    ] {
        let id = |core_id| Recording::default().at(1, Event::CoreId { core_id }).0;
        let one = [timer.clone(), id(1), core1.0.clone(), id(0), events.clone()].concat();
        let two =
            [Input::from_bytes("0", &core0[..]), Input::from_bytes("1", &core1.0[..]).on_core(1)];
        for inputs in [&two[..], &[Input::from_bytes("r", &one[..])]] {
            let (text, summary) = timeline_of(inputs, &within(None, Some(Moment::Ns(200_000))));
            assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
            assert!(!text.contains('!'), "{text}");
            assert!(text.ends_with("200000 end\n"), "{text}");
            assert_eq!(summary.part.unwrap().ends_ns, None);
            let is_last_read = timeline_of(inputs, &Options::default()).1.events == summary.events;
            assert_eq!(is_last_read, is_read, "{}", summary.events);
            // A finding after the window that concerns it is reported.
            let options = within(None, Some(Moment::Ns(350_000)));
            let (_, summary) = timeline_of(inputs, &options);
            assert_eq!(summary.diagnostics.count(Problem::EventsLost), 1);
            let (_, summary) = timeline_of(inputs, &within(None, Some(Moment::Ns(500_000))));
            let found = &summary.diagnostics;
            assert_eq!(found.count(Problem::EventsLost), 1);
            assert_eq!(found.count(Problem::UndecodableFrame), 1);
        }
    }
}

/// A loss that the first event reports takes back earlier records, from the start of the recording.
#[test]
fn a_loss_before_the_first_event_takes_back_what_was_recorded_before_it() {
    for begin in [1, 1000] {
        let bytes = Recording::default()
            .meta(Event::TsResolutionNs { ns_per_ts: 1 })
            .meta(Event::TaskBasePriority { task_id: 0, priority: 3 })
            .at(begin, Event::DroppedEvtCnt { cnt: 1 })
            .at(begin + 1, Event::DroppedEvtCnt { cnt: 0 })
            .0;
        let (text, _) = timeline_of(&[Input::from_bytes("r", &bytes[..])], &Options::default());
        let forgotten = format!("{begin:>12} 0 task 0: unknown priority");
        assert!(text.contains(&forgotten), "{text}");
        for at in [begin, begin + 1] {
            assert_state_continues_at(&bytes, Moment::Ticks(at));
        }
    }
}
