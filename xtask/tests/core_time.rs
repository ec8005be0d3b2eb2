//! The whole time of each core is accounted for: the times in [`Stats`] add up, and equal those of a simple account that is
//! kept step by step. On recordings of simulated targets and of real ones, with and without gaps.

use std::collections::{BTreeMap, HashMap};
use std::io;

use tband_conv::diagnostics::Problem;
use tband_conv::model::{Change, EventTime, ForgottenState, Sink, TaskRef, TaskState, World};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use xtask::generate::{self, stream};

/// The owner of each core, from one step to the next.
#[derive(Default)]
struct CoreOwners {
    cores: BTreeMap<u32, Core>,
    tasks: HashMap<TaskRef, Task>,
    /// Time of the first event.
    start: i64,
    /// All tasks: name, and whether it is an idle task.
    known: Vec<(TaskRef, String, bool)>,
}

#[derive(Clone, Default)]
struct Core {
    running: Option<TaskRef>,
    open_isrs: u32,
    since: i64,
    isr_ns: i64,
    unknown_ns: i64,
    /// As `unknown_ns`, up to the first switch.
    unknown_at_first_ns: Option<i64>,
}

#[derive(Clone, Default)]
struct Task {
    /// Its own time on each core.
    run_ns: BTreeMap<u32, i64>,
    interrupted_ns: i64,
    switches: u64,
}

impl CoreOwners {
    /// Adds the time since the last step on a core to its owner.
    fn pass(&mut self, number: u32, ns: i64) -> &mut Core {
        let since = self.start;
        let core = self.cores.entry(number).or_insert(Core { since, ..Core::default() });
        let time = ns - core.since;
        assert!(time >= 0, "core {number} goes back to {ns}");
        core.since = ns;
        let task = core.running.map(|task| self.tasks.entry(task).or_default());
        let interrupted = core.open_isrs > 0;
        match task {
            Some(task) if interrupted => task.interrupted_ns += time,
            Some(task) => *task.run_ns.entry(number).or_default() += time,
            None if interrupted => {}
            None => core.unknown_ns += time,
        }
        core.isr_ns += if interrupted { time } else { 0 };
        core
    }
}

impl Sink for CoreOwners {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.start = world.start_ns.expect("there are events");
        Ok(())
    }

    fn change(&mut self, _: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::TaskState { task, from, to, .. } => {
                if let TaskState::Running(core) = from {
                    assert_eq!(self.pass(core, at.ns).running.take(), Some(task));
                }
                if let TaskState::Running(core) = to {
                    let core = self.pass(core, at.ns);
                    assert_eq!(core.running.replace(task), None);
                    core.unknown_at_first_ns.get_or_insert(core.unknown_ns);
                    self.tasks.entry(task).or_default().switches += 1;
                }
            }
            Change::IsrEnter(_) => self.pass(at.core, at.ns).open_isrs += 1,
            Change::IsrExit(_) | Change::Forgotten(ForgottenState::Isr(_)) => {
                self.pass(at.core, at.ns).open_isrs -= 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        for core in &world.cores {
            self.pass(*core, end_ns);
        }
        for (task, known) in world.tasks.iter() {
            self.known.push((task, world.task_name(task).to_string(), known.idle_of.is_some()));
        }
        Ok(())
    }
}

