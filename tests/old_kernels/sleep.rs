//! Sleeps without ticks that last longer than a wrap of the timer: the ticks that the kernel steps give the unseen wraps.

use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::random::Random;
use tband_tests::root;

use crate::{HOOKS, config, folder, stand_in};

/// Macros and their values.
type MacroValues<'d> = &'d [(&'d str, &'d str)];

fn firmware(more: &[(&str, &str)]) -> Firmware {
    let mut config = config("100602", "100602");
    let is_given = |name: &str| more.iter().any(|it| it.0 == name);
    config.retain(|(name, _)| {
        !is_given(name)
            && *name != "tband_configFREERTOS_ISR_TRACE_ENABLE"
            && *name != "tband_portISR_NUMBER()"
    });
    config.push(("tband_configTICK_KEEPS_TIME", "1"));
    config.extend(more);
    let mut sources = vec![
        folder().join("sleep.c"),
        root().join("tests/c/fake_port/fake_port.c"),
        root().join(HOOKS),
    ];
    let files = std::fs::read_dir(stand_in()).expect("a folder");
    let files = files.map(|file| file.expect("an entry").path());
    sources.extend(files.filter(|path| path.extension().is_some_and(|end| end == "c")));
    let sources: Vec<_> = sources.iter().collect();
    Firmware::with_port(&sources, &stand_in(), &config)
}

/// By how much the time of each marker is less than the true one.
fn missing(firmware: &Firmware, sleeps: &[String]) -> Vec<u64> {
    let arguments: Vec<&str> = sleeps.iter().map(|it| &**it).collect();
    let recording = firmware.run(&arguments);
    let markers: Vec<_> = lines(&recording)
        .into_iter()
        .filter(|line| line.contains("valmarker valmarker_id=1 "))
        .collect();
    assert_eq!(markers.len(), sleeps.len() - 1, "{markers:#?}");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let missing = |line: &String| {
        let (time, _) = line.split_once(' ').expect("a time");
        let (_, value) = line.rsplit_once('=').expect("a value");
        number(value) - number(time)
    };
    markers.iter().map(missing).collect()
}

fn sleeps(random: &mut Random, ticks_per_turn: u32) -> Vec<String> {
    let mut all = vec![random.below(60_000).to_string()];
    for _ in 0..30 {
        let turns = random.one_of(&[0, 0, 1, 2, 3, 40]);
        let ticks = turns * ticks_per_turn + random.below(ticks_per_turn) + 10;
        all.push(format!("{}{ticks}", random.one_of(&["", "i", "e", "t"])));
    }
    all
}

const PACKETS: (&str, &str) = ("tband_configFORMAT", "TBAND_FORMAT_PACKETS");
const NO_TICKS: (&str, &str) = ("tband_configFREERTOS_TICK_TRACE_ENABLE", "0");
const NO_SLEEPS: (&str, &str) = ("tband_configFREERTOS_LOW_POWER_TRACE_ENABLE", "0");
const RAW: (&str, &str) = ("STAND_IN_IS_RAW", "1");
const ADDS: (&str, &str) = ("STAND_IN_ADDS_WRAPS", "1");
const BITS_32: (&str, &str) = ("STAND_IN_COUNTER_BITS", "32");

#[test]
fn sleeps_of_any_number_of_turns_have_their_time() {
    // 100 MHz, as the fake port has it by default; RTCs, also one with a fraction of Hz.
    let by_ns = [("STAND_IN_COUNTS_PER_TICK", "100000")];
    let rtc = [
        ("STAND_IN_COUNTS_PER_TICK", "32"),
        ("tband_portTIMESTAMP_FREQUENCY_HZ", "32000"),
        ("STAND_IN_COUNTER_BITS", "24"),
    ];
    let narrow = [
        ("STAND_IN_COUNTS_PER_TICK", "1000"),
        ("tband_portTIMESTAMP_FREQUENCY_HZ", "3000000"),
        ("tband_portTIMESTAMP_FREQUENCY_DIVISOR", "3"),
        ("STAND_IN_COUNTER_BITS", "16"),
    ];
    let variable = [
        ("STAND_IN_COUNTS_PER_TICK", "84000"),
        ("tband_portTIMESTAMP_FREQUENCY_HZ", "fake_hz"),
        BITS_32,
    ];
    let (wide_turn, rtc_turn, narrow_turn) = (42_949, 524_288, 65);
    let cases: [(MacroValues, MacroValues, u32); 8] = [
        (&by_ns, &[BITS_32], wide_turn),
        (&by_ns, &[BITS_32, NO_TICKS, NO_SLEEPS], wide_turn),
        (&by_ns, &[BITS_32, PACKETS, RAW], wide_turn),
        (&by_ns, &[BITS_32, PACKETS, NO_TICKS], wide_turn),
        (&variable, &[PACKETS, RAW, NO_TICKS, NO_SLEEPS], 51_130),
        (&rtc, &[NO_TICKS], rtc_turn),
        (&rtc, &[PACKETS], rtc_turn),
        (&narrow, &[NO_TICKS], narrow_turn),
    ];
    for (timer, more, turn) in cases {
        let firmware = firmware(&[timer, more, &[ADDS]].concat());
        let mut random = Random::new(7);
        for _ in 0..10 {
            let sleeps = sleeps(&mut random, turn);
            let missing = missing(&firmware, &sleeps);
            assert!(
                missing.iter().all(|it| *it == 0),
                "{timer:?} {more:?} {sleeps:?}: {missing:?}"
            );
        }
    }
}

/// With a port that cannot add wraps the time is the timer's: too short, and never too long.
#[test]
fn a_port_that_adds_no_turns_lacks_them() {
    let firmware = firmware(&[("STAND_IN_COUNTS_PER_TICK", "100000"), BITS_32]);
    let sleeps = ["0", "200000", "10", "30000"].map(str::to_owned);
    let turns = missing(&firmware, &sleeps).into_iter().map(|it| it >> 32);
    assert_eq!(turns.collect::<Vec<_>>(), [4, 4, 4]);
}
