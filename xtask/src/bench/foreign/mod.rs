//! Long recordings of other recorders: one of `tband-import/tests/recordings`, and its events again and again, with the numbers
//! and times that follow.

mod ctf;
mod percepio;
mod qp;
mod systemview;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;

/// A format whose recordings are extended here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    SystemView,
    TraceRecorder,
    Qs,
    Rkh,
    /// Of barectf.
    Ctf,
}

/// Writes a recording whose events are repeated so often. Returns the path for `tband-cli`.
///
/// # Errors
/// A file cannot be read or written.
pub fn write(root: &Path, folder: &Path, format: Format, rounds: usize) -> Result<PathBuf> {
    let path = folder.join(format!("{format:?}-{rounds}"));
    let read = |name: &str| read(root, name);
    let bytes = match format {
        Format::SystemView => systemview::extended(&read("systemview/default.bin")?, rounds)?,
        Format::TraceRecorder => percepio::extended(&read("percepio/4.11-stream.psf")?, rounds)?,
        Format::Qs => qp::extended(&read("qp/qs.bin")?, &qp::QS, rounds)?,
        Format::Rkh => qp::extended(&read("qp/rkh.bin")?, &qp::RKH, rounds)?,
        Format::Ctf => {
            fs::create_dir_all(&path)?;
            fs::write(path.join("metadata"), read("ctf/barectf/metadata")?)?;
            fs::write(path.join("tband-map.toml"), ctf::map(root)?)?;
            let stream = ctf::extended(&read("ctf/barectf/stream")?, rounds)?;
            fs::write(path.join("stream"), stream)?;
            return Ok(path);
        }
    };
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// A recording of the tests.
fn read(root: &Path, name: &str) -> Result<Vec<u8>> {
    let path = root.join("tband-import/tests/recordings").join(format!("{name}.gz"));
    let packed = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut bytes = Vec::new();
    GzDecoder::new(&*packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}
