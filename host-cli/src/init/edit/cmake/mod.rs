//! `CMakeLists.txt`: finds tband in the project's folder and links it.

mod kernel;
mod place;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Outcome, listed};
use crate::init::config::POSIX_PORT;
use crate::init::environment::Environment;
use crate::init::project::Project;
use crate::init::text::Text;
use crate::survey::paths::{self, fold, folder_of};
use crate::survey::variables::Variables;
use crate::syntax::cmake::{Command, read};
use crate::syntax::text::{has_identifier, identifiers};

/// The commands of all files of a project.
struct ProjectCommands<'p> {
    commands: Vec<(&'p str, &'p Command)>,
    variables: Variables,
    paths: paths::Variables,
}

impl<'p> ProjectCommands<'p> {
    fn of(project: &'p Project<'_>) -> Self {
        let build = &project.survey.build;
        let commands: Vec<_> = build
            .iter()
            .flat_map(|file| file.commands().iter().map(|it| (file.name.as_str(), it)))
            .collect();
        let variables = Variables::of(
            commands.iter().map(|(_, it)| (it.name.as_str(), it.arguments.as_slice())),
        );
        Self { commands, variables, paths: paths::Variables::of(build) }
    }

    /// An argument of a file with the values of its variables, as far as they are known.
    fn text(&self, file: &str, argument: &str) -> String {
        let expanded = self.paths.expand(argument, folder_of(file));
        if expanded.contains(char::is_control) { argument.to_owned() } else { expanded }
    }

    /// An argument of a file as a path in the project; the argument, if it is unknown.
    fn path(&self, file: &str, argument: &str) -> String {
        let here = folder_of(file);
        fold(here, &self.paths.expand(argument, here)).unwrap_or_else(|| argument.to_owned())
    }

    /// Commands of a name.
    fn named(&self, name: &'static str) -> impl Iterator<Item = (&'p str, &'p Command)> {
        self.commands.iter().copied().filter(move |(_, it)| it.name == name)
    }

    /// The word that links something to a target, in the signature that the project uses for it: they must not be mixed.
    fn scope(&self, target: &str, wanted: &'static str) -> String {
        let mut calls = self.named("target_link_libraries").filter(|(_, it)| it.target() == target);
        let is_plain = calls.any(|(_, it)| {
            let second = it.arguments.get(1).map_or("PRIVATE", String::as_str);
            !["PRIVATE", "PUBLIC", "INTERFACE"].contains(&second)
        });
        if is_plain { " ".to_owned() } else { format!(" {wanted} ") }
    }

    /// Programs of the project: file and command; with `--program` that one.
    fn programs(&self, project: &Project<'_>) -> Vec<(&'p str, &'p Command)> {
        let is_alias =
            |it: &Command| it.arguments.iter().any(|it| it == "ALIAS" || it == "IMPORTED");
        let is_asked =
            |it: &Command| project.program.as_deref().is_none_or(|name| it.target() == name);
        self.named("add_executable").filter(|(_, it)| !is_alias(it) && is_asked(it)).collect()
    }

    /// The sources of these programs, by their names in the project.
    fn sources(&self, is_of: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let commands = self.named("add_executable").chain(self.named("target_sources"));
        let mut found = BTreeSet::new();
        for (file, it) in commands.filter(|(_, it)| is_of(it.target())) {
            let arguments = self.variables.expand_lists(&it.arguments);
            found.extend(arguments.iter().map(|it| self.path(file, it)));
        }
        found
    }
}

/// An environment whose own `CMakeLists.txt` has no program.
fn is_special(project: &Project<'_>) -> bool {
    project.environments.iter().any(|it| it.has_own_kernel())
}

