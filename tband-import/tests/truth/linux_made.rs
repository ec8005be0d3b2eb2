//! Text of Linux in the layouts of several tools and kernels: the same events.

use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_format::Event;
use tband_import::recognise::recognise;
use tband_import::recognised_format::Recognition;

type Task = (&'static str, u32, u32);

const IDLE: Task = ("swapper/1", 0, 120);
const WORKER: Task = ("w [3]: ==> x", 7, 100);
const READER: Task = ("reader", 19, 139);

/// The state of a task that leaves, and the one that comes.
type Next = Option<(char, Task)>;

/// Switches, with the state of the task that leaves, and a task that becomes ready.
const EVENTS: [(u32, Task, Next); 5] = [
    (100, READER, None),
    (110, IDLE, Some(('R', READER))),
    (120, WORKER, None),
    (125, READER, Some(('R', WORKER))),
    (160, WORKER, Some(('S', READER))),
];

/// How a tool writes the columns in front of an event.
const FRONTS: [&str; 11] = [
    "{comm}-{pid}  [001] d..2.  {time}: ",
    "{comm}-{pid}  (   19) [001]  {time}: ",
    // The layout for latencies.
    "{comm}-{pid}  1d..2. {time}: ",
    "{comm}-{pid}  1d..3  {time}: ",
    "{comm}-{pid}  1d..2. {time}: (+15) ",
    "{comm} {pid} [001] {time}: sched:",
    "{comm} {pid}/{pid} [001] {time}:          1 sched:",
    "{comm} {pid} [001] {time}:     sched:",
    "[001] {time}: sched:",
    // Times since the first event, with a mark for long pauses.
    "{comm}-{pid}  1d..2. {us}us : ",
    "{comm}-{pid}  1d..2. {us}us+: ",
];

/// How a kernel writes its events.
const KERNELS: [(&str, &str); 4] = [
    (
        "prev_comm={comm} prev_pid={pid} prev_prio={prio} prev_state={state} ==> \
         next_comm={comm} next_pid={pid} next_prio={prio}",
        "comm={comm} pid={pid} prio={prio} target_cpu=001",
    ),
    (
        "{comm}:{pid} [{prio}] {state} ==> {comm}:{pid} [{prio}]",
        "{comm}:{pid} [{prio}] success=1 CPU:001",
    ),
    (
        "task {comm}:{pid} [{prio}] ({state}) ==> {comm}:{pid} [{prio}]",
        "task {comm}:{pid} [{prio}] success=1 [001]",
    ),
    // trace-cmd report -R.
    (
        "prev_comm={comm} prev_pid={pid} prev_prio={prio} prev_state={bits} ==> \
         next_comm={comm} next_pid={pid} next_prio={prio}",
        "comm={comm} pid={pid} prio={prio} success=1 target_cpu=1",
    ),
];

fn filled(text: &str, (comm, pid, prio): Task) -> String {
    text.replace("{comm}", comm)
        .replace("{pid}", &pid.to_string())
        .replace("{prio}", &prio.to_string())
}

fn text(front: &str, (switch, wakeup): (&str, &str)) -> String {
    let mut text = "# tracer: nop\n".to_owned();
    for (time, task, next) in EVENTS {
        let us = (12_000_000 + time).to_string();
        let time = format!("12.{time:06}");
        text += &filled(&front.replace("{time}", &time).replace("{us}", &us), task);
        let Some((state, next)) = next else {
            text += &format!("sched_wakeup: {}\n", filled(wakeup, task));
            continue;
        };
        let (from, to) = switch.split_once(" ==> ").unwrap();
        let arrow = if from.contains("{bits}") { " " } else { " ==> " };
        let bits = if state == 'R' { "256" } else { "0x2" };
        let from = filled(from, task).replace("{state}", &state.to_string());
        text +=
            &format!("sched_switch: {}{arrow}{}\n", from.replace("{bits}", bits), filled(to, next));
    }
    text
}

fn events(front: &str, kernel: (&str, &str)) -> Vec<String> {
    let text = text(front, kernel);
    let mut events = EventReader::new(text.as_bytes(), 0, Mode::FreeRtos);
    let mut all = Vec::new();
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        all.push(format!("{core} {:?}", event.unwrap_or_else(|it| panic!("{it}: {text}"))));
    }
    all
}

