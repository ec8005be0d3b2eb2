//! The streaming and external backends against a port in memory.

mod fake;

use fake::{Sizes, decode, named, recorder};
use proptest::prelude::*;
use tband_core::emit::{U32, U32S64, U32Str, U32U32};
use tband_core::streaming::StartError;
use tband_core::{External, Streaming};

const ISR_NAME: u8 = 3;
const RESOLUTION: tband_core::metadata::Metadata<'_> =
    tband_core::metadata::Metadata::new(2, &[40], std::ptr::null());
const ISR_ENTER: u8 = 4;
const EVTMARKER: u8 = 7;
const VALMARKER: u8 = 11;
const QUEUE_SEND: u8 = 102;

fn enter(rec: &tband_core::Recorder<fake::FakePort>, core: u32, ts: u64, id: u32) {
    // SAFETY: no string.
    unsafe { rec.emit::<Streaming, _>(ts, &rec.port().cores[core as usize], ISR_ENTER, U32(id)) }
}

#[test]
fn a_stream_contains_the_frequency_if_the_port_knows_it() {
    let rec = recorder(Sizes::default());
    assert_eq!(rec.start_streaming(10, 0, true), Ok(()));
    rec.stop_streaming();
    assert_eq!(decode(&rec.port().sent.take()), ["core_id@0 0"]);
    rec.port().frequency.set(7 << 32 | 25_000_000);
    assert_eq!(rec.start_streaming(20, 0, true), Ok(()));
    rec.stop_streaming();
    assert_eq!(decode(&rec.port().sent.take()), ["core_id@20 0", "ts_frequency@20 25000000 7"]);
    // A stream that continues has sent it before.
    assert_eq!(rec.start_streaming(30, 0, false), Ok(()));
    assert_eq!(decode(&rec.port().sent.take()), ["core_id@30 0"]);
}

#[test]
fn a_whole_session() {
    let rec = recorder(Sizes::default());
    let core = &rec.port().cores[0];
    enter(&rec, 0, 1, 1);
    assert!(rec.port().sent.borrow().is_empty(), "nothing is sent before the start");
    // SAFETY: no text.
    unsafe { rec.emit_metadata::<Streaming>(2, core, &RESOLUTION) };
    // SAFETY: NUL-terminated strings.
    unsafe { rec.emit_metadata::<Streaming>(3, core, &named(ISR_NAME, &[7], c"uart")) };

    assert_eq!(rec.start_streaming(10, 0, true), Ok(()));
    assert_eq!(rec.start_streaming(11, 0, true), Err(StartError::AlreadyActive));
    assert!(rec.is_recording() && !rec.finished() && !rec.core_finished(0));
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit::<Streaming, _>(20, core, QUEUE_SEND, U32U32(3, 0));
        rec.emit::<Streaming, _>(21, core, VALMARKER, U32S64(0, -5));
        rec.emit::<Streaming, _>(22, core, EVTMARKER, U32Str(1, c"hello".as_ptr().cast()));
        rec.emit::<Streaming, _>(23, core, EVTMARKER, U32Str(1, std::ptr::null()));
        rec.emit_metadata::<Streaming>(24, core, &named(ISR_NAME, &[8], c"dma"));
    }
    assert!(rec.stop_streaming());
    assert!(!rec.stop_streaming());
    enter(&rec, 0, 30, 1);
    assert!(rec.finished() && rec.core_finished(0));

    assert_eq!(
        decode(&rec.port().sent.borrow()),
        [
            "core_id@0 0",
            "ts_resolution_ns 40",
            "isr_name 7 \"uart\"",
            "core_id@0 0",
            "queue_send@20 3 0",
            "valmarker@21 0 -5",
            "evtmarker@22 1 \"hello\"",
            "evtmarker@23 1 \"\"",
            "isr_name 8 \"dma\"",
        ]
    );

    // A later start sends the names again, and time does not step back.
    rec.port().sent.borrow_mut().clear();
    assert_eq!(rec.start_streaming(40, 0, true), Ok(()));
    enter(&rec, 0, 41, 2);
    rec.stop_streaming();
    assert_eq!(rec.start_streaming(50, 0, false), Ok(()));
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        [
            "core_id@40 0",
            "ts_resolution_ns 40",
            "isr_name 7 \"uart\"",
            "isr_name 8 \"dma\"",
            "core_id@40 0",
            "isr_enter@41 2",
            // The stream continues, with the objects that exist by then.
            "core_id@50 0",
            "ts_resolution_ns 40",
            "isr_name 7 \"uart\"",
            "isr_name 8 \"dma\"",
            "core_id@50 0",
        ]
    );
}

