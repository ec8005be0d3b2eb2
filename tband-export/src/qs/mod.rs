//! QS, the protocol of QP/Spy: frames with records that QSPY prints, so that users of QP see FreeRTOS beside their state
//! machines.
//!
//! Each event is one record of the application, with its name from the dictionary of an enumeration, its core and its
//! fields, or the text of a record that the firmware has a format for; objects are in the dictionary of objects. A switch of tasks is a record of QS's scheduler besides, where both
//! priorities are known. Where something is lost a record says so, and a sequence number is left out.

mod before;
mod frame;
mod kinds;
mod lost;
mod objects;
mod record;
mod scheduler;

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use tband_conv::timeline::{At, World};
use tband_conv::{
    ConvError, EventSink, Events, Finding, Input, Options, Severity, Summary, TimedEvent, convert,
};
use tband_format::{EVENTS, Event, Value};

use self::before::Before;
use self::frame::Frames;
use self::kinds::{CLOCK, LOST, RECORDING, RECORDS};
use self::lost::Losses;
use self::objects::{Kind, Names, named};
use self::record::{EMPTY, ENUM_DICT, FUN_DICT, OBJ_DICT, Record, TARGET_INFO, USR_DICT};
use self::scheduler::Scheduler;

/// Converts recordings to frames of QS. Reads each input twice, and what is before a window twice more.
///
/// # Errors
/// As [`convert`]; if `out` cannot be written.
pub fn convert_to_qs(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = crate::without_flows(options);
    let Before { names, scheduler } = Before::read(inputs, &options)?;
    let sink = Qs {
        out: Frames::new(BufWriter::new(out)),
        record: Record::default(),
        kinds: kinds::by_id(),
        names: Names::new(names),
        scheduler,
        losses: Losses::default(),
        turn: None,
        ticks: 0,
    };
    convert(inputs, &options, &mut Events::new(sink))
}

struct Qs<W: Write> {
    out: Frames<BufWriter<W>>,
    record: Record,
    /// Records of events, by their ids.
    kinds: [u8; 256],
    names: Names,
    scheduler: Scheduler,
    losses: Losses,
    /// The upper half of the ticks of the last record.
    turn: Option<u64>,
    /// Of the last record.
    ticks: u64,
}

impl<W: Write> Qs<W> {
    fn write(&mut self) -> io::Result<()> {
        self.out.write(self.record.bytes())
    }

    /// Tells QSPY the sizes of everything, so that it needs no options, and that all dictionaries begin anew.
    fn target_info(&mut self) -> io::Result<()> {
        /// New layout, little-endian, after a reset, of QP/C.
        const KIND: u8 = 0b0100_0110;
        /// The version of QP whose records these are, and its date as the decimal digits before it.
        const VERSION: u32 = 251_217 * 10_000 + 813;
        let sizes = [
            // Signals and events, counters of queues and time events, blocks and counters of pools: not used.
            0x22, 0x21, 0x22, // Addresses of objects and functions.
            0x88, // Times.
            0x04, // Active objects; pools and tick rates: none.
            0, 0,
        ];
        // Seconds, minute, hour, day, month and year of the build are not known.
        let build = [0, 0, 0, 1, 1, 0];
        self.record
            .begin(TARGET_INFO)
            .raw(&[KIND])
            .raw(&(!VERSION).to_le_bytes())
            .raw(&sizes)
            .raw(&build);
        self.write()
    }

    /// All of the time, where it is not in the turn of the record before. What is before the first time has ticks of 0,
    /// and says nothing of it.
    fn clock(&mut self, ticks: u64, ns: i64) -> io::Result<()> {
        let turn = ticks >> 32;
        self.ticks = ticks;
        if ticks == 0 || self.turn.replace(turn) == Some(turn) {
            return Ok(());
        }
        self.record.begin_at(CLOCK, ticks).unsigned_64(ticks).signed(ns);
        self.write()
    }

    fn dictionary(&mut self, key: u64, kind: u8, name: &str) -> io::Result<()> {
        self.record.begin(kind).raw(&key.to_le_bytes()).name(name);
        self.write()
    }

