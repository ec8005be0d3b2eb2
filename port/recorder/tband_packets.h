/* The format of packets: memory of the rings, how the shim writes an event, how packets get out. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_PACKETS_H)
#define TBAND_PACKETS_H

#include "tband_control.h"

/* ---- The library's functions ------------------------------------------------------------------- */

/* The library has each function for any number of cores and any backend, and smaller ones for one core and one backend.
 * The compiler selects one, and the linker discards the others. */
#if tband_configUSE_BACKEND_STREAMING || tband_configUSE_BACKEND_EXTERNAL
#define TBAND_POLICY TBAND_POLICY_STREAM
#define TBAND_PACKET_OF_ONE(function) function##_one_stream
#elif tband_configUSE_BACKEND_SNAPSHOT
#define TBAND_POLICY TBAND_POLICY_SNAPSHOT
#define TBAND_PACKET_OF_ONE(function) function##_one_snapshot
#else
#define TBAND_POLICY TBAND_POLICY_POST_MORTEM
#define TBAND_PACKET_OF_ONE(function) function##_one_post_mortem
#endif
#define TBAND_PACKET(function) ((TBAND_CORES == 1U) ? TBAND_PACKET_OF_ONE(function) : function##_cores)

/* ---- Memory ----------------------------------------------------------------------------------- */

#define TBAND_BACKEND_SETUP

/* The limit of tband-cli. The library uses higher core numbers as markers for the metadata that it must still send. */
TBAND_STATIC_ASSERT(TBAND_CORES <= 64U,
                    "tband: packets are of 64 cores at most; make tband_portNUMBER_OF_CORES smaller");

/* Packets are words, since their headers are written by words, and end with a pointer. */
static uint64_t tband_packets[TBAND_CORES][tband_configPACKET_COUNT][tband_configPACKET_SIZE / 8]
    tband_configPACKET_BUF_ATTRIBUTE;
static tband_ring_state tband_rings[TBAND_CORES];
#if !tband_configUSE_BACKEND_SNAPSHOT
extern tband_packet_reader tband_reader; /* in the library */
#define TBAND_READER &tband_reader
#else
#define TBAND_READER NULL /* the functions that take packets have it */
#endif

/* Longest event: id, time and a number, and a string with its NUL; five numbers, where strings are short. */
#define TBAND_MAX_EVENT_LEN \
  (((tband_configMAX_STR_LEN) > 19) ? (10 + (tband_configMAX_STR_LEN) + 6) : 35)

/* Header, state of the core with a few open interrupts, the longest event or frame of metadata, and the trailer, which
 * is not sent. */
TBAND_STATIC_ASSERT((tband_configPACKET_SIZE) >= 36 + 32 + TBAND_MAX_EVENT_LEN + 20,
                    "tband: packets have no room for the longest string; enlarge tband_configPACKET_SIZE, or "
                    "make tband_configMAX_STR_LEN smaller");
TBAND_STATIC_ASSERT((tband_configPACKET_SIZE) >= 37 + TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN),
                    "tband: packets have no room for the longest name; enlarge tband_configPACKET_SIZE, or "
                    "make tband_configMAX_STR_LEN smaller");

#if tband_configUSE_FILTERS
/* Maximum size of a filter's list, which each packet contains, and of the counts of shed events. */
TBAND_STATIC_ASSERT((tband_configPACKET_SIZE) >=
                        36 + 32 + 250 + ((tband_configUSE_SHEDDING) * 64) + TBAND_MAX_EVENT_LEN + 20,
                    "tband: packets have no room to say what a filter leaves out; enlarge tband_configPACKET_SIZE");
#endif

/* ---- Time ------------------------------------------------------------------------------------- */

/* Events use the lower half; the library reads the full time where a packet begins and ends. */
typedef uint32_t tband_time;

