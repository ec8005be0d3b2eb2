/* tband_flux: an emitter of flux, the format of toem's impulse, for signals of your firmware.
 *
 * Generated from tband-flux-ffi by `cargo xtask header`; do not edit. Needs libtband_flux.a (CMake: tband::flux), and
 * nothing of tband.h, its configuration or its port. Handlers for files and UARTs are in tband_flux_handlers.h. */

#ifndef TBAND_FLUX_H
#define TBAND_FLUX_H

#include <stddef.h>
#include <stdint.h>

/**
 * Signal of events: numbers that have names in an enumeration.
 */
#define TBAND_FLUX_EVENT 1

/**
 * Signal of integers.
 */
#define TBAND_FLUX_INTEGER 2

/**
 * Signal of floats, of 4 or 8 bytes.
 */
#define TBAND_FLUX_FLOAT 4

/**
 * Signal of texts.
 */
#define TBAND_FLUX_TEXT 5

/**
 * Signal of bytes.
 */
#define TBAND_FLUX_BINARY 6

/**
 * Signal of structures.
 */
#define TBAND_FLUX_STRUCT 7

/**
 * Enumeration of an item's values.
 */
#define TBAND_FLUX_VALUES 0

/**
 * Enumeration of the origins of relations, by path: "\\scope\\signal".
 */
#define TBAND_FLUX_TARGETS 1

/**
 * Enumeration of styles of relations: "Trigger/444444/line/no".
 */
#define TBAND_FLUX_STYLES 2

/**
 * Enumeration of styles of labels: "My label/444444/star".
 */
#define TBAND_FLUX_LABELS 3

/**
 * Success.
 */
#define TBAND_FLUX_OK 0

/**
 * An invalid pointer, number, size or text; or a buffer or trace that was not set up.
 */
#define TBAND_FLUX_ARGUMENT -1

/**
 * The entry does not fit, and the handler has not made room: it is lost, and counted by tband_flux_lost().
 */
#define TBAND_FLUX_FULL -2

/**
 * The entry is longer than the trace's max_entry: a name or text is too long.
 */
#define TBAND_FLUX_TOO_LONG -3

/**
 * The time is before the last one of the sequence.
 */
#define TBAND_FLUX_TIME -4

/**
 * Wrong state: no head yet, not open, open already, closed already, defined twice, or not in a scope.
 */
#define TBAND_FLUX_STATE -5

/**
 * The signal has data of another type.
 */
#define TBAND_FLUX_KIND -6

/**
 * The buffer is being written: an interrupt came during a write of a task, or a handler writes.
 */
#define TBAND_FLUX_BUSY -7

/**
 * The handler has not taken everything.
 */
#define TBAND_FLUX_HANDLER -8

/**
 * Member: a text.
 */
#define TBAND_FLUX_MEMBER_TEXT 1

/**
 * Member: a number of the item's values, above 0.
 */
#define TBAND_FLUX_MEMBER_EVENT 2

/**
 * Member: an integer.
 */
#define TBAND_FLUX_MEMBER_INTEGER 3

/**
 * Member: a float of 4 bytes.
 */
#define TBAND_FLUX_MEMBER_FLOAT 4

/**
 * Member: bytes.
 */
#define TBAND_FLUX_MEMBER_BINARY 6

/**
 * Member: a float of 8 bytes.
 */
#define TBAND_FLUX_MEMBER_DOUBLE 12

/**
 * A buffer. Do not move its memory or this struct as long as it is used.
 */
typedef struct tband_flux_buffer {
  size_t private_words[20];
} tband_flux_buffer;

/**
 * Takes bytes from the front of a buffer and returns their number, which may be 0. Called in the context of the writer
 * or of the flush; must not write to the same buffer. `context` is the pointer that was passed with it.
 */
typedef size_t (*tband_flux_handler)(void *context, const uint8_t *bytes, size_t len);

/**
 * A trace. Do not move this struct, its items or its sequences as long as it is used.
 */
typedef struct tband_flux_trace {
  size_t private_words[12];
} tband_flux_trace;

/**
 * Bytes.
 */
typedef struct tband_flux_bytes {
  /**
   * Where they are.
   */
  const uint8_t *bytes;
  /**
   * Their number.
   */
  size_t len;
} tband_flux_bytes;