#[test]
fn recordings_describe_themselves_without_any_call() {
    let mut rec = recorder(Sizes { metadata: 0, ..Sizes::default() });
    rec.port_mut().info.trace_info = &[1, 1, 0];
    rec.port_mut().info.build_id = c"v7".as_ptr().cast();
    assert_eq!(rec.start_streaming(10, 0, true), Ok(()));
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        ["core_id@0 0", "ts_resolution_ns 40", "trace_info 1 1 0", "build_id \"v7\""]
    );
    rec.port().sent.borrow_mut().clear();
    rec.send_trace_info::<External>(1, &rec.port().cores[0]);
    rec.port_mut().info.trace_info = &[];
    rec.send_trace_info::<External>(1, &rec.port().cores[0]);
    assert_eq!(decode(&rec.port().sent.borrow()), ["trace_info 1 1 0", "build_id \"v7\""]);
}

#[test]
fn full_metadata_buffers_are_reported() {
    let rec = recorder(Sizes { metadata: 16, ..Sizes::default() });
    let core = &rec.port().cores[0];
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit_metadata::<Streaming>(1, core, &named(ISR_NAME, &[1], c"12345")); // 9 bytes
        rec.emit_metadata::<Streaming>(2, core, &named(ISR_NAME, &[2], c"1234")); // 8: one too many
        rec.emit_metadata::<Streaming>(3, core, &named(ISR_NAME, &[3], c"123")); // 7: fits exactly
        rec.emit_metadata::<Streaming>(4, core, &named(ISR_NAME, &[4], c"")); // 4: no room at all
    }
    assert_eq!(rec.metadata_dropped(0), 2);
    assert_eq!(rec.metadata(0).1, 16);
    rec.start_streaming(10, 0, true).expect("starts");
    // SAFETY: NUL-terminated strings.
    unsafe { rec.emit_metadata::<Streaming>(11, core, &named(ISR_NAME, &[5], c"x")) };
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        [
            "core_id@0 0",
            "isr_name 1 \"12345\"",
            "isr_name 3 \"123\"",
            "core_id@0 0",
            "metadata_dropped 0 2 28",
            "isr_name 5 \"x\"",
        ]
    );
}

#[test]
fn what_the_port_refuses_is_counted() {
    let rec = recorder(Sizes::default());
    let core = &rec.port().cores[0];
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit_metadata::<Streaming>(1, core, &named(ISR_NAME, &[1], c"a"));
        rec.emit_metadata::<Streaming>(1, core, &named(ISR_NAME, &[2], c"b"));
    }
    rec.start_streaming(5, 0, true).expect("starts");
    rec.port().sent.borrow_mut().clear();
    rec.port().refuse.set(true);
    // Three events, one of which is a metadata event.
    enter(&rec, 0, 6, 1);
    enter(&rec, 0, 7, 1);
    // SAFETY: NUL-terminated strings.
    unsafe { rec.emit_metadata::<Streaming>(8, core, &named(ISR_NAME, &[3], c"c")) };
    assert_eq!(rec.dropped(), 3);
    rec.port().refuse.set(false);
    enter(&rec, 0, 9, 4);
    enter(&rec, 0, 10, 5);
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        ["dropped_evt_cnt@9 3", "isr_enter@9 4", "isr_enter@10 5"]
    );
}

