//! What `check` reports about a recording of TraceRecorder.

use super::TraceRecorder;
use super::codes::Codes;
use super::header::Header;
use super::target::{Core, Facts};
use crate::counted::counted;
use crate::importer::ForeignRecording;

/// Facts about a recording.
pub fn about(
    header: Option<&Header>,
    (facts, cores): (&Facts, &[Core]),
    of: &TraceRecorder,
) -> ForeignRecording {
    let mut about = ForeignRecording {
        format: "Percepio TraceRecorder".to_owned(),
        ..ForeignRecording::default()
    };
    let mut recorder = Vec::new();
    if let Some(header) = header {
        let version = match header.version {
            0x0A | 0x0B => "4.6",
            0x0C => "4.7",
            0x0D => "4.8.0",
            _ => "4.8.1 to 4.11",
        };
        let order = if header.layout.is_big { "big endian" } else { "little endian" };
        let cores = counted(header.cores, "core");
        let bits = if header.layout.is_wide { 64 } else { 32 };
        recorder.push(format!("version {version}"));
        recorder.push(format!("{} on {cores}", header.kernel));
        recorder.push(format!("format {:#04X}, {bits} bits, {order}", header.version));
    }
    if !of.container.is_empty() {
        recorder.push(of.container.clone());
    }
    about.recorder = recorder.join("; ");
    let mut infer = |is: bool, text: &str| {
        if is {
            about.inferred.push(text.to_owned());
        }
    };
    infer(facts.has_isrs, "the end of an interrupt that asks for a switch: the next switch");
    infer(
        facts.has_silent_ends,
        "the end of an interrupt after which no switch came: its last event",
    );
    infer(
        facts.has_chains,
        "the end of an interrupt that another one follows: the start of that one",
    );
    infer(true, "the idle task, by its name");
    infer(facts.has_stacks, "stacks: their words have the size of a pointer");
    infer(facts.has_buffers, "bytes that go into a stream buffer: from its levels");
    let mut lack = |is: bool, text: &str| {
        if is {
            about.not_recorded.push(text.to_owned());
        }
    };
    lack(facts.has_notifications, "values and indexes of notifications");
    lack(
        facts.has_groups,
        "bits of event groups that are set, and whether a task waits for all bits",
    );
    lack(
        facts.has_timers,
        "whether a timer restarts automatically, and when the timer task executes a command",
    );
    lack(facts.has_compact_texts, "texts of xTracePrintCompactF: only their addresses are there");
    lack(
        header.is_some_and(|it| matches!(it.layout.codes, Codes::BareMetal | Codes::Zephyr)),
        "objects of this kernel: only tasks, interrupts and user events are shown",
    );
    let is_silent = |core: &Core| core.last == 0 && core.running.is_none();
    lack(
        header.is_some_and(|it| it.is_split) && cores.iter().any(is_silent),
        "events of some cores: each core has a stream, which belong behind that with the header",
    );
    lack(
        header.is_some_and(|it| it.layout.codes == Codes::Other),
        "the meaning of this kernel's events: those of FreeRTOS, Zephyr and bare-metal programs are known",
    );
    lack(
        true,
        "interrupts that the application does not trace, such as SysTick, and events after the last one",
    );
    about.not_recorded.extend(of.limits.iter().cloned());
    about
}
