/* Functions of the hooks that cannot be expressions: numbers and names of objects, idle and timer task, and state that
 * several hooks share.
 *
 * Compiled in the user's project together with the shim; empty unless FreeRTOS is recorded. The kernel's headers come
 * first, so that the check below can tell whether FreeRTOSConfig.h includes tband.h. */
#include "tband_config_defaults.h"

#if (tband_configENABLE != 0) && defined(TBAND_IS_C90)
#error "tband: tband's C files need C99, and the compiler is set to C90. Compile freertos-hooks/tband_freertos.c with -std=gnu99 or newer."
#include TBAND_STOP
#endif

#if (tband_configENABLE != 0) && (tband_configFREERTOS_TRACE_ENABLE != 0)
#if defined(TBAND_CAN_LOOK_FOR_FILES)
#if !__has_include("FreeRTOS.h")
#define TBAND_LACKS_FREERTOS 1
#endif
#endif
#ifndef TBAND_LACKS_FREERTOS
/* The kernel's functions themselves, and not the wrappers that programs see with memory protection: in
 * interrupts these do not work, and some give indices instead of pointers. */
#define MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "timers.h"
#include "event_groups.h"
#include "stream_buffer.h"
#if defined(ESP_PLATFORM)
#include "freertos/idf_additions.h" /* functions with a core as argument */
#endif
#undef MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#if !defined(TBAND_H)
#define TBAND_IS_NOT_IN_FREERTOS_CONFIG 1
#endif
#endif
#endif

/* Either of these two would cause errors in everything below, which would only hide the cause. */
#if defined(TBAND_LACKS_FREERTOS)
#error "tband: tband_configFREERTOS_TRACE_ENABLE is 1, but FreeRTOS.h is not on the include path of tband. In CMake name the target that compiles the kernel, before tband: set(TBAND_FREERTOS_TARGET my_kernel). Without FreeRTOS set it to 0."
#include TBAND_STOP
#elif defined(TBAND_IS_NOT_IN_FREERTOS_CONFIG)
#error "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:"
#error "    #include \"tband.h\""
#include TBAND_STOP
#else

#include "tband.h"

#if TBAND_FREERTOS_ENABLED
#if !defined(configUSE_TRACE_FACILITY) || (configUSE_TRACE_FACILITY != 1)
#error "tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h:"
#error "    #define configUSE_TRACE_FACILITY 1"
#endif
#if !defined(INCLUDE_xTaskGetIdleTaskHandle) || (INCLUDE_xTaskGetIdleTaskHandle != 1)
#error "tband: idle tasks cannot be distinguished. Add to FreeRTOSConfig.h:"
#error "    #define INCLUDE_xTaskGetIdleTaskHandle 1"
#endif
#if defined(configUSE_CO_ROUTINES) && (configUSE_CO_ROUTINES == 1) && !TBAND_KERNEL_IS_V11 && \
    (tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0) && defined(__GNUC__)
#pragma message("tband: kernels before V11 do not show what co-routines send and receive, so levels of their queues are wrong")
#endif
#if (INCLUDE_xTaskGetCurrentTaskHandle != 1) && (configUSE_MUTEXES != 1) && (TBAND_KERNEL_CORES == 1)
#error "tband: the running task cannot be found out. Add to FreeRTOSConfig.h:"
#error "    #define INCLUDE_xTaskGetCurrentTaskHandle 1"
#endif

/* The kernel's length includes the NUL. No check if the user has set tband_configMAX_STR_LEN: that is a deliberate
 * choice. */
#ifdef configMAX_TASK_NAME_LEN
#if (configMAX_TASK_NAME_LEN - 1 > tband_configMAX_STR_LEN) && defined(TBAND_STRINGS_HAVE_USUAL_LEN)
#error "tband: tasks have longer names (configMAX_TASK_NAME_LEN) than are recorded, so they would be cut. Put into tband_config.h how many characters of a string are recorded:"
#if configMAX_TASK_NAME_LEN <= 33
#error "    #define tband_configMAX_STR_LEN 32"
#else
#error "    #define tband_configMAX_STR_LEN 64   /* configMAX_TASK_NAME_LEN - 1; fewer if names are shorter */"
#endif
#include TBAND_STOP
#elif configMAX_TASK_NAME_LEN - 1 > tband_configMAX_STR_LEN
#pragma message("tband: names of tasks are cut: configMAX_TASK_NAME_LEN is longer than tband_configMAX_STR_LEN")
#endif
#endif

