//! The compilation of tband's two files in a project, by the errors of their headers.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tband_sources::SOURCES;

use super::Diagnosis;
use super::cpu::Cpu;
use super::files::Files;
use super::headers::{beside, is_without_settings, text_of};
use super::preprocessor::{Definition, ErrorBlock, IncludedFile, Preprocessor, Surroundings};

/// Folders of tband that are on the include path.
const FOLDERS: [&str; 3] = ["include", "freertos-hooks", "port"];
/// In front of the path of a file of tband.
const TBAND: &str = "tband/";

/// The functions that `tband.h` declares have no conditions.
const TBAND_H: &str = "#include \"tband_requirements.h\"\n#ifndef TBAND_H\n#define TBAND_H\n#endif\n#include \"tband_api.h\"\n";

/// The kernel's header as far as conditions depend on it, around the project's configuration. Whether tband.h comes before
/// its trace macros may not be known.
const FREERTOS_H: &str = "#ifndef INC_FREERTOS_H\n#define INC_FREERTOS_H\n#include \"FreeRTOSConfig.h\"\n\
    #ifdef TBAND_H\n#define PROJDEFS_H\n#else\n#define PROJDEFS_H\n#endif\n\
    #ifndef configUSE_MUTEXES\n#define configUSE_MUTEXES 0\n#endif\n\
    #ifndef configUSE_CO_ROUTINES\n#define configUSE_CO_ROUTINES 0\n#endif\n\
    #ifndef configMAX_TASK_NAME_LEN\n#define configMAX_TASK_NAME_LEN 16\n#endif\n\
    #ifndef INCLUDE_xTaskGetCurrentTaskHandle\n@CURRENT_TASK@#endif\n\
    #ifndef configNUMBER_OF_CORES\n#define configNUMBER_OF_CORES 1\n#endif\n#endif\n";

/// In this text, the default that depends on the kernel's version.
const CURRENT_TASK: &str = "@CURRENT_TASK@";

/// Whether a kernel has the running task's handle if `FreeRTOSConfig.h` does not demand it.
const fn current_task(version: Option<u32>) -> &'static str {
    match version {
        Some(100_500..) => "#define INCLUDE_xTaskGetCurrentTaskHandle 1\n",
        Some(_) => "#define INCLUDE_xTaskGetCurrentTaskHandle 0\n",
        None => "#ifdef some_kernel\n#define INCLUDE_xTaskGetCurrentTaskHandle 1\n#endif\n",
    }
}

/// The same of a kernel whose version is not known: its macros have some value.
const UNKNOWN_TASK_H: &str = "#ifdef some_kernel\n#define tskKERNEL_VERSION_MAJOR 11\n#define tskKERNEL_VERSION_MINOR 0\n\
    #define tskKERNEL_VERSION_BUILD 0\n#endif\n";

/// Macros that are undefined unless a file of the project or of tband defines them.
const KNOWN: [&str; 16] = [
    "tskKERNEL_",
    "tband_",
    "TBAND_",
    "config",
    "INCLUDE_",
    "TRC_",
    "SYSVIEW_FREERTOS_H",
    "FREERTOS_EVR_H_",
    "INC_FREERTOS_H",
    "PROJDEFS_H",
    "ESP_PLATFORM",
    "__cplusplus",
    "__ASSEMBLER__",
    "__IAR_SYSTEMS_ASM__",
    "__IASMARM__",
    "__STRICT_ANSI__",
];

/// The kernel's macro that a build may define, also for one of several programs: one core or both of a Pico.
const CORES: &str = "configNUMBER_OF_CORES";

/// Words in the build files of ESP-IDF, which defines `ESP_PLATFORM`.
const ESP_IDF: [&str; 4] = ["IDF_PATH", "idf_", "idf.", "espidf"];

/// Words that people write for 1, which are no macros.
const WORDS: [&str; 7] = ["yes", "YES", "on", "ON", "TRUE", "ENABLE", "ENABLED"];

