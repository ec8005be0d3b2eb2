//! Packets that a network has swapped, doubled or lost, and resets of the target that look similar.

use proptest::prelude::*;
use tband_conv::diagnostics::Problem;
use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_recordings::frame;
use tband_recordings::packed::pieces;
use tband_recordings::random::config;

/// Returns a run of the target in packets as they are sent, of two cores, with this many events.
fn run(events: u64, begin: u64) -> Vec<Vec<u8>> {
    let mut frames = frame(0, Event::CoreId { core_id: 0 });
    frames.extend(frame(0, Event::TsResolutionNs { ns_per_ts: 10 }));
    for number in 0..events {
        let at = begin + number * 100;
        frames.extend(frame(at, Event::CoreId { core_id: number as u32 % 2 }));
        frames.extend(frame(
            at,
            Event::Evtmarker { evtmarker_id: number as u32, msg: tband_format::Str(b"m") },
        ));
    }
    pieces(&frames, 256)
}

/// The events that are read, and the losses and restarts.
fn see(packets: &[Vec<u8>]) -> (Vec<String>, Vec<(Problem, u64)>) {
    let bytes = packets.concat();
    let mut reader = EventReader::new(&bytes[..], 0, Mode::FreeRtos);
    let mut events = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        if let Ok(decoded) = item.event
            && !matches!(decoded.event, Event::CoreId { .. })
        {
            events.push(format!("{} {decoded:?}", item.core));
        }
    }
    // Packets of different cores have no order.
    events.sort_by_key(|event| event.as_bytes()[0]);
    let summary = convert(&[Input::from_bytes("r", &bytes)], &Options::default(), &mut ()).unwrap();
    (events, summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect())
}

proptest! {
    #![proptest_config(config(100))]

    /// Each packet comes up to this many places late, some come twice.
    #[test]
    fn swapped_and_doubled_packets_are_what_was_sent(
        late in proptest::collection::vec(0..4_usize, 60),
        doubled in proptest::collection::vec((any::<prop::sample::Index>(), 1..30_usize), 0..4),
        events in 200..900_u64,
    ) {
        let sent = run(events, 1000);
        let mut order: Vec<(usize, usize)> = (0..sent.len())
            .map(|at| (at + late.get(at).copied().unwrap_or(0), at))
            .collect();
        order.sort();
        let mut came: Vec<Vec<u8>> = order.iter().map(|(_, at)| sent[*at].clone()).collect();
        for (which, after) in doubled {
            let at = which.index(came.len());
            let again = came[at].clone();
            // The last packet of all may not be one that came before.
            came.insert((at + after).min(came.len() - 1).max(at), again);
        }
        prop_assert!(see(&came) == see(&sent), "{:?}", see(&came).1);
    }
}

/// Whatever comes in between, a loss concerns these packets.
#[test]
fn a_loss_stays_one_when_others_are_swapped() {
    let sent = run(900, 1000);
    for lost in 3..sent.len() - 3 {
        let mut came = sent.clone();
        came.remove(lost);
        let expected = see(&came);
        came.swap(lost - 1, lost);
        assert_eq!(see(&came), expected, "{lost}");
    }
}

/// A target that was reset begins with number 0 again, perhaps with the same times and events: its packet is not a late one.
#[test]
fn a_reset_is_not_a_late_packet() {
    for (first, second, lost) in
        [(300, 300, 0), (300, 280, 0), (300, 900, 0), (900, 300, 1), (20, 20, 0)]
    {
        let (one, other) = (run(first, 1000), run(second, 1500));
        let mut twice = [&one[..], &other[lost..]].concat();
        let (events, found) = see(&twice);
        let apart = see(&one).0.len() + see(&other[lost..]).0.len();
        assert!(events.len() + 2 >= apart, "{first} {second}: {} of {apart}", events.len());
        assert!(
            found.iter().any(|(it, _)| matches!(it, Problem::Restart | Problem::StreamStart)),
            "{found:?}"
        );
        // Also if it ends after a few packets.
        twice.truncate(one.len() + 2);
        assert!(see(&twice).0.len() > see(&one).0.len());
    }
    // The same run once more is another run.
    let one = run(300, 1000);
    let (events, _) = see(&[&one[..], &one].concat());
    assert!(events.len() + 2 >= 2 * see(&one).0.len());
}

/// Sequence numbers begin again after 65535, which is not a late packet, and swapped packets there are put in order.
#[test]
fn numbers_go_round() {
    let mut packer = tband_conv::packets::Packer::new(100);
    let mut sent = Vec::new();
    for number in 0..2 * 65_540_u64 {
        let event = Event::TaskSwitchedIn { task_id: 1 + number as u32 % 3 };
        let mut out = |_, packet: &[u8]| sent.push(packet.to_vec());
        packer.push(0, 1000 + number * 1_000_000, &event, &mut out).unwrap();
        packer.flush(&mut out);
        if sent.len() > 200 && sent.len() < 65_400 {
            sent.truncate(200);
        }
        if number > 65_600 {
            break;
        }
    }
    let expected = see(&sent);
    let end = sent.len();
    sent.swap(end - 60, end - 61);
    sent.swap(end - 20, end - 22);
    assert_eq!(see(&sent), expected);
}

/// The first two packets come twice at the end. The missing packet comes after them, so they are not a second run.
#[test]
fn duplicate_packets_before_a_loss_are_not_a_restart() {
    let sent = run(268, 1000);
    assert_eq!(sent.len(), 11);
    // In the second order another missing packet comes before them.
    for order in
        [[1, 0, 2, 3, 4, 5, 6, 7, 9, 10, 0, 1, 8], [1, 0, 2, 3, 4, 5, 6, 9, 10, 8, 0, 1, 7]]
    {
        let came: Vec<Vec<u8>> = order.iter().map(|at| sent[*at].clone()).collect();
        assert_eq!(see(&came), see(&sent), "{order:?}");
    }
}
