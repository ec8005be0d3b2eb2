//! The kernel of a project: its version and its configuration, and other recorders that use its trace macros.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::doctor::headers::{Header, OLDEST_KERNEL, kernel_version_in};
use crate::doctor::hook_flags;
use crate::sdk::Sdk;
use crate::survey::choice::{Choice, Known, choose};
use crate::survey::paths::Named;
use crate::survey::{Survey, content};
use crate::syntax::c::{directives, without_comments};
use crate::syntax::text::{decode, shown};

/// A kernel.
pub struct Kernel {
    /// `FreeRTOSConfig.h`.
    pub config: PathBuf,
    /// The place that chooses it, if the project has several.
    pub config_place: Option<String>,
    /// Its macros.
    pub header: Header,
    /// The version as `tband_configFREERTOS_VERSION`, and the file that has it; `None` if it is not in the folder, or several are.
    pub version: Option<(u32, PathBuf)>,
    /// Another recorder, if there is one.
    pub other: Option<Recorder>,
}

/// A recorder that uses the kernel's trace macros.
#[derive(Debug)]
pub struct Recorder {
    pub name: &'static str,
    /// The lines of `FreeRTOSConfig.h` that include it, counted from 1; none if another file does.
    pub lines: Vec<usize>,
    /// File and line of its first macro, or of its line.
    pub place: String,
    /// The kernel's macros that tband and the other one define.
    pub macros: Vec<String>,
}

/// Headers of other recorders, as `FreeRTOSConfig.h` includes them, and the headers with their macros.
pub const OTHERS: [(&str, &[&str], &[&str]); 2] = [
    (
        "SEGGER SystemView",
        &["SEGGER_SYSVIEW_FreeRTOS.h", "SEGGER_SYSVIEW.h"],
        &["SEGGER_SYSVIEW_FreeRTOS.h"],
    ),
    (
        "Percepio TraceRecorder",
        &["trcRecorder.h", "trcKernelPort.h", "trcHooks.h"],
        &["trcRecorder.h", "trcKernelPort.h", "trcHooks.h"],
    ),
];

impl Kernel {
    /// Finds a project's kernel; `None` if it has no `FreeRTOSConfig.h`.
    ///
    /// `named`: the paths in the build files; `program`: the file with the chosen program; `asked`: the file
    /// of `--config`.
    ///
    /// # Errors
    /// It has several that may be used, or the kernel without one.
    pub fn find(
        survey: &Survey,
        sdk: &Sdk,
        named: &[Named],
        program: Option<&str>,
        asked: Option<&Path>,
    ) -> anyhow::Result<Option<Self>> {
        let configs = survey.headers_named("FreeRTOSConfig.h");
        if configs.is_empty() {
            if let Some(kernel) = survey.kernels.first() {
                bail!(
                    "the kernel is in {}, but {} has no FreeRTOSConfig.h: name the folder that has both, or add the file",
                    kernel.display(),
                    survey.root.display()
                );
            }
            if let Some(place) = user(survey, named) {
                bail!(
                    "{place} uses FreeRTOS, but {} has no FreeRTOSConfig.h: name the folder that has both, or add the file",
                    survey.root.display()
                );
            }
            return Ok(None);
        }
        let options = "choose one with --config, or one program of CMake with --program";
        let asked = asked.map(|it| (it, "--config"));
        let known = Known { named, program, asked, options };
        let Some(Choice { path: config, reason: config_place }) =
            choose(survey, "FreeRTOSConfig.h", &known)?
        else {
            return Ok(None);
        };
        let header = Header::read(config, &survey.headers);
        let other = Recorder::find(survey, sdk, config, &header);
        let version = version(survey).or_else(|| version_of_named(survey, named));
        Ok(Some(Self { config: config.clone(), config_place, header, version, other }))
    }

    /// tband records its events.
    pub fn is_recorded(&self) -> bool {
        self.version.as_ref().is_none_or(|(version, _)| *version >= OLDEST_KERNEL)
    }
}

/// Returns the place that shows that a project uses the kernel: a build file compiles it, or a source starts it.
fn user(survey: &Survey, named: &[Named]) -> Option<String> {
    let is_kernel = |it: &&Named| it.path.ends_with("/tasks.c") && it.is_outside();
    if let Some(it) = named.iter().find(is_kernel) {
        return Some(format!("{}:{}", it.file, it.line));
    }
    survey.sources.iter().find_map(|source| {
        let line = source.kernel_line?;
        Some(format!("{}:{line}", survey.name(&source.path)))
    })
}

