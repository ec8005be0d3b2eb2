//! Entries are read as they were written.

use tband_format::{Event, Str};

use super::*;
use crate::gaps::Break;

/// An entry as it is expected: core, offset, length, time and event; or a break.
fn shown(out: &Output) -> Vec<String> {
    let show = |record: Record<'_>| {
        let len = match &record {
            Record::Event(event) => event.len,
            Record::Other(entry) => entry.len,
        };
        let place = format!("{} {} {len}", record.core(), record.at());
        match record.decode(out) {
            Some(Decoded { ts, event }) => format!("{place} {ts:?} {event:?}"),
            None => place,
        }
    };
    out.iter().map(show).collect()
}

fn without_record(out: &Output) -> usize {
    out.iter().filter(|record| matches!(record, Record::Other(_))).count()
}

#[test]
fn events_of_any_time_core_and_text_are_read_as_written() {
    let times = [5, 5, 4, 5 << 32, (5 << 32) + 9, u64::MAX, 0, u32::MAX.into(), 1 << 32, 7];
    let texts = ["", "a", "timer", &"x".repeat(255), &"y".repeat(256), &"z".repeat(70_000)];
    let (mut out, mut expected) = (Output::default(), Vec::new());
    for (number, ts) in times.into_iter().enumerate() {
        let core = [0, 0, 3, 255, 256, u32::MAX][number % 6];
        for text in texts {
            let (pieces, name) = (text.split_at(text.len() / 2), Str(text.as_bytes()));
            let timed = Event::Evtmarker { evtmarker_id: 9, msg: name };
            let untitled = Event::Evtmarker { evtmarker_id: 9, msg: Str(b"") };
            let metadata = Event::IsrName { isr_id: 1, name };
            let plain = Event::QueueSend { queue_id: u32::MAX, len_after: 0 };
            out.timed(core, ts, &timed);
            out.timed_pieces(core, ts, &untitled, &[pieces.0, pieces.1]);
            out.metadata(core, &metadata);
            out.timed(core, ts, &plain);
            for (ts, event) in
                [(Some(ts), timed), (Some(ts), timed), (None, metadata), (Some(ts), plain)]
            {
                expected.push(format!("{core} 0 0 {ts:?} {event:?}"));
            }
        }
    }
    assert_eq!(shown(&out), expected);
    assert_eq!(out.count(), expected.len());
    // A cursor follows while entries are appended, and memory is used again.
    let mut cursor = Cursor::default();
    while cursor.next(&out).is_some() {}
    out.timed(2, 1, &Event::LowPowerIdleEnd {});
    assert_eq!(cursor.next(&out).map(|record| record.core()), Some(2));
    assert!(!cursor.has_next(&out));
    out.clear();
    assert!(out.is_empty() && shown(&out).is_empty());
    out.timed(0, 5, &Event::LowPowerIdleEnd {});
    assert_eq!(shown(&out), ["0 0 0 Some(5) LowPowerIdleEnd"]);
}

/// One time that is earlier, or far, has no record; those after it have one.
#[test]
fn only_a_far_time_or_place_has_no_record() {
    let mut out = Output::default();
    for ts in [1, 2, 1, 2, 1 << 40, 1 + (1 << 40), u64::MAX, u64::MAX] {
        out.timed(0, ts, &Event::IsrEnter { isr_id: 1 });
    }
    assert_eq!(without_record(&out), 3);
    out.clear();
    for len in [1, 2, 70_000, 3, 4] {
        out.timed(0, 1, &Event::IsrEnter { isr_id: 1 });
        out.end_record(len);
    }
    assert_eq!(without_record(&out), 1);
    let places = ["0 0 0", "0 1 1", "0 3 69999", "0 70003 2", "0 70006 3"];
    let event = " Some(1) IsrEnter { isr_id: 1 }";
    assert_eq!(shown(&out), places.map(|place| format!("{place}{event}")));
}

