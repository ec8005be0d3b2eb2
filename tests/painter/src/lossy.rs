//! Compares the activations that are found in a recording with losses with the painted ones.
//!
//! They need not be complete, but they must be true: each label was painted, no activation that claims to be complete differs,
//! and no cut one claims more time than the painted one took.

use crate::canvas::{Canvas, PaintedActivation};
use crate::compare::Figures;
use crate::kernel::Kernel;
use crate::reported::{ReportedActivation, ReportedActivations};

/// Ticks of the timestamps are 1 us.
const TICK_NS: i64 = 1000;

/// States of a task are never at one time: one that becomes unknown in the instant of its last change does so this much later.
const SHIFT_NS: i64 = 2;

/// Compares everything.
///
/// # Errors
/// The first difference, in words.
pub fn compare(kernel: &Kernel, all: &ReportedActivations) -> Result<Figures, String> {
    let mut figures = Figures::default();
    for (number, task) in kernel.tasks.iter().enumerate() {
        let name = kernel.name(number);
        for found in all.activations.get(&name).map_or(&[][..], Vec::as_slice) {
            figures.instants += same(&task.canvas, found)
                .map_err(|it| format!("{name}: {it}\n  found {:?}", found.activation))?;
            figures.activations += 1;
        }
    }
    Ok(figures)
}

/// Compares an activation; returns the number of its instants.
fn same(canvas: &Canvas, found: &ReportedActivation) -> Result<u64, String> {
    let it = &found.activation;
    let labels = found.labels(SHIFT_NS).ok_or("a part begins between two instants")?;
    let begin = it.released_ns / TICK_NS;
    for (at, label) in (begin..).zip(&labels) {
        let painted = &canvas.labels[usize::try_from(at).unwrap_or(0)];
        let is_right = match label.split_once("unknown") {
            Some((known, _)) => painted.starts_with(known.trim_end_matches(" > ")),
            // Whether a task that is seen again waits for a lock shows later.
            None if it.release == tband_conv::activations::Release::Unknown
                && painted.starts_with("lock") =>
            {
                true
            }
            None => is_same(painted, label) || at < it.ready_ns / TICK_NS,
        };
        if !is_right {
            return Err(format!("at {at}: painted {painted:?}, found {label:?}"));
        }
    }
    if it.is_whole() {
        let ended = |painted: &&PaintedActivation| painted.ended * TICK_NS == it.ended_ns;
        let painted = canvas.done.iter().find(ended).ok_or("whole, but none ends then")?;
        let times = (painted.released * TICK_NS, painted.ready * TICK_NS);
        if times != (it.released_ns, it.ready_ns) || !painted.end_seen {
            return Err(format!("whole, but the painted one is {painted:?}"));
        }
    } else {
        let known = it.min_response_ns();
        let overlaps = |painted: &&PaintedActivation| {
            painted.released * TICK_NS <= it.released_ns
                && it.released_ns <= painted.ended * TICK_NS
        };
        let longest =
            canvas.done.iter().filter(overlaps).map(|it| it.ended - it.released).max().unwrap_or(0);
        if known > longest * TICK_NS {
            let parts = &found.parts;
            return Err(format!(
                "cut and at least {known} ns long, but took {longest} us: {parts:?}"
            ));
        }
    }
    Ok(labels.len() as u64)
}

/// Whether two labels mean the same. Where a priority is unknown, a ready task counts as preempted, whatever runs; where a base
/// priority is unknown, no task counts as pushing.
fn is_same(painted: &str, found: &str) -> bool {
    // It is not known who made room, or that the task has still to take a lock that it was given.
    let is_less = painted.strip_prefix(found).is_some_and(|rest| rest.starts_with(" by "));
    if painted == found || is_less || painted.ends_with("handed over") {
        return true;
    }
    let instead_of = |word: &str, words: &[&str]| {
        found.rsplit_once(word).is_some_and(|(chain, others)| {
            let reason = painted.strip_prefix(chain);
            reason.is_some_and(|it| words.iter().any(|word| it.strip_prefix(word) == Some(others)))
        })
    };
    instead_of("preempted by ", &["held off by ", "pushed by ", "shares with "])
        || instead_of("shares with ", &["pushed by "])
}
