//! Metadata: when it is kept and sent, and the behaviour without room for it.

use tband_tests::c::Firmware;
use tband_tests::events::{assert_events, lines};

use crate::{
    EXTERNAL, NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, PLAIN_STREAM, SNAPSHOT,
    STREAMING, TWO_CORES, number,
};

#[test]
fn metadata_is_kept_always_and_sent_while_recording() {
    let output = Firmware::new("metadata", PLAIN_STREAM).run(&[]);
    let mark = output.windows(2).position(|bytes| bytes == [0xFF, 0]).expect("the mark");
    let (kept, stream) = (&output[..mark], &output[mark + 2..]);
    let names = [
        "- isr_name isr_id=1 name=\"before\"",
        "- evtmarker_name evtmarker_id=2 name=\"while\"",
        "- valmarker_name valmarker_id=3 name=\"after\"",
    ];
    assert_events(kept, &names);
    assert_events(
        stream,
        &[
            "0 core_id core_id=0",
            names[0],
            "0 core_id core_id=0",
            names[1],
            "0 core_id core_id=0",
            names[0],
            names[1],
            names[2],
            "0 core_id core_id=0",
        ],
    );
}

#[test]
fn without_a_buffer_metadata_is_only_sent() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(NO_METADATA_BUF);
    let output = Firmware::new("metadata", &config).run(&[]);
    assert_events(
        output.strip_prefix(&[0xFF, 0]).expect("nothing was kept"),
        &["- evtmarker_name evtmarker_id=2 name=\"while\""],
    );
}

const STORED: [&str; 3] = [
    "- isr_name isr_id=1 name=\"abc\"",
    "- isr_name isr_id=2 name=\"abc\"",
    "- isr_name isr_id=4 name=\"ab\"",
];

/// Metadata lost in that time is in the recording itself, so the next one reports it.
const REPORTED: [&str; 2] =
    ["- metadata_dropped core_id=0 cnt=2 size_needed=31", "- isr_name isr_id=6 name=\"x\""];

#[test]
fn overflow_is_counted_and_reported_in_a_stream() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(("tband_configMETADATA_BUF_SIZE", "20"));
    let stream = Firmware::new("metadata_overflow", &config).run(&[]);
    let core = ["0 core_id core_id=0"];
    assert_events(&stream, &[&core, &STORED[..], &core, &REPORTED].concat());
}

#[test]
fn overflow_is_counted_and_reported_in_a_snapshot() {
    let config =
        [SNAPSHOT, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT, ("tband_configMETADATA_BUF_SIZE", "20")];
    let snapshot = Firmware::new("metadata_overflow", &config).run(&[]);
    assert_events(&snapshot, &[&STORED[..], &REPORTED[..]].concat());
}

#[test]
fn the_overflow_count_saturates() {
    let mut config = PLAIN_STREAM.to_vec();
    config.push(("tband_configMETADATA_BUF_SIZE", "1"));
    let stream = Firmware::new("metadata_overflow", &config).run(&[]);
    let [core, dropped] = &lines(&stream)[..] else { panic!("two events") };
    assert_eq!(core, "0 core_id core_id=0");
    // The largest size that a buffer may have.
    let expected = "- metadata_dropped core_id=0 cnt=65535 size_needed=65535";
    assert_eq!(dropped, expected);
}

/// A text that changes while it is copied, before every read: each byte is read once, within its bound.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn changing_texts_stay_within_their_bounds() {
    for (backend, size) in [(SNAPSHOT, "33"), (STREAMING, "35"), (EXTERNAL, "200")] {
        let config = [
            backend,
            NO_TRACE_INFO,
            NO_PERIODIC_DROP_CNT,
            ("tband_configMETADATA_BUF_SIZE", size),
            ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "40"),
        ];
        // Whatever cannot be decoded panics here.
        let events = lines(&Firmware::new("changing_name", &config).run(&[]));
        assert!(events[0].starts_with("- isr_name isr_id=1 name=\"fixed\""), "{events:?}");
        for event in events.iter().filter(|event| event.contains('"')) {
            let text = event.split('"').nth(1).expect("a text");
            assert!(text.len() <= 20, "{event}");
            let is_of_text = |(at, byte)| byte == b'x' || byte == b'a' + (at % 26) as u8;
            assert!(text == "fixed" || text.bytes().enumerate().all(is_of_text), "{event}");
        }
    }
}

