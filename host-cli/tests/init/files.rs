//! The user's files: nothing is lost, and everything is undone.

use std::fs;

use crate::{CONFIG, LISTS, MAIN, Project, TASK_H, assert_same, cli, finish, put, with_cmake};

#[test]
fn line_endings_and_open_ends_stay() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let open = |text: &str| text.trim_end().to_owned();
    // In Latin-1, which is no UTF-8.
    let project = Project::of(&[
        ("CMakeLists.txt", &open(&crlf(LISTS))),
        ("FreeRTOSConfig.h", &crlf(CONFIG)),
    ]);
    let main = [b"/* \xb5s \xff */\r\n", crlf(MAIN).as_bytes()].concat();
    put(&project.path("src/main.c"), &main);
    project.cycle(&[], 0, |project, _| {
        for name in ["CMakeLists.txt", "FreeRTOSConfig.h", "src/main.c"] {
            let bytes = project.bytes(name);
            let count = |end: &[u8]| bytes.windows(end.len()).filter(|it| *it == end).count();
            assert_eq!(count(b"\n"), count(b"\r\n"), "{name}");
        }
        assert!(project.bytes("CMakeLists.txt").ends_with(b"tband::headers)"));
        assert!(project.bytes("src/main.c").starts_with(b"/* \xb5s \xff */\r\n#include"));
    });
    // A file in UTF-16 cannot be edited.
    let project = with_cmake();
    let wide: Vec<u8> = MAIN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    put(&project.path("src/main.c"), &[b"\xff\xfe", &wide[..]].concat());
    project
        .cycle(&[], 1, |_, printed| assert!(printed.contains("in your program: add"), "{printed}"));
}

/// A text with this word in place of `WORD`.
fn with_word(text: &str, word: &[u8]) -> Vec<u8> {
    text.split("WORD").map(str::as_bytes).collect::<Vec<_>>().join(word)
}

