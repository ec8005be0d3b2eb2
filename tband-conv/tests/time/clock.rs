//! The clock against exact arithmetic with fractions.

use tband_conv::clock::frequency::Frequency;
use tband_conv::clock::{Clock, ClockEffect, FrequencyKnowledge, MAX_NS};

/// Frequencies in Hz, as fractions: usual clocks, and some that are as awkward as can be.
const FREQUENCIES: [(u64, u64); 24] = [
    (64_000_000, 1),
    (180_000_000, 1),
    (400_000_000, 1),
    (600_000_000, 1),
    (800_000_000, 1),
    (1_000_000_000, 1),
    (2_400_000_000, 1),
    (5_000_000_000, 1),
    (32_768, 1),
    (1_000_000, 1),
    (1, 1),
    (1, 3),
    (3_579_545, 3),
    (14_318_180, 12),
    (999_999_937, 1),
    (4_294_967_291, 1),
    (4_294_967_291, 4_294_967_279),
    (u64::MAX, 1),
    (u64::MAX, u64::MAX - 1),
    (u64::MAX, u64::MAX / 1_000_000_007),
    (18_446_744_073_709_551_557, 1),
    (1_000_000_007, u64::MAX),
    (1, 1 << 33),
    (1, u64::MAX),
];

fn frequency((numerator, denominator): (u64, u64)) -> Frequency {
    Frequency::new(numerator, denominator).unwrap()
}

/// A product of 192 bits: the upper 128, the lower 64.
fn product(one: u128, other: u64) -> (u128, u64) {
    let other = u128::from(other);
    let low = (one & u128::from(u64::MAX)) * other;
    ((one >> 64) * other + (low >> 64), low as u64)
}

/// `ns` is the time at this tick, rounded down: ns * hz <= ticks * 10^9 * denominator < (ns + 1) * hz.
fn is_time_of(ns: u64, ticks: u64, (numerator, denominator): (u64, u64)) -> bool {
    let ticks = product(u128::from(ticks) * 1_000_000_000, denominator);
    let hz = |ns: u64| product(u128::from(ns), numerator);
    hz(ns) <= ticks && ticks < hz(ns + 1)
}

/// Numbers that are the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        mixed ^ (mixed >> 29)
    }
}

/// Ticks to try: around all powers of two, and all over the range; in order, then not.
fn ticks() -> Vec<u64> {
    let mut random = Random(1);
    let mut ticks: Vec<u64> = (0..200).collect();
    for bit in 0..64 {
        let power = 1_u64 << bit;
        ticks.extend((0..4).flat_map(|step| [power.wrapping_add(step), power.wrapping_sub(step)]));
        ticks.extend((0..40).map(|_| random.next() >> bit));
    }
    ticks.push(u64::MAX);
    ticks.sort_unstable();
    let mut shuffled = ticks.clone();
    for at in 0..shuffled.len() {
        let other = (random.next() % shuffled.len() as u64) as usize;
        shuffled.swap(at, other);
    }
    ticks.extend(shuffled);
    ticks
}

#[test]
fn times_are_those_of_exact_arithmetic() {
    let (mut shown, mut beyond) = (0, 0);
    for of in FREQUENCIES {
        let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency(of)), 0);
        for ticks in ticks() {
            match clock.ns(ticks) {
                Some(ns) => {
                    assert!(is_time_of(ns.unsigned_abs(), ticks, of), "{of:?}: {ticks} -> {ns}");
                    shown += 1;
                }
                None => {
                    let limit = product(MAX_NS as u128 + 1, of.0);
                    let time = product(u128::from(ticks) * 1_000_000_000, of.1);
                    assert!(time >= limit, "{of:?}: {ticks} is not beyond the range");
                    beyond += 1;
                }
            }
        }
    }
    assert!(shown > 100_000 && beyond > 20_000, "{shown} {beyond}");
}

