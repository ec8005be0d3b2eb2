//! Runs the real binary in a separate folder.

// Not every test needs everything.
#![allow(dead_code)]

pub mod babeltrace;
#[cfg(unix)]
pub mod recording;
#[cfg(unix)]
pub mod served;
pub mod target;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use snapbox::assert::Action;
use snapbox::{Assert, Data};
use tband_programs::output;
pub use tband_programs::{Program, start};
pub use tband_recordings::frame;

/// A folder of one test, removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        // Tests of one program run at the same time.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = format!("tband-cli-{}-{number}-{name}", std::process::id());
        let path = std::env::temp_dir().join(own);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.0.join(name), bytes).unwrap();
        self.path(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            names.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn cli(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
}

pub struct RunOutput {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl RunOutput {
    /// Checks the exit code.
    #[track_caller]
    pub fn assert_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        self
    }

    /// Returns its standard output, which is text.
    #[track_caller]
    pub fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    /// Returns its standard output, which is JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.text(), self.stderr))
    }
}

/// Runs a program to its end.
pub fn finish(command: &mut Command) -> RunOutput {
    ran(output(command).unwrap())
}

/// Returns the result of a program.
pub fn ran(output: Output) -> RunOutput {
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    RunOutput { code: output.status.code(), stdout: output.stdout, stderr }
}

pub fn run(args: &[&str]) -> RunOutput {
    finish(&mut cli(args))
}

pub fn run_with_stdin(args: &[&str], input: &[u8]) -> RunOutput {
    feed(&mut cli(args), input)
}

/// Runs a program to its end with this on stdin.
pub fn feed(command: &mut Command, input: &[u8]) -> RunOutput {
    let mut program = start(piped(command).stdin(Stdio::piped())).unwrap();
    let mut stdin = program.stdin().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ran = ran(program.output().unwrap());
    writer.join().unwrap();
    ran
}

/// Lets a command print to pipes.
pub fn piped(command: &mut Command) -> &mut Command {
    command.stdout(Stdio::piped()).stderr(Stdio::piped())
}

/// Sends a signal, named as for `kill`.
#[cfg(unix)]
pub fn signal(program: &Program, name: &str) {
    let sent = output(Command::new("kill").args([name, &program.id().to_string()])).unwrap();
    assert!(sent.status.success());
}

/// Returns a recording of the importers, decompressed.
pub fn imported(name: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../tband-import/tests/recordings");
    let mut bytes = Vec::new();
    let file = fs::File::open(format!("{root}/{name}.gz")).unwrap();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

pub fn vector(name: &str) -> String {
    tband_recordings::vectors().join(name).to_str().unwrap().to_owned()
}

/// A small clean recording.
pub fn small() -> Vec<u8> {
    tband_recordings::cases::recording(Path::new(RECORDINGS), "small.bin")
}

#[track_caller]
pub fn assert_fails(ran: &RunOutput, code: i32, texts: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    for text in texts {
        assert!(ran.stderr.contains(text), "{text:?} not in {}", ran.stderr);
    }
}

/// Compares with an approved text. After an intended change run the tests with `TBAND_OVERWRITE=1` in the environment and
/// inspect the difference.
#[track_caller]
pub fn approved(path: impl AsRef<Path>, text: &str) {
    let overwrites = std::env::var_os("TBAND_OVERWRITE").is_some();
    let action = if overwrites { Action::Overwrite } else { Action::Verify };
    let expected = Data::read_from(path.as_ref(), None).raw();
    Assert::new().action(action).eq(text.to_owned(), expected);
}

/// Returns the path of an approved text.
pub fn golden(name: &str) -> String {
    format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Recordings by the names of their files.
pub const RECORDINGS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts/inputs/recordings.txt");

/// A recording with two tasks, a mutex, a queue, an interrupt, markers; in all 300 us.
pub fn by_hand() -> Vec<u8> {
    tband_recordings::cases::recording(Path::new(RECORDINGS), "by_hand.bin")
}

/// Files that examples name, and their places in the project; some are compressed there.
const EXAMPLES: [(&str, &str); 12] = [
    ("recording.bin", "tests/vectors/freertos_sim.bin"),
    ("core0.bin", "tests/vectors/mc_split.core0.bin"),
    ("core0.meta.bin", "tests/vectors/mc_split.core0.meta.bin"),
    ("core1.bin", "tests/vectors/mc_split.core1.bin"),
    ("damaged.bin", "tests/vectors/truncated.bin"),
    // Of the same program, before a change and after it.
    ("before.bin", "web/examples/sensor-pipeline.bin"),
    ("after.bin", "web/examples/sensor-pipeline-mended.bin"),
    // Of other recorders.
    ("trace.SVDat", "tband-import/tests/recordings/systemview/trimmed.bin.gz"),
    ("ftrace.txt", "tband-import/tests/recordings/linux/ftrace.txt.gz"),
    ("trace.recTr", "tband-import/tests/recordings/flux/replay.recTr.gz"),
    ("philo.bin", "tband-import/tests/recordings/qp/qs.bin.gz"),
    ("blinky.bin", "tband-import/tests/recordings/qp/rkh.bin.gz"),
];

/// Returns the content of a file that examples name.
pub fn example(name: &str) -> Option<Vec<u8>> {
    let (_, place) = EXAMPLES.iter().find(|(known, _)| *known == name)?;
    Some(fs::read(format!("{}/../{place}", env!("CARGO_MANIFEST_DIR"))).unwrap())
}

/// A folder with the files that examples name.
pub fn with_examples(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, _) in EXAMPLES {
        folder.file(name, &example(name).unwrap());
    }
    folder.file(
        "rules.toml",
        b"version = 1\nrule = [\n  { task = \"control\", response = \"<= 2 ms\" },\n  \
          { task = \"*\", inverted = \"<= 1 ms\" },\n  { core = 0, load = \"<= 90 %\", window = \"100 ms\" },\n]\n",
    );
    // Memory with a ring in it.
    let packet = tband_recordings::packed::packed(&by_hand(), 256);
    folder.file("ram.bin", &[&[0xA5; 100][..], &packet].concat());
    fs::create_dir(folder.path("page")).unwrap();
    for name in ["index.html", "manifest.webmanifest", "sw.js", "icon.svg"] {
        folder.file(&format!("page/{name}"), name.as_bytes());
    }
    fs::create_dir(folder.path("config")).unwrap();
    folder.file(
        "config/tband_config.h",
        b"#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n",
    );
    folder.file(
        "config/tband_port.h",
        b"#define tband_portTIMESTAMP() 0\n#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n\
          #define tband_portENTER_CRITICAL_FROM_ANY()\n#define tband_portEXIT_CRITICAL_FROM_ANY()\n",
    );
    // A program, without a recorder.
    fs::create_dir(folder.path("build")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tband-cli"), folder.path("build/firmware.elf"))
        .unwrap();
    let hex: String = small().iter().map(|byte| format!("{byte:02x} ")).collect();
    folder.file("recording.txt", hex.as_bytes());
    folder
}

/// All that there are, as the program lists them; the empty one is the program.
pub fn commands() -> Vec<String> {
    let text = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|it| !it.is_empty() && *it != "help").map(str::to_owned);
    let commands: Vec<String> = [String::new()].into_iter().chain(names).collect();
    assert!(commands.len() > 15 && commands.iter().any(|it| it == "conv"), "{commands:?}");
    commands
}
