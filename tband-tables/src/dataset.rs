//! Many recordings in one folder: a folder per table, below it a partition for each device and date, and in it a file for each
//! recording. `DIR/states/device=pump-7/date=2026-11-24/0123….parquet`; readers call this Hive partitioning.
//!
//! A recording is identified by its bytes: it is added once, whatever its name. Its file in `recordings` is created last, after
//! those of the other tables. After a crash in between, a recording has files in some tables and none in `recordings`; the next
//! run adds it again, and replaces the same files.
//!
//! Several programs may add to one folder at a time. Each takes the folder's lock before it moves the files of a recording
//! there, and checks whether another one has done so since.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use chrono::{DateTime, NaiveDate, Utc};
use tband_conv::{Input, Options, Summary};
use twox_hash::XxHash3_128;

use crate::partition::{partition_value, value_of};
use crate::{RecordingInfo, TABLES, TableSchema, convert_to_tables};

/// Where a recording is from: its partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The device, any text.
    pub device: String,
    /// The day, as `2026-11-24`.
    pub date: String,
}

impl Origin {
    /// Returns the folders of the partition, below that of a table.
    #[must_use]
    pub fn partition(&self) -> PathBuf {
        let device = format!("device={}", partition_value(&self.device));
        Path::new(&device).join(format!("date={}", partition_value(&self.date)))
    }

    /// Reads the partition of a recording from the path of its file below the folder of a table.
    fn from_partition(file: &Path) -> Option<Self> {
        let mut names = file.parent()?.iter().map(|name| name.to_str());
        let mut value = |key: &str| value_of(names.next()??.strip_prefix(key)?);
        Some(Self { device: value("device=")?, date: value("date=")? })
    }

    /// Returns the partition of a file: the day of its last change, in UTC, unless another one is named.
    ///
    /// # Errors
    /// `device` is empty, the file has no time, or `date` is not a day.
    pub fn of(file: &Path, device: &str, date: Option<&str>) -> Result<Self> {
        ensure!(!device.trim().is_empty(), "the device has no name; name it, as pump-7");
        let date = match date {
            Some(date) => {
                let day: Result<NaiveDate, _> = date.parse();
                day.with_context(|| format!("“{date}” is not a day as 2026-11-24"))?
            }
            None => {
                let changed = |file: &PathBuf| fs::metadata(file).and_then(|meta| meta.modified());
                let times = files_of(file)
                    .and_then(|files| files.iter().map(changed).collect::<io::Result<Vec<_>>>());
                let times = times.with_context(|| format!("cannot read {}", file.display()))?;
                let time = times.into_iter().max();
                let time = time.with_context(|| format!("{} has no file", file.display()))?;
                DateTime::<Utc>::from(time).date_naive()
            }
        };
        Ok(Self { device: device.to_owned(), date: date.format("%Y-%m-%d").to_string() })
    }
}

/// Result of adding a recording.
#[derive(Clone, Debug)]
pub enum AddResult {
    /// It was added.
    New(Box<Summary>),
    /// It was there already.
    Known,
}

/// A folder of many recordings.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    /// The recordings that are there, and those that are being added, whose place is not known yet.
    known: Mutex<HashMap<String, Option<Origin>>>,
    /// Recordings get the tables that are only written on request too.
    with_all_tables: bool,
}

/// Prefix of the folder in which files of a recording are created; readers skip names that begin with a dot.
const SCRATCH: &str = ".tband-ingest-";

impl Dataset {
    /// Opens a folder, which is created if there is none, and finds its recordings.
    ///
    /// # Errors
    /// It cannot be created or read, or has other content.
    pub fn open(folder: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", folder.display());
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for entry in fs::read_dir(folder).with_context(cannot)? {
            let name = entry.with_context(cannot)?.file_name();
            let name = name.to_string_lossy();
            ensure!(
                name.starts_with('.') || TABLES.iter().any(|table| table.name == name),
                "{} is not a folder of recordings: it has “{}”, which is not a table; name a new folder",
                folder.display(),
                name.escape_debug(),
            );
        }
        let mut known = HashMap::new();
        gather(&folder.join("recordings"), Path::new(""), &mut known).with_context(cannot)?;
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
    fn known(&self) -> MutexGuard<'_, HashMap<String, Option<Origin>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns where the recording in a file is from, if the folder has it, and the name of its files there.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn origin_of(&self, file: &Path) -> Result<Option<(Origin, String)>> {
        let read = || format!("cannot read {}", file.display());
        let (id, _) = identify(file).with_context(read)?;
        let origin = self.known().get(&id).cloned().flatten();
        Ok(origin.map(|origin| (origin, format!("{id}.parquet"))))
    }

