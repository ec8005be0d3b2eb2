//! SystemView streams that are written here, with their content: of two cores, with the ids of other tables, with restarts,
//! and with interrupts inside of each other.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use tband_conv::convert::events::convert_events;
use tband_conv::diagnostics::Problem;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_format::api::API_FUNCTIONS;

const HZ: u32 = 40_000_000;
const RAM: u32 = 0x3F40_0000;

/// A fact: time in ticks, core, kind, and the name of a task, or a number.
type Fact = (u64, u32, &'static str, String);

/// Time, id and payload.
type Packet = (u64, u32, Vec<u8>);

/// Writes a stream.
#[derive(Debug, Default)]
struct Stream {
    bytes: Vec<u8>,
    now: u64,
    packets: Vec<Packet>,
}

fn number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Numbers, and a text after them.
fn payload(numbers: &[u32], text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    numbers.iter().for_each(|value| number(&mut bytes, *value));
    if !text.is_empty() {
        bytes.push(u8::try_from(text.len()).unwrap());
        bytes.extend(text.as_bytes());
    }
    bytes
}

impl Stream {
    fn packet(&mut self, at: u64, id: u32, payload: &[u8]) {
        number(&mut self.bytes, id);
        if id >= 24 {
            number(&mut self.bytes, u32::try_from(payload.len()).unwrap());
        }
        self.bytes.extend(payload);
        number(&mut self.bytes, u32::try_from(at - self.now).unwrap());
        self.now = at;
        self.packets.push((at, id, payload.to_vec()));
    }

    fn numbers(&mut self, at: u64, id: u32, numbers: &[u32]) {
        self.packet(at, id, &payload(numbers, ""));
    }

    /// The recorder starts, and describes the target and its tasks: number, priority, name.
    fn start(&mut self, at: u64, about: &str, us: u32, tasks: &[(u32, u32, &str)]) {
        self.bytes.extend([0; 10]);
        self.packet(at, 10, &[]);
        self.numbers(at, 24, &[HZ, 160_000_000, RAM, 0]);
        self.packet(at, 14, &payload(&[], about));
        self.numbers(at, 13, &[us, 0]);
        for (task, priority, name) in tasks {
            self.packet(at, 9, &payload(&[*task, *priority], name));
        }
    }
}

/// The content of a recording.
#[derive(Debug, Default)]
struct Found {
    names: HashMap<u32, String>,
    facts: Vec<Fact>,
    dropped: Vec<u32>,
    idle: Vec<u32>,
}

impl EventSink for Found {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let name = |id: u32| self.names.get(&id).cloned().unwrap_or_else(|| format!("{id:#x}"));
        let (kind, of) = match event.decoded.event {
            Event::TaskName { task_id, name } => {
                self.names.insert(task_id, name.to_string());
                return Ok(ControlFlow::Continue(()));
            }
            Event::TaskIsIdleTask { task_id, .. } => {
                self.idle.push(task_id);
                return Ok(ControlFlow::Continue(()));
            }
            Event::DroppedEvtCnt { cnt } => {
                self.dropped.push(cnt);
                return Ok(ControlFlow::Continue(()));
            }
            Event::TaskSwitchedIn { task_id } => ("in", name(task_id)),
            Event::TaskToRdyState { task_id } => ("ready", name(task_id)),
            Event::TaskCreated { task_id } => ("created", format!("{task_id:#x}")),
            Event::TaskDeleted { task_id } => ("deleted", name(task_id)),
            Event::TaskSuspended { task_id } => ("suspended", name(task_id)),
            Event::CurtaskDelay { ticks } => ("delay", ticks.to_string()),
            Event::CurtaskDelayUntil { .. } => ("delay until", String::new()),
            Event::CurtaskBlockOnQueueReceive { .. } => ("waits", String::new()),
            Event::ApiEnter { function } => ("call", API_FUNCTIONS[function as usize].to_owned()),
            Event::ApiReturn { function, .. } => {
                ("return", API_FUNCTIONS[function as usize].to_owned())
            }
            Event::Evtmarker { msg, .. } => ("mark", msg.to_string()),
            Event::EvtmarkerBegin { evtmarker_id, .. } => ("begin", format!("{evtmarker_id:#x}")),
            Event::EvtmarkerEnd { evtmarker_id } => ("end", format!("{evtmarker_id:#x}")),
            Event::HeapMalloc { address, size, .. } => ("malloc", format!("{address:#x} {size}")),
            Event::HeapFree { address, size, .. } => ("free", format!("{address:#x} {size}")),
            Event::EventGroupCreated { event_group_id } => {
                ("group created", format!("{event_group_id:#x}"))
            }
            Event::CurtaskBlockOnEventGroupWait { bits, flags, ticks_to_wait, .. } => {
                ("waits for bits", format!("{bits} {flags} {ticks_to_wait}"))
            }
            Event::EventGroupWaitEnd { bits, flags, found, .. } => {
                ("has bits", format!("{bits} {flags} {found}"))
            }
            Event::EventGroupSetBits { bits, bits_after, .. } => {
                ("sets bits", format!("{bits} {bits_after}"))
            }
            Event::StreamBufferCreated { stream_buffer_id, size, trigger_level } => {
                ("buffer created", format!("{stream_buffer_id:#x} {size} {trigger_level}"))
            }
            Event::TimerCreated { timer_id, period, auto_reload, callback } => {
                ("timer created", format!("{timer_id:#x} {period} {auto_reload} {callback:#x}"))
            }
            Event::TimerCommandSent { timer_id, command, value, result } => {
                let command = command.name().unwrap_or("?");
                ("timer command", format!("{timer_id:#x} {command} {value} {result}"))
            }
            Event::IsrEnter { isr_id } => ("enter", isr_id.to_string()),
            Event::IsrExit { isr_id } => ("exit", isr_id.to_string()),
            Event::IsrExitToScheduler { isr_id } => ("exit to scheduler", isr_id.to_string()),
            _ => return Ok(ControlFlow::Continue(())),
        };
        self.facts.push((event.ticks, event.at.core, kind, of));
        Ok(ControlFlow::Continue(()))
    }
}

