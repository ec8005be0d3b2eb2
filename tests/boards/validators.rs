//! The tools of package registries accept the manifests, and their packages contain the files that a build needs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::{finish, root, temp_dir, write};
use xtask::setup::python::VALIDATORS;
use xtask::{dist, tree};

/// Packs with PlatformIO, which downloads SPDX's list of licences for the check of one field: two of that list are enough here.
const PLATFORMIO: &str = r#"
import sys
from platformio.package.manifest.schema import ManifestSchema
from platformio.package.pack import PackagePacker
licences = {"licenses": [{"licenseId": it} for it in ("MIT", "Apache-2.0")]}
ManifestSchema.load_spdx_licenses = staticmethod(lambda: licences)
PackagePacker(sys.argv[1]).pack(sys.argv[2])
"#;

fn tool(name: &str) -> Command {
    let tool = VALIDATORS.program(root(), name);
    Command::new(tool.unwrap_or_else(|error| panic!("{error:#}")))
}

fn run(command: &mut Command) {
    let finished = finish(command);
    assert!(finished.ok, "{command:?}: {}", finished.text());
}

/// A copy of the project, with a library as in the tarball.
fn project(folder: &Path) -> PathBuf {
    let project = folder.join("project");
    tree::copy(root(), &project).expect("a copy");
    for triple in dist::FIRMWARE_TARGETS {
        write(project.join("lib").join(triple).join("libtband.a"), "");
    }
    project
}

/// Unpacks an archive; returns the paths in it.
fn unpack(archive: &Path, to: &Path) -> BTreeSet<String> {
    std::fs::create_dir_all(to).expect("a folder");
    run(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(to));
    let listed = finish(Command::new("tar").arg("tzf").arg(archive));
    let names = String::from_utf8(listed.stdout).expect("names");
    names.lines().map(|it| it.trim_start_matches("./").to_owned()).collect()
}

fn assert_has(names: &BTreeSet<String>, wanted: &[&str]) {
    for name in wanted {
        assert!(names.contains(*name), "no {name} in {names:#?}");
    }
}

#[test]
fn platformio_accepts_and_packs_the_library() {
    let folder = temp_dir();
    let (project, archive) = (project(folder.path()), folder.path().join("tband.tar.gz"));
    let pack = |project: &Path| {
        let mut python = tool("python");
        python.args(["-c", PLATFORMIO]).arg(project).arg(&archive);
        finish(python.env("PLATFORMIO_CORE_DIR", folder.path().join("core")))
    };
    let finished = pack(&project);
    assert!(finished.ok, "{}", finished.text());
    let names = unpack(&archive, &folder.path().join("unpacked"));
    assert_has(
        &names,
        &[
            "library.json",
            "LICENSE-MIT",
            "cmake/platformio.py",
            "cmake/rust_target.c",
            "cmake/rust_targets.txt",
            "freertos-hooks/tband_freertos.c",
            "include/tband.h",
            "lib/thumbv7em-none-eabihf/libtband.a",
            "licenses/libtband.txt",
            "port/recorder/tband_packets.h",
            "port/tband_shim.c",
        ],
    );
    assert!(!names.iter().any(|it| it.starts_with("host-cli/") || it.starts_with("tests/")));
    // It would refuse a wrong manifest.
    write(
        project.join("library.json"),
        "{\"name\": \"tband\", \"version\": \"1\", \"headers\": 7}",
    );
    assert!(!pack(&project).ok);
}

#[test]
fn compote_accepts_and_packs_the_component() {
    let folder = temp_dir();
    let (project, out) = (project(folder.path()), folder.path().join("out"));
    let compote = |args: &[&str]| {
        let mut compote = tool("compote");
        compote.args(args).env("IDF_COMPONENT_CHECK_NEW_VERSION", "0").current_dir(&project);
        compote
    };
    let lint = ["manifest", "lint", "idf_component.yml", "esp-idf/tband/idf_component.yml"];
    run(&mut compote(&lint));
    run(compote(&["component", "pack", "--name", "tband", "--dest-dir"]).arg(&out));
    let unpacked = folder.path().join("unpacked");
    let names = unpack(&out.join(format!("tband_{}.tgz", dist::VERSION)), &unpacked);
    assert_has(&names, &["idf_component.yml", "CMakeLists.txt", "esp-idf/tband/Kconfig"]);
    // The build of a component from the registry compiles the library from these sources.
    let mut cargo = Command::new("cargo");
    cargo.args(["check", "--locked", "--offline", "--package", "tband-ffi"]);
    cargo.args(["--profile", "firmware", "--manifest-path"]);
    cargo.arg(unpacked.join("firmware/Cargo.toml"));
    run(cargo.env("CARGO_HOME", folder.path().join("cargo-home")).env_remove("CARGO_TARGET_DIR"));
    write(project.join("idf_component.yml"), "version: \"first\"\n");
    assert!(!finish(&mut compote(&lint)).ok);
}
