//! The recipes of `docs/src/changing.md`, followed in copies of the project, which are compiled for it: each step's check
//! fails until the step is done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_conv::convert::take_census::take_census;
use tband_conv::diagnostics::Problem;
use tband_conv::item::Mode;
use tband_conv::{Input, Options, convert};
use tband_tests::class_check::{CLASSES, in_no_class};
use tband_tests::{kernel, read, root, temp_dir, write};
use xtask::command::run_quiet;
use xtask::coverage::{self, Initial};
use xtask::tree;

const HEADER: &str = "include/tband.h";
const TABLE: &str = "docs/src/reference/events.md";
const DISPATCH: &str = "tband-conv/src/machine/dispatch.rs";
const CHANGES: &str = "tband-conv/src/model/object_change.rs";
const HOOKS: &str = "freertos-hooks/tband_hooks_queue_extra.h";
const NAMES: &str = "freertos-hooks/tband_hooks_names.h";

/// A copy of the project that lacks an event in all places but the registry.
struct Copy {
    folder: PathBuf,
}

impl Copy {
    fn read(&self, file: &str) -> String {
        read(self.folder.join(file))
    }

    /// Leaves out the one line that has this.
    fn leave_out(&self, file: &str, what: &str) {
        let text = self.read(file);
        let kept: Vec<&str> = text.lines().filter(|line| !line.contains(what)).collect();
        assert_eq!(kept.len() + 1, text.lines().count(), "{file}: {what}");
        write(self.folder.join(file), format!("{}\n", kept.join("\n")));
    }

    /// The file as it is in the project, which is the step done.
    fn put_back(&self, file: &str) {
        write(self.folder.join(file), read(root().join(file)));
    }

    fn is_as_in_the_project(&self, file: &str) {
        assert!(self.read(file) == read(root().join(file)), "{file} is another");
    }

    fn header(&self, check: bool) -> Result<(), String> {
        tband_header::run(&self.folder, check).map_err(|error| format!("{error:#}"))
    }

    /// The converter compiles.
    fn converter(&self) -> Result<(), String> {
        let mut check = Command::new("cargo");
        check
            .args(["check", "--offline", "--locked", "--package", "tband-conv", "--target-dir"])
            .arg(root().join("target/test-changing/target"))
            .env_remove("CARGO_BUILD_TARGET")
            .current_dir(&self.folder);
        run_quiet(&mut check).map(drop).map_err(|error| format!("{error:#}"))
    }

    fn coverage(&self) -> coverage::Report {
        coverage::find(&self.folder, &kernel::sources()).expect("a report")
    }
}

/// Asserts that a step failed with a message that names the missing part.
#[track_caller]
fn assert_failure(result: Result<(), String>, texts: &[&str]) {
    let output = result.expect_err("the step was forgotten, and nothing reports it");
    for text in texts {
        assert!(output.contains(text), "no “{text}” in {output}");
    }
}

