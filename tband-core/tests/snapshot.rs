//! The snapshot backend against a port in memory.

mod fake;

use fake::{FakePort, Sizes, bytes, decode, named, recorder};
use proptest::prelude::*;
use tband_core::emit::{MAX_NUMBERS, Numbers, Shape, U32, U32S64, U32Str, U32U32, timed_frame_len};
use tband_core::snapshot::NotStarted;
use tband_core::{Recorder, Snapshot};

const ISR_NAME: u8 = 3;
const RESOLUTION: tband_core::metadata::Metadata<'_> =
    tband_core::metadata::Metadata::new(2, &[40], std::ptr::null());
const ISR_ENTER: u8 = 4;
const EVTMARKER: u8 = 7;

fn enter(rec: &Recorder<FakePort>, core: u32, ts: u64, id: u32) {
    // SAFETY: no string.
    unsafe { rec.emit::<Snapshot, _>(ts, &rec.port().cores[core as usize], ISR_ENTER, U32(id)) }
}

#[test]
fn a_whole_session() {
    let rec = recorder(Sizes::default());
    let core = &rec.port().cores[0];
    enter(&rec, 0, 1, 1);
    // SAFETY: no text.
    unsafe { rec.emit_metadata::<Snapshot>(2, core, &RESOLUTION) };
    // SAFETY: NUL-terminated strings.
    unsafe { rec.emit_metadata::<Snapshot>(3, core, &named(ISR_NAME, &[7], c"uart")) };
    assert_eq!(rec.snapshot(0).1, 0);

    assert_eq!(rec.trigger_snapshot(0), Ok(()));
    assert_eq!(rec.trigger_snapshot(0), Err(NotStarted));
    assert!(!rec.reset_snapshot(), "not while recording");
    enter(&rec, 0, 10, 0);
    // SAFETY: NUL-terminated strings.
    unsafe { rec.emit_metadata::<Snapshot>(11, core, &named(ISR_NAME, &[8], c"dma")) };
    assert_eq!(rec.snapshot(0).1, 0, "not before the core has finished");
    assert!(rec.stop_snapshot());
    assert!(!rec.stop_snapshot());
    enter(&rec, 0, 12, 1);

    // The objects that existed at the start come first.
    let first =
        ["ts_resolution_ns 40", "isr_name 7 \"uart\"", "isr_enter@10 0", "isr_name 8 \"dma\""];
    assert_eq!(decode(&bytes(rec.snapshot(0))), first);
    assert_eq!(
        decode(&bytes(rec.metadata(0))),
        ["ts_resolution_ns 40", "isr_name 7 \"uart\"", "isr_name 8 \"dma\""]
    );

    // Recording continues after the existing events; after a reset it starts at the begin.
    assert_eq!(rec.trigger_snapshot(0), Ok(()));
    enter(&rec, 0, 20, 2);
    assert!(rec.stop_snapshot());
    let known = ["ts_resolution_ns 40", "isr_name 7 \"uart\"", "isr_name 8 \"dma\""];
    let all = [&first[..], &known, &["isr_enter@20 2"]].concat();
    assert_eq!(decode(&bytes(rec.snapshot(0))), all);
    assert!(rec.reset_snapshot());
    assert_eq!(rec.snapshot(0).1, 0);
    assert_eq!(rec.trigger_snapshot(0), Ok(()));
    enter(&rec, 0, 30, 3);
    assert!(rec.stop_snapshot());
    assert_eq!(decode(&bytes(rec.snapshot(0))), [&known[..], &["isr_enter@30 3"]].concat());
    assert_eq!(rec.snapshot(1).1, 0, "a core that does not exist has recorded nothing");
    assert_eq!(rec.port().full_callbacks.get(), 0);
}

