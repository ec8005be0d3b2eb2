//! From the values of a metric to one row for each subject.

use crate::rule::{Conditions, Statistic};

/// The ends of a bound as SQL; true if the end itself is not allowed.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub low: Option<(String, bool)>,
    pub high: Option<(String, bool)>,
}

/// The name of the expression that has the values.
pub const fn last(statistic: &Statistic) -> &'static str {
    match statistic {
        Statistic::Every | Statistic::Max => "m",
        Statistic::Percentile(_) | Statistic::Total => "a",
    }
}

/// Replaces values by their percentile or their sum, one for each recording and subject. The second value is false if an
/// incomplete value is not a lower bound.
pub fn aggregate(values: String, statistic: &Statistic, conditions: &Conditions) -> (String, bool) {
    let (value, least, is_monotone) = match statistic {
        Statistic::Every | Statistic::Max => return (values, true),
        Statistic::Total => ("sum(value)".to_owned(), 1, true),
        Statistic::Percentile(share) => {
            // With fewer values it is the greatest or the least one.
            let outside = (1000 - (*share).min(999)).min((*share).max(1));
            let value = format!("quantile_disc(CASE WHEN whole = 1 THEN value END, 0.{share:03})");
            (value, u64::from(1000_u32.div_ceil(outside)), false)
        }
    };
    let least = conditions.at_least.unwrap_or(least);
    let cut = match statistic {
        Statistic::Total => " AND min(whole) = 1",
        _ => "",
    };
    let text = format!(
        "{values}, a AS (\n  SELECT recording, 0 AS id, subject, 0 AS n, CAST(NULL AS BIGINT) AS at_ns, {value} AS value,\n    CASE WHEN \
         sum(whole) >= {least}{cut} THEN 1 ELSE 0 END AS whole\n  FROM m GROUP BY recording, subject\n)"
    );
    (text, is_monotone)
}

/// The SELECT of the range of the values of the expression `from`.
pub fn measured((values, from): (&str, &str), is_monotone: bool) -> String {
    // A rule judges a lower bound, too, if the bound alone breaks it.
    let least = if is_monotone {
        "max(CASE WHEN whole = 0 THEN value END)"
    } else {
        "CAST(NULL AS DOUBLE)"
    };
    let of_whole = |function: &str| format!("{function}(CASE WHEN whole = 1 THEN value END)");
    format!(
        "WITH RECURSIVE {values}\nSELECT recording, subject, sum(whole) AS judged, {low} AS low, {high} AS high,\n  {least} AS \
         least\nFROM {from} GROUP BY recording, subject HAVING sum(whole) > 0 ORDER BY subject, recording",
        low = of_whole("min"),
        high = of_whole("max"),
    )
}

/// The SELECT that judges the values of the expression `from`.
pub fn judged(
    (values, from): (&str, &str),
    bounds: &Bounds,
    is_monotone: bool,
    allow: Option<(u32, u32)>,
) -> String {
    let mut bad = Vec::new();
    if let Some((high, is_open)) = &bounds.high {
        let whole = if is_monotone { "" } else { "whole = 1 AND " };
        bad.push(format!("({whole}value {} {high})", if *is_open { ">=" } else { ">" }));
    }
    if let Some((low, is_open)) = &bounds.low {
        bad.push(format!("(whole = 1 AND value {} {low})", if *is_open { "<=" } else { "<" }));
    }
    let excess = match (&bounds.low, &bounds.high) {
        (Some((low, _)), Some((high, _))) => {
            format!(
                "CASE WHEN value - {high} > {low} - value THEN value - {high} ELSE {low} - value END"
            )
        }
        (Some(_), None) => "-value".to_owned(),
        _ => "value".to_owned(),
    };
    let bad = bad.join(" OR ");
    let close = match allow {
        Some((_, of)) => format!(
            "sum(bad) OVER (PARTITION BY recording, subject, id ORDER BY at_ns, n ROWS BETWEEN {} PRECEDING AND CURRENT ROW)",
            of.saturating_sub(1)
        ),
        None => "bad".to_owned(),
    };
    // A value that is cut and not broken does not count among consecutive values.
    format!(
        "WITH RECURSIVE {values}, b AS (
  SELECT recording, id, subject, n, at_ns, value, whole, CASE WHEN {bad} THEN 1 ELSE 0 END AS bad,
    {excess} AS excess
  FROM {from}
), d AS (
  SELECT *, {close} AS close FROM b WHERE whole = 1 OR bad = 1
  UNION ALL SELECT *, 0 FROM b WHERE whole = 0 AND bad = 0
)
SELECT subject, recording, at_ns, value, whole, judged, cut, broken, most AS close FROM (
  SELECT subject, recording, at_ns, value, whole,
    sum(CASE WHEN whole = 1 OR bad = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY subject) AS judged,
    sum(CASE WHEN whole = 0 AND bad = 0 THEN 1 ELSE 0 END) OVER (PARTITION BY subject) AS cut,
    sum(bad) OVER (PARTITION BY subject) AS broken,
    max(close) OVER (PARTITION BY subject) AS most,
    row_number() OVER (
      PARTITION BY subject ORDER BY bad DESC, whole DESC, excess DESC, recording, at_ns, n) AS place
  FROM d
) AS x WHERE place = 1 ORDER BY subject"
    )
}
