//! Time in packets, for any timer and any interval without a reading: it is right, or the recording reports that it may not be.

use tband_conv::diagnostics::{Diagnostics, Problem};
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_format::packet::METADATA_STREAM;
use tband_tests::c::Firmware;
use tband_tests::packets::packets;
use tband_tests::random::Random;

use crate::{Config, STREAMING, TWO_CORES};

const PACKETS: (&str, &str) = ("tband_configFORMAT", "TBAND_FORMAT_PACKETS");
const TAKEN: (&str, &str) = ("FAKE_HAS_NO_TRANSPORT", "1");
const BITS_64: (&str, &str) = ("FAKE_COUNTER_BITS", "64");
const BITS_32: (&str, &str) = ("FAKE_COUNTER_BITS", "32");
const BITS_24: (&str, &str) = ("FAKE_COUNTER_BITS", "24");
const BITS_16: (&str, &str) = ("FAKE_COUNTER_BITS", "16");
const EXTENDED: (&str, &str) = ("FAKE_COUNTER_IS_EXTENDED", "1");
const BARE: (&str, &str) = ("FAKE_COUNTER_IS_EXTENDED", "0");
const RAW: (&str, &str) = ("FAKE_COUNTER_IS_RAW", "1");
const KEPT: (&str, &str) = ("tband_configTIME_IS_KEPT", "1");

/// A quarter of the turn that counts.
fn kept_share(bits: &str) -> String {
    let bits: u32 = bits.parse().expect("a number");
    (1_u64 << (bits.min(32) - 2)).to_string()
}

fn firmware(timer: &Config) -> Firmware {
    let bits = timer.iter().find(|it| it.0 == BITS_16.0).expect("its width").1;
    let every = kept_share(bits);
    let config = [&[STREAMING, PACKETS, TAKEN, ("KEPT_EVERY", &*every)], timer].concat();
    Firmware::new("pauses", &config)
}

/// Returns the error of each marker's time, and the findings about the recording.
fn recorded(firmware: &Firmware, pauses: &[String]) -> (Vec<i128>, Diagnostics) {
    let arguments: Vec<&str> = pauses.iter().map(|it| &**it).collect();
    let recording = firmware.run(&arguments);
    let mut off = Vec::new();
    for packet in packets(&recording) {
        if packet.header().stream == METADATA_STREAM {
            continue;
        }
        for decoded in packet.events() {
            let decoded = decoded.expect("an event");
            if let Event::Valmarker { val, .. } = decoded.event {
                off.push(i128::from(decoded.ts.expect("a time")) - i128::from(val));
            }
        }
    }
    let input = [Input::from_bytes("r", &recording)];
    let summary = tband_conv::convert(&input, &Options::default(), &mut ()).expect("a recording");
    (off, summary.diagnostics)
}

/// Around each power of two up to 2^36, and small ones.
fn pause(random: &mut Random) -> u64 {
    let power = 1_u64 << random.below(37);
    let off = random.one_of(&[0, 1, 500, 1 << 13, 1 << 15, power >> 1, power >> 3]);
    if random.one_in(2) { power.saturating_sub(off).max(1) } else { power + off }
}

/// Pauses as the program takes them, each as one of `ways`.
fn pauses(random: &mut Random, ways: &[&str]) -> Vec<String> {
    let start = random.below(60_000);
    let mut all = vec![start.to_string()];
    for _ in 0..random.below(30) + 2 {
        let pause =
            if random.one_in(3) { pause(random) } else { u64::from(random.below(20_000)) + 1 };
        all.push(format!("{}{pause}", if pause < 1 << 12 { "" } else { random.one_of(ways) }));
    }
    all
}

fn is_clean(found: &Diagnostics) -> bool {
    found.iter().all(|it| it.problem == Problem::StreamStart)
}

