//! Where public projects have their files: examples of vendors, other projects, and kernels outside of the folder.

use std::fs;

use crate::builds::{START, assert_has};
use crate::{CONFIG, LISTS, MAIN, Project, TASK_H, cli, finish};

/// A `FreeRTOSConfig.h` that another one is chosen over.
const OTHER_CONFIG: &str = "#define configCPU_CLOCK_HZ 1\n";
/// A Makefile in a folder below that of the project, whose kernel is outside, and whose sources are found by `VPATH`.
const NESTED: &str = "CC = arm-none-eabi-gcc\nLD = arm-none-eabi-gcc\nTOP = ./../..\nKERNEL = $(TOP)/../Source\nCFLAGS += -mcpu=cortex-m3\n\
    VPATH += $(TOP) $(KERNEL)\nSOURCE_FILES += $(KERNEL)/tasks.c\nSOURCE_FILES += (TOP)/main.c\nSOURCE_FILES += (TOP)/main_one.c\n\
    SOURCE_FILES += (TOP)/main_two.c\nOBJS = $(notdir $(SOURCE_FILES:%.c=%.o))\n\nall: fw.out\n\n%.o: %.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n\n\
    fw.out: $(OBJS)\n\t$(LD) $(CFLAGS) $(OBJS) -o fw.out\n";

#[test]
fn examples_of_vendors_and_tests_are_other_programs() {
    let lists = "set(CMAKE_PROJECT_NAME fw)\ninclude(\"cmake/gcc.cmake\")\nproject(${CMAKE_PROJECT_NAME})\nadd_executable(${CMAKE_PROJECT_NAME})\n\
                 add_subdirectory(cmake/cube)\ntarget_link_libraries(${CMAKE_PROJECT_NAME} cube)\n";
    let cube = "add_library(cube INTERFACE)\ntarget_sources(cube INTERFACE ../../Core/Src/main.c ../../Middlewares/Source/tasks.c)\n";
    let main = "/* USER CODE BEGIN Includes */\n/* USER CODE END Includes */\nint main(void)\n{\n  /* USER CODE BEGIN 2 */\n  /* USER CODE END 2 */\n  osKernelStart();\n}\n";
    // Names of pins are free: this one is that of another chip on the board.
    let ioc = "Mcu.UserName=STM32L4R5ZITx\nPA3.GPIO_Label=STM32F103C8T6_INT\nRCC.APB1TimFreq_Value=120000000\n";
    Project::of(&[
        ("CMakeLists.txt", lists),
        ("cmake/gcc.cmake", "set(FLAGS \"-mcpu=cortex-m4 -mfloat-abi=hard \")\n"),
        ("cmake/cube/CMakeLists.txt", cube),
        ("fw.ioc", ioc),
        ("Core/Inc/FreeRTOSConfig.h", CONFIG),
        ("Core/Src/main.c", main),
        ("Middlewares/Source/tasks.c", ""),
        ("Middlewares/Source/include/task.h", TASK_H),
        (
            "Drivers/CMSIS/DSP/Examples/fir/CMakeLists.txt",
            "add_executable(fir main.c)\ntarget_compile_options(fir -mcpu=cortex-m7)\n",
        ),
        ("Drivers/CMSIS/DSP/Examples/fir/main.c", MAIN),
        ("Drivers/CMSIS/DSP/Examples/fir/fir.uvprojx", "<Cpu>CPUTYPE(\"Cortex-M0\")</Cpu>\n"),
        ("tests/CMakeLists.txt", "add_executable(unit_tests test.c)\n"),
        ("tests/test.c", MAIN),
    ])
    .cycle(&[], 0, |project, printed| {
        assert_has(printed, &["cortex-m4f (cmake/gcc.cmake:1: ", "FreeRTOS V10.3.1", "TIM2 at"]);
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "set(TBAND_FREERTOS_TARGET cube)\n",
                "target_link_libraries(${CMAKE_PROJECT_NAME} tband::tband)\n",
                "target_link_libraries(cube INTERFACE tband::headers)\n",
            ],
        );
        assert_has(&project.text("Core/Src/main.c"), &[START]);
    });
}

