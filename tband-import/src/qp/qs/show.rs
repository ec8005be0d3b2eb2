//! What records mean.

use tband_format::named::{CrashKind, QueueKind};
use tband_format::{Event, Str};

use super::super::actor::{Level, Sender};
use super::super::actors::{Actors, NameKind, Pieces, number};
use super::dictionary::Dictionary;
use super::record::Record;
use crate::counted::counted;
use crate::output::Output;

/// Rows of texts, by number.
mod row {
    pub const EVENTS: u32 = 1;
    pub const SUBSCRIPTIONS: u32 = 2;
    pub const STEPS: u32 = 3;
    pub const DEFERRED: u32 = 4;
    pub const SCHEDULER: u32 = 5;
    pub const OTHERS: u32 = 6;
    pub const TIME_EVENTS: u32 = 7;
    pub const FAILED: u32 = 8;
    pub const CRITICAL: u32 = 9;
}

/// Values of ticks begin with this number, one for each rate.
const TICKS: u32 = 0xFFFF_FE00;

/// A record of the framework.
pub fn show(
    id: u8,
    record: &Record<'_>,
    names: &Dictionary,
    actors: &mut Actors,
    out: &mut Output,
) {
    let object = |index| record.objects.at(index);
    let named = |index| names.object(object(index));
    let function = |index| names.function(record.functions.at(index));
    let first = number(object(0));
    // A signal may be that of one object.
    let signal = |of: u64| names.signal(record.signal, of);
    let counter = |index| record.counters.at(index);
    let byte = |index| record.bytes.at(index) as u8;
    match id {
        1 => step(actors, &["entry of ", &function(0), " in ", &named(0)], out),
        2 => step(actors, &["exit of ", &function(0), " in ", &named(0)], out),
        3 => {
            step(actors, &["initial ", &function(0), " -> ", &function(1), " in ", &named(0)], out)
        }
        9 => {
            let (signal, function) = (signal(object(0)), function(0));
            step(actors, &[&signal, " not handled by ", &function, " in ", &named(0)], out);
        }
        55..=57 => {
            let (from, to) = (function(0), function(1));
            step(actors, &[record.name, " ", &from, " -> ", &to, " in ", &named(0)], out);
        }
        4 => actors.state(first, &named(0), &function(0), out),
        5 | 7 => {
            let what = if id == 5 { " internal transition in " } else { " ignored in " };
            step(actors, &[&signal(object(0)), what, &named(0)], out);
            actors.end_step(first, out);
        }
        6 => {
            actors.state(first, &named(0), &function(1), out);
            actors.end_step(first, out);
        }
        8 => actors.begin_step(first, &named(0), &signal(object(0)), out),
        12 | 13 => {
            let what = if id == 12 { " subscribes to " } else { " unsubscribes from " };
            let text = [&named(0), what, &signal(object(0))];
            actors.text(row::SUBSCRIPTIONS, "subscriptions", &text, out);
        }
        14 => {
            let sender = number(object(0));
            let sender = if actors.is_actor(sender) { Sender::Actor } else { Sender::Other };
            actors.post(number(object(1)), &named(1), sender, Level::Free(counter(0)), out);
        }
        15 => actors.post(first, &named(0), Sender::Unknown, Level::Free(counter(0)), out),
        16 => actors.get(first, &named(0), Level::Free(counter(0)), out),
        17 => actors.get(first, &named(0), Level::Fill(0), out),
        10 | 11 | 18 | 81 => {
            let (signal, of, into) = (signal(object(0)), named(0), named(1));
            let text = [record.name, " ", &signal, " of ", &of, " in ", &into];
            actors.text(row::DEFERRED, "deferred events", &text, out);
        }
        19..=21 => {
            actors.value(first, &[&named(0), " free"], counter(0).cast_signed(), out);
        }
        24 | 25 => {
            actors.value(first, &[&named(0), " free blocks"], counter(0).cast_signed(), out);
        }
        22 => {
            actors.text(row::OTHERS, "records", &[&named(0), " is empty"], out);
        }
        23 | 45 | 46 | 47 => {
            let of = if id == 45 {
                named(1)
            } else if id == 23 {
                signal(0)
            } else {
                named(0)
            };
            actors.text(row::FAILED, "failed attempts", &[record.name, " ", &of], out);
        }
        26 => {
            actors.text(row::EVENTS, "events", &[&named(0), " publishes ", &signal(0)], out);
        }
        27..=30 | 38 => {
            let signal = signal(0);
            let mut text = |text: Pieces<'_>| actors.text(row::EVENTS, "events", text, out);
            match id {
                28 => text(&["new ", &signal, ", ", &counter(0).to_string(), " bytes"]),
                30 => text(&[&signal, " recycled"]),
                29 => text(&[&signal, " not recycled, ", &byte(1).to_string(), " references"]),
                _ => text(&[record.name, " of ", &signal]),
            }
        }
        31 => {
            let rate = byte(0);
            let name = ["ticks of rate ", &rate.to_string()];
            actors.value(TICKS | u32::from(rate), &name, counter(0).cast_signed(), out);
        }
        32 | 36 => {
            let text = match counter(1) {
                0 => counted(counter(0), "tick"),
                interval => format!("{}, then every {interval}", counted(counter(0), "tick")),
            };
            actors.timer(first, &named(0), Some(&text), out);
        }
        33 | 35 => actors.timer(first, &named(0), None, out),
        34 | 37 => {
            let what = if id == 37 { " expires" } else { " was not armed" };
            actors.text(row::TIME_EVENTS, "time events", &[&named(0), what], out);
        }
        41 | 42 => {
            let isr = byte(1).into();
            let name = ["interrupt of priority ", &byte(1).to_string()];
            actors.name(NameKind::Isr, isr, &name, out);
            if id == 41 {
                actors.isr_enters(isr, out);
            } else {
                actors.isr_exits(isr, out);
            }
        }
        39 | 40 | 43 | 44 => {
            let text = [record.name, ", nesting ", &byte(0).to_string()];
            actors.text(row::CRITICAL, "critical sections", &text, out);
        }
        52 | 53 => actors.schedule(if id == 52 { byte(0) } else { 0 }, out),
        54 => actors.schedule(byte(0), out),
        48..=51 => {
            let (of, before) = (byte(0).to_string(), byte(1).to_string());
            let text = [record.name, " ", &of, ", before ", &before];
            actors.text(row::SCHEDULER, "scheduler", &text, out);
        }
        59 => {
            actors.text(row::OTHERS, "records", &[record.name, " by ", &function(0)], out);
        }
        65 | 66 => {
            let of = byte(0).to_string();
            actors.text(row::OTHERS, "records", &[record.name, " ", &of], out);
        }
        67 => actors.text(row::OTHERS, "records", &[record.name, " of ", &named(0)], out),
        69 => {
            let module = String::from_utf8_lossy(record.text);
            let text = format!("{module}:{}", record.bytes.at(0));
            let event = Event::Crash { kind: CrashKind::ASSERT, of: Str(text.as_bytes()) };
            actors.record(&event, out);
        }
        71..=80 => lock(id, record, &named(0), actors, out),
        _ => actors.text(row::OTHERS, "records", &[record.name], out),
    }
}

fn step(actors: &mut Actors, text: Pieces<'_>, out: &mut Output) {
    actors.text(row::STEPS, "steps", text, out);
}

/// Semaphores and mutexes of QXK.
fn lock(id: u8, record: &Record<'_>, name: &str, actors: &mut Actors, out: &mut Output) {
    let queue_id = number(record.objects.at(0));
    let is_mutex = id >= 75;
    let kind = if is_mutex { QueueKind::MUTEX } else { QueueKind::COUNTING_SEMAPHORE };
    actors.metadata(&Event::QueueKind { queue_id, kind }, out);
    actors.name(NameKind::Semaphore, queue_id, &[name], out);
    let count = record.bytes.at(1) as u32;
    let event = match id {
        71 => Event::QueueReceive { queue_id, len_after: count },
        73 => Event::QueueSend { queue_id, len_after: count },
        75 if count <= 1 => Event::QueueReceive { queue_id, len_after: 0 },
        77 if count == 0 => Event::QueueSend { queue_id, len_after: 1 },
        75 | 77 => return,
        72 | 76 => Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: u32::MAX },
        _ => Event::QueueReceiveFailed { queue_id },
    };
    actors.record(&event, out);
}
