//! The metadata buffer as a table of what exists, against a model: create, rename, update, delete, in any
//! order, in buffers of any size, with searches that others interrupt.

mod fake;

use std::ffi::CString;

use fake::{FakePort, Sizes, bytes, decode, recorder};
use proptest::prelude::*;
use tband_core::metadata::Metadata;
use tband_core::table::Search;
use tband_core::{Recorder, Snapshot};
use tband_format::encode_frame;
use tband_format::registry::Event;

const ISR_NAME: u8 = 3;
const EVTMARKER_NAME: u8 = 6;
const TASK_NAME: u8 = 95;
const TASK_IS_TIMER_TASK: u8 = 97;
const QUEUE_NAME: u8 = 100;
const QUEUE_KIND: u8 = 101;
const TASK_EVTMARKER_NAME: u8 = 122;
const TASK_BASE_PRIORITY: u8 = 209;

const fn bits(ids: &[u8]) -> u32 {
    let (mut mask, mut index) = (0, 0);
    while index < ids.len() {
        mask |= 1 << (ids[index] % 32);
        index += 1;
    }
    mask
}

const OF_TASK: u32 =
    bits(&[TASK_NAME, TASK_IS_TIMER_TASK, TASK_BASE_PRIORITY, TASK_EVTMARKER_NAME]);
const OF_QUEUE: u32 = bits(&[QUEUE_NAME, QUEUE_KIND]);

const UPDATE: u32 = Metadata::NOT_SENT | Metadata::UPDATE;

/// One action of the firmware.
#[derive(Clone, Debug)]
struct Step {
    core: usize,
    id: u8,
    numbers: Vec<u32>,
    text: Option<String>,
    /// Flags of the event, or the ids to forget.
    flags: u32,
    forget: u32,
}

impl Step {
    fn frame(&self, max_str_len: u32) -> Vec<u8> {
        let text = self.text.as_deref().unwrap_or("");
        let name = tband_format::Str(&text.as_bytes()[..text.len().min(max_str_len as usize)]);
        let number = self.numbers[0];
        let second = self.numbers.get(1).copied().unwrap_or(0);
        let event = match self.id {
            ISR_NAME => Event::IsrName { isr_id: number, name },
            EVTMARKER_NAME => Event::EvtmarkerName { evtmarker_id: number, name },
            TASK_NAME => Event::TaskName { task_id: number, name },
            TASK_IS_TIMER_TASK => Event::TaskIsTimerTask { task_id: number },
            QUEUE_NAME => Event::QueueName { queue_id: number, name },
            QUEUE_KIND => Event::QueueKind {
                queue_id: number,
                kind: tband_format::named::QueueKind(u8::try_from(second).expect("a kind")),
            },
            TASK_EVTMARKER_NAME => {
                Event::TaskEvtmarkerName { evtmarker_id: number, task_id: second, name }
            }
            TASK_BASE_PRIORITY => Event::TaskBasePriority { task_id: number, priority: second },
            other => panic!("id {other}"),
        };
        let mut frame = vec![0; 700];
        let len = encode_frame(&event, 0, &mut frame).expect("fits");
        frame.truncate(len);
        frame
    }

    fn with_event<R>(&self, work: impl FnOnce(&Metadata<'_>) -> R) -> R {
        let text = self.text.as_deref().map(|text| CString::new(text).expect("no NUL"));
        let text = text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr().cast());
        let order = [self.numbers[0], self.forget];
        work(&match self.flags & Metadata::FORGET {
            0 => Metadata::new(self.id, &self.numbers, text).with(self.flags),
            _ => Metadata::forget(&order),
        })
    }

    fn run(&self, rec: &Recorder<FakePort>) {
        // SAFETY: numbers and text are there.
        self.with_event(|event| unsafe {
            rec.emit_metadata::<Snapshot>(0, &rec.port().cores[self.core], event);
        });
    }

