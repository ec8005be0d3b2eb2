//! The memory of a query does not grow with the recording: that of Rust is counted by an allocator, that of the engine by
//! itself.

use std::io;

use rusqlite::ffi::{sqlite3_memory_highwater, sqlite3_memory_used};
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_fuzz::{PeakAlloc, peak_of};
use tband_query::{Layout, MEMORY, Query};
use tband_recordings::{frame, str, two_tasks};
use tband_tables::RecordingInfo;

#[global_allocator]
static RUST: PeakAlloc = PeakAlloc;

/// More rows than the engine keeps in memory, with different texts.
fn recording(turns: u64) -> Vec<u8> {
    let mut recording = two_tasks();
    for turn in 1..=turns {
        let text = format!("turn {turn} of a text that is as long as texts are");
        for (at, event) in [
            (1, Event::TaskSwitchedIn { task_id: 1 + (turn % 2) as u32 }),
            (2, Event::IsrEnter { isr_id: 3 }),
            (4, Event::IsrExit { isr_id: 3 }),
            (5, Event::Evtmarker { evtmarker_id: 1, msg: str(&text) }),
        ] {
            recording.0.extend(frame(100 * turn + at, event));
        }
    }
    recording.0
}

/// Most bytes that the engine has had since the last call.
fn peak_of_the_engine() -> usize {
    // SAFETY: both may be called at any time; they take nothing.
    let peak = unsafe {
        let peak = sqlite3_memory_highwater(1);
        assert!(sqlite3_memory_used() >= 0);
        peak
    };
    usize::try_from(peak).unwrap()
}

#[test]
fn memory_does_not_grow_with_the_recording() {
    let sql = "SELECT event, fields, ns - lag(ns) OVER (ORDER BY fields) AS d, \
               (SELECT median(end_ns - begin_ns) FROM states) AS m FROM events ORDER BY fields DESC, d";
    let mut measured = Vec::new();
    for turns in [45_000, 90_000] {
        let bytes = recording(turns);
        let inputs = [Input::from_bytes("r", &bytes)];
        peak_of_the_engine();
        let rust = peak_of(|| {
            let mut query = Query::prepare(sql).unwrap();
            query.add(&inputs, &Options::default(), &RecordingInfo::default()).unwrap();
            let rows = query.ask(Layout::Text, &mut io::sink()).unwrap();
            assert!(rows > 4 * turns);
        });
        measured.push((rust, peak_of_the_engine()));
    }
    let [short, long] = measured[..] else { unreachable!() };
    println!("Rust {}, then {}; the engine {}, then {} bytes", short.0, long.0, short.1, long.1);
    assert!(long.0 < short.0 + (2 << 20) && long.1 < short.1 + (4 << 20));
    assert!(long.0 < 32 << 20 && long.1 < MEMORY * 3 / 4);
}
