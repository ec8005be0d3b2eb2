//! Compressed traces: of several members, which Perfetto reads as one.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::*;
use flate2::bufread::GzDecoder;
use tband_format::Event;
use tband_recordings::Engine;

/// Enough events for a trace of several blocks.
fn long() -> Vec<u8> {
    let mut bytes = frame(0, Event::TsResolutionNs { ns_per_ts: 10 });
    for n in 0..200_000_u32 {
        let at = u64::from(n) * 1000;
        bytes.extend(match n % 4 {
            0 => frame(at, Event::TaskSwitchedIn { task_id: n / 4 % 7 + 1 }),
            1 => frame(at, Event::Valmarker { valmarker_id: 1, val: (n ^ n << 7).into() }),
            2 => frame(at, Event::IsrEnter { isr_id: 3 }),
            _ => frame(at, Event::IsrExit { isr_id: 3 }),
        });
    }
    bytes
}

/// Bytes of each member once it is decompressed.
fn members(zipped: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut members) = (zipped, Vec::new());
    while !rest.is_empty() {
        let mut decoder = GzDecoder::new(rest);
        let mut member = Vec::new();
        decoder.read_to_end(&mut member).unwrap();
        rest = decoder.into_inner();
        members.push(member);
    }
    members
}

#[test]
fn perfetto_finds_the_same_in_a_trace_of_several_members() {
    let Some(engine) = Engine::find() else { return };
    let folder = Folder::new("members");
    let recording = folder.file("long.bin", &long());
    let (plain, zipped) = (folder.path("t.pftrace"), folder.path("t.pftrace.gz"));
    for out in [&plain, &zipped] {
        run(&["conv", "-o", out, &recording]).assert_code(0);
    }
    let members = members(&fs::read(&zipped).unwrap());
    assert!(members.len() > 2, "{} members", members.len());
    // The ends of packets are not those of members.
    assert!(members.concat() == fs::read(&plain).unwrap());
    let tables = [
        ("sched", "ts + dur + utid * 7"),
        ("thread_state", "ts + dur + utid * 7 + length(state)"),
        ("slice", "ts + dur + length(name)"),
        ("counter", "ts + value * 3"),
        ("track", "length(name) + id"),
        ("thread", "tid * 5 + length(coalesce(name, ''))"),
        ("args", "arg_set_id + coalesce(int_value, 0)"),
    ]
    .map(|(table, row)| (table, format!("count(*) || ' ' || sum({row})"), format!("from {table}")));
    let queries: Vec<(&str, &str, &str)> =
        tables.iter().map(|(tag, column, from)| (*tag, column.as_str(), from.as_str())).collect();
    let [plain, zipped] = [plain, zipped].map(|trace| engine.check(Path::new(&trace), &queries));
    assert_eq!(plain, zipped);
    let of = |table: &str| plain.iter().find(|row| row.0 == table).unwrap().1.clone();
    assert!(of("counter").starts_with("50000 "), "{}", of("counter"));
    assert!(!of("sched").starts_with("0 "));
}
