//! What is read, and how: all that a thread needs to read it.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tband_app::times;
use tband_conv::align::{AlignBy, align};
use tband_conv::{
    BoxRead, Format, Frequency, Input, Mode, Moment, Options, group_by_core, refuse_copies,
};
use tband_program::{ExplainError, explain, formats, of_elf_file};
use tband_tables::About;

use crate::failure::Failure;

/// Set when nobody wants the rest.
pub type Stop = Arc<AtomicBool>;

/// A file of a recording.
#[derive(Clone, Debug)]
pub struct Named {
    pub path: PathBuf,
    /// The core that its events belong to until the recording says otherwise, if the user says it.
    pub core: Option<u32>,
}

/// The recordings of one target, and how they are read.
#[derive(Clone, Debug)]
pub struct Source {
    pub files: Vec<Named>,
    pub format: Format,
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
    /// Fails early where it is plain that a file cannot be read.
    pub fn check(&self) -> Result<(), Failure> {
        if self.files.is_empty() {
            return Err(Failure::new("no recording: name its file, or its files"));
        }
        let mut known: Vec<PathBuf> = Vec::new();
        for Named { path, .. } in &self.files {
            let cannot = |error| Failure::cannot_read(path.display().to_string(), &error);
            let meta = fs::metadata(path).map_err(cannot)?;
            if meta.is_dir() {
                let advice = "; name the files of one target in it, or read tables in Parquet files with the library \
                              that takes them";
                return Err(Failure::of_file(path, "it is a folder", advice));
            }
            if !meta.is_file() {
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
    pub fn inputs(&self, stop: &Stop) -> Result<Vec<Input<'static>>, Failure> {
        let open = |named: &Named| {
            let (path, stop) = (named.path.clone(), Arc::clone(stop));
            let open = move || {
                let file = fs::File::open(&path)?;
                Ok(Box::new(Stoppable { file, stop: Arc::clone(&stop) }) as BoxRead<'static>)
            };
            let input = Input::new(shown(&named.path), open).in_format(self.format);
            (named.core, input.on_core(named.core.unwrap_or(0)))
        };
        let all: Vec<_> = self.files.iter().map(open).collect();
        refuse_copies(all.iter().map(|(_, input)| input))?;
        let mut inputs = group_by_core(all)?;
        if self.align == Some(AlignBy::Received) {
            inputs = inputs.into_iter().map(received).collect::<Result<_, _>>()?;
        }
        match &self.align {
            Some(by) => Ok(align(inputs, by, self.align_within)?.0),
            None => Ok(inputs),
        }
    }

    /// How they are converted, to what shows no crashes.
    pub fn options(&self) -> Result<Options, Failure> {
        let mut options = self.given();
        if let Some(elf) = &self.elf {
            formats(elf).map_err(program(elf))?.tell(&mut options);
        }
        (options.from, options.to) = (self.begin, self.end);
        Ok(options)
    }

    /// How they are converted, with the places of their crashes.
    pub fn explained(&self, inputs: &[Input<'_>]) -> Result<Options, Failure> {
        let mut options = self.given();
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

    /// What the user says of how they are converted.
    fn given(&self) -> Options {
        let mut options = Options::default();
        options.mode = self.mode;
        options.core_count = self.core_count;
        options.tick_rate = self.tick_rate;
        options
    }

    /// How the tables name it.
    pub fn about(&self) -> About {
        let name = self.name();
        let size = |named: &Named| fs::metadata(&named.path).map(|meta| meta.len());
        let bytes = self.files.iter().map(size).sum::<io::Result<u64>>().ok();
        About { recording: name.clone(), file: name, bytes }
    }

    /// Its files, for people.
    pub fn name(&self) -> String {
        self.files.iter().map(|named| shown(&named.path)).collect::<Vec<_>>().join(" ")
    }
}

/// Why a program cannot be read, which its text says.
fn program(elf: &Path) -> impl Fn(anyhow::Error) -> Failure + '_ {
    |error| Failure::of_program(elf, &error)
}

/// An input with what is known of when it was received.
fn received(input: Input<'static>) -> Result<Input<'static>, Failure> {
    let Some(path) = input.names().next().map(|name| times::beside(Path::new(name))) else {
        return Ok(input);
    };
    match fs::read_to_string(&path) {
        Ok(text) => match times::read(&text) {
            Ok(received) => Ok(input.with_received(received)),
            Err(wrong) => Err(Failure::of_file(&path, &wrong, "")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(input),
        Err(error) => Err(Failure::cannot_read(shown(&path), &error)),
    }
}

/// A path for people: what of it is no UTF-8 is replaced.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A file that comes to an end when nobody wants the rest.
struct Stoppable {
    file: fs::File,
    stop: Stop,
}

impl Read for Stoppable {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("nobody wants the rest"));
        }
        self.file.read(bytes)
    }
}
