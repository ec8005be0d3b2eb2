//! Reads events, and what they mean.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use foldhash::fast::FixedState;
use tband_format::named::CrashKind;
use tband_format::{Event, Str};

use super::super::actor::{Level, Sender};
use super::super::actors::{Actors, Pieces, number};
use super::super::clock::Clock;
use super::super::frame::Fields;
use super::super::frames::{FrameSink, Frames};
use super::arguments::{Arguments, strip_casts};
use super::config::Config;
use super::layout::{TCFG, layout};
use crate::counted::counted;
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// Frames that are kept at first: names come after their first use, and the configuration may be missing.
const ENOUGH: usize = 200;
/// Names that are kept.
const MAX_NAMES: usize = 16 * 1024;
/// Rows of the application's events begin with this number.
const USERS: u32 = 0x100;
/// Names of event pools are apart from those of addresses.
const POOLS: u64 = 1 << 40;

/// The sum of a frame's bytes.
const SUM: u8 = 0;
/// Bytes of a frame at least: event, checksum.
const LEAST: usize = 2;

/// Reads a recording of RKH.
#[derive(Debug)]
pub struct Rkh {
    frames: Frames,
    records: Records,
}

impl Rkh {
    /// Reads from the start of a recording, whose events are of this core.
    pub fn new(core: u32) -> Self {
        Self { frames: Frames::new(core, SUM, LEAST), records: Records::new(core) }
    }
}

/// Reads the events of frames.
#[derive(Debug)]
struct Records {
    core: u32,
    actors: Actors,
    clock: Clock,
    config: Option<Config>,
    /// The configuration was inferred: so many of so many frames fit it.
    guess: Option<(usize, usize)>,
    symbols: HashMap<u64, Box<str>, FixedState>,
    signals: HashMap<u64, Box<str>, FixedState>,
    /// Queues of active objects, whose events the objects record too.
    owned: HashSet<u64, FixedState>,
    held: Vec<Box<[u8]>>,
    is_held: bool,
    has_begun: bool,
    sequence: Option<u8>,
}

/// The name of a number, or what `other` makes of it.
fn name_or(
    names: &HashMap<u64, Box<str>, FixedState>,
    number: u64,
    other: impl FnOnce(u64) -> String,
) -> Cow<'_, str> {
    names.get(&number).map_or_else(|| Cow::Owned(other(number)), |name| Cow::Borrowed(&**name))
}

fn symbol(names: &HashMap<u64, Box<str>, FixedState>, address: u64) -> Cow<'_, str> {
    name_or(names, address, |it| format!("{it:#010x}"))
}

impl Records {
    fn new(core: u32) -> Self {
        Self {
            core,
            actors: Actors::new(core),
            clock: Clock::default(),
            config: None,
            guess: None,
            symbols: HashMap::default(),
            signals: HashMap::default(),
            owned: HashSet::default(),
            held: Vec::new(),
            is_held: true,
            has_begun: false,
            sequence: None,
        }
    }

