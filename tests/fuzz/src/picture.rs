//! The report's timeline: its packed form can be read, is within the recording, and equals the statistics.

use std::collections::BTreeMap;

use serde_json::Value;
use tband_conv::sinks::Stats;
use tband_conv::{Input, convert};
use tband_report::timeline::ReportTimeline;

use crate::setup::Setup;

/// Slices that a picture of a case may have beside some of each lane: some cases have more.
const MAX_SLICES: usize = 200;

/// Converts to a picture of all, and to one of a few slices.
///
/// # Panics
/// If something does not hold.
pub fn is_sound(setup: &Setup, inputs: &[Input<'_>], stats: &Stats, is_converted: bool) {
    let pictured = |mut picture: ReportTimeline| {
        let done = convert(inputs, &setup.options, &mut picture);
        assert_eq!(done.is_ok(), is_converted, "converted for one sink and for another");
        done.is_ok().then_some(picture)
    };
    let had = stats.tasks().map(|task| i128::from(task.run_ns)).sum::<i128>();
    let Some(all) = pictured(ReportTimeline::default()) else { return };
    let read = TimelineContent::of(&all);
    assert_eq!(all.left_out().aggregates, 0, "nothing is left out");
    assert_eq!(read.ran, had, "tasks ran, in the picture and in the statistics");
    if let Some(few) = pictured(ReportTimeline::with_at_most(MAX_SLICES)) {
        let fewer = TimelineContent::of(&few);
        // The slices at the conversion's end are added, one per lane; and each lane keeps some in any case.
        assert!(fewer.slices <= 2 * MAX_SLICES + 6 * fewer.lanes, "{fewer:?}");
        let left_out = few.left_out();
        assert_eq!(left_out.kept + left_out.aggregated, read.slices as u64, "{left_out:?}");
        assert_eq!(fewer.ran, had, "tasks ran, in a picture of aggregates too");
        assert_eq!(fewer.busy, read.busy, "time of each class");
        assert_eq!(fewer.levels, read.levels, "least and greatest levels");
        assert_eq!(fewer.uses, read.uses, "slices of each text");
    }
}

/// Content of a timeline.
#[derive(Debug, Default)]
struct TimelineContent {
    lanes: usize,
    /// Slices and aggregates.
    slices: usize,
    /// Time that tasks ran, in ns.
    ran: i128,
    /// Time of each class on each lane, in ns.
    busy: BTreeMap<(String, usize, String), u64>,
    /// Least and greatest level of each lane.
    levels: BTreeMap<String, (i128, i128)>,
    /// How many slices have a class and words.
    uses: BTreeMap<(String, String), u64>,
}

impl TimelineContent {
    /// Reads as the page does.
    fn of(picture: &ReportTimeline) -> Self {
        let head: Value = serde_json::from_str(picture.head_text()).expect("JSON");
        let list = |of: &Value, key: &str| of[key].as_array().expect("a list").clone();
        let ns = |key: &str| head[key].as_str().and_then(|it| it.parse().ok()).expect("a time");
        let (start, end): (i64, i64) = (ns("start_ns"), ns("end_ns"));
        let length = u64::try_from(i128::from(end) - i128::from(start)).expect("an end after it");
        let texts = list(&head, "texts");
        let mut bytes = picture.bytes();
        let mut read = Self::default();
        for text in &texts {
            let key = (text[0].to_string(), text[1].to_string());
            *read.uses.entry(key).or_default() += text[2].as_u64().expect("a number of slices");
        }
        for row in list(&head, "rows") {
            for (number, lane) in list(&row, "lanes").iter().enumerate() {
                read.lanes += 1;
                let before = bytes.len();
                let key = format!("{} {} {} {number}", row["group"], row["name"], row["id"]);
                let at = read.lane(&mut bytes, (&key, number, lane), &texts);
                assert!(at <= length, "{at} of {length}: {row}");
                assert_eq!(lane[2], before - bytes.len(), "{row}");
            }
        }
        assert!(bytes.is_empty(), "{} bytes of no lane", bytes.len());
        let running = read.busy.iter().filter(|((_, _, class), _)| class == "running");
        read.ran = running.map(|(_, time)| i128::from(*time)).sum();
        read
    }

    /// Reads a lane; gives the time at which it ends.
    fn lane(
        &mut self,
        bytes: &mut &[u8],
        (key, number, lane): (&str, usize, &Value),
        texts: &[Value],
    ) -> u64 {
        let (kind, count) = (lane[0].as_str(), lane[1].as_u64().expect("a count"));
        let classes = lane[3].as_array().expect("classes").iter();
        let classes: Vec<&str> = classes.map(|it| it.as_str().expect("a class")).collect();
        let (mut at, mut left, mut is_aggregates) = (0, count, false);
        // Of slices, not of aggregates.
        let mut class_of: Vec<Option<&str>> = Vec::new();
        while left > 0 {
            let run = varint(bytes);
            assert!(run <= left && (run > 0 || left == count), "runs of {key}");
            left -= run;
            for _ in 0..run {
                self.slices += 1;
                at += varint(bytes);
                let length = varint(bytes);
                at += length;
                let value = if kind == Some("reals") { real(bytes) } else { varint(bytes) };
                let slices = if is_aggregates { varint(bytes) } else { 1 };
                assert!(!is_aggregates || slices > 1, "an aggregate of one: {key}");
                let mut add = |class: &str, time: u64| {
                    if time > 0 {
                        *self
                            .busy
                            .entry((key.to_owned(), number, class.to_owned()))
                            .or_default() += time;
                    }
                };
                class_of.push(None);
                match kind {
                    Some("reals") => {
                        let last = f64::from_bits(value);
                        let mut beside =
                            || if is_aggregates { f64::from_bits(real(bytes)) } else { last };
                        let (low, high) = (beside(), beside());
                        assert!(low <= last && last <= high, "{low} {last} {high}: {key}");
                        // As integers in the same order.
                        let ordered = |real: f64| {
                            let bits = i128::from(real.to_bits() & (u64::MAX >> 1));
                            if real.is_sign_negative() { -bits } else { bits }
                        };
                        let (low, high) = (ordered(low), ordered(high));
                        let level = self.levels.entry(key.to_owned()).or_insert((low, high));
                        *level = (level.0.min(low), level.1.max(high));
                    }
                    Some("levels") => {
                        let last = i128::from(value >> 1) ^ -i128::from(value & 1);
                        let mut margin =
                            || if is_aggregates { i128::from(varint(bytes)) } else { 0 };
                        let (low, high) = (last - margin(), last + margin());
                        let level = self.levels.entry(key.to_owned()).or_insert((low, high));
                        *level = (level.0.min(low), level.1.max(high));
                    }
                    Some("slices") if is_aggregates => {
                        let longest = varint(bytes);
                        let times: Vec<u64> = classes.iter().map(|_| varint(bytes)).collect();
                        let sum = times.iter().sum::<u64>();
                        assert!(
                            longest <= sum && sum <= length,
                            "{longest} of {times:?} in {length}: {key}"
                        );
                        classes.iter().zip(times).for_each(|(class, time)| add(class, time));
                    }
                    _ => {
                        let text = &texts[usize::try_from(value).expect("a text's number")];
                        // Moments last no time, but aggregates of them do.
                        let time = if is_aggregates { 0 } else { length };
                        let class = text[0].as_str().expect("a class");
                        add(class, time);
                        if let Some(last) = class_of.last_mut() {
                            *last = Some(class);
                        }
                    }
                }
            }
            is_aggregates = !is_aggregates;
        }
        // What interrupts took of a slice is time of another class.
        let mut place = 0;
        for _ in 0..lane[4].as_u64().expect("a number of interrupted slices") {
            place += usize::try_from(varint(bytes)).expect("a place");
            let time = varint(bytes);
            let class = class_of[place].expect("a slice is interrupted, and no aggregate");
            let mut lane_key = (key.to_owned(), number, class.to_owned());
            let had = self.busy.get_mut(&lane_key).expect("the time of the slice");
            *had = had.checked_sub(time).expect("interrupts take at most the slice's time");
            if *had == 0 {
                self.busy.remove(&lane_key);
            }
            lane_key.2 = if class == "idle" { "idle_isr" } else { "isr" }.to_owned();
            if time > 0 {
                *self.busy.entry(lane_key).or_default() += time;
            }
        }
        at
    }
}

fn real(bytes: &mut &[u8]) -> u64 {
    let (first, rest) = bytes.split_first_chunk().expect("a whole number");
    *bytes = rest;
    u64::from_le_bytes(*first)
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().expect("a whole number");
        *bytes = rest;
        value |= u64::from(first & 0x7F) << shift;
        if *first < 0x80 {
            break;
        }
    }
    value
}
