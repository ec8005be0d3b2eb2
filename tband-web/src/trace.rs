//! CTF traces among the files of a request: each a file `metadata`, with the streams and the mapping file of its folder.

use std::io::Read;
use std::rc::Rc;

use tband_conv::{CtfMap, CtfTrace, MAX_METADATA, is_ctf_stream, recognise_folder};

use crate::host::FileReader;

/// The file that describes a trace.
const METADATA: &str = "metadata";
/// How the names of mapping files end.
const MAP_ENDING: &str = ".toml";
/// Number of bytes from which the format of a file is recognised.
const HEAD: u64 = 64 * 1024;
/// Bytes of a mapping file, at most.
const MAX_MAP: u64 = 1 << 20;

/// A file of the request.
pub(crate) struct RequestFile<'h> {
    pub name: &'h str,
    /// The folder that it was dropped in; empty if it was chosen alone.
    pub folder: &'h str,
    pub reader: FileReader<'h>,
}

/// A trace, and the folder of its files.
pub(crate) struct TraceOfFolder<'h> {
    folder: &'h str,
    trace: Rc<CtfTrace>,
}

/// The part that a file has in the traces of a request.
pub(crate) enum Part {
    /// It describes a trace, or maps its events.
    Description,
    /// It has events of a trace.
    Stream(Rc<CtfTrace>),
    /// None.
    Other,
}

/// Reads the traces whose metadata is among the files.
///
/// # Errors
/// The message has the file, the error and the remedy.
pub(crate) fn find<'h>(files: &[RequestFile<'h>]) -> Result<Vec<TraceOfFolder<'h>>, String> {
    let mut traces: Vec<TraceOfFolder<'h>> = Vec::new();
    for file in files.iter().filter(|file| file.is_metadata()) {
        let metadata = file.bytes(MAX_METADATA as u64)?;
        if recognise_folder(&metadata).is_none() {
            continue;
        }
        let folder = file.folder;
        if traces.iter().any(|it| it.folder == folder) {
            return Err(format!(
                "{}: two CTF traces have no folders that distinguish them: drop the folder of each",
                file.shown()
            ));
        }
        let is_other =
            |it: &&RequestFile<'_>| it.folder == folder && !it.is_metadata() && !it.is_map();
        let streams = files.iter().filter(is_other).count();
        if streams == 0 {
            return Err(format!(
                "{} describes a CTF trace, and has no events: drop all files of the trace together",
                file.shown()
            ));
        }
        let map = map_of(folder, files)?;
        let trace =
            CtfTrace::read(&metadata, map.as_ref(), streams).map_err(|error| match error {
                tband_conv::CtfError::Metadata(error) => format!("{}: {error}", file.shown()),
                tband_conv::CtfError::Map(error) => error.to_string(),
            })?;
        traces.push(TraceOfFolder { folder, trace: Rc::new(trace) });
    }
    let map = files.iter().find(|file| file.is_map()).filter(|_| traces.is_empty());
    match map {
        Some(map) => Err(format!(
            "{} has the ending of a mapping file, which belongs to a CTF trace: drop metadata and the streams with it",
            map.shown()
        )),
        None => Ok(traces),
    }
}

