//! The tick count.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_recordings::{timeline_of, two_tasks};

/// With `configUSE_16_BIT_TICKS` the tick count wraps; where its width is not known yet nothing false is reported.
#[test]
fn a_tick_count_of_16_bits_wraps() {
    let ticks = |counts: &[u32]| {
        let at = (1..).zip(counts);
        let recording = at.fold(two_tasks(), |it, (ts, &tick_count)| {
            it.at(ts * 100, TickIncrement { tick_count })
        });
        let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let count = |line: &str| line.split_once("tick count ").map(|it| it.1.parse().unwrap());
        text.lines().filter_map(count).collect::<Vec<u32>>()
    };
    assert_eq!(ticks(&[65_533, 65_534, 65_535, 0, 1]), [65_534, 65_535, 1, 2]);
    assert_eq!(ticks(&[65_535, 0, 1, 65_534, 65_535, 0]), [1, 2, 65_535, 0, 1]);
    assert_eq!(ticks(&[65_534, 65_535, 65_536]), [65_535, 65_537]);
    assert_eq!(ticks(&[70_000, 65_535, 65_536]), [70_001, 65_536, 65_537]);
    // The kernel makes up for ticks.
    let jumps = two_tasks()
        .at(1, TickIncrement { tick_count: 65_500 })
        .at(2, TickCountIncrease { ticks: 100 })
        .at(3, TickIncrement { tick_count: 65 });
    let (text, _) = timeline_of(&[Input::from_bytes("r", &jumps.0)], &Options::default());
    assert!(!text.contains("tick count 65601") && text.contains("tick count 66"), "{text}");
}
