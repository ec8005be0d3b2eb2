/* The post-mortem backend: the recording survives a reset that preserves RAM. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_POST_MORTEM_H)
#define TBAND_POST_MORTEM_H

#include "tband_identity.h"

/* ---- What survives ---------------------------------------------------------------------------- */

/* Packets describe themselves. This struct identifies the program that they belong to, and locates their metadata: a
 * recording continues in one half of the metadata buffers, while entries created since the reset are kept in the
 * other. */
struct tband_left {
  uint32_t key;
  uint32_t not_key;
  uint32_t half; /* all bits equal those of its number, so that a changed bit does not matter */
  uint32_t check; /* checksum of the rest and of the metadata, since the recording was frozen; 0: none */
  tband_table_measure measures[TBAND_CORES]; /* without metadata buffers the tables have no length */
};

/* Volatile, since what matters is the order in which it is written. */
static volatile struct tband_left tband_left tband_configPACKET_BUF_ATTRIBUTE;

static uint32_t tband_mixed(uint32_t key, uint32_t value) { return (key ^ value) * 16777619U; }

/* A hash of the program: of the bytes between the recorder's code and its constants, if they are in one memory region,
 * up to 16 KiB. So a build without a name is not mistaken for a different build. */
enum { TBAND_CODE_WORDS = 4096 };
static uint32_t tband_code_key(void) {
  static uint32_t known; /* 0: not computed */
  if (known == 0U) {
    const uintptr_t code = (uintptr_t)&tband_code_key & ~(uintptr_t)3U;
    const uintptr_t constants = (uintptr_t)&tband_shim_packets;
    const uintptr_t from = (code < constants) ? code : constants;
    const uintptr_t len = ((code < constants) ? constants : code) - from;
    uint32_t key = tband_mixed(2166136261U, (uint32_t)code);
    if ((sizeof(uintptr_t) == 4U) && (len < 0x100000U)) {
      const uint32_t *at = (const uint32_t *)from;
      const uint32_t words = (uint32_t)(len / 4U);
      for (uint32_t left = (words < TBAND_CODE_WORDS) ? words : TBAND_CODE_WORDS; left != 0U; left--) {
        key = tband_mixed(key, *at);
        at++;
      }
    }
    known = (key != 0U) ? key : 1U;
  }
  return known;
}

/* Differs for each build, each configuration and each address. */
static uint32_t tband_key(void) {
  uint32_t key = tband_code_key();
#if tband_configTRACE_INFO_ENABLE
  const char *build_id = tband_configBUILD_ID;
  while ((build_id != NULL) && (*build_id != '\0')) {
    key = tband_mixed(key, (uint8_t)*build_id);
    build_id++;
  }
  for (uint32_t index = 0; index < 3U; index++) {
    key = tband_mixed(key, TBAND_PROGRAM_WORD(index));
  }
#endif
  key = tband_mixed(key, (uint32_t)(uintptr_t)&tband_packets[0][0][0]);
  key = tband_mixed(key, (uint32_t)sizeof(tband_packets));
  key = tband_mixed(key, tband_configPACKET_SIZE);
#if tband_configUSE_METADATA_BUF
  key = tband_mixed(key, tband_configMETADATA_BUF_SIZE);
#endif
  return tband_mixed(key, TBAND_CORES);
}

static uint32_t tband_bits(uint32_t word) {
  uint32_t bits = 0;
  for (; word != 0U; word &= word - 1U) {
    bits++;
  }
  return bits;
}

#define TBAND_HALF_WORD(half) (0U - (half))

static uint32_t tband_left_half(void) { return (tband_bits(tband_left.half) > 16U) ? 1U : 0U; }

/* Memory that has largely kept its content without power may contain changed bits. */
static bool tband_is_left(void) {
  const uint32_t key = tband_key();
  return (tband_bits(tband_left.key ^ key) + tband_bits(tband_left.not_key ^ ~key)) <= 1U;
}

/* ---- Halves of the metadata buffers ------------------------------------------------------------ */

#if tband_configUSE_METADATA_BUF
/* The half of this run, from 1 on; 0: not decided. */
static uint32_t tband_own_half;

/* The half for the current objects: not the half that the recording from before the reset needs. */
static uint32_t tband_half(void) {
  if (tband_own_half == 0U) {
    tband_own_half = (tband_is_left() && (tband_left_half() == 0U)) ? 2U : 1U;
  }
  return tband_own_half - 1U;
}

static uint8_t *tband_tables(uint32_t half) { return &tband_both_metadata_bufs[half][0][0]; }
#else
/* The reader accesses tables and their sizes nevertheless. */
static uint32_t tband_half(void) { return 0; }

static uint8_t *tband_tables(uint32_t half) {
  (void)half;
  return NULL;
}
#endif

