//! Changes of the user's files, and the steps that are left to the user.

mod cmake;
mod code;
mod kernel_config;
mod lock;
mod make;
mod others;
mod platformio;
mod zephyr;

use std::path::{Path, PathBuf};

pub use self::code::RECORDING;

use super::change::has_other_names;
use super::environment::Environment;
use super::project::Project;
use super::text::Text;

/// A file of the user, and its changed text.
#[derive(Debug)]
pub struct Edit {
    pub path: PathBuf,
    pub text: Text,
}

/// What a project needs besides new files.
#[derive(Debug, Default)]
pub struct Edits {
    pub files: Vec<Edit>,
    /// Steps that are not a change of a file.
    pub steps: Vec<String>,
}

/// Maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// The names in a message: the first ones, if there are many.
pub fn listed(names: &[String]) -> String {
    let first = names.get(..MAX_NAMES).unwrap_or(names).join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

/// Result of an attempt to edit a file.
enum Outcome {
    /// The file has all that it needs.
    Complete,
    Edited(Text),
    /// It must be changed by hand: how.
    ByHand(String),
}

impl Edits {
    /// Finds all changes that a project needs.
    pub fn of(project: &Project<'_>) -> Self {
        let mut edits = Self::default();
        // The macros were read from the present file: if that is the changed one, it is complete.
        let kernel = project.recorded().filter(|it| !project.is_as_written(&it.config));
        if let Some(kernel) = kernel {
            let is_shared = cmake::sources_of_others(project).is_some();
            edits.add(project, &kernel.config, |text| kernel_config::edit(kernel, is_shared, text));
        }
        let has = |it: Environment| project.environments.contains(&it);
        // CMake finds it when it configures the project.
        if project.recorded().is_some_and(|it| it.version.is_none()) && !has(Environment::CMake) {
            edits.steps.push(format!(
                "{}/tband_config.h: for a kernel other than V11.2 define tband_configFREERTOS_VERSION, as 100301 for V10.3.1",
                project.config_dir
            ));
        }
        if has(Environment::CMake) {
            match cmake::file(project) {
                Ok(path) => edits.add(project, &path, |text| cmake::edit(project, &path, text)),
                Err(step) => edits.steps.push(step),
            }
        }
        if has(Environment::EspIdf)
            && let Some(file) = project.survey.build_at_root("main/CMakeLists.txt")
        {
            let root = project.survey.build_at_root("CMakeLists.txt");
            let is_minimal =
                root.is_some_and(|it| it.has("MINIMAL_BUILD") || it.has("set(COMPONENTS"));
            edits.add(project, &file.path, |text| cmake::require(is_minimal, text));
        }
        if project.is_zephyr() {
            match project.survey.build_at_root("prj.conf") {
                Some(file) => edits.add(project, &file.path, zephyr::edit),
                None => edits.steps.push(zephyr::step()),
            }
        }
        if has(Environment::Make) || has(Environment::Nrf5) {
            match make::file(project) {
                Ok(path) => edits.add(project, &path, |text| make::edit(project, &path, text)),
                Err(step) => edits.steps.push(step),
            }
        }
        if let Some(file) = project.survey.build_at_root("platformio.ini") {
            edits.add(project, &file.path, |text| platformio::edit(project, text));
        }
        let has_build =
            [Environment::CMake, Environment::Make, Environment::Nrf5, Environment::PlatformIo];
        if !has_build.iter().any(|it| has(*it)) || project.environments.iter().any(|it| it.is_ide())
        {
            edits.steps.push(project.list_of_files());
        }
        // Tonbandgerät's calls stay, and the module for Zephyr starts the recording itself.
        let is_called = project.tonbandgeraet.is_some() || project.is_zephyr();
        match if is_called { Ok(Vec::new()) } else { code::files(project) } {
            Ok(paths) => {
                paths.iter().for_each(|path| {
                    edits.add(project, path, |text| code::edit(project, path, text))
                });
            }
            Err(step) => edits.steps.push(step),
        }
        edits.steps.extend(others::step(project));
        edits.add_lock(project);
        edits
    }

    /// Adds the step for the lock of two cores, unless a change or another step has it.
    fn add_lock(&mut self, project: &Project<'_>) {
        let is_there = self.files.iter().any(|it| it.text.whole().contains(lock::CALL))
            || self.steps.iter().any(|it| it.contains(lock::CALL));
        if !is_there && lock::is_needed(project) {
            self.steps.push(lock::step());
        }
    }

    fn add(&mut self, project: &Project<'_>, path: &Path, edit: impl FnOnce(Text) -> Outcome) {
        let name = project.survey.name(path);
        let Some(target) = project.inside(path) else {
            self.steps.push(format!(
                "{name} is a link to a file outside of the project: change it by hand"
            ));
            return;
        };
        let obstacle = match () {
            () if project.survey.has_unknown_name(&target) => {
                Some("has a name that is not in UTF-8")
            }
            () if has_other_names(&target) => Some("has several names (hard links)"),
            () => None,
        };
        if let Some(obstacle) = obstacle {
            self.steps.push(format!(
                "{name} {obstacle}: change it by hand, or make it a usual file and run this again"
            ));
            return;
        }
        let Some(text) = project.base(&target).as_deref().and_then(Text::of) else {
            self.steps
                .push(format!("{name} is not a text in an 8-bit encoding: change it by hand"));
            return;
        };
        match edit(text) {
            Outcome::Complete => {}
            Outcome::Edited(text) => self.files.push(Edit { path: target, text }),
            Outcome::ByHand(step) => self.steps.push(format!("{name}: {step}")),
        }
    }
}
