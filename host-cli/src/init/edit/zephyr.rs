//! The settings of a Zephyr application, in `prj.conf`: the module, and the hooks by which Zephyr reports threads to it.

use super::Outcome;
use crate::init::text::Text;

/// The settings that record threads, interrupts and objects of the kernel.
const SETTINGS: [&str; 3] = ["CONFIG_TRACING", "CONFIG_TRACING_USER", "CONFIG_TBAND"];

/// Adds the settings that are missing.
pub fn edit(mut text: Text) -> Outcome {
    let whole = text.whole();
    let value = |name: &str| {
        let mut lines = whole.lines().filter_map(|line| line.trim().split_once('='));
        // The last one counts.
        lines.rfind(|(key, _)| key.trim_end() == name).map(|(_, value)| value.trim() == "y")
    };
    let refused = SETTINGS.iter().find(|name| value(name) == Some(false));
    if let Some(name) = refused {
        return Outcome::ByHand(format!("{name} has another value: {}", lines(SETTINGS)));
    }
    let missing: Vec<&str> = SETTINGS.into_iter().filter(|name| value(name).is_none()).collect();
    if missing.is_empty() {
        return Outcome::Complete;
    }
    let added = format!("\n# tband, the trace recorder; by tband-cli init\n{}\n", lines(missing));
    text.insert(text.len(), &added);
    Outcome::Edited(text)
}

/// The step for an application without `prj.conf`.
pub fn step() -> String {
    format!("in the settings of the application, usually prj.conf, set\n{}", lines(SETTINGS))
}

fn lines<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let lines: Vec<_> = names.into_iter().map(|name| format!("{name}=y")).collect();
    lines.join("\n")
}
