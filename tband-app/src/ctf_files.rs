//! CTF traces among files of folders: each a file `metadata`, with the streams and the mapping file of its folder. The files may
//! be in an archive, or of a page, so they are not opened by a path.

use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use tband_conv::encoding::notation::BoxRead;
use tband_conv::foreign::recording_head;
use tband_conv::{CtfMap, CtfTrace, Input, MAX_METADATA, is_ctf_stream, recognise_folder};

/// The file that describes a trace.
const METADATA: &str = "metadata";
/// How the names of mapping files end.
const MAP_ENDING: &str = ".toml";
/// Bytes of a mapping file, at most.
const MAX_MAP: u64 = 1 << 20;

/// A file, by its name and folder.
#[derive(Clone)]
pub struct FolderFile<'h> {
    name: String,
    folder: String,
    open: Rc<dyn Fn() -> io::Result<BoxRead<'h>> + 'h>,
}

impl fmt::Debug for FolderFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path())
    }
}

fn path_of(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// A trace, and the folder of its files.
#[derive(Clone, Debug)]
pub struct TraceOfFolder {
    folder: String,
    trace: Rc<CtfTrace>,
}

/// The part that a file has in traces.
#[derive(Clone, Debug)]
pub enum Part {
    /// It describes a trace, or maps its events.
    Description,
    /// It has events of a trace.
    Stream(Rc<CtfTrace>),
    /// None.
    Other,
}

/// Reads the traces whose metadata is among the files. The mapping file of each is `map`, else the one in its folder.
///
/// # Errors
/// The message has the file, the error and the remedy.
pub fn find(files: &[FolderFile<'_>], map: Option<&CtfMap>) -> Result<Vec<TraceOfFolder>, String> {
    let mut traces: Vec<TraceOfFolder> = Vec::new();
    for file in files.iter().filter(|file| file.is_metadata()) {
        let metadata = file.bytes(MAX_METADATA as u64)?;
        if recognise_folder(&metadata).is_none() {
            continue;
        }
        let folder = &file.folder;
        if traces.iter().any(|it| it.folder == *folder) {
            return Err(format!(
                "{}: two CTF traces have no folders that distinguish them: drop the folder of each",
                file.path()
            ));
        }
        let is_other =
            |it: &&FolderFile<'_>| it.folder == *folder && !it.is_metadata() && !it.is_map();
        let streams = files.iter().filter(is_other).count();
        if streams == 0 {
            return Err(format!(
                "{} describes a CTF trace, and has no events: drop all files of the trace together",
                file.path()
            ));
        }
        let beside = if map.is_none() { map_of(folder, files)? } else { None };
        let trace = CtfTrace::read(&metadata, map.or(beside.as_ref()), streams).map_err(
            |error| match error {
                tband_conv::CtfError::Metadata(error) => format!("{}: {error}", file.path()),
                tband_conv::CtfError::Map(error) => error.to_string(),
            },
        )?;
        traces.push(TraceOfFolder { folder: folder.clone(), trace: Rc::new(trace) });
    }
    let lone = files.iter().find(|file| file.is_map()).filter(|_| traces.is_empty());
    match lone {
        Some(map) => Err(format!(
            "{} has the ending of a mapping file, which belongs to a CTF trace: drop metadata and the streams with it",
            map.path()
        )),
        None => Ok(traces),
    }
}

/// The mapping file in a folder, or else the one that was chosen alone.
fn map_of(folder: &str, files: &[FolderFile<'_>]) -> Result<Option<CtfMap>, String> {
    for place in [folder, ""] {
        let mut maps = files.iter().filter(|file| file.folder == place && file.is_map());
        let Some(map) = maps.next() else { continue };
        if let Some(second) = maps.next() {
            return Err(format!(
                "{} and {} are two mapping files for one CTF trace: leave one out",
                map.path(),
                second.path()
            ));
        }
        let text = String::from_utf8(map.bytes(MAX_MAP)?)
            .map_err(|_| format!("{} is not a text of UTF-8", map.path()))?;
        let map = CtfMap::read(&map.path(), &text).map_err(|error| error.to_string())?;
        return Ok(Some(map));
    }
    Ok(None)
}

impl<'h> FolderFile<'h> {
    /// A file that `open` reads from its start. The folder is empty if the file has none.
    pub fn new(folder: &str, name: &str, open: impl Fn() -> io::Result<BoxRead<'h>> + 'h) -> Self {
        Self { name: name.to_owned(), folder: folder.to_owned(), open: Rc::new(open) }
    }

    /// Reads it from its start.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<BoxRead<'h>> {
        (self.open)()
    }

    /// The input that it is.
    #[must_use]
    pub fn into_input(self) -> Input<'h> {
        let Self { name, folder, open } = self;
        Input::new(path_of(&folder, &name), move || open())
    }

    /// Its folder and name, for messages.
    #[must_use]
    pub fn path(&self) -> String {
        path_of(&self.folder, &self.name)
    }

    /// Its name, without the folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// It describes a trace, by its name.
    pub(crate) fn is_metadata(&self) -> bool {
        self.name == METADATA
    }

    fn is_map(&self) -> bool {
        self.name.ends_with(MAP_ENDING)
    }

    /// Reads the whole file, up to a byte more than the limit.
    pub(crate) fn bytes(&self, limit: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read =
            |reader: BoxRead<'_>| reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        self.open()
            .and_then(read)
            .map_err(|error| format!("cannot read {}: {error}", self.path()))?;
        if bytes.len() as u64 > limit && self.is_map() {
            return Err(format!("{} has more than {limit} bytes", self.path()));
        }
        Ok(bytes)
    }

    /// The part that it has in these traces.
    #[must_use]
    pub fn part_in(&self, traces: &[TraceOfFolder]) -> Part {
        if !traces.is_empty() && self.is_map() {
            return Part::Description;
        }
        let Some(TraceOfFolder { trace, .. }) = traces.iter().find(|it| it.folder == self.folder)
        else {
            return Part::Other;
        };
        if self.is_metadata() {
            return Part::Description;
        }
        if self
            .open()
            .and_then(recording_head)
            .is_ok_and(|it| !it.is_empty() && is_ctf_stream(trace, &it))
        {
            return Part::Stream(Rc::clone(trace));
        }
        Part::Other
    }
}