/* See port/recorder/tband_unprivileged.h for ESP-IDF. */
#if defined(portUSING_MPU_WRAPPERS) && (portUSING_MPU_WRAPPERS == 1) && !TBAND_IS_ESP_IDF
#define TBAND_IS_MPU_BUILD 1
#if !TBAND_KERNEL_IS_V11
#error "tband: kernel ports with memory protection (portUSING_MPU_WRAPPERS) are recorded from FreeRTOS V11 on. Use the port without, for example GCC/ARM_CM4F for GCC/ARM_CM4_MPU or configENABLE_MPU 0 for ARMv8-M, or put into tband_config.h:"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 0"
#endif
#if TBAND_KERNEL_CORES > 1
#error "tband: kernel ports with memory protection (portUSING_MPU_WRAPPERS) are recorded on one core only. Put into FreeRTOSConfig.h:"
#error "    #define configNUMBER_OF_CORES 1"
#endif
#else
#define TBAND_IS_MPU_BUILD 0
#endif

/* The version that the hooks were compiled for must agree with the kernel's where the hooks of versions differ. */
#define TBAND_KERNEL_VERSION \
  ((tskKERNEL_VERSION_MAJOR * 10000) + (tskKERNEL_VERSION_MINOR * 100) + tskKERNEL_VERSION_BUILD)
#if TBAND_KERNEL_VERSION < 100100
#error "tband: the hooks are for FreeRTOS V10.1.0 and later; task.h has an older version"
#elif (TBAND_KERNEL_VERSION < 100300) && TBAND_KERNEL_IS_AT_LEAST(100300)
#error "tband: the hooks are not those of this kernel, which is older than V10.3. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 100100"
#elif (TBAND_KERNEL_VERSION < 110000) && defined(configNUM_CORES) && !TBAND_KERNEL_IS_OF_ESP_IDF
#error "tband: this is the kernel for several cores that came before V11, which cannot be recorded. Take FreeRTOS V11."
#elif (TBAND_KERNEL_VERSION < 100400) && TBAND_KERNEL_IS_V10_4
#error "tband: the hooks are not those of this kernel, which is older than V10.4. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 100300"
#elif (TBAND_KERNEL_VERSION >= 100400) && (TBAND_KERNEL_VERSION < 110000) && \
    (TBAND_KERNEL_IS_V11 || !TBAND_KERNEL_IS_V10_4)
#error "tband: the hooks are not those of this kernel, which is V10.4 to V10.6. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 100400"
#elif (TBAND_KERNEL_VERSION >= 110000) && (TBAND_KERNEL_VERSION < 110200) && \
    (!TBAND_KERNEL_IS_V11 || TBAND_KERNEL_TRACES_ITS_START)
#error "tband: the hooks are not those of this kernel, which is V11.0 or V11.1. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 110000"
#elif (TBAND_KERNEL_VERSION >= 110000) && !TBAND_KERNEL_IS_V11
#error "tband: the hooks are not those of this kernel, which is V11.0 or later. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 110000"
#endif

#if !TBAND_KERNEL_TRACES_ITS_START
uint8_t tband_freertos_idle_tasks_known;
#endif

uint32_t tband_freertos_task_created(uint32_t priority, const char *name) {
  static uint32_t last;
  const uint32_t number = tband_freertos_next_number(&last);
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
  TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, number, priority);
  TBAND_RECORD_U32(TASK_CREATED, number);
  TBAND_RECORD_U32_U32(TASK_PRIORITY_SET, number, priority);
#else
  (void)priority;
#endif
  TBAND_RECORD_NEW_U32_STR(TASK_NAME, number, name);
  return number;
}

/* Four bits for each of the kernel's types, the highest of which is 5. In some kernels queue sets have the type of
 * plain queues, whose kind is 0. */
