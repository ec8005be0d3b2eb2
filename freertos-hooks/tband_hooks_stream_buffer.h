/* Trace macros of the class STREAM_BUFFER: stream, batching and message buffers. All expand in
 * stream_buffer.c, outside critical sections unless noted otherwise. A buffer has one sender and one
 * receiver, so a level may be one operation old if the other side runs at the same time. */
#ifndef TBAND_HOOKS_STREAM_BUFFER_H
#define TBAND_HOOKS_STREAM_BUFFER_H

#include "tband.h" /* has no effect unless this header was included directly */

#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0

#define TBAND_STREAM_BUFFER_NUMBER(buffer) \
  ((uint32_t)((const StreamBuffer_t *)(buffer))->uxStreamBufferNumber)
/* prvBytesInBuffer is the kernel's own function in that file. */
#define TBAND_STREAM_BUFFER_LEVEL(buffer) ((uint32_t)prvBytesInBuffer((const StreamBuffer_t *)(buffer)))
#define TBAND_RECORD_STREAM_BUFFER(event, buffer) \
  TBAND_RECORD_U32(event, TBAND_STREAM_BUFFER_NUMBER(buffer))
#define TBAND_RECORD_STREAM_BUFFER_AMOUNT(event, buffer, amount)                           \
  TBAND_RECORD_U32_U32_U32(event, TBAND_STREAM_BUFFER_NUMBER(buffer), (uint32_t)(amount), \
                           TBAND_STREAM_BUFFER_LEVEL(buffer))

/* The buffer is completely set up. Its memory is one byte larger than its capacity. The recording uses
 * the kernel's numbers of the kinds. */
#define TBAND_ON_STREAM_BUFFER_CREATE(pxStreamBuffer, xStreamBufferType)          \
  (pxStreamBuffer)->uxStreamBufferNumber =                                        \
      (UBaseType_t)tband_freertos_stream_buffer_created(                          \
          (uint32_t)(xStreamBufferType), (uint32_t)(pxStreamBuffer)->xLength - 1U, \
          (uint32_t)(pxStreamBuffer)->xTriggerLevelBytes,                         \
          (tband_kernel_function)uxStreamBufferGetStreamBufferNumber)
#define TBAND_ON_STREAM_BUFFER_CREATE_FAILED(xStreamBufferType) \
  TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_STREAM_BUFFER)
#define TBAND_ON_STREAM_BUFFER_CREATE_STATIC_FAILED(xReturn, xStreamBufferType) \
  TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_STREAM_BUFFER)
#define TBAND_ON_STREAM_BUFFER_DELETE(xStreamBuffer)                                            \
  do {                                                                                          \
    TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_STREAM_BUFFER_NAME) |             \
                              TBAND_ID_BIT(TBAND_EVT_META_U32_U32_STREAM_BUFFER_KIND) |         \
                              TBAND_ID_BIT(TBAND_EVT_META_U32_U32_U32_STREAM_BUFFER_INFO),      \
                          TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer));                           \
    TBAND_RECORD_STREAM_BUFFER(STREAM_BUFFER_DELETED, xStreamBuffer);                           \
  } while (0)
/* For this the kernel has only the hook at function exit. */
#define TBAND_RETURN_xStreamBufferSetTriggerLevel(xReturn)                                       \
  do {                                                                                           \
    if ((xReturn) != pdFALSE) {                                                                  \
      TBAND_UPDATE_U32_U32_U32(STREAM_BUFFER_INFO, TBAND_STREAM_BUFFER_NUMBER(pxStreamBuffer),   \
                               (uint32_t)pxStreamBuffer->xLength - 1U,                           \
                               (uint32_t)pxStreamBuffer->xTriggerLevelBytes);                    \
    }                                                                                            \
  } while (0)

/* In the critical section. */
#define TBAND_ON_STREAM_BUFFER_RESET(xStreamBuffer) \
  TBAND_RECORD_MASKED_U32(STREAM_BUFFER_RESET, STREAM_BUFFER_RESET, TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer))
#define TBAND_ON_STREAM_BUFFER_RESET_FROM_ISR(xStreamBuffer) \
  TBAND_RECORD_MASKED_U32(STREAM_BUFFER_RESET_FROM_ISR, STREAM_BUFFER_RESET_FROM_ISR, \
                          TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer))

#define TBAND_ON_STREAM_BUFFER_SEND(xStreamBuffer, xBytesSent) \
  TBAND_RECORD_STREAM_BUFFER_AMOUNT(STREAM_BUFFER_SEND, xStreamBuffer, xBytesSent)
#define TBAND_ON_STREAM_BUFFER_SEND_FAILED(xStreamBuffer) \
  TBAND_RECORD_STREAM_BUFFER(STREAM_BUFFER_SEND_FAILED, xStreamBuffer)
#define TBAND_ON_STREAM_BUFFER_RECEIVE(xStreamBuffer, xReceivedLength) \
  TBAND_RECORD_STREAM_BUFFER_AMOUNT(STREAM_BUFFER_RECEIVE, xStreamBuffer, xReceivedLength)
#define TBAND_ON_STREAM_BUFFER_RECEIVE_FAILED(xStreamBuffer) \
  TBAND_RECORD_STREAM_BUFFER(STREAM_BUFFER_RECEIVE_FAILED, xStreamBuffer)

/* For interrupts the kernel has one macro for both outcomes: an amount of 0 is a failure. */
#define TBAND_STREAM_BUFFER_FROM_ISR(event, failed, buffer, amount)       \
  do {                                                                    \
    if ((amount) > 0U) {                                                  \
      TBAND_RECORD_STREAM_BUFFER_AMOUNT(event, buffer, amount);           \
    } else {                                                              \
      TBAND_RECORD_STREAM_BUFFER(failed, buffer);                         \
    }                                                                     \
  } while (0)
#define TBAND_ON_STREAM_BUFFER_SEND_FROM_ISR(xStreamBuffer, xBytesSent)             \
  TBAND_STREAM_BUFFER_FROM_ISR(STREAM_BUFFER_SEND_FROM_ISR,                         \
                               STREAM_BUFFER_SEND_FROM_ISR_FAILED, xStreamBuffer, xBytesSent)
#define TBAND_ON_STREAM_BUFFER_RECEIVE_FROM_ISR(xStreamBuffer, xReceivedLength)     \
  TBAND_STREAM_BUFFER_FROM_ISR(STREAM_BUFFER_RECEIVE_FROM_ISR,                      \
                               STREAM_BUFFER_RECEIVE_FROM_ISR_FAILED, xStreamBuffer, \
                               xReceivedLength)

/* xStreamBufferSend and xStreamBufferReceive: xTicksToWait is a parameter. */
#define TBAND_ON_BLOCKING_ON_STREAM_BUFFER_SEND(xStreamBuffer)          \
  TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_STREAM_BUFFER_SEND,           \
                       TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer), TBAND_TICKS_TO_WAIT(xTicksToWait))
#define TBAND_ON_BLOCKING_ON_STREAM_BUFFER_RECEIVE(xStreamBuffer)       \
  TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_STREAM_BUFFER_RECEIVE,        \
                       TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer), TBAND_TICKS_TO_WAIT(xTicksToWait))

#endif /* class STREAM_BUFFER */

#endif /* TBAND_HOOKS_STREAM_BUFFER_H */
