//! What `cargo xtask header` does: writes `include/tband.h` and `include/tband_library.h`, what follows from the list of
//! backends, the hooks of the kernel's functions, and the pages of the docs that follow from events and headers, or checks them.
//!
//! Prototypes and structs come from `tband-ffi` through cbindgen; event constants, functions and the
//! table come from `tband-format`. The files are committed, and the tests call the check.

mod api_hooks;
pub mod backends;
mod flux;
mod hook_names;
mod interface;
mod layout;
mod pages;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::classes::{CLASSES, GROUPS};
use tband_format::field::FieldKind;
use tband_format::packet::command::{COMMAND_ERRORS, COMMAND_KINDS, MAX_COMMAND_FRAME};
use tband_format::registry::{EVENTS, EventDef, FieldDef, Group, RARE};
use tband_format::schema::SchemaKind;

/// Writes the generated files, or with `check` fails if one is not what would be written.
///
/// # Errors
/// So it is, or a file cannot be read or written.
pub fn run(root: &Path, check: bool) -> Result<()> {
    run_for(root, check, backends::BACKENDS)
}

/// As [`run`], for other backends than there are.
///
/// # Errors
/// As `run`.
pub fn run_for(root: &Path, check: bool, backends: &[backends::Row]) -> Result<()> {
    write_or_check(root, check, backends::files(backends))?;
    let library = library(root, backends)?;
    if check {
        interface::check(root, &library)?;
    }
    let [names, own] = hook_names::headers(root)?;
    let layouts = layout::header(&library)?;
    let files = vec![
        ("include/tband.h".into(), umbrella()),
        ("include/tband_library.h".into(), library),
        ("port/tband_layout.h".into(), layouts),
        ("include/tband_flux.h".into(), flux::header(root)?),
        ("docs/src/reference/events.md".into(), event_table()),
        ("docs/src/reference/configuration.md".into(), pages::configuration(root)?),
        ("docs/src/reference/c-api.md".into(), pages::c_api(root)?),
        ("docs/src/reference/flux-api.md".into(), pages::flux_api(root)?),
        ("freertos-hooks/tband_hooks_api.h".into(), api_hooks::header(root)?),
        ("freertos-hooks/tband_hooks_names.h".into(), names),
        ("freertos-hooks/tband_hooks_own.h".into(), own),
    ];
    write_or_check(root, check, files)
}

/// The most columns of a line in C.
const COLUMNS: usize = 120;

