//! The class API: calls nest in each task and each interrupt, and those that a task makes itself are the
//! ones that its program wrote down.
//!
//! One function is left out: `vTaskSwitchContext` is entered in one task and left in another.

use std::collections::BTreeMap;

use tband_format::api::API_FUNCTIONS;

use super::compare::{Run, assert_same, field, name_of};

const SWITCH: &str = "vTaskSwitchContext";

/// The program's first task, which runs when the recording starts.
const DRIVER: &str = "1";

/// Whose calls nest: the innermost open interrupt, or the running task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Context {
    Task(String),
    Interrupts(usize),
}

/// Walks through a recording and gives each call that is not made by another, as `function` or
/// `function value=…`, with the number of its place among the calls and its task.
fn outer_calls(lines: &[String]) -> Vec<(Context, usize, String)> {
    let mut running = DRIVER;
    let mut interrupts = 0;
    let mut open: BTreeMap<Context, Vec<(usize, &str)>> = BTreeMap::new();
    let mut done = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match name_of(line) {
            "task_switched_in" => running = field(line, "task_id").expect("an id"),
            "isr_enter" => interrupts += 1,
            "isr_exit" | "isr_exit_to_scheduler" => {
                let left = open.remove(&Context::Interrupts(interrupts)).unwrap_or_default();
                assert!(left.is_empty(), "{at}: an interrupt ends in {left:?}");
                interrupts -= 1;
            }
            // Before the next begins; it made no calls.
            "isr_exit_missed" => interrupts -= 1,
            name @ ("api_enter" | "api_return") => {
                let number: usize =
                    field(line, "function").expect("a number").parse().expect("one");
                let function = API_FUNCTIONS[number];
                let context = match interrupts {
                    0 => Context::Task(running.to_owned()),
                    depth => Context::Interrupts(depth),
                };
                if function == SWITCH {
                    continue;
                }
                let stack = open.entry(context.clone()).or_default();
                if name == "api_enter" {
                    stack.push((at, function));
                    continue;
                }
                let Some((since, entered)) = stack.pop() else {
                    panic!("{at}: {function} returns in {context:?}, where it was not entered");
                };
                assert_eq!(entered, function, "{at}: {context:?} returns from another function");
                if stack.is_empty() {
                    let value = field(line, "value").map(|value| format!(" value={value}"));
                    done.push((context, since, format!("{function}{}", value.unwrap_or_default())));
                }
            }
            _ => {}
        }
    }
    done.sort_by_key(|(_, since, _)| *since);
    done
}

/// Calls nest in the whole recording, and the driver's are as expected.
pub fn compare_calls(run: &Run) {
    let marker = |text: &str| {
        let line = format!("evtmarker evtmarker_id=1 msg=\"{text}\"");
        run.whole.iter().position(|found| *found == line).expect("a marker")
    };
    let start = marker("API");
    let end = start
        + run.whole[start + 1..]
            .iter()
            .position(|line| line.contains("msg=\"between\""))
            .expect("an end");
    let driver = Context::Task(DRIVER.to_owned());
    let calls = outer_calls(&run.whole);
    let recorded: Vec<_> = calls
        .iter()
        .filter(|(context, since, _)| *context == driver && (start..end).contains(since))
        .map(|(_, _, call)| call.as_str())
        .collect();
    let expected: Vec<_> = run
        .expected_of("API")
        .iter()
        .map(|line| line.strip_prefix("call ").expect("a call"))
        .collect();
    assert_same("API", &expected, &recorded);
}
