/* See FreeRTOS.h. */
#include <string.h>

#include "FreeRTOS.h"
#include "task.h"

/* Without the class of ticks. */
#ifndef traceTASK_INCREMENT_TICK
#define traceTASK_INCREMENT_TICK(xTickCount) (void)(xTickCount)
#endif
#ifndef traceLOW_POWER_IDLE_BEGIN
#define traceLOW_POWER_IDLE_BEGIN() (void)(xExpectedIdleTime)
#define traceLOW_POWER_IDLE_END()
#endif
#ifndef traceINCREASE_TICK_COUNT
#define traceINCREASE_TICK_COUNT(xTicksToJump) (void)(xTicksToJump)
#endif

#define taskNOTIFICATION_RECEIVED ((uint8_t)2)

typedef struct tskTaskControlBlock {
  UBaseType_t uxPriority;
  StackType_t *pxStack;
  char pcTaskName[16];
  UBaseType_t uxTaskNumber;
  UBaseType_t uxBasePriority;
#if STAND_IN_IS_V10_4
  volatile uint32_t ulNotifiedValue[3];
  volatile uint8_t ucNotifyState[3];
#else
  volatile uint32_t ulNotifiedValue;
  volatile uint8_t ucNotifyState;
#endif
} tskTCB;
typedef tskTCB TCB_t;

static TCB_t *volatile pxCurrentTCB = NULL;
void (*pxPortSleep)(TickType_t xExpectedIdleTime) = NULL;
static TCB_t xTasks[2];
static UBaseType_t uxTasks;
static volatile TickType_t xTickCount = 100;

#ifndef STAND_IN_HAS_EMPTY_MACROS
static uint16_t prvTaskCheckFreeStackSpace(const uint8_t *pucStackByte) {
  return (uint16_t)(pucStackByte[0]);
}
#endif

#define prvAddTaskToReadyList(pxTCB)        \
  traceMOVED_TASK_TO_READY_STATE(pxTCB);    \
  tracePOST_MOVED_TASK_TO_READY_STATE(pxTCB)

static void prvAddNewTaskToReadyList(TCB_t *pxNewTCB) {
  if (pxCurrentTCB == NULL) {
    pxCurrentTCB = pxNewTCB;
  }
  traceTASK_CREATE(pxNewTCB);
  prvAddTaskToReadyList(pxNewTCB);
}

TaskHandle_t xTaskCreate(const char *pcName, UBaseType_t uxPriority) {
  static StackType_t xStack[1] = {7};
  TCB_t *pxNewTCB = &xTasks[uxTasks++];
  (void)strncpy(pxNewTCB->pcTaskName, pcName, sizeof(pxNewTCB->pcTaskName) - 1U);
  pxNewTCB->uxPriority = uxPriority;
  pxNewTCB->uxBasePriority = uxPriority;
  pxNewTCB->pxStack = xStack;
  prvAddNewTaskToReadyList(pxNewTCB);
  return pxNewTCB;
}

void vTaskDelete(TaskHandle_t xTaskToDelete) {
  TCB_t *pxTCB = xTaskToDelete;
  traceTASK_DELETE(pxTCB);
}

void vTaskDelay(const TickType_t xTicksToDelay) {
  if (xTicksToDelay > 0U) {
    traceTASK_DELAY();
  }
}

void vTaskDelayUntil(TickType_t *const pxPreviousWakeTime, const TickType_t xTimeIncrement) {
  const TickType_t xTimeToWake = *pxPreviousWakeTime + xTimeIncrement;
  *pxPreviousWakeTime = xTimeToWake;
  traceTASK_DELAY_UNTIL(xTimeToWake);
}

void vTaskPrioritySet(TaskHandle_t xTask, UBaseType_t uxNewPriority) {
  TCB_t *pxTCB = xTask;
  traceTASK_PRIORITY_SET(pxTCB, uxNewPriority);
}

void vTaskSuspend(TaskHandle_t xTaskToSuspend) {
  TCB_t *pxTCB = xTaskToSuspend;
  traceTASK_SUSPEND(pxTCB);
}

void vTaskResume(TaskHandle_t xTaskToResume) {
  TCB_t *const pxTCB = xTaskToResume;
  traceTASK_RESUME(pxTCB);
}

void vTaskResumeFromISR(TaskHandle_t xTaskToResume) {
  TCB_t *const pxTCB = xTaskToResume;
  traceTASK_RESUME_FROM_ISR(pxTCB);
}

void vTaskStepTick(const TickType_t xTicksToJump) {
  xTickCount += xTicksToJump;
  traceINCREASE_TICK_COUNT(xTicksToJump);
}

void vTaskIncrementTick(void) { traceTASK_INCREMENT_TICK(xTickCount); }

void vTaskSwitchContext(TaskHandle_t xNext) {
  traceTASK_SWITCHED_OUT();
  pxCurrentTCB = xNext;
  traceTASK_SWITCHED_IN();
}