/// A port that takes nothing for a while, and then everything.
#[test]
fn a_start_that_the_port_refuses_can_be_tried_again() {
    for plain in [false, true] {
        for refused in 0..8 {
            let mut rec = recorder(Sizes { cores: 2, ..Sizes::default() });
            rec.port_mut().info.trace_info = &[1, 1, 0];
            let name = named(ISR_NAME, &[1], c"a");
            // SAFETY: a NUL-terminated string.
            unsafe { rec.emit_metadata::<Streaming>(1, &rec.port().cores[1], &name) };
            rec.port().refuse_after.set(Some(refused));
            let start = || match plain {
                true => rec.start_plain_streaming(0, true),
                false => rec.start_streaming(7, 0, true),
            };
            let pieces = if plain { 3 } else { 5 };
            if refused < pieces {
                for _ in 0..3 {
                    assert_eq!(start(), Err(StartError::Dropped));
                    assert!(!rec.is_recording() && rec.finished());
                    enter(&rec, 0, 8, 8);
                }
                rec.port().sent.borrow_mut().clear();
                rec.port().refuse_after.set(None);
            }
            assert_eq!(start(), Ok(()), "{refused} pieces taken");
            rec.port().refuse_after.set(None);
            enter(&rec, 0, 9, 9);
            let info = ["ts_resolution_ns 40", "trace_info 1 1 0"];
            let expected = [
                &["core_id@0 1", "isr_name 1 \"a\"", "core_id@0 0"][..],
                if plain { &[] } else { &info },
                &["isr_enter@9 9"],
            ];
            assert_eq!(decode(&rec.port().sent.borrow()), expected.concat());
            assert_eq!(rec.dropped(), 0, "nothing is lost that was sent again");
        }
    }
}

/// A refused start may have sent core ids. A restart, which sends no metadata, must not rely on them.
#[test]
fn a_restart_after_a_refused_start_records_the_core() {
    let rec = recorder(Sizes { cores: 2, ..Sizes::default() });
    let name = named(ISR_NAME, &[1], c"a");
    // SAFETY: a NUL-terminated string.
    unsafe { rec.emit_metadata::<Streaming>(1, &rec.port().cores[1], &name) };
    rec.start_plain_streaming(0, true).expect("starts");
    rec.stop_streaming();
    rec.port().refuse_after.set(Some(1)); // core 1 is reported, its names are refused
    assert_eq!(rec.start_plain_streaming(0, true), Err(StartError::Dropped));
    rec.port().refuse_after.set(None);
    rec.port().sent.borrow_mut().clear();
    rec.start_plain_streaming(0, false).expect("starts");
    enter(&rec, 0, 9, 9);
    assert_eq!(decode(&rec.port().sent.borrow()), ["core_id@9 0", "isr_enter@9 9"]);
}

#[test]
fn the_drop_count_is_sent_first_and_after_every_n_events() {
    for every in [1_u32, 2, 50] {
        let rec = recorder(Sizes { drop_cnt_every: every, ..Sizes::default() });
        rec.start_streaming(0, 0, false).expect("starts");
        rec.port().sent.borrow_mut().clear();
        for ts in 0..200 {
            enter(&rec, 0, ts, 1);
        }
        let mut since = every;
        for event in decode(&rec.port().sent.borrow()) {
            if event.starts_with("dropped_evt_cnt") {
                assert_eq!(since, every);
                since = 0;
            } else {
                since += 1;
                assert!(since <= every);
            }
        }
    }
}

#[test]
fn cores_that_share_a_stream_are_distinguished() {
    let rec = recorder(Sizes { cores: 3, ..Sizes::default() });
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit_metadata::<Streaming>(1, &rec.port().cores[2], &named(ISR_NAME, &[1], c"c2"))
    };
    rec.start_streaming(5, 1, true).expect("starts");
    for (core, ts) in [(1, 10), (1, 11), (0, 12), (2, 13), (2, 14), (1, 15)] {
        enter(&rec, core, ts, core);
    }
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        [
            "core_id@0 2",
            "isr_name 1 \"c2\"",
            "core_id@0 1",
            "isr_enter@10 1",
            "isr_enter@11 1",
            "core_id@12 0",
            "isr_enter@12 0",
            "core_id@13 2",
            "isr_enter@13 2",
            "isr_enter@14 2",
            "core_id@15 1",
            "isr_enter@15 1",
        ]
    );
    rec.stop_streaming();
    assert!(rec.core_finished(3), "a core that does not exist is never inside an event");
}

#[test]
fn a_refused_core_change_drops_the_event_and_is_tried_again() {
    let rec = recorder(Sizes { cores: 2, ..Sizes::default() });
    rec.start_streaming(5, 0, false).expect("starts");
    rec.port().refuse.set(true);
    enter(&rec, 1, 10, 1);
    rec.port().refuse.set(false);
    enter(&rec, 1, 11, 2);
    assert_eq!(
        decode(&rec.port().sent.borrow()),
        ["core_id@0 0", "core_id@11 1", "dropped_evt_cnt@11 1", "isr_enter@11 2"]
    );
}

