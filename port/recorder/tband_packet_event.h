/* Writes an event into the open packet of its core: id, time, fields. Part of the shim: that saves a call into the
 * library, and the event's length is known at compile time. Work that is needed once per packet is in the library,
 * which opens the next one. tband-core/src/packet/event.rs writes the same bytes for models and tests; one test
 * compares the two. */
#if defined(TBAND_SHIM) && !defined(TBAND_PACKET_EVENT_H)
#define TBAND_PACKET_EVENT_H

/* When optimising for size (-Os), events share their common code. */
#if defined(__OPTIMIZE_SIZE__)
#define TBAND_HOT static inline
#else
#define TBAND_HOT TBAND_INLINE
#endif

/* Packets are arrays of words, and texts are bytes. The compiler must not move anything between the bytes of an event
 * and the store that records it: after a reset, the memory must be consistent at each instruction. */
#if defined(__GNUC__)
#define TBAND_MAY_ALIAS __attribute__((may_alias))
#define TBAND_COMPILER_FENCE() __asm volatile("" ::: "memory")
/* Reads a byte once and keeps the value in a register: the byte may change in memory, and the value may be needed
 * again. */
#define TBAND_READ_ONCE(byte, from)          \
  const uint8_t *const tband_from = (from);  \
  uint32_t byte = *tband_from;               \
  __asm("" : "+r"(byte))
#else
#define TBAND_MAY_ALIAS
#define TBAND_COMPILER_FENCE() ((void)0)
#define TBAND_READ_ONCE(byte, from) const uint32_t byte = *(const volatile uint8_t *)(from)
#endif

/* The words of packets are little endian. TBAND_LITTLE_ENDIAN() converts a word, in either direction. */
#if defined(__BYTE_ORDER__) && (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define TBAND_LITTLE_ENDIAN(word) __builtin_bswap32(word)
#else
#define TBAND_LITTLE_ENDIAN(word) (word)
#endif

/* Stores a word at any address. The compiler's macros tell whether the CPU may store words at unaligned addresses: a
 * packed struct compiles to one store where __ARM_FEATURE_UNALIGNED is defined, and to four without it. RISC-V
 * compilers have different macros for this. An Arm core with its MMU off, or with SCTLR.A set, needs
 * -mno-unaligned-access (AArch64: -mstrict-align), which undefines the macro. */
#if defined(__GNUC__) && !defined(__riscv_misaligned_avoid) && !defined(__riscv_misaligned_slow)
typedef struct __attribute__((packed, may_alias)) tband_unaligned {
  uint32_t word;
} tband_unaligned;
#define TBAND_STORE_WORD(to, value) (((tband_unaligned *)(to))->word = TBAND_LITTLE_ENDIAN(value))
#else
#define TBAND_STORE_WORD(to, value)                  \
  do {                                               \
    volatile uint8_t *const tband_to = (to);         \
    const uint32_t tband_word = (value);             \
    tband_to[0] = (uint8_t)tband_word;               \
    tband_to[1] = (uint8_t)(tband_word >> 8);        \
    tband_to[2] = (uint8_t)(tband_word >> 16);       \
    tband_to[3] = (uint8_t)(tband_word >> 24);       \
  } while (0)
#endif

/* The last bytes of a slot: the fill level of its open packet. An event is recorded by the store of `at`, and not
 * before. tband-core/src/ring/tail.rs has the same layout. */
typedef struct TBAND_MAY_ALIAS tband_tail {
  uint8_t *at;
  uint32_t last_time; /* lower half */
} tband_tail;

/* Longest event with as many bytes of fields. */
#define TBAND_EVENT_LEN(fields) (TBAND_PACKET_HEAD_LEN + (fields))

/* In front of the tail of the packet that is open. Another core may take it away at any time. */
static inline uint8_t *tband_limit(const tband_core_state *core) {
  return *(uint8_t *const volatile *)&core->private_pointers[1];
}

static inline tband_tail *tband_tail_of(uint8_t *limit) {
  return (tband_tail *)(void *)(limit + TBAND_PACKET_TO_TAIL);
}

/* Writes id and time of an event of at most `len` bytes, at least those of one number, and returns the address of its
 * fields. Returns NULL if the event needs another packet, if its time needs the slow path, or if recording is off. */
