//! Storage of a growing recording: one file, several files in rotation, or stdout.
//!
//! Bytes are passed to the system as they are received, so they are in the file however this program ends.

pub mod dictionary;
mod joining;
pub mod output_file;

use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tband_app::tail::{PendingBytes, Tail};

use self::dictionary::Dictionary;
use self::joining::JoinBuffer;
use self::output_file::{FileLocation, OutputFile, is_there, rest_of};
use crate::args::FileRotation;
use crate::gaps::{NOT_KEPT, SOURCE_GAP, packets};
use crate::numbered::numbered;

/// A recording that grows.
pub struct Store {
    file: OutputFile,
    keep: Option<FileRotation>,
    /// As the user named it.
    path: PathBuf,
    /// Files that exist, the oldest first, without the growing one.
    older: VecDeque<PathBuf>,
    /// The first of several files of frames has the names.
    first: Option<PathBuf>,
    /// The files after the first one are deleted, and it ends with a gap marker.
    first_ends_with_gap: bool,
    number: u32,
    /// Bytes in the file that grows.
    in_file: u64,
    /// The last received byte.
    last: u8,
    /// The end of the file that grows.
    tail: Tail,
    /// Received bytes that are not written yet, where the output cannot be truncated at the end.
    held_back: Option<PendingBytes>,
    /// The user has named another recorder.
    is_foreign: bool,
    /// Bytes that are not in the recording, because their rest did not come.
    rest: Option<IncompleteRest>,
    /// A packet was seen.
    has_packets: bool,
    /// Metadata to insert near the beginning of the recording, until that is done.
    dictionary: Option<Dictionary>,
    /// It has it in its first file, which therefore stays.
    first_has_names: bool,
    /// After a gap, until a packet or frame begins.
    joining: Option<JoinBuffer>,
}

/// The beginning of a packet or frame whose end did not come. It is not in the recording.
#[derive(Debug, PartialEq, Eq)]
pub struct IncompleteRest {
    /// Its bytes; of several the sum.
    pub len: u64,
    /// The file with them; `None` if they are gone, since the recording went to a pipe.
    pub path: Option<PathBuf>,
}

