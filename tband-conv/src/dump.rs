//! Dumps the events of one input in file order, as text or as JSON lines.
//!
//! Streams: the input is read once, and each frame gives one line. Until enough frames have decoded
//! to be sure that this is a recording, lines are held back, so that a wrong file gives an error
//! rather than pages of garbage.

use std::io::{self, Write};

use tband_format::{Event, Str, Value, api_function};

use crate::dump_filter::{DumpFilter, Sieve};
use crate::error::ConvError;
use crate::events::{Defect, EventReader, Item, MAX_CORES, Mode};
use crate::input::Input;
use crate::scan::Credibility;
use crate::timeline::World;

/// What a dumped line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DumpFormat {
    /// For people: time, core, event, fields, names where they are known.
    #[default]
    Text,
    /// As text, with the offset of each frame in front.
    TextWithOffsets,
    /// One JSON object.
    Json,
}

/// What a dump found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpSummary {
    /// Frames that are events.
    pub events: u64,
    /// Events that have a line.
    pub shown: u64,
    /// Frames that are not events.
    pub defects: u64,
    /// Offset and text of the first of those.
    pub first_defect: Option<(u64, String)>,
    /// Events that the target lost, as far as it told.
    pub lost: u64,
}

/// Lines are held back up to this many bytes.
const HOLD_BACK: usize = 8 << 20;
const FLUSH_AT: usize = 64 * 1024;

/// Writes one line for each frame of `input`, which is opened once.
///
/// # Errors
/// [`ConvError`] if the input cannot be read or is no recording, or `out` fails.
pub fn dump(
    input: &Input<'_>,
    mode: Mode,
    format: DumpFormat,
    out: impl Write,
) -> Result<DumpSummary, ConvError> {
    dump_filtered(input, mode, format, DumpFilter::default(), out)
}

/// As [`dump`], with lines only for what passes a filter. Once its limit is reached the rest of the
/// input is not read, nor judged.
///
/// # Errors
/// As for [`dump`].
pub fn dump_filtered(
    input: &Input<'_>,
    mode: Mode,
    format: DumpFormat,
    filter: DumpFilter,
    mut out: impl Write,
) -> Result<DumpSummary, ConvError> {
    let mut sieve = Sieve::new(filter);
    let mut events = EventReader::new(input.open()?, input.core(), mode);
    let mut lines =
        Lines { format, buf: Vec::new(), world: World::default(), running: Vec::new(), lost: 0 };
    let mut summary = DumpSummary::default();
    let mut credibility = Credibility::default();
    loop {
        let item = events.next_item().map_err(|error| input.read_error(error))?;
        let Some(item) = item else { break };
        summary.count(&item);
        if !credibility.is_certain() {
            credibility.add(&item);
        }
        lines.learn(&item);
        if sieve.passes(&item) {
            lines.item(&item);
        }
        if sieve.is_done() {
            break;
        }
        // Whoever reads along does not wait for the next event to see the last ones.
        let full = match credibility.is_certain() {
            true if !events.has_frame() => 1,
            true => FLUSH_AT,
            false => HOLD_BACK,
        };
        if lines.buf.len() >= full {
            lines.flush(&mut out)?;
            out.flush().map_err(ConvError::Write)?;
        }
    }
    summary.shown = sieve.passed();
    credibility.verdict(input, events.offset())?;
    lines.flush(&mut out)?;
    out.flush().map_err(ConvError::Write)?;
    Ok(summary)
}

impl DumpSummary {
    fn count(&mut self, item: &Item<'_>) {
        match &item.event {
            Ok(decoded) => {
                self.events = self.events.saturating_add(1);
                if let Event::DroppedEvtCnt { cnt } = decoded.event {
                    self.lost = self.lost.max(cnt.into());
                }
            }
            Err(defect) => {
                self.defects = self.defects.saturating_add(1);
                if self.first_defect.is_none() {
                    self.first_defect = Some((item.offset, defect.to_string()));
                }
            }
        }
    }
}

struct Lines {
    format: DumpFormat,
    buf: Vec<u8>,
    /// Names, as far as they are known by now.
    world: World,
    /// The task that runs on each core, where it is known: core and task.
    running: Vec<(u32, u32)>,
    /// Events that the target lost, as far as it told.
    lost: u32,
}

impl Lines {
    fn flush(&mut self, out: &mut impl Write) -> Result<(), ConvError> {
        out.write_all(&self.buf).map_err(ConvError::Write)?;
        self.buf.clear();
        Ok(())
    }

