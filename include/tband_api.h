/* The functions that firmware calls.
 *
 * Pulled in by tband.h. Every function here exists in both states of tband_configENABLE with the same
 * type; when it is 0 they do nothing and the optimiser removes them. Contexts: unless said otherwise
 * any task, interrupt that may trace, or critical section. Strings are copied at once; NULL counts as
 * an empty string; no byte after tband_configMAX_STR_LEN is read. With memory protection
 * (tband_configMEMORY_PROTECTION) tasks need privileges: of others what records and controls is refused and
 * counted, and what only reads gives false, 0 or NULL. */
#ifndef TBAND_API_H
#define TBAND_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband.h" /* does nothing unless this header was included by itself */
#include "tband_config_defaults.h"

/* Not for tband itself: Tonbandgeraet's header brings it along, and its users' sources rely on that, as with
 * getenv(). A bare compiler without a C library has none. */
#if defined(TBAND_CAN_LOOK_FOR_FILES)
#if __has_include(<stdlib.h>)
#include <stdlib.h>
#endif
#else
#include <stdlib.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TBAND_INLINE static inline __attribute__((always_inline))
#define TBAND_NEVER_INLINE __attribute__((noinline))
#else
#define TBAND_INLINE static inline
#define TBAND_NEVER_INLINE
#endif

/* A cast and a null pointer, in C++ as in C. There a cast is a function, since -Wold-style-cast and -Wuseless-cast look at macros where a program uses them. */
#if defined(__cplusplus)
extern "C++" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
template <typename TO>
struct tband_as {
  static constexpr TO of(TO value) { return value; }
  template <typename FROM>
  static constexpr TO of(FROM value) {
    return (TO)(value);
  }
};
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#define TBAND_AS(type, value) tband_as<type>::of(value)
#define TBAND_NULL nullptr
#else
#define TBAND_AS(type, value) ((type)(value))
#define TBAND_NULL NULL
#endif

/* Is where a declaration may. C99 has none of its own: there the name of an array says it. */
#if defined(__cplusplus)
#define TBAND_STATIC_ASSERT(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && (__STDC_VERSION__ >= 201112L)
#define TBAND_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#elif defined(__GNUC__) && (__GNUC__ >= 5)
#define TBAND_STATIC_ASSERT(condition, text) __extension__ _Static_assert(condition, text)
#else
#define TBAND_STATIC_ASSERT(condition, text) \
  extern const char tband_must_hold[(condition) ? 1 : -1]
#endif

/* What the inline functions below are built on: six ways to record, by the fields of the event. The
 * event ids are pasted from their names, so that an event with other fields does not compile. */
#if tband_configENABLE != 0

/* First byte of the recorder's state: 1 while recording. Read it through tband_is_recording. */
struct tband_recorder_head {
  uint8_t recording;
};
extern const volatile struct tband_recorder_head tband_recorder;

/* Defined in the shim, port/tband_shim.c, which knows the port's macros. */
void tband_record_u32(uint32_t id, uint32_t first);
void tband_record_u32_u32(uint32_t id, uint32_t first, uint32_t second);
void tband_record_u32_s64(uint32_t id, uint32_t first, int64_t value);
void tband_record_u32_str(uint32_t id, uint32_t first, const char *text);
void tband_record_numbers(uint32_t id, uint32_t count, const uint32_t *numbers);
#if TBAND_USES_PACKETS
/* Packets begin with the interrupts that are open. */
void tband_record_isr_enter(uint32_t isr_number);
void tband_record_isr_exit(uint32_t isr_number);
#define TBAND_RECORD_ISR_ENTER(id) tband_record_isr_enter(id)
#define TBAND_RECORD_ISR_EXIT(id) tband_record_isr_exit(id)
#endif
/* The answer to a command: an event of the recorder's own, which does not count as lost. */
void tband_record_answer(uint32_t command, int64_t is);
/* `head` is the event's id, from bit 8 how many numbers it has, and perhaps flags TBAND_META_*. */
void tband_record_metadata(uint32_t head, uint32_t first, uint32_t second, const char *text);

#else

