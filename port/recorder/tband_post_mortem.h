/* The post-mortem backend: what is recorded is still there after a reset that leaves the memory as it is. Part of the
 * shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_POST_MORTEM_H)
#define TBAND_POST_MORTEM_H

/* ---- What survives ---------------------------------------------------------------------------- */

/* Packets say by themselves what they are. This says whose they are, and where their metadata is: a recording goes on
 * in one half of the metadata buffers, while what was created since the reset is kept in the other. */
struct tband_left {
  uint32_t key;
  uint32_t not_key;
  uint32_t half;
  tband_table_measure measures[TBAND_CORES]; /* of tables without length where there are no metadata buffers */
};

/* Volatile, since what matters is the order in which it is written. */
static volatile struct tband_left tband_left tband_configPACKET_BUF_ATTRIBUTE;

static uint32_t tband_mixed(uint32_t key, uint32_t value) { return (key ^ value) * 16777619U; }

/* Different for each build that has a name (tband_configBUILD_ID), each configuration and each place in memory. */
static uint32_t tband_key(void) {
  uint32_t key = 2166136261U;
#if tband_configTRACE_INFO_ENABLE
  const char *build_id = tband_configBUILD_ID;
  while ((build_id != NULL) && (*build_id != '\0')) {
    key = tband_mixed(key, (uint8_t)*build_id);
    build_id++;
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

static bool tband_is_left(void) {
  const uint32_t key = tband_left.key;
  return (key == tband_key()) && (tband_left.not_key == ~key) && (tband_left.half < 2U);
}

/* ---- Halves of the metadata buffers ------------------------------------------------------------ */

#if tband_configUSE_METADATA_BUF
/* The half of this run, from 1 on; 0: not decided. */
static uint32_t tband_own_half;

/* Where what exists now is kept: not where the metadata is that a recording before the reset needs. */
static uint32_t tband_half(void) {
  if (tband_own_half == 0U) {
    tband_own_half = (tband_is_left() && (tband_left.half == 0U)) ? 2U : 1U;
  }
  return tband_own_half - 1U;
}

static uint8_t *tband_tables(uint32_t half) { return &tband_both_metadata_bufs[half][0][0]; }
#else
/* The reader looks for tables all the same, and for how much is in there. */
static uint32_t tband_half(void) { return 0; }

static uint8_t *tband_tables(uint32_t half) {
  (void)half;
  return NULL;
}
#endif

static void tband_measure(uint32_t core) {
  if (tband_left.half == tband_half()) {
    tband_table_measure measure;
    TBAND_PACKET(tband_packet_measure)(core, &measure);
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

/* In the critical section, and the lock. A reset between these two loses the names that the core has reported: what is half
 * written or half moved may look like another name. */
static void tband_unmeasure(uint32_t core) {
  if (tband_left.half == tband_half()) {
    tband_left.measures[core].used = TBAND_TABLE_CHANGES;
  }
}

#define TBAND_METADATA_CHANGES(core) tband_unmeasure(core)
#define TBAND_METADATA_CHANGED(core) tband_measure(core)
#endif

static bool tband_has_looked;
/* All packets were taken, and whoever took them has seen that there are no more. */
static bool tband_was_read;

/* The packets in the rings are of this run from here on. */
static void tband_keep_own(void) {
  tband_left.key = 0;
  tband_left.half = tband_half();
  tband_kept_tables.tables = tband_tables(tband_half());
  tband_kept_tables.measures = NULL;
  tband_port_lock(); /* another core may be changing its buffer */
  for (uint32_t core = 0; core < TBAND_CORES; core++) {
    tband_measure(core);
  }
  tband_port_unlock();
}

/* ---- Control ----------------------------------------------------------------------------------- */

/* What was recorded before, before a reset too, gives way to what is recorded now: they are not one recording. */
static int tband_start_over(void) {
  if (tband_is_recording()) {
    return -1;
  }
  tband_was_read = false;
  tband_has_looked = true;
  if (TBAND_PACKET(tband_packet_clear)() != 0) {
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
  const int result = (tband_is_recording()) ? -1 : TBAND_PACKET(tband_packet_clear)();
  if (result == 0) {
    tband_has_looked = true;
    tband_keep_own();
  }
  return result;
}

int tband_start_post_mortem(void) { TBAND_START(tband_start_over()); }

int tband_freeze(void) { TBAND_CONTROL(tband_stop_packets()); }

int tband_clear_post_mortem(void) { TBAND_CONTROL_FINISHED(tband_clear_all()); }

static int tband_freeze_later(unsigned int packets) {
  if (!tband_is_recording()) {
    return -1;
  }
  TBAND_PACKET(tband_packet_freeze_after)((uint16_t)((packets < 0x7FFFU) ? packets : 0x7FFFU));
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
      (void)tband_half(); /* decided before anything else */
      tband_kept_tables.tables = tband_tables(tband_left.half);
      tband_kept_tables.measures = (tband_table_measure *)(uintptr_t)&tband_left.measures[0];
      (void)TBAND_PACKET(tband_packet_recover)();
    }
  }
  /* Nothing was overwritten, so another reading finds them where the one before did. */
  if (tband_was_read && tband_is_left() && (TBAND_PACKET(tband_packet_amount)() == 0U)) {
    (void)TBAND_PACKET(tband_packet_recover)();
  }
  tband_was_read = false;
  const bool is_there = TBAND_PACKET(tband_packet_amount)() != 0U;
  tband_was_read = !is_there;
  return is_there;
}

/* What is left of this reading, which it does not begin again. */
size_t tband_post_mortem_amount(void) {
  if (TBAND_IS_REFUSED(false) || (tband_has_looked && (TBAND_PACKET(tband_packet_amount)() == 0U))) {
    return 0;
  }
  return tband_post_mortem_available() ? TBAND_PACKET(tband_packet_amount)() : 0U;
}

#endif /* TBAND_POST_MORTEM_H */
