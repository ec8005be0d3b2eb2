//! The preprocessor's output for the kernel's trace macros with the hooks: the events that they record.
//!
//! The ids of events are left undefined, so that their names stay in the text. A macro may call a function of
//! `tband_freertos.c` or of the shim; its events count for the macro.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use tband_format::registry::EVENTS;

use super::source::{Signatures, is_word};
use crate::command::run_quiet;
use crate::kernel::{self, FREERTOS_CONFIG};

/// Returns the names of the classes: the part between `tband_configFREERTOS_` and `_TRACE_ENABLE`.
pub fn classes(root: &Path) -> Result<Vec<String>> {
    let path = root.join("include/tband_config_defaults.h");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let names = text.lines().filter_map(|line| line.strip_prefix("#ifndef tband_configFREERTOS_"));
    let classes: Vec<_> =
        names.filter_map(|name| name.strip_suffix("_TRACE_ENABLE")).map(str::to_owned).collect();
    ensure!(!classes.is_empty(), "no classes in {}", path.display());
    Ok(classes)
}

/// The part of a port that the shim needs.
const PORT: &str = "#define tband_portTIMESTAMP() 0U\n\
                    #define tband_portTIMESTAMP_RESOLUTION_NS 1\n\
                    #define tband_portENTER_CRITICAL_FROM_ANY() (void)0\n\
                    #define tband_portEXIT_CRITICAL_FROM_ANY() (void)0\n\
                    #define tband_portBACKEND_STREAM_DATA(buf, len) true\n";

/// The hooks, for one kernel.
pub struct Hooks<'a> {
    root: PathBuf,
    kernel: PathBuf,
    macros: &'a Signatures,
    /// The folder with a copy of `tband.h` that has no ids, and the compiled file.
    folder: PathBuf,
    version: u32,
}

impl Drop for Hooks<'_> {
    fn drop(&mut self) {
        // Left after it would only take space.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl<'a> Hooks<'a> {
    pub fn new(root: &Path, kernel: &Path, macros: &'a Signatures) -> Result<Self> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("tband-coverage-{}-{run}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let hooks = Self {
            root: root.to_path_buf(),
            kernel: kernel.to_path_buf(),
            macros,
            folder,
            version: kernel::version(kernel)?,
        };
        let header = fs::read_to_string(root.join("include/tband.h"))?;
        let without_ids: String = header
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("#define TBAND_EVT_"))
            .collect();
        ensure!(without_ids.len() < header.len(), "tband.h has no ids of events");
        fs::write(hooks.folder.join("tband.h"), without_ids)?;
        fs::write(hooks.folder.join("FreeRTOSConfig.h"), FREERTOS_CONFIG)?;
        fs::write(hooks.folder.join("tband_port.h"), PORT)?;
        Ok(hooks)
    }

    /// The events that each macro may record with these classes on and all others off.
    pub fn recorded(&self, on: &[&str]) -> Result<BTreeMap<&'a str, BTreeSet<&'static str>>> {
        self.configure(on)?;
        let own = "#include \"tband_freertos.c\"\n#include \"tband_shim.c\"\n";
        let own = self.preprocess("hooks.c", own)?;
        let functions = functions(&own);
        // The expansions, each between its name and the next.
        let mut probe = String::from("#include \"FreeRTOSConfig.h\"\n");
        for (name, &parameters) in self.macros {
            let arguments: Vec<_> = (0..parameters).map(|n| format!("argument{n}")).collect();
            writeln!(probe, "\"probe:{name}:\" {name}({});", arguments.join(", "))?;
        }
        let text = self.preprocess("probe.c", &probe)?;
        let mut found = BTreeMap::new();
        for part in text.split("\"probe:").skip(1) {
            let (name, expansion) = part.split_once(":\"").context("a probe without end")?;
            let (name, _) = self.macros.get_key_value(name).context("an unknown probe")?;
            found.insert(name.as_str(), events(expansion, &functions));
        }
        ensure!(found.len() == self.macros.len(), "the preprocessor lost macros");
        Ok(found)
    }

    fn configure(&self, on: &[&str]) -> Result<()> {
        let mut text = format!(
            "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_STREAMING 1\n\
             #define tband_configFREERTOS_TRACE_ENABLE 1\n#define tband_portISR_NUMBER() 7\n\
             #define tband_configFREERTOS_VERSION {}\n",
            self.version
        );
        for class in classes(&self.root)? {
            let is_on = on.contains(&class.as_str()) && self.is_supported(&class);
            writeln!(
                text,
                "#define tband_configFREERTOS_{class}_TRACE_ENABLE {}",
                u8::from(is_on)
            )?;
        }
        Ok(fs::write(self.folder.join("tband_config.h"), text)?)
    }

    /// Whether the hooks support a class on the kernel: kernels before V11 have no macros for calls, and those before V10.3
    /// have other fields in the structures that most classes read.
    fn is_supported(&self, class: &str) -> bool {
        match class {
            "API" => self.version >= 110_000,
            "TASK" | "QUEUE" | "SCHEDULER_STEP" | "TICK" | "ISR" => true,
            _ => self.version >= 100_300,
        }
    }

    fn preprocess(&self, name: &str, text: &str) -> Result<String> {
        let path = self.folder.join(name);
        fs::write(&path, text)?;
        let mut command = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        command.args(["-E", "-P"]).arg(&path).arg("-I").arg(&self.folder);
        for folder in ["include", "freertos-hooks", "port"] {
            command.arg("-I").arg(self.root.join(folder));
        }
        command.arg("-I").arg(self.kernel.join("include"));
        command.arg("-I").arg(port(&self.kernel)?);
        let output = run_quiet(&mut command)?;
        String::from_utf8(output.stdout).context("the preprocessor wrote no UTF-8")
    }
}

