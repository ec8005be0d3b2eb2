#include <stdint.h>

#define tband_configENABLE 1
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#if !defined(tband_configUSE_BACKEND_POST_MORTEM)
#define tband_configUSE_BACKEND_STREAMING 1
#endif
#define tband_configPACKET_COUNT 16
#define tband_configTIME_IS_KEPT 1
#define tband_configMAX_STR_LEN 24

int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c);
#define tband_configON_COMMAND(number, a, b, c) on_command((number), (a), (b), (c))

#if defined(ALLOW)
extern uint32_t memory[];
void on_reset(void);
#define tband_configALLOW_READ 1
#define tband_configALLOW_WRITE 1
#define tband_configCOMMAND_MEMORY_FIRST (uintptr_t)&memory[1]
#define tband_configCOMMAND_MEMORY_LAST ((uintptr_t)&memory[5] - 1U)
#if !defined(tband_configCOMMAND_MAX_FILL)
#define tband_configCOMMAND_MAX_FILL 16
#endif
#define tband_configON_RESET() on_reset()
#endif
