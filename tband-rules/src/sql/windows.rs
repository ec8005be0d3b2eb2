//! Windows: the recording in parts of one length, from its begin. A part that is shorter, at the end, does not count.

use crate::rule::Conditions;

/// `r`: each recording with its begin `b` and its end `e`.
pub fn recordings(conditions: &Conditions) -> String {
    let after = conditions.after_start.unwrap_or(0);
    format!(
        "r AS (\n  SELECT recording, begin_ns + {after} AS b, end_ns AS e FROM recordings WHERE end_ns - begin_ns > {after}\n)"
    )
}

/// `w`: the windows of each recording, with their begin `k`.
pub fn windows(length: i64) -> String {
    format!(
        "w(recording, e, k) AS (\n  SELECT recording, e, b FROM r WHERE b + {length} <= e\n  UNION ALL SELECT recording, e, k + \
         {length} FROM w WHERE k + 2 * {length} <= e\n)"
    )
}

/// `m` of moments: their number, or their rate.
pub fn points(points: &str, is_rate: bool, conditions: &Conditions) -> String {
    let all = recordings(conditions);
    let value = |count: &str, length: &str| match is_rate {
        true => format!("{count} * 1000000000.0 / {length}"),
        false => count.to_owned(),
    };
    let Some(length) = conditions.window else {
        let value = value("count(p.t)", "(r.e - r.b)");
        // An event of one recording may be missing in others.
        return format!(
            "{all}, p AS (\n  {points}\n), s AS (\n  SELECT DISTINCT subject FROM p\n), m AS (\n  SELECT r.recording, 0 AS id, \
             s.subject, 0 AS n, r.b AS at_ns, {value} AS value, 1 AS whole\n  FROM r JOIN s ON 1 = 1\n  LEFT JOIN p ON \
             p.recording = r.recording AND p.subject = s.subject AND p.t >= r.b\n  GROUP BY r.recording, s.subject, r.b, \
             r.e\n)"
        );
    };
    let windows = windows(length);
    let value = value("coalesce(c.c, 0)", &length.to_string());
    format!(
        "{all}, {windows}, p AS (\n  {points}\n), s AS (\n  SELECT DISTINCT subject FROM p\n), c AS (\n  SELECT p.recording, \
         p.subject, p.t - (p.t - r.b) % {length} AS k, count(*) AS c\n  FROM p JOIN r ON r.recording = p.recording WHERE p.t >= \
         r.b\n  GROUP BY p.recording, p.subject, p.t - (p.t - r.b) % {length}\n), m AS (\n  SELECT w.recording, 0 AS id, \
         s.subject, 0 AS n, w.k AS at_ns, {value} AS value, 1 AS whole\n  FROM w JOIN s ON 1 = 1\n  LEFT JOIN c ON c.recording = \
         w.recording AND c.subject = s.subject AND c.k = w.k\n)"
    )
}

/// Returns `m` of slices `i` with the columns `recording`, `subject`, `t`, `u`, `busy` and `known`: the share of each window in
/// percent. The share is of the known time if no windows are given, and `known` does not cover the complete recording.
pub fn shares(slices: &str, is_of_known: bool, conditions: &Conditions) -> String {
    let all = recordings(conditions);
    let head = format!(
        "{all}, {slices}, j AS (\n  SELECT i.recording, i.subject, r.b, CASE WHEN i.t < r.b THEN r.b ELSE i.t END AS t, i.u, \
         i.busy, i.known\n  FROM i JOIN r ON r.recording = i.recording WHERE i.u > r.b\n)"
    );
    let Some(length) = conditions.window else {
        let of = if is_of_known { "sum((j.u - j.t) * j.known)" } else { "max(r.e - r.b)" };
        return format!(
            "{head}, m AS (\n  SELECT j.recording, 0 AS id, j.subject, 0 AS n, j.b AS at_ns,\n    sum((j.u - j.t) * j.busy) * \
             100.0 / {of} AS value, 1 AS whole\n  FROM j JOIN r ON r.recording = j.recording\n  GROUP BY j.recording, j.subject, \
             j.b HAVING {of} > 0\n)"
        );
    };
    let windows = windows(length);
    let whole = match is_of_known {
        true => format!("CASE WHEN coalesce(c.known, 0) >= {length} THEN 1 ELSE 0 END"),
        false => "1".to_owned(),
    };
    // Each slice is cut at the ends of windows.
    format!(
        "{head}, {windows}, p(recording, subject, b, t, u, busy, known) AS (\n  SELECT recording, subject, b, t, u, busy, known \
         FROM j\n  UNION ALL SELECT recording, subject, b, t - (t - b) % {length} + {length}, u, busy, known\n  FROM p WHERE u > \
         t - (t - b) % {length} + {length}\n), q AS (\n  SELECT recording, subject, t - (t - b) % {length} AS k, busy, \
         known,\n    CASE WHEN u > t - (t - b) % {length} + {length} THEN t - (t - b) % {length} + {length} ELSE u END - t AS \
         ns\n  FROM p\n), c AS (\n  SELECT recording, subject, k, sum(ns * busy) AS busy, sum(ns * known) AS known FROM q GROUP \
         BY recording, subject, k\n), s AS (\n  SELECT DISTINCT subject FROM j\n), m AS (\n  SELECT w.recording, 0 AS id, \
         s.subject, 0 AS n, w.k AS at_ns,\n    coalesce(c.busy, 0) * 100.0 / {length} AS value, {whole} AS whole\n  FROM w JOIN s \
         ON 1 = 1\n  LEFT JOIN c ON c.recording = w.recording AND c.subject = s.subject AND c.k = w.k\n)"
    )
}
