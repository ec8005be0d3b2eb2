//! The module of Zephyr, with a kernel of our own (`fake_kernel.c`) that calls the hooks as Zephyr does: what the module records is
//! what the kernel logs, step for step, and the timeline has no finding. And the module's files.
//!
//! Nothing here is Zephyr's, or needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use tband_conv::{Input, Options};
use tband_recordings::timeline_of;
use tband_tests::c::{STRICT, Standard, compiler, include};
use tband_tests::events::lines;
use tband_tests::{archive, read, root, run, temp_dir};

/// The settings of Kconfig that have a value without being asked for.
const DEFAULTS: [&str; 9] = [
    "CONFIG_TBAND=1",
    "CONFIG_TBAND_KERNEL=1",
    "CONFIG_TBAND_OBJECTS=1",
    "CONFIG_TBAND_STREAMING=1",
    "CONFIG_TBAND_START=1",
    "CONFIG_TBAND_PACKET_COUNT=64",
    "CONFIG_TBAND_METADATA_SIZE=2048",
    "CONFIG_TBAND_MAX_OBJECTS=16",
    "TBAND_ZEPHYR_ISR_NUMBER=fake_isr_number",
];

fn module() -> PathBuf {
    root().join("zephyr")
}

/// Returns the recording of the program and the kernel's log.
fn recorded(settings: &[&str]) -> (Vec<u8>, String) {
    let (folder, here) = (temp_dir(), root().join("tests/zephyr"));
    let program = folder.path().join("program");
    let mut compile = compiler(Standard::C11);
    compile.args(STRICT).args(["-D_GNU_SOURCE", "-O1", "-fsanitize=address,undefined"]);
    compile.args(["-fno-sanitize-recover=all", "-pthread", "-include", "zephyr/kernel.h"]);
    compile.arg("-include").arg(module().join("tband_zephyr_kernel.h"));
    compile.arg("-include").arg(here.join("isr_number.h"));
    for setting in DEFAULTS.iter().chain(settings) {
        compile.arg(format!("-D{setting}"));
    }
    include(&mut compile, [here.clone(), here.join("fake"), module(), module().join("include")]);
    include(&mut compile, [module().join("config"), root().join("include"), root().join("port")]);
    for name in ["program.c", "fake_kernel.c"] {
        compile.arg(here.join(name));
    }
    for name in ["tband_zephyr.c", "tband_zephyr_objects.c", "tband_zephyr_start.c"] {
        compile.arg(module().join(name));
    }
    compile.arg(root().join("port/tband_shim.c")).arg(archive()).arg("-o").arg(&program);
    run(&mut compile);
    run(Command::new(&program).current_dir(folder.path()));
    let recording = std::fs::read(folder.path().join("trace.bin")).expect("a recording");
    (recording, read(folder.path().join("log.txt")))
}

/// Numbers in the place of addresses, and of the module's numbers: those of tasks and of objects in the order in which they come.
/// A created task is another one.
#[derive(Default)]
struct Numbers {
    known: BTreeMap<String, usize>,
    given: usize,
}

impl Numbers {
    fn of(&mut self, name: &str) -> usize {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        self.given += 1;
        self.known.insert(name.to_owned(), self.given);
        self.given
    }
}

/// The steps of a log, without addresses. Names of objects, and creations of objects, are not in the log.
#[derive(Default)]
struct Steps {
    tasks: Numbers,
    objects: Numbers,
    steps: Vec<String>,
}

impl Steps {
    fn add(&mut self, what: &str, of: &str, rest: &str) {
        let number = match what {
            "put" | "take" | "level" | "block_on" | "block_on_put" => {
                self.objects.of(of).to_string()
            }
            "isr_enter" | "isr_exit" => of.to_owned(),
            "block" => String::new(), // the running task
            "create" => {
                self.tasks.known.remove(of);
                self.tasks.of(of).to_string()
            }
            _ => self.tasks.of(of).to_string(),
        };
        self.steps.push([what, &number, rest].join(" "));
    }
}

/// The steps of the kernel's log.
fn logged(log: &str) -> Vec<String> {
    let mut steps = Steps::default();
    for line in log.lines() {
        let mut words = line.splitn(3, ' ');
        let (what, of) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        steps.add(what, of, words.next().unwrap_or_default());
    }
    steps.steps
}