/// A snapshot has what existed when it was triggered: it may be deleted before anybody reads the metadata buffer.
/// So whenever it is triggered, and for every core; unless it is Tonbandgerät's.
#[test]
fn a_snapshot_begins_with_what_exists() {
    let mut rec = recorder(Sizes { cores: 2, snapshot: 200, ..Sizes::default() });
    rec.port_mut().info.trace_info = &[1, 2, 0];
    let name = |core: usize, number: u32| {
        // SAFETY: NUL-terminated string.
        unsafe {
            let numbers = [number];
            let event = named(ISR_NAME, &numbers, c"one");
            rec.emit_metadata::<Snapshot>(3, &rec.port().cores[core], &event);
        }
    };
    let output = ["core_id@0 0", "ts_resolution_ns 40", "trace_info 1 2 0"];
    name(0, 1);
    name(1, 2);
    rec.trigger_snapshot(0).expect("starts");
    rec.stop_snapshot();
    name(0, 3);
    let one = "isr_name 1 \"one\"";
    let three = "isr_name 3 \"one\"";
    let two = "isr_name 2 \"one\"";
    assert_eq!(decode(&bytes(rec.snapshot(0))), [&output[..], &[one]].concat());
    assert_eq!(decode(&bytes(rec.snapshot(1))), ["core_id@0 1", two]);
    rec.trigger_snapshot(1).expect("continues");
    rec.stop_snapshot();
    assert_eq!(decode(&bytes(rec.snapshot(0))), [&output[..], &[one, one, three]].concat());
    assert_eq!(decode(&bytes(rec.snapshot(1))), ["core_id@0 1", two, two]);
    assert!(rec.reset_snapshot());
    rec.trigger_snapshot(0).expect("starts again");
    rec.stop_snapshot();
    assert_eq!(decode(&bytes(rec.snapshot(0))), [&output[..], &[one, three]].concat());
    assert!(rec.reset_snapshot());
    rec.trigger_plain_snapshot().expect("starts again");
    rec.stop_snapshot();
    assert_eq!(rec.snapshot(0).1, 0);
}

/// The table takes at most half of the remaining room.
#[test]
fn what_exists_leaves_room_for_events() {
    let len = 7;
    for (snapshot, known) in [(2 * len, true), (2 * len - 1, false)] {
        let mut rec = recorder(Sizes { snapshot, ..Sizes::default() });
        rec.port_mut().info.trace_info = &[1, 1, 0];
        // SAFETY: NUL-terminated string.
        unsafe {
            let event = named(ISR_NAME, &[1], c"one");
            rec.emit_metadata::<Snapshot>(3, &rec.port().cores[0], &event);
        }
        assert_eq!(rec.metadata(0).1, len);
        rec.trigger_snapshot(0).expect("starts");
        rec.stop_snapshot();
        let found = decode(&bytes(rec.snapshot(0)));
        assert_eq!(found.iter().any(|event| event.starts_with("isr_name")), known, "{found:?}");
    }
}

#[test]
fn a_full_buffer_stops_all_cores_once() {
    let rec = recorder(Sizes { cores: 2, snapshot: 64, ..Sizes::default() });
    rec.trigger_snapshot(1).expect("starts");
    for ts in 0..100 {
        enter(&rec, (ts % 2) as u32, ts, 1);
    }
    assert!(rec.finished());
    assert_eq!(rec.port().full_callbacks.get(), 1);
    for core in 0..2 {
        let events = decode(&bytes(rec.snapshot(core)));
        assert_eq!(events[0], format!("core_id@0 {core}"), "each buffer begins with its core");
        // Every event of the core from the first on, without a gap.
        let first = events.iter().position(|e| e.starts_with("isr_enter")).expect("events");
        for (index, event) in events[first..].iter().enumerate() {
            assert_eq!(*event, format!("isr_enter@{} 1", index as u32 * 2 + core));
        }
        assert!(rec.snapshot(core).1 <= 64);
    }
    // A buffer that is full stays so: starting again stops with the next event.
    rec.trigger_snapshot(0).expect("starts");
    enter(&rec, 0, 200, 1);
    assert!(rec.finished());
    assert_eq!(rec.port().full_callbacks.get(), 2);
}