TBAND_HOT uint8_t *tband_write_head(uint32_t id, uint32_t now, uint8_t *limit, uint32_t len) {
  tband_tail *const tail = tband_tail_of(limit);
  uint8_t *at = tail->at;
  if (!TBAND_USUALLY((uintptr_t)at + (len - TBAND_EVENT_LEN(5U)) < (uintptr_t)limit)) {
    return NULL;
  }
  const uint32_t elapsed = now - tail->last_time;
  /* The time's low bits and, lowest, how long it is: by one store where they fit. Behind them is room for the rest. */
  if (elapsed < (1U << 6)) {
    TBAND_STORE_WORD(at, id | (now << 10));
    at += 2;
  } else if (elapsed < (1U << 14)) {
    TBAND_STORE_WORD(at, (now << 10) + id + 0x100U);
    at += 3;
  } else if (elapsed < TBAND_PACKET_LONG) {
    *at = (uint8_t)id;
    TBAND_STORE_WORD(at + 1, (now << 2) + 2U);
    at += 5;
  } else {
    return NULL;
  }
  tail->last_time = now;
  return at;
}

/* The event ends at `at`: it is recorded. */
static inline void tband_end_event(uint8_t *limit, uint8_t *at) {
  TBAND_COMPILER_FENCE();
  *(uint8_t *volatile *)&tband_tail_of(limit)->at = at;
}

/* Unsigned LEB128. */
TBAND_HOT uint8_t *tband_write_number(uint8_t *at, uint32_t value) {
  while (value >= 0x80U) {
    *at++ = (uint8_t)(value | 0x80U);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}

/* Signed LEB128: stops when all remaining bits equal the sign bit of the byte. Works on 32-bit halves, which fit
 * registers. */
static inline uint8_t *tband_write_signed(uint8_t *at, int64_t value) {
  uint32_t low = (uint32_t)value;
  uint32_t high = (uint32_t)((uint64_t)value >> 32);
  while (((low + 0x40U) >= 0x80U) || (high != (0U - (low >> 31)))) {
    *at++ = (uint8_t)(low | 0x80U);
    low = (low >> 7) | (high << 25);
    high = (high >> 7) | ((0U - (high >> 31)) << 25);
  }
  *at++ = (uint8_t)(low & 0x7FU);
  return at;
}

/* Writes a text, which may be NULL, and its NUL. Each byte is read once, because it may change in between. */
TBAND_HOT uint8_t *tband_write_text(uint8_t *at, const char *text) {
  if (text != NULL) {
    const uint8_t *from = (const uint8_t *)text;
    const uint8_t *const end = &from[tband_configMAX_STR_LEN];
    while (from != end) {
      TBAND_READ_ONCE(byte, from);
      if (byte == 0U) {
        break;
      }
      from++;
      *at++ = (uint8_t)byte;
    }
  }
  *at++ = 0;
  return at;
}

extern const tband_packet_setup tband_shim_packets; /* in port/recorder/tband_packets.h */

/* Opens another packet for an event, or handles a long time. The event's full time is read here, where the port's macro
 * is known, so that the library's function calls nothing. */
static TBAND_NEVER_INLINE const uint8_t *tband_open_next(tband_core_state *core, uint32_t now) {
#if tband_configUSE_FILTERS
  /* A packet begins with the list of events that are left out. */
  const uint64_t whole = tband_whole_time(core, now);
  const uint8_t *const is_open = TBAND_PACKET(tband_lib_packet_open_next)(core, &tband_shim_packets, whole);
  if (is_open != NULL) {
#if tband_configUSE_SHEDDING
    tband_sheds_in_packet(core, now);
#endif
    tband_filter_record_in_packet(core, now);
#if tband_configUSE_SHEDDING
    tband_shedding_record_in_packet(core, now);
#endif
  } else if (!tband_is_recording()) {
    TBAND_FILTER_RESTS();
  }
  return is_open;
#else
  return TBAND_PACKET(tband_lib_packet_open_next)(core, &tband_shim_packets, tband_whole_time(core, now));
#endif
}
#if tband_configUSE_SHEDDING
/* The packet states that no such event is recorded after its begin: so this event is the first one left out. */
#define TBAND_IS_SHED_SINCE(id, number)                       \
  ((tband_filter_place(tband_filter.of_event, (id)) == TBAND_FILTER_NOTHING) &&      \
   tband_lib_shedding_leaves_out(&tband_shim_shedding, TBAND_SHED_INDEX(core), (id), (number), now))
#else
#define TBAND_IS_SHED_SINCE(id, number) false
#endif
#define TBAND_OPEN_NEXT(id, number) ((tband_open_next(core, now) != NULL) && !TBAND_IS_SHED_SINCE(id, number))
/* Defines tband_write_NAME, which calls tband_try_NAME until the event is written or recording is off. It has the
 * parameters `now` and `core` among others; `arguments` are the names of all, `number` is its first number.
 *
 * An Arm saves many registers with one instruction, so an out-of-line call would cost stack and save almost nothing. */
#if defined(__OPTIMIZE_SIZE__) || defined(__ARM_ARCH)
#define TBAND_RETRIED_WRITER(name, parameters, arguments, id, number)       \
  static inline void tband_write_##name parameters {                        \
    while (!tband_try_##name arguments && TBAND_OPEN_NEXT(id, number)) {    \
    }                                                                       \
  }
