/* Interrupts of the class ISR that are open: entered, and not left yet. Part of the shim.
 *
 * All functions here run in the shim's critical section, on the core that owns the table. So no interrupt
 * that may record comes between two instructions, and the order in the table is that of the recording.
 *
 * An interrupt ends before the interrupted one continues, and does not interrupt itself. So if an interrupt
 * is entered while it is open, or is still open inside one that ends, its exit was not recorded: the
 * handler omitted it. Its slot is released, and the missing exit is counted and recorded. */
#ifndef TBAND_OPEN_ISRS_H
#define TBAND_OPEN_ISRS_H

#ifdef TBAND_SHIM /* only in the shim */

/* The number of priorities of most chips. Deeper nesting overwrites the slot of the outermost. */
#define TBAND_OPEN_ISRS 16U

struct tband_open_isrs {
  uint32_t keys[TBAND_OPEN_ISRS + 1U]; /* outermost first, each once, then 0 */
  uint32_t missed_exits;               /* since reset */
};

static struct tband_open_isrs tband_open_isrs[TBAND_CORES];

static inline void tband_write_isr_event(uint32_t id, uint32_t isr_number,
                                         tband_core_state *tband_core, tband_time tband_now) {
  TBAND_UNLESS_LEFT_OUT(id, isr_number, TBAND_WRITE_WATCHED_U32(id, isr_number));
}

/* A packet that an event opens begins with the interrupts that were open before it. With frames the order
 * is free, and this one needs fewer registers. */
#if TBAND_USES_PACKETS
#define TBAND_WITH_CHANGE(change, id, isr_number, core, now) \
  do {                                                       \
    tband_write_isr_event((id), (isr_number), (core), (now)); \
    change;                                                  \
  } while (0)
#else
#define TBAND_WITH_CHANGE(change, id, isr_number, core, now) \
  do {                                                       \
    change;                                                  \
    tband_write_isr_event((id), (isr_number), (core), (now)); \
  } while (0)
#endif

static void tband_isr_exit_missed(struct tband_open_isrs *open, uint32_t key, tband_core_state *core,
                                  tband_time now) {
  open->missed_exits++;
  if (tband_is_recording()) {
    tband_write_isr_event(TBAND_EVT_U32_ISR_EXIT_MISSED, TBAND_ISR_OF_KEY(key), core, now);
  }
}

/* An interrupt is entered while others are open. Out of line, like tband_isr_exits_inside, and with its own
 * return, so that the fast path needs fewer registers. */
static TBAND_NEVER_INLINE void tband_isr_enters_inside(struct tband_open_isrs *open, uint32_t isr_number,
                                                       tband_core_state *core, tband_time now) {
  const uint32_t key = TBAND_ISR_KEY(isr_number);
  uint32_t at = 0;
  while ((open->keys[at] != 0U) && (open->keys[at] != key)) {
    at++;
  }
  if ((open->keys[at] == key) || (at == TBAND_OPEN_ISRS)) {
    at = (at == TBAND_OPEN_ISRS) ? 0U : at;
    tband_isr_exit_missed(open, open->keys[at], core, now);
    for (; open->keys[at + 1U] != 0U; at++) {
      open->keys[at] = open->keys[at + 1U];
    }
    open->keys[at] = 0;
  }
  TBAND_WITH_CHANGE(open->keys[at] = key, TBAND_EVT_U32_ISR_ENTER, isr_number, core, now);
}

static inline void tband_isr_enters(uint32_t isr_number, tband_core_state *core, tband_time now) {
  struct tband_open_isrs *const open = &tband_open_isrs[tband_core_index()];
  if (TBAND_USUALLY(open->keys[0] == 0U)) {
    TBAND_WITH_CHANGE(open->keys[0] = TBAND_ISR_KEY(isr_number), TBAND_EVT_U32_ISR_ENTER, isr_number, core,
                      now);
  } else {
    tband_isr_enters_inside(open, isr_number, core, now);
  }
}

/* An interrupt ends, and is not the only open one. If it is not open at all, its handler reports only its
 * exit, or it was entered while recording was off. Its exit is recorded if it leads to a switch. */
static TBAND_NEVER_INLINE void tband_isr_exits_inside(struct tband_open_isrs *open, uint32_t isr_number,
                                                      uint32_t id, tband_core_state *core,
                                                      tband_time now) {
  const uint32_t key = TBAND_ISR_KEY(isr_number);
  uint32_t at = 0;
  while (open->keys[at] != key) {
    if (open->keys[at] == 0U) {
      if ((id == TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER) && tband_is_recording()) {
        tband_write_isr_event(id, isr_number, core, now);
      }
      return;
    }
    at++;
  }
  uint32_t inner = at;
  while (open->keys[inner + 1U] != 0U) {
    inner++;
  }
  for (; inner > at; inner--) {
    tband_isr_exit_missed(open, open->keys[inner], core, now);
    open->keys[inner] = 0;
  }
  if (tband_is_recording()) {
    TBAND_WITH_CHANGE(open->keys[at] = 0, id, isr_number, core, now);
  } else {
    open->keys[at] = 0;
  }
}

static inline void tband_isr_exits(uint32_t isr_number, uint32_t id, tband_core_state *core,
                                   tband_time now) {
  struct tband_open_isrs *const open = &tband_open_isrs[tband_core_index()];
  if (TBAND_USUALLY((open->keys[0] == TBAND_ISR_KEY(isr_number)) && (open->keys[1] == 0U) &&
                    tband_is_recording())) {
    TBAND_WITH_CHANGE(open->keys[0] = 0, id, isr_number, core, now);
  } else {
    tband_isr_exits_inside(open, isr_number, id, core, now);
  }
}

/* Like tband_isr_exits, after another core has stopped the recording: nothing may be recorded. */
static inline void tband_isr_leaves(uint32_t isr_number) {
  struct tband_open_isrs *const open = &tband_open_isrs[tband_core_index()];
  uint32_t at = 0;
  while ((open->keys[at] != 0U) && (open->keys[at] != TBAND_ISR_KEY(isr_number))) {
    at++;
  }
  for (uint32_t left = at; open->keys[left] != 0U; left++) {
    open->missed_exits += (left > at) ? 1U : 0U;
    open->keys[left] = 0;
  }
}

#endif /* TBAND_SHIM */

#endif /* TBAND_OPEN_ISRS_H */
