//! Traces of the Linux kernel, by perf and by LTTng. The same events are written in the layout of each tracer, by a writer that
//! shares nothing with the importer.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use tband_conv::convert::events::convert_events;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{CtfTrace, Input, Options};
use tband_format::Event;

/// A task: number, name, and the kernel's priority.
type Task = (i32, &'static str, i32);

const IDLE_0: Task = (0, "swapper/0", 120);
const IDLE_1: Task = (0, "swapper/1", 120);
const READER: Task = (101, "reader", 120);
const WORKER: Task = (33, "kworker/0:1", 100);
const PARKED: Task = (18, "migration/1", 0);
const CHILD: Task = (240, "sh -c x", 139);

/// An event of the kernel.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// The task that leaves, its state, and the one that is switched in.
    Switch(Task, i64, Task),
    Wakeup(Task),
    WakeupNew(Task),
    /// An interrupt with its name begins and ends.
    Irq(i32, &'static str),
    IrqEnd(i32),
    Soft(u32),
    SoftEnd(u32),
}

use Kernel::{Irq, IrqEnd, Soft, SoftEnd, Switch, Wakeup, WakeupNew};

/// The events of two processors, by time in ns.
const EVENTS: [(u64, u32, Kernel); 17] = [
    (5_000_000_000, 0, Irq(30, "eth0")),
    (5_000_000_400, 0, Wakeup(READER)),
    (5_000_000_700, 0, IrqEnd(30)),
    (5_000_000_800, 0, Soft(3)),
    (5_000_000_900, 0, SoftEnd(3)),
    (5_000_001_000, 0, Switch(IDLE_0, 0, READER)),
    (5_000_001_500, 1, Switch(IDLE_1, 0, PARKED)),
    // 0x40: it is parked, and not gone.
    (5_000_002_000, 1, Switch(PARKED, 0x40, IDLE_1)),
    (5_000_003_000, 0, WakeupNew(CHILD)),
    // 0x100: it is preempted.
    (5_000_004_000, 0, Switch(READER, 0x100, WORKER)),
    // 0x80: a kernel thread sleeps idly.
    (5_000_005_000, 0, Switch(WORKER, 0x80, READER)),
    (5_000_005_100, 1, Switch(IDLE_1, 0, CHILD)),
    (5_000_006_000, 0, Switch(READER, 1, IDLE_0)),
    // A zombie.
    (5_000_007_000, 1, Switch(CHILD, 0x20, IDLE_1)),
    // The lower 27 bits of the time have wrapped.
    (5_900_000_000, 0, Wakeup(WORKER)),
    (5_900_000_100, 0, Switch(IDLE_0, 0, WORKER)),
    (5_900_000_200, 0, Switch(WORKER, 2, IDLE_0)),
];

/// The facts that these events contain: time, processor, kind, and the name of a task or an interrupt.
const FACTS: [(u64, u32, &str, &str); 30] = [
    (5_000_000_000, 0, "enter", "eth0"),
    (5_000_000_400, 0, "ready", "reader"),
    (5_000_000_700, 0, "exit", "eth0"),
    (5_000_000_800, 0, "enter", "softirq 3"),
    (5_000_000_900, 0, "exit", "softirq 3"),
    (5_000_001_000, 0, "runs", "swapper/0"),
    (5_000_001_000, 0, "in", "reader"),
    (5_000_001_500, 1, "runs", "swapper/1"),
    (5_000_001_500, 1, "in", "migration/1"),
    (5_000_002_000, 1, "sleeps", "migration/1"),
    (5_000_002_000, 1, "in", "swapper/1"),
    (5_000_003_000, 0, "created", "sh -c x"),
    (5_000_003_000, 0, "ready", "sh -c x"),
    (5_000_004_000, 0, "in", "kworker/0:1"),
    (5_000_005_000, 0, "sleeps", "kworker/0:1"),
    (5_000_005_000, 0, "in", "reader"),
    (5_000_005_100, 1, "in", "sh -c x"),
    (5_000_006_000, 0, "sleeps", "reader"),
    (5_000_006_000, 0, "in", "swapper/0"),
    (5_000_007_000, 1, "gone", "sh -c x"),
    (5_000_007_000, 1, "in", "swapper/1"),
    (5_900_000_000, 0, "ready", "kworker/0:1"),
    (5_900_000_100, 0, "in", "kworker/0:1"),
    (5_900_000_200, 0, "sleeps", "kworker/0:1"),
    (5_900_000_200, 0, "in", "swapper/0"),
    // The shown priority of each task, higher ones being urgent.
    (0, 0, "priority", "kworker/0:1 39"),
    (0, 0, "priority", "migration/1 139"),
    (0, 0, "priority", "reader 19"),
    (0, 0, "priority", "sh -c x 0"),
    (0, 0, "priority", "swapper/0 19"),
];

/// The content of a recording.
#[derive(Debug, Default)]
struct Found {
    facts: Vec<(u64, u32, &'static str, String)>,
    priorities: HashMap<u32, u32>,
    tasks: HashMap<u32, String>,
    isrs: HashMap<u32, String>,
    idle: Vec<(u32, u32)>,
    markers: usize,
}

impl EventSink for Found {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let (id, kind) = match event.decoded.event {
            Event::TaskName { task_id, name } => {
                self.tasks.insert(task_id, name.to_string());
                return Ok(ControlFlow::Continue(()));
            }
            Event::IsrName { isr_id, name } => {
                self.isrs.insert(isr_id, name.to_string());
                return Ok(ControlFlow::Continue(()));
            }
            Event::TaskPrioritySet { task_id, priority } => {
                self.priorities.insert(task_id, priority);
                return Ok(ControlFlow::Continue(()));
            }
            Event::TaskIsIdleTask { task_id, core_id } => {
                self.idle.push((task_id, core_id));
                return Ok(ControlFlow::Continue(()));
            }
            Event::Evtmarker { .. } => {
                self.markers += 1;
                return Ok(ControlFlow::Continue(()));
            }
            Event::TaskSwitchedIn { task_id } => (task_id, "in"),
            Event::RunningTask { task_id } => (task_id, "runs"),
            Event::TaskToRdyState { task_id } => (task_id, "ready"),
            Event::TaskSuspended { task_id } => (task_id, "sleeps"),
            Event::TaskDeleted { task_id } => (task_id, "gone"),
            Event::TaskCreated { task_id } => (task_id, "created"),
            Event::IsrEnter { isr_id } => (isr_id, "enter"),
            Event::IsrExit { isr_id } => (isr_id, "exit"),
            _ => return Ok(ControlFlow::Continue(())),
        };
        self.facts.push((event.ticks, event.at.core, kind, format!("#{id}")));
        Ok(ControlFlow::Continue(()))
    }
}

/// Writes numbers and texts; numbers are aligned.
struct Writer {
    bytes: Vec<u8>,
    is_big: bool,
    /// Largest alignment of a number, in bytes.
    align: usize,
}

impl Writer {
    fn number(&mut self, len: usize, value: u64) {
        self.structure(len);
        if self.is_big {
            self.bytes.extend(&value.to_be_bytes()[8 - len..]);
        } else {
            self.bytes.extend(&value.to_le_bytes()[..len]);
        }
    }

    /// A structure begins, aligned as its largest number.
    fn structure(&mut self, largest: usize) {
        let at = self.bytes.len().next_multiple_of(largest.min(self.align));
        self.bytes.resize(at, 0);
    }

    fn i32(&mut self, value: i32) {
        self.number(4, u64::from(value.cast_unsigned()));
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    /// A text in an array.
    fn array(&mut self, text: &str) {
        let mut bytes = [0xEE; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        bytes[text.len()] = 0;
        self.bytes.extend(bytes);
    }
}

/// The position of an event in the list of the trace's events.
const fn class_of(event: Kernel) -> u64 {
    match event {
        Switch(..) => 0,
        Wakeup(..) => 1,
        WakeupNew(..) => 2,
        Irq(..) => 3,
        IrqEnd(..) => 4,
        Soft(..) => 5,
        SoftEnd(..) => 6,
    }
}

/// A packet begins: the magic number, an identity, the class of streams, and the context with its sizes in bits, which are filled in
/// at the end.
struct Packet {
    writer: Writer,
    /// Where the sizes are.
    sizes: usize,
}

impl Packet {
    fn begin(mut writer: Writer, (begin, end): (u64, u64), cpu: u32) -> Self {
        writer.number(4, 0xC1FC_1FC1);
        writer.bytes.extend([7; 16]);
        writer.number(4, 0);
        writer.number(8, begin);
        writer.number(8, end);
        let sizes = writer.bytes.len();
        writer.number(8, 0);
        writer.number(8, 0);
        writer.number(8, 0);
        writer.number(4, cpu.into());
        Self { writer, sizes }
    }

    /// Fills in the sizes, and fills up the packet to pages.
    fn end(self) -> Vec<u8> {
        let Self { mut writer, sizes } = self;
        let content = writer.bytes.len();
        writer.bytes.resize(content.next_multiple_of(4096), 0);
        let all = writer.bytes.len();
        for (at, len) in [(sizes, content), (sizes + 8, all)] {
            let bits = len as u64 * 8;
            let bytes = if writer.is_big { bits.to_be_bytes() } else { bits.to_le_bytes() };
            writer.bytes[at..at + 8].copy_from_slice(&bytes);
        }
        writer.bytes
    }
}

/// The events of a processor, in packets of three.
fn packets_of(cpu: u32) -> Vec<Vec<(u64, Kernel)>> {
    let of_cpu: Vec<_> = EVENTS.iter().filter(|(_, on, _)| *on == cpu).collect();
    of_cpu.chunks(3).map(|some| some.iter().map(|(time, _, it)| (*time, *it)).collect()).collect()
}

/// The fields of an event, in which each tracer has its own layout for names of tasks.
fn write_fields(writer: &mut Writer, event: Kernel, comm: fn(&mut Writer, &str)) {
    match event {
        Switch(prev, state, next) => {
            comm(writer, prev.1);
            writer.i32(prev.0);
            writer.i32(prev.2);
            writer.number(8, state.cast_unsigned());
            comm(writer, next.1);
            writer.i32(next.0);
            writer.i32(next.2);
        }
        Wakeup(task) | WakeupNew(task) => {
            comm(writer, task.1);
            writer.i32(task.0);
            writer.i32(task.2);
            writer.i32(1);
        }
        Irq(irq, name) => {
            writer.i32(irq);
            writer.text(name);
        }
        IrqEnd(irq) => {
            writer.i32(irq);
            writer.i32(1);
        }
        Soft(vec) | SoftEnd(vec) => writer.number(4, vec.into()),
    }
}

/// perf's layout, as its writer library has it: texts of any length, numbers of 32 and 64 bits without alignment, fields of the sample in
/// front, and after them the fields that all events of the kernel have.
mod perf {
    use super::*;

    const INT: &str = "integer { size = 32; align = 1; signed = true; encoding = none; base = decimal; byte_order = le; }";
    const UINT: &str = "integer { size = 32; align = 1; signed = false; encoding = none; base = decimal; byte_order = le; }";
    const LONG: &str = "integer { size = 64; align = 1; signed = true; encoding = none; base = decimal; byte_order = le; }";
    const HEX: &str = "integer { size = 64; align = 1; signed = false; encoding = none; base = hexadecimal; byte_order = le; }";
    const U32: &str = "integer { size = 32; align = 8; signed = false; encoding = none; base = decimal; byte_order = le; }";
    const U64: &str = "integer { size = 64; align = 8; signed = false; encoding = none; base = decimal; byte_order = le; }";
    const TEXT: &str = "string { encoding = UTF8; }";
    const WOKEN: &[(&str, &str)] =
        &[(TEXT, "comm"), (INT, "pid"), (INT, "prio"), (INT, "target_cpu")];

    pub fn metadata(maps_time: bool) -> Vec<u8> {
        let time = if maps_time {
            U64.replace("; }", "; map = clock.perf_clock.value; }")
        } else {
            U64.to_owned()
        };
        let mut text = format!(
            "/* CTF 1.8 */\n\ntrace {{\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"07070707-0707-0707-0707-070707070707\";\n\tbyte_order = le;\n\
             \tpacket.header := struct {{\n\t\t{U32} magic;\n\t\tinteger {{ size = 8; align = 8; signed = false; encoding = none; base = decimal; byte_order = le; }} uuid[16];\n\
             \t\t{U32} stream_id;\n\t}} align(8);\n}};\n\n\
             env {{\n\thost = \"station\";\n\tsysname = \"Linux\";\n\trelease = \"6.1.0-18-amd64\";\n\tversion = \"6.1.76\";\n\tmachine = \"x86_64\";\n\tdomain = \"kernel\";\n\ttracer_name = \"perf\";\n}};\n\n\
             clock {{\n\tname = perf_clock;\n\tuuid = \"08080808-0808-0808-0808-080808080808\";\n\tdescription = \"perf clock\";\n\tfreq = 1000000000;\n\tprecision = 10;\n\toffset_s = 0;\n\toffset = 0;\n\tabsolute = FALSE;\n}};\n\n\
             stream {{\n\tid = 0;\n\tevent.header := struct {{\n\t\t{U32} id;\n\t\t{time} timestamp;\n\t}} align(8);\n\n\
             \tpacket.context := struct {{\n\t\t{time} timestamp_begin;\n\t\t{time} timestamp_end;\n\t\t{U64} content_size;\n\t\t{U64} packet_size;\n\t\t{U64} events_discarded;\n\t\t{UINT} cpu_id;\n\t}} align(8);\n}};\n\n"
        );
        let switch: &[(&str, &str)] = &[
            (TEXT, "prev_comm"),
            (INT, "prev_pid"),
            (INT, "prev_prio"),
            (LONG, "prev_state"),
            (TEXT, "next_comm"),
            (INT, "next_pid"),
            (INT, "next_prio"),
        ];
        let classes: [(&str, &[(&str, &str)]); 7] = [
            ("sched:sched_switch", switch),
            ("sched:sched_wakeup", WOKEN),
            ("sched:sched_wakeup_new", WOKEN),
            ("irq:irq_handler_entry", &[(INT, "irq"), (TEXT, "name")]),
            ("irq:irq_handler_exit", &[(INT, "irq"), (INT, "ret")]),
            ("irq:softirq_entry", &[(UINT, "vec")]),
            ("irq:softirq_exit", &[(UINT, "vec")]),
        ];
        let of_sample = [(HEX, "perf_ip"), (INT, "perf_tid"), (INT, "perf_pid")];
        let of_all = [
            (UINT, "common_type"),
            (UINT, "common_flags"),
            (UINT, "common_preempt_count"),
            (INT, "common_pid"),
        ];
        for (id, (name, fields)) in classes.iter().enumerate() {
            let fields: Vec<_> = of_sample.iter().chain(&of_all).chain(*fields).collect();
            event(&mut text, name, id, &fields);
        }
        let task = [(UINT, "pid"), (UINT, "tid"), (TEXT, "comm")];
        event(&mut text, "perf_comm", 7, &task.iter().collect::<Vec<_>>());
        let map = [(UINT, "pid"), (UINT, "tid"), (HEX, "start"), (TEXT, "filename")];
        event(&mut text, "perf_mmap2", 8, &map.iter().collect::<Vec<_>>());
        text.into_bytes()
    }

    fn event(text: &mut String, name: &str, id: usize, fields: &[&(&str, &str)]) {
        write!(text, "event {{\n\tname = \"{name}\";\n\tid = {id};\n\tstream_id = 0;\n\tfields := struct {{\n").unwrap();
        for (class, name) in fields {
            writeln!(text, "\t\t{class} {name};").unwrap();
        }
        text.push_str("\t} align(8);\n};\n\n");
    }

    fn write(writer: &mut Writer, time: u64, event: Kernel) {
        writer.number(4, class_of(event));
        writer.number(8, time);
        writer.number(8, 0xFFFF_FFFF_8100_0000);
        for value in [77, 76, 0, 0, 0, 77] {
            writer.i32(value);
        }
        write_fields(writer, event, Writer::text);
    }

    /// The stream of a processor. perf's own records are in that of the first one, with the time 0.
    pub fn stream(cpu: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let writer = || Writer { bytes: Vec::new(), is_big: false, align: 1 };
        if cpu == 0 {
            let mut packet = Packet::begin(writer(), (0, 0), cpu);
            let out = &mut packet.writer;
            for (class, tid) in [(7, 555), (8, 555)] {
                out.number(4, class);
                out.number(8, 0);
                out.number(4, 550);
                out.number(4, tid);
                if class == 8 {
                    out.number(8, 0x40_0000);
                }
                out.text("sleeper");
            }
            bytes.extend(packet.end());
        }
        for events in packets_of(cpu) {
            let (first, last) = (events[0].0, events[events.len() - 1].0);
            let mut packet = Packet::begin(writer(), (first, last), cpu);
            for (time, event) in events {
                write(&mut packet.writer, time, event);
            }
            bytes.extend(packet.end());
        }
        bytes
    }
}

/// The layout of LTTng's modules: names in arrays, fields that begin with an underscore, aligned numbers, and an event header of 32 bits
/// with the lower 27 bits of the time.
mod lttng {
    use super::*;

    fn int(bits: u32, rest: &str) -> String {
        format!("integer {{ size = {bits}; align = {bits}; {rest} }}")
    }

    pub fn metadata(is_big: bool) -> Vec<u8> {
        let order = if is_big { "be" } else { "le" };
        let mut text = format!(
            "/* CTF 1.8 */\n\ntypealias integer {{ size = 8; align = 8; signed = false; }} := uint8_t;\n\
             typealias integer {{ size = 32; align = 32; signed = false; }} := uint32_t;\n\
             typealias integer {{ size = 64; align = 64; signed = false; }} := uint64_t;\n\
             typealias integer {{ size = 64; align = 64; signed = false; }} := unsigned long;\n\
             typealias integer {{ size = 5; align = 1; signed = false; }} := uint5_t;\n\n\
             trace {{\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = {order};\n\tpacket.header := struct {{\n\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n\t\tuint32_t stream_id;\n\t}};\n}};\n\n\
             env {{\n\thostname = \"station\";\n\tdomain = \"kernel\";\n\tkernel_release = \"6.1.0-18-amd64\";\n\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n\ttracer_minor = 13;\n}};\n\n\
             clock {{\n\tname = \"monotonic\";\n\tfreq = 1000000000; /* Frequency, in Hz */\n\toffset = 1700000000000000000;\n}};\n\n"
        );
        for (bits, align) in [(27, 1), (64, 64)] {
            writeln!(text, "typealias integer {{ size = {bits}; align = {align}; signed = false; map = clock.monotonic.value; }} := time{bits}_t;").unwrap();
        }
        text.push_str(
            "struct packet_context {\n\ttime64_t timestamp_begin;\n\ttime64_t timestamp_end;\n\tuint64_t content_size;\n\
             \tuint64_t packet_size;\n\tunsigned long events_discarded;\n\tuint32_t cpu_id;\n};\n\n\
             struct event_header_compact {\n\tenum : uint5_t { compact = 0 ... 30, extended = 31 } id;\n\tvariant <id> {\n\
             \t\tstruct { time27_t timestamp; } compact;\n\t\tstruct { uint32_t id; time64_t timestamp; } extended;\n\t} v;\n} align(32);\n\n\
             stream {\n\tid = 0;\n\tevent.header := struct event_header_compact;\n\tpacket.context := struct packet_context;\n};\n\n",
        );
        let number = int(32, "signed = 1; encoding = none; base = 10;");
        let letters = int(8, "signed = 1; encoding = UTF8; base = 10;");
        let long = int(64, "signed = 1; encoding = none; base = 10;");
        let state = format!(
            "enum : {long} {{ \"TASK_RUNNING\" = 0, \"TASK_INTERRUPTIBLE\" = 1, \"TASK_UNINTERRUPTIBLE\" = 2, \"EXIT_ZOMBIE\" = 32, \"TASK_PARKED\" = 64 }}"
        );
        let woken =
            format!("{letters} _comm[16]; {number} _tid; {number} _prio; {number} _target_cpu;");
        let classes = [
            (
                "sched_switch",
                format!(
                    "{letters} _prev_comm[16]; {number} _prev_tid; {number} _prev_prio; {state} _prev_state; \
                     {letters} _next_comm[16]; {number} _next_tid; {number} _next_prio;"
                ),
            ),
            ("sched_wakeup", woken.clone()),
            ("sched_wakeup_new", woken),
            ("irq_handler_entry", format!("{number} _irq; string _name;")),
            ("irq_handler_exit", format!("{number} _irq; {number} _ret;")),
            ("irq_softirq_entry", format!("{number} _vec;")),
            ("irq_softirq_exit", format!("{number} _vec;")),
        ];
        for (id, (name, fields)) in classes.iter().enumerate() {
            writeln!(text, "event {{\n\tname = \"{name}\";\n\tid = {id};\n\tstream_id = 0;\n\tfields := struct {{ {fields} }};\n}};\n").unwrap();
        }
        text.into_bytes()
    }

    fn write(writer: &mut Writer, (before, time): (u64, u64), event: Kernel) {
        let id = class_of(event);
        let is_compact = time - before < 1 << 27;
        let (id5, time27) = (if is_compact { id } else { 31 }, time & ((1 << 27) - 1));
        // The first field has the lowest bits in little endian, the highest ones in big endian.
        let header = match (is_compact, writer.is_big) {
            (true, false) => id5 | time27 << 5,
            (true, true) => id5 << 27 | time27,
            (false, false) => id5,
            (false, true) => id5 << 27,
        };
        writer.number(4, header);
        if !is_compact {
            writer.structure(8);
            writer.number(4, id);
            writer.number(8, time);
        }
        writer.structure(if matches!(event, Switch(..)) { 8 } else { 4 });
        write_fields(writer, event, Writer::array);
    }

    pub fn stream(cpu: u32, is_big: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for events in packets_of(cpu) {
            let (first, last) = (events[0].0, events[events.len() - 1].0);
            let writer = Writer { bytes: Vec::new(), is_big, align: 8 };
            let mut packet = Packet::begin(writer, (first, last), cpu);
            let mut before = first;
            for (time, event) in events {
                write(&mut packet.writer, (before, time), event);
                before = time;
            }
            bytes.extend(packet.end());
        }
        bytes
    }
}

/// Reads the streams of a trace, without a mapping file.
fn found(metadata: &[u8], streams: &[Vec<u8>]) -> Found {
    let trace = Rc::new(CtfTrace::read(metadata, None, streams.len()).unwrap());
    let input = |bytes| Input::from_bytes("stream", bytes).of_trace(Rc::clone(&trace));
    let inputs: Vec<_> = streams.iter().map(|bytes| input(bytes)).collect();
    let mut found = Found::default();
    let summary = convert_events(&inputs, &Options::default(), &mut found).unwrap();
    assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
    for (_, _, kind, name) in &mut found.facts {
        let id: u32 = name[1..].parse().unwrap();
        let names = if matches!(*kind, "enter" | "exit") { &found.isrs } else { &found.tasks };
        name.clone_from(&names[&id]);
    }
    found
}

#[track_caller]
fn has_all_facts(found: &Found) {
    let mut facts: Vec<_> =
        found.facts.iter().map(|(time, core, kind, name)| (*time, *core, *kind, &**name)).collect();
    let mut priorities: Vec<String> = Vec::new();
    for (id, priority) in &found.priorities {
        if found.tasks[id] != "swapper/1" {
            priorities.push(format!("{} {priority}", found.tasks[id]));
        }
    }
    priorities.sort();
    facts.extend(priorities.iter().map(|it| (0, 0, "priority", &**it)));
    assert_eq!(facts, FACTS);
    let mut idle = found.idle.clone();
    idle.sort_unstable();
    idle.dedup();
    let idle: Vec<_> = idle.iter().map(|(id, core)| (&*found.tasks[id], *core)).collect();
    assert_eq!(idle, [("swapper/0", 0), ("swapper/1", 1)]);
    assert_eq!(found.markers, 0);
}

/// perf's older versions of the writer library do not map times to the clock.
#[test]
fn each_event_of_perf_is_there() {
    for maps_time in [true, false] {
        let found = found(&perf::metadata(maps_time), &[perf::stream(0), perf::stream(1)]);
        has_all_facts(&found);
        assert_eq!(found.tasks[&555], "sleeper");
    }
}

#[test]
fn each_event_of_lttng_is_there() {
    for is_big in [false, true] {
        let streams = [lttng::stream(0, is_big), lttng::stream(1, is_big)];
        has_all_facts(&found(&lttng::metadata(is_big), &streams));
    }
}

/// In kernels before 4.14, 0x40 is a task that is dead.
#[test]
fn states_are_those_of_the_kernel_that_was_traced() {
    let of = |release: &str| {
        let metadata = String::from_utf8(perf::metadata(true)).unwrap();
        let metadata = metadata.replace("6.1.0-18-amd64", release);
        let found = found(metadata.as_bytes(), &[perf::stream(0), perf::stream(1)]);
        let parked = found.facts.iter().find(|it| it.0 == 5_000_002_000).unwrap();
        (parked.2, parked.3.clone())
    };
    assert_eq!(of("4.9.0-8-amd64"), ("gone", "migration/1".to_owned()));
    assert_eq!(of("4.14.2"), ("sleeps", "migration/1".to_owned()));
}
