//! The kernel of a project: its version and its configuration, and other recorders that use its trace macros.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::survey::{Survey, content};
use super::text::characters;
use crate::doctor::headers::{Header, kernel_version_in, without_comments};
use crate::sdk::Sdk;

/// The oldest kernel that tband records, as `tband_configFREERTOS_VERSION`.
pub const OLDEST: u32 = 100_100;

/// A kernel.
pub struct Kernel {
    /// `FreeRTOSConfig.h`.
    pub config: PathBuf,
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
const OTHERS: [(&str, &[&str], &[&str]); 2] = [
    ("SEGGER SystemView", &["SEGGER_SYSVIEW_FreeRTOS.h"], &["SEGGER_SYSVIEW_FreeRTOS.h"]),
    (
        "Percepio TraceRecorder",
        &["trcRecorder.h", "trcKernelPort.h", "trcHooks.h"],
        &["trcRecorder.h", "trcKernelPort.h", "trcHooks.h"],
    ),
];

impl Kernel {
    /// Finds a project's kernel; `None` if it has no `FreeRTOSConfig.h`.
    ///
    /// # Errors
    /// It has several, or the kernel without one.
    pub fn find(survey: &Survey, sdk: &Sdk) -> anyhow::Result<Option<Self>> {
        let configs = survey.headers_named("FreeRTOSConfig.h");
        let [config] = configs.as_slice() else {
            if configs.is_empty() {
                if let Some(kernel) = survey.kernels.first() {
                    bail!(
                        "the kernel is in {}, but {} has no FreeRTOSConfig.h: name the folder that has both, or add the file",
                        kernel.display(),
                        survey.root.display()
                    );
                }
                return Ok(None);
            }
            let mut names: Vec<_> = configs.iter().map(|it| survey.name(it)).collect();
            names.sort();
            bail!(
                "{} has several FreeRTOSConfig.h: {}; name the folder of one project",
                survey.root.display(),
                names.join(", ")
            );
        };
        let header = Header::read(config, &survey.headers);
        let other = Recorder::find(survey, sdk, config, &header);
        Ok(Some(Self { config: (*config).clone(), header, version: version(survey), other }))
    }

    /// The version as the kernel prints it, such as V10.3.1.
    pub fn version_text(version: u32) -> String {
        format!("V{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
    }
}

/// The version in `task.h`.
fn version(survey: &Survey) -> Option<(u32, PathBuf)> {
    let inside = survey.kernels.iter().map(|it| it.join("include/task.h"));
    let outside = survey.headers_named("task.h").into_iter().cloned();
    let mut found: Vec<(u32, PathBuf)> =
        inside.chain(outside).filter_map(|path| Some((kernel_version_in(&path)?, path))).collect();
    found.dedup_by_key(|it| it.0);
    if found.len() == 1 { found.pop() } else { None }
}

impl Recorder {
    fn find(survey: &Survey, sdk: &Sdk, config: &Path, header: &Header) -> Option<Self> {
        let text = without_comments(&characters(&content(config)));
        let ours = hooks(sdk);
        for (name, includes, headers) in OTHERS {
            let files = headers.iter().flat_map(|it| survey.headers_named(it));
            let theirs: BTreeSet<String> =
                files.flat_map(|path| trace_macros(&characters(&content(path)))).collect();
            let macros: Vec<String> = theirs.intersection(&ours).cloned().collect();
            let is_include = |(line, _): &(&str, usize)| {
                let rest = line.trim().strip_prefix('#').map(str::trim_start);
                let rest = rest.and_then(|it| it.strip_prefix("include"));
                rest.is_some_and(|rest| includes.iter().any(|it| named(rest) == *it))
            };
            let found: Vec<(&str, usize)> = text.lines().zip(1..).filter(is_include).collect();
            if let Some((line, number)) = found.first() {
                let lines = found.iter().map(|it| it.1).collect();
                let place = format!("{}:{number}: {}", survey.name(config), line.trim());
                return Some(Self { name, lines, place, macros });
            }
        }
        // A header that FreeRTOSConfig.h includes, or macros of the project.
        let (_, place) = header.first_like("trace")?;
        let file = place.rsplit_once(':').map_or(place.as_str(), |(file, _)| file);
        let file = Path::new(file);
        let is_of = |headers: &[&str]| headers.iter().any(|it| file.ends_with(it));
        let other = OTHERS.iter().find(|(_, _, headers)| is_of(headers));
        let theirs = trace_macros(&characters(&content(file)));
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
}

/// The file that a directive includes, without its folder.
fn named(rest: &str) -> &str {
    let name = rest.trim().trim_start_matches(['"', '<']);
    let name = name.split(['"', '>']).next().unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default()
}

/// The kernel's trace macros that a header defines.
fn trace_macros(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let of_line = |line: &str| {
        let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let name = rest.get(..end.unwrap_or(rest.len()))?;
        let kind = name.strip_prefix("trace")?;
        kind.starts_with(|it: char| it.is_ascii_uppercase()).then(|| name.to_owned())
    };
    text.lines().filter_map(of_line).collect()
}

/// The kernel's macros that tband defines.
fn hooks(sdk: &Sdk) -> BTreeSet<String> {
    let text = sdk.get("freertos-hooks/tband_hooks_names.h").unwrap_or_default();
    trace_macros(&characters(text)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_those_of_the_kernel() {
        let text = "#define traceTASK_CREATE(x) y\n// #define traceNO()\n#  define traceQUEUE_SEND( q ) \\\n z\n#define tracer 1\n#define TRACE 2\n";
        let found = trace_macros(text);
        assert_eq!(found, ["traceTASK_CREATE", "traceQUEUE_SEND"]);
        assert_eq!(named(" <a/trcRecorder.h>"), "trcRecorder.h");
        assert_eq!(Kernel::version_text(100_301), "V10.3.1");
    }
}