/// Names of what lives are in the numbers of the C program; which of them each recording begins with.
fn living(events: &[String]) -> Vec<String> {
    let of = |event: &String| {
        let (kind, id) = match event.split(' ').nth(1)? {
            "task_name" => ("task", "task_id"),
            "queue_name" => ("queue", "queue_id"),
            _ => return None,
        };
        let name = event.split('"').nth(1)?;
        Some(format!("{kind} {} {name}", number(event, id)))
    };
    let mut all: Vec<_> = events.iter().filter_map(of).collect();
    all.sort();
    all
}

fn expected_living(numbers: &[u64]) -> Vec<String> {
    let of = |&number: &u64| {
        let kind = if number % 3 == 0 { "task" } else { "queue" };
        let name = &"semaphore_of_a_long_name"[((number - 1) % 23) as usize..];
        format!("{kind} {number} {}", &name[..name.len().min(20)])
    };
    let mut all: Vec<_> = numbers.iter().map(of).collect();
    all.sort();
    all
}

/// The objects that the C program has at the end of its loop.
fn living_numbers() -> [u64; 6] {
    let (mut random, mut last, mut living) = (1_u32, 0, [0; 6]);
    while last < 1_000_000 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        last += 1;
        living[(random >> 16) as usize % 6] = last;
    }
    living
}

/// However often other metadata is stored between the steps of a search, it ends.
#[test]
fn a_search_that_is_disturbed_all_the_time_ends() {
    for size in ["16384", "20000"] {
        let config = [STREAMING, NO_PERIODIC_DROP_CNT, ("tband_configMETADATA_BUF_SIZE", size)];
        let _ = Firmware::new("starving_names", &config).run(&[]);
    }
}

#[test]
fn a_million_objects_later_every_recording_begins_with_what_exists() {
    let mut numbers = living_numbers();
    let first = expected_living(&numbers);
    numbers[0] = 1_000_001;
    let second = expected_living(&numbers);
    let third_begins = second.clone();
    numbers[1] = 1_000_002;
    let third = expected_living(&numbers);

    for more in [&[][..], &[TWO_CORES]] {
        let config = [&[SNAPSHOT, NO_PERIODIC_DROP_CNT][..], more].concat();
        let output = Firmware::new("living", &config).run(&[]);
        let parts: Vec<_> = split_at_marks(&output).map(lines).collect();
        if more.is_empty() {
            assert_eq!(living(&parts[0]), first);
            assert_eq!(living(&parts[1]), second);
            let mut both = [third_begins.clone(), third.clone()].concat();
            both.sort();
            assert_eq!(living(&parts[2]), both);
        }
        let kept = |name: &str| parts[0].iter().any(|event| event.contains(name));
        assert!(kept("isr_name isr_id=0 name=\"stays\""));

        let config = [&[STREAMING, NO_PERIODIC_DROP_CNT][..], more].concat();
        let events = lines(&Firmware::new("living", &config).run(&[]));
        let mut all = [first.clone(), second.clone(), third.clone()].concat();
        all.sort();
        assert_eq!(living(&events), all, "{more:?}");
    }
}

/// The pieces between the marks `FF 00` that the program writes.
pub fn split_at_marks(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(output);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let mark = bytes.windows(3).position(|bytes| bytes == [0, 0xFF, 0]);
        rest = mark.map(|mark| &bytes[mark + 3..]);
        Some(&bytes[..mark.map_or(bytes.len(), |mark| mark + 1)])
    })
}