/// Returns the file with the program.
pub fn file(project: &Project<'_>) -> Result<PathBuf, String> {
    let root = project.survey.root.join("CMakeLists.txt");
    if is_special(project) {
        return Ok(root);
    }
    let lists = ProjectCommands::of(project);
    match lists.programs(project).as_slice() {
        [(name, _)] => {
            let file = project.survey.build.iter().find(|it| it.name == *name);
            Ok(file.map_or(root, |it| it.path.clone()))
        }
        [] => Err(format!("CMakeLists.txt: no add_executable() was found: {}", steps(project))),
        several => {
            let names: Vec<_> =
                several.iter().map(|(file, it)| format!("{} ({file})", it.target())).collect();
            Err(format!(
                "CMakeLists.txt: several programs: {}. Add --program with the one to record, or {}",
                listed(&names),
                steps(project)
            ))
        }
    }
}

/// Returns the sources of the program that is recorded, by their names in the project; none if it is unknown.
pub fn sources(project: &Project<'_>) -> BTreeSet<String> {
    let lists = ProjectCommands::of(project);
    let programs = lists.programs(project);
    let [(_, program)] = programs.as_slice() else { return BTreeSet::new() };
    lists.sources(|it| it == program.target())
}

/// Returns the sources of programs that are built with the recorded one, with the same kernel sources and without tband; `None` if
/// there are no such programs.
pub fn sources_of_others(project: &Project<'_>) -> Option<BTreeSet<String>> {
    let lists = ProjectCommands::of(project);
    // Only the Pico SDK compiles the kernel in each program.
    if !project.environments.contains(&Environment::PicoSdk) {
        return None;
    }
    let recorded = project.program.as_deref();
    let is_other = |target: &str| recorded.is_none_or(|it| it != target);
    let others = lists.named("add_executable").filter(|(_, it)| is_other(it.target())).count();
    // Without a chosen one, the only program is recorded.
    let has_others = others > usize::from(recorded.is_none());
    has_others.then(|| lists.sources(is_other))
}

/// Returns whether the recorded program defines a macro of the kernel's configuration with this value.
pub fn defines(project: &Project<'_>, definition: &str) -> bool {
    let lists = ProjectCommands::of(project);
    let programs = lists.programs(project);
    let [(_, program)] = programs.as_slice() else { return false };
    kernel::settings(&lists, program.target()).contains(&definition)
}

/// The lines that a user writes.
fn steps(project: &Project<'_>) -> String {
    format!(
        "after it add\n{}with its name instead of firmware",
        block(project, "${CMAKE_CURRENT_SOURCE_DIR}", "firmware", " PRIVATE ", None, "")
    )
}

pub fn edit(project: &Project<'_>, path: &Path, mut text: Text) -> Outcome {
    let lists = ProjectCommands::of(project);
    let words = ["tband::tband", "tband::headers", "tband_config", "TBAND", "TBAND_"];
    let is_ours = |it: &str| words.iter().any(|word| has_identifier(it, word));
    if read(&text.whole()).iter().any(|it| it.arguments.iter().any(|it| is_ours(it))) {
        return Outcome::Complete;
    }
    let name = project.survey.name(path);
    // That of a file that is included is the folder of the file that includes it.
    let folder = if name.ends_with("CMakeLists.txt") { "SOURCE" } else { "LIST" };
    let root =
        format!("${{CMAKE_CURRENT_{folder}_DIR}}{}", "/..".repeat(name.matches('/').count()));
    if project.environments.contains(&Environment::EspIdf) {
        return esp_idf(project, text);
    }
    if project.is_zephyr() {
        return zephyr(project, text);
    }
    let programs = lists.programs(project);
    let [(_, program)] = programs.as_slice() else { return Outcome::ByHand(steps(project)) };
    if program.is_nested() {
        return Outcome::ByHand(format!(
            "add_executable() is in a condition or a function: {}",
            steps(project)
        ));
    }
    let kernel = match project.recorded() {
        None => None,
        Some(_) => match kernel::find(project, &lists, program.target()) {
            Some(lines) => Some(lines),
            None => {
                return Outcome::ByHand(format!(
                    "no target that compiles the kernel's tasks.c was found: set TBAND_FREERTOS_TARGET to it, link \
                     tband::headers to it, and {}",
                    steps(project)
                ));
            }
        },
    };
    let scope = lists.scope(program.target(), "PRIVATE");
    let flags = flags(&lists);
    if let Some(it) = project.tonbandgeraet.as_ref().filter(|it| it.file == name) {
        it.take_out(&mut text);
    }
    // The lines are those of the edited text.
    let commands = read(&text.whole());
    let is_it = |it: &&Command| {
        it.name == "add_executable" && it.arguments.first() == program.arguments.first()
    };
    let Some(program) = commands.iter().find(is_it) else { return Outcome::ByHand(steps(project)) };
    let place = match place::find(&text, &commands, program) {
        Ok(place) => place,
        Err(obstacle) => return Outcome::ByHand(format!("{obstacle}; or {}", steps(project))),
    };
    let block = block(project, &root, program.target(), &scope, kernel.as_ref(), &flags);
    let after = kernel.map_or_else(String::new, |it| it.after);
    if place.at == place.after {
        // Other lines follow.
        let end = if place.at < text.len() { "\n" } else { "" };
        text.insert(place.at, &format!("{block}{after}{end}"));
    } else {
        let after = if after.is_empty() { after } else { format!("\n# tband\n{after}") };
        let end = if place.after < text.len() && !after.is_empty() { "\n" } else { "" };
        text.insert_all(vec![
            (place.at, format!("{block}\n")),
            (place.after, format!("{after}{end}")),
        ]);
    }
    Outcome::Edited(text)
}