/**
 * The value of a member, by its type.
 */
typedef union tband_flux_value {
  /**
   * Of TBAND_FLUX_MEMBER_INTEGER.
   */
  int64_t integer;
  /**
   * Of TBAND_FLUX_MEMBER_DOUBLE.
   */
  double real;
  /**
   * Of TBAND_FLUX_MEMBER_FLOAT.
   */
  float single;
  /**
   * Of TBAND_FLUX_MEMBER_EVENT.
   */
  uint32_t event;
  /**
   * Of TBAND_FLUX_MEMBER_TEXT: UTF-8, NUL-terminated.
   */
  const char *text;
  /**
   * Of TBAND_FLUX_MEMBER_BINARY.
   */
  struct tband_flux_bytes binary;
} tband_flux_value;

/**
 * A member of a sample.
 */
typedef struct tband_flux_member {
  /**
   * Its number.
   */
  uint32_t member;
  /**
   * Its type.
   */
  uint8_t kind;
  /**
   * Its value.
   */
  union tband_flux_value value;
} tband_flux_member;

/**
 * The state of an item in a trace.
 */
typedef struct tband_flux_item {
  uint32_t private_word;
} tband_flux_item;

/**
 * The state of an open sequence in a trace.
 */
typedef struct tband_flux_sequence {
  int64_t private_time;
  uint32_t private_words[4];
} tband_flux_sequence;

/**
 * How a trace is set up.
 */
typedef struct tband_flux_setup {
  /**
   * Number of the trace; those in one buffer or one file differ in it.
   */
  uint32_t trace;
  /**
   * Version of the format: 6, or 4 for older readers.
   */
  uint32_t version;
  /**
   * The greatest number of an item, 1 to 65534.
   */
  uint16_t max_item;
  /**
   * Maximum bytes of an entry. The buffer, or a slot of a ring, must have room for one.
   */
  uint16_t max_entry;
  /**
   * max_item + 1 items. NULL: samples are not checked against the types of signals, and only item 0, all, can be
   * opened.
   */
  struct tband_flux_item *items;
  /**
   * Number of items; 0 for none.
   */
  uint32_t item_count;
  /**
   * As many as are open at once, at least one.
   */
  struct tband_flux_sequence *sequences;
  /**
   * Number of sequences.
   */
  uint32_t sequence_count;
} tband_flux_setup;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Sets up a linear buffer of `size` bytes. If an entry does not fit, the buffer calls the handler until it has taken
 * all or takes nothing. Several traces may share a linear buffer if only one context writes at a time.
 *
 * Context: before others use the buffer. Returns TBAND_FLUX_ARGUMENT for a null pointer or a size of 0.
 *
 * Requirements:
 * `buffer` and `memory` are the buffer's alone as long as it is used; `handler` may be called with `context`.
 */
int32_t tband_flux_linear(struct tband_flux_buffer *buffer,
                          uint8_t *memory,
                          size_t size,
                          tband_flux_handler handler,
                          void *context);

/**
 * Sets up a ring of `size` bytes: the first `kept` of them for the definitions of its one trace, which are never
 * overwritten, the rest for at least two slots of `slot` bytes (below 65535), where the newest overwrites the oldest.
 * A slot needs 8 bytes, 28 for each sequence of the trace, and room for its longest entry. tband_flux_flush() passes
 * all slots to the handler as one file.
 *
 * Context: before others use the buffer. Returns TBAND_FLUX_ARGUMENT for a null pointer or sizes without room for two
 * slots.
 *
 * Requirements:
 * `buffer` and `memory` are the buffer's alone as long as it is used; `handler` may be called with `context`.
 */
int32_t tband_flux_ring(struct tband_flux_buffer *buffer,
                        uint8_t *memory,
                        size_t size,
                        size_t kept,
                        size_t slot,
                        tband_flux_handler handler,
                        void *context);

/**
 * Returns the number of entries lost since the setup: those that did not fit or got TBAND_FLUX_BUSY, and in a ring
 * those that newer ones overwrote. Saturates. 0 for a buffer that was not set up or is being written.
 *
 * Context: any that does not interrupt a writer.
 *
 * Requirements:
 * `buffer` is null or has the memory of a buffer.
 */
uint32_t tband_flux_lost(struct tband_flux_buffer *buffer);

