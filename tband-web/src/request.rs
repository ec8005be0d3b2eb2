//! What is asked for.

use std::io::BufReader;

use serde_json::Value;
use tband_app::options::{Asked, values};
use tband_conv::{BoxRead, Input, group_by_core, refuse_copies};
use tband_report::messages;

use crate::host::{FileReader, Host};

/// Bytes that are asked of the host at once, for all inputs together: each time costs the browser a message.
const BLOCKS: usize = 4 << 20;
/// The least for one of them.
const MIN_BLOCK: usize = 1 << 16;

/// What is asked for, as an object: `command`, `inputs` (each `name` and, if the user said so, `core`, as a text), `as`,
/// `folder`, and options by the names of the command line, as texts, switches or numbers; what is not there or empty has
/// its default. `compare` has the files of a second recording, for a report of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r>(pub &'r Value);

/// A text that says something.
fn filled(value: &Value) -> Option<&str> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty())
}

impl<'r> Request<'r> {
    /// A member that is a text.
    pub fn text(self, name: &str) -> Option<&'r str> {
        self.0.get(name).and_then(filled)
    }

    /// All options. Members that are none are for others.
    pub fn asked(self) -> Result<Asked, String> {
        let mut asked = Asked::default();
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
    pub fn inputs<'h>(self, host: &'h dyn Host, asked: &Asked) -> Result<Vec<Input<'h>>, String> {
        match self.files("inputs") {
            [] => Err("there is no file".to_owned()),
            files => open(files, 0, host, asked),
        }
    }

    /// Those of a second recording, if there is one.
    pub fn compared<'h>(
        self,
        host: &'h dyn Host,
        asked: &Asked,
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
    &Asked { format, input_format, .. }: &Asked,
) -> Result<Vec<Input<'h>>, String> {
    let block = (BLOCKS / all.len()).max(MIN_BLOCK);
    let input = |(place, input): (usize, &Value)| {
        let file = first + place;
        let text = |name: &str| input.get(name).and_then(filled);
        let name = input.get("name").and_then(Value::as_str).unwrap_or("recording");
        let wrong = |error| format!("core: {name}: {error}");
        let core = text("core").map(values::core).transpose().map_err(wrong)?;
        let open = move || {
            let reader = FileReader { host, file, offset: 0 };
            Ok(Box::new(BufReader::with_capacity(block, reader)) as BoxRead<'h>)
        };
        let input = Input::new(name, open).on_core(core.unwrap_or(0)).in_format(format);
        Ok((core, input.of_format(input_format)))
    };
    let inputs: Vec<_> = all.iter().enumerate().map(input).collect::<Result<_, String>>()?;
    refuse_copies(inputs.iter().map(|(_, input)| input))
        .and_then(|()| group_by_core(inputs))
        .map_err(|error| messages::error(&error).1)
}