/// The facts about a project that decide how it compiles.
pub struct Project<'p> {
    pub files: &'p Files,
    pub build: &'p str,
    /// `tband_config.h`.
    pub config: &'p Path,
    /// `FreeRTOSConfig.h`.
    pub kernel: Option<&'p Path>,
    pub port: Option<&'p Path>,
    pub cpu: &'p Cpu,
    /// The version that CMake passes to the compiler. Inner `None`: it is not known here.
    pub found_version: Option<Option<u32>>,
}

struct Context<'p> {
    project: &'p Project<'p>,
    version: Option<u32>,
    /// Includes of the project that were not found, and whether the port has them.
    missing: RefCell<BTreeSet<(bool, String)>>,
}

impl Context<'_> {
    /// A file of tband: in the folder of the file that includes it, or on the include path.
    fn tband(from: &str, name: &str) -> Option<IncludedFile> {
        let beside = from.strip_prefix(TBAND).and_then(|it| it.rsplit_once('/')).map(|it| it.0);
        let mut folders = beside.into_iter().chain(FOLDERS);
        folders.find_map(|folder| {
            let wanted = format!("{folder}/{name}");
            let (path, text) = SOURCES.iter().find(|it| it.0 == wanted)?;
            Some(IncludedFile { path: format!("{TBAND}{path}"), text: Rc::from(*text) })
        })
    }

    fn is_included_without_a_file(&self, part: &str) -> bool {
        self.missing.borrow().iter().any(|it| it.1.to_ascii_lowercase().contains(part))
    }

    /// A header of the project's settings, not of the port, that is not here and may have others.
    fn is_incomplete(&self) -> bool {
        self.missing.borrow().iter().any(|it| !it.0 && !is_without_settings(&it.1))
    }
}

impl Surroundings for Context<'_> {
    fn find(&self, from: &str, name: &str) -> Option<IncludedFile> {
        let of = |path: &Path| IncludedFile {
            path: path.display().to_string(),
            text: Rc::from(text_of(path)),
        };
        let stand_in = |text: &str| {
            Some(IncludedFile { path: format!("{TBAND}{name}"), text: Rc::from(text) })
        };
        match name {
            "tband.h" => return stand_in(TBAND_H),
            "tband_config.h" => return Some(of(self.project.config)),
            "FreeRTOSConfig.h" => return self.project.kernel.map(of),
            "FreeRTOS.h" => {
                let text = FREERTOS_H.replace(CURRENT_TASK, current_task(self.version));
                return self.project.kernel.and_then(|_| stand_in(&text));
            }
            "tband_port.h" if !from.ends_with("tband_port.h") => return self.project.port.map(of),
            _ => {}
        }
        if name == "task.h" {
            let Some(version) = self.version else { return stand_in(UNKNOWN_TASK_H) };
            let (major, minor, build) = (version / 10_000, version / 100 % 100, version % 100);
            return stand_in(&format!(
                "#define tskKERNEL_VERSION_MAJOR {major}\n#define tskKERNEL_VERSION_MINOR {minor}\n\
                 #define tskKERNEL_VERSION_BUILD {build}\n"
            ));
        }
        if from.starts_with(TBAND) {
            return Self::tband(from, name);
        }
        let ends = |it: &&PathBuf| it.ends_with(name);
        let found = beside(Path::new(from), name);
        let found = found.or_else(|| self.project.files.headers.iter().find(ends).cloned());
        if let Some(found) = found {
            return Some(of(&found));
        }
        let found = Self::tband("", name);
        if found.is_none() {
            let is_of_port = self.project.port.is_some_and(|it| it.display().to_string() == from);
            self.missing.borrow_mut().insert((is_of_port, name.to_owned()));
        }
        found
    }

    fn is_undefined(&self, name: &str) -> bool {
        if WORDS.contains(&name) {
            return true;
        }
        if self.project.build.contains(name) || !KNOWN.iter().any(|it| name.starts_with(it)) {
            return false;
        }
        if name == "ESP_PLATFORM" {
            return !ESP_IDF.iter().any(|it| self.project.build.contains(it));
        }
        // A header that is not here may define it.
        let is_elsewhere = if name.starts_with("tband_port") {
            self.project.port.is_none() || self.is_included_without_a_file("tband")
        } else if name.starts_with("tband_") {
            self.is_included_without_a_file("tband") || self.is_incomplete()
        } else if name.starts_with("config") || name.starts_with("INCLUDE_") {
            self.is_included_without_a_file("conf") || self.is_incomplete()
        } else {
            // Such a header may include tband.h.
            name == "TBAND_H" && self.is_incomplete()
        };
        !is_elsewhere
    }
}