/// Flags of the CPU that only targets have. tband reads others from CMake's variables.
fn flags(lists: &ProjectCommands<'_>) -> String {
    let is_of_cpu = |it: &String| it.starts_with("-mcpu") || it.starts_with("-march");
    for (_, it) in lists.named("target_compile_options") {
        let arguments = lists.variables.expand_lists(&it.arguments);
        if arguments.iter().any(is_of_cpu) {
            let mut flags: Vec<String> = Vec::new();
            for it in arguments.into_iter().filter(|it| it.starts_with("-m")) {
                if !flags.contains(&it) {
                    flags.push(it);
                }
            }
            return flags.join(" ");
        }
    }
    String::new()
}

/// The lines for a program, without those after tband is found. `root`: the path of the project's folder in CMake.
fn block(
    project: &Project<'_>,
    root: &str,
    target: &str,
    scope: &str,
    kernel: Option<&kernel::Lines>,
    flags: &str,
) -> String {
    let place = |folder: &str| {
        let path = if folder.is_empty() { root.to_owned() } else { format!("{root}/{folder}") };
        if path.contains([' ', ';', '(', ')', '#']) { format!("\"{path}\"") } else { path }
    };
    let mut text = format!(
        "\n# tband, the trace recorder; by tband-cli init\n\
         add_library(tband_config INTERFACE)\n\
         target_include_directories(tband_config INTERFACE {}{})\n",
        project.config_folders().iter().map(|it| place(it)).collect::<Vec<_>>().join(" "),
        kernel
            .and_then(|it| it.folder.as_deref())
            .map_or(String::new(), |it| format!(" {}", place(it)))
    );
    if !flags.is_empty() {
        text += &format!("target_compile_options(tband_config INTERFACE {flags})\n");
    }
    if let Some(lines) = kernel {
        text += &lines.before;
    }
    text += &format!("include({})\n", place(&format!("{}/cmake/tband-config.cmake", project.dir)));
    if project.cpu.is_posix() && project.tonbandgeraet.is_none() {
        let source = format!("{}/port/{POSIX_PORT}/tband_port.c", project.dir);
        text += &format!("target_sources(tband PRIVATE {})\n", place(&source));
    }
    text += &format!("target_link_libraries({target}{scope}tband::tband)\n");
    text
}

