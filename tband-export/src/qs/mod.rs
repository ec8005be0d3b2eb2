//! QS, the protocol of QP/Spy: frames with records that QSPY prints, so that users of QP see FreeRTOS beside their state
//! machines.
//!
//! Each event is one record of the application, with its name from the dictionary of an enumeration, its core and its
//! fields, or the text of a record that the firmware has a format for; objects are in the dictionary of objects. A switch of tasks is a record of QS's scheduler besides, where both
//! priorities are known. Where something is lost a record says so, and a sequence number is left out.

mod before;
mod frame;
mod kinds;
mod layout;
mod lost;
mod objects;
mod record;
mod scheduler;

use std::io::{self, Write};
use std::ops::ControlFlow;

use tband_conv::timeline::{At, World};
use tband_conv::{
    ConvError, EventSink, Events, Finding, Input, Options, Severity, Summary, TimedEvent, convert,
};
use tband_format::{EVENTS, Event, Value};

use self::before::Before;
use self::frame::Frames;
use self::kinds::{CLOCK, LOST, RECORDS, TASK};
use self::layout::{Layouts, Role};
use self::lost::Losses;
use self::objects::{Kind, Names, Object, named};
use self::record::{EMPTY, ENUM_DICT, FUN_DICT, OBJ_DICT, TARGET_INFO, USR_DICT};
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
        out: Frames::new(out),
        layouts: Layouts::default(),
        names: Names::new(names),
        scheduler,
        losses: Losses::default(),
        turn: None,
        ticks: 0,
    };
    convert(inputs, &options, &mut Events::new(sink))
}

struct Qs<W: Write> {
    out: Frames<W>,
    layouts: Layouts,
    names: Names,
    scheduler: Scheduler,
    losses: Losses,
    /// The upper half of the ticks of the last record.
    turn: Option<u64>,
    /// Of the last record.
    ticks: u64,
}

/// What has to be known of an event beside its record.
struct LaidOut {
    /// Others give nothing a name.
    may_name: bool,
    /// Others do not concern the scheduler.
    is_of_task: bool,
    /// The first objects in it that readers do not know.
    new: [Option<Object>; 2],
}

impl<W: Write> Qs<W> {
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
        self.out
            .record()
            .begin(TARGET_INFO)
            .raw(&[KIND])
            .raw(&(!VERSION).to_le_bytes())
            .raw(&sizes)
            .raw(&build);
        self.out.write()
    }

    /// All of the time, where it is not in the turn of the record before. What is before the first time has ticks of 0,
    /// and says nothing of it.
    fn clock(&mut self, ticks: u64, ns: i64) -> io::Result<()> {
        let turn = ticks >> 32;
        self.ticks = ticks;
        if ticks == 0 || self.turn.replace(turn) == Some(turn) {
            return Ok(());
        }
        self.out.record().begin_at(CLOCK, ticks).unsigned_64(ticks).signed(ns);
        self.out.write()
    }

    fn dictionary(&mut self, object: Object, name: &str) -> io::Result<()> {
        let kind = if object.kind == Kind::Function { FUN_DICT } else { OBJ_DICT };
        self.out.record().begin(kind).raw(&object.key().to_le_bytes()).name(name);
        self.out.write()
    }

    /// Writes the records of the dictionary before that of an event.
    fn dictionaries(
        &mut self,
        event: &Event<'_>,
        core: u32,
        new: [Option<Object>; 2],
    ) -> io::Result<()> {
        let later = self.out.record().take();
        if let Some((object, name)) = named(event, core)
            && self.names.change(object, &name)
        {
            self.dictionary(object, &name)?;
        }
        for object in new.into_iter().flatten() {
            // The event may have named it, or have it twice.
            if !self.names.has(object) {
                let name = self.names.first(object);
                self.dictionary(object, &name)?;
            }
        }
        self.out.record().put(&later);
        Ok(())
    }

    /// Makes the record of an event.
    fn lay_out(&mut self, event: &Event<'_>, core: u32, ticks: u64) -> LaidOut {
        let id = event.id();
        let layout = self.layouts.of(event, id);
        let short_core = u8::try_from(core).unwrap_or(u8::MAX);
        let record = match event {
            Event::Described(_) | Event::DescribedMetadata(_) => {
                self.out.record().begin_at(layout.record, ticks).text(event.name()).byte(short_core)
            }
            _ => self.out.record().begin_event(layout.record, ticks, id, short_core),
        };
        let mut new = [None; 2];
        // A record's own fields are bytes.
        if let Event::Record { .. } | Event::Typed { .. } = event
            && let Some(text) = self.names.text_of(event)
        {
            record.text(&text);
            return LaidOut { may_name: layout.is_metadata, is_of_task: false, new };
        }
        let mut roles = layout.roles.iter();
        let mut places = new.iter_mut();
        event.for_each_field(|field, value| {
            let role = roles.next();
            match value {
                Value::Unsigned(number) => {
                    let role = role.copied().unwrap_or_else(|| Role::of(event.name(), field));
                    match (role, u32::try_from(number)) {
                        (Role::Object(kind), Ok(id)) => {
                            let object = Object::of(kind, id, core);
                            if !self.names.has(object)
                                && let Some(place) = places.next()
                            {
                                *place = Some(object);
                            }
                            record.object(object)
                        }
                        (role, _) => record.unsigned(number, role == Role::Bits),
                    }
                }
                Value::Signed(number) => record.signed(number),
                Value::Named(_, Some(name)) => record.text(name),
                Value::Named(number, None) => record.byte(number),
                Value::Str(text) => record.text(&String::from_utf8_lossy(text.0)),
            };
        });
        LaidOut { may_name: layout.is_metadata, is_of_task: layout.record == TASK, new }
    }
}

impl<W: Write> EventSink for Qs<W> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.names.learn(world.clone());
        self.out.record().begin(EMPTY);
        self.out.write()?;
        self.target_info()?;
        for (number, name) in RECORDS {
            self.out.record().begin(USR_DICT).raw(&[number]).name(name);
            self.out.write()?;
        }
        for event in EVENTS {
            self.out.record().begin(ENUM_DICT).raw(&[event.id, 0]).name(event.name);
            self.out.write()?;
        }
        Ok(())
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at: At { core, ns, .. }, ticks, ref decoded, .. } = *event;
        self.clock(ticks, ns)?;
        let event = &decoded.event;
        let LaidOut { may_name, is_of_task, new } = self.lay_out(event, core, ticks);
        if may_name || new != [None; 2] {
            self.dictionaries(event, core, new)?;
        }
        self.out.write()?;
        if is_of_task && self.scheduler.follow(event, core, ticks, self.out.record()) {
            self.out.write()?;
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
        if self.losses.record(finding, at.core, ticks, self.out.record()) {
            self.out.write()?;
        }
        self.out.skip();
        self.scheduler.forget();
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: i64) -> io::Result<()> {
        for (what, count, amount) in self.losses.rest() {
            let text = format!("{count} more, without records of their own");
            self.out.record().begin_at(LOST, self.ticks).text(what).byte(0).unsigned(amount, false);
            self.out.record().text(&text);
            self.out.write()?;
        }
        self.out.finish()
    }
}
