//! No hook of the kernel changes the interrupt mask that it finds: compared before and after each, on a Cortex-M4F,
//! in the program of `tests/freertos_classes`, which drives them all.
//!
//! And which hooks find interrupts masked always: those are the rows of `freertos-hooks/tband_hooks_masked.h`, and may rely on it.
//!
//! The hooks are those of the list of coverage. They are copied under other names, and under their own names are
//! calls that read BASEPRI, PRIMASK and FAULTMASK round them. That wrong hooks are found shows module `release`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tband_format::api::API_FUNCTIONS;
use tband_tests::{read, root, temp_dir, write};
use xtask::board::{Board, run_firmware};
use xtask::coverage::{self, Initial};
use xtask::kernel;

use crate::{archive, build_firmware, build_folder};

/// Makes a critical section of the kernel longer on purpose, from its first line to its last.
const HOLDS: &str = "xQueueGenericReset";

/// All macros of the kernel that are recorded, by number.
fn hooks() -> Vec<String> {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let report = coverage::find(root(), &kernel).unwrap_or_else(|error| panic!("{error:#}"));
    let macros = report.names(Initial::Recorded).into_iter().map(ToOwned::to_owned);
    let ends = API_FUNCTIONS
        .iter()
        .flat_map(|function| ["ENTER", "RETURN"].map(|end| format!("trace{end}_{function}")));
    macros.chain(ends).collect()
}

/// Copies the hooks into `folder` under other names, and writes the header that has theirs.
fn write_checked_hooks(folder: &Path, hooks: &[String]) {
    let mut defined = 0;
    for entry in fs::read_dir(root().join("freertos-hooks")).expect("the hooks") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|end| end != "h") {
            continue;
        }
        let mut text = String::new();
        for line in read(&path).lines() {
            let name = line.strip_prefix("#define trace").and_then(|rest| rest.split('(').next());
            if name.is_some_and(|name| hooks.contains(&format!("trace{name}"))) {
                defined += 1;
                text += &line.replacen("#define trace", "#define UNCHECKED_trace", 1);
            } else {
                text += line;
            }
            text.push('\n');
        }
        write(folder.join(path.file_name().expect("a name")), text);
    }
    assert!(defined >= hooks.len(), "{defined} of {}", hooks.len());
    let mut header = "#include \"masks.h\"\n".to_owned();
    for (number, hook) in hooks.iter().enumerate() {
        let after = match hook.strip_suffix(HOLDS) {
            Some("traceENTER_") => "mask_after_first",
            Some(_) => "mask_after_last",
            None => "mask_after",
        };
        let _ = writeln!(
            header,
            "#define {hook}(...) mask_before({number}); UNCHECKED_{hook}(__VA_ARGS__); {after}({number})"
        );
    }
    write(folder.join("hook_masks.h"), header);
}

/// Builds the program with the checks and runs it; the error has its output.
pub fn run(name: &str, config: &str, change: impl Fn(&Path)) -> Result<String, String> {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let build = build_folder(name);
    let checked = build.with_extension("hooks");
    write_checked_hooks(&checked, &hooks());
    change(&checked);
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
        format!("HOOK_MASKS={}", checked.display()),
        format!("CLASSES_CONFIG={config}"),
    ];
    let program = root().join("tests/freertos_classes/program");
    build_firmware(&program, &build, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    run_firmware(board.emulator(), &build.join("classes.elf"), out.path(), None)
        .map_err(|error| format!("{error:#}"))?;
    Ok(read(out.path().join("masks.txt")))
}

/// Where the hooks were seen, as in masks.h.
const PLACES: [(u32, &str); 5] = [
    (1, "before the scheduler"),
    (2, "in tasks"),
    (4, "in critical sections"),
    (8, "in interrupts"),
    (16, "with interrupts off"),
];

/// Nothing was masked, wherever that was.
const NONE: u32 = 32;

/// Where each hook was seen, in the order of [`hooks`].
fn hook_places() -> &'static [u32] {
    static SEEN: OnceLock<Vec<u32>> = OnceLock::new();
    SEEN.get_or_init(|| {
        let text = run("masks", "", |_| {}).unwrap_or_else(|error| {
            let named: Vec<_> = hooks().into_iter().enumerate().collect();
            panic!("{error}\n{named:?}")
        });
        let seen = |line: &str| line.split(' ').nth(1).expect("where").parse().expect("a number");
        text.lines().map(seen).collect()
    })
}

fn is_of_a_call(hook: &str) -> bool {
    hook.starts_with("traceENTER_") || hook.starts_with("traceRETURN_")
}

#[test]
fn no_hook_changes_the_interrupt_mask() {
    let (hooks, seen) = (hooks(), hook_places());
    let is_seen = |(hook, seen): (&String, &u32)| (*seen != 0).then(|| hook.clone());
    let driven: Vec<String> = hooks.iter().zip(seen).filter_map(is_seen).collect();
    let missing: Vec<&String> =
        hooks.iter().filter(|hook| !is_of_a_call(hook) && !driven.contains(hook)).collect();
    assert!(missing.is_empty(), "no test drives {missing:?}");
    assert!(driven.iter().filter(|hook| is_of_a_call(hook)).count() > 150);
    for (place, name) in PLACES {
        let count = hooks.iter().zip(seen).filter(|(_, seen)| **seen & place != 0).count();
        println!("{count} hooks {name}");
        assert!(count > 10, "{count} hooks {name}");
    }
}

/// Those that the table names, as the kernel's macros are called.
fn rows() -> BTreeSet<String> {
    let table = read(root().join("freertos-hooks/tband_hooks_masked.h"));
    let rows = table.lines().filter_map(|line| line.strip_prefix("#define TBAND_MASKED_"));
    let rows = rows.filter_map(|row| row.split_once(" TBAND_BY_"));
    rows.map(|(hook, _)| format!("trace{hook}")).collect()
}

/// Hooks that find interrupts masked wherever this program calls them, and are in no row, with the reason.
const NO_ROW: [(&str, &str); 4] = [
    ("traceSTARTING_SCHEDULER", "metadata"),
    ("traceTASK_CREATE", "metadata"),
    ("traceTASK_DELETE", "metadata, for the most part"),
    ("traceTASK_INCREMENT_TICK", "the handler of the tick may be your own"),
];

#[test]
fn the_table_names_the_hooks_that_the_kernel_calls_with_interrupts_masked() {
    let hooks = hooks();
    let is_masked = |(hook, seen): (&String, &u32)| {
        (*seen != 0 && seen & NONE == 0 && !is_of_a_call(hook)).then(|| hook.clone())
    };
    let masked: BTreeSet<String> = hooks.iter().zip(hook_places()).filter_map(is_masked).collect();
    let rows = rows();
    assert!(rows.len() > 20, "{rows:?}");
    let wrong: Vec<_> = rows.difference(&masked).collect();
    assert!(wrong.is_empty(), "called with interrupts on, and in a row: {wrong:?}");
    let left_out = NO_ROW.map(|(hook, _)| hook.to_owned()).into();
    let missing: BTreeSet<String> = masked.difference(&rows).cloned().collect();
    assert_eq!(missing, left_out, "always called with interrupts masked, and in no row");
}
