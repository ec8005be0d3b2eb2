//! What `doctor` knows of a project that `init` has changed, or finds in one with the headers of several boards.

use crate::{CONFIG, LISTS, MAIN, Project, assert_has, cli, finish};

/// Runs `doctor` with these options in the project; returns all that it prints, and the exit code.
fn doctor(project: &Project, options: &[&str]) -> (String, Option<i32>) {
    let ran = finish(cli(&["doctor"]).args(options).arg(&project.path));
    (format!("{}{}", String::from_utf8_lossy(&ran.stdout), ran.stderr), ran.code)
}

#[test]
fn doctor_knows_the_cpu_for_which_init_wrote_the_library() {
    let lists = LISTS.replace("-mcpu=cortex-m4 -mfloat-abi=hard", "-Os");
    for (cpu, name) in [
        ("cortex-m0plus", "Cortex-M0+"),
        ("cortex-m3", "Cortex-M3"),
        ("rv32imac", "RV32IMAC"),
        // Several have this library.
        ("cortex-m7f", "the build files do not name your CPU"),
    ] {
        let project = Project::of(&[
            ("CMakeLists.txt", &lists),
            ("FreeRTOSConfig.h", CONFIG),
            ("src/main.c", MAIN),
        ]);
        project.apply(&["--cpu", cpu, "--clock", "1M"], 0);
        let (printed, _) = doctor(&project, &[]);
        assert_has(&printed, &[name]);
    }
}

/// Programs for the Pico define the number of cores in the build, some of several programs in one.
#[test]
fn the_cost_is_that_of_the_cores_that_the_build_defines() {
    let lists = "set(PICO_BOARD pico)\nproject(fw C CXX ASM)\npico_sdk_init()\n\
                 include(FreeRTOS_Kernel_import.cmake)\nadd_executable(fw src/main.c)\n\
                 target_compile_definitions(fw PRIVATE configNUMBER_OF_CORES=2)\n\
                 target_link_libraries(fw pico_stdlib FreeRTOS-Kernel-Heap4)\n";
    let project = Project::of(&[
        ("CMakeLists.txt", lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    project.apply(&[], 0);
    let main = std::fs::read_to_string(project.path("src/main.c")).unwrap();
    assert_has(&main, &["spin_lock_claim(31);"]);
    let (printed, _) = doctor(&project, &[]);
    assert_has(
        &printed,
        &["756 bytes of 2 cores", "Cortex-M0+, one core, -O2; not measured with 2 cores"],
    );
    let lists = std::fs::read_to_string(project.path("CMakeLists.txt")).unwrap();
    for other in [
        "target_compile_definitions(b PRIVATE configNUMBER_OF_CORES=1)\n",
        "add_executable(b b.c) # with the header's default\n",
    ] {
        project.put("two.cmake", other);
        project.put("CMakeLists.txt", &format!("{lists}include(two.cmake)\n"));
        let (printed, _) = doctor(&project, &[]);
        assert_has(&printed, &["Cortex-M0+", "for events, a core\n"]);
        assert!(!printed.contains("2 cores"), "{printed}");
    }
}

#[test]
fn a_start_is_missed_where_a_folder_below_adds_tband() {
    let (top, program) = LISTS.split_once("add_executable").unwrap();
    let top = format!("{top}add_subdirectory(app)\n");
    let program = format!("add_executable{}", program.replace("src/", "../src/"));
    let project = Project::of(&[
        ("CMakeLists.txt", &top),
        ("app/CMakeLists.txt", &program),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    project.apply(&[], 0);
    assert_eq!(doctor(&project, &[]).1, Some(0));
    project.put("src/main.c", MAIN);
    assert_has(&doctor(&project, &[]).0, &["missing: a call that starts the recording\n"]);
}

#[test]
fn of_the_headers_of_several_boards_the_chosen_ones_are_taken() {
    let lists = "project(x C)\nset(FLAGS -mcpu=cortex-m3)\nset(BOARD_DIR boards/${BOARD})\nadd_executable(x main.c)\n\
                 target_include_directories(x PRIVATE ${BOARD_DIR})\ntarget_link_libraries(x freertos_kernel)\n";
    let project = Project::of(&[("CMakeLists.txt", lists), ("main.c", MAIN)]);
    for board in ["one", "two"] {
        project.put(&format!("boards/{board}/FreeRTOSConfig.h"), CONFIG);
        for (name, text) in
            [("tband_config.h", "#define tband_configENABLE 1\n"), ("tband_port.h", "")]
        {
            project.put(&format!("boards/{board}/{name}"), text);
        }
    }
    let (printed, code) = doctor(&project, &[]);
    assert_eq!(code, Some(2), "{printed}");
    assert_has(
        &printed,
        &[
            "several FreeRTOSConfig.h: boards/one/FreeRTOSConfig.h, boards/two/FreeRTOSConfig.h; ",
            "--config",
        ],
    );
    // The header of another name, or in another folder, chooses those beside it.
    for asked in ["boards/two/FreeRTOSConfig.h", "boards/two/tband_config.h"] {
        let (printed, code) = doctor(&project, &["--config", asked]);
        assert_eq!(code, Some(1), "{printed}");
        for name in ["FreeRTOSConfig.h", "tband_config.h", "tband_port.h"] {
            assert_has(&printed, &[&format!("boards/two/{name}: --config\n")]);
        }
    }
    for wrong in ["boards/three/FreeRTOSConfig.h", "/", "boards"] {
        let (printed, code) = doctor(&project, &["--config", wrong]);
        assert_eq!(code, Some(2), "{printed}");
    }
    // A build that names one needs no option.
    project.put("CMakeLists.txt", &lists.replace("${BOARD})", "two)"));
    let (printed, code) = doctor(&project, &[]);
    assert_eq!(code, Some(1), "{printed}");
    assert_has(
        &printed,
        &[
            "boards/two/FreeRTOSConfig.h: CMakeLists.txt:3\n",
            "boards/two/tband_config.h: beside FreeRTOSConfig.h\n",
        ],
    );
}