#[test]
fn words_in_any_encoding_stay() {
    let makefile = "CC = arm-none-eabi-gcc\nCFLAGS = -mcpu=cortex-m4\nSRCS = src/main.c\nOBJS = $(SRCS:.c=.o)\n\
        WORD.elf: $(OBJS)\n\t$(CC) $(CFLAGS) $(OBJS) -o WORD.elf -Wl,WORD\n%.o: %.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n";
    let lists = LISTS.replace("firmware", "WORD");
    let sections =
        "[common WORD]\nlib_deps = x\n[env:WORD]\nboard = nucleo_f446re\nextends = common WORD\n";
    let config = CONFIG.replace("FACILITY 0", "FACILITY 0 /* WORD */");
    let main = MAIN.replace("prepare();", "\"WORD\";");
    // UTF-8, Latin-1, GBK, and a byte that is a space in Latin-1 at the end.
    for word in ["größe".as_bytes(), b"gr\xf6\xdfe", b"\xc4\xe3\xba\xc3", "voilà".as_bytes()] {
        for (build, text, added) in [
            ("Makefile", makefile, "-o WORD.elf -Wl,WORD $(TBAND_LIBRARY)\n"),
            ("CMakeLists.txt", &lists, "target_link_libraries(WORD PRIVATE tband::tband)\n"),
            ("platformio.ini", sections, "lib_deps = ${common WORD.lib_deps} symlink://tband\n"),
        ] {
            for mark in [&b""[..], b"\xef\xbb\xbf"] {
                let project = Project::of(&[("include/task.h", TASK_H)]);
                let files = [(build, text), ("FreeRTOSConfig.h", &config), ("src/main.c", &main)];
                for (name, text) in files {
                    put(&project.path(name), &[mark, &with_word(text, word)].concat());
                }
                project.cycle(&[], 0, |project, _| {
                    for (name, text) in [
                        (build, added),
                        ("FreeRTOSConfig.h", "FACILITY 1 /* WORD */\n"),
                        ("src/main.c", "\"WORD\";\n"),
                    ] {
                        let (bytes, wanted) = (project.bytes(name), with_word(text, word));
                        let is_there = bytes.windows(wanted.len()).any(|it| it == wanted);
                        assert!(is_there, "{name}: {}", String::from_utf8_lossy(&bytes));
                        assert!(bytes.starts_with(mark), "{name}");
                    }
                });
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_source_is_read_once() {
    use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
    let project = with_cmake();
    // All that makes init look at a source again.
    let text =
        "#include <Arduino.h>\nextern uint32_t SystemCoreClock;\nint domain(void) { return 1; }\n";
    project.put("src/other.c", text);
    project.put("FreeRTOSConfig.h", &CONFIG.replace("#define configCPU_CLOCK_HZ 25000000\n", ""));
    put(&project.path("src/system.c"), b"uint32_t SystemCoreClock = 1;\n");
    let watch = inotify::init(CreateFlags::NONBLOCK).unwrap();
    inotify::add_watch(&watch, project.path("src"), WatchFlags::OPEN).unwrap();
    project.apply(&[], 0);
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut events = Reader::new(&watch, &mut buffer);
    let mut opened = Vec::new();
    while let Ok(event) = events.next() {
        opened.extend(event.file_name().map(|it| it.to_string_lossy().into_owned()));
    }
    let count = |name: &str| opened.iter().filter(|it| *it == name).count();
    assert_eq!((count("other.c"), count("system.c")), (1, 1), "{opened:?}");
}

#[cfg(unix)]
#[test]
fn the_patch_is_one_that_patch_applies() {
    for name in ["src/main.c", "a folder/main.c"] {
        let project =
            Project::of(&[("CMakeLists.txt", LISTS.trim_end()), ("FreeRTOSConfig.h", CONFIG)]);
        project.put(name, &MAIN.replace('\n', "\r\n"));
        let ran = project.init(&[]);
        put(&project.path("../init.patch"), &ran.stdout);
        let mut patch = std::process::Command::new("patch");
        patch.args(["--binary", "-p1", "-i", "../init.patch"]).current_dir(&project.path);
        let patched = finish(&mut patch);
        assert_eq!(patched.code, Some(0), "{}", String::from_utf8_lossy(&patched.stdout));
        let by_patch = project.files();
        let other =
            Project::of(&[("CMakeLists.txt", LISTS.trim_end()), ("FreeRTOSConfig.h", CONFIG)]);
        other.put(name, &MAIN.replace('\n', "\r\n"));
        other.apply(&[], 0);
        for file in ["CMakeLists.txt", "FreeRTOSConfig.h", name] {
            assert_eq!(by_patch[file], other.bytes(file), "{file}");
        }
        // Lines that are there are not added again, and not removed.
        let ran = project.apply(&[], 0);
        assert!(ran.stderr.contains("nothing to change"), "{}", ran.stderr);
        assert!(project.remove(0).stderr.contains("patch -R -p1"));
        assert_eq!(by_patch["CMakeLists.txt"], project.bytes("CMakeLists.txt"));
    }
}

#[test]
fn changed_files_are_kept() {
    let project = with_cmake();
    let before = project.files();
    project.apply(&[], 0);
    project.put("src/main.c", &project.text("src/main.c").replace("prepare", "begin"));
    project.put("tband-config/tband_config.h", "#define tband_configENABLE 1\n");
    let ran = project.apply(&[], 1);
    assert!(ran.stderr.contains("tband-config/tband_config.h is kept"), "{}", ran.stderr);
    let printed = project.remove(1).stderr;
    for name in ["src/main.c", "tband-config/tband_config.h"] {
        assert!(printed.contains(&format!("{name} is kept")), "{printed}");
        assert!(project.path(name).exists());
    }
    // The include and the start.
    assert!(
        printed.contains(
            "main.c is kept: it was changed since init. Take the lines of tband out by hand: 3, 7\n"
        ),
        "{printed}"
    );
    assert!(project.text("src/main.c").contains("begin();"));
    assert_eq!(project.text("CMakeLists.txt"), LISTS);
    assert!(!project.path("tband/include").exists());
    // Afterwards the rest is removed, too.
    project.put("src/main.c", MAIN);
    fs::remove_file(project.path("tband-config/tband_config.h")).unwrap();
    project.remove(0);
    assert_same(&before, &project.files());
    let ran = finish(cli(&["init", "--remove"]).arg(&project.path));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("nothing to remove"), "{}", ran.stderr);
}

#[test]
fn nothing_is_overwritten() {
    let project = with_cmake();
    project.put("tband/include/tband.h", "mine");
    assert!(project.refused(&[]).contains("exists and was not written by init"));
    project.cycle(&["--dir", "third party/rec"], 0, |_, _| {});
    // A folder in the place of a file, and a file in that of a folder.
    let project = with_cmake();
    fs::create_dir_all(project.path("tband/tband.mk/x")).unwrap();
    assert!(project.refused(&[]).contains("is in the way"));
    let project = with_cmake();
    project.put("tband", "");
    assert!(project.refused(&[]).contains("is in the way"));
    // A file of tband that was changed.
    let project = with_cmake();
    project.apply(&[], 0);
    project.put("tband/include/tband.h", "mine");
    assert!(project.refused(&[]).contains("was changed since init wrote it"));
}

#[test]
fn another_folder_of_the_project_holds_the_recorder() {
    let project = with_cmake();
    let before = project.files();
    project.apply(&["--dir", "third party/rec"], 0);
    let lists = project.text("CMakeLists.txt");
    for part in [
        "(tband_config INTERFACE \"${CMAKE_CURRENT_SOURCE_DIR}/third party/rec-config\")",
        "include(\"${CMAKE_CURRENT_SOURCE_DIR}/third party/rec/cmake/tband-config.cmake\")",
    ] {
        assert!(lists.contains(part), "{lists}");
    }
    project.remove_from(&["--dir", "third party/rec"], 0);
    assert_same(&before, &project.files());
    for dir in ["..", "../x", "/tmp/x", ".", ""] {
        assert!(project.refused(&["--dir", dir]).contains("--dir"), "{dir}");
    }
}

#[test]
fn other_options_update_what_is_unchanged() {
    let project = with_cmake();
    let before = project.files();
    project.apply(&[], 0);
    project.apply(&["--cpu", "cortex-m7f", "--clock", "216M"], 0);
    assert!(project.path("tband/port/GCC_ARM_CM7_FREERTOS").exists());
    assert!(!project.path("tband/port/GCC_ARM_CM4F_FREERTOS/tband_port.h").exists());
    assert!(project.text("tband-config/tband_port.h").contains("216000000"));
    project.remove(0);
    // Its empty folder stays: it was created by the first run.
    assert_same(&before, &project.files());
}

#[cfg(unix)]
#[test]
fn links_stay() {
    use std::os::unix::fs::symlink;
    let project = with_cmake();
    fs::create_dir(project.path("shared")).unwrap();
    fs::rename(project.path("FreeRTOSConfig.h"), project.path("shared/config.txt")).unwrap();
    symlink("shared/config.txt", project.path("FreeRTOSConfig.h")).unwrap();
    project.cycle(&[], 0, |project, _| {
        assert!(fs::symlink_metadata(project.path("FreeRTOSConfig.h")).unwrap().is_symlink());
        assert!(project.text("shared/config.txt").contains("tband.h"));
    });
    assert!(fs::symlink_metadata(project.path("FreeRTOSConfig.h")).unwrap().is_symlink());
    // A file outside of the project may be of other projects too.
    fs::rename(project.path("shared/config.txt"), project.path("../config.txt")).unwrap();
    fs::remove_file(project.path("FreeRTOSConfig.h")).unwrap();
    symlink("../config.txt", project.path("FreeRTOSConfig.h")).unwrap();
    project.cycle(&[], 1, |project, printed| {
        assert!(
            printed.contains("FreeRTOSConfig.h is a link to a file outside of the project"),
            "{printed}"
        );
        assert_eq!(project.text("../config.txt"), CONFIG);
    });
    // tband is not written through a link.
    symlink("..", project.path("tband")).unwrap();
    assert!(project.refused(&[]).contains("is a link: name another --dir"));
}

#[test]
fn a_read_only_file_is_reported_before_anything_is_written() {
    let project = with_cmake();
    let path = project.path("src/main.c");
    let usual = fs::metadata(&path).unwrap().permissions();
    let mut permissions = usual.clone();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    let printed = project.refused(&[]);
    assert!(printed.contains("main.c is read-only"), "{printed}");
    // To restore it is refused too.
    fs::set_permissions(&path, usual).unwrap();
    project.apply(&[], 0);
    let before = project.files();
    fs::set_permissions(&path, permissions).unwrap();
    let printed = project.remove(2).stderr;
    assert!(printed.contains("main.c is read-only"), "{printed}");
    assert_same(&before, &project.files());
}

#[cfg(unix)]
#[test]
fn permissions_of_changed_files_stay() {
    use std::os::unix::fs::PermissionsExt;
    let project = with_cmake();
    let mode = || fs::metadata(project.path("src/main.c")).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(project.path("src/main.c"), fs::Permissions::from_mode(0o751)).unwrap();
    project.cycle(&[], 0, |_, _| assert_eq!(mode(), 0o751));
    assert_eq!(mode(), 0o751);
}

#[test]
fn a_program_that_cannot_be_edited_is_described() {
    for main in [
        // A call in a condition, a function in one line, and no entry.
        "int main(void) {\n  if (ready())\n    vTaskStartScheduler();\n}\n",
        "int main(void) { if (1) vTaskStartScheduler(); }\n",
        "int start(void) {\n}\n",
    ] {
        let project = with_cmake();
        project.put("src/main.c", main);
        project.cycle(&[], 1, |project, printed| {
            assert!(
                printed.contains("add #include \"tband.h\", and (void)tband_trigger_snapshot();"),
                "{printed}"
            );
            assert_eq!(project.text("src/main.c"), main);
        });
    }
    // The program of CMake names its sources; this Makefile names none.
    let project = with_cmake();
    project.put("src/other.c", MAIN);
    project.cycle(&[], 0, |project, _| assert_eq!(project.text("src/other.c"), MAIN));
    let makefile = "CC = arm-none-eabi-gcc\nCFLAGS = -mcpu=cortex-m3\nSRCS = $(wildcard src/*.c)\nall: $(SRCS:.c=.o)\n\t$(CC) $(CFLAGS) $^ -o fw.elf\n";
    let project = Project::of(&[
        ("Makefile", makefile),
        ("FreeRTOSConfig.h", CONFIG),
        ("rtos/task.h", TASK_H),
        ("src/main.c", MAIN),
        ("src/other.c", MAIN),
    ]);
    project.cycle(&[], 1, |_, printed| assert!(printed.contains("in one of "), "{printed}"));
}

#[test]
fn a_damaged_record_is_reported() {
    let project = with_cmake();
    project.apply(&[], 0);
    for text in ["", "{", "{\"version\": 9}", "{\"version\": 1}"] {
        project.put("tband/tband-init.json", text);
        assert!(project.refused(&[]).contains("tband-init.json"), "{text}");
        assert!(project.remove(2).stderr.contains("tband-init.json"), "{text}");
    }
}

/// Sources include the header by the name of the link.
#[cfg(unix)]
#[test]
fn a_header_that_is_a_link_of_another_name_is_found() {
    use std::os::unix::fs::symlink;
    let project = with_cmake();
    fs::rename(project.path("FreeRTOSConfig.h"), project.path("board.h")).unwrap();
    symlink("board.h", project.path("FreeRTOSConfig.h")).unwrap();
    project.cycle(&[], 0, |project, _| {
        assert!(project.path("FreeRTOSConfig.h").is_symlink());
        assert!(project.text("board.h").contains("#include \"tband.h\"\n"));
    });
}

/// The survey does not follow links to folders, but the build does.
#[cfg(unix)]
#[test]
fn the_version_of_a_kernel_in_a_linked_folder_is_found() {
    let kernel = tempfile::tempdir().unwrap();
    put(&kernel.path().join("include/task.h"), TASK_H.as_bytes());
    put(&kernel.path().join("tasks.c"), b"");
    let make =
        "CFLAGS = -mcpu=cortex-m3 -Irtos/include\nSRCS = main.c rtos/tasks.c\nLDLIBS = -lc\n";
    let files = [("Makefile", make), ("main.c", MAIN), ("FreeRTOSConfig.h", CONFIG)];
    let project = Project::of(&files);
    std::os::unix::fs::symlink(kernel.path(), project.path("rtos")).unwrap();
    let printed = project.apply(&[], 0).stderr;
    assert!(printed.contains("FreeRTOS V10.3.1 (rtos/include/task.h)"), "{printed}");
    let config = project.text("tband-config/tband_config.h");
    assert!(config.contains("#define tband_configFREERTOS_VERSION 100301\n"), "{config}");
}

#[test]
fn a_mark_of_utf_8_stays_first() {
    let project = with_cmake();
    for (name, text) in [
        ("src/main.c", MAIN.split_once('\n').unwrap().1.split_once('\n').unwrap().1),
        ("FreeRTOSConfig.h", CONFIG),
        ("CMakeLists.txt", LISTS),
    ] {
        put(&project.path(name), &[b"\xef\xbb\xbf", text.as_bytes()].concat());
    }
    project.cycle(&[], 0, |project, _| {
        for name in ["src/main.c", "FreeRTOSConfig.h", "CMakeLists.txt"] {
            let bytes = project.bytes(name);
            assert_eq!(bytes.windows(3).position(|it| it == b"\xef\xbb\xbf"), Some(0), "{name}");
        }
        assert!(project.text("FreeRTOSConfig.h").ends_with("#endif /* FREERTOS_CONFIG_H */\n"));
    });
}
