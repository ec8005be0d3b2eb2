//! The events of any recording, in frames: the baseline for the cost of importing it.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result};
use tband_conv::convert::events::convert_events;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{CtfMap, CtfTrace, Input, Options};
use tband_format::{Event, encode_frame, max_frame_len};

/// Writes the events of a recording as frames. `recording` is a file, or a folder with one stream of a CTF trace and its map.
///
/// # Errors
/// The recording cannot be read, or the frames cannot be written.
pub fn write_frames(recording: &Path, out: &Path) -> Result<()> {
    let is_folder = recording.is_dir();
    let stream = if is_folder { recording.join("stream") } else { recording.to_owned() };
    let bytes = fs::read(&stream).with_context(|| format!("cannot read {}", stream.display()))?;
    let mut input = Input::from_bytes("the recording", &bytes);
    if is_folder {
        let map = fs::read_to_string(recording.join("tband-map.toml"))?;
        let map = CtfMap::read("tband-map.toml", &map)?;
        let metadata = fs::read(recording.join("metadata"))?;
        input = input.of_trace(Rc::new(CtfTrace::read(&metadata, Some(&map), 1)?));
    }
    let mut frames = FrameSink::default();
    convert_events(&[input], &Options::default(), &mut frames)?;
    fs::write(out, frames.bytes).with_context(|| format!("cannot write {}", out.display()))
}

/// Encodes each event as a frame.
#[derive(Default)]
struct FrameSink {
    bytes: Vec<u8>,
    core: u32,
}

impl FrameSink {
    fn push(&mut self, event: &Event<'_>, ts: u64) {
        let start = self.bytes.len();
        self.bytes.resize(start + max_frame_len(event, ts), 0);
        // Frames cannot contain an event of which the recorder reports a part only.
        let len = encode_frame(event, ts, &mut self.bytes[start..]).unwrap_or(0);
        self.bytes.truncate(start + len);
    }
}

impl EventSink for FrameSink {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        if event.at.core != self.core {
            self.core = event.at.core;
            self.push(&Event::CoreId { core_id: self.core }, event.ticks);
        }
        self.push(&event.decoded.event, event.ticks);
        Ok(ControlFlow::Continue(()))
    }
}
