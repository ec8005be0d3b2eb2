//! Calls every function of the crate `tband`, as a part of the C programs `rust_*.c` in `tests/c`.
//!
//! Each function returns 0, or the line here of the first check that failed: it is built as firmware is,
//! without `std`, and a test looks for panic code in it.

// As in tband-ffi, whose panic handler is a separate matter in a program with both.
#![cfg_attr(panic = "abort", no_std)]

use core::ffi::{c_char, c_void};
use core::ptr::null;

use tband::ControlError::{MetadataDropped, NotRecording, Recording};
use tband::commands::{self, NoRoom};
use tband::elements::{self, Enumerator, Object, RecordType, Signal};
use tband::filter::{self, Kind, NotChosen};
use tband::freertos::{
    TaskEventMarker, TaskValueMarker, current_task_number, name_event_group, name_queue,
    name_stream_buffer, name_timer, queue_number,
};
use tband::packets::Reader;
use tband::trigger::{self, Condition, NotArmed, Trigger};
use tband::{EventMarker, Interrupt, Text, ValueMarker, packets, post_mortem, snapshot, streaming};

#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

type CheckResult = Result<(), u32>;

macro_rules! check {
    ($condition:expr) => {
        if !$condition {
            return Err(line!());
        }
    };
}

fn failed_line(checked: CheckResult) -> u32 {
    checked.err().unwrap_or(0)
}

unsafe extern "C" {
    /// Of `fake_port.h`: the transport takes nothing.
    static mut fake_refuses: bool;
    /// Of `fake_port.h`: writes bytes to stdout.
    fn fake_print(data: *const u8, len: usize);
    /// Of `fake_port.h`: the time.
    static mut fake_now: u64;
    // Functions of the shim, which the kernel's hooks call.
    safe fn tband_record_u32(id: u32, first: u32);
    safe fn tband_record_u32_u32(id: u32, first: u32, second: u32);
    fn tband_record_u32_str(id: u32, first: u32, text: *const c_char);
}

/// Events of the kernel: their ids and fields.
fn record(events: &[(u32, u32, u32)]) {
    for &(id, first, second) in events {
        match id {
            102 | 103 | 194 => tband_record_u32_u32(id, first, second),
            _ => tband_record_u32(id, first),
        }
    }
}

/// What a handler of faults records.
fn crash() {
    // SAFETY: no text.
    unsafe { tband_record_u32_str(225, 1, null()) };
}

fn wait(ticks: u64) {
    // SAFETY: the program has one thread, and C looks at it in the calls of this one.
    unsafe { fake_now += ticks };
}

fn refuse(refuse: bool) {
    // SAFETY: the program has one thread, and C looks at it in the calls of this one.
    unsafe { fake_refuses = refuse };
}

fn names() {
    EventMarker::new(1).name(c"event");
    ValueMarker::new(2).name(c"value");
    Interrupt::new(3).name(c"interrupt");
    TaskEventMarker::new(4).name(c"task event");
    TaskValueMarker::new(5).name(c"task value");
    // SAFETY: null, and what the program takes for a handle.
    unsafe {
        name_queue(null(), c"no queue");
        name_queue((&raw const OBJECT).cast(), c"queue");
        name_stream_buffer((&raw const OBJECT).cast(), c"stream");
        name_event_group((&raw const OBJECT).cast(), c"group");
        name_timer((&raw const OBJECT).cast(), c"timer");
    }
    tband::gather_system_metadata();
}

fn events() {
    let event = EventMarker::new(1);
    let outer = event.span(c"outer");
    {
        let _interrupt = Interrupt::new(3).enter();
        let _inner = event.span(c"inner");
    }
    ValueMarker::new(2).set(i64::MIN);
    drop(outer);
    event.begin(c"a text of more than 20 letters");
    event.end();
    // Not formatted, since Rust's own formatting has panics in it.
    let mut text = Text::<30>::from("seven ");
    text.push("7");
    event.instant(&text);

    let task = TaskEventMarker::new(u32::MAX);
    let span = task.span(c"");
    task.instant(c"in the task");
    drop(span);
    task.begin(c"more");
    task.end();
    TaskValueMarker::new(5).set(i64::MAX);
}

