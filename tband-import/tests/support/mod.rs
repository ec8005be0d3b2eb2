//! Recordings of other recorders, compared with their truth logs.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

/// A file below `tests/recordings`, decompressed.
pub fn recording(name: &str) -> Vec<u8> {
    let path = Path::new("tests/recordings").join(format!("{name}.gz"));
    let packed = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes
}