static void tband_measure(uint32_t core) {
  if (tband_left.half == TBAND_HALF_WORD(tband_half())) {
    tband_table_measure measure;
    TBAND_PACKET(tband_lib_packet_measure)(core, &measure);
    tband_left.measures[core].dropped = measure.dropped;
    tband_left.measures[core].needed = measure.needed;
    tband_left.measures[core].used = measure.used;
  }
}

#if tband_configUSE_METADATA_BUF
/* No buffer is that large: one that was being changed. */
#define TBAND_TABLE_CHANGES 0xFFFFU
TBAND_STATIC_ASSERT((tband_configMETADATA_BUF_SIZE) < TBAND_TABLE_CHANGES,
                    "tband: with the post-mortem backend tband_configMETADATA_BUF_SIZE must be at most 65534");

/* In the critical section, and with the lock held. A reset between the two calls loses the names that the core has
 * reported: a partly written or partly moved name might look like a different name. */
static void tband_unmeasure(uint32_t core) {
  if (tband_left.half == TBAND_HALF_WORD(tband_half())) {
    tband_left.check = 0;
    tband_left.measures[core].used = TBAND_TABLE_CHANGES;
  }
}

#define TBAND_METADATA_CHANGES(core) tband_unmeasure(core)
#define TBAND_METADATA_CHANGED(core) tband_measure(core)
#endif

static bool tband_has_looked;
/* All packets were taken, and the reader has seen that there are no more. */
static bool tband_was_read;

/* The packets in the rings are of this run from here on. */
static void tband_keep_own(void) {
  tband_left.key = 0;
  tband_left.check = 0;
  tband_left.half = TBAND_HALF_WORD(tband_half());
  tband_kept_tables.tables = tband_tables(tband_half());
  tband_kept_tables.measures = NULL;
  tband_lib_port_lock(); /* another core may be changing its buffer */
  for (uint32_t core = 0; core < TBAND_CORES; core++) {
    tband_measure(core);
  }
  tband_lib_port_unlock();
}

/* ---- Checksums --------------------------------------------------------------------------------- */

static uint32_t tband_check_step(uint32_t hash, uint32_t word) {
  const uint32_t product = (hash ^ word) * 0x9E3779B1U;
  return product ^ (product >> 15);
}

/* Checksum over the sizes and the contents of the tables of this half. */
static uint32_t tband_check_of_left(uint32_t half) {
  uint32_t hash = half;
  for (uint32_t core = 0; core < TBAND_CORES; core++) {
    const uint32_t used = tband_left.measures[core].used;
    hash = tband_check_step(hash, used | ((uint32_t)tband_left.measures[core].dropped << 16));
    hash = tband_check_step(hash, tband_left.measures[core].needed);
#if tband_configUSE_METADATA_BUF
    const uint8_t *const table = &tband_both_metadata_bufs[half][core][0];
    for (uint32_t at = 0; (at < used) && (at < (tband_configMETADATA_BUF_SIZE)); at++) {
      hash = tband_check_step(hash, table[at]);
    }
#endif
  }
  return (hash == 0U) ? 1U : hash;
}

/* Writes the checksum of a closed packet, which is 0 until then. About 5 instructions per word. */
static void tband_protect_packet(uint32_t *slot) {
  const uint32_t len = (TBAND_LITTLE_ENDIAN(slot[2]) & 0xFFFFU) >> 3;
  if ((slot[3] == 0U) && (len >= 36U) && (len <= (tband_configPACKET_SIZE))) {
    uint32_t end = len;
    for (; (end & 3U) != 0U; end++) {
      ((volatile uint8_t *)slot)[end] = 0;
    }
    uint32_t hash = 0;
    for (uint32_t at = 0; at < (end / 4U); at++) {
      hash = tband_check_step(hash, TBAND_LITTLE_ENDIAN(slot[at]));
    }
    slot[3] = TBAND_LITTLE_ENDIAN((hash == 0U) ? 0xFFFFFFFFU : hash);
  }
}

/* The next packet without a checksum of a recording that has ended in this run, from the last one down to 0, which
 * means the metadata. */
static uint32_t tband_unprotected;
#define TBAND_ALL_UNPROTECTED (TBAND_CORES * (uint32_t)(tband_configPACKET_COUNT))

/* Called by ticks once the recording has ended. NULL if there is nothing to do. If nothing in the program ends a
 * recording later, the linker discards the protecting functions. */
static bool (*volatile tband_protects)(void);

/* After the end of a recording: protects the next packet, or after the last one the metadata, so that later changes of
 * the memory are detected. About 8 instructions per byte of metadata. Returns whether there is more to do. */
static TBAND_NEVER_INLINE bool tband_protect_next(void) {
  const uint32_t left = tband_unprotected;
  if (tband_is_recording() || !tband_lib_recorder_finished() || !tband_is_left()) {
    return false;
  }
  if (left > 1U) {
    tband_protect_packet((uint32_t *)&tband_packets[(left - 2U) / (tband_configPACKET_COUNT)]
                                                   [(left - 2U) % (tband_configPACKET_COUNT)][0]);
  } else if ((left == 1U) && (tband_left_half() == tband_half())) {
    tband_left.check = tband_check_of_left(tband_half());
  }
  tband_unprotected = (left != 0U) ? (left - 1U) : 0U;
  if (left <= 1U) {
    tband_protects = NULL;
  }
  return left > 1U;
}

