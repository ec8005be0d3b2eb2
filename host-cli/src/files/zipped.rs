//! Inputs in a zip archive.

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use tband_app::file_inputs::{FileInputs, FileSettings};
use tband_app::{ctf_folder, zip};
use tband_conv::encoding::notation::Format;

use crate::settings::InputSettings;

/// Opens the recordings in a zip archive; `None` if the file is not one.
///
/// # Errors
/// The archive, or a CTF trace in it, cannot be read: the message has the file, the error and the remedy.
pub fn open(
    path: &Path,
    core: Option<u32>,
    how: InputSettings<'_>,
) -> anyhow::Result<Option<FileInputs<'static>>> {
    let name = path.display().to_string();
    let cannot = || format!("cannot read {name}");
    if how.format != Format::Auto {
        return Ok(None);
    }
    let file = File::open(path).with_context(cannot)?;
    let len = file.metadata().with_context(cannot)?.len();
    let Some(files) = zip::files(&name, zip::parts_of(file), len).map_err(anyhow::Error::msg)?
    else {
        return Ok(None);
    };
    let map = how.ctf_map.map(ctf_folder::read_map).transpose().map_err(anyhow::Error::msg)?;
    let how = FileSettings { format: how.format, recorder: how.recorder, map: map.as_ref() };
    let files = files.into_iter().map(|file| (file, core)).collect();
    FileInputs::new(files, how).map(Some).map_err(anyhow::Error::msg)
}
