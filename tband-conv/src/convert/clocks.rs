//! Clocks that are not one, on the axis of time of a conversion.

use crate::clock::{Clock, MAX_NS};
use crate::drift::aligned::Aligned;
use crate::input::Input;
use crate::model::{Clocks, OwnClock};

/// Returns the known facts about the clocks of inputs; `clock` is the reference clock.
pub(super) fn of(inputs: &[Input<'_>], clock: &Clock) -> Clocks {
    let own = inputs.iter().flat_map(Input::clocks).map(|aligned| own(aligned, clock)).collect();
    Clocks { own }
}

fn own(aligned: &Aligned, clock: &Clock) -> OwnClock {
    let mut clock = clock.clone();
    let tick_ns = 1e9 / clock.frequency().hz();
    let mut points: Vec<(i64, i64)> = Vec::new();
    for (ticks, wrong) in &aligned.points {
        // As `as` does: nothing is beyond the range.
        let ns = clock.ns(ticks.max(0.0) as u64).unwrap_or(MAX_NS);
        let wrong = (wrong * tick_ns).ceil() as i64;
        match points.last_mut() {
            Some((before, worst)) if *before >= ns => *worst = wrong.max(*worst),
            _ => points.push((ns, wrong)),
        }
    }
    OwnClock {
        name: match aligned.core {
            Some(core) => format!("core {core}"),
            None => aligned.input.clone(),
        },
        cores: aligned.cores.clone(),
        moments: aligned.moments,
        drift_ppm: aligned.drift_ppm,
        pieces: aligned.pieces,
        points,
    }
}
