/* Handlers for the buffers of tband_flux.h, which receive the contents of a buffer.
 *
 * To write your own, define a function of the type tband_flux_handler. */
#ifndef TBAND_FLUX_HANDLERS_H
#define TBAND_FLUX_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TBAND_FLUX_FILES
#include <stdio.h>
#endif

#ifdef __cplusplus
#define TBAND_FLUX_AS(type, pointer) static_cast<type>(pointer)
#else
#define TBAND_FLUX_AS(type, pointer) ((type)(pointer))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TBAND_FLUX_FILES
/**
 * A handler that writes to a file of the C library; its context is a FILE that is open for binary writing. Define
 * TBAND_FLUX_FILES before you include this header to get it. Takes a part when the disk is full.
 */
static inline size_t tband_flux_to_file(void *file, const uint8_t *bytes, size_t len) {
  return fwrite(bytes, 1, len, TBAND_FLUX_AS(FILE *, file));
}
#endif

/**
 * A line that takes bytes one by one, such as a UART: `put` takes one, or returns false if the line is busy; then
 * call tband_flux_flush() from the idle task or the interrupt of the line. `put` may block if the writer may wait.
 */
typedef struct tband_flux_line {
  bool (*put)(void *line, uint8_t byte);
  void *line;
} tband_flux_line;

/**
 * A handler that writes to a line; its context is a tband_flux_line. Takes as many bytes as the line accepts.
 */
static inline size_t tband_flux_to_line(void *line, const uint8_t *bytes, size_t len) {
  const tband_flux_line *to = TBAND_FLUX_AS(const tband_flux_line *, line);
  size_t taken = 0;
  while (taken < len && to->put(to->line, bytes[taken])) {
    taken++;
  }
  return taken;
}

/** Memory that a handler fills. */
typedef struct tband_flux_memory {
  uint8_t *bytes;
  size_t size;
  size_t used;
} tband_flux_memory;

/**
 * A handler that copies into memory; its context is a tband_flux_memory. Takes nothing once it is full.
 */
static inline size_t tband_flux_to_memory(void *memory, const uint8_t *bytes, size_t len) {
  tband_flux_memory *to = TBAND_FLUX_AS(tband_flux_memory *, memory);
  size_t taken = 0;
  while (taken < len && to->used < to->size) {
    to->bytes[to->used++] = bytes[taken++];
  }
  return taken;
}

#ifdef __cplusplus
}
#endif

#endif
