/* The functions that firmware calls.
 *
 * Included by tband.h. Every function exists with the same type whether tband_configENABLE is 1 or 0; with 0 it does
 * nothing, and the optimiser removes the call. Contexts: unless a function's comment names others, any task, any
 * interrupt that may trace, and any critical section. Strings are copied before the call returns; NULL counts as an
 * empty string; no byte after tband_configMAX_STR_LEN is read. With memory protection (tband_configMEMORY_PROTECTION)
 * the caller needs privileges. Functions that record or control refuse a call from an unprivileged task and count it as
 * dropped; functions that only read return false, 0 or NULL. */
#ifndef TBAND_API_H
#define TBAND_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_config_defaults.h"

/* Not needed by tband: Tonbandgeraet's header includes it, and its users' sources rely on that, for example for
 * getenv(). A bare compiler without a C library does not have it. */
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

/* A cast and a null pointer, for C++ as well as C. In C++ the cast is a function template, because -Wold-style-cast and
 * -Wuseless-cast also warn inside macros that a program uses. */
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

/* Valid wherever a declaration is. C99 has no static assertion: there the size of the array tband_must_hold is -1 if
 * the condition is false, which is an error. */
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

/* The inline functions below use six macros to record, one for each layout of fields. The macros build the event ids
 * from their names, so that an event with other fields does not compile. */
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
/* Packets begin with the open interrupts. */
void tband_record_isr_enter(uint32_t isr_number);
void tband_record_isr_exit(uint32_t isr_number);
#define TBAND_RECORD_ISR_ENTER(id) tband_record_isr_enter(id)
#define TBAND_RECORD_ISR_EXIT(id) tband_record_isr_exit(id)
#endif
/* Records the answer to a command. The event belongs to the recorder and does not count as lost. */
void tband_record_answer(uint32_t command, int64_t is);
/* `head` is the event's id, from bit 8 the count of its numbers, and possibly flags TBAND_META_*. */
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

/* Flags of an event that packets need, and frames do not. */
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
/* Three to five numbers, which are on the caller's stack during the call. */
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
/* While recording is off the numbers are not evaluated. */
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
/* Describes an event with an id from 128 on for readers that do not know the id. The description is kept in the
 * metadata buffer, so later recordings contain it too. Such an id takes two bytes as a varint, as event_schema expects:
 * the id, and 1 because the event has a time. A description longer than tband_configMAX_STR_LEN is not recorded at all:
 * a truncated one would describe a different event, or none. */
#define TBAND_DESCRIBE_EVENT(id, schema)                                                                        \
  do {                                                                                                          \
    if (sizeof(schema) <= TBAND_AS(size_t, tband_configMAX_STR_LEN) + 1U) {                                     \
      tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA, 1), (id), 0, (schema)); \
    }                                                                                                           \
  } while (0)
/* The same for an event that is recorded in one place of the program: the metadata buffer keeps the description;
 * without that buffer the event is described each time. */
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
/* For an object that was just created: the metadata buffer contains nothing to replace. */
#define TBAND_RECORD_NEW_U32_U32(event, first, second)                                       \
  tband_record_metadata(TBAND_META_HEAD(TBAND_EVT_META_U32_U32_##event, 2) | TBAND_META_NEW, \
                        (first), (second), TBAND_NULL)
#define TBAND_RECORD_NEW_U32_STR(event, first, text)                                              \
  tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U32_STR_##event, 1) | TBAND_META_NEW, \
                        (first), 0, (text))
/* For the metadata buffer only: state of an object that was just created, and changes of that state. Tonbandgeraet has
 * no such events. They have no text; a third number takes its place. */
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
/* Removes the entries of an object from the metadata buffers; `ids` is the set of TBAND_ID_BITs of the events. */
#define TBAND_FORGET(ids, number) tband_record_metadata(TBAND_META_FORGET, (number), (ids), TBAND_NULL)
#define TBAND_ID_BIT(id) (TBAND_AS(uint32_t, 1) << ((id) % 32U))

/* ---- Control ------------------------------------------------------------------------------- */

/* Functions of the backends that are not selected are declared too. Where the compiler supports it, a call is then an
 * error whose message names the cause. */