/// Breaks definitions of macros that are longer than a line.
fn with_broken_definitions(text: &str) -> String {
    let broken = |line: &str| {
        let is_long = line.starts_with("#define ") && line.len() > COLUMNS && !line.ends_with('\\');
        let end = if line.contains("(...) ") { ") " } else { "S " };
        match line.split_once(end).filter(|_| is_long) {
            Some((name, body)) => format!("{name}{} \\\n  {body}\n", end.trim_end()),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(broken).collect()
}

fn write_or_check(root: &Path, check: bool, files: Vec<(PathBuf, String)>) -> Result<()> {
    for (path, text) in files {
        let is_header = path.extension().is_some_and(|it| it == "h");
        let text = if is_header { with_broken_definitions(&text) } else { text };
        let (shown, path) = (path.display(), root.join(&path));
        if check {
            let found =
                fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
            if found != text {
                bail!("{shown} is not up to date; run `cargo xtask header` and commit it");
            }
        } else {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&path, text).with_context(|| format!("cannot write {shown}"))?;
        }
    }
    Ok(())
}

/// Writes down that the interface between shim and library is the one of a release.
///
/// # Errors
/// Its number has to rise first, or the file cannot be written.
pub fn release(root: &Path) -> Result<()> {
    interface::release(root, &library(root, backends::BACKENDS)?)
}

/// The header that users include.
const UMBRELLA: &str = "\
/* tband: include this file, in firmware and as the last line of FreeRTOSConfig.h.
 *
 * Generated from the event registry by `cargo xtask header`; do not edit. Your functions are in tband_api.h, those of
 * FreeRTOS in tband_freertos.h, the configuration macros in tband_config_defaults.h. */
/* FreeRTOSConfig.h is included by assembler files too. IAR's assembler has other macros to detect that. */
#if !defined(__ASSEMBLER__) && !defined(__IAR_SYSTEMS_ASM__) && !defined(__IASMARM__)

#include \"tband_requirements.h\"

#ifndef TBAND_H
#define TBAND_H
";

/// After the constants, for each inclusion: the configuration may be complete only at the second one.
const UMBRELLA_END: &str = "
#include \"tband_library.h\"

#endif /* TBAND_H */
#include \"tband_api.h\"

#endif /* not an assembler */
";

/// The header between the shim and the library.
const LIBRARY: &str = "\
/* The interface between libtband.a and the files of port/ and freertos-hooks/, which call these functions. It is not
 * for you: names that begin with tband_lib_ are reserved and change with any version. tband.h includes it.
 *
 * Generated from tband-ffi by `cargo xtask header`; do not edit. */";

/// The same as in `tband-ffi/src/frame.rs`; cbindgen does not distinguish the two cases.
const FRAME: &str = "
/* A frame that is being written; zero if the event is not recorded. Two pointers, in registers. */
#if UINTPTR_MAX > 0xFFFFFFFFU
typedef struct tband_frame {
  uint8_t *code;
  uint8_t *at;
} tband_frame;
#else
typedef uint64_t tband_frame;
#endif
";

fn umbrella() -> String {
    [UMBRELLA, &constants(), UMBRELLA_END].concat()
}

fn library(root: &Path, backends: &[backends::Row]) -> Result<String> {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        header: Some(LIBRARY.to_owned()),
        include_guard: Some("TBAND_LIBRARY_H".to_owned()),
        no_includes: true,
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        after_includes: Some(FRAME.to_owned()),
        cpp_compat: true,
        usize_is_size_t: true,
        style: cbindgen::Style::Both,
        line_length: 100,
        tab_width: 2,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        ..Default::default()
    };
    // Declared by hand in tband_api.h, which documents the part that C may read, and in port/recorder/tband_packets.h, for its address.
    // The getters are inline in tband_api.h.
    let getters = [
        "metadata_buf",
        "metadata_buf_amnt",
        "metadata_dropped_cnt",
        "dropped_evt_cnt",
        "core_snapshot_buf",
        "core_snapshot_buf_amnt",
    ];
    config.export.exclude =
        ["tband_recorder", "tband_reader", "tband_frame"].map(str::to_owned).to_vec();
    config.export.exclude.extend(getters.map(|name| format!("tband_get_{name}")));
    // Reached by constants that C defines, which cbindgen does not follow.
    config.export.include = vec!["tband_setup".to_owned(), "tband_packet_setup".to_owned()];
    let mut text = Vec::new();
    let folder = root.join("target/header");
    fs::create_dir_all(&folder)?;
    let mut builder =
        cbindgen::Builder::new().with_config(config).with_crate(root.join("tband-ffi"));
    for (index, source) in backends::expanded(root, backends)?.into_iter().enumerate() {
        let path = folder.join(format!("{index}.rs"));
        fs::write(&path, source)?;
        builder = builder.with_src(path);
    }
    builder.generate().context("cbindgen cannot read tband-ffi")?.write(&mut text);
    let text = String::from_utf8(text).context("cbindgen wrote no UTF-8")?;
    // Rust's section on unsafety is a promise for C callers too; only its heading reads oddly there.
    Ok(text.replace(" * # Safety\n", " * Requirements:\n"))
}

