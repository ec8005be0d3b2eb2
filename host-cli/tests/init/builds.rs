//! Projects of CMake, make and CubeMX: what `init` finds and changes in them.

use crate::{CONFIG, LISTS, LOOP, MAIN, Project, TASK_H, with_cmake};

pub const START: &str = "(void)tband_trigger_snapshot();\n";

#[track_caller]
pub fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no “{part}” in:\n{text}");
    }
}

/// Libraries in the written part of the SDK.
fn libraries(project: &Project) -> Vec<String> {
    let files = project.files();
    files.keys().filter(|it| it.ends_with(".a")).cloned().collect()
}

#[test]
fn cmake_with_the_kernel() {
    with_cmake().cycle(&[], 0, |project, printed| {
        assert_has(printed, &["project     CMake\n", "cortex-m4f (CMakeLists.txt:3: cortex-m4)"]);
        assert_eq!(libraries(project), ["tband/lib/thumbv7em-none-eabihf/libtband.a"]);
        let lists = project.text("CMakeLists.txt");
        assert!(lists.starts_with(LISTS));
        assert_has(
            &lists,
            &[
                "target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/tband-config)\n",
                "include(${CMAKE_CURRENT_SOURCE_DIR}/tband/cmake/tband-config.cmake)\n",
                "target_link_libraries(firmware PRIVATE tband::tband)\n",
                "target_link_libraries(freertos_config INTERFACE tband::headers)\n",
            ],
        );
        let config = project.text("FreeRTOSConfig.h");
        assert_has(&config, &["#define configUSE_TRACE_FACILITY 1\n"]);
        assert!(config.ends_with(
            "#define INCLUDE_xTaskGetIdleTaskHandle 1\n#define INCLUDE_xTaskGetCurrentTaskHandle 1\n#include \"tband.h\"\n#endif /* FREERTOS_CONFIG_H */\n"
        ));
        assert_eq!(
            project.text("src/main.c"),
            MAIN.replace("#include \"task.h\"\n", "#include \"task.h\"\n#include \"tband.h\"\n")
                .replace("  vTaskStart", &format!("  {START}  vTaskStart"))
        );
        assert_has(
            &project.text("tband-config/tband_config.h"),
            &["#define tband_configFREERTOS_TRACE_ENABLE 1\n", "configUSE_BACKEND_SNAPSHOT 1"],
        );
        assert_has(
            &project.text("tband-config/tband_port.h"),
            &["#include \"tband_cortex_m_freertos.h\""],
        );
        // Only the port of this chip, and the sources of all.
        let files = project.files();
        let ports = files.keys().filter(|it| it.ends_with("/tband_port.h"));
        let ports: Vec<_> = ports.collect();
        assert_eq!(ports, ["tband-config/tband_port.h", "tband/port/GCC_ARM_CM4F_FREERTOS/tband_port.h"]);
        assert!(files.contains_key("tband/port/tband_shim.c"));
        assert!(!files.keys().any(|it| it.contains("flux.a") || it.contains("esp-idf")));
    });
}