/**
 * Defines a scope. `parent` is the scope around it, 0 for the root. Texts are UTF-8; NULL is an empty text.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE without a head, if the number is taken or
 * `parent` is not a scope; TBAND_FLUX_ARGUMENT for 0 or a number above max_item; TBAND_FLUX_TOO_LONG, TBAND_FLUX_FULL,
 * TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
 */
int32_t tband_flux_scope(struct tband_flux_trace *trace,
                         uint32_t item,
                         uint32_t parent,
                         const char *name,
                         const char *about);

/**
 * Defines a signal of a type (TBAND_FLUX_EVENT to TBAND_FLUX_STRUCT). `descriptor` selects the representation:
 * "gantt<>" for states, "default<df=Hex>", or NULL.
 *
 * Context and result as for tband_flux_scope(); TBAND_FLUX_ARGUMENT also for an unknown type.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
 */
int32_t tband_flux_signal(struct tband_flux_trace *trace,
                          uint32_t item,
                          uint32_t parent,
                          const char *name,
                          const char *about,
                          uint8_t kind,
                          const char *descriptor);

/**
 * Shows a signal in a second scope, under another name.
 *
 * Context and result as for tband_flux_scope(); TBAND_FLUX_STATE if `item` is not a signal.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
 */
int32_t tband_flux_reference(struct tband_flux_trace *trace,
                             uint32_t item,
                             uint32_t parent,
                             const char *name,
                             const char *about);

/**
 * Names a number, from 1 on, of an enumeration of an item (TBAND_FLUX_VALUES to TBAND_FLUX_LABELS). Call it once in
 * each sequence before the first use; with a ring, once.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if the item is not open; TBAND_FLUX_ARGUMENT
 * for 0 or another enumeration; otherwise as tband_flux_scope().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; `label` is null or NUL-terminated.
 */
int32_t tband_flux_enumeration(struct tband_flux_trace *trace,
                               uint32_t item,
                               uint8_t enumeration,
                               const char *label,
                               uint32_t number);

/**
 * Defines the name and type (TBAND_FLUX_MEMBER_TEXT to TBAND_FLUX_MEMBER_DOUBLE) of a member of a signal's structures.
 * Call it as tband_flux_enumeration().
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if the item is not open; TBAND_FLUX_KIND if it
 * has no structures; TBAND_FLUX_ARGUMENT for another type; otherwise as tband_flux_scope().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
 */
int32_t tband_flux_define_member(struct tband_flux_trace *trace,
                                 uint32_t item,
                                 uint32_t member,
                                 const char *label,
                                 uint8_t kind,
                                 const char *descriptor);

/**
 * A sample of a signal of events: a number of its values, above 0.
 *
 * Context: the one that writes to the buffer: one task, or one interrupt, or several that exclude each other. Returns
 * TBAND_FLUX_BUSY if it interrupts another on the same core; TBAND_FLUX_TIME if times of a sequence decrease;
 * TBAND_FLUX_STATE if the signal is not defined or not open; TBAND_FLUX_KIND; TBAND_FLUX_TOO_LONG; TBAND_FLUX_FULL:
 * the sample is lost, and the next one of the trace is marked as tainted; TBAND_FLUX_ARGUMENT for the value 0. A
 * sample takes 4 bytes and its value, more for items above 15 and for times far apart.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_event(struct tband_flux_trace *trace,
                         uint32_t item,
                         int64_t time,
                         uint32_t value);

/**
 * A sample of a signal of integers.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_integer(struct tband_flux_trace *trace,
                           uint32_t item,
                           int64_t time,
                           int64_t value);

/**
 * The same without a sign. Version 4 has none above INT64_MAX: TBAND_FLUX_ARGUMENT.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_unsigned(struct tband_flux_trace *trace,
                            uint32_t item,
                            int64_t time,
                            uint64_t value);

/**
 * A sample of a signal of floats, in 4 bytes.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_float(struct tband_flux_trace *trace, uint32_t item, int64_t time, float value);

/**
 * The same in 8 bytes.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_double(struct tband_flux_trace *trace,
                          uint32_t item,
                          int64_t time,
                          double value);

/**
 * A sample of a signal of texts. It is copied at once.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; `value` is null or NUL-terminated.
 */
