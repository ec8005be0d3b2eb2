//! The open interrupts of the class ISR: the recording is compared with a model, event for event, when interrupts come between
//! any two instructions of the hooks (by single steps of the compiled code), when their handlers leave out exits or entries,
//! when more are open than there is room for, when the recording stops and starts, and on several cores.

use std::path::PathBuf;
use std::process::Command;

use tband_format::Event;
use tband_tests::c::{STRICT, Standard, compiler, config_text, include, includes};
use tband_tests::events::for_each;
use tband_tests::kernel::{FREERTOS_CONFIG, includes as kernel_includes};
use tband_tests::{archive, read, root, run, temp_dir, write};
use tempfile::TempDir;

/// Interrupts that can be open on a core, as in `port/recorder/tband_open_isrs.h`.
const ROOM: usize = 16;

/// A recorded event: its kind, core, interrupt.
type RecordedEvent = (&'static str, u32, u32);

struct Program {
    folder: TempDir,
}

struct Run {
    recorded: Vec<RecordedEvent>,
    reported: String,
}

impl Program {
    fn new(cores: usize) -> Self {
        let folder = temp_dir();
        let config = config_text(&[
            ("tband_configUSE_BACKEND_STREAMING", "1"),
            ("tband_configFREERTOS_TRACE_ENABLE", "1"),
            ("tband_configTRACE_DROP_CNT_EVERY", "0"),
            ("tband_portISR_NUMBER()", "test_isr"),
        ]);
        let number = "#ifndef __ASSEMBLER__\nextern volatile unsigned int test_isr;\n#endif\n";
        write(folder.path().join("tband_config.h"), config + number);
        write(folder.path().join("FreeRTOSConfig.h"), FREERTOS_CONFIG);
        let here = root().join("tests/open_isrs");
        let mut command = compiler(Standard::C11);
        command.args(STRICT).args(["-O2", &format!("-DTEST_CORES={cores}"), "-ffunction-sections"]);
        include(&mut command, [folder.path(), &here]);
        include(&mut command, includes());
        for kernel in kernel_includes() {
            command.arg("-isystem").arg(kernel);
        }
        command.args([here.join("program.c"), root().join("port/tband_shim.c")]);
        command.arg(archive()).args(["-Wl,--gc-sections", "-lpthread", "-ldl", "-lm"]);
        run(command.arg("-o").arg(folder.path().join("program")));
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, entries: usize) -> Run {
        let reported = self.path("told");
        let stream =
            run(Command::new(self.path("program")).arg(&reported).arg(entries.to_string()));
        let mut recorded = vec![];
        let mut core = 0;
        for_each(&stream, |_, event| match *event {
            Event::CoreId { core_id } => core = core_id,
            Event::IsrEnter { isr_id } => recorded.push(("enter", core, isr_id)),
            Event::IsrExit { isr_id } => recorded.push(("exit", core, isr_id)),
            Event::IsrExitToScheduler { isr_id } => recorded.push(("to scheduler", core, isr_id)),
            Event::IsrExitMissed { isr_id } => recorded.push(("missed", core, isr_id)),
            // The recording's information about itself.
            Event::TsResolutionNs { .. }
            | Event::TsFrequency { .. }
            | Event::TraceInfo { .. }
            | Event::DroppedEvtCnt { .. } => {}
            ref other => panic!("{other:?}"),
        });
        Run { recorded, reported: read(&reported) }
    }
}

impl Run {
    /// Fields of the lines that begin so.
    fn counts<'a>(&'a self, begin: &'a str) -> impl Iterator<Item = Vec<usize>> + 'a {
        self.reported.lines().filter_map(move |line| {
            let numbers = line.strip_prefix(begin)?.split_whitespace();
            Some(numbers.map(|number| number.parse().expect("a number")).collect())
        })
    }

    /// Returns the events that must have been recorded for the reports, and the number of missed exits on each core.
    fn expected(&self) -> (Vec<RecordedEvent>, Vec<usize>) {
        let mut open = vec![Vec::new(); 4];
        let mut missed = vec![0; 4];
        let mut expected = vec![];
        let mut is_on = true;
        for line in self.reported.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [what, core, number] = words[..] else {
                match line {
                    "- off" => is_on = false,
                    "- on" => is_on = true,
                    _ => assert!(line.starts_with('#'), "{line}"),
                }
                continue;
            };
            let (Ok(core), Ok(number)) = (core.parse::<u32>(), number.parse::<u32>()) else {
                continue;
            };
            let (open, missed) = (&mut open[core as usize], &mut missed[core as usize]);
            let mut record = |what, number| {
                if is_on {
                    expected.push((what, core, number));
                }
            };
            let position = open.iter().position(|it| *it == number);
            match (what, position) {
                ("e", _) => {
                    // An interrupt does not interrupt itself; and the outermost has had most time to end.
                    let gone = position.or((open.len() == ROOM).then_some(0));
                    if let Some(gone) = gone {
                        *missed += 1;
                        record("missed", open.remove(gone));
                    }
                    open.push(number);
                    record("enter", number);
                }
                ("x" | "s", Some(position)) => {
                    for inner in open.drain(position + 1..).rev() {
                        *missed += 1;
                        record("missed", inner);
                    }
                    open.pop();
                    record(if what == "x" { "exit" } else { "to scheduler" }, number);
                }
                // That it was not entered shows where it leads to a switch.
                ("s", None) => record("to scheduler", number),
                ("x", None) => {}
                _ => panic!("{line}"),
            }
        }
        (expected, missed)
    }

    fn check(&self) {
        let (expected, missed) = self.expected();
        for (index, (expected, recorded)) in expected.iter().zip(&self.recorded).enumerate() {
            assert_eq!(expected, recorded, "event {index}");
        }
        assert_eq!(expected.len(), self.recorded.len());
        for line in self.counts("# missed ") {
            assert_eq!(line[1], missed[line[0]], "the count of core {}", line[0]);
        }
    }
}

