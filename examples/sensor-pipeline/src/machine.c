/*
 * The hardware that this machine has not: the sampling interrupt, work that takes
 * time, a stack that is used. The POSIX port's tick is a signal handler.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <time.h>

#include "pipeline.h"

void name_interrupts(void) {
  tband_isr_name(ISR_TICK, "SysTick");
  tband_isr_name(ISR_ADC, "ADC");
}

/* Called by the kernel's tick. */
void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  static unsigned ticks;
  if (++ticks % SAMPLE_EVERY == 0) {
    tband_isr_enter(ISR_ADC);
    adc_isr();
    tband_isr_exit(ISR_ADC);
  }
}

/* The linker puts this in the place of what the tick's handler calls (--wrap, see CMakeLists.txt),
 * so that the interrupt begins before it makes a task ready. */
BaseType_t __real_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void) {
  tband_isr_enter(ISR_TICK);
  const BaseType_t switch_required = __real_xTaskIncrementTick();
  tband_isr_exit(ISR_TICK);
  return switch_required;
}

static uint64_t now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

/* Time in which another task has worked is left out. The processor's own time would be simpler; but where this
 * machine is busy with other programs that is less than the ticks go by, and low priorities never run. */
void work_us(uint32_t us) {
  static TaskHandle_t volatile worker;
  const TaskHandle_t me = xTaskGetCurrentTaskHandle();
  uint64_t done = 0, last = now_ns();
  for (worker = me; done < UINT64_C(1000) * us;) {
    const uint64_t now = now_ns();
    if (worker == me) {
      done += now - last;
    }
    worker = me;
    last = now;
  }
}

/*
 * On the POSIX port a task's code runs on the stack of its thread, and the one that the
 * kernel knows stays as it was filled. So what deep calls leave on a chip is written
 * here; the kernel finds it, and the recorder reports it, as it does there.
 */
void use_stack_but(StackType_t *stack, size_t words, size_t left_bytes) {
  /* The port keeps its own data at the upper end. */
  const size_t used_by_port = 512;
  const size_t bytes = words * sizeof *stack;
  configASSERT(left_bytes + used_by_port < bytes);
  (void)memset((uint8_t *)stack + left_bytes, 0, bytes - used_by_port - left_bytes);
}
