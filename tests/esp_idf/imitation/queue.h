/* See FreeRTOS.h. */
#ifndef QUEUE_H
#define QUEUE_H

typedef struct QueueDefinition *QueueHandle_t;
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
BaseType_t xQueueGenericSend(QueueHandle_t xQueue, BaseType_t xCopyPosition);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, BaseType_t xCopyPosition);
BaseType_t xQueueGiveFromISR(QueueHandle_t xQueue);
BaseType_t xQueueReceive(QueueHandle_t xQueue, TickType_t xTicksToWait);
BaseType_t xQueueSemaphoreTake(QueueHandle_t xQueue, TickType_t xTicksToWait);
UBaseType_t uxQueueGetQueueNumber(QueueHandle_t xQueue);

#endif
