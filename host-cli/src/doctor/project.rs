//! A project's folder: its headers, and what its build files say of the processor.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::cost::{self, Backend};
use super::headers::{Header, Macro, text_of};
use super::{Diagnosis, cost::Backend::*};
use crate::config;

/// A project of more files is looked through so far.
const MAX_FILES: usize = 100_000;

/// Endings and names of what gives a compiler its flags.
const BUILD: [&str; 10] = [
    "CMakeLists.txt",
    "build.rs",
    "Makefile",
    "makefile",
    ".cmake",
    ".mk",
    "platformio.ini",
    "meson.build",
    ".cproject",
    ".ioc",
];
/// Processors that have no cycle counter.
const WITHOUT_DWT: [&str; 4] = ["cortex-m0", "cortex-m1", "cortex-m23", "cortex_m0"];
/// Processors that have one.
const WITH_DWT: [&str; 6] =
    ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "cortex-m85"];

const BACKENDS: [(&str, Backend); 4] = [
    ("tband_configUSE_BACKEND_SNAPSHOT", Snapshot),
    ("tband_configUSE_BACKEND_STREAMING", Streaming),
    ("tband_configUSE_BACKEND_POST_MORTEM", PostMortem),
    ("tband_configUSE_BACKEND_EXTERNAL", External),
];

/// What is in a project's folder.
#[derive(Default)]
struct Files {
    headers: Vec<PathBuf>,
    /// What the build files say, one after the other.
    build: String,
    has_kernel: bool,
    has_tband: bool,
}

impl Files {
    /// Looks through a folder, but not through copies of tband and of the kernel, hidden folders and those of links.
    fn find(root: &Path) -> anyhow::Result<Self> {
        let mut files = Self::default();
        let (mut folders, mut seen) = (vec![root.to_owned()], 0);
        while let Some(folder) = folders.pop() {
            let has = |name: &str| folder.join(name).is_file();
            if has("tasks.c") && has("include/FreeRTOS.h") {
                files.has_kernel = true;
                continue;
            }
            if has("freertos-hooks/tband_freertos_hooks.h") {
                files.has_tband = true;
                if folder == root {
                    bail!(
                        "{} is tband itself; name the folder of a project that uses it",
                        root.display()
                    );
                }
                continue;
            }
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if folder == root => {
                    return Err(error).with_context(|| format!("cannot read {}", root.display()));
                }
                Err(_) => continue,
            };
            // The same order on every machine.
            let mut entries: Vec<_> = entries.flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                seen += 1;
                if seen > MAX_FILES {
                    bail!(
                        "{} has more than {MAX_FILES} files; name the folder of the firmware",
                        root.display()
                    );
                }
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    if !name.starts_with('.') && name != "node_modules" {
                        folders.push(path);
                    }
                } else if name.ends_with(".h") {
                    files.headers.push(path);
                } else if BUILD.iter().any(|it| name.ends_with(it)) {
                    files.build += &text_of(&path);
                }
            }
        }
        Ok(files)
    }

    /// All headers of a name.
    fn named(&self, name: &'static str) -> impl Iterator<Item = &PathBuf> {
        self.headers.iter().filter(move |it| it.file_name().is_some_and(|it| it == name))
    }

    /// The only one of a name; none if there is none.
    fn only(&self, name: &'static str, root: &Path) -> anyhow::Result<Option<&PathBuf>> {
        let found: Vec<_> = self.named(name).collect();
        if found.len() > 1 {
            let names: Vec<_> = found.iter().map(|it| it.display().to_string()).collect();
            bail!(
                "{} has several {name}: {}; name the folder of one project",
                root.display(),
                names.join(", ")
            );
        }
        Ok(found.first().copied())
    }
}

/// The macros of a header, and of the build's flags.
struct Macros<'f> {
    header: Header,
    build: &'f str,
}

impl Macros<'_> {
    fn get(&self, name: &str) -> Macro {
        match self.header.get(name) {
            Macro::Unset if self.build.contains(name) => Macro::Unsure,
            found => found,
        }
    }

    /// It is a number, or not set, which is this number.
    fn number(&self, name: &str, default: u64) -> Option<u64> {
        match self.get(name) {
            Macro::Unset => Some(default),
            Macro::Is(value, _) => value.trim().parse().ok(),
            Macro::Unsure => None,
        }
    }
}

