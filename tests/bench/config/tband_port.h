/* The port that is measured: the kernel's critical section, and as timestamp one load of the board's
 * 32-bit counter, as for the other recorders; or with it extended to 64 bits. With BENCH_CPU it is the port of that CPU
 * as users have it. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "board.h"

#if BENCH_CORES > 1
/* Like a chip with a register for the number of the core: one load. */
extern const volatile uint32_t bench_core_number;
#define tband_portNUMBER_OF_CORES BENCH_CORES
#define tband_portGET_CORE_ID() bench_core_number
#endif

#if defined(BENCH_CPU_cortex_a9)
#define tband_portGLOBAL_TIMER 0xF8F00200
#define tband_portGLOBAL_TIMER_HZ 100000000
#elif defined(BENCH_CPU_cortex_r5)
#define tband_portCPU_CLOCK_HZ 1000000000
#elif defined(BENCH_CPU_aarch64)
#define tband_portSTRICT_ALIGN 1
#elif defined(BENCH_CPU_xtensa)
#define tband_portCPU_CLOCK_HZ 10000000
#elif defined(__riscv)
/* The lower half of mtime. */
#define tband_portTIMESTAMP() ((uint64_t)*(volatile const uint32_t *)0x0200BFF8)
#define tband_portTIMESTAMP_RAW() (*(volatile const uint32_t *)0x0200BFF8)
#define tband_portTIMESTAMP_FREQUENCY_HZ 10000000
#elif defined(BENCH_TIMER_EXTENDED)
#define tband_portCOUNTER32() BOARD_COUNTER
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ
#else
#define tband_portTIMESTAMP() \
  ((uint64_t)BOARD_COUNTER | (BENCH_COUNTER_START & 0xFFFFFFFF00000000ULL))
#define tband_portTIMESTAMP_RAW() BOARD_COUNTER
#define tband_portTIMESTAMP_FREQUENCY_HZ BOARD_CLOCK_HZ
#endif

#if defined(BENCH_BACKEND_STREAMING) && !defined(BENCH_PACKET_SIZE)
#include "../../../port/tband_ring.h"
extern tband_ring bench_ring;
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&bench_ring, (buf), (len))
#endif

#if defined(__aarch64__)
#include "../../../port/arm_a_r/tband_aarch64.h"
#elif defined(__XTENSA__)
#include "../../../port/ESP_IDF/tband_xtensa.h"
#elif defined(BENCH_CPU)
#include "../../../port/arm_a_r/tband_arm_a_r.h"
#elif defined(__riscv)
#include "../../../port/tband_riscv.h"
#else
#include "../../../port/tband_cortex_m_freertos.h"
#endif

#endif
