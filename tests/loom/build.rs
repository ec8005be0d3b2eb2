//! Writes the source of tband-core as modules of this crate, with loom's atomics in place of the CPU's: once as
//! it is, and once for each weakening that the tests must notice. Text that is not found is an error, so that
//! nothing here goes stale in silence.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// Files of the crate that the models run.
const FILES: [&str; 16] = [
    "backend",
    "bounded",
    "declared",
    "emit",
    "external",
    "filter",
    "metadata",
    "port",
    "recorder",
    "shedding",
    "snapshot",
    "state",
    "stream",
    "streaming",
    "table",
    "triggers",
];

/// Those of its folders: of one the root has nothing but names, of the other code too.
const FOLDERS: [(&str, &[&str]); 2] = [
    ("packet", &["change", "event", "metadata", "post_mortem", "rtt", "shed", "take"]),
    ("ring", &["cursor", "reader", "setup", "slot", "tail"]),
];

/// Files that nothing of these needs: the lock is loom's here.
const NOT_MODELLED: [&str; 2] = ["lock", "named"];

/// Accesses to the memory of packets, which is not atomic: the file, the place, and the report before it. Volatile reads, as in
/// `begin_as_it_is`, may return anything.
const TOUCHES: [(&str, &str, &str); 9] = [
    ("ring/slot", "self.0.wrapping_add(at).cast::<u32>().write(word.to_le())", "TOUCH(self.0);"),
    ("ring/slot", "self.0.wrapping_add(at).cast::<u32>().read()", "LOOK(self.0);"),
    ("ring/slot", "to.write_volatile((end as u32).to_le());", "TOUCH(self.0);"),
    ("ring/cursor", "self.0.cast::<u16>().write_unaligned(", "TOUCH(self.0);"),
    ("ring/cursor", "self.0.cast::<u32>().write((id | now << 10).to_le())", "TOUCH(self.0);"),
    ("ring/cursor", "self.0.write(byte)", "TOUCH(self.0);"),
    ("ring/setup", "let end = slot.wrapping_add(self.packet_size as usize);", "TAIL(slot);"),
    ("packet/event", "let elapsed = now.wrapping_sub(", "TOUCH(at);"),
    ("packet/metadata", "let to_end = copy_entries(", "TOUCH(to);"),
];

/// Variables that only their writer loads without synchronization, in loom's form: otherwise loom takes such a load for the
/// last one, and does not try the cases where the other side looks later. It also checks that this is true.
const OWN_LOADS: [&str; 2] = ["closed", "given_back"];

/// A module in which a text of a file has another in its place; `weakenings.toml` has them by their names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weakening {
    file: String,
    from: String,
    to: String,
}

fn replaced(text: &str, from: &str, to: &str, file: &str) -> String {
    assert!(text.contains(from), "tband-core/src/{file}.rs has no “{from}” any more");
    text.replace(from, to)
}