/// The version of a kernel whose path is in a build file: one outside of the folder, or in a linked folder.
fn version_of_named(survey: &Survey, named: &[Named]) -> Option<(u32, PathBuf)> {
    let of_named = named.iter().flat_map(|it| {
        let path = survey.root.join(&it.path);
        let folder = match path.file_name() {
            Some(name) if name == "tasks.c" => path.parent().map(Path::to_owned),
            Some(name) if name == "include" => path.parent().map(Path::to_owned),
            _ => Some(path),
        };
        folder.map(|it| it.join("include/task.h"))
    });
    let of_named: BTreeSet<PathBuf> = of_named.collect();
    only_version(of_named.into_iter())
}

/// The version in `task.h`.
fn version(survey: &Survey) -> Option<(u32, PathBuf)> {
    let inside = survey.kernels.iter().map(|it| it.join("include/task.h"));
    let outside = survey.headers_named("task.h").into_iter().cloned();
    only_version(inside.chain(outside))
}

/// The version that these `task.h` have, and one of them; `None` if they have none, or different ones.
fn only_version(headers: impl Iterator<Item = PathBuf>) -> Option<(u32, PathBuf)> {
    let mut found: Vec<(u32, PathBuf)> =
        headers.filter_map(|path| Some((kernel_version_in(&path)?, path))).collect();
    found.dedup_by_key(|it| it.0);
    if found.len() == 1 { found.pop() } else { None }
}

impl Recorder {
    fn find(survey: &Survey, sdk: &Sdk, config: &Path, header: &Header) -> Option<Self> {
        let text = without_comments(&decode(&content(config)));
        let ours = hooks(sdk);
        for (name, includes, headers) in OTHERS {
            let files = headers.iter().flat_map(|it| survey.headers_named(it));
            let theirs: BTreeSet<String> =
                files.flat_map(|path| trace_macros(&decode(&content(path)))).collect();
            let macros: Vec<String> = theirs.intersection(&ours).cloned().collect();
            let is_one = |it: &str| includes.contains(&it.rsplit('/').next().unwrap_or(it));
            let lines: Vec<usize> = directives(&text)
                .filter(|it| it.included().is_some_and(is_one))
                .map(|it| it.line)
                .collect();
            if let Some(number) = lines.first() {
                let line = text.lines().nth(number - 1).unwrap_or_default().trim();
                let place = format!("{}:{number}: {}", survey.name(config), shown(line));
                return Some(Self { name, lines, place, macros });
            }
        }
        // A header that FreeRTOSConfig.h includes, or macros of the project.
        let Some((_, place)) = header.first_hook() else { return Self::of_flags(survey) };
        let file = place.rsplit_once(':').map_or(place.as_str(), |(file, _)| file);
        let file = Path::new(file);
        let is_of = |headers: &[&str]| headers.iter().any(|it| file.ends_with(it));
        let other = OTHERS.iter().find(|(_, _, headers)| is_of(headers));
        let theirs = trace_macros(&decode(&content(file)));
        let macros: Vec<_> = theirs.into_iter().filter(|it| ours.contains(it)).collect();
        if macros.is_empty() {
            return None;
        }
        Some(Self {
            name: other.map_or("another recorder", |(name, ..)| name),
            lines: Vec::new(),
            place: place.clone(),
            macros,
        })
    }

    /// Macros that the flags of the compiler define.
    fn of_flags(survey: &Survey) -> Option<Self> {
        let found = hook_flags::find(survey);
        let first = found.first()?;
        Some(Self {
            name: "the build",
            lines: Vec::new(),
            place: first.place.clone(),
            macros: found.iter().map(|it| it.name.clone()).collect(),
        })
    }
}

/// The kernel's trace macros that a header defines.
fn trace_macros(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let of_kernel = |name: &str| {
        let kind = name.strip_prefix("trace")?;
        kind.starts_with(|it: char| it.is_ascii_uppercase()).then(|| name.to_owned())
    };
    directives(&text).filter_map(|it| of_kernel(it.definition()?.0)).collect()
}

/// The kernel's macros that tband defines.
fn hooks(sdk: &Sdk) -> BTreeSet<String> {
    let text = sdk.get("freertos-hooks/tband_hooks_names.h").unwrap_or_default();
    trace_macros(&decode(text)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_those_of_the_kernel() {
        let text = "#define traceTASK_CREATE(x) y\n// #define traceNO()\n#  define traceQUEUE_SEND( q ) \\\n z\n#define tracer 1\n#define TRACE 2\n";
        let found = trace_macros(text);
        assert_eq!(found, ["traceTASK_CREATE", "traceQUEUE_SEND"]);
    }
}