#[test]
fn the_first_entry_has_the_length_of_its_record() {
    let mut out = Output::default();
    let event = Event::IsrEnter { isr_id: 1 };
    for (count, len) in [(1, 255), (2, 256), (0, 10), (3, 257), (1, 2)] {
        (0..count).for_each(|_| out.timed(0, 1, &event));
        assert_eq!(out.is_record_empty(), count == 0);
        out.end_record(len);
    }
    // Times that need no record of their own, and a break with its own length.
    out.timed(0, 1 << 50, &event);
    out.timed(0, 1 << 50, &event);
    out.end_record(1000);
    out.broken(1, Break::Cut, 3, 8);
    out.timed(0, 1 << 50, &event);
    out.end_record(5);
    let lens: Vec<String> =
        shown(&out).iter().map(|it| it.split(' ').take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lens,
        [
            "0 0 254",
            "0 255 255",
            "0 255 0",
            "0 521 256",
            "0 521 0",
            "0 521 0",
            "0 778 1",
            "0 780 999",
            "0 780 0",
            "1 1777 8",
            "0 1780 0"
        ]
    );
}

#[test]
fn entries_of_kept_bytes_have_the_places_of_these() {
    let mut out = Output::default();
    let event = Event::IsrEnter { isr_id: 1 };
    out.begin_call();
    for before in [100, 60, 20] {
        out.begin_kept(before);
        out.timed(0, 1, &event);
        out.timed(0, 1, &event);
        out.end_kept(40);
        out.begin_kept(before);
        out.end_kept(3);
        assert!(!out.is_record_empty());
    }
    out.end_call(0);
    assert!(out.is_record_empty());
    out.timed(0, 1, &event);
    out.end_call(9);
    let places = ["-100 40", "-100 0", "-60 40", "-60 0", "-20 40", "-20 0", "0 8"];
    let event = " Some(1) IsrEnter { isr_id: 1 }";
    assert_eq!(shown(&out), places.map(|place| format!("0 {place}{event}")));
    assert_eq!(without_record(&out), 1);
}

#[test]
fn entries_that_a_reader_does_not_want_are_skipped_at_once() {
    let is_unwanted = |id| id != 9;
    let (mut out, mut cursor) = (Output::default(), Cursor::default());
    let (send, receive) = (
        Event::QueueSend { queue_id: 1, len_after: 0 },
        Event::QueueReceive { queue_id: 1, len_after: 0 },
    );
    let append = |out: &mut Output, cores: &[u32]| {
        out.begin_call();
        for (core, ts) in cores.iter().zip(out.count() as u64..) {
            out.timed(*core, ts, &send);
            out.timed(*core, ts, &receive);
        }
    };
    append(&mut out, &[0, 0, 0]);
    assert!(out.has_only(0, is_unwanted) && !out.has_only(1, is_unwanted));
    assert!(!out.has_only(0, |id| id != send.id()) && !out.has_only(0, |id| id != receive.id()));
    // Another core begins, and stays.
    append(&mut out, &[1, 1]);
    assert!(!out.has_only(1, is_unwanted));
    append(&mut out, &[1, 1]);
    assert!(out.has_only(1, is_unwanted));
    // A time that is far from the one before has no record.
    out.timed(1, u64::MAX, &send);
    assert!(!out.has_only(1, is_unwanted));
    out.begin_call();
    out.broken(1, Break::Start, 0, 0);
    assert!(!out.has_only(1, is_unwanted));
    // The position at the end is that which is reached entry by entry.
    while cursor.next(&out).is_some() {}
    out.timed(1, 0, &receive);
    let mut end = Cursor::at_end(&out);
    let next = cursor.next(&out).map(|record| format!("{record:?}"));
    assert!(next.is_some() && !end.has_next(&out));
    out.timed(1, 8, &receive);
    assert_eq!(format!("{:?}", end.next(&out)), format!("{:?}", cursor.next(&out)));
}
