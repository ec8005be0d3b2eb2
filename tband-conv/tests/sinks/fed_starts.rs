//! Conversions that are fed: streams that start again, and cores that show late.

use proptest::prelude::*;
use tband_conv::convert::step::Step;
use tband_conv::packets::Packer;
use tband_conv::sinks::{CoreStats, Stats};
use tband_conv::{Conversion, Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::fed::{
    ConversionOutput, converted, fed, head, names, pieces, switches, whole,
};
use tband_recordings::random::config;
use tband_recordings::{Recording, str, two_tasks};

/// Recording was stopped and started again: the state in between is unknown.
#[test]
fn a_later_start_is_noticed() {
    let run = |from: u64| {
        Recording(head(&[0]))
            .at(from, TaskSwitchedIn { task_id: 1 })
            .at(from + 10, TaskSwitchedIn { task_id: 2 })
            .at(from + 20, TaskSwitchedIn { task_id: 1 })
    };
    let inputs = [run(10).raw(&run(5000).0).0];
    let expected = converted(&inputs);
    assert!(expected.found.contains("StreamStart"), "{}", expected.found);
    assert_eq!(fed(&inputs, &[(0, 3)]).unwrap(), expected);
}

/// Two cores of one stream, from this time on, after the start of such a stream.
fn two_cores(from: u64) -> Recording {
    Recording(head(&[0, 1]))
        .at(from, TaskSwitchedIn { task_id: 1 })
        .at(from + 20, TaskSwitchedIn { task_id: 2 })
        .at(from + 100, CoreId { core_id: 1 })
        .at(from + 100, IsrEnter { isr_id: 1 })
        .at(from + 105, IsrExit { isr_id: 1 })
        .at(from + 120, CoreId { core_id: 0 })
}

/// Each core starts separately in the stream, but this is one start: it is reported once, at the time that was reached, before
/// the first items of the stream. The same holds where the target was restarted, and where it is reported twice in a row.
#[test]
fn several_cores_start_again_together() {
    for from in [5000, 10, 130] {
        let inputs = [two_cores(10).raw(&two_cores(from).0).raw(&two_cores(from + 300).0).0];
        let expected = converted(&inputs);
        let starts = |made: &ConversionOutput| {
            made.events.iter().filter(|reported| reported.contains("StreamStart")).count()
        };
        assert_eq!(starts(&expected), 2, "{:?}", expected.events);
        for len in [1, 7, 9999] {
            assert_eq!(fed(&inputs, &[(0, len)]).unwrap(), expected, "{from} {len}");
        }
    }
    // Nothing follows.
    let inputs = [two_cores(10).raw(&head(&[0, 1])).0];
    assert_eq!(whole(&inputs).unwrap(), converted(&inputs));
}

/// A resolution that is reported again in the middle is not the start of a stream, although a buffer began with
/// `core_id` at time 0 before.
#[test]
fn repeated_metadata_is_not_a_start() {
    let recording = two_cores(10)
        .at(0, CoreId { core_id: 1 })
        .at(200, IsrEnter { isr_id: 1 })
        .at(210, IsrExit { isr_id: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(300, TaskSwitchedIn { task_id: 1 })
        .at(400, TaskSwitchedIn { task_id: 2 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .at(500, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let expected = converted(&inputs);
    assert!(!expected.found.contains("StreamStart"), "{}", expected.found);
    assert_eq!(whole(&inputs).unwrap(), expected);
}

/// A possible start of a stream is waited for as far as metadata may reach, not forever.
#[test]
fn events_after_a_start_are_released() {
    let mut conversion = Conversion::new(names(1), &Options::default(), ()).unwrap();
    let mut bytes = switches(10);
    bytes.extend(Recording::default().at(0, CoreId { core_id: 0 }).0);
    let name = Recording::default().meta(TaskName { task_id: 1, name: str("one") }).0;
    let before = bytes.len();
    while bytes.len() < before + (3 << 20) {
        bytes.extend(&name);
    }
    let (mut rest, mut reported) = (&bytes[..], None);
    while !rest.is_empty() {
        rest = &rest[conversion.feed(0, rest)..];
        while conversion.step().unwrap() == Step::More {}
        if conversion.progress().last_ns == 1000 {
            reported.get_or_insert(bytes.len() - rest.len());
        }
    }
    assert!(reported.is_some_and(|reported| reported < before + (2 << 20)), "{reported:?}");
}

/// A core that first shows after a restart of the target has its clock.
#[test]
fn a_core_that_shows_after_a_restart_has_restarted_too() {
    let run = || Recording(head(&[0])).at(10, TaskSwitchedIn { task_id: 1 });
    let recording = run().at(20, TaskSwitchedIn { task_id: 2 });
    let recording = recording.at(100_000, TaskSwitchedIn { task_id: 1 }).raw(&run().0);
    let recording = recording
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(25, CoreId { core_id: 1 })
        .at(30, IsrEnter { isr_id: 1 })
        .at(40, IsrExit { isr_id: 1 })
        .at(50, CoreId { core_id: 0 })
        .at(50, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let happenings = |made: &ConversionOutput| -> Vec<String> {
        made.events.iter().filter(|reported| !reported.contains("CoreId")).cloned().collect()
    };
    let (expected, made) = (converted(&inputs), whole(&inputs).unwrap());
    assert_eq!(happenings(&made), happenings(&expected));
    // An item without a time is where that clock began, not at the beginning of the recording.
    let core = made.events.iter().find(|reported| reported.contains("core_id: 1")).unwrap();
    assert!(core.starts_with("999900 1 99990 "), "{core}");
}

/// The recording begins with its earliest event, whenever that comes: no core has more time than there is. This holds for
/// frames and for packets.
#[test]
fn a_core_that_shows_late_and_is_earlier_begins_the_recording() {
    let busy = |core_id, from: u64| {
        Recording::default()
            .at(0, CoreId { core_id })
            .at(from, TaskSwitchedIn { task_id: core_id })
            .at(from + 100, IsrEnter { isr_id: 1 })
            .at(from + 150, IsrExit { isr_id: 1 })
            .at(from + 700, TaskSwitchedIn { task_id: core_id + 10 })
    };
    // The last one is not earlier than the second.
    let frames = busy(0, 5000).raw(&busy(1, 10).0).raw(&busy(2, 300).0).0;
    let of_core = |core: u8, from: u64| {
        let (mut packer, mut packets) = (Packer::new(512), Vec::new());
        let mut out = |_, packet: &[u8]| packets.extend_from_slice(packet);
        let mut push = |at: u64, event| packer.push(core, from + at, &event, &mut out).unwrap();
        push(0, TaskSwitchedIn { task_id: core.into() });
        push(100, IsrEnter { isr_id: 1 });
        push(150, IsrExit { isr_id: 1 });
        push(700, TaskSwitchedIn { task_id: u32::from(core) + 10 });
        packer.flush(&mut out);
        packets
    };
    let packets = [of_core(0, 5000), of_core(1, 10), of_core(2, 300)].concat();
    for recording in [frames, packets] {
        let facts = |stats: &Stats| -> Vec<_> {
            let of = |core: &CoreStats| (core.core, core.task_ns, core.isr_ns, core.unknown_ns);
            let cores: Vec<_> = stats.cores().map(of).collect();
            let busy = |core: &CoreStats| core.load.busy_ns().iter().sum::<i64>();
            cores.into_iter().zip(stats.cores().map(busy)).collect()
        };
        let mut expected = Stats::default();
        let input = Input::from_bytes("r", &recording);
        convert(&[input], &Options::default(), &mut expected).unwrap();
        for len in [1, 64, 9999] {
            let mut conversion =
                Conversion::new(names(1), &Options::default(), Stats::default()).unwrap();
            for piece in recording.chunks(len) {
                conversion.feed(0, piece);
                while conversion.step().unwrap() == Step::More {}
            }
            conversion.end(0);
            while conversion.step().unwrap() != Step::Done {}
            assert_eq!(conversion.world().unwrap().start_ns, Some(10), "{len}");
            let (_, stats) = conversion.finish().unwrap();
            assert_eq!((stats.start_ns(), stats.end_ns()), (10, expected.end_ns()), "{len}");
            assert_eq!(facts(&stats), facts(&expected), "{len}");
        }
    }
}

/// While simultaneous items are read, an unknown core with an earlier time appears.
#[test]
fn a_core_that_shows_among_ties_comes_first() {
    let recording = two_tasks()
        .at(0, CoreId { core_id: 0 })
        .at(1, IsrEnter { isr_id: 1 })
        .at(2, IsrExit { isr_id: 1 })
        .at(0, CoreId { core_id: 1 })
        .at(1, IsrEnter { isr_id: 1 })
        .at(2, IsrExit { isr_id: 1 })
        .at(1000, CoreId { core_id: 0 })
        .at(1000, TaskSwitchedIn { task_id: 1 })
        .at(1000, CoreId { core_id: 1 })
        .at(1000, TaskSwitchedIn { task_id: 2 })
        .at(500, CoreId { core_id: 2 })
        .at(500, IsrEnter { isr_id: 3 })
        .at(501, IsrExit { isr_id: 3 })
        .at(1100, CoreId { core_id: 0 })
        .at(1100, TaskSwitchedIn { task_id: 2 })
        .at(1100, CoreId { core_id: 1 })
        .at(1101, TaskSwitchedIn { task_id: 1 });
    let inputs = [recording.0];
    let expected = whole(&inputs).unwrap();
    for len in 1..inputs[0].len() {
        assert_eq!(fed(&inputs, &[(0, len)]).unwrap(), expected, "{len}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    /// Cores that were not announced, streams that start again, and many simultaneous events: pieces make no difference.
    #[test]
    fn late_cores_ties_and_starts_are_the_same_in_pieces(
        steps in prop::collection::vec((0..3_u32, 0..3_u64, 0..9_u32), 2..40),
        pieces in pieces(),
    ) {
        let (mut recording, mut now) = (Recording(head(&[0])), [1_u64; 3]);
        for (core_id, ticks, what) in steps {
            let time = &mut now[core_id as usize];
            *time += ticks;
            recording = match what {
                0 => recording.raw(&head(&[core_id])),
                1 => recording.at(0, CoreId { core_id }),
                2 => recording.at(*time + (1 << 30), CoreId { core_id }).at(*time + (1 << 30), TickCountIncrease { ticks: 1 }),
                3 => recording.at(1, CoreId { core_id }).meta(TsResolutionNs { ns_per_ts: 10 }),
                _ => recording.at(*time, CoreId { core_id }).at(*time, TaskSwitchedIn { task_id: what % 3 }),
            };
        }
        let inputs = [recording.0];
        prop_assert_eq!(fed(&inputs, &pieces).unwrap(), whole(&inputs).unwrap());
    }
}

/// Once the start of an input is known, its first events are known not to be stray: they come before another core that arrives
/// byte by byte or at once.
#[test]
fn ready_events_precede_new_input() {
    let recording = Recording(head(&[0]))
        .at(1, CoreId { core_id: 0 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .raw(&head(&[0]))
        .at(1 + (1 << 30), TickCountIncrease { ticks: 1 })
        .raw(&head(&[1]));
    let inputs = [recording.0];
    let expected = whole(&inputs).unwrap();
    for len in 1..20 {
        assert_eq!(fed(&inputs, &[(0, len)]).unwrap(), expected, "{len}");
    }
}

/// Where the second core appears, after as many bytes as are read at once or in the middle, makes no difference: later items
/// wait for both. A third one appears much later.
#[test]
fn a_core_that_shows_late_is_merged_from_there_on() {
    for before in [1_u64, 1200, 1300, 2500] {
        let mut recording = Recording(head(&[0]));
        let switch = |it: Recording, from: u64, to: u64| {
            let tasks = |n: u64| TaskSwitchedIn { task_id: 1 + (n % 2) as u32 };
            (from..to).fold(it, |it, n| it.at(n * 10, tasks(n)))
        };
        recording = switch(recording, 1, before);
        for (core_id, from) in [(1, before), (2, before + 3000)] {
            // It takes turns with core 0, whose events are the earlier ones.
            for turn in 0..2 {
                let from = from + turn * 1000;
                recording = recording.at(from * 10 + 5, CoreId { core_id });
                recording = (from..from + 1000).fold(recording, |it, n| {
                    let it = it.at(n * 10 + 5, IsrEnter { isr_id: 1 });
                    it.at(n * 10 + 7, IsrExit { isr_id: 1 })
                });
                recording = recording.at(from * 10, CoreId { core_id: 0 });
                recording = switch(recording, from, from + 1000);
            }
        }
        let inputs = [recording.0];
        let made = whole(&inputs).unwrap();
        let happens = made.events.iter().filter(|it| it.contains("Isr") || it.contains("Switched"));
        let ns = |it: &String| it.split(' ').next().unwrap().parse::<i64>().unwrap();
        assert!(happens.map(ns).is_sorted(), "{before}");
        let cores = |core: &str| made.events.iter().filter(|it| it.contains(core)).count();
        assert!(cores(" 1 ") > 2000 && cores(" 2 ") > 2000, "{before}");
        for len in [1000, 4093, 70_000] {
            assert!(fed(&inputs, &[(0, len)]).unwrap() == made, "{before} {len}");
        }
    }
}
