/* See ../FreeRTOS.h. */
#ifndef IDF_ADDITIONS_H
#define IDF_ADDITIONS_H
#if IMITATION_IDF >= 50200
TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t xCoreID);
#else
TaskHandle_t xTaskGetIdleTaskHandleForCPU(BaseType_t xCoreID);
#endif
#endif
