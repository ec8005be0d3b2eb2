//! `cargo xtask coverage`: finds the kernel's trace macros that are recorded.
//!
//! It has no list of names: the macros come from the kernel's `FreeRTOS.h`, their calls from the kernel's sources, and the
//! recorded events from the preprocessor's output with the hooks. A macro that the kernel calls and that records nothing is
//! missing.

mod expand;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

pub use source::definitions;

/// The table of the docs.
pub const DOCS: &str = "docs/src/reference/freertos-coverage.md";

/// Result for a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Calling it records an event.
    Recorded,
    /// Neither the kernel nor one of its ports calls it.
    NeverInvoked,
    /// The kernel calls it, and no event is recorded.
    Missing,
}

/// A trace macro of the kernel.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Whether it is covered.
    pub initial: Initial,
    /// Names of events that it may record.
    pub events: BTreeSet<&'static str>,
    /// Classes that each alone make it record an event; first `always` if it records without any.
    pub classes: Vec<String>,
    /// Files of the kernel that call it.
    pub callers: BTreeSet<String>,
}

/// The kernel's trace macros.
#[derive(Debug)]
pub struct Report {
    /// All but those for entering and leaving functions.
    pub macros: Vec<Macro>,
    /// Functions of which both entering and leaving can be recorded, and all that have macros for it.
    pub functions: (usize, usize),
}

/// Reads the kernel in `kernel` and the hooks of this workspace.
pub fn find(root: &Path, kernel: &Path) -> Result<Report> {
    let signatures = source::macros(kernel)?;
    let callers = source::callers(kernel, &signatures)?;
    let hooks = expand::Hooks::new(root, kernel, &signatures)?;
    let classes = expand::classes(root)?;
    let all: Vec<&str> = classes.iter().map(String::as_str).collect();

    let with_all = hooks.recorded(&all)?;
    let with_none = hooks.recorded(&[])?;
    let mut of_class: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let nothing = BTreeSet::new();
    for (name, events) in &with_none {
        if !events.is_empty() {
            of_class.entry(name).or_default().push("always".to_owned());
        }
    }
    for class in &all {
        for (name, events) in hooks.recorded(&[class])? {
            if !events.is_subset(with_none.get(name).unwrap_or(&nothing)) {
                of_class.entry(name).or_default().push((*class).to_owned());
            }
        }
    }

    let is_recorded = |name: &str| with_all.get(name).is_some_and(|events| !events.is_empty());
    let mut macros = vec![];
    let mut functions = (0, 0);
    for name in signatures.keys() {
        if let Some(function) = name.strip_prefix("traceENTER_") {
            functions.1 += 1;
            functions.0 +=
                usize::from(is_recorded(name) && is_recorded(&format!("traceRETURN_{function}")));
        }
        if name.starts_with("traceENTER_") || name.starts_with("traceRETURN_") {
            continue;
        }
        let callers = callers.get(name).cloned().unwrap_or_default();
        macros.push(Macro {
            name: name.clone(),
            initial: match (callers.is_empty(), is_recorded(name)) {
                (true, _) => Initial::NeverInvoked,
                (false, true) => Initial::Recorded,
                (false, false) => Initial::Missing,
            },
            events: with_all.get(name.as_str()).cloned().unwrap_or_default(),
            classes: of_class.remove(name.as_str()).unwrap_or_default(),
            callers,
        });
    }
    ensure!(!macros.is_empty(), "no trace macros in {}", kernel.display());
    Ok(Report { macros, functions })
}

impl Report {
    /// Names of the macros that are so.
    #[must_use]
    pub fn names(&self, initial: Initial) -> Vec<&str> {
        let chosen = self.macros.iter().filter(|found| found.initial == initial);
        chosen.map(|found| found.name.as_str()).collect()
    }

    /// The lists by name. Macros for entering and leaving functions are not among them.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "macros": self.macros.len(),
            "never_invoked": self.names(Initial::NeverInvoked),
            "recorded": self.names(Initial::Recorded),
            "missing": self.names(Initial::Missing),
        })
    }

    /// The numbers, and the macros that are not recorded.
    #[must_use]
    pub fn summary(&self) -> String {
        let (recorded, functions) = self.functions;
        let mut text = format!(
            "{} trace macros: {} recorded, {} missing, {} never called by the kernel\n\
             {functions} functions with macros for entering and leaving: {recorded} recorded by \
             the class API\n",
            self.macros.len(),
            self.names(Initial::Recorded).len(),
            self.names(Initial::Missing).len(),
            self.names(Initial::NeverInvoked).len(),
        );
        for (initial, title) in
            [(Initial::Missing, "missing"), (Initial::NeverInvoked, "never called")]
        {
            for name in self.names(initial) {
                let _ = writeln!(text, "  {title}: {name}");
            }
        }
        text
    }

    /// The page of the docs.
    #[must_use]
    pub fn docs(&self) -> String {
        let (recorded, functions) = self.functions;
        let mut text = format!(
            "<!-- Generated from the kernel's sources by `cargo xtask coverage --docs`; do not edit. -->\n\
             # FreeRTOS trace macros\n\n\
             The trace macros of FreeRTOS V11.2, with their [classes](../guide/firmware/freertos.md#classes) \
             and [events](events.md): {} of {} are recorded; the kernel calls none of the others. Older \
             kernels have fewer macros, and then these events are absent.\n\n\
             | macro | class | events |\n|---|---|---|\n",
            self.names(Initial::Recorded).len(),
            self.macros.len(),
        );
        for found in &self.macros {
            let events: Vec<_> = found.events.iter().map(|name| format!("`{name}`")).collect();
            let events = match found.initial {
                Initial::Recorded => events.join(", "),
                Initial::NeverInvoked => "none: the kernel never calls it".to_owned(),
                Initial::Missing => "none".to_owned(),
            };
            let classes = found.classes.join(", ");
            let _ = writeln!(text, "| `{}` | {classes} | {events} |", found.name);
        }
        let _ = write!(
            text,
            "\n{functions} functions also have `traceENTER_*` and `traceRETURN_*`. The class API records \
             {recorded} of them; other classes use some of them where the kernel has no other macro.\n",
        );
        text
    }
}
