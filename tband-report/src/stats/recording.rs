//! Tables about the recording itself: its origin, its findings, its event counts.

use std::cmp::Reverse;

use tband_conv::Summary;
use tband_conv::census::Census;
use tband_conv::diagnostics::{Diagnostics, Problem, Severity};
use tband_conv::model::{OmissionTime, OwnClock, ShedClass};
use tband_conv::packets::Link;
use tband_conv::sinks::Stats;

use super::table::{Cell, Table, table};
use crate::built;
use crate::left_out::{lacking, lacking_class};
use crate::time_unit::TimeUnit;

pub fn recording(stats: &Stats, summary: &Summary, census: &Census, unit: TimeUnit) -> Table {
    let unit_title = if unit == TimeUnit::Ticks { "times in" } else { "" };
    let columns = [
        ("length_ns", "length"),
        ("recorded_ns", "recorded"),
        ("start_ns", "starts at"),
        ("end_ns", "ends at"),
        ("timestamp_hz", "timestamps at"),
        ("time_unit", unit_title),
        ("events", "events"),
        ("bytes", "bytes"),
        ("events_per_second", "events rate"),
        ("bytes_per_second", "bytes rate"),
        ("lost_events", "lost events"),
        ("gaps", "gaps"),
        ("lost_names", "lost names"),
        ("damaged_frames", "damaged frames"),
        ("kernel_version", "kernel"),
        ("tick_rate_hz", "kernel ticks"),
        ("build_id", "build"),
        ("program", "program"),
        ("buffers", "buffers"),
        ("classes", "records"),
    ];
    let length = stats.length_ns();
    // Relative to the time in which something was recorded.
    let recorded = stats.recorded_ns();
    let events_rate = unit.per_second(census.events(), recorded);
    let bytes_rate = events_rate.map(|_| census.bytes as f64 * 1e9 / recorded as f64);
    let rate = |rate: Option<f64>| rate.map_or(Cell::None, Cell::Rate);
    let found = |problem| stats.findings().get(problem);
    let amount = |problem| Cell::Count(found(problem).map_or(0, |found| found.amount));
    let lost = [Problem::EventsLost, Problem::EventsDiscarded]
        .map(|problem| found(problem).map_or(0, |found| found.amount));
    let lost = lost.into_iter().fold(0, u64::saturating_add);
    let damaged = match summary.part {
        Some(_) => stats.findings().count(Problem::UndecodableFrame),
        None => census.damaged.count,
    };
    let info = stats.trace_info();
    let version = info.and_then(|info| info.kernel_version);
    let tick_rate = info.and_then(|info| info.tick_rate_hz);
    let row = vec![
        Cell::Ns(length),
        Cell::Ns(recorded),
        Cell::At(stats.start_ns()),
        Cell::At(stats.end_ns()),
        Cell::Frequency(summary.frequency),
        Cell::text(Some(unit.name())),
        Cell::Count(census.events()),
        Cell::Count(census.bytes),
        rate(events_rate),
        rate(bytes_rate),
        Cell::Count(lost),
        Cell::Count(stats.gap_count()),
        amount(Problem::MetadataLost),
        Cell::Count(damaged),
        Cell::text(version.map(built::kernel_version)),
        tick_rate.map_or(Cell::None, |rate| Cell::Rate(rate.into())),
        Cell::text(summary.build_id.as_ref()),
        Cell::text(summary.identity.as_ref()),
        Cell::text(built::buffers(summary)),
        Cell::text(built::classes(summary)),
    ];
    Table { rows: vec![row], single: true, ..table("recording", "Recording", &columns) }
}

/// Returns the statistics of the link, if the recording consists of packets.
pub fn link(summary: &Summary) -> Table {
    let columns = [
        ("packets", "packets"),
        ("lost_packets", "lost packets"),
        ("discarded_events", "discarded events"),
        ("damaged_bytes", "damaged bytes"),
        ("metadata_bytes", "metadata bytes"),
        ("bytes", "bytes"),
        ("bytes_per_event", "bytes an event"),
    ];
    let row = |link: &Link| {
        vec![
            Cell::Count(link.packets),
            Cell::Count(link.lost),
            Cell::Count(link.discarded),
            Cell::Count(link.damaged_bytes),
            Cell::Count(link.metadata_bytes),
            Cell::Count(link.bytes),
            link.bytes_per_event().map_or(Cell::None, Cell::Ratio),
        ]
    };
    let rows = summary.link.iter().map(row).collect();
    Table { rows, single: true, ..table("link", "Link: packets as they came", &columns) }
}