TBAND_INLINE void tband_record_u32(uint32_t id, uint32_t first) {
  (void)id;
  (void)first;
}
TBAND_INLINE void tband_record_u32_u32(uint32_t id, uint32_t first, uint32_t second) {
  (void)id;
  (void)first;
  (void)second;
}
TBAND_INLINE void tband_record_u32_s64(uint32_t id, uint32_t first, int64_t value) {
  (void)id;
  (void)first;
  (void)value;
}
TBAND_INLINE void tband_record_u32_str(uint32_t id, uint32_t first, const char *text) {
  (void)id;
  (void)first;
  (void)text;
}
TBAND_INLINE void tband_record_numbers(uint32_t id, uint32_t count, const uint32_t *numbers) {
  (void)id;
  (void)count;
  (void)numbers;
}
TBAND_INLINE void tband_record_metadata(uint32_t head, uint32_t first, uint32_t second,
                                        const char *text) {
  (void)head;
  (void)first;
  (void)second;
  (void)text;
}

#endif

#ifndef TBAND_RECORD_ISR_ENTER
#define TBAND_RECORD_ISR_ENTER(id) TBAND_RECORD_U32(ISR_ENTER, (id))
#define TBAND_RECORD_ISR_EXIT(id) TBAND_RECORD_U32(ISR_EXIT, (id))
#endif

/* What packets want to know of an event, and frames do not. */
#if TBAND_USES_PACKETS
#define TBAND_IN_PACKETS(flag) (flag)
#else
#define TBAND_IN_PACKETS(flag) 0U
#endif

#define TBAND_RECORD_U32(event, first) tband_record_u32(TBAND_EVT_U32_##event, (first))
#define TBAND_RECORD_U32_U32(event, first, second) \
  tband_record_u32_u32(TBAND_EVT_U32_U32_##event, (first), (second))
#define TBAND_RECORD_U32_S64(event, first, value) \
  tband_record_u32_s64(TBAND_EVT_U32_S64_##event, (first), (value))
#define TBAND_RECORD_U32_STR(event, first, text) \
  tband_record_u32_str(TBAND_EVT_U32_STR_##event, (first), (text))
/* Three numbers and more, up to five, which are on the caller's stack during the call. */
#define TBAND_RECORD_U32_U32_U32(event, ...) \
  TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_U32_##event, 3, __VA_ARGS__)
#define TBAND_RECORD_U32_U32_U32_U32(event, ...) \
  TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_U32_U32_##event, 4, __VA_ARGS__)
#define TBAND_RECORD_U32_U32_U32_U32_U32(event, ...) \
  TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_U32_U32_U32_##event, 5, __VA_ARGS__)
/* The last number is a count of kernel ticks to wait. */
#if TBAND_USES_PACKETS
#define TBAND_RECORD_U32_TICKS(event, first, ticks) \
  TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_##event | TBAND_LAST_IS_TICKS, 2, (first), (ticks))
#else
#define TBAND_RECORD_U32_TICKS(event, first, ticks) TBAND_RECORD_U32_U32(event, first, ticks)
#endif
#define TBAND_RECORD_U32_U32_U32_TICKS(event, ...)                                                   \
  TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_U32_U32_##event | TBAND_IN_PACKETS(TBAND_LAST_IS_TICKS), 4, \
                       __VA_ARGS__)
/* While nothing is recorded the numbers are not even worked out. */
#define TBAND_RECORD_NUMBERS(id, count, ...)               \
  do {                                                     \
    if (tband_is_recording()) {                            \
      const uint32_t tband_numbers[count] = {__VA_ARGS__}; \
      tband_record_numbers((id), (count), tband_numbers);  \
    }                                                      \
  } while (0)
#define TBAND_RECORD_NOTHING(event) tband_record_numbers(TBAND_EVT_##event, 0, TBAND_NULL)
#define TBAND_META_HEAD(id, numbers) ((id) | (TBAND_AS(uint32_t, numbers) << 8))
#define TBAND_META_TEXT_HEAD(id, numbers) \
  (TBAND_META_HEAD(id, numbers) | TBAND_IN_PACKETS(TBAND_META_TEXT))
/* For readers that do not know an event of this id, from 128 on. Kept in the metadata buffer, so later recordings have it. As a varint such
 * an id is two bytes, as event_schema has them: the id, and 1, since the event has a time. Of a description that is longer than a string may
 * be nothing is said: a part of one describes another event, or none. */
#define TBAND_DESCRIBE_EVENT(id, schema)                                                                        \
  do {                                                                                                          \
    if (sizeof(schema) <= TBAND_AS(size_t, tband_configMAX_STR_LEN) + 1U) {                                     \
      tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA, 1), (id), 0, (schema)); \
    }                                                                                                           \
  } while (0)
