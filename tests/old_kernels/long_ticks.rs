//! Ticks of 64 bits: numbers of ticks that 32 bits do not hold.

use crate::{config, recorded_by};

/// The value of a field in each event of a name.
fn values(lines: &[String], event: &str, field: &str) -> Vec<u64> {
    let values = lines.iter().filter(|line| line.split(' ').next() == Some(event)).map(|line| {
        let value = line.split(' ').find_map(|word| word.strip_prefix(field)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("no {field} in {line}")).parse().expect("a number")
    });
    values.collect()
}

#[test]
fn ticks_beyond_32_bits_are_not_truncated() {
    const LONG: u64 = u32::MAX as u64;
    for (tick_type, saturated, counts) in [
        ("uint64_t", [5, LONG, LONG, LONG], [5, 6_000_000_000 % (1 << 32), LONG, 0]),
        // The kernel itself has no more bits.
        (
            "uint32_t",
            [5, 6_000_000_000 % (1 << 32), LONG, 0],
            [5, 6_000_000_000 % (1 << 32), LONG, 0],
        ),
    ] {
        let mut config = config("100602", "100602");
        config.push(("STAND_IN_TICK_TYPE", tick_type));
        let lines = recorded_by("long_ticks.c", &config);
        let non_zero = |values: [u64; 4]| values.into_iter().filter(|it| *it > 1).collect();
        let expected: Vec<u64> = non_zero(saturated);
        assert_eq!(values(&lines, "curtask_delay", "ticks"), expected, "{tick_type}");
        assert_eq!(
            values(&lines, "low_power_idle_begin", "expected_ticks"),
            expected,
            "{tick_type}"
        );
        assert_eq!(values(&lines, "tick_count_increase", "ticks"), saturated, "{tick_type}");
        assert_eq!(values(&lines, "timer_created", "period"), saturated, "{tick_type}");
        // A start has a tick count, whose low bits are recorded; a change has a period.
        let commands: Vec<u64> =
            counts.into_iter().zip(saturated).flat_map(|(count, period)| [count, period]).collect();
        assert_eq!(values(&lines, "timer_command_sent", "value"), commands, "{tick_type}");
        assert_eq!(values(&lines, "timer_command_received", "value"), saturated, "{tick_type}");
        let wakes = counts.map(|count| (count + 7) % (1 << 32));
        assert_eq!(values(&lines, "curtask_delay_until", "time_to_wake"), wakes, "{tick_type}");
    }
}
