//! Traces of the Common Trace Format, read by babeltrace2: each event with its time to the tick, its name and all its fields,
//! from frames and from packets, and losses.
//!
//! CTF 1.8 is read by Debian's babeltrace2, CTF 2 by one from 2.1 on: that of this machine, or of the root that
//! `cargo xtask test --ctf2` creates.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::support::babeltrace::{Version, read, read_whole};
use crate::support::*;
use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_format::field::Value;
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::{Event, registry};
use tband_recordings::packed::pieces;
use tband_recordings::{Recording, str, two_tasks};

/// The line of an event.
fn line(version: Version, ticks: u64, event: &Event<'_>) -> String {
    let mut values = Vec::new();
    event.for_each_field(|name, value| values.push((name, value)));
    let mut fields = String::new();
    for def in registry::by_id(event.id()).unwrap().fields {
        let value = values.iter().find(|(name, _)| *name == def.name).map(|(_, value)| *value);
        let text = match value {
            None => "-1".to_owned(),
            Some(Value::Unsigned(number))
                if def.name == "ticks_to_wait" && version == Version::Two =>
            {
                (number as u32).cast_signed().to_string()
            }
            Some(Value::Unsigned(number)) => number.to_string(),
            Some(Value::Signed(number)) => number.to_string(),
            Some(Value::Str(text)) => format!("{:?}", text.to_string()),
            Some(Value::Named(number, name)) => match name {
                Some(name) => format!("( {name:?} : container = {number} )"),
                None => format!("( <unknown> : container = {number} )"),
            },
        };
        let comma = if fields.is_empty() { "" } else { "," };
        write!(fields, "{comma} {} = {text}", def.name).unwrap();
    }
    let ticks = if ticks == 0 { String::new() } else { ticks.to_string() };
    let fields = if fields.is_empty() { ", { }".to_owned() } else { format!(", {{{fields} }}") };
    format!("{ticks} {}{fields}", event.name())
}

/// Returns the lines of a recording; metadata has the time of the previous item on its core.
fn lines(version: Version, recording: &[u8], leaves_out: &[&str]) -> Vec<String> {
    let mut reader = EventReader::new(recording, 0, Mode::FreeRtos);
    let (mut last, mut lines) = ([0; 64], Vec::new());
    while let Some(item) = reader.next_item().unwrap() {
        let decoded = item.event.unwrap();
        let last = &mut last[item.core as usize];
        if !matches!(decoded.event, Event::CoreId { .. }) {
            *last = decoded.ts.unwrap_or(*last);
        }
        if !leaves_out.contains(&decoded.event.name()) {
            lines.push(line(version, *last, &decoded.event));
        }
    }
    lines
}

/// Converts, and reads the trace.
fn converted(
    version: Version,
    input: &str,
    folder: &Folder,
    code: i32,
) -> Option<(Vec<String>, String)> {
    let (format, name) = match version {
        Version::One => ("ctf1", folder.path("one")),
        Version::Two => ("ctf2", folder.path("two")),
    };
    let _ = fs::remove_dir_all(&name);
    let ran = run(&["conv", "--to", format, "-o", &name, input]);
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    read(version, &name)
}

fn in_each_version(name: &str, check: fn(Version, &Folder)) {
    for version in [Version::One, Version::Two] {
        check(version, &Folder::new(name));
    }
}

/// Of events at one time readers keep no order between streams.
#[track_caller]
fn assert_same(mut expected: Vec<String>, mut found: Vec<String>) {
    expected.sort();
    found.sort();
    let differs = expected.iter().zip(&found).find(|(one, other)| one != other);
    assert!(differs.is_none(), "{differs:?}");
    assert_eq!(expected.len(), found.len());
}

const OF_STREAMS: [&str; 1] = ["core_id"];

fn frames() -> Vec<u8> {
    fs::read(vector("freertos_sim.bin")).unwrap()
}

#[track_caller]
fn frames_are_read_as(version: Version, folder: &Folder) {
    let input = folder.file("f.bin", &frames());
    let Some((found, complaints)) = converted(version, &input, folder, 0) else { return };
    let is_reported = |line: &String| !line.contains(" core_id,");
    let found = found.into_iter().filter(is_reported).collect();
    assert_same(lines(version, &frames(), &OF_STREAMS), found);
    assert_eq!(complaints, "");
}

#[test]
fn frames_as_ctf() {
    in_each_version("frames", frames_are_read_as);
}

/// The line is one of metadata.
fn is_about(line: &str) -> bool {
    let name = line.split([' ', ',']).find(|word| registry::by_name(word).is_some());
    name.and_then(registry::by_name).is_some_and(|def| def.metadata)
}

