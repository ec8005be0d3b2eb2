//! Mistakes in how kernel and recorder meet, `FreeRTOSConfig.h` above all.

use tband_tests::archive;

use crate::project::{HOOKS, PORT, Project, SHIM};
use crate::{Mistake, MistakeKind};

/// Returns a project whose `FreeRTOSConfig.h` redefines a macro of the kernel.
pub fn with_own_macro(signature: &str, body: &str) -> Project {
    let name = signature.split('(').next().unwrap_or_default();
    let lines = format!("#undef {name}\n#define {signature} {body}\n");
    Project::with_kernel().add("FreeRTOSConfig.h", &lines)
}

const INCLUDE: &str = "#include \"tband.h\"";

pub const KIND: MistakeKind = MistakeKind {
    title: "FreeRTOS",
    who: "message of the compiler",
    mistakes: &[
        Mistake {
            what: "`FreeRTOSConfig.h` lacks `tband.h`",
            messages: &[
                "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:",
                "#include \\\"tband.h\\\"",
            ],
            made: || {
                let project = Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, "");
                let output = project.refused("main.c");
                assert!(!output.contains("redefined"), "{output}");
                project.first_error("main.c")
            },
        },
        Mistake {
            what: "the compiler finds another `FreeRTOSConfig.h` for the hooks",
            messages: &[
                "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:",
            ],
            made: || {
                let project = Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, "");
                let output = project.refused(HOOKS);
                assert!(!output.contains("redefined"), "{output}");
                project.first_error(HOOKS)
            },
        },
        Mistake {
            what: "`configUSE_TRACE_FACILITY` is 0",
            messages: &[
                "tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h",
            ],
            made: || {
                let (old, new) = ("configUSE_TRACE_FACILITY 1", "configUSE_TRACE_FACILITY 0");
                Project::with_kernel().replace("FreeRTOSConfig.h", old, new).first_error("main.c")
            },
        },
        Mistake {
            what: "`INCLUDE_xTaskGetIdleTaskHandle` is not 1",
            messages: &["tband: idle tasks cannot be distinguished. Add to FreeRTOSConfig.h:"],
            made: || {
                let (old, new) =
                    ("INCLUDE_xTaskGetIdleTaskHandle 1", "INCLUDE_xTaskGetIdleTaskHandle 0");
                Project::with_kernel().replace("FreeRTOSConfig.h", old, new).first_error(HOOKS)
            },
        },
        Mistake {
            what: "neither mutexes nor `INCLUDE_xTaskGetCurrentTaskHandle`",
            messages: &["tband: the running task cannot be found out. Add to FreeRTOSConfig.h:"],
            made: || {
                Project::with_kernel()
                    .replace("FreeRTOSConfig.h", "configUSE_MUTEXES 1", "configUSE_MUTEXES 0")
                    .replace(
                        "FreeRTOSConfig.h",
                        "configUSE_RECURSIVE_MUTEXES 1",
                        "configUSE_RECURSIVE_MUTEXES 0",
                    )
                    .replace(
                        "FreeRTOSConfig.h",
                        "INCLUDE_xTaskGetCurrentTaskHandle 1",
                        "INCLUDE_xTaskGetCurrentTaskHandle 0",
                    )
                    .first_error(HOOKS)
            },
        },
        Mistake {
            what: "your macro after `tband.h` does not call tband's",
            messages: &[
                "tband: traceTASK_DELAY was defined again after tband.h, so tband does not record it.",
                "Call tband_traceTASK_DELAY in your macro",
                "#define tband_configALLOW_OWN_TRACE_MACROS 1",
            ],
            made: || with_own_macro("traceTASK_DELAY()", "((void)0)").refused(HOOKS),
        },
        Mistake {
            what: "`#undef` without a new definition",
            messages: &["tband: traceQUEUE_SEND was defined again after tband.h"],
            made: || {
                let line = "#undef traceQUEUE_SEND\n";
                Project::with_kernel().add("FreeRTOSConfig.h", line).refused(HOOKS)
            },
        },
        Mistake {
            what: "`configMAX_TASK_NAME_LEN` exceeds the default of `tband_configMAX_STR_LEN`",
            messages: &[
                "tband: tasks have longer names (configMAX_TASK_NAME_LEN) than are recorded",
                "#define tband_configMAX_STR_LEN 32",
            ],
            made: || with_names_of("32", "").first_error(HOOKS),
        },
        Mistake {
            what: "`configMAX_TASK_NAME_LEN` exceeds your `tband_configMAX_STR_LEN`",
            messages: &["tband: names of tasks are cut"],
            made: || {
                let enough = with_names_of("32", "#define tband_configMAX_STR_LEN 31\n");
                assert_eq!(enough.notes(HOOKS), "");
                assert_eq!(with_names_of("21", "").notes(HOOKS), "");
                with_names_of("33", "#define tband_configMAX_STR_LEN 31\n").notes(HOOKS)
            },
        },
        Mistake {
            what: "SysTick is the timer (Cortex-M0+)",
            messages: &[
                "tband: tickless idle sets SysTick anew, so it cannot be the timer.",
                "#define tband_portCOUNTER32() my_counter()",
            ],
            made: || tickless("GCC_ARM_CM0_FREERTOS").option("-D__ARM_ARCH_6M__=1").refused(SHIM),
        },
        Mistake {
            what: "the cycle counter is the timer (other Cortex-M)",
            messages: &[
                "tband: on most chips the cycle counter stops in tickless idle, and times are too short.",
            ],
            made: || {
                let runs_on =
                    tickless("GCC_ARM_CM4F_FREERTOS").option("-Dtband_portTIMER_RUNS_IN_SLEEP=1");
                assert_eq!(runs_on.notes(SHIM), "");
                tickless("GCC_ARM_CM4F_FREERTOS").notes(SHIM)
            },
        },
        Mistake {
            what: "`tband_portNUMBER_OF_CORES` is smaller than the kernel's",
            messages: &["tband: the kernel runs on more cores than the port records"],
            made: || {
                // The port for the kernel's POSIX port reports that there is one.
                Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, CORES).refused(SHIM)
            },
        },
        Mistake {
            what: "the port defines no number of cores",
            messages: &[
                "tband: the kernel runs on more cores than the port records, which is 1. Put into tband_port.h:",
                "#define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES",
                "#define tband_portGET_CORE_ID() portGET_CORE_ID()",
            ],
            made: || {
                Project::with_kernel()
                    .replace("FreeRTOSConfig.h", INCLUDE, CORES)
                    .file("tband_port.h", PORT)
                    .refused(SHIM)
            },
        },
        Mistake {
            what: "the kernel is compiled with another number of cores, format, version or class than tband: the name has \
                   the kernel's, `nm` shows tband's. Define macros for all targets, or in the header",
            messages: &[
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_frames",
                // Other files of the kernel, and the two files of tband.
                "undefined reference to `tband_freertos_queue_created_for_v11_2_1_core_frames",
                "undefined reference to `tband_freertos_next_number_for_v11_2_1_core_frames",
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_packets",
                "undefined reference to `tband_freertos_task_created_for_v11_0_1_core_frames",
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_frames_no_heap",
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_frames_api",
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_frames_triggers",
                "undefined reference to `tband_freertos_task_created_for_v11_2_1_core_frames_tick_time",
            ],
            made: || {
                let same = Project::with_kernel;
                let two = || {
                    let port =
                        "#define tband_portNUMBER_OF_CORES 2\n#define tband_portGET_CORE_ID() 0\n";
                    same()
                        .replace("FreeRTOSConfig.h", INCLUDE, CORES)
                        .file("tband_port.h", &format!("{PORT}{port}"))
                };
                let macros = [
                    "FORMAT TBAND_FORMAT_PACKETS",
                    "FREERTOS_VERSION 110000",
                    "FREERTOS_HEAP_TRACE_ENABLE 0",
                    "FREERTOS_API_TRACE_ENABLE 1",
                    "USE_TRIGGERS 1",
                    "TICK_KEEPS_TIME 1",
                ];
                let mut printed =
                    vec![mixed(&same(), &two(), &two()), mixed(&same(), &same(), &two())];
                for it in macros {
                    let kernel =
                        same().add("tband_config.h", &format!("#define tband_config{it}\n"));
                    printed.push(mixed(&kernel, &same(), &same()));
                }
                printed.join("\n")
            },
        },
    ],
};