/// The mapping file in a folder, or else the one that was chosen alone.
fn map_of(folder: &str, files: &[RequestFile<'_>]) -> Result<Option<CtfMap>, String> {
    for place in [folder, ""] {
        let mut maps = files.iter().filter(|file| file.folder == place && file.is_map());
        let Some(map) = maps.next() else { continue };
        if let Some(second) = maps.next() {
            return Err(format!(
                "{} and {} are two mapping files for one CTF trace: leave one out",
                map.shown(),
                second.shown()
            ));
        }
        let text = String::from_utf8(map.bytes(MAX_MAP)?)
            .map_err(|_| format!("{} is not a text of UTF-8", map.shown()))?;
        let map = CtfMap::read(&map.shown(), &text).map_err(|error| error.to_string())?;
        return Ok(Some(map));
    }
    Ok(None)
}

impl RequestFile<'_> {
    /// Its name for messages.
    pub fn shown(&self) -> String {
        match self.folder {
            "" => self.name.to_owned(),
            folder => format!("{folder}/{}", self.name),
        }
    }

    fn is_metadata(&self) -> bool {
        self.name == METADATA
    }

    fn is_map(&self) -> bool {
        self.name.ends_with(MAP_ENDING)
    }

    /// Reads the whole file, up to a byte more than the limit.
    fn bytes(&self, limit: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = self.reader.clone().take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| format!("cannot read {}: {error}", self.shown()))?;
        if bytes.len() as u64 > limit && self.is_map() {
            return Err(format!("{} has more than {limit} bytes", self.shown()));
        }
        Ok(bytes)
    }

    /// The part that it has in these traces.
    pub fn part_in(&self, traces: &[TraceOfFolder<'_>]) -> Part {
        if !traces.is_empty() && self.is_map() {
            return Part::Description;
        }
        let Some(TraceOfFolder { trace, .. }) = traces.iter().find(|it| it.folder == self.folder)
        else {
            return Part::Other;
        };
        if self.is_metadata() {
            return Part::Description;
        }
        let mut head = Vec::new();
        let read = self.reader.clone().take(HEAD).read_to_end(&mut head);
        if read.is_ok() && !head.is_empty() && is_ctf_stream(trace, &head) {
            return Part::Stream(Rc::clone(trace));
        }
        Part::Other
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
            (vec![("metadata", b"/* CTF 1.8 */ trace { major = ; };"), stream], "line 1"),
        ] {
            let answer = asked(&files);
            assert_eq!(answer["failed"], true, "{answer}");
            assert!(answer["messages"].to_string().contains(error), "{answer}");
        }
    }

    const MAP: (&str, &[u8]) = (
        "beeps.toml",
        b"[[rule]]\nevent = \"beep\"\nmeans = \"value\"\nname = { text = \"tone\" }\nvalue = \"n\"\n",
    );

    /// Runs a command on files of folders.
    fn answer_of(command: &str, files: &[(&str, &str, &'static [u8])]) -> serde_json::Value {
        let inputs: Vec<_> =
            files.iter().map(|(folder, name, _)| json!({"name": name, "folder": folder})).collect();
        let host = Files(files.iter().map(|(_, _, bytes)| *bytes).collect());
        run(&json!({"command": command, "inputs": inputs}), &host)
    }

    #[test]
    fn a_mapping_file_gives_events_their_meaning() {
        let stream: &[u8] = &[7, 1, 7, 2, 7, 3];
        let values = |answer: &serde_json::Value| {
            assert_eq!(answer["failed"], false, "{answer}");
            let lacks = &answer["check"]["sources"][0]["not_recorded"];
            !lacks.to_string().contains("shown as markers")
        };
        let of = |name, bytes| [("", "metadata", TRACE), ("", "stream", stream), ("", name, bytes)];
        assert!(!values(&answer_of("check", &of("stream2", stream))));
        assert!(values(&answer_of("check", &of(MAP.0, MAP.1))));
        // That of another folder is of another trace; one that was chosen alone is for all.
        let folders = |of_map| {
            [
                ("a", "metadata", TRACE),
                ("a", "stream", stream),
                ("b", "metadata", TRACE),
                ("b", "stream", stream),
                (of_map, MAP.0, MAP.1),
            ]
        };
        let marked = |answer: &serde_json::Value| {
            let sources = answer["check"]["sources"].as_array().unwrap();
            let is_marked =
                |source: &&serde_json::Value| source.to_string().contains("shown as markers");
            sources.iter().filter(is_marked).count()
        };
        let both = answer_of("check", &folders("b"));
        assert_eq!((both["failed"].as_bool(), marked(&both)), (Some(false), 1), "{both}");
        assert_eq!(marked(&answer_of("check", &folders(""))), 0);
    }

    #[test]
    fn files_that_do_not_fit_a_trace_are_named() {
        let stream: &[u8] = &[7, 1, 7, 2, 7, 3];
        let (metadata, stream) = (("t", "metadata", TRACE), ("t", "stream", stream));
        let map = |name, bytes| ("t", name, bytes);
        for (files, error) in [
            (
                vec![metadata, stream, map("a.toml", MAP.1), map("b.toml", MAP.1)],
                "t/a.toml and t/b.toml",
            ),
            (
                vec![metadata, stream, map("a.toml", b"idle = 1")],
                "t/a.toml: line 1: a list is needed",
            ),
            (vec![metadata, stream, map("a.toml", b"\xFF")], "t/a.toml is not a text of UTF-8"),
            (
                vec![
                    metadata,
                    stream,
                    map(
                        "a.toml",
                        b"[[rule]]\nevent = \"beep\"\nmeans = \"value\"\nvalue = \"x\"\n",
                    ),
                ],
                "line 2: the event 'beep' has no field 'x'",
            ),
            (vec![stream, map("a.toml", MAP.1)], "t/a.toml has the ending of a mapping file"),
            (vec![metadata, map("a.toml", MAP.1)], "t/metadata describes a CTF trace"),
            (vec![metadata, stream, metadata], "have no folders that distinguish them"),
        ] {
            let answer = answer_of("check", &files);
            assert_eq!(answer["failed"], true, "{answer}");
            assert!(answer["messages"].to_string().contains(error), "{error}: {answer}");
        }
    }
}
