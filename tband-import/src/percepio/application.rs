//! What the application records itself: user events, intervals, state machines, counters, runnables, events of extensions.

use std::ops::Range;

use tband_format::{Event, Str};

use super::codes::EXTENSIONS;
use super::objects::HandleKind;
use super::target::{RawEvent, Target};
use super::user::{Extension, MAX_DEPTH, MAX_KEPT, MAX_OPEN};
use super::words::EventWords;
use crate::output::Output;
use crate::printf::{self, Argument};

impl Target {
    /// An event of the application.
    pub fn user_event(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        match raw.code {
            code if code >= EXTENSIONS && self.user.is_of_extension(code) => {
                self.event_of_extension(raw, out);
            }
            0x90..=0x97 => self.text(raw, out),
            0x98..=0x9C => self.compact_text(raw, out),
            0xEE => self.change_state(raw, out),
            0xF0 => self.begin_interval(raw, out),
            0xF7 => self.end_interval(raw, out),
            0xF1 => self.extension(raw.words),
            0xF3 => {
                let Some(number) = self.marker(raw, HandleKind::Value, out) else { return };
                self.value(raw, number, raw.words.get(1), out);
            }
            0xF4 => {
                let Some(number) = self.marker(raw, HandleKind::Value, out) else { return };
                self.value(raw, number, raw.words.get(1), out);
            }
            0xF5 => {
                if let Some(number) = self.objects.number(raw.words.get(0)) {
                    let name = self.objects.name_of(number).unwrap_or("counter").to_owned();
                    self.message(raw, (number, &name), "limit exceeded", out);
                }
            }
            0xFA => self.begin_runnable(raw, out),
            0xFB => self.end_runnable(raw, out),
            // A later event uses it as a marker.
            0xF9 => {
                if let Some(number) = self.objects.number(raw.words.get(0)) {
                    let core = self.number_of(raw.core);
                    self.objects.name(core, number, raw.words.text(1), out);
                }
            }
            0xFD.. => self.event_of_extension(raw, out),
            _ => {}
        }
    }

    fn marker(&mut self, raw: &RawEvent<'_>, kind: HandleKind, out: &mut Output) -> Option<u32> {
        let number = self.objects.number(raw.words.get(0))?;
        self.objects.is(self.number_of(raw.core), number, kind, out);
        Some(number)
    }

    fn value(&self, raw: &RawEvent<'_>, number: u32, word: u64, out: &mut Output) {
        let val = if raw.words.layout.is_wide {
            word.cast_signed()
        } else {
            i64::from(super::words::low(word).cast_signed())
        };
        self.emit(raw.core, raw.ts, &Event::Valmarker { valmarker_id: number, val }, out);
    }

    /// A text with its format: the number of arguments is in the code.
    fn text(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let words = raw.words;
        let count = usize::from(raw.code & 7).saturating_sub(1);
        let Some(number) = self.marker(raw, HandleKind::Marker, out) else { return };
        let text = self.formatted(words.text(1 + count), words, 1..1 + count);
        let event = Event::Evtmarker { evtmarker_id: number, msg: Str(text.as_bytes()) };
        out.timed(self.number_of(raw.core), raw.ts, &event);
    }

    /// A text of which the addresses of channel and format are recorded: those of registered texts have names, those of
    /// `xTracePrintCompactF` have none.
    fn compact_text(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let words = raw.words;
        let Some(channel) = self.objects.number(words.get(0)) else { return };
        let format = self.objects.number(words.get(1)).and_then(|it| self.objects.name_of(it));
        let text = match format.map(str::to_owned) {
            Some(format) => self.formatted(format.as_bytes(), words, 2..words.count()),
            None => {
                self.facts.has_compact_texts = true;
                let mut text = format!("format at {:#x}", words.get(1));
                for index in 2..words.count() {
                    let value = words.get(index);
                    text.push_str(&format!(", {value}"));
                }
                text
            }
        };
        if self.objects.name_of(channel).is_some() {
            self.objects.is(self.number_of(raw.core), channel, HandleKind::Marker, out);
            let event = Event::Evtmarker { evtmarker_id: channel, msg: Str(text.as_bytes()) };
            return out.timed(self.number_of(raw.core), raw.ts, &event);
        }
        let name = format!("channel at {:#x}", words.get(0));
        self.message(raw, (channel, &name), &text, out);
    }