fn found(inputs: &[Input<'_>]) -> Found {
    let mut found = Found::default();
    convert_events(inputs, &Options::default(), &mut found).unwrap();
    found
}

fn facts(stream: &Stream) -> Vec<Fact> {
    found(&[Input::from_bytes("stream", &stream.bytes)]).facts
}

#[track_caller]
fn are(found: &[Fact], expected: &[(u64, &'static str, &str)]) {
    let found: Vec<_> = found.iter().map(|(at, _, kind, of)| (*at, *kind, &**of)).collect();
    assert_eq!(found, expected);
}

/// A core of an ESP32: two tasks that wait in turn, an interrupt that wakes them, and the idle task.
fn core(number: u32, rounds: u32) -> (Stream, Vec<Fact>) {
    let first = RAM + 0x1000 + number * 0x10_0000;
    let names = [["Alpha", "Beta", "IDLE0"], ["Gamma", "Delta", "IDLE1"]][number as usize];
    let task = |index: u32| first + index * 0x400 - RAM;
    let tasks = [(task(0), 5, names[0]), (task(1), 3, names[1]), (task(2), 0, names[2])];
    let (mut stream, mut facts) = (Stream::default(), Vec::new());
    // The cores start at different times.
    let begin = 1000 + u64::from(number) * 1007;
    stream.start(begin, "N=FreeRTOS Application,D=esp32,C=xtensa,O=FreeRTOS", 0, &tasks);
    for round in 0..rounds {
        let at = begin + 400 + u64::from(round) * 2000;
        let (who, name) = (round % 2, names[(round % 2) as usize]);
        let mut fact = |at, kind, of: &str| facts.push((at, number, kind, of.to_owned()));
        stream.numbers(at, 2, &[6 + number]);
        fact(at, "enter", &(6 + number).to_string());
        stream.numbers(at + 50, 6, &[task(who)]);
        fact(at + 50, "ready", name);
        stream.packet(at + 90, 18, &[]);
        fact(at + 90, "exit to scheduler", &(6 + number).to_string());
        stream.numbers(at + 120, 4, &[task(who)]);
        fact(at + 120, "in", name);
        stream.numbers(at + 500, 34, &[10 + round]);
        fact(at + 500, "delay", &(10 + round).to_string());
        stream.numbers(at + 530, 7, &[task(who), 4]);
        stream.packet(at + 560, 17, &[]);
        fact(at + 560, "in", names[2]);
    }
    (stream, facts)
}

/// Espressif's tools write one file for each core, or one file with a part for each.
#[test]
fn each_event_of_two_cores_is_there() {
    let [(zero, mut expected), (one, of_one)] = [core(0, 900), core(1, 700)];
    expected.extend(of_one);
    expected.sort_by_key(|(at, ..)| *at);
    let two = [
        Input::from_bytes("pro", &zero.bytes).on_core(0),
        Input::from_bytes("app", &one.bytes).on_core(1),
    ];
    assert_eq!(found(&two).facts, expected);
    let header = format!(
        "; Version     SEGGER SystemViewer V2.42\n; Author      Espressif Inc\n; Offset Core0 0\n; Offset Core1 {}\n;\n",
        zero.bytes.len()
    );
    let whole = [header.as_bytes(), &zero.bytes, &one.bytes].concat();
    assert_eq!(found(&[Input::from_bytes("both", &whole)]).facts, expected);
}

/// What Espressif's targets send: one start, packets of both cores in the order of time, each with its core in the last byte of
/// the id and with the time since the packet before, whatever its core. Returns the packets too.
fn shared(cores: [&Stream; 2]) -> (Vec<u8>, Vec<(u32, Packet)>) {
    let about = |id| matches!(id, 9 | 10 | 13 | 14 | 24);
    let [zero, one] = cores.map(|core| core.packets.clone());
    let of_one = one.into_iter().filter(|(_, id, _)| !about(*id) || *id == 9);
    let of_one = of_one.map(|packet| (u32::from(!about(packet.1)), packet));
    let mut packets: Vec<_> = zero.into_iter().map(|packet| (0, packet)).chain(of_one).collect();
    packets.sort_by_key(|(_, (at, ..))| *at);
    let (mut bytes, mut now) = (vec![0; 10], 0);
    for (core, (at, id, payload)) in &packets {
        let bit = if *id < 0x80 { 6 } else { 13 };
        number(&mut bytes, id | core << bit);
        if *id >= 24 {
            number(&mut bytes, u32::try_from(payload.len()).unwrap());
        }
        bytes.extend(payload);
        number(&mut bytes, u32::try_from(at - now).unwrap());
        now = *at;
    }
    (bytes, packets)
}

/// OpenOCD writes a file for both cores, or one for each: then both get the packets about the target and the ready tasks.
#[test]
fn packets_of_two_cores_may_be_in_one_stream() {
    let [(zero, mut expected), (one, of_one)] = [core(0, 900), core(1, 700)];
    expected.extend(of_one);
    expected.sort_by_key(|(at, ..)| *at);
    let (bytes, packets) = shared([&zero, &one]);
    let header = ";\n; Version     SEGGER SystemViewer V2.42\n; Author      Espressif Inc\n";
    let whole = [header.as_bytes(), b"; ESP_Extension\n;\n", &bytes].concat();
    let both = found(&[Input::from_bytes("both", &whole)]);
    assert_eq!(both.facts, expected);
    // Without the text the packets show it.
    assert_eq!(found(&[Input::from_bytes("both", &bytes)]).facts, expected);
    let image = [&[0; 3000], &whole[..], &[0xFF; 3000]].concat();
    let inputs = [Input::from_bytes("image", &image)];
    let summary = convert_events(&inputs, &Options::default(), &mut Found::default()).unwrap();
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);

    let is_of_both = |id| matches!(id, 1 | 6 | 9..=14 | 21 | 22 | 24 | 27);
    let mut files = [Stream::default(), Stream::default()];
    for (core, (at, id, payload)) in packets {
        for (number, file) in (0..).zip(&mut files) {
            if number == core || is_of_both(id) {
                file.packet(at, id, &payload);
            }
        }
    }
    let files = files.map(|it| [header.as_bytes(), b";\n", &[0; 10], &it.bytes].concat());
    let inputs = || files.each_ref().map(|it| Input::from_bytes("core", it));
    let [pro, app] = inputs();
    assert_eq!(found(&[pro, app.on_core(1)]).facts, expected);
    let [pro, app] = inputs();
    assert_eq!(found(&[app.on_core(1), pro]).facts, expected);
}

/// Files may be joined. The bytes of a packet may be the text in front of a file, but no start follows them.
#[test]
fn a_packet_may_spell_the_text_of_a_file() {
    let (mut stream, mut expected) = core(0, 2);
    let text = b"Version\tSystemView 3\n;\n;\nabcdefg";
    // The id is a semicolon, and the length a blank.
    stream.packet(9000, 59, text);
    stream.numbers(9100, 2, &[6]);
    expected.push((9100, 0, "enter", "6".to_owned()));
    let starts = |bytes: &[u8]| {
        let inputs = [Input::from_bytes("joined", bytes)];
        let mut found = Found::default();
        let summary = convert_events(&inputs, &Options::default(), &mut found).unwrap();
        (found.facts, summary.diagnostics.count(Problem::StreamStart))
    };
    let (mut facts, count) = starts(&stream.bytes);
    facts.retain(|fact| fact.2 != "mark");
    assert_eq!((facts, count), (expected, 0));
    let file = [b"; Version SystemView 3\n; Author x\n;\n", &stream.bytes[..]].concat();
    let (_, count) = starts(&file.repeat(2));
    assert_eq!(count, 1);
}

/// The ids of calls in SEGGER's files for FreeRTOS V8 to V10. A task that waits without a limit has no packet before the next
/// task runs.
#[test]
fn calls_of_version_10_are_those_of_its_table() {
    let [high, low, idle] = [0x1000, 0x2000, 0x3000];
    let mut stream = Stream::default();
    let tasks = [(high, 4, "High"), (low, 2, "Low"), (idle, 0, "IDLE")];
    stream.start(100, "N=Demo,D=Cortex-M4,O=FreeRTOS", 0, &tasks);
    stream.packet(150, 25, &payload(&[0x4000], "Samples"));
    stream.numbers(200, 4, &[high]);
    stream.numbers(300, 35, &[25]);
    stream.numbers(310, 7, &[high, 4]);
    stream.numbers(320, 4, &[low]);
    stream.numbers(400, 36, &[500, 10]);
    stream.numbers(410, 7, &[low, 4]);
    stream.packet(420, 17, &[]);
    stream.numbers(500, 2, &[15]);
    stream.numbers(510, 6, &[high]);
    stream.packet(520, 18, &[]);
    stream.numbers(530, 4, &[high]);
    // It suspends the other task, and resumes it.
    stream.numbers(600, 41, &[low]);
    stream.numbers(610, 42, &[low]);
    stream.numbers(611, 6, &[low]);
    // The received item; then it waits without a limit.
    stream.numbers(620, 92, &[0x4000, 0x5000, u32::MAX, 1]);
    stream.numbers(700, 4, &[low]);
    // It suspends itself: its number, or none.
    stream.numbers(800, 41, &[0_u32.wrapping_sub(RAM)]);
    stream.numbers(805, 7, &[low, 27]);
    stream.packet(810, 17, &[]);
    stream.numbers(900, 6, &[low]);
    stream.numbers(910, 4, &[low]);
    // It deletes itself.
    stream.numbers(950, 34, &[0_u32.wrapping_sub(RAM)]);
    stream.packet(960, 17, &[]);
    are(
        &facts(&stream),
        &[
            (200, "in", "High"),
            (300, "delay", "25"),
            (320, "in", "Low"),
            (400, "delay until", ""),
            (420, "in", "IDLE"),
            (500, "enter", "15"),
            (510, "ready", "High"),
            (520, "exit to scheduler", "15"),
            (530, "in", "High"),
            (600, "suspended", "Low"),
            (611, "ready", "Low"),
            (620, "mark", "Samples 20480 4294967295 1"),
            (700, "waits", ""),
            (700, "in", "Low"),
            (800, "suspended", "Low"),
            (810, "in", "IDLE"),
            (900, "ready", "Low"),
            (910, "in", "Low"),
            (950, "deleted", "Low"),
            (960, "in", "IDLE"),
        ],
    );
}

/// A task's number may be used again: the new task has its own name, and no name until it gets one.
/// The sample for V11 records a call with its arguments, and later its result. A timer's first one creates a queue inside.
#[test]
fn waits_for_bits_and_new_objects_are_shown() {
    let [high, low, group, buffer, timer] = [0x1000, 0x2000, 0x6000, 0x7000, 0x8000];
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 0, &[(high, 4, "High"), (low, 2, "Low")]);
    stream.numbers(110, 291, &[]);
    stream.numbers(120, 28, &[291, group]);
    stream.numbers(130, 304, &[64, 8, 1]);
    stream.numbers(140, 28, &[304, buffer]);
    stream.numbers(150, 265, &[9, 50, 1, 0, 0x100]);
    stream.numbers(152, 152, &[10, 4, 0]);
    stream.numbers(154, 28, &[152, 0x9000]);
    stream.numbers(160, 28, &[265, timer]);
    stream.numbers(200, 4, &[high]);
    stream.numbers(300, 293, &[group, 5, 1, 1, 100]);
    stream.numbers(310, 7, &[high, 4]);
    stream.numbers(320, 4, &[low]);
    stream.numbers(350, 324, &[timer, 1, 77, 0, 10]);
    stream.numbers(360, 28, &[324, 1]);
    stream.numbers(400, 297, &[group, 7]);
    stream.numbers(410, 6, &[high]);
    stream.numbers(420, 4, &[high]);
    stream.numbers(430, 28, &[293, 7]);
    // In vain.
    stream.numbers(440, 293, &[group, 8, 0, 0, 2]);
    stream.numbers(450, 7, &[high, 4]);
    stream.numbers(500, 4, &[low]);
    stream.numbers(510, 28, &[297, 2]);
    stream.numbers(700, 6, &[high]);
    stream.numbers(710, 4, &[high]);
    stream.numbers(720, 28, &[293, 2]);
    let all = facts(&stream);
    let of_objects: Vec<_> =
        all.iter().filter(|fact| !matches!(fact.2, "call" | "return")).cloned().collect();
    are(
        &of_objects,
        &[
            (120, "group created", "0x3f406000"),
            (140, "buffer created", "0x3f407000 64 8"),
            (160, "timer created", "0x3f408000 50 1 0x3f400100"),
            (200, "in", "High"),
            (310, "waits for bits", "5 3 100"),
            (320, "in", "Low"),
            (360, "timer command", "0x3f408000 start 77 1"),
            (410, "ready", "High"),
            (420, "in", "High"),
            (430, "has bits", "5 3 7"),
            (450, "waits for bits", "8 0 2"),
            (500, "in", "Low"),
            (510, "sets bits", "7 2"),
            (700, "ready", "High"),
            (710, "in", "High"),
            (720, "has bits", "8 4 2"),
        ],
    );
    let calls: Vec<_> =
        all.iter().filter(|fact| fact.2 == "call").map(|fact| &fact.3[..]).collect();
    assert_eq!(
        calls,
        [
            "xEventGroupCreate",
            "xStreamBufferGenericCreate",
            "xTimerCreate",
            "xQueueGenericCreate",
            "xEventGroupWaitBits",
            "xTimerGenericCommandFromTask",
            "xEventGroupSetBits",
            "xEventGroupWaitBits"
        ]
    );
}

#[test]
fn a_number_that_is_used_again_is_another_task() {
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 0, &[(0x1000, 4, "Main"), (0x2000, 2, "First")]);
    stream.numbers(200, 4, &[0x1000]);
    stream.numbers(210, 34, &[0x2000]);
    stream.numbers(220, 8, &[0x2000]);
    stream.packet(230, 9, &payload(&[0x2000, 3], "Second"));
    stream.numbers(240, 6, &[0x2000]);
    stream.numbers(250, 34, &[0x2000]);
    are(
        &facts(&stream),
        &[
            (200, "in", "Main"),
            (210, "deleted", "First"),
            (220, "created", &format!("{:#x}", RAM + 0x2000)),
            (240, "ready", "Second"),
            (250, "deleted", "Second"),
        ],
    );
}