impl Store {
    /// Bytes are written to this file, which is overwritten when the first of them comes; `-` is stdout.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(path: &Path, keep: Option<FileRotation>) -> anyhow::Result<Self> {
        let file = if keep.is_some() {
            // Hours later a number would be one of them.
            if let Some(taken) = numbers(path).next() {
                return Err(is_there(&taken));
            }
            OutputFile::new(name_of(path, 1))?
        } else if path == Path::new("-") {
            OutputFile::Stdout
        } else {
            OutputFile::open(path)?
        };
        Ok(Self::of(file, path, keep))
    }

    /// Creates one of several recordings, each in a separate file with its number in the name.
    ///
    /// # Errors
    /// It exists already, or cannot be written.
    pub fn numbered(path: &Path, number: u32) -> anyhow::Result<Self> {
        Ok(Self::of(OutputFile::new(name_of(path, number))?, path, None))
    }

    fn of(file: OutputFile, path: &Path, keep: Option<FileRotation>) -> Self {
        let held_back = (!file.can_be_cut()).then(PendingBytes::default);
        Self {
            tail: Tail::default(),
            held_back,
            is_foreign: false,
            rest: None,
            file,
            keep,
            path: path.to_owned(),
            older: VecDeque::new(),
            first: None,
            first_ends_with_gap: false,
            number: 1,
            in_file: 0,
            last: 0,
            has_packets: false,
            dictionary: None,
            first_has_names: false,
            joining: None,
        }
    }

    /// Puts metadata near the beginning of the recording.
    pub fn begin_with(&mut self, frames: Vec<Vec<u8>>) {
        self.dictionary = Dictionary::new(frames);
        self.first_has_names = self.dictionary.is_some();
    }

    /// The recording comes from another recorder: its bytes stay as they come.
    pub fn set_foreign(&mut self) {
        self.is_foreign = true;
        self.dictionary = None;
        self.held_back = None;
    }

    /// Another recorder makes the recording, as the user or its beginning shows.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
            || self.tail.is_foreign()
            || self.held_back.as_ref().is_some_and(PendingBytes::is_foreign)
    }

    /// Adds received bytes.
    ///
    /// # Errors
    /// They cannot be written: the earlier ones are in the file.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if let Some(joining) = &mut self.joining {
            let Some((before, bytes)) = joining.add(bytes, self.has_packets) else { return Ok(()) };
            self.joining = None;
            if !self.save_rest(&before) {
                self.add_all(&before)?;
            }
            return self.add_all(&bytes);
        }
        let Some(dictionary) = &mut self.dictionary else { return self.add_all(bytes) };
        let Some(begin) = dictionary.add(bytes) else { return Ok(()) };
        self.dictionary = None;
        self.add_begin(&begin)
    }

    /// Writes the first bytes with the dictionary into one file.
    fn add_begin(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.has_packets = packets(bytes).next().is_some();
        self.write(bytes)
    }

    fn add_all(&mut self, mut bytes: &[u8]) -> anyhow::Result<()> {
        self.has_packets = self.has_packets || packets(bytes).next().is_some();
        if let Some(keep) = self.keep {
            while self.in_file.saturating_add(bytes.len() as u64) > keep.size {
                let room =
                    usize::try_from(keep.size.saturating_sub(self.in_file)).unwrap_or(usize::MAX);
                let Some(cut) = self.cut(bytes, room) else { break };
                let (head, rest) = bytes.split_at_checked(cut).unwrap_or((bytes, &[]));
                self.write(head)?;
                if rest.is_empty() {
                    return Ok(());
                }
                self.next(keep)?;
                bytes = rest;
            }
        }
        self.write(bytes)
    }

    /// Something may be missing from here on.
    ///
    /// # Errors
    /// As for [`add`](Self::add).
    pub fn gap(&mut self) -> anyhow::Result<()> {
        self.release()?;
        self.cut_off()?;
        if self.is_foreign() {
            return Ok(());
        }
        self.joining = Some(JoinBuffer::default());
        if self.has_packets { Ok(()) } else { self.append(SOURCE_GAP) }
    }

    /// Bytes in the file that grows.
    pub const fn len(&self) -> u64 {
        self.in_file
    }

    /// Returns the existing files, in order, without stdout. Users may remove those that no longer grow.
    pub fn files(&self) -> Vec<PathBuf> {
        let older = self.first.iter().chain(&self.older);
        let mut files: Vec<PathBuf> = older.filter(|path| path.exists()).cloned().collect();
        files.extend(self.file.path().map(Path::to_owned));
        files
    }

    /// Writes the bytes held back, because no more will come soon.
    ///
    /// # Errors
    /// As for [`add`](Self::add).
    pub fn release(&mut self) -> anyhow::Result<()> {
        match self.dictionary.take() {
            Some(mut dictionary) => self.add_begin(&dictionary.take()),
            None => Ok(()),
        }
    }

    /// Ends the recording. A file that received no bytes is unchanged. The recording ends after its last complete packet or
    /// frame; returns the bytes after it, and those before gaps.
    ///
    /// # Errors
    /// The file cannot be cut.
    pub fn close(mut self) -> anyhow::Result<Option<IncompleteRest>> {
        self.cut_off()?;
        if let Some(mut joining) = self.joining.take() {
            let before = joining.take();
            if !self.save_rest(&before) {
                self.append(&before)?;
            }
        }
        self.file.close();
        Ok(self.rest)
    }

    /// Takes the beginning of a packet or frame whose end did not come off the recording.
    fn cut_off(&mut self) -> anyhow::Result<()> {
        let is_foreign = self.is_foreign();
        if let Some(held_back) = &mut self.held_back {
            let bytes = held_back.take();
            if is_foreign {
                return self.append(&bytes);
            }
            self.save_rest(&bytes);
            return Ok(());
        }
        if is_foreign {
            return Ok(());
        }
        let bytes = self.tail.incomplete().to_vec();
        let len = bytes.len() as u64;
        // If nothing is complete, the kind is unknown. The bytes stay in the file if they cannot be stored elsewhere.
        if len == 0 || len >= self.in_file || !self.save_rest(&bytes) {
            return Ok(());
        }
        let left = self.in_file.saturating_sub(len);
        self.file.cut(left).context("cannot cut the recording after its last complete packet")?;
        self.in_file = left;
        self.tail.clear();
        Ok(())
    }

    /// Saves bytes of an incomplete packet or frame beside the recording, or counts them if that is a pipe. Returns false if
    /// they can be stored nowhere else.
    fn save_rest(&mut self, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let path = if self.held_back.is_some() {
            None
        } else {
            let Some(path) = self.file.path().map(rest_of) else { return false };
            let rest = OpenOptions::new().create(true).append(true).open(&path);
            if rest.and_then(|mut rest| rest.write_all(bytes)).is_err() {
                return false;
            }
            Some(path)
        };
        let before = self.rest.as_ref().map_or(0, |rest| rest.len);
        self.rest = Some(IncompleteRest { len: before.saturating_add(bytes.len() as u64), path });
        true
    }

    /// Whether the growing file has been renamed.
    ///
    /// # Errors
    /// It has been removed.
    pub fn is_moved(&self) -> anyhow::Result<bool> {
        let whereabouts = self.file.location();
        if whereabouts == FileLocation::Removed
            && let Some(path) = self.file.path()
        {
            bail!(
                "{} was removed while it was recorded, and the {} bytes that had come with it",
                path.display(),
                self.in_file
            );
        }
        Ok(whereabouts == FileLocation::Moved)
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if let Some(held_back) = &mut self.held_back {
            let complete = held_back.add(bytes);
            return self.append(&complete);
        }
        self.append(bytes)?;
        self.tail.add(bytes);
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let before = self.in_file;
        if let Err(error) = self.file.write(bytes) {
            let name = self.file.path().map_or("stdout".into(), Path::to_string_lossy);
            // Some of these bytes may be in it too.
            let len = self.file.len().unwrap_or(before);
            let text =
                format!("cannot write {name} any more; the {len} bytes that came before are in it");
            return Err(anyhow::Error::new(error).context(text));
        }
        self.in_file = before.saturating_add(bytes.len() as u64);
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.is_moved().map(drop)
    }

    /// Returns where a file with room for this many of these bytes may end, and the next begin: where a packet begins, or
    /// otherwise after a frame.
    fn cut(&self, bytes: &[u8], room: usize) -> Option<usize> {
        if self.has_packets {
            let is_at_begin = self.in_file == 0;
            return packets(bytes).find(|at| *at >= room && (*at > 0 || !is_at_begin));
        }
        if room == 0 && self.last == 0 && self.in_file > 0 {
            return Some(0);
        }
        let from = room.saturating_sub(1);
        Some(from + bytes.get(from..)?.iter().position(|byte| *byte == 0)? + 1)
    }

    /// Continues in the next file.
    fn next(&mut self, keep: FileRotation) -> anyhow::Result<()> {
        self.number = self.number.saturating_add(1);
        let next = OutputFile::new(name_of(&self.path, self.number))?;
        let full = std::mem::replace(&mut self.file, next);
        self.in_file = 0;
        if let Some(path) = full.path() {
            if self.number == 2 && (!self.has_packets || self.first_has_names) {
                self.first = Some(path.to_owned());
            } else {
                self.older.push_back(path.to_owned());
            }
        }
        // The one that grows is one of them.
        while self.older.len() + 1 > keep.files as usize {
            let Some(oldest) = self.older.pop_front() else { break };
            if let Err(error) = fs::remove_file(&oldest)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error).with_context(|| format!("cannot remove {}", oldest.display()));
            }
            self.mark_first()?;
        }
        Ok(())
    }

    /// Marks that the files after the first one are deleted.
    fn mark_first(&mut self) -> anyhow::Result<()> {
        let is_marked = self.first_ends_with_gap || self.has_packets;
        let Some(first) = self.first.as_ref().filter(|_| !is_marked) else {
            return Ok(());
        };
        let marked = OpenOptions::new().append(true).open(first);
        match marked.and_then(|mut file| file.write_all(NOT_KEPT)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot write {}", first.display()));
            }
            _ => self.first_ends_with_gap = true,
        }
        Ok(())
    }
}

