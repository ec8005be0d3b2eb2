/* See FreeRTOS.h. */
#include "FreeRTOS.h"
#include "task.h"
#include "timers.h"

#define tmrSTATUS_IS_AUTORELOAD ((uint8_t)0x04)

typedef struct tmrTimerControl {
  const char *pcTimerName;
  TickType_t xTimerPeriodInTicks;
  TimerCallbackFunction_t pxCallbackFunction;
  UBaseType_t uxTimerNumber;
  uint8_t ucStatus;
} xTIMER;
typedef xTIMER Timer_t;

TimerHandle_t xTimerCreate(const char *pcTimerName, TickType_t xTimerPeriodInTicks,
                           UBaseType_t uxAutoReload, TimerCallbackFunction_t pxCallbackFunction) {
  static Timer_t xTimer;
  Timer_t *pxNewTimer = &xTimer;
  pxNewTimer->pcTimerName = pcTimerName;
  pxNewTimer->xTimerPeriodInTicks = xTimerPeriodInTicks;
  pxNewTimer->pxCallbackFunction = pxCallbackFunction;
  if (uxAutoReload != (UBaseType_t)pdFALSE) {
    pxNewTimer->ucStatus = tmrSTATUS_IS_AUTORELOAD;
  }
  traceTIMER_CREATE(pxNewTimer);
  return pxNewTimer;
}

BaseType_t xTimerGenericCommand(TimerHandle_t xTimer, const BaseType_t xCommandID,
                                const TickType_t xOptionalValue) {
  BaseType_t xReturn = pdPASS;
  traceTIMER_COMMAND_SEND(xTimer, xCommandID, xOptionalValue, xReturn);
  return xReturn;
}

void vTimerProcess(TimerHandle_t xTimer, BaseType_t xMessageID, TickType_t xMessageValue) {
  Timer_t *const pxTimer = (Timer_t *)xTimer;
  traceTIMER_COMMAND_RECEIVED(pxTimer, xMessageID, xMessageValue);
  traceTIMER_EXPIRED(pxTimer);
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend, void *pvParameter1,
                                  uint32_t ulParameter2) {
  const BaseType_t xReturn = pdFAIL;
  tracePEND_FUNC_CALL(xFunctionToPend, pvParameter1, ulParameter2, xReturn);
  return xReturn;
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend, void *pvParameter1,
                                         uint32_t ulParameter2) {
  const BaseType_t xReturn = pdPASS;
  tracePEND_FUNC_CALL_FROM_ISR(xFunctionToPend, pvParameter1, ulParameter2, xReturn);
  return xReturn;
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) { return xTaskGetCurrentTaskHandle(); }
UBaseType_t uxTimerGetTimerNumber(TimerHandle_t xTimer) { return xTimer->uxTimerNumber; }
