//! Calls of the kernel's functions: spans of the task or interrupt that makes them.

mod support;

use support::Recording;
use tband_conv::{DumpFormat, Input, Mode, dump};
use tband_format::Event::*;
use tband_format::{API_FUNCTIONS, Event};

/// The number of a function.
fn number(name: &str) -> u32 {
    API_FUNCTIONS.iter().position(|it| *it == name).unwrap() as u32
}

fn enter(name: &str) -> Event<'static> {
    ApiEnter { function: number(name) }
}

fn back(name: &str, value: Option<u32>) -> Event<'static> {
    ApiReturn { function: number(name), value }
}

#[test]
fn dumps_name_the_functions() {
    let recording = Recording::default()
        .at(1, enter("xQueueReceive"))
        .at(2, back("xQueueReceive", Some(1)))
        .at(3, ApiEnter { function: u32::MAX })
        // The address of a function is none of them.
        .at(4, PendFuncCall { function: 3, parameter1: 0, parameter2: 0, result: 1 });
    let mut out = Vec::new();
    let input = Input::from_bytes("r", &recording.0);
    dump(&input, Mode::FreeRtos, DumpFormat::Text, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let call = format!("function={}(xQueueReceive)", number("xQueueReceive"));
    let shown: Vec<_> = text.lines().map(|line| line.split_whitespace().nth(3).unwrap()).collect();
    assert_eq!(shown, [&call, &call, "function=4294967295", "function=3"]);
    assert!(text.contains(&format!("{call} value=1\n")), "{text}");
}