/// Looks at a project.
///
/// # Errors
/// It cannot be read, or there are several in the folder.
pub fn diagnose(root: &Path, rate: u32) -> anyhow::Result<Diagnosis> {
    let files = Files::find(root)?;
    let mut diagnosis = Diagnosis {
        next: "build it, then run this command on the ELF file, which says whether the kernel calls the recorder",
        ..Diagnosis::default()
    };
    if files.has_tband {
        diagnosis.fact("tband", "its sources are in the folder");
    }
    let kernel = files.only("FreeRTOSConfig.h", root)?;
    let config = files.only("tband_config.h", root)?;
    let Some(config) = config else {
        diagnosis.finding(
            "tband_config.h",
            root.display().to_string(),
            "nothing of tband is configured: the library does not build",
            "write one:\n#define tband_configENABLE 1\n#define tband_configFREERTOS_TRACE_ENABLE 1   /* 0 without FreeRTOS */\n\
             #define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configUSE_BACKEND_SNAPSHOT 1",
        );
        look_at_kernel(&mut diagnosis, kernel, &files, false);
        look_at_port(&mut diagnosis, root, &files)?;
        return Ok(diagnosis);
    };
    let macros = Macros { header: Header::read(config, &files.headers), build: &files.build };
    let place = config.display().to_string();
    look_at_names(&mut diagnosis, config);
    let enabled = macros.get("tband_configENABLE");
    if !enabled.may_be_on(false) {
        let place = where_is(&enabled, &place);
        diagnosis.finding(
            "tband_configENABLE",
            place,
            "tband is off: nothing is recorded",
            "#define tband_configENABLE 1",
        );
    }
    let traces = macros.get("tband_configFREERTOS_TRACE_ENABLE");
    let has_kernel = kernel.is_some() || files.has_kernel;
    if has_kernel && !traces.may_be_on(false) {
        diagnosis.finding(
            "tband_configFREERTOS_TRACE_ENABLE",
            where_is(&traces, &place),
            "the kernel's events are not recorded, only your own",
            "#define tband_configFREERTOS_TRACE_ENABLE 1",
        );
    }
    let format = macros.get("tband_configFORMAT");
    let is_packets = matches!(&format, Macro::Is(value, _) if value == "TBAND_FORMAT_PACKETS");
    let chosen: Vec<_> =
        BACKENDS.iter().filter(|(name, _)| macros.get(name).may_be_on(false)).collect();
    let sure = chosen.iter().filter(|(name, _)| macros.get(name) != Macro::Unsure).count();
    let advice = "choose one, for example #define tband_configUSE_BACKEND_SNAPSHOT 1";
    match (chosen.as_slice(), sure) {
        ([], _) => diagnosis.finding("a backend", place, "tband has nowhere to record to", advice),
        (_, 2..) => diagnosis.finding(
            "one backend",
            place,
            "several are chosen, and the build ends",
            advice,
        ),
        _ => {}
    }
    look_at_kernel(&mut diagnosis, kernel, &files, traces.may_be_on(false));
    look_at_port(&mut diagnosis, root, &files)?;
    let is_sure = format != Macro::Unsure && sure == 1;
    if let ([(_, backend)], true) = (chosen.as_slice(), is_sure) {
        let kind = if is_packets { "packets" } else { "frames" };
        diagnosis
            .fact("tband_config.h", format!("{}: {kind}, {}", config.display(), backend.name()));
        let ring = match (is_packets, backend) {
            (true, _) => macros
                .number("tband_configPACKET_COUNT", 8)
                .zip(macros.number("tband_configPACKET_SIZE", 512))
                .and_then(|(count, size)| count.checked_mul(size)),
            (false, Snapshot) => macros.number("tband_configBACKEND_SNAPSHOT_BUF_SIZE", 32768),
            (false, _) => None,
        };
        cost::add(&mut diagnosis, (*backend, is_packets), rate, None, ring);
    } else {
        diagnosis.fact(
            "tband_config.h",
            format!("{}: the build chooses what to record into", config.display()),
        );
    }
    Ok(diagnosis)
}

/// The macro's place, else the file where it should be.
fn where_is(found: &Macro, file: &str) -> String {
    match found {
        Macro::Is(_, place) => place.clone(),
        _ => file.to_owned(),
    }
}

/// Names that tband does not have.
fn look_at_names(diagnosis: &mut Diagnosis, path: &Path) {
    for config::Unknown { line, name, value, meant } in config::unknown(&text_of(path)) {
        let advice = match meant {
            Some(meant) => format!("#define {meant} {value}"),
            None => "remove it; include/tband_config_defaults.h lists all".to_owned(),
        };
        diagnosis.finding(
            "a macro of this name",
            format!("{}:{line}: {name}", path.display()),
            "tband has none: the one that was meant has its default",
            advice,
        );
    }
}