    /// Returns whether this event replaces that entry.
    fn is_replacing(&self, of: usize, entry: &Step) -> bool {
        if self.flags & Metadata::NEW != 0 {
            return false;
        }
        if self.flags & Metadata::FORGET != 0 {
            let object = if entry.id == TASK_EVTMARKER_NAME { 1 } else { 0 };
            return self.forget & bits(&[entry.id]) != 0
                && self.numbers[0] == entry.numbers[object];
        }
        let keys = if self.id == TASK_EVTMARKER_NAME { 2 } else { 1 };
        self.id == entry.id
            && self.numbers[..keys] == entry.numbers[..keys]
            && (self.id != ISR_NAME || self.core == of)
    }
}

/// The expected contents of the buffers.
struct Model {
    size: usize,
    max_str_len: u32,
    cores: Vec<Vec<Step>>,
    dropped: Vec<u32>,
}

impl Model {
    fn used(&self, core: usize) -> usize {
        self.cores[core].iter().map(|entry| entry.frame(self.max_str_len).len()).sum()
    }

    /// Applies the kernel's rule: an object that is reported as new is new.
    fn reported(&self, mut step: Step) -> Step {
        let reported = Step { flags: 0, ..step.clone() };
        let mut entries = self.cores.iter().enumerate();
        if entries
            .any(|(core, entries)| entries.iter().any(|entry| reported.is_replacing(core, entry)))
        {
            step.flags &= !Metadata::NEW;
        }
        step
    }

    fn run(&mut self, step: &Step) {
        let mut found = false;
        for (core, entries) in self.cores.iter_mut().enumerate() {
            entries.retain(|entry| {
                let replaced = step.is_replacing(core, entry);
                found |= replaced;
                !replaced
            });
        }
        let is_stored =
            step.flags & Metadata::FORGET == 0 && (step.flags & Metadata::UPDATE == 0 || found);
        if !is_stored || self.size == 0 {
            return;
        }
        if self.used(step.core) + step.frame(self.max_str_len).len() <= self.size {
            self.cores[step.core].push(step.clone());
        } else {
            self.dropped[step.core] += 1;
        }
    }

    /// Returns the expected entries of a core's table, in any order.
    fn frames(&self, core: usize) -> Vec<Vec<u8>> {
        let mut frames: Vec<_> =
            self.cores[core].iter().map(|entry| entry.frame(self.max_str_len)).collect();
        frames.sort();
        frames
    }

    fn check(&self, rec: &Recorder<FakePort>) {
        for core in 0..self.cores.len() {
            let index = u32::try_from(core).expect("few cores");
            assert_eq!(frames(rec, index), self.frames(core), "core {core}");
            assert_eq!(rec.metadata_dropped(index), self.dropped[core], "core {core}");
        }
    }
}

/// The entries of a table, sorted; between them there may be gaps.
fn frames(rec: &Recorder<FakePort>, core: u32) -> Vec<Vec<u8>> {
    let bytes = bytes(rec.metadata(core));
    decode(&bytes);
    let mut frames: Vec<_> = (bytes.split_inclusive(|&byte| byte == 0))
        .filter(|frame| frame.len() > 1)
        .map(<[u8]>::to_vec)
        .collect();
    frames.sort();
    frames
}

