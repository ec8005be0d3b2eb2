/* Makes the calls that the lines of a script name, one a line, and writes the recording.
 *
 * Argument: the script. Lines: `core N`, `now TS`, `step TICKS` with each reading, `tick`, `start`, `restart`,
 * `trigger`, `stop`, and for events `u32 ID A`, `pair ID A B`, `value ID A S64`, `text ID A HEX`, `meta ID COUNT A B
 * HEX`, where HEX is `-` for a text that is empty; `numbers ID COUNT A B C D E`; and `constant N HEX`, `filter CHOICE
 * OF ON`, `name KIND HEX ON`; `arm CONDITION OF VALUE NTH AFTER`, `meanwhile stop`, `meanwhile again`,
 * by an interrupt; `refused filter ...`, `refused arm ...`; `rearm N`, `disarm N`, `fired COUNT`, `protected COUNT`,
 * `unprotected COUNT`, `enter ISR`, `exit ISR`; `refuse N`, as many pieces; `take N`, as many packets. With metadata
 * buffers and snapshots each piece has its length in front, as text. */
#include <limits.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

#if tband_configUSE_BACKEND_POST_MORTEM
extern const tband_packet_setup tband_debugger_packets;
#endif

static char text[256];

/* Reads a text's bytes. */
static const char *text_of(const char *hex) {
  size_t len = 0;
  for (; hex[0] != '-' && hex[0] != '\0' && hex[0] != '\n'; hex += 2) {
    unsigned int byte = 0;
    CHECK_EQ(sscanf(hex, "%2x", &byte), 1);
    CHECK(len < sizeof(text) - 1);
    text[len++] = (char)byte;
  }
  text[len] = '\0';
  return text;
}

#if tband_configUSE_RTT
#include "probe.h"

/* The probe reads packets, at most so many. */
static void take(unsigned int most) {
  for (; (most > 0) && (probe_read(tband_configPACKET_SIZE) != 0); most--) {
  }
}
#elif TBAND_USES_PACKETS
/* Takes and writes packets, at most so many. */
static void take(unsigned int most) {
  const uint8_t *packet;
  size_t len;
  for (; (most > 0) && ((packet = tband_packet_take(&len)) != NULL); most--) {
    fake_print(packet, len);
    tband_packet_done();
  }
}
#endif

#if tband_configUSE_BACKEND_POST_MORTEM
/* Packets in memory that have a check, or have none. */
static unsigned int packets_in_memory(bool with_check) {
  unsigned int count = 0;
  const uint32_t slots = tband_debugger_packets.packet_count * tband_debugger_packets.core_count;
  for (uint32_t slot = 0; slot < slots; slot++) {
    const uint32_t *const words =
        (const uint32_t *)(const void *)&tband_debugger_packets.memory[slot * tband_debugger_packets.packet_size];
    count += (((words[2] & 0xFFFFU) >> 3) >= 36U && (words[3] != 0U) == with_check) ? 1U : 0U;
  }
  return count;
}
#endif

static void control(const char *word) {
#if tband_configUSE_BACKEND_STREAMING
  if (strcmp(word, "start") == 0) {
    CHECK_EQ(tband_start_streaming(), 0);
  } else if (strcmp(word, "restart") == 0) {
    CHECK_EQ(tband_restart_streaming(), 0);
  } else {
    CHECK_EQ(strcmp(word, "stop"), 0);
    CHECK_EQ(tband_stop_streaming(), 0);
  }
#elif tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(strcmp(word, "start"), 0);
  CHECK_EQ(tband_start_post_mortem(), 0);
#else
  if ((strcmp(word, "trigger") == 0) || (strcmp(word, "start") == 0)) {
    CHECK_EQ(tband_trigger_snapshot(), 0);
  } else {
    CHECK_EQ(strcmp(word, "stop"), 0);
    CHECK_EQ(tband_stop_snapshot(), 0);
  }
#endif
}

/* What an interrupt does before the next critical section: `stop`, or `again`, which starts another recording. */
static char meanwhile[16];
static void interrupts(void) {
  control("stop");
  if (strcmp(meanwhile, "again") == 0) {
    control("start");
  }
}

