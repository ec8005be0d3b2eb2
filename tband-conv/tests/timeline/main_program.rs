//! The program of a core without an RTOS: exceptions beside it, and a trace of it. The cases test its name and its time.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::registry::MAIN_PROGRAM;
use tband_recordings::{Engine, Recording, TempFile, cases, project, str, timeline_of, trace_of};

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

/// In Perfetto the main program is a thread, scheduled like a task, and interrupts interrupt it.
#[test]
fn perfetto_shows_it_as_a_thread() {
    let Some(engine) = Engine::find() else { return };
    let case = "the main program runs between interrupts";
    let recording = cases::recording(&project::path(CASES), case);
    let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording)], &Options::default());
    let file = TempFile::new("main_program", &trace);
    let column = "name || ' ' || ts || ' ' || dur || ' cpu ' || cpu";
    let rest = "from sched join thread using (utid) where utid != 0 order by ts";
    let rows = engine.rows(&file.0, column, rest);
    assert_eq!(rows, ["main 1000 40 cpu 0", "ISR 3 1040 10 cpu 0", "main 1050 50 cpu 0"]);
}