/// At the end of the fast path, and after it, times are the same as anywhere.
#[test]
fn the_fast_way_ends_before_it_is_wrong() {
    let mut random = Random(2);
    let mut ends = 0;
    for of in FREQUENCIES {
        for _ in 0..300 {
            let from = random.next() >> (random.next() % 64);
            let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency(of)), 0);
            if clock.ns(from).is_none() {
                continue;
            }
            let last = clock.span().last();
            let inside = from + random.next() % (last - from).max(1);
            for ticks in [from, inside, last.saturating_sub(1).max(from), last] {
                let ns = clock.span().ns(ticks).unsigned_abs();
                assert!(is_time_of(ns, ticks, of), "{of:?}: {from}, {ticks} -> {ns}");
            }
            if let Some(after) = last.checked_add(1)
                && let Some(ns) = clock.ns(after)
            {
                assert!(is_time_of(ns.unsigned_abs(), after, of), "{of:?}: {after} -> {ns}");
                ends += 1;
            }
        }
    }
    assert!(ends > 500, "{ends}");
}

/// Usual clocks need no slow path for a year.
#[test]
fn the_fast_way_is_long() {
    for of in FREQUENCIES.iter().take(14) {
        let clock = Clock::new(FrequencyKnowledge::Exact(frequency(*of)), 0);
        let year = 366 * 86_400 * of.0 / of.1;
        assert!(clock.span().last() > year, "{of:?}: {}", clock.span().last());
    }
}

/// A fraction in lowest terms.
#[derive(Clone, Copy)]
struct Fraction(u128, u128);

fn gcd(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { gcd(other, one % other) }
}

impl Fraction {
    fn plus(self, other: Self) -> Self {
        let common = gcd(self.1, other.1);
        let sum = self.0 * (other.1 / common) + other.0 * (self.1 / common);
        let under = self.1 / common * other.1;
        let factor = gcd(sum, under);
        Self(sum / factor, under / factor)
    }

    fn of_ticks(ticks: u64, (numerator, denominator): (u64, u64)) -> Self {
        let (over, under) =
            (u128::from(ticks) * 1_000_000_000 * u128::from(denominator), u128::from(numerator));
        let common = gcd(over, under);
        Self(over / common, under / common)
    }
}

/// Before a change times have the old rate, after it the new one, and the remaining fraction of a nanosecond is carried on;
/// also where a time is requested late.
#[test]
fn changes_are_followed_exactly() {
    let usual = &FREQUENCIES[..14];
    let mut random = Random(3);
    for _ in 0..300 {
        let of = |random: &mut Random| usual[random.next() as usize % usual.len()];
        let mut now = of(&mut random);
        let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency(now)), 0);
        let (mut from, mut time) = (0, Fraction(0, 1));
        let mut seen = Vec::new();
        for _ in 0..6 {
            let change = from + random.next() % 1000 + (random.next() >> (40 + random.next() % 20));
            for ticks in [from, from + 1, from + (change - from) / 2, change] {
                let Fraction(over, under) = time.plus(Fraction::of_ticks(ticks - from, now));
                let expected = i64::try_from(over / under).unwrap();
                assert_eq!(clock.ns(ticks), Some(expected), "{ticks} at {now:?}");
                seen.push((ticks, expected));
            }
            let next = of(&mut random);
            let reported = clock.reported_frequency(change, next.0, next.1);
            let before = frequency(now);
            let changed = frequency(next) != before;
            assert_eq!(
                reported,
                if changed { ClockEffect::Changed(before) } else { ClockEffect::Nothing }
            );
            time = time.plus(Fraction::of_ticks(change - from, now));
            (from, now) = (change, next);
        }
        for (ticks, expected) in seen {
            assert_eq!(clock.ns(ticks), Some(expected), "{ticks}, asked for again");
        }
    }
}

/// Three thirds are one, with changes between them.
#[test]
fn a_frequency_change_loses_no_time() {
    let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency((3_000_000_000, 1))), 0);
    clock.reported_frequency(1, 1_500_000_000, 1);
    assert_eq!(clock.ns(1), Some(0));
    assert_eq!(clock.ns(2), Some(1));
    clock.reported_frequency(2, 3_000_000_000, 1);
    assert_eq!((clock.ns(4), clock.ns(5)), (Some(1), Some(2)));
}

