//! Removal after failures, and files that cannot be written down or replaced.

use std::fs;
use std::process::Stdio;

use crate::{MAIN, assert_same, cli, put, sdk, with_cmake};

#[test]
fn a_file_that_cannot_be_read_stops_the_removal() {
    for name in ["src/main.c", "tband/include/tband.h"] {
        let project = with_cmake();
        project.apply(&[], 0);
        fs::remove_file(project.path(name)).unwrap();
        fs::create_dir(project.path(name)).unwrap();
        let before = project.files();
        let printed = project.remove(2).stderr;
        assert!(printed.contains(&format!("{name}: nothing is changed")), "{printed}");
        assert_same(&before, &project.files());
    }
}

#[test]
fn a_file_that_is_gone_stays_in_the_record() {
    let project = with_cmake();
    let before = project.files();
    project.apply(&[], 0);
    fs::rename(project.path("src/main.c"), project.path("src/moved.c")).unwrap();
    let printed = project.remove(1).stderr;
    assert!(
        printed.contains("src/main.c is gone and is not restored: tband/tband-init.json"),
        "{printed}"
    );
    fs::rename(project.path("src/moved.c"), project.path("src/main.c")).unwrap();
    project.remove(0);
    assert_same(&before, &project.files());
}

#[test]
fn an_end_in_the_middle_is_undone() {
    let project = with_cmake();
    let before = project.files();
    project.apply(&[], 0);
    // As if only the record and some files had been written.
    project.put("src/main.c", MAIN);
    fs::remove_file(project.path("tband/include/tband.h")).unwrap();
    for name in [".tband-Xy1.part", "src/.tband-aB2.part", "tband/.tband-3.part"] {
        project.put(name, "x");
    }
    project.remove(0);
    assert_same(&before, &project.files());
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_restored_are_left_to_the_user() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use crate::{CONFIG, LISTS, Project};
    let with_main = |name: &[u8]| {
        let project = Project::of(&[("CMakeLists.txt", LISTS), ("FreeRTOSConfig.h", CONFIG)]);
        put(&project.path.join("src").join(OsStr::from_bytes(name)), MAIN.as_bytes());
        project
    };
    // Not in UTF-8. `cycle` needs names in UTF-8.
    let project = with_main(b"m\xe4in.c");
    let main = project.path.join("src").join(OsStr::from_bytes(b"m\xe4in.c"));
    let printed = project.apply(&[], 1).stderr;
    assert!(printed.contains("has a name that is not in UTF-8: change it by hand"), "{printed}");
    project.remove(0);
    assert_eq!(fs::read_to_string(main).unwrap(), MAIN);
    // Another name of the same file would not be changed.
    let project = with_main(b"main.c");
    fs::hard_link(project.path("src/main.c"), project.path("src/same.txt")).unwrap();
    project.cycle(&[], 1, |project, printed| {
        assert!(printed.contains("src/main.c has several names (hard links)"), "{printed}");
        assert_eq!(project.text("src/main.c"), MAIN);
    });
    // A backslash is part of a name.
    with_main(b"ma\\in.c").cycle(&[], 0, |_, printed| {
        assert!(printed.contains("changed     src/ma\\in.c"), "{printed}");
    });
}

#[cfg(unix)]
#[test]
fn the_owner_of_a_changed_file_stays() {
    use std::os::unix::fs::{MetadataExt, chown};
    let project = with_cmake();
    // Only root may give files away.
    if chown(project.path("src/main.c"), Some(1234), Some(1235)).is_err() {
        return;
    }
    let owner = || {
        let meta = fs::metadata(project.path("src/main.c")).unwrap();
        (meta.uid(), meta.gid())
    };
    project.cycle(&[], 0, |_, _| assert_eq!(owner(), (1234, 1235)));
    assert_eq!(owner(), (1234, 1235));
}

#[test]
fn an_update_that_is_ended_is_repeated_or_undone() {
    // As if the second run had been ended after its record.
    let ended = || {
        let project = with_cmake();
        let before = project.files();
        project.apply(&[], 0);
        let first = project.files();
        project.apply(&["--cpu", "cortex-m7f"], 0);
        for (name, content) in first.iter().filter(|(name, _)| !name.ends_with('/')) {
            if name != "tband/tband-init.json" {
                put(&project.path(name), content);
            }
        }
        (project, before)
    };
    let (project, before) = ended();
    project.remove(0);
    assert_same(&before, &project.files());
    let (project, before) = ended();
    project.apply(&["--cpu", "cortex-m7f"], 0);
    assert!(!project.path("tband/port/GCC_ARM_CM4F_FREERTOS/tband_port.h").exists());
    project.remove(0);
    assert_same(&before, &project.files());
}