/* The same where one place in the program records the event: the metadata buffer keeps the description; without it, it is needed each
 * time. */
#if tband_configUSE_METADATA_BUF
#define TBAND_DESCRIBE_EVENT_ONCE(id, schema) \
  do {                                        \
    static bool tband_is_described;           \
    if (!tband_is_described) {                \
      tband_is_described = true;              \
      TBAND_DESCRIBE_EVENT(id, schema);       \
    }                                         \
  } while (0)
#else
#define TBAND_DESCRIBE_EVENT_ONCE(id, schema) TBAND_DESCRIBE_EVENT(id, schema)
#endif
#define TBAND_RECORD_META_U32(event, first) \
  tband_record_metadata(TBAND_META_HEAD(TBAND_EVT_META_U32_##event, 1), (first), 0, TBAND_NULL)
#define TBAND_RECORD_META_U32_U32(event, first, second)                                        \
  tband_record_metadata(TBAND_META_HEAD(TBAND_EVT_META_U32_U32_##event, 2), (first), (second), \
                        TBAND_NULL)
#define TBAND_RECORD_META_U32_STR(event, first, text) \
  tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U32_STR_##event, 1), (first), 0, (text))
#define TBAND_RECORD_META_U32_U32_STR(event, first, second, text)                                       \
  tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U32_U32_STR_##event, 2), (first), (second), \
                        (text))
/* Of an object that was just created: the metadata buffer has nothing that would be replaced. */
#define TBAND_RECORD_NEW_U32_U32(event, first, second)                                       \
  tband_record_metadata(TBAND_META_HEAD(TBAND_EVT_META_U32_U32_##event, 2) | TBAND_META_NEW, \
                        (first), (second), TBAND_NULL)
#define TBAND_RECORD_NEW_U32_STR(event, first, text)                                              \
  tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U32_STR_##event, 1) | TBAND_META_NEW, \
                        (first), 0, (text))
/* For the metadata buffer alone: of an object that was just created, and when that changes. Tonbandgeraet has no
 * such events. They have no text; a third number takes its place. */
#define TBAND_THIRD_NUMBER(number) (TBAND_AS(const char *, TBAND_AS(uintptr_t, TBAND_AS(uint32_t, number))))
#if tband_configTRACE_INFO_ENABLE
#define TBAND_STORE_U32_U32(event, flags, first, second)                                           \
  tband_record_metadata(                                                                           \
      TBAND_META_HEAD(TBAND_EVT_META_U32_U32_##event, 2) | TBAND_META_NOT_SENT | (flags), (first), \
      (second), TBAND_NULL)
#define TBAND_STORE_U32_U32_U32(event, flags, first, second, third)                                    \
  tband_record_metadata(                                                                               \
      TBAND_META_HEAD(TBAND_EVT_META_U32_U32_U32_##event, 3) | TBAND_META_NOT_SENT | (flags), (first), \
      (second), TBAND_THIRD_NUMBER(third))
#else
#define TBAND_STORE_U32_U32(event, flags, first, second) ((void)(first), (void)(second))
#define TBAND_STORE_U32_U32_U32(event, flags, first, second, third) \
  ((void)(first), (void)(second), (void)(third))
#endif
#define TBAND_STORE_NEW_U32_U32(event, first, second) \
  TBAND_STORE_U32_U32(event, TBAND_META_NEW, first, second)
#define TBAND_STORE_NEW_U32_U32_U32(event, first, second, third) \
  TBAND_STORE_U32_U32_U32(event, TBAND_META_NEW, first, second, third)
#define TBAND_UPDATE_U32_U32(event, first, second) \
  TBAND_STORE_U32_U32(event, TBAND_META_UPDATE, first, second)
#define TBAND_UPDATE_U32_U32_U32(event, first, second, third) \
  TBAND_STORE_U32_U32_U32(event, TBAND_META_UPDATE, first, second, third)
/* Removes from the metadata buffers what they have of an object; `ids` are the TBAND_ID_BITs of the events. */
#define TBAND_FORGET(ids, number) tband_record_metadata(TBAND_META_FORGET, (number), (ids), TBAND_NULL)
#define TBAND_ID_BIT(id) (TBAND_AS(uint32_t, 1) << ((id) % 32U))

/* ---- Control ------------------------------------------------------------------------------- */

/* Functions of a backend that is not the chosen one are declared all the same, so that a call is an error that
 * says what is wrong, where the compiler can do that. */
#if (tband_configENABLE != 0) && defined(__has_attribute)
#if __has_attribute(error)
#define TBAND_OF_ANOTHER_BACKEND(backend, instead)                                                  \
  __attribute__((error("tband: this function belongs to the " backend                               \
                       " backend, and tband_config.h chooses another. " instead)))
#endif
#endif

/* In the shim. The caller may read the recorder's memory. The other two are for languages that do not see the configuration: events of
 * the caller are recorded now, a refused call is counted; and the backend needs no start. */
#if tband_configENABLE != 0
bool tband_may_read(void);
bool tband_takes_events(void);
bool tband_is_always_on(void);
bool tband_packet_reader_take(void);
void tband_packet_reader_give_back(void);
#endif
#if (tband_configENABLE != 0) && tband_configMEMORY_PROTECTION
#define TBAND_MAY_READ() tband_may_read()
/* In the shim. The caller may record; a call that may not is counted as a dropped event, or as metadata. */
bool tband_may_record(bool is_metadata);
#define TBAND_MAY_RECORD(is_metadata) tband_may_record(is_metadata)
#else
#define TBAND_MAY_READ() true
#define TBAND_MAY_RECORD(is_metadata) true
#endif

/* Events are taken: recording is on, or the backend needs no start. */
TBAND_INLINE bool tband_is_recording(void) {
#if tband_configENABLE == 0
  return false;
#elif TBAND_BACKEND_IS_ALWAYS_ON
  return true;
#else
  return tband_recorder.recording != 0U;
#endif
}

/** Recording is on. False with the external backend, which nothing starts: it gets all events at any time; and
 * for a task without privileges, which cannot record. */
TBAND_INLINE bool tband_tracing_enabled(void) {
  return !TBAND_BACKEND_IS_ALWAYS_ON && TBAND_MAY_READ() && tband_is_recording();
}

/** Recording is off and no core is still inside an event: the buffers may be read. True with the external
 * backend, which nothing starts. False for a task without privileges, which may not read them. */
TBAND_INLINE bool tband_tracing_finished(void) {
#if (tband_configENABLE == 0) || TBAND_BACKEND_IS_ALWAYS_ON
  return true;
#else
  return TBAND_MAY_READ() && tband_recorder_finished();
#endif
}

/** Recording is off and this core is not inside an event. Cores that do not exist never are. True with the
 * external backend, which nothing starts. */
TBAND_INLINE bool tband_tracing_backend_finished(unsigned int core_id) {
#if (tband_configENABLE == 0) || TBAND_BACKEND_IS_ALWAYS_ON
  (void)core_id;
  return true;
#else
  return TBAND_MAY_READ() && tband_core_finished(core_id);
#endif
}

/** Metadata buffer of a core: whole frames of what exists, which may be put before a snapshot, with zeros in place
 * of what was deleted: decoders skip them as frames without bytes. NULL if there is none. Changes whenever an object
 * is created, named or deleted. */
TBAND_INLINE const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_core_metadata(core_id) : TBAND_NULL;
#else
  (void)core_id;
  return TBAND_NULL;
#endif
}

/** Bytes in the metadata buffer of a core, gaps of zeros included; 0 if there is none. */
TBAND_INLINE size_t tband_get_metadata_buf_amnt(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_core_metadata_amount(core_id) : 0U;
#else
  (void)core_id;
  return 0;
#endif
}

/** Metadata events, counted from reset, that found the metadata buffer of a core full. A recording that
 * starts later lacks them; enlarge tband_configMETADATA_BUF_SIZE. Stays at 65535. */
TBAND_INLINE uint32_t tband_get_metadata_dropped_cnt(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_core_metadata_dropped(core_id) : 0U;
#else
  (void)core_id;
  return 0;
#endif
}

/** Events of the program, counted from reset over all cores, that are not recorded since the port refused them or no packet had room;
 * modulo 2^32. What the recorder writes by itself does not count (descriptions, filters, triggers, answers), nor does metadata in packets,
 * which is repeated. */
TBAND_INLINE uint32_t tband_get_dropped_evt_cnt(void) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_recorder_dropped() : 0U;
#else
  return 0;
#endif
}

/** Records the timer's resolution, and starts the timer if it is not running. Optional: a recording that
 * describes itself has it at its start. With the external backend, which has no start, call it once, when
 * your backend is ready; there it records the frequency too. */
#if tband_configENABLE != 0
void tband_gather_system_metadata(void);
#else
TBAND_INLINE void tband_gather_system_metadata(void) {}
#endif

/** The timer of the timestamps counts at another frequency from now on, after a change of a PLL or a
 * divider: records what tband_portTIMESTAMP_FREQUENCY_HZ says now, in Hz. Nothing while recording is off,
 * since each start reports it anew. Call it in the critical section or the interrupt lock in which you change
 * the clock, right after the change: what is recorded in between has the wrong time. Harmless if nothing
 * has changed, so it may be called again where events are being dropped. About as long as a task switch. */
#if tband_configENABLE != 0
void tband_timestamp_frequency_changed(void);
#else
TBAND_INLINE void tband_timestamp_frequency_changed(void) {}
#endif

/** Reads the port's timer. For timers that must be read once per wrap (tband_extend32.h), where nothing
 * may record for so long. With FreeRTOS the kernel's tick does it, see tband_configTICK_KEEPS_TIME; else
 * call it from a slow timer. Any context. */
#if tband_configENABLE != 0
void tband_keep_time(void);
#else
TBAND_INLINE void tband_keep_time(void) {}
#endif

/** Starts the stream: sends the metadata buffers, then every event. Hands a whole metadata buffer to
 * the port in one call, in a critical section. Returns 0; -1 if it is on already; -2 if the port
 * dropped part of what goes before the events, names and the timer's frequency: then recording stays off, and to
 * call it again, until it returns 0, sends that anew. With packets, which repeat it, never -2. Streaming backend. */
#if (tband_configENABLE != 0) && tband_configUSE_BACKEND_STREAMING
int tband_start_streaming(void);
/** As tband_start_streaming for a stream that goes on: without what made the recording, and without metadata if
 * tband_configTRACE_INFO_ENABLE is 0. Never refused: returns 0, or -1 if it is on already; what the port drops
 * is counted. */
int tband_restart_streaming(void);
/** Stops the stream. Returns 0, or -1 if it was not on. Nothing reaches the port any more when this returns:
 * with several cores it waits for the frame that another one may be sending. */
int tband_stop_streaming(void);
#elif tband_configENABLE == 0
TBAND_INLINE int tband_start_streaming(void) { return 0; }
TBAND_INLINE int tband_restart_streaming(void) { return 0; }
TBAND_INLINE int tband_stop_streaming(void) { return 0; }
#elif defined(TBAND_OF_ANOTHER_BACKEND)
#define TBAND_OF_STREAMING                                                                       \
  TBAND_OF_ANOTHER_BACKEND("streaming",                                                          \
                           "Snapshots have tband_trigger_snapshot() and tband_stop_snapshot(), " \
                           "the external backend needs no start.")
int tband_start_streaming(void) TBAND_OF_STREAMING;
int tband_restart_streaming(void) TBAND_OF_STREAMING;
int tband_stop_streaming(void) TBAND_OF_STREAMING;
#endif

#if (tband_configENABLE != 0) && tband_configUSE_BACKEND_SNAPSHOT
/** Starts to fill the snapshot buffers, after what they hold, first with a copy of the metadata buffers, unless
 * that took more than half of the room or tband_configTRACE_INFO_ENABLE is 0. When the first is full recording
 * stops on all cores. Returns 0, or -1 if recording is on or has not wholly finished. Snapshot backend. */
int tband_trigger_snapshot(void);
/** Stops recording. Returns 0, or -1 if it was not on. */
int tband_stop_snapshot(void);
/** Empties the snapshot buffers. Returns 0, or -1 unless recording has finished. */
int tband_reset_snapshot(void);
#elif tband_configENABLE == 0
TBAND_INLINE int tband_trigger_snapshot(void) { return 0; }
TBAND_INLINE int tband_stop_snapshot(void) { return 0; }
TBAND_INLINE int tband_reset_snapshot(void) { return 0; }
#elif defined(TBAND_OF_ANOTHER_BACKEND)
#define TBAND_OF_SNAPSHOT                                                                       \
  TBAND_OF_ANOTHER_BACKEND("snapshot",                                                          \
                           "Streaming has tband_start_streaming() and tband_stop_streaming(), " \
                           "the external backend needs no start.")
int tband_trigger_snapshot(void) TBAND_OF_SNAPSHOT;
int tband_stop_snapshot(void) TBAND_OF_SNAPSHOT;
int tband_reset_snapshot(void) TBAND_OF_SNAPSHOT;
const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id) TBAND_OF_SNAPSHOT;
size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id) TBAND_OF_SNAPSHOT;
#endif

