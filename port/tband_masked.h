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

void tband_record_masked_u32(uint32_t id, uint32_t first) { TBAND_RECORD_AS_U32(TBAND_IF_WANTED_MASKED); }

void tband_record_masked_u32_u32(uint32_t id, uint32_t first, uint32_t second) {
  TBAND_RECORD_AS_U32_U32(TBAND_IF_WANTED_MASKED);
}

void tband_record_masked_numbers(uint32_t id, uint32_t count, const uint32_t *numbers) {
  TBAND_RECORD_AS_NUMBERS(TBAND_IF_WANTED_MASKED);
}

#endif /* TBAND_MASKED_H */
