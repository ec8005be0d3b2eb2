//! Text of Linux's tracers, and their binary files.

use memchr::memmem;

use crate::format::InputFormat;
use crate::recognised_format::RecognisedFormat;

/// Runs of zero bytes that a text may have.
const MANY: usize = 8;

/// Recognises the binary files of trace-cmd and perf.
pub fn recognise_binary(bytes: &[u8]) -> Option<RecognisedFormat> {
    if bytes.starts_with(b"\x17\x08\x44tracing") {
        let found = RecognisedFormat::new(InputFormat::Ftrace, "a binary file of trace-cmd");
        return Some(found.with_advice(": 'trace-cmd report -i FILE' writes its text"));
    }
    if bytes.starts_with(b"PERFILE2") || bytes.starts_with(b"2ELIFREP") {
        let found = RecognisedFormat::new(InputFormat::Ftrace, "a binary file of perf");
        return Some(found.with_advice(": 'perf script -i FILE' writes its text"));
    }
    None
}

/// Recognises the text of ftrace, trace-cmd report and perf script.
pub fn recognise_text(bytes: &[u8]) -> Option<RecognisedFormat> {
    // A storage that failed leaves runs of zero bytes; frames of tband have one after each.
    let starts = memchr::memchr_iter(0, bytes).filter(|at| {
        at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|byte| *byte != 0)
    });
    if starts.take(MANY + 1).count() > MANY {
        return None;
    }
    let is_ftrace = bytes.starts_with(b"# tracer:");
    let at = memmem::find(bytes, b"sched_switch:");
    if !is_ftrace && at.is_none() {
        return recognise_unread(bytes);
    }
    let before = at.and_then(|at| bytes.get(..at)).unwrap_or_default();
    let text = match () {
        () if is_ftrace => "text of Linux's ftrace",
        () if before.ends_with(b"sched:") => "text of perf script",
        () => "text of trace-cmd report",
    };
    Some(RecognisedFormat::new(InputFormat::Ftrace, text))
}

/// Recognises texts of perf that lack the events or their names.
fn recognise_unread(bytes: &[u8]) -> Option<RecognisedFormat> {
    let has = |text: &[u8]| memmem::find(bytes, text).is_some();
    let (text, advice) = if has(b"wait time") && has(b"sch delay") && has(b"run time") {
        ("the table of 'perf sched timehist'", ": 'perf sched script' writes the events")
    } else if has(b"prev_comm=") && has(b" ==> next_comm=") {
        let advice = ": write it with 'perf script -F comm,pid,cpu,time,event,trace'";
        ("text of perf script without the names of the events", advice)
    } else {
        return None;
    };
    Some(RecognisedFormat::new(InputFormat::Ftrace, text).with_advice(advice))
}
