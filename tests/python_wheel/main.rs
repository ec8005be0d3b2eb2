//! The wheel for Python: built by maturin, completed with `tband-cli` and the SDK, put into an environment that has nothing
//! else, and asked by `*.py` beside this file. Packages that read tables (pyarrow, pandas, Polars) come from the environment of the tests.

mod command_line;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tband_format::registry::clock_sync;
use tband_format::{Event, Str};
use tband_programs::output;
use tband_recordings::Recording;
use tband_tests::explained;
use tband_tests::library::work;
use tempfile::TempDir;
use xtask::generate;
use xtask::python_wheel::{self, Parts, Platform};
use xtask::sdk::Sdk;
use xtask::setup::python::{TYPES, USUAL};

/// An environment of Python with the wheel, and the folder of the packages that the tests import.
struct Environment {
    folder: TempDir,
    packages: String,
}

impl Environment {
    fn python(&self) -> PathBuf {
        self.folder.path().join("venv/bin/python")
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Runs a command to its end; what it prints, errors last.
fn run(command: &mut Command) -> String {
    let ran = output(command).unwrap();
    let printed = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{command:?}\n{}{}", printed[0], printed[1]);
    printed.concat()
}

/// Returns the wheel, built once for all tests, with the profile and into the folder of the other tests, so that compiled
/// packages are shared.
fn environment() -> &'static Environment {
    static BUILT: OnceLock<Environment> = OnceLock::new();
    BUILT.get_or_init(|| {
        let root = root();
        let tools = USUAL.python(&root).unwrap_or_else(|error| panic!("{error:#}"));
        let folder = tempfile::tempdir().unwrap();
        let wheels = folder.path().join("wheels");
        let module = python_wheel::build(&root, &tools, "dev", Platform::Host, &wheels)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let program = Path::new(env!("CARGO_BIN_EXE_tband-cli"));
        let sdk = Sdk::build(&root, &work(), &[command_line::TARGET])
            .unwrap_or_else(|error| panic!("{error:#}"));
        let parts = Parts { program, sdk: &sdk.path() };
        let complete = |out: &str| {
            python_wheel::complete(&root, &tools, &module, &parts, &folder.path().join(out))
                .unwrap_or_else(|error| panic!("{error:#}"))
        };
        let wheel = complete("complete");
        assert!(fs::read(&wheel).unwrap() == fs::read(complete("again")).unwrap(), "it differs");
        let name = wheel.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("tband-") && name.contains("-cp310-abi3-"), "{name}");
        let venv = folder.path().join("venv");
        run(Command::new(&tools).args(["-m", "venv", "--without-pip"]).arg(&venv));
        let mut pip = Command::new(&tools);
        pip.args(["-m", "pip", "--python"]).arg(venv.join("bin/python"));
        run(pip.args(["install", "--quiet", "--no-index", "--no-deps"]).arg(&wheel));
        let path = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let packages = run(Command::new(&tools).args(["-c", path])).trim().to_owned();
        Environment { folder, packages }
    })
}

/// A folder with recordings.
fn recordings() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let vectors = tband_recordings::vectors();
    for (name, vector) in [
        ("recording.bin", "freertos_sim.bin"),
        ("late.bin", "freertos_late_start.bin"),
        ("base.bin", "base_only.bin"),
        ("core0.bin", "mc_split.core0.bin"),
        ("core1.bin", "mc_split.core1.bin"),
    ] {
        fs::copy(vectors.join(vector), folder.path().join(name)).unwrap();
    }
    let large = generate::Options {
        size: 800_000,
        cores: 2,
        seed: 1,
        loss_every: 20_000,
        ..generate::Options::default()
    };
    generate::run(&large, None, &folder.path().join("large.bin")).unwrap();
    let names = Recording::default()
        .meta(Event::TaskName { task_id: 1, name: Str(b"caf\xE9") })
        .meta(Event::TaskName { task_id: 2, name: Str("π\n\u{1b}[1m".as_bytes()) })
        .at(1, Event::TaskSwitchedIn { task_id: 1 })
        .at(5, Event::TaskSwitchedIn { task_id: 2 });
    fs::write(folder.path().join("names.bin"), names.0).unwrap();
    explained::program(&folder.path().join("firmware.elf"));
    fs::write(folder.path().join("records.bin"), explained::recording()).unwrap();
    boards(folder.path());
    folder
}

