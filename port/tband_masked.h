/* Hooks that the kernel calls with interrupts masked, of which freertos-hooks/tband_hooks_masked.h is the table. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_MASKED_H)
#define TBAND_MASKED_H

#if !defined(tband_portIS_MASKED)
#error "tband: the port does not say that the kernel masks all that records, so hooks cannot rely on it. If your critical section masks what the kernel's does, or less, put into tband_port.h:"
#error "    #define tband_portIS_MASKED() my_interrupts_are_masked()   /* true in the kernel's critical sections */"
#error "Or put into tband_config.h:"
#error "    #define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0"
#include TBAND_STOP
#endif

void tband_record_masked_u32(uint32_t id, uint32_t first) {
  TBAND_IF_WANTED_MASKED(id, first,
                         TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32(id, first),
                                             tband_watched_u32(id, first, tband_core, tband_now)));
}

void tband_record_masked_u32_u32(uint32_t id, uint32_t first, uint32_t second) {
  TBAND_IF_WANTED_MASKED(id, first,
                         TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32_U32(id, first, second),
                                             tband_watched_u32_u32(id, first, second, tband_core, tband_now)));
}

void tband_record_masked_numbers(uint32_t id, uint32_t count, const uint32_t *numbers) {
  TBAND_IF_WANTED_MASKED(id & 0xFFU, (count == 0U) ? 0U : numbers[0],
                         TBAND_WITH_TRIGGERS(id, TBAND_WRITE_NUMBERS(id, count, numbers),
                                             tband_watched_numbers(id, count, numbers, tband_core, tband_now)));
}

#endif /* TBAND_MASKED_H */
