/* See FreeRTOS.h. */
#include <string.h>

#include "FreeRTOS.h"
#include "task.h"
#include "freertos/idf_additions.h"

#define taskNOTIFICATION_RECEIVED ((uint8_t)2)

typedef struct tskTaskControlBlock {
  UBaseType_t uxPriority;
  BaseType_t xCoreID;
  StackType_t *pxStack;
  StackType_t *pxEndOfStack;
  char pcTaskName[16];
  UBaseType_t uxTaskNumber;
  UBaseType_t uxBasePriority;
  volatile uint32_t ulNotifiedValue[2];
  volatile uint8_t ucNotifyState[2];
} TCB_t;

#if IMITATION_IDF >= 50200
static TCB_t *volatile pxCurrentTCBs[IMITATION_CORES];
#define pxRunning pxCurrentTCBs
#else
static TCB_t *volatile pxCurrentTCB[IMITATION_CORES];
#define pxRunning pxCurrentTCB
#endif
static TCB_t xTasks[8];
static UBaseType_t uxTasks;
static TCB_t *xIdleTaskHandle[IMITATION_CORES];

#ifndef IMITATION_MEASURES_NO_STACK
static UBaseType_t prvTaskCheckFreeStackSpace(const uint8_t *pucStackByte) { return (pucStackByte == NULL) ? 1U : 2U; }
#endif

#define prvAddTaskToReadyList(pxTCB) traceMOVED_TASK_TO_READY_STATE(pxTCB)

TaskHandle_t xTaskCreatePinnedToCore(const char *pcName, UBaseType_t uxPriority, BaseType_t xCoreID) {
  TCB_t *const pxNewTCB = &xTasks[uxTasks++];
  strncpy(pxNewTCB->pcTaskName, pcName, sizeof(pxNewTCB->pcTaskName) - 1U);
  pxNewTCB->uxPriority = uxPriority;
  pxNewTCB->xCoreID = xCoreID;
  traceTASK_CREATE(pxNewTCB);
  prvAddTaskToReadyList(pxNewTCB);
  return pxNewTCB;
}

void vTaskStartScheduler(TaskHandle_t xFirst, TaskHandle_t xSecond) {
  for (BaseType_t xCoreID = 0; xCoreID < IMITATION_CORES; xCoreID++) {
    char cName[] = "IDLE0";
    cName[4] = (char)('0' + xCoreID);
    xIdleTaskHandle[xCoreID] = xTaskCreatePinnedToCore(cName, 0, xCoreID);
  }
  pxRunning[0] = xFirst;
  pxRunning[IMITATION_CORES - 1] = (IMITATION_CORES > 1) ? xSecond : xFirst;
  traceTASK_SWITCHED_IN();
}

void vTaskSwitchContext(TaskHandle_t xNext) {
  const BaseType_t xCurCoreID = xPortGetCoreID();
  traceTASK_SWITCHED_OUT();
  pxRunning[xCurCoreID] = xNext;
  traceTASK_SWITCHED_IN();
}

void vTaskDelete(TaskHandle_t xTaskToDelete) {
  TCB_t *const pxTCB = xTaskToDelete;
  traceTASK_DELETE(pxTCB);
}

void vTaskGenericNotifyGiveFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify) {
  TCB_t *const pxTCB = xTaskToNotify;
  (pxTCB->ulNotifiedValue[uxIndexToNotify])++;
  pxTCB->ucNotifyState[uxIndexToNotify] = taskNOTIFICATION_RECEIVED;
  traceTASK_NOTIFY_GIVE_FROM_ISR(uxIndexToNotify);
  prvAddTaskToReadyList(pxTCB);
}

uint32_t ulTaskGenericNotifyTake(UBaseType_t uxIndexToWait, BaseType_t xClearCountOnExit, TickType_t xTicksToWait) {
  if (pxRunning[xPortGetCoreID()]->ulNotifiedValue[uxIndexToWait] == 0U) {
    traceTASK_NOTIFY_TAKE_BLOCK(uxIndexToWait);
    return 0;
  }
  (void)xTicksToWait;
  const BaseType_t xCurCoreID = xPortGetCoreID();
  traceTASK_NOTIFY_TAKE(uxIndexToWait);
  const uint32_t ulReturn = pxRunning[xCurCoreID]->ulNotifiedValue[uxIndexToWait];
  pxRunning[xCurCoreID]->ulNotifiedValue[uxIndexToWait] = 0;
  (void)xClearCountOnExit;
  return ulReturn;
}

void vTaskPriorityInherit(TaskHandle_t pxMutexHolder) {
  const BaseType_t xCurCoreID = xPortGetCoreID();
  TCB_t *const pxMutexHolderTCB = pxMutexHolder;
  pxMutexHolderTCB->uxPriority = pxRunning[xCurCoreID]->uxPriority;
  traceTASK_PRIORITY_INHERIT(pxMutexHolderTCB, pxRunning[xCurCoreID]->uxPriority);
}

UBaseType_t uxTaskGetTaskNumber(TaskHandle_t xTask) { return xTask->uxTaskNumber; }
TaskHandle_t xTaskGetIdleTaskHandle(void) { return xIdleTaskHandle[0]; }
TaskHandle_t xTaskGetCurrentTaskHandle(void) { return pxRunning[xPortGetCoreID()]; }
#if IMITATION_IDF >= 50200
TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t xCoreID) { return xIdleTaskHandle[xCoreID]; }
#else
TaskHandle_t xTaskGetIdleTaskHandleForCPU(BaseType_t xCoreID) { return xIdleTaskHandle[xCoreID]; }
#endif
