//! Forms of the user's files: edited where the place is certain, otherwise left to the user.

use crate::builds::assert_has;
use crate::{CONFIG, LISTS, LOOP, MAIN, Project, TASK_H, put, with_cmake};

/// A project whose file has this text is left to the user: the file stays, and the message has these words.
#[track_caller]
fn assert_left_unchanged(project: &Project, file: &str, words: &str) {
    let before = project.text(file);
    project.cycle(&[], 1, |project, printed| {
        assert!(printed.contains(words), "{words} in {printed}");
        assert_eq!(project.text(file), before);
    });
}

#[track_caller]
fn with(file: &str, text: &str) -> Project {
    let project = with_cmake();
    project.put(file, text);
    project
}

#[test]
fn programs_whose_place_is_unclear() {
    for main in [
        // In a macro.
        "#define START() \\\n  prepare(); \\\n  vTaskStartScheduler()\nint main(void) {\n  START();\n}\n",
        // The body of a condition, after directives.
        "int main(void) {\n  if (ready())\n#ifdef A\n    log();\n#endif\n    vTaskStartScheduler();\n}\n",
        "int main(void) {\n  if (ready())\n#ifdef A\n#endif\n    vTaskStartScheduler();\n}\n",
        "int main(void) {\n#ifdef A\n  if (a())\n#else\n  if (b())\n#endif\n    vTaskStartScheduler();\n}\n",
        // Twice.
        "#if 0\nint main(void) {\n  vTaskStartScheduler();\n}\n#endif\nint main(void) {\n  vTaskStartScheduler();\n}\n",
        "int main(void) {\n#if A\n  osKernelStart();\n#else\n  vTaskStartScheduler();\n#endif\n}\n",
        "#if 0\nint main(void) {\n}\n#endif\nint main(void) {\n  vTaskStartScheduler();\n}\n",
    ] {
        assert_left_unchanged(
            &with("src/main.c", main),
            "src/main.c",
            "src/main.c: add #include \"tband.h\"",
        );
    }
    let main =
        MAIN.replace("  for (;;)", "  print(\"vTaskStartScheduler() returned\");\n  for (;;)");
    with("src/main.c", &main).cycle(&[], 0, |_, _| {});
    // Complete statements before directives.
    let main = "#include \"a.h\"\nint main(void) {\n#ifdef A\n  if (a())\n    b();\n#else\n  c();\n#endif\n  vTaskStartScheduler();\n}\n";
    with("src/main.c", main).cycle(&[], 0, |project, _| {
        let text = project.text("src/main.c");
        assert_has(&text, &["#endif\n  (void)tband_trigger_snapshot();\n  vTask"]);
    });
}

#[test]
fn the_end_of_a_loop_is_no_loop() {
    let main = LOOP.replace(
        "    while (1) {",
        "    do\n    {\n        wait();\n    }\n    while (1);\n    while (1) {",
    );
    let lists =
        "project(x C)\nset(CMAKE_C_FLAGS \"-mcpu=cortex-m3\")\nadd_executable(app main.c)\n";
    let project = Project::of(&[("CMakeLists.txt", lists), ("main.c", &main)]);
    project.cycle(&["--clock", "1M"], 0, |project, _| {
        let start = "    while (1);\n    (void)tband_trigger_snapshot();\n    while (1) {";
        assert_has(&project.text("main.c"), &[start]);
    });
}

