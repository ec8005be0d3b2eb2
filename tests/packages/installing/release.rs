//! The ways that build libraries or take them from the tarball, which has one for each target.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::library::work;
use tband_tests::{guide, root, run, write};
use xtask::{dist, rust_target};

use crate::{PAGE, Project, block};

/// The blocks of a language in a section of the page.
fn blocks(section: &str, language: &str) -> Vec<String> {
    guide::blocks(PAGE, section, language)
}

/// The guide's `CMakeLists.txt`, with something else in place of `add_subdirectory`.
fn lists(how: &str) -> String {
    let whole = block("CMake: from source", "cmake");
    let lists = whole.replace("add_subdirectory(tband)\n", how);
    assert_ne!(lists, whole, "the line is there");
    lists
}

impl Project {
    /// With the tarball beside the user's sources.
    fn with_tarball() -> Self {
        static TARBALL: OnceLock<PathBuf> = OnceLock::new();
        let tarball = TARBALL.get_or_init(|| {
            // The libraries are those that other tests use; this package has no `tband-cli` as that of `dist` has.
            let folder = root().join("target/test-dist");
            dist::build(root(), &work(), &folder.join("installing"), dist::FIRMWARE_TARGETS, None)
                .unwrap_or_else(|error| panic!("{error:#}"))
                .tarball
        });
        let project = Self::new();
        let name = tarball.file_name().expect("a name");
        fs::copy(tarball, project.0.path().join(name)).expect("copied");
        project
    }
}

/// From a checkout, as in the guide.
#[test]
fn cmake_fetch_content() {
    let project = Project::new();
    write(project.path("CMakeLists.txt"), lists(&block("CMake: FetchContent", "cmake")));
    let checkout = format!("-DFETCHCONTENT_SOURCE_DIR_TBAND={}", root().display());
    project.shell(&format!("cmake -B build '{checkout}'\ncmake --build build\n"), true);
    project.records("build/firmware");
}

#[test]
fn an_installed_package() {
    let project = Project::with_sources();
    let steps = blocks("An installed package", "sh");
    assert_eq!(steps.len(), 2);
    project.shell(&steps[0], true);
    write(project.path("CMakeLists.txt"), lists(&block("An installed package", "cmake")));
    project.shell(&steps[1], false);
    project.records("build/firmware");

    // pkg-config searches share/pkgconfig automatically for usual prefixes.
    let pkg_config = block("pkg-config", "sh")
        .replace("tband-0.1.0/pkgconfig", "installed/share/pkgconfig")
        .replace("-o firmware", "-o by-pkg-config");
    project.shell(&pkg_config, false);
    project.records("by-pkg-config");

    // Make takes the same folder.
    let makefile = block("Plain make", "make");
    let makefile = makefile.replace("include tband-0.1.0/", "include installed/share/tband/");
    write(project.path("Makefile"), makefile);
    project.shell("make\n", false);
    project.records("firmware");

    // A second library in the same prefix, for a microcontroller.
    let toolchain =
        "-B build-tband -DCMAKE_TOOLCHAIN_FILE=$PWD/tband/examples/bare-metal/cortex-m3.cmake";
    let again = steps[0].replace("-B build-tband", toolchain).replace("build-tband", "build-m3");
    project.shell(&again, true);
    let libraries = fs::read_dir(project.path("installed/share/tband/lib")).expect("libraries");
    assert_eq!(libraries.count(), 2);
    fs::remove_dir_all(project.path("build")).expect("removed");
    project.shell(&steps[1], false);
    project.records("build/firmware");
}

#[test]
fn the_tarball_with_cmake() {
    let project = Project::with_tarball();
    write(project.path("CMakeLists.txt"), lists(&block("An installed package", "cmake")));
    project.shell(&block("The tarball", "sh"), false);
    project.records("build/firmware");
}

#[test]
fn the_tarball_with_plain_make() {
    let project = Project::with_tarball();
    let host = rust_target::host_target().unwrap_or_else(|error| panic!("{error:#}"));
    let makefile = block("Plain make", "make").replace("x86_64-unknown-linux-gnu", &host);
    write(project.path("Makefile"), makefile);
    project.shell("tar xzf tband-0.1.0.tar.gz\nmake\n", false);
    project.records("firmware");
}

#[test]
fn the_tarball_with_pkg_config() {
    let project = Project::with_tarball();
    let lines = format!("tar xzf tband-0.1.0.tar.gz\n{}", block("pkg-config", "sh"));
    project.shell(&lines, false);
    project.records("firmware");
}

/// The list for an IDE: its files, without the rest of the tarball, form the program.
#[test]
fn the_files_for_an_ide() {
    let project = Project::with_tarball();
    project.shell("tar xzf tband-0.1.0.tar.gz", false);
    let host = rust_target::host_target().unwrap_or_else(|error| panic!("{error:#}"));
    let list = block("An IDE to which files are added", "text").replace("TARGET", &host);
    let rows = list.lines().filter(|row| !row.contains("with FreeRTOS only"));
    let rows: Vec<_> = rows.filter_map(|row| row.split_once(' ')).collect();
    let of = |kind: &str, before: &str| -> String {
        let rows = rows.iter().filter(|row| row.0 == kind);
        rows.map(|row| format!(" {before}{}", row.1.trim())).collect()
    };
    let (sources, folders, library) = (of("source", ""), of("include", "-I"), of("library", ""));
    project.shell(
        &format!("cc -O2 -ffunction-sections{folders} main.c{sources}{library} -Wl,--gc-sections -o firmware"),
        false,
    );
    project.records("firmware");
    // Each file of the list is there, those for FreeRTOS too.
    for row in list.lines() {
        let path = row.split_ascii_whitespace().nth(1).expect("a path");
        assert!(project.path(path).exists(), "{path}");
    }
}

/// Another target's library by the same file.
#[test]
fn pkg_config_for_a_microcontroller() {
    let project = Project::with_tarball();
    project.shell("tar xzf tband-0.1.0.tar.gz", false);
    let pkg_config = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", project.path("tband-0.1.0/pkgconfig")).args(arguments);
        String::from_utf8(run(&mut command)).expect("text").trim().to_owned()
    };
    let libs = pkg_config(&["--define-variable=triple=thumbv6m-none-eabi", "--libs", "tband"]);
    let folder = libs
        .split_whitespace()
        .find_map(|word| word.strip_prefix("-L"))
        .unwrap_or_else(|| panic!("no -L in {libs}"));
    assert!(folder.ends_with("thumbv6m-none-eabi"), "{libs}");
    assert!(PathBuf::from(folder).join("libtband.a").is_file(), "{libs}");
    assert!(PathBuf::from(pkg_config(&["--variable=hooks", "tband"])).is_file());
    assert_eq!(pkg_config(&["--modversion", "tband"]), dist::VERSION);
}