/// The results of a compilation.
#[derive(Default)]
pub struct CompilationResult {
    stops: Vec<ErrorBlock>,
    /// Places of the macros that the project defines.
    places: Vec<(String, String)>,
    /// The first file that was not read because of a limit, and the limit.
    cut: Option<String>,
    pub settings: Settings,
}

/// The settings, with their defaults; `None`: not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub is_packets: Option<bool>,
    pub cores: Option<u64>,
    pub packet_size: Option<u64>,
    pub packet_count: Option<u64>,
    pub snapshot_size: Option<u64>,
    /// Bytes of a core's metadata buffer; 0: it has none.
    pub metadata_size: Option<u64>,
}

/// Compiles the file of the hooks, if the kernel's configuration is known, and the shim.
pub fn compile(project: &Project<'_>) -> CompilationResult {
    let version = project.files.kernel_version();
    let context = Context { project, version, missing: RefCell::default() };
    let (mut compiled, mut seen) = (CompilationResult::default(), BTreeSet::new());
    let hooks = project.kernel.map(|_| "freertos-hooks/tband_freertos.c");
    for path in hooks.into_iter().chain(["port/tband_shim.c"]) {
        let Some(file) = Context::tband("", path.split_once('/').map_or(path, |it| it.1)) else {
            continue;
        };
        let mut preprocessor = Preprocessor::new(&context);
        preprocessor.compile(&predefined(project, version));
        if is_of_some_programs(project.build) {
            preprocessor.macros.insert(CORES.to_owned(), Definition::Unsure);
        }
        if matches!(project.found_version, Some(None)) {
            preprocessor
                .macros
                .insert("TBAND_FREERTOS_VERSION_FOUND".to_owned(), Definition::Unsure);
        }
        if version.is_none() {
            preprocessor.macros.insert("TICK_TYPE_WIDTH_16_BITS".to_owned(), Definition::Unsure);
        }
        preprocessor.compile(&file);
        for (name, definition) in &preprocessor.macros {
            if let Definition::Macro(found) = definition
                && !found.place.0.starts_with(TBAND)
            {
                let (file, line) = &found.place;
                compiled.places.push((name.clone(), format!("{file}:{line}")));
            }
        }
        // Without all files the values are not known.
        compiled.settings = match preprocessor.cut {
            Some(_) => Settings::default(),
            None => settings(&preprocessor),
        };
        compiled.cut = compiled.cut.or(preprocessor.cut);
        for stop in preprocessor.stops {
            if seen.insert(stop.texts.first().cloned()) {
                compiled.stops.push(stop);
            }
        }
    }
    compiled
}

/// The different numbers of cores that build files define.
fn cores_of(build: &str) -> Vec<u8> {
    let values = build.split(CORES).skip(1).filter_map(|it| it.strip_prefix('='));
    let digits = values.map(|it| it.split(|it: char| !it.is_ascii_digit()).next());
    let found: BTreeSet<u8> = digits.filter_map(|it| it?.parse().ok()).collect();
    found.into_iter().collect()
}

/// The build defines the number of cores, but maybe not for all of its programs, or not the same one.
fn is_of_some_programs(build: &str) -> bool {
    let found = cores_of(build).len();
    found > 1 || found == 1 && build.matches("add_executable").count() > 1
}

