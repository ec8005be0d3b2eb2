//! Tables that are in files already: those of one recording, or of a folder of many.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::partition::value_of;
use crate::read::read;
use crate::row::Cell;
use crate::schema::{RECORDINGS, TableSchema};

/// A folder of tables.
#[derive(Debug)]
pub struct StoredTables {
    folder: PathBuf,
    recordings: Vec<StoredRecording>,
}

/// A recording in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredRecording {
    /// Its device, in a folder of many.
    pub device: Option<String>,
    /// Its day, in a folder of many.
    pub date: Option<String>,
    /// Where its file is, below the folder of a table; nothing in a folder of one.
    within: PathBuf,
}

impl StoredTables {
    /// Finds out which recordings a folder has that `convert_to_tables` or a `Dataset` has filled. One whose adding ended
    /// in the middle is left out: the table of recordings does not have it.
    ///
    /// # Errors
    /// It cannot be read, or has no such tables.
    pub fn open(folder: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", folder.display());
        let mut recordings = BTreeSet::new();
        if file(folder, &RECORDINGS, Path::new("")).is_file() {
            recordings.insert(StoredRecording::default());
        } else {
            let root = folder.join(RECORDINGS.name);
            ensure!(
                root.is_dir(),
                "{} has no tables of recordings: name a folder that ingest or conv --output-format parquet has filled",
                folder.display(),
            );
            gather(&root, &StoredRecording::default(), &mut recordings).with_context(cannot)?;
        }
        Ok(Self { folder: folder.to_owned(), recordings: recordings.into_iter().collect() })
    }

    /// The recordings, in the order of their devices and days.
    #[must_use]
    pub fn recordings(&self) -> &[StoredRecording] {
        &self.recordings
    }

    /// Reads a table of a recording: columns that the file does not have are NULL. `row` gets a value for each requested
    /// column, which the schema must have. Memory does not grow with the number of rows.
    ///
    /// # Errors
    /// The file cannot be read, or is not such a table; the error of `row`.
    pub fn rows(
        &self,
        recording: &StoredRecording,
        schema: &TableSchema,
        columns: &[&str],
        row: &mut dyn FnMut(&[Cell<'_>]) -> io::Result<()>,
    ) -> Result<()> {
        let path = file(&self.folder, schema, &recording.within);
        let cannot = || format!("cannot read {}", path.display());
        ensure!(
            !schema.only_on_request || path.is_file(),
            "{} has no table {name}: files have it only on request (--{name}); add the recordings again to a new \
             folder, or query the recordings",
            self.folder.display(),
            name = schema.name,
        );
        let open = File::open(&path).with_context(cannot)?;
        read(open, schema, columns, row).with_context(cannot)
    }
}

fn file(folder: &Path, schema: &TableSchema, within: &Path) -> PathBuf {
    if within == Path::new("") {
        return folder.join(format!("{}.parquet", schema.name));
    }
    folder.join(schema.name).join(within)
}

/// Adds the recordings below a folder whose names of partitions are known.
fn gather(
    folder: &Path,
    known: &StoredRecording,
    found: &mut BTreeSet<StoredRecording>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let mut known = known.clone();
        known.within.push(&name);
        if entry.file_type()?.is_dir() {
            let name = name.to_string_lossy();
            match name.split_once('=') {
                Some(("device", value)) => known.device = value_of(value),
                Some(("date", value)) => known.date = value_of(value),
                _ => {}
            }
            gather(&path, &known, found)?;
        } else if path.extension().is_some_and(|it| it == "parquet") {
            found.insert(known);
        }
    }
    Ok(())
}
