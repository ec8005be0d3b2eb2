//! What is known of a recording while it comes in: counters, the numbers of its last second, and a picture of its last
//! time.

use serde_json::{Value, json};
use tband_conv::sinks::{Recent, Rolling, Stats};
use tband_conv::timeline::{At, Change, Sink, TaskState, World};
use tband_conv::{Conversion, Mode, Options, Severity};
use tband_report::Picture;
use tband_report::top::{self, Column, Row};

/// Time that the numbers are of, and after which they are renewed, in ns.
const WINDOW: i64 = 1_000_000_000;
const STEP: i64 = WINDOW / 2;
/// Time that the picture has, in ns; it may be twice as much.
const SHOWN: i64 = 10_000_000_000;
/// Slices of the picture: the page reads all of them anew each time that it draws it.
const MAX_SLICES: usize = 1 << 16;

/// Counts what happens.
#[derive(Debug, Default)]
struct Counters {
    switches: u64,
    interrupts: u64,
    lost: u64,
    damaged: u64,
}

impl Sink for Counters {
    fn change(&mut self, _: &World, _: At, change: &Change<'_>) -> std::io::Result<()> {
        let count = match change {
            Change::TaskState { to: TaskState::Running(_), .. } => &mut self.switches,
            Change::IsrEnter(_) => &mut self.interrupts,
            Change::Finding(finding) => {
                let count = match finding.problem.severity() {
                    Severity::Note => return Ok(()),
                    Severity::Loss => &mut self.lost,
                    Severity::Damage => &mut self.damaged,
                };
                *count = count.saturating_add(finding.amount);
                return Ok(());
            }
            _ => return Ok(()),
        };
        *count = count.saturating_add(1);
        Ok(())
    }
}

type Pictures = Recent<Picture, fn() -> Picture>;
type Sinks = (Counters, (Rolling, Pictures));

/// A recording that is fed as it comes.
pub struct Live {
    conversion: Option<Conversion<Sinks>>,
    error: Option<String>,
    bytes: u64,
    /// The numbers of the last window that has ended, until they were looked at.
    last: Option<Stats>,
}

impl Live {
    /// One that has not begun.
    #[must_use]
    pub fn new() -> Self {
        let mut options = Options::default();
        options.mode = Mode::Auto;
        let make: fn() -> Picture = || Picture::with_at_most(MAX_SLICES);
        let sinks = (Counters::default(), (Rolling::new(WINDOW, STEP), Recent::new(SHOWN, make)));
        let conversion = Conversion::new([("live", 0)], &options, sinks);
        Self { error: None, conversion: conversion.ok(), bytes: 0, last: None }
    }

    /// Takes what has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        let Some(conversion) = &mut self.conversion else { return };
        let fed = conversion.feed_all(bytes);
        if let Some((_, (windows, _))) = conversion.sink() {
            self.last = windows.take().last().map(|closed| closed.stats).or(self.last.take());
        }
        if let Err(error) = fed {
            self.error = Some(tband_report::messages::error(&error).1);
            self.conversion = None;
        }
    }

    /// What is known by now, as an object of numbers.
    pub fn counters(&mut self) -> Value {
        let bytes = self.bytes;
        let Some(conversion) = &mut self.conversion else {
            return json!({"bytes": bytes, "error": self.error});
        };
        let progress = conversion.progress();
        let (tasks, cores) = conversion
            .world()
            .map_or((0, 0), |world| (world.tasks.iter().count(), world.cores.len()));
        let counters =
            conversion.sink().map(|(it, _)| (it.switches, it.interrupts, it.lost, it.damaged));
        let (switches, interrupts, lost, damaged) = counters.unwrap_or_default();
        json!({
            "bytes": bytes,
            "events": progress.events,
            "last_ns": progress.last_ns,
            "tasks": tasks,
            "cores": cores,
            "switches": switches,
            "interrupts": interrupts,
            "lost": lost,
            "damaged": damaged,
        })
    }

    /// The same with `picture`, the head of the picture of the last 10 s or more, and `tables` of the last second, if they
    /// are new. The second value is the picture's slices. Without an event there are none of these.
    pub fn look(&mut self) -> (Value, Vec<u8>) {
        let mut answer = self.counters();
        answer["tables"] = self.last.take().map_or(Value::Null, |stats| tables(&stats));
        let Some(picture) = self.picture() else { return (answer, Vec::new()) };
        answer["picture"] = picture.head();
        (answer, picture.bytes().to_vec())
    }

    fn picture(&mut self) -> Option<Picture> {
        // What is known of the target is borrowed beside the sink.
        let conversion = self.conversion.as_mut()?;
        let world = conversion.world()?.clone();
        let (_, (_, recent)) = conversion.sink()?;
        let (picture, end_ns) = recent.shown()?;
        Some(picture.until(&world, end_ns))
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

/// The tables of `top`, those that have rows: title, columns (`[title, is a number]`) and rows of texts.
fn tables(stats: &Stats) -> Value {
    let all = |_: &str| true;
    let tables: [(&str, &[Column], Vec<Row>); 4] = [
        ("Cores", &top::CORES, top::cores(stats)),
        ("Tasks", &top::TASKS, top::tasks(stats, all, |_| {})),
        ("Queues, semaphores, mutexes", &top::QUEUES, top::queues(stats, all)),
        ("Interrupts", &top::ISRS, top::isrs(stats, all)),
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
    use super::*;

    const DEMO: &[u8] = include_bytes!("../../tests/pictures/demo.bin");

    #[test]
    fn what_came_is_shown_as_it_comes() {
        let mut live = Live::new();
        let (nothing, slices) = live.look();
        assert_eq!((&nothing["picture"], &nothing["tables"]), (&Value::Null, &Value::Null));
        assert_eq!((nothing["events"].as_u64(), slices.len()), (Some(0), 0));
        let mut ends = Vec::new();
        for piece in DEMO.chunks(DEMO.len() / 3 + 1) {
            live.feed(piece);
            let (answer, slices) = live.look();
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

    #[test]
    fn what_is_no_recording_is_said() {
        let mut live = Live::new();
        for _ in 0..200 {
            live.feed(&[0x55; 1000]);
        }
        let (answer, slices) = live.look();
        assert!(slices.is_empty() && answer["bytes"] == 200_000, "{answer}");
    }
}
