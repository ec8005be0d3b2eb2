//! `cargo xtask release`: builds all files of a release, with checksums.
//!
//! All of it is built twice, from the sources in git, in two folders of different names. Any difference, byte for byte,
//! prevents the release.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::command::run_quiet;
use crate::dist::{self, Contents, VERSION};
use crate::packages::{self, Artefacts};
use crate::sdk::Sdk;
use crate::setup::{self, Purpose};
use crate::web::{self, WebBuild};
use crate::{address, audit, book, crates, header, licenses, rust_target, sbom, sdk};

/// The file of checksums.
const SUMS: &str = "SHA256SUMS";

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The folder of `tband-cli` in its archive.
pub const BIN: &str = "bin";

/// The target of `tband-cli` for any Linux.
pub const ANY_LINUX: &str = "x86_64-unknown-linux-musl";

/// The target of `tband-cli` for Windows.
pub const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// Returns the name of the archive with `tband-cli` for a target, without its ending, and of the folder in it.
#[must_use]
pub fn program_archive(triple: &str) -> String {
    format!("tband-cli-{VERSION}-{triple}")
}

/// The parts of a release that one machine leaves to others, or to a person, and their commands.
const OTHERS: [(&str, &str); 6] = [
    ("packages for Python", "cargo xtask wheel --platform ..., on Linux, macOS and Windows"),
    (
        "tband-cli for macOS",
        "cargo xtask release --only program --sdk PACKAGE, on both kinds of Mac",
    ),
    ("checksums of all files", "cargo xtask release --only sums, after these"),
    (
        "provenance, draft, Pages",
        "a pushed tag: .github/workflows/release.yml, which also runs the commands above",
    ),
    ("crates.io", "cargo publish --workspace"),
    ("PyPI", "twine upload with the packages for Python"),
];

/// A part of a release, for machines that add to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReleasePart {
    /// `tband-cli` for this machine, as an archive
    Program,
    /// SHA256SUMS of the files that are in the folder
    Sums,
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder for the artefacts.
    pub out: PathBuf,
    /// Also for a commit that is not ready to be released.
    pub is_dry: bool,
    /// The artefacts will be below it; manifests of package managers name it.
    pub address: Option<String>,
    /// The tag of the release, which must name this version.
    pub tag: Option<String>,
    /// All if there is none.
    pub only: Option<ReleasePart>,
    /// The package of this version, whose SDK `tband-cli` gets; without it the SDK is built.
    pub sdk: Option<PathBuf>,
}

/// Builds a release of the commit in `root`, without uploading anything.
///
/// # Errors
/// A file cannot be built, is not the same each time, or the commit is not ready.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Options { out, is_dry, address, tag, only, sdk } = options;
    if let Some(tag) = tag {
        ensure!(*tag == format!("v{VERSION}"), "the tag {tag} is not v{VERSION}");
    }
    if *only == Some(ReleasePart::Sums) {
        return sums(out, &names(out)?);
    }
    if !is_dry {
        let changes = fs::read_to_string(root.join("CHANGELOG.md")).context("no CHANGELOG.md")?;
        ready(&changes, &git(root, &["status", "--porcelain"])?)?;
        address::check()?;
    }
    if !is_dry && only.is_none() {
        header::run(root, header::HeaderMode::Check)?;
        licenses::check(root)?;
        audit::run(root, true)?;
        crates::run(root)?;
    }
    if sdk.is_none() {
        setup::run(Purpose::Dist)?;
    }
    let work = root.join("target/release-work");
    // MinGW's dlltool cannot work in a folder whose path has blanks.
    let builds = ["first", "second"].map(|name| work.join(name));
    // Of the same commit, also if another one is made in this time.
    let commit = git(root, &["rev-parse", "HEAD"])?;
    let begin = Instant::now();
    for (build, name) in builds.iter().zip(["first", "second"]) {
        let step = |what: &str| {
            println!("{:>5} s  {name} build: {what}", begin.elapsed().as_secs());
        };
        if build.exists() {
            fs::remove_dir_all(build)
                .with_context(|| format!("cannot remove {}", build.display()))?;
        }
        artefacts(root, commit.trim(), build, *only, sdk.as_deref(), &step)?;
    }
    let [one, other] = builds.map(|build| build.join("artefacts"));
    let names = same(&one, &other)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    for name in &names {
        fs::copy(one.join(name), out.join(name))?;
    }
    if only.is_none() {
        sums(out, &names)?;
    }
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
    if only.is_none() {
        println!("\n{}", rest(options));
    }
    Ok(())
}

