/* See FreeRTOS.h: portable/MemMang. */
#include <stdlib.h>

#include "FreeRTOS.h"

/* heap_3, and a custom heap, do not report. */
#ifdef STAND_IN_HEAP_FREE_NAME
size_t STAND_IN_HEAP_FREE_NAME(void);
size_t STAND_IN_HEAP_FREE_NAME(void) { return 77; }
#elif !defined(STAND_IN_SILENT_HEAP)
#define heapBITS_PER_BYTE ( ( size_t ) 8 )
size_t xPortGetFreeHeapSize(void) { return 4096; }
#endif

void *pvPortMalloc(size_t xWantedSize) {
  void *pvReturn = malloc(xWantedSize);
  traceMALLOC(pvReturn, xWantedSize);
  return pvReturn;
}

void vPortFree(void *pv) {
  free(pv);
  traceFREE(pv, 0);
}
