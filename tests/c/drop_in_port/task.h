/* The critical sections of task.h, over the make-believe kernel in FreeRTOS.h. */
#ifndef TASK_H
#define TASK_H

#define taskENTER_CRITICAL() vKernelEnter()
#define taskEXIT_CRITICAL() vKernelExit()
#define taskENTER_CRITICAL_FROM_ISR() (BaseType_t) ulKernelEnterFromISR()
#define taskEXIT_CRITICAL_FROM_ISR(key) vKernelExitFromISR((UBaseType_t)(key))

#endif
