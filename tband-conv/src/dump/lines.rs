//! The lines of a dump.

use std::io::Write;

use tband_format::{Decoded, Event, Str, Value, api_function};

use super::{DumpFormat, Times};
use crate::error::ConvError;
use crate::events::{Defect, Item, MAX_CORES};
use crate::timeline::World;

/// Something that is wrong, but not with a frame.
pub(super) struct Notice<'t> {
    pub core: u32,
    pub offset: u64,
    pub text: &'t str,
}

/// Lines that are not written yet.
pub(super) struct Lines {
    format: DumpFormat,
    buf: Vec<u8>,
    /// Names, as far as they are known by now.
    world: World,
    /// Time of the last line that has one, in ns.
    last_ns: Option<i64>,
    /// The task that runs on each core, where it is known: core and task.
    running: Vec<(u32, u32)>,
    /// Events that the target lost, as far as it told.
    lost: u32,
}

impl Lines {
    pub fn new(format: DumpFormat) -> Self {
        Self::with_world(format, World::default())
    }

    /// With what is known already.
    pub fn with_world(format: DumpFormat, world: World) -> Self {
        Self { format, buf: Vec::new(), world, last_ns: None, running: Vec::new(), lost: 0 }
    }

    /// What is known by now.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Writes the lines if there are at least so many bytes of them.
    pub fn flush_at(&mut self, bytes: usize, out: &mut impl Write) -> Result<(), ConvError> {
        if self.buf.len() < bytes {
            return Ok(());
        }
        out.write_all(&self.buf).map_err(ConvError::Write)?;
        self.buf.clear();
        out.flush().map_err(ConvError::Write)
    }

    /// Names and switches count also where they are not shown.
    #[inline]
    pub fn learn(&mut self, item: &Item<'_>) {
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

    /// The line of a frame.
    pub fn item(&mut self, item: &Item<'_>, times: &mut Times) {
        match (self.format, &item.event) {
            (DumpFormat::Json, Ok(decoded)) => self.json(item.core, decoded),
            (_, Ok(decoded)) => {
                let time = decoded.ts.map(|ticks| (ticks, times.ns(ticks)));
                self.text(item, decoded, time);
            }
            (_, Err(defect)) => self.defect(item, defect),
        }
    }

    #[cold]
    fn defect(&mut self, item: &Item<'_>, defect: &Defect) {
        let &Item { core, offset, len, .. } = item;
        let buf = &mut self.buf;
        // Writing into memory cannot fail.
        let _ = if self.format == DumpFormat::Json {
            let _ = write!(buf, "{{\"core\":{core},\"error\":");
            json_str(buf, Str(defect.to_string().as_bytes()));
            writeln!(buf, ",\"offset\":{offset},\"len\":{len}}}")
        } else {
            self.offset(offset);
            self.times(None);
            writeln!(self.buf, "  {core}  ERROR at byte {offset}, {len} bytes: {defect}")
        };
    }

    /// A line about what is wrong there.
    #[cold]
    pub fn notice(&mut self, &Notice { core, offset, text }: &Notice<'_>) {
        let buf = &mut self.buf;
        let _ = if self.format == DumpFormat::Json {
            let _ = write!(buf, "{{\"core\":{core},\"error\":");
            json_str(buf, Str(text.as_bytes()));
            writeln!(buf, ",\"offset\":{offset}}}")
        } else {
            self.offset(offset);
            self.times(None);
            writeln!(self.buf, "  {core}  ERROR at byte {offset}: {text}")
        };
    }

    fn json(&mut self, core: u32, decoded: &Decoded<'_>) {
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
                Value::Signed(value) => signed(buf, value),
                Value::Str(value) => json_str(buf, value),
            }
        });
        buf.extend_from_slice(b"}\n");
    }

    fn offset(&mut self, offset: u64) {
        if self.format == DumpFormat::TextWithOffsets {
            right(&mut self.buf, 8, |buf| decimal(buf, offset));
            self.buf.extend_from_slice(b"  ");
        }
    }

    /// Ticks, time in ms and the time since the line before in ms, as far as they are known.
    fn times(&mut self, time: Option<(u64, Option<i64>)>) {
        let ns = time.and_then(|(_, ns)| ns);
        let before = if ns.is_some() { std::mem::replace(&mut self.last_ns, ns) } else { None };
        let delta = ns.zip(before).map(|(ns, before)| (ns >= before, ns.abs_diff(before)));
        let buf = &mut self.buf;
        right(buf, 14, |buf| match time {
            Some((ticks, _)) => decimal(buf, ticks),
            None => buf.push(b'-'),
        });
        right(buf, 16, |buf| match ns {
            Some(ns) => milliseconds(buf, ns.unsigned_abs()),
            None => buf.push(b'-'),
        });
        right(buf, 15, |buf| match delta {
            Some((forward, delta)) => {
                buf.push(if forward { b'+' } else { b'-' });
                milliseconds(buf, delta);
            }
            None => buf.push(b'-'),
        });
    }

    fn text(&mut self, item: &Item<'_>, decoded: &Decoded<'_>, time: Option<(u64, Option<i64>)>) {
        self.offset(item.offset);
        self.times(time);
        let owner = self.owner(item.core, &decoded.event);
        let Self { buf, world, .. } = self;
        buf.extend_from_slice(b"  ");
        decimal(buf, item.core.into());
        buf.extend_from_slice(b"  ");
        left(buf, 24, decoded.event.name().as_bytes());
        let event = &decoded.event;
        // A name event says the name itself.
        let names = (!event.name().ends_with("_name")).then_some(&*world);
        event.for_each_field(|name, value| text_field(buf, names, item.core, event, name, value));
        if let Some(task_id) = owner {
            buf.extend_from_slice(b" of task ");
            decimal(buf, task_id.into());
            if let Some(name) = world.name_of_task(task_id) {
                buf.push(b'(');
                buf.extend_from_slice(name.as_bytes());
                buf.push(b')');
            }
        }
        while buf.last() == Some(&b' ') {
            buf.pop();
        }
        buf.push(b'\n');
    }
}