fn step(cores: usize) -> impl Strategy<Value = Step> {
    let number = prop_oneof![0_u32..4, 120_u32..132, Just(u32::MAX), Just(0x8080)];
    let text = prop_oneof!["[a-z]{0,24}", "[a-zäöü]{0,40}", "x{240,270}"];
    (0..cores, 0_u8..12, number, 0_u32..130, text).prop_map(|(core, what, number, second, text)| {
        let plain = |id, numbers: Vec<u32>, text: Option<String>, flags| Step {
            core,
            id,
            numbers,
            text,
            flags,
            forget: 0,
        };
        let forget = |ids| Step {
            core,
            id: 0,
            numbers: vec![number],
            text: None,
            flags: Metadata::FORGET,
            forget: ids,
        };
        match what {
            0 => plain(ISR_NAME, vec![number], Some(text), 0),
            1 => plain(EVTMARKER_NAME, vec![number], Some(text), 0),
            2 => plain(TASK_NAME, vec![number], Some(text), Metadata::NEW),
            3 => plain(TASK_IS_TIMER_TASK, vec![number], None, 0),
            4 => plain(QUEUE_NAME, vec![number], Some(text), 0),
            5 => plain(QUEUE_KIND, vec![number, second % 6], None, Metadata::NEW),
            6 => plain(TASK_EVTMARKER_NAME, vec![number, second % 3 * 64], Some(text), 0),
            7 => plain(
                TASK_BASE_PRIORITY,
                vec![number, second],
                None,
                Metadata::NOT_SENT | Metadata::NEW,
            ),
            8 | 9 => plain(TASK_BASE_PRIORITY, vec![number, second], None, UPDATE),
            10 => Step { numbers: vec![number % 129], ..forget(OF_TASK) },
            _ => forget(OF_QUEUE),
        }
    })
}

proptest! {
    #[test]
    fn the_table_equals_the_model(
        size in 0_usize..700,
        cores in 1_usize..3,
        max_str_len in prop_oneof![1_u32..30, 250_u32..300],
        steps in proptest::collection::vec(step(2), 1..80),
    ) {
        let rec = recorder(Sizes { cores, metadata: size, max_str_len, ..Sizes::default() });
        let mut model = Model {
            size, max_str_len, cores: vec![Vec::new(); cores], dropped: vec![0; cores],
        };
        for mut step in steps {
            step.core %= cores;
            let step = model.reported(step);
            step.run(&rec);
            model.run(&step);
            model.check(&rec);
        }
    }

    /// Between the steps of an event other events run, and others between the steps of those. Each takes effect in its
    /// last step, as if it had begun there, except for a request to forget, whose entries are removed one after the
    /// other.
    #[test]
    fn events_that_are_interrupted(
        size in 16_usize..400,
        events in proptest::collection::vec((step(1), 0_u8..4), 1..90),
    ) {
        let rec = recorder(Sizes { metadata: size, max_str_len: 20, ..Sizes::default() });
        let model = Model { size, max_str_len: 20, cores: vec![Vec::new()], dropped: vec![0] };
        let mut run = InterleavedEvents { rec: &rec, model, events: events.iter() };
        while run.next(0) {
            run.model.check(&rec);
        }
    }
}

/// Events, each with the number of other events between its steps, one after each step.
struct InterleavedEvents<'a> {
    rec: &'a Recorder<FakePort>,
    model: Model,
    events: std::slice::Iter<'a, (Step, u8)>,
}

impl InterleavedEvents<'_> {
    fn next(&mut self, depth: u32) -> bool {
        let Some((event, others)) = self.events.next() else { return false };
        let event = &self.model.reported(event.clone());
        let core = &self.rec.port().cores[0];
        let buf = self.rec.metadata(0).0.cast_mut();
        let size = u32::try_from(self.model.size).expect("small");
        let mut others = if depth < 3 { *others } else { 0 };
        event.with_event(|metadata| {
            let mut search = Search::new(*metadata, self.model.max_str_len);
            // Far more steps than a search needs that each of the others makes restart.
            for _ in 0..1000 {
                // SAFETY: the buffer of that core.
                if !unsafe { search.keep(core, buf, size) } {
                    self.model.run(event);
                    return;
                }
                let entries = frames(self.rec, 0);
                if event.flags & Metadata::FORGET == 0 {
                    assert_eq!(entries, self.model.frames(0), "{event:?}");
                } else {
                    self.model.cores[0].retain(|entry| {
                        entries.contains(&entry.frame(self.model.max_str_len))
                            || !event.is_replacing(0, entry)
                    });
                }
                self.model.check(self.rec);
                if others != 0 {
                    others -= 1;
                    self.next(depth + 1);
                }
            }
            panic!("no end of {event:?}");
        });
        self.model.check(self.rec);
        true
    }
}

