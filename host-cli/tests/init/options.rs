//! Options and folders that are refused.

use crate::{LOOP, Project, cli, finish, with_cmake};

#[test]
fn folders_that_separate_in_build_files() {
    for dir in ["a#b", "a$b", "a:b", "a\"b", "a'b", "a;b", "a%b", "a\\b"] {
        // There it separates folders.
        if cfg!(windows) && dir.contains('\\') {
            continue;
        }
        let printed = with_cmake().refused(&["--dir", dir]);
        assert!(printed.contains("--dir"), "{printed}");
    }
}

#[test]
fn a_counter_of_several_lines() {
    let make = "CFLAGS = -mcpu=cortex-m3\nSRCS = main.c\nLDLIBS = -lc\n";
    let project = Project::of(&[("Makefile", make), ("main.c", LOOP)]);
    assert!(project.refused(&["--clock", "8M", "--counter", "a\nb"]).contains("in one line"));
}

#[test]
fn names_that_are_no_folder() {
    let project = with_cmake();
    for (name, message) in [("none", "cannot read "), ("CMakeLists.txt", "is not a folder")] {
        let printed = finish(cli(&["init"]).arg(project.path(name))).stderr;
        assert!(printed.contains(message), "{printed}");
    }
}