#if (tband_configENABLE != 0) && defined(__has_attribute)
#if __has_attribute(error)
#define TBAND_OF_ANOTHER_BACKEND(backend, instead)                                                  \
  __attribute__((error("tband: this function belongs to the " backend                               \
                       " backend, and tband_config.h chooses another. " instead)))
#endif
#endif

/* In the shim. Returns whether the caller may read the recorder's memory. The other two are for languages that do not
 * see the configuration: the first returns whether events of the caller are recorded now, and counts a refused call;
 * the second returns whether the backend needs no start. */
#if tband_configENABLE != 0
bool tband_may_read(void);
bool tband_takes_events(void);
bool tband_is_always_on(void);
bool tband_packet_reader_take(void);
void tband_packet_reader_give_back(void);
#endif
#if (tband_configENABLE != 0) && tband_configMEMORY_PROTECTION
#define TBAND_MAY_READ() tband_may_read()
/* In the shim. Returns whether the caller may record, and otherwise counts the call as a dropped event, or as dropped
 * metadata. */
bool tband_may_record(bool is_metadata);
#define TBAND_MAY_RECORD(is_metadata) tband_may_record(is_metadata)
#else
#define TBAND_MAY_READ() true
#define TBAND_MAY_RECORD(is_metadata) true
#endif

/* True if events are accepted: recording is on, or the backend needs no start. */
TBAND_INLINE bool tband_is_recording(void) {
#if tband_configENABLE == 0
  return false;
#elif TBAND_BACKEND_IS_ALWAYS_ON
  return true;
#else
  return tband_recorder.recording != 0U;
#endif
}

/** Returns whether recording is on. False with the external backend, and for an unprivileged task. */
TBAND_INLINE bool tband_tracing_enabled(void) {
  return !TBAND_BACKEND_IS_ALWAYS_ON && TBAND_MAY_READ() && tband_is_recording();
}

/** Returns whether recording is off and no core is inside an event, so that the buffers may be read. True with the
 * external backend, false for an unprivileged task. */
TBAND_INLINE bool tband_tracing_finished(void) {
#if (tband_configENABLE == 0) || TBAND_BACKEND_IS_ALWAYS_ON
  return true;
#else
  return TBAND_MAY_READ() && tband_lib_recorder_finished();
#endif
}

/** Like tband_tracing_finished() for one core. True for cores that do not exist, if recording is off. */
TBAND_INLINE bool tband_tracing_backend_finished(unsigned int core_id) {
#if (tband_configENABLE == 0) || TBAND_BACKEND_IS_ALWAYS_ON
  (void)core_id;
  return true;
#else
  return TBAND_MAY_READ() && tband_lib_core_finished(core_id);
#endif
}

/** Returns the metadata buffer of a core: whole frames about the live objects, which may precede a snapshot, and
 * zeros in place of removed entries. NULL without a buffer. */
TBAND_INLINE const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_lib_core_metadata(core_id) : TBAND_NULL;
#else
  (void)core_id;
  return TBAND_NULL;
#endif
}

/** Returns the number of bytes in this buffer, including gaps; 0 without a buffer. */
TBAND_INLINE size_t tband_get_metadata_buf_amnt(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_lib_core_metadata_amount(core_id) : 0U;
#else
  (void)core_id;
  return 0;
#endif
}

/** Returns the number of metadata events since reset that did not fit in this buffer, at most 65535. Enlarge
 * tband_configMETADATA_BUF_SIZE. */
TBAND_INLINE uint32_t tband_get_metadata_dropped_cnt(unsigned int core_id) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_lib_core_metadata_dropped(core_id) : 0U;
#else
  (void)core_id;
  return 0;
#endif
}

/** Returns the number of events since reset that the port refused or that found no free packet, on all cores, modulo
 * 2^32. */
TBAND_INLINE uint32_t tband_get_dropped_evt_cnt(void) {
#if tband_configENABLE != 0
  return TBAND_MAY_READ() ? tband_lib_recorder_dropped() : 0U;
#else
  return 0;
#endif
}

/** Records the timer's resolution, and starts the timer. Needed without tband_configTRACE_INFO_ENABLE. With the
 * external backend, call it once when your backend is ready; then it also records the frequency. */