#else
/* Out of line, so that the fast path saves no register for it. */
#define TBAND_RETRIED_WRITER(name, parameters, arguments, id, number)       \
  static TBAND_NEVER_INLINE void tband_retry_##name parameters {            \
    while (TBAND_OPEN_NEXT(id, number) && !tband_try_##name arguments) {    \
    }                                                                       \
  }                                                                         \
  TBAND_INLINE void tband_write_##name parameters {                         \
    if (!TBAND_USUALLY(tband_try_##name arguments)) {                       \
      tband_retry_##name arguments;                                         \
    }                                                                       \
  }
#endif

/* Each tband_try_NAME writes an event into the open packet. It returns false if the event needs another packet, or if
 * recording is off. */
TBAND_HOT bool tband_try_u32(uint32_t id, uint32_t now, uint32_t first, tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(id, now, limit, TBAND_EVENT_LEN(5U));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, first);
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(u32, (uint32_t id, uint32_t now, uint32_t first, tband_core_state *core), (id, now, first, core),
                     id, first)

TBAND_HOT bool tband_try_u32_u32(uint32_t id, uint32_t now, uint32_t first, uint32_t second, tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(id, now, limit, TBAND_EVENT_LEN(10U));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, first);
  at = tband_write_number(at, second);
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(u32_u32, (uint32_t id, uint32_t now, uint32_t first, uint32_t second, tband_core_state *core),
                     (id, now, first, second, core), id, first)

TBAND_HOT bool tband_try_u32_s64(uint32_t id, uint32_t now, uint32_t first, int64_t value, tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(id, now, limit, TBAND_EVENT_LEN(15U));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, first);
  at = tband_write_signed(at, value);
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(u32_s64, (uint32_t id, uint32_t now, uint32_t first, int64_t value, tband_core_state *core),
                     (id, now, first, value, core), id, first)

/* The same for answers to commands. A separate copy, so that the compiler can inline the writer above into its only
 * caller. */
TBAND_HOT bool tband_try_answer(uint32_t now, uint32_t first, int64_t value, tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(TBAND_EVT_U32_S64_ANSWER, now, limit, TBAND_EVENT_LEN(15U));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, first);
  at = tband_write_signed(at, value);
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(answer, (uint32_t now, uint32_t first, int64_t value, tband_core_state *core),
                     (now, first, value, core), TBAND_EVT_U32_S64_ANSWER, first)

TBAND_HOT bool tband_try_u32_str(uint32_t id, uint32_t now, uint32_t first, const char *text, tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(id, now, limit, TBAND_EVENT_LEN(6U + (tband_configMAX_STR_LEN)));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, first);
  at = tband_write_text(at, text);
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(u32_str, (uint32_t id, uint32_t now, uint32_t first, const char *text, tband_core_state *core),
                     (id, now, first, text, core), id, first)

/* Writes up to five numbers, then perhaps a text. `head` has the layout of metadata: the id, the count of the numbers,
 * and flags. The flags of written metadata do not overlap TBAND_LAST_IS_*. */
static inline uint8_t *tband_write_numbers(uint8_t *at, uint32_t head, const uint32_t *numbers) {
  const uint32_t *const end = &numbers[(head >> 8) & 7U];
  while (numbers != end) {
    const uint32_t value = *numbers++;
    if ((numbers == end) && ((head & (TBAND_LAST_IS_TICKS | TBAND_LAST_IS_OPTIONAL)) != 0U)) {
      at = tband_write_signed(at, ((head & TBAND_LAST_IS_TICKS) != 0U) ? (int64_t)(int32_t)value : (int64_t)value);
    } else {
      at = tband_write_number(at, value);
    }
  }
  if ((head & TBAND_LAST_IS_MISSING) != 0U) {
    *at++ = 0x7F;
  }
  return at;
}