    /// Names and switches count also where they are not shown.
    fn learn(&mut self, item: &Item<'_>) {
        if self.format == DumpFormat::Json {
            return;
        }
        match &item.event {
            Ok(decoded) if decoded.event.is_metadata() => {
                self.world.learn_first(item.core, &decoded.event);
            }
            Ok(decoded) => match decoded.event {
                Event::TaskSwitchedIn { task_id } => self.runs(item.core, task_id),
                Event::DroppedEvtCnt { cnt } if std::mem::replace(&mut self.lost, cnt) != cnt => {
                    self.running.clear();
                }
                _ => {}
            },
            Err(_) => self.running.clear(),
        }
    }

    /// A task is switched in. Cores are few, or what is more is damage.
    fn runs(&mut self, core: u32, task_id: u32) {
        let known = self.running.iter_mut().find(|(it, _)| *it == core);
        if let Some((_, running)) = known {
            *running = task_id;
        } else if self.running.len() < MAX_CORES as usize {
            self.running.push((core, task_id));
        }
    }

    /// Whose task-local marker it is that this event is of.
    fn owner(&self, core: u32, event: &Event<'_>) -> Option<u32> {
        let names_it = event.is_metadata() || !is_task_local(event);
        let running = self.running.iter().find(|(it, _)| *it == core).filter(|_| !names_it)?;
        Some(running.1)
    }

    fn item(&mut self, item: &Item<'_>) {
        // Writing into memory cannot fail.
        let _ = match (self.format, &item.event) {
            (DumpFormat::Json, Ok(decoded)) => self.json(item.core, decoded),
            (DumpFormat::Json, Err(defect)) => self.json_defect(item, defect),
            (_, Ok(decoded)) => self.text(item, decoded),
            (_, Err(defect)) => self.text_defect(item, defect),
        };
    }

    fn json(&mut self, core: u32, decoded: &tband_format::Decoded<'_>) -> io::Result<()> {
        let buf = &mut self.buf;
        buf.extend_from_slice(b"{\"core\":");
        decimal(buf, core.into());
        if let Some(ts) = decoded.ts {
            buf.extend_from_slice(b",\"ts\":");
            decimal(buf, ts);
        }
        buf.extend_from_slice(b",\"event\":\"");
        buf.extend_from_slice(decoded.event.name().as_bytes());
        buf.push(b'"');
        decoded.event.for_each_field(|name, value| {
            buf.extend_from_slice(b",\"");
            buf.extend_from_slice(name.as_bytes());
            buf.extend_from_slice(b"\":");
            match value {
                Value::Unsigned(value) => decimal(buf, value),
                Value::Named(value, _) => decimal(buf, value.into()),
                Value::Signed(value) => {
                    if value < 0 {
                        buf.push(b'-');
                    }
                    decimal(buf, value.unsigned_abs());
                }
                Value::Str(value) => json_str(buf, value),
            }
        });
        buf.extend_from_slice(b"}\n");
        Ok(())
    }

    #[cold]
    fn json_defect(&mut self, item: &Item<'_>, defect: &Defect) -> io::Result<()> {
        let buf = &mut self.buf;
        write!(buf, "{{\"core\":{},\"error\":", item.core)?;
        json_str(buf, Str(defect.to_string().as_bytes()));
        writeln!(buf, ",\"offset\":{},\"len\":{}}}", item.offset, item.len)
    }

    fn head(&mut self, item: &Item<'_>) -> io::Result<()> {
        if self.format == DumpFormat::TextWithOffsets {
            write!(self.buf, "{:>8}  ", item.offset)?;
        }
        Ok(())
    }

    fn text(&mut self, item: &Item<'_>, decoded: &tband_format::Decoded<'_>) -> io::Result<()> {
        self.head(item)?;
        let owner = self.owner(item.core, &decoded.event);
        let Self { buf, world, .. } = self;
        match decoded.ts {
            Some(ts) => write!(buf, "{ts:>14}")?,
            None => write!(buf, "{:>14}", "-")?,
        }
        write!(buf, "  {}  {:<24}", item.core, decoded.event.name())?;
        let mut result = Ok(());
        decoded.event.for_each_field(|name, value| {
            if result.is_ok() {
                result = text_field(buf, world, item.core, &decoded.event, name, value);
            }
        });
        if let Some(task_id) = owner {
            write!(buf, " of task {task_id}")?;
            if let Some(name) = world.name_of_task(task_id) {
                write!(buf, "({name})")?;
            }
        }
        while buf.last() == Some(&b' ') {
            buf.pop();
        }
        buf.push(b'\n');
        result
    }

