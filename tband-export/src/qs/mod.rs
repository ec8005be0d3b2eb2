//! QS, the protocol of QP/Spy: frames with records that QSPY prints, so that users of QP see FreeRTOS beside their state
//! machines.
//!
//! Each event is one record of the application, with its name from the dictionary of an enumeration, its core and its fields,
//! or the text of a log record whose format is known; objects are in the dictionary of objects. A task switch is also a record
//! of QS's scheduler, where both priorities are known. A loss has a record, and a sequence number is left out.

mod earlier_reports;
mod frame;
mod frequent_event;
mod kinds;
mod layout;
mod lost;
mod objects;
mod record;
mod record_start;
mod scheduler;

use std::io::{self, Write};
use std::ops::ControlFlow;

use tband_conv::diagnostics::{Finding, Severity};
use tband_conv::model::{EventSink, EventTime, Events, TimedEvent, World};
use tband_conv::{ConvError, Input, Options, Summary, convert};
use tband_format::Event;
use tband_format::field::Value;
use tband_format::registry::EVENTS;

use self::earlier_reports::EarlierReports;
use self::frame::Frames;
use self::frequent_event::FrequentEvent;
use self::kinds::{CLOCK, LOST, RECORDS, TASK};
use self::layout::{Layouts, Role};
use self::lost::Losses;
use self::objects::{Names, Object, QsObjectKind, named};
use self::record::{
    EMPTY, ENUM_DICT, FUN_DICT, OBJ_DICT, SCHED_IDLE, SCHED_NEXT, TARGET_INFO, USR_DICT,
};
use self::record_start::RecordStart;
use self::scheduler::{Scheduler, Switch};

