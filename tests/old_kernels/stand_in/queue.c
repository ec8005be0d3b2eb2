/* See FreeRTOS.h. */
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"

typedef struct SemaphoreData {
  TaskHandle_t xMutexHolder;
  UBaseType_t uxRecursiveCallCount;
} SemaphoreData_t;

typedef struct QueueDefinition {
  union {
    void *xQueue;
    SemaphoreData_t xSemaphore;
  } u;
  volatile UBaseType_t uxMessagesWaiting;
  UBaseType_t uxLength;
  struct QueueDefinition *pxQueueSetContainer;
  UBaseType_t uxQueueNumber;
  uint8_t ucQueueType;
} xQUEUE;
typedef xQUEUE Queue_t;

static Queue_t xQueues[8];
static UBaseType_t uxQueues;

QueueHandle_t xQueueGenericCreate(UBaseType_t uxQueueLength, uint8_t ucQueueType) {
  Queue_t *pxNewQueue = NULL;
  if (uxQueueLength > 0U) {
    pxNewQueue = &xQueues[uxQueues++];
    pxNewQueue->uxLength = uxQueueLength;
    pxNewQueue->ucQueueType = ucQueueType;
    traceQUEUE_CREATE(pxNewQueue);
  } else {
    traceQUEUE_CREATE_FAILED(ucQueueType);
  }
  return pxNewQueue;
}

static void prvInitialiseMutex(Queue_t *pxNewQueue) {
  if (pxNewQueue != NULL) {
    pxNewQueue->u.xSemaphore.xMutexHolder = NULL;
    traceCREATE_MUTEX(pxNewQueue);
    (void)xQueueGenericSend(pxNewQueue, 0U, queueSEND_TO_BACK);
  } else {
    traceCREATE_MUTEX_FAILED();
  }
}

QueueHandle_t xQueueCreateMutex(uint8_t ucQueueType) {
  QueueHandle_t xNewQueue = xQueueGenericCreate(1, ucQueueType);
  prvInitialiseMutex(xNewQueue);
  prvInitialiseMutex(NULL); /* as if memory were exhausted */
  return xNewQueue;
}

QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t uxMaxCount, UBaseType_t uxInitialCount) {
  QueueHandle_t xHandle = xQueueGenericCreate(uxMaxCount, queueQUEUE_TYPE_COUNTING_SEMAPHORE);
  if (xHandle != NULL) {
    ((Queue_t *)xHandle)->uxMessagesWaiting = uxInitialCount;
    traceCREATE_COUNTING_SEMAPHORE();
  } else {
    traceCREATE_COUNTING_SEMAPHORE_FAILED();
  }
  return xHandle;
}

void vQueueAddToRegistry(QueueHandle_t xQueue, const char *pcQueueName) {
  traceQUEUE_REGISTRY_ADD(xQueue, pcQueueName);
}

void vQueueAddToSet(QueueHandle_t xQueue, QueueHandle_t xQueueSet) {
  ((Queue_t *)xQueue)->pxQueueSetContainer = xQueueSet;
}

void vQueueDelete(QueueHandle_t xQueue) {
  Queue_t *const pxQueue = xQueue;
  traceQUEUE_DELETE(pxQueue);
}

/* The queue in sight is the member; the set has no copy position. */
static void prvNotifyQueueSetContainer(const Queue_t *const pxQueue) {
  Queue_t *pxQueueSetContainer = pxQueue->pxQueueSetContainer;
#if STAND_IN_IS_V10_4
  traceQUEUE_SET_SEND(pxQueueSetContainer);
#else
  traceQUEUE_SEND(pxQueueSetContainer);
#endif
  pxQueueSetContainer->uxMessagesWaiting++;
}

static void prvCopyDataToQueue(Queue_t *pxQueue) {
  if (pxQueue->uxMessagesWaiting < pxQueue->uxLength) {
    pxQueue->uxMessagesWaiting++;
  }
  if (pxQueue->pxQueueSetContainer != NULL) {
    prvNotifyQueueSetContainer(pxQueue);
  }
}

