//! What the events of a classic snapshot mean: those of streams, with other codes.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::FixedState;
use tband_format::{Event, Str};

use super::snapshot::Snapshot;
use super::target::{Nesting, RawEvent, Target};
use super::words::{EventWords, Layout};
use crate::gaps::Break;
use crate::output::Output;
use crate::printf::{self, Argument};

/// Events in which the end of an interrupt is looked for.
const AHEAD: usize = 256;
/// User events without a channel.
const UNNAMED: u32 = 0xFD00_0001;
/// The last code of an event.
const LAST_CODE: u8 = 0xEA;
/// Classes of objects.
const TASK: u8 = 3;
const ISR: u8 = 4;

/// Reads the events of a snapshot one by one.
#[derive(Debug)]
pub struct Classic {
    snapshot: Snapshot,
    at: usize,
    now: u64,
    /// Bits of the next delta beyond those that its event has.
    extra: u64,
    /// Parameter bits of the next event beyond those that it has.
    parameter: u32,
    /// Names of objects that are closed, in the order in which that happens.
    closed: HashMap<(u8, u16), VecDeque<u16>, FixedState>,
    has_begun: bool,
    /// Sizes of blocks are followed by their addresses.
    block: Option<u32>,
    /// Handles of 16 bits that are not recorded in the events.
    pub has_unknown_handles: bool,
}

/// Where an event has its delta.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delta {
    None,
    /// In the last two bytes.
    Long,
    /// In the second byte.
    Second,
    /// In the last byte.
    Last,
}

const fn delta_of(code: u8) -> Delta {
    match code {
        0x00 | 0x01 | 0x08..=0x17 | 0x95 | 0x97 | 0xA8..=0xAB | 0xAE | 0xAF => Delta::None,
        _ if code > LAST_CODE => Delta::None,
        0x03 | 0x40..=0x47 | 0x88 | 0x89 | 0x94 | 0x96 | 0x98..=0xA7 => Delta::Second,
        0x8D..=0x8F
        | 0xB1..=0xB4
        | 0xB6..=0xB8
        | 0xBA..=0xBD
        | 0xBF..=0xC1
        | 0xC4..=0xCA
        | 0xCC..=0xD1
        | 0xD3..=0xD8 => Delta::Last,
        _ => Delta::Long,
    }
}

/// A number for an object of a class: where no address is.
const fn handle(class: u8, handle: u16) -> u32 {
    (class as u32 + 1) << 16 | handle as u32
}

impl Classic {
    /// The events of a snapshot, which are not before this time: that of another one in front.
    pub fn new(snapshot: Snapshot, not_before: u64) -> Self {
        let mut this = Self {
            at: 0,
            now: 0,
            extra: 0,
            parameter: 0,
            closed: HashMap::default(),
            has_begun: false,
            block: None,
            has_unknown_handles: false,
            snapshot,
        };
        // The last event's time is recorded, so the first one's follows.
        let mut passed = 0;
        while let Some(event) = this.next_raw() {
            passed += this.delta(event);
            if let [code @ 0x08..=0x0F, of, ..] = event {
                let symbol = this.number(event, 2);
                this.closed.entry((code & 7, of.into())).or_default().push_back(symbol);
            }
        }
        this.now = this.snapshot.last.saturating_sub(passed).max(not_before);
        (this.at, this.extra) = (0, 0);
        this
    }

    /// The time of the last event that was taken.
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// Events that were taken, and how many there are.
    pub const fn progress(&self) -> (usize, usize) {
        (self.at, self.snapshot.events.len())
    }

    /// The next event with its arguments left out.
    fn next_raw(&mut self) -> Option<[u8; 4]> {
        let event = *self.snapshot.events.get(self.at)?;
        self.at += 1;
        if let [code @ 0x98..=0xA7, ..] = event {
            self.at += usize::from(code - 0x98);
        }
        Some(event)
    }

    fn number(&self, event: [u8; 4], at: usize) -> u16 {
        self.snapshot.layout.u16(&event, at).unwrap_or(0)
    }