#[test]
fn a_kernel_in_the_library_of_another_folder_is_found() {
    let board = "set(BOARD one)\nset(CUBE ${CMAKE_CURRENT_LIST_DIR}/cube)\nfile(GLOB KERNEL ${CUBE}/Source/*.c)\n\
                 add_library(fw_${BOARD} STATIC ${KERNEL})\n";
    let project = Project::of(&[
        (
            "CMakeLists.txt",
            "set(FLAGS -mcpu=cortex-m0plus)\nset(BOARD one)\nadd_subdirectory(boards/${BOARD})\nadd_subdirectory(app)\n",
        ),
        ("boards/one/CMakeLists.txt", board),
        ("boards/one/FreeRTOSConfig.h", CONFIG),
        ("boards/one/cube/Source/tasks.c", ""),
        ("boards/one/cube/Source/include/task.h", TASK_H),
        (
            "app/CMakeLists.txt",
            "add_executable(app.elf main.c)\ntarget_link_libraries(app.elf PRIVATE fw_one)\n",
        ),
        ("app/main.c", MAIN),
    ]);
    project.cycle(&[], 0, |project, _| {
        assert_has(
            &project.text("app/CMakeLists.txt"),
            &[
                "set(TBAND_FREERTOS_TARGET fw_one)\n",
                "include(${CMAKE_CURRENT_SOURCE_DIR}/../tband/cmake/tband-config.cmake)\n",
                "target_link_libraries(fw_one PUBLIC tband::headers)\n",
            ],
        );
    });
}

#[test]
fn of_several_configurations_the_included_one_is_taken() {
    let makefile = "CC = arm-none-eabi-gcc\nC_SOURCES = Core/Src/main.c Kernel/tasks.c\nCFLAGS = -mcpu=cortex-m3 -ICore/Inc\nLIBS = -lc\n\
                    OBJECTS = $(C_SOURCES:.c=.o)\n\nfw.elf: $(OBJECTS)\n\t$(CC) $(OBJECTS) $(LIBS) -o $@\n";
    let project = Project::of(&[
        ("Makefile", makefile),
        ("fw.ioc", "Mcu.UserName=STM32F103C8Tx\nRCC.HCLKFreq_Value=72000000\n"),
        ("Core/Inc/FreeRTOSConfig.h", CONFIG),
        ("Core/Src/main.c", MAIN),
        ("Kernel/tasks.c", ""),
        ("Kernel/include/task.h", TASK_H),
        ("Examples/FreeRTOSConfig.h", OTHER_CONFIG),
        ("Examples/queue.c", MAIN),
        ("Variant/fw.ioc", "Mcu.UserName=STM32F407VGTx\n"),
        ("Variant/Core/Inc/FreeRTOSConfig.h", OTHER_CONFIG),
        ("Variant/Core/Src/main.c", MAIN),
    ]);
    project.cycle(&[], 0, |project, printed| {
        assert_has(
            printed,
            &[
                "config      Core/Inc/FreeRTOSConfig.h (Makefile:3)\n",
                "Variant is another project of CubeMX, and was not examined",
            ],
        );
        assert_has(&project.text("Core/Src/main.c"), &[START]);
        assert_eq!(project.text("Examples/queue.c"), MAIN);
        assert_eq!(project.text("Examples/FreeRTOSConfig.h"), OTHER_CONFIG);
    });
    project.put("Makefile", &makefile.replace("-ICore/Inc", "-ICore/Inc -IExamples"));
    assert_has(&project.refused(&[]), &["several FreeRTOSConfig.h: Core/Inc/", "--program"]);
}

#[test]
fn a_makefile_below_and_a_kernel_outside() {
    let config = CONFIG.replace("25000000", "( ( unsigned long ) 25000000 )");
    let with_recorder = config.replace("#endif", "#include \"trcRecorder.h\"\n#endif");
    let main =
        "#include <trcRecorder.h>\n\nint main(void) {\n  xTraceInitialize();\n  main_one();\n}\n";
    let project = Project::of(&[
        ("build/gcc/Makefile", NESTED),
        ("tools/Makefile", "all:\n\tcc tool.c\n"),
        ("FreeRTOSConfig.h", &with_recorder),
        ("main.c", main),
        ("main_one.c", MAIN),
        ("main_two.c", &MAIN.replace("main(", "main_two(")),
    ]);
    project.put("../Source/include/task.h", TASK_H);
    project.cycle(&[], 1, |project, printed| {
        assert_has(
            printed,
            &[
                "FreeRTOS V10.3.1 (../Source/include/task.h)\n",
                "timer       FreeRTOSConfig.h:4: configCPU_CLOCK_HZ 25000000\n",
                "its sources from the build: main.c:1 and 1 more lines; guide: docs/src/guide/start/moving.md",
            ],
        );
        assert_has(
            &project.text("build/gcc/Makefile"),
            &[
                "include ../../tband/tband.mk\n",
                "VPATH += $(dir $(TBAND_SOURCES) $(TBAND_FREERTOS_SOURCES))\n",
                "-o fw.out $(TBAND_LIBRARY)\n",
            ],
        );
        assert_has(
            &project.text("tband-config/tband_config.h"),
            &["#define tband_configFREERTOS_VERSION 100301\n"],
        );
        // A macro decides which one is called.
        assert_has(&project.text("main_one.c"), &[START]);
        assert_has(&project.text("main_two.c"), &[START]);
    });
    fs::remove_file(project.path("FreeRTOSConfig.h")).unwrap();
    assert_has(
        &project.refused(&["--clock", "25M"]),
        &["build/gcc/Makefile:7 uses FreeRTOS, but ", "has no FreeRTOSConfig.h"],
    );
}

