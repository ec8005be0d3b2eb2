//! The recording to read, with all options that a thread needs for it.

use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tband_app::companion::names_of;
use tband_app::ctf_folder::{self, CtfFolder};
use tband_app::file_inputs::{FileInputs, FileSettings};
use tband_app::{times, zip};
use tband_conv::align::{AlignBy, align};
use tband_conv::clock::frequency::Frequency;
use tband_conv::clock::moment::Moment;
use tband_conv::encoding::notation::{BoxRead, Format};
use tband_conv::input::copies::refuse_copies;
use tband_conv::input::group::group_by_core;
use tband_conv::item::Mode;
use tband_conv::{Input, InputFormat, Options};
use tband_program::{ExplainError, explain, formats, of_elf_file};
use tband_tables::RecordingInfo;

use crate::failure::Failure;

/// Set when the rest is not wanted.
pub type StopFlag = Arc<AtomicBool>;

/// A file of a recording.
#[derive(Clone, Debug)]
pub struct RecordingFile {
    pub path: PathBuf,
    /// The core that its events belong to until the recording reports another one, if the user sets it.
    pub core: Option<u32>,
}

/// The recordings of one target, and how they are read.
#[derive(Clone, Debug)]
pub struct Source {
    pub files: Vec<RecordingFile>,
    pub format: Format,
    /// The recorder that made them.
    pub input_format: InputFormat,
    /// The mapping file of CTF traces.
    pub ctf_map: Option<PathBuf>,
    pub mode: Mode,
    pub core_count: Option<u32>,
    pub tick_rate: Option<Frequency>,
    pub align: Option<AlignBy>,
    pub align_within: Option<u64>,
    /// The program that made them.
    pub elf: Option<PathBuf>,
    pub begin: Option<Moment>,
    pub end: Option<Moment>,
}

impl Source {
    /// Fails early if a file obviously cannot be read.
    pub fn check(&self) -> Result<(), Failure> {
        if self.files.is_empty() {
            return Err(Failure::new("no recording: name its file, or its files"));
        }
        let mut known: Vec<PathBuf> = Vec::new();
        for RecordingFile { path, .. } in &self.files {
            let cannot = |error| Failure::cannot_read(path.display().to_string(), &error);
            let meta = fs::metadata(path).map_err(cannot)?;
            let is_asked = meta.is_dir() || self.input_format == InputFormat::Ctf;
            let is_ctf = is_asked && self.ctf(path)?.is_some();
            if meta.is_dir() && !is_ctf {
                let advice = "; name the files of one target in it, or read tables in Parquet files with the library \
                              that takes them";
                return Err(Failure::of_file(path, "it is a folder", advice));
            }
            if !meta.is_file() && !meta.is_dir() {
                let advice = ", and a recording is read several times: write it to a file first";
                return Err(Failure::of_file(path, "it can be read once only", advice));
            }
            let whole = fs::canonicalize(path).map_err(cannot)?;
            if known.contains(&whole) {
                return Err(Failure::of_file(
                    path,
                    "it is given twice",
                    "; its events would be there twice",
                ));
            }
            known.push(whole);
        }
        self.elf.as_deref().map_or(Ok(()), |elf| of_elf_file(elf, |_| Ok(())).map_err(program(elf)))
    }

    /// The inputs, on one axis of time. Reading them fails once `stop` is set.
    pub fn inputs(&self, stop: &StopFlag) -> Result<Vec<Input<'static>>, Failure> {
        let open = |path: &Path, core: Option<u32>| {
            let names: Arc<[u8]> = names_of(path, self.input_format).unwrap_or_default().into();
            let (shown, path, stop) = (display_path(path), path.to_owned(), Arc::clone(stop));
            let open = move || {
                let file = fs::File::open(&path)?;
                let file = StoppableFile { file, stop: Arc::clone(&stop) };
                Ok(Box::new(Cursor::new(Arc::clone(&names)).chain(file)) as BoxRead<'static>)
            };
            let input = Input::new(shown, open).in_format(self.format).of_format(self.input_format);
            (core, input.on_core(core.unwrap_or(0)))
        };
        let (mut traces, mut all) = (Vec::new(), Vec::new());
        let mut begins_with_trace = false;
        for RecordingFile { path, core } in &self.files {
            if let Some(FileInputs { streams, recordings }) = self.zipped(path, *core, stop)? {
                begins_with_trace |= !streams.is_empty() && all.is_empty();
                traces.extend(streams);
                all.extend(recordings);
                continue;
            }
            let Some(folder) = self.ctf(path)? else {
                all.push(open(path, *core));
                continue;
            };
            begins_with_trace |= all.is_empty();
            for stream in &folder.streams {
                traces.push(open(stream, *core).1.of_trace(Rc::clone(&folder.trace)));
            }
        }
        refuse_copies(all.iter().map(|(_, input)| input))?;
        let mut inputs = group_by_core(all)?;
        // The first one is whose clock others follow.
        let at = if begins_with_trace { 0 } else { inputs.len() };
        inputs.splice(at..at, traces);
        if self.align == Some(AlignBy::Received) {
            inputs = inputs.into_iter().map(received).collect::<Result<_, _>>()?;
        }
        match &self.align {
            Some(by) => Ok(align(inputs, by, self.align_within)?.0),
            None => Ok(inputs),
        }
    }

