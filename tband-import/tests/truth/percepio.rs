//! Percepio TraceRecorder: streams, ring buffers, snapshots.

use tband_conv::Input;
use tband_conv::dump::{DumpOptions, dump};

use crate::compare::{Comparison, InterruptEnds, TOLERANCE, compared};
use crate::support::recording;

/// The end of an interrupt with and without a switch is one event; an interrupt that asks for a switch has none.
fn compare(name: &str, log: &str) -> (Comparison, Vec<(i64, i64)>) {
    let bytes = recording(&format!("percepio/{name}"));
    let log = recording(&format!("percepio/{log}.truth.jsonl"));
    compared(&bytes, &log, &[], InterruptEnds::Alike)
}

fn is(time: i64, kind: &'static str, name: &str) -> (i64, (&'static str, String)) {
    (time, (kind, name.to_owned()))
}

/// Each difference has one of two causes. A task that gives way to itself is switched in by the kernel, and the recorder records no
/// switch to the task that ran. And where Timer0 interrupts the handler of SysTick between the log's call and the recorder's, the
/// recorder's end of SysTick comes after all of Timer0.
#[test]
fn each_switch_ready_event_and_interrupt_of_a_stream_is_there() {
    let to_itself = |time, name| is(time, "in", name);
    let systick = |time| is(time, "isr_exit", "15");
    let cases = [
        (
            "4.11-stream",
            2380,
            vec![to_itself(254_065, "Tmr Svc"), systick(6_629_944)],
            vec![systick(6_631_315)],
        ),
        ("4.11-counter-wrap", 1209, vec![to_itself(4_292_527_140, "Tmr Svc")], vec![]),
        (
            "4.6-stream",
            1192,
            vec![
                to_itself(350_209, "Tmr Svc"),
                to_itself(1_008_502, "Churn"),
                systick(1_175_355),
                systick(2_101_862),
                systick(3_025_355),
                systick(3_950_748),
            ],
            vec![systick(1_177_040), systick(2_103_552), systick(3_027_040), systick(3_952_438)],
        ),
    ];
    for (name, count, is_missing, is_extra) in cases {
        let (Comparison { matched, missing, extra }, gaps) = compare(&format!("{name}.psf"), name);
        assert_eq!((matched, missing, extra), (count, is_missing, is_extra), "{name}");
        assert_eq!(gaps, [], "{name}");
    }
}

#[test]
fn a_stream_in_the_other_byte_order_has_the_same_events() {
    let little = compare("4.11-stream.psf", "4.11-stream");
    let big = compare("4.11-stream-big-endian-made.psf", "4.11-stream");
    assert_eq!(format!("{little:?}"), format!("{big:?}"));
}

/// Events are missing where losses are reported, and at the end, which is still in the target.
#[test]
fn lost_events_are_in_the_gaps_that_a_stream_shows() {
    let (Comparison { matched, missing, extra }, gaps) =
        compare("4.11-stream-losses.psf", "4.11-stream-losses");
    assert_eq!((matched, gaps.len(), extra), (1344, 6, vec![]));
    for (time, what) in missing {
        let is_in = |(from, to): &&(i64, i64)| (from - TOLERANCE..=to + TOLERANCE).contains(&time);
        let to_themselves = [is(256_524, "in", "Tmr Svc"), is(3_308_492, "in", "Producer")];
        let is_to_itself = to_themselves.contains(&(time, what.clone()));
        assert!(is_to_itself || gaps.iter().any(|gap| is_in(&gap)), "{what:?} at {time}");
    }
}

/// The ring that overwrites is the end of the run, the other one its beginning: there a task gives way to itself.
#[test]
fn each_event_of_a_ring_buffer_is_there() {
    let (comparison, gaps) = compare("4.11-ring-overwrite.bin", "4.11-ring-overwrite");
    let Comparison { matched, missing, extra } = comparison;
    assert_eq!((matched, missing, extra, gaps), (855, vec![], vec![], vec![]));
    let (comparison, gaps) = compare("4.11-ring-stop.bin", "4.11-ring-stop");
    let Comparison { matched, missing, extra } = comparison;
    let to_itself = vec![is(257_300, "in", "Tmr Svc")];
    assert_eq!((matched, missing, extra, gaps), (681, to_itself, vec![], vec![]));
}

/// Also inside a larger dump of memory.
#[test]
fn each_event_of_a_snapshot_is_there() {
    // The start of this interrupt was overwritten, so its end is not known to be one.
    let cut = vec![is(4_252_537, "isr_enter", "15"), is(4_253_379, "isr_exit", "15")];
    let (comparison, gaps) = compare("4.10-snapshot.bin", "4.10-snapshot");
    let Comparison { matched, missing, extra } = comparison;
    assert_eq!((matched, missing, extra, gaps), (425, cut, vec![], vec![]));
}

#[test]
fn recordings_are_found_inside_dumps_of_memory() {
    for (name, log) in
        [("4.10-snapshot.bin", "4.10-snapshot"), ("4.11-ring-overwrite.bin", "4.11-ring-overwrite")]
    {
        let bytes = recording(&format!("percepio/{name}"));
        let filled: Vec<u8> = (0..40_000_u32).map(|at| (at.wrapping_mul(97) >> 3) as u8).collect();
        let dump = [&filled[..], &bytes, &filled[..777]].concat();
        let log = recording(&format!("percepio/{log}.truth.jsonl"));
        let alone = compared(&bytes, &log, &[], InterruptEnds::Alike);
        let inside = compared(&dump, &log, &[], InterruptEnds::Alike);
        assert_eq!(format!("{alone:?}"), format!("{inside:?}"), "{name}");
    }
}

/// An optional field that is not known is not taken for the one after it.
#[test]
fn the_tick_rate_of_the_kernel_is_no_version() {
    let bytes = recording("percepio/4.6-stream.psf");
    let mut lines = Vec::new();
    let input = Input::from_bytes("r", &bytes);
    dump(&[input], DumpOptions::default(), &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    let first = lines.lines().next().unwrap();
    assert!(first.ends_with("kernel_version=0 tick_rate_hz=1000"), "{first}");
}
