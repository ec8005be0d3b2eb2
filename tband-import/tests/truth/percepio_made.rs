//! TraceRecorder's streams in other layouts than those that were recorded.

use tband_conv::diagnostics::Problem;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_import::format::InputFormat;
use tband_import::recognise::recognise;
use tband_import::recognised_format::Recognition;

use crate::made::{
    Layout, rewritten, ring_of, ring_of_two_cores, stamped, two_cores, with_unstated_words,
};
use crate::support::recording;

/// All events of a stream as text, without their places.
fn events(bytes: &[u8]) -> Vec<String> {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut all = Vec::new();
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        all.push(format!("{core} {event:?}"));
    }
    all
}

#[test]
fn each_layout_has_the_same_events() {
    let stream = recording("percepio/4.11-stream.psf");
    let original = events(&stream);
    assert!(original.len() > 3500);
    for (version, is_big, is_wide) in [
        (0x0A, false, false),
        (0x0A, true, true),
        (0x0B, true, false),
        (0x0C, false, true),
        (0x0D, false, true),
        (0x0E, true, true),
    ] {
        let layout = Layout { is_big, is_wide, version };
        let made = events(&rewritten(&stream, layout));
        let different = made.iter().zip(&original).find(|(made, original)| made != original);
        assert_eq!(different, None, "{layout:?}");
        assert_eq!(made.len(), original.len(), "{layout:?}");
    }
    let same = Layout { is_big: false, is_wide: false, version: 0x0E };
    assert_eq!(rewritten(&stream, same), stream);
    let big = recording("percepio/4.11-stream-big-endian-made.psf");
    let layout = Layout { is_big: true, is_wide: false, version: 0x0E };
    assert_eq!(rewritten(&stream, layout), big);
}

/// What contradicts is named, and what to do.
#[test]
fn unstated_words_of_64_bits_are_named() {
    let stream = recording("percepio/4.11-stream.psf");
    for (version, is_ring, why) in [
        (0x0A, false, "the lengths of its events count words of 32 bits"),
        (0x0C, false, "some events count words of 64 bits, those of others words of 32"),
        (0x0C, true, "some events count words of 64 bits, those of others words of 32"),
    ] {
        let made = with_unstated_words(&stream, version, is_ring);
        let Recognition::Is(found) = recognise(&made, true) else { panic!("{version:#x}") };
        assert_eq!(found.format, InputFormat::TraceRecorder);
        assert!(found.advice.starts_with(": its words have 64 bits, but its header means 32"));
        assert!(found.advice.contains(why), "{}", found.advice);
        assert!(
            found.advice.ends_with("record with TraceRecorder 4.8 or later, which states the size")
        );
        let mut events = EventReader::new(&made[..], 0, Mode::FreeRtos);
        let error = events.next_item().unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    for version in [0x0A, 0x0C, 0x0E] {
        for is_wide in [false, true] {
            let made = rewritten(&stream, Layout { is_big: true, is_wide, version });
            let Recognition::Is(found) = recognise(&made, true) else { panic!("{version:#x}") };
            assert_eq!(found.advice, "");
        }
    }
}

#[test]
fn each_core_has_its_own_events_and_losses() {
    let switches = |bytes: &[u8]| {
        let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
        let (mut switches, mut lost, mut before) = ([0, 0], Vec::new(), [0, 0]);
        while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
            let event = event.unwrap();
            let core = core as usize;
            if let Some(ts) = event.ts {
                assert!(ts >= before[core]);
                before[core] = ts;
            }
            match event.event {
                Event::TaskSwitchedIn { task_id } => {
                    assert_eq!((task_id >> 9 & 1) as usize, core);
                    switches[core] += 1;
                }
                Event::DroppedEvtCnt { cnt } => lost.push((core, cnt)),
                _ => {}
            }
        }
        (switches, lost, before)
    };
    let (all, lost, ends) = switches(&two_cores(0..0));
    assert_eq!((all, lost), ([4500, 4500], vec![]));
    assert_eq!(ends, [1000 + 8998 * 10, 1000 + 8999 * 10 - 15]);
    // The total is of both cores.
    let (some, lost, _) = switches(&two_cores(4000..4100));
    assert_eq!((some, lost), ([4450, 4450], vec![(0, 50), (1, 100)]));
}

