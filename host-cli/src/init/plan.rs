//! The changes of a project's files, and their order.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use similar::TextDiff;

use super::change::{self, Change};
use super::config;
use super::edit::Edits;
use super::environment::Environment;
use super::part;
use super::project::Project;
use super::record::{ChangedFile, Record, Sum};
use super::timer::Timer;
use crate::survey::RECORD;
use crate::syntax::text::{decode, encode};

/// Lines around a change in a patch.
const CONTEXT: usize = 3;

/// The changes of one run, and the record of them.
#[derive(Debug, Default)]
pub struct Plan {
    changes: Vec<Change>,
    record: Record,
    /// Files of tband that are written.
    pub created: Vec<String>,
    /// Files of the user that are changed.
    pub changed: Vec<String>,
    /// Files that the user has changed.
    pub kept: Vec<String>,
    /// The patch that is not applied.
    pub patch: Vec<u8>,
}

impl Plan {
    /// Compares a project's files with those that it needs. `is_applied`: the patch is made too.
    ///
    /// # Errors
    /// A file is in the way, or the SDK has no library for the CPU.
    pub fn of(project: &Project<'_>, edits: &Edits, is_applied: bool) -> anyhow::Result<Self> {
        let mut plan = Self { record: project.record.clone(), ..Self::default() };
        plan.record.earlier.clear();
        let files = files(project)?;
        for (name, content) in &files {
            plan.add(project, name, content)?;
        }
        // Of another CPU, or another version.
        let written = project.record.files();
        for name in written.keys().filter(|it| !files.contains_key(**it)) {
            let path = project.survey.root.join(name);
            match fs::read(&path) {
                Ok(now) if project.record.is_unchanged(name, &now) => {
                    plan.record.earlier.insert((*name).clone(), Sum::of(&now));
                    plan.changes.push(Change { path, content: None });
                }
                Ok(_) if project.record.written.contains_key(*name) => {
                    plan.kept.push((*name).clone())
                }
                Ok(_) | Err(_) => {}
            }
            plan.record.written.remove(*name);
        }
        for edit in &edits.files {
            let name = project.survey.name(&edit.path);
            let now = fs::read(&edit.path)
                .with_context(|| format!("cannot read {}", edit.path.display()))?;
            let content = edit.text.bytes();
            if content == now {
                continue;
            }
            if is_applied {
                let before = project.base(&edit.path).unwrap_or_else(|| now.clone());
                let after = Sum::of(&content);
                if project.record.is_unchanged(&name, &now) {
                    plan.record.earlier.insert(name.clone(), Sum::of(&now));
                }
                plan.record.changed.insert(name.clone(), ChangedFile { before, after });
                plan.changes.push(Change { path: edit.path.clone(), content: Some(content) });
                plan.changed.push(name);
            } else {
                plan.patch.extend(patch(&name, &now, &content));
            }
        }
        Ok(plan)
    }

    /// Adds a file of tband.
    fn add(&mut self, project: &Project<'_>, name: &str, content: &[u8]) -> anyhow::Result<()> {
        let path: PathBuf = project.survey.root.join(name);
        let known = project.record.written.get(name);
        match fs::read(&path) {
            Ok(now) if now == content && known.is_some() => return Ok(()),
            Ok(now) => match known {
                Some(_) if project.record.is_unchanged(name, &now) => {
                    self.record.earlier.insert(name.to_owned(), Sum::of(&now));
                }
                // They are the user's to change.
                Some(_) if name.starts_with(&format!("{}/", project.config_dir)) => {
                    self.kept.push(name.to_owned());
                    return Ok(());
                }
                Some(_) => bail!(
                    "{} was changed since init wrote it: restore or remove it, and run this again",
                    path.display()
                ),
                None => bail!(
                    "{} exists and was not written by init: remove it, or name another folder with --dir",
                    path.display()
                ),
            },
            Err(_) if fs::symlink_metadata(&path).is_ok() => bail!(
                "{} is in the way: remove it, or name another folder with --dir",
                path.display()
            ),
            Err(_) => {}
        }
        self.record.written.insert(name.to_owned(), Sum::of(content));
        self.changes.push(Change { path, content: Some(content.to_vec()) });
        self.created.push(name.to_owned());
        Ok(())
    }

    /// Nothing is changed or shown.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.patch.is_empty()
    }

    /// Makes the changes, all or none.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn make(&self, project: &Project<'_>) -> anyhow::Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let root = &project.survey.root;
        let mut record = self.record.clone();
        let path = root.join(&project.dir).join(RECORD);
        // The folders that will be created, or that an earlier run left without its record.
        let unused = change::unused(root, &root.join(&project.dir));
        for change in &self.changes {
            let inside = change.path.strip_prefix(root).unwrap_or(&change.path);
            let parents: Vec<_> =
                inside.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty()).collect();
            for folder in parents.into_iter().rev() {
                let name = project.survey.name(&root.join(folder));
                let folder = root.join(folder);
                let is_ours = !folder.exists() || unused.contains(&folder);
                if is_ours && !record.folders.contains(&name) {
                    record.folders.push(name);
                }
            }
        }
        record.check()?;
        let record = Change { path, content: Some(record.bytes()) };
        change::apply(Some(record), &self.changes)
    }
}

/// All files of tband in a project: paths in the project, with `/`, and contents.
fn files(project: &Project<'_>) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let records_kernel = project.recorded().is_some();
    let timer = &project.timer.timer;
    let port = config::port(project.cpu, timer, records_kernel);
    let part = part::of(project.sdk, project.cpu, port.as_deref(), &project.environments)?;
    let dir = &project.dir;
    let mut files: BTreeMap<String, Vec<u8>> = part
        .into_iter()
        .map(|(path, content)| (format!("{dir}/{path}"), content.to_vec()))
        .collect();
    // CMake finds the version itself, also after the kernel was replaced.
    let is_known = project.environments.contains(&Environment::CMake);
    let version = project.recorded().and_then(|it| it.version.as_ref());
    let version = version.map(|it| it.0).filter(|it| !is_known || *it < config::WITH_ALL_CLASSES);
    let config_dir = &project.config_dir;
    // Those of Tonbandgerät stay, and a module of Zephyr has its own.
    if project.tonbandgeraet.is_some() || project.is_zephyr() {
        return Ok(files);
    }
    let header = config::tband_config(
        records_kernel,
        version,
        records_kernel && project.has_memory_protection(),
        *timer == Timer::Posix,
    );
    files.insert(format!("{config_dir}/tband_config.h"), header.into_bytes());
    let header = config::tband_port(project.sdk, project.cpu, timer, records_kernel)?;
    files.insert(format!("{config_dir}/tband_port.h"), header.into_bytes());
    Ok(files)
}

/// A unified diff of a file.
fn patch(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let (before, after) = (decode(before), decode(after));
    // A name with spaces ends with a tab, as patch and git expect.
    let end = if name.contains(' ') { "\t" } else { "" };
    // A lone carriage return is part of its line, as it is for patch.
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&before, &after);
    let mut unified = diff.unified_diff();
    let unified = unified.context_radius(CONTEXT);
    encode(&unified.header(&format!("a/{name}{end}"), &format!("b/{name}{end}")).to_string())
}
