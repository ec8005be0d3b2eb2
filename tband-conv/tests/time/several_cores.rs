//! Several cores: migration, wake-ups from one core to another, up to 64 cores; the numbers and Perfetto's own engine agree.

use std::collections::BTreeMap;

use tband_conv::model::Flows;
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::Event::*;
use tband_recordings::{Engine, Recording, TempFile};

/// Pseudorandom numbers with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Movement between pairs of cores: migrations, wake-ups, and their total time in ns.
type CoreMovements = BTreeMap<(u32, u32), (u64, u64, i64)>;

/// Cores that take any ready task, with the open states between them.
struct Scenario {
    recording: Recording,
    core: u32,
    now: u64,
    between: CoreMovements,
    /// By task.
    migrations: BTreeMap<u32, u64>,
}

const TICK_NS: u64 = 10;

impl Scenario {
    fn event(&mut self, core: u32, event: Event<'_>) {
        self.now += 10;
        let mut recording = std::mem::take(&mut self.recording);
        if core != self.core {
            recording = recording.at(self.now, CoreId { core_id: core });
            self.core = core;
        }
        self.recording = recording.at(self.now, event);
    }

    fn of(cores: usize, steps: usize) -> Self {
        let recording = Recording::default().meta(TsResolutionNs { ns_per_ts: TICK_NS });
        let mut story = Self {
            recording,
            core: 0,
            now: 100,
            between: CoreMovements::new(),
            migrations: BTreeMap::new(),
        };
        let mut numbers = Numbers(cores as u64);
        let mut running: Vec<u32> = (1..=cores as u32).collect();
        // Tasks that are ready, with where and when they were woken if they were; and tasks that wait.
        let mut ready: Vec<(u32, Option<(u32, u64)>)> =
            (cores as u32 + 1..=cores as u32 * 2).map(|task| (task, None)).collect();
        let mut waiting: Vec<u32> = Vec::new();
        let mut last: BTreeMap<u32, u32> = BTreeMap::new();
        for core in 0..cores as u32 {
            story.event(core, TaskSwitchedIn { task_id: core + 1 });
            last.insert(core + 1, core);
        }
        for _ in 0..steps {
            let core = numbers.below(cores) as u32;
            if !waiting.is_empty() && (ready.is_empty() || numbers.below(2) == 0) {
                let task = waiting.swap_remove(numbers.below(waiting.len()));
                story.event(core, TaskToRdyState { task_id: task });
                ready.push((task, Some((core, story.now))));
                continue;
            }
            let previous = running[core as usize];
            let waits = numbers.below(3) > 0;
            if waits {
                story.event(core, CurtaskDelay { ticks: 5 });
            }
            let (next, woken) = ready.swap_remove(numbers.below(ready.len()));
            story.event(core, TaskSwitchedIn { task_id: next });
            running[core as usize] = next;
            match waits {
                true => waiting.push(previous),
                false => ready.push((previous, None)),
            }
            if let Some(from) = last.insert(next, core).filter(|from| *from != core) {
                story.between.entry((from, core)).or_default().0 += 1;
                *story.migrations.entry(next).or_default() += 1;
            }
            if let Some((from, at)) = woken.filter(|(from, _)| *from != core) {
                let pair = story.between.entry((from, core)).or_default();
                (pair.1, pair.2) = (pair.1 + 1, pair.2 + ((story.now - at) * TICK_NS) as i64);
            }
        }
        story
    }
}

#[test]
fn the_numbers_are_those_of_the_story() {
    for (cores, steps) in [(1, 200), (2, 500), (5, 2000), (64, 20_000)] {
        let story = Scenario::of(cores, steps);
        let mut stats = Stats::default();
        let mut text = TimelineText::new(Vec::new()).detailed();
        let inputs = [Input::from_bytes("cores", &story.recording.0)];
        let summary =
            convert(&inputs, &Options::default(), &mut (&mut stats, &mut text)).expect("it");
        assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
        assert_eq!(stats.cores().count(), cores);
        let found: CoreMovements = stats
            .between_cores()
            .map(|pair| {
                let wakes = &pair.wakes;
                ((pair.from, pair.to), (pair.migrations, wakes.count(), wakes.sum() as i64))
            })
            .collect();
        assert_eq!(found, story.between, "{cores} cores");
        assert!(found.len() * 10 >= cores * (cores - 1) * 9, "{} pairs", found.len());
        let of_tasks: BTreeMap<u32, u64> = stats
            .tasks()
            .filter(|task| task.migrations > 0)
            .map(|task| (task.id, task.migrations))
            .collect();
        assert_eq!(of_tasks, story.migrations);
        let text = String::from_utf8(text.into_inner()).expect("text");
        let moved = text.lines().filter(|line| line.contains(": comes from core ")).count();
        assert_eq!(moved as u64, story.migrations.values().sum::<u64>());
    }
}