#define TBAND_KIND_OF_TYPE(type, kind) ((uint32_t)(TBAND_QUEUE_KIND_##kind) << (4U * (type)))
TBAND_STATIC_ASSERT(TBAND_QUEUE_KIND_QUEUE == 0, "tband: a plain queue is what no other kind is");
static uint32_t tband_queue_kind(uint8_t kernel_queue_type) {
  const uint32_t kinds =
      TBAND_KIND_OF_TYPE(queueQUEUE_TYPE_COUNTING_SEMAPHORE, COUNTING_SEMAPHORE) |
      TBAND_KIND_OF_TYPE(queueQUEUE_TYPE_BINARY_SEMAPHORE, BINARY_SEMAPHORE) |
      TBAND_KIND_OF_TYPE(queueQUEUE_TYPE_MUTEX, MUTEX) |
      TBAND_KIND_OF_TYPE(queueQUEUE_TYPE_RECURSIVE_MUTEX, RECURSIVE_MUTEX) |
      ((queueQUEUE_TYPE_SET != queueQUEUE_TYPE_BASE)
           ? TBAND_KIND_OF_TYPE(queueQUEUE_TYPE_SET, QUEUE_SET)
           : 0U);
  return (kinds >> (4U * (kernel_queue_type & 7U))) & 15U;
}

uint32_t tband_freertos_queue_created(uint8_t kernel_queue_type) {
  static uint32_t last;
  const uint32_t number = tband_freertos_next_number(&last);
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
  TBAND_RECORD_U32(QUEUE_CREATED, number);
#endif
  TBAND_RECORD_NEW_U32_U32(QUEUE_KIND, number, tband_queue_kind(kernel_queue_type));
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
  TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, number, 0U);
#endif
  return number;
}

#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0
static tband_kernel_function tband_stream_buffer_number_of;

uint32_t tband_freertos_stream_buffer_created(uint32_t kind, uint32_t size, uint32_t trigger_level,
                                              tband_kernel_function number_of) {
  static uint32_t last;
  tband_stream_buffer_number_of = number_of;
  const uint32_t number = tband_freertos_next_number(&last);
  TBAND_STORE_NEW_U32_U32_U32(STREAM_BUFFER_INFO, number, size, trigger_level);
  TBAND_RECORD_U32_U32_U32(STREAM_BUFFER_CREATED, number, size, trigger_level);
  TBAND_RECORD_NEW_U32_U32(STREAM_BUFFER_KIND, number, kind);
  return number;
}
#endif

#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0
static tband_kernel_function tband_event_group_number_of;

uint32_t tband_freertos_event_group_created(tband_kernel_function number_of) {
  static uint32_t last;
  tband_event_group_number_of = number_of;
  const uint32_t number = tband_freertos_next_number(&last);
  TBAND_RECORD_U32(EVENT_GROUP_CREATED, number);
  return number;
}

#if defined(TICK_TYPE_WIDTH_64_BITS) && (configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_64_BITS)
void tband_freertos_high_bits(uint32_t event_group, uint64_t bits) {
  if (tband_is_recording()) {
    TBAND_DESCRIBE_EVENT_ONCE(TBAND_EVT_U32_S64_BITS, TBAND_SCHEMA_BITS);
    TBAND_RECORD_U32_S64(BITS, event_group, (int64_t)bits);
  }
}
#endif
#endif

#if tband_configFREERTOS_TIMER_TRACE_ENABLE != 0
static tband_kernel_function tband_timer_number_of;

uint32_t tband_freertos_timer_created(uint32_t period, uint32_t auto_reload, uint32_t callback,
                                      const char *name, tband_kernel_function number_of) {
  static uint32_t last;
  tband_timer_number_of = number_of;
  const uint32_t number = tband_freertos_next_number(&last);
  TBAND_STORE_NEW_U32_U32_U32(TIMER_INFO, number, period, auto_reload);
  TBAND_RECORD_U32_U32_U32_U32(TIMER_CREATED, number, period, auto_reload, callback);
  TBAND_RECORD_NEW_U32_STR(TIMER_NAME, number, name);
  return number;
}
#endif

void tband_freertos_timer_task(void) {
#if (configUSE_TIMERS == 1)
  TBAND_RECORD_META_U32(TASK_IS_TIMER_TASK,
                        (uint32_t)uxTaskGetTaskNumber(xTimerGetTimerDaemonTaskHandle()));
#endif
}

