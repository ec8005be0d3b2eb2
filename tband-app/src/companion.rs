//! The file with names that belongs to a recording: the `.dic` file of QP beside a recording of QS.

use std::fs::{self, File};
use std::path::Path;

use tband_conv::InputFormat;
use tband_conv::foreign::{recognised_format, recording_head};

/// Largest file with names, in bytes.
pub(crate) const LARGEST: u64 = 16 << 20;
/// The end of its name.
pub(crate) const ENDING: &str = ".dic";

/// The text that is to be read in front of a recording: that of the `.dic` file of the same name, if the recording is one of QS.
pub fn names_of(recording: &Path, format: InputFormat) -> Option<Vec<u8>> {
    let path = recording.with_extension("dic");
    if path == recording || !fs::metadata(&path).is_ok_and(|meta| meta.len() <= LARGEST) {
        return None;
    }
    let is_qs = match format {
        InputFormat::Qs => true,
        InputFormat::Auto => {
            let bytes = recording_head(File::open(recording).ok()?).ok()?;
            recognised_format(&bytes) == Some(InputFormat::Qs)
        }
        _ => false,
    };
    let text = if is_qs { fs::read(&path).ok()? } else { return None };
    (recognised_format(&text) == Some(InputFormat::Qs)).then_some(text)
}
