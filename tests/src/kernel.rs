//! The real kernel, as a program for the POSIX port sees it.

use std::path::PathBuf;

use crate::root;

/// A `FreeRTOSConfig.h` with everything on that the hooks have events for.
pub const FREERTOS_CONFIG: &str = "\
#define configUSE_PREEMPTION 1
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#define configMINIMAL_STACK_SIZE 128
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 12
#define configTOTAL_HEAP_SIZE 65536
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configQUEUE_REGISTRY_SIZE 4
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 2
#define configTIMER_QUEUE_LENGTH 5
#define configTIMER_TASK_STACK_DEPTH 128
#define configUSE_TRACE_FACILITY 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#include \"tband.h\"
";

/// Folder of the kernel's sources.
#[must_use]
pub fn sources() -> PathBuf {
    xtask::kernel::path(root()).expect("the kernel")
}

/// Folders of a program that uses the kernel, but for the library's.
#[must_use]
pub fn includes() -> [PathBuf; 2] {
    [sources().join("include"), sources().join("portable/ThirdParty/GCC/Posix")]
}