/// The list of what this run has left out.
fn rest(options: &Options) -> String {
    let checks =
        ("generated files, licences, advisories, crates", "cargo xtask release, without --dry-run");
    let manifests = ("manifests of Homebrew and winget", "--address URL");
    let left = [(checks, options.is_dry), (manifests, options.address.is_none())];
    let left = left.into_iter().filter(|it| it.1).map(|it| it.0).chain(OTHERS);
    let lines = left.map(|(part, command)| format!("\n  {part}: {command}"));
    format!("not done here:{}", lines.collect::<String>())
}

/// Writes the checksums of files in a folder.
fn sums(out: &Path, names: &[String]) -> Result<()> {
    let names = names.iter().filter(|name| *name != SUMS);
    let sums = run_quiet(Command::new("sha256sum").args(names).current_dir(out))?.stdout;
    fs::write(out.join(SUMS), sums).with_context(|| format!("cannot write {SUMS}"))
}

/// Checks that nothing is missing for a release.
fn ready(changes: &str, uncommitted: &str) -> Result<()> {
    ensure!(uncommitted.is_empty(), "not everything is committed:\n{uncommitted}");
    let heading = format!("## {VERSION}");
    ensure!(changes.lines().any(|line| line == heading), "CHANGELOG.md has no “{heading}”");
    Ok(())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = run_quiet(Command::new("git").args(arguments).current_dir(root))?.stdout;
    Ok(String::from_utf8(output)?)
}

