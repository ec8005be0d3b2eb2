//! The cost of triggers: compiled in, with none armed; and where each event has one that examines it, and waits for another
//! object. On a Cortex-M4F, against the same without triggers. Where none is armed the firmware never arms one, so the linker
//! removes that code.

use super::parts::{Budget, Part, Sizes, State};

pub(super) const TRIGGERS: Part = Part {
    name: "triggers",
    title: "Triggers",
    states: &[
        State {
            setting: "BENCH_TRIGGERS=1",
            name: "none armed",
            budget: Budget::More(11.0),
            sizes: Some(Sizes { flash: 1800.0, ram: 540.0 }),
        },
        State {
            setting: "BENCH_TRIGGERS=2",
            name: "armed for another object",
            budget: Budget::More(256.0),
            sizes: Some(Sizes { flash: 2800.0, ram: 540.0 }),
        },
    ],
    stopped: None,
};