    /// Adds the recording in a file, if it is not there; `inputs` reads it. Several threads may add different recordings at a
    /// time. Reads the file once more than [`convert_to_tables`] does.
    ///
    /// # Errors
    /// The file cannot be read or converted, or the tables cannot be written. Nothing is added then.
    pub fn add(
        &self,
        file: &Path,
        origin: &Origin,
        (inputs, options): (&[Input<'_>], &Options),
    ) -> Result<AddResult> {
        let read = || format!("cannot read {}", file.display());
        let (id, bytes) = identify(file).with_context(read)?;
        // A copy of a file that is named twice, or that another thread is adding, is not added again.
        match self.known().entry(id.clone()) {
            Entry::Occupied(_) => return Ok(AddResult::Known),
            Entry::Vacant(entry) => entry.insert(None),
        };
        let added = self.add_new(file, &id, bytes, origin, (inputs, options));
        match &added {
            Ok((at, _)) => self.known().insert(id, Some(at.clone())),
            Err(_) => self.known().remove(&id),
        };
        Ok(added?.1)
    }

    /// Adds a recording of this many bytes that was not there when this began. Also returns its origin: another program may
    /// have added it since.
    fn add_new(
        &self,
        file: &Path,
        id: &str,
        bytes: u64,
        origin: &Origin,
        (inputs, options): (&[Input<'_>], &Options),
    ) -> Result<(Origin, AddResult)> {
        let cannot = || format!("cannot write to {}", self.folder.display());
        let scratch = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&self.folder);
        let scratch = scratch.with_context(cannot)?;
        let made = |table: &str| scratch.path().join(format!("{table}.parquet"));
        let about = RecordingInfo {
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
        // The lock is held until the files are there.
        let _lock = lock(&self.folder).with_context(cannot)?;
        if let Some(there) = self.find(id).with_context(cannot)? {
            return Ok((there, AddResult::Known));
        }
        for table in self.tables() {
            let partition = self.folder.join(table.name).join(origin.partition());
            let made = made(table.name);
            // Every recording in `recordings` has its data on the disk.
            File::open(&made).and_then(|file| file.sync_all()).with_context(cannot)?;
            fs::create_dir_all(&partition).with_context(cannot)?;
            fs::rename(&made, partition.join(format!("{id}.parquet"))).with_context(cannot)?;
        }
        Ok((origin.clone(), AddResult::New(Box::new(summary))))
    }

    /// Searches for a recording on the disk.
    fn find(&self, id: &str) -> io::Result<Option<Origin>> {
        let recordings = self.folder.join("recordings");
        let file = format!("{id}.parquet");
        for device in subfolders(&recordings)? {
            for date in subfolders(&device)? {
                let file = date.join(&file);
                if file.exists() {
                    return Ok(file
                        .strip_prefix(&recordings)
                        .ok()
                        .and_then(Origin::from_partition));
                }
            }
        }
        Ok(None)
    }
}

/// The folders in a folder, which may not be there.
fn subfolders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries
            .map(|entry| Ok(entry?.path()))
            .filter(|it| !matches!(it, Ok(path) if !path.is_dir()))
            .collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Waits until no other program has locked the folder, and locks it until the result is closed, also by the end of the program.
#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<File> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    let file = File::open(folder)?;
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Err(Errno::INTR) => {}
            // Some network file systems have no locks, or none for folders: there, one program at a time has to do.
            Ok(()) | Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK | Errno::BADF) => {
                return Ok(file);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Waits until no other program has locked the folder, and locks it until the result is closed, also by the end of the program.
#[cfg(windows)]
fn lock(folder: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    use std::thread;
    use std::time::Duration;

    /// Another program has opened the file.
    const SHARING_VIOLATION: i32 = 32;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    let path = folder.join(format!("{SCRATCH}lock"));
    let mut options = File::options();
    options.create(true).write(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    loop {
        match options.open(&path) {
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => {
                thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

/// The files of a recording: the file itself, or those of a folder, by name.
fn files_of(recording: &Path) -> io::Result<Vec<PathBuf>> {
    if !recording.is_dir() {
        return Ok(vec![recording.to_owned()]);
    }
    let is_hidden = |path: &Path| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(recording)? {
        let path = entry?.path();
        if path.is_file() && !is_hidden(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the id of a recording, and its size in bytes.
fn identify(recording: &Path) -> io::Result<(String, u64)> {
    let mut hash = XxHash3_128::new();
    let (mut piece, mut bytes) = (vec![0; 1 << 16], 0_u64);
    let files = files_of(recording)?;
    for path in &files {
        let before = bytes;
        let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
        loop {
            let read = file.read(&mut piece)?;
            let Some(part) = piece.get(..read).filter(|part| !part.is_empty()) else { break };
            hash.write(part);
            bytes = bytes.saturating_add(part.len() as u64);
        }
        // Where a file ends shows in the id, so that bytes that move to another file change it.
        if recording.is_dir() {
            hash.write(&bytes.saturating_sub(before).to_le_bytes());
            hash.write(path.file_name().unwrap_or_default().as_encoded_bytes());
        }
    }
    Ok((format!("{:032x}", hash.finish_128()), bytes))
}

/// Adds the recordings of all files below a folder, which may not be there, with the partitions that they are in. `below` is the
/// folder's path below that of the table.
fn gather(
    folder: &Path,
    below: &Path,
    known: &mut HashMap<String, Option<Origin>>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let below = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &below, known)?;
        } else if let Some(name) = below.file_stem() {
            known.insert(name.to_string_lossy().into_owned(), Origin::from_partition(&below));
        }
    }
    Ok(())
}