/// Builds everything of a commit, or `only` a part, in a folder, from sources that are put there; each artefact is a file in `artefacts`.
/// `package`: see [`Options::sdk`]; `step` gets the name of the next build, because all of it takes an hour.
fn artefacts(
    root: &Path,
    commit: &str,
    folder: &Path,
    only: Option<ReleasePart>,
    package: Option<&Path>,
    step: &dyn Fn(&str),
) -> Result<()> {
    let (sources, work) = (folder.join("sources"), folder.join("work"));
    let out = folder.join("artefacts");
    for folder in [&sources, &work, &out] {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    // Only committed files.
    let archive = work.join("sources.tar");
    let mut git = Command::new("git");
    git.args(["archive", "--format=tar", "-o"]).arg(&archive).arg(commit).current_dir(root);
    run_quiet(&mut git)?;
    run_quiet(Command::new("tar").arg("xf").arg(&archive).arg("-C").arg(&sources))?;
    let page = work.join("page");
    if only.is_none() {
        pack(&sources, &format!("tband-{VERSION}-src"), &out)?;
    }
    step("web page");
    web::build(&sources, &page, WebBuild::Fast)?;
    step("SDK");
    let libraries = work.join("dist");
    fs::create_dir_all(&libraries)
        .with_context(|| format!("cannot create {}", libraries.display()))?;
    let (built, archive) = match package {
        Some(package) => (None, sdk::of_package(package, &libraries)?),
        None => {
            let sdk = Sdk::build(&sources, &libraries, dist::FIRMWARE_TARGETS)?;
            let archive = sdk.archive(&libraries)?;
            (Some(sdk), archive)
        }
    };
    let contents = Contents { page: &page, sdk: &archive };
    let host = rust_target::host_target()?;
    step(&format!("tband-cli for {host}"));
    let program = dist::program_for(&sources, &contents, &host)?;
    let targets = match only {
        None => tool_targets()?,
        Some(_) => vec![host],
    };
    for triple in targets {
        step(&format!("archive and packages for {triple}"));
        let tool = work.join("tband-cli").join(&triple);
        fs::create_dir_all(tool.join(BIN))?;
        let made = dist::program_for(&sources, &contents, &triple)?;
        let name = made.file_name().context("a program without a name")?;
        fs::copy(&made, tool.join(BIN).join(name)).context("no tband-cli")?;
        for name in LICENCES.iter().chain(&["CHANGELOG.md"]) {
            fs::copy(sources.join(name), tool.join(name)).with_context(|| format!("no {name}"))?;
        }
        sdk::copy_notices(&sources, &tool)?;
        // They are the same everywhere, and this machine runs its own program.
        manual(&program, &tool)?;
        pack(&tool, &program_archive(&triple), &out)?;
        packages::pack(&tool, &triple, &work.join("packages").join(&triple), &out)?;
        if triple.contains("windows") {
            // winget takes no archive of tar.
            let file = out.join(format!("{}.exe", program_archive(&triple)));
            fs::copy(&made, file).context("no tband-cli")?;
        }
    }
    // With the SDK of a package only the program is built.
    let Some(sdk) = built.filter(|_| only.is_none()) else { return Ok(()) };
    step("tarball, bills of materials and book");
    pack(&page, &format!("tband-{VERSION}-web"), &out)?;
    dist::pack(sdk, &out, Some(&program))?;
    sbom::write(&sources, &out)?;
    let pages = work.join("book");
    book::build(&sources, &pages)?;
    pack(&pages, &format!("tband-{VERSION}-book"), &out)
}

fn pack(folder: &Path, name: &str, out: &Path) -> Result<()> {
    sdk::pack(folder, name, &out.join(format!("{name}.tar.gz")))
        .with_context(|| format!("cannot pack {name}"))
}

/// For which machines `tband-cli` is built: this one; any Linux of this processor; Windows, where its linker is here or
/// can be had. macOS needs a Mac.
fn tool_targets() -> Result<Vec<String>> {
    let mut targets = vec![rust_target::host_target()?];
    if targets == ["x86_64-unknown-linux-gnu"] {
        setup::run(Purpose::AnyLinux)?;
        targets.push(ANY_LINUX.to_owned());
        match setup::run(Purpose::Windows) {
            Ok(()) => targets.push(WINDOWS.to_owned()),
            Err(error) => eprintln!("NOT built: tband-cli for Windows: {error:#}"),
        }
    }
    Ok(targets)
}

/// Writes man pages and shell completions.
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

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// The names of the files in two folders, which have equal ones.
fn same(one: &Path, other: &Path) -> Result<Vec<String>> {
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
        let output = |result: Result<Vec<String>>| result.unwrap_err().to_string();
        assert_eq!(output(same(&one, &other)), "nothing was built");
        fs::write(one.join("a"), "1").unwrap();
        assert_eq!(output(same(&one, &other)), "two builds made different files");
        fs::write(other.join("a"), "2").unwrap();
        assert_eq!(output(same(&one, &other)), "a is not the same when it is built again");
        fs::write(other.join("a"), "1").unwrap();
        assert_eq!(same(&one, &other).unwrap(), ["a"]);
    }

    #[test]
    fn sums_are_of_all_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        fs::write(out.join("a"), "abc").unwrap();
        for _ in 0..2 {
            sums(out, &names(out).unwrap()).unwrap();
            let sums = fs::read_to_string(out.join(SUMS)).unwrap();
            assert!(sums.starts_with("ba7816bf") && sums.ends_with("  a\n"), "{sums}");
            assert_eq!(sums.lines().count(), 1);
        }
    }

    #[test]
    fn what_is_left_to_others_is_listed() {
        let options = |is_dry, address: Option<&str>| Options {
            out: PathBuf::new(),
            is_dry,
            address: address.map(str::to_owned),
            tag: None,
            only: None,
            sdk: None,
        };
        let whole = rest(&options(true, None));
        assert_eq!(whole.lines().count(), 1 + 2 + OTHERS.len(), "{whole}");
        let least = rest(&options(false, Some("https://example.org")));
        assert_eq!(least.lines().count(), 1 + OTHERS.len(), "{least}");
        assert!(!least.contains("--dry-run") && least.contains("macOS"), "{least}");
    }

    #[test]
    fn a_tag_names_the_version() {
        let options = Options {
            out: PathBuf::from("nowhere"),
            is_dry: true,
            address: None,
            tag: Some("v0.0.0".to_owned()),
            only: Some(ReleasePart::Sums),
            sdk: None,
        };
        let error = run(Path::new("nowhere"), &options).unwrap_err().to_string();
        assert_eq!(error, format!("the tag v0.0.0 is not v{VERSION}"));
    }

    #[test]
    fn a_release_is_written_down_and_committed() {
        let heading = format!("# Changes\n\n## {VERSION}\n");
        assert!(ready(&heading, "").is_ok());
        let output = |result: Result<()>| result.unwrap_err().to_string();
        assert!(output(ready("# Changes\n", "")).contains(VERSION));
        assert!(output(ready(&heading, " M a.rs\n")).contains(" M a.rs"));
    }
}
