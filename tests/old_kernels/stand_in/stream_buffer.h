/* See FreeRTOS.h. */
#ifndef STREAM_BUFFER_H
#define STREAM_BUFFER_H

typedef struct StreamBufferDef_t *StreamBufferHandle_t;

StreamBufferHandle_t xStreamBufferGenericCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes,
                                                BaseType_t xIsMessageBuffer);
StreamBufferHandle_t xStreamBufferGenericCreateStatic(BaseType_t xIsMessageBuffer);
void vStreamBufferDelete(StreamBufferHandle_t xStreamBuffer);
void vStreamBufferReset(StreamBufferHandle_t xStreamBuffer);
size_t xStreamBufferSend(StreamBufferHandle_t xStreamBuffer, size_t xDataLengthBytes,
                         TickType_t xTicksToWait);
size_t xStreamBufferSendFromISR(StreamBufferHandle_t xStreamBuffer, size_t xDataLengthBytes);
size_t xStreamBufferReceive(StreamBufferHandle_t xStreamBuffer, size_t xBufferLengthBytes,
                            TickType_t xTicksToWait);
size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, size_t xBufferLengthBytes);
UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer);

#endif
