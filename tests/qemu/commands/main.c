/* Records for ever, sends the recording over the UART, and executes the commands that arrive there. With DEBUGGED a
 * debugger reads the recording from the memory, and writes the commands there. */
#include "board.h"
#include "tband.h"
#if !defined(DEBUGGED)
#include "uart.h"
#endif

#define UART_DATA (*(volatile uint32_t *)(BOARD_UART0 + 0x0UL))
#define UART_STATE (*(volatile uint32_t *)(BOARD_UART0 + 0x4UL))
#define UART_CONTROL (*(volatile uint32_t *)(BOARD_UART0 + 0x8UL))

/* It records each time after so many. */
#if !defined(TURNS)
#define TURNS 0x400U
#endif

enum { TICK_PRIORITY = 0xC0, TICK_COUNTS = BOARD_CLOCK_HZ / 1000 };

/* The first word and those from the fifth on are not for commands. */
uint32_t memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
/* The same by symbols that Rust and C++ would have: app::MEMORY, Board::memory. */
extern uint32_t of_rust[8] __asm__("_ZN3app6MEMORY17h0123456789abcdefE") __attribute__((alias("memory")));
extern uint32_t of_cpp[8] __asm__("_ZN5Board6memoryE") __attribute__((alias("memory")));

static uint32_t calls;

void SysTick_Handler(void);
void SysTick_Handler(void) {
  tband_keep_time(); /* closes packets that are old */
#if !defined(DEBUGGED)
  uart_kick();
#endif
}

int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c) {
  switch (number) {
    case 1:
      return (int32_t)(a + b + c);
    case 2:
      return -1000;
    case 3:
      return (int32_t)(memory[0] + memory[5] + memory[6] + memory[7]); /* 22 */
    case 4:
      calls++;
      return (int32_t)calls;
    case 5:
      tband_valmarker(1, 0);
      tband_valmarker(2, 0);
      return 0;
    default:
      return 0;
  }
}

#if defined(ALLOW)
/* As far as a recording can show it. */
void on_reset(void) { tband_evtmarker(1, "reset"); }
#endif

int main(void) {
  board_clock_start();
#if !defined(DEBUGGED)
  uart_start();
  UART_CONTROL = UART_CONTROL | 2U; /* receive */
#endif
  tband_valmarker_name(1, "turn");
  tband_valmarker_name(2, "a name of 24 bytes......");
#if tband_configUSE_BACKEND_POST_MORTEM
  (void)tband_start_post_mortem();
#else
  (void)tband_start_streaming();
#endif
  board_systick_start(TICK_COUNTS, TICK_PRIORITY);
  for (uint32_t turn = 0;; turn++) {
#if !defined(DEBUGGED)
    if ((UART_STATE & 2U) != 0U) {
      const uint8_t byte = (uint8_t)UART_DATA;
      (void)tband_received(&byte, 1);
    }
#endif
#if !defined(DEAF)
    (void)tband_obey();
#endif
    if ((turn % (TURNS)) == 0U) {
      tband_valmarker(1, turn);
      tband_valmarker(2, turn);
    }
  }
}