#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_SNAPSHOT
#if TBAND_USES_PACKETS
/* In the shim, which knows of how many cores they are. */
const uint8_t *tband_packets_memory(unsigned int core_id);
size_t tband_packets_memory_amount(unsigned int core_id);
#endif
/** Snapshot buffer of a core: whole frames, or packets, of which each begins at a multiple of
 * tband_configPACKET_SIZE. NULL for cores that do not exist. */
TBAND_INLINE const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id) {
#if tband_configENABLE != 0
#if TBAND_USES_PACKETS
  return TBAND_MAY_READ() ? tband_packets_memory(core_id) : TBAND_NULL;
#else
  return TBAND_MAY_READ() ? tband_core_snapshot(core_id) : TBAND_NULL;
#endif
#else
  (void)core_id;
  return TBAND_NULL;
#endif
}

/** Bytes in the snapshot buffer of a core: 0 until that core has finished. */
TBAND_INLINE size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id) {
#if tband_configENABLE != 0
#if TBAND_USES_PACKETS
  return TBAND_MAY_READ() ? tband_packets_memory_amount(core_id) : 0U;
#else
  return TBAND_MAY_READ() ? tband_core_snapshot_amount(core_id) : 0U;
#endif
#else
  (void)core_id;
  return 0;
#endif
}
#endif