/// Frequencies of which no common part of a nanosecond fits into 64 bits.
#[test]
fn awkward_changes_cost_less_than_a_nanosecond_each() {
    let awkward = [(18_446_744_073_709_551_557, 7), (4_294_967_291, 3), (999_999_937, 11)];
    let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency(awkward[0])), 0);
    let mut ideal = 0.0;
    for change in 1..1000_u64 {
        let (numerator, denominator) = awkward[(change as usize - 1) % 3];
        ideal += 12_345.0 * denominator as f64 / numerator as f64 * 1e9;
        let next = awkward[change as usize % 3];
        clock.reported_frequency(change * 12_345, next.0, next.1);
        let ns = clock.ns(change * 12_345).unwrap() as f64;
        assert!(ns <= ideal + 0.001 && ns > ideal - change as f64, "{change}: {ns}, {ideal}");
    }
}

#[test]
fn ignores_an_impossible_frequency() {
    let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency((64_000_000, 1))), 0);
    for (numerator, denominator) in [(0, 1), (1, 0), (0, 0)] {
        assert_eq!(clock.reported_frequency(5, numerator, denominator), ClockEffect::Contradiction);
    }
    assert_eq!(clock.reported_resolution(5, 0), ClockEffect::Contradiction);
    assert_eq!(clock.reported_resolution(5, 14), ClockEffect::Contradiction);
    // 15.625, rounded up or down.
    assert_eq!(clock.reported_resolution(5, 15), ClockEffect::Nothing);
    assert_eq!(clock.reported_resolution(5, 16), ClockEffect::Nothing);
    assert_eq!(clock.frequency(), frequency((64_000_000, 1)));
    // The rounded one of before a change may be reported again.
    clock.reported_frequency(9, 2_400_000_000, 1);
    assert_eq!(clock.reported_resolution(10, 16), ClockEffect::Nothing);
    assert_eq!(clock.reported_resolution(10, 1), ClockEffect::Nothing);
    assert_eq!(clock.reported_resolution(10, 2), ClockEffect::Contradiction);
    assert_eq!(clock.ns(9), Some(140));
}

#[test]
fn a_precise_frequency_replaces_a_rounded_one_from_the_start() {
    let mut clock = Clock::new(FrequencyKnowledge::Rounded(16), 0);
    assert_eq!(clock.ns(1000), Some(16_000));
    assert_eq!(clock.reported_frequency(1000, 64_000_000, 1), ClockEffect::Nothing);
    assert_eq!(clock.ns(1000), Some(15_625));
    let mut clock = Clock::new(FrequencyKnowledge::Rounded(10), 0);
    assert_eq!(
        clock.reported_frequency(1000, 64_000_000, 1),
        ClockEffect::Changed(frequency((100_000_000, 1)))
    );
    assert_eq!((clock.ns(1000), clock.ns(1064)), (Some(10_000), Some(11_000)));
}

/// Late timestamps start at 0, so that the whole range is theirs.
#[test]
fn a_late_start_is_time_0() {
    for (first, of, is_late) in [
        (1 << 61, (1_000_000_000, 1), false),
        (1 << 63, (1_000_000_000, 1), true),
        (u64::MAX, (64_000_000, 1), true),
        (1 << 58, (64_000_000, 1), false),
        (5, (1, u64::MAX), true),
        (0, (1, u64::MAX), false),
    ] {
        let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency(of)), first);
        let start = clock.ns(first).unwrap();
        assert_eq!(start == 0, is_late || first == 0, "{first} {of:?}");
        if let Some(next) = first.checked_add(1)
            && let Some(ns) = clock.ns(next)
        {
            assert!((ns - start).abs_diff(1_000_000_000 * of.1 as i64 / of.0 as i64) <= 1);
        }
        // Invalid ticks do not break it.
        assert!(clock.ns(0) <= Some(start));
    }
}