    /// Ticks between an event and the one before; 0 if the event has no time.
    fn delta(&mut self, event: [u8; 4]) -> u64 {
        let [code, second, .., last] = event;
        let low: u64 = match delta_of(code) {
            Delta::None => {
                match code {
                    0xA9 => self.extra = u64::from(self.number(event, 2)) << 16,
                    0xA8 => {
                        let middle = u64::from(self.number(event, 2)) << 8;
                        self.extra = middle | u64::from(second) << 24;
                    }
                    _ => {}
                }
                return 0;
            }
            Delta::Long => self.number(event, 2).into(),
            Delta::Second => second.into(),
            Delta::Last => last.into(),
        };
        std::mem::take(&mut self.extra) | low
    }

    fn begin(&mut self, target: &mut Target, out: &mut Output) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        target.is_low_urgent = self.snapshot.is_low_urgent;
        target.begin(1, 0, out);
        let hz = self.snapshot.hz;
        if hz > 0 {
            let event = Event::TsFrequency { numerator: hz.into(), denominator: 1 };
            out.timed(target.first_core, self.now, &event);
        }
        let changed = self.snapshot.events.iter().filter(|event| matches!(event[0], 0x8D..=0x8F));
        let changed: Vec<u8> = changed.map(|event| event[1]).collect();
        for (class, number) in self.snapshot.handles() {
            let of = self.closed.get(&(class, number)).and_then(VecDeque::front).copied();
            self.name(target, (class, number), of, out);
            // The table has the properties at the end.
            let is_same = of.is_none() && !changed.iter().any(|it| u16::from(*it) == number);
            let object = self.snapshot.object(class, number);
            if let (TASK | ISR, Some((_, [_, priority, ..]))) = (class, object)
                && (is_same || class == ISR)
            {
                let number = handle(class, number);
                target.objects.set_state(number, Some((*priority).into()));
            }
        }
    }

    /// Names an object by the text that an event names, or by the table.
    fn name(
        &self,
        target: &mut Target,
        (class, number): (u8, u16),
        symbol: Option<u16>,
        out: &mut Output,
    ) {
        let name = match symbol {
            Some(symbol) => self.snapshot.text(symbol).0,
            None => self.snapshot.object(class, number).map_or(&[][..], |(name, _)| name),
        };
        // The name of an object that was never named has arbitrary bytes.
        let is_name = |name: &str| !name.is_empty() && !name.chars().any(char::is_control);
        if std::str::from_utf8(name).is_ok_and(is_name) {
            target.objects.name(target.first_core, handle(class, number), name, out);
        }
    }

    /// Takes the next event. False at the end.
    pub fn step(&mut self, target: &mut Target, out: &mut Output) -> bool {
        self.begin(target, out);
        let at = self.at;
        let Some(event) = self.next_raw() else { return false };
        let delta = self.delta(event);
        self.now = self.now.saturating_add(delta);
        let [code, second, third, _] = event;
        let (class, of) = (code & 7, u16::from(second));
        let param = u32::from(third) | std::mem::take(&mut self.parameter) << 8;
        let long = u32::from(self.number(event, 2));
        if second == 255 && matches!(delta_of(code), Delta::Long | Delta::Last) {
            // The handle has 16 bits and is elsewhere.
            self.has_unknown_handles |= self.snapshot.has_long_handles;
        }
        let task = handle(TASK, of);
        match code {
            0x01 => {
                self.parameter = u32::from(second) << 16 | long;
            }
            0x02 => self.emit(target, 0x30, &[task], out),
            0x04 => self.begin_isr(target, of, out),
            0x05 => self.emit(target, 0x34, &[handle(ISR, of)], out),
            0x06 => self.emit(target, 0x37, &[task, 0], out),
            0x07 => {
                let running = target.cores.first().and_then(|core| core.running);
                let goes_on = running.is_none_or(|running| running == task);
                let words = [task, 0];
                let words = if goes_on { &words[..1] } else { &words };
                self.emit(target, 0x37, words, out);
            }
            0x08..=0x0F => self.close_object(target, class, of, out),
            0x18..=0x1F => self.created(target, class, of, out),
            0x80..=0x87 => {
                if let Some(code) = stream_class(class) {
                    self.emit(target, 0x20 + code, &[handle(class, of), 0], out);
                }
            }
            0x88 => self.emit(target, 0x79, &[long], out),
            0x89 => self.emit(target, 0x7A, &[long], out),
            0x8A..=0x8C => self.emit(target, 0x7B + u16::from(code - 0x8A), &[task], out),
            0x8D..=0x8F => self.emit(target, 0x04 + u16::from(code - 0x8D), &[task, param], out),
            0x94 | 0x96 => self.block = Some(long),
            0x95 | 0x97 => {
                let size = self.block.take().unwrap_or(0);
                let address = long | u32::from(second) << 16;
                let code = if code == 0x95 { 0x38 } else { 0x39 };
                self.emit(target, code, &[address, size], out);
            }
            0x98..=0xA7 => self.user_event(target, at, out),
            0xAC => self.emit(target, 0x3A, &[0], out),
            0xAD => self.emit(target, 0x3B, &[], out),
            0x20..=0x3F | 0x48..=0x7F | 0xDC..=0xDF => self.queue(target, code, of, out),
            0xB0..=0xC1 | 0xDB => self.timer(target, (code, of, param), out),
            0xC2..=0xCF => self.group(target, (code, of, param), out),
            0xD2..=0xDA => {
                let code = match code {
                    0xD2 => 0xC9,
                    0xD3 | 0xD6 => 0xCA,
                    0xD4 | 0xD7 => 0xCB,
                    0xD5 | 0xD8 => 0xCC,
                    _ => 0xCD,
                };
                // The ticks to wait have 8 bits here, unless more are recorded before.
                self.emit(target, code, &[task, u32::MAX], out);
            }
            _ if code > LAST_CODE => {
                let why = Break::Damage("an event with a code that no recorder writes");
                out.broken(target.first_core, why, 0, 4);
                target.forget_state();
            }
            _ => {}
        }
        true
    }

    /// Hands on an event of a stream.
    fn emit(&self, target: &mut Target, code: u16, words: &[u32], out: &mut Output) {
        let mut bytes = [0; 16];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let bytes = bytes.get(..words.len() * 4).unwrap_or_default();
        let words = EventWords { layout: Layout::new(false, false), bytes };
        let nesting = Nesting::Unknown;
        target.event(RawEvent { core: 0, ts: self.now, code, words, nesting }, out);
    }

    /// A moment on an event marker.
    fn message(&self, target: &mut Target, marker: (u32, &str), text: &str, out: &mut Output) {
        let words = EventWords { layout: Layout::new(false, false), bytes: &[] };
        let raw = RawEvent { core: 0, ts: self.now, code: 0, words, nesting: Nesting::Unknown };
        target.message(&raw, marker, text, out);
    }

    fn begin_isr(&self, target: &mut Target, of: u16, out: &mut Output) {
        let open = target.open_isr(0);
        let isr = handle(ISR, of);
        let nesting = match open {
            None => Nesting::Unknown,
            Some(open) if open == isr => Nesting::Chained,
            Some(open) => {
                let following = self.snapshot.events.iter().skip(self.at).take(AHEAD);
                let shows = |event: &[u8; 4]| match event {
                    [0x05, of, ..] if handle(ISR, (*of).into()) == open => Some(Nesting::Inside),
                    [0x06 | 0x07, ..] => Some(Nesting::Chained),
                    _ => None,
                };
                following.filter_map(shows).next().unwrap_or(Nesting::Unknown)
            }
        };
        let bytes = isr.to_le_bytes();
        let words = EventWords { layout: Layout::new(false, false), bytes: &bytes };
        target.event(RawEvent { core: 0, ts: self.now, code: 0x33, words, nesting }, out);
    }

    /// An object is gone, and the next one with this handle has another name.
    fn close_object(&mut self, target: &mut Target, class: u8, of: u16, out: &mut Output) {
        target.objects.forget(handle(class, of));
        let next = match self.closed.get_mut(&(class, of)) {
            Some(names) => {
                names.pop_front();
                names.front().copied()
            }
            None => None,
        };
        self.name(target, (class, of), next, out);
    }

    fn created(&self, target: &mut Target, class: u8, of: u16, out: &mut Output) {
        let Some(code) = stream_class(class) else { return };
        let object = self.snapshot.object(class, of);
        // The table has the priority at the end of the recording.
        let priority = target.objects.state_of(handle(class, of));
        if class == TASK && priority.is_none() {
            let task_id = handle(class, of);
            out.timed(target.first_core, self.now, &Event::TaskCreated { task_id });
            return;
        }
        let state = priority.or(object.map(|_| 0)).unwrap_or(0);
        self.emit(target, 0x10 + code, &[handle(class, of), state], out);
    }

    /// Operations on queues, semaphores and mutexes. Levels are not recorded.
    fn queue(&self, target: &mut Target, code: u8, of: u16, out: &mut Output) {
        let class = code & 7;
        if class > 2 || code >= 0xDC {
            return;
        }
        let number = handle(class, of);
        let class = u16::from(class);
        let is_mutex = class == 2;
        let code = match code >> 3 {
            4 if is_mutex => 0x52,
            5 if is_mutex => 0x62,
            9 => 0x53 + class,
            10 => 0x63 + class,
            11 => 0x5C + class,
            12 => 0x6C + class,
            13 => 0x66 + class,
            14 => 0x56 + class,
            15 => 0x70 + class,
            moves => {
                let name = target.objects.name_of(number).map(str::to_owned);
                let name = name.unwrap_or_else(|| format!("queue {of}"));
                let text = match moves {
                    4 => "send",
                    5 => "receive",
                    6 => "send from an interrupt",
                    _ => "receive from an interrupt",
                };
                self.message(target, (number, &name), text, out);
                return;
            }
        };
        self.emit(target, code, &[number, u32::MAX], out);
    }

    fn timer(&self, target: &mut Target, (code, of, param): (u8, u16, u32), out: &mut Output) {
        let number = handle(5, of);
        let code = match code {
            0xB0 => 0x14,
            0xB5 => 0x24,
            0xDB => 0xD2,
            0xB1..=0xB4 => 0xA0 + u16::from(code - 0xB1),
            0xB6..=0xB8 => 0xA4 + u16::from(code - 0xB6),
            0xBA..=0xBD => 0xA8 + u16::from(code - 0xBA),
            0xBF..=0xC1 => 0xAC + u16::from(code - 0xBF),
            _ => return,
        };
        self.emit(target, code, &[number, param], out);
    }

    fn group(&self, target: &mut Target, (code, of, param): (u8, u16, u32), out: &mut Output) {
        let code = match code {
            0xC2 => 0x15,
            0xCB => 0x25,
            0xC4 => 0xB6,
            0xC5 => 0xB0,
            0xC6 => 0xB7,
            0xC7 => 0xB1,
            0xC8 => 0xB2,
            0xC9 => 0xB3,
            0xCA => 0xB4,
            0xCC => 0xB8,
            0xCD => 0xB9,
            0xCE => 0xB5,
            _ => return,
        };
        self.emit(target, code, &[handle(6, of), param], out);
    }

    /// A text whose format is in the table of texts; its arguments are in the events that follow.
    fn user_event(&self, target: &mut Target, at: usize, out: &mut Output) {
        let Some(event) = self.snapshot.events.get(at) else { return };
        let (format, channel) = self.snapshot.text(self.number(*event, 2));
        let count = usize::from(event[0].saturating_sub(0x98));
        let words = self.snapshot.events.get(at + 1..at + 1 + count).unwrap_or_default();
        let mut words = words.iter();
        let layout = self.snapshot.layout;
        let next = || words.next().and_then(|word| layout.u32(word, 0)).map(Argument::Word);
        let text = printf::format(format, next, |value| match value {
            Argument::Word(symbol) => {
                let (text, _) = self.snapshot.text(u16::try_from(symbol).ok()?);
                Some(String::from_utf8_lossy(text).into_owned())
            }
            Argument::Long(_) => None,
        });
        let name = String::from_utf8_lossy(channel);
        // A channel's number is where its text is.
        let at = self.snapshot.channel(self.number(*event, 2));
        let (number, name) = match (at, &*name) {
            (0, _) | (_, "") => (UNNAMED, "user events"),
            (at, name) => (0xFD01_0000 | u32::from(at), name),
        };
        let core = target.first_core;
        target.user.name_marker(core, number, name, out);
        let event = Event::Evtmarker { evtmarker_id: number, msg: Str(text.as_bytes()) };
        out.timed(core, self.now, &event);
    }
}

/// The class of an object in streams, by its class in snapshots; `None` if there is none.
const fn stream_class(class: u8) -> Option<u16> {
    Some(match class {
        0 => 1,
        1 => 2,
        2 => 3,
        3 => 0,
        5 => 4,
        6 => 5,
        7 => 8,
        _ => return None,
    })
}
