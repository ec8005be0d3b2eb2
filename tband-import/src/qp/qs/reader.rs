//! Reads records: their sequence, the sizes of their fields.

use super::super::actors::Actors;
use super::super::clock::Clock;
use super::super::frame::Fields;
use super::super::frames::{FrameSink, Frames};
use super::about::{Facts, about};
use super::dictionary::Dictionary;
use super::layout::{FIRST_USER, layout};
use super::preamble::{Preamble, is_text};
use super::record::Record;
use super::show::show;
use super::sizes::{Sizes, TargetInfo};
use super::user::items;
use crate::counted::counted;
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// Frames that are kept until the sizes of their fields are known.
const ENOUGH: usize = 200;
/// Rows of the application's records begin with this number.
const USERS: u32 = 0x100;
/// The version of a target that does not report it.
const NEWEST: u32 = 9999;
/// TARGET_INFO.
const INFO: u8 = 64;
/// The sum of a frame's bytes.
const SUM: u8 = 0xFF;

/// Bytes of a frame at least: sequence, record, checksum.
const LEAST: usize = 3;

/// Reads a recording of QS.
#[derive(Debug)]
pub struct Qs {
    frames: Frames,
    records: Records,
}

impl Qs {
    /// Reads from the start of a recording, whose events are of this core.
    pub fn new(core: u32) -> Self {
        Self { frames: Frames::new(core, SUM, LEAST), records: Records::new(core) }
    }
}

/// Reads the records of frames, and the text in front of them.
#[derive(Debug)]
struct Records {
    core: u32,
    actors: Actors,
    clock: Clock,
    names: Dictionary,
    /// The text in front of the frames, and its length.
    text: Option<Preamble>,
    text_len: u64,
    is_text_over: bool,
    has_begun: bool,
    sizes: Option<Sizes>,
    version: u32,
    /// Frames from before the sizes were known.
    held: Vec<Box<[u8]>>,
    /// Records that are missing between these: before which one of them, and how many.
    held_losses: Vec<(usize, u8)>,
    sequence: Option<u8>,
    /// A record of something was read.
    has_record: bool,
    facts: Facts,
}

impl Records {
    fn new(core: u32) -> Self {
        Self {
            core,
            actors: Actors::new(core),
            clock: Clock::default(),
            names: Dictionary::default(),
            text: None,
            text_len: 0,
            is_text_over: false,
            has_begun: false,
            sizes: None,
            version: NEWEST,
            held: Vec::new(),
            held_losses: Vec::new(),
            sequence: None,
            has_record: false,
            facts: Facts::default(),
        }
    }

    fn begin(&mut self, out: &mut Output) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        out.begin_recording(self.core, 0, None);
    }

    /// Takes lines of the text in front. Returns the length of one, 0 for more bytes, and `None` where the text is over.
    fn line(&mut self, bytes: &[u8], at_end: bool) -> Option<usize> {
        if self.text.is_none() {
            if !is_text(bytes) {
                self.is_text_over = true;
                return None;
            }
            self.text = Some(Preamble::default());
        }
        let text = self.text.as_mut()?;
        match text.line(bytes, at_end) {
            None => Some(0),
            Some(0) => {
                self.is_text_over = true;
                self.names = text.dictionary.clone();
                self.facts.has_text = true;
                self.facts.has_names = !self.names.is_empty();
                self.sizes = text.sizes;
                self.version = text.version.unwrap_or(NEWEST);
                None
            }
            Some(len) => {
                self.text_len += len as u64;
                Some(len)
            }
        }
    }

    fn info(&mut self, info: TargetInfo, out: &mut Output) {
        if self.sizes.is_none() {
            self.version = info.version;
            self.sizes = Some(info.sizes);
            self.flush(out);
        }
        if info.is_reset && self.has_record {
            out.broken(self.core, Break::Start, 0, 0);
            self.actors.restart();
            self.clock.restart();
            self.names = self.text.as_ref().map(|text| text.dictionary.clone()).unwrap_or_default();
        }
        self.begin(out);
        (self.sizes, self.version) = (Some(info.sizes), info.version);
        self.has_record = true;
        self.facts.guess = None;
        self.facts.info = Some(info);
    }

    fn record(&mut self, id: u8, data: &[u8], sizes: Sizes, len: u64, out: &mut Output) {
        self.has_record |= id != 0;
        if id >= FIRST_USER {
            self.user(id, data, sizes, len, out);
            return;
        }
        let Some(layout) = layout(id, self.version) else {
            let text = format!("record {id}, {}", counted(data.len(), "byte"));
            self.actors.text(0, "records", &[&text], out);
            return;
        };
        let Some(record) = Record::read(layout, data, sizes) else {
            let what = Break::Damage("a record whose fields do not end where its data does");
            out.broken(self.core, what, 0, len);
            return;
        };
        if let Some(time) = record.time {
            self.actors.set_time(self.clock.time(time, sizes.time));
        }
        let (object, byte) = (record.objects.at(0), record.bytes.at(0) as u8);
        self.facts.has_names |= matches!(id, 60..=62);
        match id {
            0 => {}
            60 => self.names.add_signal(record.signal, object, record.text),
            61 => self.names.add_object(object, record.text),
            62 => self.names.add_function(record.functions.at(0), record.text),
            63 => self.names.add_record(byte, record.text),
            54 if record.time.is_none() => {
                self.names.add_enumeration(record.bytes.at(1) as u8, byte, record.text);
            }
            _ => show(id, &record, &self.names, &mut self.actors, out),
        }
    }

    /// A record of the application.
    fn user(&mut self, id: u8, data: &[u8], sizes: Sizes, len: u64, out: &mut Output) {
        let mut fields = Fields(data);
        let time = fields.number(sizes.time);
        let text = items(&mut fields, sizes, &self.names);
        let (Some(time), Some(text)) = (time, text) else {
            let what = Break::Damage(
                "a record of the application whose items do not end where its data does",
            );
            out.broken(self.core, what, 0, len);
            return;
        };
        self.actors.set_time(self.clock.time(time, sizes.time));
        self.actors.text(USERS | u32::from(id), &self.names.record(id), &[&text], out);
    }
}