/// The lines of metadata in a packet.
fn about(packet: &[u8]) -> Vec<String> {
    let packet = Packet::read(packet).unwrap();
    let begin = packet.header().begin;
    let of = |ts, event: Event<'_>| Some(line(Version::Two, ts, &event)).filter(|it| is_about(it));
    if packet.header().stream != METADATA_STREAM {
        return packet
            .events()
            .map(Result::unwrap)
            .filter_map(|it| of(it.ts.unwrap(), it.event))
            .collect();
    }
    let mut reader = EventReader::new(packet.content(), 0, Mode::FreeRtos);
    let mut lines = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        lines.extend(of(begin, item.event.unwrap().event));
    }
    lines
}

/// Events of packets, in the order of their streams, with the state at the beginning of each packet.
#[track_caller]
fn packets_are_read_as(version: Version, folder: &Folder) {
    let all = pieces(&frames(), 512);
    let input = folder.file("p.bin", &all.concat());
    let Some((found, complaints)) = converted(version, &input, folder, 0) else { return };
    let is_reported = |line: &String| !line.contains(" core_id,");
    let mut expected = lines(version, &all.concat(), &OF_STREAMS);
    if version == Version::Two {
        // Packets tell the time of metadata, which frames do not.
        expected.retain(|line| !is_about(line));
        expected.extend(all.iter().flat_map(|packet| about(packet)));
    }
    assert_same(expected, found.into_iter().filter(is_reported).collect());
    assert_eq!(complaints, "");
}

#[test]
fn packets_as_ctf() {
    in_each_version("packets", packets_are_read_as);
}

/// Byte for byte: the file of a core is the content of its packets.
#[test]
fn packets_go_into_ctf_2_unchanged() {
    let folder = Folder::new("unchanged");
    let all = pieces(&frames(), 300);
    let input = folder.file("p.bin", &all.concat());
    let out = folder.path("trace");
    assert_eq!(run(&["conv", "--to", "ctf2", "-o", &out, &input]).code, Some(0));
    let events = |packet: &Vec<u8>| {
        let bits = u16::from_le_bytes([packet[8], packet[9]]);
        packet[36..usize::from(bits / 8)].to_vec()
    };
    let sent: Vec<u8> = all.iter().filter(|packet| packet[4] == 0).flat_map(events).collect();
    let written = fs::read(Path::new(&out).join("core0")).unwrap();
    let (mut at, mut found) = (0, Vec::new());
    while at < written.len() {
        let len = usize::from(u16::from_le_bytes([written[at + 10], written[at + 11]]) / 8);
        found.extend(events(&written[at..at + len].to_vec()));
        at += len;
    }
    assert!(sent == found);
    let mut names: Vec<_> = fs::read_dir(&out)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["core0", "metadata", "names"]);
}

/// Returns a recording of two cores, each with a named task.
fn two_cores() -> Vec<u8> {
    let mut recording = Recording::default().meta(Event::TsResolutionNs { ns_per_ts: 1 });
    for (core_id, name) in [(0, "zero"), (1, "one")] {
        let task_id = core_id + 1;
        recording = recording.at(0, Event::CoreId { core_id });
        recording = recording.meta(Event::TaskName { task_id, name: str(name) });
    }
    for round in 0..4_u64 {
        for core_id in 0..2 {
            let task_id = core_id + 1;
            recording = recording.at(round * 10, Event::CoreId { core_id });
            recording =
                recording.at(round * 10 + u64::from(task_id), Event::TaskSwitchedIn { task_id });
        }
    }
    recording.0
}

/// Each event has its core, in its packet's context.
#[track_caller]
fn cores_are_reported_in(version: Version, folder: &Folder) {
    let (format, out) = match version {
        Version::One => ("ctf1", folder.path("one")),
        Version::Two => ("ctf2", folder.path("two")),
    };
    for (name, bytes) in [("frames", two_cores()), ("packets", pieces(&two_cores(), 128).concat())]
    {
        let _ = fs::remove_dir_all(&out);
        let input = folder.file(name, &bytes);
        assert_eq!(run(&["conv", "--to", format, "-o", &out, &input]).code, Some(0), "{name}");
        let Some((found, complaints)) = read_whole(version, &out) else { return };
        assert_eq!(complaints, "");
        for (core, task) in [(0, "zero"), (1, "one")] {
            let about = format!("{{ task_id = {} ", core + 1);
            let of_task = found.iter().filter(|line| {
                line.contains("task_switched_in") && line.contains(&about)
                    || line.contains(&format!("\"{task}\""))
            });
            let of_task: Vec<_> = of_task.collect();
            assert!(of_task.len() >= 5, "{name}: {found:?}");
            let is_right = |line: &&String| line.contains(&format!(": {{ cpu_id = {core} }}, {{"));
            assert!(of_task.iter().all(is_right), "{name}: {of_task:?}");
        }
    }
}

