//! The list of backends, and the files that follow from it.
//!
//! A backend is a row here, a file of `tband-core` that implements its trait `Backend`, and a header
//! `port/tband_backend_*.h`: its buffers, what the port's functions do, and its control functions.

use std::fmt::Write as _;
use std::path::PathBuf;

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

/// What is known of a firmware that records packets when the library is compiled: part of the names of its functions, what
/// that is, and the same as the port of the library is reported.
const PACKETS: [(&str, &str, &str); 4] = [
    ("cores", "any number of cores, and any backend", "UNKNOWN"),
    ("one_post_mortem", "one core, and the post-mortem backend", "TBAND_POLICY_POST_MORTEM"),
    ("one_snapshot", "one core, and the snapshot backend", "TBAND_POLICY_SNAPSHOT"),
    ("one_stream", "one core, and the streaming backend", "TBAND_POLICY_STREAM"),
];

/// Paths in the repository, and what is there.
pub fn files(backends: &[Row]) -> Vec<(PathBuf, String)> {
    let mut files = vec![
        ("include/tband_backends.h".into(), choice(backends)),
        ("port/tband_backend.h".into(), chosen(backends)),
        ("tband-ffi/src/emitters/mod.rs".into(), modules(backends)),
        ("tband-ffi/src/packets/mod.rs".into(), modules_of_packets()),
    ];
    files.extend(PACKETS.iter().map(|(name, what, known)| {
        let path = format!("tband-ffi/src/packets/{name}.rs");
        let from = match *known {
            "UNKNOWN" => "port::UNKNOWN".to_owned(),
            policy => format!("packet_setup::{policy}"),
        };
        let text = include_str!("packets.txt")
            .replace("{name}", name)
            .replace("{what}", what)
            .replace("{type}", &format!("{{ crate::{from} }}"));
        (path.into(), text)
    }));
    files.extend(backends.iter().map(|row| {
        let path = format!("tband-ffi/src/emitters/{}.rs", row.name);
        let text = include_str!("emitters.txt")
            .replace("{Type}", row.implementation)
            .replace("{name}", row.name);
        (path.into(), text)
    }));
    files
}

fn macro_of(name: &str) -> String {
    format!("tband_configUSE_BACKEND_{}", name.to_uppercase())
}

/// What `include/tband_config_defaults.h` says of backends.
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
            "{keyword} {}\n#include \"tband_backend_{name}.h\"\n\
             #define TBAND_BACKEND(function) tband_{name}_##function",
            macro_of(name)
        );
    }
    text + "#endif\n\n#endif /* TBAND_BACKEND_H */\n"
}

fn modules(backends: &[Row]) -> String {
    let mut text = String::from(
        "//! What the shim calls to record: the same functions for each backend, of which firmware links one.\n\
         //!\n//! Generated from the list of backends by `cargo xtask header`, since cbindgen does not look into\n\
         //! macros; do not edit.\n\n",
    );
    let mut names: Vec<_> = backends.iter().map(|row| row.name).collect();
    names.sort_unstable();
    for name in names {
        let _ = writeln!(text, "mod {name};");
    }
    text
}

fn modules_of_packets() -> String {
    let mut text = String::from(
        "//! What records packets, controls them and takes them out: the same functions for each backend of one core, and for\n\
         //! several, of which firmware links one. What is known when they are compiled is not asked for on the target.\n\
         //!\n//! Generated from the list of backends by `cargo xtask header`, since cbindgen does not look into\n\
         //! macros; do not edit.\n\n",
    );
    for (name, ..) in PACKETS {
        let _ = writeln!(text, "mod {name};");
    }
    text
}
