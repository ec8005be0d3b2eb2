//! Projects of vendors' kits and of other frameworks.

use std::fs;

use crate::builds::{START, assert_has};
use crate::{CONFIG, MAIN, Project, TASK_H};

#[test]
fn pico_sdk() {
    let lists = "include(pico_sdk_import.cmake)\nset(PICO_BOARD pico_w)\nproject(fw C CXX ASM)\npico_sdk_init()\n\
                 include(FreeRTOS_Kernel_import.cmake)\nadd_executable(fw main.c)\ntarget_link_libraries(fw pico_stdlib FreeRTOS-Kernel-Heap4)\n";
    let files = |lists| [("CMakeLists.txt", lists), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)];
    Project::of(&files(lists)).cycle(&[], 0, |project, printed| {
        assert_has(printed, &["Pico SDK, CMake\n", "cortex-m0plus (CMakeLists.txt:2: pico_w)"]);
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "target_link_libraries(tband_config INTERFACE pico_base_headers hardware_sync_headers)\n",
                "set(TBAND_FREERTOS_TARGET FreeRTOS-Kernel)\n",
                "target_link_libraries(fw tband::tband)\n",
            ],
        );
        assert_has(&project.text("tband-config/tband_port.h"), &["#include \"tband_rp2040.h\""]);
    });
    // Two chips are possible where no board is named.
    let unnamed = lists.replace("set(PICO_BOARD pico_w)\n", "");
    let printed = Project::of(&files(&unnamed)).refused(&[]);
    assert_has(&printed, &["add --cpu rp2040", "--cpu rp2350"]);
    // Several programs, and settings of one: the kernel is compiled in each.
    let several = format!(
        "{lists}target_compile_definitions(fw PRIVATE configNUMBER_OF_CORES=1 OTHER=2)\nadd_executable(two main.c)\n"
    );
    let project = Project::of(&files(&several));
    project.cycle(&[], 1, |_, printed| assert_has(printed, &["several programs: fw", "--program"]));
    assert_has(&project.refused(&["--program", "three"]), &["no add_executable(three ...)"]);
    let cores = "#define configNUMBER_OF_CORES 2\n#define configUSE_TRACE";
    project.put("FreeRTOSConfig.h", &CONFIG.replace("#define configUSE_TRACE", cores));
    // The other program has the same files, and no tband.
    let guard = "#if __has_include(\"tband.h\")";
    let lock = format!("{guard}\n#include \"hardware/sync.h\"\n#include \"tband.h\"\n#endif\n");
    project.cycle(&["--program", "two"], 0, |project, _| {
        let started = format!("{guard}\n  spin_lock_claim(31);\n  {START}#endif\n  vTaskStart");
        assert_has(&project.text("main.c"), &[&lock, &started]);
        let end =
            format!("{guard} /* in the program with tband */\n#include \"tband.h\"\n#endif\n");
        assert_has(&project.text("FreeRTOSConfig.h"), &[&end]);
    });
    // A separate source needs no condition.
    project.put("CMakeLists.txt", &several.replace("(two main.c)", "(two other.c)"));
    project.put("other.c", "int main(void) {\n  idle();\n}\n");
    project.cycle(&["--program", "fw"], 0, |project, _| {
        assert!(!project.text("main.c").contains("__has_include"));
    });
    fs::remove_file(project.path("other.c")).unwrap();
    project.put("CMakeLists.txt", &several);
    // The program has reserved it in another file: a second call would end it.
    project.put("lock.c", "void lock(void) { spin_lock_claim(31); }\n");
    project.cycle(&["--program", "two"], 0, |project, _| {
        assert!(!project.text("main.c").contains("spin_lock_claim"));
    });
    fs::remove_file(project.path("lock.c")).unwrap();
    // The start is there, and only the lock is missing.
    let started =
        MAIN.replace("vTaskStartScheduler();", &format!("{START}    vTaskStartScheduler();"));
    project.put("main.c", &format!("#include \"tband.h\"\n{started}"));
    project.cycle(&["--program", "two"], 1, |project, printed| {
        assert_has(printed, &["both cores share tband's lock", "call spin_lock_claim(31);"]);
        assert!(!project.text("main.c").contains("spin_lock_claim"));
    });
    project.put("main.c", MAIN);
    project.cycle(&["--program", "fw"], 0, |project, _| {
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "target_compile_definitions(tband_config INTERFACE configNUMBER_OF_CORES=1)\n",
                "target_link_libraries(fw tband::tband)\n",
            ],
        );
    });
}

