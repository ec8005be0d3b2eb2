/* See FreeRTOS.h. */
#include "FreeRTOS.h"
#include "event_groups.h"

typedef struct EventGroupDef_t {
  EventBits_t uxEventBits;
  UBaseType_t uxEventGroupNumber;
} EventGroup_t;

EventGroupHandle_t xEventGroupCreate(BaseType_t xHasMemory) {
  static EventGroup_t xGroup;
  EventGroup_t *pxEventBits = (xHasMemory != pdFALSE) ? &xGroup : NULL;
  if (pxEventBits != NULL) {
    traceEVENT_GROUP_CREATE(pxEventBits);
  } else {
    traceEVENT_GROUP_CREATE_FAILED();
  }
  return pxEventBits;
}

EventBits_t xEventGroupSync(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet,
                            const EventBits_t uxBitsToWaitFor, TickType_t xTicksToWait) {
  const EventBits_t uxReturn = xEventGroup->uxEventBits | uxBitsToSet;
  const BaseType_t xTimeoutOccurred = pdTRUE;
  if (xTicksToWait > 0U) {
    traceEVENT_GROUP_SYNC_BLOCK(xEventGroup, uxBitsToSet, uxBitsToWaitFor);
  }
  traceEVENT_GROUP_SYNC_END(xEventGroup, uxBitsToSet, uxBitsToWaitFor, xTimeoutOccurred);
  return uxReturn;
}

EventBits_t xEventGroupWaitBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToWaitFor,
                                const BaseType_t xClearOnExit, const BaseType_t xWaitForAllBits,
                                TickType_t xTicksToWait) {
  EventGroup_t *pxEventBits = xEventGroup;
  const EventBits_t uxReturn = pxEventBits->uxEventBits;
  const BaseType_t xTimeoutOccurred = pdFALSE;
  if (xTicksToWait > 0U) {
    traceEVENT_GROUP_WAIT_BITS_BLOCK(xEventGroup, uxBitsToWaitFor);
  }
  traceEVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, xTimeoutOccurred);
  return uxReturn;
}

void vEventGroupClearBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear) {
  traceEVENT_GROUP_CLEAR_BITS(xEventGroup, uxBitsToClear);
  xEventGroup->uxEventBits &= ~uxBitsToClear;
}

void vEventGroupClearBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear) {
  traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(xEventGroup, uxBitsToClear);
}

void vEventGroupSetBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet) {
  traceEVENT_GROUP_SET_BITS(xEventGroup, uxBitsToSet);
  xEventGroup->uxEventBits |= uxBitsToSet;
}

void vEventGroupSetBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet) {
  traceEVENT_GROUP_SET_BITS_FROM_ISR(xEventGroup, uxBitsToSet);
}

void vEventGroupDelete(EventGroupHandle_t xEventGroup) { traceEVENT_GROUP_DELETE(xEventGroup); }

UBaseType_t uxEventGroupGetNumber(void *xEventGroup) {
  return ((EventGroup_t *)xEventGroup)->uxEventGroupNumber;
}
