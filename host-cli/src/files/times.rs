//! The files with the times of reception: `record --times` writes them, and `--align received` reads them.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use tband_app::times::{line, path_for, read};
use tband_conv::Input;

/// A file of times that grows.
pub struct Times {
    /// `None` before the first bytes are received: until then the earlier recording is there, with its times.
    file: Option<File>,
    path: PathBuf,
}

impl Times {
    /// Creates the times of a recording that begins.
    pub fn new(recording: &Path) -> Self {
        Self { file: None, path: path_for(recording) }
    }

    /// Records that this many bytes of the recording had been received at this time. An earlier file is overwritten.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn receive(&mut self, bytes: u64, at: SystemTime) -> anyhow::Result<()> {
        let ns = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let cannot = || format!("cannot write {}", self.path.display());
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(&self.path).with_context(cannot)?),
        };
        // A line at a time, whatever ends this program.
        file.write_all(format!("{}\n", line(bytes, ns)).as_bytes()).with_context(cannot)
    }
}

/// An input with the times beside its file, if there are any.
///
/// # Errors
/// They cannot be read.
pub fn with(input: Input<'static>) -> anyhow::Result<Input<'static>> {
    let Some(path) = input.names().next().map(|name| path_for(Path::new(name))) else {
        return Ok(input);
    };
    if !path.exists() {
        return Ok(input);
    }
    let shown = || path.display();
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", shown()))?;
    let received = read(&text).map_err(|error| anyhow!("{}: {error}", shown()))?;
    Ok(input.with_received(received))
}
