//! Writes the source of tband-core as modules of this crate, with loom's atomics in place of the CPU's: once as
//! it is, and once for each weakening that the tests must notice. Text that is not found is an error, so that
//! nothing here goes stale in silence.

use std::fs;
use std::path::Path;

/// Files of the crate that the models run.
const FILES: [&str; 12] = [
    "backend",
    "bounded",
    "emit",
    "external",
    "metadata",
    "port",
    "recorder",
    "snapshot",
    "state",
    "stream",
    "streaming",
    "table",
];

/// Those of its folders: of one the root has nothing but names, of the other code too.
const FOLDERS: [(&str, &[&str]); 2] = [
    ("packet", &["change", "event", "metadata", "post_mortem", "take"]),
    ("ring", &["cursor", "reader", "setup", "slot", "tail"]),
];

/// Name of a module, the file that is weakened, and what stands there instead.
const WEAKENINGS: &[(&str, &str, &str, &str)] = &[
    (
        "without_acquire",
        "recorder",
        "let recording = self.recording.load(Ordering::Acquire) != 0;",
        "let recording = self.recording.load(Ordering::Relaxed) != 0;",
    ),
    (
        "without_second_look",
        "recorder",
        "let recording = self.recording.load(Ordering::Acquire) != 0;",
        "let recording = true;",
    ),
    (
        "without_fence_of_the_event",
        "recorder",
        "core.set_mark(LOOKING, Ordering::Relaxed);\n        fence(Ordering::SeqCst);",
        "core.set_mark(LOOKING, Ordering::Relaxed);",
    ),
    (
        "without_fence_of_the_stop",
        "recorder",
        "self.recording.store(on.into(), Ordering::Release);\n        fence(Ordering::SeqCst);",
        "self.recording.store(on.into(), Ordering::Release);",
    ),
    (
        "without_release_of_the_start",
        "recorder",
        "self.recording.store(on.into(), Ordering::Release);\n        fence(Ordering::SeqCst);",
        "self.recording.store(on.into(), Ordering::Relaxed);",
    ),
    (
        "without_release_of_the_event",
        "recorder",
        "core.set_mark(IDLE, Ordering::Release);",
        "core.set_mark(IDLE, Ordering::Relaxed);",
    ),
    ("without_look_in_the_lock", "streaming", "|| recorder.is_recording(),\n", "|| true,\n"),
    (
        "without_lock_of_the_stop",
        "streaming",
        "pub fn stop_streaming(&self) -> bool {\n        self.locked(|| {",
        "pub fn stop_streaming(&self) -> bool {\n        let at_once = |work: &dyn Fn() -> bool| work();\n        at_once(&|| {",
    ),
    ("without_waiting_for_who_looks", "state", "while mark == LOOKING {", "if mark == LOOKING {"),
];

fn replaced(text: &str, from: &str, to: &str, file: &str) -> String {
    assert!(text.contains(from), "tband-core/src/{file}.rs has no “{from}” any more");
    text.replace(from, to)
}

/// A file as a module of module `name`.
fn of_loom(name: &str, file: &str, source: &str) -> String {
    let source = source
        .replace("core::sync::atomic", "loom::sync::atomic")
        .replace("compiler_fence", "fence")
        // loom's atomics are not made in constants.
        .replace("pub const fn new() -> Self", "pub fn new() -> Self")
        .replace("pub const fn new(port: P) -> Self", "pub fn new(port: P) -> Self")
        .replace("crate::", &format!("crate::{name}::"));
    let lines = source.lines().filter(|line| !line.starts_with("//!"));
    // Unit tests of the crate are not ours.
    let lines = lines.take_while(|line| !line.starts_with("#[cfg(test)]"));
    format!("mod {file} {{\n{}\n}}\n", lines.collect::<Vec<_>>().join("\n"))
}

fn module(folder: &Path, name: &str, weakening: Option<(&str, &str, &str)>) -> String {
    let mut text = format!("pub mod {name} {{\n");
    for file in FILES {
        let mut source = fs::read_to_string(folder.join(format!("{file}.rs"))).expect("readable");
        if let Some((_, from, to)) = weakening.filter(|(weakened, _, _)| *weakened == file) {
            source = replaced(&source, from, to, file);
        }
        if file == "snapshot" {
            // Rather than writing there.
            let checked = "assert!(!at.is_null(), \"stale pointers\");\n        Some(at)\n    }";
            source = replaced(&source, "Some(at)\n    }", checked, file);
        }
        if file == "state" {
            // Who waits for another thread lets it run.
            let look = "mark = self.mark.load(Ordering::Relaxed);";
            let let_run = format!("{look}\nif mark == LOOKING {{ loom::thread::yield_now(); }}");
            source = replaced(&source, look, &let_run, file);
        }
        text += &of_loom(name, file, &source);
    }
    for (folder_name, files) in FOLDERS {
        let inner = folder.join(folder_name);
        let root = fs::read_to_string(inner.join("mod.rs")).expect("readable");
        let mut of_folder = of_loom(name, folder_name, &root);
        for file in files {
            let source = fs::read_to_string(inner.join(format!("{file}.rs"))).expect("readable");
            let declared = format!("mod {file};\n");
            of_folder = replaced(&of_folder, &declared, &of_loom(name, file, &source), folder_name);
        }
        text += &of_folder;
    }
    let root = fs::read_to_string(folder.join("lib.rs")).expect("readable");
    for line in root.lines().filter(|line| line.starts_with("pub use ") && !line.contains("lock::"))
    {
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
    let mut text = module(&folder, "genuine", None);
    for (name, file, from, to) in WEAKENINGS {
        text += &module(&folder, name, Some((file, from, to)));
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("cores.rs"), text).expect("written");
}