#[test]
fn cmake_whose_program_compiles_the_kernel() {
    let lists = LISTS
        .replace(
            "add_library(freertos_config INTERFACE)\n",
            "set(KERNEL kernel/tasks.c kernel/queue.c)\n",
        )
        .replace("src/main.c)", "src/main.c ${KERNEL})")
        .replace("firmware PRIVATE freertos_kernel", "firmware m");
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    project.cycle(&[], 0, |project, _| {
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "set(TBAND_FREERTOS_TARGET firmware)\n",
                "target_link_libraries(firmware tband::tband)\n",
            ],
        );
    });
    // A library of the project, and flags of a target.
    let lists = "project(x C)\nadd_library(rtos STATIC kernel/tasks.c)\ntarget_link_libraries(rtos PUBLIC mcu)\n\
                 target_compile_options(mcu INTERFACE -mcpu=cortex-m3 -Wall -mthumb)\nadd_executable(app main.c)\n";
    let project =
        Project::of(&[("CMakeLists.txt", lists), ("FreeRTOSConfig.h", CONFIG), ("main.c", MAIN)]);
    project.cycle(&[], 0, |project, _| {
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "set(TBAND_FREERTOS_TARGET rtos)\n",
                "target_link_libraries(rtos PUBLIC tband::headers)\n",
                "target_compile_options(tband_config INTERFACE -mcpu=cortex-m3 -mthumb)\n",
            ],
        );
    });
    // Several programs are the user's to choose from.
    // A name with tband in it is not tband.
    let lists = LISTS.replace("project(firmware", "project(tband_demo");
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    project.cycle(&[], 0, |project, _| {
        assert_has(&project.text("CMakeLists.txt"), &["PRIVATE tband::tband"]);
    });
    let lists = format!("{LISTS}add_executable(other other.c)\n");
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    project.cycle(&[], 1, |project, printed| {
        assert_has(
            printed,
            &["several programs: firmware (CMakeLists.txt), other (CMakeLists.txt)"],
        );
        assert_eq!(project.text("CMakeLists.txt"), lists);
    });
}

const CUBE_MAKEFILE: &str = "TARGET = cube\nC_SOURCES =  \\\nCore/Src/main.c \\\nCore/Src/freertos.c\n\nCPU = -mcpu=cortex-m7\n\
    FLOAT-ABI = -mfloat-abi=hard\nCFLAGS += $(CPU) $(FLOAT-ABI)\nLIBS = -lc -lm\nLDFLAGS = $(CPU) $(LIBS) -Wl,--gc-sections\n\n\
    # default action: build all\nall: $(BUILD_DIR)/$(TARGET).elf\n\nOBJECTS = $(addprefix $(BUILD_DIR)/,$(notdir $(C_SOURCES:.c=.o)))\n\
    vpath %.c $(sort $(dir $(C_SOURCES)))\n$(BUILD_DIR)/%.o: %.c\n\t$(CC) -c $(CFLAGS) $< -o $@\n\n\
    $(BUILD_DIR)/$(TARGET).elf: $(OBJECTS)\n\t$(CC) $(OBJECTS) $(LDFLAGS) -o $@\n";
const IOC: &str = "#MicroXplorer Configuration settings\nMcu.IP0=CORTEX_M7\nMcu.IP1=FREERTOS\nMcu.Name=STM32F767ZITx\n\
    Mcu.UserName=STM32F767ZITx\nRCC.APB1TimFreq_Value=108000000\nRCC.HCLKFreq_Value=216000000\n";
const CUBE_CONFIG: &str = "#ifndef FREERTOS_CONFIG_H\n#define FREERTOS_CONFIG_H\n/* USER CODE BEGIN Includes */\n/* USER CODE END Includes */\n\
    #define configCPU_CLOCK_HZ ( SystemCoreClock )\n#define configUSE_TRACE_FACILITY 1\n/* USER CODE BEGIN Defines */\n\
    /* Section where parameter definitions can be added */\n/* USER CODE END Defines */\n\n#endif /* FREERTOS_CONFIG_H */\n";
const CUBE_MAIN: &str = "/* USER CODE BEGIN Header */\n/* USER CODE END Header */\n#include \"main.h\"\n/* USER CODE BEGIN Includes */\n\n\
    /* USER CODE END Includes */\nint main(void)\n{\n  HAL_Init();\n  /* USER CODE BEGIN 2 */\n\n  /* USER CODE END 2 */\n  osKernelStart();\n  while (1)\n  {\n  }\n}\n";

