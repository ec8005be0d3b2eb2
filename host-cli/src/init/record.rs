//! The record of what `init` has written and changed, beside the recorder's files.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use anyhow::{Context, bail, ensure};
use flate2::Crc;
use serde_json::{Map, Value, json};

/// The version of its format.
const VERSION: u64 = 1;

/// A file's checksum and size, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    crc: u32,
    size: u64,
}

impl Sum {
    pub fn of(content: &[u8]) -> Self {
        let mut crc = Crc::new();
        crc.update(content);
        Self { crc: crc.sum(), size: content.len() as u64 }
    }

    fn json(self) -> Value {
        json!({ "crc32": self.crc, "bytes": self.size })
    }

    fn read(value: &Value) -> Option<Self> {
        let crc = u32::try_from(value.get("crc32")?.as_u64()?).ok()?;
        Some(Self { crc, size: value.get("bytes")?.as_u64()? })
    }
}

/// A file of the user that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its content before.
    pub before: Vec<u8>,
    pub after: Sum,
}

/// The record. Files and folders are named by their paths in the project, with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub written: BTreeMap<String, Sum>,
    pub changed: BTreeMap<String, ChangedFile>,
    /// Files as an earlier run left them, which the last one replaced or removed, unless it was ended before that.
    pub earlier: BTreeMap<String, Sum>,
    /// Folders that were created, the outer ones first.
    pub folders: Vec<String>,
}

impl Record {
    /// Reads a record; an empty one if there is no file.
    ///
    /// # Errors
    /// The file is damaged, or cannot be read.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Self::default());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let value: Value = serde_json::from_slice(&text).with_context(|| damaged(path))?;
        ensure!(
            value.get("version").and_then(Value::as_u64) == Some(VERSION),
            "{} was written by another version of tband-cli: use that one",
            path.display()
        );
        Self::of_json(&value).with_context(|| damaged(path))
    }

    fn of_json(value: &Value) -> anyhow::Result<Self> {
        let mut record = Self::default();
        let part =
            |name: &str| value.get(name).and_then(Value::as_object).context("a part is missing");
        for (name, sum) in part("written")? {
            record.written.insert(checked(name)?, Sum::read(sum).context("a checksum is missing")?);
        }
        for (name, it) in part("changed")? {
            let before =
                it.get("before").and_then(Value::as_str).context("a content is missing")?;
            let before =
                latin_1_bytes(before).context("a content has a character that is no byte")?;
            let after = it.get("after").and_then(Sum::read).context("a checksum is missing")?;
            record.changed.insert(checked(name)?, ChangedFile { before, after });
        }
        // Records of the first programs have none.
        let earlier = value.get("earlier").and_then(Value::as_object);
        for (name, sum) in earlier.into_iter().flatten() {
            record.earlier.insert(checked(name)?, Sum::read(sum).context("a checksum is missing")?);
        }
        let folders =
            value.get("folders").and_then(Value::as_array).context("a part is missing")?;
        for it in folders {
            record.folders.push(checked(it.as_str().context("a name is missing")?)?);
        }
        Ok(record)
    }

    /// Returns the file's content.
    pub fn bytes(&self) -> Vec<u8> {
        let sums = |sums: &BTreeMap<String, Sum>| -> Map<String, Value> {
            sums.iter().map(|(name, sum)| (name.clone(), sum.json())).collect()
        };
        let changed =
            |it: &ChangedFile| json!({ "before": latin_1(&it.before), "after": it.after.json() });
        let changed: Map<String, Value> =
            self.changed.iter().map(|(name, it)| (name.clone(), changed(it))).collect();
        let whole = json!({
            "about": "Written by tband-cli init, which needs it to undo its changes. Each character of \"before\" is a byte.",
            "version": VERSION,
            "folders": self.folders,
            "changed": changed,
            "written": sums(&self.written),
            "earlier": sums(&self.earlier),
        });
        let mut text = format!("{whole:#}").into_bytes();
        text.push(b'\n');
        text
    }

    /// Files that `init` has written, and those that an ended run did not remove.
    pub fn files(&self) -> BTreeMap<&String, Sum> {
        let is_other = |name: &String| !self.changed.contains_key(name);
        let earlier = self.earlier.iter().filter(|(name, _)| is_other(name));
        // Of a file in both, the last content counts.
        earlier.chain(&self.written).map(|(name, sum)| (name, *sum)).collect()
    }

    /// Returns whether a file is as `init` left it.
    pub fn is_unchanged(&self, name: &str, now: &[u8]) -> bool {
        let now = Sum::of(now);
        let changed = self.changed.get(name).map(|it| &it.after);
        [self.written.get(name), changed, self.earlier.get(name)].contains(&Some(&now))
    }

    /// Fails if a name could not be read again.
    pub fn check(&self) -> anyhow::Result<()> {
        let names = self.written.keys().chain(self.changed.keys()).chain(self.earlier.keys());
        let names = names.chain(&self.folders);
        names.into_iter().try_for_each(|it| checked(it).map(drop))
    }

    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.changed.is_empty()
    }
}

/// Each byte as a character.
fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The bytes of such a text; `None` if it has other characters.
fn latin_1_bytes(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect()
}

fn damaged(path: &Path) -> String {
    format!("{} is damaged: restore it, or remove the changes by hand", path.display())
}

/// A path that stays in the project.
fn checked(name: &str) -> anyhow::Result<String> {
    let is_plain = |it: Component<'_>| matches!(it, Component::Normal(_));
    if name.is_empty()
        || (cfg!(windows) && name.contains('\\'))
        || !Path::new(name).components().all(is_plain)
    {
        bail!("the path {name} is outside of the project");
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::RECORD;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RECORD);
        assert_eq!(Record::read(&path).unwrap(), Record::default());
        let mut record = Record { folders: vec!["tband".to_owned()], ..Record::default() };
        record.written.insert("tband/a.h".to_owned(), Sum::of(b"a"));
        record.earlier.insert("tband/b.h".to_owned(), Sum::of(b"b"));
        let before: Vec<u8> = (1..=255).collect();
        record.changed.insert("Makefile".to_owned(), ChangedFile { before, after: Sum::of(b"") });
        fs::write(&path, record.bytes()).unwrap();
        assert_eq!(Record::read(&path).unwrap(), record);
        let text = fs::read_to_string(&path).unwrap();
        for (from, to) in [
            ("tband/a.h", "../a.h"),
            ("tband/a.h", "/a.h"),
            ("crc32", "crc"),
            ("{", "["),
            ("\u{ff}", "\u{100}"),
            ("\"version\": 1", "\"version\": 2"),
        ] {
            fs::write(&path, text.replace(from, to)).unwrap();
            assert!(Record::read(&path).is_err(), "{to}");
        }
    }
}
