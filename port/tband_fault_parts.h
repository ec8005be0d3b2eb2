/* Common part of the fault files of all architectures: the task, the event itself, the end of the recording. Included
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

/* A second fault or failed assertion during the recording of a fault must not end it. */
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

#if tband_configFREERTOS_TRACE_ENABLE != 0
/* A crash may have destroyed what the kernel points at, and a fault in here would stop the chip. So an address counts
 * only if it is aligned and as near to a variable of the recorder, or to the stack, as RAM of one kind is. */
static bool tband_fault_may_read(const void *at, uintptr_t sp) {
  const uintptr_t address = (uintptr_t)at;
  const uintptr_t own = (uintptr_t)&tband_fault_is_recorded;
  return ((address & 3U) == 0U) && ((((address ^ own) >> 24) == 0U) || (((address ^ sp) >> 24) == 0U));
}
#endif

enum { TBAND_FAULT_MOST_WORDS = 1024, TBAND_FAULT_SURE_BYTES = 1024, TBAND_FAULT_STACK_BLOCKS = 8 };

static TBAND_NEVER_INLINE uint32_t tband_fault_sum(const uint32_t *from, uint32_t words) {
  uint32_t sum = 2166136261U;
  for (; words != 0U; words--) {
    sum = (sum ^ *from) * 16777619U;
    from++;
  }
  return sum;
}

/* Records checksums of the stack from `sp` on, so that a later reader of the memory can tell which parts have changed
 * since. `end`: the end of the stack, or 0 if it is unknown. Then the checksums end with this KiB, all of which is
 * certainly RAM. */
static TBAND_NEVER_INLINE void tband_fault_stack(uint32_t sp, uint32_t end) {
  uint32_t words = ((end != 0U) ? (end - sp) : ((0U - sp) % TBAND_FAULT_SURE_BYTES)) / 4U;
  if (((sp & 3U) != 0U) || (words == 0U)) {
    return;
  }
  if (words > TBAND_FAULT_MOST_WORDS) {
    words = TBAND_FAULT_MOST_WORDS;
  }
  tband_fault_value(TBAND_FAULT_FACT_STACK_WORDS, words);
  const uint32_t block = (words + TBAND_FAULT_STACK_BLOCKS - 1U) / TBAND_FAULT_STACK_BLOCKS;
  const uint32_t *at = (const uint32_t *)(uintptr_t)sp;
  const uint32_t *const last = at + words;
  for (uint32_t what = TBAND_FAULT_FACT_STACK_SUM0; at < last; what++) {
    const uint32_t left = (uint32_t)(last - at);
    const uint32_t some = (left < block) ? left : block;
    tband_fault_value(what, tband_fault_sum(at, some));
    at += some;
  }
}

#if defined(__GNUC__)
/* The note with the build id, if a linker script defines this symbol: docs/src/guide/firmware/records.md. */
extern const uint32_t tband_build_note[] __attribute__((weak));
#define TBAND_FAULT_HAS_NOTE() \
  ((tband_build_note != NULL) && (tband_build_note[0] == 4U) && (tband_build_note[2] == 3U) && \
   (tband_build_note[3] == 0x00554E47U))
#endif

/* Records the identity of the program, so that the host does not mistake it for another: its build id, or else a
 * checksum of 1 KiB of its code. The KiB is the one with the pc if that is near the recorder's code, and so certainly
 * code. */
static TBAND_NEVER_INLINE void tband_fault_ends(uint32_t kind, const char *text, uint32_t sp, uint32_t pc);
static TBAND_NEVER_INLINE void tband_fault_program(uint32_t pc) {
#if defined(__GNUC__)
  if (TBAND_FAULT_HAS_NOTE()) {
    tband_fault_values(TBAND_FAULT_FACT_BUILD_FIRST, &tband_build_note[4], 2);
    return;
  }
#endif
  const uint32_t own = (uint32_t)(uintptr_t)&tband_fault_ends;
  const uint32_t at = (((pc - own) + 0x10000U) < 0x20000U ? pc : own) & ~1023U;
  tband_fault_value(TBAND_FAULT_FACT_CODE_AT, at);
  tband_fault_value(TBAND_FAULT_FACT_CODE_SUM, tband_fault_sum((const uint32_t *)(uintptr_t)at, 256));
}

#if (tband_configFREERTOS_TRACE_ENABLE != 0) && (configUSE_TRACE_FACILITY == 1)
/* The task, and the end of its stack if `sp` is in that, or 0. */
static uint32_t tband_fault_task(uint32_t sp) {
  TaskStatus_t status;
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  if ((current == NULL) || !tband_fault_may_read((const void *)current, sp)) {
    return 0;
  }
  vTaskGetInfo(current, &status, pdFALSE, eRunning);
  tband_fault_value(TBAND_FAULT_FACT_TASK, (uint32_t)uxTaskGetTaskNumber(current));
  const uint32_t begin = (uint32_t)(uintptr_t)status.pxStackBase;
  tband_fault_value(TBAND_FAULT_FACT_STACK_BEGIN, begin);
  /* Only with these settings does the kernel know the size of the stack. */
#if (tskKERNEL_VERSION_MAJOR >= 11) && defined(configRECORD_STACK_HIGH_ADDRESS) && \
    (configRECORD_STACK_HIGH_ADDRESS == 1)
  /* The kernel has its last word, rounded down to 8 bytes: that one, or the one before. Stacks have an even number of
   * words. */
  const uint32_t last = ((uint32_t)(uintptr_t)status.pxEndOfStack & ~7U) | (~begin & 4U);
  tband_fault_value(TBAND_FAULT_FACT_STACK_END, last + 4U);
  const uint32_t below = 4U * TBAND_FAULT_MOST_WORDS; /* one that has overflowed */
  if (((sp - begin) + below) < ((last - begin) + below)) {
    return last + 4U;
  }
#endif
  return 0;
}
#else
static inline uint32_t tband_fault_task(uint32_t sp) {
  (void)sp;
  return 0;
}
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

/* Records the last event; the recording so far is sent or kept. `sp`: the stack pointer before the crash. The registers
 * are recorded even if a handler crashes in here because the kernel or the stack cannot be read. */
static TBAND_NEVER_INLINE void tband_fault_ends(uint32_t kind, const char *text, uint32_t sp, uint32_t pc) {
  tband_fault_program(pc);
  tband_fault_stack(sp, tband_fault_task(sp));
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