/// Counters that rise or fall, and wrap.
#[test]
fn the_cores_of_a_ring_are_merged_by_time() {
    for kind in [1, 2] {
        let ring = ring_of_two_cores(kind, 200);
        let mut events = EventReader::new(&ring[..], 0, Mode::FreeRtos);
        let mut found = Vec::new();
        while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
            let event = event.unwrap();
            if let Event::TaskSwitchedIn { .. } = event.event {
                found.push((event.ts.unwrap(), core));
            }
        }
        let expected: Vec<_> =
            (0..400).map(|number| (0xFFFF_FF00 + number * 10, number as u32 % 2)).collect();
        assert_eq!(found, expected, "{kind}");
    }
}

/// The events of a core after its buffer was full are missing, while another core records on.
/// However many events that are not shown follow each other.
#[test]
fn events_after_many_silent_ones_are_read() {
    let switch = |core: u32, number: u32| (2 * number + core, core * 0x200 + number % 2 * 0x100);
    let ring = ring_of((1, 200), switch);
    let switches = |bytes: &[u8]| {
        let all = events(bytes);
        all.iter().filter(|event| event.contains("TaskSwitchedIn")).count()
    };
    assert_eq!(switches(&ring), 400);
    let codes = ring.windows(2).enumerate().filter(|(_, code)| *code == [0x37, 0x20]);
    let mut silent = ring.clone();
    for (number, (at, _)) in codes.enumerate() {
        // Nothing is shown of an event with this code.
        silent[at] = if number % 200 < 150 { 0x2E } else { 0x37 };
    }
    assert_eq!(switches(&silent), 100);
}

#[test]
fn a_core_ends_where_its_ring_is_full() {
    let ring = ring_of_two_cores(1, 50);
    let mut events = EventReader::new(&ring[..], 0, Mode::FreeRtos);
    let (mut switches, mut losses) = ([0, 0], Vec::new());
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        match event {
            Ok(event) => {
                let is_switch = matches!(event.event, Event::TaskSwitchedIn { .. });
                switches[core as usize] += i32::from(is_switch);
            }
            Err(loss) => losses.push((core, switches, loss.to_string())),
        }
    }
    assert_eq!(switches, [50, 200]);
    let text = "the buffer of this core was full here; its later events are missing";
    assert_eq!(losses, [(0, [50, 49], text.to_owned())]);
}

/// A task moves to another core when its own records nothing more, or at the same time as that core's task leaves.
#[test]
fn tasks_that_move_do_not_run_on_two_cores() {
    // Core 0 is full a little earlier than core 1, to which its last task moves.
    let moves = |core: u32, number: u32| match (core, number) {
        (0, _) => (2 * number, number % 2 * 0x100),
        (_, 196..) => (2 * number + 1, number % 2 * 0x100),
        _ => (2 * number + 1, 0x200 + number % 2 * 0x100),
    };
    let swaps = |core: u32, number: u32| (number, (core + number) % 2 * 0x100);
    let follows = |core: u32, number: u32| match core {
        0 => (2 * number + 1, [0x100, 0x200][number as usize % 2]),
        _ => (2 * number + 1, [0x300, 0x100][number as usize % 2]),
    };
    for (name, ring) in [
        ("moves", ring_of((1, 195), moves)),
        ("swaps", ring_of((1, 200), swaps)),
        ("follows", ring_of((1, 200), follows)),
    ] {
        let mut stats = Stats::default();
        let inputs = [Input::from_bytes("r", &ring)];
        let summary = convert(&inputs, &Options::default(), &mut stats).unwrap();
        let found = summary.diagnostics.get(Problem::TaskOnTwoCores);
        assert!(found.is_none(), "{name}: {found:?}");
        assert!(summary.events > 350, "{name}");
    }
}

