//! Filters: the same program is recorded with each of them, and the result equals that without a filter, less the events that
//! the filter leaves out. The recording contains the filter.

mod described;
mod interleaved;
mod own;
mod shedding;

use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::classes::{CLASSES, GROUPS};
use tband_format::field::FieldKind;
use tband_format::registry::{EVENTS, EventDef};
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::packets::{as_frames, packets};
use tband_tests::{temp_dir, write};

use crate::packets::{PACKETS, TAKEN};
use crate::{Config, NO_PERIODIC_DROP_CNT, STREAMING, TWO_CORES, number};

const FILTERS: (&str, &str) = ("tband_configUSE_FILTERS", "1");
const LARGE: (&str, &str) = ("tband_configMETADATA_BUF_SIZE", "4096");

const EVENT: u32 = 0;
const CLASSES_OF: u32 = 1;
const ALL: u32 = 2;
const OBJECT: u32 = 16;
const KIND: u32 = 32;

/// What firmware records by calls for numbers, values and texts. An optional number that is small and there is one as any other.
fn recorded() -> impl Iterator<Item = &'static EventDef> {
    let always =
        ["core_id", "dropped_evt_cnt", "running_task", "open_isr", "fault", "crash", "filter"];
    EVENTS.iter().filter(move |def| {
        let is_plain = |kind: FieldKind| {
            matches!(
                kind,
                FieldKind::U32
                    | FieldKind::Enum { .. }
                    | FieldKind::S64
                    | FieldKind::Str
                    | FieldKind::Optional(_)
            )
        };
        !def.metadata
            && !always.contains(&def.name)
            && def.fields.iter().all(|it| is_plain(it.kind))
    })
}

/// The script line that records an event of the object of this number.
fn call(def: &EventDef, object: u32) -> String {
    let id = def.id;
    match def.fields {
        [_] => format!("u32 {id} {object}"),
        [_, second] if matches!(second.kind, FieldKind::S64) => format!("value {id} {object} -5"),
        [_, second] if matches!(second.kind, FieldKind::Str) => format!("text {id} {object} 6162"),
        [_, _] => format!("pair {id} {object} 3"),
        fields => format!("numbers {id} {} {object} 2 3 4 5", fields.len()),
    }
}

/// All events of some objects, again and again.
fn program() -> String {
    from(1000)
}

/// The same from a time on.
fn from(mut now: u64) -> String {
    let mut script = String::new();
    for _ in 0..2 {
        for object in [1, 2, 33, 64, 65] {
            for def in recorded() {
                now += 7;
                script += &format!("now {now}\n{}\n", call(def, object));
            }
        }
    }
    script
}

/// Runs a script; returns the lines of the recording.
fn run(firmware: &Firmware, script: &str) -> (Vec<u8>, Vec<String>) {
    let folder = temp_dir();
    let path = folder.path().join("script");
    write(&path, script);
    let recording = firmware.run(&[path.to_str().expect("a path in UTF-8")]);
    let lines = match packets_of(&recording) {
        true => lines(&as_frames(&recording)),
        false => lines(&recording),
    };
    (recording, lines)
}

fn packets_of(recording: &[u8]) -> bool {
    tband_format::packet::Packet::read(recording).is_ok()
}

fn timed(lines: &[String]) -> Vec<&String> {
    let is_event = |line: &&String| {
        !line.starts_with('-')
            && [" filter ", " ts_frequency ", " core_id "].iter().all(|it| !line.contains(it))
    };
    lines.iter().filter(is_event).collect()
}

/// What a filter leaves out, as the docs say it.
#[derive(Clone, Debug)]
struct ExcludedEvents {
    ids: Vec<u8>,
    /// Kind, all but these, or these only.
    objects: Option<(usize, bool, Vec<u32>)>,
}

impl ExcludedEvents {
    fn has(&self, line: &str) -> bool {
        let name = line.split(' ').nth(1).expect("a name");
        let def = EVENTS.iter().find(|def| def.name == name).expect("an event");
        let of_all = [
            "task_switched_in",
            "task_switched_out",
            "isr_exit_missed",
            "mutex_created",
            "task_created",
            "task_deleted",
            "queue_created",
            "queue_deleted",
            "stream_buffer_created",
            "stream_buffer_deleted",
            "event_group_created",
            "event_group_deleted",
            "timer_created",
        ];
        let by_object = self.objects.as_ref().is_some_and(|(kind, all_but, numbers)| {
            let field = OBJECT_KINDS[*kind].field;
            def.fields.first().is_some_and(|first| first.name == field)
                && !of_all.contains(&name)
                && numbers.contains(&(number(line, field) as u32)) != *all_but
        });
        self.ids.contains(&def.id) || by_object
    }
}

