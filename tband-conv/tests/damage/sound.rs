//! For any recording, the timeline never contradicts itself, and the numbers equal those of its state changes: a core runs one
//! task at a time, a task has one state at a time, and all time is accounted for.

use std::collections::{BTreeMap, HashMap};
use std::io;

use proptest::prelude::*;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::model::{
    Change, EventTime, Flows, Ref, Sink, Task, TaskRef, TaskState, Wait, World,
};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_recordings::random::{config, damage, damages, late_steps, stream};
use tband_recordings::two_tasks;

/// State of a task by the changes so far.
#[derive(Clone, Debug, Default)]
struct TrackedTask {
    state: TaskState,
    since: Option<i64>,
    run_ns: i64,
    switches: u64,
    /// Time and number of waits.
    waits: HashMap<Wait, (i64, u64)>,
    suspended: (i64, u64),
}

/// Adds the numbers up, change by change, and checks whether each change can follow the earlier ones.
#[derive(Default)]
struct Model {
    tasks: Vec<TrackedTask>,
    /// By core the task that runs, and when the last one left.
    cores: HashMap<u32, (Option<TaskRef>, i64)>,
}

impl Model {
    fn task(&mut self, task: Ref<Task>) -> &mut TrackedTask {
        if self.tasks.len() <= task.index() {
            self.tasks.resize_with(task.index() + 1, TrackedTask::default);
        }
        &mut self.tasks[task.index()]
    }

    /// A state ends.
    fn spend(&mut self, task: TaskRef, ns: i64) {
        let known = self.task(task);
        let time = ns - known.since.unwrap_or(ns);
        let sum = match known.state {
            TaskState::Running(_) => {
                known.run_ns += time;
                return;
            }
            TaskState::Blocked(wait) => known.waits.entry(wait).or_default(),
            TaskState::Suspended => &mut known.suspended,
            _ => return,
        };
        sum.0 += time;
        sum.1 += 1;
    }
}

impl Sink for Model {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::TaskState { task, from, to, .. } => {
                assert_eq!(self.task(task).state, from, "{change:?} at {at:?}");
                assert_ne!(from, to, "{change:?} at {at:?}");
                let since = self.task(task).since;
                assert!(since.is_none_or(|since| since < at.ns), "{change:?} at {at:?}");
                self.spend(task, at.ns);
                if let TaskState::Running(core) = from {
                    let (running, left) = self.cores.entry(core).or_default();
                    assert_eq!(running.take(), Some(task));
                    *left = at.ns;
                }
                if let TaskState::Running(core) = to {
                    assert_eq!(core, at.core);
                    let (running, left) = self.cores.entry(core).or_default();
                    assert_eq!(running.replace(task), None, "{change:?} at {at:?}");
                    assert!(*left <= at.ns, "{change:?} at {at:?}, left {left}");
                    self.task(task).switches += 1;
                }
                let known = self.task(task);
                (known.state, known.since) = (to, Some(at.ns));
                assert!(world.tasks.get(task).is_some());
            }
            Change::StillRunning(task) => {
                assert_eq!(self.task(task).state, TaskState::Running(at.core));
                self.spend(task, at.ns);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        for (task, entry) in world.tasks.iter() {
            assert_eq!(self.task(task).state, entry.state);
            assert!(self.task(task).since.is_none_or(|since| since <= end_ns));
            if !matches!(entry.state, TaskState::Running(_)) {
                self.spend(task, end_ns);
            }
        }
        Ok(())
    }
}

/// The world at the end.
#[derive(Default)]
struct LastWorld(World);

impl Sink for LastWorld {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        self.0 = world.clone();
        Ok(())
    }
}

