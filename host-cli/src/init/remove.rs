//! `init --remove`: removes what `init` has written, and restores the user's files.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::change::{self, Change};
use super::edit::listed;
use super::project::place;
use super::record::Record;
use crate::Outcome;
use crate::args::InitArgs;
use crate::report::Report;
use crate::survey::RECORD;
use crate::syntax::text::decode;
use tband_conv::counted;

pub fn run(args: &InitArgs, report: &Report) -> anyhow::Result<Outcome> {
    let root = &args.folder;
    let dir = place(root, &args.dir)?;
    let path = root.join(&dir).join(RECORD);
    let record = Record::read(&path)?;
    let parts = incomplete(root, &dir, &record);
    // An init that was ended before it had the record has written nothing else.
    let unused =
        if record.is_empty() { change::unused(root, &root.join(&dir)) } else { Vec::new() };
    let is_there = !record.is_empty() || !parts.is_empty() || !unused.is_empty();
    ensure!(is_there, "nothing to remove: there is no {}", path.display());
    // What stays is still known afterwards.
    let mut left = Record::default();
    // One that cannot be read may still be as it was written.
    let read = |path: &Path| match fs::read(path) {
        Ok(now) => Ok(Some(now)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| {
            format!("cannot read {}: nothing is changed. Make it readable", path.display())
        }),
    };
    let mut changes = Vec::new();
    let mut restored = Vec::new();
    let mut gone = Vec::new();
    for (name, sum) in record.files() {
        let path = root.join(name);
        match read(&path)? {
            Some(now) if record.is_unchanged(name, &now) => {
                changes.push(Change { path, content: None })
            }
            Some(_) if record.written.contains_key(name) => {
                left.written.insert(name.clone(), sum);
            }
            Some(_) | None => {}
        }
    }
    for (name, it) in &record.changed {
        let path = root.join(name);
        match read(&path)? {
            Some(now) if now == it.before => {}
            Some(now) if record.is_unchanged(name, &now) => {
                changes.push(Change { path, content: Some(it.before.clone()) });
                restored.push(name);
            }
            now => {
                left.changed.insert(name.clone(), it.clone());
                if now.is_none() {
                    gone.push(name);
                }
            }
        }
    }
    changes.extend(parts.into_iter().map(|path| Change { path, content: None }));
    let count = changes.iter().filter(|it| it.content.is_none()).count();
    let content = if left.is_empty() {
        None
    } else {
        left.folders = record.folders.clone();
        Some(left.bytes())
    };
    if !record.is_empty() {
        changes.push(Change { path, content });
    }
    change::apply(None, &changes)?;
    for folder in record.folders.iter().map(|it| root.join(it)).chain(unused).rev() {
        // One with other files in it stays.
        let _ = fs::remove_dir(folder);
    }
    report.line(&format!("removed     {}", counted(count, "file")));
    restored.iter().for_each(|name| report.line(&format!("restored    {name}")));
    if record.changed.is_empty() {
        report.note("init had changed none of your files: if you applied its patch yourself, take it out with patch -R -p1");
    }
    for name in &gone {
        report.warn(&format!(
            "{name} is gone and is not restored: {dir}/{RECORD} keeps its content. If you have moved it, move it back and run this again"
        ));
    }
    for name in left.written.keys().chain(left.changed.keys()).filter(|it| !gone.contains(it)) {
        let lines = match left.changed.contains_key(name) {
            true => lines_of_tband(&root.join(name)),
            false => String::new(),
        };
        report.warn(&format!(
            "{name} is kept: it was changed since init. Take the lines of tband out by hand{lines}"
        ));
    }
    Ok(Outcome::of(left.is_empty()))
}

/// The numbers of a file's lines that name tband, for a message.
fn lines_of_tband(path: &Path) -> String {
    let text = decode(&fs::read(path).unwrap_or_default());
    let has_name = |line: &str| line.to_ascii_lowercase().contains("tband");
    let lines = text.lines().zip(1..).filter(|(line, _)| has_name(line));
    let numbers: Vec<String> = lines.map(|(_, number): (_, usize)| number.to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!(": {}", listed(&numbers)) }
}

/// Files that an `init` did not complete, in the folders of the files that a record names.
fn incomplete(root: &Path, dir: &str, record: &Record) -> Vec<PathBuf> {
    let names = record.written.keys().chain(record.changed.keys());
    let mut folders: BTreeSet<PathBuf> =
        names.filter_map(|it| Some(root.join(it).parent()?.to_owned())).collect();
    folders.insert(root.join(dir));
    folders.iter().flat_map(|it| change::incomplete(it)).collect()
}
