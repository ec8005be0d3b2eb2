//! The snapshot backend: control functions, full buffers, buffers that are too small for anything.

use tband_tests::c::Firmware;
use tband_tests::events::{assert_events, lines};

use crate::{NO_PERIODIC_DROP_CNT, NO_TRACE_INFO, SNAPSHOT};

#[test]
fn control_functions_return_what_they_promise() {
    let buffer = Firmware::new(
        "control_snapshot",
        &[
            SNAPSHOT,
            NO_TRACE_INFO,
            NO_PERIODIC_DROP_CNT,
            ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "100"),
        ],
    )
    .run(&[]);
    assert_events(&buffer, &["5 isr_enter isr_id=2", "6 isr_exit isr_id=2"]);
}

/// Events of each layout with the longest values into buffers that hold three of them, or just not.
#[test]
fn the_longest_events_fill_a_buffer_to_its_last_byte() {
    // Code byte, id, ten bytes of time, closing zero; numbers have five bytes, values ten.
    const HEAD: usize = 1 + 1 + 10 + 1;
    let layouts = [
        ("u32", HEAD + 5, 0),
        ("u32_u32", HEAD + 10, 0),
        ("u32_s64", HEAD + 15, 0),
        // Room for one more code byte is wanted than a text of 20 bytes needs.
        ("u32_str", HEAD + 5 + 20, 1),
        ("numbers", HEAD + 25, 0),
    ];
    for (layout, len, spare) in layouts {
        for (missing, events) in [(0, 3), (1, 2)] {
            let size = (3 * len + spare - missing).to_string();
            let config = [
                SNAPSHOT,
                NO_TRACE_INFO,
                NO_PERIODIC_DROP_CNT,
                ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", &size),
            ];
            let recorded = Firmware::new("last_byte", &config).run(&[layout]);
            assert_eq!(recorded.len(), events * len, "{layout} in {size}");
            assert_eq!(lines_of_length(&recorded, len), events, "{layout} in {size}");
        }
    }
}

/// How many frames there are, all of which have this length.
fn lines_of_length(recorded: &[u8], len: usize) -> usize {
    assert!(recorded.split_inclusive(|&byte| byte == 0).all(|frame| frame.len() == len));
    recorded.len() / len
}

/// What `tiny_buffers.c` tries to record in its round `round`.
fn round(round: u32) -> [String; 4] {
    let (ts, id) = (u64::MAX, u32::MAX);
    [
        format!("- isr_name isr_id={round} name=\"a name of 20 letters\""),
        format!("{ts} evtmarker evtmarker_id={id} msg=\"a text of 20 letters\""),
        format!("{ts} valmarker valmarker_id={id} val={}", i64::MAX),
        format!("{ts} isr_enter isr_id={round}"),
    ]
}

#[test]
fn buffers_too_small_for_anything_stay_intact() {
    let mut longest = 0;
    for (snapshot, metadata) in [("1", "1"), ("2", "23"), ("19", "24"), ("64", "25"), ("999", "3")]
    {
        let recorded = Firmware::new(
            "tiny_buffers",
            &[
                SNAPSHOT,
                NO_TRACE_INFO,
                NO_PERIODIC_DROP_CNT,
                ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", snapshot),
                ("tband_configMETADATA_BUF_SIZE", metadata),
            ],
        )
        .run(&[]);
        let mut events = lines(&recorded);
        // A name takes 24 bytes here: a code byte, id, number, 20 letters, zero.
        if metadata == "24" || metadata == "25" {
            assert_eq!(events.remove(0), round(0)[0]);
        }
        events.retain(|line| {
            !line.contains("ts_resolution_ns") && !line.contains("metadata_dropped")
        });
        let all: Vec<_> = (0..100).flat_map(round).collect();
        assert_eq!(events, all[..events.len()], "a snapshot has the first events");
        longest = longest.max(events.len());
    }
    assert!(longest >= 30, "the largest buffer holds a good deal");
}