#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_EXTERNAL
/** Written by you for the external backend: gets every frame, recording or not. `buf` is valid during
 * the call only. Returns true if the frame was dropped. Called in the critical section; with several
 * cores also with the recorder's lock held. Events that it causes are not recorded, but counted as
 * dropped; it must not call the functions that read or end a recording.
 *
 * With packets it gets each packet that is closed, from the first event on, of one core; `is_metadata` is true for those of
 * the metadata stream, of which the first goes before all. It must not write to `buf`. One that it has dropped is missing
 * in the sequence of the packets, which the host reports. tband_flush() closes the one that is open. */
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata);
#endif

/* ---- Packets ------------------------------------------------------------------------------- */

#if (tband_configENABLE != 0) && tband_configUSE_BACKEND_POST_MORTEM
/** Starts to fill the ring of each core, and overwrites the oldest packet when it is full, until tband_freeze() or a
 * reset. What the rings have is lost with this, from before a reset too: look first, with tband_post_mortem_available().
 * Returns 0, or -1 if recording is on or has not wholly finished. Post-mortem backend. */
int tband_start_post_mortem(void);
/** Stops recording: the rings keep what was recorded last, and can be read with tband_packet_take() or
 * tband_stream_read(). Returns 0, or -1 if it was not on. Any context, fault handlers too. */
