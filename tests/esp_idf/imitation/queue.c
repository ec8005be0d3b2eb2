/* See FreeRTOS.h. */
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"

typedef struct QueueDefinition {
  volatile UBaseType_t uxMessagesWaiting;
  UBaseType_t uxLength;
  UBaseType_t uxQueueNumber;
  uint8_t ucQueueType;
} Queue_t;

static Queue_t xQueues[4];
static UBaseType_t uxQueues;

QueueHandle_t xQueueGenericCreate(UBaseType_t uxQueueLength, uint8_t ucQueueType) {
  Queue_t *const pxNewQueue = &xQueues[uxQueues++];
  pxNewQueue->uxLength = uxQueueLength;
  pxNewQueue->ucQueueType = ucQueueType;
  traceQUEUE_CREATE(pxNewQueue);
  return pxNewQueue;
}

BaseType_t xQueueGenericSend(QueueHandle_t xQueue, BaseType_t xCopyPosition) {
  Queue_t *const pxQueue = xQueue;
  if ((pxQueue->uxMessagesWaiting < pxQueue->uxLength) || (xCopyPosition == queueOVERWRITE)) {
    traceQUEUE_SEND(pxQueue);
    pxQueue->uxMessagesWaiting++;
    return pdPASS;
  }
  traceQUEUE_SEND_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, BaseType_t xCopyPosition) {
  Queue_t *const pxQueue = xQueue;
  if ((pxQueue->uxMessagesWaiting < pxQueue->uxLength) || (xCopyPosition == queueOVERWRITE)) {
    traceQUEUE_SEND_FROM_ISR(pxQueue);
    pxQueue->uxMessagesWaiting = (xCopyPosition == queueOVERWRITE) ? 1U : pxQueue->uxMessagesWaiting + 1U;
    return pdPASS;
  }
  traceQUEUE_SEND_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

/* Without copy position. */
BaseType_t xQueueGiveFromISR(QueueHandle_t xQueue) {
  Queue_t *const pxQueue = xQueue;
  if (pxQueue->uxMessagesWaiting < pxQueue->uxLength) {
    traceQUEUE_GIVE_FROM_ISR(pxQueue);
    pxQueue->uxMessagesWaiting++;
    return pdPASS;
  }
  traceQUEUE_GIVE_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueReceive(QueueHandle_t xQueue, TickType_t xTicksToWait) {
  Queue_t *const pxQueue = xQueue;
  if (pxQueue->uxMessagesWaiting > 0U) {
    traceQUEUE_RECEIVE(pxQueue);
    pxQueue->uxMessagesWaiting--;
    return pdPASS;
  }
  (void)xTicksToWait;
  traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueSemaphoreTake(QueueHandle_t xQueue, TickType_t xTicksToWait) {
  Queue_t *const pxQueue = xQueue;
  if (pxQueue->uxMessagesWaiting > 0U) {
    traceQUEUE_SEMAPHORE_RECEIVE(pxQueue);
    pxQueue->uxMessagesWaiting--;
    return pdPASS;
  }
  (void)xTicksToWait;
  traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue);
  return pdFAIL;
}

UBaseType_t uxQueueGetQueueNumber(QueueHandle_t xQueue) { return xQueue->uxQueueNumber; }
