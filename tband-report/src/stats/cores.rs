//! Tables about several cores: all of them together, and movement between them.

use tband_conv::sinks::{BetweenCores, CoreStats, Stats};

use super::table::{Cell, Table, table};

/// Returns the table of all cores together, if there are several.
pub fn all(stats: &Stats) -> Table {
    let columns = [
        ("cores", "cores"),
        ("load", "load"),
        ("task_ns", "tasks"),
        ("idle_ns", "idle"),
        ("isr_ns", "interrupts"),
        ("unknown_ns", "unknown"),
        ("known_ns", "known"),
        ("switches", "switches"),
        ("migrations", "migrations"),
        ("wakes", "woken from another core"),
        ("interrupts", "interrupts taken"),
    ];
    let count = stats.cores().count();
    let sum = |of: fn(&CoreStats) -> i64| stats.cores().map(of).fold(0, i64::saturating_add);
    let of_pairs = |of: fn(&BetweenCores) -> u64| {
        Cell::Count(stats.between_cores().map(of).fold(0, u64::saturating_add))
    };
    let switches = stats.cores().map(|core| core.switches).fold(0, u64::saturating_add);
    let isrs = stats.isrs().map(|isr| isr.count).fold(0, u64::saturating_add);
    let row = || {
        vec![
            Cell::size(count),
            Cell::share(CoreStats::busy_share_of(stats.cores())),
            Cell::Ns(sum(|core| core.task_ns)),
            Cell::Ns(sum(|core| core.idle_ns)),
            Cell::Ns(sum(|core| core.isr_ns)),
            Cell::Ns(sum(|core| core.unknown_ns)),
            Cell::Ns(sum(|core| core.known_ns)),
            Cell::Count(switches),
            of_pairs(|pair| pair.migrations),
            of_pairs(|pair| pair.wakes.count()),
            Cell::Count(isrs),
        ]
    };
    let rows = (count > 1).then(row).into_iter().collect();
    Table { rows, single: true, ..table("all_cores", "All cores together", &columns) }
}

/// Returns the table of movement between cores.
pub fn between(stats: &Stats) -> Table {
    let columns = [
        ("from", "from core"),
        ("to", "to core"),
        ("migrations", "migrations"),
        ("wakes", "wakes"),
        ("certain_within_ns", "times certain within"),
        (
            "wake_latency",
            "Wake latency between cores: from ready on the one to running on the other",
        ),
    ];
    let row = |pair: &BetweenCores| {
        vec![
            Cell::Count(pair.from.into()),
            Cell::Count(pair.to.into()),
            Cell::Count(pair.migrations),
            Cell::Count(pair.wakes.count()),
            if pair.uncertain_ns > 0 { Cell::Ns(pair.uncertain_ns) } else { Cell::None },
            Cell::spread(&pair.wakes),
        ]
    };
    let rows = stats.between_cores().map(row).collect();
    Table { rows, ..table("between_cores", "Between cores", &columns) }
}
