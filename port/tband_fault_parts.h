/* What files of faults have in common, whatever the architecture: the task, the event itself, the end of the recording. Included
 * by port/tband_fault_cortex_m.c and port/tband_fault_riscv.c. */
#ifndef TBAND_FAULT_PARTS_H
#define TBAND_FAULT_PARTS_H

#include "tband.h"

#if tband_configFREERTOS_TRACE_ENABLE != 0
/* The kernel's functions themselves, as in the shim. */
#define MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#include "FreeRTOS.h"
#include "task.h"
#undef MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#endif

#if (tband_configENABLE != 0)

/* Assembler code calls the function, which link-time optimisation does not see. */
#if defined(__GNUC__)
#define TBAND_CALLED_BY_ASSEMBLER __attribute__((used))
#else
#define TBAND_CALLED_BY_ASSEMBLER
#endif

/* An assertion that fails while a fault is recorded, or a fault, ends nothing that is to be recorded. */
static volatile uint8_t tband_fault_is_recorded;

static TBAND_NEVER_INLINE void tband_fault_value(uint32_t what, uint32_t value) {
  TBAND_RECORD_U32_U32(FAULT, what, value);
}

/* Values of `count` words that follow each other, and are the values from `first` on: registers of the chip, too. */
static TBAND_NEVER_INLINE void tband_fault_values(uint32_t first, const volatile uint32_t *words,
                                                  uint32_t count) {
  for (uint32_t at = 0; at < count; at++) {
    tband_fault_value(first + at, words[at]);
  }
}

static TBAND_NEVER_INLINE bool tband_fault_begins(void) {
  const bool begins = TBAND_MAY_RECORD(false) && (tband_fault_is_recorded == 0U) && tband_is_recording();
  if (begins) {
    tband_fault_is_recorded = 1;
    TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_U32_FAULT, TBAND_SCHEMA_FAULT);
    TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_STR_CRASH, TBAND_SCHEMA_CRASH);
  }
  return begins;
}

#if (tband_configFREERTOS_TRACE_ENABLE != 0) && (configUSE_TRACE_FACILITY == 1)
static void tband_fault_task(void) {
  TaskStatus_t status;
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  if (current == NULL) {
    return;
  }
  vTaskGetInfo(current, &status, pdFALSE, eRunning);
  tband_fault_value(TBAND_FAULT_FACT_TASK, (uint32_t)uxTaskGetTaskNumber(current));
  tband_fault_value(TBAND_FAULT_FACT_STACK_BEGIN, (uint32_t)(uintptr_t)status.pxStackBase);
  /* How large the stack is the kernel knows only then. */
#if (tskKERNEL_VERSION_MAJOR >= 11) && defined(configRECORD_STACK_HIGH_ADDRESS) && \
    (configRECORD_STACK_HIGH_ADDRESS == 1)
  /* The kernel has its last word, rounded down to 8 bytes. */
  tband_fault_value(TBAND_FAULT_FACT_STACK_END, ((uint32_t)(uintptr_t)status.pxEndOfStack | 7U) + 1U);
#endif
}
#else
static inline void tband_fault_task(void) {}
#endif

/* The last part of a path. */
static const char *tband_fault_file(const char *path) {
  const char *name = path;
  for (const char *at = path; (at != NULL) && (*at != '\0'); at++) {
    if ((*at == '/') || (*at == '\\')) {
      name = at + 1;
    }
  }
  return name;
}

/* The last event: what was recorded so far goes out, or stays. */
static TBAND_NEVER_INLINE void tband_fault_ends(uint32_t kind, const char *text) {
  tband_fault_task();
  TBAND_RECORD_U32_STR(CRASH, kind, text);
#if tband_configUSE_BACKEND_POST_MORTEM
  (void)tband_freeze();
#elif tband_configUSE_BACKEND_SNAPSHOT
  (void)tband_stop_snapshot();
#elif TBAND_USES_PACKETS
  tband_flush();
#endif
  tband_fault_is_recorded = 0;
}

#endif

#endif /* TBAND_FAULT_PARTS_H */