/// Arrows between the rows of cores, and migrations by the scheduling table.
const QUERIES: [(&str, &str, &str); 2] = [
    (
        "arrow",
        "a.track || ' ' || b.track || ' ' || count(*)",
        "from flow join (select s.id, t.name as track from slice s join track t on t.id = s.track_id \
         join track p on p.id = t.parent_id where p.name = 'Migrations') a on a.id = slice_out \
         join (select s.id, t.name as track from slice s join track t on t.id = s.track_id \
         join track p on p.id = t.parent_id where p.name = 'Migrations') b on b.id = slice_in \
         group by a.track, b.track",
    ),
    (
        "sched",
        "'core ' || ucpu_before || ' core ' || ucpu || ' ' || count(*)",
        "from (select ucpu, lag(ucpu) over (partition by utid order by ts) as ucpu_before \
         from sched join thread using (utid) where tid != 0) \
         where ucpu_before is not null and ucpu_before != ucpu group by ucpu_before, ucpu",
    ),
];

#[test]
fn perfetto_has_the_same_moves() {
    let Some(engine) = Engine::find() else { return };
    for (cores, steps) in [(2, 500), (64, 6000)] {
        let story = Scenario::of(cores, steps);
        let mut perfetto = Perfetto::new(Vec::new());
        let inputs = [Input::from_bytes("cores", &story.recording.0)];
        convert(&inputs, &Options::default(), &mut perfetto).expect("it");
        let trace = TempFile::new("several_cores.pftrace", &perfetto.into_inner());
        let rows = engine.check(&trace.0, &QUERIES);
        let moves = story.between.iter().filter(|(_, what)| what.0 > 0);
        let mut expected: Vec<String> = moves
            .map(|((from, to), (count, ..))| format!("core {from} core {to} {count}"))
            .collect();
        expected.sort();
        for tag in ["arrow", "sched"] {
            let mut found: Vec<&str> =
                rows.iter().filter(|row| row.0 == tag).map(|row| row.1.as_str()).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{cores} cores, {tag}");
        }
        // Without flows the trace has no arrows.
        let mut options = Options::default();
        options.flows = Flows::None;
        let mut perfetto = Perfetto::new(Vec::new());
        convert(&inputs, &options, &mut perfetto).expect("it");
        let trace = TempFile::new("several_cores_without.pftrace", &perfetto.into_inner());
        assert_eq!(engine.check(&trace.0, &[QUERIES[0]]), []);
    }
}

/// The missing events may have moved a task or not.
#[test]
fn a_move_is_not_concluded_from_what_is_missing() {
    let mut story = Scenario::of(2, 10);
    let mut stats = Stats::default();
    let before = story.migrations.values().sum::<u64>();
    // Both cores lose events, and then task 1 is on the other one than before.
    story.recording = std::mem::take(&mut story.recording).raw(&[5, 0xFF, 0]);
    story.event(0, TaskSwitchedIn { task_id: 1 });
    story.event(1, TaskSwitchedIn { task_id: 2 });
    story.recording = std::mem::take(&mut story.recording).raw(&[5, 0xFF, 0]);
    story.event(0, TaskSwitchedIn { task_id: 2 });
    story.event(1, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("cores", &story.recording.0)];
    let summary = convert(&inputs, &Options::default(), &mut stats).expect("it");
    assert!(!summary.diagnostics.is_clean());
    let after = stats.tasks().map(|task| task.migrations).sum::<u64>();
    assert_eq!(after, before);
}
