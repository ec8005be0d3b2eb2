//! Moments as people write them.

use tband_conv::clock::moment::Moment;

/// The message about a text that is not a moment.
pub const NO_MOMENT: &str = "a time such as 1.5ms, 300us, 2s or a number of ticks is needed";

/// Parses a time: a number with a unit, or ticks.
///
/// # Errors
/// The text is not a time; the message describes the accepted forms.
pub fn moment(text: &str) -> Result<Moment, String> {
    const UNITS: [(&str, u32); 5] = [("ns", 0), ("us", 3), ("µs", 3), ("ms", 6), ("s", 9)];
    let wrong = || NO_MOMENT.to_owned();
    let Some((number, digits)) = UNITS
        .iter()
        .find_map(|(unit, digits)| text.strip_suffix(unit).map(|number| (number.trim(), *digits)))
    else {
        return text.parse().map(Moment::Ticks).map_err(|_| wrong());
    };
    // A decimal fraction, without the rounding of floating point.
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let places = u32::try_from(fraction.len()).ok().filter(|places| *places <= digits);
    let places = places.ok_or("nothing is finer than 1 ns")?;
    if !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(wrong());
    }
    let value: u64 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
    let ns = value.checked_mul(10_u64.pow(digits - places)).ok_or("the time is too large")?;
    Ok(Moment::Ns(ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(moment("1.5ms"), Ok(Moment::Ns(1_500_000)));
        assert_eq!(moment("300 us"), Ok(Moment::Ns(300_000)));
        assert_eq!(moment("300µs"), Ok(Moment::Ns(300_000)));
        assert_eq!(moment("2s"), Ok(Moment::Ns(2_000_000_000)));
        assert_eq!(moment("0.000000001s"), Ok(Moment::Ns(1)));
        assert_eq!(moment("7.0ns"), Ok(Moment::Ns(7)));
        assert_eq!(moment("42"), Ok(Moment::Ticks(42)));
        for wrong in ["", "s", "-1s", "1.2.3s", "1.5", "x", "+3s", "1m", "1.5ns", "99999999999999s"]
        {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