/* Protects a recording that was ended by a trigger or by tband_freeze_after(), one packet per tick. The recording ends
 * in the middle of an event, where the time for this is not available. */
static inline void tband_protect_in_tick(void) {
  bool (*const protects)(void) = tband_protects;
  if ((protects != NULL) && !tband_is_recording()) {
    (void)protects();
  }
}

/* The current recording is going to end without a call of a stop function. */
static void tband_protect_later(void) {
  tband_unprotected = TBAND_ALL_UNPROTECTED + 1U;
  tband_protects = tband_protect_next;
}

/* All at once, and the metadata again, which may have changed since. A tick in between does the same. */
static void tband_protect(void) {
  tband_unprotected = TBAND_ALL_UNPROTECTED + 1U;
  while (tband_protect_next()) {
  }
}

/* ---- Control ----------------------------------------------------------------------------------- */

/* Discards the previous recording, including one from before a reset, so that the new one does not contain its
 * packets. */
static int tband_start_over(void) {
  if (tband_is_recording()) {
    return -1;
  }
  tband_was_read = false;
  tband_has_looked = true;
  if (TBAND_PACKET(tband_lib_packet_clear)() != 0) {
    return -1;
  }
  const bool was_left = tband_is_left();
  tband_keep_own();
  const int result = tband_start_packets();
  if ((result == 0) || was_left) {
    const uint32_t key = tband_key();
    tband_left.not_key = ~key;
    tband_left.key = key;
  }
  return result;
}

static int tband_clear_all(void) {
  const int result = (tband_is_recording()) ? -1 : TBAND_PACKET(tband_lib_packet_clear)();
  if (result == 0) {
    tband_has_looked = true;
    tband_keep_own();
  }
  return result;
}

int tband_start_post_mortem(void) { TBAND_START(tband_start_over()); }

static int tband_stop_post_mortem(void) { TBAND_CONTROL(tband_stop_packets()); }

int tband_freeze(void) {
  if (TBAND_IS_REFUSED(false)) {
    return -1;
  }
  const int result = tband_stop_post_mortem();
  tband_protect();
  return result;
}

int tband_clear_post_mortem(void) { TBAND_CONTROL_FINISHED(tband_clear_all()); }

static int tband_freeze_later(unsigned int packets) {
  if (!tband_is_recording()) {
    return -1;
  }
  tband_protect_later();
  TBAND_PACKET(tband_lib_packet_freeze_after)((uint16_t)((packets < 0x7FFFU) ? packets : 0x7FFFU));
  return 0;
}

int tband_freeze_after(unsigned int packets) { TBAND_CONTROL(tband_freeze_later(packets)); }

bool tband_post_mortem_available(void) {
  if (TBAND_IS_REFUSED(false) || tband_is_recording()) {
    return false;
  }
  if (!tband_has_looked) {
    tband_has_looked = true;
    if (tband_is_left()) {
      (void)tband_half(); /* selected before anything else */
      const uint32_t half = tband_left_half();
      tband_left.half = TBAND_HALF_WORD(half);
      if ((tband_left.check != 0U) && (tband_left.check != tband_check_of_left(half))) {
        for (uint32_t core = 0; core < TBAND_CORES; core++) {
          tband_left.measures[core].used = 0xFFFFU; /* marked as incomplete: omitted, and reported */
        }
        tband_left.check = 0;
      }
      tband_kept_tables.tables = tband_tables(half);
      tband_kept_tables.measures = (tband_table_measure *)(uintptr_t)&tband_left.measures[0];
      (void)TBAND_PACKET(tband_lib_packet_recover)();
    }
  }
  /* Nothing was overwritten, so another reading finds the same packets. */
  if (tband_was_read && tband_is_left() && (TBAND_PACKET(tband_lib_packet_amount)() == 0U)) {
    (void)TBAND_PACKET(tband_lib_packet_recover)();
  }
  tband_was_read = false;
  const bool is_there = TBAND_PACKET(tband_lib_packet_amount)() != 0U;
  tband_was_read = !is_there;
  return is_there;
}

/* Returns how much is left of the current reading. Does not begin a new reading. */
size_t tband_post_mortem_amount(void) {
  if (TBAND_IS_REFUSED(false) || (tband_has_looked && (TBAND_PACKET(tband_lib_packet_amount)() == 0U))) {
    return 0;
  }
  return tband_post_mortem_available() ? TBAND_PACKET(tband_lib_packet_amount)() : 0U;
}

#endif /* TBAND_POST_MORTEM_H */
