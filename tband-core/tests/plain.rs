//! Recordings in Tonbandgerät's way: no description at the start, metadata counts for the periodic count of
//! dropped events, which may precede it, and events count while recording is off.

mod fake;

use fake::{FakePort, Sizes, bytes, decode, named, recorder};
use tband_core::emit::U32;
use tband_core::snapshot::NotStarted;
use tband_core::{Backend, External, Recorder, Snapshot, Streaming};

const ISR_NAME: u8 = 3;
const ISR_ENTER: u8 = 4;

/// A drop count after every three events.
const EVERY: u32 = 3;

fn plain(cores: usize) -> Recorder<FakePort> {
    recorder(Sizes { cores, drop_cnt_every: EVERY, ..Sizes::default() })
}

fn enter<B: Backend>(rec: &Recorder<FakePort>, core: usize, ts: u64) {
    // SAFETY: no string.
    unsafe { rec.emit::<B, _>(ts, &rec.port().cores[core], ISR_ENTER, U32(1)) }
}

/// Names an interrupt like the shim; returns whether the name was sent.
fn name<B: Backend>(rec: &Recorder<FakePort>, core: usize, ts: u64) -> bool {
    let core = &rec.port().cores[core];
    let may = rec.may_send_metadata::<B>(ts, core);
    if may {
        // SAFETY: a NUL-terminated string.
        unsafe { rec.send_metadata::<B>(ts, core, &named(ISR_NAME, &[9], c"n").with_text_of(20)) };
    }
    may
}

/// A drop count before the first event, and of each third from there, whatever they are.
fn assert_alternating<B: Backend>(rec: &Recorder<FakePort>) {
    for ts in [10, 20, 30, 40] {
        enter::<B>(rec, 0, ts);
        assert!(name::<B>(rec, 0, ts + 1));
    }
}

const ALTERNATING: [&str; 11] = [
    "dropped_evt_cnt@10 0",
    "isr_enter@10 1",
    "isr_name 9 \"n\"",
    "isr_enter@20 1",
    "dropped_evt_cnt@21 0",
    "isr_name 9 \"n\"",
    "isr_enter@30 1",
    "isr_name 9 \"n\"",
    "dropped_evt_cnt@40 0",
    "isr_enter@40 1",
    "isr_name 9 \"n\"",
];

#[test]
fn metadata_counts_for_the_periodic_drop_count() {
    let rec = plain(1);
    rec.start_plain_streaming(0, false).expect("starts");
    assert_alternating::<Streaming>(&rec);
    assert_eq!(decode(&rec.port().sent.borrow()), ALTERNATING);

    let rec = plain(1);
    assert_eq!(rec.trigger_plain_snapshot(), Ok(()));
    assert_eq!(rec.trigger_plain_snapshot(), Err(NotStarted));
    assert_alternating::<Snapshot>(&rec);
    assert!(rec.stop_snapshot());
    assert_eq!(decode(&bytes(rec.snapshot(0))), ALTERNATING);

    // Nothing starts this one.
    let rec = plain(1);
    assert_alternating::<External>(&rec);
    assert_eq!(decode(&rec.port().sent.borrow()), ALTERNATING);
}

/// The lock of the stream is free again when the drop count is sent and the name is not yet.
#[test]
fn the_name_after_a_drop_count_may_be_of_another_core() {
    for external in [false, true] {
        let rec = plain(2);
        if external {
            assert!(name::<External>(&rec, 0, 5));
            assert!(name::<External>(&rec, 1, 6));
        } else {
            rec.start_plain_streaming(0, false).expect("starts");
            assert!(name::<Streaming>(&rec, 0, 5));
            assert!(name::<Streaming>(&rec, 1, 6));
        }
        assert!(!rec.port().locked.get());
        assert_eq!(
            decode(&rec.port().sent.borrow()),
            [
                "core_id@5 0",
                "dropped_evt_cnt@5 0",
                "isr_name 9 \"n\"",
                "core_id@6 1",
                "dropped_evt_cnt@6 0",
                "isr_name 9 \"n\"",
            ]
        );
    }
}

#[test]
fn nothing_follows_a_drop_count_that_is_refused() {
    let rec = plain(1);
    rec.start_plain_streaming(0, false).expect("starts");
    rec.port().refuse.set(true);
    assert!(!name::<Streaming>(&rec, 0, 5));
    rec.port().refuse.set(false);
    assert!(name::<Streaming>(&rec, 0, 6));
    assert_eq!(decode(&rec.port().sent.borrow()), ["dropped_evt_cnt@6 1", "isr_name 9 \"n\""]);
}

#[test]
fn nothing_is_sent_while_recording_is_off() {
    let rec = plain(1);
    assert!(!name::<Streaming>(&rec, 0, 1));
    assert!(!name::<Snapshot>(&rec, 0, 1));
    assert!(rec.port().sent.borrow().is_empty());
}

/// Returns where the drop counts are in a stream that starts after `passed` events: the first event since
/// reset has a count, which is not sent, and so has each third one from there.
#[test]
fn what_is_not_recorded_counts_for_the_next_recording() {
    for passed in 0..8_usize {
        let rec = plain(1);
        for _ in 0..passed {
            rec.port().cores[0].pass(EVERY);
        }
        rec.start_plain_streaming(0, false).expect("starts");
        for ts in 0..7 {
            enter::<Streaming>(&rec, 0, ts);
        }
        let counted = |index: usize| index.is_multiple_of(EVERY as usize);
        let expected: Vec<String> = (0..7)
            .flat_map(|ts| {
                let count = counted(passed + ts).then(|| format!("dropped_evt_cnt@{ts} 0"));
                count.into_iter().chain([format!("isr_enter@{ts} 1")])
            })
            .collect();
        assert_eq!(decode(&rec.port().sent.borrow()), expected, "{passed}");
    }
}

/// Without a period a drop count is only sent if there are losses to report.
#[test]
fn without_a_period_a_drop_count_reports_losses_only() {
    for lost in [false, true] {
        let rec = recorder(Sizes::default());
        if lost {
            rec.port().cores[0].refuse(false);
        }
        rec.port().cores[0].pass(0);
        assert_eq!(rec.trigger_plain_snapshot(), Ok(()));
        enter::<Snapshot>(&rec, 0, 1);
        assert!(rec.stop_snapshot());
        let expected = ["dropped_evt_cnt@1 1", "isr_enter@1 1"];
        assert_eq!(decode(&bytes(rec.snapshot(0))), expected[usize::from(!lost)..]);
    }
}

/// Another core is inside an event, or tests whether recording is on.
#[test]
fn a_start_waits_for_no_core_but_does_not_overtake_one() {
    let rec = plain(2);
    assert_eq!(rec.trigger_plain_snapshot(), Ok(()));
    assert!(rec.enter(&rec.port().cores[1]));
    assert!(rec.stop_snapshot());
    assert_eq!(rec.trigger_plain_snapshot(), Err(NotStarted));
    assert!(!rec.reset_snapshot());
    rec.exit(&rec.port().cores[1]);
    assert!(rec.reset_snapshot());
    assert_eq!(rec.trigger_plain_snapshot(), Ok(()));
}
