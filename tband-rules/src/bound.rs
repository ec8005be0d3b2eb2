//! Bounds: `<= 2 ms`, `4 ms .. 6 ms`, `<= +10 %`. Times are whole nanoseconds, so that comparisons are exact.

use std::fmt::{self, Display, Formatter};

use tband_report::unit::Unit;

/// The units that a bound of this kind has, with their size.
const fn units(unit: Unit) -> &'static [(&'static str, i64)] {
    match unit {
        Unit::Time => {
            &[("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)]
        }
        Unit::Bytes => &[("B", 1), ("kB", 1_000), ("KiB", 1 << 10), ("MiB", 1 << 20)],
        Unit::Plain => &[("", 1)],
        Unit::Percent => &[("%", 1)],
        Unit::PerSecond => &[("/s", 1)],
    }
}

/// Whether the numbers of a bound are integers.
const fn is_whole(unit: Unit) -> bool {
    matches!(unit, Unit::Time | Unit::Bytes | Unit::Plain)
}

/// A bound of this kind, as an example.
pub const fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => "\"<= 2 ms\"",
        Unit::Bytes => "\">= 128 B\"",
        Unit::Plain => "\"<= 6\"",
        Unit::Percent => "\"<= 90 %\"",
        Unit::PerSecond => "\"<= 2000 /s\"",
    }
}

/// A number of a bound, exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// The digits, without the point.
    digits: i64,
    /// Decimals among them.
    decimals: u32,
}

impl Amount {
    /// The number as SQL has it.
    pub fn sql(self) -> String {
        if self.decimals == 0 {
            return self.digits.to_string();
        }
        let sign = if self.digits < 0 { "-" } else { "" };
        let width = self.decimals as usize + 1;
        let text = format!("{:0width$}", self.digits.unsigned_abs());
        let (whole, part) = text.split_at(text.len().saturating_sub(self.decimals as usize));
        format!("{sign}{whole}.{part}")
    }

    /// The nearest number of double precision.
    pub fn real(self) -> f64 {
        self.sql().parse().unwrap_or(f64::NAN)
    }
}

/// An end of a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// This value.
    Fixed(Amount),
    /// The value of the baseline, plus this percentage of it.
    Percent(Amount),
    /// The value of the baseline, plus this amount.
    Added(Amount),
}

impl Limit {
    /// The limit depends on a baseline.
    pub const fn is_relative(self) -> bool {
        !matches!(self, Self::Fixed(_))
    }

    /// The limit as SQL, of a subject that has this value in the baseline.
    pub fn sql(self, unit: Unit, baseline: Option<f64>) -> String {
        let value = match (self, baseline) {
            (Self::Fixed(amount), _) => return amount.sql(),
            (_, None) => return "NULL".to_owned(),
            (Self::Percent(amount), Some(value)) => value + value.abs() * amount.real() / 100.0,
            (Self::Added(amount), Some(value)) => value + amount.real(),
        };
        // The value must not exceed the allowed one: rounds down to a whole number.
        if is_whole(unit) { format!("{}", value.floor() as i64) } else { format!("{value:?}") }
    }
}

/// The values that a rule allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The least value, and whether it is itself not allowed.
    pub low: Option<(Limit, bool)>,
    /// The greatest value, and whether it is itself not allowed.
    pub high: Option<(Limit, bool)>,
    text: String,
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Bound {
    /// The bound depends on a baseline.
    pub fn is_relative(&self) -> bool {
        let ends = [self.low, self.high];
        ends.into_iter().flatten().any(|(limit, _)| limit.is_relative())
    }

    /// Reads a bound.
    ///
    /// # Errors
    /// The text is not a bound; the error contains the correct form.
    pub fn read(text: &str, unit: Unit) -> Result<Self, String> {
        let wrong = |cause: String| format!("{cause}; the correct form is {}", example(unit));
        let text = text.trim();
        let own = text.to_owned();
        if let Some((low, high)) = text.split_once("..") {
            let low = (limit(low, unit).map_err(wrong)?, false);
            let high = (limit(high, unit).map_err(wrong)?, false);
            if let ((Limit::Fixed(low), _), (Limit::Fixed(high), _)) = (low, high)
                && low.real() > high.real()
            {
                return Err(format!("no value is in {text}: the first number is the least one"));
            }
            return Ok(Self { low: Some(low), high: Some(high), text: own });
        }
        let signs = ["<=", ">=", "<", ">", "="];
        let Some((sign, rest)) =
            signs.iter().find_map(|sign| Some((*sign, text.strip_prefix(*sign)?)))
        else {
            return Err(wrong(format!(
                "a bound begins with <, <=, >, >= or =, or is a range A .. B, and {text:?} is neither"
            )));
        };
        let limit = limit(rest, unit).map_err(wrong)?;
        let (low, high) = match sign {
            "<" => (None, Some((limit, true))),
            "<=" => (None, Some((limit, false))),
            ">" => (Some((limit, true)), None),
            ">=" => (Some((limit, false)), None),
            _ => (Some((limit, false)), Some((limit, false))),
        };
        Ok(Self { low, high, text: own })
    }
}

