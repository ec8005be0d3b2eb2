//! Events that the target has shed when packets ran out, as text of `check`, and the figures that therefore lack them.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tband_conv::model::ShedClass;

use crate::left_out::lacking_class;
use crate::time_unit::TimeUnit;

/// Returns the events shed when packets ran out, for people: nothing, or a line for each class.
#[must_use]
pub fn text(classes: &[ShedClass], unit: TimeUnit) -> String {
    let mut text = String::new();
    for class in classes {
        let name = class.name();
        let _ = writeln!(
            text,
            "shed when packets ran out: class {name}, events: {}, times: {}, {} in all; figures lack {}",
            class.events,
            class.times,
            unit.duration(class.ns),
            lacking_class(&name)
        );
    }
    text
}

/// Returns the same for programs.
#[must_use]
pub fn json(classes: &[ShedClass]) -> Value {
    let one = |class: &ShedClass| {
        let name = class.name();
        json!({
            "class": name,
            "events": class.events,
            "times": class.times,
            "time_ns": class.ns,
            "figures_lack": lacking_class(&name),
        })
    };
    classes.iter().map(one).collect()
}
