//! The header that a build uses, of several with one name: those of boards, of variants, and of examples.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};

use super::Survey;
use super::paths::Named;

/// Folders, in small letters, whose headers are not those of the project.
const EXAMPLES: [&str; 14] = [
    "demo",
    "demos",
    "example",
    "examples",
    "sample",
    "samples",
    "template",
    "templates",
    "test",
    "tests",
    "unittest",
    "unit_test",
    "unit-test",
    "unit_tests",
];

/// A header, and the reason for it if there are others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'s> {
    pub path: &'s PathBuf,
    pub reason: Option<String>,
}

/// Facts about the build of a project, by which a header is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The paths in the build files.
    pub named: &'k [Named],
    /// The build file with the chosen program.
    pub program: Option<&'k str>,
    /// The header of `--config`, and the name of that option for messages.
    pub asked: Option<(&'k Path, &'static str)>,
    /// The options that choose, for the message.
    pub options: &'static str,
}

/// Returns the header of a name; `None` if there is none. The option decides, then the folders that build files name, those of the
/// program first. Otherwise it is the only one outside of the folders of examples.
///
/// # Errors
/// Several are left; the text lists them. Or the option's file is not there.
pub fn choose<'s>(
    survey: &'s Survey,
    name: &str,
    known: &Known<'_>,
) -> anyhow::Result<Option<Choice<'s>>> {
    let found = survey.headers_named(name);
    let folder = |it: &Path| survey.name(it.parent().unwrap_or(it));
    if let Some((asked, reason)) = known.asked {
        let place = at(survey, asked)?;
        let nearest = nearest(&found, &place);
        let is_it = |it: &PathBuf| fs::canonicalize(it).is_ok_and(|it| it == place);
        ensure!(
            !asked.ends_with(name) || nearest.is_some_and(is_it),
            "--config {} is in a folder that is not examined: a hidden one, or one of a build, the kernel or tband",
            asked.display()
        );
        if let Some(path) = nearest {
            let reason = (found.len() > 1).then(|| reason.to_owned());
            return Ok(Some(Choice { path, reason }));
        }
    }
    match found.as_slice() {
        [] => return Ok(None),
        [path] => return Ok(Some(Choice { path, reason: None })),
        _ => {}
    }
    let among = |is_used: &dyn Fn(&Named) -> bool| -> Vec<(&'s PathBuf, &Named)> {
        let of = |it: &&'s PathBuf| {
            let folder = folder(it);
            let place = known.named.iter().find(|it| it.path == folder && is_used(it))?;
            Some((*it, place))
        };
        found.iter().filter_map(of).collect()
    };
    let of_program = among(&|it| Some(it.file.as_str()) == known.program);
    let included = if of_program.len() == 1 { of_program } else { among(&|_| true) };
    if let [(path, place)] = included.as_slice() {
        let reason = Some(format!("{}:{}", place.file, place.line));
        return Ok(Some(Choice { path, reason }));
    }
    let is_example = |it: &&&PathBuf| {
        folder(it).split('/').any(|it| EXAMPLES.contains(&it.to_ascii_lowercase().as_str()))
    };
    let others: Vec<_> = found.iter().filter(|it| !is_example(it)).collect();
    if let (true, [path]) = (included.is_empty(), others.as_slice()) {
        let reason = Some("the others are in folders of examples".to_owned());
        return Ok(Some(Choice { path, reason }));
    }
    let names: BTreeSet<_> = found.iter().map(|it| survey.name(it)).collect();
    let names: Vec<_> = names.into_iter().collect();
    bail!(
        "{} has several {name}: {}; name the folder of one project, {}",
        survey.root.display(),
        names.join(", "),
        known.options
    )
}

/// The file of the option without links: in this process's folder, or in the project.
fn at(survey: &Survey, asked: &Path) -> anyhow::Result<PathBuf> {
    let places = [asked.to_owned(), survey.root.join(asked)];
    let found = places.iter().find_map(|it| fs::canonicalize(it).ok().filter(|it| it.is_file()));
    let Some(found) = found else { bail!("--config {}: there is no such file", asked.display()) };
    let is_inside = fs::canonicalize(&survey.root).is_ok_and(|it| found.starts_with(it));
    ensure!(is_inside, "--config {} is not in {}", asked.display(), survey.root.display());
    Ok(found)
}

/// The file itself, or the only one that has most folders in common with it.
fn nearest<'s>(found: &[&'s PathBuf], asked: &Path) -> Option<&'s PathBuf> {
    let common = |it: &Path| {
        let Ok(it) = fs::canonicalize(it) else { return 0 };
        let is_same = it == asked;
        it.components().zip(asked.components()).take_while(|(a, b)| a == b).count()
            + usize::from(is_same)
    };
    let most = found.iter().map(|it| common(it)).max()?;
    let mut nearest = found.iter().filter(|it| common(it) == most);
    let first = nearest.next()?;
    nearest.next().is_none().then_some(*first)
}
