/* What the hooks need that is not an expression: numbers, names, idle and timer task.
 *
 * Compiled in the user's project beside the shim; empty unless FreeRTOS is recorded. The kernel's
 * headers come first, so that the check below can tell whether FreeRTOSConfig.h includes tband.h. */
#if defined(__has_include)
#if __has_include("FreeRTOS.h")
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "timers.h"
#define TBAND_SEES_FREERTOS 1
#if defined(TBAND_H)
#define TBAND_IN_FREERTOS_CONFIG 1
#endif
#endif
#endif

#include "tband.h"

#if TBAND_FREERTOS_ENABLED

#ifndef TBAND_SEES_FREERTOS
#error "tband: tband_configFREERTOS_TRACE_ENABLE is 1, but FreeRTOS.h is not on the include path of tband. Link tband to the kernel's target, or set it to 0."
#endif
#ifndef TBAND_IN_FREERTOS_CONFIG
#error "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:"
#error "    #include \"tband.h\""
#endif
#if !defined(configUSE_TRACE_FACILITY) || (configUSE_TRACE_FACILITY != 1)
#error "tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h:"
#error "    #define configUSE_TRACE_FACILITY 1"
#endif
#if !defined(INCLUDE_xTaskGetIdleTaskHandle) || (INCLUDE_xTaskGetIdleTaskHandle != 1)
#error "tband: idle tasks cannot be told apart. Add to FreeRTOSConfig.h:"
#error "    #define INCLUDE_xTaskGetIdleTaskHandle 1"
#endif
#if (INCLUDE_xTaskGetCurrentTaskHandle != 1) && (configUSE_MUTEXES != 1) && \
    (configNUMBER_OF_CORES == 1)
#error "tband: the running task cannot be told. Add to FreeRTOSConfig.h:"
#error "    #define INCLUDE_xTaskGetCurrentTaskHandle 1"
#endif
#if tskKERNEL_VERSION_MAJOR < 11
#error "tband: these hooks are for FreeRTOS V11.0.0 and later; task.h says it is older"
#endif

/* The last numbers given out. The kernel's hook for a new task stands in a critical section, the one
 * for a new queue does not. */
static uint32_t tband_last_task;
static uint32_t tband_last_queue;
static uint8_t tband_idle_tasks_known;

uint32_t tband_freertos_task_created(uint32_t priority, const char *name) {
  const uint32_t number = ++tband_last_task;
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
  TBAND_RECORD_U32(TASK_CREATED, number);
  TBAND_RECORD_U32_U32(TASK_PRIORITY_SET, number, priority);
#else
  (void)priority;
#endif
  TBAND_RECORD_META_U32_STR(TASK_NAME, number, name);
  return number;
}

static uint32_t tband_queue_kind(uint8_t kernel_queue_type) {
  if (kernel_queue_type == queueQUEUE_TYPE_COUNTING_SEMAPHORE) {
    return TBAND_QUEUE_KIND_COUNTING_SEMAPHORE;
  }
  if (kernel_queue_type == queueQUEUE_TYPE_BINARY_SEMAPHORE) {
    return TBAND_QUEUE_KIND_BINARY_SEMAPHORE;
  }
  if (kernel_queue_type == queueQUEUE_TYPE_MUTEX) {
    return TBAND_QUEUE_KIND_MUTEX;
  }
  if (kernel_queue_type == queueQUEUE_TYPE_RECURSIVE_MUTEX) {
    return TBAND_QUEUE_KIND_RECURSIVE_MUTEX;
  }
  /* Some kernels give sets the number of plain queues. */
  if ((kernel_queue_type != queueQUEUE_TYPE_BASE) && (kernel_queue_type == queueQUEUE_TYPE_SET)) {
    return TBAND_QUEUE_KIND_QUEUE_SET;
  }
  return TBAND_QUEUE_KIND_QUEUE;
}

uint32_t tband_freertos_queue_created(uint8_t kernel_queue_type) {
  taskENTER_CRITICAL();
  const uint32_t number = ++tband_last_queue;
  taskEXIT_CRITICAL();
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
  TBAND_RECORD_U32(QUEUE_CREATED, number);
#endif
  TBAND_RECORD_META_U32_U32(QUEUE_KIND, number, tband_queue_kind(kernel_queue_type));
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
  TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, number, 0U);
#endif
  return number;
}

void tband_freertos_idle_task(uint32_t task_number, uint32_t core_id) {
  tband_idle_tasks_known = 1;
  TBAND_RECORD_META_U32_U32(TASK_IS_IDLE_TASK, task_number, core_id);
}

void tband_freertos_timer_task(void) {
#if (configUSE_TIMERS == 1)
  TBAND_RECORD_META_U32(TASK_IS_TIMER_TASK,
                        (uint32_t)uxTaskGetTaskNumber(xTimerGetTimerDaemonTaskHandle()));
#endif
}

void tband_freertos_scheduler_started(void) {
  if (tband_idle_tasks_known == 0U) {
    for (uint32_t core = 0; core < (uint32_t)(configNUMBER_OF_CORES); core++) {
#if configNUMBER_OF_CORES > 1
      const TaskHandle_t idle = xTaskGetIdleTaskHandleForCore((BaseType_t)core);
#else
      const TaskHandle_t idle = xTaskGetIdleTaskHandle();
#endif
      tband_freertos_idle_task((uint32_t)uxTaskGetTaskNumber(idle), core);
    }
    tband_freertos_timer_task();
  }
}

uint32_t tband_freertos_queue_number(void *handle) {
  return (handle == NULL) ? 0U : (uint32_t)uxQueueGetQueueNumber((QueueHandle_t)handle);
}

uint32_t tband_freertos_current_task_number(void) {
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  return (current == NULL) ? 0U : (uint32_t)uxTaskGetTaskNumber(current);
}

#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
/* Called by the context switch of a kernel without preemption, on the core that switches. */
void tband_freertos_yielded_to(uint32_t task_number) {
  static uint32_t last_task[configNUMBER_OF_CORES];
  const uint32_t core = (uint32_t)portGET_CORE_ID();
  if (!tband_tracing_enabled()) {
    last_task[core] = 0; /* a recording that starts later learns who runs */
    return;
  }
  if (last_task[core] != task_number) {
    last_task[core] = task_number;
    TBAND_RECORD_U32(TASK_SWITCHED_IN, task_number);
  }
}
#endif

#endif /* TBAND_FREERTOS_ENABLED */
