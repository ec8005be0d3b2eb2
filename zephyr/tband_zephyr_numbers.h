/* Numbers of threads and objects, which Zephyr knows by their addresses. Interrupts are masked during each call.
 *
 * A table of addresses with open addressing: a number is a place in it, plus 1, and stays while the thing exists. A
 * freed place is not empty, because others may have been put after it. */
#ifndef TBAND_ZEPHYR_NUMBERS_H
#define TBAND_ZEPHYR_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct tband_zephyr_numbers {
  const void **places; /* NULL: empty; the table itself: freed */
  uint32_t count; /* at most 65535 */
} tband_zephyr_numbers;

/* The place where the search for an address begins. Multiplies and shifts, since some cores cannot divide. */
static inline uint32_t tband_zephyr_first_place(const tband_zephyr_numbers *numbers, const void *address) {
  const uint32_t mixed = (uint32_t)((uintptr_t)address >> 2) * 2654435769U;
  return ((mixed >> 16) * numbers->count) >> 16;
}

/** Returns the number of an address; 0 if it has none. */
static inline uint32_t tband_zephyr_find(const tband_zephyr_numbers *numbers, const void *address) {
  uint32_t at = tband_zephyr_first_place(numbers, address);
  for (uint32_t looked = 0; looked < numbers->count; looked++) {
    if (numbers->places[at] == address) {
      return at + 1U;
    }
    if (numbers->places[at] == NULL) {
      return 0;
    }
    at = (at + 1U < numbers->count) ? at + 1U : 0U;
  }
  return 0;
}

/** Gives a number to an address that has none; returns 0 if all are in use. */
static inline uint32_t tband_zephyr_add(const tband_zephyr_numbers *numbers, const void *address) {
  uint32_t at = tband_zephyr_first_place(numbers, address);
  for (uint32_t looked = 0; looked < numbers->count; looked++) {
    if ((numbers->places[at] == NULL) || (numbers->places[at] == (const void *)numbers->places)) {
      numbers->places[at] = address;
      return at + 1U;
    }
    at = (at + 1U < numbers->count) ? at + 1U : 0U;
  }
  return 0;
}

/** Frees a number. */
static inline void tband_zephyr_free(const tband_zephyr_numbers *numbers, uint32_t number) {
  numbers->places[number - 1U] = (const void *)numbers->places;
}

#endif /* TBAND_ZEPHYR_NUMBERS_H */
