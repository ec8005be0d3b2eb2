/* Starts the recording when the kernel has started, before the application's threads. */
#include <zephyr/init.h>
#include <zephyr/kernel.h>

#include "tband.h"

static int start(void) {
#if defined(CONFIG_CPU_CORTEX_M)
  tband_isr_name((uint32_t)-1, "SysTick");
#endif
  tband_gather_system_metadata();
#if defined(CONFIG_TBAND_STREAMING)
  (void)tband_start_streaming();
#else
  (void)tband_trigger_snapshot();
#endif
  return 0;
}

/* After the system's clock, which starts in PRE_KERNEL_2. */
SYS_INIT(start, POST_KERNEL, 0);