/// What the program takes for a queue.
static OBJECT: u32 = 23;

/// For an unprivileged task, while it records: nothing is returned, and nothing done.
#[unsafe(no_mangle)]
extern "C" fn rust_part_unprivileged() -> u32 {
    failed_line(read_in_vain())
}

fn read_in_vain() -> CheckResult {
    check!(!tband::is_recording() && !tband::is_finished() && !tband::is_core_finished(0));
    check!(tband::dropped_events() == 0 && tband::dropped_metadata(0) == 0);
    check!(tband::metadata_buffer(0).is_empty() && snapshot::buffer(0).is_empty());
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_streaming() -> u32 {
    failed_line(stream())
}

fn stream() -> CheckResult {
    check!(!tband::is_recording() && tband::is_finished() && tband::is_core_finished(0));
    check!(streaming::stop() == Err(NotRecording));
    names();
    events(); // not recorded
    check!(tband::dropped_metadata(0) == 0 && tband::metadata_buffer(0).len() > 80);
    check!(tband::metadata_buffer(1).is_empty());

    check!(streaming::start() == Ok(()));
    check!(tband::is_recording() && !tband::is_finished() && !tband::is_core_finished(0));
    check!(streaming::start() == Err(Recording) && streaming::restart() == Err(Recording));
    events();
    check!(tband::dropped_events() == 0);
    refuse(true);
    EventMarker::new(9).end();
    refuse(false);
    check!(tband::dropped_events() == 1);
    check!(streaming::stop() == Ok(()) && streaming::stop() == Err(NotRecording));

    check!(streaming::restart() == Ok(()) && streaming::stop() == Ok(()));
    refuse(true);
    check!(streaming::start() == Err(MetadataDropped) && !tband::is_recording());
    check!(streaming::stop() == Err(NotRecording));
    tband::keep_time();
    tband::timestamp_frequency_changed();
    check!(current_task_number() == 7);
    // SAFETY: null, and what the program takes for a handle.
    check!(unsafe { queue_number(null()) == 0 && queue_number((&raw const OBJECT).cast()) == 23 });
    Ok(())
}

/// What `rust_records.c` records, in its order.
#[unsafe(no_mangle)]
extern "C" fn rust_part_records(object: *const i32) {
    tband::record!("no arguments");
    tband::record!("%d", i32::MIN);
    tband::record!("%d of %u", -7, u32::MAX);
    tband::record!(
        "%hhd %hhd %hhu %hd %hd %hu",
        i8::MIN,
        i8::MAX,
        u8::MAX,
        i16::MIN,
        i16::MAX,
        u16::MAX
    );
    tband::record!("%lld %lld %llu %x %X %o", i64::MIN, i64::MAX, u64::MAX, 255_u32, 255_u8, 8_u16);
    tband::record!("%zu %d %d %c", 300_usize, true, false, b'x');
    for double in [0.0, -0.0, 1.5, -1.0 / 3.0, f64::MAX, 5e-324] {
        tband::record!("d=%g", double);
    }
    tband::record!("%.1f %e", 0.1, f64::INFINITY);
    let text = Text::<20>::from("in C");
    tband::record!("[%s|%s|%s]", "", c"a literal", text);
    tband::record!("%s", &"characters"[..4]);
    tband::record!(
        "a text that is cut: %s %d",
        "more than there is room for in a record, by far, of this program",
        5
    );
    tband::record!("%hhp %p", b"a\0b\x01", object);
    tband::record!("%*d|%-6.2f|%%", 5, 3, 2.5);
    tband::record!("%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
    tband::record!("");
    tband::record!("%%%d%%d", 1);
    tband::record!("%-*.*s|%.3s", 6, 2, "abcdef", "ghijkl");
    tband::record!("ä%u€ %s", 5_u32, "ö\u{1F600}");
    tband::record!("%s|%s", "a\0b", "c");
    tband::record!("%hhd %+5.2d|% d|%#x", -1_i8, 3, 4, 0x1F_u32);
    tband::record_begin!("job %d", 1);
    tband::record_end!("done");
    // Bytes that take two, so that texts are cut everywhere.
    let text = "ab\x01c\x02\x02dab\x01c\x02\x02dab\x01c\x02\x02dab\x01c\x02\x02dab\x01c\x02\x02dab\x01c\x02\x02d\
                ab\x01c\x02\x02dab\x01c\x02\x02dab\x01c\x02\x02d";
    for len in 0..=60 {
        let text = text.get(..len).unwrap_or_default();
        tband::record!("%s%u", text, 7_u32);
        tband::record!("%hu%s", 500_u16, text);
    }
}

const KIND: RecordType = RecordType::new(7);
const TIMEOUT: Signal = Signal::new(3);
const STAGE: Enumerator = Enumerator::new(2, 1);

/// What `rust_records.c` records element by element, in its order.
#[unsafe(no_mangle)]
extern "C" fn rust_part_elements(object: *const i32) {
    KIND.name(c"KIND");
    TIMEOUT.name(c"TIMEOUT");
    STAGE.name(c"STAGE");
    elements::name_object(object, c"object");
    tband::record!(KIND;);
    tband::record!(KIND, object; 200_u8, -100_i8, 60000_u16, -30000_i16);
    tband::record!(KIND; 4_000_000_000_u32, -2_000_000_000, u64::MAX, i64::MIN);
    tband::record!(KIND; true, false, 1.5_f32, -1.0 / 3.0);
    tband::record!(KIND; "a literal", c"", Text::<20>::from("in C"), Object::new(object));
    tband::record!(KIND; TIMEOUT, STAGE, Signal::new(u32::MAX), Enumerator::new(99, 0));
    let text = "ab\x01c\x02\x02d".as_bytes();
    let mut bytes = [0; 61];
    bytes.iter_mut().zip(text.iter().cycle()).for_each(|(to, from)| *to = *from);
    for (len, zeros) in (0..=60).zip((0..7).cycle()) {
        let bytes = bytes.get(..len).unwrap_or_default();
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        tband::record!(KIND; text, 7_u8);
        let zeros = b"a\0b\x01\0\0".get(..zeros).unwrap_or_default();
        tband::record!(KIND; zeros, bytes,);
    }
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_filters() -> u32 {
    failed_line(filtered())
}

/// Value marker 2 is set to 1 where it is recorded, and to 0 where it is not; so is an event marker of the same number.
fn filtered() -> CheckResult {
    let set = |value: i64| {
        ValueMarker::new(2).set(value);
        EventMarker::new(2).instant(if value == 0 { c"0" } else { c"1" });
    };
    let value = |value| ValueMarker::new(2).set(value);
    ValueMarker::new(2).name(c"value");
    check!(filter::classes(filter::MARKER, false) == Ok(()));
    check!(streaming::start() == Ok(()));
    set(0);
    check!(filter::classes(filter::MARKER, true) == Ok(()));
    set(1);
    check!(filter::event(11, false) == Ok(()));
    value(0);
    filter::reset();
    set(1);
    check!(filter::object(Kind::ValueMarker, 2, false) == Ok(()));
    value(0);
    ValueMarker::new(3).set(1);
    check!(filter::objects(Kind::ValueMarker, false) == Ok(()));
    ValueMarker::new(3).set(0);
    check!(filter::object_by_name(Kind::ValueMarker, c"value", true) == Ok(()));
    value(1);
    ValueMarker::new(3).set(0);
    // What there is none of, is always recorded, or has no room any more.
    check!(filter::object_by_name(Kind::EventMarker, c"value", false) == Err(NotChosen));
    check!(
        filter::event(0, false) == Err(NotChosen) && filter::classes(0, false) == Err(NotChosen)
    );
    for number in 10..25 {
        check!(filter::object(Kind::Interrupt, number, false) == Ok(()));
    }
    check!(filter::object(Kind::Interrupt, 25, false) == Err(NotChosen));
    drop(Interrupt::new(24).enter());
    drop(Interrupt::new(25).enter());
    filter::reset();
    set(1);
    check!(streaming::stop() == Ok(()));
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_triggers() -> u32 {
    failed_line(triggered())
}

/// Records one event after the other; the last one of each row fires.
fn triggered() -> CheckResult {
    let values = |values: &[i64]| values.iter().for_each(|value| ValueMarker::new(2).set(*value));
    let value_is = |is: i64| Condition::value_is(2, is).after(0);
    check!(!Trigger::of_number(0).is_armed() && !Trigger::of_number(0).rearm());
    check!(!Trigger::of_number(7).disarm() && !Trigger::of_number(u8::MAX).is_armed());
    // Armed before the recording starts.
    let at_least = Condition::value_at_least(2, 5).nth(2).after(1);
    let first = at_least.arm().map_err(|_| line!())?;
    check!(first.number() == 0 && first.is_armed() && first == Trigger::of_number(0));
    check!(streaming::start() == Ok(()));
    values(&[4, 5, 6, 7]);
    check!(!first.is_armed() && trigger::count() == 1);
    // As it was set.
    check!(first.rearm());
    values(&[5, 4, 6, 7]);
    check!(first.rearm() && first.disarm() && !first.is_armed());
    values(&[5, 5]);
    let at_most = Condition::value_at_most(2, i64::MIN + 1).after(0).arm().map_err(|_| line!())?;
    values(&[i64::MIN + 2, i64::MIN + 1]);
    check!(!at_most.is_armed() && value_is(i64::MAX).arm() == Ok(Trigger::of_number(0)));
    values(&[i64::MAX - 1, i64::MAX]);
    // What only the kernel, and a crash, record.
    check!(Condition::queue_full(23, 8).after(0).arm().is_ok());
    record(&[(102, 23, 7), (102, 24, 8), (103, 23, 8)]);
    check!(Condition::ready_wait(7, 9).after(0).arm().is_ok());
    record(&[(85, 7, 0)]);
    wait(9);
    record(&[(84, 7, 0), (84, 6, 0), (85, 7, 0)]);
    wait(10);
    record(&[(84, 7, 0)]);
    check!(Condition::stack(None, 64).after(0).arm().is_ok());
    record(&[(194, 7, 64), (194, 6, 63)]);
    check!(Condition::failure(Some(23)).nth(2).after(0).arm().is_ok());
    record(&[(180, 23, 0), (180, 22, 0), (178, 23, 0)]);
    check!(Condition::event(86, Some(7)).after(0).arm().is_ok());
    record(&[(86, 6, 0), (87, 7, 0), (86, 7, 0)]);
    check!(Condition::event(86, None).after(0).arm().is_ok());
    record(&[(86, 6, 0)]);
    check!(Condition::crash().arm().is_ok());
    crash();
    check!(trigger::count() == 11);
    // Each of the places, and an invalid one.
    check!(Condition::event(0, None).arm() == Err(NotArmed));
    check!(value_is(0).nth(0).arm() == Err(NotArmed));
    for number in 0..7 {
        check!(value_is(0).arm() == Ok(Trigger::of_number(number)));
    }
    check!(value_is(0).arm() == Err(NotArmed));
    check!(streaming::stop() == Ok(()));
    Ok(())
}

/// # Safety
/// `frame` is readable for `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn rust_part_commands(frame: *const u8, len: usize) -> u32 {
    // SAFETY: the caller's promise.
    failed_line(check_command(unsafe { core::slice::from_raw_parts(frame, len) }))
}

/// One command, in two pieces.
fn check_command(frame: &[u8]) -> CheckResult {
    let (first, second) = frame.split_at_checked(frame.len() / 2).ok_or(line!())?;
    check!(commands::received(first) == Ok(()));
    check!(commands::received(&[1; 64]) == Err(NoRoom) && !commands::obey());
    check!(commands::received(second) == Ok(()) && commands::obey());
    check!(!commands::obey());
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_on_command(number: u32, a: u32, b: u32, c: u32) -> i32 {
    [number, a, b, c].into_iter().fold(0, u32::wrapping_add) as i32
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_snapshot() -> u32 {
    failed_line(record_snapshot())
}

fn record_snapshot() -> CheckResult {
    names();
    check!(snapshot::stop() == Err(NotRecording) && snapshot::trigger() == Ok(()));
    events();
    check!(snapshot::buffer(0).is_empty()); // not yet
    check!(snapshot::trigger() == Err(Recording) && snapshot::reset() == Err(Recording));
    check!(snapshot::stop() == Ok(()) && !snapshot::buffer(0).is_empty());
    check!(snapshot::reset() == Ok(()) && snapshot::buffer(0).is_empty());

    check!(snapshot::trigger() == Ok(()));
    events();
    check!(snapshot::stop() == Ok(()) && snapshot::buffer(1).is_empty());
    for buffer in [tband::metadata_buffer(0), snapshot::buffer(0)] {
        let mut offset = 0;
        let mut chunk = [0; 7];
        loop {
            let amount = buffer.copy_to(offset, &mut chunk);
            // SAFETY: at most the length of the chunk.
            unsafe { fake_print(chunk.as_ptr(), amount) };
            offset += amount;
            if amount == 0 {
                break;
            }
        }
        check!(offset == buffer.len());
    }
    Ok(())
}

/// Reads and prints all packets, some bytes at a time.
fn print_packets() {
    let mut chunk = [0; 7];
    let Some(mut reader) = Reader::take() else { return };
    // Neither another task nor an interrupt gets a second one: then nothing is printed.
    if Reader::take().is_some() {
        return;
    }
    loop {
        let amount = reader.read(&mut chunk);
        if amount == 0 {
            break;
        }
        // SAFETY: at most the length of the chunk.
        unsafe { fake_print(chunk.as_ptr(), amount) };
    }
}

/// Takes and prints a whole packet. One that is not given back comes again.
fn print_whole_packet() -> bool {
    let Some(mut reader) = Reader::take() else { return false };
    let Some(packet) = reader.packet() else { return false };
    let first = packet.as_ptr();
    core::mem::forget(packet);
    let Some(packet) = reader.packet() else { return false };
    // SAFETY: the packet has as many bytes.
    unsafe { fake_print(packet.as_ptr(), packet.len()) };
    packet.as_ptr() == first
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_packets() -> u32 {
    failed_line(stream_packets())
}

fn stream_packets() -> CheckResult {
    names();
    check!(streaming::start() == Ok(()) && streaming::start() == Err(Recording));
    events();
    packets::flush();
    check!(print_whole_packet());
    print_packets();
    check!(!print_whole_packet());
    packets::request_metadata();
    check!(streaming::stop() == Ok(()) && streaming::stop() == Err(NotRecording));
    print_packets();
    check!(tband::dropped_events() == 0);
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_external() -> u32 {
    failed_line(record_external())
}

/// A record is the first event, which starts the recording.
fn record_external() -> CheckResult {
    check!(!tband::is_recording() && tband::is_finished() && tband::is_core_finished(0));
    tband::record!("first %d", 1);
    tband::record!("second %d", 2);
    check!(!tband::is_recording() && tband::is_finished() && tband::is_core_finished(0));
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn rust_part_post_mortem() -> u32 {
    failed_line(record_post_mortem())
}

fn record_post_mortem() -> CheckResult {
    names();
    check!(!post_mortem::is_available() && post_mortem::freeze() == Err(NotRecording));
    check!(post_mortem::freeze_after(3) == Err(NotRecording));
    check!(post_mortem::start() == Ok(()) && post_mortem::clear() == Err(Recording));
    events();
    check!(Reader::take().is_some_and(|mut reader| reader.read(&mut [0; 7]) == 0)); // not yet
    check!(post_mortem::freeze() == Ok(()) && post_mortem::is_available());
    print_packets();
    check!(post_mortem::clear() == Ok(()) && !post_mortem::is_available());
    check!(post_mortem::start() == Ok(()) && post_mortem::freeze_after(0) == Ok(()));
    check!(!tband::is_recording());
    Ok(())
}

/// For the program's replacement of functions of the FreeRTOS hooks.
#[unsafe(no_mangle)]
extern "C" fn rust_part_is_object(handle: *const c_void) -> bool {
    handle == (&raw const OBJECT).cast()
}
