/* See FreeRTOS.h. */
#ifndef STREAM_BUFFER_H
#define STREAM_BUFFER_H
typedef struct StreamBufferDef_t *StreamBufferHandle_t;
#endif