#if tband_configENABLE != 0
void tband_gather_system_metadata(void);
#else
TBAND_INLINE void tband_gather_system_metadata(void) {}
#endif

/** Records the new frequency of the timestamp timer, tband_portTIMESTAMP_FREQUENCY_HZ in Hz, after a change. Call it
 * in the critical section of the change: events in between have a wrong time. You may call it again. Does nothing
 * while recording is off. */
#if tband_configENABLE != 0
void tband_timestamp_frequency_changed(void);
#else
TBAND_INLINE void tband_timestamp_frequency_changed(void) {}
#endif

/** Reads the port's timer, which may need a read once in each period (tband_extend32.h) while nothing is
 * recorded. With FreeRTOS the kernel's tick does it; otherwise call it from a slow timer. */
#if tband_configENABLE != 0
void tband_keep_time(void);
#else
TBAND_INLINE void tband_keep_time(void) {}
#endif

/** Starts the stream: sends the metadata buffers, each in one call and in a critical section, then every event.
 * Returns 0; -1 if it is on already; -2 (frames only) if the port dropped metadata: recording stays off, so call it
 * again. Streaming backend. */
#if (tband_configENABLE != 0) && tband_configUSE_BACKEND_STREAMING
int tband_start_streaming(void);
/** Like tband_start_streaming for a stream that continues: without trace_info, and without metadata if
 * tband_configTRACE_INFO_ENABLE is 0. Returns 0, or -1 if it is on already; frames that the port drops are counted. */
int tband_restart_streaming(void);
/** Stops the stream. Returns 0, or -1 if it was not on. Waits for a frame that another core is sending; the port gets
 * nothing afterwards. */
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
/** Starts to fill the snapshot buffers after their present contents, first with the metadata, unless it takes more
 * than half of the room or tband_configTRACE_INFO_ENABLE is 0. One full buffer stops recording on all cores. Returns
 * 0, or -1 if recording is on or has not finished. Snapshot backend. */
int tband_trigger_snapshot(void);
/** Stops recording. Returns 0, or -1 if it was not on. */
int tband_stop_snapshot(void);
/** Empties the snapshot buffers. Returns 0, or -1 if recording has not finished. */
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
/* In the shim, which knows the number of cores. */
const uint8_t *tband_packets_memory(unsigned int core_id);
size_t tband_packets_memory_amount(unsigned int core_id);
#endif
/** Returns the snapshot buffer of a core: whole frames, or packets that begin at multiples of
 * tband_configPACKET_SIZE. NULL for cores that do not exist. */
TBAND_INLINE const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id) {
#if tband_configENABLE != 0
#if TBAND_USES_PACKETS
  return TBAND_MAY_READ() ? tband_packets_memory(core_id) : TBAND_NULL;
#else
  return TBAND_MAY_READ() ? tband_lib_core_snapshot(core_id) : TBAND_NULL;
#endif
#else
  (void)core_id;
  return TBAND_NULL;
#endif
}

/** Returns the number of bytes in the snapshot buffer of a core; 0 until that core has finished. */
TBAND_INLINE size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id) {
#if tband_configENABLE != 0
#if TBAND_USES_PACKETS
  return TBAND_MAY_READ() ? tband_packets_memory_amount(core_id) : 0U;
#else
  return TBAND_MAY_READ() ? tband_lib_core_snapshot_amount(core_id) : 0U;
#endif
#else
  (void)core_id;
  return 0;
#endif
}
#endif

#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_EXTERNAL
/** You define this function for the external backend. It gets every frame. `buf` is valid only during the call.
 * Return true if you dropped the frame. Called in the critical section, with several cores also with the recorder's
 * lock. Events that it causes are counted as dropped. It must not read or end a recording.
 *
 * With packets it gets each closed packet; `is_metadata` is true for the metadata stream, which comes first. It must
 * not write to `buf`. */
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata);
#endif

/* ---- Packets ------------------------------------------------------------------------------- */