/// Returns the table of events and objects that filters on the target have left out, and the figures that therefore lack them.
pub fn left_out(summary: &Summary) -> Table {
    let columns = [
        ("what", "not recorded"),
        ("by", "chosen by"),
        ("from_ns", "from"),
        ("to_ns", "to"),
        ("figures_lack", "figures lack"),
    ];
    let row = |time: &OmissionTime| {
        vec![
            Cell::Text(time.what.clone()),
            Cell::text(Some(time.by)),
            Cell::At(time.from_ns),
            time.to_ns.map_or(Cell::None, Cell::At),
            Cell::text(Some(lacking(&time.what))),
        ]
    };
    let rows = summary.left_out.iter().map(row).collect();
    Table { rows, ..table("not_recorded", "Not recorded, by choice of the target", &columns) }
}

/// Returns the table of events that the target has shed when packets ran out.
pub fn shed(summary: &Summary) -> Table {
    let columns = [
        ("class", "class"),
        ("events", "events"),
        ("times", "times"),
        ("time_ns", "time"),
        ("figures_lack", "figures lack"),
    ];
    let row = |class: &ShedClass| {
        vec![
            Cell::Text(class.name().into_owned()),
            Cell::Count(class.events),
            Cell::Count(class.times),
            Cell::Ns(class.ns),
            Cell::text(Some(lacking_class(&class.name()))),
        ]
    };
    let rows = summary.shed.iter().map(row).collect();
    Table { rows, ..table("shed", "Shed when packets ran out", &columns) }
}

/// Clocks that are not one, if they were aligned.
pub fn clocks(summary: &Summary) -> Table {
    let columns = [
        ("clock", "clock"),
        ("cores", "cores"),
        ("moments", "moments"),
        ("drift_ppm", "drift, ppm"),
        ("pieces", "pieces"),
        ("right_within_ns", "right within"),
    ];
    let row = |clock: &OwnClock| {
        let cores: Vec<String> = clock.cores.iter().map(u32::to_string).collect();
        vec![
            Cell::Text(clock.name.clone()),
            Cell::Text(cores.join(" ")),
            Cell::size(clock.moments),
            Cell::Ratio(clock.drift_ppm),
            Cell::size(clock.pieces),
            Cell::Ns(clock.worst_ns()),
        ]
    };
    let rows = summary.clocks.iter().map(row).collect();
    Table { rows, ..table("clocks", "Separate clocks", &columns) }
}

/// A kernel version as people write it.
pub fn findings(found: &Diagnostics) -> Table {
    let columns =
        [("finding", "finding"), ("severity", "kind"), ("count", "count"), ("amount", "amount")];
    let severity = |severity| match severity {
        Severity::Note => "note",
        Severity::Loss => "loss",
        Severity::Damage => "damage",
    };
    let row = |found: &tband_conv::diagnostics::Diagnostic| {
        vec![
            Cell::Text(found.problem.title().to_owned()),
            Cell::text(Some(severity(found.problem.severity()))),
            Cell::Count(found.count),
            Cell::Count(found.amount),
        ]
    };
    let rows = found.iter().map(row).collect();
    Table { rows, ..table("findings", "Findings", &columns) }
}

pub fn gaps(stats: &Stats) -> Table {
    let columns =
        [("at_ns", "at"), ("core", "core"), ("lost_events", "lost events"), ("what", "what")];
    let row = |gap: &tband_conv::sinks::Gap| {
        vec![
            Cell::At(gap.ns),
            Cell::Count(gap.core.into()),
            gap.lost.map_or(Cell::None, Cell::Count),
            Cell::text(Some(gap.problem.title())),
        ]
    };
    let rows = stats.gaps().iter().map(row).collect();
    Table { rows, ..table("gaps", "Gaps (first 100)", &columns) }
}

pub fn events(census: &Census) -> Table {
    let columns =
        [("event", "event"), ("count", "count"), ("bytes", "bytes"), ("byte_share", "share")];
    let mut kinds: Vec<_> = census.kinds().collect();
    kinds.sort_by_key(|(_, kind)| Reverse(kind.bytes));
    let row = |(name, kind): (&str, tband_conv::census::KindCount)| {
        vec![
            Cell::Text(name.to_owned()),
            Cell::Count(kind.count),
            Cell::Count(kind.bytes),
            Cell::Share(kind.bytes as f64 / census.bytes.max(1) as f64),
        ]
    };
    let rows = kinds.into_iter().map(row).collect();
    Table { rows, ..table("events", "Bytes by kind of event", &columns) }
}