int tband_freeze(void);
/** Freezes when a core has filled `packets` more packets, up to 32767: for what comes after what one waits for. 0: at
 * once. Returns 0, or -1 if recording is not on. Any context. */
int tband_freeze_after(unsigned int packets);
/** Whether there is a recording to be taken, with tband_packet_take() or tband_stream_read(): one that was frozen, or one
 * that a reset has ended, if tband_configPACKET_BUF_ATTRIBUTE places the memory where the start-up code leaves it alone.
 * That it is one is certain from marks, sizes and numbers in each packet, and a key of the build and its configuration;
 * after a power-on there is none. Names come with it, and objects may be created before it is taken. false while
 * recording is on. It may be taken more than once: a reading ends where tband_packet_take() returns NULL or tband_stream_read() 0,
 * and the next call of this function begins another one, which gives the same bytes.
 *
 * Context: whoever starts recordings, and takes packets. The first call since the reset looks through the memory: some 30
 * instructions a packet, and 10 a byte of the metadata buffers. */
bool tband_post_mortem_available(void);
/** Bytes of the packets that tband_post_mortem_available() reports, without those of the metadata, which come besides.
 * Context as that. */
size_t tband_post_mortem_amount(void);
/** Empties the rings, and forgets what a reset has left. Returns 0, or -1 unless recording has finished. */
int tband_clear_post_mortem(void);
#elif tband_configENABLE == 0
TBAND_INLINE int tband_start_post_mortem(void) { return 0; }
TBAND_INLINE int tband_freeze(void) { return 0; }
TBAND_INLINE int tband_freeze_after(unsigned int packets) {
  (void)packets;
  return 0;
}
TBAND_INLINE bool tband_post_mortem_available(void) { return false; }
TBAND_INLINE size_t tband_post_mortem_amount(void) { return 0; }
TBAND_INLINE int tband_clear_post_mortem(void) { return 0; }
#endif

