/* RTT: a debug probe reads the ring of packets, as an up-buffer of SEGGER's control block. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_RTT_H)
#define TBAND_RTT_H

TBAND_STATIC_ASSERT(TBAND_CORES == 1U,
                    "tband: RTT takes packets of one core. Those of several are taken with tband_packet_take() or "
                    "tband_stream_read(): #define tband_configUSE_RTT 0");

/* The begin of a control block. */
typedef struct tband_rtt_head {
  char id[16];
  int32_t up_count;
  int32_t down_count;
} tband_rtt_head;

#if tband_configRTT_SHARE

/* The control block of SEGGER's or other code. Its number of buffers is valid once it is set up. */
#ifndef SEGGER_RTT_H
extern tband_rtt_head tband_configRTT_SYMBOL;
#endif
#define TBAND_RTT_HEAD ((const volatile tband_rtt_head *)(uintptr_t)&tband_configRTT_SYMBOL)
static inline tband_rtt_buffer *tband_rtt_up(void) {
  return (tband_rtt_buffer *)((uintptr_t)TBAND_RTT_HEAD + sizeof(tband_rtt_head)) + (tband_configRTT_CHANNEL);
}
#define TBAND_RTT_UP tband_rtt_up()
static bool tband_rtt_is_there(void) { return TBAND_RTT_HEAD->up_count > (tband_configRTT_CHANNEL); }
static void tband_rtt_show(void) {}
tband_rtt_buffer *tband_rtt_down(void) {
  const uint32_t up_count = (uint32_t)TBAND_RTT_HEAD->up_count;
  const bool is_there = tband_rtt_is_there() && (TBAND_RTT_HEAD->down_count > (tband_configRTT_CHANNEL));
  return is_there ? ((tband_rtt_buffer *)((uintptr_t)TBAND_RTT_HEAD + sizeof(tband_rtt_head)) + up_count +
                     (tband_configRTT_CHANNEL))
                  : NULL;
}

#else

static uint8_t tband_rtt_received[tband_configCOMMAND_BUF_SIZE];

/* Probes find the block in the ELF file by this name. */
struct tband_rtt_block {
  tband_rtt_head head;
  tband_rtt_buffer up[(tband_configRTT_CHANNEL) + 1];
  tband_rtt_buffer down[(tband_configRTT_CHANNEL) + 1];
};
extern struct tband_rtt_block tband_configRTT_SYMBOL;
struct tband_rtt_block tband_configRTT_SYMBOL tband_configRTT_ATTRIBUTE;
#define TBAND_RTT_UP (&tband_configRTT_SYMBOL.up[tband_configRTT_CHANNEL])
static bool tband_rtt_is_there(void) { return true; }
tband_rtt_buffer *tband_rtt_down(void) { return &tband_configRTT_SYMBOL.down[tband_configRTT_CHANNEL]; }

/* Debug probes search the memory for the id. So it is written last, from its end backwards, and exists nowhere else:
 * neither in flash nor in the image from which .data is copied. */
static void tband_rtt_show(void) {
  static const char reversed[] = "TTR REGGES";
  volatile tband_rtt_head *const head = &tband_configRTT_SYMBOL.head;
  tband_rtt_buffer *const down = &tband_configRTT_SYMBOL.down[tband_configRTT_CHANNEL];
  down->name = "tband";
  down->memory = tband_rtt_received;
  down->size = sizeof(tband_rtt_received);
  head->up_count = (tband_configRTT_CHANNEL) + 1;
  head->down_count = (tband_configRTT_CHANNEL) + 1;
  for (uint32_t at = 0; at < 10U; at++) {
    head->id[9U - at] = reversed[at];
  }
}

#endif

static bool tband_rtt_is_set_up;

/* Before a start, in the critical section. False: the firmware's control block has no such buffer. */
static bool tband_rtt_set_up(void) {
  if (!tband_rtt_is_there()) {
    return false;
  }
  tband_rtt_buffer *const up = TBAND_RTT_UP;
  if (!tband_rtt_is_set_up) {
    up->name = "tband";
    up->memory = (uint8_t *)&tband_packets[0][0][0];
    up->size = sizeof(tband_packets);
    up->write = 0;
    up->read = 0;
    up->flags = 0;
    tband_rtt_is_set_up = true;
    tband_rtt_show();
  }
  return true;
}

void tband_lib_port_packet_closed(void) { tband_lib_rtt_sync(TBAND_RTT_UP); }

#if tband_configSTART_ON_READER
/* The recording starts when a probe reads. */
static bool tband_rtt_waits;
#endif

/* The same as in tband_start_packets(). */
static void tband_rtt_begins(void) {
#if tband_configUSE_SHEDDING
  tband_lib_shedding_begin(&tband_shim_shedding);
#endif
}

static int tband_start_rtt(void) {
  if (!tband_rtt_set_up()) {
    return -2;
  }
#if tband_configSTART_ON_READER
  const int result = tband_rtt_waits ? -1 : tband_lib_rtt_announce(TBAND_RTT_UP);
  tband_rtt_waits = tband_rtt_waits || (result == 0);
#else
  const int result = tband_lib_rtt_start(TBAND_RTT_UP, false);
#endif
  if (result == 0) {
    tband_rtt_begins();
  }
  return result;
}

/* In the tick that keeps the time, in the critical section. */
static void tband_rtt_tick(void) {
  if (!tband_rtt_is_set_up) {
    return; /* never started */
  }
#if tband_configSTART_ON_READER
  if (tband_rtt_waits) {
    if (tband_lib_rtt_was_read(TBAND_RTT_UP)) {
      tband_rtt_waits = false;
      (void)tband_lib_rtt_start(TBAND_RTT_UP, true);
      tband_rtt_begins();
    }
    return;
  }
#endif
  tband_lib_rtt_turn(&tband_cores[0], TBAND_RTT_UP, (uint64_t)(tband_portTIMESTAMP()));
}

/* In the critical section. What waits for a reader has not begun. */
static int tband_stop_rtt(void) {
#if tband_configSTART_ON_READER
  if (tband_rtt_waits) {
    tband_rtt_waits = false;
    return 0;
  }
#endif
#if tband_configUSE_SHEDDING
  tband_shedding_ends();
#endif
  TBAND_NOTICE_TURN();
  const int result = TBAND_PACKET(tband_lib_packet_stop)();
  if (result == 0) {
    tband_lib_rtt_turn(&tband_cores[0], TBAND_RTT_UP, (uint64_t)(tband_portTIMESTAMP()));
  }
  return result;
}

#endif /* TBAND_RTT_H */