void tband_freertos_scheduler_started(void) {
#if TBAND_IS_MPU_BUILD
  if (tband_freertos_is_refused()) {
    return;
  }
#endif
#if !TBAND_KERNEL_TRACES_ITS_START
  if (tband_freertos_idle_tasks_known == 0U) {
    tband_freertos_idle_tasks_known = 1;
    for (uint32_t core = 0; core < (uint32_t)TBAND_KERNEL_CORES; core++) {
#if TBAND_KERNEL_IS_OF_ESP_IDF && !TBAND_KERNEL_IS_AT_LEAST(100500)
      const TaskHandle_t idle = xTaskGetIdleTaskHandleForCPU((BaseType_t)core);
#elif TBAND_KERNEL_CORES > 1
      const TaskHandle_t idle = xTaskGetIdleTaskHandleForCore((BaseType_t)core);
#else
      const TaskHandle_t idle = xTaskGetIdleTaskHandle();
#endif
      TBAND_RECORD_META_U32_U32(TASK_IS_IDLE_TASK, (uint32_t)uxTaskGetTaskNumber(idle), core);
    }
    tband_freertos_timer_task();
#if tband_configTICK_KEEPS_TIME != 0
    tband_kernel_tick(); /* it may be long since the start of the recording */
#endif
  }
#endif
}

/* With memory protection callers without privileges are refused, and handles may be indices. */
#if TBAND_IS_MPU_BUILD
#define TBAND_HAS_NO_NUMBER(handle) (((handle) == NULL) || tband_freertos_is_refused())
#else
#define TBAND_HAS_NO_NUMBER(handle) ((handle) == NULL)
#endif

#if TBAND_IS_MPU_BUILD && TBAND_HANDLES_ARE_INDICES
volatile uint8_t tband_number_is_asked;
volatile uint32_t tband_answered_number;

/* The functions behind the wrappers, whose entry points cannot be called in interrupts. The kernel has no header for
 * these. */
BaseType_t MPU_xStreamBufferIsFullImpl(StreamBufferHandle_t xStreamBuffer);
UBaseType_t MPU_uxEventGroupGetNumberImpl(void *xEventGroup);
TickType_t MPU_xTimerGetPeriodImpl(TimerHandle_t xTimer);
UBaseType_t MPU_uxQueueMessagesWaitingFromISR(const QueueHandle_t xQueue);

/* Some of these calls check whether the running task may access the object. In an interrupt that is the interrupted
 * task, whose access rights do not matter to the recorder. So that task counts as privileged during the call. */
#if configENABLE_ACCESS_CONTROL_LIST == 1
static uint32_t tband_no_task_flags;
static uint32_t *tband_task_flags(void) {
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  return (current == NULL) ? &tband_no_task_flags : &xTaskGetMPUSettings(current)->ulTaskFlags;
}
#define TBAND_PASS_ACCESS_CONTROL()                   \
  uint32_t *const tband_flags = tband_task_flags();   \
  const uint32_t tband_own_flags = *tband_flags;      \
  *tband_flags = tband_own_flags | portTASK_IS_PRIVILEGED_FLAG
#define TBAND_RESTORE_ACCESS_CONTROL() (*tband_flags = tband_own_flags)
#else
#define TBAND_PASS_ACCESS_CONTROL() ((void)0)
#define TBAND_RESTORE_ACCESS_CONTROL() ((void)0)
#endif

/* Returns the number of the object whose handle `call` looks up, see tband_hooks_mpu.h; 0 if the handle is invalid. No
 * other call of the kernel may happen during it. */
#define TBAND_ASK_NUMBER(call)                                                       \
  do {                                                                               \
    const uint32_t tband_mask = (uint32_t)portSET_INTERRUPT_MASK_FROM_ISR();         \
    TBAND_PASS_ACCESS_CONTROL();                                                     \
    tband_answered_number = 0;                                                       \
    tband_number_is_asked = 1;                                                       \
    (void)(call);                                                                    \
    tband_number_is_asked = 0;                                                       \
    const uint32_t tband_number = tband_answered_number;                             \
    TBAND_RESTORE_ACCESS_CONTROL();                                                  \
    portCLEAR_INTERRUPT_MASK_FROM_ISR(tband_mask);                                   \
    return tband_number;                                                             \
  } while (0)

uint32_t tband_freertos_queue_number(void *handle) {
  if (TBAND_HAS_NO_NUMBER(handle)) {
    return 0;
  }
  TBAND_ASK_NUMBER(MPU_uxQueueMessagesWaitingFromISR((QueueHandle_t)handle));
}

uint32_t tband_freertos_stream_buffer_number(void *handle) {
#if (tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0) && (configUSE_STREAM_BUFFERS == 1)
  if (!TBAND_HAS_NO_NUMBER(handle)) {
    TBAND_ASK_NUMBER(MPU_xStreamBufferIsFullImpl((StreamBufferHandle_t)handle));
  }
#endif
  (void)handle;
  return 0;
}