#[test]
fn cores_are_in_ctf() {
    in_each_version("cores", cores_are_reported_in);
}

/// The packets contain it, also where no reader of CTF 2 is installed.
#[test]
fn packets_of_ctf_2_have_their_core() {
    let folder = Folder::new("cores-packets");
    let out = folder.path("trace");
    for (name, bytes) in [("frames", two_cores()), ("packets", pieces(&two_cores(), 128).concat())]
    {
        let _ = fs::remove_dir_all(&out);
        let input = folder.file(name, &bytes);
        assert_eq!(run(&["conv", "--to", "ctf2", "-o", &out, &input]).code, Some(0), "{name}");
        let metadata = fs::read_to_string(Path::new(&out).join("metadata")).unwrap();
        assert!(metadata.contains(r#"{"name":"cpu_id""#) && !metadata.contains("\"check\""));
        let mut cores = Vec::new();
        for file in fs::read_dir(&out).unwrap() {
            let path = file.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap();
            let bytes = fs::read(&path).unwrap();
            let mut rest = if file == "metadata" { &[] } else { &bytes[..] };
            while !rest.is_empty() {
                let len = usize::from(u16::from_le_bytes([rest[10], rest[11]]) / 8);
                let core = u32::from_le_bytes(rest[12..16].try_into().unwrap());
                let content = &rest[36..len];
                // The name of a task is in a packet of its core.
                for (name, of) in [(&b"zero\0"[..], 0), (b"one\0", 1)] {
                    assert!(core == of || !content.windows(name.len()).any(|it| it == name));
                }
                if file != "names" {
                    assert_eq!(file, format!("core{core}"), "{name}");
                }
                cores.push((file.to_owned(), core));
                rest = &rest[len..];
            }
        }
        cores.sort();
        cores.dedup();
        let mut expected = vec![("core0".to_owned(), 0), ("core1".to_owned(), 1)];
        if name == "packets" {
            expected.extend([("names".to_owned(), 0), ("names".to_owned(), 1)]);
        }
        assert_eq!(cores, expected, "{name}");
    }
}

#[track_caller]
fn losses_are_reported_in(version: Version, folder: &Folder) {
    let mut recording = two_tasks();
    for round in 0..300 {
        recording =
            recording.at(100 + round * 50, Event::TaskSwitchedIn { task_id: round as u32 % 2 + 1 });
        if round == 100 {
            recording = recording.at(100 + round * 50, Event::DroppedEvtCnt { cnt: 212 });
        }
    }
    let mut all = pieces(&recording.0, 128);
    all.drain(2..4);
    let input = folder.file("p.bin", &all.concat());
    let Some((found, complaints)) = converted(version, &input, folder, 1) else { return };
    assert!(complaints.contains("discarded 212 events"), "{complaints}");
    assert!(complaints.contains("discarded 2 packets"), "{complaints}");
    assert!(found.iter().any(|line| line.contains("task_switched_in")));
    // After the last event.
    let ended = two_tasks()
        .at(100, Event::TaskSwitchedIn { task_id: 1 })
        .at(200, Event::TaskSwitchedIn { task_id: 2 })
        .at(300, Event::DroppedEvtCnt { cnt: 77 });
    for (name, bytes) in [("frames", ended.0.clone()), ("packets", pieces(&ended.0, 128).concat())]
    {
        let input = folder.file(name, &bytes);
        let (_, complaints) = converted(version, &input, folder, 1).expect("it was there");
        assert!(complaints.contains("discarded 77 events"), "{name}: {complaints}");
    }
}

#[test]
fn reports_losses_in_ctf() {
    in_each_version("lost", losses_are_reported_in);
}

/// Two cores, the largest and smallest numbers, fields that are missing, a target that was reset.
#[track_caller]
fn extremes_are_read_as(version: Version, folder: &Folder) {
    let value = |val| Event::Valmarker { valmarker_id: u32::MAX, val };
    let one = Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 10 })
        .meta(Event::BuildId { id: str("a b") })
        .at(5, Event::HeapMalloc { address: u32::MAX, size: 0, bytes_free: None })
        .at(5, Event::CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX })
        .at(1 << 20, value(i64::MIN))
        .at(1 << 40, value(i64::MAX))
        .at(1 << 40, Event::LowPowerIdleEnd {})
        .at(1 << 41, Event::CoreId { core_id: 1 })
        .at(7, Event::Evtmarker { evtmarker_id: 1, msg: str("\u{e4}") })
        .at(
            (1 << 40) + 1,
            Event::TaskNotify {
                task_id: 1,
                index: 0,
                action: tband_format::named::NotifyAction::INCREMENT,
                value: 0,
                value_after: 1,
            },
        );
    for bytes in [one.0.clone(), pieces(&one.0, 128).concat()] {
        let input = folder.file("e.bin", &bytes);
        let Some((found, _)) = converted(version, &input, folder, 0) else { return };
        let is_reported = |line: &String| !line.contains(" core_id,");
        let expected = lines(version, &bytes, &OF_STREAMS);
        assert_same(expected, found.into_iter().filter(is_reported).collect());
    }
    let twice = [pieces(&one.0, 128).concat(), pieces(&one.0, 128).concat()].concat();
    let input = folder.file("t.bin", &twice);
    let Some((found, complaints)) = converted(version, &input, folder, 0) else { return };
    assert_eq!(found.iter().filter(|line| line.contains(" heap_malloc")).count(), 2);
    assert_eq!(complaints, "");
}

