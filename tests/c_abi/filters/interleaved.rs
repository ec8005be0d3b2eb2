//! Nested calls, by interrupts and another core, with filters, shedding and a slow consumer, against a list of them: no event
//! is wrong, none has another time, and missing ones are left out or counted.

use std::collections::BTreeMap;

use tband_conv::diagnostics::Problem;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::classes::CLASSES;
use tband_format::classes::filter::with_its_pair;
use tband_format::field::Value;
use tband_tests::c::Firmware;
use tband_tests::packets::packets;
use tband_tests::random::Random;
use tband_tests::{temp_dir, write};

use crate::packets::{PACKETS, TAKEN};
use crate::{Config, STREAMING, TWO_CORES};

const BASE: &Config = &[
    STREAMING,
    PACKETS,
    TAKEN,
    ("tband_configUSE_FILTERS", "1"),
    ("tband_configPACKET_SIZE", "512"),
    ("FAKE_LOCK", "1"),
];
const SHEDDING: &Config = &[
    ("tband_configUSE_SHEDDING", "1"),
    ("tband_configSHEDDING_ORDER", "TBAND_CLASS_STACK, TBAND_CLASS_ISR, TBAND_CLASS_QUEUE"),
];

const ADVANCE: u32 = 0;
const ON_CORE: u32 = 1;
const SEND: u32 = 2;
const ENTER: u32 = 3;
const EXIT: u32 = 4;
const FILTER: u32 = 5;
const TAKE: u32 = 6;
const FLUSH: u32 = 7;
const COMES_IN: u32 = 8;

type Call = [u32; 4];

/// A call that was made.
#[derive(Debug)]
struct CompletedCall {
    call: Call,
    core: u64,
    from: u64,
    to: u64,
    /// Its place among those that were begun, and that of the first one after it.
    at: u64,
    end: u64,
    is_ok: bool,
    is_recorded: bool,
}

impl CompletedCall {
    /// Core, id, number and value of its event, which are of no other.
    fn event(&self) -> Option<(u64, u8, u64, u64)> {
        let [what, id, number, value] = self.call;
        match what {
            SEND => Some((self.core, id as u8, number.into(), value.into())),
            ENTER | EXIT => Some((self.core, what as u8 + 1, id.into(), 0)),
            _ => None,
        }
    }

    fn is_apart_from(&self, other: &Self) -> bool {
        self.end <= other.at || other.end <= self.at
    }
}

/// A program; each event has a unique number or value.
fn program(seed: u32, cores: u32) -> Vec<Call> {
    let mut random = Random::new(seed.into());
    let (reads, changes, comes) =
        (random.one_of(&[8, 30, 200]), 10 + random.below(60), random.one_of(&[3, 20]));
    let mut calls = Vec::new();
    let mut open = vec![Vec::new(); 2];
    let mut core = 0;
    for serial in 1..350 {
        if random.one_in(4) {
            calls.push([ADVANCE, random.one_of(&[3, 70, 20_000, 1 << 22, u32::MAX]), 0, 0]);
        }
        if random.one_in(6) {
            core = random.below(cores);
            calls.push([ON_CORE, core, 0, 0]);
        }
        if random.one_in(comes) {
            calls.push([
                COMES_IN,
                random.below(4) * (cores - 1),
                1 + random.below(5),
                random.below(cores),
            ]);
        }
        if random.one_in(reads) {
            calls.push([random.one_of(&[TAKE, TAKE, FLUSH]), 1 + random.below(4), 0, 0]);
        }
        if random.one_in(changes) {
            let [what, of] = random.one_of(&[
                [0, 102],
                [1, 1 << 6],
                [1, 1 << 4],
                [17, 2],
                [17, 34],
                [33, 0],
                [2, 0],
            ]);
            calls.push([FILTER, what, of, u32::from(what == 2 || random.one_in(2))]);
        }
        let isrs: &mut Vec<u32> = &mut open[core as usize];
        calls.push(match random.below(8) {
            0 if isrs.len() < 5 => {
                isrs.push(serial);
                [ENTER, serial, 0, 0]
            }
            0 | 1 => isrs.pop().map_or([SEND, 102, 9, serial], |isr| [EXIT, isr, 0, 0]),
            nth => {
                [SEND, [102, 104, 91, 194][nth as usize % 4], random.one_of(&[1, 2, 34]), serial]
            }
        });
    }
    calls
}