uint32_t tband_freertos_event_group_number(void *handle) {
#if (tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0) && (configUSE_EVENT_GROUPS == 1)
  if (!TBAND_HAS_NO_NUMBER(handle)) {
    TBAND_ASK_NUMBER(tband_answered_number = (uint32_t)MPU_uxEventGroupGetNumberImpl(handle));
  }
#endif
  (void)handle;
  return 0;
}

uint32_t tband_freertos_timer_number(void *handle) {
#if (tband_configFREERTOS_TIMER_TRACE_ENABLE != 0) && (configUSE_TIMERS == 1)
  if (!TBAND_HAS_NO_NUMBER(handle)) {
    TBAND_ASK_NUMBER(MPU_xTimerGetPeriodImpl((TimerHandle_t)handle));
  }
#endif
  (void)handle;
  return 0;
}

#else

uint32_t tband_freertos_queue_number(void *handle) {
  return TBAND_HAS_NO_NUMBER(handle) ? 0U : (uint32_t)uxQueueGetQueueNumber((QueueHandle_t)handle);
}

/* A project may omit the kernel's files that define these functions, so this file must not call them by name. The hook
 * at the first creation, in the kernel's file, passes the function. Before that, and with the class off, no such object
 * has a number. */
uint32_t tband_freertos_stream_buffer_number(void *handle) {
#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0
  if (!TBAND_HAS_NO_NUMBER(handle) && (tband_stream_buffer_number_of != NULL)) {
    UBaseType_t (*const number_of)(StreamBufferHandle_t) =
        (UBaseType_t(*)(StreamBufferHandle_t))tband_stream_buffer_number_of;
    return (uint32_t)number_of((StreamBufferHandle_t)handle);
  }
#endif
  (void)handle;
  return 0;
}

uint32_t tband_freertos_event_group_number(void *handle) {
#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0
  if (!TBAND_HAS_NO_NUMBER(handle) && (tband_event_group_number_of != NULL)) {
    UBaseType_t (*const number_of)(void *) = (UBaseType_t(*)(void *))tband_event_group_number_of;
    return (uint32_t)number_of(handle);
  }
#endif
  (void)handle;
  return 0;
}

uint32_t tband_freertos_timer_number(void *handle) {
#if tband_configFREERTOS_TIMER_TRACE_ENABLE != 0
  if (!TBAND_HAS_NO_NUMBER(handle) && (tband_timer_number_of != NULL)) {
    UBaseType_t (*const number_of)(const TimerHandle_t) =
        (UBaseType_t(*)(const TimerHandle_t))tband_timer_number_of;
    return (uint32_t)number_of((TimerHandle_t)handle);
  }
#endif
  (void)handle;
  return 0;
}

#endif

uint32_t tband_freertos_current_task_number(void) {
#if TBAND_IS_MPU_BUILD
  if (tband_freertos_is_refused()) {
    return 0;
  }
#endif
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  return (current == NULL) ? 0U : (uint32_t)uxTaskGetTaskNumber(current);
}

#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
/* Called by the context switch of a kernel without preemption, on the core that switches. */
void tband_freertos_yielded_to(uint32_t task_number) {
  static uint32_t last_task[TBAND_KERNEL_CORES];
  const uint32_t core = TBAND_KERNEL_CORE_ID();
  if (!tband_is_recording()) {
    last_task[core] = 0; /* a recording that starts later must record the running task again */
    return;
  }
  if (last_task[core] != task_number) {
    last_task[core] = task_number;
    TBAND_RECORD_U32(TASK_SWITCHED_IN, task_number);
  }
}
#endif

#if tband_configFREERTOS_STACK_TRACE_ENABLE != 0
/* Called by the context switch, on the core that switches. Tasks whose numbers are equal modulo 16 share a count: such
 * a task is sampled as often, but at less regular intervals. */
uint32_t tband_freertos_stack_is_due(uint32_t task_number) {
  static uint8_t passed[16];
  uint8_t *const count = &passed[task_number % 16U];
  if (++*count < tband_configFREERTOS_STACK_SAMPLE_EVERY) {
    return 0;
  }
  *count = 0;
  return tband_is_recording() ? 1U : 0U;
}
#endif

