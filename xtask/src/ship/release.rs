//! `cargo xtask release`: everything that a release consists of, with checksums.
//!
//! All of it is built twice, from the sources as git has them, in two folders of different names. What is not
//! equal then, byte for byte, is no release.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::run_quiet;
use crate::dist::{self, VERSION};
use crate::packages::{self, Artefacts};
use crate::setup::{self, For};
use crate::web::{self, How};
use crate::{audit, book, header, licenses, rust_target};

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Builds a release of what is committed in `root` into `out`, without uploading anything. `is_dry`: also of what is
/// not ready to be released. `address`: below which the artefacts will be; manifests of package managers name it.
///
/// # Errors
/// Something cannot be built, is not the same each time, or is not ready.
pub fn run(root: &Path, out: &Path, is_dry: bool, address: Option<&str>) -> Result<()> {
    if !is_dry {
        let changes = fs::read_to_string(root.join("CHANGELOG.md")).context("no CHANGELOG.md")?;
        ready(&changes, &git(root, &["status", "--porcelain"])?)?;
        header::run(root, header::How::Check)?;
        licenses::check(root)?;
        audit::run(root)?;
    }
    setup::run(For::Dist)?;
    let work = root.join("target/release-work");
    let builds = ["first", "the second one"].map(|name| work.join(name));
    for build in &builds {
        if build.exists() {
            fs::remove_dir_all(build)
                .with_context(|| format!("cannot remove {}", build.display()))?;
        }
        artefacts(root, build)?;
    }
    let [one, other] = builds.map(|build| build.join("artefacts"));
    let names = same(&one, &other)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    for name in &names {
        fs::copy(one.join(name), out.join(name))?;
    }
    let mut sums = Command::new("sha256sum");
    let sums = run_quiet(sums.args(&names).current_dir(out))?.stdout;
    fs::write(out.join("SHA256SUMS"), &sums)?;
    if let Some(address) = address {
        let windows = names.iter().find(|name| name.ends_with(".exe")).map(String::as_str);
        let sources = format!("tband-{VERSION}-src.tar.gz");
        let made = Artefacts { folder: out, sources: &sources, windows, address };
        for (name, content) in packages::manifests(&made)? {
            fs::write(out.join(name), content)?;
        }
    }
    for name in &names {
        println!("{:>10}  {name}", fs::metadata(out.join(name))?.len());
    }
    println!("\n{} artefacts, built twice and equal, in {}", names.len(), out.display());
    Ok(())
}

/// Nothing is missing for a release.
fn ready(changes: &str, uncommitted: &str) -> Result<()> {
    ensure!(uncommitted.is_empty(), "not everything is committed:\n{uncommitted}");
    let heading = format!("## {VERSION}");
    ensure!(changes.lines().any(|line| line == heading), "CHANGELOG.md has no “{heading}”");
    Ok(())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let said = run_quiet(Command::new("git").args(arguments).current_dir(root))?.stdout;
    Ok(String::from_utf8(said)?)
}