/// Returns the linker's message for a program whose kernel, hooks and shim have the configurations of these projects.
fn mixed(kernel: &Project, hooks: &Project, shim: &Project) -> String {
    let mut files = kernel.objects(&["main.c", "port/POSIX_FREERTOS/tband_port.c"]);
    files.push(kernel.kernel_object());
    files.extend(hooks.objects(&[HOOKS]));
    files.extend(shim.objects(&[SHIM]));
    files.push(archive().to_owned());
    kernel.link(&files).expect_err("the settings differ")
}

/// A kernel that sleeps, with a port for Cortex-M; its headers are those of the POSIX port.
fn tickless(port: &str) -> Project {
    let lines = "#define configCPU_CLOCK_HZ 64000000\n#define configUSE_TICKLESS_IDLE 1\n\
                 #define portSUPPRESS_TICKS_AND_SLEEP(ticks) ((void)(ticks))\n#include \"tband.h\"\n";
    let port = tband_tests::read(tband_tests::root().join("port").join(port).join("tband_port.h"));
    Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, lines).file("tband_port.h", &port)
}

/// A kernel whose tasks have names of this length, the NUL included.
fn with_names_of(len: &str, config: &str) -> Project {
    let len = format!("configMAX_TASK_NAME_LEN {len}");
    Project::with_kernel()
        .replace("FreeRTOSConfig.h", "configMAX_TASK_NAME_LEN 12", &len)
        .add("tband_config.h", config)
}

/// A kernel for two cores, as far as its headers ask for it.
const CORES: &str = "#define configNUMBER_OF_CORES 2\n#define configUSE_CORE_AFFINITY 0\n\
                     #define configRUN_MULTIPLE_PRIORITIES 1\n#define configUSE_PASSIVE_IDLE_HOOK 0\n\
                     #define portGET_CORE_ID() 0\n#define portRESTORE_INTERRUPTS(x) ((void)(x))\n\
                     #define portSET_INTERRUPT_MASK() 0\n#define portGET_TASK_LOCK(x) ((void)(x))\n\
                     #define portRELEASE_TASK_LOCK(x) ((void)(x))\n#define portGET_ISR_LOCK(x) ((void)(x))\n\
                     #define portRELEASE_ISR_LOCK(x) ((void)(x))\n#define portYIELD_CORE(x) ((void)(x))\n\
                     #define portENTER_CRITICAL_FROM_ISR() 0\n\
                     #define portEXIT_CRITICAL_FROM_ISR(x) ((void)(x))\n#define portDISABLE_INTERRUPTS() 0\n\
                     #include \"tband.h\"\n";