#if tband_configALLOW_INJECT
/* Objects that the host may send items and notifications to. NULL: a free entry. `item_size` is written before the
 * handle, because the handle makes the entry valid. */
#define TBAND_TASK_ITEM 0xFFFFFFFFU
static struct {
  void *volatile handle;
  uint32_t item_size; /* TBAND_TASK_ITEM: a task */
} tband_injected[tband_configINJECT_OBJECTS];
enum { TBAND_MOST_ITEM = 20 };

static int tband_allow(void *handle, uint32_t item_size) {
  if (!TBAND_MAY_RECORD(false)) {
    return -1;
  }
  for (uint32_t at = 0; (handle != NULL) && (at < (uint32_t)(tband_configINJECT_OBJECTS)); at++) {
    if ((tband_injected[at].handle == NULL) || (tband_injected[at].handle == handle)) {
      tband_injected[at].item_size = item_size;
      tband_injected[at].handle = handle;
      return 0;
    }
  }
  return -1;
}

int tband_freertos_allow_queue(void *queue, uint32_t item_size) {
  return (item_size <= (uint32_t)TBAND_MOST_ITEM) ? tband_allow(queue, item_size) : -1;
}

int tband_freertos_allow_task(void *task) {
#if TBAND_IS_MPU_BUILD && TBAND_HANDLES_ARE_INDICES
  /* The kernel has no public function that returns the task for an index. */
  (void)task;
  (void)TBAND_MAY_RECORD(false);
  return -1;
#else
  return tband_allow(task, TBAND_TASK_ITEM);
#endif
}

void tband_freertos_disallow(void *handle) {
  if (!TBAND_MAY_RECORD(false)) {
    return;
  }
  for (uint32_t at = 0; at < (uint32_t)(tband_configINJECT_OBJECTS); at++) {
    if (tband_injected[at].handle == handle) {
      tband_injected[at].handle = NULL;
    }
  }
}

/* Returns the registered object with this number; NULL if there is none. */
static void *tband_allowed(bool is_task, uint32_t number) {
  for (uint32_t at = 0; at < (uint32_t)(tband_configINJECT_OBJECTS); at++) {
    void *const handle = tband_injected[at].handle;
    if ((handle != NULL) && ((tband_injected[at].item_size == TBAND_TASK_ITEM) == is_task) && (number != 0U) &&
        ((is_task ? (uint32_t)uxTaskGetTaskNumber((TaskHandle_t)handle) : tband_freertos_queue_number(handle)) ==
         number)) {
      return handle;
    }
  }
  return NULL;
}

/* If handles are indices, only the wrapper can resolve the queue. */
#if TBAND_IS_MPU_BUILD && TBAND_HANDLES_ARE_INDICES
BaseType_t MPU_xQueueGenericSend(QueueHandle_t xQueue, const void *const pvItemToQueue, TickType_t xTicksToWait,
                                 const BaseType_t xCopyPosition);
#define TBAND_SEND_TO_QUEUE(queue, item) MPU_xQueueGenericSend((queue), (item), 0, queueSEND_TO_BACK)
#else
#define TBAND_SEND_TO_QUEUE(queue, item) xQueueSend((queue), (item), 0)
#endif

int tband_freertos_obey_send(const uint32_t *args) {
  void *const queue = tband_allowed(false, args[0]);
  if (queue == NULL) {
    return TBAND_COMMAND_IS_WRONG_ARGUMENTS;
  }
  return (TBAND_SEND_TO_QUEUE((QueueHandle_t)queue, &args[1]) == pdTRUE) ? 0 : TBAND_COMMAND_IS_REFUSED;
}

int tband_freertos_obey_notify(const uint32_t *args) {
  void *const task = tband_allowed(true, args[0]);
  if ((task == NULL) || (args[2] > (uint32_t)eSetValueWithoutOverwrite)) {
    return TBAND_COMMAND_IS_WRONG_ARGUMENTS;
  }
  return (xTaskNotify((TaskHandle_t)task, args[1], (eNotifyAction)args[2]) == pdPASS) ? 0 : TBAND_COMMAND_IS_REFUSED;
}
#endif

#include "tband_hooks_others.h"
#if tband_configALLOW_OWN_TRACE_MACROS == 0
#include "tband_hooks_own.h"
#endif

#endif /* TBAND_FREERTOS_ENABLED */

#endif /* FreeRTOS.h was found, and it knows tband.h */