fn constants() -> String {
    let mut text = format!(
        "\n/* Version of the event set. */\n#define TBAND_FORMAT_VERSION {}U\n",
        tband_format::FORMAT_VERSION
    );
    text.push_str(
        "\n/* Event ids. Their names have the types of the fields after id and timestamp. */\n",
    );
    for def in EVENTS {
        let _ = writeln!(text, "#define {} {}U", def.constant(), def.id);
    }
    text.push_str("\n/* What events look like that are described where they are recorded. */\n");
    for def in RARE {
        let _ = writeln!(text, "#define TBAND_SCHEMA_{} \"{}\"", screaming(def.name), schema(def));
    }
    text.push_str(
        "\n/* Kinds of commands of the host, and the answers to those that were not executed. */\n",
    );
    for kind in COMMAND_KINDS {
        let _ = writeln!(text, "#define TBAND_COMMAND_{} {}U", screaming(kind.name), kind.number);
    }
    let counts: Vec<_> = (0..=COMMAND_KINDS.last().map_or(0, |kind| kind.number))
        .map(|number| COMMAND_KINDS.iter().find(|kind| kind.number == number))
        .map(|kind| kind.map_or("0xFFU".to_owned(), |kind| format!("{}U", kind.arguments.len())))
        .collect();
    let _ = writeln!(text, "#define TBAND_COMMAND_ARGUMENT_COUNTS {{{}}}", counts.join(", "));
    let _ = writeln!(text, "#define TBAND_MAX_COMMAND_FRAME {MAX_COMMAND_FRAME}U");
    for (number, name, _) in COMMAND_ERRORS {
        let _ = writeln!(text, "#define TBAND_COMMAND_IS_{} ({number})", screaming(name));
    }
    text.push_str(
        "\n/* Classes of events, for tband_filter_class(): bits of the flags of trace_info. */\n",
    );
    for class in CLASSES {
        let _ = writeln!(text, "#define TBAND_CLASS_{} 0x{:X}U", class.name, class.flag);
    }
    text.push_str("\n/* Groups of classes, for tband_filter_group(). */\n");
    for (name, flags) in GROUPS {
        let _ = writeln!(text, "#define TBAND_GROUP_{name} 0x{flags:X}U");
    }
    text.push_str("\n/* Kinds of objects, for tband_filter_object(); filters select events by an object's number. */\n");
    for (number, kind) in OBJECT_KINDS.iter().enumerate() {
        let _ = writeln!(text, "#define TBAND_OBJECT_{} {number}U", kind.name);
    }
    for (name, values) in enumerations() {
        let _ = writeln!(text, "\n/* Values of fields of type {name}. */");
        for (value, meaning) in values {
            let (name, meaning) = (screaming(name), screaming(meaning));
            let _ = writeln!(text, "#define TBAND_{name}_{meaning} {value}U");
        }
    }
    text
}

/// The text of an event's schema.
fn schema(def: &EventDef) -> String {
    let kind = |field: &FieldDef| {
        SchemaKind::from_field(field.name, field.kind).map_or("", SchemaKind::name)
    };
    let fields: Vec<_> = def.fields.iter().map(|it| format!("{}:{}", it.name, kind(it))).collect();
    format!("{} {}", def.name, fields.join(","))
}

/// The enumerations that events have, each once: name and values.
fn enumerations() -> Vec<(&'static str, &'static [(u8, &'static str)])> {
    let mut found: Vec<(&str, &[_])> = Vec::new();
    for field in EVENTS.iter().flat_map(|def| def.fields) {
        if let FieldKind::Enum { name, values } = field.kind
            && !found.iter().any(|(known, _)| *known == name)
        {
            found.push((name, values));
        }
    }
    found
}

fn screaming(name: &str) -> String {
    name.replace(' ', "_").to_uppercase()
}

fn event_table() -> String {
    let mut text = String::from(
        "<!-- Generated from the event registry by `cargo xtask header`; do not edit. -->\n\
         # Events\n\n\
         An event has its id, a timestamp unless it is metadata (M), and its fields. Only the last fields \
         may be optional (`?`). [The format](format.md) has the encoding of each type.\n",
    );
    for (group, title) in [(Group::Base, "Base"), (Group::FreeRtos, "FreeRTOS")] {
        let _ =
            write!(text, "\n## {title}\n\n| id | name | fields | meaning |\n|---|---|---|---|\n");
        for def in EVENTS.iter().filter(|def| def.group == group) {
            let fields: Vec<_> = def
                .fields
                .iter()
                .map(|field| {
                    let optional =
                        if matches!(field.kind, FieldKind::Optional(_)) { "?" } else { "" };
                    format!("`{}:{}{optional}`", field.name, field.kind.type_name())
                })
                .collect();
            let mark = if def.metadata { " M" } else { "" };
            let fields = fields.join(", ");
            let _ =
                writeln!(text, "| {}{mark} | `{}` | {fields} | {} |", def.id, def.name, def.doc);
        }
    }
    text.push_str("\n## Enumerations\n\n| enumeration | values |\n|---|---|\n");
    for (name, values) in enumerations() {
        let values: Vec<_> =
            values.iter().map(|(value, meaning)| format!("{value} {meaning}")).collect();
        let _ = writeln!(text, "| {name} | {} |", values.join(", "));
    }
    text
}
