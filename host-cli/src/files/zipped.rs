//! Inputs in a zip archive.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use anyhow::Context;
use tband_app::ctf_files::{self, Part};
use tband_app::{ctf_folder, zip};
use tband_conv::{Format, Input, InputFormat, group_by_core, refuse_copies};

use crate::settings::InputSettings;

/// The inputs in an archive.
pub struct ZippedInputs {
    /// Streams of CTF traces.
    pub streams: Vec<Input<'static>>,
    /// Other recordings, with the core that the user has named.
    pub recordings: Vec<(Option<u32>, Input<'static>)>,
}

impl ZippedInputs {
    /// All of them; files of one core are one recording.
    ///
    /// # Errors
    /// Two are the same, or a core is out of range.
    pub fn all(self) -> anyhow::Result<Vec<Input<'static>>> {
        refuse_copies(self.recordings.iter().map(|(_, input)| input))?;
        let mut inputs = self.streams;
        inputs.extend(group_by_core(self.recordings)?);
        Ok(inputs)
    }
}

/// Opens the recordings in a zip archive; `None` if the file is not one.
///
/// # Errors
/// The archive, or a CTF trace in it, cannot be read: the message has the file, the error and the remedy.
pub fn open(
    path: &Path,
    core: Option<u32>,
    how: InputSettings<'_>,
) -> anyhow::Result<Option<ZippedInputs>> {
    let name = path.display().to_string();
    let cannot = || format!("cannot read {name}");
    if how.format != Format::Auto {
        return Ok(None);
    }
    let file = File::open(path).with_context(cannot)?;
    let len = file.metadata().with_context(cannot)?.len();
    let file = RefCell::new(file);
    let read = Rc::new(move |bytes: &mut [u8], offset| {
        let mut file = file.borrow_mut();
        file.seek(SeekFrom::Start(offset))?;
        file.read(bytes)
    });
    let Some(files) = zip::files(&name, read, len).map_err(anyhow::Error::msg)? else {
        return Ok(None);
    };
    let map = how.ctf_map.map(ctf_folder::read_map).transpose().map_err(anyhow::Error::msg)?;
    let is_ctf = matches!(how.recorder, InputFormat::Auto | InputFormat::Ctf);
    let traces = if is_ctf { ctf_files::find(&files, map.as_ref()) } else { Ok(Vec::new()) };
    let traces = traces.map_err(anyhow::Error::msg)?;
    let (mut streams, mut recordings) = (Vec::new(), Vec::new());
    for file in files {
        let part = file.part_in(&traces);
        let input = file.into_input().on_core(core.unwrap_or(0));
        let input = input.in_format(how.format).of_format(how.recorder);
        match part {
            Part::Description => {}
            Part::Stream(trace) => streams.push(input.of_trace(trace)),
            Part::Other => recordings.push((core, input)),
        }
    }
    Ok(Some(ZippedInputs { streams, recordings }))
}
