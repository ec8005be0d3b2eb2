//! `port/tband_commands.c` is given an attacker's bytes: it does only what a model of the permitted commands does, counts bytes
//! that are not a command, and each call ends soon. `TBAND_COMMANDS=10000000`, or `cargo xtask hostile`, sets the amount.

mod hostile;
mod model;

use std::collections::BTreeMap;

use tband_format::{Event, decode_frame};
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::lacking::{bad_descriptions, shown};
use tband_tests::random::Random;
use tband_tests::{finish, temp_dir, write};

use crate::{Config, NO_PERIODIC_DROP_CNT, STREAMING};
use hostile::Hostile;
use model::{CommandResult, MAILBOX, Model, PAGE, Permissions};

/// One program is given so many, so that what it counts as damaged is below the greatest number.
const AT_ONCE: u64 = 50_000;

const LOW_PAGE: u32 = 0x2000_0000;
/// The last one of 32 bits. AddressSanitizer has its own memory there.
const LAST_PAGE: u32 = 0xFFFF_F000;

const CONFIG: &Config = &[
    STREAMING,
    NO_PERIODIC_DROP_CNT,
    ("tband_configUSE_FILTERS", "1"),
    ("tband_configUSE_TRIGGERS", "1"),
    ("tband_configALLOW_READ", "HOSTILE_IS_ALLOWED"),
    ("tband_configALLOW_WRITE", "HOSTILE_IS_ALLOWED"),
    ("tband_configALLOW_CONTROL", "HOSTILE_IS_ALLOWED"),
    ("tband_configCOMMAND_MEMORY_FIRST", "hostile_first"),
    ("tband_configCOMMAND_MEMORY_LAST", "hostile_last"),
    ("tband_configCOMMAND_MAX_FILL", "hostile_most"),
];
const ALLOWED: &Config = &[
    ("HOSTILE_IS_ALLOWED", "1"),
    ("tband_configON_COMMAND(number, a, b, c)", "on_command((number), (a), (b), (c))"),
    ("tband_configON_RESET()", "on_reset()"),
];
const NOTHING: &Config = &[("HOSTILE_IS_ALLOWED", "0")];

/// Of C, in a call that looks at nothing; for a byte that it looks at; and for a value that it writes.
const MOST_BLOCKS: u32 = 1100;
const BLOCKS_A_BYTE: u32 = 50;
const BLOCKS_A_VALUE: u32 = 6;

/// What may be touched, and by how much at once.
const SETUPS: [Permissions; 7] = {
    let usual = Permissions {
        anything: true,
        page: LOW_PAGE,
        first: LOW_PAGE,
        last: LOW_PAGE + 0xFFF,
        most: 16,
    };
    [
        usual,
        Permissions { first: LOW_PAGE + 5, last: LOW_PAGE + 0x202, most: u32::MAX, ..usual },
        Permissions { first: LOW_PAGE + 7, last: LOW_PAGE + 7, ..usual },
        // Nothing, by mistake.
        Permissions { first: LOW_PAGE + 9, last: LOW_PAGE + 8, most: u32::MAX, ..usual },
        // Up to the last address there is.
        Permissions {
            page: LAST_PAGE,
            first: LAST_PAGE + 3,
            last: u32::MAX,
            most: u32::MAX,
            ..usual
        },
        Permissions {
            page: LAST_PAGE,
            first: LAST_PAGE,
            last: u32::MAX,
            most: 0x4000_0001,
            ..usual
        },
        Permissions { anything: false, ..usual },
    ]
};

/// A step of the program, and its required result.
enum Step {
    Received { is_too_much: bool },
    Execute { was_there: bool, answer: Option<(u16, CommandResult)>, most_blocks: u32 },
    State { page: Vec<u8>, numbers: [u32; 3] },
}

/// The program's actions, and their results.
struct Script {
    bytes: Vec<u8>,
    steps: Vec<Step>,
    model: Model,
}

impl Script {
    fn receive(&mut self, bytes: &[u8]) {
        self.bytes.extend([b'r', bytes.len() as u8]);
        self.bytes.extend_from_slice(bytes);
        let is_too_much = self.model.received(bytes);
        self.steps.push(Step::Received { is_too_much });
    }

