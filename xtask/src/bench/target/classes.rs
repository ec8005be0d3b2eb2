//! Flash and RAM that each class of FreeRTOS events adds on a Cortex-M4F.
//!
//! Measured with the firmware of `tests/freertos_classes`, which calls nearly every function of the kernel,
//! so that the hooks in them are linked: compiled with `-Os`, unused sections dropped, once with the classes
//! TASK and QUEUE alone and once with each other class beside them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::firmware::{Sections, sections};
use crate::board::{Board, build_firmware};
use crate::cost_page::Table;
use crate::kernel;

/// The cost of a class, or several, in a firmware that records tasks and queues.
#[derive(Clone, Debug)]
pub struct ClassCost {
    /// Name of the class, as in its switch, or `default` or `all`.
    pub class: String,
    /// The class as a cell of the table.
    pub cell: String,
    /// Bytes of code and constants.
    pub flash: i64,
    /// Bytes of static RAM.
    pub ram: i64,
}

struct Class {
    /// Its name in its switch.
    name: String,
    /// On a Cortex-M.
    on_by_default: bool,
}

/// The reference build. It creates the library for the others.
const NONE: &str = "none";

/// Builds the firmware once for each class, in a minute or two, and compares.
///
/// # Errors
/// A firmware could not be built; the text has the output.
pub fn class_costs(root: &Path) -> Result<Vec<ClassCost>> {
    let classes = classes(root)?;
    let base = measured(root, &classes, NONE, |_| false)?;
    let cost = |class: &str, cell: String, with: &Sections| ClassCost {
        class: class.to_owned(),
        cell,
        flash: with.text + with.data - base.text - base.data,
        ram: with.data + with.bss - base.data - base.bss,
    };
    let mut costs = Vec::new();
    for class in &classes {
        let with = measured(root, &classes, &class.name, |other| other.name == class.name)?;
        let default = if class.on_by_default { "" } else { ", off by default" };
        costs.push(cost(&class.name, format!("`{}`{default}", class.name), &with));
    }
    let with = measured(root, &classes, "default", |class| class.on_by_default)?;
    costs.push(cost("default", "all that are on by default".to_owned(), &with));
    let with = measured(root, &classes, "all", |_| true)?;
    costs.push(cost("all", "all".to_owned(), &with));
    Ok(costs)
}

/// Size of the firmware with some classes.
fn measured(
    root: &Path,
    classes: &[Class],
    name: &str,
    is_on: impl Fn(&Class) -> bool,
) -> Result<Sections> {
    let folder = |name: &str| root.join("target/bench-target").join(format!("class-{name}"));
    let off: Vec<_> =
        classes.iter().filter(|class| !is_on(class)).map(|class| class.name.as_str()).collect();
    let kernel = kernel::path(root)?;
    let mut settings = vec![
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        "CMAKE_BUILD_TYPE=MinSizeRel".to_owned(),
        // Otherwise a function that wants an address divisible by 64 hides smaller differences.
        "CMAKE_EXE_LINKER_FLAGS=-Wl,--sort-section=alignment".to_owned(),
        format!("CLASSES_OFF={}", off.join(";")),
    ];
    if name != NONE {
        let library = folder(NONE).join("tband/lib/libtband.a");
        settings.push(format!("TBAND_LIBRARY={}", library.display()));
    }
    let build = folder(name);
    let toolchain = Board::Mps2An386.toolchain(root);
    build_firmware(&root.join("tests/freertos_classes/program"), &build, &toolchain, &settings)?;
    sections(&build.join("classes.elf"))
}

/// Returns the classes with a switch, except for the two that are always on here.
fn classes(root: &Path) -> Result<Vec<Class>> {
    let path = root.join("include/tband_config_defaults.h");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut classes = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let switch = line.strip_prefix("#ifndef ").unwrap_or_default();
        let class = switch
            .strip_prefix("tband_configFREERTOS_")
            .and_then(|rest| rest.strip_suffix("_TRACE_ENABLE"));
        let Some(class) = class.filter(|class| !matches!(*class, "TASK" | "QUEUE")) else {
            continue;
        };
        // Where the default depends on the core, that of Cortex-M comes first.
        let define = format!("#define {switch} ");
        let default = lines.find_map(|line| line.strip_prefix(&define));
        let default = default.with_context(|| format!("{switch} has no default"))?;
        classes.push(Class { name: class.to_owned(), on_by_default: default == "1" });
    }
    ensure!(!classes.is_empty(), "{} has no classes", path.display());
    Ok(classes)
}

/// The table, as it is in `docs/src/reference/cost.md`.
#[must_use]
pub fn class_table(costs: &[ClassCost]) -> Table {
    let mut text = "| class | flash | RAM |\n|---|---|---|\n".to_owned();
    for ClassCost { cell, flash, ram, .. } in costs {
        let _ = writeln!(text, "| {cell} | {flash} | {ram} |");
    }
    Table { name: "classes", text }
}
