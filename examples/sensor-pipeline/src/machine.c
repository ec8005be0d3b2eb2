/*
 * The hardware that this machine lacks: the sampling interrupt, work that takes time, and stack usage. The POSIX
 * port's tick is a signal handler.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <time.h>

#include "pipeline.h"

void name_interrupts(void) {
  tband_isr_name(ISR_TICK, "SysTick");
  tband_isr_name(ISR_ADC, "ADC");
}

static uint64_t now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

/* The load is kept near 60 %. If this machine is busy with other programs, ticks come late, and the same work would
 * cause any load. So work takes longer if tasks were busy for less than that in the last ticks. */
enum { LOAD_PERCENT = 60, LOAD_ENOUGH = 66, LAST_TICKS = 32 };
static volatile uint64_t idle_ns, idle_since;
static volatile uint32_t stretch = 1000; /* thousandths: how long work takes now */

/* Replaces the kernel's function, as below: it records the running task. */
void __real_vTaskSwitchContext(void);
void __wrap_vTaskSwitchContext(void);
void __wrap_vTaskSwitchContext(void) {
  __real_vTaskSwitchContext();
  const bool is_idle = xTaskGetCurrentTaskHandle() == xTaskGetIdleTaskHandle();
  if (is_idle && idle_since == 0) {
    idle_since = now_ns();
  } else if (!is_idle && idle_since != 0) {
    idle_ns += now_ns() - idle_since;
    idle_since = 0;
  }
}

static void hold_load(void) {
  static uint64_t last, last_idle, time, idle;
  const uint64_t now = now_ns();
  const uint64_t so_far = idle_ns + (idle_since != 0 ? now - idle_since : 0);
  if (last != 0) {
    time += now - last - time / LAST_TICKS;
    idle += so_far - last_idle - idle / LAST_TICKS;
    if (100 * idle > (100 - LOAD_PERCENT) * time && stretch < 100000) {
      stretch += stretch / 32;
    } else if (100 * idle < (100 - LOAD_ENOUGH) * time && stretch > 1000) {
      stretch -= (stretch - 1000) / 8 + 1;
    }
  }
  last = now;
  last_idle = so_far;
}

/* Called by the kernel's tick. */
void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  static unsigned ticks;
  hold_load();
  if (++ticks % SAMPLE_EVERY == 0) {
    tband_isr_enter(ISR_ADC);
    adc_isr();
    tband_isr_exit(ISR_ADC);
  }
}

/* The linker replaces the function that the tick's handler calls by this one (--wrap, see CMakeLists.txt), so that
 * the interrupt begins before it makes a task ready. */
BaseType_t __real_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void) {
  tband_isr_enter(ISR_TICK);
  const BaseType_t switch_required = __real_xTaskIncrementTick();
  tband_isr_exit(ISR_TICK);
  return switch_required;
}

/* Time in which another task has worked is left out. The processor's own time would be simpler; but where this
 * machine is busy with other programs that is less than the ticks go by, and low priorities never run. */
void work_us(uint32_t us) {
  static TaskHandle_t volatile worker;
  const TaskHandle_t me = xTaskGetCurrentTaskHandle();
  uint64_t done = 0, last = now_ns();
  for (worker = me; done < (uint64_t)us * stretch;) {
    const uint64_t now = now_ns();
    if (worker == me) {
      done += now - last;
    }
    worker = me;
    last = now;
  }
}

/*
 * On the POSIX port a task's code runs on the stack of its thread, and the stack that the kernel knows stays filled.
 * So this writes the bytes that deep calls would leave on a chip; the kernel finds them, and the recorder reports
 * them, as on a chip.
 */
void use_stack_but(StackType_t *stack, size_t words, size_t left_bytes) {
  /* The port keeps its own data at the upper end. */
  const size_t used_by_port = 512;
  const size_t bytes = words * sizeof *stack;
  configASSERT(left_bytes + used_by_port < bytes);
  (void)memset((uint8_t *)stack + left_bytes, 0, bytes - used_by_port - left_bytes);
}
