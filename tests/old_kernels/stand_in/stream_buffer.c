/* See FreeRTOS.h. */
#include "FreeRTOS.h"
#include "stream_buffer.h"

typedef struct StreamBufferDef_t {
  size_t xBytes;
  size_t xLength;
  size_t xTriggerLevelBytes;
  UBaseType_t uxStreamBufferNumber;
} StreamBuffer_t;

static StreamBuffer_t xBuffer;

static size_t prvBytesInBuffer(const StreamBuffer_t *const pxStreamBuffer) {
  return pxStreamBuffer->xBytes;
}

StreamBufferHandle_t xStreamBufferGenericCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes,
                                                BaseType_t xIsMessageBuffer) {
  void *pucAllocatedMemory = NULL;
  if (xBufferSizeBytes > 0U) {
    xBuffer.xLength = xBufferSizeBytes + 1U;
    xBuffer.xTriggerLevelBytes = xTriggerLevelBytes;
    pucAllocatedMemory = &xBuffer;
    traceSTREAM_BUFFER_CREATE(((StreamBuffer_t *)pucAllocatedMemory), xIsMessageBuffer);
  } else {
    traceSTREAM_BUFFER_CREATE_FAILED(xIsMessageBuffer);
  }
  return (StreamBufferHandle_t)pucAllocatedMemory;
}

StreamBufferHandle_t xStreamBufferGenericCreateStatic(BaseType_t xIsMessageBuffer) {
  StreamBufferHandle_t xReturn = NULL;
  traceSTREAM_BUFFER_CREATE_STATIC_FAILED(xReturn, xIsMessageBuffer);
  (void)xIsMessageBuffer;
  return xReturn;
}

void vStreamBufferDelete(StreamBufferHandle_t xStreamBuffer) {
  traceSTREAM_BUFFER_DELETE(xStreamBuffer);
}

void vStreamBufferReset(StreamBufferHandle_t xStreamBuffer) {
  xStreamBuffer->xBytes = 0;
  traceSTREAM_BUFFER_RESET(xStreamBuffer);
}

size_t xStreamBufferSend(StreamBufferHandle_t xStreamBuffer, size_t xDataLengthBytes,
                         TickType_t xTicksToWait) {
  StreamBuffer_t *const pxStreamBuffer = xStreamBuffer;
  const size_t xReturn = xDataLengthBytes;
  if (xTicksToWait > 0U) {
    traceBLOCKING_ON_STREAM_BUFFER_SEND(xStreamBuffer);
  }
  if (xReturn > 0U) {
    pxStreamBuffer->xBytes += xReturn;
    traceSTREAM_BUFFER_SEND(xStreamBuffer, xReturn);
  } else {
    traceSTREAM_BUFFER_SEND_FAILED(xStreamBuffer);
  }
  return xReturn;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t xStreamBuffer, size_t xDataLengthBytes) {
  const size_t xReturn = xDataLengthBytes;
  xStreamBuffer->xBytes += xReturn;
  traceSTREAM_BUFFER_SEND_FROM_ISR(xStreamBuffer, xReturn);
  return xReturn;
}

size_t xStreamBufferReceive(StreamBufferHandle_t xStreamBuffer, size_t xBufferLengthBytes,
                            TickType_t xTicksToWait) {
  const size_t xReceivedLength = xBufferLengthBytes;
  if (xTicksToWait > 0U) {
    traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(xStreamBuffer);
  }
  if (xReceivedLength != 0U) {
    xStreamBuffer->xBytes -= xReceivedLength;
    traceSTREAM_BUFFER_RECEIVE(xStreamBuffer, xReceivedLength);
  } else {
    traceSTREAM_BUFFER_RECEIVE_FAILED(xStreamBuffer);
  }
  return xReceivedLength;
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, size_t xBufferLengthBytes) {
  const size_t xReceivedLength = xBufferLengthBytes;
  xStreamBuffer->xBytes -= xReceivedLength;
  traceSTREAM_BUFFER_RECEIVE_FROM_ISR(xStreamBuffer, xReceivedLength);
  return xReceivedLength;
}

UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer) {
  return xStreamBuffer->uxStreamBufferNumber;
}