    fn execute(&mut self) -> bool {
        self.bytes.push(b'o');
        let (was_there, answer) = self.model.execute();
        let (bytes, values) = (self.model.looked_at, self.model.written);
        let most_blocks = MOST_BLOCKS + bytes * BLOCKS_A_BYTE + values * BLOCKS_A_VALUE;
        self.steps.push(Step::Execute { was_there, answer, most_blocks });
        was_there
    }

    /// A debugger writes a frame into the mailbox as `tband-cli` does, or whatever it likes.
    fn is_written(&mut self, frame: &[u8], random: &mut Random) {
        let model = &mut self.model;
        if random.one_in(20) {
            model.mailbox[random.below(MAILBOX as u32) as usize] = random.word() as u8;
            model.write = random.below(MAILBOX as u32 + 3);
            if random.one_in(4) {
                model.read = random.word() >> random.below(32);
                model.write = random.word() >> random.below(32);
            }
        } else {
            let size = MAILBOX as u32;
            (model.read, model.write) = (model.read % size, model.write % size);
            for byte in frame.iter().take(MAILBOX - 1) {
                model.mailbox[model.write as usize] = *byte;
                model.write = (model.write + 1) % size;
            }
        }
        self.bytes.push(b'm');
        self.bytes.extend(model.read.to_le_bytes());
        self.bytes.extend(model.write.to_le_bytes());
        self.bytes.extend(model.mailbox);
    }

    fn show(&mut self) {
        self.bytes.push(b's');
        let model = &self.model;
        let numbers = [model.calls, model.sum, model.resets];
        self.steps.push(Step::State { page: model.page.clone(), numbers });
    }

    /// So many commands, or what looks like them, in pieces of any lengths.
    fn new(allowed: Permissions, count: u64, random: &mut Random) -> Self {
        let (bytes, steps) = (Vec::new(), Vec::new());
        let mut script = Self { bytes, steps, model: Model::new(allowed) };
        let mut hostile = Hostile::new(allowed);
        for nth in 0..count {
            let frame = hostile.next(random);
            if random.one_in(8) {
                script.is_written(&frame, random);
            } else if random.one_in(60) {
                // Perhaps more than there is room for.
                let much = frame.repeat(3);
                script.receive(&much[..much.len().min(100)]);
            } else {
                let mut rest = frame.as_slice();
                while !rest.is_empty() {
                    let most = if random.one_in(3) { 8 } else { rest.len() as u32 + 1 };
                    let (piece, after) = rest.split_at(rest.len().min(random.below(most) as usize));
                    script.receive(piece);
                    rest = after;
                    if random.one_in(4) {
                        script.execute();
                    }
                }
            }
            // Rarely not, so that the line fills up.
            if !random.one_in(6) {
                while script.execute() {}
            }
            if nth % 500 == 499 {
                script.show();
            }
        }
        script.show();
        script
    }
}

/// What a program has written, in its order.
struct ProgramOutput<'a>(&'a [u8]);

impl<'a> ProgramOutput<'a> {
    fn bytes(&mut self, len: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(len);
        self.0 = rest;
        bytes
    }

    fn byte(&mut self) -> u8 {
        self.bytes(1)[0]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes(4).try_into().expect("four bytes"))
    }
}

/// Returns the answers in the recorded bytes.
fn answers(recorded: &[u8]) -> Vec<(u32, i64)> {
    let mut answers = Vec::new();
    for frame in recorded.split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
        let mut scratch = vec![0; frame.len()];
        let decoded = decode_frame(frame, &mut scratch).expect("a frame");
        if let Event::Answer { n, is } = decoded.event {
            answers.push((n, is));
        }
    }
    answers
}

/// Counts of results.
type Counts = BTreeMap<&'static str, u64>;

fn count(counts: &mut Counts, what: &'static str) {
    *counts.entry(what).or_default() += 1;
}