/// The kernel's configuration.
fn look_at_kernel(
    diagnosis: &mut Diagnosis,
    path: Option<&PathBuf>,
    files: &Files,
    is_wanted: bool,
) {
    let Some(path) = path else {
        if files.has_kernel || is_wanted {
            diagnosis.fact(
                "FreeRTOSConfig.h",
                "not in this folder: whether it includes tband.h is not known",
            );
        }
        return;
    };
    let place = path.display().to_string();
    diagnosis.fact("FreeRTOSConfig.h", place.clone());
    let macros = Macros { header: Header::read(path, &files.headers), build: &files.build };
    match macros.header.tband_h {
        None => diagnosis.finding(
            "#include \"tband.h\"",
            place.clone(),
            "the kernel is compiled without tband: no task, queue or interrupt is recorded",
            "#include \"tband.h\" as the last line of FreeRTOSConfig.h",
        ),
        Some((line, Some(after))) => diagnosis.finding(
            "#include \"tband.h\" at the end",
            format!("{place}:{line}"),
            "what is defined after it, tband does not see",
            format!("move it to the end of the file: line {after} defines something"),
        ),
        Some(_) => {}
    }
    for (name, means) in [
        ("configUSE_TRACE_FACILITY", "the kernel's objects have no numbers, and the build ends"),
        ("INCLUDE_xTaskGetIdleTaskHandle", "the idle tasks are not known: the load is not known"),
    ] {
        let found = macros.get(name);
        if !found.may_be_on(false) {
            diagnosis.finding(name, where_is(&found, &place), means, format!("#define {name} 1"));
        }
    }
    if let Some((name, place)) = macros.header.first_like("trace") {
        diagnosis.finding(
            "the kernel's trace macros for tband",
            format!("{place}: {name}"),
            "another recorder, or code of yours, has one of them: its events are not recorded",
            "remove it, or see tband_configALLOW_OWN_TRACE_MACROS",
        );
    }
}

/// The port.
fn look_at_port(diagnosis: &mut Diagnosis, root: &Path, files: &Files) -> anyhow::Result<()> {
    let Some(path) = files.only("tband_port.h", root)? else {
        // A folder of tband's own ports may be on the include path.
        if !["/port/", "TBAND_PORT", "tband_port"].iter().any(|it| files.build.contains(it)) {
            diagnosis.finding(
                "tband_port.h",
                root.display().to_string(),
                "tband has no timer and no critical section: the library does not build",
                "copy the one for your chip from its folder in tband's port/, or port/template/tband_port.h",
            );
        }
        return Ok(());
    };
    let place = path.display().to_string();
    diagnosis.fact("tband_port.h", place.clone());
    look_at_names(diagnosis, path);
    let macros = Macros { header: Header::read(path, &files.headers), build: &files.build };
    // One of tband's has what follows.
    let is_of_tband = |name: &str| name.contains("tband_") && name != "tband_config.h";
    if !macros.header.includes_elsewhere(is_of_tband) {
        let any = |names: &[&str]| names.iter().any(|name| macros.get(name) != Macro::Unset);
        for (names, advice) in [
            (
                &["tband_portTIMESTAMP"][..],
                "#define tband_portTIMESTAMP() my_timer_ticks()   /* uint64_t, never steps back */",
            ),
            (
                &["tband_portTIMESTAMP_FREQUENCY_HZ", "tband_portTIMESTAMP_RESOLUTION_NS"],
                "#define tband_portTIMESTAMP_FREQUENCY_HZ 64000000   /* timer ticks per second */",
            ),
            (
                &["tband_portENTER_CRITICAL_FROM_ANY"],
                "define it, and tband_portEXIT_CRITICAL_FROM_ANY()",
            ),
        ] {
            if let Some(name) = names.first()
                && !any(names)
            {
                diagnosis.finding(
                    "a part of the port",
                    format!("{place}: {name}"),
                    "the library does not build without it",
                    advice,
                );
            }
        }
    }
    // The only one of tband's ports that is more than this header.
    let needs_posix = macros.header.includes_elsewhere(|it| it == "tband_posix.h");
    if needs_posix && !files.build.contains("POSIX_FREERTOS") {
        diagnosis.finding(
            "tband_posix.h",
            place.clone(),
            "it is included and not in the project: the library does not build",
            "add tband's folder port/POSIX_FREERTOS to tband_config's include directories, and tband_port.c, which is \
             there, to your program's sources",
        );
    }
    let uses_dwt = macros.header.includes_elsewhere(|it| it.ends_with("tband_dwt_timer.h"))
        || text_of(path).contains("DWT->CYCCNT");
    let build = files.build.to_ascii_lowercase();
    let named = |names: &[&'static str]| names.iter().copied().find(|it| build.contains(it));
    // A project for several chips knows itself which timer is for which.
    let core = named(&WITHOUT_DWT).filter(|_| named(&WITH_DWT).is_none());
    if let (true, Some(core)) = (uses_dwt, core) {
        diagnosis.finding(
            "a timer that the chip has",
            format!("{place}: the cycle counter (DWT)"),
            "a build file names a processor without one: all events would have the same time",
            format!(
                "for {core} copy a port with another timer: port/GCC_ARM_CM0, or one for your chip"
            ),
        );
    }
    Ok(())
}