#[test]
fn names_that_contain_that_of_tband() {
    let main = MAIN.replace("prepare()", "outband_start_link()");
    let project = with("src/main.c", &main);
    project.put("CMakeLists.txt", &LISTS.replace("src/main.c)", "src/main.c)\nset(OUTBAND 1)"));
    project.cycle(&[], 0, |project, _| {
        assert_has(&project.text("src/main.c"), &["tband_trigger_snapshot"]);
        assert_has(&project.text("CMakeLists.txt"), &["tband::tband"]);
    });
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

#[test]
fn configurations() {
    let facility = "#define configUSE_TRACE_FACILITY 0\n";
    let value = |text: &str| CONFIG.replace(facility, text);
    for (text, expected) in [
        (value("#define configUSE_TRACE_FACILITY (0x00UL)\n"), "FACILITY (0x01UL)\n"),
        (value("#define configUSE_TRACE_FACILITY pdFALSE\n"), "FACILITY pdTRUE\n"),
        (value("#define configUSE_TRACE_FACILITY 00\n"), "FACILITY 01\n"),
        // The first condition is no guard.
        (
            "#ifndef A\n#define A 1\n#endif\n#define configCPU_CLOCK_HZ 1\n#ifdef B\n#define C\n#endif\n".to_owned(),
            "#endif\n/* tband,",
        ),
        // The include is there: the macros are needed before it.
        (value(&format!("{facility}#include \"tband.h\"\n#define X 1\n")), "Handle 1\n#include \"tband.h\"\n#define X 1\n"),
    ] {
        with("FreeRTOSConfig.h", &text).cycle(&[], 0, |project, _| {
            assert_has(&project.text("FreeRTOSConfig.h"), &[expected]);
        });
    }
    for text in [
        "#define configUSE_TRACE_FACILITY (1-1)\n",
        "#define configUSE_TRACE_FACILITY \\\n  0\n",
        "#ifdef DEBUG\n#define configUSE_TRACE_FACILITY 0\n#endif\n",
        "#ifdef A\n#define configUSE_TRACE_FACILITY 0\n#else\n#define configUSE_TRACE_FACILITY 0x0\n#endif\n",
    ] {
        let project = with("FreeRTOSConfig.h", &value(text));
        assert_left_unchanged(&project, "FreeRTOSConfig.h", "set configUSE_TRACE_FACILITY to 1");
    }
    let text = value(&format!("{facility}#ifdef A\n#include \"tband.h\"\n#endif\n"));
    assert_left_unchanged(
        &with("FreeRTOSConfig.h", &text),
        "FreeRTOSConfig.h",
        "before tband.h is included add",
    );
    // In a header that it includes.
    let project = with("FreeRTOSConfig.h", &value("#include \"more.h\"\n"));
    project.put("more.h", "#define configUSE_TRACE_FACILITY 0x0\n");
    assert_left_unchanged(
        &project,
        "FreeRTOSConfig.h",
        "more.h:1: set configUSE_TRACE_FACILITY to 1",
    );
}

/// Kernels before V10.5 lack its handle unless the configuration demands it, and the build would stop.
#[test]
fn the_running_task_is_demanded() {
    let name = "#define INCLUDE_xTaskGetCurrentTaskHandle";
    let newer = TASK_H.replace("MINOR 3", "MINOR 5");
    for (version, line, count, value) in [
        (TASK_H, String::new(), 1, "1"),
        (TASK_H, "#define configUSE_MUTEXES 0\n".to_owned(), 1, "1"),
        (TASK_H, "#define configUSE_MUTEXES 1\n".to_owned(), 0, ""),
        (TASK_H, "#define configNUMBER_OF_CORES 2\n".to_owned(), 0, ""),
        (TASK_H, format!("{name} 1\n"), 1, "1"),
        ("", String::new(), 1, "1"),
        (&newer, String::new(), 0, ""),
        (&newer, format!("{name} 0\n"), 1, "1"),
    ] {
        let cpu = "#define configCPU";
        let project = with("FreeRTOSConfig.h", &CONFIG.replace(cpu, &format!("{line}{cpu}")));
        project.put("rtos/task.h", version);
        project.cycle(&[], 0, |project, _| {
            let text = project.text("FreeRTOSConfig.h");
            assert_eq!(text.matches(name).count(), count, "{text}");
            assert!(count == 0 || text.contains(&format!("{name} {value}\n")), "{text}");
        });
    }
}

#[test]
fn a_configuration_in_the_folder_of_the_kernel() {
    for place in ["rtos/FreeRTOSConfig.h", "rtos/include/FreeRTOSConfig.h", ""] {
        let project = Project::of(&[
            ("CMakeLists.txt", LISTS),
            ("src/main.c", MAIN),
            ("rtos/tasks.c", ""),
            ("rtos/include/task.h", TASK_H),
        ]);
        if place.is_empty() {
            let printed = project.refused(&["--clock", "1M"]);
            assert!(printed.contains("has no FreeRTOSConfig.h: name the folder"), "{printed}");
            continue;
        }
        project.put(place, CONFIG);
        project.cycle(&[], 0, |project, _| assert_has(&project.text(place), &["tband.h"]));
    }
}

#[test]
fn the_floating_point_abi_is_that_of_the_flags() {
    let flags = |flags: &str| LISTS.replace("-mcpu=cortex-m4 -mfloat-abi=hard", flags);
    let project = with("CMakeLists.txt", &flags("-mcpu=cortex-m4"));
    // The chip has registers for it; the compiler does not use them.
    project.put("board.ioc", "Mcu.UserName=STM32F407VGTx\n");
    project.cycle(&[], 0, |project, _| {
        assert!(project.path("tband/lib/thumbv7em-none-eabi/libtband.a").exists());
    });
    let project = with("CMakeLists.txt", &flags("-mcpu=cortex-m4 -mfloat-abi=soft"));
    project.put("other.cmake", "set(FLAGS -mfloat-abi=hard)\n");
    let printed = project.refused(&[]);
    assert!(printed.contains("add --cpu cortex-m4 or --cpu cortex-m4f"), "{printed}");
}

#[test]
fn several_includes_of_a_recorder_are_taken_out() {
    let line = "#include \"trcRecorder.h\"\n";
    let config =
        CONFIG.replace("\n#endif", &format!("\n#if 1\n{line}#else\n{line}#endif\n\n#endif"));
    with("FreeRTOSConfig.h", &config).cycle(&[], 0, |project, _| {
        assert!(!project.text("FreeRTOSConfig.h").contains("trcRecorder"));
    });
}

#[test]
fn lists_of_cmake() {
    // In a file that another folder includes.
    let project = with(
        "CMakeLists.txt",
        &LISTS.replace("add_executable(firmware src/main.c)", "include(cmake/app.cmake)"),
    );
    project.put("cmake/app.cmake", "add_executable(firmware src/main.c)\n");
    project.cycle(&[], 0, |project, _| {
        let place = "include(${CMAKE_CURRENT_LIST_DIR}/../tband/cmake/tband-config.cmake)";
        assert_has(&project.text("cmake/app.cmake"), &[place]);
    });
    // Comments in brackets, and quotation marks in strings.
    let text =
        format!("#[[ a comment\nadd_executable(other x.c)\n]]\nmessage(\"a \\\" ) b\")\n{LISTS}");
    with("CMakeLists.txt", &text).cycle(&[], 0, |project, _| {
        assert_has(&project.text("CMakeLists.txt"), &["(firmware PRIVATE tband::tband)"]);
    });
    // The text after return() is not read.
    for end in ["return()\n", "if(X)\n  return()\nendif()\n"] {
        with("CMakeLists.txt", &format!("{LISTS}{end}")).cycle(&[], 0, |project, _| {
            let text = project.text("CMakeLists.txt");
            assert!(text.contains("tband::tband)\n") && text.ends_with(end), "{text}");
        });
    }
    // The user's own tasks.c.
    let text = LISTS
        .replace("src/main.c)", "src/main.c src/tasks.c)")
        .replace("add_library(freertos_config INTERFACE)\n", "");
    let project = with("CMakeLists.txt", &text);
    project.put("src/tasks.c", "");
    project.cycle(&[], 0, |project, _| {
        let text = project.text("CMakeLists.txt");
        assert_has(&text, &["target_link_libraries(freertos_kernel tband::headers)"]);
        assert!(!text.contains("TBAND_FREERTOS_TARGET"), "{text}");
    });
    let text = text.replace("freertos_kernel", "other");
    let project = with("CMakeLists.txt", &text);
    project.put("src/tasks.c", "");
    assert_left_unchanged(
        &project,
        "CMakeLists.txt",
        "no target that compiles the kernel's tasks.c",
    );
}

#[test]
fn an_include_of_esp_idf_in_several_lines() {
    let lists = "cmake_minimum_required(VERSION 3.16)\ninclude(\n  $ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(x)\n";
    let files = [
        ("sdkconfig", "CONFIG_IDF_TARGET=\"esp32c3\"\n"),
        ("main/CMakeLists.txt", "idf_component_register(SRCS main.c)\n"),
        ("main/main.c", "#include <stdio.h>\nvoid app_main(void)\n{\n    run();\n}\n"),
    ];
    let project = Project::of(&files);
    project.put("CMakeLists.txt", lists);
    project.cycle(&["--cpu", "rv32imac"], 0, |project, _| {
        assert_has(&project.text("CMakeLists.txt"), &["tband-config\")\ninclude(\n  $ENV"]);
    });
    let project = Project::of(&files);
    project.put("CMakeLists.txt", &lists.replace(")\ninclude", ") include"));
    project.cycle(&["--cpu", "rv32imac"], 1, |_, printed| {
        assert_has(printed, &["CMakeLists.txt: before project.cmake is included add"]);
    });
}

#[test]
fn makefiles_whose_place_is_unclear() {
    let makefile = "CC = arm-none-eabi-gcc\nCFLAGS = -mcpu=cortex-m3\nSRCS = src/main.c\nOBJS = $(SRCS:.c=.o)\n\
                    app.elf: $(OBJS)\n\t$(CC) $(OBJS) -o $@\n%.o: %.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n";
    let project = |from: &str, to: &str| {
        assert!(makefile.contains(from));
        Project::of(&[
            ("Makefile", &makefile.replace(from, to)),
            ("src/main.c", MAIN),
            ("FreeRTOSConfig.h", CONFIG),
            ("task.h", TASK_H),
        ])
    };
    project("", "").cycle(&[], 0, |_, _| {});
    for (from, to) in [
        ("$(SRCS:.c=.o)", "$(patsubst src/%.c,build/%.o,$(SRCS))"),
        ("$(SRCS:.c=.o)", "$(SRCS:src/%.c=build/%.o)"),
        ("%.o: %.c", "build/%.o: src/%.c"),
        (
            "SRCS = src/main.c\nOBJS = $(SRCS:.c=.o)",
            "SRC = src\nOBJS = $(patsubst $(SRC)/%.c,%.o,$(wildcard $(SRC)/*.c))",
        ),
        ("-o $@\n%.o", "-o $@ && size $@\n%.o"),
        ("-o $@\n%.o", "-o $@; size $@\n%.o"),
        ("-o $@\n%.o", "-o $@ > log\n%.o"),
        ("-o $@\n%.o", "-o $@ # link\n%.o"),
    ] {
        assert_left_unchanged(
            &project(from, to),
            "Makefile",
            "link $(TBAND_LIBRARY) after the objects",
        );
    }
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
fn options_of_platformio_that_are_inherited() {
    let project = |text: &str| Project::of(&[("platformio.ini", text), ("src/main.c", LOOP)]);
    let env = "[env:a]\nboard = nucleo_f401re\nplatform = ststm32\n";
    let common = "[common]\nlib_deps = x\n";
    for (text, expected) in [
        (
            format!("{common}\n{env}extends = common\n"),
            "lib_deps = ${common.lib_deps} symlink://tband\nbuild_flags = -Itband-config\n",
        ),
        (
            format!("{common}\n[env]\nbuild_flags = -O2\n\n{env}"),
            "lib_deps = symlink://tband\nbuild_flags = ${env.build_flags} -I",
        ),
    ] {
        project(&text).cycle(&["--cpu", "cortex-m4", "--clock", "1M"], 0, |project, _| {
            assert_has(&project.text("platformio.ini"), &[expected]);
        });
    }
    // The environment that is extended gets the lines.
    let text = format!("{env}\n[env:b]\nextends = env:a\n");
    project(&text).cycle(&["--cpu", "cortex-m4", "--clock", "1M"], 0, |project, _| {
        assert_eq!(project.text("platformio.ini").matches("symlink://").count(), 1);
    });
    for extends in ["common, other", "\n  common\n  other", "missing"] {
        let text = format!("{common}\n[other]\nlib_deps = y\n\n{env}extends = {extends}\n");
        project(&text).cycle(&["--cpu", "cortex-m4", "--clock", "1M"], 1, |project, printed| {
            assert_has(printed, &["platformio.ini: [env:a] extends several sections"]);
            assert_eq!(project.text("platformio.ini"), text);
        });
    }
}

/// Recipes for C++ may have flags of their own.
#[test]
fn a_makefile_with_other_flags_for_c_plus_plus() {
    let head = "CC = arm-none-eabi-gcc\nCXX = arm-none-eabi-g++\nC_SOURCES = a.c tasks.c\nMCU = -mcpu=cortex-m4\nCFLAGS = $(MCU)\n";
    let tail =
        "OBJECTS = $(C_SOURCES:.c=.o)\na.elf: $(OBJECTS)\n\t$(CXX) $(OBJECTS) $(LIBS) -o $@\n";
    let recipes = "%.o: %.c\n\t$(CC) -c $(CFLAGS) $< -o $@\n%.o: %.cpp\n\t$(CXX) -c $(CPPFLAGS) $< -o $@\n%.o: %.s\n\t$(AS) -c $(ASFLAGS) $< -o $@\n";
    let added = "CFLAGS += $(TBAND_CPPFLAGS)\nCPPFLAGS += $(TBAND_CPPFLAGS)\nLIBS";
    for (flags, recipes, added) in [
        ("CPPFLAGS = $(MCU)\n", recipes, added),
        // Those of C are part of them, or in the same recipe.
        ("CPPFLAGS = $(CFLAGS)\n", recipes, "\nCFLAGS += $(TBAND_CPPFLAGS)\nLIBS"),
        (
            "CPPFLAGS = -DX\n",
            &recipes.replace("-c $(CPPFLAGS)", "-c $(CFLAGS) $(CPPFLAGS)"),
            "\nCFLAGS += $(TBAND_CPPFLAGS)\nLIBS",
        ),
        // Make's own recipe.
        ("CXXFLAGS = $(MCU)\n", "", "CXXFLAGS += $(TBAND_CPPFLAGS)\nLIBS"),
    ] {
        let text = format!("{head}{flags}LIBS = -lc\n{tail}{recipes}");
        let project = Project::of(&[
            ("Makefile", &text),
            ("FreeRTOSConfig.h", CONFIG),
            ("main.cpp", MAIN),
            ("rtos/task.h", TASK_H),
        ]);
        project.cycle(&[], 0, |project, _| {
            let edited = project.text("Makefile");
            assert_has(&edited, &[added]);
            assert!(!edited.contains("ASFLAGS += $(TBAND"), "{edited}");
        });
    }
}