#if defined(tband_portTIMESTAMP_RAW)
#define TBAND_TIME_OF(is_metadata) ((uint32_t)(tband_portTIMESTAMP_RAW()))
#define TBAND_SEES_TURNS 0
#define TBAND_CLOSING_TIME() ((uint64_t)(tband_portTIMESTAMP()))
#define TBAND_NOTICE_TURN() ((void)0)
/* The time that the timer had when its lower half was `now`, a moment ago. */
static inline uint64_t tband_whole_time(const tband_core_state *tband_core, uint32_t tband_low) {
  (void)tband_core;
  const uint64_t tband_whole = tband_portTIMESTAMP();
  return (((tband_whole - tband_low) >> 32) << 32) | tband_low; /* only the borrow of the difference is computed */
}
#else
/* The upper half is there as well, so no turn of the lower one passes unseen: a packet ends before it. */
#define TBAND_TIME_OF(is_metadata) ((uint32_t)tband_time_now(tband_index))
#define TBAND_SEES_TURNS 1
/* The time at which this core's packet is closed now. A packet of a previous wrap ends with its last event; otherwise
 * it would look as if wraps had been missed. The timer is read once, because it may wrap between two reads. */
#define TBAND_CLOSING_TIME() tband_time_now(tband_core_index())
#define TBAND_NOTICE_TURN() ((void)TBAND_CLOSING_TIME())
static uint32_t tband_upper_halves[TBAND_CORES];
/* The port's macro may declare variables, so the names here have a prefix. */
static inline uint64_t tband_time_now(uint32_t tband_of) {
  const uint64_t tband_whole = tband_portTIMESTAMP();
  if (!TBAND_USUALLY((uint32_t)(tband_whole >> 32) == tband_upper_halves[tband_of])) {
    tband_upper_halves[tband_of] = (uint32_t)(tband_whole >> 32);
    TBAND_PACKET(tband_lib_packet_close)(&tband_cores[tband_of], 0, 0); /* at the time of its last event */
  }
  return tband_whole;
}
static inline uint64_t tband_whole_time(const tband_core_state *core, uint32_t now) {
  const size_t index = (TBAND_CORES == 1U) ? 0U : (size_t)(core - tband_cores);
  return ((uint64_t)tband_upper_halves[index] << 32) | now;
}
#endif

/* A packet must be younger than half a wrap of the lower half. */
#define TBAND_LONGEST_AGE 0x40000000U
static inline uint32_t tband_max_age(uint32_t hz) {
  const uint32_t per_ms = ((hz / 1000U) / TBAND_FREQUENCY_DIVISOR()) + 1U; /* their product may be more than 32 bits */
  return ((TBAND_LONGEST_AGE / (tband_configPACKET_MAX_AGE_MS)) > per_ms)
             ? (per_ms * (tband_configPACKET_MAX_AGE_MS))
             : TBAND_LONGEST_AGE;
}

/* In the critical section: closes a packet that is too old. This also reads extended counters, which must happen once
 * per wrap. */
#define TBAND_CLOSE_OLD()                                                                                       \
  TBAND_PACKET(tband_lib_packet_close)(&tband_cores[tband_core_index()], tband_max_age(TBAND_FREQUENCY_HZ()), \
                                       TBAND_CLOSING_TIME())
#if tband_configUSE_RTT
static void tband_rtt_tick(void);
#define TBAND_KEEP_TIME() (TBAND_CLOSE_OLD(), tband_rtt_tick())
#define TBAND_MOST_WAITING ((tband_configPACKET_COUNT)-1)
#elif tband_configUSE_BACKEND_POST_MORTEM
static inline void tband_protect_in_tick(void);
#define TBAND_KEEP_TIME() (TBAND_CLOSE_OLD(), tband_protect_in_tick())
#define TBAND_MOST_WAITING (tband_configPACKET_COUNT)
#else
#define TBAND_KEEP_TIME() TBAND_CLOSE_OLD()
#define TBAND_MOST_WAITING (tband_configPACKET_COUNT)
#endif

uint64_t tband_lib_port_packet_timestamp(void) { return (uint64_t)(tband_portTIMESTAMP()); }

/* ---- Events ----------------------------------------------------------------------------------- */

#define TBAND_REFUSE(core, is_metadata) TBAND_PACKET(tband_lib_packet_refuse)((core), (is_metadata))
#include "tband_packet_event.h"

