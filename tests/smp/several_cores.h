/* What FreeRTOSConfig.h has for several cores; the test puts it before the rest. */
#ifndef SEVERAL_CORES_H
#define SEVERAL_CORES_H

#define configNUMBER_OF_CORES 2
#define configTICK_CORE 0
#define configUSE_CORE_AFFINITY 1
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_PASSIVE_IDLE_HOOK 1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configSUPPORT_STATIC_ALLOCATION 1

void simulation_failed(const char *what, const char *file, int line) __attribute__((noreturn));
#define configASSERT(x) ((x) ? (void)0 : simulation_failed(#x, __FILE__, __LINE__))

#endif
