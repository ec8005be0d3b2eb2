//! Mistakes in how kernel and recorder meet, `FreeRTOSConfig.h` above all.

use crate::project::{HOOKS, PORT, Project, SHIM};
use crate::{Kind, Mistake};

/// A project whose `FreeRTOSConfig.h` defines a macro of the kernel anew.
pub fn with_own_macro(signature: &str, body: &str) -> Project {
    let name = signature.split('(').next().unwrap_or_default();
    let lines = format!("#undef {name}\n#define {signature} {body}\n");
    Project::with_kernel().add("FreeRTOSConfig.h", &lines)
}

const INCLUDE: &str = "#include \"tband.h\"";

pub const KIND: Kind = Kind {
    title: "FreeRTOS",
    who: "compiler",
    mistakes: &[
        Mistake {
            what: "`FreeRTOSConfig.h` does not include `tband.h`, seen where your code includes both",
            says: &[
                "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:",
                "#include \\\"tband.h\\\"",
            ],
            made: || {
                let project = Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, "");
                let said = project.refused("main.c");
                assert!(!said.contains("redefined"), "{said}");
                project.first_error("main.c")
            },
        },
        Mistake {
            what: "the same, seen where the hooks are compiled",
            says: &[
                "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:",
            ],
            made: || {
                let project = Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, "");
                let said = project.refused(HOOKS);
                assert!(!said.contains("redefined"), "{said}");
                project.first_error(HOOKS)
            },
        },
        Mistake {
            what: "`configUSE_TRACE_FACILITY` is 0",
            says: &["tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h"],
            made: || {
                let (old, new) = ("configUSE_TRACE_FACILITY 1", "configUSE_TRACE_FACILITY 0");
                Project::with_kernel().replace("FreeRTOSConfig.h", old, new).first_error("main.c")
            },
        },
        Mistake {
            what: "`INCLUDE_xTaskGetIdleTaskHandle` is not 1",
            says: &["tband: idle tasks cannot be distinguished. Add to FreeRTOSConfig.h:"],
            made: || {
                let (old, new) =
                    ("INCLUDE_xTaskGetIdleTaskHandle 1", "INCLUDE_xTaskGetIdleTaskHandle 0");
                Project::with_kernel().replace("FreeRTOSConfig.h", old, new).first_error(HOOKS)
            },
        },
        Mistake {
            what: "neither mutexes nor `INCLUDE_xTaskGetCurrentTaskHandle`",
            says: &["tband: the running task cannot be found out. Add to FreeRTOSConfig.h:"],
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
            what: "a trace macro of your own, defined after `tband.h`, which does not call tband's",
            says: &[
                "tband: traceTASK_DELAY was defined again after tband.h, so tband does not record it.",
                "Call tband_traceTASK_DELAY in your macro",
                "#define tband_configALLOW_OWN_TRACE_MACROS 1",
            ],
            made: || with_own_macro("traceTASK_DELAY()", "((void)0)").refused(HOOKS),
        },
        Mistake {
            what: "the same before `FreeRTOS.h` gives the macro its empty definition: `#undef` alone",
            says: &["tband: traceQUEUE_SEND was defined again after tband.h"],
            made: || {
                let line = "#undef traceQUEUE_SEND\n";
                Project::with_kernel().add("FreeRTOSConfig.h", line).refused(HOOKS)
            },
        },
        Mistake {
            what: "names of tasks are longer than what is recorded of them",
            says: &[
                "tband: tasks have longer names (configMAX_TASK_NAME_LEN) than are recorded",
                "#define tband_configMAX_STR_LEN 32",
            ],
            made: || with_names_of("32", "").first_error(HOOKS),
        },
        Mistake {
            what: "the same, and `tband_configMAX_STR_LEN` is set",
            says: &["tband: names of tasks are cut"],
            made: || {
                let enough = with_names_of("32", "#define tband_configMAX_STR_LEN 31\n");
                assert_eq!(enough.notes(HOOKS), "");
                assert_eq!(with_names_of("21", "").notes(HOOKS), "");
                with_names_of("33", "#define tband_configMAX_STR_LEN 31\n").notes(HOOKS)
            },
        },
        Mistake {
            what: "tickless idle, and SysTick is the timer (Cortex-M0+)",
            says: &[
                "tband: tickless idle sets SysTick anew, so it cannot be the timer.",
                "#define tband_portCOUNTER32() my_counter()",
            ],
            made: || tickless("GCC_ARM_CM0_FREERTOS").option("-D__ARM_ARCH_6M__=1").refused(SHIM),
        },
        Mistake {
            what: "tickless idle, and the cycle counter is the timer (other Cortex-M)",
            says: &[
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
            what: "more cores in the kernel than in the port",
            says: &["tband: the kernel runs on more cores than the port records"],
            made: || {
                // The port of the kernel's POSIX port says that there is one.
                Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, CORES).refused(SHIM)
            },
        },
        Mistake {
            what: "several cores in the kernel, and the port says nothing of cores",
            says: &[
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
    ],
};

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