/// A timer of 64 bits is right however it is read, except if only its lower half is read and nothing maintains the time.
#[test]
fn a_timer_of_64_bits_is_always_right() {
    let all: &[&str] = &["", "n", "s", "i", "r", "f", "t"];
    let kept: &[&str] = &["n", "s", "i", "r"];
    let cases: [(&Config, &[&str]); 5] = [
        (&[BITS_64, BARE], all),
        (&[BITS_64, BARE, TWO_CORES], all),
        (&[BITS_64, BARE, RAW], kept),
        (&[BITS_64, BARE, RAW, TWO_CORES], kept),
        // Extended ones, as long as time is kept, which the program promises.
        (&[BITS_32, EXTENDED, RAW, KEPT], &["n"]),
    ];
    for (timer, ways) in cases {
        let firmware = firmware(timer);
        let mut random = Random::new(7);
        for _ in 0..30 {
            let mut pauses = pauses(&mut random, ways);
            // A program that sees each wrap causes no report about a packet that stays open for any time.
            if ways.contains(&"") {
                pauses.push(format!("e{}", pause(&mut random)));
            }
            let (off, found) = recorded(&firmware, &pauses);
            assert!(off.iter().all(|&off| off == 0), "{timer:?} {pauses:?}: {off:?}");
            assert!(is_clean(&found), "{timer:?} {pauses:?}: {found:?}");
        }
    }
}

/// For any timer and any readings: no time is wrong without a finding.
#[test]
fn no_time_is_wrong_without_a_finding() {
    let mut wrong = 0;
    for timer in [
        &[BITS_64, BARE, RAW][..],
        &[BITS_64, BARE, RAW, TWO_CORES],
        &[BITS_32, EXTENDED, RAW],
        &[BITS_32, EXTENDED],
        &[BITS_32, BARE, RAW],
        &[BITS_32, BARE],
        &[BITS_24, EXTENDED],
        &[BITS_24, BARE],
        &[BITS_16, EXTENDED],
        &[BITS_16, BARE],
    ] {
        let firmware = firmware(timer);
        let mut random = Random::new(11);
        for _ in 0..20 {
            let ways: &[&str] = if random.one_in(2) { &[""] } else { &["", "n", "s", "i", "r"] };
            let pauses = pauses(&mut random, ways);
            let (off, found) = recorded(&firmware, &pauses);
            if off.iter().any(|&off| off != 0) {
                wrong += 1;
                // For a timer of all bits, or a program that promises too much, the bytes have to show it.
                assert!(!is_clean(&found), "{timer:?} {pauses:?}: {off:?}");
            }
        }
    }
    println!("{wrong} with a time that is wrong");
    assert!(wrong > 40);
}

/// Where time stood still it is named: the packet, and by how much at least.
#[test]
fn reports_an_unseen_wraparound() {
    let firmware = firmware(&[BITS_64, BARE, RAW]);
    let pauses = ["1000", "100", "4294967796", "100", "n4096"].map(str::to_owned);
    let (off, found) = recorded(&firmware, &pauses);
    assert_eq!(off, [0, -(1 << 32), -(1 << 32), 0]);
    let found = found.get(Problem::UnseenTurns).expect("it is named");
    assert!(found.text.contains("core 0: "), "{}", found.text);
}

/// Events so far apart that a packet with them spans more than a wrap of 32 bits: as in a program without a kernel that records
/// rarely, at 25 MHz for 765 s.
#[test]
fn slow_events_without_anybody_who_keeps_time() {
    let pauses: Vec<String> = (0..40).map(|_| (478_000_000_u64 + (1 << 20)).to_string()).collect();
    for timer in [&[BITS_32, EXTENDED, RAW][..], &[BITS_32, EXTENDED], &[BITS_64, BARE, RAW]] {
        let (off, found) = recorded(&firmware(timer), &pauses);
        assert!(off.iter().all(|&off| off == 0), "{timer:?}: {off:?}");
        assert!(found.get(Problem::UnseenTurns).is_none());
    }
}
