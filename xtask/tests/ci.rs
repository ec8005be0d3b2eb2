//! `.ci/run` starts as on a machine that has never built the project: an empty home of cargo but for its settings, an
//! empty target folder, and toolchains where they are. It ends as the tests do, and leaves nothing.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tband_programs::output;
use xtask::workspace_root;

/// Notes the arguments and the environment of cargo, and ends with the status in `$STATUS`.
const CARGO: &str = r#"#!/bin/sh
{
  echo "arguments $*"
  echo "home $CARGO_HOME"
  echo "rustup $RUSTUP_HOME"
  echo "in home $(ls -A "$CARGO_HOME" | tr '\n' ' ')"
  echo "settings $(cat "$CARGO_HOME"/config* 2>/dev/null)"
  echo "in target $(ls -A target 2>/dev/null)"
  echo "name in git $(git config --global user.name)"
} > seen.txt
exit "$STATUS"
"#;

/// What the command found, line by line, and its exit status.
fn run(project: &Path, home: &Path, cargo_home: Option<&Path>, status: i32) -> (Vec<String>, i32) {
    let mut command = Command::new(project.join(".ci/run"));
    command.env_clear().env("PATH", std::env::var_os("PATH").expect("a PATH"));
    command.env("HOME", home).env("STATUS", status.to_string());
    if let Some(cargo_home) = cargo_home {
        command.env("CARGO_HOME", cargo_home);
    }
    let output = output(&mut command).expect("it runs");
    let seen = fs::read_to_string(project.join("seen.txt"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (seen.lines().map(str::to_owned).collect(), output.status.code().expect("no signal"))
}

#[test]
fn a_run_begins_with_nothing_but_toolchains_and_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let (project, home) = (folder.path().join("a project"), folder.path().join("a home"));
    for (of, settings) in [(None, true), (None, false), (Some("elsewhere/cargo"), true)] {
        let cargo_home = folder.path().join(of.unwrap_or("a home/.cargo"));
        let _ = fs::remove_dir_all(&home);
        let _ = fs::remove_dir_all(&project);
        for folder in [&project.join(".ci"), &project.join("target/debug"), &home] {
            fs::create_dir_all(folder).expect("a folder");
        }
        for folder in ["bin", "registry/cache", "git"] {
            fs::create_dir_all(cargo_home.join(folder)).expect("a folder");
        }
        fs::write(cargo_home.join("registry/cache/a.crate"), "downloaded").expect("a file");
        fs::write(project.join("target/debug/built"), "built").expect("a file");
        fs::write(home.join(".gitconfig"), "[user]\n\tname = me\n").expect("a file");
        if settings {
            fs::write(cargo_home.join("config.toml"), "# mirror").expect("a file");
        }
        // What rustup puts there for cargo.
        let cargo = cargo_home.join("bin/cargo");
        fs::write(&cargo, CARGO).expect("a file");
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("a program");
        fs::copy(workspace_root().join(".ci/run"), project.join(".ci/run")).expect("a copy");

        for status in [0, 101] {
            let cargo_home_variable = of.map(|_| cargo_home.as_path());
            let (seen, ended) = run(&project, &home, cargo_home_variable, status);
            assert_eq!(ended, status);
            let new = Path::new(seen[1].strip_prefix("home ").expect("the home"));
            assert!(new != cargo_home && !new.exists(), "{} is left", new.display());
            assert!(!new.parent().expect("a folder").exists());
            let expected = [
                format!("rustup {}", home.join(".rustup").display()),
                format!("in home {}", if settings { "config.toml " } else { "" }),
                format!("settings {}", if settings { "# mirror" } else { "" }),
                "in target ".to_owned(),
                "name in git ".to_owned(),
            ];
            assert_eq!(seen[0], "arguments xtask test --all");
            assert_eq!(seen[2..], expected);
            assert!(cargo_home.join("registry/cache/a.crate").exists(), "the user's home is kept");
        }
    }
}

/// With Git's setting for Windows a checkout has the bytes that are committed: shells, make and tests do not accept CRLF.
#[test]
fn a_checkout_has_the_same_bytes_whatever_git_is_set_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let checkout = |name: &str, settings: &[&str]| {
        let to = folder.path().join(name);
        let mut git = Command::new("git");
        git.args(settings).args(["checkout-index", "--all", "--prefix"]);
        git.arg(format!("{}/", to.display())).current_dir(workspace_root());
        let output = output(&mut git).expect("git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        to
    };
    let usual = checkout("usual", &["-c", "core.autocrlf=false", "-c", "core.eol=lf"]);
    let windows = checkout("windows", &["-c", "core.autocrlf=true", "-c", "core.eol=crlf"]);
    let mut folders = vec![usual.clone()];
    let mut files = 0;
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&usual).expect("below it");
            let (here, there) = (fs::read(&path), fs::read(windows.join(name)));
            assert!(here.expect("a file") == there.expect("a file"), "{}", name.display());
            files += 1;
        }
    }
    assert!(files > 1000, "{files} files");
}

/// The packages that cargo compiles for some packages of the workspace, each with its features.
fn features(of: &[&str]) -> BTreeSet<String> {
    let mut tree = Command::new("cargo");
    tree.args(["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"]).args(of);
    let output = output(tree.current_dir(workspace_root())).expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    printed.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

/// `cargo xtask test` compiles xtask, then the tests: what both need is compiled once only if both ask for the same features.
#[test]
fn the_tests_compile_nothing_again_that_xtask_needs() {
    let of_xtask = features(&["--package", "xtask", "--edges", "normal"]);
    assert!(of_xtask.iter().any(|it| it.starts_with("tband-conv ")), "{of_xtask:?}");
    let without = ["--exclude", "tband-header", "--exclude", "tband-loom"];
    let parquet = ["--features", "tband-cli/parquet,tband-fuzz/parquet"];
    for more in [&without[..], &parquet] {
        let of_tests = features(&[&["--workspace"], more].concat());
        let twice: Vec<_> = of_xtask.difference(&of_tests).collect();
        assert!(twice.is_empty(), "xtask/Cargo.toml asks for other features: {twice:#?}");
    }
}