#[test]
fn platformio() {
    let ini = "; cortex-m0\n[env:one]\nplatform = ststm32\nboard = nucleo_f401re\nframework = arduino\nbuild_flags =\n  -O2\n\n\
               [env:two]\nboard = nucleo_f411re\nframework = arduino\n";
    let main =
        "#include <Arduino.h>\n\nvoid setup() {\n  Serial.begin(9600);\n}\n\nvoid loop() {}\n";
    let project = Project::of(&[("platformio.ini", ini), ("src/main.cpp", main)]);
    project.cycle(&[], 0, |project, printed| {
        assert_has(printed, &["PlatformIO\n", "cortex-m4f (platformio.ini:4: nucleo_f401re)", "F_CPU"]);
        assert_eq!(
            project.text("platformio.ini"),
            "; cortex-m0\n[env:one]\nplatform = ststm32\nboard = nucleo_f401re\nframework = arduino\nbuild_flags =\n  -Itband-config\n  -O2\n\
             lib_deps = symlink://tband\n\n[env:two]\nboard = nucleo_f411re\nframework = arduino\nlib_deps = symlink://tband\nbuild_flags = -Itband-config\n"
        );
        assert_has(&project.text("src/main.cpp"), &[&format!("void setup() {{\n  {START}")]);
        assert!(project.path("tband/library.json").exists());
    });
}

#[test]
fn arduino() {
    let sketch = "void setup() {\n  pinMode(1, OUTPUT);\n}\nvoid loop() {\n}\n";
    let project = Project::of(&[("blink.ino", sketch)]);
    assert_has(&project.refused(&[]), &["no build file names the chip", "--cpu"]);
    project.cycle(&["--cpu", "cortex-m0plus"], 1, |project, printed| {
        assert_has(printed, &["Arduino\n", "docs/src/guide/boards/arduino.md"]);
        assert!(
            project.text("blink.ino").starts_with("#include \"tband.h\"\nvoid setup() {\n  (void)")
        );
        assert_has(
            &project.text("tband-config/tband_port.h"),
            &["#define tband_portCPU_CLOCK_HZ F_CPU\n"],
        );
    });
}

