//! What set-up takes for libclang. Each test makes a place that holds something else under such a name.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tband_programs::output;

/// A folder that libclang is looked for in, and nowhere else.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in files {
            fs::write(folder.join(name), bytes).unwrap();
        }
        Self(folder)
    }

    fn setup(&self, args: &[&str]) -> Output {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        output(xtask.arg("setup").args(args).env("LIBCLANG_PATH", &self.0)).unwrap()
    }

    #[track_caller]
    fn has_none(&self) {
        let checked = self.setup(&["--check"]);
        assert!(checked.status.success(), "{checked:?}");
        let packages = String::from_utf8(checked.stdout).unwrap();
        assert!(packages.lines().any(|line| line == "libclang-dev"), "{packages:?}");
        // No package would help, so none is installed.
        let ran = self.setup(&[]);
        let printed = String::from_utf8(ran.stderr).unwrap();
        let expected = format!("LIBCLANG_PATH is {}", self.0.display());
        assert!(!ran.status.success() && printed.contains(&expected), "{printed}");
    }
}

/// A shared library for this machine.
fn library() -> Vec<u8> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let libc = maps
        .lines()
        .find_map(|line| line.find("/").map(|at| &line[at..]).filter(|it| it.contains("libc.so")));
    fs::read(libc.expect("a C library")).unwrap()
}

#[test]
fn the_cpp_library_is_another() {
    Place::new("cpp-only", &[("libclang-cpp.so.14", &library())]).has_none();
}

#[test]
fn a_library_of_the_name_that_is_another_is_not_taken() {
    Place::new("another", &[("libclang.so", &library())]).has_none();
}

#[test]
fn a_file_that_cannot_be_loaded_is_not_taken() {
    let head = library()[..64].to_vec();
    Place::new("broken", &[("libclang.so", &head), ("libclang-14.so", b"text")]).has_none();
}
