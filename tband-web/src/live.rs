//! State of a growing recording: counters, the numbers of its last second, and a timeline of its last time.

use serde_json::{Value, json};
use tband_app::live::{LiveRecording, StopEvent};
use tband_conv::sinks::{Recent, RollingStats, Stats};
use tband_report::time_unit::TimeUnit;
use tband_report::timeline::ReportTimeline;
use tband_report::top::{self, Column, Row};

/// Time that the numbers are of, and after which they are renewed, in ns.
const WINDOW: i64 = 1_000_000_000;
const STEP: i64 = WINDOW / 2;
/// Time that the picture has, in ns; it may be twice as much.
const SHOWN: i64 = 10_000_000_000;
/// Maximum number of slices of the timeline: the page reads all of them each time that it draws it.
const MAX_SLICES: usize = 1 << 16;

type Pictures = Recent<ReportTimeline, fn() -> ReportTimeline>;

/// A recording that is fed as it grows.
pub struct LivePage {
    followed: LiveRecording<(RollingStats, Pictures)>,
    error: Option<String>,
    bytes: u64,
    /// The numbers of the last finished window, until they are read.
    last: Option<Stats>,
}

impl LivePage {
    /// One that has not begun.
    #[must_use]
    pub fn new() -> Self {
        let make: fn() -> ReportTimeline = || ReportTimeline::with_at_most(MAX_SLICES);
        let sinks = (RollingStats::new(WINDOW, STEP), Recent::new(SHOWN, make));
        Self {
            followed: LiveRecording::new("live", StopEvent::default(), sinks),
            error: None,
            bytes: 0,
            last: None,
        }
    }

    /// Takes received bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        let Self { followed, last, .. } = self;
        let fed = followed.feed_with(bytes, |(windows, _)| {
            *last = windows.take().last().map(|closed| closed.stats).or(last.take());
        });
        if let Err(error) = fed {
            self.error = Some(tband_report::messages::error(&error).1);
        }
    }

    /// Returns the current state, as an object of numbers.
    #[must_use]
    pub fn counters(&self) -> Value {
        let bytes = self.bytes;
        if !self.followed.is_followed() {
            return json!({"bytes": bytes, "error": self.error});
        }
        let counts = self.followed.counts();
        json!({
            "bytes": bytes,
            "events": counts.events,
            "time_unit": counts.time_unit.name(),
            "last_ns": counts.last_ns,
            "tasks": counts.tasks,
            "cores": counts.cores,
            "switches": counts.switches,
            "interrupts": counts.interrupts,
            "lost": counts.lost,
            "damaged": counts.damaged,
        })
    }

    /// Returns the same as a JSON text, with `picture`, the head of the timeline of the last 10 s or more, and `tables` of the
    /// last second, if they are new. The second value is the timeline's slices. Without an event there are none of these.
    pub fn look(&mut self) -> (String, Vec<u8>) {
        let unit = self.followed.counts().time_unit;
        let mut answer = self.counters();
        answer["tables"] = self.last.take().map_or(Value::Null, |stats| tables(&stats, unit));
        let mut text = answer.to_string();
        let Some(picture) = self.picture() else { return (text, Vec::new()) };
        // The head is text already, and long: it is put in as it is.
        text.pop();
        text.push_str(",\"picture\":");
        text.push_str(picture.head_text());
        text.push('}');
        (text, picture.bytes().to_vec())
    }

    fn picture(&mut self) -> Option<ReportTimeline> {
        let (world, (_, recent)) = self.followed.parts()?;
        let (picture, end_ns) = recent.current()?;
        Some(picture.until(&world, end_ns))
    }
}

impl Default for LivePage {
    fn default() -> Self {
        Self::new()
    }
}

/// The tables of `top`, those that have rows: title, columns (`[title, is a number]`) and rows of texts.
fn tables(stats: &Stats, unit: TimeUnit) -> Value {
    let all = |_: &str| true;
    let tables: [(&str, &[Column], Vec<Row>); 4] = [
        ("Cores", &top::CORES, top::cores(stats, unit)),
        ("Tasks", &top::TASKS, top::tasks(stats, unit, all, |_| {})),
        ("Queues, semaphores, mutexes", &top::QUEUES, top::queues(stats, unit, all)),
        ("Interrupts", &top::ISRS, top::isrs(stats, unit, all)),
    ];
    let table = |(title, columns, rows): &(&str, &[Column], Vec<Row>)| {
        let columns: Vec<_> = columns.iter().map(|it| json!([it.title, it.is_right])).collect();
        let rows: Vec<_> = rows.iter().map(|row| json!(row.cells)).collect();
        json!({"title": title, "columns": columns, "rows": rows})
    };
    tables.iter().filter(|(.., rows)| !rows.is_empty()).map(table).collect()
}

#[cfg(test)]
mod tests {
    use tband_recordings::project;

    use super::*;

    fn look(live: &mut LivePage) -> (Value, Vec<u8>) {
        let (text, slices) = live.look();
        (serde_json::from_str(&text).unwrap(), slices)
    }

    #[test]
    fn shows_events_as_they_arrive() {
        let mut live = LivePage::new();
        let (nothing, slices) = look(&mut live);
        assert_eq!((&nothing["picture"], &nothing["tables"]), (&Value::Null, &Value::Null));
        assert_eq!((nothing["events"].as_u64(), slices.len()), (Some(0), 0));
        let mut ends = Vec::new();
        let demo = project::bytes("tests/pictures/demo.bin");
        for piece in demo.chunks(demo.len() / 3 + 1) {
            live.feed(piece);
            let (answer, slices) = look(&mut live);
            let picture = &answer["picture"];
            let lanes = picture["rows"].as_array().unwrap().iter();
            let lanes = lanes.flat_map(|row| row["lanes"].as_array().unwrap());
            let bytes: u64 = lanes.map(|lane| lane[2].as_u64().unwrap()).sum();
            assert!(bytes > 0 && bytes == slices.len() as u64);
            let end: i64 = picture["end_ns"].as_str().unwrap().parse().unwrap();
            assert_eq!(answer["last_ns"], end);
            ends.push(end);
        }
        assert!(ends.is_sorted() && ends.first() < ends.last(), "{ends:?}");
        assert!(live.counters()["switches"].as_u64() > Some(10));
    }

    /// The page draws the tasks of another recorder as its bytes come.
    #[test]
    fn a_recording_of_another_recorder_is_shown_as_it_comes() {
        let mut live = LivePage::new();
        let bytes = project::bytes("tband-import/tests/heads/systemview.bin");
        for piece in bytes.chunks(100) {
            live.feed(piece);
        }
        let (answer, slices) = look(&mut live);
        assert!(answer["picture"].to_string().contains("Sensor"), "{answer}");
        assert!(answer["tasks"].as_u64() > Some(2) && !slices.is_empty(), "{answer}");
    }

    #[test]
    fn reports_data_that_is_not_a_recording() {
        let mut live = LivePage::new();
        for _ in 0..200 {
            live.feed(&[0x55; 1000]);
        }
        let (answer, slices) = look(&mut live);
        assert!(slices.is_empty() && answer["bytes"] == 200_000, "{answer}");
    }
}