/// Many objects are created and deleted while some stay, in the default size.
#[test]
fn a_hundred_thousand_objects_later_every_living_name_is_known() {
    let rec = recorder(Sizes::default());
    let name = |id, number, text: &str, flags| Step {
        core: 0,
        id,
        numbers: vec![number],
        text: Some(text.to_owned()),
        flags,
        forget: 0,
    };
    let stays = [name(ISR_NAME, 0, "SysTick", 0), name(TASK_NAME, 1, "main", Metadata::NEW)];
    for step in &stays {
        step.run(&rec);
    }
    let mut living = Vec::new();
    let mut random = 1_u64;
    for number in 2..100_002_u32 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let text = &"semaphore_of_a_long_name"[..(random >> 60) as usize + 1];
        let (id, ids) = if number % 3 == 0 { (TASK_NAME, OF_TASK) } else { (QUEUE_NAME, OF_QUEUE) };
        let created = name(id, number, text, Metadata::NEW);
        created.run(&rec);
        living.push((created, ids));
        if living.len() == 7 {
            let (old, forget) = living.remove((random >> 32) as usize % 7);
            Step { flags: Metadata::FORGET, forget, ..old }.run(&rec);
        }
    }
    assert_eq!(rec.metadata_dropped(0), 0);
    let expected: Vec<u8> = (stays.iter())
        .chain(living.iter().map(|(step, _)| step))
        .flat_map(|step| step.frame(20))
        .collect();
    rec.start_streaming(0, 0, true).expect("starts");
    let mut found = decode(&rec.port().sent.borrow());
    assert_eq!(found.pop().as_deref(), Some("core_id@0 0"));
    assert_eq!(found.remove(0), "core_id@0 0");
    let mut expected = decode(&expected);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// The size that is reported is one that suffices.
#[test]
fn dropped_metadata_reports_the_required_size() {
    let names = |rec: &Recorder<FakePort>| {
        for number in 1..40 {
            let text = Some("a_name_of_some_length"[..number as usize % 20].to_owned());
            Step { core: 0, id: QUEUE_NAME, numbers: vec![number], text, flags: 0, forget: 0 }
                .run(rec);
        }
    };
    let reported = |rec: &Recorder<FakePort>| {
        rec.trigger_snapshot(0).expect("starts");
        rec.stop_snapshot();
        let events = decode(&bytes(rec.snapshot(0)));
        // The last report, after those of earlier recordings.
        let reported = events.iter().rfind(|event| event.starts_with("metadata_dropped"));
        reported.map(|reported| {
            reported.rsplit(' ').next().expect("words").parse::<usize>().expect("a size")
        })
    };
    // However many bytes are left in the end.
    for metadata in 200..256 {
        let small = recorder(Sizes { metadata, ..Sizes::default() });
        names(&small);
        let size = reported(&small).expect("some were dropped");
        let large = recorder(Sizes { metadata: size, ..Sizes::default() });
        names(&large);
        assert_eq!((reported(&large), large.metadata_dropped(0)), (None, 0), "{metadata}");
    }
    let small = recorder(Sizes { metadata: 256, ..Sizes::default() });
    names(&small);
    let size = reported(&small).expect("some were dropped");
    // The sizes needed one after the other are not added up.
    for number in 100..5000 {
        for flags in [0, Metadata::FORGET] {
            let text = Some("comes_and_goes".to_owned());
            let step = Step {
                core: 0,
                id: TASK_NAME,
                numbers: vec![number],
                text,
                flags,
                forget: OF_TASK,
            };
            step.run(&small);
        }
    }
    // The first of them was added to the size that was missing already.
    assert_eq!(reported(&small), Some(size + 18));
}