#if (tband_configENABLE != 0) && TBAND_USES_PACKETS
/** The next packet to be sent, whole and with its check, or NULL if there is none; `len` gets its length in bytes. It
 * stays where it is, for a DMA too, until tband_packet_done(). Metadata comes first, and again every
 * tband_configPACKET_METADATA_EVERY packets. Packets that are not full come when they are old
 * (tband_configPACKET_MAX_AGE_MS), after tband_flush(), and when recording has stopped; with the post-mortem backend
 * all come when recording has stopped.
 *
 * One reader, which no other context of its kind interrupts: a task, the idle hook, the main loop or an interrupt. It
 * waits for nobody, and nobody for it. Cost: the check, a word of 4 bytes in some 5 instructions. A packet of metadata
 * is written in a critical section, about 12 instructions a byte, and what a recording ends with, when it was stopped. */
const uint8_t *tband_packet_take(size_t *len);
/** Gives the packet back that tband_packet_take() gave, so that its room is used again. Nothing if there is none. */
void tband_packet_done(void);
/** Copies the next bytes of the packets to `buf`, as many as there are and fit, and returns how many. For who sends
 * bytes; in place of tband_packet_take() and tband_packet_done(). Context as these. */
size_t tband_stream_read(uint8_t *buf, size_t len);
/** Closes the open packet of the core it is called on, so that it can be taken. Any context. */
void tband_flush(void);
/** Has the metadata sent again with the packets that are taken next, for a reader that has just joined. Any context. */
void tband_request_metadata(void);
#elif tband_configENABLE == 0
TBAND_INLINE const uint8_t *tband_packet_take(size_t *len) {
  *len = 0;
  return TBAND_NULL;
}
TBAND_INLINE void tband_packet_done(void) {}
TBAND_INLINE size_t tband_stream_read(uint8_t *buf, size_t len) {
  (void)buf;
  (void)len;
  return 0;
}
TBAND_INLINE void tband_flush(void) {}
TBAND_INLINE void tband_request_metadata(void) {}
#endif

/* ---- Interrupts ---------------------------------------------------------------------------- */

/* Leaves out a call when a class of events is off, but keeps its arguments type-checked. */
#define TBAND_IF(enabled, call) \
  do {                          \
    if ((enabled) != 0) {       \
      call;                     \
    }                           \
  } while (0)

/** In tband_isr_name() stands for the main program of firmware without an RTOS, which is "main" else. Not for
 * tband_isr_enter() and tband_isr_exit(). It is -7, which CMSIS gives to no exception: SysTick_IRQn is -1. */
#define TBAND_MAIN_PROGRAM 0xFFFFFFF9U

/** Names an interrupt. Metadata. */
TBAND_INLINE void tband_isr_name(uint32_t id, const char *name) {
  TBAND_IF(tband_configISR_TRACE_ENABLE, TBAND_RECORD_META_U32_STR(ISR_NAME, id, name));
}

/** The core enters an interrupt. First line of the handler. */
TBAND_INLINE void tband_isr_enter(uint32_t id) {
  TBAND_IF(tband_configISR_TRACE_ENABLE, TBAND_RECORD_ISR_ENTER(id));
}

