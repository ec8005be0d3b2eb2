//! The kernel of a project: its configuration, and its target in CMake.

use std::path::Path;

use super::Diagnosis;
use super::cmake::Command;
use super::files::Files;
use super::headers::{Header, Macros, place_of};
use super::hook_flags::FlagHook;

/// Examines the kernel's configuration. `tband`: the macros of `tband_config.h`, if the kernel's events are wanted; `flags`: the
/// trace macros that the build defines.
pub fn examine_config(
    diagnosis: &mut Diagnosis,
    path: Option<&Path>,
    (files, build): (&Files, &str),
    (tband, flags): (Option<&Macros<'_>>, &[FlagHook]),
) {
    let Some(path) = path else {
        if !files.kernels.is_empty() || tband.is_some() {
            diagnosis.fact(
                "FreeRTOSConfig.h",
                "not in this folder: whether it includes tband.h is not known",
            );
        }
        return;
    };
    let place = path.display().to_string();
    diagnosis.fact("FreeRTOSConfig.h", place.clone());
    let macros = Macros { header: Header::read(path, &files.headers), build };
    match macros.header.tband_h {
        // A header that is not here may include it.
        None if macros.header.has_unknown() => {}
        None => diagnosis.finding(
            "#include \"tband.h\"",
            place.clone(),
            "the kernel is compiled without tband: no task, queue or interrupt is recorded",
            "#include \"tband.h\" as the last line of FreeRTOSConfig.h",
        ),
        Some((line, Some(after))) => diagnosis.finding(
            "#include \"tband.h\" at the end",
            format!("{place}:{line}"),
            "tband does not see macros that are defined after it",
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
            diagnosis.finding(name, place_of(&found, &place), means, format!("#define {name} 1"));
        }
    }
    const ALLOWED: &str = "tband_configALLOW_OWN_TRACE_MACROS";
    let is_allowed =
        [Some(&macros), tband].into_iter().flatten().any(|it| it.get(ALLOWED).may_be_on(false));
    let of_header = macros.header.first_hook();
    let of_flags = || flags.first().map(|it| (it.name.as_str(), it.place.clone()));
    if !is_allowed && let Some((name, place)) = of_header.or_else(of_flags) {
        diagnosis.finding(
            "the kernel's trace macros for tband",
            format!("{place}: {name}"),
            "another recorder, or code of yours, has one of them: its events are not recorded",
            format!("remove it, or see {ALLOWED}"),
        );
    }
}

/// Returns the target of CMake that the project names as the kernel's, and its command.
fn named_target(commands: &[Command]) -> Option<(&Command, &str)> {
    let command = commands.iter().find(|it| it.is("set", "TBAND_FREERTOS_TARGET"))?;
    Some((command, command.arguments.get(1)?))
}

/// Whether tband's CMake finds the kernel, whose version it then passes to the compiler.
pub fn is_found_by_cmake(commands: &[Command], build: &str) -> bool {
    let is_used = commands.iter().any(|it| it.has("tband::tband"));
    is_used
        && (named_target(commands).is_some()
            || ["freertos_kernel", "TBAND_FREERTOS_TARGET", "FREERTOS_KERNEL_PATH"]
                .iter()
                .any(|it| build.contains(it)))
}

/// Commands that add tband.
fn is_tband_command(command: &Command) -> bool {
    let argument = command.arguments.first().map_or("", String::as_str);
    let first = argument.to_ascii_lowercase();
    match command.name.as_str() {
        "add_subdirectory" => {
            // A folder of the project may have a similar name.
            if let Some(folder) = command.path(argument).filter(|it| it.is_dir()) {
                return folder.join("freertos-hooks").is_dir();
            }
            first.split('/').any(|it| it.starts_with("tband")) || first.contains("tband_")
        }
        "find_package" => first == "tband",
        "include" => first.ends_with("tband-config.cmake"),
        "fetchcontent_makeavailable" => command.has("tband"),
        _ => false,
    }
}

/// Commands that add a folder or a file outside of the project, except those of kits.
pub fn is_outside(command: &Command) -> bool {
    let first = command.arguments.first().map_or("", String::as_str);
    let is_of_kit = ["PICO_SDK_", "IDF_PATH"].iter().any(|it| first.contains(it));
    matches!(command.name.as_str(), "include" | "add_subdirectory")
        && !is_tband_command(command)
        && !is_of_kit
        && (first.contains("..") || first.starts_with('/') || command.path(first).is_none())
}

/// Commands that may add a library whose name is not known here.
fn may_add_library(command: &Command) -> bool {
    let first = command.arguments.first().map_or("", String::as_str);
    command.name == "add_library" && first.contains('$') || is_outside(command)
}

/// Reports a build that does not use tband.
pub fn examine_use(diagnosis: &mut Diagnosis, commands: &[Command], files: &Files) {
    let is_named = files.build.iter().any(|(_, text)| text.to_ascii_lowercase().contains("tband"));
    if is_named || commands.iter().any(is_outside) {
        return;
    }
    let of_cmake = commands.iter().find(|it| it.name == "add_executable").map(Command::place);
    let compiles = |text: &str| {
        // Another file, or a list of all files, may have tband's.
        let is_unknown = ["include ", "wildcard", "find "].iter().any(|it| text.contains(it));
        !is_unknown && text.contains("$(CC)") && text.contains(".c")
    };
    let of_make = files.build.iter().find(|(path, text)| {
        path.file_name().is_some_and(|it| it.eq_ignore_ascii_case("makefile")) && compiles(text)
    });
    let Some(place) = of_cmake.or(of_make.map(|it| it.0.display().to_string())) else { return };
    diagnosis.finding(
        "tband in the build",
        place,
        "no build file names tband: the program is built without the recorder",
        "add it with tband-cli init, or in CMake:\nadd_subdirectory(tband)\n\
         target_link_libraries(app PRIVATE tband::tband)   # app: your program",
    );
}

/// Examines the commands of CMake that use tband.
pub fn examine_cmake(
    diagnosis: &mut Diagnosis,
    commands: &[Command],
    (files, build): (&Files, &str),
    is_wanted: bool,
) {
    let Some(link) =
        commands.iter().find(|it| it.name == "target_link_libraries" && it.has("tband::tband"))
    else {
        return;
    };
    let tband = commands.iter().find(|it| is_tband_command(it));
    let config = commands.iter().find(|it| it.is("add_library", "tband_config"));
    let may_have_config = commands.iter().any(may_add_library);
    match (tband, config) {
        (Some(_), None) if may_have_config => {}
        (Some(tband), None) => diagnosis.finding(
            "the target tband_config",
            tband.place(),
            "CMake stops: it has the folder of tband_config.h and tband_port.h",
            "before it:\nadd_library(tband_config INTERFACE)\n\
             target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/config)",
        ),
        (Some(tband), Some(config)) if config.is_after(tband) => diagnosis.finding(
            "the target tband_config before tband",
            config.place(),
            "CMake stops: tband is added before it",
            format!("move it above line {}", tband.line),
        ),
        _ => {}
    }
    if !is_wanted {
        return;
    }
    if let Some((command, name)) = named_target(commands) {
        let is_target = |it: &&Command| {
            matches!(it.name.as_str(), "add_library" | "add_executable")
                && it.arguments.first().is_some_and(|it| it == name || it.contains('$'))
        };
        let has_others = commands.iter().any(|it| {
            matches!(
                it.name.as_str(),
                "include" | "add_subdirectory" | "find_package" | "fetchcontent_makeavailable"
            ) && !is_tband_command(it)
        });
        if let Some(tband) = tband.filter(|it| command.is_after(it)) {
            diagnosis.finding(
                "TBAND_FREERTOS_TARGET before tband",
                command.place(),
                "it has no effect after tband was added, and the build stops: tband does not find FreeRTOS.h",
                format!("move it above line {}", tband.line),
            );
        } else if !name.contains('$') && !has_others && !commands.iter().any(|it| is_target(&it)) {
            diagnosis.finding(
                "the target in TBAND_FREERTOS_TARGET",
                command.place(),
                format!("CMake stops: there is no target {name}"),
                "set it to the target that compiles the kernel's tasks.c",
            );
        }
        return;
    }
    if is_found_by_cmake(commands, build) || has_kernel_headers(commands, files) {
        return;
    }
    let is_target = |it: &&Command| {
        matches!(it.name.as_str(), "add_library" | "add_executable" | "target_sources")
            && it.arguments.iter().any(|it| it == "tasks.c" || it.ends_with("/tasks.c"))
    };
    let programs: Vec<_> = commands.iter().filter(|it| it.name == "add_executable").collect();
    let compiled = commands.iter().find(is_target).or(match programs.as_slice() {
        [one] if !files.kernels.is_empty() => Some(*one),
        _ => None,
    });
    let Some(compiled) = compiled else { return };
    let target = compiled.arguments.first().map_or("my_kernel", String::as_str);
    diagnosis.finding(
        "TBAND_FREERTOS_TARGET",
        compiled.place(),
        "the build stops: tband does not know which target compiles the kernel, so FreeRTOS.h is not on its include path and \
         the kernel's version is not known",
        format!("set(TBAND_FREERTOS_TARGET {target})   # above {}", tband.unwrap_or(link).place()),
    );
}

/// Whether tband's own targets may find the kernel's headers without its target.
fn has_kernel_headers(commands: &[Command], files: &Files) -> bool {
    commands.iter().any(|it| {
        let first = it.arguments.first().map_or("", String::as_str);
        let is_of_tband = matches!(first, "tband_config" | "tband");
        match it.name.as_str() {
            "include_directories" => true,
            "target_link_libraries" => is_of_tband,
            "target_include_directories" if is_of_tband => {
                it.arguments.iter().skip(1).any(|folder| {
                    // Others are not known, or have the headers.
                    let is_known =
                        matches!(folder.as_str(), "INTERFACE" | "PUBLIC" | "PRIVATE" | "SYSTEM");
                    let is_of_kernel = |path: &Path| {
                        path.join("FreeRTOS.h").is_file()
                            || files.kernels.iter().any(|kernel| path.starts_with(kernel))
                    };
                    !is_known && it.path(folder).is_none_or(|path| is_of_kernel(&path))
                })
            }
            _ => false,
        }
    })
}