fn ids_of(flags: u32) -> Vec<u8> {
    let mut ids: Vec<u8> = CLASSES
        .iter()
        .filter(|class| class.flag & flags != 0)
        .flat_map(|class| class.events.iter().copied())
        .collect();
    // Interrupts are one class.
    if ids.contains(&4) {
        ids.extend([203, 208]);
    }
    ids
}

/// Every filter: the lines of the script that choose it, and what it leaves out.
fn filters() -> Vec<(String, ExcludedEvents)> {
    let mut all = Vec::new();
    let flags =
        CLASSES.iter().map(|class| class.flag).chain(GROUPS.iter().map(|(_, flags)| *flags));
    for flags in flags {
        all.push((
            format!("filter {CLASSES_OF} {flags} 0\n"),
            ExcludedEvents { ids: ids_of(flags), objects: None },
        ));
    }
    for (id, with) in [
        (102, vec![]),
        (4, vec![5, 203, 208]),
        (9, vec![8]),
        (125, vec![124]),
        (84, vec![]),
        (189, vec![]),
    ] {
        let ids = [vec![id], with].concat();
        all.push((format!("filter {EVENT} {id} 0\n"), ExcludedEvents { ids, objects: None }));
    }
    for kind in 0..OBJECT_KINDS.len() {
        let what = OBJECT + kind as u32;
        let of_kind = KIND + kind as u32;
        let out = |all_but, numbers: &[u32]| ExcludedEvents {
            ids: vec![],
            objects: Some((kind, all_but, numbers.to_vec())),
        };
        all.push((format!("filter {what} 33 0\n"), out(false, &[33])));
        all.push((
            format!(
                "filter {what} 1 0\nfilter {what} 64 0\nfilter {what} 65 0\nfilter {what} 1 1\n"
            ),
            out(false, &[64, 65]),
        ));
        all.push((format!("filter {of_kind} 0 0\n"), out(true, &[])));
        all.push((format!("filter {of_kind} 0 0\nfilter {what} 65 1\n"), out(true, &[65])));
    }
    all
}

/// Where nothing is lost.
const CONFIGS: [&Config; 2] =
    [&[STREAMING, NO_PERIODIC_DROP_CNT, LARGE], &[STREAMING, PACKETS, LARGE]];

#[test]
fn a_filter_removes_exactly_its_events() {
    let config = [CONFIGS[0], &[FILTERS]].concat();
    compare("start\n", &config);
}

#[test]
fn the_same_in_packets() {
    let config = [CONFIGS[1], &[FILTERS]].concat();
    compare("start\n", &config);
}

fn compare(start: &str, config: &Config) {
    let firmware = Firmware::new("replay", config);
    let (_, all) = run(&firmware, &format!("{start}{}stop\n", program()));
    let all = timed(&all);
    assert!(all.len() > 900, "{} events", all.len());
    for (choice, out) in filters() {
        let expected: Vec<_> = all.iter().filter(|line| !out.has(line)).collect();
        assert!(expected.len() < all.len(), "{choice}: leaves nothing out");
        let (_, found) = run(&firmware, &format!("{start}{choice}{}stop\n", program()));
        assert!(found.iter().any(|line| line.contains(" filter ")), "{choice}: is not reported");
        let found = timed(&found);
        let longest = found.len().max(expected.len());
        let differs = (0..longest).find(|at| found.get(*at) != expected.get(*at).copied());
        if let Some(at) = differs {
            panic!("{choice}: {:?}, not {:?}", found.get(at), expected.get(at));
        }
        // Chosen before the start, and taken back in the middle.
        let (_, again) = run(
            &firmware,
            &format!("{choice}{start}{}filter {ALL} 0 1\n{}stop\n", program(), from(1_000_000)),
        );
        assert!(again.iter().any(|line| line.contains(" filter ")), "{choice}: is not reported");
        let both = timed(&again);
        let (filtered, whole) = both.split_at(expected.len());
        assert!(filtered.iter().eq(expected.iter().copied()), "{choice}: chosen before");
        let fields = |line: &&String| line.split_once(' ').map(|(_, fields)| fields.to_owned());
        let (whole, all): (Vec<_>, Vec<_>) =
            (whole.iter().map(fields).collect(), all.iter().map(fields).collect());
        assert_eq!(whole, all, "{choice}: taken back");
    }
}