#[test]
fn the_17th_open_interrupt_exits_that_match_nothing_stops_and_leaks() {
    let run = Program::new(1).run(0);
    run.check();
    // The 17th takes the slot of the first, whose exit then matches nothing.
    assert!(run.recorded.contains(&("missed", 0, 1)));
    assert!(run.recorded.contains(&("exit", 0, 17)));
    // After all that was left open, all is recorded again.
    assert_eq!(run.recorded.last(), Some(&("exit", 0, 2000)));
}

#[test]
fn each_core_has_its_own() {
    let run = Program::new(3).run(0);
    run.check();
    // The same interrupt is open on all of them.
    for core in 0..3 {
        let of_core = |what| run.recorded.iter().filter(|it| **it == (what, core, 2000)).count();
        assert_eq!((of_core("enter"), of_core("exit"), of_core("missed")), (3, 3, 0));
        let inner =
            |what| run.recorded.iter().filter(|it| **it == (what, core, 2001 + core)).count();
        assert_eq!((inner("enter"), inner("exit"), inner("missed")), (3, 2, 1));
    }
}

/// A million entries, up to three deep. Handlers that leave out an exit cost a slot until it is found, and
/// then it is counted: once.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn an_interrupt_at_every_instruction_leaves_the_record_whole() {
    let run = Program::new(1).run(1_000_000);
    run.check();
    let truth: Vec<_> = run.counts("# truly ").flatten().collect();
    let [runs, entries, missed, without_enter] = truth[..] else { panic!("{truth:?}") };
    let recorded = |kinds: &[&str]| run.recorded.iter().filter(|it| kinds.contains(&it.0)).count();
    assert!(entries >= 1_000_000 && missed > 100_000 && without_enter > 100_000, "{truth:?}");
    assert_eq!(recorded(&["enter"]), entries);
    assert_eq!(recorded(&["missed"]), missed);
    let unentered = recorded(&["exit", "to scheduler"]) - (entries - missed);
    assert!(unentered > 50_000 && unentered < without_enter, "{unentered} of {without_enter}");
    // An outermost handler is hit in so many places, each time by one that is hit in as many.
    let places = (entries as f64 / runs as f64).sqrt();
    println!("{entries} entries, {missed} exits missed, {places:.0} places in a handler");
    assert!(places > 20.0, "{places}");
}
