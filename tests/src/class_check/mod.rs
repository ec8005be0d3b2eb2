//! Checks of a run of the program, on any platform.

mod calls;
mod compare;
mod converted;
mod derived_values;
mod shown;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use tband_format::classes::classes;
use tband_format::registry::{EVENTS, Group};

use compare::{
    ALWAYS, AT_START, CREATE_FAILED, IN_TABLE, METADATA, SMP_ONLY, WIDE_TICKS_ONLY, field, name_of,
};
pub use compare::{CLASSES, Run, compare};
pub use converted::{check_conversion, check_perfetto};
pub use derived_values::derived_values_agree_with_the_kernel;
pub use table::check_buffer;

use crate::events::lines;

/// The tests of one platform: one for each class, and those of the whole run. `$everything` is the run with
/// all classes.
#[macro_export]
macro_rules! class_tests {
    ($everything:expr, $($test:ident $class:literal)+) => {
        $(#[test]
        fn $test() {
            $crate::class_check::compare(&$everything, $class);
        })+

        #[test]
        fn every_hook_was_driven() {
            $crate::class_check::every_hook_was_driven(&$everything, &[$($class),+]);
        }

        #[test]
        fn check_kernel_tasks() {
            $crate::class_check::check_kernel_tasks(&$everything);
        }

        #[test]
        fn the_metadata_buffer_has_what_exists() {
            $crate::class_check::check_buffer(&$everything);
        }

        #[test]
        fn the_recording_converts_cleanly() {
            $crate::class_check::check_conversion(&$everything);
        }

        #[test]
        fn perfetto_shows_waits_and_flows() {
            $crate::class_check::check_perfetto(&$everything);
        }

        #[test]
        fn stacks_are_looked_at_every_fourth_time() {
            $crate::class_check::stacks_are_looked_at_every_fourth_time(&$everything);
        }

        #[test]
        fn derived_values_agree_with_the_kernel() {
            $crate::class_check::derived_values_agree_with_the_kernel(&$everything);
        }
    };
    ($everything:expr) => {
        $crate::class_tests! {
            $everything,
            queues "QUEUE"
            tasks "TASK"
            aborted_waits "TASK_EXTRA"
            queue_failures "QUEUE_EXTRA"
            notifications "NOTIFICATION"
            stream_buffers "STREAM_BUFFER"
            event_groups "EVENT_GROUP"
            timers "TIMER"
            heap "HEAP"
            low_power "LOW_POWER"
            ticks "TICK"
            interrupts "ISR"
            stacks "STACK"
            calls "API"
            scheduler_steps "SCHEDULER_STEP"
        }
    };
}

