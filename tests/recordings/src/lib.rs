//! Recordings for tests: made by hand, at random, or by other implementations; and the references for them: the timeline as
//! text, as facts, and as the tables of Perfetto's own engine.
//!
//! Every fault here is a failed test, so it panics.

pub mod agrees;
pub mod boards;
pub mod cases;
pub mod converted;
pub mod described;
pub mod engine;
pub mod facts;
pub mod fed;
pub mod inputs;
pub mod packed;
pub mod project;
pub mod random;
pub mod records;
pub mod rows;
pub mod set_up;
pub mod zip;

use std::path::{Path, PathBuf};

use tband_format::{Event, Str, encode_frame, max_frame_len};

pub use converted::{assert_timeline, on_core_ns, timeline_of, trace_of};
pub use engine::{Engine, TempFile};

/// The frame of one event; the time of metadata is not written.
#[must_use]
pub fn frame(ts: u64, event: Event<'_>) -> Vec<u8> {
    let mut frame = vec![0; max_frame_len(&event, ts)];
    let len = encode_frame(&event, ts, &mut frame).expect("room for the longest frame");
    frame.truncate(len);
    frame
}

/// The frames of events with their times.
#[must_use]
pub fn frames(events: &[(u64, Event<'_>)]) -> Vec<u8> {
    events.iter().flat_map(|(ts, event)| frame(*ts, *event)).collect()
}

/// A recording of two tasks, and of this many events after their names.
#[must_use]
pub fn repeated(count: u64, event: impl Fn(u64) -> (u64, Event<'static>)) -> Vec<u8> {
    (0..count)
        .fold(two_tasks(), |it, n| {
            let (ts, event) = event(n);
            it.at(ts, event)
        })
        .0
}

/// A recording made event by event.
#[derive(Clone, Debug, Default)]
pub struct Recording(pub Vec<u8>);

impl Recording {
    /// Adds an event with its timestamp in ticks.
    #[must_use]
    pub fn at(mut self, ts: u64, event: Event<'_>) -> Self {
        self.0.extend(frame(ts, event));
        self
    }

    /// Adds a metadata event.
    #[must_use]
    pub fn meta(self, event: Event<'_>) -> Self {
        assert!(event.is_metadata());
        self.at(0, event)
    }

    /// Adds any bytes.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

/// A text as events carry it.
#[must_use]
pub const fn str(text: &str) -> Str<'_> {
    Str(text.as_bytes())
}

/// The folder of recordings that another implementation made, with what they decode to.
#[must_use]
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

/// The bytes of one of these.
#[must_use]
pub fn vector(name: &str) -> Vec<u8> {
    let path = vectors().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The start of a recording: ticks of 10 ns, tasks 1 and 2 by the names of a and b.
#[must_use]
pub fn two_tasks() -> Recording {
    Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 10 })
        .meta(Event::TaskName { task_id: 1, name: str("a") })
        .meta(Event::TaskName { task_id: 2, name: str("b") })
}
