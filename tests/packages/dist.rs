//! The package of `cargo xtask dist`: its content, that it is the same wherever it is built, and that a machine without Rust
//! builds working firmware with it, with CMake and with plain make.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use tband_tests::counts::{compare_application, counts_of};
use tband_tests::library::work;
use tband_tests::without_rust::WithoutRust;
use tband_tests::{finish, root, run, temp_dir, write};
use xtask::board::{Board, run_firmware};
use xtask::demo::{Backend, to_perfetto};
use xtask::dist::{self, Package};
use xtask::sdk::{self, Sdk};
use xtask::{kernel, rust_target};

/// The archive of the SDK, made on first use.
fn sdk() -> &'static Path {
    static SDK: OnceLock<PathBuf> = OnceLock::new();
    SDK.get_or_init(|| {
        Sdk::build(root(), &work(), dist::FIRMWARE_TARGETS)
            .and_then(|sdk| sdk.archive(&work()))
            .unwrap_or_else(|error| panic!("{error:#}"))
    })
}

/// The program with the SDK in it, made on first use: probes, which the released one has, take five minutes of a processor.
/// Looked for again, its last package would be compiled again if another test has built a program with other contents.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        dist::program_with_sdk(root(), sdk()).unwrap_or_else(|error| panic!("{error:#}"))
    })
}

/// The package, made on first use.
fn package() -> &'static Package {
    static PACKAGE: OnceLock<Package> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let folder = root().join("target/test-dist");
        dist::build(root(), &work(), &folder, dist::FIRMWARE_TARGETS, Some(program()))
            .unwrap_or_else(|error| panic!("{error:#}"))
    })
}

/// Unpacks the package into a folder; where it is then.
fn unpacked(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    run(Command::new("tar").arg("xzf").arg(&package().tarball).arg("-C").arg(folder));
    folder.join(format!("tband-{}", dist::VERSION))
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).unwrap_or_else(|_| panic!("{}", inside.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path);
            }
        }
    }
    files
}

fn kernel_path() -> PathBuf {
    kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"))
}

/// Runs the firmware and compares the recording with the firmware's own counts.
fn check_recording(elf: &Path, backend: Backend) {
    let folder = temp_dir();
    let trace = folder.path().join("trace.bin");
    let serial = (backend == Backend::Streaming).then_some(trace.as_path());
    run_firmware(Board::Mps2An386.emulator(), elf, folder.path(), serial)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let truth = fs::read(folder.path().join("truth.json")).expect("the firmware's own record");
    let truth: Value = serde_json::from_slice(&truth).expect("JSON");
    let counted = counts_of(&fs::read(&trace).expect("a recording"));
    compare_application(&truth, &counted);
    to_perfetto(&trace, &folder.path().join("trace.pftrace"))
        .unwrap_or_else(|error| panic!("{error:#}"));
    assert!(counted["events"].as_u64().is_some_and(|count| count > 1000));
}

#[test]
fn firmware_with_cmake_and_without_rust() {
    let machine = WithoutRust::new();
    let folder = temp_dir();
    // CMake takes folders with spaces.
    let package = unpacked(&folder.path().join("a folder"));
    let build = folder.path().join("build");
    run(machine
        .command("cmake")
        .args(["-G", "Unix Makefiles", "-DTBAND_PATH="])
        .arg("-S")
        .arg(root().join("examples/mps2-an386"))
        .arg("-B")
        .arg(&build)
        .arg(format!("-DCMAKE_PREFIX_PATH={}", package.display()))
        .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel_path().display()))
        .arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", Board::Mps2An386.toolchain(root()).display())));
    run(machine.command("cmake").arg("--build").arg(&build).args(["--parallel", "2"]));
    let linked = tband_tests::read(build.join("CMakeFiles/mps2-an386.dir/link.txt"));
    assert!(linked.contains("a folder/tband-"), "{linked}");
    check_recording(&build.join("mps2-an386.elf"), Backend::Streaming);
}

/// `make` for the example.
fn make(machine: &WithoutRust, package: &Path, build: &Path) -> Command {
    let mut make = machine.command("make");
    make.arg("-C").arg(root().join("examples/mps2-an386")).arg("-j2");
    make.arg(format!("TBAND={}", package.display()));
    make.arg(format!("FREERTOS={}", kernel_path().display()));
    make.arg(format!("BUILD={}", build.display()));
    make
}

