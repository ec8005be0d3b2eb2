//! RTT: the ring of packets, read by a probe at any haste, by one that stalls, and by one that writes garbage.

use tband_format::packet::METADATA_STREAM;
use tband_tests::c::Firmware;
use tband_tests::packets::packets;

use crate::STREAMING;
use crate::packets::{OFTEN, PACKETS, ProducedEvents, SMALL, values};

pub const RTT: (&str, &str) = ("FAKE_HAS_NO_TRANSPORT", "1\n#define tband_configUSE_RTT 1");
const THREE: (&str, &str) = ("tband_configPACKET_COUNT", "3");

#[test]
fn a_probe_reads_all_events_or_counts_them() {
    what_is_missing_is_counted(&[(60, 0), (63, 100)]);
}

/// Seed, and how fast the probe is.
pub fn what_is_missing_is_counted(probes: &[(u32, u32)]) {
    for &(seed, haste) in probes {
        let chatter = ProducedEvents::new(seed, 3000);
        let mut missing = Vec::new();
        for config in [
            &[STREAMING, PACKETS, RTT, THREE][..],
            &[STREAMING, PACKETS, RTT],
            &[STREAMING, PACKETS, RTT, OFTEN],
            &[STREAMING, PACKETS, RTT, OFTEN, SMALL],
            &[STREAMING, PACKETS, RTT, ("tband_configPACKET_COUNT", "4000")],
        ] {
            let recording = chatter.run(config, haste);
            missing.push(chatter.compare_to_the_end(&recording));
            let found = packets(&recording);
            let metadata = found.iter().filter(|it| it.header().stream == METADATA_STREAM);
            let sequences: Vec<_> = metadata.map(|it| usize::from(it.header().sequence)).collect();
            assert!(sequences.iter().copied().eq(0..sequences.len()), "{sequences:?}");
            assert!(!sequences.is_empty());
        }
        println!("haste {haste}: {missing:?} of {} missing", chatter.count());
        assert!(haste != 0 || missing[..4].iter().all(|&count| count > 1000), "{missing:?}");
        assert_eq!(missing[4], 0);
        assert!(haste != 100 || missing[1] < 300, "{missing:?}");
    }
}

#[test]
fn a_probe_that_stalls_costs_events_that_are_counted() {
    for config in [&[STREAMING, PACKETS, RTT, SMALL][..], &[STREAMING, PACKETS, RTT, THREE]] {
        let recording = Firmware::new("rtt", config).run(&["stalls"]);
        let all = values(&recording);
        let discarded = packets(&recording).iter().map(|it| it.header().discarded).max();
        assert_eq!(all.len() + discarded.unwrap_or(0) as usize, 5 * 3005 + 3000);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn a_probe_that_writes_garbage_does_no_harm() {
    let recording = Firmware::new("rtt", &[STREAMING, PACKETS, RTT, SMALL]).run(&["garbage"]);
    let all = values(&recording);
    assert!(all.ends_with(&(0..20).collect::<Vec<_>>()), "{all:?}");
}

#[test]
fn one_recording_follows_another() {
    for config in [
        &[STREAMING, PACKETS, RTT][..],
        &[STREAMING, PACKETS, RTT, SMALL, ("tband_configPACKET_COUNT", "40")],
    ] {
        let recording = Firmware::new("rtt", config).run(&["again"]);
        assert_eq!(values(&recording), (0..60).collect::<Vec<_>>());
        let found = packets(&recording);
        let starts = found.iter().filter(|packet| {
            packet.header().stream == METADATA_STREAM && packet.header().sequence == 0
        });
        assert_eq!(starts.count(), 4);
    }
}

#[test]
fn recording_starts_with_the_first_reader() {
    let config = [STREAMING, PACKETS, RTT, ("tband_configSTART_ON_READER", "1")];
    let recording = Firmware::new("rtt", &config).run(&["waits"]);
    assert_eq!(values(&recording), (0..20).collect::<Vec<_>>());
    assert_eq!(packets(&recording)[0].header().stream, METADATA_STREAM);
    assert!(packets(&recording).iter().all(|packet| packet.header().discarded == 0));
}

#[test]
fn shares_an_existing_control_block() {
    let config = [STREAMING, PACKETS, RTT, ("tband_configRTT_SHARE", "1")];
    let recording = Firmware::new("rtt", &config).run(&[]);
    assert_eq!(values(&recording), (0..10).collect::<Vec<_>>());
}