#[test]
fn a_program_that_is_killed_is_undone() {
    for count in [0, 1, 2, 20, 100] {
        let project = with_cmake();
        let before = project.files();
        let mut command = cli(&["init", "--apply", "--sdk", sdk().to_str().unwrap()]);
        let command = command.arg(&project.path).stdout(Stdio::null()).stderr(Stdio::null());
        let mut program = tband_programs::start(command).unwrap();
        // All of it may be written before it is killed: that is undone too.
        let count_files = || {
            let (mut found, mut folders) = (0, vec![project.path("tband")]);
            while let Some(folder) = folders.pop() {
                for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                    let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
                    if is_folder { folders.push(entry.path()) } else { found += 1 }
                }
            }
            found
        };
        let is_begun = || project.path("tband").exists() && count_files() >= count;
        while !is_begun() && program.try_wait().unwrap().is_none() {}
        // This kills it.
        drop(program);
        project.remove(0);
        assert_same(&before, &project.files());
    }
}

#[test]
fn a_folder_without_its_record_is_used_and_removed() {
    // As if the first run had been ended before it had written the record.
    let folders = |names: &[&str]| {
        let project = with_cmake();
        let before = project.files();
        names.iter().for_each(|it| fs::create_dir_all(project.path(it)).unwrap());
        (project, before)
    };
    for (dir, names, part) in [
        ("tband", &["tband"][..], None),
        ("tband", &["tband"], Some("tband/.tband-Xy1.part")),
        ("lib/tband", &["lib/tband"], None),
        ("lib/tband", &["lib"], None),
    ] {
        for is_repeated in [false, true] {
            let (project, before) = folders(names);
            part.iter().for_each(|it| project.put(it, "x"));
            if is_repeated {
                project.apply(&["--dir", dir], 0);
            }
            project.remove_from(&["--dir", dir], 0);
            assert_same(&before, &project.files());
        }
    }
    // A folder with a file is the user's.
    let (project, _) = folders(&["tband"]);
    project.put("tband/notes.txt", "x");
    assert!(project.remove(2).stderr.contains("nothing to remove"));
    project.apply(&[], 0);
    project.remove(0);
    assert_eq!(project.text("tband/notes.txt"), "x");
}

#[cfg(unix)]
#[test]
fn unreadable_and_large_files_are_named() {
    use std::os::unix::fs::symlink;
    let project = with_cmake();
    symlink("loop.c", project.path("loop.c")).unwrap();
    let printed = project.refused(&[]);
    assert!(
        printed.contains("loop.c: make it readable") && printed.contains("cannot read"),
        "{printed}"
    );
    // A link without a target is none.
    let project = with_cmake();
    symlink("nothing.c", project.path("link.c")).unwrap();
    project.cycle(&[], 0, |_, _| {});
    let project = with_cmake();
    project.put("src/data.c", &"/* */\n".repeat(800_000));
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("src/data.c is too large, and was not examined"), "{printed}");
    });
}

#[cfg(unix)]
#[test]
fn a_link_to_another_file_of_the_project_is_the_same_file() {
    use std::os::unix::fs::symlink;
    let project = with_cmake();
    project.put("a.txt", "");
    symlink("src/main.c", project.path("main.c")).unwrap();
    fs::create_dir(project.path("config")).unwrap();
    symlink("../FreeRTOSConfig.h", project.path("config/FreeRTOSConfig.h")).unwrap();
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("changed     src/main.c"), "{printed}");
    });
}

#[test]
fn a_lone_carriage_return_ends_no_line_of_a_patch() {
    let project = with_cmake();
    project.put("src/main.c", &format!("/* a\rb */\n{MAIN}"));
    let patch = String::from_utf8(project.init(&[]).stdout).unwrap();
    assert!(patch.contains("\n /* a\rb */\n"), "{patch}");
    assert!(!patch.contains("\n b */"), "{patch}");
}

#[test]
fn a_folder_of_a_build_or_of_the_kernel_is_a_project() {
    let project = with_cmake();
    project.put("CMakeCache.txt", "");
    project.cycle(&[], 0, |_, _| {});
    let project = with_cmake();
    project.put("tasks.c", "");
    project.put("include/task.h", crate::TASK_H);
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("FreeRTOS V10.3.1"), "{printed}");
    });
}