/// Hooks look at the filter while recording is on, and find out by themselves when it is.
#[test]
fn a_restarted_recording_equals_one_without_filters() {
    let events = [program(), from(100_000), from(200_000), from(300_000)];
    let script = |choice: &str| {
        let [first, off, second, third] = &events;
        format!("start\n{first}stop\n{off}start\n{second}stop\n{choice}{off}start\n{third}stop\n")
    };
    let out = ExcludedEvents { ids: vec![], objects: Some((1, false, vec![33])) };
    for config in CONFIGS {
        let (_, plain) = run(&Firmware::new("replay", config), &script(""));
        let plain = timed(&plain);
        let firmware = Firmware::new("replay", &[config, &[FILTERS]].concat());
        let (_, found) = run(&firmware, &script(""));
        assert_eq!(timed(&found), plain);
        let (_, found) = run(&firmware, &script(&format!("filter {} 33 0\n", OBJECT + 1)));
        let is_of_third = |line: &&String| {
            let time = line.split(' ').next().and_then(|it| it.parse::<u64>().ok());
            time.is_some_and(|time| time >= 300_000)
        };
        let is_expected = |line: &&String| !is_of_third(line) || !out.has(line);
        let expected: Vec<_> = plain.iter().copied().filter(is_expected).collect();
        assert!(expected.len() < plain.len(), "nothing is left out");
        assert_eq!(timed(&found), expected);
    }
}

#[test]
fn each_packet_contains_the_filter_state() {
    let config = [CONFIGS[1], &[FILTERS]].concat();
    let firmware = Firmware::new("replay", &config);
    let script =
        format!("start\nfilter {CLASSES_OF} 32 0\nfilter {} 65 0\n{}stop\n", OBJECT + 1, program());
    let (recording, _) = run(&firmware, &script);
    let mut output = 0;
    for packet in packets(&recording).iter().filter(|it| it.header().stream == 0).skip(1) {
        let facts: Vec<_> = packet
            .events()
            .map(|decoded| decoded.expect("an event").event)
            .filter_map(|event| match event {
                tband_format::Event::Filter { of, is } => Some((of, is)),
                _ => None,
            })
            .collect();
        // The class 32, which is TASK: its ids in words of 32; and an object.
        let class = CLASSES.iter().find(|class| class.flag == 32).expect("TASK");
        assert!(class.events.contains(&84) && class.events.contains(&98));
        let ids = |word: u32| -> u32 {
            let ids = class.events.iter().map(|id| u32::from(*id));
            ids.filter(|id| id / 32 == word).map(|id| 1 << (id % 32)).sum()
        };
        let words = (0..8).map(|word| (word, ids(word))).filter(|(_, ids)| *ids != 0);
        let words: Vec<_> = words.chain([(OBJECT + 1, 65)]).collect();
        assert_eq!(facts, [&[(8, (words.len() as u32) << 8)], &words[..]].concat());
        output += 1;
    }
    assert!(output > 5, "{output} packets");
}

#[test]
fn objects_are_found_by_name() {
    let config = [CONFIGS[0], &[FILTERS]].concat();
    let firmware = Firmware::new("replay", &config);
    let names = "meta 100 1 1 0 61\nmeta 100 1 33 0 6162\nmeta 95 1 64 0 6162\n";
    let (_, all) = run(&firmware, &format!("{names}start\n{}stop\n", program()));
    let (_, found) = run(&firmware, &format!("{names}name 1 6162 0\nstart\n{}stop\n", program()));
    let out = ExcludedEvents { ids: vec![], objects: Some((1, false, vec![33])) };
    let expected: Vec<_> = timed(&all).into_iter().filter(|line| !out.has(line)).collect();
    assert_eq!(timed(&found), expected);
}

#[test]
fn other_cores_record_at_least_the_stated_events() {
    let config = [STREAMING, NO_PERIODIC_DROP_CNT, FILTERS, TWO_CORES, ("FAKE_LOCK", "1")];
    let recording = Firmware::new("filters_of_cores", &config).run(&[]);
    let lines = lines(&recording);
    let time = |line: &String| line.split(' ').next().and_then(|it| it.parse::<u64>().ok());
    // The reported state, and its begin.
    let mut states = Vec::new();
    let mut sends = Vec::new();
    for line in &lines {
        if line.contains(" filter ") && number(line, "of") == 8 {
            states.push((time(line).expect("a time"), false));
        } else if line.contains(" filter ") && number(line, "is") == 33 {
            states.last_mut().expect("a begin").1 = true;
        } else if line.contains(" queue_send ") {
            sends.push((number(line, "queue_id"), number(line, "len_after"), time(line)));
        }
    }
    assert_eq!(states.len(), 9, "{lines:?}");
    let of_33 = |nth: u64| sends.iter().any(|send| (send.0, send.1) == (33, nth));
    let others: Vec<_> = sends.iter().filter(|send| send.0 == 1).collect();
    assert!(others.len() > 20, "{} events", others.len());
    for (_, nth, ts) in others {
        // The next one comes after this, and before the one after it.
        let is_out = |ts: u64| states.iter().rfind(|state| state.0 <= ts).is_some_and(|it| it.1);
        let ts = ts.expect("a time");
        let left_out = !of_33(nth + 1);
        assert!(!left_out || is_out(ts + 1), "{nth} at {ts} is missing: {states:?}\n{lines:#?}");
    }
}