#[test]
fn each_layout_has_the_same_events() {
    let expected = events(FRONTS[0], KERNELS[0]);
    for wanted in ["w [3]: ==> x", "SwitchedIn", "ToRdy", "Suspended"] {
        assert!(expected.iter().any(|it| it.contains(wanted)), "{wanted}: {expected:#?}");
    }
    for front in FRONTS {
        for kernel in KERNELS {
            let mut found = events(front, kernel);
            // Of the task that leaves, older kernels write the priority as they do of the others.
            found.retain(|it| !it.contains("TaskPrioritySet { task_id: 2147483649"));
            assert_eq!(found, expected, "{front} {}", kernel.0);
        }
    }
}

/// The idle task, the wake-ups and the switches show where the others are.
#[test]
fn processors_that_perf_leaves_out_are_inferred() {
    let expected = events(FRONTS[5], KERNELS[0]);
    for front in ["{comm} {pid} {time}: sched:", "{comm} {pid}/{pid} {time}:          1 sched:"] {
        assert_eq!(events(front, KERNELS[0]), expected, "{front}");
    }
}

/// Lines that cannot be read are located, with what to do.
#[test]
fn texts_that_lack_something_say_what_to_write() {
    let switch = "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120";
    for (line, why) in [
        (format!("a 1 12.000001: sched:sched_switch: {switch}"), "perf record -a"),
        (format!("a-1 [001] d..2. 123456789: sched_switch: {switch}"), "clock local or mono"),
        (format!("sched_switch: {switch}"), "comm,pid,cpu,time,event,trace"),
    ] {
        let text = format!("# tracer: nop\n{line}\n");
        let mut events = EventReader::new(text.as_bytes(), 0, Mode::FreeRtos);
        let mut found = Vec::new();
        while let Some(Item { offset, event, .. }) = events.next_item().unwrap() {
            found.extend(event.err().map(|it| (offset, it.to_string())));
        }
        assert!(matches!(&found[..], [(14, it)] if it.contains(why)), "{line}: {found:?}");
    }
    let table = "           time    cpu  task name  wait time  sch delay   run time\n 1.0 [0000]  a[1]  0.0  0.1  0.2\n";
    for (text, why) in [(table, "perf sched script"), (switch, "comm,pid,cpu,time,event,trace")] {
        let Recognition::Is(found) = recognise(text.as_bytes(), true) else { panic!("{text}") };
        assert!(found.advice.contains(why), "{found:?}");
    }
}

/// Each tool has its line about lost events. Names of interrupts may have blanks.
#[test]
fn losses_and_names_of_interrupts_are_those_of_the_text() {
    let text = "\
# tracer: nop
    <idle>-0 [001] d.h..  12.000001: irq_handler_entry: irq=27 name=arch timer, eth0
    <idle>-0 [001] d.h..  12.000002: irq_handler_exit: irq=27 ret=handled
    <idle>-0 [001] ..s..  12.000003: softirq_entry: vec=1 [action=TIMER]
    <idle>-0 [001] ..s..  12.000004: softirq_exit: vec=1 [action=TIMER]
CPU:1 [LOST 5 EVENTS]
CPU:1 [7 EVENTS DROPPED]
    a b 9777/9888 [001] 12.000005: PERF_RECORD_LOST lost 9
CPU:1 [LOST EVENTS]
CPU:1 [EVENTS DROPPED]
";
    let mut events = EventReader::new(text.as_bytes(), 0, Mode::FreeRtos);
    let (mut names, mut lost, mut unknown) = (Vec::new(), Vec::new(), 0);
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        match event.map(|it| it.event) {
            Ok(Event::IsrName { name, .. }) => names.push(name.to_string()),
            Ok(Event::DroppedEvtCnt { cnt }) => lost.push((core, cnt)),
            Ok(_) => {}
            Err(_) => unknown += 1,
        }
    }
    assert_eq!(names, ["arch timer, eth0", "softirq TIMER"]);
    assert_eq!((lost, unknown), (vec![(1, 5), (1, 12), (1, 21)], 2));
}
