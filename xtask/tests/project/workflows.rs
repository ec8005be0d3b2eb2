//! The workflows and forms below `.github`: checked by tools, and made of commands that work in a clone too.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tband_programs::output;
use xtask::setup::python::WORKFLOWS;
use xtask::workspace_root;

use super::{path, workflows};

/// Commands beside those of xtask: they prepare the machine, and make the draft.
const OTHERS: [&str; 3] =
    ["git config --global --add safe.directory ", "rustup component add ", "gh release create "];

fn tool(name: &str) -> Command {
    let tool = WORKFLOWS.program(&workspace_root(), name);
    Command::new(tool.unwrap_or_else(|error| panic!("{error:#}")))
}

/// Runs a checker; returns its output if it has found something.
fn findings(checker: &mut Command) -> Option<String> {
    let ran = output(checker).expect("it runs");
    let printed = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (!ran.status.success()).then(|| printed.concat())
}

/// Workflows against the rules of jactionlint: keys, expressions, dependencies of jobs, rights, actions without a commit.
fn lint(files: &[PathBuf]) -> Option<String> {
    let mut checker = tool("jactionlint");
    // Each machine has another version of these, or none.
    checker.args(["--no-color", "--no-online", "--strict-exit", "--shellcheck=", "--pyflakes="]);
    // The image of Rust follows Rust's releases, as its users do.
    findings(
        checker.args(["--ignore", "unpinned-images"]).args(files).current_dir(workspace_root()),
    )
}

/// Files against a schema that check-jsonschema has.
fn validate(schema: &str, files: &[PathBuf]) -> Option<String> {
    findings(tool("check-jsonschema").args(["--builtin-schema", schema]).args(files))
}

fn all() -> Vec<PathBuf> {
    workflows().iter().map(|(name, _)| path(".github/workflows").join(name)).collect()
}

#[test]
fn workflows_and_forms_are_valid() {
    let files = all();
    assert_eq!(files.len(), 4, "{files:?}");
    assert_eq!(lint(&files), None);
    assert_eq!(validate("vendor.github-workflows", &files), None);
    let forms = ["bug", "feature"].map(|it| path(&format!(".github/ISSUE_TEMPLATE/{it}.yml")));
    assert_eq!(validate("vendor.github-issue-forms", &forms), None);
    let config = [path(".github/ISSUE_TEMPLATE/config.yml")];
    assert_eq!(validate("vendor.github-issue-config", &config), None);
}

#[test]
fn mistakes_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.yml");
    let text = fs::read_to_string(path(".github/workflows/release.yml")).expect("a workflow");
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        fs::write(&file, text.replacen(from, to, 1)).expect("a file");
        file.clone()
    };
    for (from, to, finding) in [
        ("needs: publish", "needs: publsh", "publsh"),
        ("runs-on:", "run-on:", "run-on"),
        ("permissions:\n  contents: read\n", "", "permissions"),
        ("${{ matrix.os }}", "${{ matrix.so }}", "so"),
        (" # v", "0 # v", "actions/checkout"),
    ] {
        let found = lint(&[changed(from, to)]).unwrap_or_else(|| panic!("nothing about {to}"));
        assert!(found.contains(finding), "{to}: {found}");
    }
    let wrong = changed("timeout-minutes: 120", "timeout: 120");
    assert!(validate("vendor.github-workflows", &[wrong]).is_some());
    let form = fs::read_to_string(path(".github/ISSUE_TEMPLATE/bug.yml")).expect("a form");
    fs::write(&file, form.replacen("type: textarea", "type: text", 1)).expect("a file");
    assert!(validate("vendor.github-issue-forms", &[file]).is_some());
}

/// The value of a key in a line of a step.
fn value<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.trim_start().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(": ")
}

#[test]
fn steps_are_commands_of_the_project() {
    let mut count = 0;
    for (name, text) in workflows() {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(mut command) = value(line, "run") else { continue };
            if command == ">" {
                command = lines.next().unwrap_or_default().trim();
            }
            let is_other = OTHERS.iter().any(|other| command.starts_with(other));
            assert!(command.starts_with("cargo xtask ") || is_other, "{name}: {command}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn an_action_has_one_version() {
    let mut versions = BTreeMap::new();
    for (name, text) in workflows() {
        for action in text.lines().filter_map(|line| value(line, "uses")) {
            if action.starts_with("./") {
                assert!(path(action).is_file(), "{name}: {action}");
                continue;
            }
            let (action, version) = action.split_once('@').expect("a version");
            let (commit, tag) = version.split_once(" # v").expect("the tag of the commit");
            assert!(commit.len() == 40 && tag.split('.').count() == 3, "{name}: {version}");
            let known = versions.entry(action.to_owned()).or_insert(version.to_owned());
            assert_eq!(known, version, "{name}: {action}");
        }
    }
    assert!(versions.len() > 4, "{versions:?}");
}
