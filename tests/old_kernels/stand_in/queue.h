/* See FreeRTOS.h. */
#ifndef QUEUE_H
#define QUEUE_H

#if STAND_IN_KERNEL >= 100200
typedef struct QueueDefinition *QueueHandle_t;
#else
typedef void *QueueHandle_t;
#endif

#define queueSEND_TO_BACK ((BaseType_t)0)
#define queueSEND_TO_FRONT ((BaseType_t)1)
#define queueOVERWRITE ((BaseType_t)2)

#define queueQUEUE_TYPE_BASE ((uint8_t)0U)
#define queueQUEUE_TYPE_SET ((uint8_t)0U)
#define queueQUEUE_TYPE_MUTEX ((uint8_t)1U)
#define queueQUEUE_TYPE_COUNTING_SEMAPHORE ((uint8_t)2U)
#define queueQUEUE_TYPE_BINARY_SEMAPHORE ((uint8_t)3U)
#define queueQUEUE_TYPE_RECURSIVE_MUTEX ((uint8_t)4U)

QueueHandle_t xQueueGenericCreate(UBaseType_t uxQueueLength, uint8_t ucQueueType);
QueueHandle_t xQueueCreateMutex(uint8_t ucQueueType);
QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t uxMaxCount, UBaseType_t uxInitialCount);
void vQueueAddToRegistry(QueueHandle_t xQueue, const char *pcQueueName);
void vQueueAddToSet(QueueHandle_t xQueue, QueueHandle_t xQueueSet);
void vQueueDelete(QueueHandle_t xQueue);
BaseType_t xQueueGenericSend(QueueHandle_t xQueue, TickType_t xTicksToWait,
                             const BaseType_t xCopyPosition);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, const BaseType_t xCopyPosition);
BaseType_t xQueueGiveFromISR(QueueHandle_t xQueue);
BaseType_t xQueueReceive(QueueHandle_t xQueue, TickType_t xTicksToWait);
BaseType_t xQueuePeek(QueueHandle_t xQueue, TickType_t xTicksToWait);
BaseType_t xQueueReceiveFromISR(QueueHandle_t xQueue);
BaseType_t xQueuePeekFromISR(QueueHandle_t xQueue);
BaseType_t xQueueTakeMutexRecursive(QueueHandle_t xMutex, TickType_t xTicksToWait);
BaseType_t xQueueGiveMutexRecursive(QueueHandle_t xMutex);
UBaseType_t uxQueueGetQueueNumber(QueueHandle_t xQueue);

#endif
