//! `examples/embassy` in QEMU: async tasks, recorded by the executor's trace functions, against the program's own log of polls and
//! wakes, which has the times of another clock.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tband_conv::activations::{
    Activation, ActivationSink, Activations, LockHold, PartKind, PathSegment,
};
use tband_conv::model::{Flows, Waker, World};
use tband_conv::sinks::{Stats, TaskStats};
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_tests::events::{for_each, print_size};
use tband_tests::{cargo, read, root, run, temp_dir};
use xtask::board::{Board, run_firmware};
use xtask::demo::to_perfetto;

const BOARD: Board = Board::BareMetal;
/// Of both clocks.
const NS_PER_COUNT: i64 = 40;
/// From a step of the executor to the program's note of it, or back, in counts, with nothing in between: 32 us.
const NEXT_TO: i64 = 800;
/// The end of a task takes longer: its name is removed from the kept names.
const NEXT_TO_END: i64 = 10 * NEXT_TO;
const SAMPLES: usize = 40;

fn build(features: &[&str]) -> PathBuf {
    let target_dir = root().join("target/test-embassy");
    run(cargo()
        .arg("build")
        .args(features)
        .args(["--quiet", "--locked", "--target", BOARD.triple(), "--manifest-path"])
        .arg(root().join("examples/embassy/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target_dir));
    target_dir.join(BOARD.triple()).join("debug/embassy")
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Poll {
    task: String,
    begin: i64,
    /// None if it is open at the end.
    end: Option<i64>,
    /// The task waits after it: it was not woken in it.
    waits: bool,
    /// The task ends in it.
    is_last: bool,
    /// Polls that began in it.
    inner: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct WakeEvent {
    task: String,
    by: String,
    at: i64,
}

/// Polls in the order of their begin, and wakes.
#[derive(Debug, Default)]
struct History {
    polls: Vec<Poll>,
    /// Those that have not ended, the innermost last.
    open: Vec<usize>,
    wakes: Vec<WakeEvent>,
    /// Interrupts.
    handlers: Vec<(i64, i64)>,
    created: Vec<String>,
    deleted: Vec<String>,
}

impl History {
    fn begin(&mut self, task: &str, begin: i64) {
        self.open.iter().for_each(|&outer| self.polls[outer].inner += 1);
        self.open.push(self.polls.len());
        self.polls.push(Poll { task: task.to_owned(), begin, ..Poll::default() });
    }

    fn end(&mut self, at: i64) {
        let ended = self.open.pop().expect("a poll");
        self.polls[ended].end = Some(at);
    }

    fn innermost(&mut self) -> &mut Poll {
        &mut self.polls[*self.open.last().expect("a poll")]
    }

    fn delete(&mut self) {
        self.innermost().is_last = true;
        let task = self.innermost().task.clone();
        self.deleted.push(task);
    }

    fn running(&self) -> Option<&str> {
        self.open.last().map(|&poll| self.polls[poll].task.as_str())
    }

    fn of(&self, task: &str) -> Vec<&Poll> {
        self.polls.iter().filter(|poll| poll.task == task).collect()
    }

    /// Returns the time in a span that interrupts and polls which began in it took, and their number.
    fn time_taken(&self, begin: i64, end: i64) -> (i64, i64) {
        let inside = |&(from, _): &(i64, i64)| begin < from && from < end;
        let spans = self.spans().chain(self.handlers.iter().copied()).filter(inside);
        spans.fold((0, 0), |(sum, count), (from, to)| (sum + to.min(end) - from, count + 1))
    }

    fn spans(&self) -> impl Iterator<Item = (i64, i64)> {
        self.polls.iter().filter_map(|poll| Some((poll.begin, poll.end?)))
    }

    /// Asserts that a span, without what interrupted it, is at most this long. The core needs time to enter and to leave.
    fn assert_next_to(&self, begin: i64, end: i64, most: i64) {
        let (taken, count) = self.time_taken(begin, end);
        let own = end - begin - taken;
        assert!(begin <= end && own <= most + count * NEXT_TO, "{begin} to {end}: {own}, {count}");
    }
}

/// What the program's log has, in the recording's time.
fn logged(log: &str) -> History {
    let mut history = History::default();
    let mut lines = log.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let number = |text: &str| text.parse::<i64>().expect("a time");
    let clocks = lines.next().expect("a line");
    let ahead = number(clocks[1]) - number(clocks[0]);
    // The executor is not told of a task that it has queued already.
    let mut queued: BTreeMap<String, bool> = BTreeMap::new();
    for line in lines {
        let [at, what, task, by] = line[..] else { panic!("{line:?}") };
        let at = number(at) + ahead;
        match what {
            "begin" => {
                queued.insert(task.to_owned(), false);
                history.begin(task, at);
            }
            "pend" | "end" => {
                assert_eq!(history.running(), Some(task), "polls nest");
                if what == "end" {
                    history.delete();
                } else {
                    history.innermost().waits = !queued[task];
                }
                history.end(at);
            }
            "wake" if queued.insert(task.to_owned(), true) == Some(true) => {}
            "wake" => {
                history.wakes.push(WakeEvent { task: task.to_owned(), by: by.to_owned(), at })
            }
            _ => panic!("{what}"),
        }
    }
    history
}

/// The polls and wakes of the recording.
fn recorded(recording: &[u8]) -> History {
    let mut history = History::default();
    let (mut names, mut numbers) = (BTreeMap::new(), Vec::new());
    let (mut idle, mut handler) = (0, None);
    for_each(recording, |at, event| {
        let at = at.map_or(0, |at| at as i64);
        match *event {
            Event::TaskName { task_id, name } => {
                // The one task that the program does not name.
                let name = name.to_string().replace("task 5", "control");
                names.insert(task_id, name);
            }
            Event::TaskIsIdleTask { task_id, .. } => idle = task_id,
            Event::TaskCreated { task_id } => numbers.push(task_id),
            Event::TaskDeleted { task_id } => {
                assert_eq!(history.running(), Some(names[&task_id].as_str()));
                history.delete();
            }
            Event::CurtaskBlockOnNotifyTake { .. } => history.innermost().waits = true,
            Event::IsrEnter { .. } => handler = Some(at),
            Event::IsrExit { .. } => {
                history.handlers.push((handler.take().expect("an interrupt"), at));
            }
            Event::TaskSwitchedIn { task_id } => {
                let name = &names[&task_id];
                let place = history.open.iter().position(|&it| history.polls[it].task == *name);
                // Back to a poll that was interrupted, to none, or a new one.
                let stays = if task_id == idle { Some(0) } else { place.map(|place| place + 1) };
                match stays {
                    Some(stays) => (stays..history.open.len()).for_each(|_| history.end(at)),
                    None => history.begin(name, at),
                }
            }
            Event::TaskToRdyState { task_id } => {
                let by = if handler.is_some() { Some("SysTick") } else { history.running() };
                let by = by.unwrap_or("-").to_owned();
                history.wakes.push(WakeEvent { task: names[&task_id].clone(), by, at });
            }
            _ => {}
        }
    });
    history.created = numbers.iter().map(|number| names[number].clone()).collect();
    history
}

/// Each poll of the log is within the recorded one, and next to its ends; both have the same of each task, in the same order.
fn compare(recorded: &History, log: &History) {
    let mut noted: BTreeMap<&str, std::vec::IntoIter<&Poll>> = BTreeMap::new();
    for poll in &log.polls {
        noted.entry(&poll.task).or_insert_with(|| log.of(&poll.task).into_iter());
    }
    let note = |event: &Poll| noted.get_mut(event.task.as_str()).and_then(Iterator::next);
    let notes: Option<Vec<&Poll>> = recorded.polls.iter().map(note).collect();
    let notes = notes.expect("a note for each poll");
    assert_eq!(notes.len(), log.polls.len());
    for (event, note) in recorded.polls.iter().zip(&notes) {
        assert_eq!(event.is_last, note.is_last && event.end.is_some());
        recorded.assert_next_to(event.begin, note.begin, NEXT_TO);
        if let (Some(end), Some(noted)) = (event.end, note.end) {
            let most = if event.is_last { NEXT_TO_END } else { NEXT_TO };
            recorded.assert_next_to(noted, end, most);
            let is_late = |it: &WakeEvent| it.task == event.task && noted < it.at && it.at < end;
            let waits = note.waits && !recorded.wakes.iter().any(is_late);
            assert_eq!(event.waits, waits, "{event:?} {note:?}");
        }
    }
    for (events, notes) in recorded.polls.windows(2).zip(notes.windows(2)) {
        // Unless the second one interrupted the first before its note.
        let is_before_note = events[1].end.is_some_and(|end| end < notes[0].begin);
        assert!(notes[0].begin < notes[1].begin || is_before_note, "{events:?} {notes:?}");
    }

    let who = |history: &History| {
        history.wakes.iter().map(|it| (it.task.clone(), it.by.clone())).collect::<Vec<_>>()
    };
    assert_eq!(who(recorded), who(log));
    for (event, note) in recorded.wakes.iter().zip(&log.wakes) {
        let later = event.at - note.at;
        assert!((0..=NEXT_TO).contains(&later), "{event:?} {note:?}");
    }
}

/// The statistics have the polls as runs, with their times.
fn compare_stats(stats: &Stats, recorded: &History, log: &History) {
    for task in ["sensor", "filter", "listener", "alarm", "worker"] {
        let polls = log.of(task);
        let of_it: Vec<&TaskStats> = stats.tasks().filter(|it| it.name == task).collect();
        // It gets the core for a poll, and again after each one that interrupted it.
        let switches: u64 = of_it.iter().map(|it| it.switches).sum();
        let returns = recorded.of(task).iter().map(|it| it.inner).sum::<usize>();
        let expected = polls.len() + returns;
        assert_eq!(switches, expected as u64, "{task}");
        let on_core: i64 = of_it.iter().map(|it| it.run_ns + it.interrupted_ns).sum();
        let noted = polls.iter().map(|it| {
            let end = it.end.expect("an end");
            let inner = recorded.spans().filter(|(from, to)| it.begin < *from && *to < end);
            end - it.begin - inner.map(|(from, to)| to - from).sum::<i64>()
        });
        let noted = noted.sum::<i64>() * NS_PER_COUNT;
        let around = polls.len() as i64 * 2 * NEXT_TO + of_it.len() as i64 * NEXT_TO_END;
        let most = noted + around * NS_PER_COUNT;
        assert!((noted..=most).contains(&on_core), "{task}: {on_core} ns, noted {noted} ns");
    }
    let alarm = stats.tasks().find(|it| it.name == "alarm").expect("the task");
    assert_eq!(alarm.run_burst.count(), log.of("alarm").len() as u64);
    // Its work in each poll but the first.
    assert!((100_000..200_000).contains(&alarm.run_burst.max()), "{:?}", alarm.run_burst);
    assert_eq!(alarm.preemptions, 0);
}

/// Whole activations: task, waker, time that more urgent tasks took.
#[derive(Default)]
struct ActivationCollector(Vec<(String, String, i64)>);

impl ActivationSink for &mut ActivationCollector {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        let by = match it.woken_by {
            Waker::Task(task) => world.task_name(task).to_string(),
            Waker::Isr(isr) => world.isr_name(isr, it.core).to_string(),
            Waker::Other => "-".to_owned(),
        };
        if it.is_whole() {
            self.0.push((it.subject.name(world).to_string(), by, it.sum(PartKind::Preempted)));
        }
        Ok(())
    }
    fn part(&mut self, _: &World, _: &PathSegment<'_>) -> io::Result<()> {
        Ok(())
    }
    fn hold(&mut self, _: &World, _: &LockHold) -> io::Result<()> {
        Ok(())
    }
}

/// Each sample is an activation of the filter, which the sensor releases and the alarm preempts.
fn assert_activations(recording: &[u8]) {
    let mut found = ActivationCollector::default();
    let mut options = Options::default();
    options.flows = Flows::All;
    let inputs = [Input::from_bytes("r", recording)];
    convert(&inputs, &options, &mut Activations::new(&mut found)).expect("a recording");
    let of = |task: &str, by: &str| {
        found.0.iter().filter(|it| it.0 == task && it.1 == by).map(|it| it.2).collect::<Vec<_>>()
    };
    let samples = of("filter", "sensor");
    assert_eq!(samples.len(), SAMPLES, "{:?}", found.0);
    assert!(samples.iter().filter(|ns| **ns > 100_000).count() > SAMPLES / 2, "{samples:?}");
    assert!(of("alarm", "SysTick").len() > 100);
    assert!(of("listener", "alarm").len() > 20);
}

fn recording(folder: &Path, elf: &Path) -> Vec<u8> {
    run_firmware(BOARD.emulator(), elf, folder, None).expect("the example runs");
    std::fs::read(folder.join("trace.bin")).expect("a recording")
}

#[test]
fn async_tasks_are_recorded_as_in_the_program_s_log() {
    let (elf, folder) = (build(&[]), temp_dir());
    let bytes = recording(folder.path(), &elf);
    print_size("embassy", &bytes);
    let (recorded, log) = (recorded(&bytes), logged(&read(folder.path().join("log.txt"))));

    // The test's own idea of the program, so that both cannot agree on nothing.
    let polls = |task: &str| log.of(task).len();
    assert_eq!([polls("sensor"), polls("control"), polls("worker")], [1 + SAMPLES, 2, 20]);
    assert_eq!(polls("filter"), 1 + 2 * SAMPLES);
    assert!(log.of("filter").iter().filter(|poll| poll.inner > 0).count() > SAMPLES / 2);
    let by =
        |task: &str, by: &str| log.wakes.iter().filter(|it| it.task == task && it.by == by).count();
    assert_eq!([by("filter", "sensor"), by("filter", "filter")], [SAMPLES, SAMPLES]);
    assert!(by("listener", "alarm") > 20 && by("listener", "SysTick") > 5);
    // The alarm wakes the listener while the filter runs, and the clock while the listener itself runs.
    let is_in = |wake: &WakeEvent, task: &str| {
        let mut polls = log.polls.iter().filter(|it| it.task == task);
        polls.any(|it| it.begin < wake.at && it.end.is_some_and(|end| wake.at < end))
    };
    let listener = || log.wakes.iter().filter(|it| it.task == "listener");
    assert!(listener().any(|it| it.by == "alarm" && is_in(it, "filter")));
    assert!(listener().any(|it| it.by == "SysTick" && is_in(it, "listener")));

    compare(&recorded, &log);
    let workers = vec!["worker"; 10];
    let first = ["alarm", "idle", "sensor", "filter", "listener", "control"];
    assert_eq!(recorded.created, [&first[..], &workers].concat());
    let ended = log.deleted.iter().filter(|it| *it != "control").collect::<Vec<_>>();
    assert_eq!(recorded.deleted.iter().collect::<Vec<_>>(), ended);

    let trace = folder.path().join("trace.pftrace");
    // Fails if there is a finding.
    let stats = to_perfetto(&folder.path().join("trace.bin"), &trace).expect("a whole recording");
    compare_stats(&stats, &recorded, &log);
    assert_activations(&bytes);
    assert!(recording(folder.path(), &elf) == bytes, "two runs give different bytes");

    wakes_of_a_handler_that_does_not_report_itself();
}

/// The number of the exception tells the waker. The handler is recorded for the moment of each wake, and at no other time.
fn wakes_of_a_handler_that_does_not_report_itself() {
    let (elf, folder) = (build(&["--features", "unreported"]), temp_dir());
    let bytes = recording(folder.path(), &elf);
    let (recorded, log) = (recorded(&bytes), logged(&read(folder.path().join("log.txt"))));
    let who = |history: &History| {
        history.wakes.iter().map(|it| (it.task.clone(), it.by.clone())).collect::<Vec<_>>()
    };
    assert_eq!(who(&recorded), who(&log));
    let by_systick = log.wakes.iter().filter(|it| it.by == "SysTick").count();
    assert!(by_systick > 100);
    assert_eq!(recorded.handlers.len(), by_systick);
    for_each(&bytes, |_, event| {
        if let Event::IsrEnter { isr_id } | Event::IsrExit { isr_id } = *event {
            assert_eq!(isr_id, 15, "the exception of SysTick");
        }
    });
    let trace = folder.path().join("trace.pftrace");
    to_perfetto(&folder.path().join("trace.bin"), &trace).expect("a whole recording");
}
