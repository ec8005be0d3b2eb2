//! What a stranger meets first: the texts for contributors and reporters, the workflows, and the addresses of the project.

mod addresses;
mod crates;
mod release;
mod texts;
mod workflows;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tband_programs::output;
use xtask::workspace_root;

/// Text files of the project: paths from its folder, and contents.
fn files() -> Vec<(String, String)> {
    let mut git = Command::new("git");
    let listed = output(git.args(["ls-files", "-z"]).current_dir(workspace_root())).expect("git");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("names");
    let names = names.split_terminator('\0');
    names.filter_map(|name| Some((name.to_owned(), fs::read_to_string(path(name)).ok()?))).collect()
}

fn path(name: &str) -> PathBuf {
    workspace_root().join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The workflows: names of the files, and contents.
fn workflows() -> Vec<(String, String)> {
    let files = fs::read_dir(path(".github/workflows")).expect("workflows");
    let names = files.map(|file| file.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (name.clone(), read(&format!(".github/workflows/{name}"))))
        .collect()
}