#define TBAND_WRITE_U32(id, first) tband_write_u32((id), tband_now, (first), tband_core)
#define TBAND_WRITE_U32_U32(id, first, second) tband_write_u32_u32((id), tband_now, (first), (second), tband_core)
#define TBAND_WRITE_U32_S64(id, first, value) tband_write_u32_s64((id), tband_now, (first), (value), tband_core)
#define TBAND_WRITE_ANSWER(first, value) tband_write_answer(tband_now, (first), (value), tband_core)
#define TBAND_WRITE_U32_STR(id, first, text) tband_write_u32_str((id), tband_now, (first), (text), tband_core)
#define TBAND_WRITE_NUMBERS(id, count, numbers) \
  tband_write_fields((id) | ((uint32_t)(count) << 8), tband_now, (numbers), NULL, tband_core)
/* This is the only hook that reaches this code while recording is off, and even before the first start, when the core
 * has no packet to read. */
#define TBAND_WRITE_METADATA(event, live)                                                              \
  do {                                                                                                 \
    if ((live) && tband_is_recording()) {                                                              \
      tband_write_fields((event)->head, tband_now, (event)->numbers, (event)->text, tband_core);       \
    }                                                                                                  \
  } while (0)


#include "../triggers/tband_trigger.h"

/* ---- What a packet begins with ---------------------------------------------------------------- */

/* The hook of the task switch writes the running task; see include/tband_config_defaults.h. At the start of a recording
 * the library clears the interrupts, because the recording contains only those that are entered during it. */
extern uint32_t tband_at_begin[TBAND_CORES][TBAND_AT_BEGIN_WORDS];
uint32_t tband_at_begin[TBAND_CORES][TBAND_AT_BEGIN_WORDS];

#if TBAND_HAS_ISR_CLASS
#include "tband_open_isrs.h"
#endif

#if tband_configISR_TRACE_ENABLE
/* Interrupts that the application reports itself; the class ISR has a separate table. The outermost comes first. The
 * word after the last one is 0; words after that are stale. Deeper interrupts are not kept. */
static TBAND_NEVER_INLINE void tband_isr_opens_inside(uint32_t *keys, uint32_t key) {
  uint32_t at = 0;
  while ((at < TBAND_NAMED_ISRS) && (keys[at] != 0U) && (keys[at] != key)) {
    at++;
  }
  if (at < TBAND_NAMED_ISRS) {
    keys[at] = key; /* if the interrupt was in the table, it and those after it ended without an exit event */
    keys[at + 1U] = 0;
  }
}

/* An interrupt is entered. */
static inline void tband_isr_opens(uint32_t *keys, uint32_t key) {
#if defined(__GNUC__)
  __asm("" : "+r"(keys)); /* in a register: otherwise RISC-V would compute the address of each word again */
#endif
  if (TBAND_USUALLY(keys[0] == 0U)) {
    keys[0] = key;
    keys[1] = 0; /* the exits of interrupts that were open inside the last one may be missing */
  } else {
    tband_isr_opens_inside(keys, key);
  }
}

/* An interrupt is left, and with it those that are open inside it. */
static inline void tband_isr_closes(uint32_t *keys, uint32_t key) {
  uint32_t at = 0;
  while ((keys[at] != 0U) && (keys[at] != key)) {
    at++;
  }
  keys[at] = 0;
}
#endif

#if TBAND_HAS_ISR_CLASS
#define TBAND_CLASS_ISRS tband_open_isrs[0].keys
#define TBAND_CLASS_ISR_WORDS (sizeof(struct tband_open_isrs) / sizeof(uint32_t))
#else
#define TBAND_CLASS_ISRS NULL
#define TBAND_CLASS_ISR_WORDS 0
#endif

/* ---- Setup and control ------------------------------------------------------------------------ */

/* Counts of shed events that cores have not recorded before they finished. */
#if tband_configUSE_SHEDDING
#define TBAND_SHED_IS_DUE() ((TBAND_CORES > 1U) && TBAND_PACKET(tband_lib_packet_shed_is_due)(&tband_shim_shedding))
#define TBAND_WRITE_SHED() TBAND_PACKET(tband_lib_packet_write_shed)(&tband_shim_shedding)
#define TBAND_BEGIN_PACKETS()                                                                             \
  ((TBAND_CORES == 1U) ? TBAND_PACKET(tband_lib_packet_start)()                                           \
                       : TBAND_PACKET(tband_lib_packet_start_shedding)(&tband_shim_shedding))
