//! The lines of a dump.

use std::io::{self, Write};

use crate::model::{Table, World};
use tband_format::decode::Decoded;
use tband_format::field::Value;
use tband_format::named::TimerCommand;
use tband_format::{Event, Str};

use super::columns::{Columns, LineTimes};
use super::described;
use super::digits::{decimal, signed};
use super::format::DumpFormat;
use super::labels::{Label, Labels, NumberedObject};
use super::names::Names;
use super::record;
use super::strings;
use super::times::Times;
use crate::cores::MAX_CORES;
use crate::item::{Defect, Item};
use crate::records::{ProgramFacts, ProgramId};

/// Something that is wrong, but not with a frame.
pub(super) struct Notice<'t> {
    pub core: u32,
    pub offset: u64,
    pub text: &'t str,
}

/// Lines that are not written yet.
pub(super) struct Lines {
    format: DumpFormat,
    labels: Labels,
    columns: Columns,
    /// As far as they are known by now.
    names: Names,
    buf: Vec<u8>,
    /// Time of the last line that has one, in ns.
    last_ns: Option<i64>,
    /// The task that runs on each core, where it is known: core and task.
    running: Vec<(u32, u32)>,
    /// Events that the target lost, as far as it reported.
    lost: u32,
}

impl Lines {
    /// Creates the lines with the state known already.
    pub fn new(format: DumpFormat, world: World) -> Self {
        Self {
            format,
            labels: Labels::new(format),
            columns: Columns::EMPTY,
            names: Names::new(world),
            buf: Vec::new(),
            last_ns: None,
            running: Vec::new(),
            lost: 0,
        }
    }

    /// Registers a given program with these facts.
    pub fn add_program(&mut self, program: &ProgramId, facts: &ProgramFacts<'_>) {
        self.names.change().give(program, facts);
    }

    /// Switches to another input: numbers are those of its board.
    #[inline]
    pub fn enter_input(&mut self, input: usize) {
        if self.names.world().is_of_another_board(input) {
            self.names.change().enter_input(input);
        }
    }

    /// Returns the state known so far.
    pub const fn world(&self) -> &World {
        self.names.world()
    }

    /// Writes the lines if they have at least this many bytes.
    #[inline]
    pub fn flush_at(&mut self, bytes: usize, out: &mut impl Write) -> io::Result<()> {
        if self.buf.len() < bytes {
            return Ok(());
        }
        out.write_all(&self.buf)?;
        self.buf.clear();
        out.flush()
    }

    /// Names and switches count also where they are not shown. True if an object is deleted.
    pub fn learn(&mut self, core: u32, decoded: &Decoded<'_>) -> bool {
        match decoded.event {
            Event::TaskDeleted { .. }
            | Event::QueueDeleted { .. }
            | Event::StreamBufferDeleted { .. }
            | Event::EventGroupDeleted { .. }
            | Event::TimerCommandReceived { .. } => return true,
            Event::TaskSwitchedIn { task_id } | Event::RunningTask { task_id } => {
                self.set_running(core, task_id);
            }
            Event::DroppedEvtCnt { cnt } if std::mem::replace(&mut self.lost, cnt) != cnt => {
                self.running.clear();
            }
            // It is metadata.
            _ if decoded.ts.is_none() => {
                // A number that is used again has the later name from here on.
                let _ = self.names.change().learn(core, 0, &decoded.event);
            }
            _ => {}
        }
        false
    }

    /// Learns a later report, unless another one is known by now.
    pub fn learn_ahead(&mut self, core: u32, event: &Event<'_>) {
        self.names.change().learn_first(core, event);
    }

    /// Forgets the name of a deleted object: the next one with its number gets its own name from metadata.
    #[cold]
    pub fn forget_deleted(&mut self, event: &Event<'_>) {
        let World { tasks, queues, stream_buffers, event_groups, timers, .. } = self.names.change();
        match *event {
            Event::TaskDeleted { task_id: id } => forget(tasks, id, |it| &mut it.name),
            Event::QueueDeleted { queue_id: id } => forget(queues, id, |it| &mut it.name),
            Event::StreamBufferDeleted { stream_buffer_id: id } => {
                forget(stream_buffers, id, |it| &mut it.name);
            }
            Event::EventGroupDeleted { event_group_id: id } => {
                forget(event_groups, id, |it| &mut it.name);
            }
            Event::TimerCommandReceived { timer_id: id, command: TimerCommand::DELETE, .. } => {
                forget(timers, id, |it| &mut it.name);
            }
            _ => {}
        }
    }

    /// Forgets the running tasks, because an item was not an event.
    pub fn forget(&mut self) {
        self.running.clear();
    }

    /// Sets the running task of a core. Cores are few; more of them are damage.
    fn set_running(&mut self, core: u32, task_id: u32) {
        let known = self.running.iter_mut().find(|(it, _)| *it == core);
        if let Some((_, running)) = known {
            *running = task_id;
        } else if self.running.len() < MAX_CORES as usize {
            self.running.push((core, task_id));
        }
    }

