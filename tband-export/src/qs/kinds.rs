//! Which record of the application each event is.

/// Records of the application, and their names. Each event is in the record of its subject.
pub const RECORDS: [(u8, &str); 15] = [
    (TASK, "TASK"),
    (ISR, "ISR"),
    (QUEUE, "QUEUE"),
    (NOTIFY, "NOTIFY"),
    (STREAM_BUFFER, "STREAM_BUFFER"),
    (EVENT_GROUP, "EVENT_GROUP"),
    (TIMER, "TIMER"),
    (MARKER, "MARKER"),
    (VALUE, "VALUE"),
    (HEAP, "HEAP"),
    (KERNEL, "KERNEL"),
    (RECORDING, "RECORDING"),
    (CRASH, "CRASH"),
    (LOST, "LOST"),
    (CLOCK, "CLOCK"),
];

pub const TASK: u8 = 100;
const ISR: u8 = 101;
const QUEUE: u8 = 102;
const NOTIFY: u8 = 103;
const STREAM_BUFFER: u8 = 104;
const EVENT_GROUP: u8 = 105;
const TIMER: u8 = 106;
const MARKER: u8 = 107;
const VALUE: u8 = 108;
const HEAP: u8 = 109;
const KERNEL: u8 = 110;
/// The recording's information about itself, and events that only it describes.
pub const RECORDING: u8 = 111;
const CRASH: u8 = 112;
/// Something is missing, or damaged.
pub const LOST: u8 = 113;
/// The full time, where the lower half that records have has wrapped.
pub const CLOCK: u8 = 114;

/// The record of an event of the registry, by its name.
pub fn of(name: &str) -> u8 {
    let has = |part| name.contains(part);
    let begins = |part| name.starts_with(part);
    if has("evtmarker") {
        MARKER
    } else if has("valmarker") {
        VALUE
    } else if has("notify") {
        NOTIFY
    } else if begins("isr_") || begins("open_isr") {
        ISR
    } else if has("stream_buffer") {
        STREAM_BUFFER
    } else if has("event_group") {
        EVENT_GROUP
    } else if has("queue") || begins("mutex") {
        QUEUE
    } else if begins("timer_") {
        TIMER
    } else if begins("task_") || begins("curtask_") || begins("running_task") {
        TASK
    } else if begins("heap_") {
        HEAP
    } else if begins("fault") || begins("crash") {
        CRASH
    } else if ["tick", "low_power", "api_", "pend_", "create_"].iter().any(|it| begins(it)) {
        KERNEL
    } else {
        RECORDING
    }
}