/// A handler that reports its end beside the kernel ends once, also inside of another one; the outer interrupt continues.
#[test]
fn a_second_end_of_an_interrupt_does_not_end_another_one() {
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 0, &[(0x1000, 4, "Main")]);
    stream.numbers(200, 4, &[0x1000]);
    // Alone: interrupt 30 ends twice, 40 once.
    for at in [300, 400] {
        stream.numbers(at, 2, &[30]);
        stream.packet(at + 10, 3, &[]);
        stream.packet(at + 12, 3, &[]);
    }
    stream.numbers(500, 2, &[40]);
    stream.packet(510, 3, &[]);
    // Inside of 40.
    stream.numbers(600, 2, &[40]);
    stream.numbers(610, 2, &[30]);
    stream.packet(620, 18, &[]);
    stream.packet(622, 3, &[]);
    stream.packet(650, 3, &[]);
    // 40 inside of 50 ends once.
    stream.numbers(700, 2, &[50]);
    stream.numbers(710, 2, &[40]);
    stream.packet(720, 3, &[]);
    stream.packet(722, 3, &[]);
    stream.numbers(800, 4, &[0x1000]);
    are(
        &facts(&stream),
        &[
            (200, "in", "Main"),
            (300, "enter", "30"),
            (310, "exit", "30"),
            (400, "enter", "30"),
            (410, "exit", "30"),
            (500, "enter", "40"),
            (510, "exit", "40"),
            (600, "enter", "40"),
            (610, "enter", "30"),
            (620, "exit to scheduler", "30"),
            (650, "exit", "40"),
            (700, "enter", "50"),
            (710, "enter", "40"),
            (720, "exit", "40"),
            (722, "exit", "50"),
            (800, "in", "Main"),
        ],
    );
}