#[test]
fn cubemx_with_make() {
    let project = Project::of(&[
        ("Makefile", CUBE_MAKEFILE),
        ("board.ioc", IOC),
        ("Core/Inc/FreeRTOSConfig.h", CUBE_CONFIG),
        ("Core/Src/main.c", CUBE_MAIN),
        ("Middlewares/Third_Party/FreeRTOS/Source/tasks.c", ""),
        ("Middlewares/Third_Party/FreeRTOS/Source/include/task.h", TASK_H),
    ]);
    project.cycle(&[], 0, |project, printed| {
        assert_has(
            printed,
            &[
                "STM32CubeMX, make\n",
                "cortex-m7f",
                "FreeRTOS V10.3.1",
                "TIM2 at RCC.APB1TimFreq_Value",
            ],
        );
        let text = project.text("Makefile");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in:\n{text}"));
        assert!(at("LIBS =") < at("TBAND_CONFIG := tband-config\n"));
        assert!(
            at("include tband/tband.mk\n")
                < at("C_SOURCES += $(TBAND_SOURCES) $(TBAND_FREERTOS_SOURCES)\n")
        );
        assert!(at("CFLAGS += $(TBAND_CPPFLAGS)\n") < at("vpath"));
        assert!(at("LIBS += $(TBAND_LIBRARY)\n") < at("all:"));
        // In the sections that CubeMX keeps.
        assert_has(
            &project.text("Core/Inc/FreeRTOSConfig.h"),
            &["#include \"tband.h\"\n/* USER CODE END Defines */"],
        );
        assert_has(
            &project.text("Core/Src/main.c"),
            &[
                "#include \"tband.h\"\n/* USER CODE END Includes */",
                "  (void)tband_trigger_snapshot();\n  /* USER CODE END 2 */",
            ],
        );
        assert_has(
            &project.text("tband-config/tband_port.h"),
            &["#define tband_portSTM32_TIM_CLOCK_HZ 108000000\n"],
        );
        assert_has(
            &project.text("tband-config/tband_config.h"),
            &["tband_configFREERTOS_VERSION 100301\n"],
        );
    });
    // A timer that the program uses is not taken.
    project.put("board.ioc", &format!("{IOC}Mcu.IP7=TIM2\n"));
    project.cycle(&[], 0, |project, _| {
        let port = project.text("tband-config/tband_port.h");
        assert_has(
            &port,
            &["#define tband_portCPU_CLOCK_HZ 216000000\n", "tband_cortex_m_freertos.h"],
        );
    });
}

/// CubeMX writes the kernel's sources into a file that it replaces; the project's own one stays.
#[test]
fn cubemx_with_cmake() {
    let lists = "project(cube C ASM)\nadd_executable(${CMAKE_PROJECT_NAME})\nadd_subdirectory(cmake/stm32cubemx)\n\
                 target_link_libraries(${CMAKE_PROJECT_NAME}\n    stm32cubemx\n)\n";
    let generated = "add_library(stm32cubemx INTERFACE)\nset(RTOS ../../Middlewares/Third_Party/FreeRTOS/Source/tasks.c)\n\
                     target_sources(stm32cubemx INTERFACE ../../Core/Src/main.c ${RTOS})\n";
    let project = Project::of(&[
        ("CMakeLists.txt", lists),
        ("cmake/stm32cubemx/CMakeLists.txt", generated),
        (
            "cmake/gcc-arm-none-eabi.cmake",
            "set(TARGET_FLAGS \"-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard \")\n",
        ),
        ("board.ioc", IOC),
        ("Core/Inc/FreeRTOSConfig.h", CUBE_CONFIG),
        ("Core/Src/main.c", CUBE_MAIN),
    ]);
    project.cycle(&[], 0, |project, _| {
        assert_has(
            &project.text("CMakeLists.txt"),
            &[
                "set(TBAND_FREERTOS_TARGET stm32cubemx)\n",
                "target_link_libraries(${CMAKE_PROJECT_NAME} tband::tband)\n",
                "target_link_libraries(stm32cubemx INTERFACE tband::headers)\n",
            ],
        );
        assert_eq!(project.text("cmake/stm32cubemx/CMakeLists.txt"), generated);
    });
}

