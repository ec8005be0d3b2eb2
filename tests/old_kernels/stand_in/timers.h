/* See FreeRTOS.h. */
#ifndef TIMERS_H
#define TIMERS_H

#define tmrCOMMAND_CHANGE_PERIOD ((BaseType_t)4)
#define tmrCOMMAND_DELETE ((BaseType_t)5)
#define tmrCOMMAND_CHANGE_PERIOD_FROM_ISR ((BaseType_t)9)

typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t xTimer);
typedef void (*PendedFunction_t)(void *pvParameter1, uint32_t ulParameter2);

TimerHandle_t xTimerCreate(const char *pcTimerName, TickType_t xTimerPeriodInTicks,
                           UBaseType_t uxAutoReload, TimerCallbackFunction_t pxCallbackFunction);
BaseType_t xTimerGenericCommand(TimerHandle_t xTimer, const BaseType_t xCommandID,
                                const TickType_t xOptionalValue);
void vTimerProcess(TimerHandle_t xTimer, BaseType_t xMessageID, TickType_t xMessageValue);
BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend, void *pvParameter1,
                                  uint32_t ulParameter2);
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend, void *pvParameter1,
                                         uint32_t ulParameter2);
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void);
UBaseType_t uxTimerGetTimerNumber(TimerHandle_t xTimer);

#endif
