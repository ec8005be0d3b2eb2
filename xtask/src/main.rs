//! `cargo xtask`: see `cargo xtask --help`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use xtask::board::Board;
use xtask::command::{run_quiet, run_with_output};
use xtask::cost_page::CostPage;
use xtask::demo::{self, Backend, Format};
use xtask::doctor_figures;
use xtask::setup::{self, Purpose};
use xtask::tier::Tier;
use xtask::{
    audit, bench_fleet, bench_host, bench_target, bench_web, book, coverage, crates, dist, fresh,
    fuzz, generate, header, kernel, licenses, lint, mutants, oldest_rust, picture, portable, print,
    println, python_wheel, release, suite, web, workspace_root,
};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Record a real FreeRTOS program and convert the recording: the whole chain, in a minute
    Demo {
        /// Run on an emulated board instead of this machine
        #[arg(long, value_enum)]
        board: Option<Board>,
        /// Folder for trace.bin, trace.pftrace and the program's own record
        #[arg(long, value_name = "DIR", default_value = "target/demo")]
        out: PathBuf,
        /// Backend that the program records with
        #[arg(long, value_enum, default_value_t = Backend::Streaming)]
        backend: Backend,
        /// What the recording is made of
        #[arg(long, value_enum, default_value_t = Format::Packets)]
        format: Format,
        /// With a mutex for the bus, so that no priority inversion is left: to compare both recordings
        #[arg(long, conflicts_with = "board")]
        mended: bool,
    },
    /// Run the tests of all parts; with arguments after `--`, `cargo test` with these
    Test {
        /// Only what takes no long: no firmware, emulator or browser
        #[arg(long, group = "tier")]
        quick: bool,
        /// Only the further checks of a release: packages, each target and compiler, tables of costs, pictures
        #[arg(long, group = "tier")]
        release_tier: bool,
        /// All of it
        #[arg(long, group = "tier")]
        all: bool,
        /// Only what needs no program beside Rust: on macOS, Windows and any other system
        #[arg(long, group = "tier")]
        portable: bool,
        /// Only traces of CTF 2, with a babeltrace2 that reads them, in the root of a newer Debian; as root
        #[arg(long, group = "tier")]
        ctf2: bool,
        /// Only questions to a fleet, the same to each engine, Spark among them; installs Java and Spark, 700 MB
        #[arg(long, group = "tier")]
        engines: bool,
        /// Arguments for `cargo test`, such as `-p tband-conv --test timeline`
        #[arg(last = true, conflicts_with = "tier")]
        args: Vec<String>,
    },
    /// Install the system packages that demo and test need, as both do by themselves
    Setup {
        /// Install nothing; print the packages that are missing, one a line
        #[arg(long)]
        check: bool,
    },
    /// Write the generated files: the headers in include/ and the event table of the docs
    Header {
        /// Write nothing; fail if a file is out of date
        #[arg(long)]
        check: bool,
        /// Also write down that the interface between shim and library is that of a release
        #[arg(long, conflicts_with = "check")]
        release: bool,
    },
    /// Tell which of the kernel's trace macros are recorded; fail if one is not
    Coverage {
        /// Also write the lists to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Also write the table of the docs
        #[arg(long)]
        docs: bool,
    },
    /// Record on several cores at once, each a thread with nested interrupts, for long
    Stress {
        /// Events of each backend and format; the tests record 100 000
        #[arg(long, default_value_t = 10_000_000)]
        events: u64,
        /// Number of cores
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
        cores: u32,
    },
    /// Hold the activations of many random programs against the labels that a simulated kernel paints
    Paint {
        /// Programs; the tests check 300
        #[arg(long, default_value_t = 10_000)]
        programs: u64,
        /// Seed of the first program
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Send the firmware's side of commands hostile input, for long
    Hostile {
        /// Commands, whole and damaged; the tests give 200 000
        #[arg(long, default_value_t = 10_000_000)]
        commands: u64,
    },
    /// Feed decoder, converter and sinks arbitrary and damaged recordings, for long
    Fuzz {
        /// Cases in all; the tests run a few hundred
        #[arg(long, default_value_t = 10_000_000)]
        cases: u64,
        /// Run this case again, which a run found to fail
        #[arg(long, value_name = "FILE", conflicts_with = "cases")]
        replay: Option<PathBuf>,
    },
    /// Run the recorder's tests in Miri, which finds undefined behaviour in unsafe code
    Miri,
    /// Run the property tests of format, recorder and converter for long
    Properties {
        /// Cases for each property; the tests run a few hundred
        #[arg(long, default_value_t = 100_000)]
        cases: u32,
    },
    /// Make a recording of a simulated FreeRTOS target
    Generate {
        /// Size in bytes; k, M or G after the number means powers of 1000
        #[arg(long, value_parser = generate::parse_size)]
        size: u64,
        /// File to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Cores of the target, in one stream
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
        cores: u32,
        /// Tasks of each core
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(10..=1000))]
        tasks: u32,
        /// Another seed gives another recording of the same kind
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Lose a few events once in so many
        #[arg(long, value_name = "EVENTS", default_value_t = 0)]
        loss_every: u64,
        /// The same events in packets of this many bytes instead of frames
        #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u16).range(128..=4096))]
        packets: Option<u16>,
    },
    /// Make recordings of three devices and two builds of their firmware, one of them a known regression
    Fleet {
        /// Folder for DEVICE/DATE/1.bin
        #[arg(long, value_name = "DIR", default_value = "target/fleet/recordings")]
        out: PathBuf,
    },
    /// Measure and compare with the budgets
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Pack libraries for all targets, headers, sources and package files: for use without Rust
    Dist {
        /// Folder for the tarball
        #[arg(long, value_name = "DIR", default_value = "target/dist")]
        out: PathBuf,
    },
    /// Run the README's commands on a bare Debian that has Rust and git; as root
    Fresh {
        /// Which of them
        #[arg(long, value_enum, default_value_t = fresh::ReadmePart::All)]
        command: fresh::ReadmePart,
        /// Release of Debian or Ubuntu; this machine's own unless told otherwise
        #[arg(long)]
        suite: Option<String>,
        /// Keep the machines' root folders, below target/fresh
        #[arg(long)]
        keep: bool,
        /// Arguments for `cargo test`
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Change the code in one place at a time, and see whether the tests notice; takes hours
    Mutants {
        /// Which code; all unless told otherwise
        #[arg(long = "crate", value_enum)]
        code: Vec<mutants::Code>,
        /// A part of them: which, from 0, of how many
        #[arg(long, value_name = "K/N")]
        shard: Option<String>,
        /// Only what a diff has changed
        #[arg(long, value_name = "FILE")]
        in_diff: Option<PathBuf>,
    },
    /// Make the book as web pages; installs mdBook below target/tools the first time
    Docs {
        /// Folder for the pages, which is emptied first
        #[arg(long, value_name = "DIR", default_value = "target/book")]
        out: PathBuf,
    },
    /// Build everything that a release consists of, twice, and compare; uploads nothing
    Release {
        /// Also if it is not committed or not in the change log
        #[arg(long)]
        dry_run: bool,
        /// Folder for the artefacts and SHA256SUMS
        #[arg(long, value_name = "DIR", default_value = "target/release-artefacts")]
        out: PathBuf,
        /// Address below which the artefacts will be: also write Homebrew's formula and winget's manifests
        #[arg(long, value_name = "URL")]
        address: Option<String>,
        /// Tag of the release: refuse one that does not name this version
        #[arg(long)]
        tag: Option<String>,
        /// Build only a part, for machines that add to a release
        #[arg(long, value_enum)]
        only: Option<release::ReleasePart>,
        /// Package of cargo xtask dist: put its SDK into tband-cli instead of building it
        #[arg(long, value_name = "TARBALL", requires = "only")]
        sdk: Option<PathBuf>,
    },
    /// Build the package for Python, with tband-cli and the SDK, as a wheel; uses maturin
    Wheel {
        /// Folder for the wheel
        #[arg(long, value_name = "DIR", default_value = "target/wheels")]
        out: PathBuf,
        /// Systems that a wheel is built for; may be repeated
        #[arg(long, value_enum, default_value = "host")]
        platform: Vec<python_wheel::Platform>,
        /// Package of `cargo xtask dist` whose SDK the wheel gets, instead of building one
        #[arg(long, value_name = "TARBALL")]
        sdk: Option<PathBuf>,
    },
    /// Check licences and known vulnerabilities of all packages, with cargo-deny
    Audit {
        /// Fail if the database of vulnerabilities cannot be had, instead of checking the rest
        #[arg(long)]
        complete: bool,
    },
    /// Pack the crates for crates.io, and compile each from its package alone; publishes nothing
    Crates,
    /// Write the notices of the packages in what ships, which `tband-cli licenses` prints; uses cargo-about
    Licenses,
    /// Take the guide's pictures of page and report in Chromium, light and dark, and draw the README's moving picture
    Picture,
    /// Build the web page: a folder that any static host serves
    Web {
        /// Folder for index.html and what lets a browser install it
        #[arg(long, value_name = "DIR", default_value = "target/web")]
        out: PathBuf,
        /// Also install `tband-cli` with the page in it
        #[arg(long)]
        install: bool,
        /// Compile in less time, for a look at it: the converter is larger and slower
        #[arg(long, conflicts_with = "install")]
        quick: bool,
        /// Also take pictures of page and report in Chromium, into this folder
        #[arg(long, value_name = "DIR")]
        screenshots: Option<PathBuf>,
    },
    /// Check formatting, lints, the links of the Rust documentation, and the converter for WebAssembly
    Lint,
    /// Compile what ships with the oldest Rust that the manifests promise, which rustup installs
    OldestRust,
}

