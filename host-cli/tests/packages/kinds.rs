//! Packages of package managers, built of this `tband-cli` as `cargo xtask release` does, and installed: their files are then
//! on the path, and work. Nothing is downloaded.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use xtask::address::{AUTHORS, REPOSITORY};
use xtask::dist::VERSION;
use xtask::packages::{Artefacts, manifests, pack};
use xtask::release::manual;

/// Returns the files that a release packs for a machine: here with the program of this test's build.
fn tool(folder: &Path) -> PathBuf {
    let tool = folder.join("tool");
    fs::create_dir_all(tool.join("bin")).unwrap();
    let program = tool.join("bin/tband-cli");
    fs::copy(env!("CARGO_BIN_EXE_tband-cli"), &program).unwrap();
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        fs::copy(format!("{root}/{name}"), tool.join(name)).unwrap();
    }
    manual(&program, &tool).unwrap();
    tool
}

fn packed(folder: &Path, out: &str) -> Vec<PathBuf> {
    let out = folder.join(out);
    fs::create_dir_all(&out).unwrap();
    pack(&tool(folder), "x86_64-unknown-linux-musl", &folder.join("work"), &out).unwrap()
}

fn output(command: &mut Command) -> String {
    let output = tband_programs::output(command).unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{command:?}: {stdout}{stderr}");
    stdout
}

fn reported_version() -> String {
    format!("tband-cli {VERSION}\n")
}

#[test]
fn packages_are_installed_and_equal_each_time() {
    let folder = TempDir::new().unwrap();
    let files = packed(folder.path(), "one");
    let again = packed(folder.path(), "again");
    let names: Vec<_> =
        files.iter().map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names, [format!("tband-cli_{VERSION}_amd64.deb")]);
    for (one, other) in files.iter().zip(&again) {
        assert!(fs::read(one).unwrap() == fs::read(other).unwrap(), "{} differs", one.display());
    }
    let deb = &files[0];
    let root = folder.path().join("root");
    output(Command::new("dpkg-deb").arg("--extract").arg(deb).arg(&root));
    let program = root.join("usr/bin/tband-cli");
    assert_eq!(output(Command::new(&program).arg("--version")), reported_version());
    for file in [
        "man/man1/tband-cli.1",
        "man/man1/tband-cli-conv.1",
        "bash-completion/completions/tband-cli",
        "zsh/vendor-completions/_tband-cli",
        "fish/vendor_completions.d/tband-cli.fish",
        "doc/tband-cli/LICENSE-APACHE",
    ] {
        let file = root.join("usr/share").join(file);
        assert!(fs::metadata(&file).unwrap().len() > 0, "{}", file.display());
    }
    for (field, expected) in
        [("Version", VERSION), ("Maintainer", AUTHORS), ("Homepage", REPOSITORY)]
    {
        let found = output(Command::new("dpkg-deb").arg("--field").arg(deb).arg(field));
        assert_eq!(found, format!("{expected}\n"));
    }
    let listed = output(Command::new("dpkg-deb").arg("--contents").arg(deb));
    assert!(listed.lines().all(|line| line.contains("root/root")), "{listed}");
}

#[test]
fn manifests_name_what_is_there_with_its_checksum() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("sources.tar.gz"), "abc").unwrap();
    fs::write(folder.join("cli.exe"), "").unwrap();
    let address = "https://example.org/v1";
    let made = |windows| {
        manifests(&Artefacts { folder, sources: "sources.tar.gz", windows, address }).unwrap()
    };
    let files = made(Some("cli.exe"));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "tband-cli.rb",
            "tband.tband-cli.yaml",
            "tband.tband-cli.installer.yaml",
            "tband.tband-cli.locale.en-US.yaml"
        ]
    );
    let formula = &files[0].1;
    let homepage = format!("  homepage \"{REPOSITORY}\"");
    for line in [
        &homepage,
        "  url \"https://example.org/v1/sources.tar.gz\"",
        "  sha256 \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
    ] {
        assert!(formula.lines().any(|it| it == line), "{formula}");
    }
    // The commands that it runs are there.
    for args in [["man", "--help"], ["completion", "--help"]] {
        output(Command::new(env!("CARGO_BIN_EXE_tband-cli")).args(args));
    }
    let installer = &files[2].1;
    for line in [
        "  InstallerUrl: https://example.org/v1/cli.exe",
        "  InstallerSha256: E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "ManifestType: installer",
    ] {
        assert!(installer.lines().any(|it| it == line), "{installer}");
    }
    for (_, manifest) in &files[1..] {
        assert!(manifest.starts_with("PackageIdentifier: tband.tband-cli\nPackageVersion: "));
    }
    assert_eq!(made(None).len(), 1);
    assert!(manifests(&Artefacts { folder, sources: "none", windows: None, address }).is_err());
}