#[test]
fn esp_idf() {
    let lists = "cmake_minimum_required(VERSION 3.16)\ninclude($ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(fw)\n";
    let files = |chip| {
        [
            ("CMakeLists.txt", lists.to_owned()),
            ("sdkconfig", format!("CONFIG_IDF_TARGET=\"{chip}\"\n# CONFIG_X is not set\n")),
            (
                "main/main.c",
                "#include <stdio.h>\n\nvoid app_main(void)\n{\n    printf(\"\");\n}\n".to_owned(),
            ),
        ]
    };
    let project = |chip| {
        let files = files(chip);
        Project::of(&files.each_ref().map(|(name, text)| (*name, text.as_str())))
    };
    project("esp32c6").cycle(&[], 0, |project, printed| {
        assert_has(printed, &["ESP-IDF", "rv32imac (sdkconfig:1: esp32c6)", "esp_timer"]);
        let lists = project.text("CMakeLists.txt");
        assert!(lists.find("EXTRA_COMPONENT_DIRS") < lists.find("project.cmake"), "{lists}");
        assert_has(
            &lists,
            &[
                "/tband/esp-idf\")\n",
                "set(TBAND_CONFIG \"${CMAKE_CURRENT_LIST_DIR}/tband-config\")\n",
            ],
        );
        assert!(project.path("tband/esp-idf/tband/CMakeLists.txt").exists());
        assert_has(&project.text("main/main.c"), &["{\n    (void)tband_trigger_snapshot();\n"]);
    });
    let component = project("esp32h2");
    component.put("main/CMakeLists.txt", "idf_component_register(SRCS main.c REQUIRES esp_wifi)\n");
    component.cycle(&[], 0, |project, _| {
        assert_has(&project.text("main/CMakeLists.txt"), &["SRCS main.c REQUIRES tband esp_wifi)"]);
    });
    let lists = files("esp32c6")[0]
        .1
        .replace("project(", "idf_build_set_property(MINIMAL_BUILD ON)\nproject(");
    component.put("CMakeLists.txt", &lists);
    for (before, after) in [
        (
            "SRCS main.c\n  PRIV_REQUIRES # many\n  esp_wifi)",
            "SRCS main.c\n  PRIV_REQUIRES tband # many\n  esp_wifi)",
        ),
        // A minimal build has only what this component requires.
        (
            "SRCS \"main.c\"\n  INCLUDE_DIRS \".\")",
            "SRCS \"main.c\"\n  INCLUDE_DIRS \".\" PRIV_REQUIRES tband)",
        ),
    ] {
        component.put("main/CMakeLists.txt", &format!("idf_component_register({before}\n"));
        component.cycle(&[], 0, |project, _| {
            assert_has(&project.text("main/CMakeLists.txt"), &[&format!("({after}\n")]);
        });
    }
    fs::remove_file(component.path("sdkconfig")).unwrap();
    assert_has(&component.refused(&[]), &["idf.py set-target", "--cpu esp32c6.", "Xtensa"]);
    for (name, library) in
        [("esp32c6", "riscv32imac"), ("ESP32-C3", "riscv32imc"), ("esp32p4", "riscv32imafc")]
    {
        component.cycle(&["--cpu", name], 0, |project, printed| {
            assert_has(printed, &[&format!("(--cpu {name})\n")]);
            let library = format!("tband/lib/{library}-unknown-none-elf/libtband.a");
            assert!(project.path(&library).exists(), "{name}");
        });
    }
    for printed in [project("esp32s3").refused(&[]), component.refused(&["--cpu", "esp32s3"])] {
        assert_has(&printed, &["xtensa, which tband has no library for", "boards/esp-idf.md"]);
    }
}

#[test]
fn zephyr_and_nrf_connect() {
    let lists = "find_package(Zephyr REQUIRED HINTS $ENV{ZEPHYR_BASE})\nproject(app)\ntarget_sources(app PRIVATE src/main.c)\n";
    let files = [
        ("CMakeLists.txt", lists),
        ("prj.conf", "CONFIG_FPU=y\n"),
        ("src/main.c", "#include <zephyr/kernel.h>\n\nint main(void)\n{\n\twork();\n}\n"),
    ];
    let project = Project::of(&files);
    project.cycle(&["--cpu", "cortex-m33"], 0, |project, printed| {
        assert_has(printed, &["project     Zephyr, CMake\n", "of the environment"]);
        let module = "# tband, the trace recorder; by tband-cli init\n\
            list(APPEND ZEPHYR_EXTRA_MODULES \"${CMAKE_CURRENT_SOURCE_DIR}/tband\")\n";
        assert_eq!(project.text("CMakeLists.txt"), format!("{module}{lists}"));
        assert_has(
            &project.text("prj.conf"),
            &["CONFIG_FPU=y\n", "\nCONFIG_TRACING=y\nCONFIG_TRACING_USER=y\nCONFIG_TBAND=y\n"],
        );
        // What the module reads, with the library for its CPU. Its settings are Kconfig's, and it starts the recording.
        for file in
            ["module.yml", "CMakeLists.txt", "Kconfig", "tband_zephyr.c", "config/tband_port.h"]
        {
            assert!(project.path("tband/zephyr").join(file).exists(), "{file}");
        }
        assert!(project.path("tband/lib/thumbv8m.main-none-eabi/libtband.a").exists());
        assert!(!project.path("tband/zephyr/example").exists());
        assert!(!project.path("tband-config").exists());
        assert_eq!(project.text("src/main.c"), files[2].1);
    });
    // Settings that are there stay; those of another value are the user's.
    project.put("prj.conf", "CONFIG_TRACING=y\nCONFIG_TRACING_USER = y");
    project.cycle(&["--cpu", "cortex-m33"], 0, |project, _| {
        let settings = project.text("prj.conf");
        assert!(settings.trim_end().ends_with("by tband-cli init\nCONFIG_TBAND=y"), "{settings}");
        assert_eq!(settings.matches("CONFIG_TRACING").count(), 2, "{settings}");
    });
    project.put("prj.conf", "CONFIG_TRACING_USER=n\n");
    project.cycle(&["--cpu", "cortex-m33"], 1, |project, printed| {
        assert_has(printed, &["CONFIG_TRACING_USER has another value", "CONFIG_TBAND=y"]);
        assert_eq!(project.text("prj.conf"), "CONFIG_TRACING_USER=n\n");
    });
    // Without the command, and without the settings.
    project.put("CMakeLists.txt", "if(TRUE) find_package(Zephyr) endif()\n");
    fs::remove_file(project.path("prj.conf")).unwrap();
    project.cycle(&["--cpu", "cortex-m33"], 1, |_, printed| {
        assert_has(
            printed,
            &[
                "before find_package(Zephyr) add",
                "ZEPHYR_EXTRA_MODULES",
                "usually prj.conf",
                "CONFIG_TBAND=y",
            ],
        );
    });
    project.put("prj.conf", "CONFIG_NCS_SAMPLES_DEFAULTS=y\n");
    project.put("CMakeLists.txt", &format!("set(BOARD nrf52840dk_nrf52840)\n{lists}"));
    project.cycle(&[], 0, |_, printed| assert_has(printed, &["nRF Connect SDK", "cortex-m4f"]));
}