    /// Writes the dictionary's records of the objects of an event that readers do not know yet.
    fn objects(&mut self, event: &Event<'_>, core: u32) -> io::Result<()> {
        if let Some((key, name)) = named(event, core)
            && self.names.change(key, &name)
        {
            return self.dictionary(key, OBJ_DICT, &name);
        }
        let mut found = [None; 2];
        let mut places = found.iter_mut();
        event.for_each_field(|field, value| {
            if let Value::Unsigned(id) = value
                && let (Some(kind), Ok(id)) = (Kind::of(event.name(), field), u32::try_from(id))
                && let Some(place) = places.next()
            {
                *place = Some((kind, id));
            }
        });
        for (kind, id) in found.into_iter().flatten() {
            let Some(name) = self.names.first(kind, id, core).map(str::to_owned) else { continue };
            let of = if kind == Kind::Function { FUN_DICT } else { OBJ_DICT };
            self.dictionary(kind.key(id, core), of, &name)?;
        }
        Ok(())
    }

    fn event_record(&mut self, event: &Event<'_>, core: u32, ticks: u64) {
        let is_described = matches!(event, Event::Described(_) | Event::DescribedMetadata(_));
        let id = event.id();
        let kind = if is_described { RECORDING } else { self.kinds[usize::from(id)] };
        let record = self.record.begin_at(kind, ticks);
        if is_described {
            record.text(event.name());
        } else {
            record.enumeration(id);
        }
        record.byte(u8::try_from(core).unwrap_or(u8::MAX));
        if let Some(text) = self.names.record_text(event) {
            record.text(&text);
            return;
        }
        event.for_each_field(|field, value| {
            match value {
                Value::Unsigned(number) => {
                    let id = u32::try_from(number);
                    match (Kind::of(event.name(), field), id) {
                        (Some(Kind::Function), Ok(id)) => {
                            record.function(Kind::Function.key(id, core))
                        }
                        (Some(kind), Ok(id)) => record.object(kind.key(id, core)),
                        _ => record.unsigned(number, is_hex(field)),
                    }
                }
                Value::Signed(number) => record.signed(number),
                Value::Named(_, Some(name)) => record.text(name),
                Value::Named(number, None) => record.byte(number),
                Value::Str(text) => record.text(&text.to_string()),
            };
        });
    }
}

/// Fields that are addresses, or sets of bits.
fn is_hex(field: &str) -> bool {
    ["address", "callback", "parameter1", "parameter2", "bits", "bits_after", "set", "found", "pc"]
        .contains(&field)
        || field.ends_with("flags")
        || field.ends_with("mask")
}

impl<W: Write> EventSink for Qs<W> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.names.learn(world.clone());
        self.record.begin(EMPTY);
        self.write()?;
        self.target_info()?;
        for (number, name) in RECORDS {
            self.record.begin(USR_DICT).raw(&[number]).name(name);
            self.write()?;
        }
        for event in EVENTS {
            self.record.begin(ENUM_DICT).raw(&[event.id, 0]).name(event.name);
            self.write()?;
        }
        Ok(())
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at: At { core, ns, .. }, ticks, ref decoded, .. } = *event;
        self.clock(ticks, ns)?;
        self.objects(&decoded.event, core)?;
        self.event_record(&decoded.event, core, ticks);
        self.write()?;
        if self.scheduler.follow(&decoded.event, core, ticks, &mut self.record) {
            self.write()?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finding(
        &mut self,
        at: At,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        if finding.problem.severity() == Severity::Note {
            return Ok(ControlFlow::Continue(()));
        }
        self.clock(ticks, at.ns)?;
        if self.losses.record(finding, at.core, ticks, &mut self.record) {
            self.write()?;
        }
        self.out.skip();
        self.scheduler.forget();
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: i64) -> io::Result<()> {
        for (what, count, amount) in self.losses.rest() {
            let text = format!("{count} more, without records of their own");
            self.record.begin_at(LOST, self.ticks).text(what).byte(0).unsigned(amount, false);
            self.record.text(&text);
            self.out.write(self.record.bytes())?;
        }
        self.out.finish()
    }
}