/// The same of the recording.
fn steps_of(recording: &[u8]) -> Vec<String> {
    let mut steps = Steps::default();
    let mut created = BTreeSet::new();
    let mut fresh_objects = BTreeSet::new();
    for line in lines(recording) {
        let mut words = line.split(' ').skip(1);
        let what = words.next().unwrap_or_default();
        let value = |name: &str| {
            let at =
                line.split_once(&format!(" {name}=")).map(|(_, rest)| rest).unwrap_or_default();
            at.split(' ').next().unwrap_or_default().trim_matches('"').to_owned()
        };
        let (task, queue) = (value("task_id"), value("queue_id"));
        match what {
            "task_created" => {
                created.insert(task.clone());
                steps.add("create", &task, "");
            }
            // That of a new task comes with it.
            "task_priority_set" if created.remove(&task) => {}
            "task_priority_set" => steps.add("priority", &task, &value("priority")),
            // Packets begin with the names so far.
            "task_name" if line.starts_with("- ") && steps.tasks.known.contains_key(&task) => {
                let step = ["name", &steps.tasks.of(&task).to_string(), &value("name")].join(" ");
                if !steps.steps.contains(&step) {
                    steps.steps.push(step);
                }
            }
            "task_to_rdy_state" => steps.add("ready", &task, ""),
            "task_switched_in" => steps.add("run", &task, ""),
            "task_suspended" => steps.add("suspend", &task, ""),
            "task_deleted" => steps.add("end", &task, ""),
            "curtask_block_on_notify_take" => steps.add("block", "", ""),
            "curtask_block_on_queue_receive" => steps.add("block_on", &queue, ""),
            "curtask_block_on_queue_send" => steps.add("block_on_put", &queue, ""),
            "queue_send" => steps.add("put", &queue, &value("len_after")),
            "queue_receive" => steps.add("take", &queue, &value("len_after")),
            "queue_created" => {
                fresh_objects.insert(queue);
            }
            // That of a new object comes with it.
            "queue_cur_length" if fresh_objects.remove(&queue) => {}
            "queue_cur_length" => steps.add("level", &queue, &value("length")),
            "isr_enter" | "isr_exit" => steps.add(what, &value("isr_id"), ""),
            _ => {}
        }
    }
    steps.steps
}

/// As an older and a newer Zephyr declare the hooks.
const HOOKS: [&[&str]; 2] =
    [&["TBAND_ZEPHYR_SWITCHES_HAVE_THREAD", "TBAND_ZEPHYR_ISRS_HAVE_NESTING"], &[]];

#[test]
fn the_recording_has_the_steps_of_the_kernel() {
    for hooks in HOOKS {
        let names = ["CONFIG_THREAD_NAME", "CONFIG_TBAND_MAX_THREADS=20"];
        let (recording, log) = recorded(&[hooks, &names].concat());
        let (found, expected) = (steps_of(&recording), logged(&log));
        assert!(expected.len() > 400, "{}", expected.len());
        let same = found.iter().zip(&expected).take_while(|(left, right)| left == right).count();
        let around = |steps: &[String]| -> Vec<String> {
            steps.iter().skip(same.saturating_sub(4)).take(9).cloned().collect()
        };
        assert_eq!(around(&found), around(&expected), "after {same} steps");
        for what in ["suspend", "end", "block_on_put", "priority", "level", "isr_enter 4294967295"]
        {
            assert!(expected.iter().any(|step| step.starts_with(what)), "no {what}");
        }
        let (_, summary) = timeline_of(&[Input::from_bytes("r", &recording)], &Options::default());
        assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
    }
}

/// If the tables are full, further threads are one, and the recorder continues. Threads that cannot have a name have an address.
#[test]
fn full_tables_and_threads_without_names() {
    let few = ["CONFIG_TBAND_MAX_THREADS=6"];
    let (recording, log) = recorded(&few);
    let all = lines(&recording);
    let has = |text: &str| all.iter().any(|line| line.contains(text));
    assert!(has("task_name task_id=7 name=\"other threads\""), "{all:#?}");
    assert!(has(" name=\"thread 0"), "{all:#?}");
    assert!(!has(" task_id=8"), "{all:#?}");
    // Interrupts and objects are as before.
    let of = |steps: Vec<String>| -> Vec<String> {
        steps.into_iter().filter(|it| it.starts_with("isr") || it.starts_with("put")).collect()
    };
    assert!(of(logged(&log)).len() > 100);
    assert_eq!(of(steps_of(&recording)), of(logged(&log)));
}

/// Every setting that the sources use is in the menu, and the other way round.
#[test]
fn the_menu_has_the_settings_that_are_used() {
    let menu = read(module().join("Kconfig"));
    let sources = [
        "CMakeLists.txt",
        "tband_zephyr.c",
        "tband_zephyr_objects.c",
        "tband_zephyr_start.c",
        "config/tband_config.h",
        "include/tband_zephyr.h",
    ];
    let mut used = BTreeSet::new();
    for file in sources {
        let text = read(module().join(file));
        let is_name = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
        used.extend(
            text.split(|it| !is_name(it))
                .filter_map(|it| it.strip_prefix("CONFIG_TBAND"))
                .map(|it| format!("TBAND{it}")),
        );
    }
    used.insert("TBAND_SNAPSHOT".to_owned()); // in place of the other of its choice
    let known: BTreeSet<_> = menu
        .lines()
        .filter_map(|line| line.trim().split_once("config "))
        .map(|it| it.1.to_owned())
        .collect();
    assert_eq!(used, known);
}

/// The macros that the module replaces have the parameters that the kernel gives them: no object's macro is forgotten in the fake.
#[test]
fn each_replaced_macro_is_called_by_the_kernel_here() {
    let header = read(module().join("tband_zephyr_kernel.h"));
    let kernel = read(root().join("tests/zephyr/fake_kernel.c"));
    let replaced = header.lines().filter_map(|line| line.strip_prefix("#define sys_port_trace_"));
    let names: Vec<_> = replaced.filter_map(|it| Some(it.split_once('(')?.0)).collect();
    assert!(names.len() > 15, "{names:?}");
    // They have functions that others call here.
    let alike =
        ["k_mutex_init", "k_msgq_init", "k_msgq_put_front_blocking", "k_msgq_put_front_exit"];
    for name in names.iter().filter(|it| !alike.contains(it)) {
        assert!(kernel.contains(&format!("sys_port_trace_{name}(")), "{name}");
    }
}
