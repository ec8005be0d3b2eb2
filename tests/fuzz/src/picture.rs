//! The report's picture: what it packs can be read, lies in the recording, and is what the statistics say.

use serde_json::Value;
use tband_conv::sinks::Stats;
use tband_conv::{Input, convert};
use tband_report::Picture;

use crate::setup::Setup;

/// Stretches that a picture of a case may have beside one of each lane: some cases have more.
const MAX_STRETCHES: usize = 200;

/// Converts to a picture of all, and to one of a few stretches.
///
/// # Panics
/// If something does not hold.
pub fn is_sound(setup: &Setup, inputs: &[Input<'_>], stats: &Stats, is_converted: bool) {
    let pictured = |mut picture: Picture| {
        let done = convert(inputs, &setup.options, &mut picture);
        assert_eq!(done.is_ok(), is_converted, "converted for one sink and for another");
        done.is_ok().then_some(picture)
    };
    if let Some(picture) = pictured(Picture::default()) {
        let read = Read::of(&picture);
        assert_eq!(picture.head()["merged_below_ns"], 0, "nothing is left out");
        let had = stats.tasks().map(|task| i128::from(task.run_ns + task.interrupted_ns));
        assert_eq!(read.ran, had.sum::<i128>(), "tasks ran, in the picture and in the statistics");
    }
    if let Some(picture) = pictured(Picture::with_at_most(MAX_STRETCHES)) {
        let read = Read::of(&picture);
        // Those of the conversion's end come beside, one a lane.
        assert!(read.stretches <= 2 * MAX_STRETCHES + 2 * read.lanes, "{read:?}");
    }
}

/// What is in a picture.
#[derive(Debug, Default)]
struct Read {
    lanes: usize,
    stretches: usize,
    /// Time that tasks ran, in ns.
    ran: i128,
}

impl Read {
    /// Reads as the page does.
    fn of(picture: &Picture) -> Self {
        let head = picture.head();
        let list = |of: &Value, key: &str| of[key].as_array().expect("a list").clone();
        let ns = |key: &str| head[key].as_str().and_then(|it| it.parse().ok()).expect("a time");
        let (start, end): (i64, i64) = (ns("start_ns"), ns("end_ns"));
        let length = u64::try_from(i128::from(end) - i128::from(start)).expect("an end behind it");
        let texts = list(head, "texts");
        let mut bytes = picture.bytes();
        let mut read = Self::default();
        for row in list(head, "rows") {
            for lane in list(&row, "lanes") {
                read.lanes += 1;
                let (kind, count) = (&lane[0], lane[1].as_u64().expect("a count"));
                let before = bytes.len();
                let mut at = 0_u64;
                for _ in 0..count {
                    at += varint(&mut bytes);
                    let len = varint(&mut bytes);
                    at += len;
                    let value = varint(&mut bytes);
                    if kind != "levels" {
                        let text = &texts[usize::try_from(value).expect("a text's number")];
                        let ran = row["kind"] == "task" && text[0] == "running";
                        read.ran += if ran { i128::from(len) } else { 0 };
                    }
                    read.stretches += 1;
                }
                assert!(at <= length, "{at} of {length}: {row}");
                assert_eq!(lane[2], before - bytes.len(), "{row}");
            }
        }
        assert!(bytes.is_empty(), "{} bytes of no lane", bytes.len());
        read
    }
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
