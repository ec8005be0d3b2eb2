/*
 * Test firmware: two tasks and two queues; the host may send to one of each. Custom commands return the received
 * values. The idle hook executes the commands.
 */
#include "FreeRTOS.h"
#include "board.h"
#include "kernel_failures.h"
#include "queue.h"
#include "task.h"

#include "tband.h"

#if defined(OVER_UART)
#include "uart.h"

#define UART_DATA    (*(volatile uint32_t *)(BOARD_UART0 + 0x0UL))
#define UART_STATE   (*(volatile uint32_t *)(BOARD_UART0 + 0x4UL))
#define UART_CONTROL (*(volatile uint32_t *)(BOARD_UART0 + 0x8UL))
#endif

enum { LENGTH = 2, ITEM_BYTES = 8 };

static QueueHandle_t allowed, other;
static TaskHandle_t notified;
static volatile uint32_t heard;

static void waits(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t value;
    if (xTaskNotifyWait(0, 0, &value, portMAX_DELAY) == pdTRUE) {
      heard = value;
    }
  }
}

int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t item[ITEM_BYTES / 4];
  (void)b;
  (void)c;
  switch (number) {
    case 1: /* a word of the next item */
      return (xQueueReceive(allowed, item, 0) == pdTRUE) ? (int32_t)item[a & 1U] : -1;
    case 2: /* how many wait there, and in the other */
      return (int32_t)(uxQueueMessagesWaiting(allowed) + (16U * uxQueueMessagesWaiting(other)));
    case 3:
      return (int32_t)heard;
    case 4: /* the objects' numbers */
      return (int32_t)((a == 0U) ? tband_freertos_queue_number(allowed)
                                 : ((a == 1U) ? tband_freertos_queue_number(other) : uxTaskGetTaskNumber(notified)));
    default:
      return 0;
  }
}

/* --- The kernel's hooks ------------------------------------------------------------------------- */

void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {
#if defined(OVER_UART)
  while ((UART_STATE & 2U) != 0U) {
    const uint8_t byte = (uint8_t)UART_DATA;
    (void)tband_received(&byte, 1);
    (void)tband_obey();
  }
#endif
  (void)tband_obey();
}

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
#if defined(OVER_UART)
  uart_kick();
#endif
}

void SysTick_Handler(void);
void xPortSysTickHandler(void);
void SysTick_Handler(void) { xPortSysTickHandler(); }


int main(void) {
  allowed = xQueueCreate(LENGTH, ITEM_BYTES);
  other = xQueueCreate(LENGTH, ITEM_BYTES);
  vQueueAddToRegistry(allowed, "allowed");
  CHECK(xTaskCreate(waits, "notified", configMINIMAL_STACK_SIZE, NULL, 2, &notified) == pdPASS);
  CHECK(tband_freertos_allow_queue(allowed, ITEM_BYTES) == 0);
  CHECK(tband_freertos_allow_task(notified) == 0);
#if defined(OVER_UART)
  uart_start();
  UART_CONTROL = UART_CONTROL | 2U; /* receive */
#endif
  (void)tband_start_streaming();
  vTaskStartScheduler();
  board_failed("the scheduler has ended", __FILE__, __LINE__);
}
