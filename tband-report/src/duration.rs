//! Durations as people read them.

/// A duration with the unit that suits it, in four digits or so.
#[must_use]
pub fn duration(ns: i64) -> String {
    let size = ns.unsigned_abs();
    let (unit, digits) = match size {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => ("us", 3),
        1_000_000..1_000_000_000 => ("ms", 6),
        _ => ("s", 9),
    };
    let value = ns as f64 / 10_f64.powi(digits);
    match value.abs() {
        ..10.0 => format!("{value:.3} {unit}"),
        ..100.0 => format!("{value:.2} {unit}"),
        _ => format!("{value:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_that_suits_them() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1.000 us"),
            (12_345, "12.35 us"),
            (999_949, "999.9 us"),
            (1_500_000, "1.500 ms"),
            (61_000_000_000, "61.00 s"),
            (3_600_000_000_000, "3600.0 s"),
        ] {
            assert_eq!(duration(ns), text);
        }
    }
}