/* The first number of such an event; 0 if it has none. */
#define TBAND_FIRST_OF(head, numbers) (((((head) >> 8) & 7U) != 0U) ? (numbers)[0] : 0U)
TBAND_HOT bool tband_try_any(uint32_t head, uint32_t now, const uint32_t *numbers, const char *text,
                             tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  const bool has_text = (head & TBAND_META_TEXT) != 0U;
  const uint32_t len = has_text ? TBAND_MAX_EVENT_LEN : TBAND_EVENT_LEN(26U);
  uint8_t *at = tband_write_head(head & 0xFFU, now, limit, len);
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_numbers(at, head, numbers);
  if (has_text) {
    at = tband_write_text(at, text);
  }
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(any,
                     (uint32_t head, uint32_t now, const uint32_t *numbers, const char *text, tband_core_state *core),
                     (head, now, numbers, text, core), head & 0xFFU, TBAND_FIRST_OF(head, numbers))

/* Corrects the count of lost events for an event that did not fit and is not the program's: metadata, which is
 * repeated. If metadata is not repeated, a missing name is final, so it counts; only the descriptions of events are the
 * recorder's own. The head of metadata holds the maximum length of its text. */
#if !TBAND_COUNTS_LOST
#define TBAND_FORGIVE_LOSS(head, core, is_lost) ((void)0)
#else
#if tband_configUSE_METADATA_BUF && (tband_configPACKET_METADATA_EVERY != 0)
#define TBAND_IS_OWN(head) (((head) >> 16) != 0U)
#else
#define TBAND_IS_OWN(head) (((head)&0xFFU) == TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA)
#endif
#define TBAND_FORGIVE_LOSS(head, core, is_lost)    \
  do {                                         \
    if (TBAND_IS_OWN(head) && (is_lost)) {     \
      TBAND_LOST(core) -= 1U;                  \
    }                                          \
  } while (0)
#endif
/* Recording is on, otherwise the event would not be written: only a port that is passed packets can stop it there. */
#if tband_configUSE_BACKEND_EXTERNAL || defined(tband_portBACKEND_STREAM_DATA)
#define TBAND_IS_STILL_RECORDING() tband_is_recording()
#else
#define TBAND_IS_STILL_RECORDING() true
#endif

/* With one core the two functions tail-call each other, so that the fast path saves no register for the slow path. The
 * recursion ends, because the event fits after a packet was opened. */
static void tband_write_fields(uint32_t head, uint32_t now, const uint32_t *numbers, const char *text,
                               tband_core_state *core);
static TBAND_NEVER_INLINE void tband_retry_fields(uint32_t head, uint32_t now, const uint32_t *numbers,
                                                  const char *text, tband_core_state *core) {
  if (TBAND_OPEN_NEXT(head & 0xFFU, TBAND_FIRST_OF(head, numbers))) {
    tband_write_fields(head, now, numbers, text, core);
  } else {
    TBAND_FORGIVE_LOSS(head, core, TBAND_IS_STILL_RECORDING());
  }
}
static TBAND_NEVER_INLINE void tband_write_fields(uint32_t head, uint32_t now, const uint32_t *numbers,
                                                  const char *text, tband_core_state *core) {
  if (TBAND_CORES > 1U) {
    const uint32_t lost = TBAND_LOST(core);
    (void)lost;
    tband_write_any(head, now, numbers, text, core);
    TBAND_FORGIVE_LOSS(head, core, TBAND_LOST(core) != lost);
  } else if (!TBAND_USUALLY(tband_try_any(head, now, numbers, text, core))) {
    tband_retry_fields(head, now, numbers, text, core);
  }
}

#if tband_configUSE_FILTERS
/* Counts the changes by other cores, to detect one during the read. */
#define TBAND_FILTER_CHANGES() ((TBAND_CORES > 1U) ? tband_lib_filter_state_changes(&tband_filter) : 0U)

/* Writes two numbers of an event that is not at the cost of the one that has opened the packet: there is room for that
 * after it. */
static bool tband_write_before(uint32_t id, uint32_t now, const uint32_t *numbers, tband_core_state *core) {
  uint8_t *const end = tband_limit(core);
  uint8_t *at = tband_write_head(id, now, end, TBAND_EVENT_LEN(10U) + TBAND_MAX_EVENT_LEN);
  if (at == NULL) {
    return false;
  }
  at = tband_write_number(at, numbers[0]);
  at = tband_write_number(at, numbers[1]);
  tband_end_event(end, at);
  return true;
}

/* Writes the list of events that are left out, as far as the packet has room for it. The host ignores an incomplete
 * list. If another core changes the filter in between, the list stays incomplete, and that core records the filter
 * afterwards. */
static void tband_filter_record_in_packet(tband_core_state *core, uint32_t now) {
  const uint32_t changes = TBAND_FILTER_CHANGES();
  uint32_t fact[2];
  for (uint32_t which = 0; ((changes & 1U) == 0U) && TBAND_FILTER_FACT(core, which, fact) &&
                           (TBAND_FILTER_CHANGES() == changes);
       which++) {
    if (!tband_write_before(TBAND_EVT_U32_U32_FILTER, now, fact, core)) {
      break;
    }
  }
}
#endif

#endif /* TBAND_PACKET_EVENT_H */