int32_t tband_flux_text(struct tband_flux_trace *trace,
                        uint32_t item,
                        int64_t time,
                        const char *value);

/**
 * A sample of a signal of bytes. They are copied at once.
 *
 * Context and result as for tband_flux_event(); TBAND_FLUX_ARGUMENT if `bytes` is NULL and `len` is not 0.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; `bytes` has `len` of them.
 */
int32_t tband_flux_binary(struct tband_flux_trace *trace,
                          uint32_t item,
                          int64_t time,
                          const uint8_t *bytes,
                          size_t len);

/**
 * Ends the value of a signal of any type.
 *
 * Context and result as for tband_flux_event().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_none(struct tband_flux_trace *trace, uint32_t item, int64_t time);

/**
 * Adds an arrow to the last sample of a signal, from a sample of another signal `delta` later (below 0: before):
 * `target` in TBAND_FLUX_TARGETS, in a `style` of TBAND_FLUX_STYLES, both of this item. Call it right after the
 * sample.
 *
 * Context and result as for tband_flux_event(); TBAND_FLUX_FULL also if the sample is at the end of a slot of a ring.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_relation(struct tband_flux_trace *trace,
                            uint32_t item,
                            uint32_t target,
                            uint32_t style,
                            int64_t delta);

/**
 * Adds a label to that sample, in a style of TBAND_FLUX_LABELS.
 *
 * Context and result as for tband_flux_relation().
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_label(struct tband_flux_trace *trace, uint32_t item, uint32_t style);

/**
 * Writes a sample of a signal of structures: `count` members, each defined by tband_flux_define_member(). Texts and
 * bytes must not change during the call.
 *
 * Context and result as for tband_flux_event(); TBAND_FLUX_ARGUMENT also for a member of another type, an event 0, or
 * bytes that are NULL.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; `members` has `count` of them, each with a value of its type.
 */
int32_t tband_flux_struct(struct tband_flux_trace *trace,
                          uint32_t item,
                          int64_t time,
                          const struct tband_flux_member *members,
                          size_t count);

/**
 * Sets up a trace that writes into a buffer. `setup` is not used afterwards.
 *
 * Context: before others use the trace. Returns TBAND_FLUX_ARGUMENT, also for sizes that do not fit; TBAND_FLUX_STATE
 * for a second trace in a ring; TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace`, items and sequences are the trace's alone as long as it is used, and `buffer` stays where it is.
 */
int32_t tband_flux_trace_setup(struct tband_flux_trace *trace,
                               struct tband_flux_buffer *buffer,
                               const struct tband_flux_setup *setup);

/**
 * Writes the head, which is first in a trace.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if there is one, TBAND_FLUX_TOO_LONG,
 * TBAND_FLUX_FULL, TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
 */
int32_t tband_flux_head(struct tband_flux_trace *trace,
                        const char *name,
                        const char *about);

/**
 * Begins a sequence of an item and its contents, or of all items with 0, at the time `start`. `unit` is the unit of
 * times: "ns", "us", "ms", "s", or another of up to seven bytes. `rate` is the time from one sample to the next, 0 if
 * samples may have any time.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if it, an item around it or one inside it is
 * open; TBAND_FLUX_ARGUMENT if it is not defined or no sequence is free; TBAND_FLUX_FULL, TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace; `unit` is null or NUL-terminated.
 */
int32_t tband_flux_open(struct tband_flux_trace *trace,
                        uint32_t item,
                        const char *unit,
                        int64_t start,
                        uint32_t rate);

/**
 * Ends the sequence that was opened with this item, at the time `end`.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if it is not open; TBAND_FLUX_TIME if its last
 * sample is later; TBAND_FLUX_FULL, and it is still open; TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_close(struct tband_flux_trace *trace,
                         uint32_t item,
                         int64_t end);

/**
 * Passes the contents of a trace's buffer to the handler: a linear buffer as far as the handler takes it, a ring as
 * one file, after which it is empty.
 *
 * Context: the one that writes to the buffer. Returns TBAND_FLUX_HANDLER if the handler did not take everything: call
 * it again; a ring then begins its file again, so discard the first part. TBAND_FLUX_BUSY.
 *
 * Requirements:
 * `trace` is null or has the memory of a trace.
 */
int32_t tband_flux_flush(struct tband_flux_trace *trace);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TBAND_FLUX_H */