/// What the compiler itself defines.
fn predefined(project: &Project<'_>, version: Option<u32>) -> IncludedFile {
    let mut text = String::from(
        "#define __STDC_VERSION__ 201112L\n#define __has_include 1\n#define true 1\n#define false 0\n",
    );
    if project.cpu.is_cortex_m() {
        text += "#define __arm__ 1\n#define __ARM_ARCH_PROFILE 'M'\n";
    }
    if let Some(Some(version)) = project.found_version {
        text += &format!("#define TBAND_FREERTOS_VERSION_FOUND {version}\n");
    }
    if let [cores] = cores_of(project.build).as_slice() {
        text += &format!("#define {CORES} {cores}\n");
    }
    // Of the kernel's versions that define it, before FreeRTOSConfig.h.
    if version.is_some_and(|it| it >= 100_600) {
        text += "#define TICK_TYPE_WIDTH_16_BITS 0\n";
    }
    IncludedFile { path: format!("{TBAND}compiler"), text: Rc::from(text) }
}

fn settings(preprocessor: &Preprocessor<'_>) -> Settings {
    let number = |name: &str| preprocessor.number(name).and_then(|it| u64::try_from(it).ok());
    let is_set = |name: &str| number(name).map(|it| it != 0);
    Settings {
        is_packets: number("tband_configFORMAT").map(|it| it == 2),
        cores: number("tband_portNUMBER_OF_CORES").filter(|it| (1..=255).contains(it)),
        packet_size: number("tband_configPACKET_SIZE"),
        packet_count: number("tband_configPACKET_COUNT"),
        snapshot_size: number("tband_configBACKEND_SNAPSHOT_BUF_SIZE"),
        metadata_size: match is_set("tband_configUSE_METADATA_BUF") {
            Some(true) => number("tband_configMETADATA_BUF_SIZE"),
            Some(false) => Some(0),
            None => None,
        },
    }
}

/// Names of macros and headers in a text. The backends are alternatives: they count as one.
fn names(text: &str) -> BTreeSet<&str> {
    const BACKENDS: &str = "tband_configUSE_BACKEND_";
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.';
    let words = text.split(|it: char| !is_part(it)).map(|it| it.trim_end_matches('.'));
    let words = words.map(|it| if it.starts_with(BACKENDS) { BACKENDS } else { it });
    let is_name = |it: &&str| {
        ["tband_", "config", "INCLUDE_", "TBAND_"].iter().any(|start| it.starts_with(start))
            || it.ends_with(".h")
    };
    // These are in nearly all of them.
    let is_common = |it: &str| matches!(it, "FreeRTOSConfig.h" | "tband_config.h" | "tband_port.h");
    words.filter(|it| is_name(it) && !is_common(it)).collect()
}

/// Adds the errors with which the compilation stops, except those that the findings so far explain.
pub fn report(diagnosis: &mut Diagnosis, project: &Project<'_>, compiled: &CompilationResult) {
    if let Some(cut) = &compiled.cut {
        diagnosis.fact("not read", format!("{cut}; errors from there on are not reported"));
    }
    for stop in &compiled.stops {
        let whole = stop.texts.join("\n");
        let of_stop = names(&whole);
        let is_explained = diagnosis.findings.iter().any(|it| {
            let text = format!("{} {}", it.title, it.advice);
            names(&text).iter().any(|name| of_stop.contains(name))
                // A place ends with the name of a missing macro.
                || it.place.rsplit(' ').next().is_some_and(|name| of_stop.contains(name))
        });
        if is_explained {
            continue;
        }
        let (first, rest) =
            stop.texts.split_first().map_or(("", &[][..]), |it| (it.0.as_str(), it.1));
        let first = first.strip_prefix("tband: ").unwrap_or(first);
        let place = if stop.file.starts_with(TBAND) {
            let defined = compiled.places.iter().find(|it| of_stop.contains(it.0.as_str()));
            let file = if whole.contains("tband_port.h") {
                project.port
            } else if whole.contains("FreeRTOSConfig.h") {
                project.kernel
            } else {
                None
            };
            defined.map_or_else(
                || file.unwrap_or(project.config).display().to_string(),
                |it| it.1.clone(),
            )
        } else {
            format!("{}:{}", stop.file, stop.line)
        };
        let advice = match rest {
            [] => "change it as stated".to_owned(),
            lines => lines.iter().map(|it| it.trim()).collect::<Vec<_>>().join("\n"),
        };
        diagnosis.finding(
            "a setting that the build accepts",
            place,
            format!("the build stops: {first}"),
            advice,
        );
    }
}
