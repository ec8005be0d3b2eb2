//! The target of CMake that compiles the kernel.

use std::path::PathBuf;

use super::{Command, ProjectCommands};
use crate::init::environment::Environment;
use crate::init::project::Project;
use crate::survey::paths::folder_of;

/// Lines that let tband find the kernel, and the kernel find tband: before and after tband is found.
#[derive(Debug)]
pub struct Lines {
    pub before: String,
    pub after: String,
    /// The folder of `FreeRTOSConfig.h` in the project, if only the program includes it.
    pub folder: Option<String>,
}

/// Names of the target that the kernel's own files of CMake define.
const OFFICIAL: &str = "freertos_kernel";
const OFFICIAL_CONFIG: &str = "freertos_config";
const OFFICIAL_HEADERS: &str = "freertos_kernel_include";
/// The target of the kernel for RP2040 and RP2350.
const OF_PICO: &str = "FreeRTOS-Kernel";

/// Finds the kernel's target. `program`: the target of the program.
pub fn find(project: &Project<'_>, lists: &ProjectCommands<'_>, program: &str) -> Option<Lines> {
    if project.environments.contains(&Environment::PicoSdk) {
        return Some(Lines {
            before: format!(
                "target_link_libraries(tband_config INTERFACE pico_base_headers hardware_sync_headers)\n\
                 {}set(TBAND_FREERTOS_TARGET {OF_PICO})\n",
                definitions(lists, program)
            ),
            after: String::new(),
            folder: project
                .recorded()
                // CMake makes the header of a template in a folder of the build.
                .filter(|it| !it.config.ends_with("FreeRTOSConfig.h.in"))
                .map(|it| folder_of(&project.survey.name(&it.config)).to_owned()),
        });
    }
    let defines = |target: &str| lists.named("add_library").any(|(_, it)| it.target() == target);
    if defines(OFFICIAL_CONFIG) {
        let scope = lists.scope(OFFICIAL_CONFIG, "INTERFACE");
        return Some(Lines {
            before: String::new(),
            folder: None,
            after: format!("target_link_libraries({OFFICIAL_CONFIG}{scope}tband::headers)\n"),
        });
    }
    let uses_official =
        lists.commands.iter().any(|(_, it)| it.arguments.iter().any(|it| it == OFFICIAL));
    if uses_official && !defines(OFFICIAL) {
        // From V10.6 on the kernel has a target of its headers, and other links need their scope.
        return Some(Lines {
            before: String::new(),
            folder: None,
            after: format!(
                "{}if(TARGET {OFFICIAL_HEADERS})\n  target_link_libraries({OFFICIAL_HEADERS} INTERFACE tband::headers)\nelse()\n  \
                 target_link_libraries({OFFICIAL} tband::headers)\nendif()\n",
                policy(lists)
            ),
        });
    }
    let compiles = |(file, it): &(&str, &Command)| {
        let is_target =
            matches!(it.name.as_str(), "add_library" | "add_executable" | "target_sources");
        // A path with the values of its variables, too.
        let is_it =
            |it: &String| is_kernel(project, it) || is_kernel(project, &lists.path(file, it));
        is_target && lists.variables.expand_lists(&it.arguments).iter().any(is_it)
    };
    let (file, command) = lists.commands.iter().copied().find(compiles)?;
    // A variable of another folder has no value in the program's.
    let of_program = lists.named("add_executable").find(|(_, it)| it.target() == program);
    let target = match of_program {
        Some((of_program, _)) if of_program != file => lists.text(file, command.target()),
        _ => command.target().to_owned(),
    };
    let before = format!("set(TBAND_FREERTOS_TARGET {target})\n");
    // The program itself is linked to tband anyway.
    let after = if target == program {
        String::new()
    } else {
        let is_interface = lists.named("add_library").any(|(_, it)| {
            it.target() == command.target() && it.arguments.iter().any(|it| it == "INTERFACE")
        });
        let wanted = if is_interface { "INTERFACE" } else { "PUBLIC" };
        let scopes = [target.as_str(), command.target()].map(|it| lists.scope(it, wanted));
        let scope = scopes.iter().min_by_key(|it| it.len()).map_or(" ", String::as_str);
        // A target of another folder.
        let policy = match of_program {
            Some((of_program, _)) if of_program == file => "",
            _ => policy(lists),
        };
        format!("{policy}target_link_libraries({target}{scope}tband::headers)\n")
    };
    Some(Lines { before, after, folder: None })
}

/// The line that allows to link something to a target of another folder, for a project that asks for an older CMake than 3.13.
fn policy(lists: &ProjectCommands<'_>) -> &'static str {
    let is_older = |it: &Command| {
        let version = it.arguments.get(1).map_or("", String::as_str);
        // The second version of a range decides.
        let version = version.rsplit_once("...").map_or(version, |it| it.1);
        let mut parts = version.split('.').map(|it| it.parse::<u32>().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < (3, 13)
    };
    let root = lists.named("cmake_minimum_required").find(|(file, _)| *file == "CMakeLists.txt");
    if root.is_some_and(|(_, it)| is_older(it)) { "cmake_policy(SET CMP0079 NEW)\n" } else { "" }
}

/// The kernel's settings that only the program has; the kernel is compiled with them, so tband needs them too.
fn definitions(lists: &ProjectCommands<'_>, program: &str) -> String {
    let settings = settings(lists, program);
    if settings.is_empty() {
        return String::new();
    }
    format!("target_compile_definitions(tband_config INTERFACE {})\n", settings.join(" "))
}

/// The macros of the kernel's configuration that a program defines.
pub fn settings<'p>(lists: &ProjectCommands<'p>, program: &str) -> Vec<&'p str> {
    let of_program =
        lists.named("target_compile_definitions").filter(|(_, it)| it.target() == program);
    let words = of_program.flat_map(|(_, it)| &it.arguments).map(|it| it.trim_start_matches("-D"));
    words.filter(|it| it.starts_with("config")).collect()
}

/// An argument is the kernel's `tasks.c`, or a pattern that contains it.
fn is_kernel(project: &Project<'_>, argument: &str) -> bool {
    let roots =
        ["${CMAKE_SOURCE_DIR}/", "${CMAKE_CURRENT_SOURCE_DIR}/", "${PROJECT_SOURCE_DIR}/", "./"];
    let argument = roots.iter().find_map(|it| argument.strip_prefix(it)).unwrap_or(argument);
    let survey = &project.survey;
    if argument == "tasks.c" || argument.ends_with("/tasks.c") {
        // A program may have a tasks.c that is not the kernel's, whose folder the survey does not enter.
        let end = argument.rsplit_once('}').map_or(argument, |it| it.1);
        let end = end.trim_start_matches(['.', '/']);
        let is_own = |it: &&PathBuf| {
            it.ends_with(end) && !survey.kernels.iter().any(|kernel| it.parent() == Some(kernel))
        };
        return !survey.sources.iter().any(|it| is_own(&&it.path));
    }
    let Some((folder, _)) = argument.split_once('*') else { return false };
    // The pattern of one folder has only the files in it.
    survey.kernels.iter().any(|it| format!("{}/", survey.name(it)).starts_with(folder))
}