fn text_field(
    buf: &mut Vec<u8>,
    names: Option<&World>,
    core: u32,
    event: &Event<'_>,
    name: &str,
    value: Value<'_>,
) {
    buf.push(b' ');
    buf.extend_from_slice(name.as_bytes());
    buf.push(b'=');
    let known = match value {
        Value::Str(text) => {
            // Writing into memory cannot fail.
            let _ = write!(buf, "{:?}", text.to_string());
            None
        }
        Value::Signed(value) => {
            signed(buf, value);
            None
        }
        Value::Named(value, meaning) => {
            decimal(buf, value.into());
            meaning
        }
        Value::Unsigned(value) => {
            decimal(buf, value);
            let id = u32::try_from(value).ok();
            names.zip(id).and_then(|(world, id)| known_as(world, core, event, name, id))
        }
    };
    if let Some(known) = known {
        buf.push(b'(');
        buf.extend_from_slice(known.as_bytes());
        buf.push(b')');
    }
}

/// The name of what a field speaks of.
fn known_as<'w>(
    world: &'w World,
    core: u32,
    event: &Event<'_>,
    field: &str,
    id: u32,
) -> Option<&'w str> {
    match field {
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
    }
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

/// Writes something and moves it to the right, so that it takes up this width at least.
fn right(buf: &mut Vec<u8>, width: usize, write: impl FnOnce(&mut Vec<u8>)) {
    let start = buf.len();
    write(buf);
    let len = buf.len().saturating_sub(start);
    if let Some(free) = width.checked_sub(len) {
        buf.resize(start.saturating_add(width), b' ');
        buf.copy_within(start..start + len, start + free);
        if let Some(front) = buf.get_mut(start..start + free) {
            front.fill(b' ');
        }
    }
}

/// Writes a text and fills it up to this width.
fn left(buf: &mut Vec<u8>, width: usize, text: &[u8]) {
    buf.extend_from_slice(text);
    let missing = width.saturating_sub(text.len());
    buf.resize(buf.len().saturating_add(missing), b' ');
}

fn signed(buf: &mut Vec<u8>, value: i64) {
    if value < 0 {
        buf.push(b'-');
    }
    decimal(buf, value.unsigned_abs());
}

/// Nanoseconds in ms.
fn milliseconds(buf: &mut Vec<u8>, ns: u64) {
    decimal(buf, ns / 1_000_000);
    buf.push(b'.');
    let mut digits = [b'0'; 6];
    let mut rest = ns % 1_000_000;
    for digit in digits.iter_mut().rev() {
        // A remainder below ten.
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    buf.extend_from_slice(&digits);
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
        assert_eq!(str::from_utf8(&buf).unwrap(), "\"a\\\"\\\\\\n\\u0001\\u001fä\u{FFFD}\"");
        buf.clear();
        for ns in [0, 1, 1_000_000, 12_345_678, u64::MAX] {
            right(&mut buf, 9, |buf| milliseconds(buf, ns));
        }
        left(&mut buf, 3, b"ab");
        signed(&mut buf, i64::MIN);
        assert_eq!(
            str::from_utf8(&buf).unwrap(),
            " 0.000000 0.000001 1.00000012.34567818446744073709.551615ab -9223372036854775808"
        );
    }
}
