//! Text of Linux's tracers, and their binary files.

use memchr::memmem;

use crate::format::InputFormat;
use crate::recognised::Recognised;

/// Zero bytes that a text may have.
const MANY: usize = 8;

/// Recognises the binary files of trace-cmd and perf.
pub fn recognise_binary(bytes: &[u8]) -> Option<Recognised> {
    if bytes.starts_with(b"\x17\x08\x44tracing") {
        let found = Recognised::new(InputFormat::Ftrace, "a binary file of trace-cmd");
        return Some(found.with_advice(": 'trace-cmd report -i FILE' writes its text"));
    }
    if bytes.starts_with(b"PERFILE2") || bytes.starts_with(b"2ELIFREP") {
        let found = Recognised::new(InputFormat::Ftrace, "a binary file of perf");
        return Some(found.with_advice(": 'perf script -i FILE' writes its text"));
    }
    None
}

/// Recognises the text of ftrace, trace-cmd report and perf script.
pub fn recognise_text(bytes: &[u8]) -> Option<Recognised> {
    // A byte may be damaged; frames of tband have many zero bytes.
    let zeros = memchr::memchr_iter(0, bytes).take(MANY + 1).count();
    if zeros > MANY {
        return None;
    }
    let is_ftrace = bytes.starts_with(b"# tracer:");
    let at = memmem::find(bytes, b"sched_switch:");
    if !is_ftrace && at.is_none() {
        return None;
    }
    let before = at.and_then(|at| bytes.get(..at)).unwrap_or_default();
    let text = match () {
        () if is_ftrace => "text of Linux's ftrace",
        () if before.ends_with(b"sched:") => "text of perf script",
        () => "text of trace-cmd report",
    };
    Some(Recognised::new(InputFormat::Ftrace, text))
}