/// Makes the calls; what they were and the packets.
fn run(firmware: &Firmware, calls: &[Call]) -> (Vec<CompletedCall>, Vec<u8>) {
    let folder = temp_dir();
    let path = folder.path().join("calls");
    let words = calls.iter().flatten();
    write(&path, words.flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    let mut out = firmware.run(&[path.to_str().expect("a path in UTF-8")]);
    let word = |at: usize| u64::from_le_bytes(out[8 * at..][..8].try_into().expect("a word"));
    let count = word(0) as usize;
    let done = (0..count).map(|nth| {
        let [call, core, from, to, end, result] =
            [0, 1, 2, 3, 4, 5].map(|at| word(1 + 6 * nth + at));
        let (call, at) = (calls[call as usize], nth as u64);
        CompletedCall { call, core, from, to, at, end, is_ok: result == 0, is_recorded: false }
    });
    let done = done.collect();
    (done, out.split_off(8 * (1 + 6 * count)))
}

/// Ids and queues that are left out.
#[derive(Clone, Default)]
struct ExcludedEvents {
    ids: [u32; 8],
    all_queues: bool,
    but: Vec<u32>,
}

impl ExcludedEvents {
    fn choose(&mut self, [_, what, of, on]: Call) {
        let mut switch = |ids: [u32; 8]| {
            for (word, ids) in self.ids.iter_mut().zip(ids) {
                *word = if on != 0 { *word & !ids } else { *word | ids };
            }
        };
        match what {
            0 => switch(with_its_pair(of as u8)),
            1 => {
                let classes = CLASSES.iter().filter(|it| it.flag & of != 0);
                classes.flat_map(|it| it.events).for_each(|id| switch(with_its_pair(*id)));
            }
            2 => *self = Self::default(),
            17 => {
                self.but.retain(|it| *it != of);
                if (on != 0) == self.all_queues {
                    self.but.push(of);
                }
            }
            _ => (self.all_queues, self.but) = (on == 0, vec![]),
        }
    }

    fn has(&self, (_, id, number, _): (u64, u8, u64, u64)) -> bool {
        let is_of_queue = [102, 104].contains(&id);
        self.ids[usize::from(id) / 32] >> (id % 32) & 1 != 0
            || is_of_queue && self.all_queues != self.but.contains(&(number as u32))
    }
}

/// Events that are missing, that are shed, and that were left out.
fn check(done: &mut [CompletedCall], recording: &[u8], name: &str) -> [u64; 3] {
    let places: BTreeMap<_, _> =
        done.iter().enumerate().filter_map(|(at, it)| Some((it.event()?, at))).collect();
    let (mut lost, mut shed, mut ends) = ([0; 2], [0; 2], [0; 2]);
    for packet in packets(recording).iter().filter(|it| it.header().stream < 2) {
        let header = packet.header();
        let core = usize::from(header.stream);
        assert!(ends[core] <= header.begin, "{name}: {header:?} after {}", ends[core]);
        (ends[core], lost[core]) = (header.end, u64::from(header.discarded));
        let mut last = header.begin;
        for decoded in packet.events() {
            let decoded = decoded.expect("an event");
            let ts = decoded.ts.expect("a time");
            assert!(last <= ts && ts <= header.end, "{name}: {decoded:?} after {last}");
            last = ts;
            if let Event::Shed { n, .. } = decoded.event {
                shed[core] += u64::from(n);
            }
            let (id, mut fields) = (decoded.event.id(), [0; 2]);
            if ![4, 5, 91, 102, 104, 194].contains(&id) {
                continue;
            }
            let mut at = 0;
            decoded.event.for_each_field(|_, value| {
                if let Value::Unsigned(value) = value {
                    fields[at] = value;
                    at += 1;
                }
            });
            let place = places.get(&(core as u64, id, fields[0], fields[1]));
            let it = &mut done[*place.unwrap_or_else(|| panic!("{name}: no call for {decoded:?}"))];
            assert!(it.from <= ts && ts <= it.to, "{name}: {decoded:?} of {it:?}");
            assert!(
                !std::mem::replace(&mut it.is_recorded, true),
                "{name}: {decoded:?} is there twice"
            );
        }
    }
    let (mut out, mut changes) = (ExcludedEvents::default(), Vec::new());
    for it in done.iter().filter(|it| it.call[0] == FILTER && it.is_ok) {
        out.choose(it.call);
        changes.push((it, out.clone()));
    }
    let (mut missing, mut perhaps, mut left_out) = ([0; 2], [0; 2], 0);
    for it in done.iter() {
        let core = it.core as usize;
        let Some(event) = it.event() else {
            // The reports of a change may be lost too: each fact, and its description.
            perhaps[core] += if it.call[0] == FILTER { 60 } else { 0 };
            continue;
        };
        let before = changes.iter().rfind(|(change, _)| change.end <= it.at);
        let is_out = before.is_some_and(|(_, out)| out.has(event));
        let is_sure = changes.iter().all(|(change, _)| it.is_apart_from(change));
        assert!(!it.is_recorded || !is_sure || !is_out, "{name}: {it:?} is left out");
        match (it.is_recorded, is_sure) {
            (false, true) if is_out => left_out += 1,
            (false, true) => missing[core] += 1,
            (false, false) => perhaps[core] += 1,
            _ => {}
        }
    }
    for core in 0..2 {
        let output = lost[core] + shed[core];
        let most = missing[core] + perhaps[core];
        assert!(
            missing[core] <= output && output <= most,
            "{name}: {output} of {missing:?} to {most}"
        );
    }
    let input = [Input::from_bytes("r", recording)];
    let summary = convert(&input, &Options::default(), &mut ()).expect("a recording");
    // Interrupts of a random program do not end in the order in which they began.
    let is_usual = |it: &Problem| {
        matches!(
            it,
            Problem::EventsDiscarded
                | Problem::StateDisagrees
                | Problem::IsrExitWithoutEnter
                | Problem::IsrExitMissing
        )
    };
    let found = summary.diagnostics.iter().find(|it| !is_usual(&it.problem));
    assert!(found.is_none(), "{name}: {found:?}");
    [missing.iter().sum(), shed.iter().sum(), left_out]
}

#[test]
fn interleaved_events_are_recorded_filtered_or_counted() {
    let cases = std::env::var("TBAND_INTERLEAVED").map_or(10, |it| it.parse().expect("a number"));
    for cores in [1, 2] {
        let two: &Config = if cores == 2 { &[TWO_CORES] } else { &[] };
        let firmware = Firmware::new("interleaved", &[BASE, SHEDDING, two].concat());
        let mut all = [0; 3];
        for seed in 1..=cases {
            let (mut done, recording) = run(&firmware, &program(seed, cores));
            let name = format!("{cores} cores, seed {seed}");
            let found = check(&mut done, &recording, &name);
            (0..3).for_each(|at| all[at] += found[at]);
        }
        let [missing, shed, left_out] = all;
        println!("{cores} cores: {missing} missing, {shed} shed, {left_out} left out");
        assert!(missing > 100 && left_out > 100 && shed > 100);
    }
}