#else
#define TBAND_SHED_IS_DUE() false
#define TBAND_WRITE_SHED() ((void)0)
#define TBAND_BEGIN_PACKETS() TBAND_PACKET(tband_lib_packet_start)()
#endif

/* In the critical section. Returns whether a packet was written, for tband_packet_next. */
static inline bool tband_write_due(void) {
  bool is_due = TBAND_SHED_IS_DUE();
  if (is_due) {
    TBAND_WRITE_SHED(); /* before what closes the last packet: its time is known there */
  } else {
    is_due = TBAND_PACKET(tband_lib_packet_is_due)();
    if (is_due) {
      TBAND_PACKET(tband_lib_packet_write_due)();
    }
  }
  return is_due;
}

/* A port, or a function of the user, that takes each packet when it is closed: in the hook that closes it, with its
 * checksum. A packet's fifth byte is its stream. */
#if tband_configUSE_BACKEND_EXTERNAL
#define TBAND_TAKES_PACKET(data, len) \
  tband_submit_to_backend((uint8_t *)(uintptr_t)(data), (len), (data)[4] == TBAND_METADATA_STREAM)
#define TBAND_METADATA_STREAM 255U
#elif tband_configUSE_RTT
#if defined(tband_portBACKEND_STREAM_DATA)
#error "tband: with RTT the probe takes the packets: do not define tband_portBACKEND_STREAM_DATA in tband_port.h"
#include TBAND_STOP
#endif
#elif tband_configUSE_BACKEND_STREAMING && defined(tband_portBACKEND_STREAM_DATA)
#define TBAND_TAKES_PACKET(data, len) tband_portBACKEND_STREAM_DATA(data, len)
#endif

#ifdef TBAND_TAKES_PACKET
#define TBAND_BACKEND_SHARES_STREAM 1
#include "tband_hand_out.h"
#if tband_configUSE_BACKEND_EXTERNAL
TBAND_STATIC_ASSERT(TBAND_CORES == 1U,
                    "tband: the external backend gets packets of one core. Those of several are taken with "
                    "tband_packet_take() or tband_stream_read(): #define tband_configUSE_BACKEND_STREAMING 1");
#else
TBAND_STATIC_ASSERT(TBAND_CORES == 1U,
                    "tband: packets of several cores are taken with tband_packet_take() or tband_stream_read(); "
                    "do not define tband_portBACKEND_STREAM_DATA");
#endif

static bool tband_hand_out_packet(const uint8_t *data, size_t len) {
  TBAND_HAND_OUT(TBAND_TAKES_PACKET(data, len));
}

/* Called in the critical section. If the port refuses a packet, it is missing in the sequence of the packets. A port
 * that stops the recording while it takes a packet gets the other packets after it returns. */
void tband_lib_port_packet_closed(void) {
  if (TBAND_IS_HANDING_OUT()) {
    return;
  }
  bool is_more;
  do {
    size_t len;
    const uint8_t *const packet = TBAND_PACKET(tband_lib_packet_next)(&len);
    is_more = packet != NULL;
    if (is_more) {
      (void)tband_hand_out_packet(packet, len);
      TBAND_PACKET(tband_lib_packet_give_back)();
    } else {
      is_more = tband_write_due();
    }
  } while (is_more);
}
#else
#if tband_configUSE_RTT
#include "tband_rtt.h"
#define TBAND_HEARS_OF_PACKETS 1
#else
void tband_lib_port_packet_closed(void) {}
#endif

#define TBAND_BACKEND_SHARES_STREAM 0
#define TBAND_HANDS_OUT(core) false
#define TBAND_IS_HANDING_OUT() false
#endif

#ifndef TBAND_HEARS_OF_PACKETS
#define TBAND_HEARS_OF_PACKETS TBAND_BACKEND_SHARES_STREAM
#endif

