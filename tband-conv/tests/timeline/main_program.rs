//! Exceptions beside the program of a core without an RTOS. The cases test its name, its time and a trace of it.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::registry::MAIN_PROGRAM;
use tband_recordings::{Recording, cases, project, str, timeline_of};

const CASES: &str = "tband-conv/tests/cases/timeline/main_program.txt";

/// CMSIS gives exceptions numbers below 0, `SysTick_IRQn` is -1: they are interrupts with names.
#[test]
fn exceptions_of_cmsis_are_interrupts() {
    let head = cases::recording(&project::path(CASES), "an empty recording has no main program");
    for number in (-15..0).filter(|number| *number != -7) {
        let isr_id = number as u32;
        let recording = Recording(head.clone())
            .meta(IsrName { isr_id: MAIN_PROGRAM, name: str("pump") })
            .meta(IsrName { isr_id, name: str("tick") })
            .at(1000, IsrEnter { isr_id })
            .at(1010, IsrExit { isr_id });
        let input = [Input::from_bytes("r", &recording.0)];
        let (text, summary) = timeline_of(&input, &Options::default());
        assert!(text.contains("tick begins") && text.contains("tick ends"), "{text}");
        assert!(text.contains("pump: unknown -> running"), "{text}");
        assert!(summary.diagnostics.is_clean(), "{text}");
    }
}
