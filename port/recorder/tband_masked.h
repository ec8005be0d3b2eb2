/* Hooks that the kernel calls with interrupts masked, as listed in freertos-hooks/tband_hooks_masked.h. Part of the
 * shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_MASKED_H)
#define TBAND_MASKED_H

#if !defined(tband_portIS_MASKED)
#error "tband: the port does not say that the kernel masks all that records, so hooks cannot rely on it. If your critical section masks what the kernel's does, or less, put into tband_port.h:"
#error "    #define tband_portIS_MASKED() my_interrupts_are_masked()   /* true in the kernel's critical sections */"
#error "Or put into tband_config.h:"
#error "    #define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0"
#include TBAND_STOP
#endif

TBAND_ENTRY_U32(tband_record_masked_u32, TBAND_IN_RECORDING_MASKED)

TBAND_ENTRY_U32_U32(tband_record_masked_u32_u32, TBAND_IN_RECORDING_MASKED)

TBAND_ENTRY_NUMBERS(tband_record_masked_numbers, TBAND_IN_RECORDING_MASKED)

#endif /* TBAND_MASKED_H */