/// The times of the switches, since the first one.
fn times(bytes: &[u8]) -> Vec<u64> {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut times = Vec::new();
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let event = event.unwrap();
        if matches!(event.event, Event::TaskSwitchedIn { .. }) {
            times.push(event.ts.unwrap());
        }
    }
    times.iter().map(|time| time - times[0]).collect()
}

/// Counters of 32 bits, which rise or fall and wrap; a pause may be nearly as long as the counter.
#[test]
fn times_follow_a_counter_over_its_wraps() {
    let pause = (1 << 32) - (1 << 20);
    let true_times =
        [0_u64, 0x180, 0x200, 0x200 + pause, 0x210 + pause, 0x210 + 2 * pause, 0x220 + 2 * pause];
    for (kind, sign) in [(1, 1_i64), (2, -1), (5, 1), (6, -1)] {
        let stamp = |time: &u64| ((0xFFFF_FF00 + time.cast_signed()) * sign) as u32;
        let stamps: Vec<_> = true_times.iter().map(|time| (stamp(time), None)).collect();
        assert_eq!(times(&stamped(kind, 0, &stamps)), true_times, "{kind}");
    }
}

/// Counters that start again with each tick of the kernel: a timestamp has the lower 8 bits of the tick count. Pauses of up to 255
/// ticks are known from these, longer ones from the reports of the count.
#[test]
fn times_follow_the_ticks_of_the_kernel() {
    const PERIOD: u64 = 25_000;
    let moments = [
        (0_u64, 10_u64, false),
        (0, 24_999, false),
        (1, 0, false),
        (256, 17, false),
        (300, 5, false),
        (2000, 0, true),
        (2000, 300, false),
        (2255, 1, false),
    ];
    for kind in [3, 4] {
        let stamp = |&(tick, count, is_report): &(u64, u64, bool)| {
            let count = if kind == 3 { count } else { PERIOD - 1 - count };
            let stamp = ((tick & 0xFF) << 24 | count) as u32;
            (stamp, is_report.then_some(tick as u32))
        };
        let stamps: Vec<_> = moments.iter().map(stamp).collect();
        let switches = moments.iter().filter(|(.., is_report)| !is_report);
        let expected: Vec<_> =
            switches.map(|(tick, count, _)| tick * PERIOD + count - 10).collect();
        assert_eq!(times(&stamped(kind, PERIOD as u32, &stamps)), expected, "{kind}");
    }
}

/// A stream of a platform: codes, words, and a text after them.
fn stream_of(platform: u16, events: &[(u16, &[u32], &str)]) -> Vec<u8> {
    let mut bytes = recording("percepio/4.11-stream.psf")[..72].to_vec();
    bytes[6..8].copy_from_slice(&platform.to_le_bytes());
    // No entry is in the table.
    bytes[60..64].fill(0);
    for (number, (code, words, text)) in events.iter().enumerate() {
        let mut data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if !text.is_empty() {
            data.extend(text.as_bytes());
            data.push(0);
            data.resize(data.len().next_multiple_of(4), 0);
        }
        let id = code | (data.len() as u16 / 4) << 12;
        bytes.extend(id.to_le_bytes());
        bytes.extend((number as u16).to_le_bytes());
        bytes.extend((100 * number as u32).to_le_bytes());
        bytes.extend(data);
    }
    bytes
}

/// The recorder of 4.7 and later has registered texts as channels and formats; codes of extensions begin after those of the kernel.
#[test]
fn registered_texts_and_extensions_have_their_names() {
    let stream = stream_of(
        0x1AA1,
        &[
            (0x03, &[0x1000], "Log"),
            (0x03, &[0x2000], "%d of %u"),
            (0x9A, &[0x1000, 0x2000, -3_i32 as u32, 7], ""),
            (0x9A, &[0x1000, 0x3000, 1, 2], ""),
            (0x03, &[0x4000], "Own"),
            (0xF1, &[0x4000, 1, 0xFD, 4], ""),
            (0xFE, &[5], ""),
            (0x100, &[], ""),
        ],
    );
    let all = events(&stream).join("\n");
    for text in ["Log", "-3 of 7", "format at 0x3000, 1, 2", "event 1, 0x5", "event 3", "Own"] {
        assert!(all.contains(text), "{text}: {all}");
    }
    assert!(!all.contains("channel at"), "{all}");
}