    #[cold]
    fn text_defect(&mut self, item: &Item<'_>, defect: &Defect) -> io::Result<()> {
        self.head(item)?;
        let Item { core, offset, len, .. } = item;
        writeln!(self.buf, "{:>14}  {core}  ERROR at byte {offset}, {len} bytes: {defect}", "?")
    }
}

fn text_field(
    buf: &mut Vec<u8>,
    world: &World,
    core: u32,
    event: &Event<'_>,
    name: &str,
    value: Value<'_>,
) -> io::Result<()> {
    match value {
        Value::Str(text) => write!(buf, " {name}={:?}", text.to_string())?,
        Value::Signed(value) => write!(buf, " {name}={value}")?,
        Value::Named(value, Some(meaning)) => write!(buf, " {name}={value}({meaning})")?,
        Value::Named(value, None) => write!(buf, " {name}={value}")?,
        Value::Unsigned(value) => {
            write!(buf, " {name}={value}")?;
            let id = u32::try_from(value).unwrap_or_default();
            let known = match name {
                "task_id" => world.name_of_task(id),
                "queue_id" => world.name_of_queue(id),
                "stream_buffer_id" => world.name_of_stream_buffer(id),
                "event_group_id" => world.name_of_event_group(id),
                "timer_id" => world.name_of_timer(id),
                "isr_id" => world.name_of_isr(id, core),
                "function" if is_api_call(event) => api_function(id),
                "evtmarker_id" if !is_task_local(event) => world.name_of_marker(id),
                "valmarker_id" if !is_task_local(event) => world.name_of_value(id),
                _ => None,
            };
            // A name event says the name itself.
            if let Some(known) = known.filter(|_| !event.name().ends_with("_name")) {
                write!(buf, "({known})")?;
            }
        }
    }
    Ok(())
}

fn is_api_call(event: &Event<'_>) -> bool {
    matches!(event, Event::ApiEnter { .. } | Event::ApiReturn { .. })
}

fn is_task_local(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::TaskEvtmarkerName { .. }
            | Event::TaskEvtmarker { .. }
            | Event::TaskEvtmarkerBegin { .. }
            | Event::TaskEvtmarkerEnd { .. }
            | Event::TaskValmarkerName { .. }
            | Event::TaskValmarker { .. }
    )
}

fn decimal(buf: &mut Vec<u8>, mut value: u64) {
    let mut digits = [b'0'; 20];
    let mut used = 0;
    for digit in digits.iter_mut().rev() {
        // A remainder below ten.
        *digit = b'0' | (value % 10) as u8;
        value /= 10;
        used += 1;
        if value == 0 {
            break;
        }
    }
    buf.extend_from_slice(digits.get(20 - used..).unwrap_or_default());
}

/// A string as JSON; what is not UTF-8 becomes U+FFFD.
fn json_str(buf: &mut Vec<u8>, text: Str<'_>) {
    buf.push(b'"');
    for chunk in text.0.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            match byte {
                b'"' => buf.extend_from_slice(b"\\\""),
                b'\\' => buf.extend_from_slice(b"\\\\"),
                b'\n' => buf.extend_from_slice(b"\\n"),
                b'\r' => buf.extend_from_slice(b"\\r"),
                b'\t' => buf.extend_from_slice(b"\\t"),
                0..0x20 => {
                    buf.extend_from_slice(b"\\u00");
                    for digit in [byte >> 4, byte & 15] {
                        buf.push(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
                    }
                }
                _ => buf.push(byte),
            }
        }
        if !chunk.invalid().is_empty() {
            buf.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
    buf.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_become_json() {
        let mut buf = Vec::new();
        for value in [0, 9, 10, 1234, u64::MAX] {
            decimal(&mut buf, value);
            buf.push(b' ');
        }
        assert_eq!(buf, b"0 9 10 1234 18446744073709551615 ");
        buf.clear();
        json_str(&mut buf, Str(b"a\"\\\n\x01\x1f\xc3\xa4\xff"));
        assert_eq!(String::from_utf8(buf).unwrap(), "\"a\\\"\\\\\\n\\u0001\\u001fä\u{FFFD}\"");
    }
}