/** The core leaves an interrupt. Last line of the handler. */
TBAND_INLINE void tband_isr_exit(uint32_t id) {
  TBAND_IF(tband_configISR_TRACE_ENABLE, TBAND_RECORD_ISR_EXIT(id));
}

/* ---- Markers ------------------------------------------------------------------------------- */

/** Names an event marker. Metadata. */
TBAND_INLINE void tband_evtmarker_name(uint32_t id, const char *name) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_META_U32_STR(EVTMARKER_NAME, id, name));
}

/** An instant on an event marker, with a text. */
TBAND_INLINE void tband_evtmarker(uint32_t id, const char *msg) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_STR(EVTMARKER, id, msg));
}

/** A span opens on an event marker, with a text. Spans of a marker nest. */
TBAND_INLINE void tband_evtmarker_begin(uint32_t id, const char *msg) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_STR(EVTMARKER_BEGIN, id, msg));
}

/** The innermost open span of an event marker ends. */
TBAND_INLINE void tband_evtmarker_end(uint32_t id) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32(EVTMARKER_END, id));
}

/** In tband_valmarker() of cores or boards whose timers are not one: two clocks meet. Who sends the other a number, by a
 * message, a pin or memory, records TBAND_CLOCK_SYNC_SENT with it just before; who receives it, TBAND_CLOCK_SYNC_HEARD just
 * after. In both directions, some ten times a second, `tband-cli conv --align clock-sync` then knows how the clocks run
 * against each other, and how well. Several that hear of one moment, such as an edge on a common pin, each record
 * TBAND_CLOCK_SYNC_HEARD with its number. */
#define TBAND_CLOCK_SYNC_SENT (UINT32_MAX - 1U)
#define TBAND_CLOCK_SYNC_HEARD UINT32_MAX

/** Names a value marker. Metadata. */
TBAND_INLINE void tband_valmarker_name(uint32_t id, const char *name) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_META_U32_STR(VALMARKER_NAME, id, name));
}

/** A value marker takes a value. */
TBAND_INLINE void tband_valmarker(uint32_t id, int64_t val) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_S64(VALMARKER, id, val));
}

/* Names an event marker after the function it is in, the first time that a caller with privileges reaches it: others may not even
 * read the variable. */
#define TBAND_NAME_FN_ONCE(id)                        \
  do {                                                \
    static uint8_t tband_fn_named = 0;                \
    if (TBAND_MAY_READ() && (tband_fn_named == 0U)) { \
      tband_fn_named = 1;                             \
      tband_evtmarker_name((id), __func__);           \
    }                                                 \
  } while (0)

#if (tband_configENABLE != 0) && (tband_configMARKER_TRACE_ENABLE != 0)
/** In a function body: an instant on event marker `id`, which is named after the function. Like
 * tband_fn_begin it declares a local variable, so that tband_fn_end() may follow: one of them a scope. */
#define tband_fn(id)                 \
  const uint32_t tband_fn_id = (id); \
  TBAND_NAME_FN_ONCE(tband_fn_id);   \
  tband_evtmarker(tband_fn_id, "")
/** In a function body: opens a span on event marker `id`, which is named after the function. Declares
 * a local variable, so once per scope; tband_fn_end() in the same scope ends the span. */
#define tband_fn_begin(id)           \
  const uint32_t tband_fn_id = (id); \
  TBAND_NAME_FN_ONCE(tband_fn_id);   \
  tband_evtmarker_begin(tband_fn_id, "")
#else
#define tband_fn(id) tband_fn_begin(id)
#define tband_fn_begin(id)           \
  const uint32_t tband_fn_id = (id); \
  (void)tband_fn_id
#endif
/** Ends the span that tband_fn_begin(id) opened in this scope. Before every return. */
#define tband_fn_end() tband_evtmarker_end(tband_fn_id)

#include "tband_scheduler.h"
#include "tband_filters.h"
#include "tband_triggers.h"
#include "tband_fault.h"
#include "tband_commands.h"

#ifdef __cplusplus
}
#endif

#include "tband_freertos.h"
#include "tband_record.h"
#include "tband_element.h"

#endif /* TBAND_API_H */