/// Adds `queue_peek`, which the registry has, to a project that has it nowhere else.
#[test]
fn an_event_is_added_by_the_recipe() {
    // Always the same folder, so that little is built again.
    let project = Copy { folder: root().join("target/test-changing/tree") };
    tree::copy(root(), &project.folder).expect("copied");
    project.leave_out(DISPATCH, "Event::QueuePeek {");
    project.leave_out(HOOKS, "#define TBAND_ON_QUEUE_PEEK(");
    project.leave_out(coverage::DOCS, "| `traceQUEUE_PEEK` |");
    // The files that are generated from the hooks: a new hook has no names yet.
    tband_header::run(&project.folder, false).expect("written");
    project.leave_out(HEADER, "#define TBAND_EVT_U32_QUEUE_PEEK ");
    project.leave_out(TABLE, "| `queue_peek` |");

    // The dispatch of the event.
    assert_failure(project.converter(), &["QueuePeek", "not covered", "machine/dispatch.rs"]);
    project.put_back(DISPATCH);
    project.converter().expect("the converter compiles");

    // Constant and row, which are generated.
    assert_failure(project.header(true), &[HEADER, "cargo xtask header"]);
    project.put_back(HEADER);
    assert_failure(project.header(true), &[TABLE]);
    project.header(false).expect("written");
    project.header(true).expect("up to date");
    project.is_as_in_the_project(HEADER);
    project.is_as_in_the_project(TABLE);

    // What it reports, if that is new.
    let variant = "    /// A recursive mutex is held this many times.\n";
    let changes = project.read(CHANGES);
    assert_eq!(changes.matches(variant).count(), 1);
    let added = changes.replace(variant, &format!("    /// Something new.\n    New,\n{variant}"));
    write(project.folder.join(CHANGES), added);
    assert_failure(project.converter(), &["New", "not covered", "model/object_change.rs"]);
    project.put_back(CHANGES);

    // The hook.
    let report = project.coverage();
    assert_eq!(report.names(Initial::Missing), ["traceQUEUE_PEEK"]);
    project.put_back(HOOKS);
    assert_failure(project.header(true), &[NAMES, "cargo xtask header"]);
    project.header(false).expect("written");
    let report = project.coverage();
    assert_eq!(report.names(Initial::Missing), [""; 0]);
    assert!(report.docs() != project.read(coverage::DOCS), "the table lacks it");
    assert!(report.docs() == read(root().join(coverage::DOCS)), "the table has it");

    // Its class.
    let without: Vec<(&str, Vec<&'static str>)> = CLASSES
        .iter()
        .map(|(class, events)| {
            (*class, events.iter().copied().filter(|it| *it != "queue_peek").collect())
        })
        .collect();
    let without: Vec<_> = without.iter().map(|(class, events)| (*class, &events[..])).collect();
    assert_eq!(in_no_class(&without), ["queue_peek"]);
    assert_eq!(in_no_class(CLASSES), [""; 0]);
}

/// An event that no reader in use knows describes itself: the version rises with it, its recordings say what it looks
/// like, and the readers of this project, which do not have it, count it by its name and lose nothing else.
#[test]
fn an_event_that_is_added_describes_itself() {
    const REGISTRY: &str = "tband-format/src/registry.rs";
    let project = Copy { folder: root().join("target/test-changing/tree-declared") };
    tree::copy(root(), &project.folder).expect("copied");
    let last = "EventSchema { event_id: u8, timed: u8, schema: Str<'a> };\n";
    let registry = project.read(REGISTRY);
    assert_eq!(registry.matches(last).count(), 1);
    let dummy = "    /// Something that no reader knows.\n    \
                 215 Base timed dummy_event DummyEvent { dummy_id: u32 };\n";
    write(project.folder.join(REGISTRY), registry.replace(last, &format!("{last}{dummy}")));

    let test = |package: &str, program: &str, filter: &str, out: Option<&Path>| {
        let mut test = Command::new("cargo");
        test.args([
            "test",
            "--offline",
            "--locked",
            "--package",
            package,
            "--test",
            program,
            filter,
        ])
        .arg("--target-dir")
        .arg(root().join("target/test-changing/target"))
        .env_remove("CARGO_BUILD_TARGET")
        .current_dir(&project.folder);
        if let Some(out) = out {
            test.env("TBAND_DECLARED_OUT", out);
        }
        run_quiet(&mut test).map(drop).map_err(|error| format!("{error:#}"))
    };
    let version = test("tband-format", "schemas", "the_version_rises", None);
    let next = tband_format::FORMAT_VERSION + 1;
    assert_failure(version, &["raise FORMAT_VERSION", &format!("to {next}, and add ({next}, 0x")]);

    let out = temp_dir();
    test("tband-core", "declared", "", Some(out.path())).expect("the recorder describes it");
    let mut files = 0;
    for file in std::fs::read_dir(out.path()).expect("a folder") {
        let file = file.expect("a file").path();
        let bytes = std::fs::read(&file).expect("a recording");
        let inputs = [Input::from_bytes("recording", &bytes)];
        let summary = convert(&inputs, &Options::default(), &mut ()).expect("a recording");
        let found: Vec<_> = summary.diagnostics.iter().map(|it| (it.problem, it.amount)).collect();
        assert!(found.contains(&(Problem::NewerEvents, 200)), "{}: {found:?}", file.display());
        let damage = summary.diagnostics.iter().find(|it| {
            [Problem::UnknownEvent, Problem::UnknownInPacket, Problem::BadSchema]
                .contains(&it.problem)
        });
        assert!(damage.is_none(), "{}: {damage:?}", file.display());
        let census = take_census(&inputs, Mode::FreeRtos).expect("a recording");
        let counts: BTreeMap<_, _> =
            census.kinds().map(|(name, kind)| (name, kind.count)).collect();
        assert_eq!((counts["task_switched_in"], counts["dummy_event"]), (200, 200));
        files += 1;
    }
    assert_eq!(files, 4, "frames, and packets of two sizes and ways");
}
