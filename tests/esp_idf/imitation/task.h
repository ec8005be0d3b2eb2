/* See FreeRTOS.h. */
#ifndef INC_TASK_H
#define INC_TASK_H

#define tskKERNEL_VERSION_MAJOR 10
#define tskKERNEL_VERSION_MINOR ((IMITATION_IDF >= 50200) ? 5 : 4)
#define tskKERNEL_VERSION_BUILD ((IMITATION_IDF >= 50200) ? 1 : 3)

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef enum { eNoAction = 0, eSetBits, eIncrement, eSetValueWithOverwrite, eSetValueWithoutOverwrite } eNotifyAction;

#define taskENTER_CRITICAL(lock) ((void)0)
#define taskEXIT_CRITICAL(lock) ((void)0)

TaskHandle_t xTaskCreatePinnedToCore(const char *pcName, UBaseType_t uxPriority, BaseType_t xCoreID);
/* Chooses the task that each core runs first; the scheduler starts on core 0. */
void vTaskStartScheduler(TaskHandle_t xFirst, TaskHandle_t xSecond);
void vTaskSwitchContext(TaskHandle_t xNext);
void vTaskDelete(TaskHandle_t xTaskToDelete);
void vTaskGenericNotifyGiveFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify);
uint32_t ulTaskGenericNotifyTake(UBaseType_t uxIndexToWait, BaseType_t xClearCountOnExit, TickType_t xTicksToWait);
void vTaskPriorityInherit(TaskHandle_t pxMutexHolder);

UBaseType_t uxTaskGetTaskNumber(TaskHandle_t xTask);
TaskHandle_t xTaskGetIdleTaskHandle(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);

#endif