void vTaskPriorityInherit(TaskHandle_t pxMutexHolder) {
  TCB_t *const pxMutexHolderTCB = pxMutexHolder;
  traceTASK_PRIORITY_INHERIT(pxMutexHolderTCB, pxCurrentTCB->uxPriority);
}

void vTaskPriorityDisinherit(TaskHandle_t pxMutexHolder) {
  TCB_t *const pxTCB = pxMutexHolder;
  traceTASK_PRIORITY_DISINHERIT(pxTCB, pxTCB->uxBasePriority);
}

void vTaskIdle(TickType_t xExpectedIdleTime) {
  if (xExpectedIdleTime >= 2U) {
    traceLOW_POWER_IDLE_BEGIN();
    if (pxPortSleep != NULL) {
      pxPortSleep(xExpectedIdleTime);
    }
    traceLOW_POWER_IDLE_END();
  }
}

#define prvNotify(pxTCB, ulValue, eAction)                                                   \
  do {                                                                                       \
    const uint8_t ucOriginalNotifyState = (pxTCB)->ucNotifyState AT_INDEX(uxIndexToNotify);  \
    (pxTCB)->ucNotifyState AT_INDEX(uxIndexToNotify) = taskNOTIFICATION_RECEIVED;            \
    if (((eAction) == eSetValueWithoutOverwrite) &&                                          \
        (ucOriginalNotifyState == taskNOTIFICATION_RECEIVED)) {                              \
      xReturn = pdFAIL;                                                                      \
    } else {                                                                                 \
      (pxTCB)->ulNotifiedValue AT_INDEX(uxIndexToNotify) = (ulValue);                        \
    }                                                                                        \
  } while (0)

BaseType_t xTaskGenericNotify(TaskHandle_t xTaskToNotify, INDEX_PARAMETER(uxIndexToNotify)
                              uint32_t ulValue, eNotifyAction eAction) {
  TCB_t *pxTCB = xTaskToNotify;
  BaseType_t xReturn = pdPASS;
  prvNotify(pxTCB, ulValue, eAction);
  TRACE_NOTIFICATION(traceTASK_NOTIFY, uxIndexToNotify);
  return xReturn;
}

BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t xTaskToNotify, INDEX_PARAMETER(uxIndexToNotify)
                                     uint32_t ulValue, eNotifyAction eAction) {
  TCB_t *pxTCB = xTaskToNotify;
  BaseType_t xReturn = pdPASS;
  prvNotify(pxTCB, ulValue, eAction);
  TRACE_NOTIFICATION(traceTASK_NOTIFY_FROM_ISR, uxIndexToNotify);
  return xReturn;
}

void vTaskGenericNotifyGiveFromISR(INDEX_PARAMETER(uxIndexToNotify) TaskHandle_t xTaskToNotify) {
  TCB_t *pxTCB = xTaskToNotify;
  pxTCB->ucNotifyState AT_INDEX(uxIndexToNotify) = taskNOTIFICATION_RECEIVED;
  pxTCB->ulNotifiedValue AT_INDEX(uxIndexToNotify)++;
  TRACE_NOTIFICATION(traceTASK_NOTIFY_GIVE_FROM_ISR, uxIndexToNotify);
}

uint32_t ulTaskGenericNotifyTake(INDEX_PARAMETER(uxIndexToWait) BaseType_t xClearCountOnExit,
                                 TickType_t xTicksToWait) {
  uint32_t ulReturn;
  if (xTicksToWait > 0U) {
    TRACE_NOTIFICATION(traceTASK_NOTIFY_TAKE_BLOCK, uxIndexToWait);
  }
  TRACE_NOTIFICATION(traceTASK_NOTIFY_TAKE, uxIndexToWait);
  ulReturn = pxCurrentTCB->ulNotifiedValue AT_INDEX(uxIndexToWait);
  if (ulReturn != 0U) {
    pxCurrentTCB->ulNotifiedValue AT_INDEX(uxIndexToWait) =
        (xClearCountOnExit != pdFALSE) ? 0U : (ulReturn - 1U);
  }
  return ulReturn;
}

void vTaskGenericNotifyWait(INDEX_PARAMETER(uxIndexToWait) TickType_t xTicksToWait) {
  if (xTicksToWait > 0U) {
    TRACE_NOTIFICATION(traceTASK_NOTIFY_WAIT_BLOCK, uxIndexToWait);
  }
  TRACE_NOTIFICATION(traceTASK_NOTIFY_WAIT, uxIndexToWait);
}

UBaseType_t uxTaskGetTaskNumber(TaskHandle_t xTask) {
  const TCB_t *const pxTCB = xTask;
  return pxTCB->uxTaskNumber;
}
TaskHandle_t xTaskGetIdleTaskHandle(void) { return &xTasks[1]; }
TaskHandle_t xTaskGetCurrentTaskHandle(void) { return pxCurrentTCB; }