/// The target counts lost packets from its reset on: a stop and a start do not reset the count, a reset of the target does.
#[test]
fn lost_packets_are_counted_once() {
    let tasks = [(0x1000, 4, "Main")];
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 1_000_000, &tasks);
    stream.numbers(200, 4, &[0x1000]);
    // The first of a burst is not in the count.
    stream.numbers(300, 1, &[9]);
    stream.numbers(310, 4, &[0x1000]);
    stream.packet(400, 11, &[]);
    stream.start(40_000_400, "N=Demo,O=FreeRTOS", 2_000_000, &tasks);
    stream.numbers(40_000_500, 1, &[13]);
    stream.numbers(40_000_600, 4, &[0x1000]);
    // It was reset.
    stream.start(80_000_000, "N=Demo,O=FreeRTOS", 1000, &tasks);
    stream.numbers(80_000_100, 4, &[0x1000]);
    stream.numbers(80_000_200, 1, &[1]);
    let found = found(&[Input::from_bytes("stream", &stream.bytes)]);
    assert_eq!(found.dropped, [10, 15, 17]);
}

/// The sample for V11 records a deletion and a change of a priority where the function begins, and again where the kernel acts.
#[test]
fn calls_that_are_recorded_twice_are_one() {
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 0, &[(0x1000, 4, "Main"), (0x2000, 2, "Low")]);
    stream.numbers(200, 4, &[0x1000]);
    for at in [300, 400] {
        stream.numbers(at, 201, &[0x2000, 3]);
        stream.numbers(at + 10, 201, &[0x2000, 3]);
        stream.numbers(at + 20, 28, &[201]);
    }
    stream.numbers(500, 195, &[0x2000]);
    stream.numbers(510, 195, &[0x2000]);
    stream.numbers(520, 28, &[195]);
    // It deletes itself, and another task gets its number.
    stream.numbers(600, 195, &[0_u32.wrapping_sub(RAM)]);
    stream.numbers(610, 195, &[0x1000]);
    stream.numbers(700, 8, &[0x1000]);
    stream.numbers(710, 4, &[0x1000]);
    stream.numbers(800, 195, &[0_u32.wrapping_sub(RAM)]);
    stream.numbers(810, 195, &[0x1000]);
    let of_calls = facts(&stream);
    let of_calls: Vec<_> = of_calls
        .iter()
        .filter(|(.., kind, _)| matches!(*kind, "call" | "return" | "deleted"))
        .map(|(at, _, kind, _)| (*at, *kind))
        .collect();
    assert_eq!(
        of_calls,
        [
            (300, "call"),
            (320, "return"),
            (400, "call"),
            (420, "return"),
            (500, "call"),
            (500, "deleted"),
            (520, "return"),
            (600, "call"),
            (610, "deleted"),
            (800, "call"),
            (810, "deleted"),
        ]
    );
}

