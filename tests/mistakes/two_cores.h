/* Of a FreeRTOSConfig.h for two cores: as far as the kernel's headers ask for it. */
#define configNUMBER_OF_CORES 2
#define configUSE_CORE_AFFINITY 0
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_PASSIVE_IDLE_HOOK 0
#define portGET_CORE_ID() 0
#define portRESTORE_INTERRUPTS(x) ((void)(x))
#define portSET_INTERRUPT_MASK() 0
#define portGET_TASK_LOCK(x) ((void)(x))
#define portRELEASE_TASK_LOCK(x) ((void)(x))
#define portGET_ISR_LOCK(x) ((void)(x))
#define portRELEASE_ISR_LOCK(x) ((void)(x))
#define portYIELD_CORE(x) ((void)(x))
#define portENTER_CRITICAL_FROM_ISR() 0
#define portEXIT_CRITICAL_FROM_ISR(x) ((void)(x))
#define portDISABLE_INTERRUPTS() 0
#include "tband.h"