fn check(bytes: &[u8]) {
    let mut options = Options::default();
    options.flows = Flows::All;
    let inputs = [Input::from_bytes("r", bytes)];
    let mut sinks = ((Model::default(), LastWorld::default()), Stats::default());
    let Ok(summary) = convert(&inputs, &options, &mut sinks) else { return };
    let ((model, LastWorld(world)), stats) = sinks;

    // Each may be as long as time is.
    let sum = |times: &mut dyn Iterator<Item = i64>| times.map(i128::from).sum::<i128>();
    for core in stats.cores() {
        assert!(core.unknown_ns >= 0, "{core:?}");
        let known = core.task_ns + core.idle_ns + core.isr_ns;
        assert_eq!(known + core.unknown_ns, stats.length_ns());
    }
    let busy = sum(&mut stats.cores().map(|core| core.task_ns + core.idle_ns));
    assert_eq!(sum(&mut stats.tasks().map(|task| task.run_ns)), busy);
    let own_of_isrs = sum(&mut stats.isrs().map(|isr| isr.own_ns));
    assert_eq!(own_of_isrs, sum(&mut stats.cores().map(|core| core.isr_ns)));

    // Time on a core, how often it got one, and waits by cause: of all tasks of a name, since a task of several runs of the
    // target has one row.
    type WaitTotals = BTreeMap<String, (i64, u64)>;
    let mut expected = BTreeMap::<String, (i64, u64, WaitTotals)>::new();
    for ((task, _), known) in world.tasks.iter().zip(&model.tasks) {
        let sums = expected.entry(world.task_name(task).to_string()).or_default();
        (sums.0, sums.1) = (sums.0 + known.run_ns, sums.1 + known.switches);
        let waits = known.waits.iter().map(|(wait, sum)| (world.describe_wait(*wait), *sum));
        let suspended = Some(("suspended".to_owned(), known.suspended));
        for (cause, (time, count)) in waits.chain(suspended.filter(|it| it.1.1 > 0)) {
            let sum = sums.2.entry(cause).or_default();
            (sum.0, sum.1) = (sum.0 + time, sum.1 + count);
        }
    }
    let mut reported = BTreeMap::<String, (i64, u64, WaitTotals)>::new();
    for own in stats.tasks() {
        let sums = reported.entry(own.name.clone()).or_default();
        let on_core = own.run_ns + own.interrupted_ns;
        (sums.0, sums.1) = (sums.0 + on_core, sums.1 + own.switches);
        for it in &own.blocked {
            let sum = sums.2.entry(it.cause.clone()).or_default();
            (sum.0, sum.1) = (sum.0 + it.total_ns, sum.1 + it.count);
        }
    }
    assert_eq!(reported, expected);
    let parts: usize = stats.tasks().map(|task| task.runs as usize).sum();
    assert_eq!(world.tasks.iter().count(), parts);

    let dumped = dump(&inputs, DumpOptions::of(DumpFormat::Json), io::sink()).unwrap();
    assert_eq!(dumped.events, summary.events);
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn of_one_core(steps in late_steps(1), ns in 1..20_u64) {
        check(&stream(&steps, ns));
    }

    #[test]
    fn of_several_cores(steps in late_steps(3), ns in 1..20_u64) {
        check(&stream(&steps, ns));
    }

    #[test]
    fn damaged(steps in late_steps(3), ns in 1..20_u64, damages in damages(6)) {
        let mut bytes = stream(&steps, ns);
        damage(&mut bytes, &damages);
        check(&bytes);
    }
}

/// A restart at the last tick of a recording ends the tasks, some of which have just changed, at that tick too.
#[test]
fn restarted_at_the_last_tick() {
    for turns in 0..6 {
        let mut recording = two_tasks().at(0, Event::CoreId { core_id: 0 });
        for task_id in [1, 2].into_iter().cycle().take(turns) {
            recording = recording
                .at(1000, Event::TaskToRdyState { task_id })
                .at(1000, Event::TaskSwitchedIn { task_id })
                .at(1000, Event::TaskSuspended { task_id: 3 - task_id });
        }
        for cnt in [5, 1] {
            recording = recording.at(1000, Event::DroppedEvtCnt { cnt });
        }
        check(&recording.0);
    }
}