/// Adds the component to a project of ESP-IDF.
fn esp_idf(project: &Project<'_>, text: Text) -> Outcome {
    let lines = format!(
        "# tband, the trace recorder; by tband-cli init\n\
         list(APPEND EXTRA_COMPONENT_DIRS \"${{CMAKE_CURRENT_LIST_DIR}}/{}/esp-idf\")\n\
         set(TBAND_CONFIG \"${{CMAKE_CURRENT_LIST_DIR}}/{}\")\n",
        project.dir, project.config_dir
    );
    let is_include = |it: &Command| {
        it.name == "include" && it.arguments.iter().any(|it| it.contains("project.cmake"))
    };
    insert_before(text, &lines, is_include, "project.cmake is included")
}

/// Puts lines before the first command of a kind, which `moment` describes for users.
fn insert_before(
    mut text: Text,
    lines: &str,
    is_it: impl Fn(&Command) -> bool,
    moment: &str,
) -> Outcome {
    let commands = read(&text.whole());
    let found = commands.iter().find(|it| is_it(it));
    // Only a command that begins its line has a place before it.
    let place = found.and_then(|it| {
        let at = it.line.checked_sub(1)?;
        let line = text.lines().nth(at)?.trim_start().to_ascii_lowercase();
        line.starts_with(&it.name).then_some(at)
    });
    let Some(at) = place else {
        return Outcome::ByHand(format!("before {moment} add\n{lines}"));
    };
    text.insert(at, lines);
    Outcome::Edited(text)
}

/// Adds the component to those that the project's own component requires.
pub fn require(is_minimal: bool, mut text: Text) -> Outcome {
    let by_hand = || Outcome::ByHand("add tband to PRIV_REQUIRES".to_owned());
    let commands = read(&text.whole());
    let is_component = |it: &&Command| it.name == "idf_component_register" && !it.is_nested();
    let Some(component) = commands.iter().find(is_component) else { return by_hand() };
    if component.arguments.iter().any(|it| it == "tband") {
        return Outcome::Complete;
    }
    let words = ["PRIV_REQUIRES", "REQUIRES"];
    let Some(word) = words.iter().find(|word| component.arguments.iter().any(|it| it == *word))
    else {
        // Without this list a component uses all others, if the build has them.
        return if is_minimal { add_list(text, component) } else { Outcome::Complete };
    };
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let begin = component.line - 1;
    let place = lines.iter().enumerate().skip(begin).find_map(|(at, line)| {
        let code = line.split('#').next().unwrap_or_default();
        Some((at, identifiers(code, word).next()? + word.len()))
    });
    let Some((at, end)) = place else { return by_hand() };
    let line = lines.get(at).map_or("", String::as_str);
    let (before, after) = line.split_at(end);
    text.replace(at, &format!("{before} tband{after}"));
    Outcome::Edited(text)
}

/// Adds a list to a component that requires none. A bracket in the command is not searched for.
fn add_list(mut text: Text, component: &Command) -> Outcome {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let begin = component.line - 1;
    let place = lines.iter().enumerate().skip(begin).find_map(|(at, line)| {
        let code = line.split('#').next().unwrap_or_default();
        Some((at, code.find(')')?))
    });
    let has_bracket = component.arguments.iter().any(|it| it.contains(['(', ')']));
    match place {
        Some((at, end)) if !has_bracket => {
            let line = lines.get(at).map_or("", String::as_str);
            let (before, after) = line.split_at(end);
            text.replace(at, &format!("{before} PRIV_REQUIRES tband{after}"));
            Outcome::Edited(text)
        }
        _ => Outcome::ByHand("add PRIV_REQUIRES tband to idf_component_register()".to_owned()),
    }
}

/// Adds the module for Zephyr.
fn zephyr(project: &Project<'_>, text: Text) -> Outcome {
    let lines = format!(
        "# tband, the trace recorder; by tband-cli init\n\
         list(APPEND ZEPHYR_EXTRA_MODULES \"${{CMAKE_CURRENT_SOURCE_DIR}}/{}\")\n",
        project.dir
    );
    let is_package = |it: &Command| it.name == "find_package" && it.target() == "Zephyr";
    insert_before(text, &lines, is_package, "find_package(Zephyr)")
}
