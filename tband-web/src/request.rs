//! A request of the page.

use std::io::BufReader;
use std::rc::Rc;

use serde_json::Value;
use tband_app::ctf_files::FolderFile;
use tband_app::file_inputs::{FileInputs, FileSettings};
use tband_app::options::{RequestOptions, values};
use tband_app::zip;
use tband_conv::Input;
use tband_conv::encoding::notation::BoxRead;
use tband_report::messages;

use crate::host::{FileReader, Host};

/// Bytes that are requested from the host at once, for all inputs together: each request costs the browser a message.
const BLOCKS: usize = 4 << 20;
/// The least for one of them.
const MIN_BLOCK: usize = 1 << 16;

/// The request, as an object: `command`, `inputs` (each `name`, its `size` in bytes, the `folder` that it was dropped in, and, if
/// the user set it, `core`, as a text), `as`, `folder`, and
/// options by the names of the command line, as texts, switches or numbers; a missing or empty one has its default. `compare`
/// has the files of a second recording, for a report of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r>(pub &'r Value);

/// Returns a text that is not empty.
fn filled(value: &Value) -> Option<&str> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty())
}

impl<'r> Request<'r> {
    /// A member that is a text.
    pub fn text(self, name: &str) -> Option<&'r str> {
        self.0.get(name).and_then(filled)
    }

    /// Returns all options. Members that are not options are ignored.
    pub fn into_options(self) -> Result<RequestOptions, String> {
        let mut asked = RequestOptions::default();
        for (name, value) in self.0.as_object().into_iter().flatten() {
            match value {
                Value::String(_) => {
                    if let Some(text) = filled(value) {
                        asked.set(name, text)?;
                    }
                }
                Value::Bool(_) | Value::Number(_) => drop(asked.set(name, &value.to_string())?),
                _ => {}
            }
        }
        Ok(asked)
    }

    /// A list of files.
    fn files(self, name: &str) -> &'r [Value] {
        self.0.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The recordings.
    pub fn inputs<'h>(
        self,
        host: &'h dyn Host,
        asked: &RequestOptions,
    ) -> Result<Vec<Input<'h>>, String> {
        match self.files("inputs") {
            [] => Err("there is no file".to_owned()),
            files => open(files, 0, host, asked),
        }
    }

    /// Returns the inputs of a second recording, if there is one.
    pub fn compared<'h>(
        self,
        host: &'h dyn Host,
        asked: &RequestOptions,
    ) -> Result<Option<Vec<Input<'h>>>, String> {
        match self.files("compare") {
            [] => Ok(None),
            files => open(files, self.files("inputs").len(), host, asked).map(Some),
        }
    }
}

/// Files of one target; the host knows them by numbers from `first` on.
fn open<'h>(
    all: &[Value],
    first: usize,
    host: &'h dyn Host,
    &RequestOptions { format, input_format, .. }: &RequestOptions,
) -> Result<Vec<Input<'h>>, String> {
    let block = (BLOCKS / all.len()).max(MIN_BLOCK);
    let mut files = Vec::new();
    for (place, value) in all.iter().enumerate() {
        files.extend(files_of(value, first + place, host, block)?);
    }
    let how = FileSettings { format, recorder: input_format, map: None };
    FileInputs::new(files, how)?.all().map_err(|error| messages::error(&error).1)
}

/// A file, with the core that the user has set.
type RequestFile<'h> = (FolderFile<'h>, Option<u32>);

/// The file with this number, or those in it if it is a zip archive.
fn files_of<'h>(
    value: &Value,
    file: usize,
    host: &'h dyn Host,
    block: usize,
) -> Result<Vec<RequestFile<'h>>, String> {
    let text = |name: &str| value.get(name).and_then(filled);
    let name = value.get("name").and_then(Value::as_str).unwrap_or("recording");
    let wrong = |error| format!("core: {name}: {error}");
    let core = text("core").map(values::core).transpose().map_err(wrong)?;
    let of_core = |file| (file, core);
    let read = Rc::new(move |bytes: &mut [u8], offset| host.read(file, offset, bytes));
    if let Some(size) = value.get("size").and_then(Value::as_u64)
        && let Some(files) = zip::files(name, read, size)?
    {
        return Ok(files.into_iter().map(of_core).collect());
    }
    let open = move || {
        let reader = FileReader { host, file, offset: 0 };
        Ok(Box::new(BufReader::with_capacity(block, reader)) as BoxRead<'h>)
    };
    let folder = value.get("folder").and_then(Value::as_str).unwrap_or_default();
    Ok(vec![of_core(FolderFile::new(folder, name, open))])
}
