//! A CTF trace among the files of a request: the file `metadata`, and its streams beside it.

use std::io::Read;
use std::rc::Rc;

use tband_conv::{CtfTrace, MAX_METADATA, is_ctf_stream, recognise_folder};

use crate::host::FileReader;

/// The file that describes a trace.
const METADATA: &str = "metadata";
/// A mapping file, which the page does not read.
const MAP: &str = "tband-map.toml";
/// Number of bytes from which the format of a file is recognised.
const HEAD: u64 = 64 * 1024;

/// A file of the request.
pub(crate) struct Named<'h> {
    pub name: &'h str,
    pub reader: FileReader<'h>,
}

/// Reads the trace whose metadata is among the files. `None`: none of them is metadata.
///
/// # Errors
/// The message has the file, the error and the remedy.
pub(crate) fn find(files: &[Named<'_>]) -> Result<Option<Rc<CtfTrace>>, String> {
    let Some(file) = files.iter().find(|file| file.is_metadata()) else { return Ok(None) };
    let cannot = |error| format!("cannot read {METADATA}: {error}");
    let (mut bytes, limit) = (Vec::new(), MAX_METADATA as u64 + 1);
    file.reader.clone().take(limit).read_to_end(&mut bytes).map_err(cannot)?;
    if recognise_folder(&bytes).is_none() {
        return Ok(None);
    }
    if files.iter().any(|file| file.name == MAP) {
        return Err(format!(
            "{MAP}: the page reads traces without a mapping file; with it: tband-cli report FOLDER"
        ));
    }
    let streams = files.len().saturating_sub(1);
    if streams == 0 {
        return Err(format!(
            "{METADATA} describes a CTF trace, and has no events: drop all files of the trace together"
        ));
    }
    let trace = CtfTrace::read(&bytes, None, streams);
    trace.map(|trace| Some(Rc::new(trace))).map_err(|error| format!("{METADATA}: {error}"))
}

impl Named<'_> {
    /// It has the name of the metadata.
    pub fn is_metadata(&self) -> bool {
        self.name == METADATA
    }

    /// Whether it is a stream of the trace.
    pub fn is_stream_of(&self, trace: &CtfTrace) -> bool {
        let mut head = Vec::new();
        let read = self.reader.clone().take(HEAD).read_to_end(&mut head);
        read.is_ok() && !head.is_empty() && is_ctf_stream(trace, &head)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::json;

    use crate::{Host, run};

    const TRACE: &[u8] = b"/* CTF 1.8 */ typealias integer { size = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; }; };
event { id = 7; name = beep; fields := struct { u8 n; }; };";

    /// Files in memory.
    struct Files(Vec<&'static [u8]>);

    impl Host for Files {
        fn read(&self, file: usize, offset: u64, bytes: &mut [u8]) -> io::Result<usize> {
            let rest = self.0[file].get(usize::try_from(offset).unwrap()..).unwrap_or_default();
            let len = rest.len().min(bytes.len());
            bytes[..len].copy_from_slice(&rest[..len]);
            Ok(len)
        }

        fn write(&self, _: usize, _: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn append(&self, _: usize, _: usize) {}
    }

    #[test]
    fn metadata_and_streams_are_a_trace() {
        let asked = |files: &[(&str, &'static [u8])]| {
            let names: Vec<_> = files.iter().map(|(name, _)| json!({"name": name})).collect();
            let host = Files(files.iter().map(|(_, bytes)| *bytes).collect());
            run(&json!({"command": "check", "inputs": names}), &host)
        };
        let stream: (&str, &[u8]) = ("stream", &[7, 1, 7, 2, 7, 3]);
        for files in [[("metadata", TRACE), stream], [stream, ("metadata", TRACE)]] {
            let answer = asked(&files);
            assert_eq!(answer["failed"], false, "{answer}");
            assert!(answer["check"].to_string().contains("CTF 1.8"), "{answer}");
            assert!(answer["events"].as_u64().unwrap() >= 3, "{answer}");
        }
        for (files, error) in [
            (vec![("metadata", TRACE)], "drop all files of the trace together"),
            (vec![("metadata", TRACE), stream, ("tband-map.toml", b"")], "tband-cli report FOLDER"),
            (vec![("metadata", b"/* CTF 1.8 */ trace { major = ; };"), stream], "line 1"),
        ] {
            let answer = asked(&files);
            assert_eq!(answer["failed"], true, "{answer}");
            assert!(answer["messages"].to_string().contains(error), "{answer}");
        }
    }
}