#if (tband_configENABLE != 0) && tband_configUSE_BACKEND_POST_MORTEM
/** Starts to fill the ring of each core, and overwrites the oldest packets, until tband_freeze() or a reset. Discards
 * the old contents: call tband_post_mortem_available() first. Returns 0, or -1 if recording is on or has not
 * finished. Post-mortem backend. */
int tband_start_post_mortem(void);
/** Stops recording. The rings keep the latest events. Returns 0, or -1 if it was not on. Any context, including
 * fault handlers. */
int tband_freeze(void);
/** Freezes when a core has filled `packets` more packets, 0 to 32767. Returns 0, or -1 if recording is not on. */
int tband_freeze_after(unsigned int packets);
/** Returns whether there is a recording for tband_packet_take() or tband_stream_read(): a frozen one, or one that a
 * reset ended, of the same build. False while recording is on. Objects may be created before it is taken. A read ends
 * when they return NULL or 0; the next call of this function begins again with the same bytes.
 *
 * Context: the code that starts recordings and takes packets. The first call since reset takes about 30 instructions
 * per packet, and 10 per byte of the metadata buffers. */
bool tband_post_mortem_available(void);
/** Returns the number of bytes of these packets, without the metadata. The same context. */
size_t tband_post_mortem_amount(void);
/** Empties the rings and discards a recording from before the reset. Returns 0, or -1 if recording has not finished. */
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
/** Returns the next packet to send, complete and with its checksum, or NULL; `len` gets its length in bytes. The
 * packet stays in place, also for DMA, until tband_packet_done(). Metadata comes first, and again every
 * tband_configPACKET_METADATA_EVERY packets. Packets that are not full come when they are old
 * (tband_configPACKET_MAX_AGE_MS), after tband_flush(), and at the end.
 *
 * Context: the one consumer, in any context. Never blocks. Metadata, about 12 instructions per byte, and the end of a
 * recording are written in a critical section. */
const uint8_t *tband_packet_take(size_t *len);
/** Releases this packet. Does nothing without one. */
void tband_packet_done(void);
/** Copies the next bytes of the packets to `buf`, at most `len`, and returns their number. Context as for
 * tband_packet_take(). */
size_t tband_stream_read(uint8_t *buf, size_t len);
/** Closes the open packet of this core at once, of other cores before their next event. */
void tband_flush(void);
/** Sends the metadata again with the next packets. */
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

/** For tband_isr_name() only: the main program of firmware without an RTOS, by default named "main". It is -7. */
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

/** An instant, with a text. */
TBAND_INLINE void tband_evtmarker(uint32_t id, const char *msg) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_STR(EVTMARKER, id, msg));
}

/** A span opens, with a text. Spans nest. */
TBAND_INLINE void tband_evtmarker_begin(uint32_t id, const char *msg) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_STR(EVTMARKER_BEGIN, id, msg));
}

/** The innermost open span ends. */
TBAND_INLINE void tband_evtmarker_end(uint32_t id) {
  TBAND_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32(EVTMARKER_END, id));
}

/** For tband_valmarker() on cores or boards with separate timers. The sender of a number records
 * TBAND_CLOCK_SYNC_SENT with it just before; each receiver records TBAND_CLOCK_SYNC_HEARD with it just after: in both
 * directions, about ten times a second, for `tband-cli conv --align clock-sync`. */
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

/* Names an event marker after its function, the first time that a caller with privileges reaches it: callers without
 * privileges must not even read the variable. */
#define TBAND_NAME_FN_ONCE(id)                        \
  do {                                                \
    static uint8_t tband_fn_named = 0;                \
    if (TBAND_MAY_READ() && (tband_fn_named == 0U)) { \
      tband_fn_named = 1;                             \
      tband_evtmarker_name((id), __func__);           \
    }                                                 \
  } while (0)

#if (tband_configENABLE != 0) && (tband_configMARKER_TRACE_ENABLE != 0)
/** Records an instant on an event marker named after the function. Use it or tband_fn_begin() once per scope. */
#define tband_fn(id)                 \
  const uint32_t tband_fn_id = (id); \
  TBAND_NAME_FN_ONCE(tband_fn_id);   \
  tband_evtmarker(tband_fn_id, "")
/** Like tband_fn(), and opens a span. */
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
/** Ends this span. Before every return. */
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
