//! The list of backends, and the files that follow from it.
//!
//! A backend is a row here, a file of `tband-core` that implements its trait `Backend`, and a header
//! `port/recorder/backends/tband_backend_*.h`: its buffers, what the port's functions do, and its control functions.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// A backend.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Part of the names of its header and of its emitters; in capitals of its macro too.
    pub name: &'static str,
    /// The type in `tband-core`.
    pub implementation: &'static str,
    /// Nothing starts it: it takes events at any time.
    pub is_always_on: bool,
}

/// All of them.
pub const BACKENDS: &[Row] = &[
    Row { name: "streaming", implementation: "Streaming", is_always_on: false },
    Row { name: "snapshot", implementation: "Snapshot", is_always_on: false },
    Row { name: "external", implementation: "External", is_always_on: true },
];

/// Backends that there are for packets only, which have one set of emitters for all.
const OF_PACKETS: [&str; 1] = ["post_mortem"];

/// Firmware with packets: the configurations that the library is compiled for (one core with a known backend, or any).
/// Each entry has a part of the names of its functions, and the value that is reported as the port of the library.
const PACKETS: [(&str, &str); 4] = [
    ("cores", "port::UNKNOWN"),
    ("one_post_mortem", "packet_setup::TBAND_POLICY_POST_MORTEM"),
    ("one_snapshot", "packet_setup::TBAND_POLICY_SNAPSHOT"),
    ("one_stream", "packet_setup::TBAND_POLICY_STREAM"),
];

/// Returns the generated files: paths in the repository, with their contents.
pub fn files(backends: &[Row]) -> Vec<(PathBuf, String)> {
    vec![
        ("include/tband_backends.h".into(), choice(backends)),
        ("port/recorder/tband_backend.h".into(), chosen(backends)),
        ("tband-ffi/src/backends.rs".into(), calls(backends)),
    ]
}

/// Sources of the functions that the macros of `tband-ffi` define, as if they were written out: cbindgen and the
/// tests of the header read those.
///
/// # Errors
/// A macro's file cannot be read, or has another form than this knows.
pub fn expanded(root: &Path, backends: &[Row]) -> Result<Vec<String>> {
    let frames = backends.iter().map(|row| ("emitters", row.name));
    let packets = PACKETS.iter().map(|(name, _)| ("packets", *name));
    frames.chain(packets).map(|(macro_name, name)| expand(root, macro_name, name)).collect()
}

/// Expands one call of a macro into its functions, with the names that C uses and without their bodies.
fn expand(root: &Path, macro_name: &str, name: &str) -> Result<String> {
    let file = format!("tband-ffi/src/{macro_name}.rs");
    let text =
        fs::read_to_string(root.join(&file)).with_context(|| format!("cannot read {file}"))?;
    let mut functions = String::new();
    for item in text.split("\n\n") {
        let Some((comment, rest)) = item.split_once("#[unsafe(export_name = concat!(") else {
            continue;
        };
        let (exported, function) = rest
            .split_once(")]\n")
            .with_context(|| format!("{file}: a name of a function does not end its line"))?;
        let exported: String = exported
            .replace("stringify!($name)", name)
            .trim_end_matches(')')
            .split(", ")
            .map(|piece| piece.trim_matches('"'))
            .collect();
        let (qualifiers, function) = function
            .split_once("fn ")
            .with_context(|| format!("{file}: no function has the name {exported}"))?;
        let arguments = function
            .split_once('(')
            .and_then(|(_, rest)| rest.split_once(" {\n"))
            .with_context(|| format!("{file}: {exported} has no arguments or no body"))?
            .0;
        let _ = writeln!(
            functions,
            "{comment}#[unsafe(no_mangle)]\n{qualifiers}fn {exported}({arguments} {{}}"
        );
    }
    ensure!(!functions.is_empty(), "{file} defines no function");
    Ok(functions)
}

fn macro_of(name: &str) -> String {
    format!("tband_configUSE_BACKEND_{}", name.to_uppercase())
}

/// The part of `include/tband_config_defaults.h` about backends.
fn choice(backends: &[Row]) -> String {
    let mut text = String::from(
        "/* The backend: exactly one of these is 1. Part of tband_config_defaults.h.\n *\n \
         * Generated from the list of backends by `cargo xtask header`; do not edit. */\n\
         #if defined(TBAND_CONFIG_DEFAULTS_H) && !defined(TBAND_BACKENDS_H)\n#define TBAND_BACKENDS_H\n\n",
    );
    let known = || backends.iter().map(|row| row.name).chain(OF_PACKETS).map(macro_of);
    for name in known() {
        let _ = writeln!(text, "#ifndef {name}\n#define {name} 0\n#endif");
    }
    let sum =
        |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(" + \\\n   ");
    let _ = writeln!(
        text,
        "\n/* How many are chosen. */\n#define TBAND_BACKEND_COUNT \\\n  ({})\n\n\
         /* Nothing starts it: it takes events at any time. */\n\
         #define TBAND_BACKEND_IS_ALWAYS_ON \\\n  ({})\n\n#endif /* TBAND_BACKENDS_H */",
        sum(&mut known()),
        sum(&mut backends.iter().filter(|row| row.is_always_on).map(|row| macro_of(row.name))),
    );
    text
}

/// What the shim includes.
fn chosen(backends: &[Row]) -> String {
    let mut text = String::from(
        "/* The header of the chosen backend, and the names of its emitters. Part of tband_shim.c.\n *\n \
         * Generated from the list of backends by `cargo xtask header`; do not edit. */\n\
         #if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_H)\n#define TBAND_BACKEND_H\n\n",
    );
    for (row, keyword) in backends.iter().zip(["#if"].into_iter().chain(std::iter::repeat("#elif")))
    {
        let Row { name, .. } = row;
        let _ = writeln!(
            text,
            "{keyword} {}\n#include \"backends/tband_backend_{name}.h\"\n\
             #define TBAND_BACKEND(function) tband_lib_{name}_##function",
            macro_of(name)
        );
    }
    text + "#endif\n\n#endif /* TBAND_BACKEND_H */\n"
}

fn calls(backends: &[Row]) -> String {
    let mut text = String::from(
        "//! The backends: what records is defined once, by a macro, for each.\n//!\n\
         //! Generated from the list of backends by `cargo xtask header`; do not edit.\n\n\
         use crate::emitters::emitters;\nuse crate::packets::packets;\n\n",
    );
    let mut rows = backends.to_vec();
    rows.sort_unstable_by_key(|row| row.name);
    for Row { name, implementation, .. } in rows {
        let _ = writeln!(text, "emitters!({name}, {implementation});");
    }
    text.push('\n');
    for (name, known) in PACKETS {
        let _ = writeln!(text, "packets!({name}, crate::{known});");
    }
    text
}
