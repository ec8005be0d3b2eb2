//! Uses of another recorder in the project's sources, which the patch leaves to the user.

use std::collections::BTreeSet;

use super::listed;
use crate::init::kernel::OTHERS;
use crate::init::project::Project;
use crate::survey::content;
use crate::syntax::c::{Directive, directives, without_comments};
use crate::syntax::text::decode;

/// Beginnings of the names of each recorder's functions and types, in the order of [`OTHERS`].
const NAMES: [&[&str]; 2] = [&["SEGGER_SYSVIEW_"], &["xTrace", "vTrace", "TraceStringHandle"]];

/// Returns the step for a project whose sources use another recorder, which `FreeRTOSConfig.h` includes or included before; `None`
/// if there is none.
pub fn step(project: &Project<'_>) -> Option<String> {
    let kernel = project.recorded()?;
    if kernel.other.is_none() && !project.is_as_written(&kernel.config) {
        return None;
    }
    OTHERS.iter().zip(NAMES).find_map(|((name, includes, _), names)| {
        let places = uses(project, includes, names);
        (!places.is_empty()).then(|| {
            format!(
                "remove the header and the calls of {name}, or replace them, and remove its sources from the build: {}; guide: \
                 docs/src/guide/start/moving.md",
                listed(&places)
            )
        })
    })
}

/// The lines that use a recorder: the first one of each source, outside of the recorder's own.
fn uses(project: &Project<'_>, includes: &[&str], names: &[&str]) -> Vec<String> {
    let is_call = |line: &str| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let mut words = line.split(|it| !is_part(it));
        words.any(|word| names.iter().any(|it| word.starts_with(it)))
    };
    let mut places = Vec::new();
    for source in &project.survey.sources {
        let name = project.survey.name(&source.path);
        // The other recorder's own files.
        if name
            .rsplit('/')
            .next()
            .is_some_and(|it| it.starts_with("SEGGER_") || it.starts_with("trc"))
        {
            continue;
        }
        let text = without_comments(&decode(&content(&source.path)));
        let is_header = |it: &Directive<'_>| {
            it.included().is_some_and(|it| includes.contains(&it.rsplit('/').next().unwrap_or(it)))
        };
        let headers = directives(&text).filter(is_header).map(|it| it.line);
        let calls = text.lines().zip(1..).filter(|(line, _)| is_call(line)).map(|it| it.1);
        let lines: BTreeSet<usize> = headers.chain(calls).collect();
        if let Some(first) = lines.first() {
            let more = if lines.len() > 1 {
                format!(" and {} more lines", lines.len() - 1)
            } else {
                String::new()
            };
            places.push(format!("{name}:{first}{more}"));
        }
    }
    places
}
