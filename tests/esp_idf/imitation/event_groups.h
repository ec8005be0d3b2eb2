/* See FreeRTOS.h. */
#ifndef EVENT_GROUPS_H
#define EVENT_GROUPS_H
#endif