/// The name of one of several recordings: `r.0001.bin`.
pub fn name_of(path: &Path, number: u32) -> PathBuf {
    numbered(path, format_args!("{number:04}"))
}

/// Files that are there and have the name of one of several, in any order.
fn numbers(path: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let path = path.to_owned();
    // A folder that cannot be listed cannot be written either, which is reported then.
    fs::read_dir(folder).into_iter().flatten().filter_map(move |entry| {
        let name = entry.ok()?.file_name();
        // The number is the last word of the name, or the one before an ending.
        let words = name.to_str()?.rsplit('.').take(2);
        let mut names = words.filter_map(|word| Some(name_of(&path, word.parse().ok()?)));
        names.find(|named| named.file_name() == Some(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(files: &[PathBuf]) -> Vec<String> {
        let name =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.iter().map(name).collect()
    }

    #[test]
    fn frames_take_turns_after_the_first_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.bin");
        let keep = Some(FileRotation { files: 2, size: 10 });
        let mut store = Store::new(&path, keep).unwrap();
        for number in 1..=9_u8 {
            store.add(&[2, number, 0, 3, number, number, 0]).unwrap();
        }
        assert_eq!(numbers(&store.files()), ["r.0001.bin", "r.0005.bin", "r.0006.bin"]);
        let read =
            |number: u32| fs::read(folder.path().join(format!("r.{number:04}.bin"))).unwrap();
        assert_eq!(read(1), [&[2, 1, 0, 3, 1, 1, 0, 2, 2, 0], NOT_KEPT].concat());
        assert_eq!(read(5), [2, 7, 0, 3, 7, 7, 0, 2, 8, 0]);
        assert_eq!(read(6), [3, 8, 8, 0, 2, 9, 0, 3, 9, 9, 0]);
        assert!(!folder.path().join("r.0002.bin").exists());
        // Existing files are not overwritten.
        assert!(Store::new(&path, keep).is_err());
    }

    /// With packets the first file stays, too, if it has metadata that a tool has inserted.
    #[test]
    fn packets_take_turns_after_the_first_file_if_that_has_the_dictionary() {
        use crate::target::{Recording, frame};
        use tband_format::Event;
        let name = frame(&Event::CoreId { core_id: 0 });
        let mut packet = Recording {
            bytes: tband_format::packet::MAGIC.to_le_bytes().to_vec(),
            ..Recording::default()
        };
        packet.prepend_events(&[name.repeat(20)]);
        packet.bytes.truncate(packet.bytes.len() - 4);
        for has_dictionary in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let keep = Some(FileRotation { files: 2, size: 200 });
            let mut store = Store::new(&folder.path().join("r.bin"), keep).unwrap();
            if has_dictionary {
                store.begin_with(vec![name.repeat(9)]);
            }
            for _ in 0..12 {
                store.add(&packet.bytes).unwrap();
            }
            let files = numbers(&store.files());
            assert_eq!(files[0] == "r.0001.bin", has_dictionary, "{files:?}");
            let first = fs::read(&store.files()[0]).unwrap();
            assert!(packets(&first).next() == Some(0) && !first.ends_with(NOT_KEPT));
        }
    }

    /// It stays in one piece, however long it is.
    #[test]
    fn the_first_file_has_all_of_the_dictionary() {
        use crate::target::{Recording, frame};
        use tband_format::{Event, Str};
        let names: Vec<Vec<u8>> = (0..2000)
            .map(|format_id| frame(&Event::Format { format_id, text: Str(b"i:value %d\x03") }))
            .collect();
        let core = frame(&Event::CoreId { core_id: 0 });
        let mut packet = Recording {
            bytes: tband_format::packet::MAGIC.to_le_bytes().to_vec(),
            ..Recording::default()
        };
        packet.prepend_events(&[core.repeat(100)]);
        packet.bytes.truncate(packet.bytes.len() - 4);
        for piece in [core.repeat(100), packet.bytes] {
            let folder = tempfile::tempdir().unwrap();
            let keep = Some(FileRotation { files: 2, size: 1000 });
            let mut store = Store::new(&folder.path().join("r.bin"), keep).unwrap();
            store.begin_with(names.clone());
            for _ in 0..100 {
                store.add(&piece).unwrap();
            }
            store.release().unwrap();
            assert_eq!(store.files().len(), 3);
            let first = fs::read(&store.files()[0]).unwrap();
            let has = |name: &Vec<u8>| first.windows(name.len()).any(|it| it == name);
            assert_eq!(names.iter().filter(|name| has(name)).count(), names.len());
            assert!(first.len() < names.concat().len() + 10_000);
        }
    }

    #[test]
    fn a_file_that_nothing_came_for_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old.bin"), folder.path().join("new.bin"));
        fs::write(&old, b"old").unwrap();
        Store::new(&old, None).unwrap().close().unwrap();
        Store::new(&new, None).unwrap().close().unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"old");
        assert!(!new.exists());
        let mut store = Store::new(&old, None).unwrap();
        store.add(&[1]).unwrap();
        store.close().unwrap();
        assert_eq!(fs::read(&old).unwrap(), [1]);
    }
}
