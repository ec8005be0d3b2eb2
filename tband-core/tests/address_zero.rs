//! Buffers at address 0, where some chips have memory. A separate program, because it maps one page at
//! address 0.

#![cfg(target_os = "linux")]

mod fake;

use std::io::Write as _;

use fake::{FakePort, Sizes, bytes, decode, named, recorder};
use tband_core::emit::U32;
use tband_core::{External, Recorder, Snapshot, Streaming};

const ISR_NAME: u8 = 3;
const ISR_ENTER: u8 = 4;
const PAGE: usize = 4096;

/// Maps memory at address 0, which needs root. If that is refused, prints so, bypassing the captured
/// output.
fn memory_at_zero() -> bool {
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
    );
    // SAFETY: nothing is mapped there, so nothing is lost.
    let got = unsafe { libc::mmap(std::ptr::null_mut(), PAGE, access, kind, -1, 0) };
    if !got.is_null() {
        let text = "\n*** SKIPPED: no memory at address 0 without root; NOT checked ***\n";
        let _ = writeln!(std::io::stderr(), "{text}");
    }
    got.is_null()
}

fn at_zero(sizes: Sizes) -> Recorder<FakePort> {
    let rec = recorder(sizes);
    rec.port().at_zero.set(true);
    rec
}

#[test]
fn address_0_is_a_place_like_any_other() {
    if !memory_at_zero() {
        return;
    }
    let every = |drop_cnt_every| Sizes { drop_cnt_every, snapshot: 60, ..Sizes::default() };

    // Drop counts are due after every third event with a time, and only then.
    let rec = at_zero(every(3));
    let core = &rec.port().cores[0];
    for ts in 1..6 {
        // SAFETY: no text; NUL-terminated string.
        unsafe {
            rec.emit::<External, _>(ts, core, ISR_ENTER, U32(0));
            rec.emit_metadata::<External>(ts, core, &named(ISR_NAME, &[7], c"x"));
        }
    }
    let (name, drops) = ("isr_name 7 \"x\"".to_owned(), |ts| format!("dropped_evt_cnt@{ts} 0"));
    let enter = |ts| format!("isr_enter@{ts} 0");
    let expected = [
        [drops(1), enter(1), name.clone(), enter(2)],
        [name.clone(), enter(3), name.clone(), drops(4)],
        [enter(4), name.clone(), enter(5), name],
    ]
    .concat();
    assert_eq!(decode(&rec.port().sent.borrow()), expected);

    let rec = at_zero(every(0));
    let core = &rec.port().cores[0];
    rec.start_streaming(5, 0, true).expect("starts");
    for ts in 6..8 {
        // SAFETY: no text.
        unsafe { rec.emit::<Streaming, _>(ts, core, ISR_ENTER, U32(0)) };
    }
    assert_eq!(decode(&rec.port().sent.borrow()), ["core_id@0 0".to_owned(), enter(6), enter(7)]);

    let rec = at_zero(every(0));
    let core = &rec.port().cores[0];
    rec.trigger_snapshot(0).expect("starts");
    let mut events = Vec::new();
    for ts in 6..20 {
        if ts == 8 {
            rec.stop_snapshot();
            rec.trigger_snapshot(0).expect("continues");
        }
        // SAFETY: no text.
        unsafe { rec.emit::<Snapshot, _>(ts, core, ISR_ENTER, U32(0)) };
        events.push(enter(ts));
    }
    assert!(rec.finished());
    assert!(rec.snapshot(0).0.is_null());
    let found = decode(&bytes(rec.snapshot(0)));
    assert!(found.len() > 6);
    assert_eq!(found, events[..found.len()]);
    assert!(rec.reset_snapshot());
    assert_eq!(rec.snapshot(0).1, 0);
}
