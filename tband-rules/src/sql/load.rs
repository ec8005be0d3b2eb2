//! Load: the work on each core at each instant, found by a sweep over the begins and ends of slices and interrupts.

use crate::metric::RuleSubjectKind;
use crate::rule::Conditions;

use super::parts::{condition, pattern};
use super::windows;

/// Load of cores, or of tasks.
pub fn cores((kind, name): (RuleSubjectKind, &str), conditions: &Conditions) -> String {
    let own = condition(conditions);
    let core = if kind == RuleSubjectKind::Core && name != "*" {
        format!(" AND core = {name}")
    } else {
        String::new()
    };
    // An interrupt takes the time of the task that it interrupts. Slices without a length have no order.
    let sweep = format!(
        "g AS (\n  SELECT recording, core, begin_ns AS t, 1 AS run, CASE WHEN is_idle THEN 1 ELSE 0 END AS idle, 0 AS isr, task \
         AS label\n  FROM states WHERE state = 'running' AND core IS NOT NULL AND end_ns > begin_ns{core}{own}\n  UNION ALL SELECT \
         recording, core, end_ns, -1, CASE WHEN is_idle THEN -1 ELSE 0 END, 0, NULL\n  FROM states WHERE state = 'running' AND \
         core IS NOT NULL AND end_ns > begin_ns{core}{own}\n  UNION ALL SELECT recording, core, begin_ns, 0, 0, 1, NULL FROM \
         interrupts WHERE depth = 0 AND end_ns > begin_ns{core}\n  UNION ALL SELECT recording, core, end_ns, 0, 0, -1, NULL FROM \
         interrupts WHERE depth = 0 AND end_ns > begin_ns{core}\n), x AS (\n  SELECT recording, core, t, label, lead(t) OVER o AS \
         u, sum(run) OVER o AS run, sum(idle) OVER o AS idle, sum(isr) OVER o AS isr,\n    sum(CASE WHEN run = 1 THEN 1 ELSE 0 END) \
         OVER o AS turn\n  FROM g WINDOW o AS (PARTITION BY recording, core ORDER BY t, run, isr ROWS UNBOUNDED PRECEDING)\n)"
    );
    if kind == RuleSubjectKind::Core {
        let slices = format!(
            "{sweep}, i AS (\n  SELECT recording, 'core ' || CAST(core AS VARCHAR) AS subject, t, u,\n    CASE WHEN isr > 0 OR (run > \
             0 AND idle = 0) THEN 1 ELSE 0 END AS busy, CASE WHEN isr > 0 OR run > 0 THEN 1 ELSE 0 END AS known\n  FROM x WHERE u > \
             t\n)"
        );
        return windows::shares(&slices, true, conditions);
    }
    let slices = format!(
        "{sweep}, y AS (\n  SELECT recording, t, u, run, isr, max(label) OVER (PARTITION BY recording, core, turn) AS subject FROM \
         x\n), i AS (\n  SELECT recording, subject, t, u, 1 AS busy, 1 AS known FROM y WHERE u > t AND run > 0 AND isr = 0 AND \
         subject GLOB {}\n)",
        pattern(name)
    );
    windows::shares(&slices, false, conditions)
}

/// Load of interrupts, from enter to exit.
pub fn interrupts(filter: &str, conditions: &Conditions) -> String {
    let slices = format!(
        "i AS (\n  SELECT recording, isr AS subject, begin_ns AS t, end_ns AS u, 1 AS busy, 1 AS known FROM interrupts WHERE \
         {filter}\n)"
    );
    windows::shares(&slices, false, conditions)
}