    fn begin(&mut self, out: &mut Output) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        out.begin_recording(self.core, 0, None);
    }

    fn configure(&mut self, data: &[u8], len: u64, out: &mut Output) {
        let Some(config) = Config::read(data) else {
            out.broken(self.core, Break::Damage("a configuration with impossible sizes"), 0, len);
            return;
        };
        if self.has_begun || !self.held.is_empty() {
            // The kept bytes are from before it, but by the same target.
            self.config = self.config.or(Some(config));
            self.flush(out);
            out.broken(self.core, Break::Start, 0, 0);
            self.actors.restart();
            self.clock.restart();
            self.symbols.clear();
            self.signals.clear();
            self.owned.clear();
            self.is_held = true;
        }
        self.sequence = None;
        self.guess = None;
        self.config = Some(config);
    }

    /// Splits a frame.
    fn split<'a>(
        frame: &'a [u8],
        config: &Config,
    ) -> Option<(u8, Option<u8>, Option<u64>, Fields<'a>)> {
        let end = frame.len() - usize::from(config.has_checksum);
        let mut fields = Fields(frame.get(..end)?);
        let id = fields.byte()?;
        let sequence = if config.has_sequence { Some(fields.byte()?) } else { None };
        let time = if config.time > 0 { Some(fields.number(config.time)?) } else { None };
        Some((id, sequence, time, fields))
    }

    /// Takes the names of a frame.
    fn learn(&mut self, frame: &[u8], config: &Config) -> Option<()> {
        let (id, _, _, mut fields) = Self::split(frame, config)?;
        let (_, layout) = layout(id).filter(|_| id >> 5 == 5)?;
        let arguments = Arguments::read(layout, &mut fields, config)?;
        let [first, second, ..] = arguments.symbols;
        if self.symbols.len() >= MAX_NAMES || self.signals.len() >= MAX_NAMES {
            return None;
        }
        let name = strip_casts(arguments.text).into();
        match id & 31 {
            6 | 8 | 14 | 17 | 19 | 20 => drop(self.symbols.insert(first, name)),
            15 | 16 => drop(self.symbols.insert(second, name)),
            18 => drop(self.symbols.insert(POOLS | arguments.numbers[0], name)),
            7 => drop(self.signals.insert(arguments.signal, name)),
            _ => {}
        }
        Some(())
    }

    fn event(&mut self, frame: &[u8], len: u64, out: &mut Output) {
        let Some(config) = self.config else { return };
        self.begin(out);
        let split = Self::split(frame, &config);
        let Some((id, sequence, time, mut fields)) = split else {
            out.broken(self.core, Break::Damage("a frame that is too short"), 0, len);
            return;
        };
        let layout = layout(id);
        let arguments = layout.map(|(_, layout)| Arguments::read(layout, &mut fields, &config));
        if matches!(arguments, Some(None)) {
            // Zeros do not change a sum: the number and the time may be damaged, too.
            let what = Break::Damage("an event whose arguments do not end where its frame does");
            out.broken(self.core, what, 0, len);
            return;
        }
        if let Some(sequence) = sequence {
            let before = self.sequence.replace(sequence);
            let lost = before.map_or(0, |before| sequence.wrapping_sub(before).wrapping_sub(1));
            if lost > 0 {
                self.actors.report_loss(Some(lost.into()), out);
            }
        }
        if let Some(time) = time {
            self.actors.set_time(self.clock.time(time, config.time));
        }
        // Names are in the events of the framework.
        if id >> 5 == 5 {
            self.learn(frame, &config);
        }
        match (layout, arguments.flatten()) {
            (Some((name, _)), Some(arguments)) => {
                self.show(id, name, &arguments, fields.0, out);
            }
            _ => {
                let text = format!("event {id:#04x}, {}", counted(fields.0.len(), "byte"));
                self.actors.text(0, "events", &[&text], out);
            }
        }
    }

    fn show(
        &mut self,
        id: u8,
        name: &str,
        arguments: &Arguments<'_>,
        rest: &[u8],
        out: &mut Output,
    ) {
        let [first, second, third, fourth] = arguments.symbols;
        let [one, two, ..] = arguments.numbers;
        let names = &self.symbols;
        let object = || symbol(names, first);
        let signal = || name_or(&self.signals, arguments.signal, |it| format!("signal {it}"));
        let (id_of, level) = (number(first), arguments.level.unwrap_or(0));
        let fill = Level::Fill(u32::try_from(level).unwrap_or(u32::MAX));
        let (other, last) = (|| symbol(names, second), || symbol(names, third));
        let mut step = |actors: &mut Actors, text: Pieces<'_>| actors.text(1, "steps", text, out);
        let actors = &mut self.actors;
        match (id >> 5, id & 31) {
            (0, _) => {
                actors.value(id_of, &[&object(), " free blocks"], level.cast_signed(), out);
            }
            (1, 0) => {
                self.owned.insert(first);
                actors.name_object(number(second), &other(), out);
            }
            (1, 1 | 2 | 3 | 6) if self.owned.contains(&first) => {}
            (1, 1 | 2 | 3 | 6) => {
                actors.value(id_of, &[&object(), " level"], level.cast_signed(), out);
            }
            (1, _) => step(actors, &[name, " ", &object()]),
            (2, 2) => actors.get(id_of, &object(), fill, out),
            (2, 3 | 4) => actors.post(id_of, &object(), Sender::Unknown, fill, out),
            (2, 0 | 1 | 5 | 6) => {
                step(actors, &[name, " ", &object(), ", priority ", &one.to_string()])
            }
            (2, _) => step(actors, &[name, " ", &signal(), " of ", &object()]),
            (3, 3) => actors.state(id_of, &object(), &other(), out),
            (3, 9) => actors.end_step(id_of, out),
            (3, 17) => actors.begin_step(id_of, &object(), &signal(), out),
            (3, 2) => step(actors, &[&object(), ": ", &other(), " -> ", &last()]),
            (3, 10) => {
                step(actors, &[&object(), ": ", &signal(), " is not handled"]);
                actors.end_step(id_of, out);
            }
            (3, 11..=15) => step(actors, &[&object(), ": error ", &(id & 31).to_string()]),
            (3, 16) => {
                let function = self.symbols.get(&fourth).or_else(|| self.symbols.get(&third));
                let function = function.map_or_else(
                    || Cow::Owned(format!("{fourth:#010x}")),
                    |name| Cow::Borrowed(&**name),
                );
                let (kind, object, other) = (one.to_string(), object(), other());
                step(actors, &[&object, ": action ", &function, " of kind ", &kind, ", ", &other]);
            }
            (3, 6 | 7) => {
                let (one, two) = (one.to_string(), two.to_string());
                step(actors, &[&object(), ": ", name, " ", &one, " ", &two]);
            }
            (3, _) => step(actors, &[&object(), ": ", name, " ", &other()]),
            (4, 1) => {
                let text = match two {
                    0 => counted(one, "tick"),
                    period => format!("{}, then every {period}", counted(one, "tick")),
                };
                actors.timer(id_of, &object(), Some(&text), out);
            }
            (4, 2 | 4) => actors.timer(id_of, &object(), None, out),
            (4, 3) => actors.text(
                2,
                "timers",
                &[&object(), " expires: ", &signal(), " to ", &other()],
                out,
            ),
            (4, _) => actors.text(2, "timers", &[name, " ", &object()], out),
            (5, 3..=5) => actors.text(3, "dynamic events", &[name, " ", &signal()], out),
            (5, 13) => {
                let text = format!("{}:{one}", String::from_utf8_lossy(arguments.text));
                let event = Event::Crash { kind: CrashKind::ASSERT, of: Str(text.as_bytes()) };
                actors.record(&event, out);
            }
            // They have names.
            (5, 6 | 7 | 8 | 11 | 14..=20) => {}
            (5, 9 | 10) => step(actors, &[name, " ", &object()]),
            (5, _) => step(actors, &[name]),
            _ => {
                let mut text = String::new();
                for byte in rest.iter().take(64) {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{byte:02X}");
                }
                let row = name_or(names, id.into(), |_| format!("{name} {}", id & 31));
                actors.text(USERS | u32::from(id), &row, &[&text], out);
            }
        }
    }

    fn about(&self) -> ForeignRecording {
        let mut about =
            ForeignRecording { format: "RKH trace".to_owned(), ..ForeignRecording::default() };
        let config = self.config.unwrap_or(super::config::USUAL);
        about.recorder = match config.version {
            0 => "RKH, version unknown: no TCFG event".to_owned(),
            version => {
                format!("RKH {:x}.{:x}.{:02x}", version >> 12, version >> 8 & 15, version & 0xFF)
            }
        };
        if let Some((fit, all)) = self.guess {
            about.inferred.push(format!(
                "sizes of the fields ({fit} of {all} events end where they should with them): timestamp {}, symbol {}, \
                 signal {}, timer ticks {}, queue elements {}, blocks {}",
                config.time, config.pointer, config.signal, config.ticks, config.elements, config.blocks
            ));
        }
        let hz = match config.hz {
            0 => String::new(),
            hz => format!(" (the recording has its lower 16 bits, {hz})"),
        };
        about.not_recorded.push(format!("the frequency of the timestamps{hz}"));
        about.not_recorded.push(
            "what runs between two events: it is unknown; and whether an interrupt sent an event"
                .to_owned(),
        );
        if !config.has_sequence {
            about.not_recorded.push("lost events: frames have no sequence numbers".to_owned());
        }
        about
    }
}

impl FrameSink for Records {
    fn frame(&mut self, frame: &[u8], len: u64, out: &mut Output) {
        if let [TCFG, data @ .., _] = frame {
            self.configure(data, len, out);
        } else if self.is_held {
            self.held.push(frame.into());
            if self.held.len() >= ENOUGH {
                self.flush(out);
            }
        } else {
            self.event(frame, len, out);
        }
    }

    /// Reads the frames that were kept.
    fn flush(&mut self, out: &mut Output) {
        self.is_held = false;
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return;
        }
        let config = *self.config.get_or_insert_with(|| {
            let (config, fit) = Config::guess(&held);
            self.guess = Some((fit, held.len()));
            config
        });
        for frame in &held {
            self.learn(frame, &config);
        }
        for frame in held {
            self.event(&frame, 0, out);
        }
    }

    fn forget(&mut self) {
        self.actors.forget();
    }
}

impl Importer for Rkh {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        self.frames.read(bytes, at_end, &mut self.records, out)
    }

    fn finish(&mut self, out: &mut Output) {
        self.records.flush(out);
    }

    fn about(&self) -> ForeignRecording {
        self.records.about()
    }
}