/// A number with its unit. After a sign it is relative to the baseline.
fn limit(text: &str, unit: Unit) -> Result<Limit, String> {
    let text = text.trim();
    if !text.starts_with(['+', '-']) {
        return amount(text, unit).map(Limit::Fixed);
    }
    match amount(text, Unit::Percent) {
        Ok(percent) if text.ends_with('%') => Ok(Limit::Percent(percent)),
        _ => amount(text, unit).map(Limit::Added),
    }
}

/// Reads a time with its unit, in ns.
///
/// # Errors
/// The text is not a time; the error contains the correct form.
pub fn time(text: &str) -> Result<i64, String> {
    let ns = amount(text.trim(), Unit::Time)
        .map_err(|cause| format!("{cause}; the correct form is \"100 ms\""))?;
    if ns.digits <= 0 {
        return Err(format!("{text:?} is not a time above 0"));
    }
    Ok(ns.digits)
}

fn amount(text: &str, unit: Unit) -> Result<Amount, String> {
    let end = text.find(|it: char| !it.is_ascii_digit() && !"+-._".contains(it));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let name = rest.trim();
    let number = number.trim().replace('_', "");
    let plain = number.strip_prefix(['+', '-']).unwrap_or(&number);
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let is_number =
        !whole.is_empty() && [whole, part].concat().bytes().all(|it| it.is_ascii_digit());
    if !is_number || plain.ends_with('.') {
        return Err(format!("{text:?} does not begin with a number"));
    }
    let Some((_, size)) = units(unit).iter().find(|(known, _)| *known == name) else {
        let known: Vec<_> = units(unit).iter().map(|(known, _)| *known).collect();
        return Err(match (unit, name) {
            (Unit::Plain, _) => format!("{name:?} is a unit, and this number has none"),
            (_, "") => format!("{text:?} has no unit: one of {}", known.join(", ")),
            _ => format!("{name:?} is not a unit of this metric: one of {}", known.join(", ")),
        });
    };
    let too_large = || format!("{text:?} is too large");
    let part = part.trim_end_matches('0');
    let digits: i64 = [whole, part].concat().parse().map_err(|_| too_large())?;
    let mut digits = digits.checked_mul(*size).ok_or_else(too_large)?;
    let mut decimals = u32::try_from(part.len()).map_err(|_| too_large())?;
    while decimals > 0 && digits % 10 == 0 {
        (digits, decimals) = (digits / 10, decimals - 1);
    }
    if decimals > 0 && is_whole(unit) {
        let least = units(unit).first().map_or("", |(name, _)| *name);
        return Err(format!(
            "{text:?} is not a whole number of {}",
            if least.is_empty() { "units" } else { least }
        ));
    }
    if number.starts_with('-') {
        digits = -digits;
    }
    Ok(Amount { digits, decimals })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str, unit: Unit) -> (Option<String>, Option<String>) {
        let bound = Bound::read(text, unit).unwrap();
        let end = |end: Option<(Limit, bool)>| {
            end.map(|(limit, is_open)| {
                format!("{}{}", if is_open { "!" } else { "" }, limit.sql(unit, Some(1000.0)))
            })
        };
        (end(bound.low), end(bound.high))
    }

    #[test]
    fn bounds_are_exact() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(ends("<= 2 ms", Unit::Time), (None, some("2000000")));
        assert_eq!(ends("<4.591389 ms", Unit::Time), (None, some("!4591389")));
        assert_eq!(ends("> 1.5us", Unit::Time), (some("!1500"), None));
        assert_eq!(ends("= 0", Unit::Plain), (some("0"), some("0")));
        assert_eq!(ends("5 ms .. 6 ms", Unit::Time), (some("5000000"), some("6000000")));
        assert_eq!(ends(">= 1 KiB", Unit::Bytes), (some("1024"), None));
        assert_eq!(ends("<= 70.25 %", Unit::Percent), (None, some("70.25")));
        assert_eq!(ends("<= 0.05 %", Unit::Percent), (None, some("0.05")));
        assert_eq!(ends("<= +10 %", Unit::Time), (None, some("1100")));
        assert_eq!(ends(">= -5 %", Unit::Bytes), (some("950"), None));
        assert_eq!(ends("<= +200 ns", Unit::Time), (None, some("1200")));
        assert_eq!(ends("<= 1_000 us", Unit::Time), (None, some("1000000")));
    }

    #[test]
    fn mistakes_contain_the_correct_form() {
        for (text, unit, cause) in [
            ("2 ms", Unit::Time, "begins with <"),
            ("<= 2", Unit::Time, "has no unit: one of ns, us"),
            ("<= 2 mm", Unit::Time, "\"mm\" is not a unit"),
            ("<= ms", Unit::Time, "does not begin with a number"),
            ("<= 1. ms", Unit::Time, "does not begin with a number"),
            ("<= 0.5 ns", Unit::Time, "is not a whole number of ns"),
            ("<= 99999999999 s", Unit::Time, "is too large"),
            ("<= 6 B", Unit::Plain, "this number has none"),
            ("<= ", Unit::Plain, "does not begin with a number"),
        ] {
            let error = Bound::read(text, unit).unwrap_err();
            assert!(error.contains(cause), "{text}: {error}");
            assert!(error.contains("the correct form is"), "{text}: {error}");
        }
        assert!(Bound::read("6 ms .. 5 ms", Unit::Time).unwrap_err().contains("no value is in"));
        assert!(time("0 ms").unwrap_err().contains("above 0"));
        assert!(time("5").unwrap_err().contains("the correct form is"));
    }
}
