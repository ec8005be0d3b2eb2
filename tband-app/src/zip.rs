//! Files in a zip archive, decompressed as they are read: neither the archive nor a file of it is ever in memory as a whole.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, ErrorKind, RECOMMENDED_BUFFER_SIZE, RangeReader, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipLocator,
};
use tband_conv::encoding::notation::BoxRead;

use crate::ctf_files::FolderFile;

/// The first bytes of an archive with a file, and of one without.
const MAGICS: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];
/// Files of an archive, at most: a recording has a few.
const MAX_FILES: usize = 4096;
/// Bytes of an archive's end in which its directory is looked for: the longest comment.
const TAIL: u64 = 1 << 16;
/// Files that decompress to less than this are read whatever they are.
const HARMLESS: u64 = 64 << 20;
/// Maximum bytes from one compressed byte, as for gzip.
const RATIO: u64 = 100;
/// Bytes that are read at once.
const BLOCK: usize = 1 << 16;

/// Reads a part of a file, at an offset in bytes; 0 at its end.
pub type ReadPart<'h> = Rc<dyn Fn(&mut [u8], u64) -> io::Result<usize> + 'h>;

/// Reads parts of this file.
pub fn parts_of<'h>(file: impl Read + Seek + 'h) -> ReadPart<'h> {
    let file = RefCell::new(file);
    Rc::new(move |bytes, offset| {
        let mut file = file.borrow_mut();
        file.seek(SeekFrom::Start(offset))?;
        file.read(bytes)
    })
}

/// A file that is read at any offset.
#[derive(Clone)]
struct Parts<'h>(ReadPart<'h>);

impl ReaderAt for Parts<'_> {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        (self.0)(bytes, offset)
    }
}

/// Returns the files of an archive of `len` bytes, by folder and name. Their folders begin with `name`, that of the archive.
/// Files that systems add, documents, those without bytes, and those beside CTF traces are left out. `None`: the file begins like an archive only.
///
/// # Errors
/// The archive is damaged, or a file of it cannot be decompressed: the message has the file, the error and the remedy.
pub fn files<'h>(
    name: &str,
    read: ReadPart<'h>,
    len: u64,
) -> Result<Option<Vec<FolderFile<'h>>>, String> {
    let damaged = |error: &dyn std::fmt::Display| {
        format!("{name} is a damaged zip archive ({error}): pack the files again")
    };
    let mut head = [0; 4];
    if !matches!(read(&mut head, 0), Ok(read) if read == head.len()) || !MAGICS.contains(&head) {
        return Ok(None);
    }
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let locator = ZipLocator::new().max_search_space(TAIL);
    let archive = match locator.locate_in_reader(Parts(read), &mut buffer, len) {
        Ok(archive) => Rc::new(archive),
        Err((_, error)) if matches!(error.kind(), ErrorKind::MissingEndOfCentralDirectory) => {
            return Ok(None);
        }
        Err((_, error)) => return Err(damaged(&error)),
    };
    let mut files = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(|error| damaged(&error))? {
        let path = String::from_utf8_lossy(entry.file_path().as_bytes()).replace('\\', "/");
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let size = entry.uncompressed_size_hint();
        if entry.is_dir() || size == 0 || is_of_system(folder, file) || is_document(file) {
            continue;
        }
        if files.len() >= MAX_FILES {
            return Err(format!(
                "{name} has more than {MAX_FILES} files: pack only those of the recording"
            ));
        }
        let cannot = |why: &str| Err(format!("{name}: {path} {why}"));
        if entry.flags().is_encrypted() {
            return cannot("is encrypted: pack the files without a password");
        }
        let is_deflated = match entry.compression_method() {
            CompressionMethod::STORE => false,
            CompressionMethod::DEFLATE => true,
            _ => {
                return cannot(
                    "is compressed by another method than deflate: pack the files with zip, or unpack them",
                );
            }
        };
        if size > HARMLESS && size / RATIO > entry.compressed_size_hint() {
            return cannot(
                "is compressed to less than a hundredth, as no recording is: unpack it if it is one",
            );
        }
        let folder = match folder {
            "" => name.to_owned(),
            folder => format!("{name}/{folder}"),
        };
        let (archive, at) = (Rc::clone(&archive), entry.wayfinder());
        let open = move || open(&archive, at, is_deflated);
        files.push(FolderFile::new(&folder, file, open));
    }
    if files.is_empty() {
        return Err(format!("{name} has no file with bytes: pack the recording's files"));
    }
    // Beside a CTF trace are descriptions and results.
    let traces: Vec<String> = files
        .iter()
        .filter(|file| file.is_metadata())
        .map(|file| file.folder().to_owned())
        .collect();
    if !traces.is_empty() {
        files.retain(|file| traces.iter().any(|folder| folder == file.folder()));
    }
    files.sort_by_key(FolderFile::path);
    Ok(Some(files))
}

/// macOS adds folders of this name; hidden files are no recordings.
fn is_of_system(folder: &str, file: &str) -> bool {
    file.starts_with('.') || folder.split('/').any(|part| part == "__MACOSX")
}

/// A text for people, which is often packed with a recording.
fn is_document(file: &str) -> bool {
    let name = file.to_ascii_lowercase();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name.as_str(), ""));
    matches!(ending, "md" | "rst" | "pdf" | "html")
        || matches!(ending, "" | "txt") && ["readme", "license", "notes"].contains(&stem)
}

/// Reads a file of an archive, and checks at its end that it has the length and the checksum of the directory.
fn open<'h>(
    archive: &ZipArchive<Parts<'h>>,
    at: ZipArchiveEntryWayfinder,
    is_deflated: bool,
) -> io::Result<BoxRead<'h>> {
    let entry = archive.get_entry(at).map_err(damaged_entry)?;
    let (start, end) = entry.compressed_data_range();
    let packed = RangeReader::new(archive.get_ref().clone(), start..end);
    let packed = BufReader::with_capacity(BLOCK, packed);
    Ok(if is_deflated {
        Box::new(Member(entry.verifying_reader(DeflateDecoder::new(packed))))
    } else {
        Box::new(Member(entry.verifying_reader(packed)))
    })
}

fn damaged_entry(error: impl std::fmt::Display) -> io::Error {
    let text = format!("it is damaged in its zip archive ({error}): pack the files again");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// A file of an archive, whose errors have a remedy.
struct Member<R>(R);

impl<R: Read> Read for Member<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof => damaged_entry(error),
            _ => error,
        })
    }
}