#[derive(Subcommand)]
enum Bench {
    /// Recorder on a Cortex-M4F in QEMU: instructions, bytes, flash, RAM and stack
    Target {
        /// Also write the numbers to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Also write the tables of docs/src/reference/cost.md
        #[arg(long)]
        docs: bool,
    },
    /// Decoder, timeline and converter: instructions per event, memory, size of the output
    Host {
        /// Also write the numbers to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Leave out the recording of 2 GB, which takes a few minutes and as much space on the disk
        #[arg(long)]
        quick: bool,
        /// Also write the table of docs/src/reference/cost.md
        #[arg(long)]
        docs: bool,
        /// Measure only recordings of other recorders, against the same events in frames
        #[arg(long, conflicts_with_all = ["json", "quick", "docs"])]
        importers: bool,
    },
    /// Web page: how fast it converts 100 MB, against the command line
    Web,
    /// Tables of many recordings: how long `ingest` and questions take, and in how much memory
    Fleet {
        /// How many recordings; each of 10 MB becomes tables of some 30 MB
        #[arg(long, value_name = "N", default_value_t = 20)]
        recordings: u64,
        /// Bytes of each; k, M or G after the number means powers of 1000
        #[arg(long, value_parser = generate::parse_size, default_value = "10M")]
        size: u64,
        /// Leave out the questions, for which `tband-cli query` copies columns of the tables
        #[arg(long)]
        only_ingest: bool,
        /// Folder for all this, which is made and in the end removed
        #[arg(long, value_name = "DIR", default_value = "target/bench-fleet")]
        dir: PathBuf,
    },
}