/// A file as a module of module `name`.
fn of_loom(name: &str, file: &str, source: &str) -> String {
    // The end of a slot is in the memory of packets, which cannot hold loom's atomics: it uses the atomics of `core`, like that memory.
    let atomics = if file == "tail" { "core::sync::atomic" } else { "loom::sync::atomic" };
    let source = source
        .replace("crate::atomics", atomics)
        // The order between an event and its own interrupts does not concern another core.
        .replace(", compiler_fence", "")
        .replace("compiler_fence(Ordering::Release);", "")
        .replace("compiler_fence(Ordering::Acquire);", "")
        // loom's atomics are not made in constants.
        .replace("pub const fn new() -> Self", "pub fn new() -> Self")
        .replace("pub const fn new(port: P) -> Self", "pub fn new(port: P) -> Self")
        .replace("crate::", &format!("crate::{name}::"))
        .replace("TOUCH(", "crate::touched::touch(")
        .replace("LOOK(", "crate::touched::look(")
        .replace("TAIL(", "crate::touched::look_at_tail(");
    let lines = source.lines().filter(|line| !line.starts_with("//!"));
    // Unit tests of the crate are not ours.
    let lines = lines.take_while(|line| !line.starts_with("#[cfg(test)]"));
    format!("pub mod {file} {{\n{}\n}}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// The text of a file, weakened if it is to be, with what reports memory that is touched.
fn source(folder: &Path, path: &str, file: &str, weakening: Option<&Weakening>) -> String {
    let mut source = fs::read_to_string(folder.join(path)).expect("readable");
    if let Some(Weakening { from, to, .. }) = weakening.filter(|it| it.file == file) {
        source = replaced(&source, from, to, file);
    }
    for (_, place, reported) in TOUCHES.iter().filter(|(touched, _, _)| *touched == file) {
        source = replaced(&source, place, &format!("{reported}\n{place}"), file);
    }
    if file == "ring" {
        for own in OWN_LOADS {
            let load = format!("self.{own}.load(Ordering::Relaxed)");
            let unsync = format!("unsafe {{ self.{own}.unsync_load() }}");
            source = replaced(&source, &load, &unsync, file);
        }
    }
    source
}

fn module(folder: &Path, name: &str, weakening: Option<&Weakening>) -> String {
    let mut text = format!("pub mod {name} {{\n");
    for file in FILES {
        let mut source = source(folder, &format!("{file}.rs"), file, weakening);
        if file == "snapshot" {
            // Rather than writing there.
            let checked = "assert!(!at.is_null(), \"stale pointers\");\n        Some(at)\n    }";
            source = replaced(&source, "Some(at)\n    }", checked, file);
        }
        if file == "filter" {
            // C reads the first part by its layout, which loom's atomics do not have.
            let layout = "const _: () = assert!(core::mem::offset_of!(Filter, looks) == 256);";
            source = replaced(&source, layout, "", file);
            // Fewer places take fewer looks, each of which may see an earlier state.
            let places = "const EXCEPTIONS: usize = 16;";
            source = replaced(&source, places, "const EXCEPTIONS: usize = 2;", file);
            for (own, of) in [
                ("own(word: &AtomicU32) -> u32", "word"),
                ("own_kind(kind: &AtomicU8) -> u32", "kind"),
            ] {
                let load = format!("fn {own} {{\n    {of}.load(Ordering::Relaxed)");
                let unsync = format!("fn {own} {{\n    unsafe {{ {of}.unsync_load() }}");
                source = replaced(&source, &load, &unsync, file);
            }
            let zeros = "[const { AtomicU8::new(0) }; 256]";
            source = replaced(&source, zeros, "std::array::from_fn(|_| AtomicU8::new(0))", file);
        }
        if file == "triggers" {
            // Two, and the first ids: each more takes more stores in each step.
            for (from, to) in [
                ("const WORDS: usize = 64;", "const WORDS: usize = 3;"),
                ("pub const TRIGGERS: usize = 7;", "pub const TRIGGERS: usize = 2;"),
                (
                    "[const { AtomicU32::new(0) }; WORDS]",
                    "std::array::from_fn(|_| AtomicU32::new(0))",
                ),
            ] {
                source = replaced(&source, from, to, file);
            }
        }
        if file == "state" {
            // A thread that waits for another one lets it run.
            let look = "mark = self.mark.load(Ordering::Relaxed);";
            let let_run = format!("{look}\nif mark == LOOKING {{ loom::thread::yield_now(); }}");
            source = replaced(&source, look, &let_run, file);
        }
        text += &of_loom(name, file, &source);
    }
    for (folder_name, files) in FOLDERS {
        let root = source(folder, &format!("{folder_name}/mod.rs"), folder_name, weakening);
        let mut of_folder = of_loom(name, folder_name, &root);
        for file in files {
            let path = format!("{folder_name}/{file}");
            let source = source(folder, &format!("{path}.rs"), &path, weakening);
            let declared = format!("mod {file};\n");
            of_folder = replaced(&of_folder, &declared, &of_loom(name, file, &source), folder_name);
        }
        text += &of_folder;
    }
    let root = fs::read_to_string(folder.join("lib.rs")).expect("readable");
    let is_left_out =
        |line: &str| NOT_MODELLED.iter().any(|name| line.contains(&format!("{name}::")));
    for line in root.lines().filter(|line| line.starts_with("pub use ") && !is_left_out(line)) {
        text += line;
        if line.ends_with('{') {
            let (_, rest) = root.split_once(line).expect("the line");
            text += rest.split_once("};").expect("the end").0;
            text += "};";
        }
        text += "\n";
    }
    text + "}\n"
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tband-core/src");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=weakenings.toml");
    let weakenings: BTreeMap<String, Weakening> =
        toml::from_str(include_str!("weakenings.toml")).expect("a table of weakenings");
    let mut text = module(&folder, "genuine", None);
    for (name, weakening) in &weakenings {
        text += &module(&folder, name, Some(weakening));
    }
    let names: Vec<_> = weakenings.keys().collect();
    text +=
        &format!("/// Modules that lack something.\npub const WEAKENED: &[&str] = &{names:?};\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("cores.rs"), text).expect("written");
}
