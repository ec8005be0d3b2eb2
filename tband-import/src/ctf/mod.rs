//! CTF, the Common Trace Format: a folder with a metadata file and streams.

mod about;
mod decode;
mod json;
mod losses;
mod meaning;
mod model;
mod stream;
mod trace;
mod tsdl;

use memchr::memmem;

pub use self::meaning::{CtfMap, MapError};
pub use self::model::MetadataError;
pub use self::trace::{CtfError, CtfTrace, MAX_METADATA};
use crate::format::InputFormat;
use crate::recognised_format::RecognisedFormat;

/// Where `/* CTF 1.8` may begin after a licence comment, in bytes.
const COMMENT: usize = 4096;

/// Recognises a file of a CTF folder.
pub(crate) fn recognise(bytes: &[u8]) -> Option<RecognisedFormat> {
    let advice = ": name the folder that contains it";
    if let Some(version) = version(bytes) {
        let text = format!("the metadata file of a CTF {version} trace");
        return Some(RecognisedFormat::new(InputFormat::Ctf, text).with_advice(advice));
    }
    // tband's packets begin with the magic number in little endian, and may be damaged.
    let [0xC1, 0xFC, 0x1F, 0xC1] = bytes.first_chunk::<4>()? else { return None };
    let text = "a stream file of a CTF trace (big endian)";
    Some(RecognisedFormat::new(InputFormat::Ctf, text).with_advice(advice))
}

/// Recognises a folder by the beginning of its file `metadata`; `None` if the folder is not a CTF trace.
#[must_use]
pub fn recognise_folder(metadata: &[u8]) -> Option<RecognisedFormat> {
    let text = format!("the folder of a CTF {} trace", version(metadata)?);
    Some(RecognisedFormat::new(InputFormat::Ctf, text))
}

fn version(metadata: &[u8]) -> Option<&'static str> {
    let head = metadata.get(..COMMENT).unwrap_or(metadata);
    let is_packetised = matches!(
        metadata.first_chunk::<4>(),
        Some([0x75, 0xD1, 0x1D, 0x57] | [0x57, 0x1D, 0xD1, 0x75])
    );
    let is_json = metadata.first() == Some(&0x1E)
        && memmem::find(head, b"\"preamble\"").is_some()
        && memmem::find(head, b"\"version\"").is_some();
    if is_json {
        return Some("2");
    }
    (is_packetised || memmem::find(head, b"/* CTF 1.8").is_some()).then_some("1.8")
}