/// Compares the results. Returns the first recorded bytes.
fn compare(script: Script, written: &[u8], counts: &mut Counts) -> Vec<u8> {
    let mut written = ProgramOutput(written);
    let mut recorded = Vec::new();
    for (at, step) in script.steps.into_iter().enumerate() {
        match step {
            Step::Received { is_too_much } => {
                assert_eq!(written.byte() != 0, is_too_much, "step {at}");
                if is_too_much {
                    count(counts, "no room");
                }
            }
            Step::Execute { was_there, answer, most_blocks } => {
                assert_eq!(written.byte() != 0, was_there, "step {at}");
                let blocks = written.word();
                assert!(blocks <= most_blocks, "step {at}: {blocks}, not {most_blocks}");
                let len = written.word();
                let bytes = written.bytes(len as usize);
                // The schemas of answers come first.
                if recorded.len() < 4096 {
                    recorded.extend_from_slice(bytes);
                }
                let answers = answers(bytes);
                match (answer, answers.as_slice()) {
                    (None, []) => {}
                    (Some((number, is)), [found]) => {
                        assert!(
                            found.0 == u32::from(number) && is.may_be(found.1),
                            "step {at}: {found:?}, not {is:?}"
                        );
                        count(
                            counts,
                            match found.1 {
                                -1 => "refused",
                                -2 => "not allowed",
                                -3 => "unknown",
                                -4 => "wrong arguments",
                                _ => "done",
                            },
                        );
                    }
                    other => panic!("step {at}: {other:?}"),
                }
            }
            Step::State { page, numbers } => {
                let found = written.bytes(PAGE);
                let differs = found.iter().zip(&page).position(|(found, is)| found != is);
                assert_eq!(differs, None, "step {at}");
                assert_eq!([written.word(), written.word(), written.word()], numbers, "step {at}");
            }
        }
    }
    assert!(written.0.is_empty());
    *counts.entry("damaged").or_default() += u64::from(script.model.damaged);
    *counts.entry("calls").or_default() += u64::from(script.model.calls);
    recorded
}

fn run(
    allowed: Permissions,
    config: &Config,
    count: u64,
    seed: u64,
    counts: &mut Counts,
) -> Vec<u8> {
    let what = if allowed.anything { ALLOWED } else { NOTHING };
    let mut options = vec!["-fsanitize-coverage=trace-pc"];
    if allowed.page == LAST_PAGE {
        options.extend(["-fno-sanitize=address", "-DHAS_NO_GUARDS"]);
    }
    let firmware = Firmware::with_options("hostile", &[CONFIG, what, config].concat(), &options);
    let script = Script::new(allowed, count, &mut Random::new(seed));
    let folder = temp_dir();
    let path = folder.path().join("script");
    write(&path, &script.bytes);
    let hex = |it: u32| format!("{it:x}");
    let mut command = std::process::Command::new(firmware.path());
    command.arg(&path).args([allowed.page, allowed.first, allowed.last, allowed.most].map(hex));
    let finished = finish(&mut command);
    assert!(finished.ok, "seed {seed}, {allowed:x?}: {}", finished.stderr);
    println!("seed {seed}, {allowed:x?}");
    compare(script, &finished.stdout, counts)
}

/// Strings may be shorter than what describes answers.
#[test]
fn an_answer_is_described_whole_or_not_at_all() {
    for (len, is_described) in [("18", false), ("19", true)] {
        let short = [("tband_configMAX_STR_LEN", len)];
        let recorded = run(SETUPS[0], &short, 200, 7, &mut Counts::new());
        assert!(!answers(&recorded).is_empty());
        assert_eq!(bad_descriptions(&recorded), [""; 0], "{len}");
        let id = Event::Answer { n: 0, is: 0 }.id();
        let schema = format!(" event_schema event_id={id} ");
        let has_one = lines(&recorded).iter().any(|line| line.contains(&schema));
        assert_eq!(has_one, is_described, "{len}");
    }
}

#[test]
fn hostile_commands_have_only_allowed_effects() {
    let count = std::env::var("TBAND_COMMANDS").ok();
    let count = count.map_or(200_000, |it| it.parse().expect("TBAND_COMMANDS is a number"));
    let mut counts = Counts::new();
    let mut left: u64 = count;
    for seed in 0.. {
        // Each setup has some.
        let now = left.min(AT_ONCE).min(count.div_ceil(SETUPS.len() as u64));
        let recorded = run(SETUPS[seed as usize % SETUPS.len()], &[], now, seed, &mut counts);
        let has_answers = !answers(&recorded).is_empty();
        assert_eq!(shown(&recorded).contains("answer"), has_answers);
        left -= now;
        if left == 0 {
            break;
        }
    }
    println!("{count} hostile commands: {counts:?}");
    let names = [
        "done",
        "refused",
        "not allowed",
        "unknown",
        "wrong arguments",
        "damaged",
        "calls",
        "no room",
    ];
    for name in names {
        let times = counts.get(name).copied().unwrap_or_default();
        assert!(times > count / 1000, "{name}: {times} times");
    }
}