#[test]
fn tiny_buffers_hold_nothing_and_harm_nothing() {
    for (snapshot, metadata) in [(1, 1), (2, 3), (30, 0)] {
        let rec = recorder(Sizes { snapshot, metadata, drop_cnt_every: 1, ..Sizes::default() });
        // SAFETY: NUL-terminated strings.
        unsafe {
            rec.emit_metadata::<Snapshot>(1, &rec.port().cores[0], &named(ISR_NAME, &[1], c"name"));
        }
        rec.trigger_snapshot(0).expect("starts");
        for ts in 0..10 {
            enter(&rec, 0, ts, 0);
        }
        assert!(rec.finished());
        assert_eq!(rec.port().full_callbacks.get(), 1);
        assert!(rec.snapshot(0).1 <= snapshot);
        assert!(rec.metadata(0).1 <= metadata);
        decode(&bytes(rec.snapshot(0)));
        decode(&bytes(rec.metadata(0)));
        assert_eq!(rec.metadata_dropped(0), u32::from(metadata != 0));
    }
}

#[test]
fn metadata_dropped_is_in_the_snapshot() {
    let rec = recorder(Sizes { metadata: 5, ..Sizes::default() });
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit_metadata::<Snapshot>(1, &rec.port().cores[0], &named(ISR_NAME, &[1], c"name"))
    };
    rec.trigger_snapshot(0).expect("starts");
    rec.stop_snapshot();
    assert_eq!(decode(&bytes(rec.snapshot(0))), ["metadata_dropped 0 1 8"]);
}

/// Names of every length up to the longest, into buffers of all sizes near the name's: a name that fits is
/// complete, a name that does not fit is counted, and the port's guards check that nothing is written after the
/// buffer.
#[test]
fn names_of_every_length_fit_exactly_or_not_at_all() {
    const LONGEST: usize = 700;
    let text: Vec<u8> = (0..LONGEST).map(|at| b'a' + (at % 26) as u8).collect();
    for len in (0..40).chain(230..290).chain(490..530).chain(LONGEST - 9..=LONGEST) {
        let name = std::ffi::CString::new(&text[..len]).expect("no NUL");
        let shown = format!("isr_name 127 \"{}\"", name.to_str().expect("letters"));
        // Code bytes, id, number, text, zero.
        let frame = 2 + len + 1 + (2 + len).div_ceil(254);
        for size in frame - 3..frame + 8 {
            let sizes = Sizes { metadata: size, snapshot: size, ..Sizes::default() };
            let rec = recorder(Sizes { max_str_len: LONGEST as u32, ..sizes });
            rec.trigger_snapshot(0).expect("starts");
            let event = named(ISR_NAME, &[127], &name);
            // SAFETY: NUL-terminated strings.
            unsafe { rec.emit_metadata::<Snapshot>(1, &rec.port().cores[0], &event) };
            let fits = decode(&bytes(rec.metadata(0)));
            assert!(fits.is_empty() || fits == [shown.as_str()], "{len} in {size}: {fits:?}");
            assert_eq!(rec.metadata_dropped(0), u32::from(fits.is_empty()));
            // Room for a code byte per 128 is wanted, so a long one may be refused though it fits.
            let wanted = frame + if len + 2 > 254 { (len + 2) / 128 } else { 0 };
            assert!(!fits.is_empty() || size < wanted, "{len} in {size} was refused");
            assert!(fits.is_empty() || size >= frame, "{len} in {size} cannot fit");
            rec.stop_snapshot();
            let recorded = decode(&bytes(rec.snapshot(0)));
            assert!(recorded.is_empty() || recorded == [shown.as_str()], "{len} in {size}");
        }
    }
}

/// The longest frames of a layout, one after the other, to the last byte of the buffer; `spare` more bytes
/// than they have are wanted.
#[track_caller]
fn fill_to_the_last_byte<S: Shape>(shape: S, longest: usize, spare: usize) {
    for frames in 1..6 {
        for missing in 0..2 {
            let size = frames * longest + spare - missing;
            let rec = recorder(Sizes { snapshot: size, ..Sizes::default() });
            rec.trigger_snapshot(0).expect("starts");
            for _ in 0..frames {
                // SAFETY: the text is NUL-terminated, the numbers are there.
                unsafe {
                    rec.emit::<Snapshot, S>(u64::MAX, &rec.port().cores[0], ISR_ENTER, shape)
                };
            }
            assert_eq!(rec.is_recording(), missing == 0, "{frames} in {size}");
            rec.stop_snapshot();
            assert_eq!(rec.snapshot(0).1, (frames - missing) * longest, "{frames} in {size}");
        }
    }
}