#[test]
fn cube_ide() {
    let cproject = "<?fileVersion 4.0.0?>\n<option value=\"com.st.stm32cube.ide.mcu.gnu.managedbuild.option.fpu.value.fpv4-sp-d16\"/>\n\
         <option value=\"com.st.stm32cube.ide.mcu.gnu.managedbuild.option.floatabi.value.hard\"/>\n<option value=\"STM32F407VGTx\"/>\n";
    let project = Project::of(&[
        (".cproject", cproject),
        ("Core/Inc/FreeRTOSConfig.h", CUBE_CONFIG),
        ("Core/Src/main.c", CUBE_MAIN),
    ]);
    project.cycle(&[], 1, |project, printed| {
        assert_has(
            printed,
            &[
                "STM32CubeIDE\n",
                "cortex-m4f (.cproject:4: STM32F407VGTx)",
                "source   tband/freertos-hooks/tband_freertos.c",
                "library  tband/lib/thumbv7em-none-eabihf/libtband.a",
                "docs/src/guide/boards/stm32.md",
            ],
        );
        assert_eq!(project.text(".cproject"), cproject);
    });
}

#[test]
fn makefiles_of_other_forms() {
    let main = ("main.c", LOOP);
    // Lists of objects, and the library in the recipe.
    let text = "CC := arm-none-eabi-gcc\nCFLAGS := -mcpu=cortex-m3 -O2\nOBJS := main.o\n\nfw.elf: $(OBJS)\n\t$(CC) $(CFLAGS) $^ -o $@\n";
    let project = Project::of(&[("Makefile", text), main]);
    project.cycle(&["--clock", "72M"], 0, |project, _| {
        let text = project.text("Makefile");
        assert_has(
            &text,
            &[
                "OBJS += $(TBAND_SOURCES:.c=.o)\nCFLAGS += $(TBAND_CPPFLAGS)\n",
                "$^ -o $@ $(TBAND_LIBRARY)\n",
            ],
        );
        assert!(text.find("TBAND_CONFIG") < text.find("fw.elf:"), "{text}");
        assert_eq!(
            project.text("main.c"),
            LOOP.replace("<stdint.h>\n", "<stdint.h>\n#include \"tband.h\"\n")
                .replace("    while", &format!("    {START}    while"))
        );
        let port = project.text("tband-config/tband_port.h");
        assert_has(&port, &["#define tband_portCPU_CLOCK_HZ 72000000\n", "\"tband_cortex_m.h\""]);
        assert_has(
            &project.text("tband-config/tband_config.h"),
            &["#define tband_configFREERTOS_TRACE_ENABLE 0\n"],
        );
    });
    // Sources are used before the flags have their values.
    let text = "SRCS = main.c\nOBJS := $(SRCS:.c=.o)\nCFLAGS = -mcpu=cortex-m0plus\nifdef DEBUG\nCFLAGS += -g\nendif\nLDLIBS = -lc\n\
                fw: $(OBJS)\n\t$(CC) $(CFLAGS) $(OBJS) $(LDLIBS) -o $@\n";
    let project = Project::of(&[("Makefile", text), main]);
    project.cycle(&["--clock", "48M"], 0, |project, _| {
        let text = project.text("Makefile");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in:\n{text}"));
        assert!(at("SRCS += ") < at("OBJS :=") && at("endif") < at("CFLAGS += $(TBAND"));
        assert!(at("LDLIBS += $(TBAND_LIBRARY)") < at("fw:"));
    });
    // One that is not understood stays.
    let text = "all:\n\tarm-none-eabi-gcc -mcpu=cortex-m3 main.c -o fw\n";
    let project = Project::of(&[("Makefile", text), main]);
    project.cycle(&["--clock", "48M"], 1, |project, printed| {
        assert_has(
            printed,
            &["Makefile: after the flags of the compiler add", "include tband/tband.mk"],
        );
        assert_eq!(project.text("Makefile"), text);
    });
}