/// Creates recordings of two boards with their own clocks: the second has begun a second earlier and runs 50 ppm fast. They
/// sent each other numbers, and a computer has noted the times of reception, the quickest after 20 us.
fn boards(folder: &Path) {
    let sync = |valmarker_id, number: u64| Event::Valmarker {
        valmarker_id,
        val: i64::try_from(number).unwrap(),
    };
    let other = |us: u64| us + us / 20_000 + 1_000_000;
    let resolution = Event::TsResolutionNs { ns_per_ts: 1000 };
    let start = || (Recording::default().meta(resolution), String::new());
    let ((mut one, mut came_one), (mut two, mut came_two)) = (start(), start());
    for round in 0..50 {
        let at = 1_000_000 + round * 100_000;
        one = one.at(at, sync(clock_sync::SENT, 2 * round));
        two = two.at(other(at + 5), sync(clock_sync::HEARD, 2 * round));
        two = two.at(other(at + 10), sync(clock_sync::SENT, 2 * round + 1));
        one = one.at(at + 15, sync(clock_sync::HEARD, 2 * round + 1));
        came_one += &format!("{} {}\n", one.0.len(), (at + 35) * 1000 + 5_000_000_000);
        came_two += &format!("{} {}\n", two.0.len(), (at + 30) * 1000 + 5_000_000_000);
    }
    for (name, bytes, came) in [("one.bin", one.0, came_one), ("two.bin", two.0, came_two)] {
        fs::write(folder.join(name), bytes).unwrap();
        fs::write(folder.join(format!("{name}.times")), came).unwrap();
    }
}

fn python(script: &str) -> Command {
    let mut command = Command::new(environment().python());
    command.arg(Path::new("../tests/python_wheel").canonicalize().unwrap().join(script));
    command.env("TBAND_CLI", env!("CARGO_BIN_EXE_tband-cli")).env("TBAND_ROOT", root());
    // Nothing of the user's.
    command
        .env_remove("PYTHONPATH")
        .env("PYTHONNOUSERSITE", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Runs all tests of a file, and checks that there are some.
fn pass(command: &mut Command) {
    let folder = recordings();
    let printed = run(command.current_dir(folder.path()));
    let ran =
        printed.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse().ok());
    assert!(ran.is_some_and(|tests: usize| tests > 0), "{printed}");
    print!("{printed}");
}

#[test]
fn it_needs_no_other_package() {
    pass(&mut python("alone.py"));
}

#[test]
fn tables_are_those_of_the_dump() {
    pass(python("tables.py").env("PYTHONPATH", &environment().packages));
}

#[test]
fn no_argument_crashes_the_module() {
    pass(python("hostile.py").env("PYTHONPATH", &environment().packages));
}

#[test]
fn the_guide_is_right() {
    pass(python("guide.py").env("PYTHONPATH", &environment().packages));
}

/// Users' type checkers see the package: the stubs agree with it, and programs that use it have types.
#[test]
fn types_are_right() {
    let tools = TYPES.program(&root(), "stubtest").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = tempfile::tempdir().unwrap();
    // The stubs name packages that need not be installed.
    fs::write(folder.path().join("mypy.ini"), "[mypy]\nignore_missing_imports = True\n").unwrap();
    let site = run(Command::new(environment().python())
        .args(["-c", "import sysconfig; print(sysconfig.get_path('platlib'))"]));
    // Without the SDK, in which a script of PlatformIO is: stubtest would import it.
    let package = folder.path().join("site/tband");
    fs::create_dir_all(&package).unwrap();
    for entry in fs::read_dir(Path::new(site.trim()).join("tband")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, package.join(path.file_name().unwrap())).unwrap();
        }
    }
    let mut stubtest = Command::new(tools);
    stubtest.args(["tband", "--mypy-config-file", "mypy.ini"]);
    stubtest.env("PYTHONPATH", folder.path().join("site"));
    let printed = run(stubtest.current_dir(folder.path()));
    assert!(printed.contains("no issues found in"), "{printed}");
    let mypy = TYPES.program(&root(), "mypy").unwrap_or_else(|error| panic!("{error:#}"));
    let mut mypy = Command::new(mypy);
    mypy.args(["--strict", "--config-file", "mypy.ini", "--python-executable"]);
    mypy.arg(environment().python()).arg(root().join("tests/python_wheel/typed.py"));
    let printed = run(mypy.current_dir(folder.path()));
    assert!(printed.contains("no issues found in 1 source file"), "{printed}");
}
