/* See FreeRTOS.h. */
#ifndef EVENT_GROUPS_H
#define EVENT_GROUPS_H

typedef TickType_t EventBits_t;
typedef struct EventGroupDef_t *EventGroupHandle_t;

EventGroupHandle_t xEventGroupCreate(BaseType_t xHasMemory);
EventBits_t xEventGroupSync(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet,
                            const EventBits_t uxBitsToWaitFor, TickType_t xTicksToWait);
EventBits_t xEventGroupWaitBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToWaitFor,
                                const BaseType_t xClearOnExit, const BaseType_t xWaitForAllBits,
                                TickType_t xTicksToWait);
void vEventGroupClearBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear);
void vEventGroupClearBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear);
void vEventGroupSetBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet);
void vEventGroupSetBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet);
void vEventGroupDelete(EventGroupHandle_t xEventGroup);
UBaseType_t uxEventGroupGetNumber(void *xEventGroup);

#endif