/// Returns the folder of a port, because the preprocessor needs `portmacro.h`: one for this machine, or otherwise any other.
fn port(kernel: &Path) -> Result<PathBuf> {
    let ports = kernel.join("portable");
    let mut folders = vec![ports.join("ThirdParty/GCC/Posix")];
    for entry in fs::read_dir(ports.join("GCC")).into_iter().flatten() {
        folders.push(entry?.path());
    }
    folders.sort();
    let found = folders.iter().rev().find(|folder| folder.join("portmacro.h").is_file());
    found.cloned().with_context(|| format!("no port for GCC in {}", ports.display()))
}

/// Bodies of the functions of hooks and shim, by name.
fn functions(text: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut rest = text;
    while let Some(start) = rest.find("tband_") {
        let (_, from) = rest.split_at(start);
        let end = from.find(|c: char| !is_word(c)).unwrap_or(from.len());
        let (name, after) = from.split_at(end);
        rest = after;
        // A definition: parameters, then a brace.
        let Some(parameters) = enclosed(after, '(', ')') else { continue };
        let (_, after) = after.split_at(parameters.len());
        if let Some(body) = enclosed(after.trim_start(), '{', '}') {
            found.insert(name, body);
        }
    }
    found
}

/// The text up to the parenthesis that closes the one at the start.
fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            _ if c == open => depth += 1,
            _ if c == close => depth -= 1,
            _ => {}
        }
        match depth {
            0 if at == 0 => return None,
            0 => return text.get(..at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// Returns the events that a text records, directly or through the functions that it calls.
fn events(text: &str, functions: &BTreeMap<&str, &str>) -> BTreeSet<&'static str> {
    let (mut named, mut records) = (BTreeSet::new(), false);
    let mut texts = vec![text];
    let mut seen = BTreeSet::new();
    while let Some(text) = texts.pop() {
        let mut words =
            text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            if word.starts_with("TBAND_EVT_") {
                // With TBAND_ID_BIT round it the event is taken out of the metadata buffer.
                if words.peek() != Some(&"32U") {
                    named.insert(word);
                }
            } else if word.starts_with("tband_record_")
                || word.starts_with("tband_lib_streaming_close")
            {
                records = true;
            } else if let Some(body) = functions.get(word)
                && seen.insert(word)
            {
                texts.push(body);
            }
        }
    }
    if !records {
        return BTreeSet::new();
    }
    let known = EVENTS.iter().filter(|def| named.contains(def.constant().to_string().as_str()));
    known.map(|def| def.name).collect()
}