    /// The recordings in a zip archive; `None` if the file is not one.
    fn zipped(
        &self,
        path: &Path,
        core: Option<u32>,
        stop: &StopFlag,
    ) -> Result<Option<FileInputs<'static>>, Failure> {
        let name = display_path(path);
        let cannot = |error| Failure::cannot_read(name.clone(), &error);
        let meta = fs::metadata(path).map_err(cannot)?;
        if self.format != Format::Auto || !meta.is_file() {
            return Ok(None);
        }
        let file = fs::File::open(path).map_err(cannot)?;
        let file = StoppableFile { file, stop: Arc::clone(stop) };
        let files = zip::files(&name, zip::parts_of(file), meta.len()).map_err(Failure::new)?;
        let Some(files) = files else { return Ok(None) };
        let map = self.ctf_map.as_deref().map(ctf_folder::read_map).transpose();
        let map = map.map_err(Failure::new)?;
        let (format, recorder) = (self.format, self.input_format);
        let how = FileSettings { format, recorder, map: map.as_ref() };
        let files = files.into_iter().map(|file| (file, core)).collect();
        FileInputs::new(files, how).map(Some).map_err(Failure::new)
    }

    /// The CTF trace that a path names, if it does, and if the user names no other recorder.
    fn ctf(&self, path: &Path) -> Result<Option<CtfFolder>, Failure> {
        let is_ctf = matches!(self.input_format, InputFormat::Auto | InputFormat::Ctf);
        if !is_ctf {
            return Ok(None);
        }
        let found = ctf_folder::find(path, self.ctf_map.as_deref()).map_err(Failure::new)?;
        if found.is_none() && self.input_format == InputFormat::Ctf {
            let advice = ": name the folder with its file metadata";
            return Err(Failure::of_file(path, "it is not a stream of a CTF trace", advice));
        }
        Ok(found)
    }

    /// How they are converted, to what shows no crashes.
    pub fn options(&self) -> Result<Options, Failure> {
        let mut options = self.user_options();
        if let Some(elf) = &self.elf {
            formats(elf).map_err(program(elf))?.apply_to(&mut options);
        }
        (options.from, options.to) = (self.begin, self.end);
        Ok(options)
    }

    /// How they are converted, with the places of their crashes.
    pub fn explained(&self, inputs: &[Input<'_>]) -> Result<Options, Failure> {
        let mut options = self.user_options();
        if let Some(elf) = &self.elf {
            explain(elf, inputs, &mut options).map_err(|error| match error {
                ExplainError::Program(error) => program(elf)(error),
                ExplainError::Recording(error) => error.into(),
                other => Failure::new(other.to_string()),
            })?;
        }
        (options.from, options.to) = (self.begin, self.end);
        Ok(options)
    }

    /// Returns the user's options of the conversion.
    fn user_options(&self) -> Options {
        let mut options = Options::default();
        options.mode = self.mode;
        options.core_count = self.core_count;
        options.tick_rate = self.tick_rate;
        options.input_format = self.input_format;
        options
    }

    /// How the tables name it.
    pub fn about(&self) -> RecordingInfo {
        let name = self.name();
        let len = |path: &Path| fs::metadata(path).map(|meta| meta.len());
        let size = |named: &RecordingFile| match self.ctf(&named.path) {
            Ok(Some(folder)) => folder.streams.iter().map(|path| len(path)).sum(),
            _ => len(&named.path),
        };
        let bytes = self.files.iter().map(size).sum::<io::Result<u64>>().ok();
        RecordingInfo { recording: name.clone(), file: name, bytes }
    }

    /// Its files, for people.
    pub fn name(&self) -> String {
        self.files.iter().map(|named| display_path(&named.path)).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the error about a program that cannot be read.
fn program(elf: &Path) -> impl Fn(anyhow::Error) -> Failure + '_ {
    |error| Failure::of_program(elf, &error)
}

/// Returns an input with its times of reception, if they are known.
fn received(input: Input<'static>) -> Result<Input<'static>, Failure> {
    let Some(path) = input.names().next().map(|name| times::path_for(Path::new(name))) else {
        return Ok(input);
    };
    match fs::read_to_string(&path) {
        Ok(text) => match times::read(&text) {
            Ok(received) => Ok(input.with_received(received)),
            Err(wrong) => Err(Failure::of_file(&path, &wrong, "")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(input),
        Err(error) => Err(Failure::cannot_read(display_path(&path), &error)),
    }
}

/// Returns a path for people: bytes that are not UTF-8 are replaced.
pub fn display_path(path: &Path) -> String {
    path.display().to_string()
}

/// A file that ends when the rest is not wanted.
struct StoppableFile {
    file: fs::File,
    stop: StopFlag,
}

impl Seek for StoppableFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Read for StoppableFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the reader is gone"));
        }
        self.file.read(bytes)
    }
}