#[test]
fn firmware_with_plain_make_and_without_rust() {
    let machine = WithoutRust::new();
    let folder = temp_dir();
    let package = unpacked(folder.path());
    for (backend, format) in [
        (Backend::Streaming, "packets"),
        (Backend::Snapshot, "packets"),
        (Backend::Streaming, "frames"),
    ] {
        let build = folder.path().join(format!("{}-{format}", backend.name()));
        let mut make = make(&machine, &package, &build);
        run(make.args([format!("BACKEND={}", backend.name()), format!("FORMAT={format}")]));
        check_recording(&build.join("mps2-an386.elf"), backend);
    }

    for (argument, text) in [
        ("TBAND=/not/there", "No tband package in TBAND (\"/not/there\")"),
        ("FREERTOS=", "No FreeRTOS kernel sources in FREERTOS (\"\")"),
        ("BACKEND=no", "pass BACKEND=streaming or BACKEND=snapshot"),
        ("FORMAT=no", "pass FORMAT=packets or FORMAT=frames"),
    ] {
        let finished = finish(make(&machine, &package, folder.path()).arg(argument));
        assert!(!finished.ok && finished.stderr.contains(text), "{}", finished.stderr);
    }
}

#[test]
fn reports_a_missing_compiler() {
    let machine = WithoutRust::without(|name| name.starts_with("arm-none-eabi-"));
    let folder = temp_dir();
    let package = unpacked(folder.path());
    let built = finish(&mut make(&machine, &package, &folder.path().join("build")));
    assert!(!built.ok);
    let output = "tband: the compiler in CC, \"arm-none-eabi-gcc\", does not run";
    assert!(built.stderr.contains(output), "{}", built.stderr);

    let configured = finish(
        machine
            .command("cmake")
            .arg("-S")
            .arg(root().join("examples/bare-metal"))
            .arg("-B")
            .arg(folder.path().join("cmake"))
            .arg("-DTBAND_PATH=")
            .arg(format!("-DCMAKE_PREFIX_PATH={}", package.display()))
            .arg(format!(
                "-DCMAKE_TOOLCHAIN_FILE={}",
                Board::BareMetal.toolchain(root()).display()
            )),
    );
    assert!(!configured.ok);
    let output = configured.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.contains("arm-none-eabi-gcc is not a full path and was not found"), "{output}");
}

#[test]
fn reports_a_target_without_a_library() {
    let folder = temp_dir();
    let package = unpacked(folder.path());
    write(
        folder.path().join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.20)\nproject(user LANGUAGES C)\n\
         add_library(tband_config INTERFACE)\nfind_package(tband REQUIRED)\n",
    );
    let configured = finish(
        WithoutRust::new()
            .command("cmake")
            .arg("-S")
            .arg(folder.path())
            .arg("-B")
            .arg(folder.path().join("build"))
            .args(["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc"])
            .arg("-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
            .arg("-DCMAKE_C_FLAGS=-march=rv32im -mabi=ilp32")
            .arg(format!("-DCMAKE_PREFIX_PATH={}", package.display())),
    );
    assert!(!configured.ok);
    let output = configured.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut libraries = dist::FIRMWARE_TARGETS.to_vec();
    libraries.sort_unstable();
    for text in [
        "has no library for riscv32im-unknown-none-elf",
        "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32",
        &format!("It has libraries for: {}", libraries.join(" ")),
        "add_subdirectory",
        "https://rustup.rs",
        "-DTBAND_LIBRARY=/path/to/libtband.a",
    ] {
        assert!(output.contains(text), "no “{text}” in {output}");
    }
}

#[test]
fn reports_a_rust_target_that_cannot_be_added() {
    let folder = temp_dir();
    let rustup = folder.path().join("rustup");
    write(
        &rustup,
        "#!/bin/sh\n[ \"$2\" = list ] && echo thumbv6m-none-eabi && exit 0\n\
         echo 'error: could not download file' >&2\nexit 1\n",
    );
    fs::set_permissions(&rustup, fs::Permissions::from_mode(0o755)).expect("made executable");
    rust_target::add_target(&rustup, root(), "thumbv6m-none-eabi").expect("it is there");
    let error =
        rust_target::add_target(&rustup, root(), "thumbv7m-none-eabi").expect_err("it is not");
    let output = format!("{error:#}");
    for text in [
        "the Rust target thumbv7m-none-eabi is missing and could not be added",
        "Add it with: rustup target add thumbv7m-none-eabi",
        "error: could not download file",
    ] {
        assert!(output.contains(text), "no “{text}” in {output}");
    }
}

#[test]
fn the_released_program_compiles() {
    dist::check_released(root()).unwrap_or_else(|error| panic!("{error:#}"));
}

/// Parts that take long to build can be left out, each separately.
#[test]
fn the_program_compiles_without_its_heavy_packages() {
    let none = ["--no-default-features"];
    let tables = ["--no-default-features", "--features", "parquet"];
    for features in [&none[..], &tables] {
        dist::check_with(root(), features).unwrap_or_else(|error| panic!("{error:#}"));
    }
}