#[test]
fn the_external_backend_is_always_on() {
    let rec = recorder(Sizes::default());
    let core = &rec.port().cores[0];
    // SAFETY: NUL-terminated strings.
    unsafe {
        rec.emit::<External, _>(1, core, ISR_ENTER, U32(0));
        rec.emit_metadata::<External>(2, core, &named(ISR_NAME, &[1], c"n"));
    }
    assert_eq!(decode(&rec.port().sent.borrow()), ["isr_enter@1 0", "isr_name 1 \"n\""]);
    let flags: Vec<bool> = rec.port().calls.borrow().iter().map(|call| call.1).collect();
    assert_eq!(flags, [false, true]);
}

/// Metadata has no time, so a drop count that is due waits for the next event that has one, which reports
/// all losses. Each needs the lock, which is free afterwards.
#[test]
fn metadata_waits_for_no_drop_count_and_leaves_the_lock_free() {
    let session = |external: bool, refuse_first: bool| {
        let rec = recorder(Sizes { cores: 2, drop_cnt_every: 1, ..Sizes::default() });
        if !external {
            rec.start_streaming(5, 0, false).expect("starts");
        }
        rec.port().sent.borrow_mut().clear();
        for (core, ts) in [(0, 10), (1, 11), (1, 12)] {
            let core = &rec.port().cores[core];
            rec.port().refuse.set(refuse_first && ts == 10);
            let name = named(ISR_NAME, &[7], c"x");
            // SAFETY: NUL-terminated strings.
            unsafe {
                if external {
                    rec.emit_metadata::<External>(ts, core, &name);
                } else {
                    rec.emit_metadata::<Streaming>(ts, core, &name);
                }
            }
            assert!(!rec.port().locked.get(), "locked after metadata at {ts}");
        }
        // SAFETY: no text.
        unsafe {
            let core = &rec.port().cores[1];
            if external {
                rec.emit::<External, _>(13, core, ISR_ENTER, U32(1));
            } else {
                rec.emit::<Streaming, _>(13, core, ISR_ENTER, U32(1));
            }
        }
        decode(&rec.port().sent.borrow())
    };
    let rest = |dropped| {
        ["core_id@11 1", "isr_name 7 \"x\"", "isr_name 7 \"x\""]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("dropped_evt_cnt@13 {dropped}"), "isr_enter@13 1".to_owned()])
            .collect::<Vec<_>>()
    };
    let first = ["isr_name 7 \"x\"".to_owned()];
    let own_core = ["core_id@10 0".to_owned()];
    assert_eq!(session(false, false), [&first[..], &rest(0)].concat());
    assert_eq!(session(true, false), [&own_core[..], &first, &rest(0)].concat());
    for external in [false, true] {
        assert_eq!(session(external, true), rest(1));
    }
}

/// Dropped events are reported at the start of the next recording, however often counts are sent
/// otherwise.
#[test]
fn a_new_recording_begins_with_what_was_dropped_before() {
    for every in 0..4 {
        for dropped in 0..4 {
            let rec = recorder(Sizes { drop_cnt_every: every, ..Sizes::default() });
            rec.start_streaming(1, 0, false).expect("starts");
            rec.port().refuse.set(true);
            (0..dropped).for_each(|_| enter(&rec, 0, 2, 1));
            rec.port().refuse.set(false);
            rec.stop_streaming();
            rec.port().sent.borrow_mut().clear();
            rec.start_streaming(3, 0, false).expect("starts");
            enter(&rec, 0, 4, 1);
            let reported = ((every | dropped) != 0).then(|| format!("dropped_evt_cnt@4 {dropped}"));
            let expected = [Some("core_id@3 0".into()), reported, Some("isr_enter@4 1".into())];
            let expected: Vec<String> = expected.into_iter().flatten().collect();
            assert_eq!(decode(&rec.port().sent.borrow()), expected, "{every} {dropped}");
        }
    }
}

