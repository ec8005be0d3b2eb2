//! Mistakes in how kernel and recorder meet, `FreeRTOSConfig.h` above all.

use crate::project::{HOOKS, Project, SHIM};
use crate::{Kind, Mistake};

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
            says: &["tband: idle tasks cannot be told apart. Add to FreeRTOSConfig.h:"],
            made: || {
                let (old, new) =
                    ("INCLUDE_xTaskGetIdleTaskHandle 1", "INCLUDE_xTaskGetIdleTaskHandle 0");
                Project::with_kernel().replace("FreeRTOSConfig.h", old, new).first_error(HOOKS)
            },
        },
        Mistake {
            what: "neither mutexes nor `INCLUDE_xTaskGetCurrentTaskHandle`",
            says: &["tband: the running task cannot be told. Add to FreeRTOSConfig.h:"],
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
            what: "more cores in the kernel than in the port",
            says: &["tband: the kernel runs on more cores than the port records"],
            made: || {
                let lines = "#define configNUMBER_OF_CORES 2\n#define configUSE_CORE_AFFINITY 0\n\
                             #define configRUN_MULTIPLE_PRIORITIES 1\n#define configUSE_PASSIVE_IDLE_HOOK 0\n\
                             #define portGET_CORE_ID() 0\n#define portRESTORE_INTERRUPTS(x) ((void)(x))\n\
                             #define portSET_INTERRUPT_MASK() 0\n#define portGET_TASK_LOCK(x) ((void)(x))\n\
                             #define portRELEASE_TASK_LOCK(x) ((void)(x))\n#define portGET_ISR_LOCK(x) ((void)(x))\n\
                             #define portRELEASE_ISR_LOCK(x) ((void)(x))\n#define portYIELD_CORE(x) ((void)(x))\n\
                             #define portENTER_CRITICAL_FROM_ISR() 0\n\
                             #define portEXIT_CRITICAL_FROM_ISR(x) ((void)(x))\n#define portDISABLE_INTERRUPTS() 0\n\
                             #include \"tband.h\"\n";
                Project::with_kernel().replace("FreeRTOSConfig.h", INCLUDE, lines).refused(SHIM)
            },
        },
    ],
};
