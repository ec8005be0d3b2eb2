/* A DMA controller that takes its time, fails at times, and interrupts without a reason. With the argument "broken" it
 * fails always. */
#include "sender.h"

static uint8_t sent[1 << 22];
static size_t count;
static bool is_broken;
static struct {
  const uint8_t *from;
  size_t left;
  int state;
  bool interrupts;
} dma;

static void dma_start(const uint8_t *data, size_t len) {
  CHECK(dma.left == 0U); /* nothing else is on its way */
  CHECK(len > 0U);
  dma.from = data;
  dma.left = len;
  dma.state = 0;
}

static int dma_state(void) {
  const int state = dma.state;
  dma.state = 0;
  return state;
}

#define tband_sendDMA_START(data, len) dma_start((data), (len))
#define tband_sendDMA_STATE() dma_state()
#define tband_sendDMA_PEND() (dma.interrupts = true)
#include "senders/tband_send_uart_dma.h"

static void line(uint32_t bytes) {
  for (; bytes > 0U; bytes--) {
    if (dma.left > 0U) {
      if (is_broken || any(20000) == 0U) {
        dma.left = 0;
        dma.state = TBAND_DMA_FAILED;
      } else {
        sent[count] = *dma.from;
        count++;
        dma.from++;
        dma.left--;
        dma.state = (dma.left == 0U) ? TBAND_DMA_ENDED : TBAND_DMA_RUNS;
      }
      dma.interrupts |= dma.left == 0U;
    }
    if (dma.interrupts || any(50) == 0U) {
      dma.interrupts = false;
      tband_send_dma_handler();
    }
  }
}

int main(int argc, char **argv) {
  (void)argv;
  is_broken = argc > 1;
  tband_send_dma_kick();
  line(10);
  CHECK(tband_send_dma_is_idle() && count == 0U);
  start();
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    record(any(60));
    if (any(3) == 0U) {
      tick();
      tband_send_dma_kick();
    }
    line(any(turn % 500U < 100U ? 20U : 400U));
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  is_broken = false; /* then it is repaired */
  for (uint32_t bytes = 0; bytes == 0U || !tband_send_dma_is_idle(); bytes++) {
    if (bytes % 1000U == 0U) {
      tband_send_dma_kick();
    }
    line(1);
  }
  fake_print(sent, count);
  sender_ends();
  return 0;
}