    /// A format with the words of this range as its arguments.
    fn formatted(
        &self,
        format: &[u8],
        words: EventWords<'_>,
        mut arguments: Range<usize>,
    ) -> String {
        let next = || arguments.next().map(|index| argument(words, index));
        printf::format(format, next, |value| {
            let handle = match value {
                Argument::Word(it) => it.into(),
                Argument::Long(it) => it,
            };
            let number = u32::try_from(handle).ok()?;
            self.objects.name_of(number).map(str::to_owned)
        })
    }

    fn change_state(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(machine) = self.marker(raw, HandleKind::Marker, out) else { return };
        let state = self.objects.number(raw.words.get(1)).unwrap_or(0);
        if self.user.machines.remove(&machine).is_some() {
            self.emit(raw.core, raw.ts, &Event::EvtmarkerEnd { evtmarker_id: machine }, out);
        }
        let name = self.objects.name_of(state).map(str::to_owned);
        let name = name.unwrap_or_else(|| format!("state {state:#x}"));
        let event = Event::EvtmarkerBegin { evtmarker_id: machine, msg: Str(name.as_bytes()) };
        out.timed(self.number_of(raw.core), raw.ts, &event);
        if self.user.machines.len() < MAX_KEPT {
            self.user.machines.insert(machine, state);
        }
    }

    fn begin_interval(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let (words, core) = (raw.words, self.number_of(raw.core));
        let Some(channel) = self.marker(raw, HandleKind::Marker, out) else { return };
        let begun = self.user.begin(&mut self.objects, channel, words.get(1));
        let Some((marker, lane)) = begun else { return };
        if lane > 0 {
            let name = self.objects.name_of(channel).unwrap_or("interval");
            let name = format!("{name} ({})", lane + 1);
            self.user.name_marker(core, marker, &name, out);
        }
        let text = words.get(2).to_string();
        let event = Event::EvtmarkerBegin { evtmarker_id: marker, msg: Str(text.as_bytes()) };
        out.timed(self.number_of(raw.core), raw.ts, &event);
    }

    fn end_interval(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(channel) = self.objects.number(raw.words.get(0)) else { return };
        if let Some(marker) = self.user.end(channel, raw.words.get(1)) {
            self.emit(raw.core, raw.ts, &Event::EvtmarkerEnd { evtmarker_id: marker }, out);
        }
    }

    fn begin_runnable(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(number) = self.marker(raw, HandleKind::Marker, out) else { return };
        let Some(task) = self.cores.get(raw.core).and_then(|core| core.running) else { return };
        if self.user.runnables.len() >= MAX_KEPT && !self.user.runnables.contains_key(&task) {
            return;
        }
        let open = self.user.runnables.entry(task).or_default();
        if open.len() < MAX_DEPTH {
            open.push(number);
            let event = Event::EvtmarkerBegin { evtmarker_id: number, msg: Str(&[]) };
            self.emit(raw.core, raw.ts, &event, out);
        }
    }

    /// The innermost runnable of the running task ends: the event does not name it.
    fn end_runnable(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(task) = self.cores.get(raw.core).and_then(|core| core.running) else { return };
        let open = self.user.runnables.get_mut(&task).and_then(Vec::pop);
        if let Some(number) = open {
            self.emit(raw.core, raw.ts, &Event::EvtmarkerEnd { evtmarker_id: number }, out);
        }
    }

    /// Codes of an extension: its version, the first of them, their number.
    pub fn extension(&mut self, words: EventWords<'_>) {
        let Some(number) = self.objects.number(words.get(0)) else { return };
        let (first, count) = (words.get(2), words.get(3));
        let (Ok(first), Ok(count)) = (u16::try_from(first), u16::try_from(count)) else { return };
        let first = words.layout.codes.of_freertos(first);
        let extensions = &mut self.user.extensions;
        extensions.retain(|it| it.number != number);
        if extensions.len() < MAX_OPEN {
            extensions.push(Extension { number, first, end: first.saturating_add(count) });
        }
    }

    fn event_of_extension(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let codes = self.user.extensions.iter();
        let found = codes.copied().find(|it| (it.first..it.end).contains(&raw.code));
        let (number, first) = found.map_or((0xFC00_0000, 0), |it| (it.number, it.first));
        let name = self.objects.name_of(number).unwrap_or("extension").to_owned();
        let mut text = format!("event {}", raw.code - first);
        for index in 0..raw.words.count() {
            text.push_str(&format!(", {:#x}", raw.words.get(index)));
        }
        self.message(raw, (number, &name), &text, out);
    }
}

fn argument(words: EventWords<'_>, index: usize) -> Argument {
    if words.layout.is_wide {
        Argument::Long(words.get(index))
    } else {
        Argument::Word(words.low(index))
    }
}