/// The program, with its engine for SQL and the SDK, is one that a user downloads without a thought.
#[test]
fn the_program_is_small() {
    const MOST: u64 = 23_000_000;
    const MOST_OF_SDK: u64 = 3_000_000;
    let program = program();
    let size = |path: &Path| fs::metadata(path).expect("a file").len();
    let (bytes, of_sdk) = (size(program), size(sdk()));
    println!("{bytes} bytes, {of_sdk} of them for the SDK");
    assert!((1_000_000..MOST).contains(&bytes), "{}: {bytes} bytes", program.display());
    assert!(of_sdk < MOST_OF_SDK, "{}: {of_sdk} bytes", sdk().display());
    // Some symbols have other names each time that they are compiled.
    let symbols = run(Command::new("nm").arg(program));
    assert!(symbols.is_empty(), "{} has symbols", program.display());
}

/// `tband-cli sdk` writes the package that it is in, byte for byte. So does a program that got its SDK from the package.
#[test]
fn the_program_contains_the_package() {
    let folder = temp_dir();
    let path = |name: &str| folder.path().join(name);
    let mut write = Command::new(program());
    run(write.arg("sdk").arg("--out").arg(path("sdk")).arg("--tar").arg(path("sdk.tar.gz")));
    let package = unpacked(folder.path());
    let relative = |root: &Path| -> BTreeSet<PathBuf> {
        files(root).iter().map(|path| path.strip_prefix(root).expect("inside").into()).collect()
    };
    assert_eq!(relative(&path("sdk")), relative(&package));
    for name in relative(&package) {
        let content = |root: &Path| fs::read(root.join(&name)).expect("a file");
        assert!(content(&path("sdk")) == content(&package), "{}", name.display());
    }
    let tarball = &self::package().tarball;
    assert!(
        fs::read(path("sdk.tar.gz")).expect("an archive") == fs::read(tarball).expect("a package")
    );
    let again = sdk::of_package(tarball, folder.path()).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(fs::read(again).expect("an archive") == fs::read(sdk()).expect("an archive"));
}

#[test]
fn everything_is_in_it() {
    let folder = temp_dir();
    let package = unpacked(folder.path());
    let relative = |root: &Path| -> BTreeSet<PathBuf> {
        files(root).iter().map(|path| path.strip_prefix(root).expect("inside").into()).collect()
    };
    for (part, source) in [
        ("include", "include"),
        ("port", "port"),
        ("freertos-hooks", "freertos-hooks"),
        ("guide", "docs/src"),
        ("examples/hello", "examples/hello"),
    ] {
        let mut expected = relative(&root().join(source));
        expected.retain(|path| !path.starts_with("pictures/dark"));
        assert_eq!(relative(&package.join(part)), expected, "{part}");
    }
    // Pages name no picture that is missing.
    for page in files(&package.join("guide"))
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "md"))
    {
        assert!(!tband_tests::read(page).contains("pictures/dark"), "{}", page.display());
    }
    let others = relative(&package);
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "tband.mk"] {
        assert!(others.contains(Path::new(file)), "{file}");
    }
    for (file, source) in [
        ("licenses/libtband.txt", "licenses/libtband.txt"),
        ("licenses/tband-cli.txt", "host-cli/NOTICES.txt"),
        ("licenses/web.txt", "licenses/web.txt"),
    ] {
        let (notices, source) = (package.join(file), root().join(source));
        assert_eq!(tband_tests::read(notices), tband_tests::read(source), "{file}");
    }
    for file in ["pkgconfig/tband.pc", "bin/tband-cli"] {
        assert!(others.contains(Path::new(file)), "{file}");
    }
    // For PlatformIO, ESP-IDF and Zephyr, which look for them there.
    for file in [
        "library.json",
        "cmake/platformio.py",
        "esp-idf/tband/CMakeLists.txt",
        "esp-idf/tband/idf_component.yml",
        "zephyr/module.yml",
        "zephyr/tband_zephyr.c",
    ] {
        assert!(others.contains(Path::new(file)), "{file}");
    }
    let readme = tband_tests::read(package.join("README.md"));
    let host = rust_target::host_target().unwrap_or_else(|error| panic!("{error:#}"));
    for triple in dist::FIRMWARE_TARGETS {
        assert!(readme.contains(&format!("`{triple}`")), "the README does not name {triple}");
    }
    let mut libraries: BTreeSet<_> = dist::FIRMWARE_TARGETS.iter().copied().collect();
    libraries.insert(&host);
    let of =
        |triple: &&str| ["libtband.a", "libtband_flux.a"].map(|name| Path::new(triple).join(name));
    let expected: BTreeSet<_> = libraries.iter().flat_map(of).collect();
    assert_eq!(relative(&package.join("lib")), expected);
}