#[test]
fn extremes_as_ctf() {
    in_each_version("extreme", extremes_are_read_as);
}

#[test]
fn a_trace_is_a_new_folder_and_all_of_the_recording() {
    let folder = Folder::new("refused");
    let input = folder.file("r.bin", &small());
    let out = folder.path("t");
    for (args, text) in [
        (vec!["conv", "--to", "ctf2", &input], "name it with -o"),
        (vec!["conv", "--to", "ctf1", "-o", "-", &input], "cannot go to stdout"),
        (vec!["conv", "--to", "ctf1", "--to", "1ms", "-o", &out, &input], "leave it out"),
        (vec!["conv", "--to", "ctf1", "--gzip", "-o", &out, &input], "perfetto"),
        (vec!["conv", "--to", "ctf1", "-o", &input, &input], "is not a folder"),
        (vec!["conv", "--to", "ctf1", "-o", &folder.path("."), &input], "is not empty"),
    ] {
        assert_fails(&run(&args), 2, &[text]);
    }
    assert_eq!(folder.names(), ["r.bin"]);
    fs::create_dir(&out).unwrap();
    assert_eq!(run(&["conv", "--to", "ctf1", "-o", &out, &input]).code, Some(0));
    assert_eq!(folder.names(), ["r.bin", "t"]);
}

/// The lines of a trace in the words of the kernel's tracer: time, name, fields.
fn kernel(folder: &Folder, recording: &[u8], code: i32) -> (Vec<String>, String) {
    let input = folder.file("r.bin", recording);
    let out = folder.path("kernel");
    let _ = fs::remove_dir_all(&out);
    let ran = run(&["conv", "--to", "ctf1", "--ctf-names", "lttng", "-o", &out, &input]);
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    read(Version::One, &out).expect("Debian's own reads it")
}

/// Two alternating tasks, an idle task, an interrupt that wakes, a task that is suspended and one that ends.
#[test]
fn scheduling_in_the_words_of_the_kernels_tracer() {
    use Event::*;
    let frames = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 1, core_id: 0 })
        .meta(TaskName { task_id: 2, name: str("worker") })
        .meta(IsrName { isr_id: 7, name: str("uart") })
        .at(10, TaskPrioritySet { task_id: 2, priority: 3 })
        .at(11, TaskSwitchedIn { task_id: 1 })
        .at(20, IsrEnter { isr_id: 7 })
        .at(21, TaskToRdyState { task_id: 2 })
        .at(22, IsrExit { isr_id: 7 })
        .at(30, TaskSwitchedIn { task_id: 2 })
        .at(40, CurtaskDelay { ticks: 5 })
        .at(41, TaskSwitchedIn { task_id: 1 })
        .at(50, TaskToRdyState { task_id: 2 })
        .at(51, TaskSwitchedIn { task_id: 2 })
        .at(60, TaskSuspended { task_id: 2 })
        .at(61, TaskSwitchedIn { task_id: 1 })
        .0;
    let folder = Folder::new("kernel");
    for recording in [frames.clone(), pieces(&frames, 512).concat()] {
        let (lines, complaints) = kernel(&folder, &recording, 0);
        assert_eq!(complaints, "");
        let switch = |ns: u64, previous: (&str, u32, u32, u32), next: (&str, u32, u32)| {
            format!(
                "{ns} sched_switch, {{ prev_comm = {:?}, prev_tid = {}, prev_prio = {}, prev_state = {}, \
                 next_comm = {:?}, next_tid = {}, next_prio = {} }}",
                previous.0, previous.1, previous.2, previous.3, next.0, next.1, next.2
            )
        };
        let (idle, worker) = (("IDLE", 0, 0), ("worker", 2, 3));
        let wakeup = |ns: u64| {
            format!(
                "{ns} sched_wakeup, {{ comm = \"worker\", tid = 2, prio = 3, success = 1, target_cpu = 0 }}"
            )
        };
        let expected = [
            switch(110, ("swapper/0", 0, 0, 0), idle),
            "200 irq_handler_entry, { irq = 7, name = \"uart\" }".to_owned(),
            "220 irq_handler_exit, { irq = 7, ret = 1 }".to_owned(),
            switch(300, ("IDLE", 0, 0, 0), worker),
            switch(410, ("worker", 2, 3, 1), idle),
            wakeup(500),
            switch(510, ("IDLE", 0, 0, 0), worker),
            switch(610, ("worker", 2, 3, 4), idle),
        ];
        assert_eq!(lines, expected);
    }
}