#if tband_configUSE_BACKEND_POST_MORTEM
static tband_kept tband_kept_tables;
#define TBAND_KEPT &tband_kept_tables
/* Packets that were taken stay in memory: after another reset they are all available again. */
static uint32_t tband_metadata_slot[(36 + TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN) + 64 + 3) / 4];
#define TBAND_METADATA_SLOT (uint8_t *)tband_metadata_slot
#else
#define TBAND_KEPT NULL
#define TBAND_METADATA_SLOT NULL
#endif

/* The library reads it where it is. */
extern const tband_packet_setup tband_shim_packets;
const tband_packet_setup tband_shim_packets = {
    .core_count = TBAND_CORES,
    .rings = tband_rings,
    .packet_size = tband_configPACKET_SIZE,
    .memory = (uint8_t *)&tband_packets[0][0][0],
    .last_packet = (uint8_t *)&tband_packets[0][(tband_configPACKET_COUNT)-1][0],
    .packet_count = tband_configPACKET_COUNT,
    .reader = TBAND_READER,
    .max_event_len = TBAND_MAX_EVENT_LEN,
    .metadata_every = tband_configPACKET_METADATA_EVERY,
    .policy = TBAND_POLICY,
    .at_begin = tband_at_begin[0],
    .class_isrs = TBAND_CLASS_ISRS,
    .metadata_slot = TBAND_METADATA_SLOT,
    .at_begin_words = TBAND_AT_BEGIN_WORDS,
    .class_isr_words = TBAND_CLASS_ISR_WORDS,
    .kept = TBAND_KEPT,
    .hands_out = TBAND_HEARS_OF_PACKETS,
    .sees_turns = TBAND_SEES_TURNS,
    .most_waiting = TBAND_MOST_WAITING,
};

#if !tband_configUSE_RTT
/* No recording begins inside an event of the last one. */
static int tband_start_packets(void) {
  const int result = TBAND_IS_HANDING_OUT() ? -1 : TBAND_BEGIN_PACKETS();
#if tband_configUSE_SHEDDING
  if ((TBAND_CORES == 1U) && (result == 0)) {
    tband_lib_shedding_begin(&tband_shim_shedding);
  }
#endif
  return result;
}
#endif

#if !tband_configUSE_BACKEND_EXTERNAL && !tband_configUSE_RTT
/* Without a consumer, the content of the open packet is sent at once. */
static int tband_stop_packets(void) {
#if tband_configUSE_SHEDDING
  if (TBAND_CORES == 1U) {
    tband_shedding_ends(); /* with several cores the reader records the counts once the cores have finished */
  }
#endif
  TBAND_NOTICE_TURN();
  const int result = TBAND_PACKET(tband_lib_packet_stop)();
#if TBAND_BACKEND_SHARES_STREAM
  tband_lib_port_packet_closed();
#endif
  return result;
}
#endif

#if tband_configUSE_BACKEND_EXTERNAL

/* The application does not start this backend: the first event does, inside its critical section, and the metadata
 * stream contains the information that a start would send. */
static TBAND_NEVER_INLINE bool tband_start_external(void) {
  tband_portTIMESTAMP_START();
  return tband_start_packets() == 0;
}

#define TBAND_STARTS_AT_FIRST_EVENT() ((tband_recorder.recording != 0U) || tband_start_external())

#elif tband_configUSE_RTT

int tband_start_streaming(void) { TBAND_START(tband_start_rtt()); }

int tband_restart_streaming(void) { TBAND_START(tband_start_rtt()); }

int tband_stop_streaming(void) { TBAND_CONTROL(tband_stop_rtt()); }

#elif tband_configUSE_BACKEND_STREAMING

int tband_start_streaming(void) { TBAND_START(tband_start_packets()); }

int tband_restart_streaming(void) { TBAND_START(tband_start_packets()); }

int tband_stop_streaming(void) { TBAND_CONTROL(tband_stop_packets()); }

#elif tband_configUSE_BACKEND_SNAPSHOT

#ifdef tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK
void tband_lib_port_snapshot_full(void) { tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK(); }
#define TBAND_HAS_PORT_SNAPSHOT_FULL 1
#endif