/// An event inside an event is refused by the code that notices it, and counted.
#[test]
fn refused_events_are_counted_and_reported() {
    let rec = recorder(Sizes::default());
    rec.start_streaming(1, 0, false).expect("starts");
    let core = &rec.port().cores[0];
    core.refuse(false);
    assert_eq!((rec.dropped(), rec.metadata_dropped(0)), (1, 0));
    core.refuse(true);
    assert_eq!((rec.dropped(), rec.metadata_dropped(0)), (2, 1));
    enter(&rec, 0, 4, 1);
    let expected = ["core_id@0 0", "dropped_evt_cnt@4 2", "isr_enter@4 1"];
    assert_eq!(decode(&rec.port().sent.borrow()), expected);
}

/// A recording has finished once it is off and no core is inside an event.
#[test]
fn a_core_inside_an_event_is_waited_for() {
    let rec = recorder(Sizes { cores: 2, ..Sizes::default() });
    rec.start_streaming(5, 0, false).expect("starts");
    let state = |rec: &tband_core::Recorder<fake::FakePort>| {
        (rec.finished(), rec.core_finished(0), rec.core_finished(1))
    };
    assert!(rec.enter(&rec.port().cores[1]));
    assert_eq!(state(&rec), (false, false, false));
    rec.stop_streaming();
    assert_eq!(state(&rec), (false, true, false));
    rec.exit(&rec.port().cores[1]);
    assert_eq!(state(&rec), (true, true, true));
    // A core that only names an object while recording is off delays no other core.
    assert!(!rec.enter(&rec.port().cores[1]));
    assert_eq!(state(&rec), (true, true, true));
}

/// Cores are counted from 0, so the first that does not exist has the number of cores.
#[test]
fn the_core_after_the_last_does_not_exist() {
    let rec = recorder(Sizes { cores: 2, ..Sizes::default() });
    for core in [2, 3, u32::MAX] {
        assert_eq!(rec.metadata_dropped(core), 0);
        assert_eq!(rec.metadata(core), (std::ptr::null(), 0));
        assert!(rec.core_finished(core));
        assert_eq!(rec.snapshot(core), (std::ptr::null(), 0));
    }
}

proptest! {
    /// The events received plus those dropped equal those produced, whatever the port refuses and when;
    /// and a drop count that gets through is correct.
    #[test]
    fn nothing_is_lost_uncounted(
        refused in proptest::collection::vec(any::<bool>(), 1..300),
        every in 0_u32..6,
        cores in 1_usize..4,
    ) {
        let rec = recorder(Sizes { cores, drop_cnt_every: every, ..Sizes::default() });
        rec.start_streaming(0, 0, false).expect("starts");
        rec.port().sent.borrow_mut().clear();
        for (index, &refuse) in refused.iter().enumerate() {
            rec.port().refuse.set(refuse);
            enter(&rec, (index * 7 % cores) as u32, index as u64, 1);
        }
        let events = decode(&rec.port().sent.borrow());
        let received = events.iter().filter(|event| event.starts_with("isr_enter")).count();
        prop_assert_eq!(received + rec.dropped() as usize, refused.len());

        // Each count is that of the events refused before it.
        for event in &events {
            if let Some(rest) = event.strip_prefix("dropped_evt_cnt@") {
                let (ts, count) = rest.split_once(' ').expect("ts and count");
                let before = refused[..ts.parse::<usize>().unwrap()].iter().filter(|&&r| r).count();
                prop_assert_eq!(count.parse::<usize>().unwrap(), before);
            }
        }
    }

    /// Of any text of any length the first bytes up to the NUL are recorded.
    #[test]
    fn strings_are_cut(text in proptest::collection::vec(1_u8.., 0..700), max_str_len in 1_u32..600) {
        let rec = recorder(Sizes { max_str_len, ..Sizes::default() });
        rec.start_streaming(0, 0, false).expect("starts");
        rec.port().sent.borrow_mut().clear();
        // Not NUL-terminated where it is longer than what may be read.
        let mut memory = text.clone();
        if text.len() < max_str_len as usize {
            memory.push(0);
        }
        // SAFETY: readable to its NUL or for `max_str_len` bytes.
        unsafe {
            let shape = U32Str(0, memory.as_ptr());
            rec.emit::<Streaming, _>(1, &rec.port().cores[0], EVTMARKER, shape);
        }
        let cut = &text[..text.len().min(max_str_len as usize)];
        let expected = format!("evtmarker@1 0 {:?}", tband_format::Str(cut));
        prop_assert_eq!(decode(&rec.port().sent.borrow()), [expected]);
    }
}