#[test]
fn nrf5_sdk() {
    let text = "SDK_ROOT := ../../sdk\nTARGETS := nrf52840_xxaa\nSRC_FILES += \\\n  main.c \\\n\nINC_FOLDERS += \\\n  . \\\n\nLIB_FILES += \\\n\n\
                CFLAGS += -DNRF52840_XXAA\nCFLAGS += -mcpu=cortex-m4\nCFLAGS += -mfloat-abi=hard -mfpu=fpv4-sp-d16\nLIB_FILES += -lc -lnosys -lm\n\n\
                default: nrf52840_xxaa\ninclude $(SDK_ROOT)/components/toolchain/gcc/Makefile.common\n$(foreach target, $(TARGETS), $(call define_target, $(target)))\n";
    let project = Project::of(&[
        ("Makefile", text),
        ("FreeRTOSConfig.h", CONFIG),
        ("main.c", MAIN),
        ("rtos/task.h", TASK_H),
    ]);
    project.cycle(&[], 0, |project, printed| {
        assert_has(printed, &["nRF5 SDK, make\n", "cortex-m4f", "TIMER2"]);
        let text = project.text("Makefile");
        assert_has(&text, &["SRC_FILES += $(TBAND_SOURCES)", "LIB_FILES += $(TBAND_LIBRARY)\n"]);
        assert!(text.find("TBAND_LIBRARY") < text.find("default:"), "{text}");
        assert_has(
            &project.text("tband-config/tband_port.h"),
            &["tband_nrf_timer.h", "_m_freertos.h"],
        );
    });
}

#[test]
fn projects_of_ides() {
    for (name, text, environment, cpu) in [
        (
            "fw.uvprojx",
            "<Device>LPC1768</Device>\n<Cpu>IRAM(0x10000000,0x8000) CPUTYPE(\"Cortex-M3\") CLOCK(12000000)</Cpu>\n",
            "Keil",
            "cortex-m3 (",
        ),
        (
            "fw.uvprojx",
            "<!-- <Device>LPC1768</Device> -->\n<Cpu>CPUTYPE(\"Cortex-M4\") FPU2 CLOCK(12000000)</Cpu>\n",
            "Keil",
            "cortex-m4f (",
        ),
        ("fw.ewp", "<state>STM32F407VG\tST STM32F407VG</state>\n", "IAR", "cortex-m4f ("),
        (
            ".cproject",
            "<name>MIMXRT1062xxxxA</name>\n<option value=\"com.crt.advproject.gcc.fpu.fpv5.hard\"/>\n",
            "MCUXpresso",
            "cortex-m7f (",
        ),
    ] {
        let project = Project::of(&[(name, text), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)]);
        project.cycle(&[], 1, |project, printed| {
            assert_has(
                printed,
                &[
                    environment,
                    cpu,
                    "add to the project of your IDE",
                    "define tband_configFREERTOS_VERSION",
                ],
            );
            assert_eq!(project.text(name), text);
        });
    }
}