static void run(const char *line) {
  char word[16];
  char hex[2 * sizeof(text)];
  uint64_t number = 0;
  long long value = 0;
  unsigned int id = 0;
  unsigned int first = 0;
  unsigned int second = 0;
  unsigned int count = 0;
  CHECK_EQ(sscanf(line, "%15s", word), 1);
  if (sscanf(line, "core %u", &id) == 1) {
    fake_core = id;
  } else if (sscanf(line, "refuse %u", &count) == 1) {
    fake_refuses_for = count;
  } else if (sscanf(line, "meanwhile %15s", meanwhile) == 1) {
    fake_before_enter = interrupts;
  } else if (strcmp(word, "tick") == 0) {
    tband_keep_time();
  } else if (strcmp(word, "now") == 0) {
    number = strtoull(line + 4, NULL, 10);
    fake_now = number;
  } else if (sscanf(line, "step %u", &count) == 1) {
    fake_step = count;
  } else if (sscanf(line, "u32 %u %u", &id, &first) == 2) {
    tband_record_u32(id, first);
  } else if (sscanf(line, "pair %u %u %u", &id, &first, &second) == 3) {
    tband_record_u32_u32(id, first, second);
  } else if (sscanf(line, "value %u %u %lld", &id, &first, &value) == 3) {
    tband_record_u32_s64(id, first, value);
  } else if (sscanf(line, "text %u %u %511s", &id, &first, hex) == 3) {
    tband_record_u32_str(id, first, text_of(hex));
  } else if (strcmp(word, "numbers") == 0) {
    uint32_t numbers[5] = {0};
    CHECK_EQ(sscanf(line, "numbers %u %u %u %u %u %u %u", &id, &count, &numbers[0], &numbers[1], &numbers[2],
                    &numbers[3], &numbers[4]), 7);
    tband_record_numbers(id, count, numbers);
#if tband_configUSE_FILTERS
  } else if (sscanf(line, "filter %u %u %u", &first, &second, &count) == 3) {
    CHECK_EQ(tband_filter_choose(first, second, count != 0U, TBAND_BY_FIRMWARE), 0);
  } else if (sscanf(line, "refused filter %u %u %u", &first, &second, &count) == 3) {
    CHECK_EQ(tband_filter_choose(first, second, count != 0U, TBAND_BY_FIRMWARE), -1);
  } else if (sscanf(line, "name %u %511s %u", &first, hex, &count) == 3) {
    CHECK_EQ(tband_filter_object_by_name(first, text_of(hex), count != 0U), 0);
#endif
#if TBAND_USES_PACKETS
  } else if (sscanf(line, "take %u", &count) == 1) {
    take(count);
#endif
#if tband_configUSE_BACKEND_POST_MORTEM
  } else if (sscanf(line, "protected %u", &count) == 1) {
    CHECK_EQ(packets_in_memory(true), count);
  } else if (sscanf(line, "unprotected %u", &count) == 1) {
    CHECK_EQ(packets_in_memory(false), count);
#endif
  } else if (sscanf(line, "constant %u %511s", &id, hex) == 2) {
    tband_name_constant(id, text_of(hex));
  } else if (sscanf(line, "enter %u", &id) == 1) {
    tband_isr_enter(id);
  } else if (sscanf(line, "exit %u", &id) == 1) {
    tband_isr_exit(id);
#if tband_configUSE_TRIGGERS
  } else if (sscanf(line, "arm %u %u %lld %u %u", &id, &first, &value, &count, &second) == 5) {
    CHECK(tband_trigger_arm(id, first, value, count, second) >= 0);
  } else if (sscanf(line, "refused arm %u %u %lld %u %u", &id, &first, &value, &count, &second) == 5) {
    CHECK_EQ(tband_trigger_arm(id, first, value, count, second), -1);
  } else if (sscanf(line, "rearm %u", &id) == 1) {
    CHECK_EQ(tband_trigger_rearm((int)id), 0);
  } else if (sscanf(line, "disarm %u", &id) == 1) {
    CHECK_EQ(tband_trigger_disarm((int)id), 0);
  } else if (sscanf(line, "fired %u", &id) == 1) {
    CHECK_EQ(tband_trigger_count(), id);
#endif
  } else if (sscanf(line, "meta %u %u %u %u %511s", &id, &count, &first, &second, hex) == 5) {
    tband_record_metadata(TBAND_META_HEAD(id, count), first, second, text_of(hex));
  } else {
    control(word);
  }
}

#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#endif

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  FILE *const script = fopen(argv[1], "r");
  CHECK(script != NULL);
  char line[600];
  while (fgets(line, (int)sizeof(line), script) != NULL) {
    run(line);
  }
  CHECK_EQ(fclose(script), 0);
#if tband_configUSE_BACKEND_STREAMING
  fake_print_sent();
#if TBAND_USES_PACKETS
  take(UINT_MAX);
#if tband_configUSE_RTT
  do { /* the packets that follow when the buffer has room */
    tband_keep_time();
  } while (probe_read(tband_configPACKET_SIZE) != 0);
#endif
#endif
#elif tband_configUSE_BACKEND_POST_MORTEM
  (void)tband_freeze(); /* unless a trigger has done that */
  uint8_t piece[64];
  size_t len;
  while ((len = tband_stream_read(piece, sizeof(piece))) > 0) {
    fake_print(piece, len);
  }
#else
#if tband_configUSE_TRIGGERS
  (void)tband_stop_snapshot(); /* as above */
#endif
  for (unsigned int core = 0; core < tband_portNUMBER_OF_CORES; core++) {
    printf("%zu\n", tband_get_metadata_buf_amnt(core));
    fake_print(tband_get_metadata_buf(core), tband_get_metadata_buf_amnt(core));
    printf("%zu\n", tband_get_core_snapshot_buf_amnt(core));
    fake_print(tband_get_core_snapshot_buf(core), tband_get_core_snapshot_buf_amnt(core));
  }
#endif
  return 0;
}
