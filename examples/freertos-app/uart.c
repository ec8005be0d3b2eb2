/*
 * A simulated UART with a DMA channel: the handlers of their interrupts, which
 * use every kernel function that interrupts may call, and the task that serves
 * both.
 *
 * The platform decides when the handlers run. They may hit a task that has
 * suspended the scheduler; FromISR functions cope with that.
 */
#include "app.h"

static atomic_bool uart_enabled;

/* Interrupt context only, each in one handler. */
static unsigned rx_sent, dma_given, latest_written;

void uart_enable(void) { atomic_store(&uart_enabled, true); }
void uart_disable(void) { atomic_store(&uart_enabled, false); }

bool uart_isr(void) {
  if (!atomic_load(&uart_enabled)) {
    return false;
  }
  BaseType_t woken = pdFALSE;
  rec_isr_enter(ISR_UART);

  uint8_t byte = (uint8_t)rx_sent;
  if (rx_sent < app_rounds && rec_send_from_isr(q_uart_rx, &byte, &woken)) {
    rx_sent++;
  }
  app_raise_dma();
  while (rec_receive_from_isr(q_uart_tx, &byte, &woken)) {
    /* on the wire */
  }
  if (latest_written < app_rounds) {
    const uint32_t value = latest_written++;
    rec_overwrite_from_isr(q_latest, &value, &woken);
    rec_evtmarker(EVT_UART_NOTE, "in ISR");
  }
  if (atomic_load(&sleeper_wants_waking)) {
    rec_resume_from_isr(t_sleeper, &woken);
  }

  rec_isr_exit(ISR_UART);
  return woken != pdFALSE;
}

bool dma_isr(void) {
  BaseType_t woken = pdFALSE;
  rec_isr_enter(ISR_DMA);
  if (dma_given < app_rounds && rec_give_from_isr(s_dma_done, &woken)) {
    dma_given++;
  }
  rec_isr_exit(ISR_DMA);
  return woken != pdFALSE;
}

/* Waits for the UART and the DMA at once, through a queue set, and answers bytes. */
void driver_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_NOTE, "served");
  for (unsigned n = 0; n < 2 * app_rounds; n++) {
    struct rec_queue *ready = rec_select(set_events, portMAX_DELAY);
    if (ready == q_uart_rx) {
      uint8_t byte = 0;
      (void)rec_receive(q_uart_rx, &byte, 0);
      rec_task_evtmarker(TASK_EVT_NOTE, "byte");
      for (unsigned i = 0; i < 6; i++) { /* more than fit: blocks until the ISR has taken some bytes */
        (void)rec_send(q_uart_tx, &byte, portMAX_DELAY);
      }
    } else {
      (void)rec_take(s_dma_done, 0);
      rec_task_evtmarker(TASK_EVT_NOTE, "dma");
    }
  }
  app_task_finished();
}