/// Asserts that the times of tasks, of the idle task, of interrupts and of unknown owners add up to the time of each core, and
/// that each equals the one in the books. Returns the books.
#[track_caller]
fn assert_all_accounted_for(inputs: &[Input<'_>], what: &str) -> CoreOwners {
    let mut both = (Stats::default(), CoreOwners::default());
    convert(inputs, &Options::default(), &mut both).unwrap();
    let (stats, books) = both;
    let kept = |task| books.tasks.get(task).cloned().unwrap_or_default();
    let mut busy = 0;
    for core in stats.cores() {
        let known = core.task_ns + core.idle_ns + core.isr_ns;
        assert_eq!(known + core.unknown_ns, stats.length_ns(), "{what}");
        let own = |idle: bool| -> i64 {
            let tasks = books.known.iter().filter(|it| it.2 == idle);
            tasks.filter_map(|it| kept(&it.0).run_ns.get(&core.core).copied()).sum()
        };
        assert_eq!((core.task_ns, core.idle_ns), (own(false), own(true)), "{what}");
        let kept = &books.cores[&core.core];
        assert_eq!((core.isr_ns, core.unknown_ns), (kept.isr_ns, kept.unknown_ns), "{what}");
        busy += core.task_ns + core.idle_ns;
    }
    assert!(!books.cores.is_empty(), "{what}");
    assert_eq!(stats.cores().count(), books.cores.len(), "{what}");
    assert_eq!(stats.tasks().map(|task| task.run_ns).sum::<i64>(), busy, "{what}");
    // Of all tasks of a name: a task of several runs of the target has one row.
    let mut expected: BTreeMap<String, [i64; 3]> = BTreeMap::new();
    for (handle, name, _) in &books.known {
        let kept = kept(handle);
        let sums = expected.entry(name.clone()).or_default();
        sums[0] += kept.run_ns.values().sum::<i64>();
        sums[1] += kept.interrupted_ns;
        sums[2] += i64::try_from(kept.switches).unwrap();
    }
    let mut reported: BTreeMap<String, [i64; 3]> = BTreeMap::new();
    for task in stats.tasks() {
        let sums = reported.entry(task.name.clone()).or_default();
        sums[0] += task.run_ns;
        sums[1] += task.interrupted_ns;
        sums[2] += i64::try_from(task.switches).unwrap();
    }
    assert_eq!(reported, expected, "{what}");
    books
}

fn vector(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn of_real_targets() {
    let sets: [&[(&str, u32)]; 5] = [
        &[("freertos_sim.bin", 0)],
        &[("freertos_late_start.bin", 0)],
        &[("truncated.bin", 0)],
        &[("base_only.bin", 0)],
        &[("mc_split.core0.meta.bin", 0), ("mc_split.core0.bin", 0), ("mc_split.core1.bin", 1)],
    ];
    for set in sets {
        let files: Vec<_> = set.iter().map(|(name, core)| (vector(name), *core)).collect();
        let inputs = files.iter().map(|(file, core)| Input::from_bytes("r", file).on_core(*core));
        let books = assert_all_accounted_for(&inputs.collect::<Vec<_>>(), &format!("{set:?}"));
        assert!(books.cores.values().all(|core| core.isr_ns > 0), "{set:?}");
    }
}

#[test]
fn of_a_real_target_after_damage() {
    let clean = vector("freertos_sim.bin");
    let zeros: Vec<usize> = (0..clean.len()).filter(|at| clean[*at] == 0).collect();
    for frame in (200..zeros.len() - 1).step_by(150) {
        let mut bytes = clean.clone();
        // A code byte that announces more than there is.
        bytes[zeros[frame] + 1] = 0xF0;
        assert_all_accounted_for(&[Input::from_bytes("d", &bytes)], &format!("frame {frame}"));
    }
}

/// Without losses the owner of a core is known from its first switch on.
#[test]
fn of_simulated_targets() {
    for (cores, loss_every) in [(1, 0), (4, 0), (1, 100), (3, 77)] {
        let mut bytes = Vec::new();
        let options =
            generate::Options { size: 300_000, cores, seed: 5, loss_every, ..Default::default() };
        stream(&options, &mut bytes).unwrap();
        let inputs = [Input::from_bytes("r", &bytes)];
        let summary = convert(&inputs, &Options::default(), &mut ()).unwrap();
        assert_eq!(summary.diagnostics.count(Problem::EventsLost) > 0, loss_every > 0);
        let books = assert_all_accounted_for(&inputs, &format!("{cores} cores"));
        assert_eq!(books.cores.len(), cores as usize);
        for (number, core) in &books.cores {
            let unknown = core.unknown_ns - core.unknown_at_first_ns.unwrap();
            assert_eq!(unknown > 0, loss_every > 0, "core {number}");
            let tasks = books.tasks.values();
            let ran: i64 = tasks.filter_map(|task| task.run_ns.get(number)).sum();
            assert!(ran > unknown, "core {number}");
        }
    }
}
