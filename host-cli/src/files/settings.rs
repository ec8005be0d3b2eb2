//! How inputs are read.

use std::path::Path;

use tband_conv::InputFormat;
use tband_conv::encoding::notation::Format;

/// How inputs are read.
#[derive(Clone, Copy, Default)]
pub struct InputSettings<'a> {
    pub format: Format,
    pub recorder: InputFormat,
    /// The mapping file of CTF traces.
    pub ctf_map: Option<&'a Path>,
}