/// The idle task of a target that was reset is the idle task again.
#[test]
fn a_reset_forgets_the_idle_task() {
    let tasks = [(0x1000, 4, "Main")];
    let mut stream = Stream::default();
    for (at, us) in [(100, 2_000_000), (20_000, 1000)] {
        stream.start(at, "N=Demo,O=FreeRTOS", us, &tasks);
        stream.numbers(at + 100, 4, &[0x1000]);
        stream.packet(at + 200, 17, &[]);
    }
    let idle = found(&[Input::from_bytes("stream", &stream.bytes)]).idle;
    assert_eq!(idle, [u32::MAX - 2; 2]);
}

/// Packets that are lost from one border to another show only in what the kernel cannot have done.
#[test]
fn missing_packets_show_in_what_cannot_be() {
    let mut stream = Stream::default();
    stream.start(100, "N=Demo,O=FreeRTOS", 0, &[(0x1000, 4, "High"), (0x2000, 2, "Low")]);
    for at in [200, 300, 400] {
        stream.numbers(at, 4, &[0x1000]);
        stream.numbers(at + 10, 7, &[0x1000, 4]);
        stream.numbers(at + 20, 4, &[0x2000]);
        stream.numbers(at + 30, 6, &[0x1000]);
    }
    let without = |from: usize, to: usize| {
        let mut part = Stream::default();
        part.start(100, "N=Demo,O=FreeRTOS", 0, &[(0x1000, 4, "High"), (0x2000, 2, "Low")]);
        for (number, (at, id, payload)) in stream.packets.iter().enumerate().skip(6) {
            if !(from..to).contains(&number) {
                part.packet(*at, *id, payload);
            }
        }
        let inputs = [Input::from_bytes("stream", &part.bytes)];
        let summary = convert_events(&inputs, &Options::default(), &mut Found::default()).unwrap();
        summary.diagnostics.count(Problem::ForeignLoss)
    };
    assert_eq!(stream.packets.len(), 18);
    assert_eq!(without(0, 0), 0);
    // The second time it becomes ready; the third switch to it.
    assert_eq!([without(13, 14), without(14, 15)], [1, 1]);
}