/// The Debian release whose babeltrace2 reads CTF 2.
const CTF2_SUITE: &str = "trixie";

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn main() -> Result<()> {
    let root = workspace_root();
    match Args::parse().task {
        Task::Demo { board, out, backend, format, mended } => {
            demo::run(&root, &out, board, (backend, format), mended)
        }
        Task::Test { portable: true, .. } => portable::run(&root),
        Task::Test { ctf2: true, .. } => {
            setup::run(Purpose::Ctf2)?;
            let newer = fresh::newer_root(&root, CTF2_SUITE, "babeltrace2,ca-certificates")?;
            let mut command = Command::new("cargo");
            command.args(["test", "--locked", "--package", "tband-cli", "--test", "ctf"]);
            command.args(["--", "events::", "records::"]);
            command.env("TBAND_CTF2_ROOT", newer).current_dir(&root);
            run_with_output(&mut command)
        }
        Task::Test { engines: true, .. } => {
            setup::run(Purpose::Engines)?;
            let mut command = Command::new("cargo");
            command.args(["test", "--locked", "--package", "tband-cli", "--features", "parquet"]);
            command.args(["--test", "engines", "--", "--include-ignored"]).current_dir(&root);
            run_with_output(&mut command)
        }
        Task::Test { args, quick, release_tier, all, .. } if args.is_empty() => {
            let tier = match (quick, release_tier, all) {
                (true, ..) => Tier::Quick,
                (_, true, _) => Tier::Release,
                (_, _, true) => Tier::Everything,
                _ => Tier::Usual,
            };
            suite::run(&root, tier)
        }
        Task::Test { args, .. } => {
            setup::run(Purpose::Tests)?;
            let mut command = Command::new("cargo");
            command.args(["test", "--workspace", "--locked"]).args(args).current_dir(&root);
            run_with_output(&mut command)
        }
        Task::Setup { check: false } => {
            setup::run(Purpose::Tests)?;
            xtask::core_library::install(&root, dist::FIRMWARE_TARGETS)?;
            xtask::xtensa::install_if_possible();
            Ok(())
        }
        Task::Setup { check: true } => {
            setup::missing(Purpose::Tests).iter().for_each(|packages| println!("{packages}"));
            Ok(())
        }
        Task::Header { check, release } => {
            let how = if check {
                header::HeaderMode::Check
            } else {
                header::HeaderMode::Write { release }
            };
            header::run(&root, how)
        }
        Task::Coverage { json, docs } => {
            let report = coverage::find(&root, &kernel::path(&root)?)?;
            print!("{}", report.summary());
            if let Some(path) = json {
                write(&path, &format!("{:#}\n", report.json()))?;
            }
            if docs {
                write(&root.join(coverage::DOCS), &report.docs())?;
            }
            let missing = report.names(coverage::Initial::Missing);
            ensure!(missing.is_empty(), "not recorded: {}", missing.join(", "));
            Ok(())
        }
        Task::Stress { events, cores } => {
            setup::run(Purpose::Tests)?;
            let mut command = Command::new("cargo");
            command.args(["test", "--package", "tband-tests", "--test", "stress"]);
            command.args(["--", "--nocapture"]).current_dir(&root);
            command.env("TBAND_STRESS_EVENTS", events.to_string());
            run_with_output(command.env("TBAND_STRESS_CORES", cores.to_string()))
        }
        Task::Paint { programs, seed } => {
            let mut command = Command::new("cargo");
            command.args(["run", "--release", "--package", "tband-painter", "--"]);
            command.args([programs.to_string(), seed.to_string()]).current_dir(&root);
            run_with_output(&mut command)
        }
        Task::Hostile { commands } => {
            setup::run(Purpose::Tests)?;
            let mut command = Command::new("cargo");
            command.args(["test", "--package", "tband-tests", "--test", "c_abi"]);
            command.args(["--", "--nocapture", "hostile_commands"]).current_dir(&root);
            run_with_output(command.env("TBAND_COMMANDS", commands.to_string()))
        }
        Task::Fuzz { cases, replay } => {
            setup::run(Purpose::Fuzz)?;
            match replay {
                Some(case) => fuzz::replay(&root, &case),
                None => fuzz::run(&root, cases),
            }
        }
        Task::Miri => miri(&root),
        Task::Properties { cases } => {
            let mut command = Command::new("cargo");
            command
                .args(["test", "--release", "--locked", "--package", "tband-format"])
                .args(["--package", "tband-conv", "--package", "tband-core"])
                .env("PROPTEST_CASES", cases.to_string())
                // proptest allows 1024 rejected cases, however many there are to be.
                .env("PROPTEST_MAX_GLOBAL_REJECTS", cases.saturating_mul(4).max(1024).to_string())
                .current_dir(&root);
            run_with_output(&mut command)
        }
        Task::Generate { size, output, cores, tasks, seed, loss_every, packets } => {
            let options = generate::Options { size, cores, tasks, seed, loss_every };
            generate::run(&options, packets.map(usize::from), &output)
        }
        Task::Fleet { out } => {
            let recordings = generate::fleet::make(&out)?;
            println!("{} recordings in {}", recordings.len(), out.display());
            Ok(())
        }
        Task::Docs { out } => {
            book::build(&root, &out)?;
            println!("{}", out.join("index.html").display());
            Ok(())
        }
        Task::Release { dry_run, out, address, tag, only, sdk } => {
            let is_dry = dry_run;
            release::run(&root, &release::Options { out, is_dry, address, tag, only, sdk })
        }
        Task::Wheel { out, platform, sdk } => {
            python_wheel::run(&root, &out, &platform, sdk.as_deref())
        }
        Task::Bench { what: Bench::Target { json, docs } } => {
            setup::run(Purpose::Target)?;
            let report = bench_target::measure(&root)?;
            print!("{}", report.table());
            let classes = bench_target::class_table(&bench_target::class_costs(&root)?);
            print!("\nBytes that each class of FreeRTOS events adds, -Os:\n{}", classes.text);
            if let Some(path) = json {
                write(&path, &format!("{:#}\n", report.json()))?;
            }
            if docs {
                report.ensure_complete()?;
                let mut page = CostPage::read(&root)?;
                page.put_compilers(&bench_target::compilers()?)?;
                for table in report.tables().iter().chain([&classes]) {
                    page.put(table)?;
                }
                page.write()?;
                doctor_figures::write(&root, &page)?;
            }
            let over = report.over_budget();
            ensure!(over.is_empty(), "over budget: {over}");
            Ok(())
        }
        Task::Bench { what: Bench::Host { importers: true, .. } } => {
            setup::run(Purpose::Benches)?;
            bench_host::run_importers(&root)
        }
        Task::Bench { what: Bench::Host { json, quick, docs, importers: false } } => {
            setup::run(Purpose::Benches)?;
            bench_host::run(&root, json.as_deref(), quick, docs)
        }
        Task::Bench { what: Bench::Web } => {
            setup::run(Purpose::Tests)?;
            bench_web::run(&root)
        }
        Task::Bench { what: Bench::Fleet { recordings, size, only_ingest, dir } } => {
            let options = bench_fleet::Options { recordings, size, only_ingest, folder: dir };
            bench_fleet::bench(&root, &options)
        }
        Task::Fresh { command, suite, keep, args } => {
            let options = fresh::Options { which: command, suite, keep, test_args: args };
            fresh::run(&root, &options)
        }
        Task::Mutants { code, shard, in_diff } => {
            mutants::run(&root, &mutants::Options { code, shard, in_diff })
        }
        Task::Dist { out } => dist::run(&root, &out),
        Task::Picture => {
            setup::run(Purpose::Tests)?;
            picture::run(&root)
        }
        Task::Web { out, install, quick, screenshots } => {
            let how = if quick { web::WebBuild::Quick } else { web::WebBuild::Fast };
            web::run(&root, &out, how, install)?;
            if let Some(pictures) = screenshots {
                setup::run(Purpose::Tests)?;
                web::screenshots(&root, &out, &pictures, true)?;
            }
            Ok(())
        }
        Task::Audit { complete } => audit::run(&root, complete),
        Task::Crates => crates::run(&root),
        Task::Licenses => licenses::run(&root),
        Task::Lint => lint::run(&root),
        Task::OldestRust => oldest_rust::run(&root),
    }
}

/// Runs the recorder's tests in Miri, but for those that take hours there, or map memory where it is asked for.
fn miri(root: &Path) -> Result<()> {
    let mut version = Command::new("cargo");
    version.args(["+nightly", "miri", "--version"]).current_dir(root);
    ensure!(
        run_quiet(&mut version).is_ok(),
        "Miri is a part of Rust's nightly compiler. Install it: rustup toolchain install nightly --component miri,rust-src"
    );
    let mut command = Command::new("cargo");
    command.args(["+nightly", "miri", "test", "--package", "tband-core", "--lib"]);
    for test in ["declared", "lock", "plain", "streaming", "task_markers"] {
        command.args(["--test", test]);
    }
    // Recorders of tests live as long as the program, as those of firmware do. The rules are those of Tree Borrows: by the
    // older ones an atomic in read-only memory must not be read, and the recorder does that where no packet is open.
    let flags = "-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows";
    command.env("MIRIFLAGS", flags);
    command.env("CARGO_TARGET_DIR", root.join("target/miri"));
    run_with_output(command.current_dir(root))
}