/// Converts recordings to frames of QS. Reads each input twice, and the part before a window twice more.
///
/// # Errors
/// As [`convert()`](tband_conv::convert()); if `out` cannot be written.
pub fn convert_to_qs(
    inputs: &[Input<'_>],
    options: &Options,
    out: impl Write,
) -> Result<Summary, ConvError> {
    let options = crate::without_flows(options);
    let EarlierReports { names, scheduler, .. } = EarlierReports::read(inputs, &options)?;
    let mut sink = Qs {
        out: Frames::new(out),
        layouts: Layouts::default(),
        names: Names::new(names),
        scheduler,
        losses: Losses::default(),
        board: 0,
        turn: None,
        ticks: 0,
    };
    convert(inputs, &options, &mut Events::new(&mut sink))
}

struct Qs<W: Write> {
    out: Frames<W>,
    layouts: Layouts,
    names: Names,
    scheduler: Scheduler,
    losses: Losses,
    /// The board of the last event.
    board: usize,
    /// The upper half of the ticks of the last record.
    turn: Option<u64>,
    /// Ticks of the last record.
    ticks: u64,
}

/// Facts about an event in addition to its record.
struct EventLayout {
    /// Other events contain no names.
    may_name: bool,
    /// Others do not concern the scheduler.
    is_of_task: bool,
    /// The first objects in it that readers do not know.
    new: [Option<Object>; 2],
}

impl<W: Write> Qs<W> {
    /// Sends QSPY the sizes of everything, so that it needs no options, and resets all dictionaries.
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

    /// Writes the full time, where its upper half differs from that of the record before. Records before the first time have
    /// ticks of 0, and no clock record.
    #[inline]
    fn clock(&mut self, ticks: u64, ns: i64) -> io::Result<()> {
        let turn = ticks >> 32;
        self.ticks = ticks;
        if ticks == 0 || self.turn == Some(turn) {
            Ok(())
        } else {
            self.write_wraps(turn, ticks, ns)
        }
    }

    #[cold]
    fn write_wraps(&mut self, turn: u64, ticks: u64, ns: i64) -> io::Result<()> {
        self.turn = Some(turn);
        self.out.record().begin_at(CLOCK, ticks).unsigned_64(ticks).signed(ns);
        self.out.write()
    }

    fn dictionary(&mut self, object: Object, name: &str) -> io::Result<()> {
        let kind = if object.kind == QsObjectKind::Function { FUN_DICT } else { OBJ_DICT };
        self.out.record().begin(kind).raw(&object.key().to_le_bytes()).name(name);
        self.out.write()
    }

    /// Writes the records of the dictionary before that of an event.
    fn write_dictionaries(
        &mut self,
        event: &Event<'_>,
        core: u32,
        new: [Option<Object>; 2],
    ) -> io::Result<()> {
        let later = self.out.record().take();
        if let Some((object, name)) = named(event, core)
            && let object = object.on(self.board)
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
        self.out.record().restore(&later);
        Ok(())
    }

    /// Writes the records of an event.
    #[inline]
    fn take(
        &mut self,
        event: &Event<'_>,
        EventTime { core, ns }: EventTime,
        ticks: u64,
    ) -> io::Result<()> {
        self.clock(ticks, ns)?;
        if let Some(usual) = FrequentEvent::of(event)
            && self.usual(event.id(), usual, core, ticks)?
        {
            // Of these events only switches concern the scheduler, and the running task at the start of the recording.
            match *event {
                Event::TaskSwitchedIn { task_id } if core == 0 => {
                    let switch = self.scheduler.switch(task_id);
                    self.switch(switch, ticks)?;
                }
                Event::RunningTask { .. } => {
                    self.scheduler.follow(event, core);
                }
                _ => {}
            }
            return Ok(());
        }
        self.any(event, core, ticks)
    }

    /// Writes the record of an event of this id; false if readers do not know its object yet.
    #[inline]
    fn usual(&mut self, id: u8, usual: FrequentEvent, core: u32, ticks: u64) -> io::Result<bool> {
        let short_core = u8::try_from(core).unwrap_or(u8::MAX);
        let words = RecordStart::of_event(self.layouts.record(id), ticks, id, short_core);
        let key = match usual {
            FrequentEvent::Number(number) => {
                self.out.write_words::<15>(words.number(number))?;
                return Ok(true);
            }
            FrequentEvent::Object(kind, id) | FrequentEvent::Both(kind, id, _) => {
                let object = Object::of(kind, id, core).on(self.board);
                if !self.names.has(object) {
                    return Ok(false);
                }
                object.key()
            }
        };
        match usual {
            FrequentEvent::Both(.., number) => {
                self.out.write_words::<24>(words.both(key, number))?
            }
            _ => self.out.write_words::<19>(words.object(key))?,
        }
        Ok(true)
    }

    /// Writes the record of a switch.
    #[inline]
    fn switch(&mut self, switch: Option<Switch>, ticks: u64) -> io::Result<()> {
        match switch {
            None => Ok(()),
            Some(Switch { now: Some(now), before }) => {
                self.out.write_words::<8>(RecordStart::short(SCHED_NEXT, ticks, [now, before]))
            }
            Some(Switch { now: None, before }) => {
                self.out.write_words::<7>(RecordStart::short(SCHED_IDLE, ticks, [before, 0]))
            }
        }
    }

    /// Writes the records of any event, whatever it is.
    #[inline(never)]
    fn any(&mut self, event: &Event<'_>, core: u32, ticks: u64) -> io::Result<()> {
        let EventLayout { may_name, is_of_task, new } = self.create_layout(event, core, ticks);
        if may_name || new != [None; 2] {
            self.write_dictionaries(event, core, new)?;
        }
        self.out.write()?;
        if is_of_task && self.board == 0 {
            let switch = self.scheduler.follow(event, core);
            self.switch(switch, ticks)?;
        }
        Ok(())
    }

    /// Creates the record of an event.
    fn create_layout(&mut self, event: &Event<'_>, core: u32, ticks: u64) -> EventLayout {
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
            return EventLayout { may_name: layout.is_metadata, is_of_task: false, new };
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
                            let object = Object::of(kind, id, core).on(self.board);
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
        EventLayout { may_name: layout.is_metadata, is_of_task: layout.record == TASK, new }
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
        self.board = self.names.enter_input(event.place.input);
        self.take(&event.decoded.event, event.at, event.ticks)?;
        Ok(ControlFlow::Continue(()))
    }

    fn finding(
        &mut self,
        at: EventTime,
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
            let text = format!("{count} more, without separate records");
            self.out.record().begin_at(LOST, self.ticks).text(what).byte(0).unsigned(amount, false);
            self.out.record().text(&text);
            self.out.write()?;
        }
        self.out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qs() -> Qs<Vec<u8>> {
        Qs {
            out: Frames::new(Vec::new()),
            layouts: Layouts::default(),
            names: Names::default(),
            scheduler: Scheduler::default(),
            losses: Losses::default(),
            board: 0,
            turn: None,
            ticks: 0,
        }
    }

    /// Usual events are written in words, and any event as it is laid out: the bytes are the same.
    #[test]
    fn usual_events_are_written_as_any_other() {
        for (id, number) in [(1, 2), (0x7D, 0x7E), (0x1234_5678, u32::MAX), (5, 0)] {
            for event in events(id, number) {
                assert!(FrequentEvent::of(&event).is_some(), "{event:?}");
                for (core, ticks) in [(0, 1), (1, 0x7D7E_7D7E), (0x7D, 5 << 32), (300, 77)] {
                    let (mut words, mut fields) = (qs(), qs());
                    // The first time its object gets a name.
                    for ticks in ticks..ticks + 3 {
                        words.take(&event, EventTime { ns: 0, core }, ticks).unwrap();
                        fields.clock(ticks, 0).unwrap();
                        fields.any(&event, core, ticks).unwrap();
                    }
                    words.finish(0).unwrap();
                    fields.finish(0).unwrap();
                    assert_eq!(words.out.into_inner(), fields.out.into_inner(), "{event:?}");
                }
            }
        }
    }

    fn events(id: u32, number: u32) -> [Event<'static>; 15] {
        [
            Event::IsrEnter { isr_id: id },
            Event::IsrExit { isr_id: id },
            Event::IsrExitToScheduler { isr_id: id },
            Event::TaskSwitchedIn { task_id: id },
            Event::TaskToRdyState { task_id: id },
            Event::TaskResumed { task_id: id },
            Event::RunningTask { task_id: id },
            Event::EvtmarkerEnd { evtmarker_id: id },
            Event::QueueSend { queue_id: id, len_after: number },
            Event::QueueSendFromIsr { queue_id: id, len_after: number },
            Event::QueueReceive { queue_id: id, len_after: number },
            Event::QueueReceiveFromIsr { queue_id: id, len_after: number },
            Event::CurtaskBlockOnQueueReceive { queue_id: id, ticks_to_wait: number },
            Event::CurtaskDelay { ticks: number },
            Event::CurtaskDelayUntil { time_to_wake: number },
        ]
    }
}