/// A packet that another core opens during a change may contain the state before. The report of the change comes after it,
/// whatever the other core records: otherwise the timeline would promise events that are left out.
#[test]
fn the_filter_state_of_a_packet_ends_with_the_change() {
    let config = [STREAMING, PACKETS, TAKEN, FILTERS, TWO_CORES, ("FAKE_LOCK", "1")];
    let firmware = Firmware::new("filter_of_packets", &config);
    let (mut places, mut recorded) = (0, 0);
    for nth in 1_u32.. {
        let recording = firmware.run(&[&nth.to_string()]);
        if recording.is_empty() {
            break;
        }
        places += 1;
        let mut lines = lines(&as_frames(&recording));
        let time = |line: &String| line.split(' ').next().and_then(|it| it.parse::<u64>().ok());
        lines.retain(|line| time(line).is_some());
        lines.sort_by_key(|line| time(line).expect("a time"));
        let has = |what: &str| lines.iter().any(|line| line.contains(what));
        // Once the change is made it is left out.
        recorded += u32::from(has("queue_send queue_id=33 len_after=1"));
        assert!(!has("queue_send queue_id=33 len_after=2"), "{nth}: {lines:#?}");
        let last = lines.iter().rposition(|line| line.contains(" filter of=8 "));
        let output = &lines[last.expect("it is reported")..];
        let is_out = output.iter().any(|line| line.contains(" filter of=17 is=33"));
        assert!(is_out, "{nth}: the last report has the old filter: {lines:#?}");
    }
    assert!(recorded > 1 && places > recorded, "{recorded} of {places} places");
}

/// A change that the line refuses is reported as soon as the line takes events again: otherwise everything after it would be
/// read with an outdated filter.
#[test]
fn a_lost_filter_change_is_repeated() {
    let config = [CONFIGS[0], &[FILTERS]].concat();
    let firmware = Firmware::new("replay", &config);
    // Off, on again, an object, and a change whose facts are lost but for the first.
    for (choice, state) in [
        (format!("refuse 9\nfilter {CLASSES_OF} 64 0\n"), "of=3"),
        (format!("filter {CLASSES_OF} 64 0\nrefuse 9\nfilter {ALL} 0 1\n"), "of=8 is=0"),
        (format!("refuse 9\nfilter {} 65 0\n", OBJECT + 1), "of=17 is=65"),
        (format!("filter {CLASSES_OF} 8 0\nfilter {CLASSES_OF} 64 0\nrefuse 1\n"), "of=3"),
        (format!("refuse 2\nfilter {CLASSES_OF} 192 0\n"), "of=3"),
    ] {
        // Events that are left out, and others, in any order.
        let (_, found) = run(&firmware, &format!("start\n{choice}{}stop\n", program()));
        let last = found.iter().rposition(|line| line.contains(" filter of=8 "));
        let facts: Vec<_> = found[last.expect("it is reported")..]
            .iter()
            .take_while(|line| line.contains(" filter "))
            .collect();
        let count = number(facts[0], "is") >> 8;
        assert_eq!(facts.len() as u64, count + 1, "{choice}: {facts:?}");
        assert!(facts.iter().any(|line| line.contains(state)), "{choice}: {facts:?}");
        let lost: Vec<_> = found.iter().filter(|line| line.contains("dropped_evt_cnt")).collect();
        let is_long = |line: &&String| number(line, "cnt") > 30;
        assert!(!lost.iter().any(is_long), "{choice}: it is not tried at each event: {lost:?}");
        let events = timed(&found).len();
        assert!(events > 500, "{choice}: {events} events");
        // Hooks use the fast path again: a report is made once.
        let output = found.iter().filter(|line| line.contains(" filter of=8 ")).count();
        assert!(output <= 3, "{choice}: reported {output} times");
    }
}
