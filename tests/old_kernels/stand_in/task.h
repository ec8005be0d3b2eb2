/* See FreeRTOS.h. */
#ifndef INC_TASK_H
#define INC_TASK_H

#define tskKERNEL_VERSION_MAJOR (STAND_IN_KERNEL / 10000)
#define tskKERNEL_VERSION_MINOR ((STAND_IN_KERNEL / 100) % 100)
#define tskKERNEL_VERSION_BUILD (STAND_IN_KERNEL % 100)

#if STAND_IN_KERNEL >= 100200
typedef struct tskTaskControlBlock *TaskHandle_t;
#else
typedef void *TaskHandle_t;
#endif
typedef enum {
  eNoAction = 0,
  eSetBits,
  eIncrement,
  eSetValueWithOverwrite,
  eSetValueWithoutOverwrite
} eNotifyAction;

#define taskENTER_CRITICAL() ((void)0)
#define taskEXIT_CRITICAL() ((void)0)

/* What the notification functions have in V10.4 that they lack before. */
#if STAND_IN_IS_V10_4
#define INDEX_PARAMETER(name) UBaseType_t name,
#define INDEX_ARGUMENT(value) (value),
#define AT_INDEX(name) [name]
#define TRACE_NOTIFICATION(macro, name) macro(name)
#else
#define INDEX_PARAMETER(name)
#define INDEX_ARGUMENT(value)
#define AT_INDEX(name)
#define TRACE_NOTIFICATION(macro, name) macro()
#endif

TaskHandle_t xTaskCreate(const char *pcName, UBaseType_t uxPriority);
void vTaskDelete(TaskHandle_t xTaskToDelete);
void vTaskDelay(const TickType_t xTicksToDelay);
void vTaskDelayUntil(TickType_t *const pxPreviousWakeTime, const TickType_t xTimeIncrement);
void vTaskPrioritySet(TaskHandle_t xTask, UBaseType_t uxNewPriority);
void vTaskSuspend(TaskHandle_t xTaskToSuspend);
void vTaskResume(TaskHandle_t xTaskToResume);
void vTaskResumeFromISR(TaskHandle_t xTaskToResume);
void vTaskStepTick(const TickType_t xTicksToJump);
void vTaskSwitchContext(TaskHandle_t xNext);
void vTaskPriorityInherit(TaskHandle_t pxMutexHolder);
void vTaskPriorityDisinherit(TaskHandle_t pxMutexHolder);
/* portSUPPRESS_TICKS_AND_SLEEP(), if it is set. */
extern void (*pxPortSleep)(TickType_t xExpectedIdleTime);
void vTaskIdle(TickType_t xExpectedIdleTime);
void vTaskIncrementTick(void);
BaseType_t xTaskGenericNotify(TaskHandle_t xTaskToNotify, INDEX_PARAMETER(uxIndexToNotify)
                              uint32_t ulValue, eNotifyAction eAction);
BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t xTaskToNotify, INDEX_PARAMETER(uxIndexToNotify)
                                     uint32_t ulValue, eNotifyAction eAction);
void vTaskGenericNotifyGiveFromISR(INDEX_PARAMETER(uxIndexToNotify) TaskHandle_t xTaskToNotify);
uint32_t ulTaskGenericNotifyTake(INDEX_PARAMETER(uxIndexToWait) BaseType_t xClearCountOnExit,
                                 TickType_t xTicksToWait);
void vTaskGenericNotifyWait(INDEX_PARAMETER(uxIndexToWait) TickType_t xTicksToWait);

UBaseType_t uxTaskGetTaskNumber(TaskHandle_t xTask);
TaskHandle_t xTaskGetIdleTaskHandle(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);

#endif