/// The end of a timer's function names no timer, so it is that of the innermost one. Addresses and sizes of blocks of memory are
/// shifted like numbers of tasks. A record of the application may be a text.
#[test]
fn timers_blocks_and_texts_are_those_of_the_application() {
    let mut stream = Stream::default();
    stream.start(100, "N=App,O=embOS", 0, &[]);
    stream.numbers(110, 24, &[HZ, HZ, RAM, 2]);
    stream.numbers(200, 19, &[0x40]);
    stream.numbers(210, 19, &[0x50]);
    stream.packet(220, 20, &[]);
    stream.packet(230, 20, &[]);
    stream.packet(240, 20, &[]);
    stream.numbers(300, 31, &[3, 0x1000, 0x1008, 6]);
    stream.numbers(310, 31, &[5, 0x1000, 0x1008]);
    stream.packet(320, 1025, &payload(&[], "door öffnet"));
    stream.numbers(330, 1025, &[2, 65, 66]);
    are(
        &facts(&stream),
        &[
            (200, "begin", "0xd0000040"),
            (210, "begin", "0xd0000050"),
            (220, "end", "0xd0000050"),
            (230, "end", "0xd0000040"),
            (300, "malloc", "0x3f404020 24"),
            (310, "free", "0x3f404020 24"),
            (320, "mark", "door öffnet"),
            (330, "mark", "2 65 66"),
        ],
    );
}