/// The events of these classes, and those that are recorded always.
fn of_classes(classes: &[(&str, &[&'static str])]) -> BTreeSet<&'static str> {
    let own = classes.iter().flat_map(|(_, events)| events.iter().copied());
    let metadata = METADATA.iter().chain(ALWAYS).map(|(_, event)| *event);
    let at_start = AT_START.iter().map(|line| name_of(line));
    own.chain(metadata)
        .chain(at_start)
        .chain(IN_TABLE.iter().copied())
        .chain([CREATE_FAILED])
        .collect()
}

/// The events of the kernel that hooks record. Task-local markers are the user's.
fn of_the_kernel() -> BTreeSet<&'static str> {
    let is_marker = |name: &str| name.starts_with("task_evt") || name.starts_with("task_val");
    // Packets begin with it: no hook records it.
    let is_state = |name: &str| name == "running_task";
    EVENTS
        .iter()
        .filter(|event| event.group == Group::FreeRtos)
        .filter(|event| !is_marker(event.name) && !is_state(event.name))
        .map(|event| event.name)
        .chain(["isr_enter", "isr_exit"])
        .collect()
}

/// The events of the kernel that are in none of these classes, and are not recorded always.
pub fn in_no_class(classes: &[(&str, &[&'static str])]) -> Vec<&'static str> {
    of_the_kernel().difference(&of_classes(classes)).copied().collect()
}

/// Every event that a class has was expected by a program, so that its comparison is not one of nothing
/// with nothing; and every event of the kernel is of a class, or recorded always.
pub fn every_hook_was_driven(run: &Run, compared: &[&str]) {
    let classes: Vec<_> = CLASSES.iter().map(|(class, _)| *class).collect();
    assert_eq!(classes, compared);
    let mut expected: BTreeSet<&str> =
        run.expected.values().flatten().map(|line| name_of(line)).collect();
    // Of calls the program writes down functions; comparing them needs both.
    assert!(expected.remove("call"));
    expected.extend(["api_enter", "api_return"]);
    expected.extend(AT_START.iter().map(|line| name_of(line)));
    let (buffer, _) = run.buffer_and_snapshot();
    expected
        .extend(IN_TABLE.iter().filter(|name| buffer.iter().any(|line| name_of(line) == **name)));
    assert_eq!(of_classes(CLASSES), of_the_kernel());
    let all = of_the_kernel();
    let mut missing: Vec<_> = all.difference(&expected).collect();
    if !run.has_wide_ticks {
        missing.retain(|name| !WIDE_TICKS_ONLY.contains(name));
    }
    assert_eq!(missing, SMP_ONLY.iter().collect::<Vec<_>>(), "no program drives these");
}

/// The idle task and the timer task are identified: in the metadata buffer, and in the snapshot, which begins with its content.
pub fn check_kernel_tasks(run: &Run) {
    let names: BTreeSet<_> = AT_START.iter().map(|line| name_of(line)).collect();
    let reported: Vec<_> = run.whole.iter().filter(|line| names.contains(name_of(line))).collect();
    assert_eq!(reported, [AT_START, AT_START].concat());
}

/// `tband_configFREERTOS_STACK_SAMPLE_EVERY` of the program.
const SAMPLE_EVERY: u32 = 4;
/// Tasks of which the numbers end alike share a count.
const SLOTS: u32 = 16;

/// The recorder's rule, over the whole recording.
pub fn stacks_are_looked_at_every_fourth_time(run: &Run) {
    let mut passed: BTreeMap<u32, u32> = BTreeMap::new();
    let mut sampled = 0;
    for pair in run.whole.windows(2).filter(|pair| name_of(&pair[1]) == "task_switched_out") {
        let task = field(&pair[1], "task_id").expect("an id");
        let count = passed.entry(task.parse::<u32>().expect("a number") % SLOTS).or_default();
        *count += 1;
        let is_sampled = name_of(&pair[0]) == "task_stack_high_water_mark"
            && field(&pair[0], "task_id") == Some(task);
        assert_eq!(is_sampled, *count == SAMPLE_EVERY, "{pair:?}");
        if is_sampled {
            *count = 0;
            sampled += 1;
        }
    }
    assert!(sampled > 10, "{sampled}");
}

/// Checks that the recording lists the classes it was built without, and no others.
fn states_classes_off(run: &Run, off: &[&str]) {
    let all = lines(&run.recording);
    let info = all.iter().find(|line| line.starts_with("- trace_info "));
    let flags = info.and_then(|line| field(line, "flags")).expect("trace_info");
    let stated = classes(flags.parse().expect("a number"), false).expect("they are stated");
    let stated: BTreeSet<&str> = stated.map(|class| class.name).collect();
    assert_eq!(stated, off.iter().copied().collect());
}

/// Two builds, each without every other class.
pub fn each_class_can_be_off(run_without: impl Fn(&[&str]) -> Run) {
    for remainder in [0, 1] {
        let is_off = |index: usize| index % 2 == remainder;
        let off: Vec<_> = CLASSES
            .iter()
            .enumerate()
            .filter_map(|(index, class)| is_off(index).then_some(class.0))
            .collect();
        let run = run_without(&off);
        states_classes_off(&run, &off);
        for (index, (class, events)) in CLASSES.iter().enumerate() {
            if !is_off(index) {
                compare(&run, class);
                continue;
            }
            let metadata =
                METADATA.iter().filter(|(owner, _)| owner == class).map(|(_, name)| *name);
            let silent: BTreeSet<&str> = events.iter().copied().chain(metadata).collect();
            let heard = run.whole.iter().find(|line| silent.contains(name_of(line)));
            assert!(heard.is_none(), "{class} is off: {heard:?}");
            let failures = run.recorded_of(class, &[CREATE_FAILED]);
            assert!(failures.is_empty(), "{class} is off: {failures:?}");
        }
    }
}