/// Four tasks on three cores, each of which takes any task that the last one has left: migrations are equal in the numbers, in
/// the report, in the events of the kernel's tracer, and by the running tasks in those.
#[test]
fn tasks_that_move_are_the_same_everywhere() {
    use Event::*;
    let mut recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 10 });
    let mut on = [1, 2, 3];
    let (mut free, mut moves, mut last) = (4_u32, 0, [0, 0, 1, 2, 9]);
    let mut core = 0;
    for step in 0..60_u64 {
        let now = 100 + step * 10;
        recording = recording.at(now, CoreId { core_id: core });
        if step < 3 {
            recording = recording.at(now, TaskSwitchedIn { task_id: on[core as usize] });
            core = (core + 1) % 3;
            continue;
        }
        recording = recording.at(now, TaskSwitchedIn { task_id: free });
        let before = std::mem::replace(&mut last[free as usize], core);
        moves += u32::from(before != 9 && before != core);
        std::mem::swap(&mut on[core as usize], &mut free);
        core = (core + 1 + u32::from(step % 5 == 0)) % 3;
    }
    let folder = Folder::new("moves");
    let (lines, complaints) = kernel(&folder, &recording.0, 0);
    assert_eq!(complaints, "");
    let migrations: Vec<_> = lines.iter().filter(|it| it.contains("sched_migrate_task")).collect();
    assert_eq!(migrations.len() as u32, moves, "{migrations:?}");
    assert!(
        migrations[0].contains("comm = \"task 1\", tid = 1, prio = 0, orig_cpu = 0, dest_cpu = 1"),
        "{migrations:?}"
    );
    let input = folder.file("moves.bin", &recording.0);
    let json = run(&["stats", "--json", &input]).json();
    assert_eq!(json["all_cores"]["migrations"], moves);
    let sum = |table: &str| -> u64 {
        let rows = json[table].as_array().unwrap().iter();
        rows.map(|row| row["migrations"].as_u64().unwrap()).sum()
    };
    assert_eq!([sum("between_cores"), sum("tasks")], [u64::from(moves); 2]);
    let switches: u64 =
        json["cores"].as_array().unwrap().iter().map(|row| row["switches"].as_u64().unwrap()).sum();
    assert_eq!(json["all_cores"]["switches"], switches);
    // The report has the tables of the numbers.
    let page = folder.path("moves.html");
    assert_eq!(run(&["report", "-o", &page, &input]).code, Some(0));
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("All cores together") && page.contains("Between cores"));
}

/// Losses are counted as in the kernel's own traces, and the task that ran before does not run after it.
#[test]
fn lost_packets_in_the_words_of_the_kernels_tracer() {
    let mut all = pieces(&frames(), 256);
    all.remove(all.len() / 2);
    let (lines, complaints) = kernel(&Folder::new("kernel-lost"), &all.concat(), 1);
    assert!(complaints.contains("1 packet"), "{complaints}");
    assert!(lines.iter().any(|line| line.contains("next_comm = \"swapper/0\"")), "{lines:#?}");
}

#[test]
fn names_of_the_kernels_tracer_are_of_ctf_1() {
    let folder = Folder::new("kernel-usage");
    let input = folder.file("f.bin", &frames());
    for to in [&["--to", "ctf2"][..], &[]] {
        let ran =
            run(&[&["conv", "--ctf-names", "lttng", "-o", &folder.path("t"), &input], to].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("--output-format ctf1"), "{}", ran.stderr);
    }
}
