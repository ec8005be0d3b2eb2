//! CPUs that no library is possible for: make and PlatformIO give the reason for each, and name another recorder. The tests of CMake
//! do the same for it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use tband_tests::{finish, read, root, temp_dir, write};

use crate::platformio::script;

/// Name, reason and a macro of the compiler for each CPU.
fn cpus() -> Vec<(String, String, String)> {
    let header = read(root().join("port/tband_architecture.h"));
    let list = read(root().join("cmake/without_library.txt"));
    let cpus = list.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (name, reason) = line.split_once(' ').expect("a reason");
        let (before, _) =
            header.split_once(&format!("#define TBAND_NAME_BASE {name}\n")).expect("a definition");
        let condition = before.lines().last().expect("a condition");
        let (_, rest) = condition.split_once("defined(").expect("a macro");
        let (its_macro, _) = rest.split_once(')').expect("a macro");
        (name.to_owned(), reason.to_owned(), its_macro.to_owned())
    });
    cpus.collect()
}

/// A compiler whose preprocessor has only these macros.
fn compiler(folder: &Path, macros: &str) {
    let file = folder.join("macros.txt");
    write(&file, macros);
    let path = folder.join("cc-of-cpu");
    write(&path, format!("#!/bin/sh\nexec cc -undef -imacros '{}' \"$@\"\n", file.display()));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
}

#[test]
fn make_and_platformio_name_another_recorder() {
    let folder = temp_dir();
    let package = folder.path();
    for name in ["include", "port", "freertos-hooks", "cmake"] {
        symlink(root().join(name), package.join(name)).expect("a link");
    }
    fs::copy(root().join("cmake/tband.mk"), package.join("tband.mk")).expect("copied");
    write(package.join("lib/thumbv7m-none-eabi/libtband.a"), "");
    write(package.join("config/tband_config.h"), "#define tband_configENABLE 1\n");
    write(
        package.join("Makefile"),
        "CC := ./cc-of-cpu\nTBAND_CONFIG := config\ninclude tband.mk\nall:\n\techo $(TBAND_LIBRARY)\n",
    );
    let cpus = cpus();
    assert!(cpus.len() > 10, "{cpus:?}");
    let big = "#define __BYTE_ORDER__ 4321\n#define __ORDER_BIG_ENDIAN__ 4321\n";
    for (name, reason, its_macro) in &cpus {
        // Some of them have both byte orders.
        for order in ["", big] {
            compiler(package, &format!("#define {its_macro} 1\n{order}"));
            let made = finish(Command::new("make").current_dir(package));
            let scripted = script(package, "", &["./cc-of-cpu"]);
            for finished in [made, scripted] {
                // make breaks no lines, but each build system joins its own.
                let text = finished.text().split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(!finished.ok, "{name}: {text}");
                for part in [
                    "there is no library for",
                    reason.as_str(),
                    "Tonbandgeraet's library, which is portable C",
                    "docs/src/guide/start/tonbandgeraet.md",
                ] {
                    assert!(text.contains(part), "{name}, {part}: {text}");
                }
            }
        }
    }
    // A CPU that a library is possible for gets the list of those that are there.
    compiler(package, "#define __sparc__ 1\n");
    let made = finish(Command::new("make").current_dir(package)).text();
    assert!(made.contains("no library for sparc") && made.contains("thumbv7m"), "{made}");
}