/// Builds everything in a folder, from sources that are put there; each artefact is a file in `artefacts`.
fn artefacts(root: &Path, folder: &Path) -> Result<()> {
    let (sources, work) = (folder.join("sources"), folder.join("work"));
    let out = folder.join("artefacts");
    for folder in [&sources, &work, &out] {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    // What is committed, and nothing else.
    let archive = work.join("sources.tar");
    let mut git = Command::new("git");
    git.args(["archive", "--format=tar", "-o"]).arg(&archive).arg("HEAD").current_dir(root);
    run_quiet(&mut git)?;
    run_quiet(Command::new("tar").arg("xf").arg(&archive).arg("-C").arg(&sources))?;
    let pack = |folder: &Path, name: &str| {
        dist::pack(folder, name, &out.join(format!("{name}.tar.gz")))
            .with_context(|| format!("cannot pack {name}"))
    };
    pack(&sources, &format!("tband-{VERSION}-src"))?;

    let page = work.join("page");
    web::build(&sources, &page, How::Fast)?;
    pack(&page, &format!("tband-{VERSION}-web"))?;

    let program = dist::program(&sources, &page)?;
    dist::build(&sources, &work.join("dist"), &out, dist::FIRMWARE_TARGETS, Some(&program))?;
    for triple in tool_targets()? {
        let tool = work.join("tband-cli").join(&triple);
        fs::create_dir_all(tool.join("bin"))?;
        let made = dist::program_for(&sources, &page, &triple)?;
        let name = made.file_name().context("a program without a name")?;
        fs::copy(&made, tool.join("bin").join(name)).context("no tband-cli")?;
        for name in LICENCES.iter().chain(&["CHANGELOG.md"]) {
            fs::copy(sources.join(name), tool.join(name)).with_context(|| format!("no {name}"))?;
        }
        dist::copy_notices(&sources, &tool)?;
        // They are the same everywhere, and this machine runs its own program.
        manual(&program, &tool)?;
        pack(&tool, &format!("tband-cli-{VERSION}-{triple}"))?;
        packages::pack(&tool, &triple, &work.join("packages").join(&triple), &out)?;
        if triple.contains("windows") {
            // winget takes no archive of tar.
            let file = out.join(format!("tband-cli-{VERSION}-{triple}.exe"));
            fs::copy(&made, file).context("no tband-cli")?;
        }
    }

    let pages = work.join("book");
    book::build(&sources, &pages)?;
    pack(&pages, &format!("tband-{VERSION}-book"))
}

/// For which machines `tband-cli` is built: this one; any Linux of this processor; Windows, where its linker is here or
/// can be had. macOS needs a Mac.
fn tool_targets() -> Result<Vec<String>> {
    let mut targets = vec![rust_target::host_target()?];
    if targets == ["x86_64-unknown-linux-gnu"] {
        setup::run(For::AnyLinux)?;
        targets.push("x86_64-unknown-linux-musl".to_owned());
        match setup::run(For::Windows) {
            Ok(()) => targets.push("x86_64-pc-windows-gnu".to_owned()),
            Err(error) => eprintln!("NOT built: tband-cli for Windows: {error:#}"),
        }
    }
    Ok(targets)
}

/// Writes man pages and what shells complete.
///
/// # Errors
/// The program does not write them.
pub fn manual(program: &Path, tool: &Path) -> Result<()> {
    run_quiet(Command::new(program).args(["man", "--out"]).arg(tool.join("share/man/man1")))?;
    let folder = tool.join("share/completions");
    fs::create_dir_all(&folder)?;
    for (shell, name) in [
        ("bash", "tband-cli.bash"),
        ("zsh", "_tband-cli"),
        ("fish", "tband-cli.fish"),
        ("powershell", "tband-cli.ps1"),
    ] {
        let script = run_quiet(Command::new(program).args(["completion", shell]))?.stdout;
        fs::write(folder.join(name), script)?;
    }
    Ok(())
}

/// The names of the files in two folders, which have equal ones.
fn same(one: &Path, other: &Path) -> Result<Vec<String>> {
    let names = |folder: &Path| -> Result<Vec<String>> {
        let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    };
    let found = names(one)?;
    ensure!(!found.is_empty(), "nothing was built");
    ensure!(found == names(other)?, "two builds made different files");
    for name in &found {
        let read = |folder: &Path| -> Result<Vec<u8>> {
            let path: PathBuf = folder.join(name);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        ensure!(read(one)? == read(other)?, "{name} is not the same when it is built again");
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_twice_must_be_equal() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&other).unwrap();
        let said = |result: Result<Vec<String>>| result.unwrap_err().to_string();
        assert_eq!(said(same(&one, &other)), "nothing was built");
        fs::write(one.join("a"), "1").unwrap();
        assert_eq!(said(same(&one, &other)), "two builds made different files");
        fs::write(other.join("a"), "2").unwrap();
        assert_eq!(said(same(&one, &other)), "a is not the same when it is built again");
        fs::write(other.join("a"), "1").unwrap();
        assert_eq!(same(&one, &other).unwrap(), ["a"]);
    }

    #[test]
    fn a_release_is_written_down_and_committed() {
        let heading = format!("# Changes\n\n## {VERSION}\n");
        assert!(ready(&heading, "").is_ok());
        let said = |result: Result<()>| result.unwrap_err().to_string();
        assert!(said(ready("# Changes\n", "")).contains(VERSION));
        assert!(said(ready(&heading, " M a.rs\n")).contains(" M a.rs"));
    }
}