/// From unpacking to a trace, with the commands that are first in the package's README.
#[test]
fn the_readme_leads_to_a_trace() {
    let machine = WithoutRust::new();
    let folder = temp_dir();
    let package = unpacked(folder.path());
    let readme = tband_tests::read(package.join("README.md"));
    let commands = dist::readme_block(&readme, "See a trace now", "sh").expect("commands");
    for command in commands.lines() {
        run(machine.command("sh").args(["-c", command]).current_dir(&package));
    }
    let recording = fs::read(package.join("hello.bin")).expect("a recording");
    let lines = tband_tests::events::lines(&recording);
    for (text, count) in [("isr_enter", 200), ("valmarker valmarker_id", 200), ("marker_begin", 20)]
    {
        assert_eq!(lines.iter().filter(|line| line.contains(text)).count(), count, "{text}");
    }
    let trace = fs::read(package.join("hello.pftrace")).expect("a trace");
    assert!(trace.len() > 1000, "{} bytes", trace.len());
}

/// The example in both languages, by make and by CMake: the same events.
#[test]
fn the_example_in_c_and_cxx_with_make_and_cmake() {
    let machine = WithoutRust::new();
    let folder = temp_dir();
    let package = unpacked(&folder.path().join("a folder"));
    let example = package.join("examples/hello");
    let events = |program: &Path| -> Vec<String> {
        let out = temp_dir();
        run(Command::new(program).current_dir(out.path()));
        let recording = fs::read(out.path().join("hello.bin")).expect("a recording");
        let lines = tband_tests::events::lines(&recording);
        // Without their times.
        lines.iter().filter_map(|line| Some(line.split_once(' ')?.1.to_owned())).collect()
    };
    let mut all = Vec::new();
    for (language, cmake_language) in [("c", "C"), ("cpp", "CXX")] {
        let made = example.join(format!("made-{language}"));
        let mut make = machine.command("make");
        make.arg("-C").arg(&example).arg(format!("LANGUAGE={language}"));
        run(make.arg(format!("BUILD=made-{language}")));
        all.push(events(&made.join("hello")));
        let build = folder.path().join(cmake_language);
        let mut cmake = machine.command("cmake");
        cmake.arg("-S").arg(&example).arg("-B").arg(&build);
        run(cmake.arg(format!("-DLANGUAGE={cmake_language}")));
        run(machine.command("cmake").arg("--build").arg(&build));
        all.push(events(&build.join("hello")));
    }
    // Each has a unique identity.
    for events in &mut all {
        let len = events.len();
        events.retain(|event| !event.starts_with("build_id id=\"@"));
        assert_eq!(events.len() + 1, len);
    }
    assert!(all[0].len() > 440, "{:?}", all[0]);
    assert!(all.iter().all(|events| *events == all[0]));
}

#[test]
fn no_folder_of_this_machine_is_in_it() {
    let folder = temp_dir();
    let home = std::env::var("HOME").expect("a home");
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]));
    let sysroot = String::from_utf8(sysroot).expect("text");
    let places = [root().to_str().expect("text"), &home, sysroot.trim_end()];
    for file in files(&unpacked(folder.path())) {
        let bytes = fs::read(&file).expect("a file");
        for place in places.iter().filter(|place| place.len() > 1) {
            // Not what only begins as it does: `/root_memory.rs` of a package is not in `/root`.
            let ends = |rest: &[u8]| {
                !matches!(rest.first(), Some(b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
            };
            let place = place.as_bytes();
            let found = bytes.windows(place.len()).enumerate().any(|(at, part)| {
                part == place && ends(bytes.get(at + place.len()..).unwrap_or_default())
            });
            assert!(!found, "{} names {}", file.display(), String::from_utf8_lossy(place));
        }
    }
}

/// Copies what the package is made from.
fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("copied");
        } else if name != "target" && name != ".git" {
            copy_sources(&path, &to.join(name));
        }
    }
}

#[test]
fn the_same_sources_elsewhere_give_the_same_bytes() {
    let folder = temp_dir();
    let sources = folder.path().join("the sources");
    copy_sources(root(), &sources);
    // What could differ is the same for all targets: paths, times, order.
    let targets = ["thumbv7em-none-eabihf"];
    let build = |sources: &Path, work: &Path, out: &str| {
        let package = dist::build(sources, work, &folder.path().join(out), &targets, None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        fs::read(&package.tarball).expect("a tarball")
    };
    // Where the package was made, so that its libraries need not be made again.
    let package = package();
    let first = build(root(), &work(), "first");
    let second = build(&sources, &folder.path().join("work"), "second");
    assert!(first == second, "{} and {} bytes", first.len(), second.len());
    println!("{}: {} bytes without tband-cli", package.tarball.display(), first.len());
    for (triple, library) in &package.libraries {
        println!("{triple}: {} bytes", fs::metadata(library).expect("a library").len());
    }
}
