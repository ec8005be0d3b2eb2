/* See FreeRTOS.h: portable/MemMang. */
#include <stdlib.h>

#include "FreeRTOS.h"

size_t xPortGetFreeHeapSize(void) { return 4096; }

void *pvPortMalloc(size_t xWantedSize) {
  void *pvReturn = malloc(xWantedSize);
  traceMALLOC(pvReturn, xWantedSize);
  return pvReturn;
}

void vPortFree(void *pv) {
  free(pv);
  traceFREE(pv, 0);
}