    /// The line of an event.
    #[inline]
    pub fn event(
        &mut self,
        core: u32,
        offset: u64,
        id: u8,
        decoded: &Decoded<'_>,
        times: &mut Times,
    ) {
        if self.format == DumpFormat::Json {
            self.json(core, id, decoded);
        } else {
            let ns = decoded.ts.and_then(|ticks| times.ns(ticks));
            self.offset(offset);
            self.text(core, id, decoded, ns);
        }
    }

    /// Writes the line of a frame that is not an event.
    #[cold]
    pub fn defect(&mut self, item: &Item<'_>, defect: &Defect) {
        let &Item { core, offset, len, .. } = item;
        let text = defect.to_string();
        self.error(core, offset, Some(len), &text);
    }

    /// Writes a line about a fault.
    #[cold]
    pub fn notice(&mut self, &Notice { core, offset, text }: &Notice<'_>) {
        self.error(core, offset, None, text);
    }

    fn error(&mut self, core: u32, offset: u64, len: Option<u64>, text: &str) {
        // Writing into memory cannot fail.
        if self.format == DumpFormat::Json {
            let buf = &mut self.buf;
            let _ = write!(buf, "{{\"core\":{core},\"error\":");
            strings::json(buf, Str(text.as_bytes()));
            let _ = write!(buf, ",\"offset\":{offset}");
            let _ = len.map(|len| write!(buf, ",\"len\":{len}"));
            buf.extend_from_slice(b"}\n");
        } else {
            self.offset(offset);
            Columns::append_times(&mut self.buf, &LineTimes::default());
            let len = len.map_or_else(String::new, |len| format!(", {len} bytes"));
            let _ = writeln!(self.buf, "  {core}  ERROR at byte {offset}{len}: {text}");
        }
    }

    fn json(&mut self, core: u32, id: u8, decoded: &Decoded<'_>) {
        let Self { buf, labels, names, .. } = self;
        buf.extend_from_slice(b"{\"core\":");
        decimal(buf, core.into());
        if let Some(ts) = decoded.ts {
            buf.extend_from_slice(b",\"ts\":");
            decimal(buf, ts);
        }
        if let Event::Described(event) | Event::DescribedMetadata(event) = &decoded.event {
            described::json(buf, event);
            return buf.extend_from_slice(b"}\n");
        }
        let labels = labels.of(id);
        labels.name.write(buf);
        let message = names.world().message(&decoded.event);
        let mut fields = labels.fields.iter();
        decoded.event.for_each_field(|_, value| {
            if let Some((label, _)) = fields.next() {
                label.write(buf);
            }
            match value {
                Value::Unsigned(value) => decimal(buf, value),
                Value::Named(value, _) => decimal(buf, value.into()),
                Value::Signed(value) => signed(buf, value),
                Value::Str(value) => strings::json(buf, value),
            }
        });
        if let Some(message) = message {
            record::json(buf, &message);
        }
        buf.extend_from_slice(b"}\n");
    }

    #[inline]
    fn offset(&mut self, offset: u64) {
        if self.format == DumpFormat::TextWithOffsets {
            let _ = write!(self.buf, "{offset:>8}  ");
        }
    }

    fn text(&mut self, core: u32, id: u8, decoded: &Decoded<'_>, ns: Option<i64>) {
        let before = if ns.is_some() { std::mem::replace(&mut self.last_ns, ns) } else { None };
        let when = LineTimes { ticks: decoded.ts, ns, before };
        let Self { buf, labels, running, columns, names, .. } = self;
        let event = &decoded.event;
        if let Event::Described(event) | Event::DescribedMetadata(event) = event {
            columns.write(buf, when, core, &Label::new(b""));
            described::text(buf, event);
            return buf.push(b'\n');
        }
        let labels = labels.of(id);
        columns.write(buf, when, core, &labels.name);
        let mut fields = labels.fields.iter();
        event.for_each_field(|_, value| {
            let Some((label, meaning)) = fields.next() else { return };
            if let Value::Unsigned(id) = value
                && *meaning != NumberedObject::Nothing
            {
                return names.write(buf, (label, *meaning, id), core);
            }
            label.write(buf);
            match value {
                Value::Unsigned(value) => decimal(buf, value),
                Value::Named(value, name) => {
                    decimal(buf, value.into());
                    in_brackets(buf, name);
                }
                Value::Signed(value) => signed(buf, value),
                Value::Str(text) => strings::quoted(buf, text),
            }
        });
        if labels.is_of_running_task
            && let Some((_, task_id)) = running.iter().find(|(it, _)| *it == core)
        {
            buf.extend_from_slice(b" of task ");
            decimal(buf, (*task_id).into());
            in_brackets(buf, names.world().name_of_task(*task_id));
        }
        if let Some(message) = names.world().message(event) {
            record::text(buf, &message);
        }
        buf.push(b'\n');
    }
}

fn forget<T>(objects: &mut Table<u32, T>, id: u32, name: fn(&mut T) -> &mut Option<String>) {
    if let Some(object) = objects.find(id).and_then(|object| objects.get_mut(object)) {
        *name(object) = None;
    }
}

#[inline(never)]
fn in_brackets(buf: &mut Vec<u8>, name: Option<&str>) {
    if let Some(name) = name {
        buf.push(b'(');
        buf.extend_from_slice(name.as_bytes());
        buf.push(b')');
    }
}