int tband_trigger_snapshot(void) { TBAND_START(tband_start_packets()); }

int tband_stop_snapshot(void) { TBAND_CONTROL(tband_stop_packets()); }

/* For the inline functions of tband_api.h. */
const uint8_t *tband_packets_memory(unsigned int core_id) { return TBAND_PACKET(tband_lib_packet_memory)(core_id); }

size_t tband_packets_memory_amount(unsigned int core_id) {
  return TBAND_PACKET(tband_lib_packet_memory_amount)(core_id);
}

int tband_reset_snapshot(void) { TBAND_CONTROL_FINISHED(TBAND_PACKET(tband_lib_packet_clear)()); }

#else

#include "tband_post_mortem.h"

#endif

/* ---- Taking packets out ------------------------------------------------------------------------ */

#if tband_configUSE_RTT
/* The probe takes them. */
const uint8_t *tband_packet_take(size_t *len) {
  *len = 0;
  return NULL;
}

void tband_packet_done(void) {}

size_t tband_stream_read(uint8_t *buf, size_t len) {
  (void)buf;
  (void)len;
  return 0;
}
#else
#if tband_configUSE_BACKEND_POST_MORTEM
#define TBAND_READING_ENDS(ends) ((void)(tband_was_read = (ends) && !tband_is_recording()))
#else
#define TBAND_READING_ENDS(ends) ((void)0)
#endif
const uint8_t *tband_packet_take(size_t *len) {
  const uint8_t *packet = NULL;
  *len = 0;
  if (!TBAND_IS_REFUSED(false)) {
    bool is_more;
    do {
      packet = TBAND_PACKET(tband_lib_packet_next)(len);
      is_more = false;
      if ((packet == NULL) && (TBAND_PACKET(tband_lib_packet_is_due)() || TBAND_SHED_IS_DUE())) {
        tband_portENTER_CRITICAL_FROM_ANY();
        is_more = tband_write_due(); /* at least a packet, or less is due than before */
        tband_portEXIT_CRITICAL_FROM_ANY();
      }
    } while (is_more);
    TBAND_READING_ENDS(packet == NULL);
  }
  return packet;
}

void tband_packet_done(void) {
  if (!TBAND_IS_REFUSED(false)) {
    TBAND_PACKET(tband_lib_packet_give_back)();
  }
}

size_t tband_stream_read(uint8_t *buf, size_t len) {
  size_t read = 0;
  while (read < len) {
    size_t more = 0;
    size_t packet_len;
    const uint8_t *const packet = tband_packet_take(&packet_len);
    if (packet != NULL) {
      more = TBAND_PACKET(tband_lib_packet_read)(&buf[read], len - read, packet, packet_len);
    }
    if (more == 0U) {
      break;
    }
    read += more;
  }
  return read;
}

#endif

/* For languages whose type system ensures a single reader. */
static bool tband_reader_is_taken;
bool tband_packet_reader_take(void) {
  bool is_free = false;
  if (!TBAND_IS_REFUSED(false)) {
    tband_portENTER_CRITICAL_FROM_ANY();
    tband_lib_port_lock();
    is_free = !tband_reader_is_taken;
    tband_reader_is_taken = true;
    tband_lib_port_unlock();
    tband_portEXIT_CRITICAL_FROM_ANY();
  }
  return is_free;
}

void tband_packet_reader_give_back(void) { tband_reader_is_taken = false; }

void tband_flush(void) {
  if (TBAND_IS_REFUSED(false)) {
    return;
  }
  tband_portENTER_CRITICAL_FROM_ANY();
  TBAND_PACKET(tband_lib_packet_close)(&tband_cores[tband_core_index()], 0, TBAND_CLOSING_TIME());
  tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_request_metadata(void) {
  if (TBAND_IS_REFUSED(false)) {
    return;
  }
  tband_portENTER_CRITICAL_FROM_ANY();
  TBAND_PACKET(tband_lib_packet_request_metadata)();
  tband_portEXIT_CRITICAL_FROM_ANY();
}

#endif /* TBAND_PACKETS_H */
