//! CTF traces on disk: a folder with the file `metadata`, and streams beside it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tband_conv::foreign::recording_head;
use tband_conv::packets::{PacketPiece, PacketReader};
use tband_conv::{
    CtfMap, CtfTrace, MAX_METADATA, is_ctf_stream, may_be_ctf_stream, recognise_folder,
};

/// The file that describes a trace.
const METADATA: &str = "metadata";
/// A mapping file that is used where it is.
pub const MAP: &str = "tband-map.toml";
/// Levels of folders in which a trace is looked for.
const MAX_DEPTH: usize = 6;

/// A trace, and the files of its streams.
#[derive(Clone, Debug)]
pub struct CtfFolder {
    /// The folder of its metadata.
    pub folder: PathBuf,
    /// The facts in its metadata.
    pub trace: Rc<CtfTrace>,
    /// Its streams, by name.
    pub streams: Vec<PathBuf>,
    /// The mapping file that is used.
    pub map: Option<PathBuf>,
}

/// The folder has the metadata of a trace.
fn is_trace(folder: &Path) -> bool {
    let path = folder.join(METADATA);
    path.is_file()
        && File::open(&path)
            .and_then(recording_head)
            .is_ok_and(|bytes| recognise_folder(&bytes).is_some())
}

/// The folders of traces in a folder, and in those below it: tracers of several domains have one for each.
fn traces_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if is_trace(folder) {
        found.push(folder.to_owned());
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    if depth < MAX_DEPTH {
        folders.iter().for_each(|folder| traces_below(folder, depth + 1, found));
    }
}

/// The folder, or one below it, has a CTF trace.
#[must_use]
pub fn has_trace(folder: &Path) -> bool {
    let mut found = Vec::new();
    traces_below(folder, 0, &mut found);
    !found.is_empty()
}

/// The files of a folder that can be streams.
fn streams_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut streams = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_other = name == METADATA || name == MAP || name.starts_with('.');
        let is_empty = fs::metadata(&path).is_ok_and(|meta| meta.len() == 0);
        if !is_other && !is_empty && path.is_file() {
            streams.push(path);
        }
    }
    streams.sort();
    Ok(streams)
}

/// Finds the trace that a path names: its folder, its metadata, or one of its streams. `None`: it names something else. The mapping
/// file is the given one, else the one beside the metadata.
///
/// # Errors
/// The file, the line, the error, and the remedy.
pub fn find(path: &Path, map: Option<&Path>) -> Result<Option<CtfFolder>, String> {
    if path.is_dir() {
        let mut found = Vec::new();
        traces_below(path, 0, &mut found);
        return match found.as_slice() {
            [] => Ok(None),
            [folder] => {
                let streams = streams_in(folder)
                    .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
                if streams.is_empty() {
                    let folder = folder.display();
                    return Err(format!(
                        "{folder} has the metadata of a CTF trace, and no stream: copy all files of the trace"
                    ));
                }
                open(folder, streams, map).map(Some)
            }
            [first, ..] => Err(format!(
                "{} has {} CTF traces: name one of them, for example {}",
                path.display(),
                found.len(),
                first.display()
            )),
        };
    }
    let folder = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Ok(None),
    };
    if !path.is_file() || !is_trace(folder) {
        return Ok(None);
    }
    if path.file_name().is_some_and(|name| name == METADATA) {
        return find(folder, map);
    }
    let Ok(bytes) = File::open(path).and_then(recording_head) else { return Ok(None) };
    if !may_be_ctf_stream(&bytes) {
        return Ok(None);
    }
    // A recording of packets may lie beside an exported trace.
    let mut packets = PacketReader::new(&*bytes);
    if matches!(packets.next_piece(), Ok(Some(PacketPiece::Packet { .. }))) {
        return Ok(None);
    }
    let of_folder = open(folder, vec![path.to_owned()], map)?;
    Ok(is_ctf_stream(&of_folder.trace, &bytes).then_some(of_folder))
}

/// Reads metadata and mapping file of a trace.
fn open(folder: &Path, streams: Vec<PathBuf>, map: Option<&Path>) -> Result<CtfFolder, String> {
    let path = folder.join(METADATA);
    let cannot = |error: io::Error| format!("cannot read {}: {error}", path.display());
    let mut metadata = Vec::new();
    let limit = MAX_METADATA as u64 + 1;
    File::open(&path).map_err(cannot)?.take(limit).read_to_end(&mut metadata).map_err(cannot)?;
    let beside = Some(folder.join(MAP)).filter(|path| path.is_file());
    let map_file = map.map(Path::to_owned).or(beside);
    let map = map_file.as_deref().map(read_map).transpose()?;
    let trace = CtfTrace::read(&metadata, map.as_ref(), streams.len());
    let trace = trace.map_err(|error| match error {
        tband_conv::CtfError::Metadata(error) => format!("{}: {error}", path.display()),
        tband_conv::CtfError::Map(error) => error.to_string(),
    })?;
    Ok(CtfFolder { folder: folder.to_owned(), trace: Rc::new(trace), streams, map: map_file })
}

/// Reads a mapping file.
///
/// # Errors
/// The file, the line, the error, and the remedy.
pub fn read_map(path: &Path) -> Result<CtfMap, String> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    CtfMap::read(&shown.to_string(), &text).map_err(|error| error.to_string())
}
