//! Many recordings in one folder: a folder a table, below it a partition for each device and date, in that a file for
//! each recording. `DIR/states/device=pump-7/date=2026-11-24/0123….parquet`; readers call this Hive partitioning.
//!
//! A recording is what its bytes are: it is added once, whatever its name. Its file in `recordings` is put there last,
//! when the other tables have theirs. After a crash in the middle a recording has files in some tables and none in
//! `recordings`; it is added again by the next run, and the same files are replaced.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use chrono::{DateTime, NaiveDate, Utc};
use tband_conv::{Input, Options, Summary};
use twox_hash::XxHash3_128;

use crate::partition::partition_value;
use crate::{About, TABLES, TableSchema, convert_to_tables};

/// Where a recording is from: its partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The device, any text.
    pub device: String,
    /// The day, as `2026-11-24`.
    pub date: String,
}

impl Origin {
    /// Of a file: the day of its last change, in UTC, unless another one is named.
    ///
    /// # Errors
    /// The file has no time, or `date` is no day.
    pub fn of(file: &Path, device: &str, date: Option<&str>) -> Result<Self> {
        let date = match date {
            Some(date) => {
                let day: Result<NaiveDate, _> = date.parse();
                day.with_context(|| format!("“{date}” is not a day as 2026-11-24"))?
            }
            None => {
                let meta = fs::metadata(file).and_then(|meta| meta.modified());
                let time = meta.with_context(|| format!("cannot read {}", file.display()))?;
                DateTime::<Utc>::from(time).date_naive()
            }
        };
        Ok(Self { device: device.to_owned(), date: date.format("%Y-%m-%d").to_string() })
    }
}

/// What became of a recording.
#[derive(Clone, Debug)]
pub enum Added {
    /// It is there now.
    New(Box<Summary>),
    /// It was there already.
    Known,
}

/// A folder of many recordings.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    known: Mutex<HashSet<String>>,
    /// Recordings get the tables that are only written on request too.
    with_all_tables: bool,
}

/// What a folder is called in which files of a recording are made; readers pass over names that begin with a dot.
const SCRATCH: &str = ".tband-ingest-";

impl Dataset {
    /// Opens a folder, which is made if it is not there, and finds out which recordings it has.
    ///
    /// # Errors
    /// It cannot be made or read, or has something else in it.
    pub fn open(folder: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", folder.display());
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for entry in fs::read_dir(folder).with_context(cannot)? {
            let name = entry.with_context(cannot)?.file_name();
            let name = name.to_string_lossy();
            ensure!(
                name.starts_with('.') || TABLES.iter().any(|table| table.name == name),
                "{} is not a folder of recordings: it has “{}”, which is no table; name a new folder",
                folder.display(),
                name.escape_debug(),
            );
        }
        let mut known = HashSet::new();
        gather(&folder.join("recordings"), &mut known).with_context(cannot)?;
        Ok(Self { folder: folder.to_owned(), known: Mutex::new(known), with_all_tables: false })
    }

    /// Whether recordings that are added get the tables that are [only written on request](crate::TableSchema::only_on_request).
    /// Recordings that are there keep their tables.
    #[must_use]
    pub fn with_all_tables(mut self, with_all_tables: bool) -> Self {
        self.with_all_tables = with_all_tables;
        self
    }

    /// The tables that a recording gets when it is added.
    fn tables(&self) -> impl Iterator<Item = &'static TableSchema> {
        TABLES.iter().filter(|table| self.with_all_tables || !table.only_on_request)
    }

    /// The number of recordings that it has by now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known().len()
    }

    /// It has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known().is_empty()
    }

    /// The recordings that it has, or that are being added. A thread that panicked has changed nothing else.
    fn known(&self) -> MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the recording in a file, if it is not there; `inputs` reads it. Several threads may add different
    /// recordings at a time. Reads the file once more than [`convert_to_tables`] does.
    ///
    /// # Errors
    /// The file cannot be read or converted, or what is made of it cannot be written. Nothing is added then.
    pub fn add(
        &self,
        file: &Path,
        origin: &Origin,
        (inputs, options): (&[Input<'_>], &Options),
    ) -> Result<Added> {
        let read = || format!("cannot read {}", file.display());
        let (id, bytes) = identify(File::open(file).with_context(read)?).with_context(read)?;
        // A copy of a file that is named twice, or that another thread is adding, is not added again.
        if !self.known().insert(id.clone()) {
            return Ok(Added::Known);
        }
        let added = self.add_new(file, &id, bytes, origin, (inputs, options));
        if added.is_err() {
            self.known().remove(&id);
        }
        added.map(|summary| Added::New(Box::new(summary)))
    }

    /// Adds a recording of so many bytes that is not there.
    fn add_new(
        &self,
        file: &Path,
        id: &str,
        bytes: u64,
        origin: &Origin,
        (inputs, options): (&[Input<'_>], &Options),
    ) -> Result<Summary> {
        let cannot = || format!("cannot write to {}", self.folder.display());
        let scratch = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&self.folder);
        let scratch = scratch.with_context(cannot)?;
        let made = |table: &str| scratch.path().join(format!("{table}.parquet"));
        let about = About {
            recording: id.to_owned(),
            file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: Some(bytes),
        };
        let summary = convert_to_tables(inputs, options, &about, &mut |table| {
            if !self.tables().any(|it| it.name == table.name) {
                return Ok(None);
            }
            Ok(Some(Box::new(BufWriter::new(File::create(made(table.name))?))))
        })
        .with_context(|| format!("cannot add {}", file.display()))?;
        for table in self.tables() {
            let partition = self
                .folder
                .join(table.name)
                .join(format!("device={}", partition_value(&origin.device)))
                .join(format!("date={}", partition_value(&origin.date)));
            let made = made(table.name);
            // What `recordings` says is there is on the disk.
            File::open(&made).and_then(|file| file.sync_all()).with_context(cannot)?;
            fs::create_dir_all(&partition).with_context(cannot)?;
            fs::rename(&made, partition.join(format!("{id}.parquet"))).with_context(cannot)?;
        }
        Ok(summary)
    }
}

/// What a recording is called, and how many bytes it has.
fn identify(file: File) -> io::Result<(String, u64)> {
    let (mut file, mut hash) = (BufReader::with_capacity(1 << 16, file), XxHash3_128::new());
    let (mut piece, mut bytes) = (vec![0; 1 << 16], 0_u64);
    loop {
        let read = file.read(&mut piece)?;
        let Some(part) = piece.get(..read).filter(|part| !part.is_empty()) else { break };
        hash.write(part);
        bytes = bytes.saturating_add(part.len() as u64);
    }
    Ok((format!("{:032x}", hash.finish_128()), bytes))
}

/// Adds the names of all files below a folder, which may not be there.
fn gather(folder: &Path, names: &mut HashSet<String>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), names)?;
        } else if let Some(name) = entry.path().file_stem() {
            names.insert(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