/// Each kernel's port has its own codes.
#[test]
fn kernels_have_their_own_codes() {
    let task: &[u32] = &[0x1000, 5];
    let of_freertos = stream_of(
        0x1AA1,
        &[
            (0x03, &task[..1], "Task"),
            (0x10, task, ""),
            (0x30, &task[..1], ""),
            (0x37, task, ""),
            (0x07, &[0x3000, 1], "Timer"),
            (0x33, &[0x3000], ""),
            (0x37, &task[..1], ""),
            (0x03, &[0x2000], "Log"),
            (0x92, &[0x2000, 8], "x %d"),
            (0xEE, &[0x4000, 0x5000], ""),
            (0x20, task, ""),
        ],
    );
    let of_bare_metal = stream_of(
        0x1FF1,
        &[
            (0x03, &task[..1], "Task"),
            (0x10, task, ""),
            (0x20, &task[..1], ""),
            (0x25, task, ""),
            (0x05, &[0x3000, 1], "Timer"),
            (0x21, &[0x3000], ""),
            (0x25, &task[..1], ""),
            (0x03, &[0x2000], "Log"),
            (0x52, &[0x2000, 8], "x %d"),
            (0x42, &[0x4000, 0x5000], ""),
            (0x11, task, ""),
        ],
    );
    let of_zephyr = stream_of(
        0x9AA9,
        &[
            (0x03, &task[..1], "Task"),
            // The size of the stack is in front of the priority.
            (0x10, &[0x1000, 2048, 122], ""),
            (0x30, &task[..1], ""),
            (0x37, task, ""),
            (0x07, &[0x3000, 1], "Timer"),
            (0x33, &[0x3000], ""),
            (0x37, &task[..1], ""),
            (0x03, &[0x2000], "Log"),
            (0x92, &[0x2000, 8], "x %d"),
            (0x172, &[0x4000, 0x5000], ""),
            (0x20, task, ""),
        ],
    );
    let expected = events(&of_freertos);
    for wanted in ["SwitchedIn", "IsrEnter", "IsrExit", "TaskDeleted", "x 8", "EvtmarkerBegin"] {
        assert!(expected.iter().any(|it| it.contains(wanted)), "{wanted}: {expected:#?}");
    }
    assert_eq!(events(&of_bare_metal), expected);
    assert_eq!(events(&of_zephyr), expected);
    // Codes of another kernel mean other events.
    let of_other = stream_of(0xEAAE, &[(0x03, &[0x1000], "Task"), (0x30, &[0x1000], "")]);
    assert!(!events(&of_other).iter().any(|it| it.contains("ToRdyState")));
}

/// With a stream for each core, the streams are joined one after the other, and the clock of each starts again.
#[test]
fn joined_streams_of_cores_have_the_same_clock() {
    let mut bytes = stream_of(0x1AA1, &[]);
    bytes[12..16].copy_from_slice(&0x0202_u32.to_le_bytes());
    let times = [0_u64, 3_000_000_000, 6_000_000_000, 9_000_000_000];
    for core in 0..2_u64 {
        for (number, time) in times.iter().enumerate() {
            let task = 0x1000 * (1 + core as u32) + 0x100 * (number as u32 % 2);
            bytes.extend(0x2037_u16.to_le_bytes());
            bytes.extend(((core as u16) << 12 | number as u16).to_le_bytes());
            bytes.extend(((time + core) as u32).to_le_bytes());
            bytes.extend([task, 1].iter().flat_map(|word| word.to_le_bytes()));
        }
    }
    let mut events = EventReader::new(&bytes[..], 0, Mode::FreeRtos);
    let mut found = [Vec::new(), Vec::new()];
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        let event = event.unwrap();
        if let Event::TaskSwitchedIn { .. } = event.event {
            found[core as usize].push(event.ts.unwrap());
        }
    }
    assert_eq!(found, [0, 1].map(|core| times.map(|time| time + core).to_vec()));
}
