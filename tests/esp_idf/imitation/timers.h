/* See FreeRTOS.h. */
#ifndef TIMERS_H
#define TIMERS_H
typedef struct tmrTimerControl *TimerHandle_t;
#endif