#[test]
fn memory_protection_is_set() {
    let makefile = NESTED.replace("VPATH", "INC = -I$(KERNEL)/portable/GCC/ARM_CM3_MPU\nVPATH");
    let project = Project::of(&[
        ("build/gcc/Makefile", makefile.as_str()),
        ("FreeRTOSConfig.h", CONFIG),
        ("main.c", MAIN),
    ]);
    project.put("../Source/include/task.h", TASK_H);
    project.cycle(&[], 0, |project, _| {
        let config = project.text("tband-config/tband_config.h");
        assert_has(&config, &["#define tband_configMEMORY_PROTECTION 1 "]);
    });
}

#[test]
fn a_computer_without_a_library_is_named() {
    let posix =
        "CC = gcc\nSRC = main.c ../Source/portable/ThirdParty/GCC/Posix/port.c\nCFLAGS = -O1\n";
    let windows = "set(FREERTOS_PORT MSVC_MINGW CACHE STRING \"\")\n";
    let project =
        Project::of(&[("Makefile", posix), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)]);
    assert_has(
        &project.refused(&["--cpu", "aarch64-linux"]),
        &[
            "no library for aarch64-linux (aarch64-unknown-linux-gnu)",
            "run \"cargo xtask dist\" there",
            "--sdk",
        ],
    );
    assert_has(&project.refused(&["--clock", "1M"]), &["--clock is for firmware: "]);
    let lists = format!(
        "project(x C)\n{windows}add_executable(x main.c)\ntarget_link_libraries(x freertos_kernel)\n"
    );
    let project =
        Project::of(&[("CMakeLists.txt", &lists), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)]);
    assert_has(
        &project.refused(&[]),
        &["CMakeLists.txt:2: the kernel's port MSVC-MingW", "--cpu x86_64-windows or i686-windows"],
    );
    assert_has(
        &project.refused(&["--cpu", "i686-windows"]),
        &["no library for i686-windows (i686-pc-windows-gnu)"],
    );
    project.cycle(&["--cpu", "x86_64-windows"], 0, |project, printed| {
        assert_has(printed, &["QueryPerformanceCounter()", "port/WINDOWS_FREERTOS/README.md"]);
        assert_has(
            &project.text("tband-config/tband_port.h"),
            &["QueryPerformanceFrequency", "vPortEnterCritical()"],
        );
        assert_has(&project.text("tband-config/tband_config.h"), &["BACKEND_SNAPSHOT 1"]);
        assert_has(&project.text("main.c"), &[START]);
    });
}

#[test]
fn firmware_with_a_build_for_a_computer_stays_firmware() {
    let lists = "project(x C)\nset(FLAGS -mcpu=cortex-m3)\nif(SIMULATED)\n  set(FREERTOS_PORT GCC_POSIX)\nendif()\n\
                 add_executable(x main.c)\ntarget_link_libraries(x freertos_kernel)\n";
    let project =
        Project::of(&[("CMakeLists.txt", lists), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)]);
    project.cycle(&[], 0, |_, printed| {
        assert_has(
            printed,
            &["cortex-m3 (CMakeLists.txt:2: ", "CMakeLists.txt:4: the kernel's POSIX port: the project has a build for a computer too"],
        );
    });
}

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
        ("esp32c3", "RV32IMC"),
        ("esp32p4", "RV32IMAFC"),
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

#[test]
fn init_takes_the_configuration_of_the_option() {
    let lists = "project(x C)\nset(FLAGS -mcpu=cortex-m3)\nadd_executable(x main.c)\ntarget_link_libraries(x freertos_kernel)\n";
    let project = Project::of(&[
        ("CMakeLists.txt", lists),
        ("main.c", MAIN),
        ("one/FreeRTOSConfig.h", CONFIG),
        ("two/FreeRTOSConfig.h", CONFIG),
        ("samples/FreeRTOSConfig.h", OTHER_CONFIG),
    ]);
    assert_has(&project.refused(&[]), &["several FreeRTOSConfig.h", "--config"]);
    project.cycle(&["--config", "two/FreeRTOSConfig.h"], 0, |project, _| {
        assert_eq!(project.text("one/FreeRTOSConfig.h"), CONFIG);
        assert_has(&project.text("two/FreeRTOSConfig.h"), &["#include \"tband.h\"\n"]);
    });
    // Those of examples are no choice.
    fs::remove_file(project.path("one/FreeRTOSConfig.h")).unwrap();
    project.cycle(&[], 0, |project, printed| {
        assert_has(printed, &["two/FreeRTOSConfig.h (the others are in folders of examples)"]);
        assert_eq!(project.text("samples/FreeRTOSConfig.h"), OTHER_CONFIG);
    });
}