BaseType_t xQueueGenericSend(QueueHandle_t xQueue, TickType_t xTicksToWait,
                             const BaseType_t xCopyPosition) {
  Queue_t *const pxQueue = xQueue;
  if ((pxQueue->uxMessagesWaiting < pxQueue->uxLength) || (xCopyPosition == queueOVERWRITE)) {
    traceQUEUE_SEND(pxQueue);
    prvCopyDataToQueue(pxQueue);
    return pdPASS;
  }
  if (xTicksToWait > 0U) {
    traceBLOCKING_ON_QUEUE_SEND(pxQueue);
  }
  traceQUEUE_SEND_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, const BaseType_t xCopyPosition) {
  Queue_t *const pxQueue = xQueue;
  if ((pxQueue->uxMessagesWaiting < pxQueue->uxLength) || (xCopyPosition == queueOVERWRITE)) {
    traceQUEUE_SEND_FROM_ISR(pxQueue);
    prvCopyDataToQueue(pxQueue);
    return pdPASS;
  }
  traceQUEUE_SEND_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueGiveFromISR(QueueHandle_t xQueue) {
  Queue_t *const pxQueue = xQueue;
  const UBaseType_t uxMessagesWaiting = pxQueue->uxMessagesWaiting;
  if (uxMessagesWaiting < pxQueue->uxLength) {
    traceQUEUE_SEND_FROM_ISR(pxQueue);
    pxQueue->uxMessagesWaiting = uxMessagesWaiting + 1U;
    return pdPASS;
  }
  traceQUEUE_SEND_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueReceive(QueueHandle_t xQueue, TickType_t xTicksToWait) {
  Queue_t *const pxQueue = xQueue;
  const UBaseType_t uxMessagesWaiting = pxQueue->uxMessagesWaiting;
  if (uxMessagesWaiting > 0U) {
    traceQUEUE_RECEIVE(pxQueue);
    pxQueue->uxMessagesWaiting = uxMessagesWaiting - 1U;
    return pdPASS;
  }
  if (xTicksToWait > 0U) {
    traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue);
  }
  traceQUEUE_RECEIVE_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueuePeek(QueueHandle_t xQueue, TickType_t xTicksToWait) {
  Queue_t *const pxQueue = xQueue;
  if (pxQueue->uxMessagesWaiting > 0U) {
    traceQUEUE_PEEK(pxQueue);
    return pdPASS;
  }
  if (xTicksToWait > 0U) {
    traceBLOCKING_ON_QUEUE_PEEK(pxQueue);
  }
  traceQUEUE_PEEK_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueReceiveFromISR(QueueHandle_t xQueue) {
  Queue_t *const pxQueue = xQueue;
  const UBaseType_t uxMessagesWaiting = pxQueue->uxMessagesWaiting;
  if (uxMessagesWaiting > 0U) {
    traceQUEUE_RECEIVE_FROM_ISR(pxQueue);
    pxQueue->uxMessagesWaiting = uxMessagesWaiting - 1U;
    return pdPASS;
  }
  traceQUEUE_RECEIVE_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueuePeekFromISR(QueueHandle_t xQueue) {
  Queue_t *const pxQueue = xQueue;
  if (pxQueue->uxMessagesWaiting > 0U) {
    traceQUEUE_PEEK_FROM_ISR(pxQueue);
    return pdPASS;
  }
  traceQUEUE_PEEK_FROM_ISR_FAILED(pxQueue);
  return pdFAIL;
}

BaseType_t xQueueTakeMutexRecursive(QueueHandle_t xMutex, TickType_t xTicksToWait) {
  Queue_t *const pxMutex = (Queue_t *)xMutex;
  BaseType_t xReturn = pdPASS;
  traceTAKE_MUTEX_RECURSIVE(pxMutex);
  if (pxMutex->u.xSemaphore.xMutexHolder == xTaskGetCurrentTaskHandle()) {
    pxMutex->u.xSemaphore.uxRecursiveCallCount++;
  } else {
    xReturn = xQueueReceive(pxMutex, xTicksToWait);
    if (xReturn != pdFAIL) {
      pxMutex->u.xSemaphore.xMutexHolder = xTaskGetCurrentTaskHandle();
      pxMutex->u.xSemaphore.uxRecursiveCallCount++;
    } else {
      traceTAKE_MUTEX_RECURSIVE_FAILED(pxMutex);
    }
  }
  return xReturn;
}

BaseType_t xQueueGiveMutexRecursive(QueueHandle_t xMutex) {
  Queue_t *const pxMutex = (Queue_t *)xMutex;
  if (pxMutex->u.xSemaphore.xMutexHolder == xTaskGetCurrentTaskHandle()) {
    traceGIVE_MUTEX_RECURSIVE(pxMutex);
    pxMutex->u.xSemaphore.uxRecursiveCallCount--;
    return pdPASS;
  }
  traceGIVE_MUTEX_RECURSIVE_FAILED(pxMutex);
  return pdFAIL;
}

UBaseType_t uxQueueGetQueueNumber(QueueHandle_t xQueue) { return ((Queue_t *)xQueue)->uxQueueNumber; }
