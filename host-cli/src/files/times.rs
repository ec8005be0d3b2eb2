//! When a recording came, in a file beside it: `FILE.times`, which `record --times` writes and `--align received` reads.
//!
//! Each line has two numbers: how many bytes had come, and when, in ns since 1970.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use tband_conv::Input;

/// The file beside a recording.
pub fn beside(recording: &Path) -> PathBuf {
    let mut name = recording.as_os_str().to_owned();
    name.push(".times");
    name.into()
}

/// A file of times that grows.
pub struct Times {
    file: BufWriter<File>,
    path: PathBuf,
}

impl Times {
    /// Of a recording that begins. What was there is written over.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(recording: &Path) -> anyhow::Result<Self> {
        let path = beside(recording);
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: BufWriter::new(file), path })
    }

    /// So many bytes of the recording have come at this time.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn came(&mut self, bytes: u64, at: SystemTime) -> anyhow::Result<()> {
        let ns = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        writeln!(self.file, "{bytes} {ns}")
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// An input with the times beside its file, if there are any.
///
/// # Errors
/// They cannot be read.
pub fn with(input: Input<'static>) -> anyhow::Result<Input<'static>> {
    let Some(path) = input.names().next().map(|name| beside(Path::new(name))) else {
        return Ok(input);
    };
    if !path.exists() {
        return Ok(input);
    }
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut received = Vec::new();
    let mut before = (0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let pair = line.split_once(' ');
        let pair = pair.and_then(|(end, ns)| Some((end.parse().ok()?, ns.parse().ok()?)));
        let Some(pair) = pair.filter(|(end, _)| *end >= before.0) else {
            bail!(
                "{}: line {number} is '{}', not a number of bytes and a time in ns, as record --times writes them",
                path.display(),
                tband_report::printable(line)
            );
        };
        before = pair;
        received.push(pair);
    }
    Ok(input.with_received(received))
}