#[test]
fn the_longest_frames_fill_a_buffer_to_its_last_byte() {
    // Code byte, id, ten bytes of time, zero; numbers have five bytes, values ten.
    const HEAD: usize = 13;
    let most = u32::MAX;
    fill_to_the_last_byte(U32(most), HEAD + 5, 0);
    fill_to_the_last_byte(U32U32(most, most), HEAD + 10, 0);
    fill_to_the_last_byte(U32S64(most, i64::MAX), HEAD + 15, 0);
    let text = c"a text of twenty let";
    fill_to_the_last_byte(U32Str(most, text.as_ptr().cast()), HEAD + 25, 1);
    let numbers = [most; MAX_NUMBERS as usize];
    fill_to_the_last_byte(Numbers(numbers.as_ptr(), MAX_NUMBERS), HEAD + 25, 0);
    assert_eq!(timed_frame_len(5) as usize, HEAD + 5);
}

/// The information about the recording is in the buffer of the core that starts it, and in no other.
#[test]
fn the_starting_core_records_the_trace_info() {
    for current in 0..3 {
        let mut rec = recorder(Sizes { cores: 3, ..Sizes::default() });
        rec.port_mut().info.trace_info = &[1, 3, 0];
        rec.trigger_snapshot(current).expect("starts");
        rec.stop_snapshot();
        for core in 0..3 {
            let events = decode(&bytes(rec.snapshot(core)));
            assert_eq!(events[0], format!("core_id@0 {core}"));
            assert_eq!(events.len() > 1, core == current, "{events:?}");
            assert!(core != current || events[2] == "trace_info 1 3 0", "{events:?}");
        }
    }
}

/// A drop count before each event, into buffers of every size: each of the two is complete or absent, and the
/// guards check that nothing is written after the buffer.
#[test]
fn drop_counts_fit_or_end_the_recording() {
    // A drop count could be as long as an event with one number; this one is of 0.
    const LONGEST: usize = 18;
    const OF_ZERO: usize = 14;
    for size in 1..100 {
        let rec = recorder(Sizes { snapshot: size, drop_cnt_every: 1, ..Sizes::default() });
        rec.trigger_snapshot(0).expect("starts");
        let mut expected = 0;
        for _ in 0..3 {
            enter(&rec, 0, u64::MAX, u32::MAX);
            for len in [OF_ZERO, LONGEST] {
                if size - expected < LONGEST {
                    break;
                }
                expected += len;
            }
        }
        rec.stop_snapshot();
        assert_eq!(rec.snapshot(0).1, expected, "{size} bytes");
    }
}

proptest! {
    /// For any sizes, the buffers contain the first recorded events without a gap.
    #[test]
    fn a_snapshot_is_a_prefix(
        snapshot in 1_usize..400,
        max_str_len in 1_u32..300,
        texts in proptest::collection::vec("[a-z]{0,40}", 1..60),
    ) {
        let rec = recorder(Sizes { snapshot, max_str_len, ..Sizes::default() });
        // SAFETY: no text.
        unsafe { rec.emit_metadata::<Snapshot>(0, &rec.port().cores[0], &RESOLUTION) };
        let known = 2 * rec.metadata(0).1 <= snapshot;
        rec.trigger_snapshot(0).expect("starts");
        let mut expected: Vec<_> =
            known.then(|| "ts_resolution_ns 40".to_owned()).into_iter().collect();
        for (ts, text) in texts.iter().enumerate() {
            let memory = std::ffi::CString::new(text.as_str()).expect("no NUL");
            // SAFETY: NUL-terminated.
            unsafe {
                let shape = U32Str(9, memory.as_ptr().cast());
                rec.emit::<Snapshot, _>(ts as u64, &rec.port().cores[0], EVTMARKER, shape);
            }
            let cut = &text[..text.len().min(max_str_len as usize)];
            expected.push(format!("evtmarker@{ts} 9 \"{cut}\""));
        }
        let was_full = rec.finished();
        rec.stop_snapshot();
        let events = decode(&bytes(rec.snapshot(0)));
        prop_assert_eq!(&expected[..events.len()], &events[..]);
        prop_assert_eq!(was_full, events.len() < expected.len());
        prop_assert_eq!(rec.port().full_callbacks.get(), u32::from(was_full));
    }
}
