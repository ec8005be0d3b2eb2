/* What the module's sources have in common. */
#ifndef TBAND_ZEPHYR_PARTS_H
#define TBAND_ZEPHYR_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a name with an address, and its NUL. */
#define TBAND_ZEPHYR_NAME_LEN (10U + 1U + 2U * sizeof(void *) + 1U)

/** Writes a name for a thread or object without one: its kind, of up to 10 letters, and its address. Returns `to`. */
static inline const char *tband_zephyr_name_with_address(char to[TBAND_ZEPHYR_NAME_LEN], const char *what,
                                                         const void *address) {
  char *at = to;
  while (*what != '\0') {
    *at++ = *what++;
  }
  *at++ = ' ';
  for (int shift = (8 * (int)sizeof address) - 4; shift >= 0; shift -= 4) {
    *at++ = "0123456789abcdef"[((uintptr_t)address >> shift) & 0xFU];
  }
  *at = '\0';
  return to;
}

/** An interrupt whose handler reports itself to no hook. */
typedef struct tband_zephyr_unreported {
  bool is_open;
  uint32_t number;
} tband_zephyr_unreported;

/** Opens the running interrupt in the recording if its handler has not reported it, so that it, and not the interrupted
 * thread, counts as the actor of the next events. Interrupts are masked from this call to that of
 * tband_zephyr_end_unreported(). */
tband_zephyr_unreported tband_zephyr_begin_unreported(void);
void tband_zephyr_end_unreported(tband_zephyr_unreported isr);

/** The running thread is about to wait for this object; 0: it does not wait after all. `is_put`: for space in it.
 * Interrupts are masked. */
void tband_zephyr_waits_for(uint32_t object, bool is_put);

#endif /* TBAND_ZEPHYR_PARTS_H */