impl FrameSink for Records {
    /// Takes a good frame: sequence, record, data, checksum.
    fn frame(&mut self, frame: &[u8], len: u64, out: &mut Output) {
        let [sequence, id, data @ .., _] = frame else { return };
        if *id == 0 && !data.is_empty() {
            // Zeros do not change a sum.
            let what = Break::Damage("an empty record with data");
            out.broken(self.core, what, 0, len);
            return;
        }
        let info = if *id == INFO { TargetInfo::read(data) } else { None };
        let is_reset = info.as_ref().is_some_and(|info| info.is_reset);
        let before = self.sequence.replace(*sequence);
        let lost = before.map_or(0, |before| sequence.wrapping_sub(before).wrapping_sub(1));
        if lost > 0 && *id != 0 && !is_reset {
            if self.sizes.is_some() {
                self.begin(out);
                self.actors.report_loss(Some(lost.into()), out);
            } else {
                self.held_losses.push((self.held.len(), lost));
            }
        }
        if let Some(info) = info {
            self.info(info, out);
            return;
        }
        match self.sizes {
            Some(sizes) => {
                self.begin(out);
                self.record(*id, data, sizes, len, out);
            }
            None if self.held.len() < ENOUGH => self.held.push(frame.into()),
            None => {
                self.held.push(frame.into());
                self.flush(out);
            }
        }
    }

    /// Reads the frames that were kept, with sizes that fit them.
    fn flush(&mut self, out: &mut Output) {
        if self.held.is_empty() && self.held_losses.is_empty() {
            return;
        }
        let held = std::mem::take(&mut self.held);
        let sizes = *self.sizes.get_or_insert_with(|| {
            let (sizes, fit) = Sizes::guess(&held, self.version);
            self.facts.guess = Some((sizes, fit, held.len()));
            sizes
        });
        self.begin(out);
        let mut losses = std::mem::take(&mut self.held_losses).into_iter().peekable();
        for (number, frame) in held.into_iter().enumerate() {
            while let Some((_, lost)) = losses.next_if(|(before, _)| *before <= number) {
                self.actors.report_loss(Some(lost.into()), out);
            }
            if let [_, id, data @ .., _] = &frame[..] {
                self.record(*id, data, sizes, 0, out);
            }
        }
        for (_, lost) in losses {
            self.actors.report_loss(Some(lost.into()), out);
        }
    }

    fn forget(&mut self) {
        self.actors.forget();
    }
}

impl Importer for Qs {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        if !self.records.is_text_over
            && let Some(len) = self.records.line(bytes, at_end)
        {
            return len;
        }
        self.frames.read(bytes, at_end, &mut self.records, out)
    }

    fn finish(&mut self, out: &mut Output) {
        self.records.flush(out);
    }

    fn preamble(&self) -> u64 {
        self.records.text_len
    }

    fn about(&self) -> ForeignRecording {
        about(&self.records.facts)
    }
}