#[test]
fn a_correction_replaces_the_first_reported_frequency() {
    let (wrong, truth) = (frequency((100_000_000, 1)), frequency((96_000_000, 1)));
    let mut clock = Clock::corrected(FrequencyKnowledge::Exact(wrong), truth, 0);
    assert_eq!(clock.reported_frequency(0, 100_000_000, 1), ClockEffect::Nothing);
    assert_eq!(clock.ns(96), Some(1000));
    assert_eq!(clock.reported_frequency(96, 48_000_000, 1), ClockEffect::Changed(truth));
    assert_eq!(clock.ns(144), Some(2000));
    assert_eq!(
        clock.reported_frequency(144, 100_000_000, 1),
        ClockEffect::Changed(frequency((48_000_000, 1)))
    );
    assert_eq!(clock.ns(240), Some(3000));
}

#[test]
fn people_write_frequencies() {
    for (text, numerator, denominator, shown) in [
        ("64000000", 64_000_000, 1, "64 MHz"),
        ("64M", 64_000_000, 1, "64 MHz"),
        ("2.4G", 2_400_000_000, 1, "2.4 GHz"),
        ("32.768k", 32_768, 1, "32.768 kHz"),
        ("32768", 32_768, 1, "32.768 kHz"),
        ("3579545/3", 3_579_545, 3, "3579545/3 Hz"),
        ("2/6", 1, 3, "1/3 Hz"),
        ("100M/3", 100_000_000, 3, "100000000/3 Hz"),
        ("0.5", 1, 2, "1/2 Hz"),
        ("1.5k/1.5", 1000, 1, "1 kHz"),
        ("999", 999, 1, "999 Hz"),
        ("1234567", 1_234_567, 1, "1234.567 kHz"),
        ("1234567891", 1_234_567_891, 1, "1234567.891 kHz"),
        (
            "18446744073709551615/18446744073709551614",
            u64::MAX,
            u64::MAX - 1,
            "18446744073709551615/18446744073709551614 Hz",
        ),
    ] {
        let parsed: Frequency = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((parsed.numerator(), parsed.denominator()), (numerator, denominator), "{text}");
        assert_eq!(parsed.to_string(), shown);
    }
    for wrong in [
        "",
        "0",
        "1/0",
        "0/1",
        "M",
        "-1",
        "+1",
        "1e6",
        "64 MHz",
        "64m",
        "1/2/3",
        "/",
        "1.2.3",
        "99999999999999999999",
        "99999999999G",
        "0.00000000000000000000001",
        "x",
    ] {
        assert!(wrong.parse::<Frequency>().is_err(), "{wrong}");
    }
}

/// Old changes are kept for events that come late, as far back as bounded memory allows.
#[test]
fn a_timer_that_changes_again_and_again_is_followed_in_bounded_memory() {
    const KEPT: u64 = 1 << 14;
    // A tick is 1 us, then 2 us, and so on in turn, each for 10 ticks.
    let mut clock = Clock::new(FrequencyKnowledge::Exact(frequency((1_000_000, 1))), 0);
    let changes = 3 * KEPT;
    for change in 1..=changes {
        let reported =
            clock.reported_frequency(change * 10, [1_000_000, 500_000][change as usize % 2], 1);
        assert!(matches!(reported, ClockEffect::Changed(_)), "{change}");
    }
    let begins = |change: u64| {
        let (slow, fast) = (change / 2, change - change / 2);
        ((slow * 20_000 + fast * 10_000) as i64, 10 * change)
    };
    for change in [changes, changes - 1, changes - KEPT + 1, changes - KEPT] {
        let (ns, ticks) = begins(change);
        let tick = if change % 2 == 0 { 1000 } else { 2000 };
        assert_eq!(clock.ns(ticks), Some(ns), "{change}");
        assert_eq!(clock.ns(ticks + 3), Some(ns + 3 * tick), "{change}");
    }
    // Times before that do not go back, and are not later than the kept ones.
    for change in [changes - KEPT - 1, 5, 0] {
        assert_eq!(clock.ns(begins(change).1), Some(begins(changes - KEPT).0), "{change}");
    }
    // All of these resolutions were true once.
    assert_eq!(clock.reported_resolution(changes * 10, 1000), ClockEffect::Nothing);
    assert_eq!(clock.reported_resolution(changes * 10, 2000), ClockEffect::Nothing);
    assert_eq!(clock.reported_resolution(changes * 10, 3000), ClockEffect::Contradiction);
}
